/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The glyphs of a text, and the clusters that they make. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/hash.h"
#include "font/font.h"
#include "font/fonts.h"
#include "svg/draw/resources.h"
#include "svg/draw/text_layout.h"
#include "text/clusters.h"
#include "text/icu.h"
#include "text/missing.h"
#include "text/runs.h"
#include "text/utf16.h"

#define ZERO_WIDTH_JOINER 0x200d
#define MOST_NAMED 8u /* missing characters that a warning names */

typedef struct shaper {
    svg_walk *walk;
    const svg_instance *instance;
    svg_text_layout *layout;
} shaper;

/* ---- Shaping ---- */

/* Returns whether a character that begins no cluster is an emoji that a joiner joins to another one. */
static bool is_joined_emoji(const icu_functions *icu, const svg_text_layout *layout, uint32_t character)
{
    const uint32_t unit = layout->characters.items[character].unit;
    uint32_t code;
    utf16_decode(layout->units.items, layout->units.count, unit, &code);
    return unit > 0 && layout->units.items[unit - 1] == ZERO_WIDTH_JOINER &&
           icu->u_hasBinaryProperty((UChar32)code, UCHAR_EXTENDED_PICTOGRAPHIC);
}

static double first_number(double first, double second)
{
    return isnan(first) ? second : first;
}

/* What a reader takes for one character has one place: that of its first code point. Joined emoji are a ligature,
 * though, which a place inside cuts, as in Chromium. What stands between two of them gives its place to the second. */
static const char *keep_places_of_clusters(svg_text_layout *layout, const uint8_t *starts)
{
    const icu_functions *icu = NULL;
    svg_text_place asked = {NAN, NAN, NAN, NAN};
    for (uint32_t i = 1; i < layout->characters.count; i++) {
        const svg_text_character *character = &layout->characters.items[i];
        const bool begins = starts[character->unit], placed = !isnan(asked.x) || !isnan(asked.y);
        if (begins || (!character->place && !placed)) {
            asked.x = asked.y = NAN;
            continue;
        }
        const char *wrong = icu ? NULL : icu_open(&icu);
        svg_text_place *place = wrong ? NULL : svg_text_own_place(layout, i);
        if (!place)
            return wrong ? wrong : font_out_of_memory;
        asked.x = first_number(place->x, asked.x);
        asked.y = first_number(place->y, asked.y);
        const bool cuts = is_joined_emoji(icu, layout, i);
        place->x = cuts ? asked.x : NAN;
        place->y = cuts ? asked.y : NAN;
        if (cuts)
            asked.x = asked.y = NAN;
    }
    return NULL;
}

/* A chunk begins where an absolute position is given, and with each path. */
static bool find_chunks(const shaper *shaper, uint8_t *breaks)
{
    svg_text_layout *layout = shaper->layout;
    for (uint32_t i = 0; i < layout->characters.count; i++) {
        svg_text_character *character = &layout->characters.items[i];
        const svg_text_element *element = &layout->elements.items[character->element];
        const uint32_t path = element->path;
        const bool on_path = path != SVG_NO_INDEX;
        const uint32_t path_before = i ? layout->elements.items[character[-1].element].path : SVG_NO_INDEX;
        if (on_path) { /* a place across the line is the path's; one along it counts from the path's beginning */
            svg_text_place *own = character->place || path != path_before ? svg_text_own_place(layout, i) : NULL;
            if (!own && path != path_before)
                return false;
            double *along = own ? layout->vertical ? &own->y : &own->x : NULL;
            if (own)
                *(layout->vertical ? &own->x : &own->y) = path != path_before ? 0 : NAN;
            if (own && path != path_before && isnan(*along))
                *along = 0;
        }
        const svg_text_place *place = svg_text_place_of(layout, character);
        character->starts_chunk = i == 0 || path != path_before || !isnan(place->x) || !isnan(place->y);
        breaks[character->unit] = character->starts_chunk;
    }
    return true;
}

static bool list_spans(const svg_text_layout *layout, text_span *spans, size_t *count)
{
    uint32_t style = layout->elements.items[0].style;
    *count = 0;
    for (size_t i = 0; i < layout->units.count; i++) {
        const uint32_t index = layout->unit_characters.items[i];
        if (index != SVG_NO_INDEX)
            style = layout->elements.items[layout->characters.items[index].element].style;
        if (*count && spans[*count - 1].style == style)
            spans[*count - 1].end = (uint32_t)i + 1;
        else
            spans[(*count)++] = (text_span){(uint32_t)i + 1, style};
    }
    return true;
}

static pietra_result spend(const shaper *shaper, size_t span_count)
{
    svg_walk *walk = shaper->walk;
    const uint32_t node = shaper->instance->node;
    const uint64_t characters = shaper->layout->characters.count;
    const pietra_result result =
        svg_walk_spend(walk, node, SVG_STEP_plan, (uint64_t)span_count * walk->common->plan_count);
    return result == PIETRA_OK
               ? svg_walk_spend(walk, node, SVG_STEP_asked_face, characters * walk->document->font_faces.count)
               : result;
}

static bool spend_on_lookups(void *user, double comparisons)
{
    return svg_budget_spend(user, SVG_STEP_comparison, (uint64_t)comparisons);
}

static pietra_result shape(const shaper *shaper)
{
    svg_text_layout *layout = shaper->layout;
    const svg_document *document = shaper->walk->document;
    const uint32_t node = shaper->instance->node;
    const size_t count = layout->units.count;
    text_span *spans = malloc((count + 1) * sizeof *spans);
    uint8_t *breaks = calloc(count + 1, 1);
    const char *wrong = font_out_of_memory;
    size_t span_count = 0;
    pietra_result result = PIETRA_OK;
    if (spans && breaks)
        wrong = clusters_find(layout->units.items, count, breaks);
    if (!wrong)
        wrong = keep_places_of_clusters(layout, breaks);
    if (!wrong) {
        memset(breaks, 0, count);
        wrong = find_chunks(shaper, breaks) ? NULL : font_out_of_memory;
    }
    if (!wrong) {
        list_spans(layout, spans, &span_count);
        result = spend(shaper, span_count);
    }
    if (!wrong && result == PIETRA_OK) {
        const bool left = layout->style.direction == SVG_RIGHT_TO_LEFT;
        const bool upright = layout->vertical && layout->style.text_orientation == SVG_ORIENTATION_UPRIGHT;
        const bool plain = layout->noninherited.unicode_bidi == SVG_BIDI_PLAIN;
        const text_paragraph paragraph = {
            .units = layout->units.items,
            .count = count,
            .direction = upright ? BIDI_LEFT_TO_RIGHT
                         : plain ? BIDI_AUTO
                         : left  ? BIDI_RIGHT_TO_LEFT
                                 : BIDI_LEFT_TO_RIGHT,
            .styles = layout->styles.items,
            .style_count = layout->styles.count,
            .spans = spans,
            .span_count = span_count,
            .breaks = breaks,
            .vertical = layout->vertical,
            .spend = spend_on_lookups,
            .user = document->budget,
        };
        wrong = text_shape_paragraph(shaper->walk->fonts, &paragraph, &layout->shaped);
    }
    free(spans);
    free(breaks);
    if (wrong == text_refused)
        return svg_budget_check(document->budget, shaper->walk->error, document->nodes.items[node].line);
    return wrong ? svg_text_fail(shaper->walk, shaper->layout, wrong) : result;
}

/* ---- Clusters ---- */

double svg_text_boxes_advance(const svg_text_layout *layout, const svg_text_character *character)
{
    const text_run *run = &layout->shaped.runs.items[character->run];
    uint32_t at = character->unit + character->boxed_from, code;
    double advance = 0;
    for (uint32_t i = 0; i < character->boxed_count; i++) {
        at += (uint32_t)utf16_decode(layout->units.items, layout->units.count, at, &code);
        advance += run->size * missing_advance(code, run->upright);
    }
    return advance;
}

/* Notes a unit of a character that has others, of which fonts may have some. */
static void note_boxed(const svg_text_layout *layout, svg_text_character *character, uint32_t unit)
{
    const uint32_t from = unit - character->unit;
    if ((layout->units.items[unit] & 0xfc00) == 0xdc00 || from > UINT8_MAX || character->boxed_count == UINT8_MAX)
        return;
    character->boxed_from = character->boxed_count == 0 ? (uint8_t)from : character->boxed_from;
    character->boxed_count++;
}

/* A character without a font is a box with its number (text_outline.c). */
static void take_missing(const shaper *shaper, uint32_t run_index)
{
    const svg_text_layout *layout = shaper->layout;
    const text_run *run = &layout->shaped.runs.items[run_index];
    for (uint32_t i = run->begin; i < run->end; i++) {
        const uint32_t index = layout->unit_characters.items[i];
        if (index == SVG_NO_INDEX)
            continue;
        svg_text_character *character = &layout->characters.items[index];
        if (character->unit != i) {
            note_boxed(layout, character, i);
            continue;
        }
        character->starts_cluster = true;
        character->run = run_index;
        uint32_t code;
        utf16_decode(layout->units.items, run->end, i, &code);
        character->advance = run->size * missing_advance(code, run->upright);
    }
}

/* Characters of a text that no font has, each once in all texts. */
typedef struct missing_list {
    uint32_t named[MOST_NAMED];
    size_t count;
} missing_list;

static void add_missing(const shaper *shaper, uint32_t code, missing_list *list)
{
    hash_table *known = &shaper->walk->common->missing;
    const uint64_t hash = hash_bytes(&code, sizeof code);
    const hash_walk found = hash_find(known, hash);
    if (hash_found(&found) || !hash_insert(known, hash, code)) /* a warning is not worth an error */
        return;
    if (list->count < MOST_NAMED)
        list->named[list->count] = code;
    list->count++;
}

static void list_missing(const shaper *shaper, const text_run *run, missing_list *list)
{
    const svg_text_layout *layout = shaper->layout;
    for (uint32_t i = run->begin, next; i < run->end; i = next) {
        uint32_t code;
        next = i + (uint32_t)utf16_decode(layout->units.items, run->end, i, &code);
        if (layout->unit_characters.items[i] != SVG_NO_INDEX && font_needs_glyph(code))
            add_missing(shaper, code, list);
    }
}

static void warn_of_missing(const shaper *shaper)
{
    svg_warnings *warnings = shaper->walk->warnings;
    const svg_text_layout *layout = shaper->layout;
    missing_list list = {.count = 0};
    char names[MOST_NAMED * sizeof ", U+10FFFF"] = "", more[40] = "";
    size_t length = 0;
    for (size_t i = 0; warnings->function && i < layout->shaped.runs.count; i++)
        if (!layout->shaped.runs.items[i].font)
            list_missing(shaper, &layout->shaped.runs.items[i], &list);
    for (size_t i = 0; i < list.count && i < MOST_NAMED; i++)
        length +=
            (size_t)snprintf(names + length, sizeof names - length, "%sU+%04X", i ? ", " : "", (unsigned)list.named[i]);
    if (list.count > MOST_NAMED)
        snprintf(more, sizeof more, " and %zu more", list.count - MOST_NAMED);
    if (list.count > 0)
        svg_warn(warnings, shaper->walk->document->nodes.items[shaper->instance->node].line,
                 list.count == 1 ? "no font has the character %s%s; its number is drawn"
                                 : "no font has the characters %s%s; their numbers are drawn",
                 names, more);
}

static double advance_of(const text_run *run, const text_glyph *glyph)
{
    return run->upright ? -glyph->y_advance : glyph->x_advance;
}

static void take_clusters(const shaper *shaper, uint32_t run_index)
{
    const svg_text_layout *layout = shaper->layout;
    const text_run *run = &layout->shaped.runs.items[run_index];
    const text_glyph *glyphs = layout->shaped.glyphs.items;
    const double subunit = text_run_scale(run) / FONT_SUBUNITS;
    const uint32_t end = run->first_glyph + run->glyph_count;
    for (uint32_t i = run->first_glyph, next; i < end; i = next) {
        double advance = 0;
        for (next = i; next < end && glyphs[next].unit == glyphs[i].unit; next++)
            advance += advance_of(run, &glyphs[next]);
        if (layout->unit_characters.items[glyphs[i].unit] == SVG_NO_INDEX)
            continue;
        svg_text_character *character =
            &layout->characters.items[svg_text_character_at(layout, glyphs[i].unit, run->end)];
        /* A character that text-transform made several of may have several clusters, side by side. */
        const bool goes_on = character->starts_cluster && character->run == run_index;
        character->starts_cluster = true;
        character->run = run_index;
        character->glyph = goes_on ? character->glyph : i;
        character->glyph_count = next - character->glyph;
        character->advance = (goes_on ? character->advance : 0) + advance * subunit;
    }
}

static void make_room_for_boxes(const svg_text_layout *layout)
{
    for (uint32_t i = 0; i < layout->characters.count; i++) {
        svg_text_character *character = &layout->characters.items[i];
        if (character->boxed_count > 0)
            character->advance += svg_text_boxes_advance(layout, character);
    }
}

static void hide_ends_of_lines(const svg_text_layout *layout)
{
    for (uint32_t i = 0; i < layout->characters.count; i++) {
        svg_text_character *character = &layout->characters.items[i];
        if (!character->hangs)
            continue;
        character->starts_cluster = false;
        character->glyph_count = 0;
        character->advance = 0;
    }
}

static void add_space(svg_text_character *character, double space)
{
    character->advance += space;
    character->spacing += (float)space;
}

/* Letter spacing stands between letters, not behind the last one of a chunk. */
static void add_spacing(const shaper *shaper)
{
    const svg_text_layout *layout = shaper->layout;
    const svg_text_character *end = layout->characters.items + layout->characters.count;
    const svg_inherited *style = NULL;
    svg_inherited room;
    for (svg_text_character *at = layout->characters.items; at < end; at++) {
        if (!style || at->element != at[-1].element)
            style = svg_text_inherited(layout, &layout->elements.items[at->element], &room);
        if (!at->starts_cluster || (style->letter_spacing.number == 0 && style->word_spacing.number == 0))
            continue;
        const svg_text_character *next = at + 1;
        while (next < end && !next->starts_cluster && !next->starts_chunk)
            next++;
        const svg_metrics metrics =
            svg_walk_metrics(shaper->walk, style->font_size, shaper->instance->width, shaper->instance->height);
        if (next < end && !next->starts_chunk &&
            (at->is_space || !runs_are_joined(layout->shaped.runs.items[at->run].script)))
            add_space(at, svg_length_resolve(style->letter_spacing, SVG_AXIS_X, &metrics));
        if (at->is_space)
            add_space(at, svg_length_resolve(style->word_spacing, SVG_AXIS_X, &metrics));
    }
}

static void find_clusters(const shaper *shaper)
{
    const svg_text_layout *layout = shaper->layout;
    for (uint32_t i = 0; i < layout->shaped.runs.count; i++)
        if (layout->shaped.runs.items[i].font) {
            svg_resource_report_font(shaper->walk, shaper->instance->node, layout->shaped.runs.items[i].font);
            take_clusters(shaper, i);
        } else {
            take_missing(shaper, i);
        }
    warn_of_missing(shaper);
    make_room_for_boxes(layout);
    hide_ends_of_lines(layout);
    add_spacing(shaper);
}

pietra_result svg_text_shape(svg_walk *walk, const svg_instance *instance, svg_text_layout *layout)
{
    const shaper shaper = {walk, instance, layout};
    const pietra_result result = shape(&shaper);
    if (result == PIETRA_OK)
        find_clusters(&shaper);
    return result;
}
