#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
"""includes.py SOURCE: checks every #include against the table of folders in docs/architecture.md.

A row names one or more folders, and the folders that they may include in addition to themselves: `all above`,
`nothing`, or a list. A folder stands for its own files, not for those of folders within it. Headers that the compiler
finds by itself, and generated ones, are always allowed."""
import os
import re
import sys

ROOTS = ("src", "shaders", "include", "tools", "examples")
GENERATED = ("spv/", "variants/")


def read_table(source):
    """Returns a map from each folder to those that it may include, itself among them."""
    with open(os.path.join(source, "docs/architecture.md")) as file:
        text = file.read()
    rows = re.search(r"\| folder \| what it holds \| may include \|\n\|[-| ]+\|\n((?:\|.*\n)+)", text)[1].splitlines()
    allowed, above = {}, []
    for row in rows:
        folders, _, may = [cell.strip() for cell in row.strip("|").split("|")]
        names = re.findall(r"`([^`]+)`", folders)
        listed = set(above) if may == "all above" else set(re.findall(r"`([^`]+)`", may))
        unknown = listed - set(above) - set(names)
        if not names or unknown or not (listed or may == "nothing"):
            sys.exit(f"docs/architecture.md: the row of {folders} names what stands in no row above it: {sorted(unknown)}")
        for name in names:
            if not os.path.isdir(os.path.join(source, name)):
                sys.exit(f"docs/architecture.md: there is no folder {name}")
            allowed[name] = listed | set(names)
        above += names
    return allowed


def find_included(source, folder, name):
    """Returns the folder of the included file; None: the file is not ours."""
    if name.startswith(GENERATED):
        return None
    ours = () if folder == "examples" else ("src", "shaders", *(root for root in ("tools",) if folder.startswith("tools")))
    for root in (folder, *ours, "include"):
        path = os.path.normpath(os.path.join(source, root, name))
        if os.path.isfile(path):
            return os.path.relpath(os.path.dirname(path), source)
    return None


def check(source, allowed):
    complaints, count = [], 0
    for root in ROOTS:
        for directory, _, names in os.walk(os.path.join(source, root)):
            folder = os.path.relpath(directory, source)
            for name in sorted(names):
                if not re.search(r"\.(c|h|def|comp|glsl)$", name):
                    continue
                if folder not in allowed:
                    complaints.append(f"{folder}/{name}: its folder stands in no row of docs/architecture.md")
                    continue
                with open(os.path.join(directory, name)) as file:
                    included = re.findall(r'^\s*#\s*include\s+[<"]([^>"]+)[>"]', file.read(), re.M)
                for other in included:
                    found = find_included(source, folder, other)
                    count += found is not None
                    if found is not None and found not in allowed[folder]:
                        complaints.append(f"{folder}/{name} includes {other}: {folder} may not include {found}")
    return complaints, count


def main():
    source = sys.argv[1]
    complaints, count = check(source, read_table(source))
    print("\n".join(complaints) or f"{count} includes are as docs/architecture.md has them")
    return 1 if complaints or count < 500 else 0


if __name__ == "__main__":
    sys.exit(main())
