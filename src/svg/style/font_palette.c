/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "svg/style/font_palette.h"

#include "svg/css/color.h"
#include "svg/css/css_token.h"
#include "svg/style/declaration.h"
#include "svg/style/family_names.h"
#include "svg/style/value.h"

#define NAME_KIND 'p'
#define MOST_INDEX 65535u /* of a palette or a colour, without its last digit */
#define MOST_COLORS 256u  /* of a rule; each is compared for each paint of a glyph */

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

static void read_base(text value, svg_palette *palette)
{
    uint32_t number;
    text rest = value;
    if (text_equal_ignoring_case(value, TEXT("light")))
        palette->base = SVG_PALETTE_LIGHT;
    else if (text_equal_ignoring_case(value, TEXT("dark")))
        palette->base = SVG_PALETTE_DARK;
    else if (family_number_take(&rest, MOST_INDEX, &number) && rest.count == 0) {
        palette->base = SVG_PALETTE_NUMBERED;
        palette->number = number;
    }
}

static bool read_color(text part, svg_palette_color *color)
{
    pietra_color dark;
    if (!family_number_take(&part, MOST_INDEX, &color->index) || svg_color_mentions_current(part))
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

bool svg_font_palette_read(svg_document *document, text name, text body)
{
    palette_reader reader = {.document = document};
    if (!is_name(text_trim(name)))
        return true;
    if (!svg_declaration_list_walk(body, take_descriptor, &reader))
        return false;
    svg_palette *kept = arena_alloc(&document->arena, sizeof *kept, _Alignof(svg_palette));
    if (!kept)
        return false;
    *kept = reader.palette;
    return family_names_add(document, NAME_KIND, reader.families, text_trim(name), kept);
}

/* ---- Values ---- */

svg_palette svg_font_palette_find(const svg_document *document, text value, const char *const *families,
                                  size_t family_count)
{
    svg_palette palette = {.base = SVG_PALETTE_NUMBERED};
    read_base(value, &palette);
    const svg_palette *found = family_names_find(document, NAME_KIND, families, family_count, value);
    return found ? *found : palette;
}
