#!/bin/sh
# compile_shader.sh OUTPUT DEPFILE CACHE GLSLC-COMMAND...
# Compiles a shader to SPIR-V as numbers and writes the files it was made from. With a CACHE folder a result is kept under the
# hash of the preprocessed text and the command, so that the build trees of several presets compile a shader once.
set -eu
output=$1 depfile=$2 cache=$3
shift 3

if [ -z "$cache" ]; then
    exec "$@" -mfmt=num -MD -MF "$depfile" -o "$output"
fi

"$@" -MM -MF "$depfile" -MT "$output"
key=$({ "$@" -E -o -; echo "$@"; "$1" --version; } | sha256sum | cut -d ' ' -f 1)
if [ ! -f "$cache/$key" ]; then
    mkdir -p "$cache"
    "$@" -mfmt=num -o "$cache/$key.$$"
    mv "$cache/$key.$$" "$cache/$key"
fi
cp "$cache/$key" "$output"
