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
/* Merges those lines of a run that lie left of the strips to come. */
void band_runs_merge_left(cpu_slot *head, cpu_left_part part);

#endif
