/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Macros that let one text be both C and GLSL. Only this file asks which of the two it is.
 *
 * Shared code is a common subset: scalars, structs of scalars, functions that return structs. An in-out parameter is
 * written INOUT(type) name, used as REF(name) and passed as ADDR(variable). PRECISE marks floats that decide a
 * picture: no contraction, no reassociation (C gets the same from -ffp-contract=off). A function that reads texels
 * takes TEXELS_PARAMETER first and passes TEXELS_ARGUMENT on. In C that is a pointer to the texels. In GLSL it is
 * nothing, and the includer defines uint texel_at(uint) first. VALUES_* are the same for floats, WORDS_* for
 * words that are no texels. */
#ifndef PIETRA_LAYOUT_GLUE_H
#define PIETRA_LAYOUT_GLUE_H

#ifdef GL_core_profile
#define PRECISE precise
#define SHARED_FUNCTION
#define STRUCT(name) struct name
#define CONSTANT(name, value) const uint name = value;
#define INOUT(type) inout type
#define REF(name) name
#define ADDR(name) name
#define TO_FLOAT(x) float(x)
#define TO_INT(x) int(x)
#define TO_UINT(x) uint(x)
#define BITS_OF_FLOAT(x) floatBitsToUint(x)
#define FLOAT_OF_BITS(x) uintBitsToFloat(x)
#define TEXELS_PARAMETER
#define TEXELS_ARGUMENT
#define TEXEL_AT(i) texel_at(i)
#define VALUES_PARAMETER
#define VALUES_ARGUMENT
#define VALUE_AT(i) value_at(i)
#define WORDS_PARAMETER
#define WORDS_ARGUMENT
#define WORD_AT(i) word_at(i)

/* The high word of a 32 x 32 bit product, rounded to nearest: (a b + 2^31) >> 32. */
uint multiply_high_rounded(uint a, uint b)
{
    uint high, low;
    umulExtended(a, b, high, low);
    return high + (low >> 31);
}

/* The high word of a 32 x 32 bit product. */
uint multiply_high(uint a, uint b)
{
    uint high, low;
    umulExtended(a, b, high, low);
    return high;
}
#else
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
typedef uint32_t uint;
#define PRECISE
#define SHARED_FUNCTION static inline
#define CONSTANT(name, value) enum { name = value };
#define STRUCT(name) \
    typedef struct name name; \
    struct name
#define INOUT(type) type *
#define REF(name) (*name)
#define ADDR(name) (&name)
#define TO_FLOAT(x) ((float)(x))
#define TO_INT(x) ((int)(x))
#define TO_UINT(x) ((uint)(x))
static inline uint glue_bits_of_float(float x)
{
    uint bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}
static inline float glue_float_of_bits(uint bits)
{
    float x;
    memcpy(&x, &bits, sizeof x);
    return x;
}
#define BITS_OF_FLOAT(x) glue_bits_of_float(x)
#define FLOAT_OF_BITS(x) glue_float_of_bits(x)
#define TEXELS_PARAMETER const uint *texels,
#define TEXELS_ARGUMENT texels,
#define TEXEL_AT(i) texels[i]
#define VALUES_PARAMETER const float *values,
#define VALUES_ARGUMENT values,
#define VALUE_AT(i) values[i]
#define WORDS_PARAMETER const uint *words,
#define WORDS_ARGUMENT words,
#define WORD_AT(i) words[i]

static inline uint multiply_high_rounded(uint a, uint b)
{
    return (uint)(((uint64_t)a * b + 0x80000000u) >> 32);
}

static inline uint multiply_high(uint a, uint b)
{
    return (uint)((uint64_t)a * b >> 32);
}
#endif

#endif
