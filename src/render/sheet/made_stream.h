/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The stream that a frame with effects draws: a copy of the stream, in which images of what effects show stand in their
 * places. */
#ifndef PIETRA_RENDER_SHEET_MADE_STREAM_H
#define PIETRA_RENDER_SHEET_MADE_STREAM_H

#include "render/sheet/runs.h"

/* Makes the copy, with room for what effects show: a paint, a transform, a mip level and the texels of each. The texels
 * are zero. The effects still stand in it. PIETRA_ERROR_MEMORY. */
pietra_result made_stream_create(const sheet_plan *plan, pietra_error *error, pietra_stream **made);

/* Leaves out an effect with all that stands in it, but what was left out before: effects in it that are shown, if
 * `inner_are_done`. */
void made_stream_leave_out(const sheet_plan *plan, uint32_t effect, bool inner_are_done, pietra_stream *made);

/* Puts an image of what an effect shows where it began. */
void made_stream_put_image(const sheet_plan *plan, const sheet_effect *effect, pietra_stream *made);

/* Lets the stream show the elements [begin, end) of the plan's stream alone. */
void made_stream_show(const sheet_plan *plan, uint32_t begin, uint32_t end, pietra_stream *made);
/* Lets it hold all elements again, so that it can be changed. made_stream_show comes before it is drawn. */
void made_stream_hold_all(const sheet_plan *plan, pietra_stream *made);

/* Makes a stream that has everything in its place, for runs that draw sheets: images of what effects show, the sheet of
 * each element, and the totals of each run. Its header counts the texels of what effects show, but if `on_device`, its
 * words end before them, as those of the plan's stream may: they exist on the device alone. PIETRA_ERROR_MEMORY,
 * PIETRA_ERROR_BUDGET: too many texels. */
pietra_result made_stream_create_packed(const sheet_plan *plan, bool on_device, pietra_error *error, sheet_runs *runs,
                                        pietra_stream **made);

/* Returns the texels of what effects show, each from its first_texel on. */
uint32_t *made_stream_results(const sheet_plan *plan, pietra_stream *made);

#endif
