/* Histograms of the four 8-bit digits of u32 keys, summed in shared memory before they reach the global ones.
 *
 * How to use it: define HISTOGRAM_BIN(i), bin i % 256 of digit i / 256, a uint in a storage buffer; in uniform control flow
 * histogram_clear(); histogram_add(key, digits) in any; then histogram_flush(digits) in uniform control flow again.
 * Shared memory takes HISTOGRAM_COPIES * 4 KiB: neighbouring invocations use different copies, so that equal keys collide less. */
#ifndef HISTOGRAM_GLSL
#define HISTOGRAM_GLSL

#include "layout/primitive.h"

shared uint histogram_shared[HISTOGRAM_COPIES * HISTOGRAM_DIGITS * HISTOGRAM_BINS];

void histogram_clear()
{
    for (uint i = gl_LocalInvocationIndex; i < HISTOGRAM_COPIES * HISTOGRAM_DIGITS * HISTOGRAM_BINS; i += gl_WorkGroupSize.x)
        histogram_shared[i] = 0u;
    barrier();
}

void histogram_add(uint key, uint digits)
{
    uint copy = gl_SubgroupInvocationID % HISTOGRAM_COPIES * (HISTOGRAM_DIGITS * HISTOGRAM_BINS);
    for (uint d = 0u; d < digits; d++)
        atomicAdd(histogram_shared[copy + d * HISTOGRAM_BINS + bitfieldExtract(key, int(8u * d), 8)], 1u, gl_ScopeWorkgroup, 0, gl_SemanticsRelaxed);
}

void histogram_flush(uint digits)
{
    barrier();
    for (uint i = gl_LocalInvocationIndex; i < digits * HISTOGRAM_BINS; i += gl_WorkGroupSize.x) {
        uint sum = 0u;
        for (uint c = 0u; c < HISTOGRAM_COPIES; c++)
            sum += histogram_shared[c * HISTOGRAM_DIGITS * HISTOGRAM_BINS + i];
        if (sum != 0u)
            atomicAdd(HISTOGRAM_BIN(i), sum, gl_ScopeDevice, 0, gl_SemanticsRelaxed);
    }
}

#endif
