/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* 11 band: the steps of a blur. A pass does one or two of them on pieces that any thread takes. Where two steps go
 * together, what lies between them is never there as a whole; the first use of its pages would take as long as the
 * steps. Part of effects_body.h. */

#define STEPS_MOST (2 * EFFECT_HALVINGS_MOST + 1)
#define PIECE_ROWS 64u /* of a single step, so that the rows above and below count for little */
#define PIECES_OF_A_THREAD 4u

typedef struct band_pass {
    const band_step *steps;
    uint count; /* steps: 1 or 2 */
    const effect_image *in, *out;
    uint columns, rows; /* of a piece */
    uint strips, pieces;
    atomic_uint next; /* piece */
    band_room *rooms; /* one for each worker */
} band_pass;

static void run_pieces(void *user, uint32_t worker, uint32_t count)
{
    band_pass *pass = user;
    effect_box all = pass->out->box;

    (void)count;
    for (uint piece; (piece = atomic_fetch_add(&pass->next, 1)) < pass->pieces;) {
        int x = all.left + (int)(piece % pass->strips * pass->columns);
        int y = all.top + (int)(piece / pass->strips * pass->rows);
        effect_box box = {x, y, int_min(x + (int)pass->columns, all.right), int_min(y + (int)pass->rows, all.bottom)};
        if (pass->count == 1)
            run_step(pass->steps, pass->in, pass->out, box, &pass->rooms[worker]);
        else
            run_two_steps(pass->steps, pass->in, pass->out, box, &pass->rooms[worker]);
    }
}

/* Returns how much of an axis the second of two steps makes from a side of LEVEL_COLUMNS or LEVEL_ROWS. */
static uint side_after(axis_change change, uint side)
{
    return change == AXIS_DOUBLES ? 2 * side : change == AXIS_HALVES ? side / 2 : side;
}

/* Finds the size of a pass's pieces. A single step has as many rows to a piece as threads leave it. */
static void cut_pass(band_pass *pass, uint width, uint height, uint threads)
{
    bool single = pass->count == 1;

    pass->columns = single ? STRIP : side_after(pass->steps[1].across, LEVEL_COLUMNS);
    pass->strips = (width + pass->columns - 1) / pass->columns;
    pass->rows = single ? height : side_after(pass->steps[1].down, LEVEL_ROWS);
    if (single && threads > 1) {
        uint parts = uint_max(1, uint_min(PIECES_OF_A_THREAD * threads / pass->strips, height / PIECE_ROWS));
        pass->rows = (height + parts - 1) / parts;
    }
    pass->pieces = pass->strips * ((height + pass->rows - 1) / pass->rows);
}

/* `threads` have rooms. */
static void run_pass(parallel_pool *pool, band_pass *pass, uint threads)
{
    effect_box box = pass->out->box;

    if (effect_box_is_empty(box))
        return;
    cut_pass(pass, (uint)box_width(box), (uint)(box.bottom - box.top), threads);
    atomic_init(&pass->next, 0);
    parallel_pool_run(pool, uint_min(threads, pass->pieces), run_pieces, pass);
}

/* Returns what a step does to an axis. There are as many halvings as the other axis needs, or more. */
static axis_change change_of_axis(const effect_blur_axis *axis, uint halvings, uint step)
{
    if (step == halvings)
        return axis->radius > 0 ? AXIS_BLURS : AXIS_STAYS;
    uint level = step < halvings ? step : 2 * halvings - step;
    return level >= axis->halvings ? AXIS_STAYS : step < halvings ? AXIS_HALVES : AXIS_DOUBLES;
}

/* Lists the steps and returns their number. */
static uint find_steps(const effect_blur *blur, const band_weights weights[2], effect_box source, effect_box out,
                       band_step *steps)
{
    uint halvings = uint_max(blur->x.halvings, blur->y.halvings), band = 0;
    effect_box boxes[EFFECT_BANDS_MOST];
    effect_bands bands;

    effect_bands_of(blur, &bands);
    effect_band_boxes(&bands, blur->edge, source, out, boxes);
    for (uint i = 0; i <= 2 * halvings; i++) {
        band_step *step = &steps[i];
        *step = (band_step){.across = change_of_axis(&blur->x, halvings, i),
                            .down = change_of_axis(&blur->y, halvings, i),
                            .x = &blur->x,
                            .y = &blur->y,
                            .weights_x = &weights[0],
                            .weights_y = &weights[1],
                            .source = source,
                            .repeats_edge = blur->edge == EFFECT_EDGE_DUPLICATE};
        band += (uint)(step->across != AXIS_STAYS) + (uint)(step->down != AXIS_STAYS);
        source = step->box = boxes[band - 1];
    }
    return 2 * halvings + 1;
}

/* Allocates the texels of a level. */
static bool make_level(effect_image *level, effect_box box)
{
    size_t count = texel_count(box);

    *level = (effect_image){.texels = memory_alloc(4 * (count ? count : 1) * sizeof *level->texels),
                            .stride = count ? box_width(box) : 1,
                            .box = box};
    return level->texels;
}

/* Returns how many steps the pass does that begins with `step` of `count`. Halvings go together in pairs from the
 * first on, and what follows from the last on, so that a level between large ones is between two steps. */
static uint steps_of_pass(uint step, uint count)
{
    uint halvings = count / 2;
    return (step < halvings ? step + 1 < halvings : (count - step) % 2 == 0) ? 2 : 1;
}

/* Runs the steps, each pass on the result of the one before. */
static bool run_steps(parallel_pool *pool, uint threads, band_room *rooms, const band_step *steps, uint count,
                      const effect_image *in, const effect_image *out)
{
    effect_image from = *in, to = {0};
    bool done = true;

    for (uint i = 0, next; done && i < count; i = next) {
        next = i + steps_of_pass(i, count);
        done = next == count || make_level(&to, steps[next - 1].box);
        if (done) {
            band_pass pass = {.steps = steps + i, .count = next - i, .in = &from, .rooms = rooms};
            pass.out = next == count ? out : &to;
            run_pass(pool, &pass, threads);
        }
        if (i > 0)
            free(from.texels);
        from = to;
    }
    return done;
}

static bool effects_blur(parallel_pool *pool, const effect_blur *blur, effect_box region, const effect_image *in,
                         const effect_image *out)
{
    size_t texels = texel_count(out->box);
    uint threads = texels < SHARED_TEXELS ? 1 : parallel_pool_threads(pool);
    band_step steps[STEPS_MOST];
    band_weights weights[2];

    if (texels == 0)
        return true;
    if (blur->edge == EFFECT_EDGE_WRAP)
        return effect_wrapped_blur(&CPU_EFFECTS, pool, blur, region, in, out);
    if (blur->x.radius == 0 && blur->y.radius == 0) {
        effects_offset(pool, (effect_offset){0}, in, out);
        return true;
    }
    threads = uint_min(threads, (uint)(texels / SHARED_TEXELS) + 1);
    band_room *rooms = memory_alloc(threads * sizeof *rooms);
    if (!rooms)
        return false;
    find_weights(&blur->x, &weights[0]);
    find_weights(&blur->y, &weights[1]);
    uint count = find_steps(blur, weights, blur->edge == EFFECT_EDGE_NONE ? in->box : region, out->box, steps);
    bool done = run_steps(pool, threads, rooms, steps, count, in, out);
    free(rooms);
    return done;
}
