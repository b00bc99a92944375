#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The program that measures errors of coverage: its figures for pictures whose errors are known."""
import os
import struct
import subprocess
import tempfile
import unittest
import zlib

COVERAGE_ERROR = os.environ["PIETRA_COVERAGE_ERROR"]
PATIENCE = 60
WHITE, BLACK, CLEAR = (255, 255, 255, 255), (0, 0, 0, 255), (9, 9, 9, 0)


def png(side, pixel_at):
    """A square of RGBA."""
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    rows = b"".join(b"\0" + bytes(v for x in range(side) for v in pixel_at(x, y)) for y in range(side))
    head = struct.pack(">IIBBBBB", side, side, 8, 6, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")


class CoverageError(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = scratch.name

    def write(self, name, data):
        with open(os.path.join(self.folder, name), "wb") as file:
            file.write(data)

    def draw(self, content):
        self.write("a.svg", f'<svg xmlns="http://www.w3.org/2000/svg" width="4" height="4">{content}</svg>'.encode())

    def measure(self, *arguments):
        return subprocess.run([COVERAGE_ERROR, *arguments], capture_output=True, text=True, cwd=self.folder, timeout=PATIENCE)

    def assert_row(self, expected, *options):
        done = self.measure(*options, "a.svg")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(done.stdout.splitlines()[2], f"| a | {expected} |")

    def assert_fails(self, reason, *arguments):
        done = self.measure(*arguments)
        self.assertEqual(done.returncode, 1)
        self.assertRegex(done.stderr, f"^coverage_error: .*{reason}")

    def test_ours(self):
        """Half a pixel is 127.5, and 127 or 128 is off by a half. Pixels that are full count; white ones do not."""
        self.draw('<path d="M0 0h2v1h-2z"/>')
        self.assert_row("0.00, 0.0, 0.0")
        self.draw('<path d="M0 0h1.5v1h-1.5z"/>')
        self.assert_row("0.25, 0.5, 0.5")
        self.draw('<path d="M0 0h4v1h-4z"/>')
        self.assert_row("0.50, 0.5, 0.5", "--width", "2")
        self.draw("")
        self.assert_row("blank")

    def test_peers(self):
        """One pixel is 100 where its block is half black: 27.5 off. In blue it is right. Another is clear in the small
        picture alone, and its block has one black pixel: 255 / 256 off."""
        self.draw('<path d="M0 0h2v1h-2z"/>')
        self.write("a.1.png", png(2, lambda x, y: (100, 100, 255, 255) if (x, y) == (0, 0) else CLEAR))
        half = {0: (0, 0, 255, 255), 1: WHITE}
        self.write("a.16.png", png(32, lambda x, y: half[x // 8] if x < 16 and y < 16 else BLACK if (x, y) == (31, 31) else CLEAR))
        self.assert_row("0.00, 0.0, 0.0 | 9.66, 27.5, 27.5", "--peer", "p=.")
        self.assert_row("0.00, 0.0, 0.0 | none | 9.66, 27.5, 27.5", "--peer", "q=nowhere", "--peer", "p=.")
        self.write("a.1.png", png(2, lambda x, y: WHITE))
        self.write("a.16.png", png(32, lambda x, y: CLEAR))
        self.assert_row("0.00, 0.0, 0.0 | blank", "--peer", "p=.")

    def test_percentile(self):
        """Of 100 pixels, one is off by 200 and one by 100: the least error that 99 do not exceed is 100."""
        self.draw('<path d="M0 0h2v1h-2z"/>')
        errors = {0: 200, 11: 100}
        self.write("a.1.png", png(10, lambda x, y: (*(3 * [errors.get(10 * y + x, 0)]), 255)))
        self.write("a.16.png", png(160, lambda x, y: BLACK))
        self.assert_row("0.00, 0.0, 0.0 | 3.00, 100.0, 200.0", "--peer", "p=.")

    def test_failures(self):
        self.draw('<path d="M0 0h2v1h-2z"/>')
        self.assert_fails("usage")
        self.assert_fails("unknown", "--size", "4", "a.svg")
        self.assert_fails("no width", "--width", "0", "a.svg")
        self.assert_fails("no width", "--width", "2049", "a.svg")
        self.assert_fails("NAME=FOLDER", "--peer", "p", "a.svg")
        self.assert_fails("No such file", "b.svg")
        self.write("a.1.png", png(2, lambda x, y: BLACK))
        self.assert_fails("no large one", "--peer", "p=.", "a.svg")
        self.write("a.16.png", png(31, lambda x, y: BLACK))
        self.assert_fails("not 16 times", "--peer", "p=.", "a.svg")
        self.write("a.16.png", b"\x89PNG\r\n\x1a\nabc")
        self.assert_fails("a.16.png", "--peer", "p=.", "a.svg")


if __name__ == "__main__":
    unittest.main()
