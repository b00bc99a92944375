#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
"""tools/report: a page whose figures are those of its JSON, whatever scenes are called and whether they can be drawn."""
import base64
import json
import math
import os
import re
import subprocess
import sys
import unittest
from html.parser import HTMLParser

from support import CIRCLE, HALF, PATIENCE, RENDER, SANITIZED, SOURCE, CommandTest, decode_png, svg

TOOL = os.path.join(SOURCE, "tools", "report")
NAME = "a <b>&\"odd\"' \u00e9.svg"
VOID = {"meta", "img"}


class Page(HTMLParser):
    """Reads a page, of which all elements must end in the order in which they began."""

    def __init__(self, text):
        super().__init__()
        self.open, self.elements, self.cells, self.texts, self.styles = [], [], [], [], []
        self.feed(text)
        self.close()
        assert not self.open, self.open

    def handle_starttag(self, tag, attributes):
        self.elements.append((tag, dict(attributes)))
        if tag not in VOID:
            self.open.append(tag)
        if tag == "td":
            self.cells.append((dict(attributes), []))

    def handle_endtag(self, tag):
        assert self.open.pop() == tag, tag

    def handle_data(self, data):
        (self.styles if "style" in self.open else self.texts).append(data)
        if "td" in self.open:
            self.cells[-1][1].append(data)

    def all(self, tag):
        return [attributes for name, attributes in self.elements if name == tag]


def look_up(report, path):
    """Returns what stands at a place such as scenes/0/devices/cpu/frame_ms."""
    for name in path.split("/"):
        report = report[int(name) if isinstance(report, list) else name]
    return report


def shown(path, value):
    return (f"{value:.3g}" if value < 1000 else f"{value:.0f}") if path.endswith("ms") else f"{value:,}"


class Report(CommandTest):
    def make(self, *arguments, status=0):
        done = subprocess.run([sys.executable, "-B", TOOL, "--render", RENDER, *arguments], cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              timeout=PATIENCE, text=True)
        self.assertEqual((done.returncode, done.stdout), (status, ""), done.stderr)
        return done.stderr

    def read(self, folder):
        report = json.loads(self.read_bytes(folder + "/report.json"))
        return report, Page(self.read_bytes(folder + "/report.html").decode())

    def check_figures(self, report, page, before=None):
        """Returns the places of the figures in the page. There are no others."""
        places = set()
        for attributes, texts in page.cells:
            text, now, then = "".join(texts), attributes.get("data-value"), attributes.get("data-before")
            if now and then:
                ratio = look_up(report, now) / look_up(before, then)
                self.assertEqual(text.split()[-1], f"{ratio:.2f}")
                self.assertEqual(text[0], "▼" if ratio < 0.95 else "▲" if ratio > 1.05 else text[0])
            elif now or then:
                value = look_up(report if now else before, now or then)
                self.assertEqual(text, shown(now or then, value))
                places.add(now or then)
            else:  # a name or nothing
                self.assertIn(text, {""} | {scene["name"] for scene in report["scenes"]} | {"cpu", "gpu", "reference"} |
                              {stage["name"] for scene in report["scenes"] for timing in scene["devices"].values() for stage in timing.get("stages", ())})
        return places

    def figures_of(self, report):
        """Returns the places of all figures that --timing wrote, but for the bytes of stages."""
        for number, scene in enumerate(report["scenes"]):
            for device, timing in scene["devices"].items():
                where = f"scenes/{number}/devices/{device}/"
                for name, value in timing.items():
                    if name == "stages":
                        yield from (f"{where}stages/{i}/ms" for i in range(len(value)))
                    elif not isinstance(value, str):
                        yield where + name

    def assert_static(self, page):
        """It runs nothing and asks for nothing."""
        self.assertEqual({tag for tag, _ in page.elements} & {"script", "link", "iframe", "object", "embed", "a", "form", "base", "b"}, set())
        self.assertEqual([attributes for _, attributes in page.elements if any(name.startswith("on") for name in attributes)], [])
        for image in page.all("img"):
            self.assertTrue(image["src"].startswith("data:image/png;base64,"))
        self.assertNotRegex("".join(page.styles), "url|@import|http")
        self.assertIn("prefers-color-scheme: dark", "".join(page.styles))

    def pictures(self, page):
        return [decode_png(base64.b64decode(image["src"].split(",")[1]))[:2] for image in page.all("img")]

    def test_a_report_and_a_comparison(self):
        self.write(NAME, svg(CIRCLE))
        self.write("half.svg", svg(HALF))
        self.assertEqual(self.make("--repeat", "2", "--width", "400", "one", NAME, "half.svg"), f"{NAME}\nhalf.svg\n")
        self.assertEqual(sorted(os.listdir(self.path("one"))), ["report.html", "report.json"])
        first, page = self.read("one")
        self.assert_static(page)
        self.assertEqual([scene["name"] for scene in first["scenes"]], [NAME, "half.svg"])
        self.assertEqual((first["width"], first["repeat"]), (400, 2))
        self.assertEqual(self.check_figures(first, page), set(self.figures_of(first)))
        self.assertEqual([text for text in page.texts if text == NAME], [NAME] * 3)  # two tables and the scene
        self.assertEqual(self.pictures(page), [(480, 480), (400, 512)] * 2)
        self.assertEqual(page.all("img")[0]["alt"], NAME)
        bars = [float(re.fullmatch("width:(.*)%", attributes["style"])[1]) for attributes in page.all("div") if attributes.get("class") == "bar"]
        stages = [[stage["ms"] for stage in scene["devices"]["cpu"]["stages"]] for scene in first["scenes"]]
        self.assertEqual(bars, [float(f"{100 * ms / max(scene):.2f}") for scene in stages for ms in scene])

        self.make("--repeat", "2", "--width", "400", "--before", "one", "--device", "cpu", "--device", "reference", "two/deep", "half.svg", NAME)
        second, page = self.read("two/deep")
        self.assert_static(page)
        self.check_figures(second, page, first)
        ratios = [second["scenes"][i]["devices"]["cpu"]["frame_ms"] / first["scenes"][1 - i]["devices"]["cpu"]["frame_ms"] for i in range(2)]
        self.assertIn(f"Geometric means of the ratios: cpu, frame: {math.sqrt(ratios[0] * ratios[1]):.2f}.", page.texts)
        compared = [attributes for attributes, _ in page.cells if "data-value" in attributes and "data-before" in attributes]
        self.assertEqual([(cell["data-value"], cell["data-before"]) for cell in compared if "stages" not in cell["data-value"]],
                         [(f"scenes/{i}/devices/cpu/frame_ms", f"scenes/{1 - i}/devices/cpu/frame_ms") for i in range(2)])
        self.assertEqual(len([attributes for attributes in page.all("div") if attributes.get("class") == "old"]), 2 * len(stages[0]))

        self.write("new.svg", svg(HALF))
        self.make("--repeat", "1", "--width", "400", "--before", "one", "three", "new.svg")
        self.assertIn("The earlier report has none of these scenes on these devices.", self.read("three")[1].texts)

    @unittest.skipIf(SANITIZED, "drivers are not ours to sanitize")
    def test_a_gpu(self):
        self.need_gpu()
        self.write("half.svg", svg(HALF))
        self.make("--repeat", "1", "--width", "100", "--device", "gpu", "--device", "cpu", "out", "half.svg")
        report, page = self.read("out")
        self.assertEqual(self.check_figures(report, page), set(self.figures_of(report)))
        self.assertIn("scenes/0/devices/gpu/gpu_ms", self.check_figures(report, page))
        self.assertIn("10 fine", {stage["name"][:7] for stage in report["scenes"][0]["devices"]["gpu"]["stages"]})

    def test_what_cannot_be_drawn(self):
        self.write("bad.svg", "<svg")
        self.write("-half.svg", svg(HALF))
        told = self.make("--repeat", "1", "--width", "64", "out", "--", "bad.svg", "-half.svg", status=1)
        self.assertEqual(told.splitlines()[-1], "report: failed: bad.svg on cpu")
        report, page = self.read("out")
        self.assertRegex(report["scenes"][0]["devices"]["cpu"]["error"], "^render: bad.svg:1: ")
        self.assertIn(report["scenes"][0]["devices"]["cpu"]["error"], page.texts)
        self.assertEqual(self.check_figures(report, page), set(self.figures_of(report)))
        self.assertEqual(len(self.pictures(page)), 2)

    def test_what_is_refused(self):
        self.write("half.svg", svg(HALF))
        os.mkdir(self.path("other"))
        self.write("other/report.json", "[]")
        self.make("--repeat", "1", "--width", "64", "one", "half.svg")
        for pattern, *arguments in (("half.svg is given twice", "out", "half.svg", "half.svg"), ("none/report.json: .*No such file", "--before", "none", "out", "half.svg"),
                                    ("other/report.json is no report", "--before", "other", "out", "half.svg"),
                                    ("pictures 64 pixels wide, this one 65", "--before", "one", "--width", "65", "out", "half.svg"),
                                    ("nothing: there is no such command", "--render", "nothing", "out", "half.svg")):
            self.assertRegex(self.make(*arguments, status=1), f"^report: .*{pattern}")
        self.assertRegex(self.make("--repeat", "1", "half.svg", "half.svg", status=1), "(?m)^report: .*half.svg")
        self.assertEqual(self.read_bytes("half.svg"), svg(HALF).encode())
        self.assertFalse(os.path.exists(self.path("out")))


if __name__ == "__main__":
    unittest.main()
