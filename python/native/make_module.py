#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
"""make_module.py CC INCLUDE OUTPUT.c: writes the source of pietra._native, by cffi.

What Python may call is what the public headers and native.h declare: the C preprocessor reads them, and cffi parses what
comes out. So no layout and no constant stands twice. The compiler checks the result against the headers once more."""
import os
import re
import subprocess
import sys

import cffi

HERE = os.path.dirname(os.path.abspath(__file__))
HEADERS = ("pietra/pietra.h", "pietra/pietra_hit.h", "pietra/pietra_instance.h", "pietra/pietra_pyramid.h", "pietra/pietra_text.h", "native.h")
# cffi knows the types of these headers by itself, so that nothing needs to be read from them.
STANDARD = ("stdbool.h", "stddef.h", "stdint.h")


def preprocess(compiler, include, scratch):
    """Returns the declarations of the headers, without comments and without those of the system."""
    for name in STANDARD:
        open(os.path.join(scratch, name), "w").close()
    command = [compiler, "-E", "-P", "-nostdinc", "-U__GNUC__", "-I", scratch, "-I", include, "-I", HERE, "-x", "c", "-"]
    text = "".join(f'#include "{header}"\n' for header in HEADERS)
    return subprocess.run(command, input=text, stdout=subprocess.PIPE, text=True, check=True).stdout


def read_constants(include):
    """Returns a declaration of each macro that is a number or a text. The compiler says which one."""
    declarations = ""
    for header in HEADERS[:-1]:
        with open(os.path.join(include, header), encoding="utf-8") as file:
            text = file.read()
        for name in re.findall(r"^#define (PIETRA_[A-Z_]+) \d+u?\s*(?:/\*.*)?$", text, re.M):
            declarations += f"#define {name} ...\n"
        for name in re.findall(r'^#define (PIETRA_[A-Z_]+) "', text, re.M):
            declarations += f"static char *const {name};\n"
    return declarations


def main():
    compiler, include, output = sys.argv[1:]
    scratch = output + ".standard"
    os.makedirs(scratch, exist_ok=True)
    builder = cffi.FFI()
    builder.cdef(preprocess(compiler, include, scratch) + read_constants(include) + "void free(void *);")
    builder.set_source("pietra._native", '#include <stdlib.h>\n#include "native.h"\n', py_limited_api=True)
    builder.emit_c_code(output)


if __name__ == "__main__":
    main()
