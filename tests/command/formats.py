#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The formats of files in which pictures are written."""
import os
import resource
import struct
import unittest

from support import CIRCLE, CPU, HALF, CommandTest, limit_time_and_memory, svg

GRADIENT = '<linearGradient id="g"><stop stop-color="#a1b2c3"/><stop offset="1" stop-color="#f80" stop-opacity="0.2"/></linearGradient>' \
           '<rect width="48" height="64" fill="url(#g)"/><circle cx="40" cy="30" r="20" opacity="0.3"/>'


class Formats(CommandTest):
    def test_other_formats_are_not_written(self):
        self.write("a.svg", svg(HALF))
        for output in ("b.pdf", "b.gif", "b.AVIF", "b.tiff", "b.heic"):
            self.assert_fails(1, f"{output}: OUTPUT has the ending of a format that is not written; formats are png, jpeg, webp, bmp, ", "a.svg", output)
        for output in ("b.png", "b.pngx", "jpg", "c", "/dev/null"):
            self.assert_draws(*CPU, "a.svg", output)
        self.assertEqual(self.files(), ["a.svg", "b.png", "b.pngx", "c", "jpg"])

    def test_formats(self):
        """Each has the pixels of the PNG, as its specification says."""
        self.write("a.svg", svg('<rect width="32" height="64" fill="#a1b2c3"/><circle cx="40" cy="30" r="20" opacity="0.3"/>'))
        for name in ("a.png", "a.rgba", "a.pam", "a.PPM", "a.bmp", "a.tga", "a.qoi"):
            self.assert_draws(*CPU, "a.svg", name)
        rows = self.read_png("a.png")[2]
        pixels = b"".join(bytes(row) for row in rows)
        self.assertEqual(len(pixels), 64 * 64 * 4)
        self.assertEqual(self.read_bytes("a.rgba"), pixels)
        self.assertEqual(self.read_bytes("a.pam"), b"P7\nWIDTH 64\nHEIGHT 64\nDEPTH 4\nMAXVAL 255\nTUPLTYPE RGB_ALPHA\nENDHDR\n" + pixels)
        white = bytes((pixels[i + c] * pixels[i + 3] + 255 * (255 - pixels[i + 3]) + 127) // 255
                      for i in range(0, len(pixels), 4) for c in range(3))
        self.assertEqual(self.read_bytes("a.PPM"), b"P6\n64 64\n255\n" + white)
        self.assertEqual(self.decode_bmp(self.read_bytes("a.bmp")), pixels)
        self.assertEqual(self.decode_tga(self.read_bytes("a.tga")), pixels)
        self.assertEqual(self.decode_qoi(self.read_bytes("a.qoi")), pixels)

    def decode_bmp(self, data):
        """32 bits, B G R A by the masks, rows from the bottom."""
        start, width, height, bits, compression = *struct.unpack_from("<I", data, 10), *struct.unpack_from("<ii", data, 18), *struct.unpack_from("<HI", data, 28)
        masks = struct.unpack_from("<IIII", data, 54)
        self.assertEqual((bits, compression, masks), (32, 3, (0xFF0000, 0xFF00, 0xFF, 0xFF000000)))
        rows = [data[start + 4 * width * y : start + 4 * width * (y + 1)] for y in range(height)][::-1]
        return bytes(row[i + c] for row in rows for i in range(0, 4 * width, 4) for c in (2, 1, 0, 3))

    def decode_tga(self, data):
        """Type 10: runs of pixels B G R A."""
        kind, width, height, bits, flags = data[2], *struct.unpack_from("<HHBB", data, 12)
        self.assertEqual((kind, bits, flags & 0x0F), (10, 32, 8))
        at, pixels = 18 + data[0], []
        while len(pixels) < width * height:
            count = (data[at] & 127) + 1
            if data[at] & 128:
                pixels += [data[at + 1 : at + 5]] * count
                at += 5
            else:
                pixels += [data[at + 1 + 4 * i : at + 5 + 4 * i] for i in range(count)]
                at += 1 + 4 * count
        rows = [pixels[width * y : width * (y + 1)] for y in range(height)]
        if not flags & 0x20:
            rows.reverse()
        return bytes(pixel[c] for row in rows for pixel in row for c in (2, 1, 0, 3))

    def decode_qoi(self, data):
        """https://qoiformat.org/qoi-specification.pdf"""
        magic, width, height, channels, space = struct.unpack_from(">4sIIBB", data)
        self.assertEqual((magic, channels, space, data[-8:]), (b"qoif", 4, 0, b"\0" * 7 + b"\1"))
        at, seen, pixel, out = 14, [(0, 0, 0, 0)] * 64, (0, 0, 0, 255), []
        while len(out) < width * height:
            byte, run = data[at], 1
            at += 1
            r, g, b, a = pixel
            if byte == 0xFE:
                pixel, at = (*data[at : at + 3], a), at + 3
            elif byte == 0xFF:
                pixel, at = tuple(data[at : at + 4]), at + 4
            elif byte >> 6 == 0:
                pixel = seen[byte]
            elif byte >> 6 == 1:
                pixel = ((r + (byte >> 4 & 3) - 2) & 255, (g + (byte >> 2 & 3) - 2) & 255, (b + (byte & 3) - 2) & 255, a)
            elif byte >> 6 == 2:
                green = (byte & 63) - 32
                pixel = ((r + green - 8 + (data[at] >> 4)) & 255, (g + green) & 255, (b + green - 8 + (data[at] & 15)) & 255, a)
                at += 1
            else:
                run = (byte & 63) + 1
            seen[(pixel[0] * 3 + pixel[1] * 5 + pixel[2] * 7 + pixel[3] * 11) % 64] = pixel
            out += [pixel] * run
        return bytes(channel for pixel in out for channel in pixel)

    def test_the_option_prevails_over_the_ending(self):
        self.write("a.svg", svg(HALF))
        self.assert_draws(*CPU, "a.svg", "a.bmp")
        self.assert_draws(*CPU, "--format", "BMP", "a.svg", "b.png")
        self.assert_draws(*CPU, "--format", "png", "a.svg", "c.bmp")
        self.assert_draws(*CPU, "a.svg", "c.png")
        self.assertEqual(self.read_bytes("a.bmp"), self.read_bytes("b.png"))
        self.assertEqual(self.read_bytes("c.bmp"), self.read_bytes("c.png"))
        self.assertEqual(self.assert_draws(*CPU, "--format", "bmp", "a.svg", "-").stdout, self.read_bytes("a.bmp"))
        self.assert_draws(*CPU, "--format", "qoi", "--output-dir", "out", "a.svg")
        self.assertEqual(os.listdir(self.path("out")), ["a.qoi"])
        self.assert_fails(1, "png, jpeg, webp, bmp, tga, qoi, ppm, pam or rgba", "--format", "jpeg2000", "a.svg", "d.png")

    def test_density_is_written_where_it_is_given(self):
        self.write("a.svg", svg(HALF))
        self.assert_draws(*CPU, "a.svg", "a.png")
        self.assertNotIn(b"pHYs", self.read_bytes("a.png"))
        for options, wanted in ((("--dpi", "96"), 3780), (("--dpi", "300", "-z", "0.5"), 5906)):
            self.assert_draws(*CPU, *options, "a.svg", "a.png")
            data = self.read_bytes("a.png")
            self.assertEqual(struct.unpack_from(">IIB", data, data.index(b"pHYs") + 4), (wanted, wanted, 1))
            self.read_png("a.png")


class Libraries(CommandTest):
    """Formats that libraries write, which are opened at run time."""

    def read_pixels(self, name):
        """Returns the pixels of a JPEG or WebP, as an image of a document shows them."""
        self.write("show.svg", svg(f'<image width="64" height="64" href="{name}" image-rendering="optimizeSpeed"/>'))
        self.assert_draws(*CPU, "--allow-external", "show.svg", "show.png")
        return b"".join(bytes(row) for row in self.read_png("show.png")[2])

    def difference(self, name, other):
        return max(abs(a - b) for a, b in zip(self.read_pixels(name), self.read_pixels(other)))

    def test_a_jpeg_lies_on_white_or_on_the_background(self):
        self.write("a.svg", svg(GRADIENT))
        for options, opaque in (((), "white"), (("--background", "lime"), "lime"), (("--background", "rgba(0,0,255,0.2)"), "#ccf")):
            self.assert_draws(*CPU, "--quality", "100", *options, "a.svg", "a.jpg")
            self.assert_draws(*CPU, "--background", opaque, "a.svg", "a.png")
            self.assertLessEqual(self.difference("a.jpg", "a.png"), 6, options)

    def head(self, name):
        """Returns the unit and the numbers of JFIF's density, and how often the three channels are sampled."""
        data = self.read_bytes(name)
        self.assertEqual((data[:4], data[6:11], data[-2:]), (b"\xff\xd8\xff\xe0", b"JFIF\0", b"\xff\xd9"))
        frame = data.index(b"\xff\xc0\0\x11\x08")
        self.assertEqual(struct.unpack_from(">HHB", data, frame + 5), (64, 64, 3))
        return struct.unpack_from(">BHH", data, 13), [data[frame + 11 + 3 * i] for i in range(3)]

    def test_density_and_quality_of_a_jpeg(self):
        self.write("a.svg", svg(GRADIENT))
        self.assert_draws(*CPU, "a.svg", "a.jpeg")
        self.assertEqual(self.head("a.jpeg"), ((0, 1, 1), [0x11, 0x11, 0x11]))
        self.assert_draws(*CPU, "--quality", "90", "a.svg", "b.JPG")
        self.assertEqual(self.read_bytes("a.jpeg"), self.read_bytes("b.JPG"))
        self.assert_draws(*CPU, "--dpi", "300", "-w", "64", "--quality", "40", "a.svg", "c.jpe")
        self.assertEqual(self.head("c.jpe"), ((1, 300, 300), [0x22, 0x11, 0x11]))
        self.assertLess(len(self.read_bytes("c.jpe")), len(self.read_bytes("b.JPG")))
        self.assert_draws(*CPU, "--dpi", "1e6", "-w", "64", "--quality", "40", "a.svg", "d.jpg")
        self.assertEqual(self.head("d.jpg")[0], (0, 1, 1))
        for quality in ("0", "101", "best", ""):
            self.assert_fails(1, "--quality: .* is not a whole number from 1 to 100", "--quality", quality, "a.svg", "e.jpg")

    def test_quality_is_refused_where_nothing_has_one(self):
        self.write("a.svg", svg(HALF))
        tiles = ("--tiles", "tiles", "--levels", "0-0")
        for arguments in (("a.svg", "a.png"), ("a.svg", "-"), ("--format", "bmp", "a.svg", "a.jpg"), ("--output-dir", "out", "a.svg"),
                          ("--output-name", "{stem}.qoi", "a.svg"), (*tiles, "a.svg"), ("--info", "a.svg")):
            self.assert_fails(1, "^render: --quality is for JPEG and WebP$", *CPU, "--quality", "50", *arguments)
        self.assertEqual(self.files(), ["a.svg"])
        self.assert_draws(*CPU, "--quality", "50", "--output-name", "{stem}.jpg", "a.svg")
        self.assert_draws(*CPU, "--quality", "50", "--format", "webp", *tiles, "a.svg")
        self.assertEqual(self.files(), ["a.jpg", "a.svg", "tiles"])

    def test_compression_is_refused_where_nothing_has_one(self):
        self.write("a.svg", svg(HALF))
        for arguments in (("a.svg", "a.jpg"), ("--format", "bmp", "a.svg", "-"), ("--quality", "50", "a.svg", "a.webp")):
            self.assert_fails(1, "^render: --compression is for PNG and lossless WebP$", *CPU, "--compression", "best", *arguments)
        self.assert_draws(*CPU, "--compression", "best", "a.svg", "a.webp")
        self.assert_draws(*CPU, "--compression", "default", "a.svg", "a.jpg")
        self.assertEqual(self.files(), ["a.jpg", "a.svg", "a.webp"])

    def test_a_lossless_webp_has_all_pixels(self):
        self.write("a.svg", svg(GRADIENT))
        self.assert_draws(*CPU, "a.svg", "a.png")
        for how in ("fast", "default", "best"):
            self.assert_draws(*CPU, "--compression", how, "a.svg", "a.webp")
            self.assertEqual(self.read_bytes("a.webp")[12:16], b"VP8L")
            self.assertEqual(self.read_pixels("a.webp"), self.read_pixels("a.png"))

    def test_a_lossy_webp_has_alpha(self):
        self.write("a.svg", svg(CIRCLE))
        self.assert_draws(*CPU, "a.svg", "a.png")
        self.assert_draws(*CPU, "--quality", "90", "a.svg", "a.webp")
        data = self.read_bytes("a.webp")
        self.assertEqual((data[12:16], b"VP8L" in data, b"ALPH" in data), (b"VP8X", False, True))
        alpha, wanted = self.read_pixels("a.webp")[3::4], self.read_pixels("a.png")[3::4]
        self.assertEqual(alpha, wanted)
        self.assert_draws(*CPU, "--quality", "20", "a.svg", "b.webp")
        self.assertLess(len(self.read_bytes("b.webp")), len(data))

    def test_a_webp_has_at_most_16383_pixels_in_a_side(self):
        self.write("a.svg", svg(HALF, 'width="16384" height="2"'))
        self.assert_fails(1, "a.svg: the picture would be 16384 x 2 pixels; in this format a side has at most 16383", *CPU, "a.svg", "a.webp")
        self.assertEqual(self.files(), ["a.svg"])
        self.assert_draws(*CPU, "-w", "16383", "a.svg", "a.webp")
        self.assert_draws(*CPU, "a.svg", "a.jpg")

    def test_streams_and_folders(self):
        self.write("a.svg", svg(HALF))
        for name, ending in (("jpeg", "jpg"), ("WebP", "webp")):
            self.assert_draws(*CPU, "a.svg", "a." + ending)
            self.assertEqual(self.assert_draws(*CPU, "--format", name, "a.svg", "-").stdout, self.read_bytes("a." + ending))
            self.assert_draws(*CPU, "--format", name, "--output-dir", ending, "a.svg")
            self.assertEqual(os.listdir(self.path(ending)), ["a." + ending])
            self.assertEqual(self.read_bytes(f"{ending}/a.{ending}"), self.read_bytes("a." + ending))

    def test_disks_that_are_full(self):
        self.write("a.svg", svg(GRADIENT))

        def tiny():
            limit_time_and_memory()
            resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100))
        for name, options in (("jpeg", ()), ("webp", ()), ("webp", ("--quality", "90"))):
            self.assert_fails(1, "/dev/full: cannot write: No space left", *CPU, *options, "-w", "900", "--format", name, "a.svg", "/dev/full")
            self.assert_fails(1, "File too large", *CPU, *options, "-w", "900", "a.svg", "b." + name, prepare=tiny)
            self.assertEqual(self.files(), ["a.svg"])

    def test_without_its_library_a_format_is_refused_before_any_work(self):
        self.write("a.svg", svg(HALF))
        os.mkdir(self.path("none"))
        for name in ("libjpeg.so.62", "libjpeg.so.8", "libwebp.so.7", "libdeflate.so.0"):
            self.write("none/" + name, "")
        environment = dict(os.environ, LD_LIBRARY_PATH=self.path("none"))
        for name, library in (("b.jpg", "libjpeg-turbo"), ("b.webp", "libwebp")):
            self.assert_fails(1, f"needs {library}, which is not installed", *CPU, "a.svg", name, env=environment)
        self.assert_fails(1, "needs libwebp", *CPU, "--format", "webp", "--output-dir", "out", "a.svg", env=environment)
        self.assert_fails(1, "needs libdeflate", *CPU, "--compression", "best", "a.svg", "b.png", env=environment)
        self.assert_draws(*CPU, "a.svg", "b.png", env=environment)
        self.assertEqual(self.files(), ["a.svg", "b.png", "none"])


if __name__ == "__main__":
    unittest.main()
