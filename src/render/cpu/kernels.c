/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "render/cpu/kernels.h"

extern const cpu_kernels cpu_kernels_plain;
#if defined(__x86_64__)
extern const cpu_kernels cpu_kernels_avx2, cpu_kernels_avx512;
#endif

const cpu_kernels *cpu_kernels_at(uint index, bool *end)
{
    *end = false;
#if defined(__x86_64__)
    if (index == 0) {
        bool has = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
                   __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512dq") &&
                   __builtin_cpu_supports("bmi2");
        return has ? &cpu_kernels_avx512 : NULL;
    }
    if (index == 1)
        return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi2") ? &cpu_kernels_avx2 : NULL;
    index -= 2;
#endif
    *end = index > 0;
    return index == 0 ? &cpu_kernels_plain : NULL;
}

const cpu_kernels *cpu_kernels_best(void)
{
    const cpu_kernels *found = NULL;
    bool end = false;
    for (uint i = 0; !found; i++)
        found = cpu_kernels_at(i, &end);
    return found;
}
