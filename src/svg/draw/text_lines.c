/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Lines of a text (SVG 2, 11.6.1 and 11.7). They end at line feeds that are kept, and where inline-size is full. To
 * know what fits, the text is shaped as one line before. Then each line is a chunk, which begins where the first one
 * does, but lower. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "font/font.h"
#include "svg/draw/text_layout.h"
#include "text/clusters.h"
#include "text/lines.h"

#define SOFT_HYPHEN 0xadu
#define HYPHEN 0x2010u

typedef struct liner {
    svg_walk *walk;
    const svg_instance *instance;
    svg_text_layout *layout;
    double width; /* INFINITY: lines do not wrap */
    text_line_list lines;
} liner;

static const svg_text_element *root_of(const liner *liner)
{
    return &liner->layout->elements.items[0];
}

static svg_metrics metrics_of(const liner *liner, const svg_text_element *element)
{
    return svg_walk_metrics(liner->walk, svg_text_font_size(liner->layout, element), liner->instance->width,
                            liner->instance->height);
}

/* Programs write `pre` beside inline-size, so only `nowrap` keeps a text on one line. */
static double find_width(const liner *liner)
{
    const svg_text_element *root = root_of(liner);
    const svg_metrics metrics = metrics_of(liner, root);
    const svg_axis axis = liner->layout->vertical ? SVG_AXIS_Y : SVG_AXIS_X;
    const double width = svg_length_resolve(liner->layout->noninherited.inline_size, axis, &metrics);
    return width > 0 && liner->layout->style.white_space != SVG_SPACE_ON_ONE_LINE ? width : INFINITY;
}

static bool has_path(const svg_text_layout *layout)
{
    for (size_t i = 0; i < layout->elements.count; i++)
        if (layout->elements.items[i].path != SVG_NO_INDEX)
            return true;
    return false;
}

/* On a path there is one line. */
static void join_lines(svg_text_layout *layout)
{
    for (size_t i = 0; i < layout->units.count; i++)
        if (layout->units.items[i] == '\n') {
            layout->units.items[i] = ' ';
            layout->characters.items[layout->unit_characters.items[i]].is_space = true;
        }
}

/* ---- What fits ---- */

/* In wrapped text only the place of the first character counts: the others are for renderers that do not wrap. */
static void drop_places(const svg_text_layout *layout)
{
    for (uint32_t i = 1; i < layout->characters.count; i++) {
        const svg_text_character *character = &layout->characters.items[i];
        if (character->place)
            layout->places.items[character->place].x = layout->places.items[character->place].y = NAN;
    }
}

/* Forgets the glyphs of the text as one line. */
static void drop_glyphs(svg_text_layout *layout)
{
    shaped_text_free(&layout->shaped);
    memset(&layout->shaped, 0, sizeof layout->shaped);
    for (uint32_t i = 0; i < layout->characters.count; i++) {
        svg_text_character *character = &layout->characters.items[i];
        character->starts_cluster = false;
        character->run = character->glyph = character->glyph_count = 0;
        character->advance = 0;
        character->spacing = 0;
    }
}

/* Lines end at line feeds, whatever the rules say: other characters that end lines are none in SVG. */
static void force_breaks(const svg_text_layout *layout, uint8_t *breaks)
{
    for (size_t i = 1; i < layout->units.count; i++)
        if (layout->units.items[i - 1] == '\n')
            breaks[i] = BREAK_FORCED;
        else if (breaks[i] == BREAK_FORCED)
            breaks[i] = BREAK_FORBIDDEN;
}

/* Where blanks take space, a line may end behind each of them. */
static void break_blanks(const svg_text_layout *layout, uint8_t *breaks)
{
    for (size_t i = 1; i < layout->units.count; i++)
        if (line_is_blank(layout->units.items[i - 1]) && breaks[i] == BREAK_FORBIDDEN)
            breaks[i] = BREAK_ALLOWED;
}

/* Lines do not end inside of elements that do not wrap. */
static void heed_elements(const svg_text_layout *layout, uint8_t *breaks)
{
    bool wrapped = true, wraps = true; /* also of the element at hand */
    uint32_t element = SVG_NO_INDEX;
    svg_inherited room;
    for (size_t i = 0; i < layout->units.count; i++) {
        const uint32_t character = layout->unit_characters.items[i];
        if (character != SVG_NO_INDEX && layout->characters.items[character].element != element) {
            element = layout->characters.items[character].element;
            wraps = svg_text_inherited(layout, &layout->elements.items[element], &room)->white_space !=
                    SVG_SPACE_ON_ONE_LINE;
        }
        if (!wraps && !wrapped && breaks[i] == BREAK_ALLOWED)
            breaks[i] = BREAK_FORBIDDEN;
        wrapped = wraps;
    }
}

static const char *find_breaks(const liner *liner, const uint8_t *cluster_starts, uint8_t *breaks)
{
    static const break_strictness strictness[] = {
        [SVG_BREAK_USUAL] = BREAK_USUAL,   [SVG_BREAK_LOOSE] = BREAK_LOOSE,       [SVG_BREAK_NORMAL] = BREAK_NORMAL,
        [SVG_BREAK_STRICT] = BREAK_STRICT, [SVG_BREAK_ANYWHERE] = BREAK_ANYWHERE,
    };
    static const break_words words[] = {
        [SVG_BREAK_BETWEEN_WORDS] = BREAK_BETWEEN_WORDS,
        [SVG_BREAK_WORDS] = BREAK_WORDS,
        [SVG_BREAK_KEEP_WORDS] = BREAK_KEEP_WORDS,
    };
    const svg_text_layout *layout = liner->layout;
    const svg_inherited *style = &liner->layout->style;
    const break_rules rules = {.language = layout->styles.items[root_of(liner)->style].font.language,
                               .strictness = strictness[style->line_break],
                               .words = words[style->word_break]};
    const char *wrong =
        layout->wraps ? breaks_find(layout->units.items, layout->units.count, cluster_starts, &rules, breaks) : NULL;
    if (style->white_space == SVG_SPACE_TAKEN)
        break_blanks(layout, breaks);
    force_breaks(layout, breaks);
    heed_elements(layout, breaks);
    return wrong;
}

/* Returns the font and the size in which a hyphen stands at a unit; a font that lacks it shows a minus. */
static uint32_t find_hyphen(const svg_text_layout *layout, size_t unit, double *advance)
{
    const uint32_t index = layout->unit_characters.items[unit];
    const svg_text_font *font = svg_text_font_of(layout, layout->characters.items[index].element);
    const bool has = pietra_font_glyph(font->font, HYPHEN) != 0;
    const uint32_t glyph = pietra_font_glyph(font->font, has ? HYPHEN : '-');
    pietra_font_metrics metrics;
    *advance = pietra_font_measure(font->font, &metrics)
                   ? pietra_font_advance(font->font, glyph, layout->vertical) * font->size / metrics.units_per_em
                   : 0;
    return has ? HYPHEN : '-';
}

static double measure_hyphen(void *user, size_t unit)
{
    double advance;
    find_hyphen(user, unit, &advance);
    return advance;
}

static void list_advances(const svg_text_layout *layout, double *advances)
{
    for (uint32_t i = 0; i < layout->characters.count; i++) {
        const svg_text_character *character = &layout->characters.items[i];
        if (character->starts_cluster && layout->units.items[character->unit] != '\n')
            advances[character->unit] = character->advance;
    }
}

static const char *fill_lines(liner *liner)
{
    svg_text_layout *layout = liner->layout;
    const size_t count = layout->units.count;
    const svg_inherited *style = &liner->layout->style;
    uint8_t *starts = malloc(count + 1), *breaks = calloc(count + 1, 1);
    double *advances = calloc(count + 1, sizeof *advances);
    const char *wrong = starts && breaks && advances ? NULL : font_out_of_memory;
    if (!wrong)
        wrong = clusters_find(layout->units.items, count, starts);
    if (!wrong)
        wrong = find_breaks(liner, starts, breaks);
    if (!wrong) {
        list_advances(layout, advances);
        const line_filling filling = {.units = layout->units.items,
                                      .count = count,
                                      .breaks = breaks,
                                      .cluster_starts = starts,
                                      .advances = advances,
                                      .width = liner->width,
                                      .first_width = liner->width,
                                      .breaks_long_words = style->overflow_wrap == SVG_WORDS_BREAK,
                                      .blanks_take_space = style->white_space == SVG_SPACE_TAKEN,
                                      .hyphen = measure_hyphen,
                                      .user = layout};
        wrong = lines_fill(&filling, &liner->lines) ? NULL : font_out_of_memory;
    }
    free(starts);
    free(breaks);
    free(advances);
    return wrong;
}

/* ---- Where lines begin ---- */

/* How far a line reaches above its baseline and below, spaced as line-height says (CSS 2.1, 10.8). */
typedef struct line_reach {
    double above, below;
} line_reach;

static void join_element(const liner *liner, const svg_text_element *element, line_reach *reach)
{
    const svg_text_font *font = &liner->layout->fonts.items[element->style];
    svg_inherited room;
    const svg_inherited *style = svg_text_inherited(liner->layout, element, &room);
    const svg_style_line_height *wanted = &style->line_height;
    const svg_metrics metrics = metrics_of(liner, element);
    const double own = font->ascent + font->descent;
    double height = own + font->line_gap;
    if (!isnan(wanted->factor))
        height = wanted->factor * style->font_size;
    else if (!isnan(wanted->length.number))
        height = svg_length_resolve(wanted->length, SVG_AXIS_Y, &metrics);
    const double half = (height - own) / 2;
    /* Vertical lines have their baseline in the middle. */
    reach->above = fmax(reach->above, liner->layout->vertical ? height / 2 : font->ascent + half);
    reach->below = fmax(reach->below, liner->layout->vertical ? height / 2 : font->descent + half);
}

/* Each element that has characters in the line counts, and the text itself. */
static line_reach find_reach(const liner *liner, const text_line *line)
{
    const svg_text_layout *layout = liner->layout;
    line_reach reach = {-INFINITY, -INFINITY};
    uint32_t last = 0;
    join_element(liner, root_of(liner), &reach);
    for (uint32_t i = line->begin; i < line->content_end; i++) {
        const uint32_t character = layout->unit_characters.items[i];
        if (character == SVG_NO_INDEX || layout->characters.items[character].element == last)
            continue;
        last = layout->characters.items[character].element;
        join_element(liner, &layout->elements.items[last], &reach);
    }
    return reach;
}

/* Hides what hangs at the end of a line, and shows a soft hyphen there. */
static void end_line(const svg_text_layout *layout, const text_line *line)
{
    double advance;
    for (uint32_t i = line->content_end; i < line->end; i++)
        if (layout->unit_characters.items[i] != SVG_NO_INDEX)
            layout->characters.items[layout->unit_characters.items[i]].hangs = true;
    if (line->hyphenated)
        layout->units.items[line->end - 1] = (uint16_t)find_hyphen(layout, line->end - 1, &advance);
}

/* Places the first characters of lines. Characters that ask for places of their own keep them, and the lines behind go
 * on from there. */
static bool place_lines(const liner *liner)
{
    svg_text_layout *layout = liner->layout;
    const bool vertical = layout->vertical;
    const double direction = layout->style.writing_mode == SVG_VERTICAL ? -1 : 1;
    double start = 0, across = 0, below = 0;
    for (size_t i = 0; i < liner->lines.count; i++) {
        const text_line *line = &liner->lines.items[i];
        const line_reach reach = find_reach(liner, line);
        const uint32_t first = svg_text_character_at(layout, line->begin, line->end);
        across += i > 0 ? direction * (below + reach.above) : 0;
        below = reach.below;
        end_line(layout, line);
        if (first == SVG_NO_INDEX)
            continue;
        svg_text_place *place = svg_text_own_place(layout, first);
        if (!place)
            return false;
        double *along = vertical ? &place->y : &place->x, *beside = vertical ? &place->x : &place->y;
        start = isnan(*along) ? start : *along;
        across = isnan(*beside) ? across : *beside;
        *along = start;
        *beside = across;
    }
    return true;
}

/* ---- The whole ---- */

pietra_result svg_text_break_lines(svg_walk *walk, const svg_instance *instance, svg_text_layout *layout)
{
    liner liner = {.walk = walk, .instance = instance, .layout = layout};
    liner.width = find_width(&liner);
    layout->wraps = isfinite(liner.width) && !has_path(layout);
    if (!layout->has_lines && !layout->wraps)
        return PIETRA_OK;
    if (has_path(layout)) {
        join_lines(layout);
        return PIETRA_OK;
    }
    pietra_result result = PIETRA_OK;
    if (layout->wraps) {
        result = svg_walk_spend(walk, instance->node, SVG_STEP_character, layout->characters.count);
        drop_places(layout);
        if (result == PIETRA_OK)
            result = svg_text_shape(walk, instance, layout);
    }
    if (result != PIETRA_OK)
        return result;
    const char *wrong = fill_lines(&liner);
    drop_glyphs(layout);
    if (!wrong && !place_lines(&liner))
        wrong = font_out_of_memory;
    array_free(&liner.lines);
    return wrong ? svg_text_fail(walk, layout, wrong) : PIETRA_OK;
}
