# SPDX-License-Identifier: Apache-2.0 OR MIT
"""What tests of programs with windows share: an X server without a screen (Xvfb), whose pixels are read where it keeps
them, keys and a mouse (xdotool), and a program under test."""
import os
import re
import shutil
import struct
import subprocess
import sys
import tempfile
import time
import unittest

RENDER = os.environ["PIETRA_RENDER"]
SOURCE = os.environ["PIETRA_SOURCE"]
WIDTH, HEIGHT = 480, 360
# Machines may be busy, and a driver in software compiles for seconds. Only tests that fail wait so long.
PATIENCE = int(os.environ.get("PIETRA_TEST_PATIENCE", "240"))
SKIPPED = 77  # by which ctest knows that a test was skipped


VALIDATION = {"VK_INSTANCE_LAYERS": "VK_LAYER_KHRONOS_validation", "VK_LAYER_ENABLES": "VK_VALIDATION_FEATURE_ENABLE_SYNCHRONIZATION_VALIDATION_EXT",
              "VK_LOADER_DEBUG": "layer"}


def need_gpu():
    """Skips all where no GPU is listed, not even one in software."""
    listed = subprocess.run([RENDER, "--list-devices"], stdout=subprocess.PIPE, text=True, check=True).stdout
    if "\ngpu:" not in listed:
        print(f"skipped: {listed.splitlines()[-1]}")
        sys.exit(SKIPPED)


def main():
    """Runs the tests of the script, or says that it cannot."""
    missing = [name for name in ("Xvfb", "xdotool") if not shutil.which(name)]
    if missing:
        print(f"skipped: {' and '.join(missing)} not installed")
        sys.exit(SKIPPED)
    unittest.main()


class Picture:
    """Rows of pixels, each R, G, B."""

    def __init__(self, width, height, rows):
        self.width, self.height, self.rows = width, height, rows

    def __eq__(self, other):
        return (self.width, self.height, self.rows) == (other.width, other.height, other.rows)

    def pixel(self, x, y):
        return tuple(self.rows[y][3 * x:3 * x + 3])

    def near(self, other):
        """Whether no channel differs by more than a level, as floats round where a picture is moved."""
        return all(abs(a - b) <= 1 for row, others in zip(self.rows, other.rows) for a, b in zip(row, others))

    def cut(self, x, y, width, height):
        return Picture(width, height, [row[3 * x:3 * (x + width)] for row in self.rows[y:y + height]])

    def laid_in(self, width, height):
        """In the middle of a white window, as the viewer lays it."""
        x, y = (width - self.width) // 2, (height - self.height) // 2
        rows = [bytes(255 for _ in range(3 * width))] * y
        rows += [b"\xff" * (3 * x) + row + b"\xff" * (3 * (width - x - self.width)) for row in self.rows]
        return Picture(width, height, rows + [b"\xff" * (3 * width)] * (height - y - self.height))


def read_ppm(data):
    kind, size, most, pixels = data.split(b"\n", 3)
    width, height = map(int, size.split())
    assert kind == b"P6" and most == b"255" and len(pixels) == 3 * width * height
    return Picture(width, height, [pixels[3 * width * y:3 * width * (y + 1)] for y in range(height)])


def draw(path, *arguments, background="white"):
    """What the command draws."""
    done = subprocess.run([RENDER, "--device", "cpu", "--background", background, "--format", "ppm", *arguments, path, "-"], check=True, stdout=subprocess.PIPE)
    return read_ppm(done.stdout)


class Display:
    """An X server, and the keys and the mouse at it."""

    def __init__(self, folder):
        self.frame_buffer = os.path.join(folder, "Xvfb_screen0")
        reader, writer = os.pipe()
        self.server = subprocess.Popen(["Xvfb", "-displayfd", str(writer), "-screen", "0", f"{WIDTH}x{HEIGHT}x24", "-fbdir", folder, "-nolisten", "tcp", "-noreset"],
                                       pass_fds=(writer,), stderr=subprocess.DEVNULL)
        os.close(writer)
        with os.fdopen(reader) as file:
            self.name = ":" + file.readline().strip()
        self.environment = {**os.environ, "DISPLAY": self.name}

    def close(self):
        self.server.terminate()
        self.server.wait()

    def do(self, *arguments):
        done = subprocess.run(["xdotool", *map(str, arguments)], env=self.environment, check=True, stdout=subprocess.PIPE, text=True)
        return done.stdout

    def picture(self):
        """What the screen shows: Xvfb maps its memory to a file in the format of xwd."""
        with open(self.frame_buffer, "rb") as file:
            data = file.read()
        head = struct.unpack(">25I", data[:100])
        width, height, stride = head[4], head[5], head[12]
        rows = []
        for y in range(height):
            begin = head[0] + 12 * head[19] + y * stride
            pixels, row = data[begin:begin + 4 * width], bytearray(3 * width)
            row[0::3], row[1::3], row[2::3] = pixels[2::4], pixels[1::4], pixels[0::4]
            rows.append(bytes(row))
        return Picture(width, height, rows)


class WindowTest(unittest.TestCase):
    """Each test has a folder and a display of its own, and the program that it starts ends with it."""

    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = scratch.name
        self.display = Display(self.folder)
        self.addCleanup(self.display.close)
        self.program, self.window = None, None

    def path(self, name):
        return os.path.join(self.folder, name)

    def write(self, name, content):
        with open(self.path(name), "w") as file:
            file.write(content)
        return self.path(name)

    def start(self, *command, window_class, **environment):
        """Starts a program, waits for its window, and moves that to the upper left corner."""
        with open(self.path("stdout"), "w") as out, open(self.path("stderr"), "w") as error:
            self.program = subprocess.Popen(command, env={**self.display.environment, **environment}, stdout=out, stderr=error)
        self.addCleanup(self.kill)
        self.find_window(window_class)

    def find_window(self, window_class):
        found = self.wait(lambda: self.search(window_class), lambda: "no window")
        self.window = found[-1]
        self.display.do("windowmove", self.window, 0, 0)
        return self.window

    def search(self, window_class):
        done = subprocess.run(["xdotool", "search", "--onlyvisible", "--class", window_class], env=self.display.environment, stdout=subprocess.PIPE,
                              stderr=subprocess.DEVNULL, text=True)
        return done.stdout.split()

    def kill(self):
        if self.program and self.program.poll() is None:
            self.program.kill()
            self.program.wait()

    def wait(self, condition, describe):
        """Returns the first true value of a condition."""
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            value = condition()
            if value:
                return value
            if self.program.poll() is not None:
                self.fail(f"the program ended: {self.program.returncode}, {self.said()}")
            time.sleep(0.02)
        self.fail(f"{describe()}; {self.said()}")

    def said(self):
        return self.output("stderr")

    def output(self, name):
        with open(self.path(name)) as file:
            return file.read()

    def shown(self, width, height):
        return self.display.picture().cut(0, 0, width, height)

    def expect(self, picture, message=""):
        """Waits until the upper left of the screen is this picture."""
        self.wait(lambda: self.shown(picture.width, picture.height) == picture, lambda: f"{message}: {self.difference(picture)}")

    def expect_near(self, picture, message=""):
        self.wait(lambda: self.shown(picture.width, picture.height).near(picture), lambda: f"{message}: {self.difference(picture)}")

    def difference(self, picture):
        shown = self.shown(picture.width, picture.height)
        wrong = [(x, y) for y in range(picture.height) for x in range(picture.width) if shown.pixel(x, y) != picture.pixel(x, y)]
        if not wrong:
            return "the picture came too late"
        x, y = wrong[0]
        return f"{len(wrong)} pixels differ, the first at {x},{y}: {shown.pixel(x, y)}, not {picture.pixel(x, y)}"

    def keys(self, *names):
        """Keys go to the window under the pointer."""
        self.display.do("key", *names)

    def drawn(self):
        """What the frames of a viewer with faults drew: the size of each picture, and of the part that was drawn."""
        return [tuple(map(int, line.split())) for line in self.output("drawn").splitlines()]

    def end(self):
        """Ends the program by a signal, as a terminal does, and expects success."""
        self.program.terminate()
        self.assertEqual(self.program.wait(PATIENCE), 0, self.said())

    def expect_valid(self):
        """Expects that the validation layer of Vulkan was there and said nothing."""
        self.assertIn("VK_LAYER_KHRONOS_validation", self.said())
        lines = [line for name in ("stdout", "stderr") for line in self.output(name).splitlines()]
        self.assertEqual([line for line in lines if re.search("VUID-|SYNC-|UNASSIGNED-|Validation (Error|Warning)", line)], [])
