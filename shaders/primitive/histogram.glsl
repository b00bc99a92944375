/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Histograms of 8-bit digits of u32 words, summed in shared memory before they reach the global ones.
 *
 * How to use it: define HISTOGRAM_BIN(i), bin i % 256 of digit i / 256, a uint in a storage buffer; in uniform control
 * flow histogram_clear(); in any histogram_add(word, first bit, where the digits of this word start, how many count, at
 * most HISTOGRAM_DIGITS, copies); then histogram_flush(digits) in uniform control flow again, digits from 1 to 8.
 * Shared memory is histogram_words words, a specialisation constant, at least HISTOGRAM_BINS a digit. Where it holds
 * more, the bins are kept several times, and neighbouring invocations use different copies, so that they collide
 * less. */
#ifndef HISTOGRAM_GLSL
#define HISTOGRAM_GLSL

#include "layout/primitive.h"

layout(constant_id = PRIMITIVE_CONSTANT_SHARED_WORDS) const uint histogram_words = 2048u;

shared uint histogram_shared[histogram_words];

/* Returns log2 of the number of copies. */
uint histogram_copies(uint digits)
{
    return uint(findMSB(histogram_words / (HISTOGRAM_BINS * max(digits, 1u))));
}

void histogram_clear()
{
    for (uint i = gl_LocalInvocationIndex; i < histogram_words; i += gl_WorkGroupSize.x)
        histogram_shared[i] = 0u;
    barrier();
}

/* Adds a word's digits to the bins. The copies of a bin lie side by side, in different banks. */
void histogram_add(uint word, uint first_bit, uint first_digit, uint digits, uint copies)
{
    uint copy = gl_SubgroupInvocationID & (1u << copies) - 1u;
    [[unroll]] for (uint d = 0u; d < HISTOGRAM_DIGITS; d++) {
        if (d < digits) {
            uint bin = (first_digit + d) * HISTOGRAM_BINS + bitfieldExtract(word, int(first_bit + 8u * d), 8);
            atomicAdd(histogram_shared[(bin << copies) + copy], 1u, gl_ScopeWorkgroup, 0, gl_SemanticsRelaxed);
        }
    }
}

void histogram_flush(uint digits)
{
    uint copies = histogram_copies(digits);
    barrier();
    for (uint i = gl_LocalInvocationIndex; i < digits * HISTOGRAM_BINS; i += gl_WorkGroupSize.x) {
        uint sum = 0u;
        for (uint c = 0u; c < 1u << copies; c++)
            sum += histogram_shared[(i << copies) + c];
        if (sum != 0u)
            atomicAdd(HISTOGRAM_BIN(i), sum, gl_ScopeDevice, 0, gl_SemanticsRelaxed);
    }
}

#endif
