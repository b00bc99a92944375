#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Compares the instructions that two builds of render retire under callgrind, for the whole command and for one warm
frame.

    compare_instructions.py [--width N] BEFORE AFTER FILE.svg ...

Uses one thread on the CPU device. A frame is the difference between --repeat 2 and --repeat 1. Valgrind treats
processors that it does not know as lesser ones: it runs the CPU device's kernels for AVX2."""
import argparse
import os
import re
import subprocess
import tempfile


def count(render, width, repeat, file, folder):
    done = subprocess.run(["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", render, "-q", "--device", "cpu", "--threads", "1",
                           "--repeat", str(repeat), "--timing", "/dev/null", "-w", str(width), file, os.path.join(folder, "out.png")], capture_output=True, text=True)
    if done.returncode != 0:
        raise SystemExit(done.stderr)
    return int(re.search(r"Collected : (\d+)", done.stderr)[1])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--width", type=int, default=1024)
    parser.add_argument("before")
    parser.add_argument("after")
    parser.add_argument("files", nargs="+")
    options = parser.parse_args()
    print(f"{'file':26}{'command':>10}{'after':>10}{'ratio':>8}{'frame':>10}{'after':>10}{'ratio':>8}   millions")
    with tempfile.TemporaryDirectory() as folder:
        for file in options.files:
            counts = [[count(render, options.width, repeat, file, folder) for repeat in (1, 2)] for render in (options.before, options.after)]
            line = f"{os.path.basename(file)[:-4]:26}"
            for before, after in ((counts[0][0], counts[1][0]), (counts[0][1] - counts[0][0], counts[1][1] - counts[1][0])):
                line += f"{before / 1e6:10.1f}{after / 1e6:10.1f}{after / before:8.3f}"
            print(line, flush=True)


if __name__ == "__main__":
    main()
