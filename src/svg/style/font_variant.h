/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The words of font-variant, and the features of OpenType that they set (CSS Fonts 4, section 6). */
#ifndef PIETRA_SVG_STYLE_FONT_VARIANT_H
#define PIETRA_SVG_STYLE_FONT_VARIANT_H

#include <stdint.h>

#include "base/text.h"

typedef struct font_variant_word {
    text word;
    const char *features; /* tags of four letters; */
    uint32_t value;       /* the value that all of these get */
} font_variant_word;

/* A value of font-variant is a set of these, the first in the lowest bit. */
static const font_variant_word font_variants[] = {
    {TEXT_LITERAL("none"), "ligacligdlighligcalt", 0},
    {TEXT_LITERAL("common-ligatures"), "ligaclig", 1},
    {TEXT_LITERAL("no-common-ligatures"), "ligaclig", 0},
    {TEXT_LITERAL("discretionary-ligatures"), "dlig", 1},
    {TEXT_LITERAL("no-discretionary-ligatures"), "dlig", 0},
    {TEXT_LITERAL("historical-ligatures"), "hlig", 1},
    {TEXT_LITERAL("no-historical-ligatures"), "hlig", 0},
    {TEXT_LITERAL("contextual"), "calt", 1},
    {TEXT_LITERAL("no-contextual"), "calt", 0},
    {TEXT_LITERAL("small-caps"), "", 1}, /* how a font has these five, text/capitals.h finds */
    {TEXT_LITERAL("all-small-caps"), "", 1},
    {TEXT_LITERAL("petite-caps"), "", 1},
    {TEXT_LITERAL("all-petite-caps"), "", 1},
    {TEXT_LITERAL("unicase"), "", 1},
    {TEXT_LITERAL("titling-caps"), "titl", 1},
    {TEXT_LITERAL("lining-nums"), "lnum", 1},
    {TEXT_LITERAL("oldstyle-nums"), "onum", 1},
    {TEXT_LITERAL("proportional-nums"), "pnum", 1},
    {TEXT_LITERAL("tabular-nums"), "tnum", 1},
    {TEXT_LITERAL("diagonal-fractions"), "frac", 1},
    {TEXT_LITERAL("stacked-fractions"), "afrc", 1},
    {TEXT_LITERAL("ordinal"), "ordn", 1},
    {TEXT_LITERAL("slashed-zero"), "zero", 1},
    {TEXT_LITERAL("sub"), "subs", 1},
    {TEXT_LITERAL("super"), "sups", 1},
    {TEXT_LITERAL("jis78"), "jp78", 1},
    {TEXT_LITERAL("jis90"), "jp90", 1},
    {TEXT_LITERAL("simplified"), "smpl", 1},
    {TEXT_LITERAL("traditional"), "trad", 1},
    {TEXT_LITERAL("full-width"), "fwid", 1},
    {TEXT_LITERAL("proportional-width"), "pwid", 1},
    {TEXT_LITERAL("ruby"), "ruby", 1},
};
/* The words of each longhand. */
#define FONT_VARIANT_LIGATURES 0x000001ffu
#define FONT_VARIANT_CAPS 0x00007e00u
#define FONT_VARIANT_FIRST_CAPS 9u /* the bit of small-caps */
#define FONT_VARIANT_NUMERIC 0x007f8000u
#define FONT_VARIANT_POSITION 0x01800000u
#define FONT_VARIANT_EAST_ASIAN 0xfe000000u

#define FONT_VARIANT_COUNT (sizeof font_variants / sizeof font_variants[0])
_Static_assert(FONT_VARIANT_COUNT <= 32, "a value keeps a bit for each");

#endif
