#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Compares whole commands: wall time, processor time and peak memory of render and of a peer, run in turn.

    compare_commands.py [--runs N] [--width N] [--pin CPU,...] [--peer 'COMMAND {width} {input} {output}'] RENDER FILE.svg ...

Prints for each file the medians of both, and the median of the ratios of neighbouring runs. The peer is resvg by
default; --peer '' leaves it out. RENDER may have arguments ("render --device cpu"). Memory is that of one run, and
needs GNU time(1)."""
import argparse
import os
import shlex
import statistics
import subprocess
import tempfile
import time


def run(command, cpus):
    start = time.monotonic()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                               preexec_fn=(lambda: os.sched_setaffinity(0, cpus)) if cpus else None)
    message = process.stderr.read()
    _, status, usage = os.wait4(process.pid, 0)
    process.stderr.close()
    process.returncode = status
    if status != 0:
        raise SystemExit(f"{shlex.join(command)}: status {status}: {message.decode(errors='replace')}")
    return 1e3 * (time.monotonic() - start), 1e3 * (usage.ru_utime + usage.ru_stime)


def peak(command, folder):
    """Measures with time(1), because a child starts with the size of the process that made it."""
    name = os.path.join(folder, "peak")
    subprocess.run(["time", "-f", "%M", "-o", name, *command], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    with open(name) as file:
        return int(file.read()) / 1024


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--width", type=int, default=1024)
    parser.add_argument("--pin", type=lambda text: {int(cpu) for cpu in text.split(",")}, default=None)
    parser.add_argument("--peer", default="resvg -w {width} {input} {output}")
    parser.add_argument("render")
    parser.add_argument("files", nargs="+")
    options = parser.parse_args()
    templates = [options.render + " -w {width} {input} {output}", options.peer][:2 if options.peer else 1]
    print(f"{'file':26}{'ms':>9}{'peer':>9}{'ratio':>7}{'cpu ms':>9}{'peer':>9}{'ratio':>7}{'MiB':>8}{'peer':>8}{'ratio':>7}")
    with tempfile.TemporaryDirectory() as folder:
        for file in options.files:
            commands = [[part.format(width=options.width, input=file, output=os.path.join(folder, f"{i}.png")) for part in shlex.split(template)]
                        for i, template in enumerate(templates)]
            rounds = [[run(command, options.pin) for command in commands] for _ in range(options.runs + 1)][1:]
            line = f"{os.path.basename(file)[:-4]:26}"
            for measure in range(2):
                line += "".join(f"{statistics.median(one[i][measure] for one in rounds):9.1f}" for i in range(len(commands)))
                if options.peer:
                    line += f"{statistics.median(one[0][measure] / one[1][measure] for one in rounds):7.2f}"
            peaks = [peak(command, folder) for command in commands]
            line += "".join(f"{megabytes:8.1f}" for megabytes in peaks) + (f"{peaks[0] / peaks[1]:7.2f}" if options.peer else "")
            print(line, flush=True)


if __name__ == "__main__":
    main()
