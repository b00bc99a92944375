#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
"""hardened.py READELF BINARY...: checks that the binaries of Release are hardened as cmake/options.cmake says. They
load at a random address, all symbols are bound and their tables read-only before main, stacks and known buffers are
checked, and no stack is executable."""
import re
import subprocess
import sys


def read(readelf, option, binary):
    return subprocess.run([readelf, "-W", option, binary], stdout=subprocess.PIPE, text=True, check=True).stdout


def find_faults(readelf, binary):
    heads, segments, dynamic, symbols = (read(readelf, option, binary) for option in ("-h", "-l", "-d", "--dyn-syms"))
    program = "INTERP" in segments
    stack = re.search(r"^ *GNU_STACK .* (\S+) +0x[0-9a-f]+$", segments, re.M)
    undefined = set(re.findall(r" UND (\w+)", symbols))
    facts = {
        "its address is fixed": re.search(r"Type: +DYN", heads),
        "the linker does not call it PIE": not program or re.search(r"\(FLAGS_1\).*\bPIE\b", dynamic),
        "symbols are bound late": re.search(r"\bBIND_NOW\b|\(FLAGS_1\).*\bNOW\b", dynamic),
        "there is no GNU_RELRO": re.search(r"^ *GNU_RELRO ", segments, re.M),
        "its stack can be executed": stack and "E" not in stack[1],
        "no stack is protected": "__stack_chk_fail" in undefined,
        "no buffer is checked": any(re.fullmatch(r"__\w+_chk", name) for name in undefined),
    }
    return [fault for fault, good in facts.items() if not good]


def main():
    readelf, *binaries = sys.argv[1:]
    faults = [f"{binary}: {fault}" for binary in binaries for fault in find_faults(readelf, binary)]
    if faults or not binaries:
        sys.exit("\n".join(faults) or "no binaries")


main()
