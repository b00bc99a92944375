/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Draws sheets and frames of surfaces by the CPU device or by the reference. */
#ifndef PIETRA_RENDER_SHEET_DEVICE_H
#define PIETRA_RENDER_SHEET_DEVICE_H

#include "render/cpu/cpu.h"
#include "render/sheets.h"

/* Draws a stream on the CPU. If it needs more than the budget, that is raised, and the caller must fail. */
pietra_result draw_on_cpu(cpu_device *cpu, const pietra_stream *stream, const frame_config *config, part_budget *budget,
                          const pietra_target *target, pietra_error *error);

/* The CPU device and the pool must outlive what is returned. */
sheet_device sheet_device_of_cpu(cpu_device *cpu, parallel_pool *pool);
sheet_device sheet_device_of_reference(void);

#endif
