/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "pick.h"

#include <stdio.h>

#include "base/error.h"
#include "pietra/pietra_hit.h"

/* How many elements are looked at from the topmost on. What covers a picture unseen is seldom more than one. */
#define HITS_MOST 64

static pietra_result print_origin(const document *document, uint32_t label, pietra_error *error, char *text,
                                  size_t text_bytes)
{
    FILE *out = fmemopen(text, text_bytes, "w");

    if (!out)
        return error_set_memory(error);
    setvbuf(out, NULL, _IONBF, 0); /* so that what is too long is cut, and the rest stays */
    origins_print(out, &document->origins, label);
    fclose(out);
    text[text_bytes - 1] = '\0';
    return PIETRA_OK;
}

pietra_result pick_element(const document *document, const pietra_frame *frame, uint32_t x, uint32_t y,
                           pietra_error *error, char *text, size_t text_bytes)
{
    pietra_hit hits[HITS_MOST];
    size_t count, i = 0;

    text[0] = '\0';
    const pietra_result result =
        pietra_hit_test(document->stream, frame, x + 0.5, y + 0.5, HITS_MOST, error, hits, &count);
    if (result != PIETRA_OK)
        return result;
    while (i < count && i < HITS_MOST && hits[i].opacity == 0)
        i++;
    return i < count && i < HITS_MOST && hits[i].label ? print_origin(document, hits[i].label, error, text, text_bytes)
                                                       : PIETRA_OK;
}
