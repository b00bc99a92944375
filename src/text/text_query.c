/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* What a program asks of a text that was laid out: lines, runs, carets, boxes, the character at a point. */
#include <math.h>

#include "text/laid_out.h"

size_t pietra_text_lines(const pietra_text *text, const pietra_text_line **lines)
{
    if (lines)
        *lines = text ? text->lines.items : NULL;
    return text ? text->lines.count : 0;
}

size_t pietra_text_runs(const pietra_text *text, const pietra_text_run **runs)
{
    if (runs)
        *runs = text ? text->runs.items : NULL;
    return text ? text->runs.count : 0;
}

bool pietra_text_bounds(const pietra_text *text, pietra_box *box)
{
    if (!text || !box)
        return false;
    *box =
        text->vertical ? (pietra_box){0, 0, text->across, text->along} : (pietra_box){0, 0, text->along, text->across};
    return true;
}

/* ---- Finding ---- */

/* Returns the last cell that begins at a byte or before it. */
static size_t find_last_cell(const pietra_text *text, size_t byte)
{
    size_t low = 0, high = text->cells.count - 1;
    while (low < high) {
        const size_t middle = (low + high + 1) / 2;
        if (text->cells.items[middle].begin <= byte)
            low = middle;
        else
            high = middle - 1;
    }
    return low;
}

/* Returns the first of several cells that begin at the same byte, as those of an ellipsis do. */
static size_t find_cell(const pietra_text *text, size_t byte)
{
    size_t cell = find_last_cell(text, byte);
    while (cell > 0 && text->cells.items[cell - 1].begin == text->cells.items[cell].begin)
        cell--;
    return cell;
}

static size_t find_line_of_cell(const pietra_text *text, size_t cell)
{
    size_t low = 0, high = text->placed.count - 1;
    while (low < high) {
        const size_t middle = (low + high + 1) / 2;
        if (text->placed.items[middle].first_cell <= cell)
            low = middle;
        else
            high = middle - 1;
    }
    return low;
}

static double top_of(const placed_line *line)
{
    return line->across - line->above;
}

/* Returns the line at a place across the lines, or the nearest one. */
static size_t find_line_at(const pietra_text *text, double across)
{
    size_t low = 0, high = text->placed.count - 1;
    while (low < high) {
        const size_t middle = (low + high + 1) / 2;
        if (top_of(&text->placed.items[middle]) <= across)
            low = middle;
        else
            high = middle - 1;
    }
    return low;
}

/* ---- Carets ---- */

static void place_caret(const pietra_text *text, size_t line, double along, pietra_text_caret *caret)
{
    const placed_line *placed = &text->placed.items[line];
    const double top = top_of(placed), bottom = placed->across + placed->below;
    caret->line = line;
    caret->x0 = text->vertical ? text->across - top : along;
    caret->x1 = text->vertical ? text->across - bottom : along;
    caret->y0 = text->vertical ? along : top;
    caret->y1 = text->vertical ? along : bottom;
}

static double find_edge(const text_cell *cell, bool behind)
{
    return cell->left + (behind != cell->backward ? cell->width : 0);
}

bool pietra_text_find_caret(const pietra_text *text, size_t byte, bool behind, pietra_text_caret *caret)
{
    if (!text || !caret)
        return false;
    size_t index = find_cell(text, byte);
    const bool is_behind = behind && index > 0 && !text->cells.items[index - 1].ends_line;
    index -= is_behind;
    const text_cell *cell = &text->cells.items[index];
    caret->right_to_left = cell->backward;
    place_caret(text, find_line_of_cell(text, index), find_edge(cell, is_behind), caret);
    return true;
}

size_t pietra_text_next(const pietra_text *text, size_t byte, bool backward)
{
    if (!text)
        return 0;
    if (backward)
        return byte > 0 ? text->cells.items[find_last_cell(text, byte - 1)].begin : 0;
    const size_t cell = find_last_cell(text, byte);
    return cell + 1 < text->cells.count ? text->cells.items[cell + 1].begin : array_last(&text->cells)->end;
}

/* ---- Boxes ---- */

typedef struct boxer {
    const pietra_text *text;
    pietra_text_box_function *function;
    void *user;
    double from, to; /* the box at hand, along the line; from > to: there is none */
} boxer;

static void end_box(boxer *boxer, const placed_line *line)
{
    const pietra_text *text = boxer->text;
    const double top = top_of(line), bottom = line->across + line->below;
    const pietra_box box = text->vertical
                               ? (pietra_box){text->across - bottom, boxer->from, text->across - top, boxer->to}
                               : (pietra_box){boxer->from, top, boxer->to, bottom};
    if (boxer->from < boxer->to)
        boxer->function(boxer->user, &box);
    boxer->from = INFINITY;
    boxer->to = -INFINITY;
}

/* Adds what is wanted of a run, which is in one piece. */
static void add_run(boxer *boxer, const placed_run *run, const placed_line *line, size_t begin, size_t end)
{
    double from = INFINITY, to = -INFINITY;
    for (size_t i = run->first_cell; i < run->first_cell + run->cell_count; i++) {
        const text_cell *cell = &boxer->text->cells.items[i];
        if (cell->begin >= end || (cell->end <= begin && cell->end > cell->begin) || cell->begin < begin)
            continue;
        from = fmin(from, cell->left);
        to = fmax(to, cell->left + cell->width);
    }
    if (!(from < to))
        return;
    const double slack = 1e-6 * (fabs(from) + 1);
    if (boxer->from > boxer->to || fabs(from - boxer->to) > slack)
        end_box(boxer, line);
    boxer->from = fmin(boxer->from, from);
    boxer->to = fmax(boxer->to, to);
}

void pietra_text_boxes(const pietra_text *text, size_t begin, size_t end, pietra_text_box_function *function,
                       void *user)
{
    if (!text || !function || begin >= end)
        return;
    boxer boxer = {.text = text, .function = function, .user = user, .from = INFINITY, .to = -INFINITY};
    begin = text->cells.items[find_cell(text, begin)].begin; /* a whole character */
    for (size_t i = find_line_of_cell(text, find_cell(text, begin)); i < text->lines.count; i++) {
        const pietra_text_line *line = &text->lines.items[i];
        if (line->begin >= end)
            return;
        for (size_t k = line->first_run; k < line->first_run + line->run_count; k++)
            add_run(&boxer, &text->placed_runs.items[k], &text->placed.items[i], begin, end);
        end_box(&boxer, &text->placed.items[i]);
    }
}

/* ---- The character at a point ---- */

static double find_distance(const text_cell *cell, double along)
{
    return fmax(fmax(cell->left - along, along - cell->left - cell->width), 0);
}

/* Returns the cell of a line that is nearest. What ends the line is taken only if there is nothing else. */
static size_t find_nearest(const pietra_text *text, const placed_line *line, double along)
{
    size_t best = line->first_cell;
    double least = INFINITY;
    for (size_t i = line->first_cell; i < line->first_cell + line->cell_count; i++) {
        const text_cell *cell = &text->cells.items[i];
        const double distance = cell->ends_line ? INFINITY : find_distance(cell, along);
        if (distance < least) {
            least = distance;
            best = i;
        }
    }
    return best;
}

bool pietra_text_find(const pietra_text *text, double x, double y, pietra_text_hit *hit)
{
    if (!text || !hit || !isfinite(x) || !isfinite(y))
        return false;
    const double along = text->vertical ? y : x, across = text->vertical ? text->across - x : y;
    const size_t index = find_line_at(text, across);
    const placed_line *line = &text->placed.items[index];
    const text_cell *cell = &text->cells.items[find_nearest(text, line, along)];
    const bool second_half = along > cell->left + cell->width / 2;
    const bool behind = !cell->ends_line && second_half != cell->backward;
    *hit = (pietra_text_hit){.begin = cell->begin,
                             .end = cell->ends_line ? cell->begin : cell->end,
                             .caret = behind ? cell->end : cell->begin,
                             .behind = behind,
                             .inside = !cell->ends_line && find_distance(cell, along) == 0 && across >= top_of(line) &&
                                       across <= line->across + line->below,
                             .line = index};
    return true;
}
