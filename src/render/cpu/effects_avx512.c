/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Compiled for AVX-512 (cmake/library.cmake) and chosen where the machine has it. */
#if defined(__x86_64__)
#define CPU_EFFECTS cpu_effects_avx512
#define CPU_EFFECTS_NAME "avx512"
#include "render/cpu/effects_body.h"
#else
typedef int cpu_effects_nothing;
#endif
