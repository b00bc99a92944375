#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
"""spirv_check.py FOLDER: reads every compiled shader (FOLDER/*.inc) and refuses what two devices may round differently.

Vulkan promises correct rounding only for 32-bit float add, subtract and multiply, and only if they are not contracted.
A picture's bytes are the same everywhere because its shaders use nothing else. This is the only list of what they may
use."""
import glob
import os
import struct
import subprocess
import sys

# Float arithmetic that is exact or correctly rounded on every device.
ROUNDED = {"OpFAdd", "OpFSub", "OpFMul", "OpVectorTimesScalar"} # each must be decorated NoContraction
EXACT = {"OpFNegate"}
# Conversions: shaders keep values in the range where these are exact, or rounded in only one way.
CONVERSIONS = {"OpConvertFToS", "OpConvertFToU", "OpConvertSToF", "OpConvertUToF"}
# Extended instructions: those on integers, and those on floats that select or round exactly.
EXTENDED = {
    "FAbs", "FMin", "FMax", "FClamp", "FSign", "Floor", "Ceil", "Trunc", "Fract",
    "SAbs", "SSign", "SMin", "SMax", "SClamp", "UMin", "UMax", "UClamp", "FindILsb", "FindSMsb", "FindUMsb",
}
# Core instructions on floats whose rounding, or whose order of operations, is not defined.
FORBIDDEN = {
    "OpFDiv", "OpFRem", "OpFMod", "OpDot", "OpOuterProduct", "OpQuantizeToF16",
    "OpGroupNonUniformFAdd", "OpGroupNonUniformFMul", "OpAtomicFAddEXT",
}
FORBIDDEN_PREFIXES = ("OpMatrixTimes", "OpVectorTimesMatrix", "OpTranspose", "OpDPdx", "OpDPdy", "OpFwidth", "OpImageSample")


def disassemble(path):
    with open(path) as file:
        words = [int(word, 0) for word in file.read().replace(",", " ").split()]
    binary = struct.pack(f"<{len(words)}I", *words)
    done = subprocess.run(["spirv-dis", "--raw-id", "-"], input=binary, stdout=subprocess.PIPE, check=True)
    return done.stdout.decode()


def check(text):
    """Returns the complaints about one module."""
    instructions = [line.split() for line in text.splitlines() if line.strip() and not line.lstrip().startswith(";")]
    exact_ids = {words[1] for words in instructions if words[0] == "OpDecorate" and words[2] == "NoContraction"}
    extended_sets = {words[0] for words in instructions if "OpExtInstImport" in words and '"GLSL.std.450"' in words}
    complaints = []
    for words in instructions:
        result, operation = (words[0], words[2]) if len(words) > 2 and words[1] == "=" else (None, words[0])
        if operation in ROUNDED and result not in exact_ids:
            complaints.append(f"{operation} without NoContraction: mark it precise")
        elif operation in FORBIDDEN or operation.startswith(FORBIDDEN_PREFIXES):
            complaints.append(f"{operation} is not rounded the same everywhere")
        elif operation == "OpExtInst" and words[4] in extended_sets and words[5] not in EXTENDED:
            complaints.append(f"{words[5]} is not rounded the same everywhere")
        elif operation.startswith("OpF") and operation[3].isupper() and not known(operation):
            complaints.append(f"{operation} is not in the list of spirv_check.py")
    return complaints


def known(operation):
    is_comparison = operation.startswith(("OpFOrd", "OpFUnord"))
    return is_comparison or operation in ROUNDED | EXACT | CONVERSIONS or operation in ("OpFunction", "OpFunctionEnd", "OpFunctionCall",
                                                                                     "OpFunctionParameter")


def self_test():
    """The check must be able to fail."""
    head = '%1 = OpExtInstImport "GLSL.std.450"\nOpDecorate %5 NoContraction\n'
    assert check(head + "%5 = OpFAdd %2 %3 %4\n%6 = OpExtInst %2 %1 FMin %3 %4\n%7 = OpIAdd %2 %3 %4\n%8 = OpFOrdLessThan %2 %3 %4") == []
    for bad in ("%6 = OpFAdd %2 %3 %4", "%6 = OpFDiv %2 %3 %4", "%6 = OpExtInst %2 %1 Fma %3 %4 %5", "%6 = OpExtInst %2 %1 Sqrt %3",
                "%6 = OpMatrixTimesVector %2 %3 %4", "%6 = OpFRem %2 %3 %4"):
        assert len(check(head + bad)) == 1, bad


def main():
    self_test()
    # The list of arrays lies beside the shaders.
    paths = [path for path in sorted(glob.glob(os.path.join(sys.argv[1], "*.inc"))) if not path.endswith("_arrays.inc")]
    bad = 0
    for path in paths:
        for complaint in sorted(set(check(disassemble(path)))):
            print(f"{os.path.basename(path)[:-4]}: {complaint}")
            bad += 1
    print(f"{len(paths)} shaders checked, {bad} complaints")
    sys.exit(1 if bad or not paths else 0)


main()
