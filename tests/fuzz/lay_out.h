/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Makes a stream of the fuzzer's bytes. Fuzzing would rarely find the right sizes, so magic, version, offsets and size
 * follow from the counts. */
#ifndef TESTS_FUZZ_LAY_OUT_H
#define TESTS_FUZZ_LAY_OUT_H

#include <stdlib.h>
#include <string.h>

#include "scene/stream.h"

#define MOST_WORDS (1u << 20)

/* Returns one block for free(), exactly *word_count words long, so that reading past the end is found. NULL: out of
 * memory. *whole: everything that the counts ask for is there. */
static uint32_t *lay_out(const uint8_t *data, size_t size, size_t *word_count, bool *whole)
{
    stream_header header = {0};
    memcpy(&header, data, size < sizeof header ? size : sizeof header);
    header.magic = STREAM_MAGIC;
    header.version = STREAM_VERSION;
    uint64_t needed = stream_lay_out(&header);
    *whole = needed <= MOST_WORDS;
    *word_count = *whole ? (size_t)needed : size / sizeof(uint32_t);
    uint32_t *words = calloc(*word_count + (*word_count == 0), sizeof *words);
    if (!words)
        return NULL;
    size_t bytes = *word_count * sizeof *words;
    memcpy(words, data, size < bytes ? size : bytes);
    if (*whole)
        memcpy(words, &header, sizeof header);
    return words;
}

#endif
