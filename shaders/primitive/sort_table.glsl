/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Digits and table of a sort of fewer keys, in which each partition reads the counts of all (sort_count.comp,
 * sort_scatter.comp).
 *
 * The table has a row for each partition: how many of its keys each bin has, two bins a word. Digits have digit_bits
 * bits at most, and bits are shared evenly among as few digits as that allows. */
#ifndef SORT_TABLE_GLSL
#define SORT_TABLE_GLSL

layout(constant_id = PRIMITIVE_CONSTANT_DIGIT_BITS) const uint digit_bits = 8u;

#define BINS (1u << digit_bits)
#define BIN_PAIRS (1u << (digit_bits - 1u))

uint pass_count(uint bits)
{
    return SORT_TABLE_PASSES(bits, digit_bits);
}

uint digit_width(uint bits)
{
    uint passes = max(pass_count(bits), 1u);
    return (bits + passes - 1u) / passes;
}

uint digit_of(uint key, uint first_bit, uint width)
{
    return bitfieldExtract(key, int(first_bit), int(width));
}

#endif
