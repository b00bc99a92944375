#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The command within its sandbox can read and write what it was told to, in every mode, and nothing else."""
import os
import re
import shutil
import subprocess
import time
import unittest

from support import CIRCLE, CPU, HALF, PATIENCE, RENDER, SANITIZED, SOURCE, CommandTest, decode_png, limit_time, pixel, svg

ADVICE = "--no-sandbox lifts this"


class Sandbox(CommandTest):
    def setUp(self):
        super().setUp()
        self.write("in.svg", svg(HALF))

    def lacking(self):
        """Returns what the kernel cannot hold back, as --verbose reports it."""
        return self.assert_draws("-v", *CPU, "in.svg", "probe.png").stderr.decode()

    def need(self, what):
        if re.search(f"there is no sandbox|{what} are not held back", self.lacking()):
            self.skipTest(what + " are not held back here")

    def assert_half(self, name):
        self.assertEqual(pixel(self.read_png(name), 31, 0), (255, 0, 0, 255))


class Holds(Sandbox):
    def draw_while_waiting(self, *options):
        """A batch on one thread waits for its first input, a pipe. Meanwhile its second input, a pipe too, becomes a
        link to a file outside. A regular file would be open by then."""
        os.mkdir(self.path("outside"))
        self.write("outside/other.svg", svg(HALF))
        os.mkfifo(self.path("first.svg"))
        os.mkfifo(self.path("second.svg"))
        process = subprocess.Popen([RENDER, *CPU, "--threads", "1", *options, "--output-dir", "out", "first.svg", "second.svg"],
                                   cwd=self.folder, stderr=subprocess.PIPE)
        pipe = os.open(self.path("first.svg"), os.O_WRONLY)  # returns when the other end is open
        os.unlink(self.path("second.svg"))
        os.symlink("outside/other.svg", self.path("second.svg"))
        os.write(pipe, svg(HALF).encode())
        os.close(pipe)
        message = process.communicate(timeout=PATIENCE)[1].decode()
        self.assert_half("out/first.png")
        return process.returncode, message

    def test_a_file_that_was_not_named_is_not_read(self):
        self.need("files")
        status, message = self.draw_while_waiting()
        self.assertEqual((status, message), (1, f"render: second.svg: cannot open: Permission denied ({ADVICE})\n"))
        self.assertEqual(os.listdir(self.path("out")), ["first.png"])

    def test_without_the_sandbox_it_is(self):
        self.assertEqual(self.draw_while_waiting("--no-sandbox"), (0, ""))
        self.assert_half("out/second.png")

    def test_a_file_is_not_written_elsewhere(self):
        """The folder of a batch must not become a link while it runs."""
        self.need("files")
        os.mkdir(self.path("outside"))
        os.mkfifo(self.path("first.svg"))
        process = subprocess.Popen([RENDER, *CPU, "--threads", "1", "--output-dir", "out", "first.svg"], cwd=self.folder,
                                   stderr=subprocess.PIPE)
        pipe = os.open(self.path("first.svg"), os.O_WRONLY)
        os.rmdir(self.path("out"))
        os.symlink("outside", self.path("out"))
        os.write(pipe, svg(HALF).encode())
        os.close(pipe)
        message = process.communicate(timeout=PATIENCE)[1].decode()
        self.assertEqual((process.returncode, message), (1, f"render: out/first.png: cannot write: Permission denied ({ADVICE})\n"))
        self.assertEqual(os.listdir(self.path("outside")), [])

    def find_status(self, *options):
        """Returns NoNewPrivs and Seccomp of all threads of a command that draws."""
        process = subprocess.Popen([RENDER, *CPU, "--threads", "2", *options, "--width", "500", "--repeat", "100000", "--timing", "/dev/null", "in.svg", "out.png"],
                                   cwd=self.folder)
        try:
            end, found = time.monotonic() + PATIENCE, []
            while len(found) < 2 and time.monotonic() < end:
                time.sleep(0.01)
                found = []
                for thread in os.listdir(f"/proc/{process.pid}/task"):
                    with open(f"/proc/{process.pid}/task/{thread}/status") as file:
                        lines = dict(line.rstrip("\n").split(":\t", 1) for line in file if ":\t" in line)
                    found.append((lines["NoNewPrivs"], lines["Seccomp"]))
            self.assertEqual(len(found), 2)
            return set(found)
        finally:
            process.kill()
            process.wait(PATIENCE)

    def test_all_threads_are_held(self):
        self.need("system calls")
        self.write("in.svg", svg(CIRCLE * 2000))
        self.assertEqual(self.find_status(), {("1", "2")})
        outside = subprocess.run(["grep", "-E", "NoNewPrivs|Seccomp:", "/proc/self/status"], stdout=subprocess.PIPE, text=True).stdout
        if outside.split() == ["NoNewPrivs:", "0", "Seccomp:", "0"]:
            self.assertEqual(self.find_status("--no-sandbox"), {("0", "0")})

    def test_nothing_is_said_but_when_asked(self):
        self.assertEqual(self.assert_draws(*CPU, "in.svg", "out.png").stderr, b"")
        for line in self.lacking().splitlines():
            self.assertRegex(line, r"^render: (drawing on CPU|(there is no sandbox|(files|system calls) are not held back): \S.*)$")
        self.assertNotIn("back: ", self.assert_draws("-v", "--no-sandbox", *CPU, "in.svg", "out.png").stderr.decode())

    def test_queries(self):
        self.write("in.svg", svg('<rect id="a" width="3" height="4"/>'))
        self.assertEqual(self.assert_draws("--query-all", "in.svg").stdout, b"a,0,0,3,4\n")


class Modes(Sandbox):
    """The sandbox does not change the picture."""

    def same(self, *arguments, **options):
        inside = self.assert_draws("-v", *arguments, "inside.png", **options)
        outside = self.assert_draws("-v", "--no-sandbox", *arguments, "outside.png", **options)
        self.assertEqual(self.read_bytes("inside.png"), self.read_bytes("outside.png"))
        said = [line for line in inside.stderr.splitlines() if b"held back: " not in line and b"no sandbox: " not in line]
        self.assertEqual(said, outside.stderr.splitlines())

    def test_images_of_all_formats(self):
        self.same(*CPU, os.path.join(SOURCE, "scenes/image/formats.svg"))

    def test_libraries_behind_links_of_another_folder(self):
        """Some package managers keep each package in a folder of its own and link to it."""
        listing = subprocess.run(["ldconfig", "-p"], stdout=subprocess.PIPE, text=True, env={"PATH": "/sbin:/usr/sbin:/bin:/usr/bin"}).stdout
        names = [line.split()[-1] for line in listing.splitlines() if "libjpeg.so" in line or "libpng16.so" in line]
        os.makedirs(self.path("store/lib"))
        os.mkdir(self.path("links"))
        for name in names:
            base = os.path.basename(name)
            if not os.path.lexists(self.path("links/" + base)):
                shutil.copy(name, self.path("store/lib/" + base))
                os.symlink("../store/lib/" + base, self.path("links/" + base))
        for path in (self.path("links"), "links"):
            self.same(*CPU, os.path.join(SOURCE, "scenes/image/formats.svg"), env=dict(os.environ, LD_LIBRARY_PATH=path))

    def test_packed_fonts_beside_a_plain_document(self):
        for name in ("shapes.woff", "shapes.woff2"):
            self.same(*CPU, "--use-font-file", os.path.join(SOURCE, "tests/font/fonts", name), "in.svg")

    def test_external_files(self):
        os.makedirs(self.path("deep/er"))
        self.write("deep/er/part.svg", svg('<g id="a">' + HALF + '</g>'))
        self.write("deep/style.css", "@import 'er/more.css'; rect { fill: lime }")
        self.write("deep/er/more.css", "circle { stroke: red }")
        os.symlink("er/part.svg", self.path("deep/link.svg"))
        self.write("deep/in.svg", '<?xml-stylesheet href="style.css"?>' + svg('<use href="link.svg#a"/>' + CIRCLE))
        self.write("top.css", "circle { fill: blue }")
        self.same(*CPU, "--allow-external", "--stylesheet", "top.css", "deep/in.svg")
        self.same(*CPU, "--allow-external", "--resources-dir", "deep", "deep/in.svg")
        os.symlink("deep/in.svg", self.path("linked.svg"))
        self.same(*CPU, "--allow-external", "--resources-dir", "deep", "linked.svg")
        self.same(*CPU, "--allow-external", self.path("deep/in.svg"))

    def test_streams(self):
        source = svg(HALF).encode()
        self.assertEqual(decode_png(self.assert_draws(*CPU, "-", "-", stdin=source).stdout)[:2], (64, 64))
        self.assertEqual(decode_png(self.assert_draws(*CPU, "/dev/stdin", "/dev/stdout", stdin=source).stdout)[:2], (64, 64))
        self.assertEqual(self.assert_draws(*CPU, "in.svg", "/dev/null").stdout, b"")
        with open(self.path("file.png"), "wb") as file, open(self.path("in.svg"), "rb") as source:
            subprocess.run([RENDER, *CPU, "/dev/stdin", "/dev/stdout"], stdin=source, stdout=file, check=True, timeout=PATIENCE)
        self.assert_half("file.png")
        shell = f'"{RENDER}" --device cpu <(cat in.svg) >(cat >piped.png)'
        if shutil.which("bash"):
            subprocess.run(["bash", "-c", shell], cwd=self.folder, check=True, timeout=PATIENCE)
            end = time.monotonic() + PATIENCE
            while time.monotonic() < end and not (os.path.exists(self.path("piped.png")) and os.path.getsize(self.path("piped.png")) > 60):
                time.sleep(0.01)
            self.assert_half("piped.png")

    def test_a_named_pipe(self):
        os.mkfifo(self.path("pipe"))
        process = subprocess.Popen([RENDER, *CPU, "in.svg", "pipe"], cwd=self.folder)
        self.assertEqual(self.read_png("pipe")[:2], (64, 64))
        self.assertEqual(process.wait(PATIENCE), 0)

    def test_links_in_the_way_of_outputs(self):
        for name in ("a", "b", "c"):
            os.mkdir(self.path(name))
        os.symlink("a", self.path("folder"))
        self.write("b/old.png", "old")
        os.symlink("../b/old.png", self.path("a/link.png"))
        os.symlink("nowhere.png", self.path("c/dangling.png"))
        for output in ("folder/new.png", "folder/link.png", "c/dangling.png", self.path("folder/whole.png")):
            self.assert_draws(*CPU, "--timing", "b/time.json", "in.svg", output)
        for name in ("a/new.png", "a/whole.png", "b/old.png", "c/dangling.png"):
            self.assert_half(name)
        self.assertTrue(os.path.islink(self.path("a/link.png")) and os.path.exists(self.path("b/time.json")))

    def test_many_files(self):
        os.mkdir(self.path("in"))
        os.mkdir(self.path("real"))
        os.symlink("real", self.path("out"))
        self.write("elsewhere.png", "old")
        os.symlink("../elsewhere.png", self.path("real/7.png"))
        os.symlink("/dev/null", self.path("real/8.png"))
        names = [self.write(f"in/{i}.svg", svg(HALF)) for i in range(40)]
        self.assert_draws("--output-dir", "out", "-", stdin="\n".join(names).encode())
        self.assertEqual(len(os.listdir(self.path("real"))), 40)
        for name in ("real/0.png", "real/39.png", "elsewhere.png"):
            self.assert_half(name)
        self.assertEqual(sorted(self.files()), ["elsewhere.png", "in", "in.svg", "out", "real"])
        self.assert_draws("--threads", "3", "--output-dir", self.path("new/deep"), *names)
        self.assertEqual(len(os.listdir(self.path("new/deep"))), 40)

    def test_many_threads_and_a_large_picture(self):
        """The picture is so large that the command reads the limits of the machine and of its control groups."""
        scene = os.path.join(SOURCE, "scenes/showcase/pietra.svg")
        self.same(*CPU, "--threads", "5", "--compression", "best", "-w", "300", scene)
        self.same(*CPU, "--threads", "5", "--compression", "fast", "-w", "4400", scene)

    def test_no_home_and_no_working_directory(self):
        environment = {name: value for name, value in os.environ.items() if name not in ("HOME", "XDG_CACHE_HOME")}
        self.same(*CPU, "in.svg", env=environment)
        os.mkdir(self.path("gone"))
        shell = f'cd gone && rmdir ../gone && exec "{RENDER}" --device cpu "{self.path("in.svg")}" "{self.path("out.png")}"'
        subprocess.run(["sh", "-c", shell], cwd=self.folder, check=True, timeout=PATIENCE)
        self.assert_half("out.png")

    @unittest.skipIf(SANITIZED, "drivers are not ours to sanitize")
    def test_a_gpu(self):
        """A GPU starts before the sandbox, compiles and draws in it, and keeps what it compiled. Mesa may have made its
        cache before."""
        self.need_gpu()
        self.write("in.svg", svg(CIRCLE))
        cache = dict(os.environ, XDG_CACHE_HOME=self.path("cache"))
        user = os.environ.get("XDG_CACHE_HOME", os.path.expanduser("~/.cache"))
        os.mkdir(self.path("cache"))
        for name in os.listdir(user) if os.path.isdir(user) else ():
            if name.startswith("mesa_shader_cache"):
                os.symlink(os.path.join(user, name), self.path("cache/" + name))
        done = self.run_render("-v", "--device", "gpu", "in.svg", "gpu.png", prepare=None, env=cache)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assert_draws(*CPU, "in.svg", "cpu.png")
        self.assertEqual(self.read_png("gpu.png"), self.read_png("cpu.png"))
        self.assertTrue(any(name.startswith("programs-") for name in os.listdir(self.path("cache/pietra"))))
        self.assert_draws("--device", "gpu", "--output-dir", "out", "in.svg", prepare=None, env=cache)
        self.assertEqual(self.read_png("out/in.png"), self.read_png("cpu.png"))

    @unittest.skipIf(SANITIZED, "drivers are not ours to sanitize")
    def test_relative_caches(self):
        """Neither we nor a driver makes a cache in the working directory. A driver makes it when a device is opened. Nothing
        is drawn, since a driver without a cache would take half a minute to compile all kernels."""
        self.need_gpu()
        self.write("in.svg", "<svg")
        environment = dict(os.environ, XDG_CACHE_HOME="relative", HOME="home")
        self.assert_fails(1, "malformed XML", "--device", "gpu", "in.svg", "gpu.png", prepare=None, env=environment)
        self.assertEqual(self.files(), ["in.svg"])

    @unittest.skipIf(SANITIZED, "drivers are not ours to sanitize")
    def test_a_device_that_is_not_there_comes_first(self):
        self.need_gpu()
        self.assert_fails(2, "no such part", "--device", "gpu:no such part", "none.svg", "out.png", prepare=limit_time)
        self.assertEqual(self.files(), ["in.svg"])


if __name__ == "__main__":
    unittest.main()
