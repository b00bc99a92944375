#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
"""many_machines.py [DOCUMENTS]: measures what docs/many_machines.md says of pietra.ray, on a local cluster. It needs
the package and its extra `ray`.

Documents are icons of 24 pixels, so that Ray's share is seen. Processor time is that of all processes: this one, Ray's and the
workers. A first run starts the workers and is not counted. What a run takes beside its documents is found by a run of a
fifth of them: a document's share is the difference of both."""
import os
import shutil
import sys
import tempfile
import time

os.environ.setdefault("RAY_worker_niceness", "0")  # on a busy machine workers would hardly run

import pietra
import pietra.ray
import ray
import ray.data

ICON = (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24"><g fill="none" stroke="#246" stroke-width="2"><circle cx="11" cy="11" r="{}"/>'
    '<path d="M16 16l6 6M8 11h6M11 8v6"/></g></svg>'
)
TICK = os.sysconf("SC_CLK_TCK")


def read_processor_time():
    """Returns the seconds that this process and those of Ray have taken."""
    total = 0.0
    for entry in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{entry}/cmdline", "rb") as file:
                command = file.read()
            with open(f"/proc/{entry}/stat") as file:
                fields = file.read().rsplit(")", 1)[1].split()
        except OSError:
            continue
        if int(entry) == os.getpid() or b"ray::" in command or b"/ray/" in command:
            total += (int(fields[11]) + int(fields[12])) / TICK
    return total


def measure(work):
    """Returns seconds, and seconds of processor time."""
    start, used = time.perf_counter(), read_processor_time()
    work()
    return time.perf_counter() - start, read_processor_time() - used


def print_row(what, workers, batch, work, count):
    """`work` draws as many documents as its argument says."""
    few, all_ = (measure(lambda: work(number)) for number in (count // 5, count))
    each = [(more - less) / (count - count // 5) for less, more in zip(few, all_)]
    rest = all_[1] - count * each[1]
    print(f"| {what} | {workers} | {batch} | {1 / each[0]:.0f} | {1e6 * each[1]:.0f} | {rest:.1f} |", flush=True)


def draw_here(paths, threads):
    for result in pietra.render_many(paths, threads=threads, then=pietra.Picture.png):
        assert isinstance(result, bytes)


def draw_by_ray(paths, out, batch):
    report = pietra.ray.render_dataset(paths, out, batch=batch, device="cpu")
    assert report.written == len(paths), report


def print_batches(paths, out):
    """Tells what a batch takes of the caller's processor time, by documents that are there and are not drawn."""
    draw_by_ray(paths, out, 256)
    used = []
    for batch in (256, 8):
        start = time.process_time()
        report = pietra.ray.render_dataset(paths, out, batch=batch, device="cpu")
        used.append(time.process_time() - start)
        assert report.there == len(paths), report
    batches = len(paths) / 8 - len(paths) / 256
    print(f"| a batch, of the caller's time | | | | {1e6 * (used[1] - used[0]) / batches:.0f} | |", flush=True)


def main():
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 20000
    scratch = tempfile.mkdtemp()
    try:
        paths = [os.path.join(scratch, f"{i}.svg") for i in range(count)]
        for i, path in enumerate(paths):
            with open(path, "w") as file:
                file.write(ICON.format(1 + i % 9))
        print("| what | workers | documents a batch | documents a second | processor time for each, us | for a run, s |")
        print("|---|---|---|---|---|---|")
        for threads in (1, 2):
            print_row("`render_many`", threads, "", lambda number: draw_here(paths[:number], threads), count)
        for workers in (1, 2):
            start = measure(lambda: ray.init(num_cpus=workers, include_dashboard=False, log_to_driver=False, object_store_memory=200 << 20))
            first = measure(lambda: draw_by_ray(paths[: count // 20], os.path.join(scratch, f"first-{workers}"), 16))
            for batch in (64, 256) if workers == 2 else (256,):
                folder = os.path.join(scratch, f"out-{workers}-{batch}")
                print_row("`render_dataset`", workers, batch, lambda number: draw_by_ray(paths[:number], f"{folder}-{number}", batch), count)
            if workers == 2:
                print_batches(paths[: count // 5], os.path.join(scratch, "batches"))
            print(f"| a cluster, and its first run | {workers} | | | | {start[1] + first[1]:.1f} |", flush=True)
            ray.shutdown()
    finally:
        shutil.rmtree(scratch)


if __name__ == "__main__":
    main()
