#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Fonts of the command: those that options name, those of the system, and what is read for them."""
import os
import shutil
import subprocess
import unittest

from support import CPU, HALF, RENDER, SANITIZED, SOURCE, CommandTest, decode_png, pixel, svg

FONTS = os.path.join(SOURCE, "tests/golden/fonts")
NAMED = ("--skip-system-fonts", "--use-fonts-dir", FONTS)
TEXT = '<text x="2" y="40">Text</text>'


def configuration(folder, cache):
    return f"""<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "urn:fontconfig:fonts.dtd">
<fontconfig><dir>{folder}</dir><cachedir>{cache}</cachedir></fontconfig>"""


class Named(CommandTest):
    def drawn(self, content, *arguments):
        self.write("in.svg", svg(content))
        self.assert_draws(*CPU, *arguments, "in.svg", "out.png")
        return self.read_bytes("out.png")

    def test_list(self):
        done = self.assert_draws("--list-fonts", *NAMED)
        self.assertEqual(done.stdout.decode().splitlines(), [
            f"Arimo,400,100,upright,{FONTS}/Arimo.ttf,0",
            f"DejaVu Sans,400,100,upright,{FONTS}/DejaVuSans.ttf,0", f"DejaVu Sans,700,100,upright,{FONTS}/DejaVuSansBold.ttf,0",
            f"DejaVu Sans,400,100,slanted,{FONTS}/DejaVuSansOblique.ttf,0", f"DejaVu Serif,400,100,upright,{FONTS}/DejaVuSerif.ttf,0",
            f"M PLUS 1,400,100,upright,{FONTS}/Mplus1.otf,0", f"Noto Color Emoji,400,100,upright,{FONTS}/NotoColorEmoji.ttf,0",
            f"Noto Sans Devanagari,400,100,upright,{FONTS}/NotoSansDevanagari.ttf,0"])
        self.assertEqual(self.assert_draws("--list-fonts", "--skip-system-fonts").stdout, b"")
        one = ("--skip-system-fonts", "--use-font-file", os.path.join(FONTS, "DejaVuSerif.ttf"))
        self.assertEqual(self.assert_draws("--list-fonts", *one).stdout.decode().splitlines(),
                         [f"DejaVu Serif,400,100,upright,{FONTS}/DejaVuSerif.ttf,0"])

    def test_families(self):
        sans = self.drawn('<text x="2" y="40" font-family="DejaVu Sans">Text</text>', *NAMED)
        serif = self.drawn('<text x="2" y="40" font-family="DejaVu Serif">Text</text>', *NAMED)
        self.assertNotEqual(sans, serif)
        self.assertEqual(self.drawn(TEXT, *NAMED, "--font-family", "DejaVu Sans"), sans)
        self.assertEqual(self.drawn(TEXT, *NAMED, "--font-family", "DejaVu Serif"), serif)
        self.assertEqual(self.drawn(TEXT, *NAMED, "--serif-family", "DejaVu Serif"), serif)
        for name in ("serif", "sans-serif", "cursive", "fantasy", "monospace"):
            content = TEXT.replace("<text", f'<text font-family="{name}"')
            for family, picture in (("DejaVu Sans", sans), ("DejaVu Serif", serif)):
                self.assertEqual(self.drawn(content, *NAMED, f"--{name}-family", family), picture, name)

    def test_size(self):
        large = self.drawn('<text x="2" y="40" font-size="24">Text</text>', *NAMED)
        self.assertEqual(self.drawn(TEXT, *NAMED, "--font-size", "24"), large)
        self.assertEqual(self.drawn(TEXT, *NAMED), self.drawn('<text x="2" y="40" font-size="16">Text</text>', *NAMED))
        self.assertEqual(self.drawn(TEXT.replace("<text", '<text font-size="initial"'), *NAMED, "--font-size", "24"), large)
        for value in ("0", "-1", "x", ""):
            self.assert_fails(1, "--font-size", *CPU, "--font-size", value, "in.svg", "out.png")

    def test_letters_first_in_a_line_from_the_right(self):
        """Its end is at the left, also where its first character runs to the right."""
        shaping = ("--skip-system-fonts", "--use-font-file", os.path.join(SOURCE, "tests/font/fonts/shaping.ttf"))
        self.write("in.svg", svg('<text id="t" font-size="20" direction="rtl" x="100" y="30" text-anchor="end">A &#x5d0;&#x5d1;</text>'))
        line = self.assert_draws(*shaping, "--query-all", "in.svg").stdout.decode().split(",")
        self.assertTrue(100 <= float(line[1]) < 102, line)

    def test_baselines(self):
        """With the option, text that stands a third of a pixel off its baseline looks as if it stood on it, at any size."""
        text = '<g font-family="DejaVu Serif"><text x="2" y="{}">ETl<tspan baseline-shift="{}">H</tspan></text></g>'
        for size in ((), ("--width", "160"), ("--zoom", "0.5")):
            scale = 2.5 if size[:1] == ("--width",) else 0.5 if size else 1
            whole = self.drawn(text.format(40 / scale, 4 / scale), *NAMED, *size)
            off = text.format((40 + 0.33) / scale, 4.2 / scale)
            self.assertNotEqual(self.drawn(off, *NAMED, *size), whole)
            self.assertEqual(self.drawn(off, *NAMED, *size, "--snap-baselines"), whole)
        turned = '<g font-family="DejaVu Serif" transform="rotate({} 20 20)"><text x="2" y="{}">ETl</text></g>'
        for angle in (0, 90, 180, 270):
            self.assertEqual(self.drawn(turned.format(angle, 20.3), *NAMED, "--snap-baselines"), self.drawn(turned.format(angle, 20), *NAMED))
        self.assertEqual(self.drawn(turned.format(30, 20.3), *NAMED, "--snap-baselines"), self.drawn(turned.format(30, 20.3), *NAMED))

    def test_nested_lengths(self):
        """An element that is stretched leaves the length of one inside as it is, unless all is inside. One below 0 is none."""
        part = '<tspan id="{}" textLength="{}" lengthAdjust="spacingAndGlyphs">E</tspan>'
        whole = '<text x="2" y="40" textLength="{}" lengthAdjust="spacingAndGlyphs" font-family="DejaVu Sans">{}</text>'
        for length, content, widths in ((50, '<tspan id="a">E</tspan>' + part.format("b", 10) + '<tspan id="c">E</tspan>', (20, 10, 20)),
                                        (60, part.format("a", 10) + part.format("b", 20), (20, 40)),
                                        (30, '<tspan id="a">E</tspan>' + part.format("b", -5) + '<tspan id="c">E</tspan>', (10, 10, 10))):
            self.write("in.svg", svg(whole.format(length, content)))
            lines = [line.split(",") for line in self.assert_draws(*NAMED, "--query-all", "in.svg").stdout.decode().splitlines()]
            letter = float(lines[0][3]) / widths[0]
            self.assertEqual(len(lines), len(widths))
            for line, width in zip(lines, widths):
                self.assertAlmostEqual(float(line[3]), letter * width, delta=0.02)
            self.assertAlmostEqual(float(lines[1][1]) - float(lines[0][1]), widths[0] + (widths[1] - widths[0]) * 0.155, delta=0.1)

    def test_languages(self):
        content = '<switch><rect width="64" height="64" systemLanguage="de"/><g/></switch>'
        self.drawn(content)
        self.assertEqual(pixel(self.read_png("out.png"), 9, 9)[3], 0)
        for languages in ("de", "fr, DE", "de-AT,de"):
            self.drawn(content, "--languages", languages)
            self.assertEqual(pixel(self.read_png("out.png"), 9, 9)[3], 255, languages)
        self.drawn(content.replace('"de"', '"de-AT"'), "--languages", "de")
        self.assertEqual(pixel(self.read_png("out.png"), 9, 9)[3], 255)
        self.drawn(content, "--languages", "d,dee")
        self.assertEqual(pixel(self.read_png("out.png"), 9, 9)[3], 0)

    def test_without_fonts_there_are_boxes(self):
        self.write("in.svg", svg('<text font-size="64" y="56">a</text><text y="9">a</text>'))
        done = self.assert_draws(*CPU, "-v", "--skip-system-fonts", "in.svg", "out.png")
        told = [line for line in done.stderr.decode().splitlines() if "font" in line]
        self.assertEqual(told, ["render: in.svg:2: no font has the character U+0061; its number is drawn"])
        picture = self.read_png("out.png")
        self.assertEqual(pixel(picture, 2, 40), (0, 0, 0, 255))

    def warnings(self, content, *arguments):
        self.write("in.svg", svg(content))
        done = self.assert_draws(*CPU, "-v", *arguments, "in.svg", "out.png")
        return [line.split(": ", 2)[2] for line in done.stderr.decode().splitlines() if "font" in line]

    def test_missing_characters(self):
        """Each is named or counted once. What is not seen is not missing."""
        none = "--skip-system-fonts"
        self.assertEqual(self.warnings("<text>ab a<tspan>c</tspan></text>", none),
                         ["no font has the characters U+0061, U+0062, U+0063; their numbers are drawn"])
        self.assertEqual(self.warnings("<text>ab</text><text>b</text><text>ba\U0001f600</text>", none),
                         ["no font has the characters U+0061, U+0062; their numbers are drawn", "no font has the character U+1F600; its number is drawn"])
        self.assertEqual(self.warnings("<text>abcdefghijk</text><text>k</text>", none),
                         ["no font has the characters U+0061, U+0062, U+0063, U+0064, U+0065, U+0066, U+0067, U+0068 and 3 more; their numbers are drawn"])
        unseen = "<text y='40'>{}</text>".format("\x85\xa0\xad\u115f\u1160\u1680\u2003\u2028\u2029\u202f\u3000\u3164\uffa0\ufe0f\U0001bca0\U000e0001")
        for fonts in ((none,), NAMED):
            self.assertEqual(self.warnings(unseen, *fonts), [])
            self.assertFalse(any(any(row) for row in self.read_png("out.png")[2]), fonts)

    def test_wrong(self):
        self.write("in.svg", svg(TEXT))
        self.write("no.ttf", "this is no font")
        self.assert_fails(1, r"no\.ttf", *CPU, "--use-font-file", "no.ttf", "in.svg", "out.png")
        self.assert_fails(1, r"none\.ttf", *CPU, "--use-font-file", "none.ttf", "in.svg", "out.png")
        self.assert_fails(1, r"none", *CPU, "--use-fonts-dir", "none", "in.svg", "out.png")
        os.mkdir(self.path("fonts"))
        shutil.copy(os.path.join(FONTS, "DejaVuSans.ttf"), self.path("fonts/a.ttf"))
        self.write("fonts/b.ttf", "this is no font")
        done = self.assert_draws(*CPU, "-v", "--skip-system-fonts", "--use-fonts-dir", "fonts", "in.svg", "out.png")
        self.assertEqual(len([line for line in done.stderr.decode().splitlines() if "b.ttf" in line]), 1, done.stderr)
        self.assertEqual(self.assert_draws(*CPU, "-q", "--skip-system-fonts", "--use-fonts-dir", "fonts", "in.svg", "out.png").stderr, b"")

    def test_folders_are_read_for_text_alone(self):
        """A document without text opens no font of a folder, nor of what is added behind it. Their order is as before."""
        os.mkdir(self.path("fonts"))
        shutil.copy(os.path.join(FONTS, "DejaVuSans.ttf"), self.path("fonts/a.ttf"))
        self.write("fonts/b.ttf", "this is no font")
        shutil.copy(os.path.join(FONTS, "DejaVuSerif.ttf"), self.path("c.ttf"))
        order = (("--use-fonts-dir", "fonts"), ("--use-font-file", "c.ttf"))
        for places in (order[:1], order, order[::-1]):
            named = ("--skip-system-fonts", *(argument for place in places for argument in place))
            self.assertEqual(self.warnings(HALF, *named), [])
            self.assertEqual(self.warnings(TEXT, *named), ["it is no font; it is passed over"])
            listed = self.assert_draws("--list-fonts", "-q", *named).stdout.decode().splitlines()
            self.assertEqual([line.split(",")[4] for line in listed], [{"fonts": "fonts/a.ttf"}.get(place[1], place[1]) for place in places])
        self.write("none.ttf", "this is no font")
        self.assert_fails(1, r"none\.ttf", *CPU, *order[0], "--use-font-file", "none.ttf", "in.svg", "out.png")

    def test_folders_without_end(self):
        """Links that lead back, and ten thousand names of one file: the font is found once."""
        os.makedirs(self.path("fonts/a/b"))
        shutil.copy(os.path.join(FONTS, "DejaVuSerif.ttf"), self.path("fonts/a/b"))
        for name, to in (("self", "."), ("a/up", ".."), ("a/b/top.ttf", "../.."), ("one.ttf", "two.ttf"), ("two.ttf", "one.ttf")):
            os.symlink(to, self.path(f"fonts/{name}"))
        os.mkfifo(self.path("fonts/pipe.ttf"))
        folder = ("--skip-system-fonts", "--use-fonts-dir", "fonts")
        self.assertEqual(self.assert_draws("--list-fonts", *folder).stdout, b"DejaVu Serif,400,100,upright,fonts/a/b/DejaVuSerif.ttf,0\n")
        named = self.drawn(TEXT, *NAMED, "--font-family", "DejaVu Serif")
        for i in range(10000):
            os.link(self.path("fonts/a/b/DejaVuSerif.ttf"), self.path(f"fonts/a/{i}.ttf"))
        self.assertEqual(self.drawn(TEXT, *folder), named)

    def test_links_lead_out_of_folders(self):
        """What is listed is drawn, under the sandbox, too: a link to a font, one to a folder, and one behind that."""
        for folder in ("fonts/deep", "elsewhere/below", "far"):
            os.makedirs(self.path(folder))
        for name, to in (("DejaVuSerif", "far/a"), ("DejaVuSans", "elsewhere/below/b"), ("NotoSansDevanagari", "far/c")):
            shutil.copy(os.path.join(FONTS, name + ".ttf"), self.path(to + ".ttf"))
        for name, to in (("fonts/deep/one.ttf", "../../far/a.ttf"), ("fonts/two", self.path("elsewhere")), ("elsewhere/three.ttf", "../far/c.ttf"),
                         ("elsewhere/up", ".."), ("fonts/lost.ttf", "nowhere")):
            os.symlink(to, self.path(name))
        named = ("--skip-system-fonts", "--use-fonts-dir", "fonts")
        listed = self.assert_draws("--list-fonts", *named).stdout.decode().splitlines()
        self.assertEqual({line.split(",")[0] for line in listed}, {"DejaVu Sans", "DejaVu Serif", "Noto Sans Devanagari"})
        content = '<text y="40" font-family="DejaVu Serif">a<tspan font-family="DejaVu Sans">a</tspan>\u0915</text>'
        self.assertEqual(self.drawn(content, *named), self.drawn(content, *NAMED))
        self.assertEqual(self.warnings(content, *named), [])

    def test_huge_file(self):
        shutil.copy(os.path.join(FONTS, "DejaVuSerif.ttf"), self.path("huge.ttf"))
        os.truncate(self.path("huge.ttf"), 1 << 30)
        self.write("in.svg", svg(TEXT))
        self.assert_fails(1, r"huge\.ttf: it is too large for a font", *CPU, "--skip-system-fonts", "--use-font-file", "huge.ttf", "in.svg", "out.png")

    def test_batches_share_fonts(self):
        one = self.drawn(TEXT, *NAMED)
        names = [f"{i}.svg" for i in range(8)]
        for name in names:
            self.write(name, svg(TEXT))
        self.assert_draws(*CPU, *NAMED, "--output-dir", "out", *names)
        for i in range(8):
            self.assertEqual(self.read_bytes(f"out/{i}.png"), one)

    def test_boxes(self):
        self.write("in.svg", svg('<text id="t" x="8" y="40" font-family="DejaVu Sans">a<tspan id="s">b</tspan></text>'))
        lines = self.assert_draws(*NAMED, "--query-all", "in.svg").stdout.decode().splitlines()
        self.assertEqual([line.split(",")[0] for line in lines], ["t", "s"])
        (x, _, width, _), (part, _, _, _) = ([float(number) for number in line.split(",")[1:]] for line in lines)
        self.assertTrue(8 < x < part < x + width, lines)

    def test_one_part(self):
        self.write("in.svg", svg('<text id="t" x="8" y="40" fill="red">a<tspan id="s" fill="blue">b</tspan></text>'))
        self.assert_draws(*CPU, *NAMED, "--export-id", "s", "in.svg", "out.png")
        width, height, rows = self.read_png("out.png")
        colours = {pixel((width, height, rows), x, y)[:3] for x in range(width) for y in range(height)
                   if pixel((width, height, rows), x, y)[3] == 255}
        self.assertEqual(colours, {(0, 0, 255)})


class System(CommandTest):
    """The fonts of the system are those of a configuration of our own."""
    def setUp(self):
        super().setUp()
        os.mkdir(self.path("etc"))
        self.write("etc/fonts.conf", configuration(FONTS, self.path("fontconfig")))
        for name in ("etc/fonts.conf", "etc"):  # what is new may change again unnoticed, so it is not trusted
            os.utime(self.path(name), (10 ** 9, 10 ** 9))
        self.environment = dict(os.environ, FONTCONFIG_FILE=self.path("etc/fonts.conf"), XDG_CACHE_HOME=self.path("cache"))

    def draw(self, name, *arguments, **variables):
        return self.assert_draws(*CPU, *arguments, "in.svg", name, env=dict(self.environment, **variables))

    def test_first_and_second_text(self):
        """Under the sandbox, if there is one: the first text makes the index, the second reads it."""
        self.write("in.svg", svg(TEXT.replace("<text", '<text font-family="DejaVu Serif"')))
        self.draw("named.png", *NAMED)
        first = self.draw("first.png", "-v")
        self.assertEqual([line for line in first.stderr.decode().splitlines() if "font" in line], [])
        index = [name for name in os.listdir(self.path("cache/pietra")) if name.startswith("fonts-")]
        self.assertEqual(len(index), 1)
        self.draw("second.png")
        self.draw("free.png", "--no-sandbox")
        for name in ("first.png", "second.png", "free.png"):
            self.assertEqual(self.read_bytes(name), self.read_bytes("named.png"), name)

    def test_links_lead_out_of_folders(self):
        os.mkdir(self.path("linked"))
        os.symlink(FONTS, self.path("linked/fonts"))
        self.write("etc/fonts.conf", configuration(self.path("linked"), self.path("fontconfig")))
        self.write("in.svg", svg(TEXT.replace("<text", '<text font-family="DejaVu Serif"')))
        self.draw("named.png", *NAMED)
        for name in ("first.png", "second.png"):
            self.draw(name)
            self.assertEqual(self.read_bytes(name), self.read_bytes("named.png"))

    def test_one_index_for_a_batch(self):
        """Threads of a batch share one index, which the first text makes."""
        text = svg(TEXT.replace("<text", '<text font-family="DejaVu Serif"'))
        self.write("in.svg", text)
        self.draw("named.png", *NAMED)
        names = [f"{i}.svg" for i in range(8)]
        for name in names:
            self.write(name, text)
        for _ in range(2):
            self.assert_draws(*CPU, "--threads", "4", "--output-dir", "out", *names, env=self.environment)
            self.assertEqual(len(os.listdir(self.path("cache/pietra"))), 1)
            for i in range(8):
                self.assertEqual(self.read_bytes(f"out/{i}.png"), self.read_bytes("named.png"))

    def opened(self, content):
        """Returns the libraries of text that a command opens."""
        self.write("in.svg", svg(content))
        self.draw("out.png", LD_DEBUG="files", LD_DEBUG_OUTPUT=self.path("log"))
        found = set()
        for name in os.listdir(self.folder):
            if name.startswith("log."):
                with open(self.path(name)) as file:
                    log = file.read()
                found |= {library for library in ("harfbuzz", "freetype", "fontconfig", "icuuc") if f"lib{library}.so" in log}
                os.unlink(self.path(name))
        return found

    @unittest.skipIf(SANITIZED, "sanitizers load libraries of their own")
    def test_libraries(self):
        self.assertEqual(self.opened(HALF), set())
        first = self.opened(TEXT)
        self.assertTrue({"harfbuzz", "fontconfig"} <= first, first)
        second = self.opened(TEXT)
        self.assertNotIn("fontconfig", second)
        self.assertNotIn("icuuc", second)
        self.assertIn("icuuc", self.opened("<text y='20'>\u05d0</text>"))


if __name__ == "__main__":
    unittest.main()
