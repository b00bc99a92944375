/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* 11 extreme: feMorphology, along rows by doubling, along columns by M. van Herk, "A fast algorithm for local minimum
 * and maximum filters on rectangular and octagonal kernels", 1992. Part of effects_body.h. */

#define WINDOW_BYTES 131072u /* of the rows that a strip of columns keeps, if that leaves it STRIP_LEAST */
#define STRIP_LEAST 16u      /* texels */

typedef struct extreme_job {
    bool dilates;
    size_t radius, window; /* 2 radius + 1 texels */
    const effect_image *in, *out;
    uint strip;        /* columns of a piece that goes down */
    size_t room_count; /* texels of a worker's room */
    uint16_t *rooms;
    uint pieces;
    atomic_uint next;
} extreme_job;

INLINE wide_short extremes_of(bool dilates, wide_short a, wide_short b)
{
    wide_short greater = (wide_short)(a > b);
    return dilates ? (a & greater) | (b & ~greater) : (b & greater) | (a & ~greater);
}

/* Puts the extremes of two rows into a third. They are whole steps long. */
INLINE void join_rows_by(bool dilates, const uint16_t *a, const uint16_t *b, uint16_t *to, size_t count)
{
    for (size_t x = 0; x < 4 * count; x += 2 * WIDE)
        store_shorts(to + x, extremes_of(dilates, load_shorts(a + x), load_shorts(b + x)));
}

static void join_rows(bool dilates, const uint16_t *a, const uint16_t *b, uint16_t *to, size_t count)
{
    if (dilates)
        join_rows_by(true, a, b, to, count);
    else
        join_rows_by(false, a, b, to, count);
}

INLINE size_t whole_steps(size_t count)
{
    return (count + BAND_STEP - 1) & ~(size_t)(BAND_STEP - 1);
}

/* Finds the extremes of windows along a row. Those of 2, 4, 8 ... texels come first, each in place of the one before,
 * until two of them cover the window. What they read behind the row counts for nothing. */
static void widen_row(const extreme_job *job, int y, uint16_t *row)
{
    effect_box box = job->out->box;
    size_t width = box_width(box), covered = 1, reach = whole_steps(width + 2 * job->radius);

    copy_row(job->in, box.left - (int)job->radius, y, (uint)reach, row);
    for (; 2 * covered <= job->window; covered *= 2)
        join_rows(job->dilates, row, row + 4 * covered, row, reach);
    join_rows(job->dilates, row, row + 4 * (job->window - covered), row, whole_steps(width));
    memcpy(texel_at(job->out, box.left, y), row, 4 * width * sizeof *row);
}

static void widen_rows(void *user, uint32_t worker, uint32_t count)
{
    extreme_job *job = user;
    effect_box box = job->out->box;

    (void)count;
    for (uint piece; (piece = atomic_fetch_add(&job->next, 1)) < job->pieces;)
        widen_row(job, box.top + (int)piece, job->rooms + 4 * worker * job->room_count);
}

/* The rows of two windows: as they are above the row that is read, and from each row to the end of the window
 * before. */
typedef struct extreme_windows {
    uint16_t *rows, *to_end, *so_far;
    size_t pitch; /* numbers from one row to the next */
} extreme_windows;

/* Makes of the rows the extremes from each to the last. */
static void end_window(const extreme_job *job, extreme_windows *windows)
{
    uint16_t *rows = windows->rows;

    for (size_t i = job->window - 1; i-- > 0;)
        join_rows(job->dilates, rows + i * windows->pitch, rows + (i + 1) * windows->pitch, rows + i * windows->pitch,
                  windows->pitch / 4);
    windows->rows = windows->to_end;
    windows->to_end = rows;
}

/* Takes in row `number` of the strip, and makes a row of the result if a whole window has come. A window that ends at
 * row p of this window is row p + 1 to the end of the window before, and what has come of this one. */
static void take_row(const extreme_job *job, extreme_windows *windows, int x, uint count, size_t number)
{
    effect_box box = job->out->box;
    size_t place = number % job->window, pitch = windows->pitch;
    uint16_t *row = windows->rows + place * pitch;

    copy_row(job->in, x, box.top - (int)job->radius + (int)number, (uint)(pitch / 4), row);
    if (place == 0)
        memcpy(windows->so_far, row, pitch * sizeof *row);
    else
        join_rows(job->dilates, windows->so_far, row, windows->so_far, pitch / 4);
    if (number + 1 >= job->window) {
        const uint16_t *made = windows->so_far;
        if (place + 1 < job->window) {
            made = windows->so_far + pitch;
            join_rows(job->dilates, windows->so_far, windows->to_end + (place + 1) * pitch, windows->so_far + pitch,
                      pitch / 4);
        }
        memcpy(texel_at(job->out, x, box.top + (int)(number + 1 - job->window)), made, 4 * count * sizeof *row);
    }
    if (place + 1 == job->window)
        end_window(job, windows);
}

static void widen_strips(void *user, uint32_t worker, uint32_t count)
{
    extreme_job *job = user;
    effect_box box = job->out->box;
    uint16_t *room = job->rooms + 4 * worker * job->room_count;
    size_t rows = (size_t)(box.bottom - box.top) + job->window - 1;

    (void)count;
    for (uint piece; (piece = atomic_fetch_add(&job->next, 1)) < job->pieces;) {
        int x = box.left + (int)(piece * job->strip);
        uint columns = uint_min(job->strip, (uint)(box.right - x));
        size_t pitch = 4 * whole_steps(columns);
        extreme_windows windows = {room, room + job->window * pitch, room + 2 * job->window * pitch, pitch};
        for (size_t i = 0; i < rows; i++)
            take_row(job, &windows, x, columns, i);
    }
}

/* Shares the pieces out. False: out of memory. */
static bool share_extremes(parallel_pool *pool, extreme_job *job, parallel_function *function)
{
    uint threads = texel_count(job->out->box) < SHARED_TEXELS ? 1 : parallel_pool_threads(pool);

    threads = uint_min(threads, job->pieces);
    job->rooms = malloc(threads * job->room_count * 4 * sizeof *job->rooms);
    if (!job->rooms)
        return false;
    atomic_init(&job->next, 0);
    parallel_pool_run(pool, threads, function, job);
    free(job->rooms);
    return true;
}

/* Returns a job for one axis. Windows that reach over all that is there reach no further. */
static extreme_job extreme_along(bool dilates, int radius, bool vertical, const effect_image *in,
                                 const effect_image *out)
{
    effect_box all = effect_box_join(in->box, out->box);
    int span = vertical ? all.bottom - all.top : all.right - all.left;
    extreme_job job = {.dilates = dilates, .radius = (size_t)int_min(radius, span), .in = in, .out = out};

    job.window = 2 * job.radius + 1;
    return job;
}

static bool extremes_across(parallel_pool *pool, bool dilates, int radius, const effect_image *in,
                            const effect_image *out)
{
    extreme_job job = extreme_along(dilates, radius, false, in, out);

    if (effect_box_is_empty(out->box))
        return true;
    job.room_count = whole_steps(box_width(out->box) + 2 * job.radius) + job.window + BAND_STEP;
    job.pieces = (uint)(out->box.bottom - out->box.top);
    return share_extremes(pool, &job, widen_rows);
}

static bool extremes_down(parallel_pool *pool, bool dilates, int radius, const effect_image *in,
                          const effect_image *out)
{
    extreme_job job = extreme_along(dilates, radius, true, in, out);
    size_t fitting = WINDOW_BYTES / (2 * 4 * sizeof(uint16_t) * job.window) & ~(size_t)(BAND_STEP - 1);
    uint width = (uint)box_width(out->box);

    job.strip = (uint)(fitting < STRIP_LEAST ? STRIP_LEAST : fitting < STRIP ? fitting : STRIP);
    job.room_count = (2 * job.window + 2) * whole_steps(uint_min(job.strip, width));
    job.pieces = (width + job.strip - 1) / job.strip;
    return share_extremes(pool, &job, widen_strips);
}

static bool effects_extreme(parallel_pool *pool, const effect_extreme *extreme, const effect_image *in,
                            const effect_image *out)
{
    effect_box demand = effect_demand_of_extreme(extreme, out->box), box = effect_box_meet(demand, in->box);
    effect_image rows;
    bool dilates = extreme->dilates != 0;

    if (effect_box_is_empty(out->box))
        return true;
    if (extreme->radius_x == 0)
        return extremes_down(pool, dilates, extreme->radius_y, in, out);
    if (extreme->radius_y == 0)
        return extremes_across(pool, dilates, extreme->radius_x, in, out);
    if (!make_level(&rows, (effect_box){out->box.left, box.top, out->box.right, box.bottom}))
        return false;
    bool done = extremes_across(pool, dilates, extreme->radius_x, in, &rows) &&
                extremes_down(pool, dilates, extreme->radius_y, &rows, out);
    free(rows.texels);
    return done;
}
