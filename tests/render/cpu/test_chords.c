/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Curves that are cut side by side. Every lane, with every instruction set of this machine, gives what shaders/lib
 * gives for the curve alone. */
#include "render/cpu/kernels.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

typedef struct flatten_sink flatten_sink;
struct flatten_sink {
    int lines;
};

static inline void sink_line(flatten_sink *sink, int ax, int ay, int bx, int by)
{
    (void)ax;
    (void)ay;
    (void)bx;
    (void)by;
    sink->lines++;
}

#include "lib/sink.h"

#define ROUNDS 20000

static uint64_t state_word = 3;

static uint32_t random_word(void)
{
    state_word = state_word * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(state_word >> 32);
}

static float random_in(float low, float high)
{
    return low + (high - low) * ((float)(random_word() >> 8) / 16777216.0f);
}

/* Points around a place, near one another or far apart. At times they are equal or on a line, and now and then beyond
 * all limits. */
static void random_curves(cpu_curves *curves)
{
    memset(curves, 0, sizeof *curves);
    curves->order = 2 + random_word() % 2;
    curves->count = 1 + random_word() % CPU_CURVES;
    for (uint lane = 0; lane < curves->count; lane++) {
        float reach = random_in(0.1f, 1.0f) * (float)(1u << random_word() % 11);
        float x = random_in(-300, 700);
        float y = random_word() % 40 == 0 ? 70000.0f : random_in(-300, 700);
        for (uint k = 0; k <= curves->order; k++) {
            bool again = k > 0 && random_word() % 8 == 0;
            curves->x[k][lane] = again ? curves->x[k - 1][lane] : x + random_in(-reach, reach);
            curves->y[k][lane] =
                random_word() % 8 == 0 && k > 0 ? curves->y[k - 1][lane] : y + random_in(-reach, reach);
        }
    }
}

static curve curve_of_lane(const cpu_curves *c, uint lane)
{
    curve made = {
        .order = c->order, .x0 = c->x[0][lane], .y0 = c->y[0][lane], .x1 = c->x[1][lane], .y1 = c->y[1][lane]};
    made.x2 = c->x[2][lane];
    made.y2 = c->y[2][lane];
    made.x3 = c->x[c->order][lane];
    made.y3 = c->y[c->order][lane];
    return made;
}

static void expect_chords(const char *name, curve device, tile_box box, const cpu_chords *chords, uint lane)
{
    chord_curve wanted = chord_curve_of(device, box);
    int pieces = chords->pieces[lane];
    bool inside = within_limit(point_of(device.x0, device.y0)) && within_limit(point_of(device.x3, device.y3));
    if (pieces == CPU_CHORDS_MORE) {
        bool vertices_inside = true;
        for (uint i = 1; i < wanted.cut.pieces && wanted.cut.pieces <= CPU_CHORDS; i++)
            vertices_inside = vertices_inside && within_limit(chord_vertex(wanted, i));
        assert_true(wanted.cut.pieces > CPU_CHORDS || !inside || !vertices_inside);
        return;
    }
    assert_true(inside || pieces == 0);
    if (pieces != (int)wanted.cut.pieces)
        fail_msg("%s: %d pieces, not %u", name, pieces, wanted.cut.pieces);
    wanted.turned = false;
    for (int i = 0; i < pieces; i++) {
        point at = i == 0 ? point_of(wanted.canonical.x0, wanted.canonical.y0) : chord_vertex(wanted, (uint)i);
        if (chords->x[i][lane] != snap(at.x) || chords->y[i][lane] != snap(at.y)) {
            fail_msg("%s: vertex %d of %d: %d, %d, not %d, %d", name, i, pieces, chords->x[i][lane], chords->y[i][lane],
                     snap(at.x), snap(at.y));
        }
    }
    if (pieces > 0) {
        assert_int_equal(chords->end_x[lane], snap(wanted.canonical.x3));
        assert_int_equal(chords->end_y[lane], snap(wanted.canonical.y3));
        assert_int_equal(chords->turned[lane], curve_is_turned(device) ? -1 : 0);
        int least = snap(wanted.canonical.y3);
        int most = least;
        for (int i = 0; i < pieces; i++) {
            least = int_min(least, chords->y[i][lane]);
            most = int_max(most, chords->y[i][lane]);
        }
        assert_int_equal(chords->least_y[lane], least);
        assert_int_equal(chords->most_y[lane], most);
    }
}

/* Expects the lines of the next curves of one band, in order. Horizontal ones are left out unless they are kept. */
static void expect_lines(const cpu_kernels *kernels, const cpu_chords *chords, uint count, bool keeps_horizontals)
{
    uint first = random_word() % count;
    cpu_chords_band band = {.band = chords->least_y[first] >> 12, .curves = chords->cut & ~0u << first};
    band.top = random_word() % 8 == 0 ? band.band * 4096 + 2048 : band.band * 4096 - 1;
    band.bottom = random_word() % 8 == 0 ? band.band * 4096 + 2048 : (band.band + 1) * 4096;
    cpu_edge wanted[CPU_CURVES * CPU_CHORDS], found[CPU_CURVES * CPU_CHORDS + 1];
    uint wanted_count = 0, curves = 0, pieces_in_all = 0;
    for (uint lane = first; lane < count; lane++) {
        int pieces = chords->pieces[lane];
        int least = chords->least_y[lane];
        int most = chords->most_y[lane];
        if (pieces == 0)
            continue;
        if (pieces == CPU_CHORDS_MORE || least < band.top || most > band.bottom || least < band.band * 4096 ||
            most > (band.band + 1) * 4096 || most <= band.band * 4096 || least == (band.band + 1) * 4096) {
            break;
        }
        curves |= 1u << lane;
        pieces_in_all += (uint)pieces;
        for (int k = 0; k < pieces; k++) {
            int i = chords->turned[lane] ? pieces - 1 - k : k;
            bool ends = i + 1 == pieces;
            int x = ends ? chords->end_x[lane] : chords->x[i + 1][lane];
            int y = ends ? chords->end_y[lane] : chords->y[i + 1][lane];
            cpu_edge line = {chords->x[i][lane], chords->y[i][lane], x, y};
            if (chords->turned[lane])
                line = (cpu_edge){x, y, chords->x[i][lane], chords->y[i][lane]};
            wanted[wanted_count] = line;
            bool is_point = line.ax == line.bx && line.ay == line.by;
            wanted_count += line.ay != line.by || (!is_point && horizontal_matters(line.ay, keeps_horizontals)) ? 1 : 0;
        }
    }
    kernels->select_chords(chords, &band);
    assert_int_equal(band.curves, curves);
    assert_int_equal(band.line_count, pieces_in_all);
    assert_int_equal(kernels->put_chords(chords, band.curves, keeps_horizontals, found), wanted_count);
    assert_int_equal(memcmp(found, wanted, wanted_count * sizeof *wanted), 0);
}

static void chords_are_those_of_each_curve(void **state)
{
    (void)state;
    tile_box box = {.x0 = 2, .y0 = 1, .x1 = 30, .y1 = 28};
    cull_rect cull = cull_rect_of(box, 1.0f);
    for (int round = 0; round < ROUNDS; round++) {
        cpu_curves curves;
        random_curves(&curves);
        affine matrix = {random_in(-2, 2), random_in(-1, 1),   random_in(-1, 1),
                         random_in(-2, 2), random_in(-50, 50), random_in(-50, 50)};
        bool end = false;
        for (uint set = 0; !end; set++) {
            const cpu_kernels *kernels = cpu_kernels_at(set, &end);
            cpu_chords chords;
            if (!kernels)
                continue;
            kernels->cut_curves(&curves, &matrix, &cull, &chords);
            uint cut = 0;
            for (uint lane = 0; lane < curves.count; lane++) {
                cut |= chords.pieces[lane] > 0 ? 1u << lane : 0;
                curve device = curve_transform(matrix, curve_of_lane(&curves, lane));
                if (curves.order == 2u) {
                    device.x2 = device.x3;
                    device.y2 = device.y3;
                }
                expect_chords(kernels->name, device, box, &chords, lane);
            }
            assert_int_equal(chords.cut, cut);
            expect_lines(kernels, &chords, curves.count, round % 2 == 0);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(chords_are_those_of_each_curve),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
