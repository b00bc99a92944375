/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Draws throughput over the number of items. Both axes are logarithmic, and each case is a line. */
#include "bench.h"

#include <math.h>
#include <string.h>

#define WIDTH 900.0
#define HEIGHT 560.0 /* with the axes and what is around them */
#define NAME_HEIGHT 15.0
#define LEFT 80.0
#define RIGHT 250.0 /* room for names */
#define TOP 20.0
#define BOTTOM 50.0

typedef struct axes {
    double n0, n1; /* log2 of the items */
    double y0, y1; /* log10 of 10^9 items a second */
} axes;

static double plot_x(const axes *a, double n)
{
    return LEFT + (log2(n) - a->n0) / (a->n1 - a->n0) * (WIDTH - LEFT - RIGHT);
}

static double plot_y(const axes *a, double items)
{
    return HEIGHT - BOTTOM - (log10(items) - a->y0) / (a->y1 - a->y0) * (HEIGHT - TOP - BOTTOM);
}

static axes axes_of(const bench *b)
{
    axes a = {32.0, 0.0, 6.0, -6.0};
    for (size_t i = 0; i < b->row_count; i++) {
        if (b->rows[i].items <= 0.0)
            continue;
        a.n0 = fmin(a.n0, floor(log2(b->rows[i].n)));
        a.n1 = fmax(a.n1, ceil(log2(b->rows[i].n)));
        a.y0 = fmin(a.y0, floor(log10(b->rows[i].items)));
        a.y1 = fmax(a.y1, ceil(log10(b->rows[i].items)));
    }
    if (a.n1 <= a.n0)
        a.n1 = a.n0 + 1.0;
    if (a.y1 <= a.y0)
        a.y1 = a.y0 + 1.0;
    return a;
}

static void plot_grid(const axes *a, FILE *file)
{
    for (double n = a->n0; n <= a->n1; n += 2.0) {
        double x = plot_x(a, exp2(n));
        fprintf(file, "<path d=\"M%.1f %.1fV%.1f\" stroke=\"#ddd\"/>\n", x, TOP, HEIGHT - BOTTOM);
        fprintf(file, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"middle\">2^%.0f</text>\n", x, HEIGHT - BOTTOM + 18.0,
                n);
    }
    for (double y = a->y0; y <= a->y1; y += 1.0) {
        double at = plot_y(a, pow(10.0, y));
        fprintf(file, "<path d=\"M%.1f %.1fH%.1f\" stroke=\"#ddd\"/>\n", LEFT, at, WIDTH - RIGHT);
        fprintf(file, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"end\">%g</text>\n", LEFT - 6.0, at + 4.0,
                pow(10.0, y));
    }
    fprintf(file, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"middle\">items</text>\n", (LEFT + WIDTH - RIGHT) / 2.0,
            HEIGHT - 12.0);
    fprintf(file,
            "<text transform=\"translate(16 %.1f) rotate(-90)\" text-anchor=\"middle\">10^9 items a second</text>\n",
            HEIGHT / 2.0);
}

static void plot_line(const bench *b, const axes *a, size_t first, uint32_t line, FILE *file)
{
    double hue = fmod(line * 137.508, 360.0);
    double end_x = 0.0, end_y = 0.0;
    fprintf(file, "<path fill=\"none\" stroke=\"hsl(%.0f 70%% 40%%)\" stroke-width=\"1.5\" d=\"", hue);
    for (size_t i = first; i < b->row_count; i++) {
        if (strcmp(b->rows[i].name, b->rows[first].name) != 0 || b->rows[i].items <= 0.0)
            continue;
        end_x = plot_x(a, b->rows[i].n);
        end_y = plot_y(a, b->rows[i].items);
        fprintf(file, "%c%.1f %.1f", i == first ? 'M' : 'L', end_x, end_y);
    }
    fprintf(file, "\"/>\n<circle cx=\"%.1f\" cy=\"%.1f\" r=\"2.5\" fill=\"hsl(%.0f 70%% 40%%)\"/>\n", end_x, end_y,
            hue);
    double label = TOP + 8.0 + NAME_HEIGHT * line;
    fprintf(file, "<path d=\"M%.1f %.1fh14\" stroke=\"hsl(%.0f 70%% 40%%)\" stroke-width=\"3\"/>", WIDTH - RIGHT + 14.0,
            label - 4.0, hue);
    fprintf(file, "<text x=\"%.1f\" y=\"%.1f\">%s</text>\n", WIDTH - RIGHT + 34.0, label, b->rows[first].name);
}

static bool is_first(const bench *b, size_t row)
{
    for (size_t i = 0; i < row; i++)
        if (strcmp(b->rows[i].name, b->rows[row].name) == 0)
            return false;
    return true;
}

/* Names stand below each other, and may need more height than the axes. */
static double height_of(const bench *b)
{
    double names = 2.0 * TOP;
    for (size_t i = 0; i < b->row_count; i++)
        names += is_first(b, i) ? NAME_HEIGHT : 0.0;
    return fmax(names, HEIGHT);
}

void report_plot(const bench *b, FILE *file)
{
    axes a = axes_of(b);
    double height = height_of(b);
    fprintf(
        file,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %g %g\" font-family=\"sans-serif\" font-size=\"12\">\n",
        WIDTH, height);
    fprintf(file, "<rect width=\"%g\" height=\"%g\" fill=\"#fff\"/>\n", WIDTH, height);
    plot_grid(&a, file);
    uint32_t line = 0;
    for (size_t i = 0; i < b->row_count; i++)
        if (is_first(b, i))
            plot_line(b, &a, i, line++, file);
    fputs("</svg>\n", file);
}
