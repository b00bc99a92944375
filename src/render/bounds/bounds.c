/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "render/bounds/bounds.h"

#include <math.h>
#include <string.h>

#include "base/extremes.h"
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
#define MAP_ROUNDING 1e-6      /* of a product of three matrices, as a part of the product of their sizes */
#define BOX_ROUNDING 2.4e-7    /* of a box, as a part of its numbers */

#define BINS 64 /* in a row and in a column, of work; bins grow with the frame */
#define BIN_LEAST 256.0

typedef struct bound_box {
    double x0, y0, x1, y1; /* pixels */
} bound_box;

/* How units of sums become pixels. */
typedef struct bound_map {
    pietra_transform t;
    double a, b, c, d;  /* the sizes of its numbers, at most */
    double scale, root; /* the most that it stretches, and the root of that */
    double least_scale; /* the least that it stretches */
    double margin;      /* pixels by which boxes in units of the scene are rounded */
    bool is_upright;
} bound_map;

/* What a block of a part that the frame shows whole added to the bounds. Another part adds the same whose matrix
 * differs in its offset alone: where nothing but whole icons move, few products are made. */
typedef struct known_part {
    const stream_sums *sums;
    pietra_transform matrix;
    frame_bounds added;
    double work;
} known_part;

#define KNOWN_PARTS 128u

typedef struct bound_frame {
    pietra_transform t; /* scene to pixels */
    bool is_upright;
    bound_map map; /* of the sums that are looked at */
    pietra_transform mapped;
    bound_box part;
    double tiles;
    double far, second_root; /* of what the frame shows whole */
    double bin, per_pixel;   /* pixels of a bin's side, and 1 over them */
    int bins;                /* in a row, and in a column */
    double work[BINS][BINS]; /* of a tile of 10 fine */
    double begun_tiles;      /* of all layers */
    frame_bounds bounds;
} bound_frame;

static double farthest(bound_box box)
{
    return greater(greater(fabs(box.x0), fabs(box.x1)), greater(fabs(box.y0), fabs(box.y1)));
}

/* Returns how many pieces more a curve has, because floats of so many pixels are rounded. */
static double second_root_of(double far)
{
    return PIECES_PER_ROOT * sqrt(SECOND_ROUNDING * far);
}

static bool is_upright(const pietra_transform *t)
{
    return (t->b == 0 && t->c == 0) || (t->a == 0 && t->d == 0);
}

static void begin_frame(const frame_config *config, bound_frame *frame)
{
    const double side = TILE_SIDE;
    *frame = (bound_frame){.t = config_widened(&config->transform), .tiles = config->tile_count};
    frame->is_upright = is_upright(&frame->t);
    frame->part =
        (bound_box){config->part.x0 * side, config->part.y0 * side, config->part.x1 * side, config->part.y1 * side};
    frame->far = farthest(frame->part);
    frame->second_root = second_root_of(frame->far);
    const double width = frame->part.x1 - frame->part.x0, height = frame->part.y1 - frame->part.y0;
    frame->bin = greater(BIN_LEAST, greater(width, height) / (BINS - 1));
    frame->per_pixel = 1 / frame->bin;
    frame->bins = (int)(greater(width, height) * frame->per_pixel) + 1;
}

/* Sets how a part's units become pixels, and the same for its sums. Kernels multiply by its matrix and the frame's, one
 * after the other, in floats: MAP_ROUNDING is of what that rounds. */
static void set_map(bound_frame *frame, const pietra_transform *m)
{
    bound_map *map = &frame->map;
    const pietra_transform t = frame->t;
    map->t.e = t.a * m->e + t.c * m->f + t.e;
    map->t.f = t.b * m->e + t.d * m->f + t.f;
    if (map->scale != 0 && memcmp(&frame->mapped, m, 4 * sizeof m->a) == 0)
        return;
    frame->mapped = *m;
    map->t.a = t.a * m->a + t.c * m->b;
    map->t.b = t.b * m->a + t.d * m->b;
    map->t.c = t.a * m->c + t.c * m->d;
    map->t.d = t.b * m->c + t.d * m->d;
    const double rounded = MAP_ROUNDING * (fabs(t.a) + fabs(t.b) + fabs(t.c) + fabs(t.d)) *
                           (fabs(m->a) + fabs(m->b) + fabs(m->c) + fabs(m->d));
    map->a = fabs(map->t.a) + rounded;
    map->b = fabs(map->t.b) + rounded;
    map->c = fabs(map->t.c) + rounded;
    map->d = fabs(map->t.d) + rounded;
    const double scale = bounds_stretch(map->t.a, map->t.b, map->t.c, map->t.d);
    map->least_scale =
        scale > 0 ? greater(fabs(map->t.a * map->t.d - map->t.b * map->t.c) / scale - 2 * rounded, 0) : 0;
    map->scale = scale + 2 * rounded;
    map->root = sqrt(map->scale);
    map->is_upright = frame->is_upright && is_upright(m);
}

/* ---- Boxes ---- */

/* Returns the pixels that a box may show. */
static bound_box box_in_frame(const pietra_transform *t, sums_box in, double more)
{
    const double x0 = (double)in.x0, x1 = (double)in.x1, y0 = (double)in.y0, y1 = (double)in.y1;
    const bound_box box = {lesser(t->a * x0, t->a * x1) + lesser(t->c * y0, t->c * y1) + t->e,
                           lesser(t->b * x0, t->b * x1) + lesser(t->d * y0, t->d * y1) + t->f,
                           greater(t->a * x0, t->a * x1) + greater(t->c * y0, t->c * y1) + t->e,
                           greater(t->b * x0, t->b * x1) + greater(t->d * y0, t->d * y1) + t->f};
    const double margin = BOX_MARGIN + more + (double)rounding_of((float)farthest(box));
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
    return (bound_box){greater(box.x0, part.x0), greater(box.y0, part.y0), lesser(box.x1, part.x1),
                       lesser(box.y1, part.y1)};
}

/* Returns the tiles from one side of a box to the other, at most. */
static double tiles_across(double length)
{
    return length / TILE_SIDE + 2;
}

/* ---- Lines ---- */

static double lines_of(const bound_map *map, const line_sums *sums, double second_root)
{
    return (double)sums->lines + (double)sums->root_lines * map->root + (double)sums->of_pieces * second_root;
}

/* Returns how far, in pixels, the lines of pens lead across and down together: root 2 times their length at most. */
static double outline_of(const bound_map *map, const bound_sums *sums)
{
    return 1.4143 * map->scale * ((double)sums->outline + (double)sums->root_outline * map->root);
}

static bool has_short_steps(const bound_map *map, const bound_sums *sums, double far)
{
    return (double)sums->least_step * map->least_scale < STEP_ROUNDING * far;
}

/* Adds lines and tile_lines. A line has a tile_line for each border of tiles that it crosses, and one more. A piece of
 * an outline that leads one way crosses one border more than it has tiles in its length. */
static double add_lines(bound_frame *frame, const bound_sums *sums, double far)
{
    const bound_map *map = &frame->map;
    const double second_root = far == frame->far ? frame->second_root : second_root_of(far);
    const bool is_short = has_short_steps(map, sums, far);
    const double times = far >= (double)COORDINATE_LIMIT ? LINES_BEYOND_LIMIT : 1;
    const double fills = times * lines_of(map, &sums->fills, second_root);
    double strokes = times * lines_of(map, &sums->strokes, second_root);
    double loose = times * lines_of(map, &sums->loose, second_root);
    if (is_short) {
        loose = SHORT_STEP_LINES * (strokes + loose);
        strokes = 0;
    }
    const double across = (double)sums->across, down = (double)sums->down;
    const double way = (map->a + map->b) * across + (map->c + map->d) * down + outline_of(map, sums) +
                       (is_short ? 2 * map->scale * (double)sums->pen * loose : 0);
    const double runs = (double)(map->is_upright ? sums->runs_upright : sums->runs) + 2 * loose;
    const double tile_lines = fills + strokes + loose + way / TILE_SIDE + times * runs;
    frame->bounds.lines += fills + strokes + loose;
    frame->bounds.tile_lines += tile_lines;
    frame->bounds.tasks += (double)sums->tasks;
    frame->bounds.measures += (double)sums->measures;
    frame->bounds.dash_tasks +=
        (double)sums->measures +
        (1.25 * (double)sums->dash_parts + (double)sums->dash_weights * map->root / 32) / DASHES_PER_TASK;
    return tile_lines;
}

/* ---- Work ---- */

/* Returns the work in a tile that all elements touch. The sums count the lines of those that have few at any scale. */
static double work_of(const bound_frame *frame, const bound_sums *sums, double far)
{
    const double work = (double)sums->work;
    const bool has_more = has_short_steps(&frame->map, sums, far) || far >= (double)COORDINATE_LIMIT;
    return has_more ? work + (double)sums->count * tile_line_work(HEAVY_TILE_LINES) : work;
}

static void add_work(bound_frame *frame, double work, bound_box box)
{
    const bound_box seen = cut_box(box, frame->part);
    const int x0 = (int)((seen.x0 - frame->part.x0) * frame->per_pixel),
              x1 = (int)((seen.x1 - frame->part.x0) * frame->per_pixel),
              y0 = (int)((seen.y0 - frame->part.y0) * frame->per_pixel),
              y1 = (int)((seen.y1 - frame->part.y0) * frame->per_pixel);
    for (int y = y0; y <= y1; y++)
        for (int x = x0; x <= x1; x++)
            frame->work[y][x] += work;
}

static double most_work(const bound_frame *frame)
{
    double most = 0;
    for (int y = 0; y < frame->bins; y++)
        for (int x = 0; x < frame->bins; x++)
            most = greater(most, frame->work[y][x]);
    return most;
}

/* ---- Elements ---- */

/* Adds a block whose elements the frame shows whole, but for its work, which it returns. */
static double add_block(bound_frame *frame, const bound_sums *sums, double far)
{
    const bound_map *map = &frame->map;
    const double a = map->a, b = map->b, c = map->c, d = map->d, count = (double)sums->count;
    /* Sums over the elements of the sides of their boxes in the frame, in tiles, and of their products. */
    const double side = TILE_SIDE, more = 2 + 2 * BOX_MARGIN / side;
    const double width = (a * (double)sums->width + c * (double)sums->height) / side;
    const double height = (b * (double)sums->width + d * (double)sums->height) / side;
    const double area = (a * b * (double)sums->width_width + (a * d + b * c) * (double)sums->width_height +
                         c * d * (double)sums->height_height) /
                        (side * side);
    const double tile_lines = add_lines(frame, sums, far);
    const double thin = (double)sums->thin_area;
    frame->bounds.rows += height + more * count;
    frame->bounds.tile_commands += area + more * (width + height) + more * more * count;
    if (thin > 0) {
        frame->bounds.rows += (b * (double)sums->thin_width + d * (double)sums->thin_height) / side;
        const double most = count * frame->tiles;
        frame->bounds.tile_commands += lesser(tile_lines + thin * map->scale * map->scale / TILE_PIXELS, most);
    }
    return work_of(frame, sums, far);
}

static void add_element(bound_frame *frame, const bound_sums *sums, bound_box box)
{
    const bound_box seen = sums->frames > 0 ? frame->part : cut_box(box, frame->part);
    const double rows = tiles_across(seen.y1 - seen.y0), columns = tiles_across(seen.x1 - seen.x0);
    const double tiles = lesser(rows * columns, frame->tiles), far = farthest(box);
    const double tile_lines = add_lines(frame, sums, far);
    const double thin = (double)sums->thin_area * frame->map.scale * frame->map.scale / TILE_PIXELS;
    frame->bounds.rows += rows;
    frame->bounds.tile_lines += sums->frames > 0 ? rows : 0;
    frame->bounds.tile_commands += sums->is_thin ? lesser(tiles, tile_lines + thin) : tiles;
    frame->begun_tiles += (double)sums->begins * tiles;
    add_work(frame, work_of(frame, sums, far), seen);
}

static void add_elements(bound_frame *frame, const stream_sums *sums, uint32_t block)
{
    const uint32_t begin = block * SUMS_BLOCK, end = begin + SUMS_BLOCK;
    for (uint32_t i = begin; i < end && i < sums->element_count; i++) {
        const bound_sums *element = &sums->elements[i];
        if (element->count == 0)
            continue;
        const bound_box box = box_in_frame(&frame->map.t, element->box, frame->map.margin);
        if (element->frames > 0 || !is_outside(box, frame->part))
            add_element(frame, element, box);
    }
}

static void add_blocks(bound_frame *frame, const stream_sums *sums)
{
    for (uint32_t i = 0; i < sums->block_count; i++) {
        const bound_sums *block = &sums->blocks[i];
        if (block->count == 0)
            continue;
        const bound_box box = box_in_frame(&frame->map.t, block->box, frame->map.margin);
        if (block->begins > 0 || block->frames > 0)
            add_elements(frame, sums, i);
        else if (is_inside(box, frame->part))
            add_work(frame, add_block(frame, block, farthest(box)), box);
        else if (!is_outside(box, frame->part))
            add_elements(frame, sums, i);
    }
}

/* ---- Parts ---- */

/* Returns whether a part is one block, which takes as much wherever the frame shows it whole. */
static bool is_the_same_anywhere(const bound_frame *frame, const stream_sums *sums)
{
    return sums->block_count == 1 && sums->blocks->begins == 0 && sums->blocks->frames == 0 &&
           !has_short_steps(&frame->map, sums->blocks, frame->far);
}

static void add_bounds(frame_bounds *bounds, const frame_bounds *more)
{
    bounds->rows += more->rows;
    bounds->tasks += more->tasks;
    bounds->measures += more->measures;
    bounds->dash_tasks += more->dash_tasks;
    bounds->lines += more->lines;
    bounds->tile_lines += more->tile_lines;
    bounds->tile_commands += more->tile_commands;
    bounds->spill += more->spill;
    bounds->fine_work = fmax(bounds->fine_work, more->fine_work);
}

static void add_known(bound_frame *frame, const known_part *known, bound_box box)
{
    add_bounds(&frame->bounds, &known->added);
    add_work(frame, known->work, box);
}

static void learn_part(bound_frame *frame, const sums_part *part, known_part *known)
{
    const frame_bounds before = frame->bounds;
    frame->bounds = (frame_bounds){.rows = 0};
    known->work = add_block(frame, part->sums->blocks, frame->far);
    known->sums = part->sums;
    known->matrix = part->transform;
    known->added = frame->bounds;
    frame->bounds = before;
}

/* Returns the pixels by which boxes that layers have in units of the scene are rounded. */
static double rounding_in(const bound_frame *frame, sums_box box)
{
    const double x = greater(fabs((double)box.x0), fabs((double)box.x1)),
                 y = greater(fabs((double)box.y0), fabs((double)box.y1));
    return BOX_ROUNDING * ((fabs(frame->t.a) + fabs(frame->t.b)) * x + (fabs(frame->t.c) + fabs(frame->t.d)) * y);
}

static void add_part(bound_frame *frame, const sums_part *part, known_part *all_known)
{
    const stream_sums *sums = part->sums;
    known_part *known = &all_known[sums->id % KNOWN_PARTS];
    const bound_box box = box_in_frame(&frame->t, part->box, 0);
    if (!sums->is_beyond && is_outside(box, frame->part))
        return;
    const bool fits = is_inside(box, frame->part);
    if (fits && known->sums == sums && memcmp(&known->matrix, &part->transform, 4 * sizeof part->transform.a) == 0) {
        add_known(frame, known, box);
        return;
    }
    set_map(frame, &part->transform);
    if (fits && is_the_same_anywhere(frame, sums)) {
        learn_part(frame, part, known);
        add_known(frame, known, box);
        return;
    }
    frame->map.margin = rounding_in(frame, part->box);
    add_blocks(frame, sums);
}

static void add_parts(bound_frame *frame, const stream_sums *sums)
{
    known_part known[KNOWN_PARTS];
    for (uint32_t i = 0; i < KNOWN_PARTS; i++)
        known[i].sums = NULL;
    for (size_t i = 0; i < sums->part_count; i++)
        add_part(frame, &sums->parts[i], known);
}

static frame_bounds bounds_of_part(const stream_sums *sums, const frame_config *config)
{
    bound_frame frame;
    begin_frame(config, &frame);
    set_map(&frame, &(pietra_transform){1, 0, 0, 1, 0, 0});
    add_blocks(&frame, sums);
    add_parts(&frame, sums);
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

frame_bounds frame_bounds_of(const stream_sums *sums, const frame_config *config)
{
    frame_bounds bounds = {.rows = 0};
    for (uint32_t i = 0; i < config->box_count; i++) {
        const frame_config box = config_of_part(config, config->boxes[i].tiles);
        const frame_bounds more = bounds_of_part(sums, &box);
        add_bounds(&bounds, &more);
    }
    return bounds;
}

double frame_bounds_cost(const frame_bounds *bounds)
{
    return 2000 * bounds->lines + 1000 * bounds->tile_lines;
}
