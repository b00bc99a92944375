/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Stage 11 on the CPU: the same bytes as the reference, by vectors and threads. One text (effects_body.h) is compiled
 * for each instruction set. */
#ifndef PIETRA_RENDER_CPU_EFFECTS_H
#define PIETRA_RENDER_CPU_EFFECTS_H

#include "render/effect/effect.h"

/* Returns the functions for the best instructions that this machine has. */
const effect_functions *effect_cpu(void);
/* Returns one set by its number, for tests. NULL: this machine lacks it, or there are no more sets (`*end`). The
 * numbers are those of cpu_kernels_at. */
const effect_functions *effect_cpu_at(uint index, bool *end);

#endif
