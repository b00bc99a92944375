/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Runs of lines and curves. A byte gives the number of a segment's own points: it is a verb, or a tag, which has the
 * same meaning without its flags. */
#ifndef PIETRA_SCENE_CURVE_RUN_H
#define PIETRA_SCENE_CURVE_RUN_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

typedef struct curve_run {
    size_t count, point_count;
} curve_run;

/* Finds the run that begins with the first byte: it goes on while bytes are 1, 2 or 3 without the flags. */
static inline curve_run curve_run_of(const uint8_t *bytes, size_t count, uint8_t flags)
{
    const uint64_t ones = UINT64_C(0x0101010101010101);
    curve_run run = {0, 0};
    for (uint64_t eight; count - run.count >= sizeof eight; run.count += sizeof eight) {
        memcpy(&eight, bytes + run.count, sizeof eight);
        eight ^= ones * flags;
        /* All bytes are at most 3 here; the first that is 0 borrows. */
        if (((eight & ones * 0xfc) | ((eight - ones) & ones * 0x80)) != 0)
            break;
        run.point_count += eight * ones >> 56;
    }
    for (uint32_t own; run.count < count && (own = bytes[run.count] ^ flags) - 1u < 3u; run.count++)
        run.point_count += own;
    return run;
}

#endif
