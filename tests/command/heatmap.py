#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
"""--heatmap: a picture of what tiles hold."""
import os
import unittest

from support import CIRCLE, CPU, HALF, SANITIZED, SOURCE, CommandTest, decode_png, limit_time, pixel, svg

KINDS = ("lines", "tile_lines", "tile_commands", "layers")
LEGEND = 112
# A corner in each of four tiles, and a group in the second row of them.
SQUARE = '<path d="M8 8H24V24H8z"/><g opacity=".5"><path d="M34 34H40V40H34z"/><path d="M36 36H42V42H36z"/></g>'
COUNTS = {"lines": {(0, 0): 2, (1, 0): 1, (0, 1): 1, (2, 2): 8}, "tile_lines": {(0, 0): 2, (1, 0): 2, (0, 1): 2, (1, 1): 2, (2, 2): 8},
          "tile_commands": {(0, 0): 1, (1, 0): 1, (0, 1): 1, (1, 1): 1, (2, 2): 3}, "layers": {(2, 2): 1}}


def log2(number):
    """It is linear between powers of two."""
    exponent = number.bit_length() - 1
    return exponent + number / 2 ** exponent - 1


def colour(count, most):
    """The formula that pietra_explain.h states."""
    t = int(log2(count + 1) / log2(most + 1) * 255 + 0.5) / 255 if most else 0
    return tuple(int(255 * channel + 1e-6) for channel in (2 * t - t * t, t * t, (2 + 10 * t - 11 * t * t) / 8)) + (255,)


class Heatmap(CommandTest):
    def drawn(self, kind, *arguments, **options):
        self.assert_draws("--heatmap", kind, *arguments, "in.svg", "out.png", **options)
        return self.read_png("out.png")

    def test_each_tile_has_the_colour_of_its_count(self):
        self.write("in.svg", svg(SQUARE))
        for kind in KINDS:
            picture = self.drawn(kind, *CPU)
            self.assertEqual(picture[:2], (360, 64 + LEGEND))
            most = max(COUNTS[kind].values())
            for row in range(4):
                for column in range(4):
                    for x, y in ((0, 0), (15, 15), (7, 8)):
                        self.assertEqual(pixel(picture, 16 * column + x, 16 * row + y), colour(COUNTS[kind].get((column, row), 0), most), (kind, column, row))
            self.assertEqual({pixel(picture, x, y) for x in range(64, 360) for y in range(64)}, {(0, 0, 0, 0)})
            self.assertEqual({row[4 * x + 3] for row in picture[2][64:] for x in range(360)}, {255})
            self.assertEqual(pixel(picture, 14, 64 + 66), colour(0, most))
            self.assertEqual(pixel(picture, 345, 64 + 66), colour(most, most))

    def test_devices_agree(self):
        for scene in ("clip/nested", "filter/drop_shadow", "pattern/nested"):
            path = os.path.join(SOURCE, "scenes", scene + ".svg")
            self.assertTrue(os.path.exists(path), scene)
            for kind in KINDS:
                pictures = {self.assert_draws("--device", device, "--heatmap", kind, path, "-").stdout for device in ("cpu", "reference", "auto")}
                self.assertEqual(len(pictures), 1, (scene, kind))

    @unittest.skipIf(SANITIZED, "drivers are not ours to sanitize")
    def test_a_gpu_agrees(self):
        self.need_gpu()
        self.write("in.svg", svg(CIRCLE + SQUARE + '<pattern id="p" width="3" height="3" patternUnits="userSpaceOnUse"><path d="M0 0h2v2z"/></pattern>'
                                 '<rect y="40" width="60" height="20" fill="url(#p)"/>'))
        self.assertEqual(self.drawn("tile_lines", "--device", "gpu", prepare=limit_time), self.drawn("tile_lines", *CPU))

    def test_all_options_of_the_picture_hold(self):
        self.write("in.svg", svg(SQUARE.replace("<g ", '<g id="g" ')))
        self.assertEqual(self.drawn("lines", *CPU, "--zoom", "10")[:2], (640, 640 + LEGEND))
        self.assertEqual(pixel(self.drawn("layers", *CPU, "--export-id", "g"), 0, 0), colour(1, 1))
        self.assertEqual(pixel(self.drawn("layers", *CPU, "--background", "lime"), 200, 0), (0, 255, 0, 255))
        self.assert_draws(*CPU, "--heatmap=lines", "-o", "out.bmp", "in.svg")
        self.assertEqual(self.read_bytes("out.bmp")[:2], b"BM")
        done = self.assert_draws(*CPU, "--heatmap", "lines", "-", "-", stdin=svg(SQUARE).encode())
        self.assertEqual(decode_png(done.stdout)[:2], (360, 64 + LEGEND))

    def test_pictures_of_all_sizes(self):
        for width, height, expected in ((1, 1, (360, 1 + LEGEND)), (32768, 40, (4096, 5 + 4 * LEGEND)), (40, 32768, (360, 2048 * 2 + LEGEND)),
                                        (32768, 32768, (4096, 4096 + 4 * LEGEND))):
            self.write("in.svg", svg(HALF, f'width="{width}" height="{height}" viewBox="0 0 64 64" preserveAspectRatio="none"'))
            self.assert_draws(*CPU, "--heatmap", "tile_commands", "in.svg", "out.ppm")
            with open(self.path("out.ppm"), "rb") as file:
                self.assertEqual((file.readline(), tuple(map(int, file.readline().split())), file.readline()), (b"P6\n", expected, b"255\n"))
                self.assertEqual((*file.read(3), 255), colour(1, 1))
        self.assert_fails(1, "in this format a side has at most", *CPU, "in.svg", "out.webp")
        self.assert_draws(*CPU, "--heatmap", "lines", "in.svg", "out.qoi")

    def test_what_is_refused(self):
        self.write("in.svg", svg(HALF))
        for wrong, meant in (("tile_line", "tile_lines"), ("tile-commands", "tile_commands"), ("layer", "layers"), ("Lines", "lines")):
            self.assert_fails(1, f'--heatmap: "{wrong}" is not lines, tile_lines, tile_commands or layers; is {meant} meant\\?$', *CPU, "--heatmap", wrong, "in.svg", "out.png")
        for wrong in ("", "x", "edges", "lines" * 20):
            self.assert_fails(1, f'--heatmap: "{wrong}" is not lines, tile_lines, tile_commands or layers$', *CPU, "--heatmap", wrong, "in.svg", "out.png")
        for other in (("--query-all",), ("--info",), ("--explain", "1,1"), ("--output-dir", "out"), ("--output-name", "{stem}.png"), ("--repeat", "2"),
                      ("--timing", "times"), ("--trace", "trace"), ("--export-ids", "*"), ("--tiles", "out", "--levels", "0-1")):
            self.assert_fails(1, "--heatmap is drawn in place of one picture: it goes with no", *CPU, "--heatmap", "lines", *other, "in.svg")
        self.assert_fails(1, "no OUTPUT", *CPU, "--heatmap", "lines", "in.svg")
        self.assert_fails(1, "--heatmap wants a value: KIND", *CPU, "in.svg", "out.png", "--heatmap")
        self.assert_fails(3, "budget|memory", *CPU, "--memory-budget", "1", "--heatmap", "lines", "in.svg", "out.png")
        self.assert_fails(1, "cannot write: No space left", *CPU, "--heatmap", "lines", "in.svg", "/dev/full")
        self.assertEqual(self.files(), ["in.svg"])


if __name__ == "__main__":
    unittest.main()
