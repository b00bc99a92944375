#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
"""--trace: when steps, threads and stages of the GPU were at work."""
import json
import os
import unittest

from support import CIRCLE, CPU, HALF, SANITIZED, CommandTest, limit_time, svg

STEPS = ["fonts", "read", "parse", "encode", "open the device", "frame", "write"]


class Trace(CommandTest):
    def draw(self, *arguments, **options):
        """Returns the names of tracks, and the spans: name, track, begin and end in microseconds."""
        self.assert_draws(*arguments, "--trace", "t.json", "in.svg", "out.png", **options)
        with open(self.path("t.json")) as file:
            events = json.load(file)["traceEvents"]
        self.assertEqual(events[0], {"name": "process_name", "ph": "M", "pid": 1, "args": {"name": "render"}})
        tracks = {event["tid"]: event["args"]["name"] for event in events[1:] if event["ph"] == "M"}
        spans = [(event["name"], tracks[event["tid"]], event["ts"], event["ts"] + event["dur"]) for event in events if event["ph"] == "X"]
        self.assertEqual(len(spans) + len(tracks) + 1, len(events))
        for event in events:
            self.assertEqual(event["pid"], 1)
            self.assertGreaterEqual(event.get("ts", 0), 0)
            self.assertGreaterEqual(event.get("dur", 0), 0)
        return tracks, spans

    def assert_nested(self, spans):
        """Of two spans of a track, one holds the other or they are apart."""
        slack = 0.01
        for name, track, begin, end in spans:
            for other, other_track, other_begin, other_end in spans:
                apart = end <= other_begin + slack or other_end <= begin + slack
                inside = begin <= other_begin + slack and other_end <= end + slack
                around = other_begin <= begin + slack and end <= other_end + slack
                self.assertTrue(track != other_track or apart or inside or around, (name, other))

    def test_steps_and_threads_of_the_cpu(self):
        self.write("in.svg", svg(CIRCLE * 500))
        tracks, spans = self.draw(*CPU, "--threads", "2", "--repeat", "3")
        self.assertEqual(tracks[1], "main thread")
        self.assertTrue(set(tracks.values()) <= {"main thread", "thread 2"})
        main = [span for span in spans if span[1] == "main thread"]
        self.assertEqual([name for name, *_ in sorted((span for span in main if span[0] in STEPS), key=lambda span: span[2])],
                         STEPS[:-1] + ["frame"] * 3 + STEPS[-1:])
        self.assert_nested(spans)
        frames = [span for span in spans if span[0] == "frame"]
        for name in ("flatten", "paint"):
            found = [span for span in spans if span[0] == name]
            self.assertGreaterEqual(len(found), 4, name)
            self.assertTrue(all(any(frame[2] <= span[2] and span[3] <= frame[3] for frame in frames) for span in found), name)
        self.assertEqual({span[0] for span in spans}, {*STEPS, "flatten", "paint"})

    @unittest.skipIf(SANITIZED, "drivers are not ours to sanitize")
    def test_stages_of_a_gpu(self):
        self.need_gpu()
        self.write("in.svg", svg(CIRCLE))
        tracks, spans = self.draw("--device", "gpu", "--timing", "time.json", prepare=limit_time)
        self.assertEqual((tracks[0], tracks[1]), ("GPU", "main thread"))
        self.assert_nested(spans)
        with open(self.path("time.json")) as file:
            timing = json.load(file)
        stages = [span for span in spans if span[1] == "GPU"]
        self.assertEqual({span[0] for span in stages}, {stage["name"] for stage in timing["stages"]})
        self.assertAlmostEqual(sum(span[3] - span[2] for span in stages) / 1000, sum(stage["ms"] for stage in timing["stages"]), delta=0.1)
        runs = [span for span in spans if span[0] == "run on the GPU"]
        self.assertTrue(all(any(span[3] <= run[3] + 0.01 for run in runs) for span in stages))

    def test_streams_and_wrong(self):
        self.write("in.svg", svg(HALF))
        self.write("bad.svg", "<svg")
        self.write("a.css", "")
        done = self.assert_draws(*CPU, "--trace", "-", "in.svg", "out.png")
        self.assertIn("traceEvents", json.loads(done.stdout))
        os.unlink(self.path("out.png"))
        for pattern, *arguments in (("--trace is INPUT", "--trace", "in.svg", "in.svg", "out.png"), ("OUTPUT and --trace are the same", "--trace", "-", "in.svg", "-"),
                                    ("--trace is INPUT", "--trace", "in.svg", "in.svg#v", "out.png"), ("--timing is INPUT", "--timing", "in.svg", "in.svg#v", "out.png"),
                                    ("--trace is the style sheet", "--trace", "a.css", "--stylesheet", "a.css", "in.svg", "out.png"),
                                    ("--timing is the style sheet", "--timing", "./a.css", "--stylesheet", "a.css", "in.svg", "out.png"),
                                    ("--timing and --trace are the same", "--trace", "a", "--timing", "a", "in.svg", "out.png"),
                                    ("--trace is for one picture", "--trace", "a", "--output-dir", "out", "in.svg"),
                                    ("--trace is for one picture", "--trace", "a", "--info", "in.svg"),
                                    ("--skip-existing goes with no", "--trace", "a", "--skip-existing", "in.svg", "out.png"),
                                    ("none/a: cannot write", "--trace", "none/a", "in.svg", "out.png"), ("bad.svg:1: ", "--trace", "a", "bad.svg", "out.png")):
            self.assert_fails(1, pattern, *CPU, *arguments)
        self.assertEqual(self.files(), ["a.css", "bad.svg", "in.svg"])
        self.assert_fails(1, "/dev/full: cannot write: No space left", *CPU, "--trace", "/dev/full", "in.svg", "out.png")
        self.assertEqual(self.files(), ["a.css", "bad.svg", "in.svg", "out.png"])


if __name__ == "__main__":
    unittest.main()
