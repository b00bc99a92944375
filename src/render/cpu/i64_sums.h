/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The coverage of an element, by the non-zero rule, that has more edges in a band than sums of 32 bits are sure to
 * hold. Sums have 64 bits. */
#ifndef PIETRA_RENDER_CPU_I64_SUMS_H
#define PIETRA_RENDER_CPU_I64_SUMS_H

#include "render/cpu/kernels.h"

/* Clears the coverage's 64-bit rows. */
void i64_begin(const cpu_coverage *coverage);
/* Moves the 32-bit sums into the 64-bit ones, and leaves them zero. Called after every I64_EDGES edges at least, and
 * after the last one. */
void i64_fold(const cpu_coverage *coverage);
#define I64_EDGES 8191u
void i64_find_levels(const cpu_coverage *coverage, uint8_t *levels, size_t pitch);

#endif
