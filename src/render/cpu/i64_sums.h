/* Coverage of an element of more edges in a band than sums of 32 bits are sure to hold, by the non-zero rule: sums of
 * 64 bits, with each tile's backdrop held to BACKDROP_LIMIT as stage 07 holds it. */
#ifndef PIETRA_RENDER_CPU_I64_SUMS_H
#define PIETRA_RENDER_CPU_I64_SUMS_H

#include "render/cpu/kernels.h"

typedef struct i64_sums {
    int64_t *rows; /* rows of the coverage's stride */
    int *steps;    /* what edges that cross the band's upper edge add to the winding from a column of tiles on */
    int band_top;  /* subpixels */
    uint pending;  /* edges in the coverage's rows */
} i64_sums;

void i64_begin(i64_sums *sums, const cpu_coverage *coverage);
/* Takes edges that were just added to the coverage. */
void i64_add(i64_sums *sums, const cpu_coverage *coverage, const cpu_edge *edges, uint count);
/* Leaves the coverage's rows zero. */
void i64_find_levels(i64_sums *sums, const cpu_coverage *coverage, uint8_t *levels, size_t pitch);

#endif
