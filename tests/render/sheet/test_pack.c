/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Packing sheets: none overlaps another, and little room is wasted. */
#include "render/sheet/pack.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "property/random_scene.h"

#define SHEETS_MOST 200

/* Marks the tiles of each sheet, which nobody may have marked. */
static void check_places(const frame_sheet *sheets, size_t count, int columns, int rows)
{
    uint8_t *taken = calloc((size_t)columns * (size_t)rows, 1);
    assert_non_null(taken);
    for (size_t i = 0; i < count; i++) {
        const frame_sheet *sheet = &sheets[i];
        for (int y = sheet->box.y0 + sheet->y; y < sheet->box.y1 + sheet->y; y++) {
            for (int x = sheet->box.x0 + sheet->x; x < sheet->box.x1 + sheet->x; x++) {
                assert_true(x >= 0 && x < columns && y >= 0 && y < rows);
                assert_int_equal(taken[y * columns + x]++, 0);
            }
        }
    }
    free(taken);
}

static void check(const tile_box *boxes, size_t count)
{
    frame_sheet sheets[SHEETS_MOST], again[SHEETS_MOST];
    int columns, rows, columns_again, rows_again, widest = 1, highest = 0;
    double area = 0;
    memset(sheets, 0, sizeof sheets);
    for (size_t i = 0; i < count; i++) {
        const int width = boxes[i].x1 - boxes[i].x0, height = boxes[i].y1 - boxes[i].y0;
        sheets[i].box = boxes[i];
        widest = width > widest ? width : widest;
        highest = height > highest ? height : highest;
        area += (double)width * height;
    }
    memcpy(again, sheets, sizeof sheets);
    assert_true(sheet_pack(sheets, count, &columns, &rows));
    assert_true(columns <= ATLAS_COLUMNS_MOST || columns == widest);
    /* Two shelves that follow one another are half full on average, but for the last one. */
    assert_true((double)columns * rows <= 2 * area + (double)columns * 2 * highest);
    check_places(sheets, count, columns, rows);
    assert_true(sheet_pack(again, count, &columns_again, &rows_again));
    assert_int_equal(columns, columns_again);
    assert_int_equal(rows, rows_again);
    assert_memory_equal(sheets, again, sizeof sheets);
}

static void test_random_boxes(void **state)
{
    (void)state;
    tile_box boxes[SHEETS_MOST];
    random_source random = random_start(1);
    for (int round = 0; round < 200; round++) {
        const size_t count = random_below(&random, SHEETS_MOST);
        const uint32_t most = 1 + random_below(&random, round % 10 == 0 ? 3000 : 30);
        for (size_t i = 0; i < count; i++) {
            const int x = (int)random_below(&random, 400) - 200, y = (int)random_below(&random, 400) - 200;
            boxes[i] =
                (tile_box){x, y, x + 1 + (int)random_below(&random, most), y + 1 + (int)random_below(&random, 20)};
        }
        check(boxes, count);
    }
}

/* One sheet wastes nothing, wherever it lies and however wide it is. */
static void test_one_sheet(void **state)
{
    (void)state;
    frame_sheet sheet = {.box = {-3000, 7, 4000, 9}};
    int columns, rows;
    assert_true(sheet_pack(&sheet, 1, &columns, &rows));
    assert_int_equal(columns, 7000);
    assert_int_equal(rows, 2);
    assert_int_equal(sheet.x, 3000);
    assert_int_equal(sheet.y, -7);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random_boxes),
        cmocka_unit_test(test_one_sheet),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
