/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Directed edges in device pixels, and the coverage that they enclose. */
#ifndef TESTS_EXACT_EDGES_H
#define TESTS_EXACT_EDGES_H

#include "exact/exact.h"

typedef struct exact_point {
    double x, y;
} exact_point;

typedef struct exact_edge {
    double x0, y0, x1, y1; /* y0 < y1 */
    double x;              /* where the edge crosses the line that is being evaluated */
    int direction;         /* +1: it runs down */
} exact_edge;

typedef struct exact_edges {
    exact_edge *items;
    size_t count, capacity;
    double width, height; /* size of the picture; edges above, below and right of it are dropped */
    bool failed;          /* out of memory */
} exact_edges;

void exact_edges_add(exact_edges *edges, exact_point from, exact_point to);
/* Adds a closed polygon, oriented so that its winding is +1. Drops it if it cannot touch the picture. */
void exact_edges_add_convex(exact_edges *edges, const exact_point *points, size_t count);

/* Writes coverage[width * height], 0 to 1. Reorders the edges. */
bool exact_edges_cover(exact_edges *edges, pietra_fill_rule rule, float *coverage);

#endif
