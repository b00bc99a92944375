#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Gives documents of strangers to the command as it is released: replay.py [--few | FOLDER...]. Each must end within
5 s of processor time and 1 GB, on one thread, in a picture or in one clear line. Without folders it takes the fuzz
targets' seeds and those of hostile.py, of which sized_* are drawn in several sizes. --few is for tests by day, which
must not depend on the machine's speed: it takes those documents that end soon, in one size, and judges memory and
lines, but time only where a document hangs."""
import os
import resource
import subprocess
import sys
import tempfile

SECONDS = 5
MEBIBYTES = 1024
RENDER = os.environ.get("PIETRA_RENDER", "build/release/render")
HERE = os.path.dirname(os.path.abspath(__file__))


HANGS_SECONDS = 60
WIDTHS = 64, 1000, 4096


def limit():
    resource.setrlimit(resource.RLIMIT_CPU, (HANGS_SECONDS, HANGS_SECONDS))
    resource.setrlimit(resource.RLIMIT_DATA, (4 * MEBIBYTES << 20, 4 * MEBIBYTES << 20))


def draw(path, output, width, seconds_most):
    """Returns what is wrong, or None."""
    with tempfile.TemporaryFile() as errors:
        child = subprocess.Popen([RENDER, "-q", "--device", "cpu", "--threads", "1", "-w", str(width), path, output], stdin=subprocess.DEVNULL,
                                 stdout=subprocess.DEVNULL, stderr=errors, preexec_fn=limit)
        _, status, usage = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
        errors.seek(0)
        lines = errors.read().decode("utf-8", "strict").splitlines()
    seconds = usage.ru_utime + usage.ru_stime
    if child.returncode not in (0, 1, 2, 3):
        return f"status {child.returncode} {lines[:3]}"
    if seconds > seconds_most or usage.ru_maxrss > MEBIBYTES << 10:
        return f"{seconds:.1f} s, {usage.ru_maxrss >> 10} MiB, status {child.returncode}"
    if child.returncode == 0 and not os.path.exists(output):
        return "no picture"
    if child.returncode != 0 and (len(lines) != 1 or not lines[0].startswith("render: ")):
        return f"status {child.returncode} with {len(lines)} lines: {lines[:3]}"
    return None


def replay(folders, output, seconds_most):
    bad = count = 0
    for folder in folders:
        for name in sorted(os.listdir(folder)):
            for width in WIDTHS if name.startswith("sized_") and seconds_most < HANGS_SECONDS else WIDTHS[:1]:
                if os.path.exists(output):
                    os.unlink(output)
                wrong = draw(os.path.join(folder, name), output, width, seconds_most)
                count += 1
                if wrong:
                    bad += 1
                    print(f"{os.path.join(folder, name)}, {width} pixels wide: {wrong}", flush=True)
    print(f"{count} documents, {bad} of them too much")
    return bad


def main():
    with tempfile.TemporaryDirectory() as room:
        folders, few = sys.argv[1:], sys.argv[1:] == ["--few"]
        if few or not folders:
            folders = [os.path.join(HERE, "corpus/svg"), os.path.join(room, "hostile")]
            subprocess.run([sys.executable, "-B", os.path.join(HERE, "hostile.py"), folders[1]] + ["few"] * few, check=True)
        sys.exit(replay(folders, os.path.join(room, "out.png"), HANGS_SECONDS if few else SECONDS) > 0)


if __name__ == "__main__":
    main()
