/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Straight segments of strokes that are drawn side by side. Every lane, with every instruction set of this machine,
 * gives the lines that shaders/lib gives for the segment alone, in any order. */
#include "render/cpu/kernels.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define LINES_MOST 2048u

typedef struct flatten_sink flatten_sink;
struct flatten_sink {
    cpu_edge lines[LINES_MOST];
    uint count;
};

static inline void sink_line(flatten_sink *sink, int ax, int ay, int bx, int by)
{
    if (ay != by || (ax != bx && horizontal_matters(ay, false))) {
        assert_true(sink->count < LINES_MOST);
        sink->lines[sink->count++] = (cpu_edge){ax, ay, bx, by};
    }
}

#include "lib/stroke.h"

#define ROUNDS 20000

static uint64_t state_word = 5;

static uint32_t random_word(void)
{
    state_word = state_word * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(state_word >> 32);
}

static float random_in(float low, float high)
{
    return low + (high - low) * ((float)(random_word() >> 8) / 16777216.0f);
}

static pen random_pen(void)
{
    static const uint joins[] = {STYLE_JOIN_MITER, STYLE_JOIN_ROUND, STYLE_JOIN_BEVEL, STYLE_JOIN_MITER_CLIP};
    stream_style style = {.half_width = random_in(0.01f, 1.0f) * (float)(1u << random_word() % 6),
                          .join = joins[random_word() % 4]};
    style.miter_limit = random_in(1, 6);
    affine matrix = {random_in(-2, 2), random_in(-1, 1),   random_in(-1, 1),
                     random_in(-2, 2), random_in(-50, 50), random_in(-50, 50)};
    return pen_make(matrix, style, (stream_element){0});
}

/* Points near one another or far apart. At times they go straight on or back, and now and then they are beyond all
 * limits. */
static void random_straights(cpu_straights *straights)
{
    memset(straights, 0, sizeof *straights);
    straights->count = 1 + random_word() % CPU_CURVES;
    straights->joined = random_word() & ((1u << straights->count) - 1u);
    for (uint lane = 0; lane < straights->count; lane++) {
        float reach = (float)(1u << random_word() % 9);
        straights->x0[lane] = random_in(-100, 300);
        straights->y0[lane] = random_word() % 40 == 0 ? 80000.0f : random_in(-100, 300);
        straights->x1[lane] = straights->x0[lane] + random_in(-reach, reach);
        straights->y1[lane] = straights->y0[lane] + (random_word() % 8 == 0 ? 0.0f : random_in(-reach, reach));
        float turn = random_word() % 8 == 0 ? 0.0f : random_in(-2, 2);
        float along = random_word() % 8 == 0 ? -1.0f : 1.0f;
        float x = straights->x1[lane] - straights->x0[lane];
        float y = straights->y1[lane] - straights->y0[lane];
        straights->next_x[lane] = along * x - turn * y;
        straights->next_y[lane] = along * y + turn * x;
    }
}

static stroke_segment segment_of_lane(const cpu_straights *s, uint lane)
{
    stroke_segment made = {.next_tangent = {s->next_x[lane], s->next_y[lane]}};
    made.local = (curve){.order = 1, .x0 = s->x0[lane], .y0 = s->y0[lane], .x1 = s->x0[lane], .y1 = s->y0[lane]};
    made.local.x2 = made.local.x3 = s->x1[lane];
    made.local.y2 = made.local.y3 = s->y1[lane];
    return made;
}

static void find_lane(flatten_sink *found, const cpu_stroke_lines *lines, const cpu_straights *straights, pen p,
                      tile_box box, uint lane)
{
    uint bit = 1u << lane;
    point at = point_of(straights->x1[lane], straights->y1[lane]);
    point start = point_of(lines->start_x[lane], lines->start_y[lane]);
    stroke_turn turn = turn_straight(at, start, point_of(lines->end_x[lane], lines->end_y[lane]));
    if (lines->fans & bit) {
        turn.rim = TURN_FAN;
        turn = turn_in_cull_rect(p, box, turn);
    }
    for (uint i = 0; i < CPU_STROKE_LINES; i++)
        if ((lines->has[i] & bit) && !(i == CPU_STROKE_OUTSIDE && turn.count > 2u))
            sink_line(found, lines->ax[i][lane], lines->ay[i][lane], lines->bx[i][lane], lines->by[i][lane]);
    point from = pen_vertex(p, at, turn.start.x, turn.start.y);
    for (uint i = 1; i < turn.count && turn.count > 2u; i++) {
        point to = turn_vertex(p, turn, i);
        sink_edge(found, from, to);
        from = to;
    }
}

static int compare_lines(const void *a, const void *b)
{
    return memcmp(a, b, sizeof(cpu_edge));
}

static void expect_same(flatten_sink *found, flatten_sink *wanted)
{
    assert_int_equal(found->count, wanted->count);
    qsort(found->lines, found->count, sizeof *found->lines, compare_lines);
    qsort(wanted->lines, wanted->count, sizeof *wanted->lines, compare_lines);
    assert_int_equal(memcmp(found->lines, wanted->lines, found->count * sizeof *found->lines), 0);
}

/* Returns whether the kernel drew the lane. */
static bool expect_lane(const cpu_stroke_lines *lines, const cpu_straights *straights, pen p, tile_box box, uint lane)
{
    static flatten_sink wanted, found;
    stroke_segment segment = segment_of_lane(straights, lane);
    bool is_seen = stroke_is_in_cull_rect(p, segment.local, box);
    assert_int_equal(lines->seen >> lane & 1u, is_seen);
    if ((lines->plain >> lane & 1u) == 0)
        return false;
    assert_true(is_seen);
    wanted.count = 0;
    found.count = 0;
    subdivision whole = subdivision_even(1);
    stroke_stretch stretch = stretch_of_pieces(segment, 0, 1, whole);
    stretch.turned = (straights->joined >> lane & 1u) != 0;
    sink_run(&wanted, p, box, segment, whole, stretch);
    find_lane(&found, lines, straights, p, box, lane);
    expect_same(&found, &wanted);
    return true;
}

/* What is put into a band is exactly what the lanes hold for it. */
static void expect_band(const cpu_kernels *kernels, const cpu_stroke_lines *lines, uint lane)
{
    int band = lines->least_y[lane] >> 12;
    uint segments = kernels->strokes_in_band(lines, band, band * 4096, band * 4096 + 4096);
    assert_int_equal(segments & ~lines->plain, 0);
    static flatten_sink wanted, found;
    wanted.count = 0;
    for (uint i = 0; i < CPU_STROKE_LINES; i++) {
        for (uint k = 0; k < CPU_CURVES; k++) {
            if (lines->has[i] & segments & 1u << k) {
                sink_line(&wanted, lines->ax[i][k], lines->ay[i][k], lines->bx[i][k], lines->by[i][k]);
                assert_true(int_min(lines->ay[i][k], lines->by[i][k]) >= band * 4096);
                assert_true(int_max(lines->ay[i][k], lines->by[i][k]) <= band * 4096 + 4096);
            }
        }
    }
    found.count = kernels->put_stroke_lines(lines, segments, found.lines);
    expect_same(&found, &wanted);
}

static void lines_are_those_of_each_segment(void **state)
{
    (void)state;
    tile_box box = {.x0 = 1, .y0 = 2, .x1 = 14, .y1 = 12};
    uint drawn = 0;
    for (int round = 0; round < ROUNDS; round++) {
        cpu_straights straights;
        pen p = random_pen();
        random_straights(&straights);
        cpu_pen given = {p.matrix, p.half_width, p.radius, p.orientation, p.miter_limit, p.join};
        cull_rect cull = stroke_cull_rect(p, box);
        bool end = false;
        for (uint set = 0; !end; set++) {
            const cpu_kernels *kernels = cpu_kernels_at(set, &end);
            cpu_stroke_lines lines;
            if (!kernels)
                continue;
            kernels->find_stroke_lines(&straights, &given, &cull, &lines);
            for (uint lane = 0; lane < straights.count; lane++)
                drawn += expect_lane(&lines, &straights, p, box, lane) ? 1 : 0;
            expect_band(kernels, &lines, random_word() % straights.count);
            assert_int_equal(lines.seen >> straights.count, 0);
        }
    }
    assert_true(drawn > ROUNDS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines_are_those_of_each_segment),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
