#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
"""compare_kernels.py OLD_BUILD NEW_BUILD

Compares the SPIR-V of two build trees (generated/spv/*.inc), stripped of names and debugging information, which must
not change when kernels are only moved or renamed. Prints the kernels that are new, gone, renamed or changed. The status
is 1 if one has changed, or is gone without another that has the same code."""
import glob
import os
import re
import sys

# OpNop, OpSourceContinued .. OpLine, OpName, OpMemberName, OpString, OpModuleProcessed, OpNoLine.
LEFT_OUT = {0, 2, 3, 4, 5, 6, 7, 8, 317, 330}


def code_of(path):
    with open(path) as file:
        text = file.read()
    if "static" in text:
        return None  # a list of arrays
    words = [int(word, 0) for word in re.findall(r"\w+", text)]
    assert words[0] == 0x07230203, path
    kept, at = words[:3], 5  # neither the number of ids nor the schema
    while at < len(words):
        count, opcode = words[at] >> 16, words[at] & 0xffff
        if opcode not in LEFT_OUT:
            kept += words[at:at + count]
        at += count
    return tuple(kept)


def kernels_of(build):
    paths = glob.glob(os.path.join(build, "generated/spv/*.inc"))
    if not paths:
        sys.exit(f"compare_kernels: there are no kernels in {build}")
    found = {os.path.basename(path)[:-4]: code_of(path) for path in paths}
    return {name: code for name, code in found.items() if code}


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    old, new = map(kernels_of, sys.argv[1:])
    same = [name for name in old if new.get(name) == old[name]]
    by_code = {code: name for name, code in new.items()}
    failed = False
    for name in sorted(old):
        if name in same:
            continue
        if old[name] in by_code:
            print(f"renamed  {name} -> {by_code[old[name]]}")
        else:
            print(f"{'changed' if name in new else 'gone':8} {name}")
            failed = True
    for name in sorted(set(new) - set(old)):
        if new[name] not in old.values():
            print(f"new      {name}")
    print(f"{len(same)} of {len(old)} kernels are the same")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
