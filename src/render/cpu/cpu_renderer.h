/* Frames by the CPU device: straight into the caller's pixels, or, where the budget cuts a frame into parts, by way of
 * a picture. */
#ifndef PIETRA_RENDER_CPU_CPU_RENDERER_H
#define PIETRA_RENDER_CPU_CPU_RENDERER_H

#include "render/cpu/cpu.h"
#include "scene/stream.h"

/* Draws a frame; on failure the target is untouched. Errors as pietra_render. */
pietra_result cpu_renderer_draw(cpu_device *device, const pietra_stream *stream, const frame_config *whole,
                                uint64_t budget_bytes, const pietra_target *target, pietra_error *error,
                                pietra_stats *stats);

#endif
