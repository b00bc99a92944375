#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The benchmark of the primitives as a program: its reports, its tuning table, what it says about bad arguments. It
does not test speed."""
import csv
import json
import os
import re
import subprocess
import tempfile
import unittest
import xml.etree.ElementTree

BENCH = os.environ["PIETRA_BENCH"]
SOURCE = os.environ["PIETRA_SOURCE"]
PATIENCE = 600
SMALL = ("--min", "9", "--max", "10", "--step", "1", "--runs", "2")
PRIMITIVES = ("copy", "scan", "segmented_scan", "compact", "split", "histogram", "sort_keys", "sort_pairs", "reorder", "quicksort", "stack")


class Bench(unittest.TestCase):
    """All tests share a folder, and with it the compiled programs. Mesa's own cache stays that of the user, because it takes
    half a minute to fill."""

    @classmethod
    def setUpClass(cls):
        scratch = tempfile.TemporaryDirectory()
        cls.addClassCleanup(scratch.cleanup)
        cls.folder = scratch.name
        user = os.environ.get("XDG_CACHE_HOME", os.path.expanduser("~/.cache"))
        # Drivers leak memory, and we cannot mend them.
        cls.environment = dict(os.environ, XDG_CACHE_HOME=cls.folder, ASAN_OPTIONS="detect_leaks=0")
        cls.environment.setdefault("MESA_SHADER_CACHE_DIR", user)

    def run_bench(self, *arguments):
        return subprocess.run([BENCH, *arguments], capture_output=True, text=True, cwd=self.folder, timeout=PATIENCE,
                              env=self.environment)

    def path(self, name):
        return os.path.join(self.folder, name)

    def test_reports(self):
        done = self.run_bench(*SMALL, "--csv", "a.csv", "--json", "a.json", "--plot", "a.svg")
        self.assertEqual(done.returncode, 0, done.stderr)
        with open(self.path("a.csv")) as file:
            rows = list(csv.DictReader(file))
        with open(self.path("a.json")) as file:
            report = json.load(file)
        self.assertEqual([row["case"] for row in rows], [row["case"] for row in report["rows"]])
        self.assertTrue(all(row["right"] for row in report["rows"]))
        self.assertEqual({row["n"] for row in report["rows"]}, {1 << 9, 1 << 10})
        for row in report["rows"]:
            self.assertLessEqual(0 < row["min_us"], row["median_us"] <= row["p90_us"], row)
        for name in PRIMITIVES:
            self.assertTrue(any(row["case"].startswith(name) for row in report["rows"]), name)
        self.assertEqual(xml.etree.ElementTree.parse(self.path("a.svg")).getroot().tag, "{http://www.w3.org/2000/svg}svg")

    def test_only(self):
        done = self.run_bench(*SMALL, "--only", "scan_incl,split", "--json", "-")
        self.assertEqual(done.returncode, 0, done.stderr)
        report = json.loads(done.stdout)
        self.assertRegex(done.stderr, "(?m)^split_4 ")
        self.assertEqual({row["case"] for row in report["rows"]}, {"scan_incl_u32", "segmented_scan_incl_u32", "split_4"})

    def test_occupancy(self):
        done = self.run_bench("--occupancy", "--plot", "o.svg")
        self.assertEqual(done.returncode, 0, done.stderr)
        for kernel in ("scan_begin", "scan", "segmented_scan", "compact_mark", "compact_list", "split", "histogram", "stack_monoid"):
            self.assertRegex(done.stdout, rf"(?m)^{kernel} ")
        with open(self.path("o.svg")) as file:
            text = file.read()
        xml.etree.ElementTree.fromstring(text)
        self.assertNotIn(": 1 workgroups", text)

    def test_occupancy_says_what_it_does_not_know(self):
        done = self.run_bench("--occupancy")
        by_registers = re.search(r"(?m) registers$", done.stdout)
        self.assertTrue(by_registers or re.search(r"(?m)^(The driver reports neither|How many registers)", done.stdout), done.stdout)

    def test_what_does_not_fit_is_named(self):
        """Each case is measured or skipped, with a reason: software devices cannot bind 2^27 words."""
        done = self.run_bench("--min", "27", "--max", "27", "--runs", "1", "--no-check", "--only", "copy,split", "--json", "a.json", "--csv", "a.csv")
        self.assertEqual(done.returncode, 0, done.stderr)
        with open(self.path("a.json")) as file:
            report = json.load(file)
        self.assertEqual({row["case"] for row in report["rows"] + report["skipped"]}, {"copy_u32", "split_4"})
        with open(self.path("a.csv")) as file:
            rows = {row["case"]: row for row in csv.DictReader(file)}
        for skip in report["skipped"]:
            self.assertRegex(skip["why"], "where the device binds|no memory")
            self.assertRegex(done.stdout, rf"(?m)^{skip['case']} +{skip['n']} skipped: {skip['why']}$")
            self.assertEqual(rows[skip["case"]]["skipped"], skip["why"])

    def test_tune(self):
        """Tunes parts of the table one after the other. Later runs read what was written."""
        folder = os.path.join(self.folder, "pietra")
        try:
            for entry in ("compact_invocations", "histogram_words"):
                done = self.run_bench("--tune", "--runs", "2", "--only", entry)
                self.assertEqual(done.returncode, 0, done.stderr)
                self.assertEqual(len(re.findall(r"(?m)^  kept: ", done.stdout)), 1, done.stdout)
                self.assertRegex(done.stdout, rf"(?m)^  kept: {entry}=\d+")
            names = [name for name in os.listdir(folder) if name.startswith("tuning-")]
            self.assertEqual(len(names), 1)
            with open(os.path.join(folder, names[0])) as file:
                text = file.read()
            self.assertIn(text, done.stdout)
            with open(os.path.join(SOURCE, "src", "primitive", "tuning.h")) as file:
                entries = re.findall(r"(?m)^    X\((\w+),", file.read())
            self.assertEqual([line.split()[0] for line in text.splitlines()[1:-1]], entries)
        finally:
            for name in os.listdir(folder):
                if name.startswith("tuning-"):
                    os.remove(os.path.join(folder, name))

    def test_tune_without_a_place_for_the_table(self):
        """The error is reported before anything is measured."""
        done = subprocess.run([BENCH, "--tune"], capture_output=True, text=True, cwd=self.folder, timeout=PATIENCE,
                              env=dict(os.environ, XDG_CACHE_HOME="/dev/null", HOME="/dev/null", ASAN_OPTIONS="detect_leaks=0"))
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        self.assertRegex(done.stderr, "(?m)^bench: the table cannot be written: ")

    def test_spin_limit(self):
        """This limit is more than a software device can poll without losing invocations. A ring of one slot makes all
        partitions wait."""
        done = self.run_bench("--spin-limit", "1000000", "--only", "sort_pairs_u32_b20_random", "--all", "--min", "13", "--max", "13", "--runs", "1",
                              "--set", "sort_ring_slots=1", "--set", "sort_ring_from=1", "--set", "sort_large_from=1")
        self.assertEqual(done.returncode, 0, done.stdout)

    def test_tune_nothing(self):
        done = self.run_bench("--tune", "--only", "no_such_entry")
        self.assertEqual(done.returncode, 2)
        self.assertRegex(done.stderr, r"^bench: --only no_such_entry")

    def test_bad_arguments(self):
        for arguments, text in ((("--min", "x"), "not a number"), (("--max", "29"), "0 to 28"), (("--runs", "0"), "1 to"),
                                (("--min", "12", "--max", "10"), "above"), (("--only",), "missing"), (("--frequency", "1"), "unknown"),
                                (("--set", "scan_rounds=99"), "scan_rounds=99"), (("--set", "scan_rounds=4x"), "scan_rounds=4x"),
                                (("--device", "no such device"), "no such device"), (("--csv", "no/such/folder"), "cannot be written")):
            done = self.run_bench(*arguments)
            self.assertEqual(done.returncode, 2, arguments)
            self.assertRegex(done.stderr, rf"^bench: .*{text}", arguments)
            self.assertEqual(done.stderr.count("\n"), 1, done.stderr)

    def test_options_that_do_nothing(self):
        for mode, option in (("--occupancy", ("--only", "scan")), ("--occupancy", ("--csv", "o.csv")), ("--tune", ("--json", "o.json")),
                             ("--tune", ("--all",)), ("--tune", ("--plot", "o.svg"))):
            done = self.run_bench(mode, *option)
            self.assertEqual((done.returncode, done.stderr), (2, f"bench: {option[0]} does nothing with {mode}\n"))
        done = self.run_bench(*SMALL, "--csv", "same", "--json", "same")
        self.assertEqual((done.returncode, done.stderr), (2, "bench: two reports would be written to same\n"))

    def test_reports_stay_when_nothing_is_measured(self):
        with open(self.path("old.csv"), "w") as file:
            file.write("old")
        done = self.run_bench(*SMALL, "--only", "no_such_case", "--csv", "old.csv")
        self.assertEqual((done.returncode, done.stderr), (2, "bench: --only no_such_case: no case has such a name\n"))
        with open(self.path("old.csv")) as file:
            self.assertEqual(file.read(), "old")

    def test_what_is_not_known_is_null(self):
        done = self.run_bench("--min", "10", "--max", "10", "--runs", "1", "--no-check", "--only", "quicksort", "--json", "-")
        row = json.loads(done.stdout)["rows"][0]
        self.assertEqual((row["right"], row["gbytes_per_s"], row["share_of_copy"]), (None, None, None))

    def test_a_full_disk(self):
        for options in (("--csv", "/dev/full"), ()):
            with open("/dev/full", "w") as full:
                done = subprocess.run([BENCH, "--min", "10", "--max", "10", "--runs", "1", "--only", "copy", *options], stdout=full,
                                      stderr=subprocess.PIPE, text=True, cwd=self.folder, timeout=PATIENCE, env=self.environment)
            self.assertEqual(done.returncode, 2)
            self.assertRegex(done.stderr, "cannot be written")

    def test_help(self):
        done = self.run_bench("--help")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertIn("--occupancy", done.stdout)


if __name__ == "__main__":
    unittest.main()
