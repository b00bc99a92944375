/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* 11 extreme: feMorphology, along rows by doubling, along columns by M. van Herk, "A fast algorithm for local minimum
 * and maximum filters on rectangular and octagonal kernels", 1992. A strip of columns goes from top to bottom. It
 * keeps the rows of two windows, of which the texels that it reads were widened along rows. Part of effects_body.h. */

#define WINDOW_BYTES 131072u  /* of the rows that a strip keeps, if that leaves it wide enough */
#define WINDOWS_MOST 1048576u /* bytes, of both axes at once; beyond, one axis goes after the other */
#define STRIP_LEAST 16u       /* texels */
#define STRIP_OF_THREAD 64u   /* texels: narrower ones are not worth a thread */

typedef struct extreme_job {
    bool dilates;
    size_t across, down; /* sides of the window: odd numbers of texels */
    const effect_image *in, *out;
    uint strip;        /* columns of a piece */
    size_t room_count; /* numbers in a worker's room */
    uint16_t *rooms;
    uint pieces;
    atomic_uint next;
} extreme_job;

/* A strip on its way down, and the parts of its room. */
typedef struct extreme_strip {
    const extreme_job *job;
    int x;
    uint count;       /* columns */
    size_t whole;     /* rounded up to BAND_STEP */
    uint16_t *row;    /* what widening a row needs */
    uint16_t *rows;   /* of the window that is coming in, as they are */
    uint16_t *to_end; /* of the window before, the extremes from each row to the last */
    uint16_t *so_far; /* the extremes of the rows that came in */
    uint16_t *made;   /* a row of the result that is not whole */
} extreme_strip;

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

/* Finds the extremes of windows along row y. Those of 2, 4, 8 ... texels come first, each in place of the one before,
 * until two of them cover the window. What they read behind the row counts for nothing. */
static void widen_row(const extreme_strip *strip, int y, uint16_t *to)
{
    const extreme_job *job = strip->job;
    size_t covered = 1, reach = whole_steps(strip->whole + job->across - 1);

    if (job->across == 1) {
        copy_row(job->in, strip->x, y, (uint)strip->whole, to);
        return;
    }
    copy_row(job->in, strip->x - (int)(job->across / 2), y, (uint)reach, strip->row);
    for (; 2 * covered <= job->across; covered *= 2)
        join_rows(job->dilates, strip->row, strip->row + 4 * covered, strip->row, reach);
    join_rows(job->dilates, strip->row, strip->row + 4 * (job->across - covered), to, strip->whole);
}

/* Returns where to put row y of the result. */
INLINE uint16_t *begin_made(const extreme_strip *strip, int y)
{
    return strip->whole == strip->count ? texel_at(strip->job->out, strip->x, y) : strip->made;
}

INLINE void end_made(const extreme_strip *strip, int y)
{
    if (strip->whole != strip->count)
        memcpy(texel_at(strip->job->out, strip->x, y), strip->made, 4 * strip->count * sizeof *strip->made);
}

/* Makes row y of the result, if the window that came in last ends at row `place` of its own: row place + 1 to the end
 * of the window before, and what has come of this one. */
static void make_extremes(const extreme_strip *strip, size_t place, int y)
{
    uint16_t *made = begin_made(strip, y);

    if (place + 1 < strip->job->down)
        join_rows(strip->job->dilates, strip->so_far, strip->to_end + 4 * (place + 1) * strip->whole, made,
                  strip->whole);
    else
        memcpy(made, strip->so_far, 4 * strip->whole * sizeof *made);
    end_made(strip, y);
}

/* Makes of the rows the extremes from each to the last. */
static void end_window(extreme_strip *strip)
{
    size_t pitch = 4 * strip->whole;
    uint16_t *rows = strip->rows;

    for (size_t i = strip->job->down - 1; i-- > 1;)
        join_rows(strip->job->dilates, rows + i * pitch, rows + (i + 1) * pitch, rows + i * pitch, strip->whole);
    strip->rows = strip->to_end;
    strip->to_end = rows;
}

/* Takes in row `number` of the strip, and makes a row of the result if a whole window has come. */
static void take_row(extreme_strip *strip, size_t number)
{
    const extreme_job *job = strip->job;
    size_t place = number % job->down;
    uint16_t *row = strip->rows + 4 * place * strip->whole;
    int top = job->out->box.top;

    widen_row(strip, top - (int)(job->down / 2) + (int)number, row);
    if (place == 0)
        memcpy(strip->so_far, row, 4 * strip->whole * sizeof *row);
    else
        join_rows(job->dilates, strip->so_far, row, strip->so_far, strip->whole);
    if (number + 1 >= job->down)
        make_extremes(strip, place, top + (int)(number + 1 - job->down));
    if (place + 1 == job->down)
        end_window(strip);
}

static void run_strip(extreme_strip *strip)
{
    const extreme_job *job = strip->job;
    effect_box box = job->out->box;
    size_t height = (size_t)(box.bottom - box.top);

    for (size_t i = 0; job->down > 1 && i < height + job->down - 1; i++)
        take_row(strip, i);
    for (int y = box.top; job->down == 1 && y < box.bottom; y++) {
        widen_row(strip, y, begin_made(strip, y));
        end_made(strip, y);
    }
}

/* Returns the numbers that a row takes while it is widened, which is read behind its end. */
INLINE size_t numbers_of_row(const extreme_job *job, size_t whole)
{
    return 4 * (whole_steps(whole + job->across - 1) + job->across + BAND_STEP);
}

static void run_strips(void *user, uint32_t worker, uint32_t count)
{
    extreme_job *job = user;
    effect_box box = job->out->box;
    uint16_t *room = job->rooms + worker * job->room_count;

    (void)count;
    for (uint piece; (piece = atomic_fetch_add(&job->next, 1)) < job->pieces;) {
        extreme_strip strip = {.job = job, .x = box.left + (int)(piece * job->strip), .row = room};
        strip.count = uint_min(job->strip, (uint)(box.right - strip.x));
        strip.whole = whole_steps(strip.count);
        strip.so_far = room + numbers_of_row(job, strip.whole);
        strip.made = strip.so_far + 4 * strip.whole;
        strip.rows = strip.made + 4 * strip.whole;
        strip.to_end = strip.rows + 4 * job->down * strip.whole;
        run_strip(&strip);
    }
}

/* Returns the columns of a strip: as many as the rows of its windows may have, but not so few that widening its rows
 * takes much more than what it keeps of them. */
static size_t strip_of(const extreme_job *job)
{
    size_t fitting = WINDOW_BYTES / (2 * 4 * sizeof(uint16_t) * job->down), least = whole_steps(2 * job->across);

    least = least < STRIP_LEAST ? STRIP_LEAST : least;
    fitting = fitting < least ? least : fitting & ~(size_t)(BAND_STEP - 1);
    return fitting < STRIP ? fitting : STRIP;
}

/* Finds the extremes of windows of `across` x `down`. False: out of memory. */
static bool find_extremes(parallel_pool *pool, extreme_job *job)
{
    uint threads = texel_count(job->out->box) < SHARED_TEXELS ? 1 : parallel_pool_threads(pool);

    if (effect_box_is_empty(job->out->box))
        return true;
    uint width = (uint)box_width(job->out->box), share = (uint)whole_steps(width / threads + 1);
    job->strip = uint_min((uint)strip_of(job), (uint)whole_steps(width));
    job->strip = uint_min(job->strip, uint_max(share, STRIP_OF_THREAD));
    job->pieces = (width + job->strip - 1) / job->strip;
    job->room_count = numbers_of_row(job, job->strip) + 4 * (2 * job->down + 2) * job->strip;
    threads = uint_min(threads, job->pieces);
    job->rooms = malloc(threads * job->room_count * sizeof *job->rooms);
    if (!job->rooms)
        return false;
    atomic_init(&job->next, 0);
    parallel_pool_run(pool, threads, run_strips, job);
    free(job->rooms);
    return true;
}

/* Returns a side of the window. One that reaches over all that is there reaches no further. */
static size_t side_of_window(int radius, int span)
{
    return 2 * (size_t)int_min(radius, span) + 1;
}

static bool effects_extreme(parallel_pool *pool, const effect_extreme *extreme, const effect_image *in,
                            const effect_image *out)
{
    effect_box all = effect_box_join(in->box, out->box), demand = effect_demand_of_extreme(extreme, out->box);
    extreme_job job = {.dilates = extreme->dilates != 0, .in = in, .out = out};
    effect_image rows;

    job.across = side_of_window(extreme->radius_x, all.right - all.left);
    job.down = side_of_window(extreme->radius_y, all.bottom - all.top);
    if (job.across == 1 || job.down == 1 || 2 * 4 * sizeof(uint16_t) * job.down * strip_of(&job) <= WINDOWS_MOST)
        return find_extremes(pool, &job);
    demand = effect_box_meet(demand, in->box);
    if (!make_level(&rows, (effect_box){out->box.left, demand.top, out->box.right, demand.bottom}))
        return false;
    extreme_job first = {.dilates = job.dilates, .across = job.across, .down = 1, .in = in, .out = &rows};
    extreme_job second = {.dilates = job.dilates, .across = 1, .down = job.down, .in = &rows, .out = out};
    bool done = find_extremes(pool, &first) && find_extremes(pool, &second);
    free(rows.texels);
    return done;
}
