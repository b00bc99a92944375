/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Draws effects for a frame.
 *
 * What stands in an effect is drawn apart, on a sheet: pixels of the effect's filter space (render/effect/space.h). The
 * steps of the effect work on them (stage 11), and an image of the result takes the place of the effect in the stream.
 * Effects in effects are drawn first, and so they nest as deep as memory allows.
 *
 * Sheets and results are as large as what the part of the frame needs of them. They show the same whatever the part
 * is. */
#ifndef PIETRA_RENDER_SHEETS_H
#define PIETRA_RENDER_SHEETS_H

#include "base/parallel.h"
#include "layout/frame.h"
#include "render/frame/parts.h"
#include "render/sheet/plan.h"
#include "scene/stream.h"

struct effect_functions;

/* How sheets are drawn and worked on: by the CPU device, or by the reference. */
typedef struct sheet_device {
    /* Draws config->part of a stream in premultiplied colours. `pixels` has config_target_pixels words. */
    pietra_result (*draw)(void *user, const pietra_stream *stream, const frame_config *config, part_budget *budget,
                          pietra_error *error, uint32_t *pixels);
    void *user;
    const struct effect_functions *functions;
    parallel_pool *pool; /* NULL: one thread */
} sheet_device;

/* What a part of a frame takes, beside what drawing it takes. */
typedef struct sheet_needs {
    uint64_t bytes;
    sheet_cost cost;   /* of the effects */
    bool is_too_large; /* with PIETRA_ERROR_BUDGET: a smaller part may take less */
} sheet_needs;

/* Gives what sheets_draw would take. */
pietra_result sheets_measure(const pietra_stream *stream, const frame_config *config, pietra_error *error,
                             sheet_needs *needs);

/* Makes a stream with images in place of its effects, as config->part of the frame shows them. The stream has no
 * surfaces. The caller destroys what is made. PIETRA_ERROR_BUDGET: see `needs`.
 * PIETRA_ERROR_INPUT: the effects cost too much. */
pietra_result sheets_draw(const sheet_device *device, const pietra_stream *stream, const frame_config *config,
                          part_budget *budget, pietra_error *error, sheet_needs *needs, pietra_stream **made);

#endif
