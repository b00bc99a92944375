/* The coverage of an element, by the non-zero rule, that has more edges in a band than sums of 32 bits are sure to
 * hold. Sums have 64 bits. Each tile's backdrop is clamped to BACKDROP_LIMIT, as in stage 07. */
#ifndef PIETRA_RENDER_CPU_I64_SUMS_H
#define PIETRA_RENDER_CPU_I64_SUMS_H

#include "render/cpu/kernels.h"

typedef struct i64_sums {
    int64_t *rows; /* rows of the coverage's stride */
    int *steps;    /* what edges across the band's upper edge add to the winding from a column of tiles on */
    int band_top;  /* subpixels */
    uint pending;  /* edges in the coverage's rows */
} i64_sums;

void i64_begin(i64_sums *sums, const cpu_coverage *coverage);
/* Takes edges that have just been added to the coverage. */
void i64_add(i64_sums *sums, const cpu_coverage *coverage, const cpu_edge *edges, uint count);
/* Finds the levels and leaves the coverage's rows zero. */
void i64_find_levels(i64_sums *sums, const cpu_coverage *coverage, uint8_t *levels, size_t pitch);

#endif
