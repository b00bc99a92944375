#!/usr/bin/env python3
"""The command line: options, sizes, files in and out, many files at once, timing, signals."""
import base64
import gzip
import json
import os
import pty
import re
import resource
import select
import shutil
import signal
import struct
import subprocess
import time
import unittest
import zlib

from support import PATIENCE, RENDER, SANITIZED, SOURCE, CommandTest, decode_png, limit_time, limit_time_and_memory, refuse_files_without_names, \
    refuse_links, svg

HALF = '<rect width="32" height="64" fill="red"/>'
CIRCLE = '<circle cx="32" cy="32" r="30" stroke="red"/>'
CPU = ("--device", "cpu")
DRIVERS = "drivers leak memory, and are not ours to sanitize"


def pixel(picture, x, y):
    return tuple(picture[2][y][4 * x:4 * x + 4])


class Files(CommandTest):
    def test_file_to_file(self):
        self.write("in.svg", svg(HALF))
        done = self.assert_draws(*CPU, "in.svg", "out.png")
        self.assertEqual((done.stdout, done.stderr), (b"", b""))
        picture = self.read_png("out.png")
        self.assertEqual(picture[:2], (64, 64))
        self.assertEqual((pixel(picture, 31, 0), pixel(picture, 32, 0)), ((255, 0, 0, 255), (0, 0, 0, 0)))

    def test_standard_streams(self):
        done = self.assert_draws(*CPU, "-", "-", stdin=svg(HALF).encode())
        self.assertEqual(decode_png(done.stdout)[:2], (64, 64))
        self.assertEqual(self.files(), [])

    def test_gzipped(self):
        self.write("in.svg", svg(HALF))
        self.write("in.svgz", gzip.compress(svg(HALF).encode()))
        self.assert_draws(*CPU, "in.svg", "a.png")
        self.assert_draws(*CPU, "in.svgz", "b.png")
        self.assertEqual(self.read_png("a.png"), self.read_png("b.png"))

    def test_names_with_dashes_and_control_characters(self):
        self.write("-in.svg", svg(HALF))
        self.assert_draws(*CPU, "--", "-in.svg", "-out.png")
        self.assert_fails(1, r"no\?such", "no\nsuch", "out.png")

    def test_an_existing_file_keeps_its_mode_and_links(self):
        self.write("in.svg", svg(HALF))
        self.write("real.png", "old")
        os.chmod(self.path("real.png"), 0o640)
        os.symlink("real.png", self.path("link.png"))
        self.assert_draws(*CPU, "in.svg", "link.png")
        self.assertTrue(os.path.islink(self.path("link.png")))
        self.assertEqual(os.stat(self.path("real.png")).st_mode & 0o777, 0o640)
        self.assertEqual(self.read_png("real.png")[:2], (64, 64))

    def test_a_new_file_obeys_the_umask(self):
        self.write("in.svg", svg(HALF))
        self.assert_draws(*CPU, "in.svg", "out.png", prepare=lambda: os.umask(0o027))
        self.assertEqual(os.stat(self.path("out.png")).st_mode & 0o777, 0o640)

    def test_modes_and_names_where_files_need_names(self):
        """A file system or a kernel without files that have none, or without links to those."""
        self.write("in.svg", svg(HALF))
        for way in (None, refuse_files_without_names, refuse_links):
            def prepare():
                os.umask(0o027)
                if way:
                    way()
            self.write("old.png", "old")
            os.chmod(self.path("old.png"), 0o604)
            for name, mode in (("new.png", 0o640), ("old.png", 0o604)):
                self.assert_draws(*CPU, "--width", "300", "in.svg", name, prepare=prepare)
                self.assertEqual((os.stat(self.path(name)).st_mode & 0o777, self.read_png(name)[:2]), (mode, (300, 300)), (way, name))
            self.assertEqual(self.files(), ["in.svg", "new.png", "old.png"])
            os.unlink(self.path("new.png"))

    def test_an_old_file_survives_failure(self):
        self.write("in.svg", "<svg")
        self.write("out.png", "old")
        self.assert_fails(1, "in.svg", "in.svg", "out.png")
        self.assertEqual(self.files(), ["in.svg", "out.png"])
        with open(self.path("out.png")) as file:
            self.assertEqual(file.read(), "old")

    def test_unreadable(self):
        os.mkdir(self.path("folder"))
        self.assert_fails(1, "none.svg: cannot open: No such file", "none.svg", "out.png")
        self.assert_fails(1, "folder: cannot read: Is a directory", "folder", "out.png")
        if os.geteuid() != 0:
            self.write("secret.svg", svg(HALF))
            os.chmod(self.path("secret.svg"), 0)
            self.assert_fails(1, "secret.svg: cannot open: Permission denied", "secret.svg", "out.png")

    def test_unwritable(self):
        self.write("in.svg", svg(HALF))
        os.mkdir(self.path("folder"))
        for output, why in (("none/out.png", "No such file"), ("folder", "it is a folder"), ("out/", "not the name of a file"),
                            ("in.svg/out.png", "Not a directory"), ("x" * 300, "too long"), ("/dev/full", "No space left")):
            self.assert_fails(1, why, *CPU, "in.svg", output)
        if os.geteuid() != 0:
            os.chmod(self.path("folder"), 0o500)
            self.assert_fails(1, "Permission denied", *CPU, "in.svg", "folder/out.png")
        self.assertEqual(self.files(), ["folder", "in.svg"])

    def test_a_limit_on_file_size(self):
        self.write("in.svg", svg(CIRCLE))

        def tiny():
            limit_time_and_memory()
            resource.setrlimit(resource.RLIMIT_FSIZE, (500, 500))
        self.assert_fails(1, "File too large", *CPU, "--width", "500", "in.svg", "out.png", prepare=tiny)
        self.assertEqual(self.files(), ["in.svg"])

    def test_a_full_disk(self):
        """A file system of 64 KiB, where the user may have one; a device that is always full stands for it elsewhere."""
        self.write("in.svg", svg(CIRCLE))
        self.assert_fails(1, "No space left", *CPU, "in.svg", "/dev/full")
        os.mkdir(self.path("disk"))
        if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", self.path("disk")], stderr=subprocess.DEVNULL).returncode != 0:
            self.skipTest("mounting is not allowed")
        try:
            self.write("disk/filler", bytes(62 << 10))
            self.assert_fails(1, "No space left", *CPU, "--width", "3000", "in.svg", "disk/out.png")
            self.assertEqual(os.listdir(self.path("disk")), ["filler"])
            done = self.run_render(*CPU, "--width", "3000", "--output-dir", "disk", "in.svg", "none.svg")
            self.assertEqual((done.returncode, len(done.stderr.splitlines())), (1, 2), done.stderr)
            self.assertEqual(os.listdir(self.path("disk")), ["filler"])
        finally:
            subprocess.run(["umount", self.path("disk")], check=True)

    @unittest.skipIf(SANITIZED, "sanitizers need more memory than the limit")
    def test_a_picture_larger_than_memory(self):
        self.write("in.svg", svg(CIRCLE))
        self.assert_fails(3, "out of memory for 32768 x 32768 pixels", *CPU, "--width", "32768", "in.svg", "out.png")
        done = self.run_render(*CPU, "--width", "32768", "--output-dir", "out", "in.svg")
        self.assertEqual(done.returncode, 1)
        self.assertEqual((self.files(), os.listdir(self.path("out"))), (["in.svg", "out"], []))

    def test_a_picture_larger_than_its_control_group(self):
        """Where the kernel would kill; other pictures of a batch are drawn. Version 1 of control groups, by root alone."""
        group = f"/sys/fs/cgroup/memory/pietra-test-{os.getpid()}"
        try:
            os.mkdir(group)
            self.addCleanup(os.rmdir, group)
            with open(group + "/memory.limit_in_bytes", "w") as file:
                file.write("300M")
        except OSError as error:
            self.skipTest(f"no control group can be made: {error}")

        def enter():
            limit_time()
            with open(group + "/tasks", "w") as file:
                file.write(str(os.getpid()))
        self.write("in.svg", svg(CIRCLE))
        self.write("large.svg", svg(CIRCLE, 'width="16000" height="16000"'))
        self.assert_fails(3, "out of memory for 16000 x 16000 pixels: at least 97[67] MiB are needed, there are 300 MiB", *CPU, "-w", "16000",
                          "in.svg", "out.png", prepare=enter)
        done = self.run_render(*CPU, "--output-dir", "out", "large.svg", "in.svg", prepare=enter)
        self.assertEqual((done.returncode, done.stderr.count(b"\n"), os.listdir(self.path("out"))), (1, 1, ["in.png"]), done.stderr)

    def test_closed_streams(self):
        self.write("in.svg", svg(HALF))
        shell = f"exec '{RENDER}' --device cpu in.svg"
        closed = subprocess.run(["sh", "-c", shell + " out.png <&- >&- 2>&-"], cwd=self.folder)
        self.assertEqual((closed.returncode, self.read_png("out.png")[:2]), (0, (64, 64)))
        self.assertEqual(subprocess.run(["sh", "-c", shell + " - >&- 2>/dev/null"], cwd=self.folder).returncode, 1)

    def test_the_source_is_safe(self):
        self.write("a.svg", svg(HALF))
        for output in ("b.svg", "b.SVG", "b.svgz", "a.svg"):
            self.assert_fails(1, "ending of a source", "a.svg", output)
        self.assertEqual(self.files(), ["a.svg"])

    def test_a_source_is_safe_behind_a_link(self):
        for name in ("a.svg", "b.svg", "plain"):
            self.write(name, svg(HALF))
        os.symlink("b.svg", self.path("link.png"))
        self.assert_fails(1, r"link\.png: .*b\.svg.* ending of a source", "a.svg", "link.png")
        os.symlink("plain", self.path("plain.png"))
        self.assert_fails(1, r"plain\.png: OUTPUT is the INPUT plain#v", "plain#v", "plain.png")
        self.assert_fails(1, r"plain\.png: OUTPUT is the INPUT plain", "--stylesheet", "plain", "a.svg", "plain.png")
        for name in ("a.svg", "b.svg", "plain"):
            with open(self.path(name)) as file:
                self.assertEqual(file.read(), svg(HALF))


PARTS = """<defs><pattern id="p" width="4" height="4" patternUnits="userSpaceOnUse"><path id="in" d="M0 0h9v9"/></pattern></defs>
<g id="g" opacity=".5" transform="translate(8,8)"><rect id="r" width="16" height="8" stroke="red" stroke-width="4"/></g>
<path id="miter" d="M40 10L50 30L60 10" fill="none" stroke="blue" stroke-width="4"/>
<rect id="tiles" x="40" y="40" width="11" height="13" fill="url(#p)"/><g id="empty"/><use id="u" href="#r" y="50"/>"""


class Resources(CommandTest):
    """Files that a document refers to."""
    def setUp(self):
        super().setUp()
        os.makedirs(self.path("in/deep"))
        self.write("in/deep/half.svg", svg('<g id="h">' + HALF + "</g>"))
        self.write("half.svg", svg('<g id="h">' + HALF + "</g>"))
        self.write("in/red.css", "rect{fill:red}")
        self.write("red.css", "rect{fill:red}")

    def drawn(self, content, *arguments):
        """The pixel in the middle of the left half, and what was left out."""
        self.write("in/in.svg", content)
        done = self.assert_draws(*CPU, "-v", *arguments, "in/in.svg", "out.png")
        return pixel(self.read_png("out.png"), 16, 32)[3], [line.split(b": ", 2)[2] for line in done.stderr.splitlines() if b"in.svg" in line]

    def test_use(self):
        use = svg('<use href="deep/half.svg#h"/>')
        told = b"a use of another file is left out: only files below the resources directory are read, if that is asked for"
        self.assertEqual(self.drawn(use), (0, [told]))
        self.assertEqual(self.drawn(use, "--allow-external"), (255, []))
        self.assertEqual(self.drawn(use, "--allow-external", "--resources-dir", self.path("in")), (255, []))
        self.assertEqual(self.drawn(svg('<use href="../half.svg#h"/>'), "--allow-external"), (0, [told]))
        self.assertEqual(self.drawn(svg('<use href="../../half.svg#h"/>'), "--allow-external", "--resources-dir", self.path("in/deep")), (0, [told]))
        os.symlink("../half.svg", self.path("in/link.svg"))
        self.assertEqual(self.drawn(svg('<use href="link.svg#h"/>'), "--allow-external"), (0, [told]))

    def test_files_use_files_below_the_directory_only(self):
        self.write("in/deep/a.svg", svg('<g id="a"><use href="half.svg#h"/></g><g id="b"><use href="../../half.svg#h"/></g>'))
        self.assertEqual(self.drawn(svg('<use href="deep/a.svg#a"/>'), "--allow-external")[0], 255)
        self.assertEqual(self.drawn(svg('<use href="deep/a.svg#b"/>'), "--allow-external")[0], 0)

    def test_too_many_files(self):
        for i in range(1100):
            self.write(f"in/{i}.svg", svg(f'<g id="a"><use href="{i + 1}.svg#a"/></g>'))
        self.assertEqual(self.drawn(svg('<use href="0.svg#a"/>'), "--allow-external"), (0, [b"a use of another file is left out: too many files are used"]))

    def test_images_of_documents_read_no_files(self):
        self.write("in/deep/a.svg", svg('<use href="half.svg#h"/><image href="half.svg" width="64" height="64"/>'))
        alpha, told = self.drawn(svg('<image href="deep/a.svg" width="64" height="64"/>'), "--allow-external")
        self.assertEqual((alpha, len(told)), (0, 2))

    def test_style_sheets(self):
        rect = svg('<rect width="64" height="64" fill="none"/>')
        told = b"a style sheet is left out: only files below the resources directory are read, if that is asked for"
        sheet = '<?xml-stylesheet href="red.css" type="text/css"?>' + rect
        self.assertEqual(self.drawn(sheet), (0, [told]))
        self.assertEqual(self.drawn(sheet, "--allow-external"), (255, []))
        self.assertEqual(self.drawn(sheet.replace("red", "../red"), "--allow-external"), (0, [told]))
        self.assertEqual(self.drawn(sheet.replace("red", "none"), "--allow-external"),
                         (0, [b"a style sheet is left out: there is nothing where its reference leads"]))


class Parts(CommandTest):
    """One element, the box of the drawing, boxes, views."""
    def test_boxes(self):
        self.write("in.svg", svg(PARTS))
        done = self.assert_draws("--query-all", "in.svg")
        self.assertEqual((done.stdout.decode().splitlines(), done.stderr), ([
            "g,6,6,20,12", "r,6,6,20,12", "miter,38.211,9.106,23.578,25.367", "tiles,40,40,11,13", "u,-2,48,20,12"], b""))

    def test_boxes_of_nothing(self):
        self.write("in.svg", svg('<g id="a"/><defs><rect id="b" width="4" height="4"/></defs>'))
        self.assert_fails(1, "in.svg: no element with an id draws anything", "--query-all", "in.svg")

    def test_one_element(self):
        self.write("in.svg", svg(PARTS))
        self.assert_draws(*CPU, "--export-id", "r", "in.svg", "r.png")
        picture = self.read_png("r.png")
        self.assertEqual(picture[:2], (20, 12))
        self.assertEqual((pixel(picture, 0, 0), pixel(picture, 10, 6)), ((255, 0, 0, 255), (0, 0, 0, 255)))
        self.assert_draws(*CPU, "--export-id", "g", "-w", "40", "in.svg", "g.png")
        picture = self.read_png("g.png")
        self.assertEqual((picture[:2], pixel(picture, 20, 12)), ((40, 24), (0, 0, 0, 128)))

    def test_one_element_on_the_page(self):
        self.write("in.svg", svg(PARTS))
        self.assert_draws(*CPU, "--export-id", "r", "--export-area-page", "-w", "128", "in.svg", "r.png")
        picture = self.read_png("r.png")
        self.assertEqual(picture[:2], (128, 128))
        self.assertEqual([pixel(picture, 12, 12), pixel(picture, 11, 12), pixel(picture, 90, 90)], [(255, 0, 0, 255), (0, 0, 0, 0), (0, 0, 0, 0)])

    def test_an_element_beyond_the_page(self):
        self.write("in.svg", svg('<pattern id="p" width="8" height="8" patternUnits="userSpaceOnUse"><rect width="8" height="8"/></pattern>'
                                 '<rect id="far" x="500" y="-90" width="16" height="9" fill="url(#p)"/>'))
        self.assert_draws(*CPU, "--export-id", "far", "in.svg", "far.png")
        picture = self.read_png("far.png")
        self.assertEqual((picture[:2], pixel(picture, 15, 8)), ((16, 9), (0, 0, 0, 255)))

    def test_no_such_element(self):
        self.write("in.svg", svg(PARTS))
        self.assert_fails(1, 'in.svg: no element has the id "none"', "--export-id", "none", "in.svg", "out.png")
        for hidden in ("in", "empty"):
            self.assert_fails(1, f'in.svg:[1-9][0-9]*: the element with the id "{hidden}" draws nothing', "--export-id", hidden, "in.svg", "out.png")
        self.assertEqual(self.files(), ["in.svg"])

    def test_the_box_of_the_drawing(self):
        self.write("in.svg", svg(PARTS))
        self.assert_draws(*CPU, "in.svg", "page.png")
        self.assert_draws(*CPU, "--export-area-drawing", "in.svg", "out.png")
        page, cut = self.read_png("page.png"), self.read_png("out.png")
        self.assertEqual(cut[:2], (62, 54))
        self.assertEqual(cut[2], [row[:4 * 62] for row in page[2][6:60]])
        self.write("empty.svg", svg('<rect x="99" width="3" height="3"/>'))
        self.assert_fails(1, "nothing is drawn on the page", *CPU, "--export-area-drawing", "empty.svg", "none.png")

    def test_wrong_combinations(self):
        self.write("in.svg", svg(PARTS))
        self.assert_fails(1, "--export-area-page is for --export-id", "--export-area-page", "in.svg", "out.png")
        self.assert_fails(1, "exclude each other", "--export-area-drawing", "--export-id", "r", "in.svg", "out.png")
        self.assert_fails(1, "draws nothing", "--query-all", "--export-id", "r", "in.svg")
        self.assert_fails(1, "no OUTPUT", "--query-all", "in.svg", "out.png")

    def test_views(self):
        self.write("in.svg", svg('<view id="v" viewBox="0 0 32 16"/>' + HALF))
        for name in ("v", "svgView(viewBox(0,0,32,16))", "svgView(viewBox(0%2C0%2C32%2C16))", "xywh=0,0,32,16"):
            self.assert_draws(*CPU, "in.svg#" + name, "out.png")
            picture = self.read_png("out.png")
            self.assertEqual((picture[:2], pixel(picture, 63, 32), pixel(picture, 63, 15)), ((64, 64), (255, 0, 0, 255), (0, 0, 0, 0)))
        done = self.assert_draws(*CPU, "-v", "in.svg#none", "out.png")
        self.assertIn(b"the view #none is not there", done.stderr)
        self.write("in.svg#v", svg(CIRCLE))
        self.assert_draws(*CPU, "in.svg#v", "out.png")
        self.assertEqual(pixel(self.read_png("out.png"), 0, 0), (0, 0, 0, 0))


class Signals(CommandTest):
    DEADLY = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT, signal.SIGALRM, signal.SIGUSR1, signal.SIGXCPU)

    def has_output(self, process):
        """Whether a file in the folder is open, even one without a name."""
        try:
            names = os.listdir(f"/proc/{process.pid}/fd")
            opened = [os.readlink(f"/proc/{process.pid}/fd/{name}") for name in names]
        except OSError:
            return False
        return any(os.path.dirname(path) == os.path.realpath(self.folder) and not path.endswith("in.svg") for path in opened)

    def interrupt(self, *numbers, prepare=None):
        """The work is made long by repetition; an open file shows that it has begun."""
        self.write("in.svg", svg(CIRCLE))
        process = subprocess.Popen([RENDER, *CPU, "--width", "500", "--repeat", "100000", "in.svg", "out.png"], cwd=self.folder,
                                   preexec_fn=prepare)
        end = time.monotonic() + PATIENCE
        while not self.has_output(process) and time.monotonic() < end:
            time.sleep(0.01)
        self.assertTrue(self.has_output(process))
        for number in numbers:
            process.send_signal(number)
        self.assertIn(-process.wait(PATIENCE), numbers)
        self.assertEqual(self.files(), ["in.svg"], numbers)

    def test_interruption_leaves_nothing(self):
        for number in self.DEADLY:
            self.interrupt(number)

    def test_interruption_leaves_nothing_that_has_a_name(self):
        for number in self.DEADLY:
            self.interrupt(number, prepare=refuse_files_without_names)

    def test_two_signals_at_once_leave_nothing(self):
        for i in range(10):
            self.interrupt(signal.SIGINT, signal.SIGINT if i % 2 else signal.SIGTERM, signal.SIGHUP, prepare=refuse_files_without_names)

    def test_not_even_death_without_warning_leaves_something(self):
        try:
            os.close(os.open(self.folder, os.O_TMPFILE | os.O_RDWR))
        except OSError:
            self.skipTest("the file system has no files without names")
        self.interrupt(signal.SIGKILL)


class Progress(CommandTest):
    def watch(self, seconds, *arguments):
        """What a long command writes to a terminal before it says "drawing" or the seconds are over."""
        self.write("in.svg", svg(CIRCLE))
        try:
            ours, theirs = pty.openpty()
        except OSError as error:
            self.skipTest(f"no terminal can be opened: {error}")
        process = subprocess.Popen([RENDER, *CPU, "--width", "500", "--repeat", "100000", *arguments, "in.svg", "out.png"], cwd=self.folder,
                                   stderr=theirs)
        end, seen = time.monotonic() + seconds, b""
        while time.monotonic() < end and b"drawing" not in seen:
            if select.select([ours], [], [], 0.1)[0]:
                seen += os.read(ours, 4096)
        process.kill()
        process.wait()
        os.close(ours)
        os.close(theirs)
        return seen

    def test_a_bar_after_a_second(self):
        self.assertRegex(self.watch(PATIENCE), rb"\[[#.]{40}\] \d+/\d+ drawing")

    def test_quiet(self):
        self.assertEqual(self.watch(2, "--quiet"), b"")


class WithoutVulkan(CommandTest):
    """As on a machine that has no libvulkan: what lies in its place is found first and is no library."""

    def setUp(self):
        super().setUp()
        os.mkdir(self.path("libraries"))
        self.write("libraries/libvulkan.so.1", "")
        self.write("in.svg", svg(HALF))
        self.environment = dict(os.environ, LD_LIBRARY_PATH=self.path("libraries"))

    def test_the_cpu_alone_is_listed(self):
        done = self.assert_draws("--list-devices", env=self.environment)
        self.assertEqual((done.stdout.count(b"\n"), done.stdout[:4]), (1, b"cpu "))

    def test_all_but_the_gpu_draw(self):
        for device in ("cpu", "auto", "reference"):
            self.assert_draws("--device", device, "in.svg", f"{device}.png", env=self.environment)
            self.assertEqual(self.read_png(f"{device}.png"), self.read_png("cpu.png"))

    def test_the_gpu_is_refused(self):
        for device in ("gpu", "gpu:0", "gpu:name"):
            self.assert_fails(2, "Vulkan is not installed", "--device", device, "in.svg", "out.png", env=self.environment)
        self.assertNotIn("out.png", self.files())


def png_of_one_pixel():
    def chunk(kind, body):
        return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", 1, 1, 8, 2, 0, 0, 0)) +
            chunk(b"IDAT", zlib.compress(b"\0\0\0\xff")) + chunk(b"IEND", b""))


class Libraries(CommandTest):
    """Libraries are opened when something needs them."""
    IMAGE = f'<image width="32" height="64" href="data:image/png;base64,{base64.b64encode(png_of_one_pixel()).decode()}" ' \
            'preserveAspectRatio="none"/>'

    @unittest.skipIf(SANITIZED, "the loader's words go where the sanitizer's do")
    def test_a_drawing_needs_neither_images_nor_vulkan(self):
        self.write("plain.svg", svg(HALF))
        self.write("image.svg", svg(self.IMAGE))
        for name, images in (("plain.svg", 0), ("image.svg", 1)):
            seen = self.assert_draws(name, "out.png", env=dict(os.environ, LD_DEBUG="files")).stderr
            self.assertIn(b"libxml2", seen)
            self.assertEqual(len(set(re.findall(rb"(libpng|libjpeg|libwebp|libgif|liblcms2|libvulkan)[^/\s]*\.so", seen))), images)

    def test_without_its_library_an_image_is_left_out(self):
        os.mkdir(self.path("libraries"))
        self.write("libraries/libpng16.so.16", "")
        self.write("in.svg", svg(self.IMAGE + '<rect x="32" width="32" height="64" fill="red"/>'))
        for environment, colour in ((os.environ, (0, 0, 255, 255)), (dict(os.environ, LD_LIBRARY_PATH=self.path("libraries")), (0, 0, 0, 0))):
            done = self.assert_draws(*CPU, "--verbose", "in.svg", "out.png", env=environment)
            picture = self.read_png("out.png")
            self.assertEqual((pixel(picture, 5, 5), pixel(picture, 40, 5)), (colour, (255, 0, 0, 255)))
            self.assertEqual(b"not installed" in done.stderr, colour[3] == 0, done.stderr)


class Start(CommandTest):
    @unittest.skipUnless(shutil.which("strace"), "strace is not installed")
    @unittest.skipIf(SANITIZED, "sanitizers look at the machine too")
    def test_cores_are_counted_once_by_the_library_and_by_the_command(self):
        self.write("in.svg", svg(CIRCLE))
        done = subprocess.run(["strace", "-f", "-o", "calls", "-e", "trace=openat", RENDER, *CPU, "in.svg", "out.png"], cwd=self.folder,
                              stderr=subprocess.PIPE)
        if done.returncode != 0:
            self.skipTest(f"strace may not trace here: {done.stderr!r}")
        with open(self.path("calls")) as file:
            self.assertLessEqual(file.read().count("cpu/online"), 2)


class Options(CommandTest):
    def test_help_and_version(self):
        self.assertIn(b"Usage: render", self.assert_draws("--help").stdout)
        self.assertRegex(self.assert_draws("--version").stdout, rb"^render \d+\.\d+\.\d+\n$")

    @unittest.skipIf(SANITIZED, DRIVERS)
    def test_list_devices(self):
        self.assertRegex(self.assert_draws("--list-devices", prepare=limit_time).stdout, rb"(?m)^cpu ")

    def test_help_readme_and_man_page_name_the_same_options(self):
        def options(text):
            return set(re.findall(r"(?<![\w-])(?:-[a-z]|--[a-z][a-z-]+)(?![\w-])", text))

        def section(name, start, end):
            with open(os.path.join(SOURCE, name)) as file:
                return re.search(f"^{start}\n(.*?)^{end}$", file.read(), re.M | re.S)[1].replace("\\fR", " ").replace("\\-", "-")

        summary = options(self.assert_draws("--help").stdout.decode())
        self.assertEqual(options(section("README.md", "## The command", "## The library")), summary)
        self.assertEqual(options(section("docs/render.1", ".SH OPTIONS", ".SH EXIT STATUS")), summary)

    def test_wrong(self):
        self.write("in.svg", svg(HALF))
        names = ("in.svg", "out.png")
        for arguments in ((), ("in.svg",), ("in.svg", "a.png", "b.png"), ("--foo", *names), ("-x", *names), ("--width",),
                          ("--width", "0", *names), ("--width", "-5", *names), ("--width", "1e3", *names), ("--width", "99999", *names),
                          ("--width", "99999999999999999999", *names), ("--width=", *names), ("--height", "5px", *names),
                          ("--zoom", "0", *names), ("--zoom", "nan", *names), ("--zoom", "inf", *names), ("--zoom", "0x5", *names),
                          ("--zoom", " 5", *names), ("--zoom", "2", "--width", "5", *names), ("--dpi", "-1", *names),
                          ("--background", "blurple", *names), ("--background", "", *names), ("--device", "tpu", *names),
                          ("--device", "gpu:", *names), ("--threads", "-1", *names), ("--threads", "many", *names),
                          ("--memory-budget", "0", *names), ("--memory-budget", "5X", *names), ("--memory-budget", "5GB", *names),
                          ("--memory-budget", "99999999999999G", *names), ("--compression", "most", *names), ("--compression", "", *names),
                          ("in.svg", "out.svg"), ("in.svg", "out.SVGZ"), ("--repeat", "0", *names), ("--quiet=yes", *names),
                          ("--timing", "", *names), ("--timing", "-", "in.svg", "-"), ("--output-dir", "d"), ("--output-dir", "", "in.svg"),
                          ("--output-dir", "d", "--timing", "t", "in.svg"), ("--timing", "in.svg", *names), ("--timing", "./in.svg", *names),
                          ("--timing", "out.png", *names), ("in.svg", "in.svg")):
            with self.subTest(arguments=arguments):
                self.assert_fails(1, ".", *arguments)
        self.assertEqual(self.files(), ["in.svg"])

    def test_no_source_is_overwritten(self):
        self.write("drawing", svg(HALF))
        os.link(self.path("drawing"), self.path("same"))
        self.assert_fails(1, "INPUT", "drawing", "same")
        self.assert_fails(1, "INPUT", "--timing", "same", "drawing", "out.png")
        self.assertEqual(self.files(), ["drawing", "same"])

    def test_files_too_large_are_not_read(self):
        with open(self.path("in.svg"), "wb") as file:
            file.truncate((1 << 30) + (1 << 20))
        self.assert_fails(1, "MiB are not read", "in.svg", "out.png", prepare=limit_time)
        self.assertEqual(self.files(), ["in.svg"])

    @unittest.skipIf(SANITIZED, DRIVERS)
    def test_no_such_device(self):
        self.write("in.svg", svg(HALF))
        for device in ("gpu:4000000000", "gpu:no such part"):
            self.assert_fails(2, ".", "--device", device, "in.svg", "out.png", prepare=limit_time)
        self.assertEqual(self.files(), ["in.svg"])

    def test_sizes(self):
        self.write("in.svg", svg(HALF, 'width="100" height="50"'))
        for arguments, size in (((), (100, 50)), (("-w", "40"), (40, 20)), (("-h40",), (80, 40)), (("--width=30", "--height", "30"), (30, 15)),
                                (("-w", "300", "-h", "30"), (60, 30)), (("-z", "0.5"), (50, 25)), (("--zoom", "1e-6"), (1, 1))):
            self.assert_draws(*CPU, *arguments, "in.svg", "out.png")
            self.assertEqual(self.read_png("out.png")[:2], size, arguments)

    def test_dpi(self):
        self.write("in.svg", svg(HALF, 'width="1in" height="1in"'))
        for arguments, size in (((), 96), (("--dpi", "30"), 30)):
            self.assert_draws(*CPU, *arguments, "in.svg", "out.png")
            self.assertEqual(self.read_png("out.png")[:2], (size, size))

    def test_background(self):
        self.write("in.svg", svg(HALF))
        for text, colour in (("blue", (0, 0, 255, 255)), ("#0f0", (0, 255, 0, 255)), ("rgb(1, 2, 3)", (1, 2, 3, 255)),
                             ("rgba(0,0,255,0.2)", (0, 0, 255, 51)), ("transparent", (0, 0, 0, 0))):
            self.assert_draws(*CPU, "--background", text, "in.svg", "out.png")
            self.assertEqual(pixel(self.read_png("out.png"), 60, 5), colour)

    def test_compression_does_not_change_the_picture(self):
        self.write("in.svg", svg(CIRCLE))
        self.assert_draws(*CPU, "in.svg", "out.png")
        wanted = self.read_png("out.png")
        for how in ("fast", "default", "best"):
            self.assert_draws(*CPU, "--compression", how, "in.svg", "out.png")
            self.assertEqual(self.read_png("out.png"), wanted, how)

    def test_threads_devices_and_budget_do_not_change_the_picture(self):
        self.write("in.svg", svg(CIRCLE))
        self.assert_draws(*CPU, "in.svg", "out.png")
        wanted = self.read_png("out.png")
        for arguments in (("--threads", "0"), ("--threads", "1"), ("--threads", "1000"), ("--device", "reference"),
                          ("--memory-budget", "64M"), ("--repeat", "2")):
            self.assert_draws(*CPU, *arguments, "in.svg", "out.png")
            self.assertEqual(self.read_png("out.png"), wanted, arguments)

    @unittest.skipIf(SANITIZED, DRIVERS)
    def test_a_gpu_draws_the_same_and_validation_is_silent(self):
        self.write("in.svg", svg(CIRCLE))
        self.assert_draws(*CPU, "in.svg", "cpu.png")
        done = self.assert_draws("--device", "gpu", "--validation", "in.svg", "gpu.png", prepare=limit_time)
        self.assertEqual(done.stderr, b"")
        self.assertEqual(self.read_png("gpu.png"), self.read_png("cpu.png"))

    def test_a_budget_too_small_names_the_floor(self):
        self.write("in.svg", svg(CIRCLE))
        self.assert_fails(3, r"\d", *CPU, "--memory-budget", "1", "in.svg", "out.png")
        self.assertEqual(self.files(), ["in.svg"])

    def test_verbose_names_what_is_left_out(self):
        self.write("in.svg", svg(HALF + '<g filter="url(#f)">\n</g>\n<foo xmlns="urn:foo"/>\n<text>a</text>\n<text>b</text>'))
        self.assertEqual(self.assert_draws(*CPU, "in.svg", "out.png").stderr, b"")
        lines = self.assert_draws(*CPU, "--verbose", "in.svg", "out.png").stderr.decode().splitlines()
        self.assertEqual(len([line for line in lines if "text" in line]), 1, lines)
        self.assertTrue(all(line.startswith("render: ") for line in lines))

    def test_timing(self):
        self.write("in.svg", svg(HALF))
        self.assert_draws(*CPU, "--timing", "time.json", "--repeat", "3", "in.svg", "out.png")
        with open(self.path("time.json")) as file:
            timing = json.load(file)
        self.assertEqual(set(timing), {"device", "width", "height", "elements", "segments", "lines", "records", "entries", "parse_ms",
                                       "encode_ms", "upload_ms", "frame_ms", "stages", "read_ms", "png_ms", "total_ms", "memory_bytes"})
        self.assertEqual((timing["width"], timing["height"], timing["elements"]), (64, 64, 1))
        self.assertTrue(timing["stages"])
        for stage in timing["stages"]:
            self.assertEqual(set(stage), {"name", "ms", "bytes"})
        done = self.assert_draws(*CPU, "--timing", "-", "in.svg", "out.png")
        self.assertEqual(json.loads(done.stdout)["width"], 64)


class ManyFiles(CommandTest):
    def make(self):
        os.mkdir(self.path("in"))
        for name in ("a.svg", "b.svg", "c.SVG"):
            self.write(f"in/{name}", svg(HALF))
        self.write("in/d.svgz", gzip.compress(svg(HALF).encode()))
        return ["in/a.svg", "in/b.svg", "in/c.SVG", "in/d.svgz"]

    def test_each_is_drawn(self):
        names = self.make()
        self.assert_draws(*CPU, *names, "--output-dir", "out/deep")
        self.assertEqual(sorted(os.listdir(self.path("out/deep"))), ["a.png", "b.png", "c.png", "d.png"])
        self.assertEqual(self.read_png("out/deep/a.png"), self.read_png("out/deep/d.png"))

    def test_a_list_on_standard_input(self):
        names = self.make()
        self.assert_draws(*CPU, "--output-dir", "out", "-", stdin="\n".join(names).encode())
        self.assertEqual(len(os.listdir(self.path("out"))), 4)
        self.assert_fails(1, "empty", "--output-dir", "out", "-")
        self.assert_fails(1, "empty", "--output-dir", "out", "-", stdin=b"\0\0")

    def test_a_list_with_nul_bytes(self):
        names = self.make() + [self.write("in/two\nlines.svg", svg(HALF))]
        for i, end in enumerate(("\0", "")):
            self.assert_draws(*CPU, "--output-dir", f"out{i}", "-", stdin=("\0".join(names) + end).encode())
            self.assertEqual(sorted(os.listdir(self.path(f"out{i}"))), ["a.png", "b.png", "c.png", "d.png", "two\nlines.png"])

    def test_one_failure_spares_the_others(self):
        names = self.make()
        self.write("in/bad.svg", "<svg")
        done = self.run_render(*CPU, "--output-dir", "out", "in/bad.svg", *names, "in/none.svg")
        self.assertEqual(done.returncode, 1)
        lines = sorted(done.stderr.decode().splitlines())
        self.assertEqual(len(lines), 2)
        self.assertTrue(lines[0].startswith("render: in/bad.svg:") and lines[1].startswith("render: in/none.svg:"), lines)
        self.assertEqual(len(os.listdir(self.path("out"))), 4)

    def test_equal_names_are_refused_before_any_work(self):
        names = self.make()
        os.mkdir(self.path("more"))
        self.write("more/b.svgz", svg(HALF))
        self.assert_fails(1, "same file", *CPU, "--output-dir", "out", *names, "more/b.svgz")
        self.assertFalse(os.path.exists(self.path("out")))

    def test_no_picture_takes_the_place_of_an_input(self):
        names = self.make()
        os.mkdir(self.path("out"))
        os.symlink("../in/a.svg", self.path("out/a.png"))
        self.assert_fails(1, "out/a.png: .*in/a.svg.* ending of a source", *CPU, "--output-dir", "out", *names)
        os.unlink(self.path("out/a.png"))
        for name in ("src", "src.png", "z.svg", "out/z.png"):
            self.write(name, svg(HALF))
        self.assert_fails(1, "src.png: OUTPUT is the INPUT src.png", *CPU, "--output-dir", ".", "src", "src.png")
        self.assert_fails(1, "out/z.png: OUTPUT is the INPUT ./out//z.png", *CPU, "--output-dir", "out", *names, "./out//z.png", "z.svg")
        for name in ("src", "src.png", "z.svg", "out/z.png", "in/a.svg"):
            with open(self.path(name)) as file:
                self.assertEqual(file.read(), svg(HALF))
        self.assertEqual(os.listdir(self.path("out")), ["z.png"])

    def test_any_number_of_threads_draws_the_same(self):
        names = self.make()
        for threads in ("1", "2", "64", "0"):
            self.assert_draws(*CPU, *names, "--threads", threads, "--output-dir", "out" + threads)
        for name in ("a.png", "d.png"):
            contents = set()
            for threads in ("1", "2", "64", "0"):
                with open(self.path(f"out{threads}/{name}"), "rb") as file:
                    contents.add(file.read())
            self.assertEqual(len(contents), 1)

    def test_many_icons(self):
        os.mkdir(self.path("in"))
        names = []
        for i in range(1000 if SANITIZED else 5000):
            names.append(self.write(f"in/icon{i}.svg", svg(f'<path d="M{i % 20} 2L2 {i % 23}h20z" fill="red"/>', 'width="24" height="24"')))
        names.insert(700, "in/none.svg")
        done = self.run_render("--output-dir", "out", "-", stdin="\n".join(names).encode() + b"\n")
        self.assertEqual(done.returncode, 1)
        self.assertEqual(done.stderr, b"render: in/none.svg: cannot open: No such file or directory\n")
        self.assertEqual(len(os.listdir(self.path("out"))), len(names) - 1)
        self.assertEqual(self.read_png("out/icon4.png")[:2], (24, 24))

    def test_outputs_that_cannot_be_written(self):
        names = self.make()
        os.makedirs(self.path("out/b.png"))
        done = self.run_render(*CPU, "--output-dir", "out", *names)
        self.assertEqual((done.returncode, done.stderr), (1, b"render: out/b.png: cannot write: it is a folder\n"))
        self.assertEqual(sorted(os.listdir(self.path("out"))), ["a.png", "b.png", "c.png", "d.png"])

    def test_signals_leave_whole_pictures_alone(self):
        """In the midst of many pictures."""
        os.mkdir(self.path("in"))
        names = [self.write(f"in/{i}.svg", svg(CIRCLE)) for i in range(600)]
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            for pause in (0.1, 0.3):
                process = subprocess.Popen([RENDER, *CPU, "--width", "700", "--output-dir", "out", *names], cwd=self.folder)
                time.sleep(pause)
                process.send_signal(number)
                self.assertIn(process.wait(PATIENCE), (0, -number))
                for name in os.listdir(self.path("out")) if os.path.exists(self.path("out")) else ():
                    self.assertTrue(name.endswith(".png") and not name.startswith("."), name)
                    with open(self.path("out/" + name), "rb") as file:
                        self.assertEqual(file.read()[-12:], bytes.fromhex("0000000049454e44ae426082"))

    def test_a_folder_that_cannot_be_made(self):
        names = self.make()
        self.assert_fails(1, "Not a directory", *CPU, "--output-dir", "in/a.svg/out", *names)
        self.assert_fails(1, "Not a directory", *CPU, "--output-dir", "in/a.svg", *names)


if __name__ == "__main__":
    unittest.main()
