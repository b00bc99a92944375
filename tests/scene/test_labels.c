/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Labels of elements reach the stream from the scene's calls, through appending, and past elements that the encoder
 * leaves out or writes late. */
#include "scene/scene_fixture.h"

/* Asserts the labels of the stream's elements, a digit each. */
static void assert_labels(const pietra_stream *stream, const char *expected)
{
    uint32_t count = view_of(stream).header->element_count;
    char *labels = calloc((size_t)count + 1, 1);
    assert_non_null(labels);
    for (uint32_t i = 0; i < count; i++)
        labels[i] = (char)('0' + stream_label(stream, i));
    assert_string_equal(labels, expected);
    assert_int_equal(stream_label(stream, count), 0);
    free(labels);
}

/* The first element has no label. The group is elided, and the empty clip is left out. */
static void build(pietra_scene *scene, bool labelled)
{
    fill(scene, "R 1 1 3 3", &RED);
    pietra_scene_set_label(scene, labelled ? 1 : 0);
    begin_group(scene, 1.0f);
    pietra_scene_set_label(scene, labelled ? 2 : 0);
    begin_clip(scene, "M 0 0 L 9 1 L 2 8 Z");
    pietra_scene_set_label(scene, labelled ? 3 : 0);
    begin_source(scene);
    fill(scene, "M 1 0 L 9 1 L 2 8 Z", &RED);
    end_source(scene);
    pietra_scene_set_label(scene, labelled ? 4 : 0);
    fill(scene, "R 2 2 3 3", &RED);
    pietra_scene_set_label(scene, labelled ? 5 : 0);
    end_clip(scene);
    begin_clip(scene, "R 0 0 1 1");
    end_clip(scene);
    pietra_scene_set_label(scene, labelled ? 6 : 0);
    end_clip(scene);
    end_group(scene);
    pietra_scene_set_label(scene, 0);
    stroke(scene, "M 0 0 L 9 9", &(pietra_stroke){.width = 2});
}

static void test_labels_reach_the_stream(void **state)
{
    (void)state;
    pietra_scene *scene = new_scene();
    build(scene, true);
    pietra_stream *stream = encode_and_destroy(scene);
    assert_kinds(stream, "f[[{f}f]]s");
    assert_labels(stream, "0233334560");
    pietra_stream_destroy(stream);
}

static void test_bytes_do_not_depend_on_labels(void **state)
{
    (void)state;
    pietra_scene *with = new_scene(), *without = new_scene();
    build(with, true);
    build(without, false);
    pietra_stream *a = encode_and_destroy(with), *b = encode_and_destroy(without), *opened = NULL;
    size_t size_a, size_b;
    const void *bytes_a = pietra_stream_bytes(a, &size_a), *bytes_b = pietra_stream_bytes(b, &size_b);
    assert_int_equal(size_a, size_b);
    assert_memory_equal(bytes_a, bytes_b, size_a);
    assert_labels(b, "0000000000");
    ASSERT_OK(pietra_stream_open(bytes_a, size_a, error, &opened));
    assert_labels(opened, "0000000000");
    pietra_stream_destroy(opened);
    pietra_stream_destroy(a);
    pietra_stream_destroy(b);
}

static void test_appended_elements_keep_labels(void **state)
{
    (void)state;
    pietra_scene *part = new_scene(), *bare = new_scene(), *scene = new_scene();
    fill(part, "R 1 1 3 3", &RED);
    pietra_scene_set_label(part, 3);
    fill(part, "R 2 2 3 3", &RED);
    fill(bare, "R 3 3 3 3", &RED);
    ASSERT_OK(pietra_scene_append(scene, bare, NULL, error));
    ASSERT_OK(pietra_scene_append(scene, part, NULL, error));
    pietra_scene_set_label(scene, 7);
    ASSERT_OK(pietra_scene_append(scene, part, NULL, error));
    ASSERT_OK(pietra_scene_append(scene, bare, NULL, error));
    pietra_stream *stream = encode_and_destroy(scene);
    assert_labels(stream, "003737");
    pietra_stream_destroy(stream);
    pietra_scene_destroy(part);
    pietra_scene_destroy(bare);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_labels_reach_the_stream),
        cmocka_unit_test(test_bytes_do_not_depend_on_labels),
        cmocka_unit_test(test_appended_elements_keep_labels),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
