#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
"""--trace: when steps, threads and stages of the GPU were at work."""
import json
import os
import unittest
from decimal import Decimal

from support import CIRCLE, CPU, HALF, SANITIZED, CommandTest, limit_time, svg

STEPS = ["fonts", "read", "parse", "encode", "open the device", "frame", "write"]


class Trace(CommandTest):
    def draw(self, *arguments, **options):
        """Returns the names of tracks, and the spans: name, track, begin and end in nanoseconds."""
        self.assert_draws(*arguments, "--trace", "t.json", "in.svg", "out.png", **options)
        return self.check(self.read_bytes("t.json"))

    def check(self, data):
        """Checks what Perfetto expects of the trace event format, which leaves out what it does not understand."""
        trace = json.loads(data, parse_float=Decimal, object_pairs_hook=self.make_object)
        self.assertEqual(set(trace), {"displayTimeUnit", "traceEvents"})
        self.assertIn(trace["displayTimeUnit"], ("ms", "ns"))
        events = trace["traceEvents"]
        self.assertEqual(events[0], {"name": "process_name", "ph": "M", "pid": 1, "args": {"name": "render"}})
        names = [event for event in events[1:] if event["ph"] == "M"]
        self.assertEqual(events[1:len(names) + 1], names)  # names come first
        tracks = {}
        for event in names:
            self.assertEqual((event["name"], event["pid"], set(event)), ("thread_name", 1, {"name", "ph", "pid", "tid", "args"}))
            self.assertEqual(set(event["args"]), {"name"})
            self.assertNotIn(event["tid"], tracks)
            tracks[event["tid"]] = event["args"]["name"]
        self.assertEqual(sorted(tracks), list(range(1, len(tracks) + 1)))  # 0 would be the idle thread of the system
        self.assertEqual(len(set(tracks.values())), len(tracks))
        spans = [self.read_span(event, tracks) for event in events[len(names) + 1:]]
        self.assertEqual(spans[0][2], 0)
        self.assertEqual([span[2] for span in spans], sorted(span[2] for span in spans))
        self.assert_nested(spans)
        return tracks, spans

    def make_object(self, pairs):
        self.assertEqual(len(dict(pairs)), len(pairs), "a name stands twice in an object")
        return dict(pairs)

    def read_span(self, event, tracks):
        self.assertEqual((event["ph"], event["pid"], set(event)), ("X", 1, {"name", "ph", "pid", "tid", "ts", "dur"}))
        self.assertTrue(isinstance(event["name"], str) and event["name"])
        begin, duration = event["ts"] * 1000, event["dur"] * 1000
        self.assertTrue(begin >= 0 and duration >= 0 and begin % 1 == 0 and duration % 1 == 0, event)
        return event["name"], tracks[event["tid"]], int(begin), int(begin + duration)

    def assert_nested(self, spans):
        """Of two spans of a track, the earlier one holds the later one, or ends before it begins."""
        for track in {span[1] for span in spans}:
            around = []
            for span in spans:
                if span[1] != track:
                    continue
                while around and around[-1][3] <= span[2]:
                    around.pop()
                self.assertTrue(not around or span[3] <= around[-1][3], (span, around[-1:]))
                around.append(span)

    def test_steps_and_threads_of_the_cpu(self):
        self.write("in.svg", svg(CIRCLE * 500))
        tracks, spans = self.draw(*CPU, "--threads", "2", "--repeat", "3")
        self.assertEqual(tracks[1], "main thread")
        self.assertTrue(set(tracks.values()) <= {"main thread", "thread 2"})
        main = [span for span in spans if span[1] == "main thread"]
        self.assertEqual([name for name, *_ in sorted((span for span in main if span[0] in STEPS), key=lambda span: span[2])],
                         STEPS[:-1] + ["frame"] * 3 + STEPS[-1:])
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
        self.assertEqual((tracks[1], tracks[max(tracks)]), ("main thread", "GPU"))
        with open(self.path("time.json")) as file:
            timing = json.load(file)
        stages = [span for span in spans if span[1] == "GPU"]
        self.assertEqual({span[0] for span in stages}, {stage["name"] for stage in timing["stages"]})
        self.assertAlmostEqual(sum(span[3] - span[2] for span in stages) / 1e6, sum(stage["ms"] for stage in timing["stages"]), delta=0.1)
        frame = [span for span in spans if span[0] == "frame"][0]
        runs = [span for span in spans if span[0] == "run on the GPU"]
        self.assertTrue(all(frame[2] <= span[2] and span[3] <= frame[3] for span in stages + runs))
        self.assertTrue(all(any(span[3] <= run[3] for run in runs) for span in stages))

    def test_streams_and_wrong(self):
        self.write("in.svg", svg(HALF))
        self.write("bad.svg", "<svg")
        self.write("a.css", "")
        done = self.assert_draws(*CPU, "--trace", "-", "in.svg", "out.png")
        self.check(done.stdout)
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
