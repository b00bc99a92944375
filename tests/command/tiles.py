#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Pyramids of tiles: --tiles, and the options that go with it."""
import os
import re
import subprocess
import unittest

from support import CPU, CommandTest, limit_time, pixel, svg

DRAWING = (
    '<linearGradient id="g" x2="0.7" y2="1"><stop stop-color="red"/><stop offset="1" stop-color="blue" stop-opacity="0.3"/></linearGradient>'
    '<rect width="90" height="41" fill="url(#g)"/><circle cx="44.3" cy="21" r="17" fill="gold" stroke="black" stroke-width="1.7"/>'
    '<path d="M-9 -4 99 44" stroke="green"/>'
)
WIDE = svg(DRAWING, 'width="90" height="50"')
HIGH = svg(DRAWING, 'width="31" height="90"')
RAW = ("--format", "rgba")


class Tiles(CommandTest):
    def setUp(self):
        super().setUp()
        self.write("wide.svg", WIDE)
        self.write("high.svg", HIGH)

    def below(self, folder):
        return sorted(os.path.relpath(os.path.join(place, name), self.path(folder))
                      for place, _, names in os.walk(self.path(folder)) for name in names)

    def draw_whole(self, width, height, *arguments):
        """Returns the rows of a picture, of four bytes a pixel."""
        self.assert_draws(*CPU, *RAW, *arguments, "whole.rgba")
        data = self.read_bytes("whole.rgba")
        self.assertEqual(len(data), 4 * width * height)
        return [data[4 * width * y:4 * width * (y + 1)] for y in range(height)]

    def cut(self, rows, tile, column, row, whole_squares):
        part = [line[4 * tile * column:4 * tile * (column + 1)] for line in rows[tile * row:tile * (row + 1)]]
        if whole_squares:
            part = [line.ljust(4 * tile, b"\0") for line in part]
            part += [bytes(4 * tile)] * (tile - len(part))
        return b"".join(part)

    def assert_level(self, rows, tile, name, whole_squares):
        """Asserts that the tiles are the picture cut apart. `name` makes the name of a tile's file of its place."""
        for row in range(-(-len(rows) // tile)):
            for column in range(-(-len(rows[0]) // (4 * tile))):
                self.assertEqual(self.read_bytes(name(column, row)), self.cut(rows, tile, column, row, whole_squares), (column, row))


class Maps(Tiles):
    def test_tiles_are_the_picture_cut_apart(self):
        for name, size, side in (("wide", lambda long: (long, max(1, int(long * 50 / 90 + 0.5))), "--width"),
                                 ("high", lambda long: (max(1, int(long * 31 / 90 + 0.5)), long), "--height")):
            self.assert_draws(*CPU, *RAW, "--tiles", name, "--levels", "0-3", "--tile-size", "64", f"{name}.svg")
            count = 0
            for level in range(4):
                width, height = size(64 << level)
                rows = self.draw_whole(width, height, side, str(64 << level), f"{name}.svg")
                self.assert_level(rows, 64, lambda column, row: f"{name}/{level}/{column}/{row}.rgba", True)
                count += -(-width // 64) * -(-height // 64)
            self.assertEqual(len(self.below(name)), count)

    def test_a_level_of_several_blocks(self):
        """Blocks end at 4,096 pixels; a blur reaches across."""
        blur = '<filter id="f"><feGaussianBlur stdDeviation="3"/></filter><g filter="url(#f)">' + DRAWING + '</g>' + DRAWING
        self.write("long.svg", svg(f'<g transform="translate(1000)">{blur}</g>', 'width="2100" height="41"'))
        self.assert_draws(*CPU, *RAW, "--tiles", "out", "--levels", "5", "long.svg")
        rows = self.draw_whole(8192, 160, "--width", "8192", "long.svg")
        self.assert_level(rows, 256, lambda column, row: f"out/5/{column}/{row}.rgba", True)

    def test_a_level_larger_than_a_picture(self):
        """65,536 pixels are two pictures. Where they meet, places are rounded to another 256th of a pixel than in one
        picture: an edge covers up to two levels more or less."""
        for name, length in (("long", 1024), ("middle", 512)):
            self.write(f"{name}.svg", svg(f'<circle cx="{length // 2}" cy="0.4" r="0.9" fill="navy"/>', f'width="{length}" height="1"'))
        self.assert_draws(*CPU, *RAW, "--background", "white", "--tiles", "out", "--levels", "10", "--tile-size", "64", "long.svg")
        self.assertEqual(len(self.below("out")), 1024)
        rows = self.draw_whole(32768, 64, "--background", "white", "--width", "32768", "middle.svg")
        drawn = 0
        for column in range(506, 518):
            tile = self.read_bytes(f"out/10/{column}/0.rgba")
            wanted = self.cut(rows, 64, column - 256, 0, True)
            self.assertLessEqual(max(abs(a - b) for a, b in zip(tile, wanted)), 2, column)
            drawn += tile != b"\xff" * len(tile)
        self.assertEqual(drawn, 2)

    def test_what_is_empty_is_transparent(self):
        self.write("dot.svg", svg('<rect width="1" height="1" fill="red"/>'))
        self.assert_draws(*CPU, "--tiles", "out", "--levels", "2", "dot.svg")
        self.assertEqual(len(self.below("out")), 16)
        width, height, rows = self.read_png("out/2/3/3.png")
        self.assertEqual((width, height, set(b"".join(rows))), (256, 256, {0}))
        self.assertEqual(pixel(self.read_png("out/2/0/0.png"), 0, 0), (255, 0, 0, 255))

    def test_what_lies_beyond_the_picture_has_no_background(self):
        self.assert_draws(*CPU, *RAW, "--background", "lime", "--tiles", "out", "--levels", "0", "wide.svg")
        data = self.read_bytes("out/0/0/0.rgba")
        self.assertEqual(data[4 * 256 * 141:4 * 256 * 141 + 4], bytes((0, 255, 0, 255)))
        self.assertEqual(set(data[4 * 256 * 142:]), {0})

    def test_formats(self):
        for name, magic in (("png", b"\x89PNG"), ("webp", b"RIFF"), ("jpeg", b"\xff\xd8")):
            done = self.run_render(*CPU, "--format", name, "--tiles", name, "--levels", "1", "wide.svg")
            if b"not installed" in done.stderr:
                continue
            ending = name.replace("jpeg", "jpg")
            self.assertEqual(self.below(name), [f"1/{x}/{y}.{ending}" for x in (0, 1) for y in (0, 1)])
            self.assertEqual(self.read_bytes(f"{name}/1/1/1.{ending}")[:len(magic)], magic)

    def test_threads_and_devices_change_nothing(self):
        given = None
        for options in (("cpu", "--threads", "1"), ("cpu", "--threads", "5"), ("reference",), ("cpu", "--no-sandbox")):
            self.assert_draws("--device", *options, "--tiles", "-".join(options), "--levels", "0-2", "--tile-size", "64", "-", stdin=WIDE.encode())
            files = {name: self.read_bytes(os.path.join("-".join(options), name)) for name in self.below("-".join(options))}
            given = given or files
            self.assertEqual(files, given)
        self.assertEqual(len(given), 1 + 4 + 12)


class DeepZoom(Tiles):
    def test_tiles_are_the_picture_cut_apart(self):
        """Of the levels, each half of the next one, those with whole halves are pictures of the command too."""
        self.write("even.svg", svg(DRAWING, 'width="64" height="40"'))
        self.assert_draws(*CPU, *RAW, "--tiles", "out", "--levels", "0-9", "--tile-layout", "dzi", "--tile-size", "64", "even.svg")
        for level in range(3, 10):
            rows = self.draw_whole(1 << level, (40 << level) // 64, "--width", str(1 << level), "even.svg")
            self.assert_level(rows, 64, lambda column, row: f"out/tiles_files/{level}/{column}_{row}.rgba", False)
        for level, size in ((0, 1), (1, 2), (2, 2 * 3 + 2)):
            self.assertEqual(len(self.read_bytes(f"out/tiles_files/{level}/0_0.rgba")), 4 * {0: 1, 1: 2 * 2, 2: 4 * 3}[level])
        with open(self.path("out/tiles.dzi")) as file:
            text = file.read()
        self.assertRegex(text, r'<Image xmlns="http://schemas.microsoft.com/deepzoom/2008" Format="rgba" Overlap="0" TileSize="64">')
        self.assertRegex(text, r'<Size Width="512" Height="320"/>')

    def test_sides_are_halved_upwards(self):
        self.assert_draws(*CPU, "--tiles", "out", "--levels", "0-9", "--tile-layout", "dzi", "wide.svg")
        height = 284  # 512 * 50 / 90
        for level in range(9, -1, -1):
            last = ((1 << level) - 1) // 256, (height - 1) // 256
            width, rest, _ = self.read_png(f"out/tiles_files/{level}/{last[0]}_{last[1]}.png")
            self.assertEqual((width + 256 * last[0], rest + 256 * last[1]), (1 << level, height))
            height = (height + 1) // 2


class Again(Tiles):
    def test_tiles_that_are_there_are_not_drawn(self):
        drawn = ("--tiles", "out", "--levels", "0-3", "--tile-size", "64", "wide.svg")
        self.assert_draws(*CPU, *drawn)
        kept = {name: self.read_bytes("out/" + name) for name in self.below("out")}
        for name in ("3/2/1.png", "0/0/0.png"):
            os.unlink(self.path("out/" + name))
        self.write("out/3/3/0.png", "kept")
        self.assert_draws(*CPU, *drawn, "--skip-existing")
        self.assertEqual({name: self.read_bytes("out/" + name) for name in self.below("out")}, dict(kept, **{"3/3/0.png": b"kept"}))
        self.assert_draws(*CPU, *drawn)
        self.assertEqual({name: self.read_bytes("out/" + name) for name in self.below("out")}, kept)

    def test_what_is_all_there_is_not_touched(self):
        drawn = (*CPU, "--skip-existing", "--tiles", "out", "--levels", "0-2", "wide.svg")
        self.assert_draws(*drawn)
        before = {name: os.stat(self.path("out/" + name)).st_ino for name in self.below("out")}
        self.assert_draws(*drawn)
        self.assertEqual({name: os.stat(self.path("out/" + name)).st_ino for name in self.below("out")}, before)


class Refusals(Tiles):
    def test_too_many_tiles(self):
        self.assert_fails(1, r"wide\.svg: the pyramid would have 1\d{9} tiles; it may have 100000000", *CPU, "--tiles", "out", "--levels", "8-15",
                          "--tile-size", "128", self.write("wide.svg", svg("", 'width="9" height="8"')))
        self.assert_fails(1, "level 24 would have more than 2147483648 pixels", *CPU, "--tiles", "out", "--levels", "0-24", "wide.svg")
        self.assert_fails(1, "level 4000000000 would", *CPU, "--tiles", "out", "--levels", "4000000000", "wide.svg")
        self.assertEqual(self.below("out"), [])

    def test_options(self):
        pyramid = ("--tiles", "out", "--levels", "0-1")
        for arguments, told in (
                (("--tiles", "out"), "--tiles wants --levels A-B"), (("--levels", "0-1"), "--levels is for --tiles"),
                (("--tile-size", "64"), "--tile-size is for --tiles"), (("--tile-layout", "dzi"), "--tile-layout is for --tiles"),
                ((*pyramid, "--width", "9"), "goes with no --width"), ((*pyramid, "--zoom", "2"), "goes with no --width"),
                ((*pyramid, "--snap-baselines"), "or --snap-baselines"), ((*pyramid, "--output", "a.png"), "goes with no --output"),
                ((*pyramid, "--output-dir", "d"), "goes with no --output"), ((*pyramid, "--export-ids", "*"), "goes with no --output"),
                ((*pyramid, "--export-id", "a"), "--export"), ((*pyramid, "--export-area-drawing"), "--export"),
                ((*pyramid, "--info"), "--info"), ((*pyramid, "--query-all"), "--query-all"), ((*pyramid, "--explain", "1,1"), "--explain"),
                ((*pyramid, "--timing", "t"), "without --tiles"), ((*pyramid, "--trace", "t"), "without --tiles"),
                ((*pyramid, "--keep-folders", "d"), "--keep-folders is for"), ((*pyramid, "high.svg"), "one INPUT and no OUTPUT"),
                (("--tiles", "out", "--levels", "2-1"), "--levels: "), (("--tiles", "out", "--levels", "1-"), "--levels: "),
                (("--tiles", "out", "--levels", "-1"), "--levels: "), (("--tiles", "out", "--levels", "1-2-3"), "--levels: "),
                (("--tiles", "out", "--levels", "1,2"), "--levels: "), ((*pyramid, "--tile-size", "32"), "--tile-size: "),
                ((*pyramid, "--tile-size", "8192"), "--tile-size: "), ((*pyramid, "--tile-size", "300"), "--tile-size: "),
                ((*pyramid, "--tile-layout", "tms"), "--tile-layout: "), (("--tiles", "", "--levels", "1"), "--tiles: the name is empty")):
            self.assert_fails(1, re.escape(told), *CPU, *arguments, "wide.svg")
        self.assertEqual(self.files(), ["high.svg", "wide.svg"])

    def test_bad_documents(self):
        self.write("bad.svg", "<svg")
        self.assert_fails(1, "bad.svg", *CPU, "--tiles", "out", "--levels", "0-1", "bad.svg")
        self.assert_fails(1, "none.svg: cannot open", *CPU, "--tiles", "out", "--levels", "0-1", "none.svg")
        self.assertEqual(self.below("out"), [])

    def test_folders_that_take_no_files(self):
        self.write("file", "")
        self.assert_fails(1, "file: cannot make the folder", *CPU, "--tiles", "file", "--levels", "0", "wide.svg")
        os.mkdir(self.path("out"))
        self.write("out/1", "")
        self.assert_fails(1, "out/1", *CPU, "--tiles", "out", "--levels", "0-1", "wide.svg")
        self.assertEqual(self.below("out"), ["0/0/0.png", "1"])
        if os.geteuid() == 0:
            self.assert_fails(1, "cannot make the folder", *CPU, "--tiles", "/proc/self/fd/t", "--levels", "0", "wide.svg", prepare=limit_time)
        else:
            os.mkdir(self.path("locked"), 0o500)
            self.assert_fails(1, "Permission denied", *CPU, "--tiles", "locked", "--levels", "0", "wide.svg")

    def test_an_input_is_not_replaced(self):
        os.makedirs(self.path("out/0/0"))
        self.write("out/0/0/0.png", WIDE)
        self.assert_fails(1, "is the INPUT", *CPU, "--tiles", "out", "--levels", "0", "out/0/0/0.png")
        self.assertEqual(self.read_bytes("out/0/0/0.png"), WIDE.encode())

    def test_a_full_disk_leaves_nothing_half(self):
        os.mkdir(self.path("disk"))
        if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=640k", "tmpfs", self.path("disk")], stderr=subprocess.DEVNULL).returncode != 0:
            self.skipTest("mounting is not allowed")
        try:
            done = self.run_render(*CPU, *RAW, "--tiles", "disk/out", "--levels", "0-3", "wide.svg")
            self.assertEqual(done.returncode, 1)
            self.assertIn(b"No space left", done.stderr)
            names = self.below("disk")
            self.assertGreater(len(names), 0)
            for name in names:
                self.assertEqual(os.path.getsize(self.path("disk/" + name)), 4 * 256 * 256)
        finally:
            subprocess.run(["umount", self.path("disk")], check=True)

    def test_nothing_is_written_through_links(self):
        """A link among the folders of levels leads out of what the sandbox allows."""
        if re.search("there is no sandbox|files are not held back", self.assert_draws("-v", *CPU, "wide.svg", "probe.png").stderr.decode()):
            self.skipTest("files are not held back here")
        os.mkdir(self.path("outside"))
        os.mkdir(self.path("out"))
        os.symlink("../outside", self.path("out/0"))
        self.assert_fails(1, "Permission denied", *CPU, "--tiles", "out", "--levels", "0", "wide.svg")
        self.assertEqual(self.below("outside"), [])
        self.assert_draws(*CPU, "--no-sandbox", "--tiles", "out", "--levels", "0", "wide.svg")
        self.assertEqual(self.below("outside"), ["0/0.png"])


if __name__ == "__main__":
    unittest.main()
