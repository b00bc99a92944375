/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "render/cpu/effects.h"
#include "render/cpu/kernels.h"

const effect_functions *effect_cpu(void)
{
    return cpu_kernels_best()->effects;
}

const effect_functions *effect_cpu_at(uint index, bool *end)
{
    const cpu_kernels *kernels = cpu_kernels_at(index, end);
    return kernels ? kernels->effects : NULL;
}
