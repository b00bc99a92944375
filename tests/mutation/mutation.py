#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
"""mutation.py [--seed N] [--count N] [--only FOLDER] [--list] [--again] [--longest SECONDS] [--minutes N]
            [--jobs N] [--work FOLDER]

Changes one line at a time (a sign, a constant, a comparison, a dropped check or statement, swapped operands), builds,
and runs the tests until one fails. A change that no test notices names a rule that no test states: it gets a test, or
an entry in the file `equivalent`, which says why it changes nothing.

The changes are drawn by a seed, spread over all folders of src, tools/render and shaders. Sources, builds and results
lie in a scratch folder (build/mutation). A test is run only where the change made another program of it. All changes are
tried with the tests that are near to them, those that survive with all others, and those that still survive with the
quick tests under the sanitizers. The status is 1 where something survived.

--list prints the changes without trying them. --again goes on where the last run stopped, and tries again what survived
there. --longest leaves out the tests that take more than so many seconds of the processor: what survives then may not
survive them. --minutes tries no more after that time: what the near tests did not notice then counts as survived."""
import argparse
import collections
import json
import os
import signal
import sys
import time

import mutants
import trial

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
EQUIVALENT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "equivalent")
# What does not count: the compiler took none of it, or it made the same programs.
DRAWN_AGAIN = ("invalid", "same")
# Tests of the build that a change of a line cannot break, or that are for whole nights.
LEFT_OUT = ("package", "hardened", "includes")


def say(text):
    print(text, file=sys.stderr, flush=True)


def read_equivalent():
    """(file, line, changed line) -> why this changes nothing."""
    reasons, path, before, after = {}, None, None, None
    with open(EQUIVALENT) as file:
        for line in file:
            line = line.rstrip("\n")
            if line.startswith("- "):
                before = line[2:].strip()
            elif line.startswith("+"):
                after = line[1:].strip()
            elif line.startswith("  "):
                reasons[path, before, after] = (reasons.get((path, before, after), "") + " " + line.strip()).strip()
            elif line and not line.startswith("#"):
                path = line
    return reasons


def key_of(mutant):
    return mutant.path, mutant.before.strip(), mutant.after.strip()


def report_stale(reasons):
    for path, before, _ in reasons:
        try:
            with open(os.path.join(ROOT, path)) as file:
                stands = any(line.strip() == before for line in file)
        except FileNotFoundError:
            stands = False
        if not stands:
            say(f"equivalent: {path} has no line any more: {before}")


class Results:
    """What became of each change, in a file that grows by a line each."""

    def __init__(self, path, again):
        self.path, self.done = path, {}
        if not again:
            open(path, "w").close()
        elif os.path.exists(path):
            with open(path) as file:
                for line in file:
                    entry = json.loads(line)
                    self.done[tuple(entry["key"])] = entry["outcome"], entry["by"]
        self.done = {key: result for key, result in self.done.items() if result[0] not in ("survived", "unharmed")}

    def find(self, mutant):
        return self.done.get(key_of(mutant))

    def add(self, mutant, outcome, by):
        self.done[key_of(mutant)] = outcome, by
        with open(self.path, "a") as file:
            file.write(json.dumps({"key": key_of(mutant), "outcome": outcome, "by": by}) + "\n")


def describe(mutant, outcome):
    return (f"{mutant.path}:{mutant.line}: {mutant.kind}: {outcome}\n"
            f"    - {mutant.before.strip()}\n    + {mutant.after.strip()}")


def say_outcome(mutant, outcome, by):
    say(describe(mutant, f"{outcome} {by}"))


def try_mutant(mutant, build, far):
    path = os.path.join(build.tree, mutant.path)
    with open(path) as file:
        original = file.read()
    lines = original.splitlines(keepends=True)
    lines[mutant.line - 1] = mutant.after + "\n"
    try:
        with open(path, "w") as file:
            file.writelines(lines)
        return build.try_change(mutant.path, far)
    finally:
        with open(path, "w") as file:
            file.write(original)


def try_all(folders, shares, end, build, results, reasons):
    """Tries the mutants that count with the near tests. Gives these mutants, and those that were drawn before them."""
    # One of each folder in turn: a run that is cut short saw all folders.
    drawn, queues, wanted = [], {folder: list(reversed(mutants)) for folder, mutants in folders.items()}, dict(shares)
    while any(wanted[folder] and queues[folder] for folder in queues) and time.monotonic() < end:
        for folder in queues:
            while wanted[folder] and queues[folder] and time.monotonic() < end:
                mutant = queues[folder].pop()
                if not results.find(mutant) and key_of(mutant) not in reasons:
                    outcome, by = try_mutant(mutant, build, False)
                    results.add(mutant, *(("unnoticed", by) if outcome in ("survived", "same") else (outcome, by)))
                outcome, by = results.find(mutant) or ("equivalent", "")
                say_outcome(mutant, outcome, by)
                drawn.append(mutant)
                if outcome not in DRAWN_AGAIN:
                    wanted[folder] -= 1
                    break
    return drawn


def try_unnoticed(drawn, end, build, results, reasons):
    """Tries what the near tests did not notice with all others."""
    for mutant in drawn:
        outcome, ran = results.find(mutant) or ("equivalent", "")
        if outcome == "unnoticed" and key_of(mutant) not in reasons and time.monotonic() < end:
            outcome, by = try_mutant(mutant, build, True)
            if outcome == "same" and ran:
                outcome, by = "survived", ran
            results.add(mutant, outcome, by)
            say_outcome(mutant, outcome, by)


def sanitize(drawn, build, results, reasons):
    """What the released build did not notice, under the sanitizers."""
    unnoticed = [mutant for mutant in drawn
                 if key_of(mutant) not in reasons and results.find(mutant)[0] == "survived"]
    if unnoticed:
        build.prepare()
    for mutant in unnoticed:
        for far in (False, True):
            outcome, by = try_mutant(mutant, build, far)
            if outcome == "killed":
                break
        by = f"{by}, sanitized" if outcome == "killed" else ""
        results.add(mutant, "killed" if outcome == "killed" else "unharmed", by)
        say_outcome(mutant, *results.find(mutant))


def report(drawn, results, reasons):
    """What became of each, and the score. True: nothing survived."""
    score = collections.Counter()
    for mutant in sorted(drawn):
        outcome, by = results.find(mutant) or ("equivalent", "")
        if key_of(mutant) in reasons:
            outcome, by = "equivalent", reasons[key_of(mutant)]
        elif outcome in ("unharmed", "unnoticed"):
            outcome = "survived"
        score[outcome] += 1
        if outcome not in DRAWN_AGAIN:
            print(describe(mutant, f"{outcome}: {by}" if by else outcome))
    print(f"{score['killed']} of {score['killed'] + score['survived']} killed; {score['equivalent']} more change "
          f"nothing, {score['same']} made the same programs, {score['invalid']} do not compile")
    return not score["survived"]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--only", metavar="FOLDER")
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--again", action="store_true")
    parser.add_argument("--longest", metavar="SECONDS", type=float, default=float("inf"))
    parser.add_argument("--minutes", metavar="N", type=float, default=float("inf"))
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--work", metavar="FOLDER", default=os.path.join(ROOT, "build/mutation"))
    options = parser.parse_args()
    # What is ended leaves no changed line behind.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(2))
    reasons = read_equivalent()
    report_stale(reasons)
    folders = mutants.draw_mutants(ROOT, options.seed, options.only)
    shares = mutants.share(folders, options.count)
    if options.list:
        for folder, drawn in folders.items():
            for mutant in drawn[:shares[folder]]:
                print(describe(mutant, "drawn"))
        return 0
    work = os.path.abspath(options.work)
    tree = os.path.join(work, "tree")
    os.makedirs(tree, exist_ok=True)
    trial.copy_sources(ROOT, tree)
    released = trial.Build(work, tree, "release", lambda test: "slow" not in test.labels and test.name not in LEFT_OUT,
                           options.longest, options.jobs, say)
    sanitized = trial.Build(work, tree, "asan", lambda test: "quick" in test.labels and test.name not in LEFT_OUT,
                            options.longest, options.jobs, say)
    results = Results(os.path.join(work, f"results-{options.seed}.jsonl"), options.again)
    try:
        released.prepare()
        end = time.monotonic() + 60 * options.minutes
        drawn = try_all(folders, shares, end, released, results, reasons)
        try_unnoticed(drawn, end, released, results, reasons)
        sanitize(drawn, sanitized, results, reasons)
    except trial.Failed as failure:
        say(str(failure))
        return 2
    return 0 if report(drawn, results, reasons) else 1


if __name__ == "__main__":
    sys.exit(main())
