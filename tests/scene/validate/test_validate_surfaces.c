/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The validator of images and of surfaces, shared ones too: a stream for each rule that breaks only this rule. */
#include "scene/validate/blob.h"

static stream_mip_level *mip_level_at(blob b, uint32_t i)
{
    return (stream_mip_level *)(b.words + header_of(b)->mip_levels) + i;
}
static uint32_t *texel_at(blob b, uint32_t i)
{
    return b.words + header_of(b)->texels + i;
}

#define IMAGE_REJECTS(part, change) REJECTS_IN(blob_of(image_scene()), part, change)

static void test_images(void **state)
{
    (void)state;
    IMAGE_REJECTS("is marked as an image", element_at(b, 0)->kind &= ~ELEMENT_IMAGE);
    IMAGE_REJECTS("is marked as an image", element_at(b, 4)->kind |= ELEMENT_IMAGE);
    IMAGE_REJECTS("opaque", element_at(b, 1)->kind |= ELEMENT_OPAQUE);
    IMAGE_REJECTS("opaque", *texel_at(b, 8) = 0xfe000000u);
    IMAGE_REJECTS("above its alpha", *texel_at(b, 9) = 0x80000081u);
    IMAGE_REJECTS("above its alpha", *texel_at(b, 11) = 0x00000100u);
    IMAGE_REJECTS("mip levels are wrong", mip_level_at(b, 0)->width = 0);
    IMAGE_REJECTS("mip levels are wrong", mip_level_at(b, 0)->height = 3);
    IMAGE_REJECTS("mip levels are wrong", mip_level_at(b, 1)->width = 1);
    IMAGE_REJECTS("mip levels are wrong", mip_level_at(b, 3)->first_texel = 0);
    IMAGE_REJECTS("mip levels are wrong", mip_level_at(b, 3)->height = 0x10000);
    IMAGE_REJECTS("part of another", paint_at(b, 2)->stop_count = 2);
    IMAGE_REJECTS("part of another", paint_at(b, 2)->first_stop = 1);
    IMAGE_REJECTS("do not follow", paint_at(b, 1)->first_stop = 4);
    IMAGE_REJECTS("do not follow", paint_at(b, 1)->stop_count = 3);
    IMAGE_REJECTS("belong to no paint", paint_at(b, 1)->stop_count = 1);
    IMAGE_REJECTS("filter", paint_at(b, 0)->color = 3);
    IMAGE_REJECTS("kind, spread", paint_at(b, 0)->kind = PAINT_BOX_SHADOW + 1);
    IMAGE_REJECTS("before the texels", texel_at(b, 0)[-1] = 1);
}

static stream_surface *surface_at(blob b, uint32_t i)
{
    return (stream_surface *)(b.words + header_of(b)->surfaces) + i;
}
static uint32_t *surface_word_at(blob b, uint32_t i)
{
    return b.words + header_of(b)->surface_words + i;
}

#define SURFACE_REJECTS(part, change) REJECTS_IN(blob_of(surface_scene()), part, change)

static void test_surfaces(void **state)
{
    (void)state;
    blob good = blob_of(surface_scene());
    assert_int_equal(header_of(good)->surface_count, 2);
    assert_int_equal(header_of(good)->paint_count, 3);
    assert_true(opens(good, NULL, NULL));
    free(good.words);
    SURFACE_REJECTS("is marked as an image", element_at(b, 0)->kind &= ~ELEMENT_IMAGE);
    SURFACE_REJECTS("opaque", element_at(b, 0)->kind |= ELEMENT_OPAQUE);
    SURFACE_REJECTS("filter or stops", paint_at(b, 0)->color = FILTER_HIGH);
    SURFACE_REJECTS("filter or stops", paint_at(b, 1)->stop_count = 1);
    SURFACE_REJECTS("does not follow", paint_at(b, 0)->first_stop = 1);
    SURFACE_REJECTS("does not follow", paint_at(b, 2)->first_stop = 2);
    SURFACE_REJECTS("belong to no paint", paint_at(b, 1)->first_stop = 0);
    SURFACE_REJECTS("surface 0", surface_at(b, 0)->first_word = 1);
    SURFACE_REJECTS("surface 1", surface_at(b, 1)->word_count++);
    SURFACE_REJECTS("not a stream", *surface_word_at(b, 0) = 0);
    SURFACE_REJECTS("shorter than its header", surface_at(b, 0)->word_count = 2; surface_at(b, 1)->first_word = 2);
}

/* The largest depth of surfaces within surfaces passes, one more does not. */
static void test_surface_depth(void **state)
{
    (void)state;
    pietra_scene *scene = new_scene();
    fill(scene, "R 0 0 1 1", &RED);
    for (uint32_t depth = 0;; depth++) {
        pietra_stream *stream;
        if (depth > SURFACE_DEPTH_MAX) {
            assert_int_equal(pietra_stream_encode(scene, NULL, &stream), PIETRA_ERROR_INPUT);
            break;
        }
        ASSERT_OK(pietra_stream_encode(scene, error, &stream));
        pietra_stream_destroy(stream);
        pietra_image *image;
        ASSERT_OK(pietra_image_create_from_scene(scene, 1, 1, error, &image));
        pietra_scene_destroy(scene);
        scene = new_scene();
        ASSERT_OK(pietra_scene_draw_image(scene, image, NULL, PIETRA_FILTER_SMOOTH, error));
        pietra_image_destroy(image);
    }
    pietra_scene_destroy(scene);
}

static pietra_image *image_and_destroy(pietra_scene *scene)
{
    pietra_image *image;
    ASSERT_OK(pietra_image_create_from_scene(scene, 1, 1, error, &image));
    pietra_scene_destroy(scene);
    return image;
}

static pietra_scene *scene_of_image(const pietra_image *image)
{
    pietra_scene *scene = new_scene();
    ASSERT_OK(pietra_scene_draw_image(scene, image, NULL, PIETRA_FILTER_SMOOTH, error));
    return scene;
}

/* Three images show one image of a long path. The scene shows all four. */
static pietra_scene *sharing_scene(void)
{
    char data[4096] = "M 0 0";
    for (int i = 0; i < 300; i++)
        (void)snprintf(data + strlen(data), sizeof data - strlen(data), " L %d %d", i % 7, i % 5);
    pietra_scene *inner = new_scene(), *scene = new_scene();
    fill(inner, data, &RED);
    pietra_image *shared = image_and_destroy(inner);
    for (int i = 0; i < 4; i++) {
        const pietra_transform moved = {1, 0, 0, 1, i, 0};
        pietra_image *outer = i < 3 ? image_and_destroy(scene_of_image(shared)) : shared;
        ASSERT_OK(pietra_scene_draw_image(scene, outer, &moved, PIETRA_FILTER_SMOOTH, error));
        if (outer != shared)
            pietra_image_destroy(outer);
    }
    pietra_image_destroy(shared);
    return scene;
}

/* Returns the header of the stream that lies `word` words behind the begin of the surfaces' streams. */
static stream_header *inner_header(blob b, uint32_t word)
{
    return (stream_header *)surface_word_at(b, word);
}
static stream_surface *inner_surface(blob b, uint32_t word)
{
    return (stream_surface *)(surface_word_at(b, word) + inner_header(b, word)->surfaces);
}

#define SHARING_REJECTS(part, change) \
    do { \
        blob b = blob_of(sharing_scene()); \
        const uint32_t second = surface_at(b, 1)->first_word; \
        (void)second; \
        change; \
        assert_rejected(b, part); \
    } while (0)

static void test_shared_surfaces(void **state)
{
    (void)state;
    blob good = blob_of(sharing_scene());
    assert_int_equal(header_of(good)->surface_count, 4);
    /* The first image holds the stream that all show. The second, the third and the scene refer to it. */
    assert_true(surface_at(good, 0)->word_count > 3 * surface_at(good, 1)->word_count);
    assert_int_equal(surface_at(good, 1)->word_count, surface_at(good, 2)->word_count);
    uint32_t at = inner_header(good, 0)->surface_words;
    assert_int_equal(surface_at(good, 3)->first_word, at);
    uint32_t second = surface_at(good, 1)->first_word;
    assert_int_equal(inner_surface(good, second)->first_word + second + inner_header(good, second)->surface_words, at);
    assert_true(opens(good, NULL, NULL));
    free(good.words);
    SHARING_REJECTS("surface 0", inner_surface(b, second)->first_word++);
    SHARING_REJECTS("surface 0", inner_surface(b, second)->word_count--);
    /* The stream itself. */
    SHARING_REJECTS("surface 0", inner_surface(b, second)->first_word = 0u - inner_header(b, second)->surface_words);
    SHARING_REJECTS("surface 0", inner_surface(b, second)->first_word = 0x80000000u);
    /* The whole stream. */
    SHARING_REJECTS("surface 3",
                    surface_at(b, 3)->first_word = surface_at(b, 0)->first_word - header_of(b)->surface_words);
    SHARING_REJECTS("surface 3", surface_at(b, 3)->word_count++);
}

/* A shared stream counts, with everything in it, wherever it is shown. */
static void test_depth_of_shared_surfaces(void **state)
{
    (void)state;
    pietra_scene *scene = new_scene();
    fill(scene, "R 0 0 1 1", &RED);
    pietra_image *deep = image_and_destroy(scene);
    for (uint32_t i = 0; i + 2 < SURFACE_DEPTH_MAX; i++) {
        pietra_image *outer = image_and_destroy(scene_of_image(deep));
        pietra_image_destroy(deep);
        deep = outer;
    }
    for (int deeper = 0; deeper < 2; deeper++) {
        pietra_scene *both = scene_of_image(deep);
        pietra_image *outer = image_and_destroy(scene_of_image(deep));
        if (deeper) {
            pietra_image *more = image_and_destroy(scene_of_image(outer));
            pietra_image_destroy(outer);
            outer = more;
        }
        ASSERT_OK(pietra_scene_draw_image(both, outer, NULL, PIETRA_FILTER_SMOOTH, error));
        pietra_stream *stream = NULL;
        assert_int_equal(pietra_stream_encode(both, NULL, &stream), deeper ? PIETRA_ERROR_INPUT : PIETRA_OK);
        pietra_stream_destroy(stream);
        pietra_image_destroy(outer);
        pietra_scene_destroy(both);
    }
    pietra_image_destroy(deep);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_images),
        cmocka_unit_test(test_surfaces),
        cmocka_unit_test(test_surface_depth),
        cmocka_unit_test(test_shared_surfaces),
        cmocka_unit_test(test_depth_of_shared_surfaces),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
