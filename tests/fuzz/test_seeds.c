/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The seeds of fuzz_stream: each still opens, and equals the stream of its scene. With PIETRA_WRITE_SEEDS set in the
 * environment they are written instead, as a change of the stream's version requires. */
#include "pietra/pietra_effect.h"
#include "scene/scene_fixture.h"

#define SEED_FOLDER PIETRA_SOURCE_DIR "/tests/fuzz/corpus/stream/"

static pietra_scene *empty_scene(void)
{
    return new_scene();
}

static pietra_scene *fill_scene(void)
{
    pietra_scene *scene = new_scene();
    fill(scene, "R 2 3 20 10", &RED);
    fill(scene, "M 0 0 C 5 9 9 0 30 30 Q 1 2 3 4 Z", &HALF);
    return scene;
}

static pietra_scene *stroke_scene(void)
{
    static const double dashes[] = {3, 1};
    pietra_scene *scene = new_scene();
    stroke(scene, "M 1 1 L 30 30 M 5 5 Z", &(pietra_stroke){.width = 3, .cap = PIETRA_CAP_SQUARE});
    stroke(scene, "M 1 30 Q 5 9 30 2",
           &(pietra_stroke){.width = 2, .dashes = dashes, .dash_count = 2, .join = PIETRA_JOIN_ROUND});
    return scene;
}

static pietra_scene *nested_scene(void)
{
    pietra_scene *scene = new_scene();
    for (int i = 0; i < 8; i++) {
        char data[32];
        snprintf(data, sizeof data, "R %d %d 20 20", i, 8 - i);
        begin_clip(scene, data);
        begin_group(scene, 0.75f);
    }
    fill(scene, "R 0 0 32 32", &RED);
    for (int i = 0; i < 8; i++) {
        end_group(scene);
        end_clip(scene);
    }
    return scene;
}

static pietra_scene *effect_scene(void)
{
    static const pietra_effect_input inputs[] = {PIETRA_EFFECT_RESULT(2), PIETRA_EFFECT_SOURCE};
    pietra_scene *scene = new_scene(), *picture = fill_scene();
    const pietra_effect_step steps[] = {
        {.kind = PIETRA_EFFECT_IMAGE, .image = {.scene = picture}},
        {.kind = PIETRA_EFFECT_GAUSSIAN_BLUR, .linear_rgb = true, .gaussian_blur = {.sigma_x = 3, .sigma_y = 1}},
        {.kind = PIETRA_EFFECT_COMPOSITE,
         .in2 = PIETRA_EFFECT_SOURCE_ALPHA,
         .composite = {.operation = PIETRA_EFFECT_IN}},
        {.kind = PIETRA_EFFECT_MERGE, .merge = {.inputs = inputs, .input_count = 2}},
    };
    const pietra_effect effect = {.steps = steps, .step_count = 4, .region = {0, 0, 30, 30}};
    ASSERT_OK(pietra_scene_begin_effect(scene, &effect, NULL, error));
    fill(scene, "R 5 5 20 20", &HALF);
    ASSERT_OK(pietra_scene_end_effect(scene, error));
    pietra_scene_destroy(picture);
    return scene;
}

static pietra_scene *external_scene(void)
{
    pietra_scene *scene = new_scene();
    pietra_image *image;
    ASSERT_OK(pietra_image_create_external(5, 3, 7, error, &image));
    ASSERT_OK(pietra_scene_draw_image(scene, image, NULL, PIETRA_FILTER_HIGH, error));
    ASSERT_OK(
        pietra_scene_draw_image(scene, image, &(pietra_transform){2, 1, 0, 2, 9, 1}, PIETRA_FILTER_SMOOTH, error));
    pietra_image_destroy(image);
    return scene;
}

static pietra_scene *box_shadow_scene(void)
{
    const pietra_shadow shadow = {.box = {4, 4, 24, 20}, .radii = {2, 3, 8, 0}, .sigma = 3, .color = {0, 0, 0, 0.5f}};
    pietra_shadow inset = shadow;
    pietra_scene *scene = new_scene();
    inset.inset = true;
    inset.spread = 1;
    ASSERT_OK(pietra_scene_draw_box_shadow(scene, &shadow, NULL, error));
    fill(scene, "R 4 4 20 16", &HALF);
    ASSERT_OK(pietra_scene_draw_box_shadow(scene, &inset, NULL, error));
    return scene;
}

static const struct {
    const char *name;
    pietra_scene *(*build)(void);
} seeds[] = {
    {"empty", empty_scene},           {"fill", fill_scene},         {"stroke", stroke_scene},
    {"nested", nested_scene},         {"complex", complex_scene},   {"blending", blending_scene},
    {"masking", masking_scene},       {"image", image_scene},       {"effect", effect_scene},
    {"box_shadow", box_shadow_scene}, {"external", external_scene},
};

static void write_seed(const char *path, const void *bytes, size_t size)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
}

static void test_seeds_are_current(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof seeds / sizeof seeds[0]; i++) {
        char path[sizeof SEED_FOLDER + 32];
        snprintf(path, sizeof path, SEED_FOLDER "%s", seeds[i].name);
        pietra_stream *stream = encode_and_destroy(seeds[i].build());
        size_t size;
        const void *bytes = pietra_stream_bytes(stream, &size);
        if (getenv("PIETRA_WRITE_SEEDS"))
            write_seed(path, bytes, size);
        char *stored = malloc(size + 1);
        FILE *file = fopen(path, "rb");
        assert_non_null(stored);
        assert_non_null(file);
        assert_int_equal(fread(stored, 1, size + 1, file), size);
        fclose(file);
        assert_memory_equal(stored, bytes, size);
        free(stored);
        pietra_stream_destroy(stream);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_seeds_are_current)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
