/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "font/facts.h"

#include <stdlib.h>

#include "font/names.h"

#define BOLD_WEIGHT 700.0f
#define NORMAL_WEIGHT 400.0f

static const char broken_head[] = "its table head is missing or broken";

/* ---- Tables of every face ---- */

static const char *read_head(font_bytes head, font_traits *traits)
{
    const uint16_t units_per_em = font_u16(head, 18), style = font_u16(head, 44);
    if (head.count < 54 || units_per_em < 16 || units_per_em > 16384)
        return broken_head;
    const float weight = style & 1 ? BOLD_WEIGHT : NORMAL_WEIGHT;
    traits->weight = (font_range){weight, weight};
    traits->stretch = (font_range){100, 100};
    traits->slope = style & 2 ? FONT_ITALIC : FONT_UPRIGHT;
    return NULL;
}

/* Reads the weight. Some old fonts count from 1 to 9. */
static float find_weight(uint16_t class)
{
    const float weight = class < 10 ? (float)class * 100 : (float)class;
    return weight < 1 ? NORMAL_WEIGHT : weight > 1000 ? 1000 : weight;
}

static void read_os2(font_bytes os2, font_traits *traits)
{
    static const float stretches[] = {100, 50, 62.5f, 75, 87.5f, 100, 112.5f, 125, 150, 200};
    const uint16_t width = font_u16(os2, 6), selection = font_u16(os2, 62);
    if (os2.count < 64)
        return;
    const float weight = find_weight(font_u16(os2, 4));
    const float stretch = stretches[width < sizeof stretches / sizeof stretches[0] ? width : 0];
    traits->weight = (font_range){weight, weight};
    traits->stretch = (font_range){stretch, stretch};
    traits->slope = selection & 1 ? FONT_ITALIC : selection & 1u << 9 ? FONT_OBLIQUE : FONT_UPRIGHT;
}

static void read_axis(font_bytes axis, font_traits *traits)
{
    const font_range range = {(float)font_fixed(axis, 4), (float)font_fixed(axis, 12)};
    if (range.least > range.most)
        return;
    switch (font_u32(axis, 0)) {
    case FONT_TAG('w', 'g', 'h', 't'):
        traits->weight = range;
        break;
    case FONT_TAG('w', 'd', 't', 'h'):
        traits->stretch = range;
        break;
    case FONT_TAG('s', 'l', 'n', 't'): /* counter-clockwise, where CSS counts clockwise */
        traits->angle = (font_range){-range.most, -range.least};
        break;
    case FONT_TAG('i', 't', 'a', 'l'):
        traits->has_italic_axis = range.least <= 0 && range.most >= 1;
        break;
    default:
        break;
    }
}

static void read_fvar(font_bytes fvar, font_traits *traits)
{
    const size_t axes = font_u16(fvar, 4), count = font_u16(fvar, 8), bytes = font_u16(fvar, 10);
    for (size_t i = 0; i < count && bytes >= 20 && font_has(fvar, axes + i * bytes, 20); i++) {
        traits->variable = true;
        read_axis(font_after(fvar, axes + i * bytes), traits);
    }
}

/* ---- What the face draws with ---- */

static bool has_table(const sfnt *font, uint32_t tag)
{
    return sfnt_find(font, tag) != NULL;
}

static uint8_t find_colors(const sfnt *font)
{
    uint8_t colors = 0;
    if (has_table(font, FONT_TAG('C', 'O', 'L', 'R')))
        colors |= FONT_COLOR_LAYERS;
    if (has_table(font, FONT_TAG('C', 'B', 'D', 'T')) || has_table(font, FONT_TAG('s', 'b', 'i', 'x')))
        colors |= FONT_COLOR_BITMAPS;
    if (has_table(font, FONT_TAG('S', 'V', 'G', ' ')))
        colors |= FONT_COLOR_SVG;
    return colors;
}

static bool has_outlines(const sfnt *font)
{
    return has_table(font, FONT_TAG('g', 'l', 'y', 'f')) || has_table(font, FONT_TAG('C', 'F', 'F', ' ')) ||
           has_table(font, FONT_TAG('C', 'F', 'F', '2'));
}

/* ---- The whole ---- */

typedef const char *table_function(font_bytes table, font_facts *facts);

static const char *take_head(font_bytes table, font_facts *facts)
{
    return read_head(table, &facts->traits);
}

static const char *take_os2(font_bytes table, font_facts *facts)
{
    read_os2(table, &facts->traits);
    return NULL;
}

static const char *take_fvar(font_bytes table, font_facts *facts)
{
    read_fvar(table, &facts->traits);
    return NULL;
}

static const char *take_names(font_bytes table, font_facts *facts)
{
    font_names names = {0};
    if (!font_names_read(table, &names)) {
        array_free(&names);
        return font_out_of_memory;
    }
    facts->families = names.items;
    facts->families_bytes = names.count;
    return NULL;
}

const char *font_facts_read(const sfnt *font, font_facts *facts)
{
    static const struct {
        uint32_t tag;
        table_function *take;
    } tables[] = {
        {FONT_TAG('h', 'e', 'a', 'd'), take_head},
        {FONT_TAG('O', 'S', '/', '2'), take_os2},
        {FONT_TAG('f', 'v', 'a', 'r'), take_fvar},
        {FONT_TAG('n', 'a', 'm', 'e'), take_names},
    };
    const char *wrong = NULL;
    *facts = (font_facts){.traits.colors = find_colors(font)};
    if (!has_outlines(font) && facts->traits.colors == 0)
        wrong = "it has no outlines";
    for (size_t i = 0; !wrong && i < sizeof tables / sizeof tables[0]; i++) {
        font_piece piece;
        wrong = sfnt_read(font, tables[i].tag, &piece);
        if (wrong)
            break;
        wrong = tables[i].take(piece.bytes, facts);
        font_piece_free(&piece);
    }
    if (wrong)
        font_facts_free(facts);
    return wrong;
}

void font_facts_free(font_facts *facts)
{
    free(facts->families);
    *facts = (font_facts){0};
}
