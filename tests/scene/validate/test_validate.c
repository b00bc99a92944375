/* The validator: a stream for each rule that breaks only this rule, and a hundred thousand random faults under the
 * sanitizers. */
#include <math.h>

#include "scene/validate/validate.h"
#include "scene/scene_fixture.h"

/* A writable copy of a stream's blob. */
typedef struct blob {
    uint32_t *words;
    size_t count;
} blob;

static blob blob_of(pietra_scene *scene)
{
    pietra_stream *stream = encode_and_destroy(scene);
    blob made = { malloc(stream_word_count(stream) * sizeof(uint32_t)), stream_word_count(stream) };
    assert_non_null(made.words);
    memcpy(made.words, stream_words(stream), made.count * sizeof(uint32_t));
    pietra_stream_destroy(stream);
    return made;
}

static blob rich_blob(void) { return blob_of(rich_scene()); }

static stream_header *header_of(blob b) { return (stream_header *)b.words; }
static stream_element *element_at(blob b, uint32_t i) { return (stream_element *)(b.words + header_of(b)->elements) + i; }
static stream_path *path_at(blob b, uint32_t i) { return (stream_path *)(b.words + header_of(b)->paths) + i; }
static uint8_t *tag_at(blob b, uint32_t i) { return (uint8_t *)(b.words + header_of(b)->tags) + i; }
static float *point_at(blob b, uint32_t i) { return (float *)(b.words + header_of(b)->points) + 2 * i; }
static stream_transform *transform_at(blob b, uint32_t i) { return (stream_transform *)(b.words + header_of(b)->transforms) + i; }
static stream_style *style_at(blob b, uint32_t i) { return (stream_style *)(b.words + header_of(b)->styles) + i; }
static float *dash_at(blob b, uint32_t i) { return (float *)(b.words + header_of(b)->dashes) + i; }
static stream_paint *paint_at(blob b, uint32_t i) { return (stream_paint *)(b.words + header_of(b)->paints) + i; }
static stream_stop *stop_at(blob b, uint32_t i) { return (stream_stop *)(b.words + header_of(b)->stops) + i; }

/* Returns whether the blob opens. A stream that opens is also described, so that the sanitizers see every index
 * used. */
static bool opens(blob b, FILE *sink, char message[500])
{
    pietra_stream *stream = NULL;
    pietra_error error = { .result = PIETRA_OK };
    pietra_result result = pietra_stream_open(b.words, b.count * sizeof(uint32_t), &error, &stream);
    if (result == PIETRA_OK) {
        if (sink != NULL) {
            stream_describe(stream, sink);
        }
        pietra_stream_destroy(stream);
        return true;
    }
    assert_int_equal(result, PIETRA_ERROR_INPUT);
    assert_int_equal(error.result, PIETRA_ERROR_INPUT);
    assert_true(strlen(error.message) > 5);
    if (message != NULL) {
        memcpy(message, error.message, 500);
    }
    return false;
}

static void assert_rejected(blob b, const char *part)
{
    char message[500];
    if (opens(b, NULL, message)) {
        fail_msg("opened, where `%s` was expected", part);
    }
    if (strstr(message, part) == NULL) {
        fail_msg("`%s` does not say `%s`", message, part);
    }
    free(b.words);
}

/* Breaks the rich stream in one place. Its elements are fffs([f[{f[s]}(f)]])[s]. */
#define REJECTS(part, change)      \
    do {                           \
        blob b = rich_blob();      \
        change;                    \
        assert_rejected(b, part);  \
    } while (0)

static void test_header(void **state)
{
    (void)state;
    REJECTS("not a stream", header_of(b)->magic++);
    REJECTS("version", header_of(b)->version++);
    REJECTS("words", header_of(b)->element_count++);
    REJECTS("words", b.count--);
    REJECTS("where its counts", header_of(b)->word_count--);
    REJECTS("where its counts", header_of(b)->points++);
    REJECTS("too many", header_of(b)->stop_count = 0xffffffffu);
    REJECTS("too many", header_of(b)->point_count = 0x40000000u);
    REJECTS("totals", header_of(b)->clip_event_count++);
    REJECTS("totals", header_of(b)->cover_count++);
    REJECTS("totals", header_of(b)->dashed_count--);
    REJECTS("totals", header_of(b)->item_count++);
    blob empty = { NULL, 0 };
    assert_rejected(empty, "shorter");
    pietra_stream *stream = NULL;
    assert_int_equal(pietra_stream_open("abc", 3, NULL, &stream), PIETRA_ERROR_INPUT);
}

static void test_paths(void **state)
{
    (void)state;
    REJECTS("point 3", point_at(b, 3)[1] = NAN);
    REJECTS("point 0", point_at(b, 0)[0] = INFINITY);
    REJECTS("point 0", point_at(b, 0)[0] = 2e18f);
    REJECTS("says nothing", *tag_at(b, 1) &= (uint8_t)~TAG_POINTS_MASK);
    REJECTS("says nothing", *tag_at(b, 1) |= 0x80);
    REJECTS("in part", *tag_at(b, 1) |= TAG_CORNER);
    REJECTS("begin where", *tag_at(b, 0) &= (uint8_t)~TAG_FIRST);
    REJECTS("begin where", *tag_at(b, 1) |= TAG_FIRST);
    REJECTS("in part", *tag_at(b, 1) &= (uint8_t)~TAG_CLOSED);
    REJECTS("fewer points", *tag_at(b, 3) |= 3);
    REJECTS("without length", (point_at(b, 1)[0] = 0, point_at(b, 1)[1] = 0));
    REJECTS("without length", *tag_at(b, 0) |= TAG_DOT);
    REJECTS("not closed", *tag_at(b, 0) = (uint8_t)((*tag_at(b, 0) & ~TAG_CLOSED) | TAG_CORNER));
    REJECTS("end where it starts", point_at(b, 4)[0] = 1);
    REJECTS("does not follow", path_at(b, 1)->first_segment++);
    REJECTS("does not follow", path_at(b, 1)->first_point--);
    REJECTS("does not follow", path_at(b, 2)->segment_count = 0xffffffffu);
    REJECTS("last subpath", path_at(b, 0)->segment_count--);
    REJECTS("left over", (path_at(b, 0)->point_count++, path_at(b, 1)->first_point++, path_at(b, 1)->point_count--));
    REJECTS("more than tags", *tag_at(b, header_of(b)->segment_count) = 1);
}

/* A zigzag of count points. The one at `repeated` equals the point before it. */
static pietra_scene *zigzag_scene(uint32_t count, uint32_t repeated)
{
    pietra_scene *scene = pietra_scene_create();
    pietra_path *path = pietra_path_create();
    for (uint32_t i = 0; i < count; i++) {
        uint32_t at = i >= repeated ? i - 1 : i;
        if (i == 0) {
            pietra_path_move_to(path, 0, 0);
        } else {
            pietra_path_line_to(path, at, at % 3);
        }
    }
    assert_int_equal(pietra_scene_fill(scene, path, NULL, PIETRA_FILL_NONZERO, &RED, NULL), PIETRA_OK);
    pietra_path_destroy(path);
    return scene;
}

/* Points and tags are checked several at a time, so each place among them is tried. */
static void test_every_place_of_a_path(void **state)
{
    (void)state;
    for (uint32_t count = 4; count < 30; count++) {
        for (uint32_t i = 0; i < count; i++) {
            for (uint32_t side = 0; side < 2; side++) {
                blob b = blob_of(zigzag_scene(count, count));
                assert_int_equal(path_at(b, 0)->point_count, count);
                point_at(b, i)[side] = side == 0 ? NAN : -INFINITY;
                assert_rejected(b, "not finite");
            }
            if (i > 0) {
                blob b = blob_of(zigzag_scene(count, count));
                memcpy(point_at(b, i), point_at(b, i - 1), 2 * sizeof(float));
                assert_rejected(b, "without length");
                b = blob_of(zigzag_scene(count, count));
                *tag_at(b, i - 1) ^= TAG_POINTS_MASK;
                assert_rejected(b, "points");
                b = blob_of(zigzag_scene(count, i));
                assert_int_equal(path_at(b, 0)->point_count, count - 1);
                assert_int_equal(path_at(b, 0)->segment_count, count - 2);
                assert_true(opens(b, NULL, NULL));
                free(b.words);
            }
        }
    }
}

static void test_styles(void **state)
{
    (void)state;
    REJECTS("style 0: width", style_at(b, 0)->half_width = 0);
    REJECTS("style 0: width", style_at(b, 0)->half_width = NAN);
    REJECTS("style 1: width", style_at(b, 1)->half_width = INFINITY);
    REJECTS("style 0: width", style_at(b, 0)->miter_limit = 0.5f);
    REJECTS("style 0: width", style_at(b, 0)->cap = 3);
    REJECTS("style 0: width", style_at(b, 0)->join = 4);
    REJECTS("its dashes", *dash_at(b, 0) = -1);
    REJECTS("its dashes", *dash_at(b, 1) = 2);
    REJECTS("its dashes", *dash_at(b, 1) = NAN);
    REJECTS("its dashes", *dash_at(b, 5) *= 2);
    REJECTS("its dashes", (*dash_at(b, 5) = INFINITY, style_at(b, 0)->dash_period = INFINITY));
    REJECTS("its dashes", style_at(b, 0)->dash_count--);
    REJECTS("its dashes", style_at(b, 0)->dash_count += 2);
    REJECTS("its dashes", style_at(b, 0)->first_dash++);
    REJECTS("its dashes", style_at(b, 0)->dash_phase = style_at(b, 0)->dash_period);
    REJECTS("its dashes", style_at(b, 0)->dash_phase = -1);
    REJECTS("its dashes", style_at(b, 0)->dash_period *= 2);
    REJECTS("style 1: its dashes",
            (style_at(b, 1)->first_dash = 2, style_at(b, 1)->dash_count = 2, style_at(b, 1)->dash_period = *dash_at(b, 3)));
    REJECTS("no style", (style_at(b, 0)->dash_count = 0, style_at(b, 0)->dash_period = 0, style_at(b, 0)->dash_phase = 0));
}

static void test_paints(void **state)
{
    (void)state;
    /* Paint 0 is a solid, 1 and 2 are the same linear gradient from two origins, 3 is radial. */
    REJECTS("out of range", paint_at(b, 0)->kind = 3);
    REJECTS("out of range", paint_at(b, 1)->spread = 3);
    REJECTS("out of range", paint_at(b, 1)->opacity = 256);
    REJECTS("not finite", paint_at(b, 1)->e = NAN);
    REJECTS("a colour above its alpha", paint_at(b, 0)->color = 0x7f800000u);
    REJECTS("a colour above its alpha", paint_at(b, 0)->color = 0x7f008000u);
    REJECTS("a colour above its alpha", paint_at(b, 0)->color = 0x7f000080u);
    REJECTS("a colour above its alpha", paint_at(b, 0)->color = 0x00000001u);
    REJECTS("a solid has stops", paint_at(b, 0)->stop_count = 1);
    REJECTS("its stops", paint_at(b, 1)->stop_count = 0);
    REJECTS("a stop's", paint_at(b, 1)->stop_count++);
    REJECTS("another gradient's", paint_at(b, 2)->first_stop++);
    REJECTS("another gradient's", paint_at(b, 2)->stop_count--);
    REJECTS("its stops", paint_at(b, 2)->first_stop = 0xfffffff0u);
    REJECTS("a stop's", stop_at(b, 0)->offset = 0.1f);
    REJECTS("a stop's", stop_at(b, 2)->offset = 0.1f);
    REJECTS("a stop's", stop_at(b, 2)->offset = NAN);
    REJECTS("a stop's", stop_at(b, 3)->offset = 2);
    REJECTS("a stop's", stop_at(b, 1)->base_r = 256);
    REJECTS("a stop's", stop_at(b, 1)->base_g = NAN);
    REJECTS("a stop's", stop_at(b, 2)->slope_b *= 2);
    REJECTS("a stop's", stop_at(b, 3)->slope_a = 1);
    for (uint32_t i = 0; i < 6; i++) {
        blob b = rich_blob();
        if (i < header_of(b)->paint_count && paint_at(b, i)->kind == PAINT_RADIAL) {
            free(b.words);
            REJECTS("radial", paint_at(b, i)->r0 = -1);
            REJECTS("radial", paint_at(b, i)->centre_distance = -1);
            REJECTS("radial", paint_at(b, i)->dr = -100);
            REJECTS("radial", (paint_at(b, i)->dr = 0, paint_at(b, i)->centre_distance = 0));
            return;
        }
        free(b.words);
    }
    fail_msg("the rich scene has no radial gradient");
}

static void test_elements(void **state)
{
    (void)state;
    static const uint32_t unused[] = { 0, 3, 10, 11, ELEMENT_BEGIN_SURFACE,
                                       ELEMENT_END_SURFACE, 14, 255 };
    for (size_t i = 0; i < sizeof unused / sizeof unused[0]; i++) {
        REJECTS("not in use", element_at(b, 1)->kind = unused[i]);
    }
    REJECTS("flags", element_at(b, 1)->kind |= 0x80000000u);
    REJECTS("flags", element_at(b, 1)->kind |= ELEMENT_DASHED);
    REJECTS("flags", element_at(b, 3)->kind |= ELEMENT_EVEN_ODD);
    REJECTS("opacity", element_at(b, 4)->opacity = 256);
    REJECTS("opacity", element_at(b, 0)->opacity = 254);
    REJECTS("a box", element_at(b, 0)->box_x0 = NAN);
    REJECTS("a box", element_at(b, 0)->box_y1 = INFINITY);
    REJECTS("at an end", element_at(b, 22)->box_x1 = 1);
    REJECTS("path", element_at(b, 0)->path = header_of(b)->path_count);
    REJECTS("path", element_at(b, 0)->path = STREAM_NONE);
    REJECTS("path", element_at(b, 4)->path = 0);
    REJECTS("style", element_at(b, 3)->style = header_of(b)->style_count);
    REJECTS("style", element_at(b, 0)->style = 0);
    REJECTS("paint", element_at(b, 0)->paint = header_of(b)->paint_count);
    REJECTS("paint", element_at(b, 4)->paint = 0);
    REJECTS("transform", element_at(b, 0)->transform = header_of(b)->transform_count);
    REJECTS("identity", element_at(b, 4)->transform = element_at(b, 2)->transform);
    REJECTS("no segments", element_at(b, 1)->path = header_of(b)->path_count - 1);
    REJECTS("transform 0", transform_at(b, 0)->f_low = NAN);
    REJECTS("rectangle", element_at(b, 0)->kind &= ~ELEMENT_RECT);
    REJECTS("rectangle", element_at(b, 1)->kind |= ELEMENT_RECT);
    REJECTS("rectangle", element_at(b, 0)->box_x1 += 1);
    REJECTS("opaque", element_at(b, 0)->kind &= ~ELEMENT_OPAQUE);
    REJECTS("opaque", element_at(b, 1)->kind |= ELEMENT_OPAQUE);
    REJECTS("dashed", element_at(b, 3)->kind &= ~ELEMENT_DASHED);
    REJECTS("cover", element_at(b, 0)->kind &= ~ELEMENT_COVER);
    REJECTS("flags", element_at(b, 4)->kind |= ELEMENT_COVER);
    REJECTS("only child", element_at(b, 5)->kind &= ~ELEMENT_SOLE_CHILD);
    REJECTS("only child", element_at(b, 7)->kind |= ELEMENT_SOLE_CHILD);
    REJECTS("only child", element_at(b, 4)->kind |= ELEMENT_SOLE_CHILD);
}

static void swap_elements(blob b, uint32_t i, uint32_t k)
{
    stream_element other = *element_at(b, i);
    *element_at(b, i) = *element_at(b, k);
    *element_at(b, k) = other;
}

static void test_nesting(void **state)
{
    (void)state;
    /*  0123 4 567 8 9 10 ... : fff s ( [ f [ { f [ s ] } ( f ) ] ] ) [ s ] */
    REJECTS("not open", element_at(b, 12)->kind = ELEMENT_END_GROUP);
    REJECTS("not open", element_at(b, 13)->kind = ELEMENT_END_CLIP);
    REJECTS("no end", *element_at(b, 22) = *element_at(b, 21));
    REJECTS("a source", swap_elements(b, 8, 9));
    REJECTS("not open", swap_elements(b, 12, 13));
    REJECTS("group stands", swap_elements(b, 13, 14));
    REJECTS("a source, or neither", *element_at(b, 8) = *element_at(b, 9));
    REJECTS("group stands", *element_at(b, 10) = *element_at(b, 14));
    blob b = blob_of(rich_scene());
    *element_at(b, 0) = *element_at(b, 8);
    assert_rejected(b, "at the clip's begin");
    pietra_scene *scene = new_scene();
    fill(scene, "R 0 0 1 1", &RED);
    fill(scene, "R 0 0 1 1", &RED);
    begin_group(scene, 0.5f);
    fill(scene, "R 0 0 1 1", &RED);
    end_group(scene);
    b = blob_of(scene);
    *element_at(b, 0) = *element_at(b, 4);
    assert_rejected(b, "not open");
}

static void assert_blending_rejected(uint32_t element, uint32_t cleared, uint32_t set, const char *part)
{
    blob b = blob_of(blending_scene());
    element_at(b, element)->kind = (element_at(b, element)->kind & ~cleared) | set;
    assert_rejected(b, part);
}

static void test_blending(void **state)
{
    (void)state;
    assert_blending_rejected(1, ELEMENT_ISOLATED, 0, "something blends");
    assert_blending_rejected(2, ELEMENT_BACKDROP, 0, "something blends");
    assert_blending_rejected(6, ELEMENT_ISOLATED, 0, "something blends");
    assert_blending_rejected(3, 0, BLEND_SCREEN << ELEMENT_MODE_SHIFT, "something blends");
    assert_blending_rejected(2, 0, ELEMENT_ISOLATED, "flags");
    assert_blending_rejected(3, 0, ELEMENT_BACKDROP, "flags");
    assert_blending_rejected(0, 0, BLEND_SCREEN << ELEMENT_MODE_SHIFT, "flags");
    assert_blending_rejected(11, 0, BLEND_SCREEN << ELEMENT_MODE_SHIFT, "flags");
}

static void test_masks(void **state)
{
    (void)state;
    blob b = blob_of(masking_scene());
    element_at(b, 0)->kind |= 4u << ELEMENT_MODE_SHIFT;
    assert_rejected(b, "flags");
    b = blob_of(masking_scene());
    element_at(b, 0)->kind |= ELEMENT_BACKDROP;
    assert_rejected(b, "flags");
    b = blob_of(masking_scene());
    element_at(b, 1)->kind |= MASK_ALPHA << ELEMENT_MODE_SHIFT;
    assert_rejected(b, "flags");
    b = blob_of(masking_scene());
    element_at(b, 10)->kind &= ~(ELEMENT_MODE_MAX << ELEMENT_MODE_SHIFT);
    assert_rejected(b, "group stands");
    b = blob_of(masking_scene());
    *element_at(b, 2) = *element_at(b, 16);
    element_at(b, 0)->kind &= ~(ELEMENT_MODE_MAX << ELEMENT_MODE_SHIFT);
    *element_at(b, 4) = *element_at(b, 18);
    assert_rejected(b, "mask stands");
}

static stream_level *level_at(blob b, uint32_t i) { return (stream_level *)(b.words + header_of(b)->levels) + i; }
static uint32_t *texel_at(blob b, uint32_t i) { return b.words + header_of(b)->texels + i; }

#define IMAGE_REJECTS(part, change)          \
    do {                                     \
        blob b = blob_of(image_scene());     \
        change;                              \
        assert_rejected(b, part);            \
    } while (0)

static void test_images(void **state)
{
    (void)state;
    IMAGE_REJECTS("is marked as an image", element_at(b, 0)->kind &= ~ELEMENT_IMAGE);
    IMAGE_REJECTS("is marked as an image", element_at(b, 4)->kind |= ELEMENT_IMAGE);
    IMAGE_REJECTS("opaque", element_at(b, 1)->kind |= ELEMENT_OPAQUE);
    IMAGE_REJECTS("opaque", *texel_at(b, 8) = 0xfe000000u);
    IMAGE_REJECTS("above its alpha", *texel_at(b, 9) = 0x80000081u);
    IMAGE_REJECTS("above its alpha", *texel_at(b, 11) = 0x00000100u);
    IMAGE_REJECTS("levels are wrong", level_at(b, 0)->width = 0);
    IMAGE_REJECTS("levels are wrong", level_at(b, 0)->height = 3);
    IMAGE_REJECTS("levels are wrong", level_at(b, 1)->width = 1);
    IMAGE_REJECTS("levels are wrong", level_at(b, 3)->first_texel = 0);
    IMAGE_REJECTS("levels are wrong", level_at(b, 3)->height = 0x10000);
    IMAGE_REJECTS("part of another", paint_at(b, 2)->stop_count = 2);
    IMAGE_REJECTS("part of another", paint_at(b, 2)->first_stop = 1);
    IMAGE_REJECTS("do not follow", paint_at(b, 1)->first_stop = 4);
    IMAGE_REJECTS("do not follow", paint_at(b, 1)->stop_count = 3);
    IMAGE_REJECTS("belong to no paint", paint_at(b, 1)->stop_count = 1);
    IMAGE_REJECTS("filter", paint_at(b, 0)->color = 3);
    IMAGE_REJECTS("kind, spread", paint_at(b, 0)->kind = 5);
    IMAGE_REJECTS("before the texels", texel_at(b, 0)[-1] = 1);
}

static stream_surface *surface_at(blob b, uint32_t i) { return (stream_surface *)(b.words + header_of(b)->surfaces) + i; }
static uint32_t *surface_word_at(blob b, uint32_t i) { return b.words + header_of(b)->surface_words + i; }

#define SURFACE_REJECTS(part, change)        \
    do {                                     \
        blob b = blob_of(surface_scene());   \
        change;                              \
        assert_rejected(b, part);            \
    } while (0)

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
    for (int i = 0; i < 300; i++) {
        (void)snprintf(data + strlen(data), sizeof data - strlen(data), " L %d %d", i % 7, i % 5);
    }
    pietra_scene *inner = new_scene(), *scene = new_scene();
    fill(inner, data, &RED);
    pietra_image *shared = image_and_destroy(inner);
    for (int i = 0; i < 4; i++) {
        const pietra_transform moved = { 1, 0, 0, 1, i, 0 };
        pietra_image *outer = i < 3 ? image_and_destroy(scene_of_image(shared)) : shared;
        ASSERT_OK(pietra_scene_draw_image(scene, outer, &moved, PIETRA_FILTER_SMOOTH, error));
        if (outer != shared) {
            pietra_image_destroy(outer);
        }
    }
    pietra_image_destroy(shared);
    return scene;
}

/* Returns the header of the stream that lies `word` words behind the begin of the surfaces' streams. */
static stream_header *inner_header(blob b, uint32_t word) { return (stream_header *)surface_word_at(b, word); }
static stream_surface *inner_surface(blob b, uint32_t word) { return (stream_surface *)(surface_word_at(b, word) + inner_header(b, word)->surfaces); }

#define SHARING_REJECTS(part, change)        \
    do {                                     \
        blob b = blob_of(sharing_scene());   \
        const uint32_t second = surface_at(b, 1)->first_word; \
        (void)second;                        \
        change;                              \
        assert_rejected(b, part);            \
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
    SHARING_REJECTS("surface 3", surface_at(b, 3)->first_word = surface_at(b, 0)->first_word - header_of(b)->surface_words);
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

static uint32_t next_random(uint64_t *state)
{
    *state = *state * 6364136223846793005ull + 1442695040888963407ull;
    return (uint32_t)(*state >> 32);
}

/* Returns a value that is likely at some limit. */
static uint32_t hostile_word(uint64_t *random, uint32_t old, uint32_t word_count)
{
    static const uint32_t edges[] = { 0, 1, 2, 3, 255, 256, 0x7fffffff, 0x80000000, 0xffffffff, 0xfffffffe, 0x7f800000, 0x7fc00000, 0xff800000,
                                      0x3fffffff, 0x40000000, 0x00000001, 0x7f7fffff, 0x3f800000, 0x43800000 };
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
    stream_header header = { .magic = STREAM_MAGIC, .version = STREAM_VERSION };
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

static void test_every_header_word(void **state)
{
    (void)state;
    blob b = rich_blob();
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
        blob cut = { malloc(size * sizeof(uint32_t) + 1), size };
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
    blob b = rich_blob();
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
        cmocka_unit_test(test_header),
        cmocka_unit_test(test_paths),
        cmocka_unit_test(test_every_place_of_a_path),
        cmocka_unit_test(test_styles),
        cmocka_unit_test(test_paints),
        cmocka_unit_test(test_elements),
        cmocka_unit_test(test_nesting),
        cmocka_unit_test(test_blending),
        cmocka_unit_test(test_images),
        cmocka_unit_test(test_surfaces),
        cmocka_unit_test(test_surface_depth), cmocka_unit_test(test_shared_surfaces),
        cmocka_unit_test(test_depth_of_shared_surfaces),
        cmocka_unit_test(test_masks),
        cmocka_unit_test(test_too_many_words),
        cmocka_unit_test(test_every_header_word),
        cmocka_unit_test(test_random_faults),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
