/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Estimates how much longer a frame takes in parts than at once. Both times are estimated from counts, so the answer
 * does not depend on how fast or how busy a machine is. What things take is as measured on one core of 2023, on the
 * scenes of docs/performance.md at 400 and 1024 pixels and budgets of 64 KiB to 1 MiB: what a frame takes at once is
 * mostly right to a third there, and what it takes in addition to a sixth. Small pictures may be off by a half. */
#ifndef PIETRA_RENDER_CPU_PART_COST_H
#define PIETRA_RENDER_CPU_PART_COST_H

#include "render/cpu/cpu.h"

typedef struct part_cost {
    bool has_dashes;
    uint64_t elements_left, segments_left; /* those that no part has walked past, and flattened, for the first time */
    uint64_t unseen_elements;              /* those that no part has prepared */
    uint64_t touches_within, touches_at_once; /* the touches of lines for which painters have room */
    uint64_t box_pixels, painted_pixels;      /* those of the frame's elements, and those that were painted so far */
    bool is_painted_over;                     /* opaque fills hide most of them */
    uint64_t once_ps;                         /* picoseconds that the frame would take at once */
    uint64_t extra_ps;                        /* picoseconds that it takes in addition */
} part_cost;

/* Returns whether a part of so many pixels, of which a batch took so much to flatten and has one in `batches` of the
 * elements, takes less time if it is halved than in batches. Each batch copies the pixels and paints what later ones
 * hide, and each half walks past all elements and flattens most of them again. */
bool part_cost_prefers_halves(uint64_t pixels, uint64_t batches, uint64_t segments, const cpu_counts *counts);

/* Starts an estimate for parts within a budget. */
part_cost part_cost_of(const uint32_t *words, const frame_config *whole, uint64_t budget_bytes);
/* Adds what a part took, whether it was drawn or not. */
void part_cost_add(part_cost *cost, const cpu_counts *counts);
/* Returns whether a frame of which so many tiles are left is not to be drawn to its end, because it seems to take more
 * than four times as long as at once: far more, while little of it is known. So few frames are refused after more than
 * four times what they take at once, and none of the scenes after six times. */
bool part_cost_is_too_high(const part_cost *cost, uint64_t tiles_left, uint64_t tiles);

#endif
