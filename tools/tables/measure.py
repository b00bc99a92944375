#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Measures what the tables of docs (write.py names the pages) show, and writes it as JSON, for write.py.

    measure.py --out FILE --build DIR --commit HASH --scenes FOLDER [--only TABLE,...] [--processor NAME] [--runs N]
               [--seconds S] [--frames-peer 'NAME=COMMAND {size} {input}']
               [--processor-peer 'NAME=COMMAND {threads} {size} {input}']
               [--command-peer 'COMMAND {width} {input} {output}'] [--primitives-peer 'NAME=FILE']
               [--text-peer 'COMMAND {width} {input} {output}' ...] [--text-fonts FOLDER] [--filtered FILE.svg]
               [--interfaces FOLDER]

--runs is of each command, --seconds of each frame on the CPU. A peer is measured right after each of our figures, on
the same machine. A frame's peer is a command whose last word is its milliseconds; a peer of the primitives is a text of
lines "CASE ITEMS MICROSECONDS", measured before. --text-fonts holds DejaVu Sans, in which the texts of the table
"texts" are; whole commands take it from the system. --filtered is the drawing with filters of the tables "filters" and
"filters_gpu". --interfaces holds pictures of user interfaces, for the tables "interface_frames", which needs a
GPU, and "interface_frames_cpu".
Nothing else should run."""

import argparse
import datetime
import json
import math
import os
import re
import shlex
import subprocess
import sys
import tempfile

import filters
import texts

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.append(os.path.join(HERE, ".."))
import compare_commands
import processor
SIZES = (1024, 2048, 4096)
STAGE_SIZE = 2048
SIDES = (1024, 4096)
WARM_FRAMES = 20
INTERFACE_WIDTH = 3840
INTERFACE_WIDTH_CPU = 1920


def output_of(*command):
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True)
    if done.returncode != 0:
        raise SystemExit(f"{shlex.join(map(str, command))}: status {done.returncode}: {done.stderr.strip()}")
    return done.stdout


def peer_ms(peer, **values):
    """None where there is no peer, or it draws nothing."""
    if peer is None:
        return None
    words = [word.format(**values) for word in shlex.split(peer.partition("=")[2])]
    done = subprocess.run(words, capture_output=True, text=True)
    try:
        return float(done.stdout.split()[-1])
    except (IndexError, ValueError):
        return None


class Measurement:
    def __init__(self, options):
        self.options = options
        self.scenes = sorted(name[:-4] for name in os.listdir(options.scenes) if name.endswith(".svg"))
        self.folder = tempfile.TemporaryDirectory()

    def scene(self, name):
        return os.path.join(self.options.scenes, name + ".svg")

    def program(self, name):
        return os.path.join(self.options.build, name)

    def render(self):
        """The command as peers are given."""
        return self.program("render") + " -q --device cpu -w {width} {input} {output}"

    def scratch(self, name):
        return os.path.join(self.folder.name, name)

    def timing(self, scene, size):
        output_of(
            self.program("render"),
            "-q",
            "--device",
            "gpu",
            "--repeat",
            WARM_FRAMES,
            "-w",
            size,
            "-h",
            size,
            "--compression",
            "fast",
            "--timing",
            self.scratch("timing"),
            self.scene(scene),
            self.scratch("picture.png"),
        )
        with open(self.scratch("timing"), encoding="utf-8") as file:
            return json.load(file)

    def gpu_frames(self):
        self.timing(self.scenes[0], SIZES[0])  # an idle GPU's clock is low
        rows = {}
        for scene in self.scenes:
            rows[scene] = {"frames": {}}
            for size in SIZES:
                timing = self.timing(scene, size)
                peer = peer_ms(self.options.frames_peer, size=size, input=self.scene(scene))
                rows[scene]["frames"][size] = [timing["gpu_ms"], peer]
                if size == STAGE_SIZE:
                    rows[scene].update(
                        memory=timing["memory_bytes"],
                        upload=timing["upload_ms"],
                        encode=timing["encode_ms"],
                        stages=[[stage["name"], stage["ms"]] for stage in timing["stages"]],
                    )
                device = timing["device"]
        return {"device": device, "peer": name_of(self.options.frames_peer), "rows": rows}

    def frame_of(self, scene, size, threads):
        """Milliseconds to read, to encode and to draw."""
        clock = [] if threads == 1 else ["--wall"]
        text = output_of(
            self.program("frames"),
            *clock,
            *("--threads", threads, "--size", size, "--seconds", self.options.seconds),
            self.scene(scene),
        )
        return [float(word) for word in text.splitlines()[-1].split()[-4:-1]]

    def cpu_frames(self):
        rows = {}
        for scene in self.scenes:
            rows[scene] = []
            for size in SIDES:
                for threads in (1, os.cpu_count()):
                    read, encode, frame = self.frame_of(scene, size, threads)
                    peer = peer_ms(self.options.processor_peer, threads=threads, size=size, input=self.scene(scene))
                    rows[scene].append(
                        {
                            "size": size,
                            "threads": threads,
                            "ms": encode + frame,
                            "peer": peer,
                            "read": read,
                            "encode": encode,
                        }
                    )
        return {"device": self.options.processor, "peer": name_of(self.options.processor_peer), "rows": rows}

    def png(self):
        rows = {}
        for scene in self.scenes:
            rows[scene] = []
            for size in SIDES:
                picture = self.scratch("picture.png")
                output_of(
                    self.program("render"), "-q", "--device", "cpu", "-w", size, "-h", size, self.scene(scene), picture
                )
                speeds = re.search(
                    r"libdeflate +(\d+) +fast +(\d+) MB/s, size ([\d.]+).*default +(\d+) MB/s, size ([\d.]+)",
                    output_of(self.program("png_speed"), picture),
                )
                rows[scene].append([float(word) for word in speeds.groups()])
        return {"device": self.options.processor, "rows": rows}

    def commands(self):
        text = output_of(
            sys.executable,
            os.path.join(HERE, "../compare_commands.py"),
            "--runs",
            self.options.runs,
            "--peer",
            self.options.command_peer,
            self.program("render") + " --device cpu",
            *map(self.scene, self.scenes),
        )
        rows = {line.split()[0]: [float(word) for word in line.split()[1:]] for line in text.splitlines()[1:]}
        return {
            "device": self.options.processor,
            "peer": program_of(self.options.command_peer),
            "rows": rows,
        }

    def linearity(self):
        pattern = (
            r"(\d+) shapes: build +(\d+), encode +(\d+), frame +(\d+) ns a shape; encode and frame +(\d+), ([\d.]+)"
        )
        rows = [[float(word) for word in found] for found in re.findall(pattern, output_of(self.program("linearity")))]
        return {"device": self.options.processor, "rows": rows}

    def filters(self):
        """Frames of which nothing is kept, and whole commands."""
        rows = {}
        for name, (path, width) in filters.write(self.folder.name, self.options.filtered).items():
            commands = self.least_of([self.render(), *self.options.text_peer], path, 60, width)
            rows[name] = {"frame": self.frame_of_file(path, width, "--zooming"), "commands": commands}
        peers = list(map(program_of, self.options.text_peer))
        return {"device": self.options.processor, "peers": peers, "rows": rows}

    def filters_gpu(self):
        rows = {}
        for name, (path, width) in filters.write(self.folder.name, self.options.filtered).items():
            command = self.least_of([self.options.command_peer], path, 60, width)[0][0]
            rows[name] = [self.frame_of_file(path, width, "--gpu", *zooming) for zooming in (("--zooming",), ())]
            rows[name].append(command)
        device = self.timing(self.scenes[0], SIZES[0])["device"]
        return {"device": device, "peer": program_of(self.options.command_peer), "rows": rows}

    def frame_of_file(self, path, size, *options):
        text = output_of(self.program("frames"), *options, "--size", size, "--seconds", self.options.seconds, path)
        return float(text.splitlines()[-1].split()[-2])

    def least_of(self, commands, path, seconds, width=800):
        """The least processor milliseconds of runs in turn, and MiB, for each command. None: it took too long."""
        words = [
            [word.format(width=width, input=path, output=self.scratch("picture.png")) for word in shlex.split(command)]
            for command in commands
        ]
        rows = []
        for command in words:
            limited = ["timeout", str(seconds), *command]
            try:
                compare_commands.run(limited, None)
                rows.append([math.inf, compare_commands.peak(command, self.folder.name)])
            except SystemExit:
                rows.append([None, None])
        for _ in range(self.options.runs):
            for row, command in zip(rows, words):
                if row[0]:
                    row[0] = min(row[0], compare_commands.run(command, None)[1])
        return rows

    def texts(self):
        commands = [self.render(), *self.options.text_peer]
        rows = {}
        for name, path in texts.write(self.folder.name).items():
            frame = output_of(
                self.program("frames"),
                *("--fonts", self.options.text_fonts, "--size", 800, "--seconds", self.options.seconds),
                path,
            )
            parts = [float(word) for word in frame.splitlines()[-1].split()[-4:-1]]
            rows[name] = {"commands": self.least_of(commands, path, 60), "parts": parts}
            if name == "a first text":  # /dev/null is no folder, so there is no index
                without = ["env XDG_CACHE_HOME=/dev/null " + self.render()]
                rows["the same without the index"] = {
                    "commands": self.least_of(without, path, 60) + [[None, None]] * len(self.options.text_peer),
                    "parts": [None, None, None],
                }
        return {
            "device": self.options.processor,
            "peers": list(map(program_of, self.options.text_peer)),
            "faces": len(output_of("fc-list").splitlines()),
            "rows": rows,
        }

    def interface_frames(self):
        return self.frames_of_interfaces(INTERFACE_WIDTH)

    def interface_frames_cpu(self):
        table = self.frames_of_interfaces(INTERFACE_WIDTH_CPU, "--cpu", "--frames", 40)
        return {**table, "device": self.options.processor}

    def frames_of_interfaces(self, width, *options):
        files = sorted(name for name in os.listdir(self.options.interfaces) if name.endswith(".svg"))
        paths = [os.path.join(self.options.interfaces, name) for name in files]
        lines = output_of(self.program("interface_frames"), *options, "--width", width, *paths).splitlines()
        cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines[1:] if line.startswith("| ")]
        rows = [[*row[:2], *map(float, row[2:10])] for row in cells[1:]]
        return {"device": lines[0], "width": width, "rows": rows}

    def glyph_runs(self):
        font = os.path.join(HERE, "../../tests/golden/fonts/DejaVuSans.ttf")
        device, rows = None, {}
        for kind in ("gpu", "cpu"):
            lines = output_of(self.program("glyph_runs"), "--device", kind, font).splitlines()
            device = device or lines[0]
            for line in lines[2:]:
                name, *numbers = line.split()
                rows[f"{kind.upper()}, {name}"] = [float(number) for number in numbers]
        return {"device": device, "rows": rows}

    def primitives(self):
        rows, peer = {}, {}
        for least, most, cases in ((10, 22, []), (24, 28, ["--runs", "10"])):
            output_of(
                self.program("bench"),
                "--min",
                least,
                "--max",
                most,
                "--json",
                self.scratch("bench"),
                "--no-check",
                *cases,
            )
            with open(self.scratch("bench"), encoding="utf-8") as file:
                measured = json.load(file)
            for row in measured["rows"]:
                rows.setdefault(row["case"], {})[row["n"]] = row["median_us"]
        if self.options.primitives_peer:
            with open(self.options.primitives_peer.partition("=")[2], encoding="utf-8") as file:
                for line in file:
                    words = line.split()
                    if len(words) >= 3 and not line.startswith("#"):
                        peer.setdefault(words[0], {})[int(words[1])] = float(words[2])
        return {
            "device": measured["device"],
            "peer": name_of(self.options.primitives_peer),
            "rows": rows,
            "peer_rows": peer,
        }

    def effect_kernels(self):
        pattern = (
            r" *(\d+) x \d+ +(.+?) +(\d+) jobs +([\d.]+) us +[\d.]+ MB"
            r"(?: +([\d.]+) us bound)?(?: +([\d.]+) us unstaged)?"
        )
        lines = output_of(self.program("effect_kernels")).splitlines()
        rows = {}
        for line in lines[1:]:
            side, name, jobs, *times = re.match(pattern, line).groups()
            row = rows.setdefault(name, {"jobs": int(jobs), "sides": {}})
            row["sides"][side] = [time and float(time) for time in times]
        return {"device": lines[0], "rows": rows}


TABLES = (
    "gpu_frames",
    "cpu_frames",
    "png",
    "commands",
    "linearity",
    "primitives",
    "effect_kernels",
    "filters",
    "filters_gpu",
    "texts",
    "glyph_runs",
    "interface_frames",
    "interface_frames_cpu",
)


def name_of(peer):
    return peer and peer.partition("=")[0]


def program_of(command):
    return os.path.basename(shlex.split(command)[0])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ("out", "build", "commit", "scenes"):
        parser.add_argument("--" + name, required=True)
    parser.add_argument("--only", default=",".join(TABLES))
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=2)
    parser.add_argument("--processor", default=processor.name())
    for name in ("frames-peer", "processor-peer", "primitives-peer", "filtered"):
        parser.add_argument("--" + name)
    parser.add_argument("--command-peer", default="resvg -w {width} {input} {output}")
    parser.add_argument("--text-peer", action="append")
    parser.add_argument("--interfaces")
    parser.add_argument("--text-fonts", default="/usr/share/fonts/truetype/dejavu")
    measurement = Measurement(parser.parse_args())
    options = measurement.options
    options.text_peer = options.text_peer or ["resvg -w {width} {input} {output}", "rsvg-convert -w {width} -o {output} {input}"]
    for name in options.only.split(","):
        table = getattr(measurement, name)() if name in TABLES else parser.error(f"no table {name}")
        table.update(commit=options.commit, date=datetime.date.today().isoformat())
        measured = {}
        if os.path.exists(options.out):
            with open(options.out, encoding="utf-8") as file:
                measured = json.load(file)
        measured[name] = table
        with open(
            options.out, "w", encoding="utf-8"
        ) as file:  # after each table: what was measured stays when a later one fails
            json.dump(measured, file, indent=1)
        print(f"{name}: measured", flush=True)


if __name__ == "__main__":
    main()
