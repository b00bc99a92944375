/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* What several targets do with a stream: show it by instances. The stream of these opens, and draws on the CPU device
 * what it draws on the reference. */
#ifndef TESTS_FUZZ_COMPOSE_H
#define TESTS_FUZZ_COMPOSE_H

#include <stdio.h>

#include "fuzz/draw.h"
#include "pietra/pietra_instance.h"

static inline void compose_expect_open(const pietra_stream *stream)
{
    size_t size;
    pietra_stream *opened;
    pietra_error error;
    const void *bytes = pietra_stream_bytes(stream, &size);
    const pietra_result result = pietra_stream_open(bytes, size, &error, &opened);
    if (result == PIETRA_OK) {
        pietra_stream_destroy(opened);
    } else if (result != PIETRA_ERROR_MEMORY) {
        fprintf(stderr, "%s\n", error.message);
        abort();
    }
}

/* Shows a stream three times; the bits of `choice` say how. */
static inline void compose_instances(const pietra_stream *stream, uint32_t choice)
{
    static const pietra_color inks[] = {{1, 0, 0, 1}, {0, 1, 0, 0.5f}, {0, 0, 0, 0}};
    static pietra_composition *composition;
    const pietra_transform turned = {0.6, 0.8, -0.8, 0.6, 9.5, -3.25};
    pietra_instance instances[3] = {{.stream = stream}, {.stream = stream}, {.stream = stream}};
    for (uint32_t i = 0; i < 3; i++) {
        const uint32_t bits = choice >> 4 * i;
        if (bits & 1u)
            instances[i].transform = turned;
        instances[i].transparency = bits & 2u ? 0.25f : 0;
        instances[i].clip = bits & 4u ? (pietra_box){2.5, 3, 30, 12.25} : (pietra_box){0};
        instances[i].slots = inks;
        instances[i].slot_count = bits & 8u ? 3 : 0;
    }
    composition = composition ? composition : pietra_composition_create();
    const pietra_stream *composed;
    if (composition && pietra_composition_set(composition, instances, 3, NULL, &composed) == PIETRA_OK) {
        compose_expect_open(composed);
        draw_on_both(composed, NULL);
    }
}

#endif
