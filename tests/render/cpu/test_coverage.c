/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The kernels against shaders/lib/coverage.h: for any lines and any coverage, the levels equal those of the closed
 * form and of plain samples, with every instruction set of this machine. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "render/cpu/band_runs.h"
#include "render/cpu/i64_sums.h"
#include "render/cpu/kernels.h"
#include "lib/coverage.h"
#include "lib/paint.h"

#define WIDTH_MOST 700
#define HEIGHT 16
#define STRIDE_MOST (WIDTH_MOST + 32)
#define LINES 40u
#define TOUCHES 1024u
#define CROWD 3000u /* lines: more than are sampled where they meet in a pixel */

typedef struct coverage_fixture {
    int32_t rows[HEIGHT * STRIDE_MOST];
    uint64_t touched[HEIGHT * (STRIDE_MOST / 512 + 1)];
    uint32_t meetings[HEIGHT * STRIDE_MOST];
    cpu_touch touches[TOUCHES];
    cpu_met_pixel met_pixels[WIDTH_MOST];
    uint8_t levels[HEIGHT * STRIDE_MOST];
    cpu_coverage coverage;
    cpu_slot run[1 + CROWD + CPU_EDGES_READ]; /* a head and lines */
    uint32_t line_count;
    int around; /* the winding number that the lines of `run` start from */
} coverage_fixture;

static uint32_t random_word(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(*state >> 32);
}

static int random_in(uint64_t *state, int low, int high)
{
    return low + (int)(random_word(state) % (uint32_t)(high - low + 1));
}

static void set_width(cpu_coverage *coverage, int width)
{
    coverage->width = width;
    coverage->stride = ((uint32_t)width + 3 * COVERAGE_GROUP) & ~(COVERAGE_GROUP - 1);
    coverage->words = (coverage->stride / COVERAGE_GROUP + 63) / 64;
}

static void make_coverage(coverage_fixture *f, uint64_t *state)
{
    cpu_coverage *coverage = &f->coverage;
    set_width(coverage, random_word(state) % 4 == 0 ? random_in(state, 1, WIDTH_MOST) : random_in(state, 1, 40));
    coverage->height = random_in(state, 1, HEIGHT);
    coverage->left = random_in(state, -30, 900) * SUBPIXELS;
    coverage->top = random_in(state, 0, 900) * SUBPIXELS;
    coverage->even_odd = random_word(state) % 2;
    coverage->rows = f->rows;
    coverage->touched = f->touched;
    coverage->meetings = f->meetings;
    coverage->touches = f->touches;
    coverage->met_pixels = f->met_pixels;
    coverage->touch_capacity = TOUCHES;
    coverage->met_capacity = WIDTH_MOST;
}

static cpu_run_head run_head_of(uint32_t line_count)
{
    return (cpu_run_head){.count = line_count & 0x3fffu};
}

/* Makes a closed polygon around the coverage, or far beyond it. Its edges are short or long, steep or shallow, and lie
 * on borders of pixels or not. */
static void make_lines(coverage_fixture *f, uint64_t *state, uint32_t most)
{
    int reach = 1 << (most > LINES ? 4 : random_in(state, 6, 22));
    int grid = random_word(state) % 3 == 0 ? SUBPIXELS : 1;
    f->line_count = random_word(state) % 3 == 0 ? (uint32_t)random_in(state, 1, (int)most) : most;
    f->run[0].head = run_head_of(f->line_count);
    int x0 = 0;
    int y0 = 0;
    int first_x = 0;
    int first_y = 0;
    for (uint32_t i = 0; i < f->line_count; i++) {
        int x = f->coverage.left + random_in(state, -reach, reach + f->coverage.width * SUBPIXELS);
        int y = f->coverage.top + random_in(state, -reach, reach + HEIGHT * SUBPIXELS);
        x = (random_word(state) % 5 == 0 ? x0 : x) / grid * grid;
        y = (random_word(state) % 5 == 0 ? y0 : y) / grid * grid;
        if (i == 0) {
            first_x = x0 = x;
            first_y = y0 = y;
        }
        f->run[1 + i].edge =
            (cpu_edge){x0, y0, i + 1 < f->line_count ? x : first_x, i + 1 < f->line_count ? y : first_y};
        x0 = x;
        y0 = y;
    }
}

/* Returns whether an edge leaves no trace in the coverage, so that a list of edges may lack it. */
static bool edge_is_left_out(const cpu_coverage *coverage, cpu_edge e)
{
    int bottom = coverage->top + coverage->height * SUBPIXELS;
    int right = coverage->left + coverage->width * SUBPIXELS;
    return (e.ay <= coverage->top && e.by <= coverage->top) || (e.ay >= bottom && e.by >= bottom) ||
           (e.ax >= right && e.bx >= right) || (e.ay == e.by && e.ay % SUBPIXELS == 0);
}

static int by_number(const void *a, const void *b)
{
    return *(const int *)a - *(const int *)b;
}

/* Makes a polygon that goes in one direction along x or y, and then back. Edges are small, so that several touch a
 * pixel. The list begins with any of them, and lacks those that leave no trace. Now and then two are exchanged. */
static void make_chains(coverage_fixture *f, uint64_t *state)
{
    bool along_y = random_word(state) % 2 != 0;
    int grid = random_word(state) % 3 == 0 ? 64 : 1;
    int reach = random_in(state, 1, 6) * SUBPIXELS;
    int along[LINES], across[LINES];
    for (uint i = 0; i < LINES; i++) {
        along[i] = random_in(state, -SUBPIXELS, 4 * SUBPIXELS) / grid * grid;
        across[i] = random_in(state, -SUBPIXELS, reach) / grid * grid;
    }
    qsort(along, LINES / 2, sizeof along[0], by_number);
    qsort(along + LINES / 2, LINES / 2, sizeof along[0], by_number);
    uint start = random_word(state) % LINES;
    f->line_count = 0;
    for (uint i = 0; i < LINES; i++) {
        int places[2][2];
        for (uint k = 0; k < 2; k++) {
            uint at = (start + i + k) % LINES;
            int a = along[at < LINES / 2 ? at : LINES - 1 - (at - LINES / 2)];
            places[k][0] = f->coverage.left + (along_y ? across[at] : a);
            places[k][1] = f->coverage.top + (along_y ? a : across[at]);
        }
        cpu_edge edge = {places[0][0], places[0][1], places[1][0], places[1][1]};
        if (!edge_is_left_out(&f->coverage, edge))
            f->run[1 + f->line_count++].edge = edge;
    }
    if (f->line_count > 1 && random_word(state) % 8 == 0) {
        cpu_slot *any = &f->run[1 + random_word(state) % f->line_count];
        cpu_slot moved = *any;
        *any = f->run[1];
        f->run[1] = moved;
    }
    f->run[0].head = run_head_of(f->line_count);
}

/* Merges edges on the left of the coverage, or further to the left, as parts and strips do. */
static void merge_left(coverage_fixture *f, int distance)
{
    band_run_enter_strip(f->run, (cpu_left_part){f->coverage.left - distance, f->coverage.top}, INT32_MAX);
    f->line_count = f->run[0].head.count;
}

/* Returns twice the area right of the line in a pixel of the frame, by the closed form for a tile that starts far to
 * the left. */
static int64_t area_of(cpu_edge l, int x, int y)
{
    line whole = line_make(l.ax, l.ay, l.bx, l.by, 0);
    if (whole.y0 == whole.y1)
        return 0;
    coverage_row row = {.y_upper = int_clamp(whole.y0, y, y + SUBPIXELS),
                        .y_lower = int_clamp(whole.y1, y, y + SUBPIXELS)};
    if (row.y_lower <= row.y_upper)
        return 0;
    row.x_upper = line_x_at(whole, row.y_upper);
    row.x_lower = line_x_at(whole, row.y_lower);
    int left = height_left_of(whole, row, 0, x);
    int inside = height_left_of(whole, row, 0, x + SUBPIXELS) - left;
    int distances = int_clamp(row.x_upper - x, 0, SUBPIXELS) + int_clamp(row.x_lower - x, 0, SUBPIXELS);
    return (int64_t)line_sign(whole) * (2 * SUBPIXELS * left + inside * (2 * SUBPIXELS - distances));
}

static bool point_is_inside(int x, int y, int left, int top)
{
    return left <= x && x < left + SUBPIXELS && top < y && y < top + SUBPIXELS;
}

/* Returns what a line adds to the meetings of a pixel. */
static uint line_meetings(line l, int x, int y)
{
    int upper = int_max(l.y0, y);
    int lower = int_min(l.y1, y + SUBPIXELS);
    int x_upper = l.x0;
    int x_lower = l.x1;
    if (l.y0 == l.y1 ? l.y0 <= y || l.y0 >= y + SUBPIXELS || l.x0 == l.x1 : upper >= lower)
        return 0;
    if (l.y0 != l.y1) {
        x_upper = line_x_at(l, upper);
        x_lower = line_x_at(l, lower);
    }
    if (int_min(x_upper, x_lower) >= x + SUBPIXELS || int_max(x_upper, x_lower) < x)
        return 0;
    return MEETING_TOUCH + (point_is_inside(l.x0, l.y0, x, y) ? 1u : 0u) +
           (point_is_inside(l.x1, l.y1, x, y) ? 1u : 0u);
}

static bool pixel_has_meetings(const coverage_fixture *f, int x, int y)
{
    uint meetings = 0;
    for (uint32_t i = 0; i < f->line_count; i++) {
        cpu_edge l = f->run[1 + i].edge;
        meetings += line_meetings(line_make(l.ax, l.ay, l.bx, l.by, 0), x, y);
    }
    return meetings_are_sampled(meetings);
}

/* Finds each sample's winding number from all lines left of it. */
static pixel_samples pixel_samples_of(const coverage_fixture *f, int x, int y)
{
    pixel_samples samples = no_samples();
    for (int row = 0; row < SAMPLE_ROWS; row++) {
        int steps[SAMPLE_COLUMNS + 1] = {0};
        for (uint32_t i = 0; i < f->line_count; i++) {
            cpu_edge edge = f->run[1 + i].edge;
            line l = line_make(edge.ax, edge.ay, edge.bx, edge.by, 0);
            int at = y + sample_y(row);
            if (l.y0 <= at && at < l.y1)
                steps[int_clamp(sample_cell(line_x_at(l, at) - x, row), 0, SAMPLE_COLUMNS)] += line_sign(l);
        }
        int winding = f->around;
        for (int cell = 0; cell < SAMPLE_COLUMNS; cell++) {
            winding += steps[cell];
            samples = samples_join(samples, samples_of(winding, 1, f->coverage.even_odd));
        }
    }
    return samples;
}

static uint pixel_level(const coverage_fixture *f, int x, int y)
{
    int64_t area = (int64_t)f->around * FULL_AREA;
    for (uint32_t i = 0; i < f->line_count; i++)
        area += area_of(f->run[1 + i].edge, x, y);
    int high = (int)(area >> 16);
    uint low = (uint)(area & 0xffff);
    if (pixel_has_meetings(f, x, y)) {
        pixel_samples samples = pixel_samples_of(f, x, y);
        if (samples_are_complex(samples))
            return coverage_level(coverage_area_of_samples(samples, high, low), false);
    }
    return coverage_level_of_parts(high, low, f->coverage.even_odd);
}

static void expect_levels(const coverage_fixture *f, const char *name)
{
    const cpu_coverage *coverage = &f->coverage;
    for (int y = 0; y < coverage->height; y++) {
        for (int x = 0; x < coverage->width; x++) {
            uint wanted = pixel_level(f, coverage->left + x * SUBPIXELS, coverage->top + y * SUBPIXELS);
            uint found = f->levels[(size_t)y * STRIDE_MOST + (size_t)x];
            if (found != wanted) {
                fail_msg("%s: pixel %d, %d of %d x %d: %u, not %u", name, x, y, coverage->width, coverage->height,
                         found, wanted);
            }
        }
    }
}

static void expect_zero(const coverage_fixture *f)
{
    for (size_t i = 0; i < sizeof f->rows / sizeof f->rows[0]; i++)
        assert_int_equal(f->rows[i], 0);
    for (size_t i = 0; i < sizeof f->touched / sizeof f->touched[0]; i++)
        assert_int_equal(f->touched[i], 0);
    for (size_t i = 0; i < sizeof f->meetings / sizeof f->meetings[0]; i++)
        assert_int_equal(f->meetings[i], 0);
}

static void add_lines(const cpu_kernels *kernels, const coverage_fixture *f)
{
    const cpu_slot *head = f->run;
    kernels->add_edges(&f->coverage, &f->run[1].edge, f->line_count);
    kernels->sample_meetings(&f->coverage, &head, 1);
}

/* Returns how many sets this machine has. */
static uint expect_levels_of_all_sets(coverage_fixture *f)
{
    bool end = false;
    uint sets = 0;
    for (uint set = 0; !end; set++) {
        const cpu_kernels *kernels = cpu_kernels_at(set, &end);
        if (!kernels)
            continue;
        add_lines(kernels, f);
        kernels->find_levels(&f->coverage, f->levels, STRIDE_MOST);
        expect_levels(f, kernels->name);
        expect_zero(f);
        sets++;
    }
    return sets;
}

static void levels_are_those_of_the_closed_form(void **state)
{
    (void)state;
    coverage_fixture *f = calloc(1, sizeof *f);
    uint64_t seed = 5;
    for (int round = 0; round < 600; round++) {
        make_coverage(f, &seed);
        make_lines(f, &seed, LINES);
        expect_levels_of_all_sets(f);
    }
    free(f);
}

static void chains_are_simple(void **state)
{
    (void)state;
    coverage_fixture *f = calloc(1, sizeof *f);
    uint64_t seed = 17;
    for (int round = 0; round < 4000; round++) {
        make_coverage(f, &seed);
        set_width(&f->coverage, random_in(&seed, 1, 4));
        f->coverage.height = random_in(&seed, 1, 4);
        make_chains(f, &seed);
        expect_levels_of_all_sets(f);
        merge_left(f, random_in(&seed, 0, 1) * SUBPIXELS);
        expect_levels_of_all_sets(f);
    }
    free(f);
}

/* Makes a saw whose teeth meet in pixels, and a second one that leads back beside it. They run along x or y, from the
 * left of the coverage into it. */
static void make_saws(coverage_fixture *f, bool along_y)
{
    const int length = HEIGHT * SUBPIXELS / (int)(LINES / 2), gap = 3 * SUBPIXELS;
    int places[LINES + 1][2];
    for (int i = 0; i < (int)LINES; i++) {
        const bool is_back = i >= (int)LINES / 2;
        const int step = is_back ? (int)LINES - 1 - i : i;
        const int along = step * length - (along_y ? 0 : gap);
        const int across = step % 2 * SUBPIXELS / 2 + (is_back ? gap : 0) + (along_y ? step * length / 2 - gap : 0);
        places[i][0] = f->coverage.left + (along_y ? across : along);
        places[i][1] = f->coverage.top + (along_y ? along : across);
    }
    memcpy(places[LINES], places[0], sizeof places[0]);
    for (uint i = 0; i < LINES; i++)
        f->run[1 + i].edge = (cpu_edge){places[i][0], places[i][1], places[i + 1][0], places[i + 1][1]};
    f->line_count = LINES;
    f->run[0].head = run_head_of(f->line_count);
}

/* Also where the left of the coverage is merged, the saws are known to be chains. So nothing is sampled but a pixel
 * where the saws turn, of two lines, by each set of kernels. */
static void merged_chains_are_not_sampled(void **state)
{
    (void)state;
    coverage_fixture *f = calloc(1, sizeof *f);
    for (int along_y = 0; along_y < 2; along_y++) {
        uint64_t seed = 3;
        cpu_sampling sampling = {0};
        make_coverage(f, &seed);
        set_width(&f->coverage, HEIGHT);
        f->coverage.height = HEIGHT;
        f->coverage.sampling = &sampling;
        make_saws(f, along_y != 0);
        merge_left(f, 0);
        assert_in_range(f->line_count, 1, LINES - 1);
        const uint sets = expect_levels_of_all_sets(f);
        assert_in_range(sampling.touches, 0, 2 * sets);
        assert_int_equal(sampling.stepped_pixels, 0);
    }
    free(f);
}

/* Of what lies on the left, closed paths vanish, also those that leave the band, and the rest is one edge. */
static void one_edge_stands_for_the_left(void **state)
{
    (void)state;
    enum { LEFT = 9000, TOP = 2 * TILE_SUBPIXELS, ABOVE = TOP - 700, FAR_ABOVE = TOP - 900 };
    const cpu_edge edges[] = {
        {100, TOP + 10, 200, TOP + 90},    {200, TOP + 90, 300, ABOVE},       {500, FAR_ABOVE, 600, TOP + 10},
        {900, TOP + 300, 800, TOP + 500},  {800, TOP + 500, 700, TOP + 400},  {700, TOP + 400, 900, TOP + 300},
        {400, TOP + 600, 8999, TOP + 800}, {8999, TOP + 800, 700, TOP + 650},
    };
    const uint count = sizeof edges / sizeof edges[0];
    cpu_slot run[1 + sizeof edges / sizeof edges[0]] = {{.head = {.count = count}}};
    for (uint i = 0; i < count; i++)
        run[1 + i].edge = edges[i];
    band_run_enter_strip(run, (cpu_left_part){LEFT, TOP}, INT32_MAX);
    assert_int_equal(run[0].head.count, 1);
    assert_int_equal(run[1].edge.ay, TOP + 600);
    assert_int_equal(run[1].edge.by, TOP + 650);
    assert_in_range(run[1].edge.ax, 0, LEFT - 1);
}

/* Hundreds or thousands of lines touch each pixel: fewer and more than SAMPLED_MEETINGS lets through. */
static void crowded_pixels_are_sampled(void **state)
{
    (void)state;
    coverage_fixture *f = calloc(1, sizeof *f);
    uint64_t seed = 11;
    for (uint32_t lines = CROWD / 12; lines <= CROWD; lines += CROWD / 12) {
        make_coverage(f, &seed);
        set_width(&f->coverage, 2);
        f->coverage.height = 2;
        make_lines(f, &seed, lines);
        expect_levels_of_all_sets(f);
    }
    free(f);
}

/* So many lines touch the pixels of a row that steps are found, window by window. Some rows overflow the room for
 * touches. */
static void wide_crowded_rows_are_sampled(void **state)
{
    (void)state;
    coverage_fixture *f = calloc(1, sizeof *f);
    uint64_t seed = 13;
    for (int round = 0; round < 12; round++) {
        make_coverage(f, &seed);
        set_width(&f->coverage, 90 + round);
        f->coverage.even_odd = round % 2 != 0;
        make_lines(f, &seed, 40u << (1 + round % 4));
        expect_levels_of_all_sets(f);
    }
    free(f);
}

#define CROWD_AROUND 2500
#define RUNS_AROUND 28

/* Adds lines on the left of the coverage until they make its winding number, and then those of the run. */
static void add_lines_around(const cpu_kernels *kernels, const coverage_fixture *f, const cpu_slot *left)
{
    const cpu_slot *heads[RUNS_AROUND + 1];
    const uint runs = (uint)abs(f->around) / CROWD_AROUND;
    for (uint i = 0; i <= runs; i++) {
        heads[i] = i < runs ? left : f->run;
        kernels->add_edges(&f->coverage, &heads[i][1].edge, heads[i]->head.count);
        if (f->coverage.wide)
            i64_fold(&f->coverage);
    }
    kernels->sample_meetings(&f->coverage, heads, runs + 1);
}

static void find_levels_around(const cpu_kernels *kernels, coverage_fixture *f, const cpu_slot *left, int64_t *wide)
{
    f->coverage.wide = f->coverage.even_odd ? NULL : wide;
    if (f->coverage.wide)
        i64_begin(&f->coverage);
    add_lines_around(kernels, f, left);
    if (f->coverage.wide)
        i64_find_levels(&f->coverage, f->levels, STRIDE_MOST);
    else
        kernels->find_levels(&f->coverage, f->levels, STRIDE_MOST);
}

/* Steps are modulo 2^16, and are found however many lines there are: each row is walked once, in each window. */
static void far_windings_are_sampled(void **state)
{
    (void)state;
    coverage_fixture *f = calloc(1, sizeof *f);
    cpu_slot *left = calloc(1 + CROWD_AROUND + CPU_EDGES_READ, sizeof *left);
    int64_t *wide = calloc(HEIGHT * STRIDE_MOST, sizeof *wide);
    uint64_t seed = 23;
    for (int round = 0; round < 2 * (2 * RUNS_AROUND + 1); round++) {
        cpu_sampling sampling = {0};
        make_coverage(f, &seed);
        set_width(&f->coverage, 3);
        f->coverage.height = 2;
        f->coverage.even_odd = round % 2 != 0;
        f->coverage.sampling = &sampling;
        f->around = (round / 2 - RUNS_AROUND) * CROWD_AROUND;
        make_lines(f, &seed, CROWD / 12);
        const int top = f->coverage.top - SUBPIXELS, bottom = f->coverage.top + HEIGHT * SUBPIXELS;
        const int x = f->coverage.left - 3 * SUBPIXELS;
        left[0].head = run_head_of(CROWD_AROUND);
        for (uint i = 1; i <= CROWD_AROUND; i++)
            left[i].edge = f->around > 0 ? (cpu_edge){x, top, x, bottom} : (cpu_edge){x, bottom, x, top};
        bool end = false;
        for (uint set = 0; !end; set++) {
            const cpu_kernels *kernels = cpu_kernels_at(set, &end);
            if (!kernels)
                continue;
            sampling.walked_lines = 0;
            find_levels_around(kernels, f, left, wide);
            expect_levels(f, kernels->name);
            const uint64_t lines = (uint64_t)abs(f->around) + f->line_count;
            assert_in_range(sampling.walked_lines, 0, lines * (uint64_t)f->coverage.height);
        }
    }
    free(wide);
    free(left);
    free(f);
}

static uint color_of(uint64_t *state)
{
    uint a = random_word(state) % 3 == 0 ? 255 : random_word(state) & 255u;
    uint color = a << 24;
    for (uint i = 0; i < 3; i++)
        color |= random_word(state) % (a + 1) << (8 * i);
    return color;
}

/* Painting composites the colour, times the levels, onto each pixel. No pixel outside the coverage changes. */
static void paint_lays_the_color_over(void **state)
{
    (void)state;
    coverage_fixture *f = calloc(1, sizeof *f);
    uint32_t *before = calloc(HEIGHT * STRIDE_MOST, sizeof *before);
    uint32_t *after = calloc(HEIGHT * STRIDE_MOST, sizeof *after);
    uint64_t seed = 9;
    for (int round = 0; round < 500; round++) {
        make_coverage(f, &seed);
        make_lines(f, &seed, LINES);
        uint color = color_of(&seed);
        for (size_t i = 0; i < HEIGHT * STRIDE_MOST; i++)
            before[i] = color_of(&seed);
        bool end = false;
        for (uint set = 0; !end; set++) {
            const cpu_kernels *kernels = cpu_kernels_at(set, &end);
            if (!kernels)
                continue;
            memcpy(after, before, HEIGHT * STRIDE_MOST * sizeof *after);
            add_lines(kernels, f);
            kernels->find_levels(&f->coverage, f->levels, STRIDE_MOST);
            add_lines(kernels, f);
            kernels->paint(&f->coverage, NULL, color, after, STRIDE_MOST);
            for (int y = 0; y < HEIGHT; y++) {
                for (int x = 0; x < STRIDE_MOST; x++) {
                    size_t at = (size_t)y * STRIDE_MOST + (size_t)x;
                    bool inside = x < f->coverage.width && y < f->coverage.height;
                    uint wanted = inside ? color_over(color_scale(color, f->levels[at]), before[at]) : before[at];
                    assert_int_equal(after[at], wanted);
                }
            }
        }
    }
    free(before);
    free(after);
    free(f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(levels_are_those_of_the_closed_form), cmocka_unit_test(chains_are_simple),
        cmocka_unit_test(merged_chains_are_not_sampled),       cmocka_unit_test(one_edge_stands_for_the_left),
        cmocka_unit_test(crowded_pixels_are_sampled),          cmocka_unit_test(wide_crowded_rows_are_sampled),
        cmocka_unit_test(paint_lays_the_color_over),           cmocka_unit_test(far_windings_are_sampled),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
