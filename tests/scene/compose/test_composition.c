/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Compositions: what stands once and what for each instance, slots, layers, and what is refused. What they draw is
 * tests/property/test_compositions.c's. */
#include <math.h>

#include "pietra/pietra_instance.h"
#include "scene/scene_fixture.h"
#include "scene/sums/sums.h"

static pietra_stream *rectangle(const pietra_paint *paint)
{
    pietra_scene *scene = new_scene();
    fill(scene, "R 1 1 3 3", paint);
    return encode_and_destroy(scene);
}

static pietra_composition *new_composition(void)
{
    pietra_composition *composition = pietra_composition_create();
    assert_non_null(composition);
    return composition;
}

/* Sets instances and expects that the stream's bytes open. */
static const pietra_stream *set(pietra_composition *composition, const pietra_instance *instances, size_t count)
{
    const pietra_stream *stream;
    pietra_stream *opened;
    size_t size;
    ASSERT_OK(pietra_composition_set(composition, instances, count, error, &stream));
    const void *bytes = pietra_stream_bytes(stream, &size);
    ASSERT_OK(pietra_stream_open(bytes, size, error, &opened));
    pietra_stream_destroy(opened);
    return stream;
}

static void test_nothing(void **state)
{
    (void)state;
    pietra_composition *composition = new_composition();
    pietra_stream *empty = encode_and_destroy(new_scene()), *red = rectangle(&RED);
    const pietra_instance instances[] = {
        {.stream = empty},
        {.stream = red, .transparency = 1},
        {.stream = red, .transform = {1, 2, 2, 4, 5, 6}},
        {.stream = red, .clip = {1, 1, 1, 5}},
    };
    assert_int_equal(view_of(set(composition, NULL, 0)).header->element_count, 0);
    assert_int_equal(view_of(set(composition, instances, 4)).header->element_count, 0);
    pietra_composed composed;
    assert_false(pietra_composition_find(composition, 0, &composed));
    pietra_composition_destroy(composition);
    pietra_composition_destroy(NULL);
    pietra_stream_destroy(empty);
    pietra_stream_destroy(red);
}

/* What a stream brings stands once, in the order in which streams are first shown. */
static void test_shared(void **state)
{
    (void)state;
    pietra_composition *composition = new_composition();
    pietra_stream *streams[] = {encode_and_destroy(complex_scene()), encode_and_destroy(surface_scene()),
                                encode_and_destroy(image_scene())};
    pietra_instance instances[9];
    stream_header sum = {0};
    for (size_t i = 0; i < 9; i++)
        instances[i] = (pietra_instance){.stream = streams[i * i % 3], .transform = {2, 0, 0, 2, (double)i, 0}};
    instances[8].stream = streams[2];
    for (size_t i = 0; i < 3; i++) {
        const stream_header *header = view_of(streams[i]).header;
        sum.path_count += header->path_count;
        sum.paint_count += header->paint_count;
        sum.stop_count += header->stop_count;
        sum.dash_count += header->dash_count;
        sum.surface_word_count += header->surface_word_count;
        sum.texel_count += header->texel_count;
    }
    const pietra_stream *stream = set(composition, instances, 9);
    stream_view view = view_of(stream);
    assert_int_equal(view.header->path_count, sum.path_count + 1); /* and that of clips */
    assert_int_equal(view.header->paint_count, sum.paint_count);
    assert_int_equal(view.header->stop_count, sum.stop_count);
    assert_int_equal(view.header->dash_count, sum.dash_count);
    assert_int_equal(view.header->surface_word_count, sum.surface_word_count);
    assert_int_equal(view.header->texel_count, sum.texel_count);
    pietra_composition_destroy(composition);
    for (size_t i = 0; i < 3; i++)
        pietra_stream_destroy(streams[i]);
}

/* Expects the bytes that a composition without a past makes, and a stream with a number of its own. */
static void expect_fresh(pietra_composition *used, const pietra_instance *instances, size_t count, uint64_t *last_id)
{
    pietra_composition *fresh = new_composition();
    size_t size, expected_size;
    const pietra_stream *stream = set(used, instances, count);
    assert_true(stream_id(stream) > *last_id);
    *last_id = stream_id(stream);
    const void *bytes = pietra_stream_bytes(stream, &size),
               *expected = pietra_stream_bytes(set(fresh, instances, count), &expected_size);
    assert_int_equal(size, expected_size);
    assert_memory_equal(bytes, expected, size);
    pietra_composition_destroy(fresh);
}

static void move_instance(pietra_instance *instance, double x)
{
    instance->transform.e += x;
    instance->transform.b = x / 8;
    if (instance->clip.x1 > 0)
        instance->clip.x1 += x;
}

/* The bytes depend on the instances alone, not on what was shown before, also if some of them have only moved. */
static void test_history_leaves_no_trace(void **state)
{
    (void)state;
    static const pietra_color inks[] = {{0, 1, 0, 1}, {0, 0, 1, 0.5f}};
    pietra_paint ink = RED;
    ink.slot = 1;
    pietra_composition *used = new_composition();
    pietra_stream *streams[] = {encode_and_destroy(complex_scene()), encode_and_destroy(masking_scene()),
                                encode_and_destroy(blending_scene()), encode_and_destroy(image_scene()),
                                rectangle(&ink)};
    uint64_t last_id = 0;
    for (uint32_t i = 0; i < 60; i++) {
        pietra_instance instances[6];
        const size_t count = i * 7 % 6;
        for (size_t k = 0; k < 6; k++)
            instances[k] = (pietra_instance){.stream = streams[(i / 3 + k * (1 + i % 2)) % 5],
                                             .transform = {.a = 1, .d = 2, .e = i},
                                             .transparency = i % 5 == k ? 0.5f : 0,
                                             .slots = inks,
                                             .slot_count = (uint32_t)k % 3,
                                             .clip = {0, 0, i % 7 == k ? 9 : 0, i % 7 == k ? 9 : 0}};
        expect_fresh(used, instances, count, &last_id);
        expect_fresh(used, instances, count, &last_id);
        for (size_t k = i % 2; k < 6; k += 2)
            move_instance(&instances[k], 0.5);
        expect_fresh(used, instances, count, &last_id);
        move_instance(&instances[0], 2);
        instances[1].slots = inks + 1;
        instances[1].slot_count = 1;
        expect_fresh(used, instances, count, &last_id);
        instances[0].transform = (pietra_transform){0};
        instances[1].clip.x1 = instances[1].clip.x0;
        expect_fresh(used, instances, count, &last_id);
    }
    pietra_composition_destroy(used);
    for (size_t i = 0; i < 5; i++)
        pietra_stream_destroy(streams[i]);
}

/* A call that fails forgets streams. The next one may show those that were shown before it, in other places. */
static void test_moves_after_failures(void **state)
{
    (void)state;
    pietra_composition *used = new_composition();
    pietra_stream *streams[200];
    pietra_instance instances[200];
    uint64_t last_id = 0;
    for (size_t i = 0; i < 200; i++) {
        streams[i] = rectangle(i % 2 ? &RED : &HALF);
        instances[i] = (pietra_instance){.stream = streams[i], .transform = {.a = 1, .d = 1}};
    }
    const pietra_stream *composed = set(used, instances, 200);
    atomic_store(&composed->composed->are_wanted, true);
    expect_fresh(used, instances, 200, &last_id);
    expect_fresh(used, instances + 150, 3, &last_id);
    pietra_instance bad[4] = {instances[0], instances[1], instances[2], instances[3]};
    bad[3].transform.a = NAN;
    assert_int_equal(pietra_composition_set(used, bad, 4, NULL, &composed), PIETRA_ERROR_INPUT);
    move_instance(&instances[151], 4);
    expect_fresh(used, instances + 150, 3, &last_id);
    assert_true(composed->composed->are_made);
    for (size_t i = 0; i < 200; i++)
        pietra_stream_destroy(streams[i]);
    pietra_composition_destroy(used);
}

/* An instance that has only moved is found by its new id and number. */
static void test_moved_ids(void **state)
{
    (void)state;
    pietra_composition *composition = new_composition();
    pietra_stream *red = rectangle(&RED);
    pietra_instance instances[] = {
        {.stream = red, .id = 1}, {.stream = red, .transparency = 1}, {.stream = red, .id = 2}};
    pietra_composed composed;
    (void)set(composition, instances, 3);
    instances[1] = (pietra_instance){.stream = red, .transform = {1, 0, 0, 1, 3, 4}, .id = 9};
    (void)set(composition, instances, 2);
    assert_true(pietra_composition_find(composition, 1, &composed));
    assert_int_equal(composed.id, 9);
    assert_int_equal(composed.instance, 1);
    pietra_pixel_box boxes[2];
    assert_int_equal(pietra_composition_damage(composition, NULL, 2, boxes), 2);
    (void)set(composition, instances, 2);
    assert_int_equal(pietra_composition_damage(composition, NULL, 2, boxes), 0);
    pietra_composition_destroy(composition);
    pietra_stream_destroy(red);
}

/* Many streams that are shown once each are forgotten again. */
static void test_many_streams(void **state)
{
    (void)state;
    pietra_composition *composition = new_composition();
    for (size_t i = 0; i < 1000; i++) {
        pietra_stream *stream = rectangle(i % 2 ? &RED : &HALF);
        const pietra_instance instance = {.stream = stream};
        assert_int_equal(view_of(set(composition, &instance, 1)).header->path_count, 2);
        pietra_stream_destroy(stream);
    }
    pietra_composition_destroy(composition);
}

static void test_layers(void **state)
{
    (void)state;
    pietra_composition *composition = new_composition();
    pietra_stream *red = rectangle(&RED), *blending = encode_and_destroy(blending_scene());
    pietra_scene *scene = new_scene();
    begin_clip(scene, "M 0 0 L 9 0 L 0 9 Z");
    begin_blended(scene, PIETRA_BLEND_HUE);
    fill(scene, "R 0 0 9 9", &RED);
    end_group(scene);
    end_clip(scene);
    pietra_stream *clipped = encode_and_destroy(scene);
    const pietra_box clip = {1, 2, 9, 10};
    const pietra_instance instances[] = {
        {.stream = red},
        {.stream = red, .clip = clip, .transparency = 0.5f},
        {.stream = clipped, .clip = clip},
        {.stream = clipped, .transparency = 1e-4f},
        {.stream = red, .transparency = 1e-4f},
        {.stream = clipped},
        {.stream = blending, .clip = clip},
    };
    const pietra_stream *stream = set(composition, instances, 7);
    const stream_element *e = view_of(stream).elements;
    assert_int_equal(e[0].kind, ELEMENT_FILL | ELEMENT_RECT | ELEMENT_OPAQUE | ELEMENT_OCCLUDER);
    assert_int_equal(e[1].kind, ELEMENT_BEGIN_CLIP | ELEMENT_RECT);
    assert_int_equal(e[2].kind, ELEMENT_BEGIN_GROUP | ELEMENT_SOLE_CHILD);
    assert_int_equal(e[2].opacity, 128);
    assert_true(e[2].box_x0 == 1 && e[2].box_y0 == 1 && e[2].box_x1 == 4 && e[2].box_y1 == 4);
    assert_int_equal(e[3].kind, ELEMENT_FILL | ELEMENT_RECT | ELEMENT_OPAQUE);
    assert_int_equal(e[6].kind, ELEMENT_BEGIN_CLIP | ELEMENT_RECT | ELEMENT_COPIES_DESTINATION);
    assert_int_equal(e[7].kind & ELEMENT_SOLE_CHILD, ELEMENT_SOLE_CHILD);
    assert_int_equal(e[13].kind, ELEMENT_BEGIN_GROUP | ELEMENT_ISOLATED);
    assert_int_equal(e[13].opacity, 255);
    assert_int_equal(e[20].kind, e[0].kind);
    assert_int_equal(e[21].kind & ELEMENT_SOLE_CHILD, 0);
    assert_int_equal(e[26].kind, ELEMENT_BEGIN_CLIP | ELEMENT_RECT);
    assert_int_equal(view_of(stream).header->occluder_count, 2);
    pietra_composition_destroy(composition);
    pietra_stream_destroy(red);
    pietra_stream_destroy(clipped);
    pietra_stream_destroy(blending);
}

/* The box of a group is that of what is painted, within its clips, turned with the instance. */
static void test_group_box(void **state)
{
    (void)state;
    pietra_composition *composition = new_composition();
    pietra_scene *scene = new_scene();
    begin_clip(scene, "R 0 0 100 100");
    begin_source(scene);
    fill(scene, "R 5 5 500 9", &RED);
    end_source(scene);
    fill(scene, "R 10 5 20 90", &RED);
    begin_group(scene, 0.5f);
    fill(scene, "R 40 6 2 2", &RED);
    end_group(scene);
    end_clip(scene);
    end_clip(scene);
    pietra_stream *stream = encode_and_destroy(scene);
    const pietra_instance instance = {.stream = stream, .transform = {0, 2, -2, 0, 0, 0}, .transparency = 0.5f};
    const stream_element *group = view_of(set(composition, &instance, 1)).elements;
    assert_true(group->box_x0 == -190 && group->box_y0 == 20 && group->box_x1 == -10 && group->box_y1 == 84);
    pietra_composition_destroy(composition);
    pietra_stream_destroy(stream);
}

static uint32_t color_of(const pietra_stream *stream, uint32_t element)
{
    const stream_view view = view_of(stream);
    return view.paints[view.elements[element].paint].color;
}

static uint32_t slot_of(const pietra_stream *stream, uint32_t element)
{
    const stream_view view = view_of(stream);
    return view.paints[view.elements[element].paint].first_stop;
}

static void test_slots(void **state)
{
    (void)state;
    static const pietra_color inks[] = {{0, 1, 0, 1}, {0, 0, 1, 0.5f}};
    pietra_composition *composition = new_composition(), *outer = new_composition();
    pietra_paint first = RED, second = RED, faded = RED;
    first.slot = faded.slot = 1;
    second.slot = 2;
    faded.transparency = 0.5f;
    pietra_scene *scene = new_scene();
    fill(scene, "R 0 0 9 9", &RED);
    fill(scene, "R 0 0 9 9", &first);
    fill(scene, "R 0 0 9 9", &second);
    fill(scene, "R 0 0 9 9", &faded);
    pietra_stream *stream = encode_and_destroy(scene);
    const pietra_instance instances[] = {
        {.stream = stream},
        {.stream = stream, .slots = inks, .slot_count = 2},
        {.stream = stream, .slots = inks, .slot_count = 1},
    };
    const pietra_stream *composed = set(composition, instances, 3);
    static const uint32_t colors[] = {0xff0000ffu, 0xff0000ffu, 0xff0000ffu, 0x80000080u, 0xff0000ffu, 0xff00ff00u,
                                      0x80800000u, 0x80008000u, 0xff0000ffu, 0xff00ff00u, 0xff0000ffu, 0x80008000u};
    static const uint32_t slots[] = {0, 1, 2, 1, 0, 0, 0, 0, 0, 0, 2, 0};
    for (uint32_t i = 0; i < 12; i++) {
        const uint32_t flags = view_of(composed).elements[i].kind & (ELEMENT_OPAQUE | ELEMENT_OCCLUDER);
        assert_int_equal(color_of(composed, i), colors[i]);
        assert_int_equal(slot_of(composed, i), slots[i]);
        assert_int_equal(flags, colors[i] >> 24 == 255u ? ELEMENT_OPAQUE | ELEMENT_OCCLUDER : 0u);
    }
    /* Two instances that give a slot the same colour share its paint. */
    assert_int_equal(view_of(composed).header->paint_count, view_of(stream).header->paint_count + 3);
    const pietra_instance shown = {.stream = composed, .slots = inks + 1, .slot_count = 1};
    const pietra_stream *nested = set(outer, &shown, 1);
    assert_int_equal(color_of(nested, 1), 0x80800000u);
    assert_int_equal(color_of(nested, 5), 0xff00ff00u);
    assert_int_equal(slot_of(nested, 10), 2);
    pietra_composition_destroy(outer);
    pietra_composition_destroy(composition);
    pietra_stream_destroy(stream);
}

static void test_labels_and_elements(void **state)
{
    (void)state;
    pietra_composition *composition = new_composition();
    pietra_scene *scene = new_scene();
    pietra_scene_set_label(scene, 7);
    fill(scene, "R 0 0 9 9", &RED);
    pietra_scene_set_label(scene, 8);
    fill(scene, "R 0 0 9 9", &HALF);
    pietra_stream *labelled = encode_and_destroy(scene), *plain = rectangle(&RED),
                  *empty = encode_and_destroy(new_scene());
    const pietra_instance instances[] = {
        {.stream = empty, .id = 1},
        {.stream = plain, .id = 2, .clip = {0, 0, 1, 1}},
        {.stream = labelled, .id = 3},
        {.stream = labelled, .id = 4, .transparency = 0.5f, .clip = {0, 0, 1, 1}},
    };
    static const struct {
        uint32_t label, id, element;
    } expected[] = {
        {0, 2, PIETRA_NO_ELEMENT},
        {0, 2, 0},
        {0, 2, PIETRA_NO_ELEMENT},
        {7, 3, 0},
        {8, 3, 1},
        {0, 4, PIETRA_NO_ELEMENT},
        {0, 4, PIETRA_NO_ELEMENT},
        {7, 4, 0},
        {8, 4, 1},
        {0, 4, PIETRA_NO_ELEMENT},
        {0, 4, PIETRA_NO_ELEMENT},
    };
    pietra_composed composed;
    assert_false(pietra_composition_find(composition, 0, &composed));
    const pietra_stream *stream = set(composition, instances, 4);
    for (uint32_t i = 0; i < 11; i++) {
        assert_true(pietra_composition_find(composition, i, &composed));
        assert_int_equal(stream_label(stream, i), expected[i].label);
        assert_int_equal(composed.id, expected[i].id);
        assert_int_equal(composed.instance, expected[i].id - 1);
        assert_int_equal(composed.element, expected[i].element);
    }
    assert_false(pietra_composition_find(composition, 11, &composed));
    assert_false(pietra_composition_find(composition, 0, NULL));
    assert_false(pietra_composition_find(NULL, 0, &composed));
    pietra_composition_destroy(composition);
    pietra_stream_destroy(labelled);
    pietra_stream_destroy(plain);
    pietra_stream_destroy(empty);
}

/* Asserts that a call fails, and leaves the stream and the composition as they were. */
static void assert_refused(pietra_composition *composition, const pietra_stream *has, const pietra_instance *bad,
                           pietra_result expected)
{
    pietra_instance instances[3] = {*bad, *bad, *bad};
    instances[0] = instances[1] = (pietra_instance){.stream = bad->stream && bad->stream != has ? bad->stream : NULL};
    const size_t first = instances[0].stream ? 0 : 2;
    const pietra_stream *stream = NULL;
    const uint64_t id = stream_id(has);
    pietra_error error = {.message = ""};
    pietra_composed composed;
    assert_int_equal(pietra_composition_set(composition, instances + first, 3 - first, &error, &stream), expected);
    assert_non_null(strstr(error.message, first ? "instance 0: " : "instance 2: "));
    assert_null(stream);
    assert_int_equal(stream_id(has), id);
    assert_true(pietra_composition_find(composition, 0, &composed));
    assert_int_equal(composed.id, 5);
}

static void test_refused(void **state)
{
    (void)state;
    static const double bad_numbers[] = {NAN, INFINITY, -INFINITY, 1.1e17};
    pietra_composition *composition = new_composition();
    pietra_paint slotted = RED;
    slotted.slot = 1;
    pietra_stream *red = rectangle(&slotted);
    const pietra_instance good = {.stream = red, .id = 5};
    const pietra_stream *has = set(composition, &good, 1);
    pietra_instance bad = {.id = 6};
    assert_refused(composition, has, &bad, PIETRA_ERROR_INPUT);
    bad.stream = has;
    assert_refused(composition, has, &bad, PIETRA_ERROR_INPUT);
    for (size_t i = 0; i < 4; i++) {
        bad = good;
        bad.transform = (pietra_transform){1, 0, 0, 1, bad_numbers[i], 0};
        assert_refused(composition, has, &bad, PIETRA_ERROR_INPUT);
        bad = good;
        bad.clip.y1 = bad_numbers[i];
        assert_refused(composition, has, &bad, PIETRA_ERROR_INPUT);
        if (i == 3)
            break;
        bad = good;
        bad.transparency = (float)bad_numbers[i];
        assert_refused(composition, has, &bad, PIETRA_ERROR_INPUT);
        const pietra_color color = {1, (float)bad_numbers[i], 1, 1};
        bad = good;
        bad.slots = &color;
        bad.slot_count = 1;
        assert_refused(composition, has, &bad, PIETRA_ERROR_INPUT);
    }
    bad = good;
    bad.slot_count = 1;
    assert_refused(composition, has, &bad, PIETRA_ERROR_INPUT);
    const pietra_stream *stream;
    assert_int_equal(pietra_composition_set(NULL, NULL, 0, NULL, &stream), PIETRA_ERROR_INPUT);
    assert_int_equal(pietra_composition_set(composition, NULL, 1, NULL, &stream), PIETRA_ERROR_INPUT);
    assert_int_equal(pietra_composition_set(composition, NULL, 0, NULL, NULL), PIETRA_ERROR_INPUT);
    pietra_composition_destroy(composition);
    pietra_stream_destroy(red);
}

/* A stream counts the segments that its elements draw. The instance that brings too many is named, before anything is
 * written. */
static void test_too_many_segments(void **state)
{
    (void)state;
    const uint32_t segments = 1u << 20, shown = STREAM_MAX_COUNT / segments + 1;
    pietra_composition *composition = new_composition();
    pietra_path *path = pietra_path_create();
    pietra_scene *scene = new_scene();
    for (uint32_t i = 0; i <= segments; i++)
        pietra_path_line_to(path, i % 1000, i / 1000 % 3);
    ASSERT_OK(pietra_scene_stroke(scene, path, NULL, &(pietra_stroke){.width = 1}, &RED, error));
    pietra_path_destroy(path);
    pietra_stream *stream = encode_and_destroy(scene);
    assert_int_equal(view_of(stream).header->segment_count, segments);
    pietra_instance *instances = calloc(shown, sizeof *instances);
    assert_non_null(instances);
    for (uint32_t i = 0; i < shown; i++)
        instances[i].stream = stream;
    const pietra_stream *composed;
    pietra_error error;
    char name[30];
    assert_int_equal(pietra_composition_set(composition, instances, shown, &error, &composed), PIETRA_ERROR_MEMORY);
    snprintf(name, sizeof name, "instance %u: ", shown - 1);
    assert_non_null(strstr(error.message, name));
    assert_int_equal(view_of(set(composition, instances, shown - 1)).header->task_count, (shown - 1) * segments);
    free(instances);
    pietra_composition_destroy(composition);
    pietra_stream_destroy(stream);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_nothing),
        cmocka_unit_test(test_shared),
        cmocka_unit_test(test_history_leaves_no_trace),
        cmocka_unit_test(test_moves_after_failures),
        cmocka_unit_test(test_moved_ids),
        cmocka_unit_test(test_many_streams),
        cmocka_unit_test(test_layers),
        cmocka_unit_test(test_group_box),
        cmocka_unit_test(test_slots),
        cmocka_unit_test(test_labels_and_elements),
        cmocka_unit_test(test_refused),
        cmocka_unit_test(test_too_many_segments),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
