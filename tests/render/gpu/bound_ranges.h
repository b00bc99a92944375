/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* What a program binds for its kernels. A test that is linked with `--wrap=gpu_dispatch --wrap=gpu_dispatch_indirect`
 * fails if a range that is bound exceeds what the device lets a kernel see, or is misaligned. */
#ifndef PIETRA_RENDER_GPU_BOUND_RANGES_H
#define PIETRA_RENDER_GPU_BOUND_RANGES_H

#include <stdint.h>

/* The bytes of the largest range that was bound since the program set this to 0. */
extern uint64_t most_bound;

#endif
