/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The runs of lines of a band, from the lists of all pieces. */
#ifndef PIETRA_RENDER_CPU_BAND_RUNS_H
#define PIETRA_RENDER_CPU_BAND_RUNS_H

#include "render/cpu/band.h"
#include "render/cpu/band_occlusion.h"

/* Lists the heads of a band's runs, in paint order. */
uint band_runs_gather(const cpu_bands *bands, uint band, const cpu_slot **heads);
/* Returns all runs of the element whose first run stands here. */
element_runs band_runs_from(const cpu_slot *const *heads, uint first, uint count);
/* Prepares a run for the strip from part.left to right, in subpixels. Strips come from left to right. Edges left of the
 * strip are merged, and those right of it wait. All keep their order, of which chains are made (kernels_chains.h). */
void band_run_enter_strip(cpu_slot *head, cpu_left_part part, int right);
/* Does so for all runs of a band that the strip sees. Those of elements left of it are removed from the list. Returns
 * how many are left. */
uint band_runs_enter_strip(const cpu_frame *frame, const cpu_slot **heads, uint count, cpu_left_part part, int right);

#endif
