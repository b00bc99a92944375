/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Finds the winding number of an element at a point, from the lines with which the CPU device draws it. */
#ifndef PIETRA_RENDER_CPU_WINDING_H
#define PIETRA_RENDER_CPU_WINDING_H

#include "render/cpu/edge_lists.h"
#include "render/cpu/frame.h"

/* A point in subpixels of the frame. */
typedef struct cpu_point {
    int x, y;
} cpu_point;

/* Returns the pixel that contains the point. */
static inline pixel_box cpu_point_pixel(cpu_point at)
{
    const int x = at.x >> SUBPIXEL_SHIFT, y = at.y >> SUBPIXEL_SHIFT;
    return (pixel_box){x, y, x + 1, y + 1};
}

/* A point, and the memory for the lines around it. It must not move. */
typedef struct cpu_winding {
    cpu_point at;
    frame_config config; /* its part is the tile that contains the point */
    cpu_memory memory;
    cpu_frame frame;
    cpu_element element;
    cpu_edge_list band;
    cpu_edge_lists lists;
} cpu_winding;

/* Begins at a point of a frame. */
void cpu_winding_begin(cpu_winding *winding, const uint32_t *words, const frame_config *config, cpu_point at);

/* Counts how often the outline of an element turns around the point: a fill's or a clip's path, or the area of a
 * stroke. The matrix leads from its path to pixels. PIETRA_ERROR_BUDGET: too many dashes come near the point. */
pietra_result cpu_winding_count(cpu_winding *winding, uint element, affine matrix, pietra_error *error, int *turns);

void cpu_winding_end(cpu_winding *winding);

#endif
