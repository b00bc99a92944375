/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Layers by their pixels, on the reference device: what groups, clips and masks make of their content. */
#include "lib/blend.h"
#include "render/reference/pixels.h"
#include "scene/blend.h"

#define SIDE 32u
#define BLUE 0xffc08020u
#define WARM 0xff2040e0u

static pietra_paint paint_of(uint32_t straight)
{
    return (pietra_paint){.color = {(float)(straight & 0xff) / 255, (float)(straight >> 8 & 0xff) / 255,
                                    (float)(straight >> 16 & 0xff) / 255, (float)(straight >> 24) / 255}};
}

static void fill_color(pietra_scene *scene, const char *data, uint32_t straight)
{
    pietra_paint paint = paint_of(straight);
    fill(scene, data, &paint);
}

/* Returns premultiplied pixels, and destroys the scene. */
static uint32_t *draw(pietra_scene *scene)
{
    static uint32_t pixels[SIDE * SIDE];
    draw_by_reference(scene, SIDE, pixels);
    return pixels;
}

static uint32_t pixel(pietra_scene *scene, uint32_t x, uint32_t y)
{
    return draw(scene)[y * SIDE + x];
}

static void test_modes(void **state)
{
    (void)state;
    for (uint32_t mode = 0; mode < BLEND_COUNT; mode++) {
        pietra_scene *scene = new_scene();
        fill_color(scene, "R 0 0 32 32", BLUE);
        begin_blended(scene, (pietra_blend)mode);
        fill_color(scene, "R 4 4 20 20", WARM);
        end_group(scene);
        uint32_t *pixels = draw(scene);
        assert_int_equal(pixels[0], blend_color(0, BLUE, mode));
        assert_int_equal(pixels[10 * SIDE + 10], blend_color(WARM, BLUE, mode));
    }
}

/* Returns the pixel where a group of this mix-blend-mode lies on another colour. */
static uint32_t blended_by(const char *keyword)
{
    char document[400];
    snprintf(document, sizeof document,
             "<svg xmlns='http://www.w3.org/2000/svg' width='32' height='32'>"
             "<rect width='32' height='32' fill='#2080c0'/>"
             "<rect width='32' height='32' fill='#a08060' style='mix-blend-mode:%s'/></svg>",
             keyword);
    pietra_scene *scene = new_scene();
    ASSERT_OK(pietra_scene_load_svg(scene, document, strlen(document), NULL, error, NULL, NULL));
    return pixel(scene, 10, 10);
}

static void test_keywords(void **state)
{
    (void)state;
    static const char *const keywords[] = {
#define OPERATOR(name, number, word)
#define BLEND(name, number, keyword) #keyword,
#include "layout/blend.def"
    };
    uint32_t found[BLEND_COUNT];
    for (size_t i = 0; i < sizeof keywords / sizeof keywords[0]; i++) {
        found[i] = blended_by(keywords[i]);
        for (size_t earlier = 0; earlier < i; earlier++)
            if (found[earlier] == found[i])
                fail_msg("%s paints as %s", keywords[i], keywords[earlier]);
    }
}

#define UNBOUNDED_COUNT 6

static const pietra_blend unbounded[UNBOUNDED_COUNT] = {PIETRA_BLEND_CLEAR,      PIETRA_BLEND_SOURCE,
                                                        PIETRA_BLEND_SOURCE_IN,  PIETRA_BLEND_DESTINATION_IN,
                                                        PIETRA_BLEND_SOURCE_OUT, PIETRA_BLEND_DESTINATION_ATOP};

/* An unbounded group that paints nothing clears what the group around it has painted, and nothing else. */
static void test_empty_unbounded_groups(void **state)
{
    (void)state;
    for (size_t i = 0; i < 2 * UNBOUNDED_COUNT; i++) {
        pietra_scene *scene = new_scene();
        fill_color(scene, "R 0 0 32 32", BLUE);
        begin_group(scene, 1.0f);
        fill_color(scene, "R 4 4 20 20", WARM);
        ASSERT_OK(pietra_scene_begin_blended_group(scene, i % 2 ? 0.0f : 1.0f, unbounded[i / 2], error));
        if (i % 2)
            fill_color(scene, "R 6 6 20 20", WARM); /* of opacity 0 */
        end_group(scene);
        fill_color(scene, "R 12 4 2 2", WARM);
        end_group(scene);
        uint32_t *pixels = draw(scene);
        assert_int_equal(pixels[10 * SIDE + 10], BLUE);
        assert_int_equal(pixels[4 * SIDE + 12], WARM);
        assert_int_equal(pixels[31 * SIDE + 31], BLUE);
    }
}

/* Outside of all groups it clears the picture with its background. */
static void test_unbounded_groups_reach_the_background(void **state)
{
    (void)state;
    for (size_t i = 0; i < UNBOUNDED_COUNT; i++) {
        pietra_scene *scene = new_scene();
        begin_blended(scene, unbounded[i]);
        end_group(scene);
        fill_color(scene, "R 4 4 8 8", WARM);
        uint8_t pixels[4 * SIDE * SIDE];
        pietra_stream *stream = encode_and_destroy(scene);
        pietra_device *device;
        const pietra_frame frame = {.background = {1, 1, 1, 1}};
        const pietra_target target = {.width = SIDE, .height = SIDE, .pixels = pixels};
        ASSERT_OK(pietra_device_create(&(pietra_device_options){.kind = PIETRA_DEVICE_REFERENCE}, error, &device));
        ASSERT_OK(pietra_render(device, stream, &frame, &target, error, NULL));
        assert_int_equal(pixels[3], 0);
        assert_int_equal(pixels[4 * (5 * SIDE + 5) + 3], 255);
        pietra_device_destroy(device);
        pietra_stream_destroy(stream);
    }
}

/* A clip bounds it, and what the clip's edge half covers stays by half. A mask bounds it as a group does. */
static void test_clips_bound_unbounded_groups(void **state)
{
    (void)state;
    for (size_t i = 0; i < UNBOUNDED_COUNT; i++) {
        pietra_scene *scene = new_scene();
        fill_color(scene, "R 0 0 32 32", BLUE);
        begin_clip(scene, "R 0 0 10.5 32");
        begin_blended(scene, unbounded[i]);
        end_group(scene);
        end_clip(scene);
        ASSERT_OK(pietra_scene_begin_mask_source(scene, PIETRA_MASK_ALPHA, error));
        fill_color(scene, "R 20 0 8 32", WARM);
        begin_clip(scene, "R 24 0 8 32");
        begin_blended(scene, unbounded[i]);
        end_group(scene);
        end_clip(scene);
        ASSERT_OK(pietra_scene_end_mask_source(scene, error));
        fill_color(scene, "R 0 0 32 32", WARM);
        ASSERT_OK(pietra_scene_end_mask(scene, error));
        uint32_t *pixels = draw(scene);
        assert_int_equal(pixels[9], 0);
        assert_int_equal(pixels[10], color_scale(BLUE, 127));
        assert_int_equal(pixels[11], BLUE);
        assert_int_equal(pixels[22], WARM);
        assert_int_equal(pixels[26], BLUE);
    }
}

static void test_groups_isolate(void **state)
{
    (void)state;
    pietra_scene *scene = new_scene();
    fill_color(scene, "R 0 0 32 32", BLUE);
    begin_group(scene, 1.0f);
    begin_blended(scene, PIETRA_BLEND_MULTIPLY);
    fill_color(scene, "R 0 0 32 32", WARM);
    end_group(scene);
    end_group(scene);
    assert_int_equal(pixel(scene, 5, 5), WARM);
}

/* What blends inside a clip sees what lies below the clip, even in a pixel that the clip's edge half covers. */
static void test_clips_do_not(void **state)
{
    (void)state;
    pietra_scene *scene = new_scene();
    fill_color(scene, "R 0 0 32 32", BLUE);
    begin_clip(scene, "R 0 0 10.5 32");
    begin_blended(scene, PIETRA_BLEND_MULTIPLY);
    fill_color(scene, "R 0 0 32 32", WARM);
    end_group(scene);
    end_clip(scene);
    uint32_t *pixels = draw(scene);
    uint32_t mixed = blend_color(WARM, BLUE, BLEND_MULTIPLY);
    assert_int_equal(pixels[9], mixed);
    assert_int_equal(pixels[10], color_lerp(mixed, BLUE, 128));
    assert_int_equal(pixels[11], BLUE);
}

/* A clip to whole pixels is no layer, but a group around it must remain one. */
static void test_folded_clip_in_a_group(void **state)
{
    (void)state;
    pietra_scene *scene = new_scene();
    fill_color(scene, "R 0 0 32 32", BLUE);
    begin_group(scene, 1.0f);
    begin_clip(scene, "R 0 0 16 32");
    begin_blended(scene, PIETRA_BLEND_DIFFERENCE);
    fill_color(scene, "R 0 0 32 32", WARM);
    end_group(scene);
    end_clip(scene);
    end_group(scene);
    uint32_t *pixels = draw(scene);
    assert_int_equal(pixels[9], WARM);
    assert_int_equal(pixels[20], BLUE);
}

static void masked(pietra_scene *scene, pietra_mask_kind kind, uint32_t source, uint32_t content)
{
    ASSERT_OK(pietra_scene_begin_mask_source(scene, kind, error));
    fill_color(scene, "R 0 0 16 32", source);
    ASSERT_OK(pietra_scene_end_mask_source(scene, error));
    fill_color(scene, "R 0 0 32 32", content);
    ASSERT_OK(pietra_scene_end_mask(scene, error));
}

static void test_masks(void **state)
{
    (void)state;
    static const struct {
        pietra_mask_kind kind;
        uint32_t source, level;
    } cases[] = {
        {PIETRA_MASK_ALPHA, 0x80ff0000u, 128},
        {PIETRA_MASK_ALPHA, 0xff000000u, 255},
        {PIETRA_MASK_LUMINANCE, 0xffffffffu, 255},
        {PIETRA_MASK_LUMINANCE, 0xff000000u, 0},
        {PIETRA_MASK_LUMINANCE, 0xff0000ffu, 54},
        {PIETRA_MASK_LUMINANCE, 0xff00ff00u, 182},
        {PIETRA_MASK_LUMINANCE, 0xffff0000u, 18},
        {PIETRA_MASK_LUMINANCE, 0x80ffffffu, 128},
        {PIETRA_MASK_LUMINANCE_LINEAR, 0xffffffffu, 255},
        {PIETRA_MASK_LUMINANCE_LINEAR, 0xff808080u, 55},
        {PIETRA_MASK_LUMINANCE_LINEAR, 0x80ffffffu, 128},
        {PIETRA_MASK_LUMINANCE_LINEAR, 0xff0a0a0au, 1},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        pietra_scene *scene = new_scene();
        fill_color(scene, "R 0 0 32 32", BLUE);
        masked(scene, cases[i].kind, cases[i].source, WARM);
        uint32_t *pixels = draw(scene);
        assert_int_equal(pixels[3], color_over(color_scale(WARM, cases[i].level), BLUE));
        assert_int_equal(pixels[20], BLUE);
    }
}

/* A mask on a mask's source, and a group and a clip by a source within it. */
static void test_nested_masks(void **state)
{
    (void)state;
    pietra_scene *scene = new_scene();
    ASSERT_OK(pietra_scene_begin_mask_source(scene, PIETRA_MASK_LUMINANCE, error));
    masked(scene, PIETRA_MASK_ALPHA, 0x80000000u, 0xffffffffu);
    begin_source(scene);
    fill(scene, "R 16 0 8 32", &RED);
    end_source(scene);
    begin_group(scene, 0.25f);
    fill_color(scene, "R 0 0 32 32", 0xffffffffu);
    end_group(scene);
    end_clip(scene);
    ASSERT_OK(pietra_scene_end_mask_source(scene, error));
    fill_color(scene, "R 0 0 32 32", WARM);
    ASSERT_OK(pietra_scene_end_mask(scene, error));
    uint32_t *pixels = draw(scene);
    assert_int_equal(pixels[3], color_scale(WARM, 128));
    assert_int_equal(pixels[20], color_scale(WARM, 64));
    assert_int_equal(pixels[28], 0);
}

static void test_empty_masks(void **state)
{
    (void)state;
    pietra_scene *scene = new_scene();
    fill_color(scene, "R 0 0 32 32", BLUE);
    ASSERT_OK(pietra_scene_begin_mask_source(scene, PIETRA_MASK_ALPHA, error));
    ASSERT_OK(pietra_scene_end_mask_source(scene, error));
    fill_color(scene, "R 0 0 32 32", WARM);
    ASSERT_OK(pietra_scene_end_mask(scene, error));
    assert_int_equal(pixel(scene, 5, 5), BLUE);
}

/* What blends in a mask's content sees only that content. What blends in its source sees only the source. */
static void test_masks_isolate(void **state)
{
    (void)state;
    pietra_scene *scene = new_scene();
    fill_color(scene, "R 0 0 32 32", BLUE);
    ASSERT_OK(pietra_scene_begin_mask_source(scene, PIETRA_MASK_LUMINANCE, error));
    begin_blended(scene, PIETRA_BLEND_SCREEN);
    fill_color(scene, "R 0 0 32 32", 0xff808080u);
    end_group(scene);
    ASSERT_OK(pietra_scene_end_mask_source(scene, error));
    begin_blended(scene, PIETRA_BLEND_MULTIPLY);
    fill_color(scene, "R 0 0 32 32", WARM);
    end_group(scene);
    ASSERT_OK(pietra_scene_end_mask(scene, error));
    assert_int_equal(pixel(scene, 5, 5), color_over(color_scale(WARM, 128), BLUE));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_modes),
        cmocka_unit_test(test_keywords),
        cmocka_unit_test(test_empty_unbounded_groups),
        cmocka_unit_test(test_unbounded_groups_reach_the_background),
        cmocka_unit_test(test_clips_bound_unbounded_groups),
        cmocka_unit_test(test_groups_isolate),
        cmocka_unit_test(test_clips_do_not),
        cmocka_unit_test(test_folded_clip_in_a_group),
        cmocka_unit_test(test_masks),
        cmocka_unit_test(test_nested_masks),
        cmocka_unit_test(test_empty_masks),
        cmocka_unit_test(test_masks_isolate),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
