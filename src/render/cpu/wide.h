/* Coverage of an element of more lines in a band than sums of 32 bits are sure to hold, by the non-zero rule: sums of 64 bits, with
 * each tile's backdrop held to BACKDROP_LIMIT as stage 07 holds it. */
#ifndef PIETRA_RENDER_CPU_WIDE_H
#define PIETRA_RENDER_CPU_WIDE_H

#include "render/cpu/kernels.h"

typedef struct wide_sums {
    int64_t *wide;             /* rows of the cover's stride */
    int *steps;                /* what lines that cross the band's upper edge add to the winding from a column of tiles on */
    int band_top;              /* subpixels */
    uint pending;              /* lines in the cover's rows */
} wide_sums;

void wide_begin(wide_sums *sums, const cpu_cover *cover);
/* Takes lines that were just added to the cover. */
void wide_add(wide_sums *sums, const cpu_cover *cover, const cpu_line *lines, uint count);
/* Leaves the cover's rows zero. */
void wide_find_levels(wide_sums *sums, const cpu_cover *cover, uint8_t *levels, size_t pitch);

#endif
