/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "render/cpu/kernels.h"

#if defined(__x86_64__) && defined(__has_include)
#if __has_include(<sys/platform/x86.h>)
#include <sys/platform/x86.h>
#endif
#endif

/* glibc's loader knows what the processor has. The compiler's way asks it a dozen times when the program starts, and in
 * a virtual machine each answer takes microseconds. */
#ifdef CPU_FEATURE_ACTIVE
#define HAS(feature, name) CPU_FEATURE_ACTIVE(feature)
#else
#define HAS(feature, name) __builtin_cpu_supports(name)
#endif

extern const cpu_kernels cpu_kernels_plain;
#if defined(__x86_64__)
extern const cpu_kernels cpu_kernels_avx2, cpu_kernels_avx512;
#endif

const cpu_kernels *cpu_kernels_at(uint index, bool *end)
{
    *end = false;
#if defined(__x86_64__)
    if (index == 0) {
        bool has = HAS(AVX512F, "avx512f") && HAS(AVX512BW, "avx512bw") && HAS(AVX512VL, "avx512vl") &&
                   HAS(AVX512DQ, "avx512dq") && HAS(BMI2, "bmi2");
        return has ? &cpu_kernels_avx512 : NULL;
    }
    if (index == 1)
        return HAS(AVX2, "avx2") && HAS(BMI2, "bmi2") ? &cpu_kernels_avx2 : NULL;
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
