/* Histograms of the 8-bit digits of keys of one or more words, summed in shared memory before they reach the global ones.
 *
 * How to use it: define HISTOGRAM_BIN(i), bin i % 256 of digit i / 256, a uint in a storage buffer; HISTOGRAM_WORDS if a key has more
 * than one; in uniform control flow histogram_clear(); histogram_add(key word, first digit of the word, digits of it that count) in any;
 * then histogram_flush(digits) in uniform control flow again.
 * Shared memory takes 8 KiB, in HISTOGRAM_COPIES of the bins: neighbouring invocations use different ones, so that equal keys collide
 * less. */
#ifndef HISTOGRAM_GLSL
#define HISTOGRAM_GLSL

#include "layout/primitive.h"

#ifndef HISTOGRAM_WORDS
#define HISTOGRAM_WORDS 1u
#endif
#define HISTOGRAM_COPIES (2u / HISTOGRAM_WORDS)
#define HISTOGRAM_COPY_BINS (HISTOGRAM_WORDS * HISTOGRAM_DIGITS * HISTOGRAM_BINS)

shared uint histogram_shared[HISTOGRAM_COPIES * HISTOGRAM_COPY_BINS];

void histogram_clear()
{
    for (uint i = gl_LocalInvocationIndex; i < HISTOGRAM_COPIES * HISTOGRAM_COPY_BINS; i += gl_WorkGroupSize.x)
        histogram_shared[i] = 0u;
    barrier();
}

void histogram_add(uint word, uint first_digit, uint digits)
{
    uint first = gl_SubgroupInvocationID % HISTOGRAM_COPIES * HISTOGRAM_COPY_BINS + first_digit * HISTOGRAM_BINS;
    for (uint d = 0u; d < digits; d++)
        atomicAdd(histogram_shared[first + d * HISTOGRAM_BINS + bitfieldExtract(word, int(8u * d), 8)], 1u, gl_ScopeWorkgroup, 0, gl_SemanticsRelaxed);
}

void histogram_flush(uint digits)
{
    barrier();
    for (uint i = gl_LocalInvocationIndex; i < digits * HISTOGRAM_BINS; i += gl_WorkGroupSize.x) {
        uint sum = 0u;
        for (uint c = 0u; c < HISTOGRAM_COPIES; c++)
            sum += histogram_shared[c * HISTOGRAM_COPY_BINS + i];
        if (sum != 0u)
            atomicAdd(HISTOGRAM_BIN(i), sum, gl_ScopeDevice, 0, gl_SemanticsRelaxed);
    }
}

#endif
