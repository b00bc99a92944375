#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
"""--info: what a document is made of."""
import json
import os
import unittest

from support import SOURCE, CommandTest, svg

FONTS = ("--skip-system-fonts", "--use-fonts-dir", os.path.join(SOURCE, "tests/golden/fonts"))
CONTENT = """<rect x="4" y="5" width="10" height="20"/><rect x="1" y="5" width="10" height="20.5"/><circle cx="8" cy="9" r="3"/>
<text x="3" y="40" font-family="DejaVu Sans">a</text>
<foreignObject width="5" height="5"/>"""


class Info(CommandTest):
    def test_text(self):
        self.write("a.svg", svg(CONTENT, 'width="64.1234" height="1in"'))
        done = self.assert_draws("--info", *FONTS, "a.svg")
        self.assertEqual(done.stderr, b"")
        lines = done.stdout.decode().splitlines()
        self.assertEqual((lines[0], lines[2:]), ("size: 64.123 x 96", ["elements: 5", "  rect: 2", "  circle: 1", "  svg: 1", "  text: 1", "fonts:",
                                                                       "  DejaVu Sans, weight 400, line 3", "not drawn:",
                                                                       "  <foreignObject> is left out, line 4"]))
        self.assertRegex(lines[1], r"^drawn: 13 x [0-9.]+ at 1,5$")
        self.assertEqual(self.assert_draws("--info=text", *FONTS, "a.svg").stdout, done.stdout)

    def test_json(self):
        self.write("a.svg", svg(CONTENT))
        told = json.loads(self.assert_draws("--info=json", *FONTS, "a.svg").stdout)
        self.assertEqual((told["width"], told["height"], told["elements"], told["by_name"]), (64, 64, 5, {"rect": 2, "circle": 1, "svg": 1, "text": 1}))
        self.assertEqual((told["drawn"]["x"], told["drawn"]["y"], told["drawn"]["width"]), (1, 5, 13))
        self.assertEqual(told["fonts"], [{"family": "DejaVu Sans", "weight": [400, 400], "slanted": False, "line": 3}])
        self.assertEqual((told["images"], told["not_drawn"]), ([], [{"line": 4, "message": "<foreignObject> is left out"}]))

    def test_images(self):
        path = os.path.join(SOURCE, "scenes/image/formats.svg")
        told = json.loads(self.assert_draws("--info=json", path).stdout)
        self.assertEqual({image["format"] for image in told["images"]}, {"PNG", "JPEG", "GIF", "WebP"})
        self.assertEqual(told["by_name"]["image"], len(told["images"]))
        self.assertIn("  data:image/gif, GIF, 16 x 12, line 11\n", self.assert_draws("--info", path).stdout.decode())

    def test_names_that_would_break_lines(self):
        self.write("a.svg", svg('<image width="9" height="9" href="data:image/png&#x9b;&quot;,&lt;svg xmlns=\'http://www.w3.org/2000/svg\' width=\'3\' height=\'2.5\'/&gt;"/>'))
        self.assertIn('  data:image/png\\xc2\\x9b", SVG, 3 x 2.5, line 2\n', self.assert_draws("--info", "a.svg").stdout.decode())
        self.assertEqual(json.loads(self.assert_draws("--info=json", "a.svg").stdout)["images"],
                         [{"address": 'data:image/png\x9b"', "format": "SVG", "width": 3, "height": 2.5, "line": 2}])

    def test_large_numbers_stay_finite(self):
        for width in ("1e308", "1e15"):
            self.write("a.svg", svg('<rect id="x" width="1e308" height="1e308" x="-1e308"/>', f'width="{width}" height="1e308"'))
            told = self.assert_draws("--info=json", "a.svg").stdout
            self.assertNotIn(b" inf", told)
            self.assertGreaterEqual(json.loads(told)["width"], 1e15)
            boxes = self.assert_draws("--query-all=json", "a.svg").stdout
            self.assertNotIn(b" inf", boxes)
            self.assertEqual(json.loads(boxes)[0]["id"], "x")

    def test_a_document_that_draws_nothing(self):
        self.write("a.svg", svg(""))
        self.assertEqual(self.assert_draws("--info", "a.svg").stdout, b"size: 64 x 64\nelements: 1\n  svg: 1\n")
        self.assertIsNone(json.loads(self.assert_draws("--info=json", "a.svg").stdout)["drawn"])

    def test_wrong(self):
        self.write("a.svg", svg(""))
        self.write("bad.svg", "<svg")
        for pattern, *arguments in (("is not text or json", "--info=xml", "a.svg"), ("one INPUT and no OUTPUT", "--info", "a.svg", "b.png"),
                                    ("one INPUT and no OUTPUT", "--info"), ("bad.svg:1: ", "--info", "bad.svg"), ("none.svg: cannot open", "--info", "none.svg"),
                                    ("--info draws nothing", "--info", "--query-all", "a.svg"), ("--info draws nothing", "--info", "--export-id", "x", "a.svg"),
                                    ("--explain writes no picture", "--info", "--explain", "1,1", "a.svg"), ("--output is for", "--info", "-o", "b.png", "a.svg"),
                                    ("--info draws nothing", "--info", "--output-dir", "out", "a.svg"),
                                    ("--skip-existing goes with no", "--info", "--skip-existing", "a.svg")):
            self.assert_fails(1, pattern, *arguments)
        with open("/dev/full", "wb") as full:
            done = self.run_render("--info", "a.svg", stdout=full)
        self.assertEqual((done.returncode, done.stderr), (1, b"render: -: cannot write: No space left on device\n"))
        self.assertEqual(self.files(), ["a.svg", "bad.svg"])


if __name__ == "__main__":
    unittest.main()
