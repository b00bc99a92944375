/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "exact/exact_edges.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void exact_edges_add(exact_edges *edges, exact_point from, exact_point to)
{
    bool down = from.y < to.y;
    double top = down ? from.y : to.y, bottom = down ? to.y : from.y;
    if (top == bottom || bottom <= 0 || top >= edges->height || (from.x >= edges->width && to.x >= edges->width))
        return;
    if (edges->count == edges->capacity) {
        size_t capacity = edges->capacity ? 2 * edges->capacity : 256;
        exact_edge *items = realloc(edges->items, capacity * sizeof *items);
        if (!items) {
            edges->failed = true;
            return;
        }
        edges->items = items;
        edges->capacity = capacity;
    }
    exact_edge *edge = &edges->items[edges->count++];
    *edge = down ? (exact_edge){from.x, from.y, to.x, to.y, 0, 1} : (exact_edge){to.x, to.y, from.x, from.y, 0, -1};
}

void exact_edges_add_convex(exact_edges *edges, const exact_point *points, size_t count)
{
    double area = 0, left = INFINITY, right = -INFINITY, top = INFINITY, bottom = -INFINITY;
    for (size_t i = 0; i < count; i++) {
        exact_point p = points[i], q = points[(i + 1) % count];
        area += (p.x - points[0].x) * (q.y - points[0].y) - (p.y - points[0].y) * (q.x - points[0].x);
        left = fmin(left, p.x);
        right = fmax(right, p.x);
        top = fmin(top, p.y);
        bottom = fmax(bottom, p.y);
    }
    if (right <= 0 || left >= edges->width || bottom <= 0 || top >= edges->height)
        return;
    for (size_t i = 0; i < count; i++) {
        exact_point p = points[i], q = points[(i + 1) % count];
        exact_edges_add(edges, area > 0 ? p : q, area > 0 ? q : p);
    }
}

static int compare_tops(const void *a, const void *b)
{
    const exact_edge *p = a, *q = b;
    return p->y0 < q->y0 ? -1 : p->y0 > q->y0;
}

/* Adds the length of [x0, x1) to the pixels of a row: exactly to the pixels at both ends, and as a difference for
 * those between. */
static void add_interval(double *ends, double *steps, double width, double x0, double x1)
{
    x0 = fmax(x0, 0);
    x1 = fmin(x1, width);
    if (x1 <= x0)
        return;
    size_t first = (size_t)x0, last = (size_t)x1;
    if (first == last) {
        ends[first] += x1 - x0;
        return;
    }
    ends[first] += (double)first + 1 - x0;
    ends[last] += x1 - (double)last;
    steps[first + 1]++;
    steps[last]--;
}

static void count_line(exact_edge *const *active, size_t count, pietra_fill_rule rule, double width, double *ends,
                       double *steps)
{
    int winding = 0;
    for (size_t i = 0; i + 1 <= count; i++) {
        winding += active[i]->direction;
        double x1 = i + 1 < count ? active[i + 1]->x : width;
        bool inside = rule == PIETRA_FILL_EVEN_ODD ? winding & 1 : winding != 0;
        if (inside)
            add_interval(ends, steps, width, active[i]->x, x1);
    }
}

bool exact_edges_cover(exact_edges *edges, pietra_fill_rule rule, float *coverage)
{
    size_t width = (size_t)edges->width, height = (size_t)edges->height;
    size_t next = 0, active_count = 0;
    double *row = malloc((2 * width + 4) * sizeof *row);
    exact_edge **active = malloc((edges->count + 1) * sizeof *active);
    bool ok = row && active && !edges->failed;
    memset(coverage, 0, width * height * sizeof *coverage);
    if (ok && edges->count) /* without edges qsort would get no array */
        qsort(edges->items, edges->count, sizeof *edges->items, compare_tops);
    for (size_t y = 0; ok && y < height && (active_count || next < edges->count); y++) {
        double *ends = row, *steps = row + width + 2, full = 0;
        memset(row, 0, (2 * width + 4) * sizeof *row);
        for (int line = 0; line < EXACT_ROWS; line++) {
            double at = (double)y + (line + 0.5) / EXACT_ROWS;
            size_t kept = 0;
            for (size_t i = 0; i < active_count; i++)
                if (active[i]->y1 > at)
                    active[kept++] = active[i];
            for (; next < edges->count && edges->items[next].y0 <= at; next++)
                if (edges->items[next].y1 > at)
                    active[kept++] = &edges->items[next];
            active_count = kept;
            for (size_t i = 0; i < active_count; i++) {
                exact_edge *edge = active[i];
                double x = edge->x0 + (at - edge->y0) * ((edge->x1 - edge->x0) / (edge->y1 - edge->y0));
                edge->x = fmin(fmax(x, 0), edges->width);
                size_t place = i;
                for (; place > 0 && active[place - 1]->x > edge->x; place--)
                    active[place] = active[place - 1];
                active[place] = edge;
            }
            count_line(active, active_count, rule, edges->width, ends, steps);
        }
        for (size_t x = 0; x < width; x++) {
            full += steps[x];
            coverage[y * width + x] = (float)fmin((full + ends[x]) / EXACT_ROWS, 1);
        }
    }
    free(row);
    free(active);
    return ok;
}
