/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Where lines, runs, glyphs and cells of a text stand. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/transform.h"
#include "font/embolden.h"
#include "font/fonts.h"
#include "text/clusters.h"
#include "text/icu.h"
#include "text/laid_out.h"
#include "text/missing.h"
#include "text/runs.h"
#include "text/utf16.h"

#define USUAL_TAB 4.0 /* sizes of the em */

static double find_tab_width(const text_source *source)
{
    return source->options.tab_width > 0 ? source->options.tab_width : USUAL_TAB * source->spans[0].size;
}

typedef struct span_reach {
    double above, below; /* reach of a line of this span from its baseline */
    double middle;       /* how far the middle of its letters lies above their own baseline */
} span_reach;

typedef struct placer {
    const text_source *source;
    const shown_line_list *lines;
    pietra_text *text;
    uint8_t *starts;      /* 1 where a unit begins a cluster */
    uint32_t *unit_cells; /* the cell of each unit */
    double *advances;     /* of clusters of glyphs, with spacing */
    span_reach *reaches;  /* of spans */
    uint32_t *order;      /* runs of a line from left to right */
    uint8_t *levels;      /* of runs of a line */
    size_t next_run;      /* the first run of the line at hand */
} placer;

/* ---- Advances ---- */

static bool is_blank(uint16_t unit)
{
    return unit == ' ' || unit == 0xa0;
}

/* Walks clusters of glyphs from left to right: those with the same unit. */
static uint32_t find_cluster_end(const shaped_text *shaped, const text_run *run, uint32_t glyph)
{
    const uint32_t end = run->first_glyph + run->glyph_count, unit = shaped->glyphs.items[glyph].unit;
    while (glyph < end && shaped->glyphs.items[glyph].unit == unit)
        glyph++;
    return glyph;
}

static double advance_of(const text_run *run, const text_glyph *glyph)
{
    return run->upright ? -glyph->y_advance : glyph->x_advance;
}

static double find_advance(const shaped_text *shaped, const text_run *run, uint32_t begin, uint32_t end)
{
    const double subunit = text_run_scale(run) / FONT_SUBUNITS;
    double advance = 0;
    for (uint32_t i = begin; i < end; i++)
        advance += advance_of(run, &shaped->glyphs.items[i]) * subunit;
    return advance;
}

static void list_missing(const text_source *source, const text_run *run, double *advances)
{
    for (uint32_t i = run->begin, next; i < run->end; i = next) {
        uint32_t character;
        next = i + (uint32_t)utf16_decode(source->units.items, run->end, i, &character);
        advances[i] =
            break_is_forced_behind((uint16_t)character) ? 0 : run->size * missing_advance(character, run->upright);
    }
}

static void add_spacing(const text_source *source, const text_run *run, double *advances)
{
    const pietra_text_span *span = &source->spans[run->style];
    for (uint32_t i = run->begin; i < run->end; i++) {
        const uint16_t unit = source->units.items[i];
        if (unit == '\t')
            advances[i] = find_tab_width(source); /* at most so much */
        else if (advances[i] != 0 && (is_blank(unit) || !runs_are_joined(run->script)))
            advances[i] += span->letter_spacing;
        if (is_blank(unit))
            advances[i] += span->word_spacing;
    }
}

/* Letter spacing stands behind every cluster but the last one of a line, from which the placing takes it back. */
void text_list_advances(const text_source *source, const shaped_text *shaped, double *advances)
{
    memset(advances, 0, source->units.count * sizeof *advances);
    for (size_t i = 0; i < shaped->runs.count; i++) {
        const text_run *run = &shaped->runs.items[i];
        if (!run->font)
            list_missing(source, run, advances);
        for (uint32_t k = run->first_glyph, next; k < run->first_glyph + run->glyph_count; k = next) {
            const uint32_t unit = shaped->glyphs.items[k].unit;
            next = find_cluster_end(shaped, run, k);
            const bool ends_line = break_is_forced_behind(source->units.items[unit]);
            advances[unit] = ends_line ? 0 : find_advance(shaped, run, k, next);
        }
        add_spacing(source, run, advances);
    }
}

/* ---- Reach of lines ---- */

static const char *find_reaches(const placer *placer)
{
    const text_source *source = placer->source;
    for (size_t i = 0; i < source->span_count; i++) {
        const pietra_text_span *span = &source->spans[i];
        pietra_font_metrics metrics = {.units_per_em = 1, .ascent = 0.9, .descent = 0.2, .line_gap = 0.1};
        pietra_font *font = NULL;
        const char *wrong = fonts_open_for(source->fonts, &source->styles.items[i].font, NULL, 0, false, &font);
        if (wrong)
            return wrong;
        pietra_font_measure(font, &metrics);
        pietra_font_destroy(font);
        const double scale = span->size / metrics.units_per_em;
        const double ascent = metrics.ascent * scale, descent = metrics.descent * scale;
        const double height =
            span->line_height > 0 ? span->line_height * span->size : ascent + descent + metrics.line_gap * scale;
        const double half = (height - ascent - descent) / 2;
        /* Vertical lines have their baseline in the middle. */
        placer->reaches[i] =
            source->options.vertical
                ? (span_reach){height / 2 + span->rise, height / 2 - span->rise, (ascent - descent) / 2}
                : (span_reach){ascent + half + span->rise, descent + half - span->rise, 0};
    }
    return NULL;
}

static void find_reach(const placer *placer, const text_line *line, placed_line *placed)
{
    const uint32_t *spans = placer->source->unit_spans.items;
    placed->above = placer->reaches[spans[line->begin]].above;
    placed->below = placer->reaches[spans[line->begin]].below;
    for (uint32_t i = line->begin + 1; i < line->content_end; i++) {
        placed->above = fmax(placed->above, placer->reaches[spans[i]].above);
        placed->below = fmax(placed->below, placer->reaches[spans[i]].below);
    }
}

/* ---- Cells ---- */

/* Makes a cell for each character that a reader takes for one, in the order of the text. What an ellipsis stands for
 * belongs to its last character. The line feed that was added has none. */
static bool make_cells(const placer *placer)
{
    const text_source *source = placer->source;
    pietra_text *text = placer->text;
    const size_t count = source->units.count;
    for (size_t i = 0; i < count; i++) {
        if (!placer->starts[i] && text->cells.count) {
            placer->unit_cells[i] = (uint32_t)text->cells.count - 1;
            continue;
        }
        text_cell *cell = array_push(&text->cells);
        if (!cell)
            return false;
        *cell =
            (text_cell){.begin = source->bytes.items[i], .ends_line = break_is_forced_behind(source->units.items[i])};
        placer->unit_cells[i] = (uint32_t)text->cells.count - 1;
        if (text->cells.count > 1)
            cell[-1].end = cell->begin;
    }
    array_last(&text->cells)->end = source->byte_count;
    return true;
}

/* Shares the width of a cluster of glyphs among the cells that it has. */
static void place_cells(const placer *placer, uint32_t unit, uint32_t end, double left, double width, bool backward)
{
    const uint32_t first = placer->unit_cells[unit], last = placer->unit_cells[end - 1];
    const double share = width / (last - first + 1);
    for (uint32_t i = first; i <= last; i++) {
        text_cell *cell = &placer->text->cells.items[i];
        cell->left = left + share * (backward ? last - i : i - first);
        cell->width = share;
        cell->backward = backward;
    }
}

/* ---- Widths ---- */

/* Tab stops are counted from the beginning of a line, in the order of the text. */
static void place_tabs(const placer *placer, const text_line *line)
{
    const text_source *source = placer->source;
    const double step = find_tab_width(source);
    double pen = 0;
    for (uint32_t i = line->begin; i < line->end; i++) {
        if (source->units.items[i] == '\t')
            placer->advances[i] = fmax(step * (floor(pen / step + 1e-9) + 1) - pen, 0);
        pen += placer->advances[i];
    }
}

static double find_width(const placer *placer, uint32_t begin, uint32_t end)
{
    double width = 0;
    for (uint32_t i = begin; i < end; i++)
        width += placer->advances[i];
    return width;
}

/* Nothing stands behind the last letter of a line. */
static void take_spacing_back(const placer *placer, const text_line *line)
{
    for (uint32_t i = line->content_end; i > line->begin; i--)
        if (placer->advances[i - 1] != 0) {
            placer->advances[i - 1] -= placer->source->spans[placer->source->unit_spans.items[i - 1]].letter_spacing;
            return;
        }
}

/* ---- Justification ---- */

/* Whether a line may be stretched behind a unit where it has no blanks: between Chinese letters and the like. */
static const char *is_stretchable(uint16_t unit, bool *is)
{
    const icu_functions *icu;
    *is = false;
    if (unit < 0x1100)
        return NULL;
    const char *wrong = icu_open(&icu);
    if (wrong)
        return wrong;
    switch ((ULineBreak)icu->u_getIntPropertyValue(unit, UCHAR_LINE_BREAK)) {
    case U_LB_IDEOGRAPHIC:
    case U_LB_CONDITIONAL_JAPANESE_STARTER:
    case U_LB_H2:
    case U_LB_H3:
        *is = true;
        return NULL;
    default:
        return NULL;
    }
}

static const char *justify(const placer *placer, const text_line *line, double missing)
{
    const uint16_t *units = placer->source->units.items;
    for (int chinese = 0; chinese < 2; chinese++) {
        uint32_t gaps = 0;
        for (int widen = 0; widen < 2; widen++) {
            bool letters = false;
            for (uint32_t i = line->begin; i + 1 < line->content_end; i++) {
                bool stretches = letters && is_blank(units[i]);
                const char *wrong = chinese ? is_stretchable(units[i], &stretches) : NULL;
                if (wrong)
                    return wrong;
                letters |= !line_is_blank(units[i]);
                if (!stretches || placer->advances[i] == 0)
                    continue;
                if (widen)
                    placer->advances[i] += missing / gaps;
                else
                    gaps++;
            }
            if (gaps == 0)
                break;
        }
        if (gaps > 0)
            return NULL;
    }
    return NULL;
}

/* ---- Runs ---- */

/* Returns the map from the space of a run's glyphs to the space of lines, x along them and y across. */
static pietra_transform find_space(const placer *placer, const text_run *run, double along, double across)
{
    const pietra_text_span *span = &placer->source->spans[run->style];
    bool slant;
    pietra_transform space;
    if (!placer->text->vertical)
        space = transform_translate(along, across - span->rise);
    else if (run->upright)
        space = transform_translate(across + span->rise, along);
    else
        space = transform_multiply(transform_translate(across + span->rise, along),
                                   (pietra_transform){0, 1, -1, 0, -placer->reaches[run->style].middle, 0});
    if (run->font && pietra_font_lacks(run->font, NULL, &slant) && slant)
        space = transform_multiply(space, (pietra_transform){1, 0, -FONT_IMITATED_SLANT, 1, 0, 0});
    return space;
}

static bool add_glyph(pietra_text *text, uint32_t id, double x, double y, size_t byte)
{
    if (!array_reserve(&text->glyphs, 1) || !array_reserve(&text->glyph_bytes, 1))
        return false;
    *array_push(&text->glyphs) = (pietra_glyph){id, x, y};
    *array_push(&text->glyph_bytes) = byte;
    return true;
}

/* Places the glyphs of a cluster behind the pen. */
static bool add_glyphs(const placer *placer, const text_run *run, uint32_t begin, uint32_t end, double pen)
{
    const double subunit = text_run_scale(run) / FONT_SUBUNITS;
    for (uint32_t i = begin; i < end; i++) {
        const text_glyph *glyph = &placer->text->shaped.glyphs.items[i];
        const double x = glyph->x_offset * subunit, y = -glyph->y_offset * subunit;
        if (!add_glyph(placer->text, glyph->id, run->upright ? x : pen + x, run->upright ? pen + y : y,
                       placer->source->bytes.items[glyph->unit]))
            return false;
        pen += advance_of(run, glyph) * subunit;
    }
    return true;
}

/* Places clusters of glyphs from left to right. Spacing stands behind a cluster in the direction of the run. Returns
 * the width; negative: out of memory. */
static double place_glyphs(const placer *placer, const text_run *run, double left)
{
    const shaped_text *shaped = &placer->text->shaped;
    const bool backward = run->level % 2 && !run->upright;
    const uint32_t glyph_end = run->first_glyph + run->glyph_count;
    uint32_t end = run->end; /* unit behind the cluster */
    double pen = 0;
    place_cells(placer, run->begin, run->end, left, 0, backward); /* those without glyphs stay here */
    for (uint32_t k = run->first_glyph, next; k < glyph_end; k = next) {
        const uint32_t unit = shaped->glyphs.items[k].unit;
        next = find_cluster_end(shaped, run, k);
        if (!backward)
            end = next < glyph_end ? shaped->glyphs.items[next].unit : run->end;
        const double width = placer->advances[unit], extra = width - find_advance(shaped, run, k, next);
        const bool hidden =
            break_is_forced_behind(placer->source->units.items[unit]) || placer->source->units.items[unit] == '\t';
        if (!hidden && !add_glyphs(placer, run, k, next, pen + (backward ? extra : 0)))
            return -1;
        if (end > unit)
            place_cells(placer, unit, end, left + pen, width, backward);
        end = backward ? unit : end;
        pen += width;
    }
    return pen;
}

/* Places characters that no font has; their numbers stand for glyphs. */
static double place_missing(const placer *placer, const text_run *run, double left)
{
    const text_source *source = placer->source;
    const bool backward = run->level % 2 && !run->upright;
    const double width = find_width(placer, run->begin, run->end);
    double pen = 0;
    for (uint32_t i = run->begin, next; i < run->end; i = next) {
        uint32_t character;
        next = i + (uint32_t)utf16_decode(source->units.items, run->end, i, &character);
        const double own = placer->advances[i], at = backward ? width - pen - own : pen;
        if (!add_glyph(placer->text, character, run->upright ? 0 : at, run->upright ? at : 0, source->bytes.items[i]))
            return -1;
        if (placer->starts[i])
            place_cells(placer, i, next, left + at, own, backward);
        else
            placer->text->cells.items[placer->unit_cells[i]].width += own;
        pen += own;
    }
    return width;
}

/* Whether a run is nothing but what ends a line, which no program needs to know. */
static bool is_hidden(const placer *placer, const text_run *run)
{
    uint32_t i = run->begin;
    while (i < run->end && break_is_forced_behind(placer->source->units.items[i]))
        i++;
    return i == run->end;
}

/* Adds a run that stands at `left` along the line. Returns its width; negative: out of memory. */
static double add_run(const placer *placer, size_t index, size_t line, double left)
{
    pietra_text *text = placer->text;
    const text_run *shaped = &text->shaped.runs.items[index];
    const size_t first_glyph = text->glyphs.count;
    if (!array_reserve(&text->runs, 1) || !array_reserve(&text->placed_runs, 1))
        return -1;
    const double width = shaped->font ? place_glyphs(placer, shaped, left) : place_missing(placer, shaped, left);
    const size_t *bytes = placer->source->bytes.items;
    const size_t first_cell = placer->unit_cells[shaped->begin], last_cell = placer->unit_cells[shaped->end - 1];
    if (width < 0)
        return width;
    *array_push(&text->placed_runs) = (placed_run){(uint32_t)index, first_cell, last_cell - first_cell + 1};
    *array_push(&text->runs) = (pietra_text_run){
        .begin = bytes[shaped->begin],
        .end = text->cells.items[last_cell].end,
        .span = shaped->style,
        .line = line,
        .font = shaped->font,
        .size = shaped->size,
        .width = width,
        .right_to_left = shaped->level % 2 && !shaped->upright,
        .transform = find_space(placer, shaped, left, text->placed.items[line].across),
        .glyphs = (const pietra_glyph *)first_glyph, /* an index as yet: the array still grows */
        .glyph_count = text->glyphs.count - first_glyph,
    };
    return width;
}

/* ---- Lines ---- */

/* Returns where the content of a line begins, if lines are so wide. */
static double align(const placer *placer, double width, double available, bool backward)
{
    switch (placer->source->options.align) {
    case PIETRA_ALIGN_CENTER:
        return (available - width) / 2;
    case PIETRA_ALIGN_RIGHT:
        return available - width;
    case PIETRA_ALIGN_LEFT:
        return 0;
    case PIETRA_ALIGN_END:
        return backward ? 0 : available - width;
    default:
        return backward ? available - width : 0;
    }
}

/* Finds for each line whether its paragraph runs from right to left: what ends a paragraph has its level. */
static void find_directions(const placer *placer)
{
    pietra_text *text = placer->text;
    const shaped_text *shaped = &text->shaped;
    size_t run = shaped->runs.count;
    bool backward = shaped->level % 2;
    for (size_t i = text->lines.count; i > 0; i--) {
        const text_line *line = &placer->lines->items[i - 1].line;
        while (run > 0 && shaped->runs.items[run - 1].begin >= line->end)
            run--;
        if (run > 0 && break_is_forced_behind(placer->source->units.items[line->end - 1]))
            backward = shaped->runs.items[run - 1].level % 2;
        text->lines.items[i - 1].right_to_left = backward;
    }
}

static const char *measure_lines(const placer *placer, double *widest)
{
    const pietra_text_options *options = &placer->source->options;
    pietra_text *text = placer->text;
    double across = 0;
    *widest = options->width;
    for (size_t i = 0; i < placer->lines->count; i++) {
        const shown_line *shown = &placer->lines->items[i];
        const text_line *line = &shown->line;
        placed_line *placed = array_push(&text->placed);
        pietra_text_line *seen = placed ? array_push(&text->lines) : NULL;
        if (!seen)
            return text_out_of_memory;
        *placed = (placed_line){.first_cell = placer->unit_cells[line->begin]};
        placed->cell_count = placer->unit_cells[line->end - 1] - placed->first_cell + 1;
        find_reach(placer, line, placed);
        placed->across = across + placed->above;
        if (options->snap_baselines)
            placed->across = floor(placed->across + 0.5);
        across = placed->across + placed->below;
        place_tabs(placer, line);
        take_spacing_back(placer, line);
        double width = find_width(placer, line->begin, line->content_end);
        const char *wrong = NULL;
        if (options->align == PIETRA_ALIGN_JUSTIFY && !line->forced && width < options->width) {
            wrong = justify(placer, line, options->width - width);
            width = find_width(placer, line->begin, line->content_end);
        }
        if (wrong)
            return wrong;
        *seen = (pietra_text_line){.begin = placer->source->bytes.items[line->begin],
                                   .end = shown->end_byte,
                                   .width = width,
                                   .ascent = placed->above,
                                   .descent = placed->below,
                                   .elided = shown->elided};
        *widest = options->width > 0 ? options->width : fmax(*widest, width);
    }
    text->across = across;
    return NULL;
}

/* Blanks that hang lie beyond the end of a line, which is at the left if its paragraph runs from right to left. */
static const char *place_line(placer *placer, size_t index, double available)
{
    pietra_text *text = placer->text;
    const text_line *line = &placer->lines->items[index].line;
    pietra_text_line *seen = &text->lines.items[index];
    placed_line *placed = &text->placed.items[index];
    const shaped_text *shaped = &text->shaped;
    placed->along = align(placer, seen->width, available, seen->right_to_left);
    const double hanging = find_width(placer, line->content_end, line->end);
    double pen = placed->along - (seen->right_to_left ? hanging : 0);
    size_t count = 0;
    for (; placer->next_run + count < shaped->runs.count; count++) {
        const text_run *run = &shaped->runs.items[placer->next_run + count];
        if (run->begin >= line->end)
            break;
        placer->levels[count] = run->level;
    }
    bidi_order(placer->levels, count, placer->order);
    seen->first_run = text->runs.count;
    for (size_t i = 0; i < count; i++) {
        const size_t number = placer->next_run + placer->order[i];
        const text_run *run = &shaped->runs.items[number];
        if (is_hidden(placer, run)) {
            place_cells(placer, run->begin, run->end, pen, 0, run->level % 2);
            continue;
        }
        const double width = add_run(placer, number, index, pen);
        if (width < 0)
            return text_out_of_memory;
        pen += width;
    }
    seen->run_count = text->runs.count - seen->first_run;
    placer->next_run += count;
    return NULL;
}

/* ---- From lines to x and y ---- */

/* Vertical lines go from the right to the left. */
static void finish(pietra_text *text)
{
    for (size_t i = 0; i < text->lines.count; i++) {
        const placed_line *placed = &text->placed.items[i];
        pietra_text_line *line = &text->lines.items[i];
        line->x = text->vertical ? text->across - placed->across : placed->along;
        line->y = text->vertical ? placed->along : placed->across;
    }
    for (size_t i = 0; i < text->runs.count; i++) {
        pietra_text_run *run = &text->runs.items[i];
        const size_t first = (size_t)run->glyphs;
        run->glyphs = text->glyphs.items + first;
        run->glyph_bytes = text->glyph_bytes.items + first;
        if (text->vertical)
            run->transform.e += text->across - 2 * text->placed.items[run->line].across;
    }
}

/* ---- The whole ---- */

static const char *place(placer *placer)
{
    double widest;
    const char *wrong = clusters_find(placer->source->units.items, placer->source->units.count, placer->starts);
    if (!wrong)
        wrong = find_reaches(placer);
    if (!wrong && !make_cells(placer))
        wrong = text_out_of_memory;
    if (wrong)
        return wrong;
    text_list_advances(placer->source, &placer->text->shaped, placer->advances);
    wrong = measure_lines(placer, &widest);
    if (wrong)
        return wrong;
    find_directions(placer);
    placer->text->along = widest;
    for (size_t i = 0; i < placer->lines->count && !wrong; i++)
        wrong = place_line(placer, i, widest);
    if (!wrong)
        finish(placer->text);
    return wrong;
}

const char *text_place(const text_source *source, const shown_line_list *lines, pietra_text *text)
{
    const size_t count = source->units.count, runs = text->shaped.runs.count;
    placer placer = {.source = source,
                     .lines = lines,
                     .text = text,
                     .starts = malloc(count),
                     .unit_cells = malloc(count * sizeof *placer.unit_cells),
                     .advances = malloc(count * sizeof *placer.advances),
                     .reaches = malloc(source->span_count * sizeof *placer.reaches),
                     .order = malloc((runs + 1) * sizeof *placer.order),
                     .levels = malloc(runs + 1)};
    const bool whole =
        placer.starts && placer.unit_cells && placer.advances && placer.reaches && placer.order && placer.levels;
    text->vertical = source->options.vertical;
    const char *wrong = whole ? place(&placer) : text_out_of_memory;
    free(placer.starts);
    free(placer.unit_cells);
    free(placer.advances);
    free(placer.reaches);
    free(placer.order);
    free(placer.levels);
    return wrong;
}
