/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The validator under faults of every kind: each word of the header, and a hundred thousand random ones under the
 * sanitizers. */
#include "scene/validate/blob.h"

static uint32_t next_random(uint64_t *state)
{
    *state = *state * 6364136223846793005ull + 1442695040888963407ull;
    return (uint32_t)(*state >> 32);
}

/* Returns a value that is likely at some limit. */
static uint32_t hostile_word(uint64_t *random, uint32_t old, uint32_t word_count)
{
    static const uint32_t edges[] = {0,          1,          2,          3,          255,        256,        0x7fffffff,
                                     0x80000000, 0xffffffff, 0xfffffffe, 0x7f800000, 0x7fc00000, 0xff800000, 0x3fffffff,
                                     0x40000000, 0x00000001, 0x7f7fffff, 0x3f800000, 0x43800000};
    switch (next_random(random) % 6) {
    case 0:
        return edges[next_random(random) % (sizeof edges / sizeof edges[0])];
    case 1:
        return old + 1;
    case 2:
        return old - 1;
    case 3:
        return old ^ 1u << next_random(random) % 32;
    case 4:
        return next_random(random) % word_count;
    default:
        return next_random(random);
    }
}

/* Offsets have 32 bits. Only the header is read before this is found, so the rest need not exist. */
static void test_too_many_words(void **state)
{
    (void)state;
    stream_header header = {.magic = STREAM_MAGIC, .version = STREAM_VERSION};
    header.point_count = header.transform_count = STREAM_MAX_COUNT;
    uint64_t word_count = stream_lay_out(&header);
    pietra_error error;
    assert_true(word_count > UINT32_MAX);
    assert_int_equal(validate_stream((const uint32_t *)&header, (size_t)word_count, NULL, &error), PIETRA_ERROR_INPUT);
    assert_non_null(strstr(error.message, "more than 4294967295 words"));
    header.transform_count = 0;
    header.texel_count = STREAM_MAX_COUNT;
    header.surface_word_count = STREAM_MAX_COUNT;
    word_count = stream_lay_out(&header);
    assert_true(word_count > UINT32_MAX && header.texels < UINT32_MAX);
    assert_int_equal(validate_stream((const uint32_t *)&header, (size_t)word_count, NULL, &error), PIETRA_ERROR_INPUT);
    assert_non_null(strstr(error.message, "more than 4294967295 words"));
}

#define MOST_TASKS_SEGMENTS 32769u /* 32769 * 32767 is STREAM_MAX_COUNT */

static blob blob_of_segments(uint32_t count)
{
    pietra_scene *scene = new_scene();
    pietra_path *path = path_from("M 0 0");
    for (uint32_t i = 2; i < count; i++)
        pietra_path_line_to(path, i % 2, i);
    pietra_path_line_to(path, 2, 0);
    pietra_path_close(path);
    ASSERT_OK(pietra_scene_fill(scene, path, NULL, PIETRA_FILL_NONZERO, &RED, error));
    pietra_path_destroy(path);
    return blob_of(scene);
}

/* Returns a stream that has the only element of `one` that many times. */
static blob repeat_element(blob one, uint32_t count)
{
    stream_header header = *header_of(one);
    const size_t element_words = sizeof(stream_element) / sizeof(uint32_t);
    const uint32_t *rest = one.words + header.elements + element_words;
    const size_t rest_count = one.count - header.elements - element_words;
    assert_int_equal(header.element_count, 1);
    header.element_count = count;
    header.occluder_count *= count;
    header.task_count *= count;
    blob made = {.count = (size_t)stream_lay_out(&header)};
    made.words = malloc(made.count * sizeof(uint32_t));
    assert_non_null(made.words);
    *header_of(made) = header;
    for (uint32_t i = 0; i < count; i++)
        *element_at(made, i) = *element_at(one, 0);
    assert_int_equal(made.count - rest_count, header.elements + count * element_words);
    memcpy(made.words + made.count - rest_count, rest, rest_count * sizeof(uint32_t));
    return made;
}

/* Elements share paths, so a small stream may have more tasks than a frame can count. */
static void test_most_tasks(void **state)
{
    (void)state;
    blob one = blob_of_segments(MOST_TASKS_SEGMENTS);
    assert_int_equal(header_of(one)->task_count, MOST_TASKS_SEGMENTS);
    blob most = repeat_element(one, MOST_TASKS_SEGMENTS - 2);
    assert_int_equal(header_of(most)->task_count, STREAM_MAX_COUNT);
    assert_true(opens(most, NULL, NULL));
    assert_rejected(repeat_element(one, MOST_TASKS_SEGMENTS - 1), "or too large");
    free(most.words);
    free(one.words);
}

static void test_every_header_word(void **state)
{
    (void)state;
    blob b = complex_blob();
    uint64_t random = 7;
    for (size_t i = 0; i < sizeof(stream_header) / sizeof(uint32_t); i++) {
        uint32_t old = b.words[i];
        for (int round = 0; round < 500; round++) {
            b.words[i] = hostile_word(&random, old, (uint32_t)b.count);
            assert_true(b.words[i] == old || !opens(b, NULL, NULL));
        }
        b.words[i] = old;
        assert_true(opens(b, NULL, NULL));
    }
    for (size_t size = 0; size < b.count; size++) {
        /* The copy has exactly that size, so that reading past its end is found. */
        blob cut = {malloc(size * sizeof(uint32_t) + 1), size};
        assert_non_null(cut.words);
        memcpy(cut.words, b.words, size * sizeof(uint32_t));
        assert_false(opens(cut, NULL, NULL));
        free(cut.words);
    }
    free(b.words);
}

static void test_random_faults(void **state)
{
    (void)state;
    FILE *sink = fopen("/dev/null", "w");
    assert_non_null(sink);
    blob b = complex_blob();
    uint32_t *saved = malloc(b.count * sizeof(uint32_t));
    assert_non_null(saved);
    memcpy(saved, b.words, b.count * sizeof(uint32_t));
    uint64_t random = 1;
    size_t accepted = 0;
    for (int round = 0; round < 100000; round++) {
        uint32_t faults = 1 + next_random(&random) % 3;
        for (uint32_t i = 0; i < faults; i++) {
            size_t at = next_random(&random) % b.count;
            b.words[at] = hostile_word(&random, b.words[at], (uint32_t)b.count);
        }
        accepted += opens(b, round % 16 == 0 ? sink : NULL, NULL);
        memcpy(b.words, saved, b.count * sizeof(uint32_t));
    }
    /* Moving a point or changing a colour is no fault. */
    assert_true(accepted > 100 && accepted < 50000);
    free(saved);
    free(b.words);
    fclose(sink);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_too_many_words),
        cmocka_unit_test(test_most_tasks),
        cmocka_unit_test(test_every_header_word),
        cmocka_unit_test(test_random_faults),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
