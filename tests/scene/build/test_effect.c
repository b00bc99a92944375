/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Effects in scenes, and what the validator says of them in streams. */
#include <math.h>

#include "pietra/pietra_effect.h"
#include "scene/build/scene.h"
#include "scene/validate/blob.h"

#define STEPS(steps) .steps = (steps), .step_count = sizeof(steps) / sizeof(*(steps))

/* Adds a red square of 10 units. */
static void add_square(pietra_scene *scene)
{
    pietra_path *path = pietra_path_create();
    pietra_path_rect(path, 0, 0, 10, 10);
    assert_int_equal(pietra_scene_fill(scene, path, NULL, PIETRA_FILL_NONZERO, &RED, NULL), PIETRA_OK);
    pietra_path_destroy(path);
}

/* One step of each kind, each on the result before it. `inner` is shown by the last. */
static size_t make_steps(pietra_effect_step steps[17], const pietra_scene *inner)
{
    static const pietra_effect_input merged[] = {PIETRA_EFFECT_SOURCE, PIETRA_EFFECT_PREVIOUS};
    static const float table[] = {0, 0.5f, 1}, kernel[] = {1, 2, 3, 4, 5, 6};
    memset(steps, 0, 17 * sizeof *steps);
    for (unsigned i = 0; i < 17; i++)
        steps[i].kind = (pietra_effect_kind)i;
    steps[0].flood.color = (pietra_color){1, 0.5f, 0, 2};
    steps[1].offset.x = 3;
    steps[2].merge.inputs = merged;
    steps[2].merge.input_count = 2;
    steps[3].composite.operation = PIETRA_EFFECT_ARITHMETIC;
    steps[3].in2 = PIETRA_EFFECT_SOURCE_ALPHA;
    steps[4].in2 = PIETRA_EFFECT_RESULT(0);
    steps[4].blend.mode = PIETRA_BLEND_LUMINOSITY;
    steps[5] = pietra_effect_saturate(0.5f);
    steps[6].component_transfer.g =
        (pietra_effect_function){.type = PIETRA_EFFECT_TABLE, .values = table, .value_count = 3};
    steps[8].displacement_map.x_channel = PIETRA_EFFECT_ALPHA;
    steps[8].in2 = PIETRA_EFFECT_SOURCE;
    steps[9].drop_shadow.sigma_x = 2;
    steps[10].gaussian_blur.sigma_y = 1;
    steps[10].linear_rgb = true;
    steps[10].region = (pietra_box){1, 2, 3, 4};
    steps[11].convolve_matrix.columns = 3;
    steps[11].convolve_matrix.rows = 2;
    steps[11].convolve_matrix.kernel = kernel;
    steps[11].convolve_matrix.divisor = 1;
    steps[13].lighting.light = PIETRA_EFFECT_LIGHT_SPOT;
    steps[15].turbulence.octaves = 99;
    steps[16].image.scene = inner;
    return 17;
}

/* A scene with one effect of all steps around a square, and a square in its picture. */
static pietra_scene *effect_scene(void)
{
    pietra_scene *scene = pietra_scene_create(), *inner = pietra_scene_create();
    pietra_effect_step steps[17];
    pietra_effect effect = {.steps = steps, .step_count = make_steps(steps, inner), .region = {-1, -2, 11, 12}};
    add_square(inner);
    assert_int_equal(pietra_scene_begin_effect(scene, &effect, &(pietra_transform){2, 0, 0, 2, 5, 5}, NULL), PIETRA_OK);
    add_square(scene);
    assert_int_equal(pietra_scene_end_effect(scene, NULL), PIETRA_OK);
    pietra_scene_destroy(inner);
    return scene;
}

static void test_streams(void **state)
{
    (void)state;
    pietra_stream *stream = encode_and_destroy(effect_scene());
    stream_view view = stream_view_of(stream_words(stream));
    static const uint32_t kinds[] = {ELEMENT_BEGIN_EFFECT, ELEMENT_BEGIN_EFFECT_PICTURE,
                                     ELEMENT_FILL,         ELEMENT_END_EFFECT_PICTURE,
                                     ELEMENT_FILL,         ELEMENT_END_EFFECT};
    assert_int_equal(view.header->element_count, 6);
    for (size_t i = 0; i < 6; i++)
        assert_int_equal(view.elements[i].kind & ELEMENT_KIND_MASK, kinds[i]);
    assert_int_equal(view.header->occluder_count, 0);
    assert_true(view.elements[0].box_x0 == -1 && view.elements[0].box_y1 == 12);
    /* The picture's transform is the effect's. */
    assert_true(view.transforms[view.elements[2].transform].a == 2);
    assert_int_equal(view.header->effect_count, 1);
    assert_int_equal(view.effects[0].step_count, 17);
    assert_int_equal(view.effects[0].picture_count, 1);
    const stream_effect_step *steps = view.effect_steps;
    assert_int_equal(steps[0].in1, EFFECT_INPUT_SOURCE);
    assert_int_equal(steps[1].in1, EFFECT_INPUT_RESULT(0));
    assert_int_equal(steps[3].in2, EFFECT_INPUT_SOURCE_ALPHA);
    assert_int_equal(view.effect_values[steps[2].first_value], EFFECT_INPUT_SOURCE);
    assert_int_equal(view.effect_values[steps[2].first_value + 1], EFFECT_INPUT_RESULT(1));
    assert_true(steps[10].linear == 1 && steps[10].x0 == 1 && steps[10].y1 == 4);
    assert_true(steps[9].x0 == -STREAM_BOX_LIMIT && steps[9].x1 == STREAM_BOX_LIMIT);
    const effect_values_flood *flood = (const effect_values_flood *)(view.effect_values + steps[0].first_value);
    assert_true(flood->g == 0.5f && flood->a == 1);
    const effect_values_turbulence *noise =
        (const effect_values_turbulence *)(view.effect_values + steps[15].first_value);
    assert_int_equal(noise->octaves, EFFECT_OCTAVES_MOST);
    pietra_stream_destroy(stream);
}

/* An appended scene keeps its effects, and an effect stands without content, but not where all is flat or unseen. */
static void test_nesting(void **state)
{
    (void)state;
    pietra_scene *scene = pietra_scene_create(), *other = effect_scene();
    pietra_effect_step steps[17];
    pietra_effect effect = {.steps = steps, .step_count = make_steps(steps, NULL)};
    const pietra_transform flat = {1, 1, 1, 1, 0, 0};
    assert_int_equal(pietra_scene_begin_group(scene, 0.5f, NULL), PIETRA_OK);
    assert_int_equal(pietra_scene_begin_effect(scene, &effect, NULL, NULL), PIETRA_OK);
    assert_int_equal(pietra_scene_append(scene, other, NULL, NULL), PIETRA_OK);
    assert_int_equal(pietra_scene_begin_effect(scene, &effect, &flat, NULL), PIETRA_OK);
    add_square(scene);
    assert_int_equal(pietra_scene_end_effect(scene, NULL), PIETRA_OK);
    assert_int_equal(pietra_scene_end_effect(scene, NULL), PIETRA_OK);
    assert_int_equal(pietra_scene_end_group(scene, NULL), PIETRA_OK);
    assert_int_equal(pietra_scene_begin_group(scene, 0, NULL), PIETRA_OK);
    assert_int_equal(pietra_scene_append(scene, other, NULL, NULL), PIETRA_OK);
    assert_int_equal(pietra_scene_end_group(scene, NULL), PIETRA_OK);
    pietra_scene_destroy(other);
    pietra_stream *stream = encode_and_destroy(scene);
    stream_view view = stream_view_of(stream_words(stream));
    assert_int_equal(view.header->element_count, 2 + 4 + 6);
    assert_int_equal(view.header->effect_count, 2);
    assert_int_equal(view.elements[0].kind, ELEMENT_BEGIN_GROUP);
    assert_true(view.elements[0].box_x1 == STREAM_BOX_LIMIT); /* an effect without a region may show anything */
    assert_int_equal(view.elements[1].kind, ELEMENT_BEGIN_EFFECT);
    assert_int_equal(view.elements[2].kind, ELEMENT_BEGIN_EFFECT_PICTURE);
    assert_int_equal(view.elements[3].kind, ELEMENT_END_EFFECT_PICTURE);
    assert_int_equal(view.elements[4].paint, 1);
    pietra_stream_destroy(stream);
}

static void test_bad_arguments(void **state)
{
    (void)state;
    pietra_scene *scene = pietra_scene_create(), *open = pietra_scene_create();
    add_square(scene);
    assert_int_equal(pietra_scene_begin_group(open, 1, NULL), PIETRA_OK);
    const scene_mark mark = scene_get_mark(scene);
    pietra_error error;
#define REFUSES(part, change) \
    do { \
        pietra_effect_step steps[17]; \
        pietra_effect effect = {.steps = steps, .step_count = make_steps(steps, NULL)}; \
        change; \
        assert_int_equal(pietra_scene_begin_effect(scene, &effect, NULL, &error), PIETRA_ERROR_INPUT); \
        const scene_mark after_call = scene_get_mark(scene); \
        assert_memory_equal(&after_call, &mark, sizeof mark); \
        assert_int_equal(pietra_scene_position(scene), 1); \
        if (!strstr(error.message, part)) \
            fail_msg("`%s` does not say `%s`", error.message, part); \
    } while (0)
    REFUSES("effect.steps", effect.steps = NULL);
    REFUSES("region", effect.region.x1 = NAN);
    REFUSES("kind", steps[3].kind = (pietra_effect_kind)17);
    REFUSES("step 1 of an effect: an input", steps[1].in = PIETRA_EFFECT_RESULT(1));
    REFUSES("step 4 of an effect: an input", steps[4].in2 = PIETRA_EFFECT_RESULT(4));
    REFUSES("region", steps[5].region.y0 = INFINITY);
    REFUSES("not finite", steps[0].flood.color.r = NAN);
    REFUSES("not finite", steps[1].offset.y = INFINITY);
    REFUSES("inputs are NULL", steps[2].merge.inputs = NULL);
    REFUSES("operator", steps[3].composite.operation = (pietra_effect_operator)7);
    REFUSES("blend mode", steps[4].blend.mode = (pietra_blend)16);
    REFUSES("not finite", steps[5].color_matrix.values[19] = NAN);
    REFUSES("type", steps[6].component_transfer.a.type = (pietra_effect_function_type)5);
    REFUSES("NULL", steps[6].component_transfer.g.values = NULL);
    REFUSES("too many values", steps[6].component_transfer.g.value_count = 65537);
    REFUSES("channel", steps[8].displacement_map.y_channel = (pietra_effect_channel)4);
    REFUSES("edge", steps[10].gaussian_blur.edge = (pietra_effect_edge)3);
    REFUSES("NULL", steps[11].convolve_matrix.kernel = NULL);
    REFUSES("light", steps[13].lighting.light = (pietra_effect_light)3);
    REFUSES("not finite", steps[15].turbulence.seed = NAN);
    REFUSES("itself", steps[16].image.scene = scene);
    REFUSES("balanced", steps[16].image.scene = open);
#undef REFUSES
    assert_int_equal(pietra_scene_end_effect(scene, &error), PIETRA_ERROR_INPUT);
    assert_int_equal(pietra_scene_begin_clip_source(scene, NULL), PIETRA_OK);
    assert_int_equal(pietra_scene_begin_effect(scene, &(pietra_effect){0}, NULL, &error), PIETRA_ERROR_INPUT);
    assert_non_null(strstr(error.message, "clip's source"));
    pietra_scene_destroy(scene);
    pietra_scene_destroy(open);
}

static stream_effect_step *step_at(blob b, uint32_t i)
{
    return (stream_effect_step *)(b.words + header_of(b)->effect_steps) + i;
}

static uint32_t *value_at(blob b, uint32_t step, uint32_t i)
{
    return b.words + header_of(b)->effect_values + step_at(b, step)->first_value + i;
}

static void test_bad_streams(void **state)
{
    (void)state;
    const float nan = NAN;
    blob good = blob_of(effect_scene());
    assert_true(opens(good, NULL, NULL));
    free(good.words);
#define REJECTS_EFFECT(part, change) REJECTS_IN(blob_of(effect_scene()), part, change)
    REJECTS_EFFECT("step 0 makes no sense", step_at(b, 0)->kind = 17);
    REJECTS_EFFECT("step 0 makes no sense", step_at(b, 0)->linear = 2);
    REJECTS_EFFECT("step 0 makes no sense", step_at(b, 0)->in1 = 1);
    REJECTS_EFFECT("step 0 makes no sense", step_at(b, 0)->x0 = nan);
    REJECTS_EFFECT("step 1 makes no sense", step_at(b, 1)->in1 = EFFECT_INPUT_RESULT(1));
    REJECTS_EFFECT("step 2 makes no sense", *value_at(b, 2, 0) = EFFECT_INPUT_RESULT(2));
    REJECTS_EFFECT("step 3 makes no sense", *value_at(b, 3, 0) = 7);
    REJECTS_EFFECT("step 4 makes no sense", step_at(b, 4)->in2 = EFFECT_INPUT_RESULT(4));
    REJECTS_EFFECT("step 4 makes no sense", *value_at(b, 4, 0) = 16);
    REJECTS_EFFECT("step 5 makes no sense", memcpy(value_at(b, 5, 7), &nan, sizeof nan));
    REJECTS_EFFECT("step 6 makes no sense", *value_at(b, 6, 24) = 1);
    REJECTS_EFFECT("step 6 makes no sense", *value_at(b, 6, 25) = 0x7fffffff);
    REJECTS_EFFECT("step 11 makes no sense", *value_at(b, 11, 4) = 4);
    REJECTS_EFFECT("step 11 makes no sense", *value_at(b, 11, 6) = 3);
    REJECTS_EFFECT("step 16 makes no sense", step_at(b, 16)->kind = EFFECT_STEP_FLOOD);
    REJECTS_EFFECT("its pictures", step_at(b, 16)->kind = EFFECT_STEP_TILE);
    REJECTS_EFFECT("values of step 1", step_at(b, 1)->first_value++);
    REJECTS_EFFECT("values of step 1", step_at(b, 1)->value_count = 0x10000000);
    REJECTS_EFFECT("effect 1 is not there", element_at(b, 0)->paint = 1);
    REJECTS_EFFECT("a box", element_at(b, 1)->box_x1 = 1);
    REJECTS_EFFECT("flags", element_at(b, 0)->kind |= ELEMENT_SOLE_CHILD);
    REJECTS_EFFECT("flags", element_at(b, 2)->kind |= ELEMENT_IN_PIXELS);
    REJECTS_EFFECT("picture",
                   (element_at(b, 2)->kind = ELEMENT_BEGIN_EFFECT_PICTURE, element_at(b, 2)->path = STREAM_NONE,
                    element_at(b, 2)->paint = STREAM_NONE, element_at(b, 2)->transform = element_at(b, 1)->transform,
                    memset(&element_at(b, 2)->box_x0, 0, 16)));
    REJECTS_EFFECT("ends what is not open", element_at(b, 5)->kind = ELEMENT_END_EFFECT_PICTURE);
    REJECTS_EFFECT("occluder", element_at(b, 4)->kind |= ELEMENT_OCCLUDER);
#undef REJECTS_EFFECT
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_streams),
        cmocka_unit_test(test_nesting),
        cmocka_unit_test(test_bad_arguments),
        cmocka_unit_test(test_bad_streams),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
