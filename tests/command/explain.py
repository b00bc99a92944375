#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
"""--explain without a GPU: what it prints about a pixel, what it refuses, and a fault that it finds."""
import os
import unittest

from support import CPU, HALF, SOURCE, CommandTest, svg

FAULTY = os.environ["PIETRA_FAULTY_RENDER"]
PIXEL = ("data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGP4z8AAAAMBAQDJ/pLvAAAAAElFTkSuQmCC")
NESTED = ("data:image/svg+xml,&lt;svg xmlns='http://www.w3.org/2000/svg' width='9' height='9'&gt;"
          "&lt;rect width='9' height='9'/&gt;&lt;/svg&gt;")
# The first line of the content is line 2 of the document.
SCENE = f"""<linearGradient id="g"><stop stop-color="red"/><stop offset="1" stop-color="blue"/></linearGradient>
<clipPath id="c"><circle cx="32" cy="32" r="24"/></clipPath>
<mask id="m"><rect width="64" height="64" fill="gray"/></mask>
<pattern id="p" width="1" height="1" patternUnits="userSpaceOnUse"><rect width="1" height="1" fill="lime"/></pattern>
<g id="sym"><circle id="dot" cx="32" cy="32" r="10" fill="yellow" stroke="black" stroke-width="4"/></g>
<rect id="back" width="64" height="64" fill="url(#g)"/>
<g id="faint" opacity=".5" clip-path="url(#c)">
<rect width="50" height="50" fill="url(#p)"/>
<use id="u" href="#sym"/>
</g>
<rect id="masked" x="20" y="20" width="30" height="30" fill="white" mask="url(#m)"/>
<image id="i" width="4" height="4" x="30" y="30" href="{PIXEL}"/>
<g style="mix-blend-mode:multiply"><image y="55" width="9" height="9" href="{NESTED}"/></g>"""
HEAD = "pixel {},{} of 64 x 64; colours, after ->, are premultiplied: #RRGGBBAA"


class Explain(CommandTest):
    def explained(self, content, x, y, *arguments, size=(64, 64)):
        """Returns what is printed between the first line and those of devices, and the colour. The CPU must agree."""
        self.write("in.svg", svg(content))
        done = self.assert_draws(*CPU, "--explain", f"{x},{y}", *arguments, "in.svg")
        lines = done.stdout.decode().splitlines()
        head = "pixel {},{} of {} x {}; colours, after ->, are premultiplied: #RRGGBBAA".format(x, y, *size)
        self.assertEqual((done.stderr, lines[0], lines[-1]), (b"", head, "cpu: the same picture"))
        self.assertRegex(lines[-2], "^reference: #[0-9a-f]{8}, not premultiplied, as in the file$")
        self.assertEqual(self.files(), ["in.svg"])
        return lines[1:-2], lines[-2][11:20]

    def test_all_kinds(self):
        self.assertEqual(self.explained(SCENE, 31, 31), ([
            "(fill circle#dot line 6: occluded by rect#back line 7; its box holds the pixel)",
            "(stroke circle#dot line 6: occluded by rect#back line 7; its box holds the pixel)",
            "fill rect#back line 7: coverage 255, linear gradient #81007eff -> #81007eff",
            "begin group g#faint line 8: level 128 -> #00000000",
            "  begin clip clipPath#c line 3 for g#faint line 8: coverage 255, level 128, in one layer with what is around it -> #00000000",
            "  fill rect line 9: coverage 255, level 128, texel of a pattern #00ff00ff -> #00ff00ff",
            "  fill circle#dot line 6 shown by use#u line 10: coverage 255, level 128, solid #ffff00ff -> #ffff00ff",
            "end group g#faint line 8: content #ffff00ff, level 128 -> #c0803fff",
            "begin mask mask#m line 4 for rect#masked line 12: what follows is its source -> #00000000",
            "  clip mask#m line 4 for rect#masked line 12: coverage 255; it goes along whole pixels and needs no layer",
            "  fill rect line 4 in mask#m line 4 for rect#masked line 12: coverage 255, level ?, solid #808080ff -> #808080ff",
            "end of the source of mask mask#m line 4 for rect#masked line 12: it is #808080ff, level 128 -> #00000000",
            "  fill rect#masked line 12: coverage 255, level 128, solid #ffffffff -> #ffffffff",
            "end mask mask#m line 4 for rect#masked line 12: content #ffffffff, level 128 -> #e0c09fff",
            "image image#i line 13: coverage 255, texel #ff0000ff -> #ff0000ff",
        ], "#ff0000ff"))

    def test_an_edge_and_what_is_clipped_away(self):
        self.assertEqual(self.explained(SCENE, 4, 60), ([
            "fill rect#back line 7: coverage 255, linear gradient #ed0012ff -> #ed0012ff",
            "begin group g#faint line 8: level 128 -> #00000000",
            "  begin clip clipPath#c line 3 for g#faint line 8: coverage 0, level 0, in one layer with what is around it -> #00000000",
            "end group g#faint line 8: content #00000000, level 0 -> #ed0012ff",
            "(fill rect line 4 in mask#m line 4 for rect#masked line 12: clipped away by mask#m line 4 for rect#masked line 12;"
            " its box holds the pixel)",
            "begin group g line 14: level 255, blend multiply -> #00000000",
            "  clip image line 14: coverage 255; it goes along whole pixels and needs no layer",
            "  fill rect line 1 of document 1 in image line 14: coverage 255, level 255, solid #000000ff -> #000000ff",
            "end group g line 14: content #000000ff, level 255, blend multiply -> #000000ff",
        ], "#000000ff"))
        self.assertEqual(self.explained('<path d="M0 0h20.25v9H0z" fill="red"/>', 20, 3),
                         (["fill path line 2: coverage 64, solid #ff0000ff -> #40000040"], "#ff000040"))

    def test_effects(self):
        content = ('<filter id="f"><feGaussianBlur stdDeviation="2"/></filter>\n<rect width="64" height="64" fill="red"/>\n'
                   '<g opacity=".5">\n<g id="soft" filter="url(#f)"><circle cx="32" cy="32" r="20" fill="lime"/></g>\n'
                   '<rect width="9" height="9"/></g>\n'
                   '<rect id="pane" x="20" y="20" width="30" height="30" fill="none" style="backdrop-filter:invert(1)"/>')
        self.assertEqual(self.explained(content, 31, 31), ([
            "begin picture of effect rect#pane line 7, drawn apart -> #00000000",
            "  fill rect#pane line 7: coverage 255, solid #ffffffff -> #ffffffff",
            "end picture of effect rect#pane line 7: it is #ffffffff -> #00000000",
            "begin content of effect rect#pane line 7, drawn apart -> #00000000",
            "  fill rect line 3: coverage 255, solid #ff0000ff -> #ff0000ff",
            "  begin group g line 4: level 128 -> #00000000",
            "    begin content of effect g#soft line 5, drawn apart -> #00000000",
            "      fill circle line 5: coverage 255, solid #00ff00ff -> #00ff00ff",
            "    end content of effect g#soft line 5: it is #00ff00ff -> #00000000",
            "    effect g#soft line 5: coverage 255, level 128, texel of its result #00ff00ff -> #00ff00ff",
            "  end group g line 4: content #00ff00ff, level 128 -> #7f8000ff",
            "end content of effect rect#pane line 7: it is #7f8000ff -> #00000000",
            "effect rect#pane line 7: coverage 255, texel of its result #807fffff -> #807fffff",
        ], "#807fffff"))

    def test_levels_of_a_deep_nest(self):
        clips = "".join(f'<g clip-path="url(#c)"><rect width="{i}" height="1"/>' for i in range(10))
        steps, _ = self.explained('<clipPath id="c"><path d="M0 0h9.5v9z"/></clipPath>' + clips + '<rect width="64" height="64"/>' + "</g>" * 10, 4, 3)
        last = [line for line in steps if "fill" in line][-1]
        self.assertRegex(last, r"^ {18}fill rect line 2: coverage 255, levels \(1 more\)( \d+){8}, solid #000000ff -> #000000ff$")

    def test_the_picture_is_that_of_the_other_options(self):
        red = "fill rect line 2: coverage 255, solid #ff0000ff -> #ff0000ff"
        self.assertEqual(self.explained(HALF, 63, 127, "-w", "128", size=(128, 128)), ([red], "#ff0000ff"))
        self.assertEqual(self.explained(HALF, 15, 31, "--zoom", "0.5", size=(32, 32)), ([red], "#ff0000ff"))
        self.assertEqual(self.explained('<g opacity=".5">' + HALF.replace("<rect", '<rect id="r" x="8"') + "</g>", 0, 0, "--export-id", "r", size=(32, 64)),
                         (["fill rect#r line 2: coverage 255, solid #ff0000ff -> #ff0000ff"], "#ff0000ff"))
        self.assertEqual(self.explained(HALF, 40, 0, "--background", "rgba(0,255,0,.5)"), (["nothing is drawn there"], "#00ff0080"))
        self.assertEqual(self.explained('<rect width="64" height="64" fill-opacity=".5"/>', 0, 0, "--background", "lime"),
                         (["fill rect line 2: coverage 255, solid #00000080 -> #007f00ff"], "#007f00ff"))

    def test_ids_are_printed_as_they_can_be(self):
        self.assertEqual(self.explained('<rect id="a&#10;b,&#x202e;" width="9" height="9"/>', 0, 0)[0],
                         [r"fill rect#a\x0ab,\xe2\x80\xae line 2: coverage 255, solid #000000ff -> #000000ff"])

    def test_other_files(self):
        self.write("other.svg", svg('<rect id="r" width="9" height="9"/>'))
        self.write("in.svg", svg('<use href="other.svg#r"/>'))
        done = self.assert_draws(*CPU, "--allow-external", "--explain", "0,0", "in.svg")
        self.assertEqual(done.stdout.decode().splitlines()[1],
                         "fill rect#r other.svg line 2 shown by use line 2: coverage 255, solid #000000ff -> #000000ff")

    def test_standard_input(self):
        done = self.assert_draws(*CPU, "--explain", "0,0", "-", stdin=svg(HALF).encode())
        self.assertIn(b"\nfill rect line 2: coverage 255, solid #ff0000ff -> #ff0000ff\n", done.stdout)

    def test_the_reference_alone(self):
        self.write("in.svg", svg(HALF))
        done = self.assert_draws("--device", "reference", "--explain", "0,0", "in.svg")
        self.assertEqual(done.stdout.decode().splitlines()[2:], ["reference: #ff0000ff, not premultiplied, as in the file"])

    def test_no_gpu(self):
        os.mkdir(self.path("libraries"))
        self.write("libraries/libvulkan.so.1", "")
        self.write("in.svg", svg(HALF))
        environment = dict(os.environ, LD_LIBRARY_PATH=self.path("libraries"))
        done = self.assert_draws("--explain", "0,0", "in.svg", env=environment)
        self.assertEqual(done.stdout.decode().splitlines()[-2], "cpu: the same picture")
        self.assertRegex(done.stdout.decode().splitlines()[-1], r"^gpu: none \(.*Vulkan is not installed.*\)$")
        self.assert_fails(2, "Vulkan is not installed", "--device", "gpu", "--explain", "0,0", "in.svg", env=environment)

    def test_what_is_refused(self):
        self.write("in.svg", svg(HALF))
        for x, y in ((64, 0), (0, 64), (4294967295, 4294967295)):
            self.assert_fails(1, f"in.svg: the pixel {x}, {y} lies outside the picture of 64 x 64", *CPU, "--explain", f"{x},{y}", "in.svg")
        for wrong in ("", "1", "1,", ",1", "1;1", "-1,1", "1,-1", "1,1,1", "1, 1", "1.5,1", "a,b", "4294967296,0"):
            self.assert_fails(1, "--explain: \".*\" is not X,Y: a column and a row of pixels", *CPU, f"--explain={wrong}", "in.svg")
        self.assert_fails(1, "--explain wants one INPUT and no OUTPUT", *CPU, "--explain", "1,1", "in.svg", "out.png")
        self.assert_fails(1, "--explain wants one INPUT and no OUTPUT", *CPU, "--explain", "1,1")
        for other in (("--query-all",), ("--output-dir", "out"), ("--repeat", "2"), ("--timing", "times")):
            self.assert_fails(1, "--explain writes no picture", *CPU, "--explain", "1,1", *other, "in.svg")
        self.assert_fails(1, "none.svg: cannot open", *CPU, "--explain", "1,1", "none.svg")
        self.assert_fails(3, "budget|memory", *CPU, "--memory-budget", "1", "--explain", "1,1", "in.svg")
        with open("/dev/full", "wb") as full:
            self.assertEqual(self.run_render(*CPU, "--explain", "1,1", "in.svg", stdout=full).returncode, 1)

    def test_a_fault_of_the_reference(self):
        done = self.run_render(*CPU, "--explain", "20,40", os.path.join(SOURCE, "scenes/fill/bow_tie.svg"), render=FAULTY)
        self.assertEqual((done.returncode, done.stderr), (4, b""))
        self.assertRegex(done.stdout.decode().splitlines()[-1],
                         r"^cpu: #aa2255ff; \d+ of 4096 pixels differ from the reference, the first at 16,16$")


if __name__ == "__main__":
    unittest.main()
