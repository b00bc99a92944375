/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Streams that are made valid: the validator accepts them, and the CPU device draws the same bytes as the reference,
 * under several frames and shown by instances. */
#include <stdio.h>

#include "fuzz/compose.h"
#include "fuzz/draw.h"
#include "fuzz/lay_out.h"
#include "fuzz/repair_stream.h"

static void draw(const pietra_stream *stream, uint32_t choice)
{
    static const pietra_frame frames[] = {
        {.transform = {.a = 1, .d = 1}},
        {.transform = {.a = 0.37, .b = 0.1, .c = -0.2, .d = 0.61, .e = 3.3, .f = -1.7},
         .background = {0.2f, 0.4f, 0.1f, 0.5f}},
        {.transform = {.a = 13, .d = -7, .e = -40, .f = 60}, .background = {1, 1, 1, 1}},
        {.transform = {.a = 1e-6, .c = 1e-7, .d = 1e-6, .e = 9, .f = 9}},
    };
    draw_on_both(stream, &frames[choice % (sizeof frames / sizeof frames[0])]);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    size_t word_count;
    bool whole;
    uint32_t choice = 0;
    uint32_t *words = lay_out(data, size, &word_count, &whole);
    if (!words)
        return 0;
    memcpy(&choice, data, size < sizeof choice ? size : sizeof choice); /* in the place of the magic number */
    if (whole) {
        const stream_view view = stream_view_of(words);
        uint32_t *repaired_words = repair_stream(&view);
        pietra_stream *stream;
        pietra_error error;
        if (repaired_words) {
            size_t count = ((const stream_header *)repaired_words)->word_count;
            pietra_result result = pietra_stream_open(repaired_words, count * sizeof *repaired_words, &error, &stream);
            if (result == PIETRA_OK) {
                draw(stream, choice);
                compose_instances(stream, choice);
                pietra_stream_destroy(stream);
            } else if (result != PIETRA_ERROR_MEMORY) {
                fprintf(stderr, "%s\n", error.message);
                abort();
            }
        }
        free(repaired_words);
    }
    free(words);
    return 0;
}
