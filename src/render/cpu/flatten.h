/* Elements as edges in lists: stage 04 with the lists in place of tile_lines. */
#ifndef PIETRA_RENDER_CPU_FLATTEN_H
#define PIETRA_RENDER_CPU_FLATTEN_H

#include "render/cpu/edge_lists.h"
#include "render/cpu/frame.h"
#include "render/cpu/path_walk.h"

/* Computes constants, once for the process. Call it first. */
void cpu_flatten_start(void);

/* Flattens one element into the lists of the part's bands. `lists` reports what did not fit. */
void cpu_flatten(const cpu_frame *frame, uint element, cpu_edge_lists *lists);

/* False: there are so many dashes that cpu_flatten_check fails, whatever follows. */
bool cpu_flatten_may_go_on(uint64_t dash_tasks);

/* Flattens some segments of an element, a fill or a stroke without dashes; the others go into lists beside these. */
void cpu_flatten_part(const cpu_frame *frame, uint element, path_walk part, cpu_edge_lists *lists);

/* PIETRA_ERROR_BUDGET: the dashes of all lists are more than one part may have. */
pietra_result cpu_flatten_check(uint64_t dash_tasks, pietra_error *error);

#endif
