/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "render/bounds/bounds.h"

#include <math.h>

#include "lib/cull_rect.h"
#include "lib/tile.h"
#include "render/frame/config.h"

/* Floats round what the sums are made of, and the sums themselves. */
#define SLACK 1.01
/* Boxes are rounded outward to pixels, with a sixteenth of one more (lib/element.h). */
#define BOX_MARGIN 1.125

/* A vertex is a sum of numbers of up to `far` pixels, so the length of a second difference may be off by this part of
 * them, and a curve has so many pieces more for its root. */
#define SECOND_ROUNDING 1e-6
/* A step that is shorter than this part of the numbers may lead any way, also one that a matrix makes so short at right
 * angles to the pen. Then the pen draws up to nine times the lines. */
#define STEP_ROUNDING 2e-6
#define SHORT_STEP_LINES 9.0
#define LINES_BEYOND_LIMIT 3.0 /* of an edge that leaves the range of snapped coordinates */

#define BINS 64 /* in a row and in a column, of work; bins grow with the frame */
#define BIN_LEAST 256.0

typedef struct bound_box {
    double x0, y0, x1, y1; /* pixels */
} bound_box;

typedef struct bound_frame {
    pietra_transform t; /* scene to pixels */
    double a, b, c, d;  /* the sizes of its numbers */
    double scale, root; /* the most that it stretches, and the root of that */
    double least_scale; /* the least that it stretches */
    bool is_upright;
    bound_box part;
    double tiles;
    double bin;              /* pixels of a bin's side */
    double work[BINS][BINS]; /* of a tile of 10 fine */
    double begun_tiles;      /* of all layers */
    frame_bounds bounds;
} bound_frame;

static void begin_frame(const frame_config *config, bound_frame *frame)
{
    const pietra_transform t = config_widened(&config->transform);
    *frame = (bound_frame){.t = t, .a = fabs(t.a), .b = fabs(t.b), .c = fabs(t.c), .d = fabs(t.d)};
    frame->scale = bounds_stretch(t.a, t.b, t.c, t.d);
    frame->root = sqrt(frame->scale);
    frame->least_scale = frame->scale > 0 ? fabs(t.a * t.d - t.b * t.c) / frame->scale : 0;
    frame->is_upright = (t.b == 0 && t.c == 0) || (t.a == 0 && t.d == 0);
    frame->part = (bound_box){(double)config->part.x0 * TILE_SIDE, (double)config->part.y0 * TILE_SIDE,
                              (double)config->part.x1 * TILE_SIDE, (double)config->part.y1 * TILE_SIDE};
    frame->tiles = config->tile_count;
    frame->bin = fmax(BIN_LEAST, fmax(frame->part.x1 - frame->part.x0, frame->part.y1 - frame->part.y0) / (BINS - 1));
}

/* ---- Boxes ---- */

static double farthest(bound_box box)
{
    return fmax(fmax(fabs(box.x0), fabs(box.x1)), fmax(fabs(box.y0), fabs(box.y1)));
}

/* Returns the box of what a block or an element paints. */
static bound_box box_in_frame(const pietra_transform *t, const bound_sums *sums)
{
    const double x0 = (double)sums->x0, x1 = (double)sums->x1, y0 = (double)sums->y0, y1 = (double)sums->y1;
    const bound_box box = {fmin(t->a * x0, t->a * x1) + fmin(t->c * y0, t->c * y1) + t->e,
                           fmin(t->b * x0, t->b * x1) + fmin(t->d * y0, t->d * y1) + t->f,
                           fmax(t->a * x0, t->a * x1) + fmax(t->c * y0, t->c * y1) + t->e,
                           fmax(t->b * x0, t->b * x1) + fmax(t->d * y0, t->d * y1) + t->f};
    const double margin = BOX_MARGIN + (double)rounding_of((float)farthest(box));
    return (bound_box){box.x0 - margin, box.y0 - margin, box.x1 + margin, box.y1 + margin};
}

static bool is_outside(bound_box box, bound_box part)
{
    return box.x1 <= part.x0 || box.x0 >= part.x1 || box.y1 <= part.y0 || box.y0 >= part.y1;
}

static bool is_inside(bound_box box, bound_box part)
{
    return box.x0 >= part.x0 && box.x1 <= part.x1 && box.y0 >= part.y0 && box.y1 <= part.y1;
}

static bound_box cut_box(bound_box box, bound_box part)
{
    return (bound_box){fmax(box.x0, part.x0), fmax(box.y0, part.y0), fmin(box.x1, part.x1), fmin(box.y1, part.y1)};
}

/* Returns the tiles from one side of a box to the other, at most. */
static double tiles_across(double length)
{
    return length / TILE_SIDE + 2;
}

/* ---- Lines ---- */

static double lines_of(const bound_frame *frame, const line_sums *sums, double second_root)
{
    return (double)sums->lines + (double)sums->root_lines * frame->root + (double)sums->of_pieces * second_root;
}

/* Returns how far, in pixels, the lines of pens lead across and down together: root 2 times their length at most. */
static double outline_of(const bound_frame *frame, const bound_sums *sums)
{
    return 1.4143 * frame->scale * ((double)sums->outline + (double)sums->root_outline * frame->root);
}

static bool has_short_steps(const bound_frame *frame, const bound_sums *sums, double far)
{
    return (double)sums->least_step * frame->least_scale < STEP_ROUNDING * far;
}

/* Adds lines and tile_lines. A line has a tile_line for each border of tiles that it crosses, and one more. A piece of
 * an outline that leads one way crosses one border more than it has tiles in its length. */
static double add_lines(bound_frame *frame, const bound_sums *sums, bound_box box)
{
    const double far = farthest(box), second_root = PIECES_PER_ROOT * sqrt(SECOND_ROUNDING * far);
    const bool is_short = has_short_steps(frame, sums, far);
    const double times = far >= (double)COORDINATE_LIMIT ? LINES_BEYOND_LIMIT : 1;
    const double fills = times * lines_of(frame, &sums->fills, second_root);
    double strokes = times * lines_of(frame, &sums->strokes, second_root);
    double loose = times * lines_of(frame, &sums->loose, second_root);
    if (is_short) {
        loose = SHORT_STEP_LINES * (strokes + loose);
        strokes = 0;
    }
    const double across = (double)sums->across, down = (double)sums->down;
    const double way = (frame->a + frame->b) * across + (frame->c + frame->d) * down + outline_of(frame, sums) +
                       (is_short ? 2 * frame->scale * (double)sums->pen * loose : 0);
    const double runs = (double)(frame->is_upright ? sums->runs_upright : sums->runs) + 2 * loose;
    const double tile_lines = fills + strokes + loose + way / TILE_SIDE + times * runs;
    frame->bounds.lines += fills + strokes + loose;
    frame->bounds.tile_lines += tile_lines;
    frame->bounds.tasks += (double)sums->tasks;
    frame->bounds.measures += (double)sums->measures;
    frame->bounds.dash_tasks +=
        (double)sums->measures +
        (1.25 * (double)sums->dash_parts + (double)sums->dash_weights * frame->root / 32) / DASHES_PER_TASK;
    return tile_lines;
}

/* ---- Work ---- */

/* Returns the work in a tile that all elements touch. The sums count the lines of those that have few at any scale. */
static double work_of(const bound_frame *frame, const bound_sums *sums, bound_box box)
{
    const double far = farthest(box), work = (double)sums->work;
    const bool has_more = has_short_steps(frame, sums, far) || far >= (double)COORDINATE_LIMIT;
    return has_more ? work + (double)sums->count * tile_line_work(HEAVY_TILE_LINES) : work;
}

static void add_work(bound_frame *frame, double work, bound_box box)
{
    const bound_box seen = cut_box(box, frame->part);
    const int x0 = (int)((seen.x0 - frame->part.x0) / frame->bin), x1 = (int)((seen.x1 - frame->part.x0) / frame->bin);
    const int y0 = (int)((seen.y0 - frame->part.y0) / frame->bin), y1 = (int)((seen.y1 - frame->part.y0) / frame->bin);
    for (int y = y0; y <= y1; y++)
        for (int x = x0; x <= x1; x++)
            frame->work[y][x] += work;
}

static double most_work(const bound_frame *frame)
{
    double most = 0;
    for (int y = 0; y < BINS; y++)
        for (int x = 0; x < BINS; x++)
            most = fmax(most, frame->work[y][x]);
    return most;
}

/* ---- Elements ---- */

/* Adds a block whose elements the frame shows whole. */
static void add_block(bound_frame *frame, const bound_sums *sums, bound_box box)
{
    const double a = frame->a, b = frame->b, c = frame->c, d = frame->d, count = (double)sums->count;
    /* Sums over the elements of the sides of their boxes in the frame, in tiles, and of their products. */
    const double side = TILE_SIDE, more = 2 + 2 * BOX_MARGIN / side;
    const double width = (a * (double)sums->width + c * (double)sums->height) / side;
    const double height = (b * (double)sums->width + d * (double)sums->height) / side;
    const double area = (a * b * (double)sums->width_width + (a * d + b * c) * (double)sums->width_height +
                         c * d * (double)sums->height_height) /
                        (side * side);
    const double tile_lines = add_lines(frame, sums, box);
    const double thin = (double)sums->thin_area;
    frame->bounds.rows += height + more * count;
    frame->bounds.tile_commands += area + more * (width + height) + more * more * count;
    if (thin > 0) {
        frame->bounds.rows += (b * (double)sums->thin_width + d * (double)sums->thin_height) / side;
        const double most = count * frame->tiles;
        frame->bounds.tile_commands += fmin(tile_lines + thin * frame->scale * frame->scale / TILE_PIXELS, most);
    }
    add_work(frame, work_of(frame, sums, box), box);
}

static void add_element(bound_frame *frame, const bound_sums *sums, bound_box box)
{
    const bound_box seen = sums->frames > 0 ? frame->part : cut_box(box, frame->part);
    const double rows = tiles_across(seen.y1 - seen.y0), columns = tiles_across(seen.x1 - seen.x0);
    const double tiles = fmin(rows * columns, frame->tiles);
    const double tile_lines = add_lines(frame, sums, box);
    const double thin = (double)sums->thin_area * frame->scale * frame->scale / TILE_PIXELS;
    frame->bounds.rows += rows;
    frame->bounds.tile_lines += sums->frames > 0 ? rows : 0;
    frame->bounds.tile_commands += sums->is_thin ? fmin(tiles, tile_lines + thin) : tiles;
    frame->begun_tiles += (double)sums->begins * tiles;
    add_work(frame, work_of(frame, sums, box), seen);
}

static void add_elements(bound_frame *frame, const stream_sums *sums, uint32_t block)
{
    const uint32_t begin = block * SUMS_BLOCK, end = begin + SUMS_BLOCK;
    for (uint32_t i = begin; i < end && i < sums->element_count; i++) {
        const bound_sums *element = &sums->elements[i];
        if (element->count == 0)
            continue;
        const bound_box box = box_in_frame(&frame->t, element);
        if (element->frames > 0 || !is_outside(box, frame->part))
            add_element(frame, element, box);
    }
}

frame_bounds frame_bounds_of(const stream_sums *sums, const frame_config *config)
{
    bound_frame frame;
    begin_frame(config, &frame);
    for (uint32_t i = 0; i < sums->block_count; i++) {
        const bound_sums *block = &sums->blocks[i];
        if (block->count == 0)
            continue;
        const bound_box box = box_in_frame(&frame.t, block);
        if (block->begins > 0 || block->frames > 0)
            add_elements(&frame, sums, i);
        else if (is_inside(box, frame.part))
            add_block(&frame, block, box);
        else if (!is_outside(box, frame.part))
            add_elements(&frame, sums, i);
    }
    frame_bounds *bounds = &frame.bounds;
    bounds->fine_work = most_work(&frame);
    /* All levels of a tile are spilled, or none are. */
    bounds->spill = SLACK * frame.begun_tiles;
    bounds->lines *= SLACK;
    bounds->tile_lines *= SLACK;
    bounds->tile_commands *= SLACK;
    bounds->dash_tasks *= SLACK;
    return *bounds;
}

double frame_bounds_cost(const frame_bounds *bounds)
{
    return 2000 * bounds->lines + 1000 * bounds->tile_lines;
}
