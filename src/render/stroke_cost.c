/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "render/stroke_cost.h"

#include <math.h>

#include "base/bend.h"
#include "base/transform.h"
#include "render/frame/config.h"

/* Thousandths of a step, as measured on the CPU device. Dashes that lie on one another take longest, because most of
 * what their lines touch is sampled: a dash, a line of it, and a row of pixels that a line passes. */
#define COST_OF_DASH 1000.0
#define COST_OF_DASH_LINE 250.0
#define COST_OF_DASH_ROW 50.0
/* A piece of a dashed curve, whose length is measured wherever it lies, and again in other parts of a frame. */
#define COST_OF_MEASURED_PIECE 1000.0
/* The same of what joins two pieces or segments under a wide pen. */
#define COST_OF_LINE 200.0
#define COST_OF_ROW 38.0

/* Strokes of a lesser radius, in pixels, count only with their dashes, and from the second on with their sides. */
#define RADIUS_LEAST 4.0
#define RADIUS_OF_SIDES 64.0
#define PEN_REACH 1.5     /* half widths */
#define STRETCH_MOST 1e30 /* beyond it nothing is known, and products would be no numbers */
#define HALVINGS 5        /* of a curve, to find where it bends */

/* How curves become lines (shaders/lib/subdivision.h, stroke_quad.h). */
#define PIECES_PER_ROOT 2.74 /* per root of a second difference of one pixel */
#define PIECES_MOST 2048.0   /* a curve's */
#define TIGHT_LINES 10.0     /* of a piece that bends in less than the radius, */
#define TIGHT_RADII 4.0      /* and how many of them are as long as the radius */
#define HALF_TURN 0.5        /* of a circle */

#define DASH_WAYS 8
#define DASH_WAYS_RATIO 4

/* The least ways from a dash to the one that comes so many later: 1, 4, 16 and so on, while the pattern has more. */
typedef struct dash_ways {
    const stream_style *style;
    double ways[DASH_WAYS];
    int count;
} dash_ways;

/* A pen, in one of its elements. */
typedef struct stroke_pen {
    const stream_style *style;
    const dash_ways *dashes;
    bool is_wide;
    double half_width, stretch, radius, directions;
    double height, rows; /* the picture's; those that a line as long as the radius passes */
    pietra_box reached;  /* where its centre can be seen, in path units */
} stroke_pen;

/* ---- Pens ---- */

/* Returns the box, in the space of the path, from which a pen reaches the picture. A picture without width stands for
 * all of the plane. */
static pietra_box reached_box(pietra_transform t, pixel_box picture, double reach)
{
    pietra_transform back;
    if (picture.x0 >= picture.x1 || !transform_invert(t, &back))
        return (pietra_box){-INFINITY, -INFINITY, INFINITY, INFINITY};
    const pietra_box seen = {(double)picture.x0, (double)picture.y0, (double)picture.x1, (double)picture.y1};
    const pietra_box box = transform_box(back, seen);
    return (pietra_box){box.x0 - reach, box.y0 - reach, box.x1 + reach, box.y1 + reach};
}

static stroke_pen pen_of(const dash_ways *dashes, pietra_transform t, pixel_box picture)
{
    const stream_style *style = dashes->style;
    stroke_pen pen = {.style = style, .dashes = dashes, .half_width = (double)style->half_width};
    pen.stretch = fmin(sqrt(t.a * t.a + t.b * t.b + t.c * t.c + t.d * t.d), STRETCH_MOST);
    pen.radius = pen.half_width * pen.stretch;
    pen.directions = bend_directions(pen.radius);
    pen.height = picture.y1 - picture.y0;
    pen.rows = fmin(pen.radius, pen.height);
    pen.is_wide = pen.radius >= RADIUS_LEAST;
    pen.reached = reached_box(t, picture, PEN_REACH * pen.half_width);
    return pen;
}

/* ---- Dashes ---- */

static dash_ways dash_ways_of(const stream_view *view, const stream_style *style)
{
    const float *ends = view->dashes + style->first_dash; /* of dashes and gaps in turn */
    const uint32_t dashes = style->dash_count / 2;
    dash_ways all = {.style = style};
    for (uint32_t later = 1; later < dashes && all.count < DASH_WAYS; later *= DASH_WAYS_RATIO) {
        double least = INFINITY;
        for (uint32_t i = 0; i < dashes; i++) {
            const uint32_t to = (i + later) % dashes;
            const double start = i > 0 ? (double)ends[2 * i - 1] : 0, end = to > 0 ? (double)ends[2 * to - 1] : 0;
            least = fmin(least, to > i ? end - start : end - start + (double)style->dash_period);
        }
        all.ways[all.count++] = least;
    }
    return all;
}

/* Returns how many dashes a length of path has at most, wherever in the pattern it begins: in many patterns they are
 * denser than on average, and a path may show just that part again and again. */
static double dashes_within(const stroke_pen *pen, double length)
{
    const double each = pen->style->dash_count / 2, period = (double)pen->style->dash_period;
    const double periods = floor(length / period);
    double most = length > 0 ? each : 0, later = 1;
    for (int i = 0; i < pen->dashes->count; i++, later *= DASH_WAYS_RATIO)
        most = fmin(most, later * (floor((length - periods * period) / pen->dashes->ways[i]) + 1));
    return periods * each + most;
}

/* ---- Segments ---- */

/* Returns what part of a circle lies between two directions, at most: a quarter of the chord between them. */
static double turn_between(bend_leg a, bend_leg b)
{
    const double across = sqrt((a.x * a.x + a.y * a.y) * (b.x * b.x + b.y * b.y));
    const double cosine = across > 0 ? (a.x * b.x + a.y * b.y) / across : 1;
    return 0.25 * sqrt(fmax(2 - 2 * cosine, 0));
}

/* Adds the turn from the last leg to the next one. Legs without length have no direction. */
static double add_turn(double turn, bend_leg *last, bend_leg next)
{
    const bool leads = next.x != 0 || next.y != 0;
    const double more = leads ? turn_between(*last, next) : 0;
    *last = leads ? next : *last;
    return turn + more;
}

/* Returns how many pieces a curve is cut into, given its second difference. */
static double pieces_of(const stroke_pen *pen, int degree, double second)
{
    const double roots = sqrt((degree == 2 ? second / 3 : second) * pen->stretch);
    return fmin(PIECES_PER_ROOT * roots, PIECES_MOST);
}

/* Returns the cost of a piece of a curve that bends in less than the pen's radius everywhere. */
static double cost_of_tight_piece(const stroke_pen *pen, const bend_leg *legs, int degree, double second)
{
    double turn = 0;
    bend_leg last = legs[0];
    for (int i = 1; i < degree; i++)
        turn = add_turn(turn, &last, legs[i]);
    const double pieces = pieces_of(pen, degree, second) + pen->directions * turn;
    return pieces * (TIGHT_LINES * COST_OF_LINE + TIGHT_RADII * COST_OF_ROW * pen->rows);
}

/* The sums over the parts of a segment that can be seen. */
typedef struct segment_sums {
    double length; /* path units */
    double bends;  /* cost of bends */
} segment_sums;

static bool is_within(const bend_point *p, int degree, pietra_box box)
{
    bool within = true;
    for (int i = 0; i <= degree; i++)
        within = within && p[i].x >= box.x0 && p[i].x <= box.x1 && p[i].y >= box.y0 && p[i].y <= box.y1;
    return within;
}

/* Adds a curve or a line. Halves of halves are looked at where it bends, or where only a part of it can be seen. */
static void add_segment(const stroke_pen *pen, const bend_point *p, int degree, int halvings, segment_sums *sums)
{
    bend_leg legs[3];
    double length = 0;
    if (bend_is_beyond(p, degree, pen->reached))
        return;
    for (int i = 0; i < degree; i++) {
        legs[i] = bend_leg_between(p[i], p[i + 1]);
        length += bend_length(legs[i]);
    }
    const double second = bend_second(legs, degree);
    const bool bends = pen->is_wide && degree > 1 && bend_is_tight(legs, degree, second, pen->half_width);
    const bool is_cut = pen->style->dash_count > 0 && !is_within(p, degree, pen->reached);
    if (halvings == 0 || !(bends || is_cut)) {
        sums->length += length;
        sums->bends += bends ? cost_of_tight_piece(pen, legs, degree, second) : 0;
        return;
    }
    bend_point halves[2][4];
    bend_halve(p, degree, halves);
    for (int i = 0; i < 2; i++)
        add_segment(pen, halves[i], degree, halvings - 1, sums);
}

/* Returns the cost of measuring a segment, which tells where the dashes of the next one begin. */
static double cost_of_measure(const stroke_pen *pen, const bend_point *p, int degree)
{
    bend_leg legs[3];
    for (int i = 0; i < degree; i++)
        legs[i] = bend_leg_between(p[i], p[i + 1]);
    const bool is_measured = pen->style->dash_count > 0 && degree > 1;
    return is_measured ? COST_OF_MEASURED_PIECE * pieces_of(pen, degree, bend_second(legs, degree)) : 0;
}

static double cost_of_dashes(const stroke_pen *pen, double length)
{
    const stream_style *style = pen->style;
    const double lines = 4 + (style->cap == STYLE_CAP_ROUND ? pen->directions : 0);
    const double cost = COST_OF_DASH + COST_OF_DASH_LINE * lines + COST_OF_DASH_ROW * 4 * pen->rows;
    return style->dash_count > 0 ? cost * dashes_within(pen, length) : 0;
}

/* Returns the cost of the two sides of a segment. Those of lesser pens seldom meet many others. */
static double cost_of_sides(const stroke_pen *pen, double length)
{
    return pen->radius >= RADIUS_OF_SIDES ? COST_OF_ROW * fmin(length * pen->stretch, 2 * pen->height) : 0;
}

/* Returns the cost of what joins two segments, or of a cap at either end of both. */
static double cost_of_turn(const stroke_pen *pen, double turn, bool is_round)
{
    const double lines = 4 + (is_round ? pen->directions * turn : 0);
    return pen->is_wide ? COST_OF_LINE * lines + COST_OF_ROW * (2 + fmin(6 * turn, 2)) * pen->rows : 0;
}

/* ---- Paths ---- */

/* A result beyond `most` may be too small. */
static double cost_of_path(const stream_view *view, const stream_path *path, const stroke_pen *pen, double most)
{
    const bool round_joins = pen->style->join == STYLE_JOIN_ROUND, round_caps = pen->style->cap == STYLE_CAP_ROUND;
    const uint8_t *tags = view->tags + path->first_segment;
    const float *from = view->points + 2 * (size_t)path->first_point;
    double cost = 0, run = 0; /* the length of what the frame shows without a break */
    bend_leg last = {0, 0};
    for (uint32_t i = 0; i < path->segment_count && cost <= most; i++) {
        const uint8_t tag = tags[i];
        const int degree = tag & TAG_POINTS_MASK;
        bend_point p[4];
        segment_sums sums = {0, 0};
        from += i > 0 && (tag & TAG_FIRST) ? 2 : 0;
        for (int k = 0; k <= degree; k++)
            p[k] = (bend_point){(double)from[2 * k], (double)from[2 * k + 1]};
        from += 2 * degree;
        last = tag & TAG_FIRST ? (bend_leg){0, 0} : last;
        const double turn = add_turn(0, &last, bend_leg_between(p[0], p[1]));
        last = bend_leg_between(p[degree - 1], p[degree]);
        const bool goes_on = !(tag & TAG_FIRST) && is_within(p, degree, pen->reached);
        cost += cost_of_measure(pen, p, degree) + (goes_on ? 0 : cost_of_dashes(pen, run));
        run = goes_on ? run : 0;
        if (bend_is_beyond(p, degree, pen->reached))
            continue;
        add_segment(pen, p, degree, HALVINGS, &sums);
        run += sums.length;
        cost += sums.bends + cost_of_sides(pen, sums.length) + cost_of_turn(pen, turn, round_joins);
        const int ends = tag & TAG_CLOSED ? 0 : !!(tag & TAG_FIRST) + !!(tag & TAG_LAST);
        cost += ends * cost_of_turn(pen, HALF_TURN, round_caps);
    }
    return cost + cost_of_dashes(pen, run);
}

double stroke_cost(const stream_view *view, pietra_transform frame, pixel_box picture, double most, uint32_t *last)
{
    const pixel_box anywhere = {0, picture.y0, 0, picture.y1};
    double cost = 0;
    uint32_t effects = 0;
    dash_ways dashes = {0};
    for (uint32_t i = 0; i < view->header->element_count && cost <= most; i++) {
        const stream_element *element = &view->elements[i];
        const uint32_t kind = element->kind & ELEMENT_KIND_MASK;
        if (last)
            *last = i;
        effects += kind == ELEMENT_BEGIN_EFFECT ? 1 : 0;
        effects -= kind == ELEMENT_END_EFFECT ? 1 : 0;
        if (kind != ELEMENT_STROKE)
            continue;
        const pietra_transform t = transform_multiply(frame, config_widened(&view->transforms[element->transform]));
        const stream_style *style = &view->styles[element->style];
        dashes = style == dashes.style ? dashes : dash_ways_of(view, style);
        const stroke_pen pen = pen_of(&dashes, t, effects > 0 ? anywhere : picture);
        if (pen.is_wide || pen.style->dash_count > 0)
            cost += cost_of_path(view, &view->paths[element->path], &pen, most - cost);
    }
    return cost;
}

double stroke_cost_known(stroke_cost_cache *cache, const pietra_stream *stream, const frame_config *config, double most)
{
    const pietra_transform t = config_widened(&config->transform);
    const int height = config->height;
    int scale;
    (void)frexp(sqrt(t.a * t.a + t.b * t.b + t.c * t.c + t.d * t.d), &scale);
    if (cache->stream_id != stream_id(stream) || cache->scale != scale || cache->height != height) {
        const stream_view view = stream_view_of(stream_words(stream));
        const double stretch = ldexp(1, scale);
        const double cost =
            stroke_cost(&view, transform_scale(stretch, stretch), (pixel_box){0, 0, 0, height}, most, NULL);
        *cache = (stroke_cost_cache){stream_id(stream), scale, height, cost <= most ? cost : INFINITY};
    }
    return cache->cost;
}
