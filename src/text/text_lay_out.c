/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* What is shown of a text, and on which lines. The text is shaped as it is to see what fits. If lines wrap or something
 * is left out, what is shown is shaped again. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/error.h"
#include "base/utf8.h"
#include "font/fonts.h"
#include "text/clusters.h"
#include "text/icu.h"
#include "text/laid_out.h"
#include "text/utf16.h"

#define SOFT_HYPHEN 0xadu
#define HYPHEN 0x2010u
#define MOST_NUMBER 1e9 /* sizes, spacing and widths are at most so large */

/* ---- Arguments ---- */

static bool is_within(double number, double least)
{
    return number >= least && number <= MOST_NUMBER;
}

static pietra_result check_span(const pietra_text_span *span, pietra_error *error)
{
    if (!span->features && span->feature_count > 0)
        return error_set_null(error, "features");
    if (!(span->size > 0) || !is_within(span->size, 0))
        return error_set(error, PIETRA_ERROR_INPUT, 0, "size is not above 0 and at most 1e9");
    if (!is_within(span->letter_spacing, -MOST_NUMBER) || !is_within(span->word_spacing, -MOST_NUMBER) ||
        !is_within(span->rise, -MOST_NUMBER))
        return error_set(error, PIETRA_ERROR_INPUT, 0, "a spacing or rise is not between -1e9 and 1e9");
    if (!is_within(span->line_height, 0))
        return error_set(error, PIETRA_ERROR_INPUT, 0, "line_height is not between 0 and 1e9");
    return fonts_check_query(&span->font, error);
}

static pietra_result check_options(const pietra_text_options *options, pietra_error *error)
{
    if (!is_within(options->width, 0) || !is_within(options->tab_width, 0))
        return error_set(error, PIETRA_ERROR_INPUT, 0, "a width is not between 0 and 1e9");
    if ((unsigned)options->wrap > PIETRA_WRAP_NEVER)
        return error_set(error, PIETRA_ERROR_INPUT, 0, "wrap is %u, which is none", (unsigned)options->wrap);
    if ((unsigned)options->align > PIETRA_ALIGN_JUSTIFY)
        return error_set(error, PIETRA_ERROR_INPUT, 0, "align is %u, which is none", (unsigned)options->align);
    if ((unsigned)options->direction > PIETRA_DIRECTION_RIGHT_TO_LEFT)
        return error_set(error, PIETRA_ERROR_INPUT, 0, "direction is %u, which is none", (unsigned)options->direction);
    return PIETRA_OK;
}

static pietra_result check(const text_source *source, pietra_error *error)
{
    if (source->byte_count > UINT32_MAX)
        return error_set(error, PIETRA_ERROR_INPUT, 0, "the text has more than 16,777,216 units of UTF-16");
    if (source->span_count == 0)
        return error_set(error, PIETRA_ERROR_INPUT, 0, "there is no span");
    for (size_t i = 0; i < source->span_count; i++) {
        const pietra_result result = check_span(&source->spans[i], error);
        if (result != PIETRA_OK)
            return result;
    }
    return check_options(&source->options, error);
}

/* ---- Reading ---- */

static bool add_unit(text_source *source, uint32_t unit, size_t byte, uint32_t span)
{
    if (!array_reserve(&source->units, 1) || !array_reserve(&source->bytes, 1) ||
        !array_reserve(&source->unit_spans, 1))
        return false;
    *array_push(&source->units) = (uint16_t)unit;
    *array_push(&source->bytes) = byte;
    *array_push(&source->unit_spans) = span;
    return true;
}

static bool add_character(text_source *source, uint32_t character, size_t byte, uint32_t style)
{
    if (character < 0x10000)
        return add_unit(source, character, byte, style);
    return add_unit(source, 0xd7c0 + (character >> 10), byte, style) &&
           add_unit(source, 0xdc00 | (character & 0x3ff), byte, style);
}

/* A line feed at the end makes sure that the last paragraph ends, too. */
static bool read_text(text_source *source, const char *utf8)
{
    const char *at = utf8, *end = utf8 + source->byte_count;
    uint32_t span = 0;
    size_t span_end = source->spans[0].byte_count;
    while (at < end) {
        const size_t byte = (size_t)(at - utf8);
        while (span + 1 < source->span_count && byte >= span_end) {
            const size_t count = source->spans[++span].byte_count;
            span_end = count < SIZE_MAX - span_end ? span_end + count : SIZE_MAX;
        }
        if (!add_character(source, utf8_decode(&at, end), byte, span))
            return false;
    }
    return add_unit(source, '\n', source->byte_count, span);
}

/* ---- Styles ---- */

static const uint32_t ligatures[] = {HB_TAG('l', 'i', 'g', 'a'), HB_TAG('c', 'l', 'i', 'g'), HB_TAG('d', 'l', 'i', 'g'),
                                     HB_TAG('h', 'l', 'i', 'g')};
#define LIGATURE_COUNT (sizeof ligatures / sizeof ligatures[0])

static bool make_style(text_source *source, const pietra_text_span *span)
{
    const size_t own = span->letter_spacing != 0 ? LIGATURE_COUNT : 0;
    text_style *style = array_push(&source->styles);
    hb_feature_t *features =
        arena_alloc(&source->arena, (own + span->feature_count + 1) * sizeof *features, _Alignof(hb_feature_t));
    if (!style || !features)
        return false;
    for (size_t i = 0; i < own; i++)
        features[i] = (hb_feature_t){ligatures[i], 0, 0, (unsigned)-1};
    for (size_t i = 0; i < span->feature_count; i++)
        features[own + i] = (hb_feature_t){span->features[i].tag, span->features[i].value, 0, (unsigned)-1};
    *style = (text_style){
        .font = span->font, .size = span->size, .features = features, .feature_count = own + span->feature_count};
    return true;
}

/* ---- Shaping ---- */

/* Shapes the units of a source. A line begins at each unit that `breaks` marks. */
static const char *shape(const text_source *source, const uint8_t *breaks, shaped_text *shaped)
{
    static const bidi_direction directions[] = {
        [PIETRA_DIRECTION_AUTO] = BIDI_AUTO,
        [PIETRA_DIRECTION_LEFT_TO_RIGHT] = BIDI_LEFT_TO_RIGHT,
        [PIETRA_DIRECTION_RIGHT_TO_LEFT] = BIDI_RIGHT_TO_LEFT,
    };
    const size_t count = source->units.count;
    text_span *spans = malloc((count + 1) * sizeof *spans);
    size_t span_count = 0;
    if (!spans)
        return text_out_of_memory;
    for (size_t i = 0; i < count; i++) {
        const uint32_t style = source->unit_spans.items[i];
        if (span_count && spans[span_count - 1].style == style)
            spans[span_count - 1].end = (uint32_t)i + 1;
        else
            spans[span_count++] = (text_span){(uint32_t)i + 1, style};
    }
    const text_paragraph paragraph = {.units = source->units.items,
                                      .count = count,
                                      .direction = directions[source->options.direction],
                                      .styles = source->styles.items,
                                      .style_count = source->styles.count,
                                      .spans = spans,
                                      .span_count = span_count,
                                      .breaks = breaks,
                                      .vertical = source->options.vertical};
    const char *wrong = text_shape_paragraph(source->fonts, &paragraph, shaped);
    free(spans);
    return wrong;
}

/* ---- Lines ---- */

typedef struct liner {
    text_source *source;
    pietra_text *text;
    text_line_list lines;
    uint8_t *starts, *breaks; /* of units */
    double *advances;
    bool wraps;
} liner;

static void force_breaks(const liner *liner)
{
    const uint16_t *units = liner->source->units.items;
    for (size_t i = 1; i < liner->source->units.count; i++) {
        const bool forced = break_is_forced_behind(units[i - 1]) && !(units[i - 1] == '\r' && units[i] == '\n');
        if (forced)
            liner->breaks[i] = BREAK_FORCED;
        else if (liner->breaks[i] == BREAK_FORCED)
            liner->breaks[i] = BREAK_FORBIDDEN;
    }
}

static const char *find_breaks(const liner *liner)
{
    const text_source *source = liner->source;
    const break_rules rules = {.language = source->spans[0].font.language};
    const char *wrong =
        liner->wraps ? breaks_find(source->units.items, source->units.count, liner->starts, &rules, liner->breaks)
                     : NULL;
    force_breaks(liner);
    return wrong;
}

/* Marks where paragraphs begin, which is where lines begin that do not wrap. */
static void mark_paragraphs(const liner *liner, uint8_t *begins)
{
    for (size_t i = 0; i < liner->source->units.count; i++)
        begins[i] = liner->breaks[i] == BREAK_FORCED;
}

static pietra_font *open_first(const liner *liner, uint32_t style)
{
    pietra_font *font = NULL;
    return fonts_open_for(liner->source->fonts, &liner->source->styles.items[style].font, NULL, 0, false, &font) ? NULL
                                                                                                                 : font;
}

/* Returns the hyphen that a font shows, and its advance; a font that lacks it shows a minus. */
static uint32_t find_hyphen(const liner *liner, size_t unit, double *advance)
{
    const uint32_t style = liner->source->unit_spans.items[unit];
    pietra_font *font = open_first(liner, style);
    const bool has = pietra_font_glyph(font, HYPHEN) != 0;
    pietra_font_metrics metrics;
    *advance = 0;
    if (pietra_font_measure(font, &metrics))
        *advance = pietra_font_advance(font, pietra_font_glyph(font, has ? HYPHEN : '-'), false) *
                   liner->source->spans[style].size / metrics.units_per_em;
    pietra_font_destroy(font);
    return has ? HYPHEN : '-';
}

static double measure_hyphen(void *user, size_t unit)
{
    double advance;
    find_hyphen(user, unit, &advance);
    return advance;
}

/* The line feed that was added belongs to the last line. */
static const char *fill_lines(liner *liner)
{
    const text_source *source = liner->source;
    const double width = liner->wraps ? source->options.width : INFINITY;
    const line_filling filling = {.units = source->units.items,
                                  .count = source->units.count - 1,
                                  .breaks = liner->breaks,
                                  .cluster_starts = liner->starts,
                                  .advances = liner->advances,
                                  .width = width,
                                  .first_width = width,
                                  .breaks_long_words = source->options.wrap == PIETRA_WRAP_ANYWHERE,
                                  .hyphen = measure_hyphen,
                                  .user = liner};
    if (!lines_fill(&filling, &liner->lines))
        return text_out_of_memory;
    array_last(&liner->lines)->end++;
    return NULL;
}

/* ---- What is shown ---- */

typedef struct shower {
    const liner *liner;
    text_source *shown;
    shown_line_list *lines;
    uint32_t ellipsis_style; /* the style in which the ellipsis was measured last */
    double ellipsis_width;
} shower;

static const char *measure_ellipsis(shower *shower, uint32_t style)
{
    const text_source *source = shower->liner->source;
    text_source ellipsis = *source; /* the same styles */
    memset(&ellipsis.units, 0, sizeof ellipsis.units);
    memset(&ellipsis.bytes, 0, sizeof ellipsis.bytes);
    memset(&ellipsis.unit_spans, 0, sizeof ellipsis.unit_spans);
    const char *at = source->options.ellipsis, *end = at + strlen(at);
    shaped_text shaped = {0};
    const char *wrong = NULL;
    if (shower->ellipsis_style == style)
        return NULL;
    while (at < end && !wrong)
        wrong = add_character(&ellipsis, utf8_decode(&at, end), 0, style) ? NULL : text_out_of_memory;
    if (!wrong)
        wrong = shape(&ellipsis, NULL, &shaped);
    double *advances = malloc((ellipsis.units.count + 1) * sizeof *advances);
    if (!wrong && !advances)
        wrong = text_out_of_memory;
    shower->ellipsis_width = 0;
    if (!wrong) {
        text_list_advances(&ellipsis, &shaped, advances);
        for (size_t i = 0; i < ellipsis.units.count; i++)
            shower->ellipsis_width += advances[i];
        shower->ellipsis_style = style;
    }
    free(advances);
    shaped_text_free(&shaped);
    array_free(&ellipsis.units);
    array_free(&ellipsis.bytes);
    array_free(&ellipsis.unit_spans);
    return wrong;
}

/* Returns how many units of a line remain beside the ellipsis, without blanks at their end. */
static uint32_t find_cut(const shower *shower, const text_line *line)
{
    const liner *liner = shower->liner;
    const double width = liner->source->options.width;
    double pen = shower->ellipsis_width;
    uint32_t cut = line->begin, seen = line->begin;
    for (uint32_t i = line->begin; i < line->content_end; i++) {
        if (liner->starts[i] && i > line->begin)
            cut = seen;
        pen += liner->advances[i];
        if (width > 0 && pen > width)
            return cut;
        if (!line_is_blank(liner->source->units.items[i]))
            seen = i + 1;
    }
    return line->content_end;
}

static bool add_units(shower *shower, size_t begin, size_t end)
{
    const text_source *source = shower->liner->source;
    for (size_t i = begin; i < end; i++)
        if (!add_unit(shower->shown, source->units.items[i], source->bytes.items[i], source->unit_spans.items[i]))
            return false;
    return true;
}

/* Shows as much of a line as fits beside the ellipsis, that, and what ends the line. */
static const char *elide(shower *shower, const text_line *line, text_line *shown)
{
    const text_source *source = shower->liner->source;
    const uint32_t style = source->unit_spans.items[line->begin];
    const char *at = source->options.ellipsis, *end = at + strlen(at);
    const char *wrong = measure_ellipsis(shower, style);
    if (wrong)
        return wrong;
    const uint32_t cut = find_cut(shower, line);
    if (!add_units(shower, line->begin, cut))
        return text_out_of_memory;
    while (at < end)
        if (!add_character(shower->shown, utf8_decode(&at, end), source->bytes.items[cut], style))
            return text_out_of_memory;
    shown->content_end = (uint32_t)shower->shown->units.count;
    /* What ends a line stays as it is: it also tells the paragraph's direction. */
    const bool ended = line->end > line->content_end && break_is_forced_behind(source->units.items[line->end - 1]);
    const size_t rest = ended ? line->end - 1 : line->end;
    return add_units(shower, rest, line->end) ? NULL : text_out_of_memory;
}

/* Shows a line as it is, with its hyphen. */
static const char *show(shower *shower, const text_line *line, text_line *shown)
{
    double advance;
    if (!add_units(shower, line->begin, line->end))
        return text_out_of_memory;
    if (line->hyphenated)
        shower->shown->units.items[shower->shown->units.count - 1] =
            (uint16_t)find_hyphen(shower->liner, line->end - 1, &advance);
    shown->content_end = shown->begin + (line->content_end - line->begin);
    return NULL;
}

static const char *show_lines(shower *shower)
{
    const liner *liner = shower->liner;
    const text_source *source = liner->source;
    const pietra_text_options *options = &source->options;
    const size_t most = options->most_lines, all = liner->lines.count;
    const size_t count = most > 0 && most < all ? most : all;
    const char *wrong = NULL;
    for (size_t i = 0; i < count && !wrong; i++) {
        const text_line *line = &liner->lines.items[i];
        const bool last = i + 1 == count, cut_off = last && count < all;
        const bool wide = options->wrap == PIETRA_WRAP_NEVER && options->width > 0 && line->width > options->width;
        shown_line *shown = array_push(shower->lines);
        if (!shown)
            return text_out_of_memory;
        *shown = (shown_line){.line = *line, .elided = cut_off || (wide && options->ellipsis)};
        shown->line.begin = (uint32_t)shower->shown->units.count;
        shown->end_byte = last ? source->byte_count : source->bytes.items[line->end];
        wrong =
            shown->elided && options->ellipsis ? elide(shower, line, &shown->line) : show(shower, line, &shown->line);
        if (!wrong && cut_off && !break_is_forced_behind(*array_last(&shower->shown->units)) &&
            !add_unit(shower->shown, '\n', source->byte_count, *array_last(&source->unit_spans)))
            wrong = text_out_of_memory;
        shown->line.end = (uint32_t)shower->shown->units.count;
    }
    return wrong;
}

/* Whether what is shown is the text, in lines that end where they must. */
static bool is_whole(const liner *liner, const shown_line_list *lines)
{
    if (lines->count != liner->lines.count)
        return false;
    for (size_t i = 0; i < lines->count; i++)
        if (lines->items[i].elided || !lines->items[i].line.forced)
            return false;
    return true;
}

/* ---- The whole ---- */

static const char *find_lines(liner *liner)
{
    const size_t count = liner->source->units.count;
    shaped_text *shaped = &liner->text->shaped;
    liner->starts = malloc(count);
    liner->breaks = calloc(count, 1);
    liner->advances = malloc(count * sizeof *liner->advances);
    uint8_t *begins = malloc(count);
    const char *wrong = liner->starts && liner->breaks && liner->advances && begins ? NULL : text_out_of_memory;
    if (!wrong)
        wrong = clusters_find(liner->source->units.items, count, liner->starts);
    if (!wrong)
        wrong = find_breaks(liner);
    if (!wrong) {
        mark_paragraphs(liner, begins);
        wrong = shape(liner->source, begins, shaped);
    }
    if (!wrong) {
        text_list_advances(liner->source, shaped, liner->advances);
        wrong = fill_lines(liner);
    }
    free(begins);
    return wrong;
}

/* Makes what is shown the source, and shapes it again if it is something else. */
static const char *show_text(liner *liner, shown_line_list *lines)
{
    text_source shown = *liner->source;
    memset(&shown.units, 0, sizeof shown.units);
    memset(&shown.bytes, 0, sizeof shown.bytes);
    memset(&shown.unit_spans, 0, sizeof shown.unit_spans);
    shower shower = {.liner = liner, .shown = &shown, .lines = lines, .ellipsis_style = UINT32_MAX};
    const char *wrong = show_lines(&shower);
    const bool whole = !wrong && is_whole(liner, lines);
    text_source old = *liner->source;
    *liner->source = shown;
    array_free(&old.units);
    array_free(&old.bytes);
    array_free(&old.unit_spans);
    if (wrong || whole)
        return wrong;
    uint8_t *begins = calloc(shown.units.count, 1);
    if (!begins)
        return text_out_of_memory;
    for (size_t i = 1; i < lines->count; i++)
        begins[lines->items[i].line.begin] = 1;
    shaped_text_free(&liner->text->shaped);
    memset(&liner->text->shaped, 0, sizeof liner->text->shaped);
    wrong = shape(liner->source, begins, &liner->text->shaped);
    free(begins);
    return wrong;
}

static const char *lay_out(text_source *source, const char *utf8, pietra_text *text)
{
    liner liner = {.source = source,
                   .text = text,
                   .wraps = source->options.width > 0 && source->options.wrap != PIETRA_WRAP_NEVER};
    shown_line_list lines = {0};
    const char *wrong = read_text(source, utf8) ? NULL : text_out_of_memory;
    for (size_t i = 0; i < source->span_count && !wrong; i++)
        wrong = make_style(source, &source->spans[i]) ? NULL : text_out_of_memory;
    if (!wrong && source->units.count > TEXT_MOST_UNITS)
        wrong = "the text has more than 16,777,216 units of UTF-16";
    if (!wrong)
        wrong = find_lines(&liner);
    if (!wrong)
        wrong = show_text(&liner, &lines);
    if (!wrong)
        wrong = text_place(source, &lines, text);
    free(liner.starts);
    free(liner.breaks);
    free(liner.advances);
    array_free(&liner.lines);
    array_free(&lines);
    return wrong;
}

pietra_result pietra_text_shape(pietra_fonts *fonts, const char *utf8, size_t byte_count, const pietra_text_span *spans,
                                size_t span_count, const pietra_text_options *options, pietra_error *error,
                                pietra_text **text)
{
    if (!fonts)
        return error_set_null(error, "fonts");
    if (!utf8 && byte_count > 0)
        return error_set_null(error, "utf8");
    if (!spans)
        return error_set_null(error, "spans");
    if (!text)
        return error_set_null(error, "text");
    text_source source = {.fonts = NULL,
                          .spans = spans,
                          .span_count = span_count,
                          .options = options ? *options : (pietra_text_options){0},
                          .byte_count = byte_count};
    const pietra_result result = check(&source, error);
    if (result != PIETRA_OK)
        return result;
    pietra_text *made = calloc(1, sizeof *made);
    source.fonts = fonts_create_over(fonts, NULL, NULL);
    const char *wrong = made && source.fonts ? lay_out(&source, utf8, made) : text_out_of_memory;
    pietra_fonts_destroy(source.fonts);
    array_free(&source.units);
    array_free(&source.bytes);
    array_free(&source.unit_spans);
    array_free(&source.styles);
    arena_free(&source.arena);
    if (wrong) {
        pietra_text_destroy(made);
        return font_error(error, "", wrong);
    }
    *text = made;
    return PIETRA_OK;
}

void pietra_text_destroy(pietra_text *text)
{
    if (!text)
        return;
    shaped_text_free(&text->shaped);
    array_free(&text->lines);
    array_free(&text->placed);
    array_free(&text->runs);
    array_free(&text->placed_runs);
    array_free(&text->cells);
    array_free(&text->glyphs);
    array_free(&text->glyph_bytes);
    free(text);
}
