/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Boxes of damage: few, around all that was added, near ones in one, far ones apart. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "property/random_scene.h"
#include "render/damage.h"

static void expect_box(pietra_pixel_box found, pietra_pixel_box wanted)
{
    assert_memory_equal(&found, &wanted, sizeof found);
}

static void test_few(void **state)
{
    const pietra_pixel_box corners[] = {
        {0, 0, 40, 40}, {1880, 0, 1920, 40}, {0, 1040, 40, 1080}, {1880, 1040, 1920, 1080}};
    damage_boxes damage = {.count = 0};
    (void)state;
    damage_add(&damage, (pietra_pixel_box){5, 5, 5, 9});
    damage_add(&damage, (pietra_pixel_box){9, 5, 5, 9});
    assert_int_equal(damage.count, 0);
    expect_box(damage_around(&damage), (pietra_pixel_box){0, 0, 0, 0});
    for (uint32_t i = 0; i < 4; i++) {
        damage_add(&damage, corners[i]);
        assert_int_equal(damage.count, i + 1);
    }
    damage_add(&damage, (pietra_pixel_box){50, 0, 60, 40}); /* near the first */
    assert_int_equal(damage.count, 4);
    expect_box(damage.boxes[0], (pietra_pixel_box){0, 0, 60, 40});
    damage_add(&damage, (pietra_pixel_box){1300, 500, 1320, 520}); /* one too many: the nearest two are joined */
    assert_int_equal(damage.count, 4);
    expect_box(damage_around(&damage), (pietra_pixel_box){0, 0, 1920, 1080});
    damage_add(&damage, PIXEL_BOX_OF_EVERYTHING);
    assert_int_equal(damage.count, 1);
    expect_box(damage.boxes[0], PIXEL_BOX_OF_EVERYTHING);
}

/* Adding all cuts, and holds what was added. */
static void test_random(void **state)
{
    random_source source = random_start(3);
    (void)state;
    for (uint32_t round = 0; round < 2000; round++) {
        damage_boxes damage = {.count = 0}, cut = {.count = 0};
        pietra_pixel_box added[9];
        const uint32_t count = random_below(&source, 9);
        for (uint32_t i = 0; i < count; i++) {
            const uint32_t x = random_below(&source, 3000), y = random_below(&source, 3000);
            added[i] = (pietra_pixel_box){x, y, x + 1 + random_below(&source, 90), y + 1 + random_below(&source, 700)};
            damage_add(&damage, added[i]);
        }
        assert_in_range(damage.count, count > 0, PIETRA_DRAWN_BOXES);
        damage_add_all(&cut, &damage, 2000, 1500);
        for (uint32_t i = 0; i < count; i++) {
            bool is_held = false;
            for (uint32_t k = 0; k < damage.count && !is_held; k++) {
                const pietra_pixel_box joined = pixel_box_join(damage.boxes[k], added[i]);
                is_held = memcmp(&joined, &damage.boxes[k], sizeof joined) == 0;
            }
            assert_true(is_held);
        }
        const pietra_pixel_box around = damage_around(&cut);
        assert_true(around.x1 <= 2000 && around.y1 <= 1500);
    }
}

static bool has_pixel(const damage_boxes *boxes, uint32_t x, uint32_t y, uint32_t *count)
{
    *count = 0;
    for (uint32_t i = 0; i < boxes->count; i++) {
        const pietra_pixel_box box = boxes->boxes[i];
        *count += x >= box.x0 && x < box.x1 && y >= box.y0 && y < box.y1;
    }
    return *count > 0;
}

/* A cross is three boxes, one inside another is none. */
static void test_separate(void **state)
{
    damage_boxes cross = {.boxes = {{0, 500, 1920, 516}, {800, 0, 816, 1080}}, .count = 2};
    damage_boxes inside = {.boxes = {{20, 20, 30, 30}, {0, 0, 100, 100}, {200, 0, 300, 100}}, .count = 3};
    damage_boxes crosses = {.boxes = {{0, 10, 100, 20}, {10, 0, 20, 100}, {0, 60, 100, 70}}, .count = 3};
    (void)state;
    damage_separate(&cross);
    assert_int_equal(cross.count, 3);
    expect_box(cross.boxes[0], (pietra_pixel_box){0, 500, 1920, 516});
    expect_box(cross.boxes[1], (pietra_pixel_box){800, 0, 816, 500});
    expect_box(cross.boxes[2], (pietra_pixel_box){800, 516, 816, 1080});
    damage_separate(&inside);
    assert_int_equal(inside.count, 2);
    expect_box(damage_around(&inside), (pietra_pixel_box){0, 0, 300, 100});
    damage_separate(&crosses); /* would be five */
    assert_in_range(crosses.count, 1, PIETRA_DRAWN_BOXES);
    expect_box(damage_around(&crosses), (pietra_pixel_box){0, 0, 100, 100});
}

/* Separate boxes hold each pixel of the others, and each once. */
static void test_separate_random(void **state)
{
    random_source source = random_start(8);
    (void)state;
    for (uint32_t round = 0; round < 3000; round++) {
        damage_boxes damage = {.count = 2 + random_below(&source, PIETRA_DRAWN_BOXES - 1)};
        uint32_t before, after;
        for (uint32_t i = 0; i < damage.count; i++) {
            const uint32_t x = random_below(&source, 25), y = random_below(&source, 25);
            damage.boxes[i] =
                (pietra_pixel_box){x, y, x + 1 + random_below(&source, 15), y + 1 + random_below(&source, 15)};
        }
        damage_boxes separate = damage;
        damage_separate(&separate);
        assert_in_range(separate.count, 1, PIETRA_DRAWN_BOXES);
        for (uint32_t y = 0; y < 40; y++) {
            for (uint32_t x = 0; x < 40; x++) {
                const bool had = has_pixel(&damage, x, y, &before), has = has_pixel(&separate, x, y, &after);
                assert_true(after <= 1 && (has || !had));
            }
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_few), cmocka_unit_test(test_random),
                                       cmocka_unit_test(test_separate), cmocka_unit_test(test_separate_random)};
    return cmocka_run_group_tests_name("damage", tests, NULL, NULL);
}
