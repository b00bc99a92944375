/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "render/cpu/kernels.h"

#include "base/processor.h"

extern const cpu_kernels cpu_kernels_plain;
#if defined(__x86_64__)
extern const cpu_kernels cpu_kernels_avx2, cpu_kernels_avx512;
#endif

const cpu_kernels *cpu_kernels_at(uint index, bool *end)
{
    *end = false;
#if defined(__x86_64__)
    if (index == 0) {
        bool has = PROCESSOR_HAS(AVX512F, "avx512f") && PROCESSOR_HAS(AVX512BW, "avx512bw") &&
                   PROCESSOR_HAS(AVX512VL, "avx512vl") && PROCESSOR_HAS(AVX512DQ, "avx512dq") &&
                   PROCESSOR_HAS(BMI2, "bmi2");
        return has ? &cpu_kernels_avx512 : NULL;
    }
    if (index == 1)
        return PROCESSOR_HAS(AVX2, "avx2") && PROCESSOR_HAS(BMI2, "bmi2") ? &cpu_kernels_avx2 : NULL;
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
