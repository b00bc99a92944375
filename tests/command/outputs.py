#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
"""What the command writes: files and streams, many files at once, signals, and disks and memory that do not suffice."""
import contextlib
import gzip
import os
import resource
import signal
import subprocess
import time
import unittest

from support import CIRCLE, CPU, HALF, PATIENCE, RENDER, SANITIZED, CommandTest, decode_png, limit_time, limit_time_and_memory, pixel, \
    refuse_files_without_names, refuse_links, svg


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

    def test_a_large_picture_in_bands(self):
        """Warm frames are never drawn in bands. Colours are few, or are found to be many in the middle. Of many elements
        bands are higher."""
        circle = '<circle cx="32" cy="32" r="30" fill="red"/>'
        gradient = (
            '<linearGradient id="g"><stop stop-color="red"/><stop offset="1" stop-color="blue"/></linearGradient>'
            '<path d="M0 40H64V64H0Z" fill="url(#g)"/>'
        )
        many = "".join(f'<path d="M{i % 64} {i / 480}h.9v.1z"/>' for i in range(30000))
        for content in (circle, circle + gradient, many, many + gradient):
            self.write("in.svg", svg(content))
            self.assert_draws(*CPU, "--width", "2101", "in.svg", "bands.png")
            self.assert_draws(*CPU, "--width", "2101", "--repeat", "1", "--timing", "times.json", "in.svg", "whole.png")
            self.assertEqual(self.read_bytes("bands.png"), self.read_bytes("whole.png"))

    def test_names_with_dashes_and_control_characters(self):
        self.write("-in.svg", svg(HALF))
        self.assert_draws(*CPU, "--", "-in.svg", "-out.png")
        self.assert_fails(1, r"no\?such", "no\nsuch", "out.png")
        self.assert_fails(1, r"^render: a\?b\?c\?d\u00e9: cannot open", "a\x1bb\u009bc\u202ed\u00e9", "out.png")
        self.assert_fails(1, r'no option "--a\?\[2J\?"', b"--a\x1b[2J\xff", "out.png")
        self.write("in", svg(HALF))
        self.assert_fails(1, r"^render: in: OUTPUT is the INPUT in#\?$", "in#\x1b", "in")

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
        """Some file systems and kernels have no files without names, or no links to such files."""
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
        """Uses a file system of 64 KiB if the user may mount one, else a device that is always full."""
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
        """The kernel would kill the process. The other pictures of a batch are drawn. Needs version 1 of control
        groups, and root."""
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
        self.write("large.svg", svg(CIRCLE, 'width="20000" height="20000"'))
        self.write("few.svg", svg(HALF))
        for name, more in (("out.png", ("--repeat", "1", "--timing", "time.json")), ("out.pam", ())):
            self.assert_fails(3, "out of memory for 16000 x 16000 pixels: at least 97[67] MiB are needed, there are 300 MiB", *CPU, "-w", "16000",
                              *more, "few.svg", name, prepare=enter)
        # Bands take a byte a pixel until a picture has too many colours.
        self.assert_draws(*CPU, "-w", "10000", "few.svg", "few.png", prepare=enter)
        self.assert_fails(3, "out of memory for 10000 x 10000 pixels$", *CPU, "-w", "10000", "in.svg", "out.png", prepare=enter)
        self.assert_fails(3, "out of memory for 20000 x 20000 pixels: at least 38[12] MiB are needed", *CPU, "-w", "20000", "in.svg", "out.png",
                          prepare=enter)
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
        for output in ("b.svg", "b.SVG", "b.svgz", "b.svg.gz", "a.svg"):
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


class Signals(CommandTest):
    DEADLY = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT, signal.SIGALRM, signal.SIGUSR1, signal.SIGXCPU)

    def has_output(self, process):
        """Returns whether a file in the folder is open, even one without a name. Others may be closed while it looks."""
        folder = os.path.realpath(self.folder)
        for name in os.listdir(f"/proc/{process.pid}/fd"):
            with contextlib.suppress(FileNotFoundError):
                path = os.readlink(f"/proc/{process.pid}/fd/{name}")
                if os.path.dirname(path) == folder and not path.endswith("in.svg"):
                    return True
        return False

    def interrupt(self, *numbers, prepare=None):
        """Repetition makes the work long. An open file shows that it has begun."""
        self.write("in.svg", svg(CIRCLE))
        process = subprocess.Popen([RENDER, *CPU, "--width", "500", "--repeat", "100000", "--timing", "/dev/null", "in.svg", "out.png"], cwd=self.folder,
                                   preexec_fn=prepare)
        self.addCleanup(process.kill)
        end = time.monotonic() + PATIENCE
        while not self.has_output(process):
            self.assertTrue(process.poll() is None and time.monotonic() < end)
            time.sleep(0.01)
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
        self.assert_draws(*CPU, "--output-dir", "crlf", "-", stdin="\r\n".join(names).encode() + b"\r\n\r\n")
        self.assertEqual(sorted(os.listdir(self.path("crlf"))), ["a.png", "b.png", "c.png", "d.png"])
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

    def test_a_lost_device_ends_all_work(self):
        names = self.make()
        lost = dict(os.environ, PIETRA_LOST_DEVICE="1")
        self.assert_fails(2, "the device was lost", *CPU, "--threads", "1", "--output-dir", "out", *names,
                          render=os.environ["PIETRA_FAULTY_RENDER"], env=lost)
        self.assertEqual(os.listdir(self.path("out")), [])

    def test_equal_names_are_refused_before_any_work(self):
        names = self.make()
        os.mkdir(self.path("more"))
        self.write("more/b.svgz", svg(HALF))
        self.assert_fails(1, "same file", *CPU, "--output-dir", "out", *names, "more/b.svgz")
        self.assertFalse(os.path.exists(self.path("out")))

    def below(self, folder):
        return sorted(os.path.relpath(os.path.join(path, name), self.path(folder)) for path, _, names in os.walk(self.path(folder)) for name in names)

    def test_folders_are_walked_and_kept(self):
        os.makedirs(self.path("in/b/c"))
        os.mkdir(self.path("in/empty"))
        for name in ("x.svg", "b/x.svg", "b/c/x.svgz", "b/c/z.svg.gz", "b/text.txt"):
            self.write("in/" + name, svg(HALF))
        os.symlink("../..", self.path("in/b/c/up"))
        os.symlink("../x.svg", self.path("in/b/link.svg"))
        kept = ["b/c/x.png", "b/c/z.png", "b/link.png", "b/x.png", "x.png"]
        self.assert_draws(*CPU, "--output-dir", "out", "in")
        self.assertEqual(self.below("out"), kept)
        self.assert_draws(*CPU, "--output-dir", "again", "-", stdin=b"./in//\n")
        self.assertEqual(self.below("again"), kept)
        names = ["in/x.svg", "in/b/../b/x.svg", self.path("in/b/c/x.svgz")]
        self.assert_fails(1, r"same file .*--keep-folders", *CPU, "--output-dir", "none", *names)
        self.assert_draws(*CPU, "--output-dir", "base", "--keep-folders", "./in/", *names)
        self.assertEqual(self.below("base"), ["b/c/x.png", "b/x.png", "x.png"])
        self.assert_draws(*CPU, "--output-dir", "whole", "--keep-folders", ".", "in/b")
        self.assertEqual(self.below("whole"), ["in/" + name for name in kept[:-1]])
        self.assert_fails(1, "in/x.svg: is not below", *CPU, "--output-dir", "none", "--keep-folders", "in/b", *names)
        self.assert_fails(1, "in/empty: no file below", *CPU, "--output-dir", "none", "in/empty")
        self.assertFalse(os.path.exists(self.path("none")))

    def test_links_in_folders_of_outputs_are_no_way_around_the_sources(self):
        self.make()
        os.makedirs(self.path("out/deep"))
        os.mkdir(self.path("in/deep"))
        self.write("in/deep/e.svg", svg(HALF))
        self.write("other.png", "old")
        os.symlink("../../other.png", self.path("out/deep/e.png"))
        self.assert_draws(*CPU, "--output-dir", "out", "in")
        self.assertEqual(self.read_png("other.png")[:2], (64, 64))

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
            contents = {self.read_bytes(f"out{threads}/{name}") for threads in ("1", "2", "64", "0")}
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
        """The signal comes while many pictures are being drawn."""
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
                    self.assertEqual(self.read_bytes("out/" + name)[-12:], bytes.fromhex("0000000049454e44ae426082"))

    def test_a_folder_that_cannot_be_made(self):
        names = self.make()
        self.assert_fails(1, "Not a directory", *CPU, "--output-dir", "in/a.svg/out", *names)
        self.assert_fails(1, "Not a directory", *CPU, "--output-dir", "in/a.svg", *names)


if __name__ == "__main__":
    unittest.main()
