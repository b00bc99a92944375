/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Pyramids of tiles: their levels, blocks, names and refusals. */
#include "pietra/pietra_pyramid.h"

#include <math.h>

#include "scene/scene_fixture.h"

static pietra_pyramid_level level_of(const pietra_pyramid *pyramid, uint32_t level)
{
    pietra_pyramid_level found = {0};

    ASSERT_OK(pietra_pyramid_find_level(pyramid, level, error, &found));
    return found;
}

static void test_levels_of_maps(void **state)
{
    (void)state;
    const pietra_pyramid pyramid = {.width = 30, .height = 20, .last_level = 5};
    uint64_t tiles = 0, sum = 0;

    for (uint32_t i = 0; i <= 5; i++) {
        const pietra_pyramid_level level = level_of(&pyramid, i);
        assert_int_equal(level.width, 256u << i);
        assert_int_equal(level.height, (uint32_t)floor((256u << i) * 20 / 30.0 + 0.5));
        assert_int_equal(level.columns, 1u << i);
        assert_int_equal(level.rows, (level.height + 255) / 256);
        assert_true(level.scale == (256u << i) / 30.0);
        sum += (uint64_t)level.columns * level.rows;
    }
    ASSERT_OK(pietra_pyramid_count(&pyramid, error, &tiles));
    assert_int_equal(tiles, sum);
}

static void test_levels_of_deep_zoom(void **state)
{
    (void)state;
    const pietra_pyramid pyramid = {
        .width = 7, .height = 90, .layout = PIETRA_PYRAMID_DZI, .tile = 128, .last_level = 12};
    uint32_t width = 319; /* 4096 * 7 / 90, rounded */

    for (uint32_t i = 12; i < 13; i--) {
        const pietra_pyramid_level level = level_of(&pyramid, i);
        assert_int_equal(level.height, 1u << i);
        assert_int_equal(level.width, width);
        assert_true(level.scale == (1u << i) / 90.0);
        width = (width + 1) / 2;
    }
}

/* Blocks hold each tile of a level once, and lie within pictures of at most PIETRA_MAX_SIDE pixels. */
static void check_blocks(const pietra_pyramid *pyramid, uint32_t number)
{
    const pietra_pyramid_level level = level_of(pyramid, number);
    const uint32_t tile = pyramid->tile, count = level.block_columns * level.block_rows;
    uint64_t tiles = 0, pixels = 0;

    for (uint32_t i = 0; i < count; i++) {
        pietra_pyramid_block block = {0};
        ASSERT_OK(pietra_pyramid_find_block(pyramid, number, i, error, &block));
        const double x = block.region.x - block.transform.e, y = block.region.y - block.transform.f;
        assert_true(x == (double)block.column * tile && y == (double)block.row * tile);
        assert_true(x == i % level.block_columns * (double)PIETRA_PYRAMID_BLOCK);
        assert_true(y == i / level.block_columns * (double)PIETRA_PYRAMID_BLOCK);
        assert_true(block.region.x + block.width <= block.region.picture_width);
        assert_true(block.region.y + block.height <= block.region.picture_height);
        assert_true(block.region.picture_width <= PIETRA_MAX_SIDE && block.region.picture_height <= PIETRA_MAX_SIDE);
        assert_int_equal(block.columns, (block.full_width + tile - 1) / tile);
        assert_int_equal(block.rows, (block.full_height + tile - 1) / tile);
        assert_true(block.width <= block.full_width && block.full_width <= PIETRA_PYRAMID_BLOCK);
        assert_true(block.height <= block.full_height && block.full_height <= PIETRA_PYRAMID_BLOCK);
        if (pyramid->layout == PIETRA_PYRAMID_DZI)
            assert_true(block.width == block.full_width && block.height == block.full_height);
        tiles += (uint64_t)block.columns * block.rows;
        pixels += (uint64_t)block.width * block.height;
    }
    assert_int_equal(tiles, (uint64_t)level.columns * level.rows);
    assert_int_equal(pixels, (uint64_t)level.width * level.height);
}

static void test_blocks(void **state)
{
    (void)state;
    static const uint32_t sides[] = {64, 256, 4096};

    for (size_t i = 0; i < sizeof sides / sizeof sides[0]; i++) {
        for (uint32_t width = 1; width < 1000; width = width * 3 + 1) {
            pietra_pyramid pyramid = {.width = width, .height = 100, .tile = sides[i], .last_level = 4};
            check_blocks(&pyramid, 0);
            check_blocks(&pyramid, 4);
            pyramid.layout = PIETRA_PYRAMID_DZI;
            pyramid.last_level = 17;
            check_blocks(&pyramid, 17);
            check_blocks(&pyramid, 9);
            check_blocks(&pyramid, 0);
        }
    }
}

static void test_names(void **state)
{
    (void)state;
    pietra_pyramid pyramid = {.width = 2, .height = 1, .last_level = 12};
    char text[PIETRA_PYRAMID_TEXT_BYTES];

    ASSERT_OK(pietra_pyramid_name_tile(&pyramid, 12, 4095, 2047, "png", error, text));
    assert_string_equal(text, "12/4095/2047.png");
    assert_int_equal(pietra_pyramid_describe(&pyramid, "png", NULL, text), PIETRA_ERROR_INPUT);
    pyramid.layout = PIETRA_PYRAMID_DZI;
    ASSERT_OK(pietra_pyramid_name_tile(&pyramid, 12, 15, 7, "webp", error, text));
    assert_string_equal(text, "tiles_files/12/15_7.webp");
    ASSERT_OK(pietra_pyramid_describe(&pyramid, "webp", error, text));
    assert_non_null(strstr(text, "Format=\"webp\" Overlap=\"0\" TileSize=\"256\""));
    assert_non_null(strstr(text, "<Size Width=\"4096\" Height=\"2048\"/>"));
}

static void refuse(pietra_pyramid pyramid, const char *told)
{
    uint64_t tiles = 7;
    pietra_error failure = {0};

    assert_int_equal(pietra_pyramid_count(&pyramid, &failure, &tiles), PIETRA_ERROR_INPUT);
    if (!strstr(failure.message, told))
        fail_msg("\"%s\" instead of \"%s\"", failure.message, told);
    assert_int_equal(tiles, 7);
    assert_int_equal(pietra_pyramid_count(&pyramid, NULL, &tiles), PIETRA_ERROR_INPUT);
}

static void test_refusals(void **state)
{
    (void)state;
    const pietra_pyramid good = {.width = 1, .height = 1, .last_level = 3};
    pietra_pyramid bad;

    bad = good, bad.last_level = 14;
    refuse(bad, "the pyramid would have 357913941 tiles; it may have 100000000");
    bad = good, bad.last_level = 24;
    refuse(bad, "level 24 would have more than 2147483648 pixels");
    bad = good, bad.last_level = UINT32_MAX;
    refuse(bad, "level 4294967295 would have more");
    bad = good, bad.first_level = 4;
    refuse(bad, "the first level, 4, comes after the last one, 3");
    bad = good, bad.width = 0;
    refuse(bad, "the drawing's size is 0 x 1");
    bad = good, bad.height = NAN;
    refuse(bad, "the drawing's size");
    bad = good, bad.height = INFINITY;
    refuse(bad, "the drawing's size");
    static const uint32_t tiles[] = {1, 32, 63, 65, 192, 8192, UINT32_MAX};
    for (size_t i = 0; i < sizeof tiles / sizeof tiles[0]; i++) {
        bad = good, bad.tile = tiles[i];
        refuse(bad, "a power of two from 64 to 4096 is wanted");
    }
    bad = good, bad.layout = (pietra_pyramid_layout)2;
    refuse(bad, "layout");
}

static void test_places_that_are_not_there(void **state)
{
    (void)state;
    const pietra_pyramid pyramid = {.width = 1, .height = 1, .first_level = 1, .last_level = 3};
    pietra_pyramid_level level;
    pietra_pyramid_block block;
    char text[PIETRA_PYRAMID_TEXT_BYTES];
    uint64_t tiles;

    assert_int_equal(pietra_pyramid_find_level(&pyramid, 0, NULL, &level), PIETRA_ERROR_INPUT);
    assert_int_equal(pietra_pyramid_find_level(&pyramid, 4, NULL, &level), PIETRA_ERROR_INPUT);
    assert_int_equal(pietra_pyramid_find_block(&pyramid, 2, 1, NULL, &block), PIETRA_ERROR_INPUT);
    assert_int_equal(pietra_pyramid_find_block(&pyramid, 4, 0, NULL, &block), PIETRA_ERROR_INPUT);
    assert_int_equal(pietra_pyramid_name_tile(&pyramid, 1, 2, 0, "png", NULL, text), PIETRA_ERROR_INPUT);
    assert_int_equal(pietra_pyramid_name_tile(&pyramid, 1, 0, 2, "png", NULL, text), PIETRA_ERROR_INPUT);
    static const char *const endings[] = {"", ".png", "p/g", "0123456789abcdef"};
    for (size_t i = 0; i < sizeof endings / sizeof endings[0]; i++)
        assert_int_equal(pietra_pyramid_name_tile(&pyramid, 1, 0, 0, endings[i], NULL, text), PIETRA_ERROR_INPUT);
    assert_int_equal(pietra_pyramid_count(NULL, NULL, &tiles), PIETRA_ERROR_INPUT);
    assert_int_equal(pietra_pyramid_count(&pyramid, NULL, NULL), PIETRA_ERROR_INPUT);
    assert_int_equal(pietra_pyramid_find_level(&pyramid, 1, NULL, NULL), PIETRA_ERROR_INPUT);
    assert_int_equal(pietra_pyramid_find_block(&pyramid, 1, 0, NULL, NULL), PIETRA_ERROR_INPUT);
    assert_int_equal(pietra_pyramid_name_tile(&pyramid, 1, 0, 0, "png", NULL, NULL), PIETRA_ERROR_INPUT);
    assert_int_equal(pietra_pyramid_name_tile(&pyramid, 1, 0, 0, NULL, NULL, text), PIETRA_ERROR_INPUT);
    assert_int_equal(pietra_pyramid_describe(NULL, "png", NULL, text), PIETRA_ERROR_INPUT);
    assert_int_equal(pietra_pyramid_describe(&pyramid, "png", NULL, NULL), PIETRA_ERROR_INPUT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_levels_of_maps), cmocka_unit_test(test_levels_of_deep_zoom),
        cmocka_unit_test(test_blocks),         cmocka_unit_test(test_names),
        cmocka_unit_test(test_refusals),       cmocka_unit_test(test_places_that_are_not_there),
    };
    return cmocka_run_group_tests_name("pyramid", tests, NULL, NULL);
}
