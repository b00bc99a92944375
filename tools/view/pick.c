/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "pick.h"

#include <stdio.h>

#include "base/error.h"
#include "pietra/pietra_explain.h"

/* Steps come in paint order, so the last one that paints is the topmost. */
static void take_step(void *user, const pietra_pixel_step *step)
{
    uint32_t *label = user;

    if (step->event == PIETRA_PIXEL_PAINTS && step->coverage)
        *label = step->label;
}

static uint32_t side(uint32_t begin, uint32_t whole)
{
    return whole - begin < PIETRA_REGION_STEP ? whole - begin : PIETRA_REGION_STEP;
}

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

pietra_result pick_element(const document *document, pietra_device *device, const pietra_frame *frame, uint32_t width,
                           uint32_t height, uint32_t x, uint32_t y, pietra_error *error, char *text, size_t text_bytes)
{
    uint8_t pixels[4 * PIETRA_REGION_STEP * PIETRA_REGION_STEP];
    pietra_frame part = *frame;
    uint32_t label = 0;

    part.region = (pietra_region){.x = x / PIETRA_REGION_STEP * PIETRA_REGION_STEP,
                                  .y = y / PIETRA_REGION_STEP * PIETRA_REGION_STEP,
                                  .picture_width = width,
                                  .picture_height = height};
    const pietra_target target = {
        .width = side(part.region.x, width), .height = side(part.region.y, height), .pixels = pixels};
    text[0] = '\0';
    const pietra_result result = pietra_explain_pixel(device, document->stream, &part, &target, x - part.region.x,
                                                      y - part.region.y, take_step, &label, error);
    return result == PIETRA_OK && label ? print_origin(document, label, error, text, text_bytes) : result;
}
