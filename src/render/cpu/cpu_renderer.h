/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Draws frames by the CPU device. A frame goes straight into the caller's pixels. If the budget cuts it into parts, it
 * is drawn into a picture of its own first. */
#ifndef PIETRA_RENDER_CPU_CPU_RENDERER_H
#define PIETRA_RENDER_CPU_CPU_RENDERER_H

#include "render/cpu/cpu.h"
#include "render/frame/parts.h"
#include "scene/stream.h"

/* Draws a frame in the target's format. If the budget does not suffice, it is raised to what does, if that is found.
 * After a failure the target is unchanged. The errors are those of pietra_render. */
pietra_result cpu_renderer_draw(cpu_device *device, const pietra_stream *stream, const frame_config *whole,
                                part_budget *budget, const pietra_target *target, pietra_error *error,
                                pietra_stats *stats);

#endif
