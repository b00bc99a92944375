/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Turns elements into edges in lists. It does what stage 04 does, with the lists in place of tile_lines. */
#ifndef PIETRA_RENDER_CPU_FLATTEN_H
#define PIETRA_RENDER_CPU_FLATTEN_H

#include "render/cpu/edge_lists.h"
#include "render/cpu/frame.h"
#include "render/cpu/path_walk.h"

/* Computes constants, once for the process. It must be called before the functions below. Only streams with strokes
 * need the tables of directions, which take as long as a tenth of a small picture. */
void cpu_flatten_start(bool has_strokes);

/* Flattens one element into the lists of the part's bands. `lists` reports what did not fit. */
void cpu_flatten(const cpu_frame *frame, uint element, cpu_edge_lists *lists);

/* Returns the number of tasks into which the dashes of an element are cut, at most DASH_TASK_LIMIT. */
uint cpu_flatten_count_dashes(const cpu_frame *frame, uint element);

/* Returns false if there are so many dashes that cpu_flatten_check will fail in any case. */
bool cpu_flatten_may_go_on(uint64_t dash_tasks);

/* Flattens some segments of an element, which is a fill or a stroke without dashes. The other segments go into other
 * lists. */
void cpu_flatten_part(const cpu_frame *frame, uint element, path_walk part, cpu_edge_lists *lists);

/* Checks the number of dashes of all lists. PIETRA_ERROR_BUDGET: one part may not have so many. */
pietra_result cpu_flatten_check(uint64_t dash_tasks, pietra_error *error);

#endif
