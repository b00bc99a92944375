/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Draws effects for a frame on the GPU: all sheets of one depth in one run (render/sheet/runs.h). It does what sheets.h
 * does for the CPU device and the reference, with the same bytes. */
#ifndef PIETRA_RENDER_PACKED_SHEETS_H
#define PIETRA_RENDER_PACKED_SHEETS_H

#include "render/gpu/gpu_renderer.h"
#include "render/sheets.h"

/* Gives what packed_sheets_draw takes at least. */
pietra_result packed_sheets_measure(const pietra_stream *stream, const frame_config *config, pietra_error *error,
                                    sheet_needs *needs);

/* Makes a stream with images in place of its effects, as config->part of the frame shows them. Their texels lie on the
 * device alone, so it can be drawn as long as the renderer holds it. The stream has no surfaces. The caller destroys
 * what is made. The errors are those of sheets_draw. */
pietra_result packed_sheets_draw(gpu_renderer *renderer, const pietra_stream *stream, const frame_config *config,
                                 part_budget *budget, pietra_error *error, sheet_needs *needs, pietra_stats *stats,
                                 pietra_stream **made);

/* Draws pictures of a stream with their effects into the buffer of surfaces. If they take too much, `needs` says so,
 * and what they take at least. The errors are those of sheets_draw. */
pietra_result packed_sheets_draw_roots(gpu_renderer *renderer, const pietra_stream *stream, const sheet_root *roots,
                                       size_t root_count, part_budget *budget, pietra_error *error, sheet_needs *needs,
                                       pietra_stats *stats);

#endif
