#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
"""--explain with a GPU: its stages are compared, and the first that differs is named."""
import os
import unittest

from support import SANITIZED, SOURCE, CommandTest, limit_time, svg

FAULTY = os.environ["PIETRA_FAULTY_RENDER"]
BOW_TIE = os.path.join(SOURCE, "scenes/fill/bow_tie.svg")


@unittest.skipIf(SANITIZED, "drivers leak memory, and are not ours to sanitize")
class ExplainOnGpu(CommandTest):
    def explained(self, *arguments, status=0, **options):
        done = self.run_render(*arguments, prepare=limit_time, **options)
        self.assertEqual((done.returncode, done.stderr), (status, b""))
        return done.stdout.decode().splitlines()

    def test_devices_agree(self):
        """This holds in the sandbox too, and where a pattern is drawn as a picture for each device."""
        self.write("in.svg", svg('<pattern id="p" width="1" height="1" patternUnits="userSpaceOnUse"><rect width="1" height="1"/></pattern>'
                                 '<rect width="50" height="50" fill="url(#p)"/>'))
        lines = self.explained("--explain", "9,9", "in.svg")
        self.assertEqual(lines[2:-2], ["reference: #000000ff, not premultiplied, as in the file", "cpu: the same picture"])
        self.assertRegex(lines[-2], "^gpu, .+: the same picture$")
        self.assertEqual(lines[-1], "     the same in every stage as the reference; the CPU device has no stages to compare")

    def test_the_first_stage_that_differs(self):
        lines = self.explained("--explain", "20,40", BOW_TIE, status=4, render=FAULTY)
        found = r": #aa2255ff; \d+ of 4096 pixels differ from the reference, the first at 16,16$"
        self.assertRegex(lines[-3], "^cpu" + found)
        self.assertRegex(lines[-2], "^gpu, .+" + found)
        self.assertRegex(lines[-1], r"^     the first difference is of 07 wind: TILE_PATHS, item \d+ of \d+: "
                                    "word 6 is ffffffff, the reference has fffffffe$")

    def test_stages_of_parts_are_not_compared(self):
        dashes = os.path.join(SOURCE, "scenes/stress/dashes.svg")
        lines = self.explained("--device", "gpu", "--memory-budget", "1M", "-w", "350", "--explain", "0,0", dashes)
        self.assertEqual([line for line in lines if line.startswith("cpu")], [])  # the one that was asked for
        self.assertRegex(lines[-3], "^reference: ")
        self.assertRegex(lines[-2], "^gpu, .+: the same picture$")
        self.assertRegex(lines[-1], r"^     stages are not compared: the frame is drawn in parts")


if __name__ == "__main__":
    unittest.main()
