/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* A document whose names were made to collide: the tables that hold them perform as they do for other names. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "svg/tree/document.h"

#define NAMES 2000u
#define BYTES 16u

__extension__ typedef unsigned __int128 wide;

static uint64_t mix(uint64_t a, uint64_t b)
{
    wide product = (wide)a * b;
    return (uint64_t)product ^ (uint64_t)(product >> 64);
}

/* hash_checksum can be inverted to find the second word of a name, which gives names with one checksum. */
static void make_names(char names[NAMES][BYTES])
{
    const uint64_t first = 0x6a09e667f3bcc909u, second = 0xbb67ae8584caa73bu, third = 0x3c6ef372fe94f82bu,
                   target = 0x1234567890abcdefu;
    const uint64_t start = first ^ mix(BYTES + second, third);
    for (uint64_t i = 0; i < NAMES; i++) {
        uint64_t end = (mix(start ^ i, second) + first) ^ target;
        memcpy(names[i], &i, 8);
        memcpy(names[i] + 8, &end, 8);
        assert_true(hash_checksum(names[i], BYTES) == hash_checksum(names[0], BYTES));
    }
}

/* Returns how many slots a search for each value visits, beyond the slot in which it should be. */
static size_t count_probes(const hash_table *table)
{
    size_t probes = 0;
    for (size_t slot = 0; slot < table->capacity; slot++)
        if (table->slots[slot].value != HASH_NONE)
            probes += (slot - (size_t)table->slots[slot].hash) & (table->capacity - 1);
    return probes;
}

/* Ordinary names take at most one and a half each. Names that collide take a thousand. */
static void assert_spread(const hash_table *table)
{
    assert_int_equal(table->count, NAMES);
    assert_true(count_probes(table) < 6 * NAMES);
}

static void test_ids_and_links(void **state)
{
    char(*names)[BYTES] = *state;
    svg_budget budget;
    svg_budget_init(&budget, &(pietra_svg_limits){0});
    svg_document document = {.budget = &budget};
    for (uint32_t i = 0; i < NAMES; i++) {
        uint32_t index;
        assert_true(svg_document_add_id(&document, (text){names[i], BYTES}, i));
        assert_true(svg_document_add_link(&document, (text){names[i], BYTES}, &index));
        assert_int_equal(index, i);
    }
    assert_spread(&document.id_table);
    assert_spread(&document.link_table);
    svg_document_free(&document);
}

static void test_classes(void **state)
{
    char(*names)[BYTES] = *state;
    css_names classes = {0};
    for (uint32_t i = 0; i < NAMES; i++)
        assert_int_equal(css_name_intern(&classes, (text){names[i], BYTES}), i + 1);
    assert_spread(&classes.table);
    css_names_free(&classes);
}

static int make(void **state)
{
    char(*names)[BYTES] = malloc(NAMES * sizeof *names);
    if (names)
        make_names(names);
    *state = names;
    return names ? 0 : -1;
}

static int destroy(void **state)
{
    free(*state);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_ids_and_links),
        cmocka_unit_test(test_classes),
    };
    return cmocka_run_group_tests(tests, make, destroy);
}
