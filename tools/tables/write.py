#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Writes the tables of pages of docs from what measure.py measured: write.py MEASURED.json

A table stands between the lines "<!-- table NAME -->" and "<!-- end -->", which also hold its device, commit and date.
"""

import json
import math
import os
import re
import sys

PAGES = ("performance.md", "primitives.md", "effects.md", "text.md")
DOCS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../docs")
MIB = 1 << 20


def short(value):
    """Three digits, or all before the point; two behind it at most."""
    if value is None:
        return "-"
    return f"{value:.{0 if value >= 99.95 else 1 if value >= 9.995 else 2}f}"


def beside(ours, peer, has_peer):
    return f"{short(ours)} \\| {short(peer)}" if has_peer else short(ours)


def table_of(head, rows):
    lines = ["| " + " | ".join(head) + " |", "|" + "---|" * len(head)]
    return lines + ["| " + " | ".join(row) + " |" for row in rows]


def said(table, what):
    peer = f", Pietra \\| {table['peer']}" if table.get("peer") else ""
    return [f"{what}{peer}. {table['device']}; commit {table['commit']}; {table['date']}.", ""]


def mean_ratio(pairs):
    logs = [math.log(ours / peer) for ours, peer in pairs if ours and peer]
    return math.exp(sum(logs) / len(logs)) if logs else None


def gpu_frames(measured):
    table = measured["gpu_frames"]
    sizes = list(next(iter(table["rows"].values()))["frames"])
    rows = [
        [
            scene,
            *(beside(*row["frames"][size], table["peer"]) for size in sizes),
            f"{row['memory'] / MIB:.0f} MiB",
            short(row["upload"]),
            short(row["encode"]),
        ]
        for scene, row in table["rows"].items()
    ]
    return said(table, "Milliseconds of GPU time of a warm frame") + table_of(
        ["scene", *(f"{size} px" for size in sizes), "memory at 2048", "upload", "encode"], rows
    )


def gpu_stages(measured):
    table = measured["gpu_frames"]
    sums = {}
    for scene, row in table["rows"].items():
        sums[scene] = {}
        for name, milliseconds in row["stages"]:
            if name[:2].isdigit():
                sums[scene][name[:2]] = sums[scene].get(name[:2], 0) + milliseconds
    numbers = sorted({number for row in sums.values() for number in row})
    rows = [[scene, *(f"{1e3 * row.get(number, 0):.0f}" for number in numbers)] for scene, row in sums.items()]
    return said({**table, "peer": None}, "Microseconds at 2048 px, by the number of the stage") + table_of(
        ["scene", *numbers], rows
    )


def cpu_frames(measured):
    table = measured["cpu_frames"]
    columns = next(iter(table["rows"].values()))
    head = [
        "scene",
        *(f"{column['size']} px, {column['threads']} thread{'s' * (column['threads'] > 1)}" for column in columns),
    ]
    rows = [
        [scene, *(beside(one["ms"], one["peer"], table["peer"]) for one in row)] for scene, row in table["rows"].items()
    ]
    lines = said(
        table, "Milliseconds to encode and draw a frame: processor time on one thread, wall time on more"
    ) + table_of(head, rows)
    if table["peer"]:
        means = [
            mean_ratio((row[i]["ms"], row[i]["peer"]) for row in table["rows"].values()) for i in range(len(columns))
        ]
        lines += ["", "Geometric means of the ratios: " + ", ".join(f"{mean:.2f}" for mean in means if mean) + "."]
    return lines


def reading(measured):
    table = measured["cpu_frames"]
    rows = [[scene, short(row[0]["read"]), short(row[0]["encode"])] for scene, row in table["rows"].items()]
    return said({**table, "peer": None}, "Milliseconds of processor time on one thread") + table_of(
        ["scene", "SVG to scene", "scene to stream"], rows
    )


def png(measured):
    table = measured["png"]
    head = ["picture"] + [
        f"{size} px: libdeflate" if column == "libdeflate" else column
        for size in (1024, 4096)
        for column in ("libdeflate", "fast", "size", "default", "size")
    ]
    rows = [
        [scene, *(f"{value:.2f}" if i in (2, 4) else f"{value:.0f}" for one in row for i, value in enumerate(one))]
        for scene, row in table["rows"].items()
    ]
    return said(table, "MB of raw pixels a second, and sizes over libdeflate's first level") + table_of(head, rows)


def commands(measured):
    table = measured["commands"]
    head = ["scene", "ms", "peer", "ratio", "processor ms", "peer", "ratio", "peak MiB", "peer", "ratio"]
    head = [table["peer"] if word == "peer" else word for word in head]
    rows = [
        [scene, *(f"{value:.2f}" if i % 3 == 2 else short(value) for i, value in enumerate(row))]
        for scene, row in table["rows"].items()
    ]
    return said({**table, "peer": None}, "Whole commands at 1024 px: medians, runs in turn") + table_of(head, rows)


def texts(measured):
    table = measured["texts"]
    head = ["document", "processor ms", *table["peers"], "peak MiB", *table["peers"], "reading", "encoding", "frame"]
    rows = [
        [name, *(short(command[i]) for i in (0, 1) for command in row["commands"]), *map(short, row["parts"])]
        for name, row in table["rows"].items()
    ]
    what = (
        f"Whole commands at 800 px, {table['faces']} faces installed, the least of runs in turn; then parts of ours, on "
        "one thread"
    )
    return said(table, what) + table_of(head, rows)


def glyph_runs(measured):
    table = measured["glyph_runs"]
    head = ["device, glyphs as", "building the scene", "encoding", "upload", "frame", "of it 04 flatten", "MiB of stream"]
    rows = []
    for name, numbers in table["rows"].items():
        build, encode, upload, frame, flatten, _, stream_bytes, _ = numbers
        on_gpu = name.startswith("GPU")
        shown = [build, encode, upload if on_gpu else None, frame, flatten if on_gpu else None, stream_bytes / 2**20]
        rows.append([name, *("" if value is None else short(value) for value in shown)])
    what = "Milliseconds for 100,000 glyphs of 64 outlines at 2048 px; the host on one thread"
    return said(table, what) + table_of(head, rows)


def interface_frames(measured):
    table = measured["interface_frames"]
    head = ["file", "case", "lone frame", "99 of 100", "caller's thread", "GPU", "of 3 in flight", "buffers, MB"]
    head.append("counted first, %")
    rows = [
        [file, case, *(f"{value:.3f}" for value in times), f"{megabytes:.1f}", f"{counted:.0f}"]
        for file, case, *times, megabytes, counted, _ in table["rows"]
        if case in ("whole", "caret", "scroll")
    ]
    return said(table, f"Milliseconds, {table['width']} pixels wide") + table_of(head, rows)


def interface_frames_cpu(measured):
    table = measured["interface_frames_cpu"]
    cases = ("whole", "caret", "two", "one", "all")
    rows = {}
    for file, case, _, _, thread, *_ in table["rows"]:
        rows.setdefault(file, {})[case] = thread
    head = ["file", "whole", "caret", "two carets", "one of 2,000 icons moves", "all move"]
    what = f"Milliseconds of one thread, {table['width']} pixels wide"
    return said(table, what) + table_of(
        head, [[file, *(f"{row[case]:.3f}" for case in cases)] for file, row in rows.items()]
    )


def linearity(measured):
    table = measured["linearity"]
    head = ["shapes", "building the scene", "encoding", "frame", "encoding and frame", "over the first"]
    rows = [[f"{row[0]:,.0f}", *(f"{value:.0f}" for value in row[1:5]), f"{row[5]:.2f}"] for row in table["rows"]]
    return said(table, "Nanoseconds of processor time a shape, one thread") + table_of(head, rows)


# Columns: title, our case, the peer's.
BESIDE = [
    ("keys u32", "sort_keys_u32_b32_random", "sort_keys_u32"),
    ("pairs u32", "sort_pairs_u32_b32_random", "sort_pairs_u32_u32"),
    ("pairs, 20 bits", "sort_pairs_u32_b20_random", "sort_pairs_u32_u32_b20"),
    ("keys u64", "sort_keys_u64_b64_random", "sort_keys_u64"),
    ("scan", "scan_incl_u32", "scan_incl_u32"),
    ("compact", "compact_half", "select_if_u32_half"),
    ("histogram", "histogram_1x256_random", "hist256_u32_top8"),
]
OTHERS = [
    ("segmented scan", "segmented_scan_incl_u32"),
    ("split", "split_4"),
    ("pairs u64", "sort_pairs_u64_b64_random"),
]
SORTS = [
    ("sort", "sort_keys_u32_b32_random"),
    ("count, scan, reorder", "reorder_keys_u32_b32_random"),
    ("quicksort", "quicksort_keys_u32_b32_random"),
]
STACKS = [(kind, "stack_" + kind) for kind in ("random", "chain", "saw", "stairs", "comb")]


def by_items(table, columns, peer):
    counts = sorted({int(count) for column in columns for count in table["rows"].get(column[1], {})})
    rows = []
    for count in counts:
        cells = []
        for column in columns:
            ours = table["rows"].get(column[1], {}).get(str(count))
            theirs = table["peer_rows"].get(column[2], {}).get(str(count)) if peer else None
            cells.append(beside(ours, theirs, peer))
        rows.append([f"2^{count.bit_length() - 1}", *cells])
    return table_of(["items", *(column[0] for column in columns)], rows)


def beside_peer(measured):
    table = measured["primitives"]
    return said(table, "Microseconds, medians") + by_items(table, BESIDE, table["peer"])


def other_primitives(measured):
    table = measured["primitives"]
    return said({**table, "peer": None}, "Microseconds, medians") + by_items(table, OTHERS, None)


def sorts(measured):
    table = measured["primitives"]
    return said({**table, "peer": None}, "Microseconds, u32 keys") + by_items(table, SORTS, None)


def stacks(measured):
    table = measured["primitives"]
    return said({**table, "peer": None}, "Microseconds, by kind of nesting") + by_items(table, STACKS, None)


def effect_kernels(measured):
    table = measured["effect_kernels"]
    sides = sorted({int(side) for row in table["rows"].values() for side in row["sides"]})
    rows = []
    for name, row in table["rows"].items():
        cells = [beside(*row["sides"][str(side)][:2], True) for side in sides]
        time, _, unstaged = row["sides"][str(sides[-1])]
        rows.append([name, str(row["jobs"]), *cells, f"{unstaged / time:.2f}" if unstaged else ""])
    return said(table, "Microseconds, medians \\| what the bytes of the jobs take at the rate of the copy") + table_of(
        ["primitive", "jobs", *(f"{side} px" for side in sides), f"without shared memory, {sides[-1]} px"], rows
    )


def filters(measured):
    table = measured["filters"]
    head = ["drawing", "frame", "command", *table["peers"]]
    rows = [
        [name, short(row["frame"]), *(short(command[0]) for command in row["commands"])]
        for name, row in table["rows"].items()
    ]
    what = "Milliseconds of processor time: a frame on one thread, of which nothing was kept, and whole commands"
    return said(table, what) + table_of(head, rows)


def filters_gpu(measured):
    table = measured["filters_gpu"]
    head = ["drawing", "frame", "the same frame again", table["peer"]]
    rows = [[name, *map(short, row)] for name, row in table["rows"].items()]
    what = f"Milliseconds of GPU time of all stages, and of processor time of {table['peer']}'s whole command"
    return said({**table, "peer": None}, what) + table_of(head, rows)


MAKERS = {
    maker.__name__: maker
    for maker in (
        gpu_frames,
        gpu_stages,
        cpu_frames,
        reading,
        png,
        commands,
        texts,
        glyph_runs,
        interface_frames,
        interface_frames_cpu,
        linearity,
        beside_peer,
        other_primitives,
        sorts,
        stacks,
        effect_kernels,
        filters,
        filters_gpu,
    )
}


def main():
    if len(sys.argv) != 2:
        raise SystemExit(__doc__)
    with open(sys.argv[1], encoding="utf-8") as file:
        measured = json.load(file)
    for page in PAGES:
        path = os.path.join(DOCS, page)
        with open(path, encoding="utf-8") as file:
            text = file.read()

        def replaced(match):
            try:
                lines = MAKERS[match[1]](measured)
            except KeyError as error:  # not measured this time: the table stays
                print(f"{page}: {match[1]} stays, {error} is missing")
                return match[0]
            return f"<!-- table {match[1]} -->\n" + "\n".join(lines) + "\n<!-- end -->"

        text = re.sub(r"<!-- table (\w+) -->\n.*?<!-- end -->", replaced, text, flags=re.DOTALL)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)


if __name__ == "__main__":
    main()
