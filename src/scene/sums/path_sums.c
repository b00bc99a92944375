/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "scene/sums/path_sums.h"

#include <float.h>
#include <math.h>

#include "base/bend.h"

/* A curve is cut into at most PIECES_PER_ROOT s^(1/4) + PIECES_MORE pieces, where s is the square of its largest second
 * difference in pixels, a cubic's. Wang's bound, of which one more is taken, is less. */
#define PIECES_MORE 1.25
/* What a control point adds that a stroke moves to the end of its curve, because none can tell the two apart
 * (curve_seen). The second difference changes by 0.6 pixels at most. */
#define PIECES_OF_HIDDEN 2.4
#define HIDDEN_PART (1.0 / 16) /* of the curve; a 64th, but matrices may stretch one way four times as much */

/* Lines of a place of the pen: its two rims; those if one half is drawn in full, because the pen is wider than the
 * bend; if both are, because the step is too short to know its direction (shaders/lib/stroke_quad.h). */
#define PLACE_LINES 2.0
#define PLACE_LINES_IN_BEND 11.0
#define BEND_RADII 1.5 /* pens of this many half widths turn within a bend without a half drawn in full */

#define HALVINGS 2          /* of a curve, to find where it bends */
#define SMOOTH_OPENING 0.04 /* pixels (turn_join) */

#define TURN 6.283185307179586
/* Where a curve turns by more, it may fold back: then the pen turns on the spot, in steps too short to know their
 * direction. */
#define FOLD (TURN / 3)
#define FOLD_OPENING 1e-9
/* The directions of a circle of r pixels are at most 8 + 2 sqrt(49.35 r) (shaders/lib/pen.h), and r at most root 2 of
 * the half width. */
#define DIRECTIONS_LEAST 8.0
#define DIRECTIONS_PER_ROOT 16.8

/* The matrix from path space to the scene, without its translation. */
typedef struct shown_matrix {
    double a, b, c, d;
    double stretch, least_stretch; /* the most and the least that it stretches */
} shown_matrix;

static shown_matrix matrix_of(const stream_transform *m)
{
    shown_matrix made = {.a = (double)m->a, .b = (double)m->b, .c = (double)m->c, .d = (double)m->d};
    made.stretch = bounds_stretch(made.a, made.b, made.c, made.d);
    made.least_stretch = made.stretch > 0 ? fabs(made.a * made.d - made.b * made.c) / made.stretch : 0;
    return made;
}

static inline bend_leg shown_leg(const shown_matrix *m, bend_leg leg)
{
    return (bend_leg){m->a * leg.x + m->c * leg.y, m->b * leg.x + m->d * leg.y};
}

/* The pieces of an outline that lead one way. */
typedef struct one_way_runs {
    uint32_t count;
    uint32_t left, up; /* whether the last leg leads there */
} one_way_runs;

/* Outlines turn at random for a processor, so nothing branches. A leg that leads neither way counts as right or down,
 * which may count a run too many. */
static inline void add_run(one_way_runs *runs, bend_leg shown)
{
    const uint32_t left = shown.x < 0, up = shown.y < 0;
    runs->count += (left ^ runs->left) + (up ^ runs->up);
    runs->left = left;
    runs->up = up;
}

static one_way_runs first_runs(bend_leg shown)
{
    return (one_way_runs){.count = 2, .left = shown.x < 0, .up = shown.y < 0};
}

/* Reads the legs of a segment and steps over its points. Returns their number, its degree. */
static inline int read_legs(const uint8_t tag, bool is_first, const float **points, bend_leg legs[3])
{
    const int degree = tag & TAG_POINTS_MASK;
    const float *p = *points + (!is_first && (tag & TAG_FIRST) ? 2 : 0);
    for (int i = 0; i < degree; i++, p += 2)
        legs[i] = (bend_leg){(double)p[2] - (double)p[0], (double)p[3] - (double)p[1]};
    *points = p;
    return degree;
}

/* Returns s^(1/4) of a curve in scene units. */
static inline double root_of_second(const shown_matrix *m, const bend_leg *legs, int degree)
{
    double most = 0;
    for (int i = 0; i + 1 < degree; i++) {
        const bend_leg second = shown_leg(m, (bend_leg){legs[i + 1].x - legs[i].x, legs[i + 1].y - legs[i].y});
        const double square = second.x * second.x + second.y * second.y;
        most = square > most ? square : most;
    }
    return sqrt(sqrt(degree == 2 ? most / 9 : most));
}

/* ---- Fills ---- */

typedef struct fill_walk {
    double across, down, roots;
    double x, y; /* from the start of the subpath, scene units */
    uint32_t legs, lines, curves;
    one_way_runs runs;
} fill_walk;

static inline void add_leg(fill_walk *walk, bend_leg shown)
{
    walk->across += fabs(shown.x);
    walk->down += fabs(shown.y);
    walk->x += shown.x;
    walk->y += shown.y;
    walk->legs++;
    add_run(&walk->runs, shown);
}

static inline void add_to_fill(fill_walk *walk, const shown_matrix *m, uint8_t tag, const bend_leg *legs, int degree)
{
    if (tag & TAG_FIRST) {
        const bend_leg shown = shown_leg(m, legs[0]);
        const one_way_runs runs = first_runs(shown);
        walk->runs = (one_way_runs){walk->runs.count + runs.count, runs.left, runs.up};
        walk->x = walk->y = 0;
    }
    for (int k = 0; k < degree; k++)
        add_leg(walk, shown_leg(m, legs[k]));
    if (degree > 1) {
        walk->curves++;
        walk->roots += root_of_second(m, legs, degree);
    } else {
        walk->lines++;
    }
    if ((tag & (TAG_LAST | TAG_CLOSED)) == TAG_LAST) {
        walk->lines++;
        add_leg(walk, (bend_leg){-walk->x, -walk->y});
    }
}

void path_sums_of_fill(const stream_view *view, const stream_element *element, bound_sums *sums)
{
    const stream_path *path = &view->paths[element->path];
    const uint8_t *tags = view->tags + path->first_segment;
    const float *points = view->points + 2 * (size_t)path->first_point;
    const shown_matrix m = matrix_of(&view->transforms[element->transform]);
    fill_walk walk = {.across = 0};
    for (uint32_t i = 0; i < path->segment_count; i++) {
        bend_leg legs[3] = {{0, 0}};
        const int degree = read_legs(tags[i], i == 0, &points, legs);
        add_to_fill(&walk, &m, tags[i], legs, degree);
    }
    sums->tasks = (float)path->segment_count;
    sums->fills = (line_sums){.lines = (float)(walk.lines + PIECES_MORE * walk.curves),
                              .root_lines = (float)(PIECES_PER_ROOT * walk.roots),
                              .of_pieces = (float)walk.curves};
    sums->least_step = FLT_MAX;
    sums->across = (float)walk.across;
    sums->down = (float)walk.down;
    sums->runs_upright = (float)walk.runs.count;
    sums->runs = (float)(2 * walk.legs);
}

/* ---- Strokes ---- */

/* line_sums in double. */
typedef struct walk_lines {
    double lines, roots, of_pieces;
} walk_lines;

static line_sums sums_of_walk(const walk_lines *lines)
{
    return (line_sums){(float)lines->lines, (float)lines->roots, (float)lines->of_pieces};
}

typedef struct stroke_walk {
    shown_matrix matrix;
    const stream_style *style;
    double half_width, directions_root;
    walk_lines even, loose; /* where the pen is narrower than the bends, and where it is not */
    double outline;         /* length of what is drawn beside the path, path units; */
    double root_outline;    /* more of it, for the root of the scale */
    double length;          /* of the path, path units */
    double shortest;        /* path units */
    double runs_upright, runs;
    double joins, parts;
    bend_leg last, first; /* legs with a length, for joins; zero: none yet */
} stroke_walk;

/* Adds lines that lead through an angle in directions of the pen, each of which takes so many. */
static void add_directions(stroke_walk *walk, walk_lines *to, double angle, double each)
{
    to->lines += each * DIRECTIONS_LEAST * angle / TURN;
    to->roots += each * DIRECTIONS_PER_ROOT * walk->directions_root * angle / TURN;
}

/* Returns (1 - the cosine of the angle between two legs) / 2, from 0 to 1. */
static double opening_between(bend_leg a, bend_leg b)
{
    const double across = sqrt((a.x * a.x + a.y * a.y) * (b.x * b.x + b.y * b.y));
    const double cosine = across > 0 ? (a.x * b.x + a.y * b.y) / across : 1;
    return fmin(fmax(0.5 - 0.5 * cosine, 0), 1);
}

/* Returns the angle, or a tenth more: asin x <= x + (pi / 2 - 1) x^3. */
static double angle_of_opening(double opening)
{
    return 2 * sqrt(opening) * (1 + 0.5708 * opening);
}

static double angle_between(bend_leg a, bend_leg b)
{
    return angle_of_opening(opening_between(a, b));
}

static bool has_length(bend_leg leg)
{
    return leg.x != 0 || leg.y != 0;
}

/* Adds the two rims of a segment, which lead as it does. */
static void add_rims(stroke_walk *walk, const bend_leg *legs, int degree)
{
    one_way_runs runs = first_runs(shown_leg(&walk->matrix, legs[0]));
    for (int k = 1; k < degree; k++)
        add_run(&runs, shown_leg(&walk->matrix, legs[k]));
    walk->runs_upright += 2 * runs.count;
    walk->runs += 4 * degree;
}

/* Adds caps, each a half turn. */
static void add_caps(stroke_walk *walk, double count)
{
    const double w = walk->half_width;
    const uint32_t cap = walk->style->cap;
    const double lines = cap == STYLE_CAP_BUTT ? 1 : cap == STYLE_CAP_SQUARE ? 3 : 2;
    walk->even.lines += count * lines;
    walk->outline += count * (cap == STYLE_CAP_BUTT ? 2 : 4) * w;
    walk->runs_upright += count * 2 * lines;
    walk->runs += count * 2 * lines;
    if (cap == STYLE_CAP_ROUND)
        add_directions(walk, &walk->even, count * TURN / 2, 1);
}

/* Adds the lines around halves of the pen that are drawn in full, at so many places: those of its outline and of two
 * triangles, of which six lead as far as the pen and five as far as the path between two places. */
static void add_wings(stroke_walk *walk, double length, double places, double root_places)
{
    walk->outline += 5 * length + 6 * walk->half_width * places;
    walk->root_outline += 6 * walk->half_width * root_places;
}

/* Adds the dashes of a segment. Each part of a dash takes two places more than the pieces that it leads over, and two
 * caps. */
static void add_dashes(stroke_walk *walk, double length, bool bends)
{
    const double each = walk->style->dash_count / 2;
    if (each == 0)
        return;
    const double parts = each * (length / (double)walk->style->dash_period + 1) + 1;
    walk->parts += parts;
    if (bends) {
        walk->loose.lines += 2 * parts * PLACE_LINES_IN_BEND;
        add_wings(walk, length, 2 * parts, 0);
    } else {
        walk->even.lines += 2 * parts * PLACE_LINES;
        walk->runs_upright += 4 * parts * PLACE_LINES;
        walk->runs += 4 * parts * PLACE_LINES;
    }
    walk->outline += parts * 2 * walk->half_width;
    add_caps(walk, 2 * parts);
}

static void add_line(stroke_walk *walk, const bend_leg *leg)
{
    const double length = bend_length(*leg);
    walk->even.lines += PLACE_LINES;
    walk->length += length;
    walk->outline += 2 * length;
    walk->shortest = fmin(walk->shortest, length);
    add_rims(walk, leg, 1);
    add_dashes(walk, length, false);
}

/* A curve, or a part of one. */
typedef struct stroked_curve {
    bend_leg legs[3];
    int degree;
    double whole_root; /* root_of_second of the whole curve; 0: this is the whole */
    double share;      /* of the whole's range of t */
} stroked_curve;

/* The pieces of a part are those of its own second difference, and those that an interval takes from its neighbours in
 * the rest of the curve (interval_density): half of their density, for an eighth of t on either side. */
static double root_of_part(const stroke_walk *walk, const stroked_curve *curve)
{
    return root_of_second(&walk->matrix, curve->legs, curve->degree) + curve->whole_root / 8;
}

static void add_part(stroke_walk *walk, const stroked_curve *curve, bool is_hidden, bool bends)
{
    const double each = bends ? PLACE_LINES_IN_BEND : PLACE_LINES, root = root_of_part(walk, curve);
    walk_lines *to = bends ? &walk->loose : &walk->even;
    double length = 0, least = DBL_MAX, angle = 0;
    for (int k = 0; k < curve->degree; k++) {
        const double leg = bend_length(curve->legs[k]);
        length += leg;
        least = fmin(least, leg);
    }
    for (int k = 0; k + 1 < curve->degree; k++)
        angle += angle_between(curve->legs[k], curve->legs[k + 1]);
    /* A leg that vanishes leaves its neighbours to meet at any angle. So do halves of a curve that folds back. */
    angle = least <= HIDDEN_PART * length ? TURN : angle;
    to->lines += each * (PIECES_MORE * fmax(curve->share, 0.25) + (is_hidden ? PIECES_OF_HIDDEN : 0));
    to->roots += each * PIECES_PER_ROOT * root;
    to->of_pieces += each * curve->share;
    const double halves = bends && angle > FOLD ? 2 : 1;
    add_directions(walk, to, angle, halves * each);
    walk->length += length;
    walk->outline += 2 * (length + angle * walk->half_width);
    walk->shortest = fmin(walk->shortest, length / (8 * (PIECES_PER_ROOT * root + 4)));
    if (bends)
        add_wings(walk, length, (PIECES_MORE + PIECES_OF_HIDDEN) + halves * DIRECTIONS_LEAST * angle / TURN,
                  PIECES_PER_ROOT * root + halves * DIRECTIONS_PER_ROOT * walk->directions_root * angle / TURN);
    else
        add_rims(walk, curve->legs, curve->degree);
    if (!bends && angle > FOLD) {
        /* A step on the spot and its neighbour. */
        walk->loose.lines += 2 * PLACE_LINES_IN_BEND;
        add_wings(walk, 0, 2, 0);
    }
    add_dashes(walk, length, bends);
}

static void halve(const stroked_curve *whole, stroked_curve halves[2])
{
    const bend_leg *l = whole->legs;
    const int degree = whole->degree;
    halves[0] = halves[1] = *whole;
    halves[0].share = halves[1].share = whole->share / 2;
    halves[0].legs[0] = (bend_leg){l[0].x / 2, l[0].y / 2};
    halves[1].legs[degree - 1] = (bend_leg){l[degree - 1].x / 2, l[degree - 1].y / 2};
    const bend_leg first = {(l[0].x + l[1].x) / 4, (l[0].y + l[1].y) / 4};
    if (degree == 2) {
        halves[0].legs[1] = halves[1].legs[0] = first;
        return;
    }
    const bend_leg last = {(l[1].x + l[2].x) / 4, (l[1].y + l[2].y) / 4};
    halves[0].legs[1] = first;
    halves[1].legs[1] = last;
    halves[0].legs[2] = halves[1].legs[0] = (bend_leg){(first.x + last.x) / 2, (first.y + last.y) / 2};
}

/* Returns whether a curve turns back on itself. Its radius there is that of what is rounded. */
static bool folds_back(const stroked_curve *curve)
{
    bool folds = false;
    for (int k = 0; k + 1 < curve->degree; k++)
        folds = folds || opening_between(curve->legs[k], curve->legs[k + 1]) > 1 - FOLD_OPENING;
    return folds;
}

/* Adds a curve. Its halves, and their halves, are looked at where it may bend in less than the pen's radius. */
static void add_curve(stroke_walk *walk, const stroked_curve *curve, int halvings)
{
    double length = 0, least = DBL_MAX;
    for (int k = 0; k < curve->degree; k++) {
        const double leg = bend_length(curve->legs[k]);
        length += leg;
        least = fmin(least, leg);
    }
    const bool is_hidden = curve->share == 1 && least <= HIDDEN_PART * length;
    const double second = bend_second(curve->legs, curve->degree);
    const bool bends = is_hidden || folds_back(curve) ||
                       bend_is_tight(curve->legs, curve->degree, second, BEND_RADII * walk->half_width);
    if (!bends || is_hidden || halvings == 0) {
        add_part(walk, curve, is_hidden, bends);
        return;
    }
    stroked_curve halves[2];
    halve(curve, halves);
    for (int i = 0; i < 2; i++) {
        if (halves[i].whole_root == 0)
            halves[i].whole_root = root_of_second(&walk->matrix, curve->legs, curve->degree);
        add_curve(walk, &halves[i], halvings - 1);
    }
}

/* Adds a join, with two lines on its inside. Those of its rim, and that the two on the inside lead over the point
 * itself, come only if it opens by SMOOTH_OPENING pixels: at a scale that a smooth join does not reach. */
static void add_join(stroke_walk *walk, bend_leg before, bend_leg after)
{
    const double w = walk->half_width, between = opening_between(before, after), angle = angle_of_opening(between);
    const uint32_t join = walk->style->join;
    /* The tangent of half the angle. */
    const double tip = between < 1 ? sqrt(between / (1 - between)) : DBL_MAX, limit = (double)walk->style->miter_limit;
    const double rim = join == STYLE_JOIN_BEVEL ? 1 : join == STYLE_JOIN_MITER_CLIP ? 3 : 2;
    const double opening = angle < 1 ? angle * w * walk->matrix.stretch * 1.5 / SMOOTH_OPENING : 1e9;
    walk->joins++;
    walk->even.lines += 2;
    walk->runs_upright += 4;
    walk->runs += 4;
    if (opening >= 1) {
        walk->even.lines += rim;
        walk->runs_upright += 2 * rim;
        walk->runs += 2 * rim;
    } else {
        walk->loose.roots += rim * sqrt(opening);
    }
    walk->outline += 2 * w;
    walk->outline += join == STYLE_JOIN_BEVEL   ? 2 * w
                     : join == STYLE_JOIN_ROUND ? angle * w
                                                : 2 * w * fmin(fmax(tip, 1), fmax(limit, 1) + 1);
    if (join == STYLE_JOIN_ROUND)
        add_directions(walk, &walk->even, angle, 1);
}

static void end_subpath(stroke_walk *walk, uint8_t tag)
{
    if (tag & TAG_CLOSED)
        add_join(walk, walk->last, walk->first);
    if (!(tag & TAG_CLOSED) || walk->style->dash_count > 0)
        add_caps(walk, 2);
}

static void add_segment(stroke_walk *walk, uint8_t tag, const bend_leg *legs, int degree)
{
    if (tag & TAG_FIRST)
        walk->last = walk->first = (bend_leg){0, 0};
    bool joined = (tag & TAG_FIRST) != 0;
    for (int k = 0; k < degree; k++) {
        if (!has_length(legs[k]))
            continue;
        if (!joined && has_length(walk->last))
            add_join(walk, walk->last, legs[k]);
        joined = true;
        walk->first = has_length(walk->first) ? walk->first : legs[k];
        walk->last = legs[k];
    }
    if (degree == 1)
        add_line(walk, legs);
    else
        add_curve(walk, &(stroked_curve){{legs[0], legs[1], degree == 3 ? legs[2] : legs[1]}, degree, 0, 1}, HALVINGS);
}

static void set_stroke(const stroke_walk *walk, const stream_path *path, bound_sums *sums)
{
    const double stretch = walk->matrix.stretch, w = walk->half_width;
    const bool dashed = walk->style->dash_count > 0;
    *(dashed ? &sums->measures : &sums->tasks) = (float)path->segment_count;
    sums->dash_parts = (float)walk->parts;
    if (dashed && walk->style->cap == STYLE_CAP_ROUND)
        sums->dash_weights = (float)(walk->parts * DIRECTIONS_PER_ROOT * walk->directions_root);
    sums->strokes = sums_of_walk(&walk->even);
    sums->loose = sums_of_walk(&walk->loose);
    sums->runs_upright = (float)walk->runs_upright;
    sums->runs = (float)walk->runs;
    sums->outline = (float)(walk->outline * stretch);
    sums->root_outline = (float)(walk->root_outline * stretch);
    sums->pen = (float)(w * stretch);
    sums->least_step = (float)(fmin(walk->shortest, w) * walk->matrix.least_stretch);
    sums->thin_area = (float)((walk->length + 4 * w * (walk->joins + walk->parts + 2)) * 2 * w * stretch * stretch);
}

void path_sums_of_stroke(const stream_view *view, const stream_element *element, bound_sums *sums)
{
    const stream_path *path = &view->paths[element->path];
    const uint8_t *tags = view->tags + path->first_segment;
    const float *points = view->points + 2 * (size_t)path->first_point;
    stroke_walk walk = {.matrix = matrix_of(&view->transforms[element->transform]),
                        .style = &view->styles[element->style],
                        .shortest = DBL_MAX};
    walk.half_width = (double)walk.style->half_width;
    walk.directions_root = sqrt(walk.half_width * walk.matrix.stretch);
    for (uint32_t i = 0; i < path->segment_count; i++) {
        bend_leg legs[3] = {{0, 0}};
        const int degree = read_legs(tags[i], i == 0, &points, legs);
        add_segment(&walk, tags[i], legs, degree);
        if (tags[i] & TAG_LAST)
            end_subpath(&walk, tags[i]);
    }
    set_stroke(&walk, path, sums);
}
