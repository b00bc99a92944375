/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The containers, text and errors of src/base. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/arena.h"
#include "base/array.h"
#include "base/error.h"
#include "base/hash.h"
#include "base/text.h"
#include "base/transform.h"
#include "base/utf8.h"

static void test_arena_aligns_and_keeps(void **state)
{
    (void)state;
    arena arena = {0};
    char *pieces[200];
    for (size_t i = 0; i < 200; i++) {
        size_t alignment = (size_t)1 << (i % 5);
        pieces[i] = arena_alloc(&arena, i * 97, alignment);
        assert_non_null(pieces[i]);
        assert_int_equal((uintptr_t)pieces[i] % alignment, 0);
        memset(pieces[i], (int)i, i * 97);
    }
    for (size_t i = 0; i < 200; i++)
        for (size_t j = 0; j < i * 97; j++)
            assert_int_equal((uint8_t)pieces[i][j], i);
    assert_null(arena_alloc(&arena, SIZE_MAX - 5, 1));
    assert_null(arena_alloc_zeroed(&arena, SIZE_MAX / 2, 4, 1));
    assert_string_equal(arena_copy(&arena, "abcdef", 3), "abc");
    arena_free(&arena);
    assert_null(arena.blocks);
}

/* Pieces that are too large for the first blocks lie behind one another once there are some, as smaller ones do. */
static void test_arena_gathers_large_pieces(void **state)
{
    (void)state;
    arena arena = {.block_bytes = 1024};
    size_t followers = 0;
    const char *last = arena_alloc(&arena, 4096, 8);
    for (int i = 1; i < 100; i++) {
        const char *piece = arena_alloc(&arena, 4096, 8);
        followers += piece == last + 4096;
        last = piece;
    }
    assert_true(followers > 80);
    arena_free(&arena);
}

static void test_array_grows(void **state)
{
    (void)state;
    ARRAY(uint32_t) numbers = {0};
    for (uint32_t i = 0; i < 1000; i++) {
        uint32_t *number = array_push(&numbers);
        assert_non_null(number);
        *number = i;
    }
    assert_int_equal(numbers.count, 1000);
    for (uint32_t i = 0; i < 1000; i++)
        assert_int_equal(numbers.items[i], i);
    assert_false(array_reserve(&numbers, SIZE_MAX / 2));
    uint32_t *many = array_push_many(&numbers, 5);
    assert_ptr_equal(many, &numbers.items[1000]);
    assert_int_equal(numbers.count, 1005);
    array_free(&numbers);
    assert_int_equal(numbers.capacity, 0);
}

static void test_hash_finds_all_of_one_hash(void **state)
{
    (void)state;
    hash_table table = {0};
    assert_false(hash_found(&(hash_walk){.value = hash_find(&table, 7).value}));
    for (uint32_t i = 0; i < 3000; i++)
        assert_true(hash_insert(&table, i % 1000, i));
    for (uint32_t key = 0; key < 1000; key++) {
        uint32_t count = 0, sum = 0;
        hash_walk walk = hash_find(&table, key);
        for (; hash_found(&walk); hash_next(&walk)) {
            count++;
            sum += walk.value;
        }
        assert_int_equal(count, 3);
        assert_int_equal(sum, 3 * key + 3000);
    }
    assert_false(hash_found(&(hash_walk){.value = hash_find(&table, 1000).value}));
    hash_free(&table);
}

/* All values share one hash whose slot is the last of every table, so that all but one wrap around the end. */
static void test_hash_keeps_the_order_of_values(void **state)
{
    (void)state;
    hash_table table = {0};
    for (uint32_t i = 0; i < 1000; i++)
        assert_true(hash_insert(&table, UINT64_MAX, i));
    hash_walk walk = hash_find(&table, UINT64_MAX);
    for (uint32_t i = 0; i < 1000; i++, hash_next(&walk))
        assert_int_equal(walk.value, i);
    assert_false(hash_found(&walk));
    hash_free(&table);
}

static void test_hash_bytes_differ(void **state)
{
    (void)state;
    hash_table table = {0};
    char key[16];
    for (uint32_t i = 0; i < 20000; i++) {
        int count = snprintf(key, sizeof key, "id%u", i);
        uint64_t hash = hash_bytes(key, (size_t)count);
        hash_walk walk = hash_find(&table, hash);
        assert_false(hash_found(&walk));
        assert_true(hash_insert(&table, hash, i));
    }
    assert_true(hash_bytes("\0", 1) != hash_bytes("\0\0", 2));
    hash_free(&table);
}

/* Python hashes strings by the same function, with a key of zeros if PYTHONHASHSEED is 0. These are its words. */
static void test_hash_bytes_is_siphash(void **state)
{
    (void)state;
    static const struct {
        const char *bytes;
        uint64_t hash;
    } known[] = {
        {"a", 0x407448d2b89b1813u},         {"abc", 0xc03bc3a0042630f2u},
        {"abcdefg", 0x6db12aae9070f506u},   {"abcdefgh", 0x3f7b849c0b8e35eau},
        {"abcdefghi", 0xf89b34a3d11eb6e5u}, {"the quick brown fox jumps over it", 0xcf8ba914bf7aefa2u},
    };
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        assert_true(hash_bytes_by((hash_secret){0, 0}, known[i].bytes, strlen(known[i].bytes)) == known[i].hash);
}

static void test_hash_bytes_has_a_key(void **state)
{
    (void)state;
    const uint64_t hash = hash_bytes("abc", 3);
    assert_true(hash == hash_bytes("abc", 3));
    assert_true(hash != hash_bytes_by((hash_secret){0, 0}, "abc", 3));
    for (unsigned bit = 0; bit < 64; bit++) {
        assert_true(hash_bytes_by((hash_secret){0, 0}, "abc", 3) !=
                    hash_bytes_by((hash_secret){(uint64_t)1 << bit, 0}, "abc", 3));
        assert_true(hash_bytes_by((hash_secret){0, 0}, "abc", 3) !=
                    hash_bytes_by((hash_secret){0, (uint64_t)1 << bit}, "abc", 3));
    }
}

/* Files contain this hash. */
static void test_hash_checksum_stays(void **state)
{
    (void)state;
    assert_true(hash_checksum("", 0) == 0x53032cb132d21a97u);
    assert_true(hash_checksum("abcdefghijk", 11) == 0xc37c7f002e6149ecu);
}

static void test_text(void **state)
{
    (void)state;
    assert_true(text_equal(text_trim(TEXT(" \t\n a b \r\f")), TEXT("a b")));
    assert_true(text_equal(text_trim(TEXT("  ")), TEXT("")));
    assert_true(text_equal_ignoring_case(TEXT("LinearRGB"), TEXT("linearrgb")));
    assert_false(text_equal_ignoring_case(TEXT("a"), TEXT("ab")));
    assert_true(text_starts_with(TEXT("url(#a)"), TEXT("url(")));
    assert_false(text_starts_with(TEXT("url"), TEXT("url(")));
    assert_int_equal(text_find(TEXT("a;b"), ';'), 1);
    assert_int_equal(text_find(TEXT("ab"), ';'), 2);
}

static void test_error_is_one_valid_line(void **state)
{
    (void)state;
    pietra_error error = {0};
    char text[600];
    memset(text, 'x', sizeof text);
    memcpy(text + 498, "\xc3\xa9", 3);
    assert_int_equal(error_set(&error, PIETRA_ERROR_INPUT, 7, "%s", text), PIETRA_ERROR_INPUT);
    assert_int_equal(error.line, 7);
    assert_int_equal(strlen(error.message), 498);
    error_set(&error, PIETRA_ERROR_IO, 0, "a\nb\x7f\xc2\x9b\xe2\x80\xaex\xffz");
    assert_string_equal(error.message, "a b   x z");
    assert_int_equal(error_set(NULL, PIETRA_ERROR_MEMORY, 0, "x"), PIETRA_ERROR_MEMORY);
}

static void test_utf8(void **state)
{
    (void)state;
    const char *text = "a\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80", *at = text;
    const uint32_t expected[] = {'a', 0xe9, 0x20ac, 0x1f600};
    for (size_t i = 0; i < 4; i++)
        assert_int_equal(utf8_decode(&at, text + 10), expected[i]);
    assert_ptr_equal(at, text + 10);
    assert_true(utf8_is_valid(text, 10));
    assert_true(utf8_is_valid("\xef\xbf\xbd", 3));
    assert_false(utf8_is_valid(text, 9));
    assert_false(utf8_is_valid("\xc0\x80", 2));
    assert_false(utf8_is_valid("\xed\xa0\x80", 3));
    assert_false(utf8_is_valid("\xf4\x90\x80\x80", 4));
    assert_false(utf8_is_valid("\x80", 1));
    assert_int_equal(utf8_whole_prefix(text, 9), 6);
    assert_int_equal(utf8_whole_prefix(text, 10), 10);
    assert_int_equal(utf8_whole_prefix(text, 2), 1);
    assert_int_equal(utf8_whole_prefix(text, 0), 0);
}

static void assert_printable(const char *bytes, const char *expected)
{
    char room[80];
    strcpy(room, bytes);
    size_t count = utf8_make_printable(room, strlen(room), '?');
    assert_int_equal(count, strlen(expected));
    assert_memory_equal(room, expected, count);
    assert_true(utf8_is_valid(room, count));
}

static void test_printable(void **state)
{
    (void)state;
    assert_printable("", "");
    assert_printable("a \xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80\xef\xbf\xbd",
                     "a \xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80\xef\xbf\xbd");
    assert_printable("\x1b[2J\a\n\r\t\x7f", "?[2J?????");
    assert_printable("\xc2\x80\xc2\x9b\xc2\x9f\xc2\xa0", "???\xc2\xa0");
    assert_printable("\xe2\x80\xa7\xe2\x80\xa8\xe2\x80\xa9\xe2\x80\xaa\xe2\x80\xae\xe2\x80\xaf",
                     "\xe2\x80\xa7????\xe2\x80\xaf");
    assert_printable("\xe2\x81\xa5\xe2\x81\xa6\xe2\x81\xa9\xe2\x81\xaa", "\xe2\x81\xa5??\xe2\x81\xaa");
    assert_printable("\x9b"
                     "a\xe2\x80"
                     "b\xf0\x9f\x98",
                     "?a??b???");
}

static void test_text_prints_whole_characters(void **state)
{
    (void)state;
    char bytes[] = "0123456789012345678901234567890123456789012345678901234567890123456789012345678\xc3\xa9z",
         printed[100];
    assert_int_equal(snprintf(printed, sizeof printed, "%.*s", TEXT_PRINT(text_of_string(bytes))), 79);
    assert_int_equal(snprintf(printed, sizeof printed, "%.*s", TEXT_PRINT(text_of_string(bytes + 1))), 80);
    assert_int_equal(snprintf(printed, sizeof printed, "%.*s", TEXT_PRINT(text_of_string(bytes + 60))), 22);
}

static bool is_identity(pietra_transform t)
{
    return t.a == 1 && t.b == 0 && t.c == 0 && t.d == 1 && t.e == 0 && t.f == 0;
}

static void test_transform(void **state)
{
    (void)state;
    pietra_transform quarter = {0, 1, -1, 0, 10, 20}, inverse;
    double x = 3, y = 4;
    transform_point(quarter, &x, &y);
    assert_true(x == 6 && y == 23);
    assert_true(transform_invert(quarter, &inverse));
    assert_true(is_identity(transform_multiply(inverse, quarter)));
    assert_false(transform_invert((pietra_transform){1, 2, 2, 4, 0, 0}, &inverse));
    pietra_box box = transform_box(quarter, (pietra_box){0, 0, 2, 1});
    assert_true(box.x0 == 9 && box.y0 == 20 && box.x1 == 10 && box.y1 == 22);
    assert_true(is_identity(transform_of_pointer(NULL)));
    assert_true(transform_of_pointer(&(pietra_transform){0}).a == 0);
    assert_true(is_identity(transform_of_field((pietra_transform){0})));
    assert_true(transform_is_singular((pietra_transform){0}));
    assert_true(transform_is_singular((pietra_transform){0.6, 0.8, 0.3, 0.4, 1, 2}));
    assert_true(transform_is_singular((pietra_transform){1e150, 0, 0, 0, 1, 2}));
    assert_false(transform_is_singular((pietra_transform){1e300, 0, 0, 1e300, 0, 0}));
    assert_false(transform_is_singular((pietra_transform){1e-150, 0, 0, 1e-150, 0, 0}));
    assert_false(transform_is_singular((pietra_transform){1, 1, 1, 1 + 0x1p-48, 0, 0}));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_arena_aligns_and_keeps),
        cmocka_unit_test(test_arena_gathers_large_pieces),
        cmocka_unit_test(test_array_grows),
        cmocka_unit_test(test_hash_finds_all_of_one_hash),
        cmocka_unit_test(test_hash_keeps_the_order_of_values),
        cmocka_unit_test(test_hash_bytes_differ),
        cmocka_unit_test(test_hash_bytes_is_siphash),
        cmocka_unit_test(test_hash_bytes_has_a_key),
        cmocka_unit_test(test_hash_checksum_stays),
        cmocka_unit_test(test_text),
        cmocka_unit_test(test_error_is_one_valid_line),
        cmocka_unit_test(test_utf8),
        cmocka_unit_test(test_printable),
        cmocka_unit_test(test_text_prints_whole_characters),
        cmocka_unit_test(test_transform),
    };
    return cmocka_run_group_tests_name("base", tests, NULL, NULL);
}
