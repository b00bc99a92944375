/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The validator of the header, paths, styles and paints: a stream for each rule that breaks only this rule. */
#include <math.h>

#include "scene/validate/blob.h"

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
    REJECTS("totals", header_of(b)->occluder_count++);
    REJECTS("totals", header_of(b)->dashed_count--);
    REJECTS("totals", header_of(b)->task_count++);
    blob empty = {NULL, 0};
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
        if (i == 0)
            pietra_path_move_to(path, 0, 0);
        else
            pietra_path_line_to(path, at, at % 3);
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
    REJECTS("style 1: its dashes", (style_at(b, 1)->first_dash = 2, style_at(b, 1)->dash_count = 2,
                                    style_at(b, 1)->dash_period = *dash_at(b, 3)));
    REJECTS("no style",
            (style_at(b, 0)->dash_count = 0, style_at(b, 0)->dash_period = 0, style_at(b, 0)->dash_phase = 0));
}

static void test_paints(void **state)
{
    (void)state;
    /* Paint 0 is a solid, 1 and 2 are the same linear gradient from two origins, 3 is radial. */
    REJECTS("out of range", paint_at(b, 0)->kind = PAINT_IMAGE);
    REJECTS("out of range", paint_at(b, 0)->kind = PAINT_BOX_SHADOW + 1);
    REJECTS("out of range", paint_at(b, 1)->spread = 3);
    REJECTS("out of range", paint_at(b, 1)->opacity = 256);
    REJECTS("not finite", paint_at(b, 1)->e = NAN);
    REJECTS("a colour above its alpha", paint_at(b, 0)->color = 0x7f800000u);
    REJECTS("a colour above its alpha", paint_at(b, 0)->color = 0x7f008000u);
    REJECTS("a colour above its alpha", paint_at(b, 0)->color = 0x7f000080u);
    REJECTS("a colour above its alpha", paint_at(b, 0)->color = 0x00000001u);
    REJECTS("a solid has stops", paint_at(b, 0)->stop_count = 1);
    REJECTS("slot 65536 is not there", paint_at(b, 0)->first_stop = PAINT_SLOT_MOST + 1u);
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
        blob b = complex_blob();
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
    fail_msg("the complex scene has no radial gradient");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_header), cmocka_unit_test(test_paths),  cmocka_unit_test(test_every_place_of_a_path),
        cmocka_unit_test(test_styles), cmocka_unit_test(test_paints),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
