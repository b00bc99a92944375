/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Compiled for AVX2 (cmake/library.cmake) and chosen where the machine has it. */
#if defined(__x86_64__)
#define CPU_KERNELS cpu_kernels_avx2
#define CPU_EFFECTS cpu_effects_avx2
#define CPU_KERNELS_NAME "avx2"
#include "render/cpu/kernels_body.h"
#else
typedef int cpu_kernels_nothing;
#endif
