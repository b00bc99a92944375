/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "render/cpu/i64_sums.h"

#include <string.h>

#include "lib/coverage.h"

void i64_begin(const cpu_coverage *coverage)
{
    memset(coverage->wide, 0, (size_t)coverage->height * coverage->stride * sizeof *coverage->wide);
}

void i64_fold(const cpu_coverage *coverage)
{
    for (size_t i = 0; i < (size_t)coverage->height * coverage->stride; i++) {
        coverage->wide[i] += coverage->rows[i];
        coverage->rows[i] = 0;
    }
    memset(coverage->touched, 0, (size_t)coverage->height * coverage->words * sizeof *coverage->touched);
}

void i64_find_levels(const cpu_coverage *coverage, uint8_t *levels, size_t pitch)
{
    for (int y = 0; y < coverage->height; y++) {
        const int64_t *row = coverage->wide + (size_t)y * coverage->stride;
        int64_t area = 0;
        for (int x = 0; x < coverage->width; x++) {
            area += row[x];
            levels[(size_t)y * pitch + (size_t)x] =
                (uint8_t)coverage_level_of_parts((int)(area >> 16), (uint)(area & 0xffff), false);
        }
    }
}
