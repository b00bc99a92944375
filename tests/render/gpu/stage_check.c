/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "render/gpu/stage_check.h"

#include <stdio.h>

bool stages_agree(gpu_renderer *renderer, const pietra_stream *stream, const pietra_frame *frame, uint32_t width,
                  uint32_t height, const char *name)
{
    const compared_frame compared = {.frame = frame, .width = width, .height = height};
    return stages_agree_in(renderer, stream, &compared, name);
}

bool stages_agree_in(gpu_renderer *renderer, const pietra_stream *stream, const compared_frame *compared,
                     const char *name)
{
    pietra_error error = {.message = ""};
    pietra_stage_difference difference;
    if (stage_compare(renderer, stream, compared, NULL, &error, &difference) != PIETRA_OK) {
        fprintf(stderr, "%s: %s\n", name, error.message);
        return false;
    }
    if (difference.stage) {
        fprintf(stderr, "%s: %s: %s differs at item %llu of %llu: %s\n", name, difference.stage, difference.buffer,
                (unsigned long long)difference.item, (unsigned long long)difference.item_count, difference.text);
    }
    return !difference.stage;
}
