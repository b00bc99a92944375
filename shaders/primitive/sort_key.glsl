/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* A key of a sort. SORT_U64: of 64 bits, low word first. */
#ifndef SORT_KEY_GLSL
#define SORT_KEY_GLSL

#ifdef SORT_U64
#define sort_key uvec2
#define KEY_WORDS 2u
#else
#define sort_key uint
#define KEY_WORDS 1u
#endif

/* Returns the significant bits of a key. */
uint significant(uint key, uint bits)
{
    return bitfieldExtract(key, 0, int(min(bits, 32u)));
}

uvec2 significant(uvec2 key, uint bits)
{
    return uvec2(significant(key.x, bits), significant(key.y, max(bits, 32u) - 32u));
}

bool key_less(uint a, uint b)
{
    return a < b;
}

bool key_less(uvec2 a, uvec2 b)
{
    return a.y < b.y || (a.y == b.y && a.x < b.x);
}

#endif
