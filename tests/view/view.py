#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
"""pietra-view by the CPU device: keys, the mouse and files change the window, whose pixels are those of `render`."""
import os
import re
import subprocess
import time

from display import PATIENCE, SOURCE, Picture, WindowTest, draw, main
from shapes import PANEL, SHAPES, drag_about, move_over_elements, svg

# Drivers are not ours to sanitize.
SANITIZED = bool(os.environ.get("PIETRA_SANITIZED"))
VIEW = os.environ["PIETRA_VIEW"]
FONT = os.path.join(SOURCE, "tests/golden/fonts", sorted(name for name in os.listdir(os.path.join(SOURCE, "tests/golden/fonts")) if name.endswith(".ttf"))[0])


class View(WindowTest):
    def view(self, *arguments, **environment):
        self.start(VIEW, "--device", "cpu", *arguments, window_class="pietra-view", **environment)

    def tearDown(self):
        """Each test ends the viewer, which then must have lost nothing."""
        if self.program and self.program.poll() is None:
            self.end()

    def open_shapes(self):
        """Shows the shapes, in a window of their size."""
        path = self.write("in.svg", svg())
        self.view(path)
        self.expect(draw(path), "the first picture")
        return path

    def expect_view(self, path, x, y, width, height):
        self.expect(draw(f"{path}#svgView(viewBox({x},{y},{width},{height}))", "-w", "200", "-h", "160"), f"{x},{y} {width} x {height}")

    def test_the_window_shows_what_render_draws(self):
        path = self.open_shapes()
        for width, height in ((300, 200), (130, 310), (480, 360)):
            self.display.do("windowsize", self.window, width, height)
            self.expect_near(draw(path, "-w", str(width), "-h", str(height)).laid_in(width, height), f"{width} x {height}")
        self.assertEqual(self.said(), "")

    def test_background(self):
        path = self.write("in.svg", svg())
        self.view("--background", "#8f4", path)
        self.expect(draw(path, background="#8f4"))

    def test_the_mouse_zooms_and_moves(self):
        path = self.open_shapes()
        self.display.do("mousemove", 60, 40, "click", "--repeat", 4, 4)
        self.expect_view(path, 30, 20, 100, 80)
        self.display.do("mousedown", 1, "mousemove", 80, 50, "mousemove", 100, 80, "mouseup", 1)
        self.expect_view(path, 10, 0, 100, 80)
        self.display.do("mousemove", 20, 0, "click", "--repeat", 4, 5)
        self.expect_view(path, 0, 0, 200, 160)
        self.assertEqual(self.output("stdout"), "")

    def test_keys_zoom_move_and_turn(self):
        path = self.open_shapes()
        self.display.do("mousemove", 0, 0)
        self.keys(*["plus"] * 4)
        self.expect_view(path, 0, 0, 100, 80)
        self.keys("Right", "Down")
        self.expect_view(path, 24, 24, 100, 80)
        self.keys("1")
        self.expect_view(path, 0, 0, 200, 160)
        self.display.do("windowsize", self.window, 400, 320)
        self.expect_near(draw(path).laid_in(400, 320), "a CSS pixel a pixel")
        self.keys("0")
        self.expect(draw(path, "-z", "2"), "fitted in")
        self.keys(*["r"] * 6)
        turned = self.write("turned.svg", svg(f'<g transform="translate(160) rotate(90)">{SHAPES}</g>', 160, 200))
        self.expect_near(draw(turned, "-w", "400", "-h", "320").laid_in(400, 320), "turned")
        self.keys(*["R"] * 6)
        self.expect(draw(path, "-z", "2"), "turned back")

    def test_a_drag_ends_where_the_pointer_is(self):
        drag_about(self, self.open_shapes())

    def test_a_panel_alone(self):
        path = self.write("in.svg", svg())
        self.write("drawn", "")
        self.start(os.environ["PIETRA_FAULTY_VIEW"], "--device", "cpu", path, window_class="pietra-view", PIETRA_DRAWN=self.path("drawn"))
        self.expect(draw(path), "the first picture")
        move_over_elements(self, path)

    def test_files_one_by_one(self):
        names = [self.write(f"{name}.svg", svg(f'<path d="M{i} 3H90V80z"/>')) for i, name in enumerate("abc")]
        os.mkdir(self.path("folder"))
        names += [self.write("folder/x.svg", svg(f'<path d="M5 3H90V80z"/>')), self.write("folder/y.svgz", svg())]
        self.write("folder/no.png", "")
        self.view(*names[:3], self.path("folder"))
        self.display.do("mousemove", 5, 5)
        for i, key in ((1, "n"), (2, "space"), (3, "Next"), (4, "n"), (0, "n"), (4, "p"), (3, "BackSpace")):
            self.keys(key)
            self.expect(draw(names[i]), names[i])
        self.assertIn("x.svg (4/5) 100 %", self.display.do("getwindowname", self.window))

    def test_a_broken_file_is_told_and_left(self):
        bad = self.write("bad.svg", svg()[:-8] + "</g>")
        good = self.write("good.svg", svg())
        self.view("--use-font-file", FONT, bad, good)
        self.display.do("mousemove", 5, 5)
        self.wait(lambda: self.shown(1, 1).pixel(0, 0) == PANEL, lambda: "no panel")
        self.assertRegex(self.said(), r"^pietra-view: \S*bad\.svg:3: \S.*\n$")
        self.keys("n")
        fitted = draw(good, "-w", "432", "-h", "324").laid_in(432, 324)
        self.expect_near(fitted)
        self.keys("p")
        self.wait(lambda: self.shown(1, 1).pixel(0, 0) == PANEL, lambda: "no panel")
        self.keys("plus", "Right", "r")
        self.write("bad.svg", svg())
        self.expect_near(fitted, "mended")

    def test_files_that_change(self):
        path = self.open_shapes()
        for i, put in enumerate((lambda text: self.write("in.svg", text),
                                 lambda text: os.replace(self.write("new.svg", text), path))):
            for x in (10 + i, 20 + i):
                put(svg(f'<path d="M{x} 5H90V80z" fill="green"/>'))
                self.expect(draw(path), f"change {i}")
        os.remove(path)
        self.wait(lambda: "cannot" in self.said(), lambda: "nothing is said of the missing file")
        self.write("in.svg", svg())
        self.expect(draw(path), "it is there again")
        self.display.do("mousemove", 0, 0)
        self.keys(*["plus"] * 4)
        self.expect_view(path, 0, 0, 100, 80)
        self.write("in.svg", svg(SHAPES.replace("orange", "pink")))
        self.expect_view(path, 0, 0, 100, 80)

    def test_elements(self):
        path = self.open_shapes()
        bare = draw(path)
        self.display.do("mousemove", 50, 100, "click", 1)
        self.wait(lambda: self.output("stdout") == "circle#disc line 2\n", lambda: self.output("stdout"))
        self.display.do("mousemove", 170, 134, "click", 1, "mousemove", 195, 10, "click", 1, "mousemove", 180, 150)
        self.wait(lambda: self.output("stdout") == "circle#disc line 2\npath#sail line 3\n", lambda: self.output("stdout"))
        self.keys("i")
        self.wait(lambda: self.shown(1, 1).pixel(0, 0) == PANEL, lambda: "no panel")
        nothing = self.shown(200, 160)
        self.display.do("mousemove", 50, 100)
        self.wait(lambda: self.shown(200, 160) != nothing, lambda: "the panel stays as it was")
        self.assertEqual(self.shown(200, 160).cut(0, 80, 200, 80), bare.cut(0, 80, 200, 80))
        self.keys("i")
        self.expect(bare)

    def test_times(self):
        path = self.open_shapes()
        self.display.do("mousemove", 50, 100)
        self.keys("t")
        self.wait(lambda: self.shown(1, 1).pixel(0, 0) == PANEL, lambda: "no panel")
        self.keys("t")
        self.expect(draw(path))

    def test_heat_maps(self):
        path = self.write("in.svg", svg(width=384, height=320))
        self.view(path)
        bare = draw(path)
        self.expect(bare)
        self.display.do("mousemove", 50, 100)
        for kind in ("lines", "tile_lines", "tile_commands", "layers"):
            heat = draw(path, "--heatmap", kind)
            scale = heat.height - 320
            rows = [bytes(round(0.25 * a + 0.75 * b) for a, b in zip(bare.rows[y], heat.rows[y])) for y in range(320 - scale)]
            wanted = Picture(384, 320, rows + heat.rows[320:])
            self.keys("h")
            self.expect_near(wanted, kind)
        self.keys("h")
        self.expect(bare)

    def test_nothing_is_done_while_nothing_changes(self):
        self.open_shapes()
        self.display.do("mousemove", 50, 100)
        time.sleep(0.5)
        before = processor_seconds(self.program.pid)
        self.display.do("mousemove", 60, 90)
        time.sleep(1.5)
        self.assertLess(processor_seconds(self.program.pid) - before, 0.1)

    def test_windows_come_and_go(self):
        path = self.open_shapes()
        self.display.do("mousemove", 5, 5)
        self.display.do("windowunmap", self.window)
        self.wait(lambda: self.shown(200, 160).pixel(0, 0) == (0, 0, 0), lambda: "it is still there")
        self.write("in.svg", svg(SHAPES.replace("orange", "pink")))
        before = processor_seconds(self.program.pid)
        time.sleep(1)
        self.assertLess(processor_seconds(self.program.pid) - before, 0.3, "it is busy though nobody sees it")
        self.display.do("windowmap", self.window)
        self.expect(draw(path))
        self.display.do("windowfocus", self.window)
        self.keys("q")
        self.assertEqual(self.program.wait(PATIENCE), 0)


def processor_seconds(process):
    with open(f"/proc/{process}/stat") as file:
        fields = file.read().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


class Arguments(WindowTest):
    def run_view(self, *arguments, **environment):
        return subprocess.run([VIEW, *arguments], env={**self.display.environment, **environment}, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                              timeout=PATIENCE)

    def test_what_is_refused(self):
        for status, pattern, arguments in ((1, "no FILE", ()), (1, "--what", ("--what",)), (1, "a value is missing", ("--device",)),
                                           (1, '"cp" is not auto', ("--device", "cp", "a.svg")), (1, '"x" is no CSS colour', ("--background", "x", "a.svg")),
                                           (1, "no file below this folder", (self.folder,)), (1, "missing: there is no such file", ("--use-font-file", "missing", "a.svg")),
                                           *((2, "no GPU has this name", ("--device", "gpu:Nobody's", "a.svg")) for _ in range(not SANITIZED))):
            done = self.run_view(*arguments)
            self.assertEqual(done.returncode, status, done.stderr)
            self.assertRegex(done.stderr, r"(?m)^pietra-view: .*" + pattern)
        done = self.run_view("--device", "cpu", "a.svg", DISPLAY=":4711")
        self.assertEqual(done.returncode, 2)
        self.assertIn("pietra-view: no window opens", done.stderr)

    def test_help_and_the_manual_list_the_same_options(self):
        done = self.run_view("--help")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        with open(os.path.join(SOURCE, "docs/pietra-view.1")) as file:
            page = file.read().split(".SH OPTIONS")[1].split(".SH MOUSE")[0].replace("\\-", "-")
        self.assertEqual(set(re.findall(r"--[a-z-]+", done.stdout)), set(re.findall(r"--[a-z-]+", page)))
        self.assertRegex(self.run_view("--version").stdout, r"^pietra-view \d+\.\d+\.\d+\n$")


if __name__ == "__main__":
    main()
