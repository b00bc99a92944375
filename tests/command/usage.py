#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The command line: options, sizes, what else is read, timing, terminals."""
import base64
import gzip
import json
import os
import pty
import re
import select
import shutil
import struct
import subprocess
import time
import unittest
import zlib

from support import CIRCLE, CPU, HALF, PATIENCE, RENDER, SANITIZED, SOURCE, CommandTest, limit_time, pixel, svg

DRIVERS = "drivers leak memory, and are not ours to sanitize"

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
        """Returns the pixel in the middle of the left half, and the warnings."""
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

    def test_warnings_of_other_files_have_the_line_that_leads_to_them(self):
        self.write("in/deep/a.svg", svg("\n\n\n" + '<g id="a"><foreignObject/></g><animate/>'))
        self.write("in/b.svg", svg("\n\n\n\n" + '<use id="b" href="deep/a.svg#a"/>'))
        self.write("in/in.svg", svg('\n<use href="b.svg#b"/>'))
        told = self.assert_draws(*CPU, "--allow-external", "in/in.svg", "out.png").stderr.decode()
        self.assertEqual(sorted(told.splitlines()), ["render: in/in.svg:3: <animate> is not known and left out",
                                                     "render: in/in.svg:3: <foreignObject> is left out"])

    def test_what_is_no_file(self):
        """The command never waits for a pipe without a writer, whatever refers to it."""
        os.mkfifo(self.path("in/fifo"))
        for name in ("fifo", "deep"):
            content = f'<?xml-stylesheet href="{name}" type="text/css"?>' + svg(f'<use href="{name}#a"/><image href="{name}"/>')
            self.assertEqual(self.drawn(content, "--allow-external"), (0, [
                b"a style sheet is left out: there is nothing where its reference leads",
                b"a use of another file is left out: its file cannot be read",
                b"an image is left out: there is nothing where its reference leads"]))

    def test_files_use_files_below_the_directory_only(self):
        self.write("in/deep/a.svg", svg('<g id="a"><use href="half.svg#h"/></g><g id="b"><use href="../../half.svg#h"/></g>'))
        self.assertEqual(self.drawn(svg('<use href="deep/a.svg#a"/>'), "--allow-external")[0], 255)
        self.assertEqual(self.drawn(svg('<use href="deep/a.svg#b"/>'), "--allow-external")[0], 0)

    def test_too_many_files(self):
        for i in range(1100):
            self.write(f"in/{i}.svg", svg(f'<g id="a"><use href="{i + 1}.svg#a"/></g>'))
        self.write("in/1100.svg", svg('<g id="a">' + HALF + "</g>"))
        document = svg('<use href="0.svg#a"/>')
        told = b'a use of another file is left out: too many files are used (limit "used_files")'
        self.assertEqual(self.drawn(document, "--allow-external"), (0, [told]))
        self.assertEqual(self.drawn(document, "--allow-external", "--limit", "used_files=1101"), (255, []))
        self.assertEqual(self.drawn(document, "--allow-external", "--limit", "used_files=1100"), (0, [told]))

    def test_too_many_bytes_of_files(self):
        part = svg('<g id="h">' + HALF + "</g>")
        self.write("in/a.svg", part)
        self.write("in/b.svg", part)
        document = svg('<use href="a.svg#h"/><use href="b.svg#h" x="100"/>')
        told = b'(limit "used_bytes")'
        self.assertEqual(self.drawn(document, "--allow-external", f"--limit=used_bytes={2 * len(part)}"), (255, []))
        alpha, left_out = self.drawn(document, "--allow-external", f"--limit=used_bytes={2 * len(part) - 1}")
        self.assertEqual((alpha, len(left_out)), (255, 1))
        self.assertTrue(left_out[0].endswith(told), left_out)

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

    def test_imported_style_sheets(self):
        rect = '<rect width="64" height="64" fill="none"/>'
        told = b"a style sheet that @import names is left out: "
        outside = told + b"only files below the resources directory are read, if that is asked for"
        loop = told + b"it imports itself, or lies too deep"

        def drawn(name, *arguments):
            return self.drawn(svg(f'<style>@import "{name}";</style>{rect}'), "--allow-external", *arguments)
        self.assertEqual(self.drawn(svg(f'<style>@import "red.css";</style>{rect}')), (0, [outside]))
        self.assertEqual(drawn("red.css"), (255, []))
        self.assertEqual(drawn("../red.css"), (0, [outside]))
        self.assertEqual(drawn("none.css"), (0, [told + b"there is nothing where its reference leads"]))
        self.assertEqual(drawn("http://localhost/red.css"), (0, [outside]))
        # A sheet's references are relative to it, and no way out. One by a processing instruction imports too.
        self.write("in/deep/above.css", "\ufeff@import '../red.css';")
        self.write("in/deep/out.css", "@import '../../red.css';")
        self.write("in/deep/data.css", "@import 'data:text/css,@import%20%22red.css%22;';")
        self.assertEqual(drawn("deep/above.css"), (255, []))
        self.assertEqual(drawn("deep/out.css"), (0, [outside]))
        self.assertEqual(drawn("deep/data.css"), (0, [outside]))
        self.assertEqual(self.drawn('<?xml-stylesheet href="deep/above.css"?>' + svg(rect), "--allow-external"), (255, []))
        # Loops end.
        self.write("in/a.css", "@import 'b.css'; @import 'red.css';")
        self.write("in/b.css", "@import 'a.css'; @import 'b.css';")
        self.assertEqual(drawn("a.css"), (255, [loop]))
        self.assertEqual(self.drawn('<?xml-stylesheet href="b.css"?>' + svg(rect), "--allow-external"), (255, [loop]))
        for i in range(40):
            self.write(f"in/c{i}.css", f"@import 'c{i + 1}.css'; @import url('c{i + 1}.css') screen;")
        self.write("in/c40.css", "rect { fill: red }")
        self.assertEqual(drawn("c32.css"), (255, []))
        self.assertEqual(drawn("c0.css"), (0, [loop, told + b'too many files are used (limit "used_files")']))
        self.assertEqual(drawn("red.css", "--limit", "used_bytes=5"),
                         (0, [told + b'the files that are used are too large (limit "used_bytes")']))


class Parts(CommandTest):
    """One element, the box of the drawing, boxes, views."""
    def test_boxes(self):
        self.write("in.svg", svg(PARTS))
        done = self.assert_draws("--query-all", "in.svg")
        self.assertEqual((done.stdout.decode().splitlines(), done.stderr), ([
            "g,6,6,20,12", "r,6,6,20,12", "miter,38.211,9.106,23.578,25.367", "tiles,40,40,11,13", "u,-2,48,20,12"], b""))

    def test_no_id_forges_a_line(self):
        ids = ("a&#10;b,0,0,1,1", "c\\x0a,", "d&#x9b;31m\u202ee\u2028f", "\u00e9t\u00e9", "say &quot;x&quot;")
        self.write("in.svg", svg("".join(f'<rect id="{name}" width="4" height="4"/>' for name in ids)))
        done = self.assert_draws("--query-all", "in.svg")
        self.assertEqual(done.stdout.decode().split("\n"), [name + ",0,0,4,4" for name in (
            r'"a\x0ab,0,0,1,1"', r'"c\x5cx0a,"', r"d\xc2\x9b31m\xe2\x80\xaee\xe2\x80\xa8f", "\u00e9t\u00e9", '"say ""x"""')] + [""])
        listed = json.loads(self.assert_draws("--query-all=json", "in.svg").stdout)
        self.assertEqual(listed, [{"id": name.replace("&#10;", "\n").replace("&#x9b;", "\x9b").replace("&quot;", '"'), "x": 0, "y": 0, "width": 4, "height": 4}
                                  for name in ids])
        self.assertEqual(self.assert_draws("--query-all=csv", "in.svg").stdout, done.stdout)
        self.assert_fails(1, "csv or json", "--query-all=xml", "in.svg")

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


class Progress(CommandTest):
    LONG = ("--repeat", "100000", "--timing", "time")

    def watch(self, seconds, *arguments, content=CIRCLE, until=rb"drawing"):
        """Returns what a command writes to a terminal until this is matched, it ends or the seconds are over."""
        self.write("in.svg", svg(content))
        try:
            ours, theirs = pty.openpty()
        except OSError as error:
            self.skipTest(f"no terminal can be opened: {error}")
        process = subprocess.Popen([RENDER, *CPU, "--width", "500", *arguments, "in.svg", "out.png"], cwd=self.folder,
                                   stderr=theirs)
        end, seen = time.monotonic() + seconds, b""
        while time.monotonic() < end and not re.search(until, seen, re.S) and process.poll() is None:
            if select.select([ours], [], [], 0.1)[0]:
                seen += os.read(ours, 4096)
        process.kill()
        process.wait()
        os.close(ours)
        os.close(theirs)
        return seen

    def test_a_bar_after_a_second(self):
        self.assertRegex(self.watch(PATIENCE, *self.LONG), rb"\[[#.]{40}\] \d+/\d+ drawing")

    def test_the_bar_moves_while_a_png_is_compressed(self):
        """The picture takes a second to draw and three to compress."""
        moved = rb"writing (\d+)%.*writing (?!\1%)\d+%"
        stops = '<stop stop-color="red"/><stop offset="1" stop-color="blue" stop-opacity="{}"/>'
        content = ('<linearGradient id="a" spreadMethod="reflect" x2=".013" y2=".017">' + stops.format(1) + "</linearGradient>"
                   '<radialGradient id="b" spreadMethod="reflect" r=".013">' + stops.format(0) + "</radialGradient>"
                   '<rect width="64" height="64" fill="url(#a)"/><rect width="64" height="64" fill="url(#b)"/>')
        width = "6000" if SANITIZED else "12000"
        seen = self.watch(PATIENCE, "--threads", "1", "--width", width, content=content, until=moved)
        self.assertRegex(seen, re.compile(moved, re.S))

    def test_quiet(self):
        self.assertEqual(self.watch(2, "--quiet", *self.LONG), b"")


class WithoutVulkan(CommandTest):
    """Stands for a machine without libvulkan: a file that is no library is found in its place."""

    def setUp(self):
        super().setUp()
        os.mkdir(self.path("libraries"))
        self.write("libraries/libvulkan.so.1", "")
        self.write("in.svg", svg(HALF))
        self.environment = dict(os.environ, LD_LIBRARY_PATH=self.path("libraries"))

    def test_the_list_says_why_there_is_no_gpu(self):
        done = self.assert_draws("--list-devices", env=self.environment)
        self.assertRegex(done.stdout, rb"\Acpu .+\ngpu      none: Vulkan is not installed: .+\n\Z")

    @unittest.skipIf(SANITIZED, DRIVERS)
    def test_without_a_driver_list_and_device_give_the_same_reason(self):
        environment = dict(os.environ, VK_DRIVER_FILES="/nonexistent", VK_ICD_FILENAMES="/nonexistent")
        done = self.run_render("--device", "gpu", "in.svg", "out.png", env=environment)
        self.assertEqual(done.returncode, 2)
        listed = self.assert_draws("--list-devices", env=environment).stdout
        self.assertEqual(listed.split(b"\n", 1)[1], done.stderr.replace(b"render: ", b"gpu      none: ", 1))

    def test_auto_says_why_it_takes_no_gpu(self):
        """It would take one for a large picture that is drawn often on one thread."""
        large = ("-v", "--threads", "1", "-w", "4000", "--repeat", "9", "--timing", "time")
        told = b"render: no GPU is taken: Vulkan is not installed: "
        self.assertIn(told, self.assert_draws(*large, "in.svg", "out.png", env=self.environment).stderr)
        self.assertNotIn(told, self.assert_draws(*large, *CPU, "in.svg", "out.png", env=self.environment).stderr)

    def test_auto_weighs_the_file_against_a_gpus_start(self):
        """With one thread, some 34 MB take the CPU as long as a GPU takes to start and to be given them."""
        small = ("-v", "--threads", "1", "-w", "16", "--height", "16")
        told = b"render: no GPU is taken: "
        for size, wants_gpu in ((31000000, False), (36000000, True)):
            self.write("long.svg", svg(HALF).ljust(size))
            done = self.assert_draws(*small, "long.svg", "out.png", env=self.environment)
            self.assertEqual(told in done.stderr, wants_gpu, size)

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
            self.assertIn(b"libexpat", seen)
            self.assertEqual(len(set(re.findall(rb"(libpng|libjpeg|libwebp|libgif|liblcms2|libdeflate|libvulkan)[^/\s]*\.so", seen))), images)

    def test_without_its_library_nothing_is_unpacked(self):
        os.mkdir(self.path("libraries"))
        self.write("libraries/libdeflate.so.0", "")
        self.write("in.svgz", gzip.compress(svg(HALF).encode()))
        self.assert_draws(*CPU, "in.svgz", "out.png")
        self.assert_fails(1, "in.svgz: it is packed, and libdeflate, which unpacks it, is not installed", *CPU, "in.svgz", "none.png",
                          env=dict(os.environ, LD_LIBRARY_PATH=self.path("libraries")))
        font = os.path.join(SOURCE, "tests/font/fonts/shapes.woff")
        self.write("in.svg", svg(HALF))
        self.assert_fails(1, "libdeflate, which unpacks WOFF, is not installed", *CPU, "--use-font-file", font, "in.svg", "none.png",
                          env=dict(os.environ, LD_LIBRARY_PATH=self.path("libraries")))
        self.assertEqual(self.files(), ["in.svg", "in.svgz", "libraries", "out.png"])

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
        self.assertEqual(self.assert_draws("-h").stdout, self.assert_draws("--help").stdout)
        self.assertEqual(self.assert_draws("-V").stdout, self.assert_draws("--version").stdout)

    def test_letters_combine(self):
        self.write("in.svg", svg(HALF + "<text>a</text>"))
        done = self.assert_draws(*CPU, "-qvw20", "in.svg", "-oout.png")
        # sanitizers keep the command from limiting itself, and it says so
        self.assertTrue(done.stderr.endswith(b"render: drawing on CPU\n"), done.stderr)
        self.assertEqual(self.read_png("out.png")[:2], (20, 20))
        self.assert_draws(*CPU, "-qh", "30", "-o", "out.png", "in.svg")
        self.assertEqual(self.read_png("out.png")[:2], (30, 30))

    def test_a_terminal_gets_no_picture(self):
        self.write("in.svg", svg(HALF))
        ours, theirs = pty.openpty()
        for output, name in ("-", b"standard output"), ("/dev/stdout", b"this"), (os.ttyname(theirs), b"this"):
            done = self.run_render(*CPU, "in.svg", output, stdout=theirs)
            expected = b"render: " + output.encode() + b": " + name + b" is a terminal, which cannot show a picture\n"
            self.assertEqual((done.returncode, done.stderr), (1, expected))
        self.assertEqual(select.select([ours], [], [], 0)[0], [])
        os.close(ours)
        os.close(theirs)

    def test_limits(self):
        listed = self.assert_draws("--list-limits").stdout.decode().splitlines()
        self.assertTrue(any(re.fullmatch(r"elements +\d+  elements", line) for line in listed), listed)
        self.write("in.svg", svg(HALF * 5))
        self.assert_draws(*CPU, "--limit", "elements=6", "in.svg", "out.png")
        self.assert_fails(1, r'in.svg:2: more than 5 elements \(limit "elements"\)', *CPU, "--limit", "elements=5", "in.svg", "out.png")
        line = "L1 9L30 2L9 40" * 3000
        where = {"selector_steps=10000": "<style>" + "path:not(a,b){fill:red}" * 3000 + "</style><path/>",
                 "rules=1000": "<style>" + "g{fill:red}" * 3000 + "</style>",
                 "numbers=1000": f'<path d="M0 0{line}"/>',
                 "lengths=1000": '<path stroke-dasharray="' + "1 2 " * 3000 + '"/>',
                 "steps=1000": f'<path d="M0 0{line}"/>'}  # of which reading takes less
        for limit, body in where.items():
            name, value = limit.split("=")
            self.write("in.svg", svg(f"<g/>\n<g/>\n{body}\n" + "<g/>\n" * 5))
            self.assert_fails(1, rf'in.svg:4: more than {value} .*\(limit "{name}"\)', *CPU, "--limit", limit, "in.svg", "out.png")
        for value in ("elements", "elements=", "elements=0", "elements=x", "=1", "element=1", "elements=1T", "x" * 100 + "=1"):
            self.assert_fails(1, "--limit", *CPU, "--limit", value, "in.svg", "out.png")

    @unittest.skipIf(SANITIZED, DRIVERS)
    def test_list_devices(self):
        self.assertRegex(self.assert_draws("--list-devices", prepare=limit_time).stdout, rb"(?m)^cpu ")

    def test_help_readme_and_man_page_name_the_same_options(self):
        def options(text):
            return set(re.findall(r"(?<![\w-])(?:-[a-zA-Z]|--[a-z][a-z-]+)(?![\w-])", text))

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
                          ("--timing", "out.png", *names), ("in.svg", "in.svg"),
                          ("--resources-dir", ".", *names), ("--repeat", "2", *names), ("--keep-folders", ".", *names), ("-o",), ("-qx", *names),
                          ("-o", "out.png", *names), ("-o", "out.png", "--query-all", "in.svg"), ("-o", "a.png", "--output-dir", "d", "in.svg"),
                          ("-h", "in.svg"), ("--query-all=", "in.svg")):
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
                             ("rgba(0,0,255,0.2)", (0, 0, 255, 51)), ("transparent", (0, 0, 0, 0)), ("none", (0, 0, 0, 0))):
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
                          ("--memory-budget", "64M"), ("--repeat", "2", "--timing", "time")):
            self.assert_draws(*CPU, *arguments, "in.svg", "out.png")
            self.assertEqual(self.read_png("out.png"), wanted, arguments)

    @unittest.skipIf(SANITIZED, DRIVERS)
    def test_a_gpu_draws_the_same_and_validation_is_silent(self):
        self.need_gpu()
        self.write("in.svg", svg(CIRCLE))
        self.assert_draws(*CPU, "in.svg", "cpu.png")
        done = self.assert_draws("--device", "gpu", "--validation", "in.svg", "gpu.png", prepare=limit_time)
        self.assertEqual(done.stderr, b"")
        self.assertEqual(self.read_png("gpu.png"), self.read_png("cpu.png"))

    def test_a_budget_too_small_names_the_floor(self):
        self.write("in.svg", svg(CIRCLE))
        self.assert_fails(3, r"\d", *CPU, "--memory-budget", "1", "in.svg", "out.png")
        self.assertEqual(self.files(), ["in.svg"])

    def test_the_budget_that_an_error_names_draws(self):
        """A pattern in a pattern is drawn before the frame, and each may need more than the one before."""
        for scene in ("pattern/nested.svg", "pattern/deep.svg"):
            path = os.path.join(SOURCE, "scenes", scene)
            arguments = (*CPU, "--memory-budget", "1000", path, "out.png")
            self.assert_fails(3, r"needs \d+ bytes", *arguments)
            floor = re.search(rb"needs (\d+) bytes", self.run_render(*arguments).stderr)[1].decode()
            self.assert_draws(*CPU, "--memory-budget", floor, path, "out.png")

    def test_warnings_name_what_is_left_out(self):
        self.write("in.svg", svg(HALF + '<g filter="url(#f)">\n</g>\n<foo xmlns="urn:foo"/>\n<foreignObject/>\n<foreignObject/>'))
        self.assertEqual(self.assert_draws(*CPU, "-q", "in.svg", "out.png").stderr, b"")
        lines = self.assert_draws(*CPU, "in.svg", "out.png").stderr.decode().splitlines()
        self.assertEqual(len([line for line in lines if "foreignObject" in line]), 1, lines)
        self.assertTrue(all(line.startswith("render: ") for line in lines))

    def test_timing(self):
        self.write("in.svg", svg(HALF))
        self.assert_draws(*CPU, "--timing", "time.json", "--repeat", "3", "in.svg", "out.png")
        with open(self.path("time.json")) as file:
            timing = json.load(file)
        self.assertEqual(set(timing), {"device", "width", "height", "elements", "segments", "lines", "tile_lines", "tile_commands", "parse_ms",
                                       "encode_ms", "upload_ms", "frame_ms", "stages", "read_ms", "png_ms", "total_ms", "memory_bytes"})
        self.assertEqual((timing["width"], timing["height"], timing["elements"]), (64, 64, 1))
        self.assertTrue(timing["stages"])
        for stage in timing["stages"]:
            self.assertEqual(set(stage), {"name", "ms", "bytes"})
        done = self.assert_draws(*CPU, "--timing", "-", "in.svg", "out.png")
        self.assertEqual(json.loads(done.stdout)["width"], 64)


if __name__ == "__main__":
    unittest.main()
