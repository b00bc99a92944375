/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Shapes that share an edge are watertight: in every pixel their integer areas add up to the area of the whole that
 * they are parts of. */
#include "lib/coverage.h"
#include "render/frame/config.h"
#include "property/random_scene.h"
#include "scene/scene_fixture.h"
#include "render/reference/reference.h"

#define SIDE 80 /* pixels of the canvas */
#define MOST_POINTS 12

/* Twice the signed area of one element in every pixel, in subpixels squared. */
typedef struct areas {
    int64_t pixels[SIDE][SIDE];
} areas;

static void add_line(areas *sum, line l, int tile_x, int tile_y)
{
    int left = tile_x * TILE_SUBPIXELS, top = tile_y * TILE_SUBPIXELS;
    for (int y = int_max((l.y0 - top) / SUBPIXELS, 0); y < TILE_SIDE; y++) {
        coverage_row row = coverage_of_row(l, left, top, top + y * SUBPIXELS);
        for (int x = 0; x < TILE_SIDE; x++) {
            sum->pixels[tile_y * TILE_SIDE + y][tile_x * TILE_SIDE + x] +=
                row.left_area + coverage_of_pixel(l, row, left, x * SUBPIXELS);
        }
    }
}

static void add_winding(areas *sum, int first_tile, int end_tile, int tile_y, int winding)
{
    for (int y = tile_y * TILE_SIDE; y < (tile_y + 1) * TILE_SIDE; y++)
        for (int x = first_tile * TILE_SIDE; x < end_tile * TILE_SIDE; x++)
            sum->pixels[y][x] += (int64_t)winding * FULL_AREA;
}

/* Adds one tile_path. Its tile comes from its tile_lines and its backdrop. The tiles after it, up to the row's next
 * tile_path or the end of the box, come from the winding that its tile_lines leave there. */
static void add_tile_path(areas *sum, const reference_frame *frame, uint index)
{
    const tile_path *r = &frame->tile_paths[index];
    const visible_element *v = &frame->visible[r->visible];
    int winding = r->backdrop;
    for (uint i = r->first_tile_line; i < r->first_tile_line + r->tile_line_count; i++) {
        uint value = frame->sorted_values[i], step = value & 3u;
        winding += step == TILE_LINE_WINDING_UP ? 1 : step == TILE_LINE_WINDING_DOWN ? -1 : 0;
        if (r->x >= v->box.x0)
            add_line(sum, frame->lines[value >> TILE_LINE_SHIFT], r->x, r->y);
    }
    if (r->x >= v->box.x0)
        add_winding(sum, r->x, r->x + 1, r->y, r->backdrop);
    bool row_goes_on = index + 1 < frame->counters.tile_path_count &&
                       frame->tile_paths[index + 1].visible == r->visible && frame->tile_paths[index + 1].y == r->y;
    int next = row_goes_on ? frame->tile_paths[index + 1].x : v->box.x1;
    assert_int_equal(r->span_end, winding != 0 ? next : r->x + 1);
    add_winding(sum, r->x + 1, next, r->y, winding);
}

/* Finds the areas of each fill of a scene. */
static void find_areas(pietra_scene *scene, size_t count, areas *found)
{
    pietra_stream *stream = encode_and_destroy(scene);
    const pietra_target target = {.width = SIDE, .height = SIDE};
    reference_frame frame = {.stream = stream_view_of(stream_words(stream))};
    ASSERT_OK(config_of_frame(NULL, &target, error, &frame.config));
    static pietra_result (*const stages[])(reference_frame *, pietra_error *) = {
        reference_01_decode,  reference_02_clip,       reference_03_cull, reference_04_measure,
        reference_04_flatten, reference_05_tile_lines, reference_06_sort, reference_07_wind};
    for (size_t i = 0; i < sizeof stages / sizeof stages[0]; i++)
        ASSERT_OK(stages[i](&frame, error));
    memset(found, 0, count * sizeof *found);
    for (uint i = 0; i < frame.counters.tile_path_count; i++) {
        uint element = frame.visible[frame.tile_paths[i].visible].element;
        assert_true(element < count);
        add_tile_path(&found[element], &frame, i);
    }
    reference_frame_free(&frame);
    pietra_stream_destroy(stream);
}

/* An edge to a point, which is a line or a curve with these control points. */
typedef struct piece {
    int order;
    double x1, y1, x2, y2, x, y;
} piece;

static double coordinate(random_source *source)
{
    switch (random_below(source, 8)) {
    case 0:
        return (double)random_below(source, SIDE + 1); /* on borders of pixels */
    case 1:
        return (double)random_below(source, SIDE / 16 + 1) * 16; /* on borders of tiles */
    case 2:
        return random_between(source, -3 * SIDE, 4 * SIDE);
    default:
        return random_between(source, -10, SIDE + 10);
    }
}

static piece piece_to(random_source *source, double x, double y)
{
    piece made = {.order = random_below(source, 2) ? 1 : 1 + (int)random_below(source, 3), .x = x, .y = y};
    made.x1 = coordinate(source);
    made.y1 = coordinate(source);
    made.x2 = coordinate(source);
    made.y2 = coordinate(source);
    return made;
}

static void draw_piece(pietra_path *path, piece p)
{
    if (p.order == 1)
        pietra_path_line_to(path, p.x, p.y);
    else if (p.order == 2)
        pietra_path_quad_to(path, p.x1, p.y1, p.x, p.y);
    else
        pietra_path_cubic_to(path, p.x1, p.y1, p.x2, p.y2, p.x, p.y);
}

/* Draws the same edge in reverse, back to (x, y). */
static void draw_piece_back(pietra_path *path, piece p, double x, double y)
{
    piece back = {p.order, p.order == 3 ? p.x2 : p.x1, p.order == 3 ? p.y2 : p.y1, p.x1, p.y1, x, y};
    draw_piece(path, back);
}

/* A chain of edges from a point. */
typedef struct chain {
    double x, y;
    piece pieces[MOST_POINTS];
    size_t count;
} chain;

static chain random_chain(random_source *source, double x, double y, double end_x, double end_y, size_t count)
{
    chain made = {.x = x, .y = y, .count = count};
    for (size_t i = 0; i < count; i++) {
        bool last = i + 1 == count;
        double to_x = last ? end_x : coordinate(source), to_y = last ? end_y : coordinate(source);
        made.pieces[i] = piece_to(source, to_x, to_y);
    }
    return made;
}

static void draw_chain(pietra_path *path, const chain *c)
{
    for (size_t i = 0; i < c->count; i++)
        draw_piece(path, c->pieces[i]);
}

static void draw_chain_back(pietra_path *path, const chain *c)
{
    for (size_t i = c->count; i-- > 0;)
        draw_piece_back(path, c->pieces[i], i > 0 ? c->pieces[i - 1].x : c->x, i > 0 ? c->pieces[i - 1].y : c->y);
}

static void fill_and_reset(pietra_scene *scene, pietra_path *path)
{
    pietra_path_close(path);
    ASSERT_OK(pietra_scene_fill(scene, path, NULL, PIETRA_FILL_NONZERO, &HALF, error));
    pietra_path_reset(path);
}

/* A shape of two chains between two points is cut along a third chain. The chains have any form. The parts add up to
 * the whole. */
static void test_parts_sum_to_the_whole(void **state)
{
    (void)state;
    static areas found[3];
    size_t cut_pixels = 0;
    for (uint64_t seed = 0; seed < 400; seed++) {
        random_source source = random_start(seed);
        double x = coordinate(&source), y = coordinate(&source), end_x = coordinate(&source),
               end_y = coordinate(&source);
        chain first = random_chain(&source, x, y, end_x, end_y, 1 + random_below(&source, MOST_POINTS));
        chain second = random_chain(&source, x, y, end_x, end_y, 1 + random_below(&source, MOST_POINTS));
        chain cut = random_chain(&source, x, y, end_x, end_y, 1 + random_below(&source, MOST_POINTS));
        pietra_scene *scene = new_scene();
        pietra_path *path = pietra_path_create();
        const chain *const shapes[3][2] = {{&first, &second}, {&first, &cut}, {&cut, &second}};
        for (size_t i = 0; i < 3; i++) {
            pietra_path_move_to(path, x, y);
            draw_chain(path, shapes[i][0]);
            draw_chain_back(path, shapes[i][1]);
            fill_and_reset(scene, path);
        }
        pietra_path_destroy(path);
        find_areas(scene, 3, found);
        for (int i = 0; i < SIDE * SIDE; i++) {
            int64_t whole = found[0].pixels[i / SIDE][i % SIDE],
                    parts = found[1].pixels[i / SIDE][i % SIDE] + found[2].pixels[i / SIDE][i % SIDE];
            cut_pixels += parts != 0 && found[1].pixels[i / SIDE][i % SIDE] % FULL_AREA != 0;
            if (whole != parts) {
                fail_msg("seed %u: pixel (%d, %d) has %lld of %lld", (unsigned)seed, i % SIDE, i / SIDE,
                         (long long)parts, (long long)whole);
            }
        }
    }
    assert_true(cut_pixels > 100000);
}

/* Random edges from one side to another cut the canvas: the parts cover each pixel in full, to the last unit. */
static void test_parts_cover_in_full(void **state)
{
    (void)state;
    static areas found[2];
    for (uint64_t seed = 0; seed < 400; seed++) {
        random_source source = random_start(~seed);
        double top = random_between(&source, 0, SIDE), bottom = random_between(&source, 0, SIDE);
        chain cut = random_chain(&source, top, 0, bottom, SIDE, 1 + random_below(&source, MOST_POINTS));
        pietra_scene *scene = new_scene();
        pietra_path *path = pietra_path_create();
        pietra_path_move_to(path, 0, 0);
        pietra_path_line_to(path, top, 0);
        draw_chain(path, &cut);
        pietra_path_line_to(path, 0, SIDE);
        fill_and_reset(scene, path);
        pietra_path_move_to(path, bottom, SIDE);
        draw_chain_back(path, &cut);
        pietra_path_line_to(path, SIDE, 0);
        pietra_path_line_to(path, SIDE, SIDE);
        fill_and_reset(scene, path);
        pietra_path_destroy(path);
        find_areas(scene, 2, found);
        for (int i = 0; i < SIDE * SIDE; i++) {
            int64_t sum = found[0].pixels[i / SIDE][i % SIDE] + found[1].pixels[i / SIDE][i % SIDE];
            /* Both parts run clockwise, which counts below 0. */
            if (-sum != FULL_AREA) {
                fail_msg("seed %u: pixel (%d, %d) has %lld of %d", (unsigned)seed, i % SIDE, i / SIDE, (long long)-sum,
                         FULL_AREA);
            }
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_parts_sum_to_the_whole),
        cmocka_unit_test(test_parts_cover_in_full),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
