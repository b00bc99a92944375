#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 OR MIT
# compile_shader.sh OUTPUT DEPFILE CACHE GLSLC-COMMAND...
# Compiles a shader to SPIR-V as numbers and writes the files it was made from. With a CACHE folder a result is kept under the
# hash of the preprocessed text and the command, so that the build trees of several presets and work trees compile a shader once.
set -eu
output=$1 depfile=$2 cache=$3
shift 3

if [ -z "$cache" ]; then
    exec "$@" -mfmt=num -MD -MF "$depfile" -o "$output"
fi

"$@" -MM -MT "$output" >"$depfile"
# The result is the same wherever the sources lie.
root=${0%/cmake/*}
key=$({ "$@" -E -o -; echo "$@"; "$1" --version; } | sed "s|$root/||g" | sha256sum | cut -d ' ' -f 1)
if [ ! -f "$cache/$key" ]; then
    mkdir -p "$cache"
    "$@" -mfmt=num -o "$cache/$key.$$"
    mv "$cache/$key.$$" "$cache/$key"
fi
# What comes out the same need not be compiled into anything again.
cmp -s "$cache/$key" "$output" || cp "$cache/$key" "$output"
