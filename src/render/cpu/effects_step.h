/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* 11 band: a step of a blur changes both axes of an image at once: it halves them, convolves them with a Gaussian, or
 * doubles them. A piece of its result goes from top to bottom, and keeps the rows that were changed along rows for as
 * long as rows below depend on them. Part of effects_body.h. */

#define BAND_STEP 8u      /* texels by which rows are computed */
#define ACROSS_BLOCK 128u /* texels of a row that are changed along the row at a time */
#define STRIP 2048u       /* columns of a piece at most */
#define PAIRS_MOST (EFFECT_RADIUS_MOST + 1)
/* Of two steps at a time, the first makes about so much of a level, and a texel more at each side. */
#define LEVEL_COLUMNS 512u
#define LEVEL_ROWS 64u

typedef enum axis_change { AXIS_STAYS, AXIS_HALVES, AXIS_BLURS, AXIS_DOUBLES } axis_change;

typedef struct band_step {
    axis_change across, down;
    const effect_blur_axis *x, *y;
    const band_weights *weights_x, *weights_y;
    effect_box box;    /* of the result */
    effect_box source; /* of what it reads; with repeats_edge its outermost texels repeat */
    bool repeats_edge;
} band_step;

/* The memory of a worker. */
typedef struct band_room {
    uint16_t source[4 * (2 * ACROSS_BLOCK + 2 * EFFECT_RADIUS_MOST + BAND_STEP)];
    uint32_t zipped[4 * (ACROSS_BLOCK + 2 * EFFECT_RADIUS_MOST + BAND_STEP)];
    uint16_t rows[4][4 * (STRIP + 2 * BAND_STEP)];
    uint16_t results[2][4 * (STRIP + BAND_STEP)];
    uint32_t gaussian[PAIRS_MOST][4 * (STRIP + BAND_STEP)];
    uint16_t level[4 * (LEVEL_COLUMNS + 2) * (LEVEL_ROWS + 2)]; /* what the first of two steps makes */
} band_room;

typedef struct band_piece {
    const band_step *step;
    const effect_image *in, *out;
    band_room *room;
    int x, y, end_y;
    uint count, whole; /* columns, and rounded up to BAND_STEP */
} band_piece;

/* Copies texels of a row. Outside the box, its outermost texels repeat. */
static void copy_edge_row(const effect_image *in, effect_box edge, int x, int y, uint count, uint16_t *to)
{
    int from = int_clamp(x, edge.left, edge.right - 1), last = int_clamp(x + (int)count - 1, edge.left, edge.right - 1);
    uint before = (uint)int_clamp(from - x, 0, (int)count - 1), copied = (uint)(last - from) + 1;

    copy_row(in, from, int_clamp(y, edge.top, edge.bottom - 1), copied, to + 4 * before);
    for (uint i = 0; i < before; i++)
        memcpy(to + 4 * i, to + 4 * before, 4 * sizeof *to);
    for (uint i = before + copied; i < count; i++)
        memcpy(to + 4 * i, to + 4 * (before + copied - 1), 4 * sizeof *to);
}

/* Returns `count` texels of a row of the input. They lie in `copies` if the input does not hold them all. */
INLINE const uint16_t *source_row(const band_piece *piece, int x, int y, uint count, uint16_t *copies)
{
    effect_box edge = piece->step->source;
    bool inside = x >= edge.left && x + (int)count <= edge.right && y >= edge.top && y < edge.bottom;

    if (!piece->step->repeats_edge || inside)
        return row_texels(piece->in, x, y, count, copies);
    copy_edge_row(piece->in, edge, x, y, count, copies);
    return copies;
}

/* Each makes `count` texels of row y, from x on, from the row of the input. `count` is a multiple of BAND_STEP. */
static void make_halved(const band_piece *piece, int x, int y, uint count, uint16_t *to)
{
    halve_along(source_row(piece, 2 * x - 1, y, 2 * count + 2, piece->room->source), to, count);
}

static void make_blurred(const band_piece *piece, int x, int y, uint count, uint16_t *to)
{
    int radius = piece->step->x->radius;
    uint zipped = (count + 2 * (uint)radius + BAND_STEP - 1) & ~(BAND_STEP - 1);

    zip_along(source_row(piece, x - radius, y, zipped + 1, piece->room->source), piece->room->zipped, zipped);
    blur_along(piece->step->weights_x, piece->room->zipped, to, count);
}

/* Here x is even. */
static void make_doubled(const band_piece *piece, int x, int y, uint count, uint16_t *to)
{
    double_along(source_row(piece, (x >> 1) - 1, y, count / 2 + 2, piece->room->source), to, count / 2);
}

/* Returns a row of the input after its change along the row. It lies in `to` if it had to be made. */
static const uint16_t *changed_row(const band_piece *piece, int y, uint16_t *to)
{
    axis_change across = piece->step->across;
    uint odd = across == AXIS_DOUBLES ? (uint)piece->x & 1 : 0, end = piece->whole + odd;

    if (across == AXIS_STAYS)
        return source_row(piece, piece->x, y, piece->whole, to);
    for (uint at = 0; at < end; at += ACROSS_BLOCK) {
        int x = piece->x - (int)odd + (int)at;
        uint count = uint_min(ACROSS_BLOCK, (end - at + 2 * BAND_STEP - 1) & ~(2 * BAND_STEP - 1));
        if (across == AXIS_HALVES)
            make_halved(piece, x, y, count, to + 4 * at);
        else if (across == AXIS_BLURS)
            make_blurred(piece, x, y, count, to + 4 * at);
        else
            make_doubled(piece, x, y, count, to + 4 * at);
    }
    return to + 4 * odd;
}

static void zip_changed_rows(const band_piece *piece, int y, uint32_t *zipped)
{
    const uint16_t *upper = changed_row(piece, y, piece->room->rows[0]);
    zip_rows(upper, changed_row(piece, y + 1, piece->room->rows[1]), zipped, piece->whole);
}

/* Returns where to put a row of the result. */
INLINE uint16_t *begin_result(const band_piece *piece, int y, uint index)
{
    bool direct = piece->whole == piece->count && !piece->out->pixels && y >= piece->y && y < piece->end_y;
    return direct ? texel_at(piece->out, piece->x, y) : piece->room->results[index];
}

INLINE void end_result(const band_piece *piece, int y, const uint16_t *result)
{
    if (y >= piece->y && y < piece->end_y && (piece->whole != piece->count || piece->out->pixels))
        write_row(piece->out, piece->x, y, piece->count, result);
}

static void copy_rows_down(const band_piece *piece)
{
    for (int y = piece->y; y < piece->end_y; y++)
        write_row(piece->out, piece->x, y, piece->count, changed_row(piece, y, piece->room->rows[0]));
}

static void halve_rows_down(const band_piece *piece)
{
    const uint16_t *rows[4];

    rows[0] = changed_row(piece, 2 * piece->y - 1, piece->room->rows[0]);
    rows[1] = changed_row(piece, 2 * piece->y, piece->room->rows[1]);
    for (int y = piece->y; y < piece->end_y; y++) {
        uint16_t(*free_rows)[4 * (STRIP + 2 * BAND_STEP)] = &piece->room->rows[(y - piece->y) % 2 ? 0 : 2];
        uint16_t *result = begin_result(piece, y, 0);
        rows[2] = changed_row(piece, 2 * y + 1, free_rows[0]);
        rows[3] = changed_row(piece, 2 * y + 2, free_rows[1]);
        halve_down(rows, result, piece->whole);
        end_result(piece, y, result);
        rows[0] = rows[2];
        rows[1] = rows[3];
    }
}

static void blur_rows_down(const band_piece *piece)
{
    const band_weights *weights = piece->step->weights_y;
    band_room *room = piece->room;
    int start = piece->y - piece->step->y->radius;
    uint pairs = weights->pairs;

    for (uint pair = 0; pair + 1 < pairs; pair++)
        zip_changed_rows(piece, start + 2 * (int)pair, room->gaussian[pair]);
    for (int y = piece->y; y < piece->end_y; y += 2) {
        const uint32_t *window[PAIRS_MOST];
        uint first = (uint)(y - piece->y) / 2;
        for (uint pair = 0; pair < pairs; pair++)
            window[pair] = room->gaussian[(first + pair) % pairs];
        zip_changed_rows(piece, start + 2 * (int)(first + pairs - 1), room->gaussian[(first + pairs - 1) % pairs]);
        uint16_t *upper = begin_result(piece, y, 0), *lower = begin_result(piece, y + 1, 1);
        blur_down(weights, window, upper, lower, piece->whole);
        end_result(piece, y, upper);
        end_result(piece, y + 1, lower);
    }
}

/* Puts a quarter of one row and three quarters of another into row y of the result, if the piece has that. */
INLINE void double_row_down(const band_piece *piece, int y, const uint16_t *far, const uint16_t *near)
{
    if (y < piece->y || y >= piece->end_y)
        return;
    uint16_t *result = begin_result(piece, y, 0);
    double_down(far, near, result, piece->whole);
    end_result(piece, y, result);
}

static void double_rows_down(const band_piece *piece)
{
    int first = piece->y >> 1;
    const uint16_t *above = changed_row(piece, first - 1, piece->room->rows[0]);
    const uint16_t *here = changed_row(piece, first, piece->room->rows[1]);

    for (int i = 0; 2 * (first + i) < piece->end_y; i++) {
        const uint16_t *below = changed_row(piece, first + i + 1, piece->room->rows[(i + 2) % 3]);
        double_row_down(piece, 2 * (first + i), above, here);
        double_row_down(piece, 2 * (first + i) + 1, below, here);
        above = here;
        here = below;
    }
}

/* Makes the texels of a box, which is at most STRIP wide and not empty. */
static void run_piece(const band_step *step, const effect_image *in, const effect_image *out, effect_box box,
                      band_room *room)
{
    band_piece piece = {step, in, out, room, box.left, box.top, box.bottom, (uint)box_width(box), 0};

    piece.whole = (piece.count + BAND_STEP - 1) & ~(BAND_STEP - 1);
    switch (step->down) {
    case AXIS_HALVES:
        halve_rows_down(&piece);
        break;
    case AXIS_BLURS:
        blur_rows_down(&piece);
        break;
    case AXIS_DOUBLES:
        double_rows_down(&piece);
        break;
    default:
        copy_rows_down(&piece);
    }
}

/* Makes the texels of a box that `out` holds. */
static void run_step(const band_step *step, const effect_image *in, const effect_image *out, effect_box box,
                     band_room *room)
{
    for (int x = box.left; x < box.right && box.top < box.bottom; x += (int)STRIP)
        run_piece(step, in, out, (effect_box){x, box.top, int_min(x + (int)STRIP, box.right), box.bottom}, room);
}

typedef struct band_range {
    int from, end;
} band_range;

/* Returns what a change of an axis reads. */
static band_range range_before(axis_change change, int radius, band_range range)
{
    switch (change) {
    case AXIS_HALVES:
        return (band_range){2 * range.from - 1, 2 * range.end + 1};
    case AXIS_BLURS:
        return (band_range){range.from - radius, range.end + radius};
    case AXIS_DOUBLES:
        return (band_range){(range.from - 1) >> 1, (range.end >> 1) + 1};
    default:
        return range;
    }
}

/* Returns what of its source a step reads for a box. */
static effect_box box_before(const band_step *step, effect_box box)
{
    band_range x = range_before(step->across, step->x->radius, (band_range){box.left, box.right});
    band_range y = range_before(step->down, step->y->radius, (band_range){box.top, box.bottom});
    effect_box source = step->source;

    if (!step->repeats_edge)
        return effect_box_meet(source, (effect_box){x.from, y.from, x.end, y.end});
    return (effect_box){
        int_clamp(x.from, source.left, source.right - 1), int_clamp(y.from, source.top, source.bottom - 1),
        int_clamp(x.end, source.left + 1, source.right), int_clamp(y.end, source.top + 1, source.bottom)};
}

/* Does two steps, the first on as much as the second reads. */
static void run_two_steps(const band_step steps[2], const effect_image *in, const effect_image *out, effect_box box,
                          band_room *room)
{
    effect_box between = box_before(&steps[1], box);
    effect_image level = {
        .texels = room->level, .stride = effect_box_is_empty(between) ? 0 : box_width(between), .box = between};

    run_step(&steps[0], in, &level, between, room);
    run_step(&steps[1], &level, out, box, room);
}
