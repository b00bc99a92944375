/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Styles that are kept as what differs from a base: they come back, and take what differs. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "svg/draw/kept_style.h"

typedef struct style {
    uint64_t words[KEPT_STYLE_MOST_WORDS];
} style;

static style make_base(void)
{
    style base;
    for (size_t i = 0; i < KEPT_STYLE_MOST_WORDS; i++)
        base.words[i] = i * 0x0101010101010101u;
    return base;
}

static void assert_comes_back(const style *base, const style *wanted, kept_style kept)
{
    style room;
    memset(&room, 0xee, sizeof room);
    const style *read = kept_style_read(base, kept, sizeof room, &room);
    assert_memory_equal(read, wanted, sizeof room);
}

static void test_equal_styles_take_nothing(void **state)
{
    (void)state;
    const style base = make_base(), same = base;
    kept_style_recent recent = {{NULL}};
    arena arena = {0};
    kept_style kept = &base.words[0];
    style room;
    assert_true(kept_style_make(&base, &same, sizeof same, &recent, &arena, &kept));
    assert_null(kept);
    assert_int_equal(arena.total_bytes, 0);
    assert_ptr_equal(kept_style_read(&base, kept, sizeof room, &room), &base);
}

/* Each word alone, the first and the last together, and all. */
static void test_differences_come_back(void **state)
{
    (void)state;
    const style base = make_base();
    kept_style_recent recent = {{NULL}};
    arena arena = {0};
    for (size_t i = 0; i < KEPT_STYLE_MOST_WORDS + 2; i++) {
        style changed = base;
        kept_style kept;
        for (size_t k = 0; k < KEPT_STYLE_MOST_WORDS; k++) {
            const bool is_end = k == 0 || k + 1 == KEPT_STYLE_MOST_WORDS;
            if (i == k || (i == KEPT_STYLE_MOST_WORDS && is_end) || i > KEPT_STYLE_MOST_WORDS)
                changed.words[k] ^= 0x8000000000000001u + i;
        }
        assert_true(kept_style_make(&base, &changed, sizeof changed, &recent, &arena, &kept));
        assert_non_null(kept);
        assert_comes_back(&base, &changed, kept);
    }
    arena_free(&arena);
}

/* Styles of one changed word take 16 bytes each, and equal ones share them. */
static void test_equal_differences_are_shared(void **state)
{
    enum { STYLES = 100000 };
    (void)state;
    const style base = make_base();
    kept_style_recent recent = {{NULL}};
    arena arena = {0};
    style changed = base;
    kept_style last = NULL;
    for (uint64_t i = 0; i < STYLES; i++) {
        kept_style kept, again;
        changed.words[7] = base.words[7] + 1 + i;
        assert_true(kept_style_make(&base, &changed, sizeof changed, &recent, &arena, &kept));
        assert_true(kept_style_make(&base, &changed, sizeof changed, &recent, &arena, &again));
        assert_ptr_equal(kept, again);
        assert_ptr_not_equal(kept, last);
        last = kept;
    }
    assert_comes_back(&base, &changed, last);
    assert_in_range(arena.total_bytes, 16 * STYLES, 2 * 16 * STYLES);
    arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_equal_styles_take_nothing),
        cmocka_unit_test(test_differences_come_back),
        cmocka_unit_test(test_equal_differences_are_shared),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
