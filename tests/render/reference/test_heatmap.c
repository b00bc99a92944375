/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Heat maps: counts that are known by hand, the same on every device, and a picture that shows them. */
#include <math.h>

#include "pietra/pietra_explain.h"
#include "property/random_scene.h"
#include "render/open_device.h"

#define KINDS 4u
#define LEGEND_WIDTH 360u

static pietra_stream *stream_of(const char *document)
{
    pietra_error error;
    pietra_scene *scene = pietra_scene_create();
    const pietra_svg_options options = {.threads = 1};
    assert_non_null(scene);
    if (pietra_scene_load_svg(scene, document, strlen(document), &options, &error, NULL, NULL) != PIETRA_OK)
        fail_msg("%s", error.message);
    return encode_and_destroy(scene);
}

static pietra_heatmap count(pietra_device *device, const pietra_stream *stream, uint32_t width, uint32_t height,
                            pietra_heatmap_kind kind, uint32_t *counts)
{
    pietra_error error;
    pietra_heatmap map;
    if (pietra_heatmap_count(device, stream, NULL, width, height, kind, &error, counts, &map) != PIETRA_OK)
        fail_msg("%s", error.message);
    assert_int_equal(map.kind, kind);
    assert_int_equal(map.columns, (width + 15) / 16);
    assert_int_equal(map.rows, (height + 15) / 16);
    assert_ptr_equal(map.counts, counts);
    return map;
}

/* ---- Counts that are known ---- */

static void check(const char *document, pietra_heatmap_kind kind, const uint32_t expected[9], uint64_t in_none)
{
    static const pietra_device_kind devices[] = {PIETRA_DEVICE_CPU, PIETRA_DEVICE_REFERENCE};
    pietra_stream *stream = stream_of(document);
    for (size_t i = 0; i < sizeof devices / sizeof devices[0]; i++) {
        uint32_t counts[9], most = 0, sum = 0;
        pietra_device *device = open_device(devices[i], 2, 0);
        pietra_heatmap map = count(device, stream, 40, 45, kind, counts);
        for (int tile = 0; tile < 9; tile++) {
            if (counts[tile] != expected[tile])
                fail_msg("%s: %u in tile %d, not %u", pietra_heatmap_name(kind), counts[tile], tile, expected[tile]);
            most = expected[tile] > most ? expected[tile] : most;
            sum += kind == PIETRA_HEATMAP_LAYERS ? 0 : expected[tile];
        }
        assert_int_equal(map.most, most);
        assert_int_equal(map.sum, sum);
        assert_int_equal(map.in_none, in_none);
        pietra_device_destroy(device);
    }
    pietra_stream_destroy(stream);
}

#define DOCUMENT(content) "<svg xmlns='http://www.w3.org/2000/svg' width='40' height='45'>" content "</svg>"

/* A square from 8,8 to 24,24 has a corner in each of four tiles, so each of them has a part of two of its lines. */
static void test_a_square(void **state)
{
    (void)state;
    const char *square = DOCUMENT("<path d='M8 8H24V24H8z'/>");
    check(square, PIETRA_HEATMAP_LINES, (uint32_t[9]){2, 1, 0, 1, 0, 0, 0, 0, 0}, 0);
    check(square, PIETRA_HEATMAP_TILE_LINES, (uint32_t[9]){2, 2, 0, 2, 2, 0, 0, 0, 0}, 0);
    check(square, PIETRA_HEATMAP_TILE_COMMANDS, (uint32_t[9]){1, 1, 0, 1, 1, 0, 0, 0, 0}, 0);
    check(square, PIETRA_HEATMAP_LAYERS, (uint32_t[9]){0}, 0);
}

/* Of a square that is partly left of the picture, the left side has a tile_line in no tile, where it crosses the border
 * of two rows. */
static void test_what_lies_in_no_tile(void **state)
{
    (void)state;
    const char *square = DOCUMENT("<path d='M-40 8H24V24H-40z'/>");
    check(square, PIETRA_HEATMAP_LINES, (uint32_t[9]){0, 1, 0, 0, 0, 0, 0, 0, 0}, 3);
    check(square, PIETRA_HEATMAP_TILE_LINES, (uint32_t[9]){1, 2, 0, 1, 2, 0, 0, 0, 0}, 1);
}

/* The red square covers four tiles in full, and hides what the first one has there; that still has lines. The left side
 * of the red one crosses three borders of rows, left of the picture. */
static void test_hidden_elements_are_no_commands(void **state)
{
    (void)state;
    const char *squares = DOCUMENT("<path d='M4 4H36V36H4z'/><path d='M-8 -8H34V34H-8z' fill='red'/>");
    check(squares, PIETRA_HEATMAP_TILE_COMMANDS, (uint32_t[9]){1, 1, 2, 1, 1, 2, 2, 2, 2}, 0);
    check(squares, PIETRA_HEATMAP_TILE_LINES, (uint32_t[9]){2, 1, 3, 1, 0, 2, 3, 2, 4}, 3);
}

/* Two groups of two overlapping squares each; the inner one is open in the outer one, which begins, holds a square and
 * the inner one. */
static void test_layers(void **state)
{
    (void)state;
    const char *groups = DOCUMENT("<g opacity='.5'><path d='M2 2H14V14H2z'/><g opacity='.5'><path d='M18 2H30V14H18z'/>"
                                  "<path d='M20 4H28V12H20z'/></g></g>");
    check(groups, PIETRA_HEATMAP_LAYERS, (uint32_t[9]){1, 2, 0, 0, 0, 0, 0, 0, 0}, 0);
    check(groups, PIETRA_HEATMAP_TILE_COMMANDS, (uint32_t[9]){2, 4, 0, 0, 0, 0, 0, 0, 0}, 0);
}

/* ---- Devices, budgets and totals ---- */

#define SIDE 300u
#define TILES (19u * 19u)

static uint64_t total_of(const pietra_stats *stats, pietra_heatmap_kind kind)
{
    return kind == PIETRA_HEATMAP_LINES        ? stats->lines
           : kind == PIETRA_HEATMAP_TILE_LINES ? stats->tile_lines
                                               : stats->tile_commands;
}

/* Adds up to what the reference says of the frame, and to the counts of the CPU device. */
static void test_totals(void **state)
{
    (void)state;
    static uint8_t pixels[4 * SIDE * SIDE];
    static uint32_t counts[TILES], others[TILES];
    pietra_device *reference = open_device(PIETRA_DEVICE_REFERENCE, 2, 0), *cpu = open_device(PIETRA_DEVICE_CPU, 2, 0);
    const pietra_target target = {.width = SIDE, .height = SIDE, .pixels = pixels};
    uint64_t in_none = 0;
    for (uint64_t seed = 1; seed <= 8; seed++) {
        pietra_error error;
        pietra_stats stats;
        pietra_stream *stream = encode_and_destroy(random_scene_create(seed, RANDOM_ANYTHING, SIDE));
        if (pietra_render(reference, stream, NULL, &target, &error, &stats) != PIETRA_OK)
            fail_msg("%s", error.message);
        assert_int_equal(stats.parts, 1);
        for (unsigned kind = 0; kind < KINDS; kind++) {
            const pietra_heatmap map = count(reference, stream, SIDE, SIDE, (pietra_heatmap_kind)kind, counts);
            const pietra_heatmap other = count(cpu, stream, SIDE, SIDE, (pietra_heatmap_kind)kind, others);
            if (kind != PIETRA_HEATMAP_LAYERS)
                assert_int_equal(map.sum + map.in_none, total_of(&stats, (pietra_heatmap_kind)kind));
            assert_memory_equal(counts, others, sizeof counts);
            assert_int_equal(map.in_none, other.in_none);
            in_none += map.in_none;
        }
        pietra_stream_destroy(stream);
    }
    assert_true(in_none > 0);
    pietra_device_destroy(reference);
    pietra_device_destroy(cpu);
}

/* Commands and layers of a tile do not depend on the parts in which a frame is counted. */
static void test_parts(void **state)
{
    (void)state;
    static uint32_t counts[TILES], others[TILES];
    pietra_device *whole = open_device(PIETRA_DEVICE_CPU, 2, 0), *parts = open_device(PIETRA_DEVICE_CPU, 2, 40000);
    pietra_stream *stream = encode_and_destroy(random_scene_create(3, RANDOM_ANYTHING, SIDE));
    for (unsigned kind = 0; kind < KINDS; kind++) {
        const pietra_heatmap map = count(whole, stream, SIDE, SIDE, (pietra_heatmap_kind)kind, counts);
        const pietra_heatmap cut = count(parts, stream, SIDE, SIDE, (pietra_heatmap_kind)kind, others);
        if (kind >= PIETRA_HEATMAP_TILE_COMMANDS)
            assert_memory_equal(counts, others, sizeof counts);
        else
            assert_true(kind == PIETRA_HEATMAP_TILE_LINES || cut.in_none > map.in_none); /* so it was cut */
        for (size_t i = 0; i < TILES; i++)
            assert_true(others[i] <= counts[i]);
    }
    pietra_stream_destroy(stream);
    pietra_device_destroy(whole);
    pietra_device_destroy(parts);
}

/* A region has the counts of its tiles. */
static void test_regions(void **state)
{
    (void)state;
    static uint32_t counts[TILES], part[4 * 3];
    pietra_device *device = open_device(PIETRA_DEVICE_CPU, 2, 0);
    pietra_stream *stream = encode_and_destroy(random_scene_create(3, RANDOM_ANYTHING, SIDE));
    const pietra_frame frame = {.region = {.x = 80, .y = 48, .picture_width = SIDE, .picture_height = SIDE}};
    pietra_heatmap map;
    pietra_error error;
    count(device, stream, SIDE, SIDE, PIETRA_HEATMAP_TILE_COMMANDS, counts);
    if (pietra_heatmap_count(device, stream, &frame, 64, 48, PIETRA_HEATMAP_TILE_COMMANDS, &error, part, &map) !=
        PIETRA_OK)
        fail_msg("%s", error.message);
    assert_int_equal(map.columns, 4);
    assert_int_equal(map.rows, 3);
    for (uint32_t y = 0; y < 3; y++)
        for (uint32_t x = 0; x < 4; x++)
            assert_int_equal(part[4 * y + x], counts[19 * (y + 3) + x + 5]);
    pietra_stream_destroy(stream);
    pietra_device_destroy(device);
}

/* ---- Colours ---- */

static double luminance(const uint8_t color[4])
{
    double linear[3];
    for (int i = 0; i < 3; i++)
        linear[i] = color[i] <= 10 ? color[i] / 255.0 / 12.92 : pow((color[i] / 255.0 + 0.055) / 1.055, 2.4);
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2];
}

/* Larger counts are lighter. Red light weighs next to nothing for the eyes of protanopes, and the order holds for them
 * too. */
static void test_colors(void **state)
{
    (void)state;
    uint8_t color[4], before[4];
    pietra_heatmap_color(0, 1000000, before);
    assert_memory_equal(before, ((uint8_t[4]){0, 0, 63, 255}), 4);
    for (uint32_t number = 1; number <= 1000000; number *= 2) {
        pietra_heatmap_color(number, 1000000, color);
        assert_true(luminance(color) > luminance(before));
        assert_true(color[1] > before[1] || (color[1] == before[1] && color[2] > before[2]));
        assert_int_equal(color[3], 255);
        memcpy(before, color, sizeof before);
    }
    pietra_heatmap_color(1000000, 1000000, color);
    assert_memory_equal(color, ((uint8_t[4]){255, 255, 31, 255}), 4);
    pietra_heatmap_color(UINT32_MAX, 1, color);
    assert_memory_equal(color, ((uint8_t[4]){255, 255, 31, 255}), 4);
    pietra_heatmap_color(UINT32_MAX, 0, color);
    assert_memory_equal(color, ((uint8_t[4]){0, 0, 63, 255}), 4);
    pietra_heatmap_color(1, 3, color); /* half of the way: log2(2) / log2(4) */
    assert_memory_equal(color, ((uint8_t[4]){191, 64, 135, 255}), 4);
    pietra_heatmap_color(1, 3, NULL);
}

/* ---- The picture ---- */

typedef struct drawn {
    uint8_t *pixels;
    uint32_t width, height;
} drawn;

static drawn draw(const pietra_heatmap *map)
{
    drawn drawn;
    pietra_error error;
    pietra_scene *scene;
    pietra_device *device = open_device(PIETRA_DEVICE_CPU, 2, 0);
    if (pietra_heatmap_scene(map, &error, &scene, &drawn.width, &drawn.height) != PIETRA_OK)
        fail_msg("%s", error.message);
    pietra_stream *stream = encode_and_destroy(scene);
    drawn.pixels = malloc(4 * (size_t)drawn.width * drawn.height);
    assert_non_null(drawn.pixels);
    const pietra_target target = {.width = drawn.width, .height = drawn.height, .pixels = drawn.pixels};
    if (pietra_render(device, stream, NULL, &target, &error, NULL) != PIETRA_OK)
        fail_msg("%s", error.message);
    pietra_stream_destroy(stream);
    pietra_device_destroy(device);
    return drawn;
}

static const uint8_t *pixel(const drawn *drawn, uint32_t x, uint32_t y)
{
    assert_true(x < drawn->width && y < drawn->height);
    return drawn->pixels + 4 * ((size_t)y * drawn->width + x);
}

static pietra_heatmap map_of(uint32_t width, uint32_t height, uint32_t *counts, uint32_t most)
{
    const uint32_t columns = (width + 15) / 16, rows = (height + 15) / 16;
    for (uint32_t i = 0; i < columns * rows; i++)
        counts[i] = (uint32_t)(i * 7 % ((uint64_t)most + 1));
    return (pietra_heatmap){.kind = PIETRA_HEATMAP_TILE_LINES,
                            .width = width,
                            .height = height,
                            .columns = columns,
                            .rows = rows,
                            .counts = counts,
                            .most = most};
}

/* Each pixel of the map has the colour of its tile, to the picture's edge. */
static void check_map(uint32_t width, uint32_t height, uint32_t most, uint32_t tile_side)
{
    uint32_t *counts = malloc(sizeof *counts * (size_t)((width + 15) / 16) * ((height + 15) / 16));
    assert_non_null(counts);
    const pietra_heatmap map = map_of(width, height, counts, most);
    drawn picture = draw(&map);
    const uint32_t map_width = (width * tile_side + 15) / 16, map_height = (height * tile_side + 15) / 16;
    assert_int_equal(picture.width, map_width > LEGEND_WIDTH ? map_width : LEGEND_WIDTH);
    assert_true(picture.height >= map_height + 112);
    for (uint32_t y = 0; y < map_height; y++) {
        for (uint32_t x = 0; x < picture.width; x++) {
            uint8_t expected[4] = {0, 0, 0, 0};
            if (x < map_width)
                pietra_heatmap_color(counts[y / tile_side * map.columns + x / tile_side], most, expected);
            if (memcmp(pixel(&picture, x, y), expected, 4) != 0)
                fail_msg("%u x %u: the colour of %u, %u is wrong", width, height, x, y);
        }
    }
    for (uint32_t y = map_height; y < picture.height; y++)
        for (uint32_t x = 0; x < picture.width; x++)
            assert_int_equal(pixel(&picture, x, y)[3], 255);
    free(picture.pixels);
    free(counts);
}

static void test_pictures_of_all_sizes(void **state)
{
    (void)state;
    check_map(1, 1, 0, 16);
    check_map(1, 1, UINT32_MAX, 16);
    check_map(100, 50, 3, 16);
    check_map(700, 40, 12345, 16);
    check_map(4096, 30, 900, 16);
    check_map(4097, 30, 900, 8);
    check_map(32768, 17, 900, 2);
    check_map(5, 32768, 4, 2);
}

/* The scale has the colour of each count above its number, so its ends are those of 0 and of the most. */
static void test_the_scale(void **state)
{
    (void)state;
    uint32_t counts[4];
    uint8_t least[4], most[4];
    const pietra_heatmap map = map_of(32, 32, counts, 100);
    drawn picture = draw(&map);
    pietra_heatmap_color(0, 100, least);
    pietra_heatmap_color(100, 100, most);
    assert_memory_equal(pixel(&picture, 14, 32 + 64), least, 4);
    assert_memory_equal(pixel(&picture, LEGEND_WIDTH - 15, 32 + 64), most, 4);
    assert_memory_not_equal(pixel(&picture, 13, 32 + 64), least, 4);
    uint8_t color[4];
    pietra_heatmap_color(10, 100, color); /* between 8 and 16 the logarithm is linear */
    const double place = (3 + 3.0 / 8) / (6 + 37.0 / 64);
    const uint8_t *found = pixel(&picture, (uint32_t)(14 + (LEGEND_WIDTH - 28) * place), 32 + 64);
    for (int i = 0; i < 4; i++)
        assert_true(abs(found[i] - color[i]) <= 2);
    free(picture.pixels);
}

/* ---- Arguments ---- */

static void test_arguments(void **state)
{
    (void)state;
    uint32_t counts[9], width = 7, height = 7;
    pietra_error error;
    pietra_heatmap map = {.most = 77};
    pietra_scene *scene = NULL;
    pietra_device *device = open_device(PIETRA_DEVICE_CPU, 2, 0);
    pietra_stream *stream = stream_of(DOCUMENT("<path d='M8 8H24V24H8z'/>"));
    const pietra_heatmap_kind wrong = (pietra_heatmap_kind)KINDS;
    assert_null(pietra_heatmap_name(wrong));
    assert_string_equal(pietra_heatmap_name(PIETRA_HEATMAP_TILE_COMMANDS), "tile_commands");
    assert_int_equal(pietra_heatmap_count(NULL, stream, NULL, 9, 9, 0, &error, counts, &map), PIETRA_ERROR_INPUT);
    assert_int_equal(pietra_heatmap_count(device, NULL, NULL, 9, 9, 0, &error, counts, &map), PIETRA_ERROR_INPUT);
    assert_int_equal(pietra_heatmap_count(device, stream, NULL, 9, 9, 0, &error, NULL, &map), PIETRA_ERROR_INPUT);
    assert_int_equal(pietra_heatmap_count(device, stream, NULL, 9, 9, 0, &error, counts, NULL), PIETRA_ERROR_INPUT);
    assert_int_equal(pietra_heatmap_count(device, stream, NULL, 0, 9, 0, &error, counts, &map), PIETRA_ERROR_INPUT);
    assert_int_equal(pietra_heatmap_count(device, stream, NULL, 9, 32769, 0, &error, counts, &map), PIETRA_ERROR_INPUT);
    assert_int_equal(pietra_heatmap_count(device, stream, NULL, 9, 9, wrong, &error, counts, &map), PIETRA_ERROR_INPUT);
    assert_string_equal(error.message, "a heat map's kind is 4; it must be 0 to 3");
    pietra_canceller *canceller;
    assert_int_equal(pietra_canceller_create(NULL, &canceller), PIETRA_OK);
    pietra_canceller_cancel(canceller);
    const pietra_frame frame = {.canceller = canceller};
    assert_int_equal(pietra_heatmap_count(device, stream, &frame, 9, 9, 0, NULL, counts, &map), PIETRA_CANCELLED);
    pietra_canceller_destroy(canceller);
    assert_int_equal(map.most, 77);

    map = map_of(40, 45, counts, 3);
    assert_int_equal(pietra_heatmap_scene(NULL, &error, &scene, &width, &height), PIETRA_ERROR_INPUT);
    assert_int_equal(pietra_heatmap_scene(&map, &error, NULL, &width, &height), PIETRA_ERROR_INPUT);
    assert_int_equal(pietra_heatmap_scene(&map, &error, &scene, NULL, &height), PIETRA_ERROR_INPUT);
    assert_int_equal(pietra_heatmap_scene(&map, &error, &scene, &width, NULL), PIETRA_ERROR_INPUT);
    pietra_heatmap bad = map;
    bad.columns = 4;
    assert_int_equal(pietra_heatmap_scene(&bad, &error, &scene, &width, &height), PIETRA_ERROR_INPUT);
    bad = map;
    bad.counts = NULL;
    assert_int_equal(pietra_heatmap_scene(&bad, &error, &scene, &width, &height), PIETRA_ERROR_INPUT);
    bad = map;
    bad.kind = wrong;
    assert_int_equal(pietra_heatmap_scene(&bad, &error, &scene, &width, &height), PIETRA_ERROR_INPUT);
    assert_null(scene);
    assert_int_equal(width, 7);
    pietra_stream_destroy(stream);
    pietra_device_destroy(device);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_square),
        cmocka_unit_test(test_what_lies_in_no_tile),
        cmocka_unit_test(test_hidden_elements_are_no_commands),
        cmocka_unit_test(test_layers),
        cmocka_unit_test(test_totals),
        cmocka_unit_test(test_parts),
        cmocka_unit_test(test_regions),
        cmocka_unit_test(test_colors),
        cmocka_unit_test(test_pictures_of_all_sizes),
        cmocka_unit_test(test_the_scale),
        cmocka_unit_test(test_arguments),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
