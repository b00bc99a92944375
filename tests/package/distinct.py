#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
"""distinct.py NM ARCHIVE ARCHIVE: checks that no function is in both archives. What pietra_primitives holds is in no
libpietra: a file that both lists of sources name would be linked twice, and no linker says so."""
import subprocess
import sys


def functions(nm, archive):
    listed = subprocess.run([nm, "--defined-only", archive], stdout=subprocess.PIPE, text=True, check=True).stdout
    return {line.split()[2] for line in listed.splitlines() if " T " in line}


def main():
    nm, *archives = sys.argv[1:]
    first, second = (functions(nm, archive) for archive in archives)
    if not first or not second:
        sys.exit("an archive has no functions")
    if first & second:
        sys.exit("in both archives: " + " ".join(sorted(first & second)))


main()
