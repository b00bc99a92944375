/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Hit tests: what contains a point, beside what a frame draws there. */
#include <math.h>

#include "all_sizes.h"
#include "pietra/pietra_effect.h"
#include "pietra/pietra_explain.h"
#include "pietra/pietra_hit.h"
#include "property/random_scene.h"
#include "render/open_device.h"

#define MOST 64u
#define SIDE 128u
#define RANDOM_SCENES (all_sizes() ? 1000u : 40u)
#define POINTS 12u /* of each */

/* Writes the labels of what contains a point, the topmost first: 7 a fill, 7s a stroke, 7m inside a mask. */
static void print_hits(const pietra_stream *stream, const pietra_frame *frame, double x, double y, char *text,
                       size_t size)
{
    pietra_hit hits[MOST];
    size_t count, used = 0;
    ASSERT_OK(pietra_hit_test(stream, frame, x, y, MOST, error, hits, &count));
    assert_true(count <= MOST);
    text[0] = '\0';
    for (size_t i = 0; i < count; i++) {
        used += (size_t)snprintf(text + used, size - used, "%s%u%s%s", i > 0 ? " " : "", hits[i].label,
                                 hits[i].is_stroke ? "s" : "", hits[i].is_masked ? "m" : "");
    }
}

#define EXPECT(stream, frame, x, y, expected) \
    do { \
        char expect_text[500]; \
        print_hits(stream, frame, x, y, expect_text, sizeof expect_text); \
        assert_string_equal(expect_text, expected); \
    } while (0)

static void fill_labelled(pietra_scene *scene, uint32_t label, const char *data)
{
    pietra_scene_set_label(scene, label);
    fill(scene, data, &RED);
}

static void shapes(void **state)
{
    (void)state;
    static const double dashes[] = {4, 4};
    pietra_scene *scene = new_scene();
    fill_labelled(scene, 1, "R 0 0 20 20");
    fill_labelled(scene, 2, "M 10 2 L 18 18 L 2 18 Z");
    pietra_scene_set_label(scene, 3);
    stroke(scene, "M 0 10 L 20 10", &(pietra_stroke){.width = 2});
    pietra_scene_set_label(scene, 4);
    stroke(scene, "M 0 30 L 20 30", &(pietra_stroke){.width = 2, .dashes = dashes, .dash_count = 2});
    pietra_path *ring = path_from("R 0 40 20 20 R 5 45 10 10");
    pietra_scene_set_label(scene, 5);
    ASSERT_OK(pietra_scene_fill(scene, ring, NULL, PIETRA_FILL_EVEN_ODD, &RED, error));
    pietra_path_destroy(ring);
    pietra_stream *stream = encode_and_destroy(scene);
    EXPECT(stream, NULL, 10, 10, "3s 2 1");
    EXPECT(stream, NULL, 10, 9, "3s 2 1");
    EXPECT(stream, NULL, 10, 11, "2 1");
    EXPECT(stream, NULL, 1, 1, "1");
    EXPECT(stream, NULL, 0, 0, "1");
    EXPECT(stream, NULL, 20, 5, "");
    EXPECT(stream, NULL, 5, 20, "");
    EXPECT(stream, NULL, 2, 30, "4s");
    EXPECT(stream, NULL, 6, 30, "");
    EXPECT(stream, NULL, 10, 30, "4s");
    EXPECT(stream, NULL, 2, 50, "5");
    EXPECT(stream, NULL, 10, 50, "");
    EXPECT(stream, &((pietra_frame){.transform = {0, 2, -2, 0, 100, 0}}), 98, 3, "1");
    EXPECT(stream, &((pietra_frame){.transform = {0, 2, -2, 0, 100, 0}}), 3, 98, "");
    EXPECT(stream, &((pietra_frame){.transform = {100, 0, 0, 100, -800, -700}}), 150, 250, "3s 2 1");
    EXPECT(stream, NULL, -1, 5, "");
    EXPECT(stream, NULL, 5, 1e9, "");
    pietra_stream_destroy(stream);
}

static void clips_and_groups(void **state)
{
    (void)state;
    pietra_scene *scene = new_scene();
    begin_clip(scene, "M 0 0 L 20 0 L 0 20 Z");
    fill_labelled(scene, 1, "R 0 0 20 20");
    begin_group(scene, 0.5f);
    fill_labelled(scene, 2, "R 0 0 8 8");
    end_group(scene);
    end_clip(scene);
    begin_source(scene);
    fill(scene, "R 0 40 5 5", &RED);
    begin_clip(scene, "R 8 40 2 2");
    fill(scene, "R 5 40 20 20", &RED);
    end_clip(scene);
    end_source(scene);
    fill_labelled(scene, 3, "R 0 40 30 30");
    end_clip(scene);
    ASSERT_OK(pietra_scene_begin_mask_source(scene, PIETRA_MASK_LUMINANCE, error));
    fill_labelled(scene, 9, "R 0 80 5 5");
    ASSERT_OK(pietra_scene_end_mask_source(scene, error));
    fill_labelled(scene, 4, "R 0 80 20 20");
    ASSERT_OK(pietra_scene_end_mask(scene, error));
    begin_source(scene);
    end_source(scene);
    fill_labelled(scene, 5, "R 0 0 200 200");
    end_clip(scene);
    fill_labelled(scene, 6, "R 0 80 2 2");
    pietra_stream *stream = encode_and_destroy(scene);
    EXPECT(stream, NULL, 3, 3, "2 1");
    EXPECT(stream, NULL, 15, 15, "");
    EXPECT(stream, NULL, 15, 3, "1");
    EXPECT(stream, NULL, 2, 42, "3");
    EXPECT(stream, NULL, 7, 41, "");
    EXPECT(stream, NULL, 9, 41, "3");
    EXPECT(stream, NULL, 9, 43, "");
    EXPECT(stream, NULL, 1, 81, "6 4m");
    EXPECT(stream, NULL, 18, 98, "4m");
    pietra_hit hits[2];
    size_t count;
    ASSERT_OK(pietra_hit_test(stream, NULL, 3, 3, 2, error, hits, &count));
    assert_true(count == 2 && fabsf(hits[0].opacity - 128 / 255.0f) < 1e-6f && hits[1].opacity == 1.0f);
    pietra_stream_destroy(stream);
}

/* What an effect makes of its pictures does not matter, nor where it moves what it shows. */
static void effects(void **state)
{
    (void)state;
    static const pietra_effect_step moved = {.kind = PIETRA_EFFECT_OFFSET, .offset = {.x = 50}};
    pietra_scene *scene = new_scene();
    ASSERT_OK(pietra_scene_begin_effect(scene, &((pietra_effect){.steps = &moved, .step_count = 1}), NULL, error));
    fill_labelled(scene, 1, "R 0 0 20 20");
    ASSERT_OK(pietra_scene_end_effect(scene, error));
    pietra_stream *stream = encode_and_destroy(scene);
    EXPECT(stream, NULL, 10, 10, "1");
    EXPECT(stream, NULL, 60, 10, "");
    pietra_stream_destroy(stream);
}

/* An aliased rectangle contains what it paints: each of its sides goes to the nearest border of pixels. */
static void aliased(void **state)
{
    (void)state;
    pietra_scene *scene = new_scene();
    pietra_scene_set_aliased(scene, true);
    fill_labelled(scene, 1, "R 0.6 0.4 4 4");
    pietra_stream *stream = encode_and_destroy(scene);
    EXPECT(stream, NULL, 0.9, 2, "");
    EXPECT(stream, NULL, 1, 0.1, "1");
    EXPECT(stream, NULL, 4.9, 2, "1");
    pietra_stream_destroy(stream);
}

/* Triangles around a point of a square share its area: each of its points lies in one of them. */
static void shared_edges(void **state)
{
    (void)state;
    pietra_scene *scene = new_scene();
    fill_labelled(scene, 1, "M 5.3125 6.7 L 0 0 L 16 0 Z");
    fill_labelled(scene, 2, "M 5.3125 6.7 L 16 0 L 16 16 Z");
    fill_labelled(scene, 3, "M 5.3125 6.7 L 16 16 L 0 16 Z");
    fill_labelled(scene, 4, "M 5.3125 6.7 L 0 0 L 0 16 Z");
    pietra_stream *stream = encode_and_destroy(scene);
    for (int i = 0; i < 64 * 64; i++) {
        size_t count;
        ASSERT_OK(pietra_hit_test(stream, NULL, i % 64 * 0.25, i / 64 * 0.25, 0, error, NULL, &count));
        assert_int_equal(count, 1);
    }
    pietra_stream_destroy(stream);
}

/* Of more hits than there is room for, the topmost are given. */
static void many(void **state)
{
    (void)state;
    pietra_scene *scene = new_scene();
    for (uint32_t i = 1; i <= 1000; i++)
        fill_labelled(scene, i, "R 0 0 20 20");
    pietra_stream *stream = encode_and_destroy(scene);
    pietra_hit hits[3] = {[2] = {.label = 77}};
    size_t count;
    ASSERT_OK(pietra_hit_test(stream, NULL, 10, 10, 2, error, hits, &count));
    assert_int_equal(count, 1000);
    assert_true(hits[0].label == 1000 && hits[1].label == 999 && hits[2].label == 77);
    pietra_stream_destroy(stream);
}

static void bad_arguments(void **state)
{
    (void)state;
    pietra_stream *stream = encode_and_destroy(new_scene());
    pietra_error error;
    pietra_hit hit = {.label = 77};
    size_t count = 77;
    const pietra_frame bad = {.transform = {.a = NAN}};
    assert_int_equal(pietra_hit_test(NULL, NULL, 1, 1, 1, &error, &hit, &count), PIETRA_ERROR_INPUT);
    assert_int_equal(pietra_hit_test(stream, NULL, 1, 1, 1, &error, NULL, &count), PIETRA_ERROR_INPUT);
    assert_int_equal(pietra_hit_test(stream, NULL, 1, 1, 1, &error, &hit, NULL), PIETRA_ERROR_INPUT);
    assert_int_equal(pietra_hit_test(stream, NULL, NAN, 1, 1, &error, &hit, &count), PIETRA_ERROR_INPUT);
    assert_string_equal(error.message, "the point is not finite");
    assert_int_equal(pietra_hit_test(stream, &bad, 1, 1, 1, &error, &hit, &count), PIETRA_ERROR_INPUT);
    assert_true(hit.label == 77 && count == 77);
    pietra_stream_destroy(stream);
}

/* ---- Random scenes beside the pixel explained ---- */

/* What a clip's coverage of the pixel says about its middle. */
typedef enum certainty { OUTSIDE, UNCERTAIN, INSIDE } certainty;

typedef struct comparison {
    stream_view stream;
    const pietra_hit *hits;
    size_t count;
    certainty open[100]; /* by the layers that are open */
    uint32_t inside, outside;
} comparison;

/* A pixel of an aliased element is all of it or nothing, whatever its middle is. */
static certainty certainty_of(const comparison *compared, const pietra_pixel_step *step, uint8_t coverage)
{
    if ((compared->stream.elements[step->element].kind & (ELEMENT_ALIASED | ELEMENT_ALIASED_UPRIGHT)) != 0)
        return UNCERTAIN;
    return coverage == 255 ? INSIDE : coverage == 0 ? OUTSIDE : UNCERTAIN;
}

static certainty least(certainty a, certainty b)
{
    return a < b ? a : b;
}

static bool has_hit(const comparison *compared, uint32_t element)
{
    for (size_t i = 0; i < compared->count; i++)
        if (compared->hits[i].element == element)
            return true;
    return false;
}

/* What is in a source does not show where it stands, so nothing is known of it. */
static certainty begin_of(const comparison *compared, const pietra_pixel_step *step)
{
    if (step->has_source)
        return UNCERTAIN;
    return step->kind == PIETRA_PIXEL_GROUP ? INSIDE : certainty_of(compared, step, step->coverage);
}

/* A mask's level does not matter. */
static certainty end_of_source(const comparison *compared, const pietra_pixel_step *step)
{
    return step->kind == PIETRA_PIXEL_MASK ? INSIDE : certainty_of(compared, step, step->level);
}

static void compare_step(void *user, const pietra_pixel_step *step)
{
    comparison *compared = user;
    assert_true(step->depth < sizeof compared->open / sizeof compared->open[0]);
    certainty *open = compared->open + step->depth;
    if (step->event == PIETRA_PIXEL_BEGINS)
        *open = least(open[-1], begin_of(compared, step));
    else if (step->event == PIETRA_PIXEL_MERGES)
        *open = least(*open, begin_of(compared, step));
    else if (step->event == PIETRA_PIXEL_ENDS_SOURCE)
        *open = least(open[-1], end_of_source(compared, step));
    if (step->event != PIETRA_PIXEL_PAINTS)
        return;
    const certainty certain = least(*open, certainty_of(compared, step, step->coverage));
    if (certain != UNCERTAIN && has_hit(compared, step->element) != (certain == INSIDE))
        fail_msg("element %u is %s", step->element, certain == INSIDE ? "not hit" : "hit");
    compared->inside += certain == INSIDE;
    compared->outside += certain == OUTSIDE;
}

static void compare_point(pietra_device *device, const pietra_stream *stream, uint32_t x, uint32_t y,
                          comparison *compared)
{
    uint8_t pixels[4 * 16 * 16];
    pietra_hit hits[MOST];
    const pietra_target target = {.width = 16, .height = 16, .pixels = pixels};
    pietra_frame frame = {.region = {x & ~15u, y & ~15u, SIDE, SIDE}};
    ASSERT_OK(pietra_hit_test(stream, &frame, x + 0.5, y + 0.5, MOST, error, hits, &compared->count));
    assert_true(compared->count <= MOST);
    compared->hits = hits;
    compared->open[0] = INSIDE;
    ASSERT_OK(pietra_explain_pixel(device, stream, &frame, &target, x & 15u, y & 15u, compare_step, compared, error));
}

static void random_scenes(void **state)
{
    (void)state;
    pietra_device *device = open_device(PIETRA_DEVICE_CPU, 1, 0);
    comparison compared = {.inside = 0};
    for (uint64_t seed = 1; seed <= RANDOM_SCENES; seed++) {
        random_source source = random_start(seed);
        pietra_stream *stream = encode_and_destroy(random_scene_create(seed, RANDOM_ANYTHING, SIDE));
        compared.stream = view_of(stream);
        for (uint32_t i = 0; i < POINTS; i++)
            compare_point(device, stream, random_below(&source, SIDE), random_below(&source, SIDE), &compared);
        pietra_stream_destroy(stream);
    }
    assert_true(compared.inside > 100 && compared.outside > 100);
    pietra_device_destroy(device);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shapes),        cmocka_unit_test(clips_and_groups), cmocka_unit_test(effects),
        cmocka_unit_test(aliased),       cmocka_unit_test(shared_edges),     cmocka_unit_test(many),
        cmocka_unit_test(bad_arguments), cmocka_unit_test(random_scenes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
