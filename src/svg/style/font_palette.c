/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "svg/style/font_palette.h"

#include "svg/css/color.h"
#include "svg/css/css_family.h"
#include "svg/css/css_token.h"
#include "svg/style/declaration.h"
#include "svg/style/family_key.h"
#include "svg/style/value.h"

#define KEY_KIND 'p'
#define MOST_COLORS 256u /* of a rule; each is compared for each paint of a glyph */

static bool is_name(text value)
{
    const css_token token = css_token_next(&value);
    return token.kind == CSS_IDENT && value.count == 0 && text_starts_with(token.value, TEXT("--"));
}

svg_parsed svg_parse_font_palette(svg_document *document, text value, svg_declaration *declaration)
{
    const bool plain = text_equal_ignoring_case(value, TEXT("normal")) ||
                       text_equal_ignoring_case(value, TEXT("light")) || text_equal_ignoring_case(value, TEXT("dark"));
    return plain || is_name(value) ? svg_parse_string(document, value, declaration) : SVG_PARSED_BAD;
}

/* ---- Rules ---- */

typedef struct palette_reader {
    svg_document *document;
    text families;
    svg_palette palette;
} palette_reader;

/* Reads a whole number that an index may be. */
static bool take_index(text *rest, uint32_t *index)
{
    const css_token token = css_token_next_part(rest);
    *index = 0;
    for (size_t i = 0; token.kind == CSS_NUMBER && i < token.raw.count; i++) {
        const char c = token.raw.bytes[i];
        if (c < '0' || c > '9' || *index > UINT16_MAX)
            return false;
        *index = 10 * *index + (uint32_t)(c - '0');
    }
    return token.kind == CSS_NUMBER;
}

static void read_base(text value, svg_palette *palette)
{
    uint32_t number;
    text rest = value;
    if (text_equal_ignoring_case(value, TEXT("light")))
        palette->base = SVG_PALETTE_LIGHT;
    else if (text_equal_ignoring_case(value, TEXT("dark")))
        palette->base = SVG_PALETTE_DARK;
    else if (take_index(&rest, &number) && rest.count == 0) {
        palette->base = SVG_PALETTE_NUMBERED;
        palette->number = number;
    }
}

static bool read_color(text part, svg_palette_color *color)
{
    pietra_color dark;
    if (!take_index(&part, &color->index) || svg_color_mentions_current(part))
        return false;
    part = text_trim(part);
    return svg_color_parse(&part, NULL, &color->color, &dark) && text_trim(part).count == 0;
}

/* Reads `0 red, 3 #0f0`. An error in one costs all. */
static bool read_colors(palette_reader *reader, text value)
{
    const size_t most = text_count(value, ',') + 1;
    size_t count = 0;
    if (most > MOST_COLORS)
        return true;
    svg_palette_color *colors =
        arena_alloc(&reader->document->arena, most * sizeof *colors, _Alignof(svg_palette_color));
    if (!colors)
        return false;
    while (value.count)
        if (!read_color(text_trim(css_take_part(&value)), &colors[count++]))
            return true;
    reader->palette.colors = colors;
    reader->palette.color_count = count;
    return true;
}

static bool take_descriptor(void *user, text name, text value, bool important)
{
    palette_reader *reader = user;
    if (important)
        return true;
    if (text_equal(name, TEXT("font-family")))
        reader->families = value;
    else if (text_equal(name, TEXT("base-palette")))
        read_base(value, &reader->palette);
    else if (text_equal(name, TEXT("override-colors")))
        return read_colors(reader, value);
    return true;
}

static bool add(svg_document *document, svg_palette palette, text key)
{
    const char *copy = arena_copy(&document->arena, key.bytes, key.count);
    palette.key = (text){copy, key.count};
    if (!copy || !array_reserve(&document->palettes, 1) ||
        !hash_insert(&document->palette_table, hash_bytes(key.bytes, key.count), (uint32_t)document->palettes.count))
        return false;
    *array_push(&document->palettes) = palette;
    return true;
}

bool svg_font_palette_read(svg_document *document, text name, text body)
{
    palette_reader reader = {.document = document};
    if (!is_name(text_trim(name)))
        return true;
    if (!svg_declaration_list_walk(body, take_descriptor, &reader))
        return false;
    while (reader.families.count) {
        char key[FAMILY_KEY_BYTES];
        const char *family = css_family_read(text_trim(css_take_part(&reader.families)), &document->arena);
        if (!family)
            return false;
        const size_t count = family_key_write(KEY_KIND, family, text_trim(name), key);
        if (count && !svg_budget_charge(document->budget, SVG_LIMIT_rules, 1))
            return true;
        if (count && !add(document, reader.palette, (text){key, count}))
            return false;
    }
    return true;
}

/* ---- Values ---- */

static const svg_palette *find_named(const svg_document *document, text key)
{
    const svg_palette *found = NULL;
    const uint64_t hash = hash_bytes(key.bytes, key.count);
    for (hash_walk walk = hash_find(&document->palette_table, hash); hash_found(&walk); hash_next(&walk))
        if (text_equal(document->palettes.items[walk.value].key, key))
            found = &document->palettes.items[walk.value]; /* the last one counts */
    return found;
}

svg_palette svg_font_palette_find(const svg_document *document, text value, const char *const *families,
                                  size_t family_count)
{
    svg_palette palette = {.base = SVG_PALETTE_NUMBERED};
    read_base(value, &palette);
    for (size_t i = 0; i < family_count && document->palettes.count > 0; i++) {
        char key[FAMILY_KEY_BYTES];
        const size_t count = family_key_write(KEY_KIND, families[i], value, key);
        const svg_palette *found = count ? find_named(document, (text){key, count}) : NULL;
        if (found)
            return *found;
    }
    return palette;
}
