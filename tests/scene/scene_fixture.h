/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Short ways to build scenes in tests and to inspect streams. Everything that can fail is asserted. */
#ifndef PIETRA_TESTS_SCENE_FIXTURE_H
#define PIETRA_TESTS_SCENE_FIXTURE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "pietra/pietra.h"
#include "scene/describe_stream.h"
#include "scene/stream.h"

static const pietra_paint RED = {.color = {1.0f, 0.0f, 0.0f, 1.0f}};
static const pietra_paint HALF = {.color = {0.0f, 0.0f, 1.0f, 0.5f}};

#define ASSERT_OK(call) \
    do { \
        pietra_error ok_error = {.message = ""}; \
        pietra_error *error = &ok_error; \
        if ((call) != PIETRA_OK) { \
            fail_msg("%s: %s", #call, ok_error.message); \
        } \
    } while (0)

/* Adds path data of the absolute commands M L Q C Z, and R (x y width height). */
static inline void add_data(pietra_path *path, const char *data)
{
    while (*data != '\0') {
        char command = *data++;
        double v[6] = {0};
        for (size_t i = 0; i < 6; i++) {
            char *end;
            v[i] = strtod(data, &end);
            if (end == data)
                break;
            data = end;
        }
        switch (command) {
        case 'M':
            pietra_path_move_to(path, v[0], v[1]);
            break;
        case 'L':
            pietra_path_line_to(path, v[0], v[1]);
            break;
        case 'Q':
            pietra_path_quad_to(path, v[0], v[1], v[2], v[3]);
            break;
        case 'C':
            pietra_path_cubic_to(path, v[0], v[1], v[2], v[3], v[4], v[5]);
            break;
        case 'R':
            pietra_path_rect(path, v[0], v[1], v[2], v[3]);
            break;
        case 'Z':
            pietra_path_close(path);
            break;
        default:
            assert_int_equal(command, ' ');
            break;
        }
    }
}

static inline pietra_path *path_from(const char *data)
{
    pietra_path *path = pietra_path_create();
    assert_non_null(path);
    add_data(path, data);
    return path;
}

static inline pietra_scene *new_scene(void)
{
    pietra_scene *scene = pietra_scene_create();
    assert_non_null(scene);
    return scene;
}

static inline void fill(pietra_scene *scene, const char *data, const pietra_paint *paint)
{
    pietra_path *path = path_from(data);
    ASSERT_OK(pietra_scene_fill(scene, path, NULL, PIETRA_FILL_NONZERO, paint, error));
    pietra_path_destroy(path);
}

static inline void stroke(pietra_scene *scene, const char *data, const pietra_stroke *style)
{
    pietra_path *path = path_from(data);
    ASSERT_OK(pietra_scene_stroke(scene, path, NULL, style, &RED, error));
    pietra_path_destroy(path);
}

static inline void begin_clip(pietra_scene *scene, const char *data)
{
    pietra_path *path = path_from(data);
    ASSERT_OK(pietra_scene_begin_clip(scene, path, NULL, PIETRA_FILL_NONZERO, error));
    pietra_path_destroy(path);
}

static inline void begin_source(pietra_scene *scene)
{
    ASSERT_OK(pietra_scene_begin_clip_source(scene, error));
}
static inline void end_source(pietra_scene *scene)
{
    ASSERT_OK(pietra_scene_end_clip_source(scene, error));
}
static inline void end_clip(pietra_scene *scene)
{
    ASSERT_OK(pietra_scene_end_clip(scene, error));
}
static inline void begin_group(pietra_scene *scene, float opacity)
{
    ASSERT_OK(pietra_scene_begin_group(scene, opacity, error));
}
static inline void begin_blended(pietra_scene *scene, pietra_blend blend)
{
    ASSERT_OK(pietra_scene_begin_blended_group(scene, 1.0f, blend, error));
}
static inline void end_group(pietra_scene *scene)
{
    ASSERT_OK(pietra_scene_end_group(scene, error));
}

static inline pietra_stream *encode(const pietra_scene *scene)
{
    pietra_stream *stream = NULL;
    ASSERT_OK(pietra_stream_encode(scene, error, &stream));
    return stream;
}

static inline pietra_stream *encode_and_destroy(pietra_scene *scene)
{
    pietra_stream *stream = encode(scene);
    pietra_scene_destroy(scene);
    return stream;
}

static inline stream_view view_of(const pietra_stream *stream)
{
    return stream_view_of(stream_words(stream));
}

/* Returns the stream's text, which the caller frees. */
static inline char *describe(const pietra_stream *stream)
{
    char *text = NULL;
    size_t size;
    FILE *file = open_memstream(&text, &size);
    assert_non_null(file);
    stream_describe(stream, file);
    assert_int_equal(fclose(file), 0);
    return text;
}

static inline bool has_line(const char *text, const char *start)
{
    for (const char *line = text; line; line = strchr(line, '\n')) {
        line += *line == '\n';
        if (strncmp(line, start, strlen(start)) == 0)
            return true;
    }
    return false;
}

/* Asserts that a line of the stream's text starts with `start`. */
static inline void assert_line(const pietra_stream *stream, const char *start)
{
    char *text = describe(stream);
    if (!has_line(text, start))
        fail_msg("no line `%s` in\n%s", start, text);
    free(text);
}

/* Asserts the elements' kinds, one character each: f fill, s stroke, [ ] clip, { } clip source, ( ) group. */
static inline void assert_kinds(const pietra_stream *stream, const char *expected)
{
    static const char letters[] = "?fs?[]{}()";
    stream_view view = view_of(stream);
    char *kinds = calloc((size_t)view.header->element_count + 1, 1);
    assert_non_null(kinds);
    for (uint32_t i = 0; i < view.header->element_count; i++)
        kinds[i] = letters[view.elements[i].kind & ELEMENT_KIND_MASK];
    assert_string_equal(kinds, expected);
    free(kinds);
}

/* An image drawn twice, another one, and aliased edges. */
static inline pietra_scene *image_scene(void)
{
    static const uint32_t opaque[] = {0xff0000ffu, 0xff00ff00u, 0xffff0000u, 0xff102030u, 0xffffffffu, 0xff000000u};
    static const uint32_t clear[] = {0x800000ffu, 0x00ffffffu};
    pietra_image *images[2];
    ASSERT_OK(pietra_image_create(3, 2, opaque, 0, error, &images[0]));
    ASSERT_OK(pietra_image_create(1, 2, clear, 0, error, &images[1]));
    pietra_scene *scene = new_scene();
    ASSERT_OK(
        pietra_scene_draw_image(scene, images[0], &(pietra_transform){2, 0, 0, 2, 1, 1}, PIETRA_FILTER_SMOOTH, error));
    pietra_paint paint = {.kind = PIETRA_PAINT_IMAGE,
                          .image = images[1],
                          .filter = PIETRA_FILTER_NEAREST,
                          .spread = PIETRA_SPREAD_REPEAT};
    fill(scene, "M 5 5 L 20 9 L 3 18 Z", &paint);
    paint.image = images[0];
    paint.transparency = 0.5f;
    fill(scene, "R 2 12 9 9", &paint);
    pietra_scene_set_aliased(scene, true);
    begin_clip(scene, "R 0.4 0.4 20 20");
    stroke(scene, "M 1 1 L 30 30", &(pietra_stroke){.width = 3});
    end_clip(scene);
    pietra_image_destroy(images[0]);
    pietra_image_destroy(images[1]);
    return scene;
}

/* Two images of scenes. One of them is shown in two places and contains the other. */
static inline pietra_scene *surface_scene(void)
{
    pietra_image *images[2];
    pietra_scene *drawn = new_scene();
    fill(drawn, "R 1 1 3 3", &RED);
    ASSERT_OK(pietra_image_create_from_scene(drawn, 4, 5, error, &images[0]));
    ASSERT_OK(pietra_scene_draw_image(drawn, images[0], NULL, PIETRA_FILTER_SMOOTH, error));
    ASSERT_OK(pietra_image_create_from_scene(drawn, 4, 5, error, &images[1]));
    pietra_scene_destroy(drawn);
    pietra_scene *scene = new_scene();
    ASSERT_OK(pietra_scene_draw_image(scene, images[1], NULL, PIETRA_FILTER_SMOOTH, error));
    pietra_paint paint = {.kind = PIETRA_PAINT_IMAGE, .image = images[0], .spread = PIETRA_SPREAD_REPEAT};
    fill(scene, "M 5 5 L 20 9 L 3 18 Z", &paint);
    paint.image = images[1];
    fill(scene, "M 5 5 L 20 9 L 3 18 Z", &paint);
    pietra_image_destroy(images[0]);
    pietra_image_destroy(images[1]);
    return scene;
}

/* Masks of each kind, one of them in another's source, and everything that may stand in a mask. */
static inline pietra_scene *masking_scene(void)
{
    pietra_scene *scene = new_scene();
    for (int kind = PIETRA_MASK_ALPHA; kind <= PIETRA_MASK_LUMINANCE_LINEAR; kind++) {
        ASSERT_OK(pietra_scene_begin_mask_source(scene, (pietra_mask_kind)kind, error));
        begin_group(scene, 0.5f);
        fill(scene, "R 1 1 9 9", &RED);
        end_group(scene);
    }
    for (int kind = PIETRA_MASK_ALPHA; kind <= PIETRA_MASK_LUMINANCE_LINEAR; kind++) {
        ASSERT_OK(pietra_scene_end_mask_source(scene, error));
        begin_clip(scene, "M 0 0 L 20 0 L 10 20");
        fill(scene, "R 1 1 9 9", &HALF);
        end_clip(scene);
        ASSERT_OK(pietra_scene_end_mask(scene, error));
    }
    return scene;
}

/* Groups that blend, and what they do to the begins around them. */
static inline pietra_scene *blending_scene(void)
{
    pietra_scene *scene = new_scene();
    fill(scene, "R 0 0 20 20", &RED);
    begin_group(scene, 1.0f);                  /* 1: isolated */
    begin_clip(scene, "M 0 0 L 20 0 L 10 20"); /* 2: copies its destination */
    begin_group(scene, 0.5f);                  /* 3: plain */
    fill(scene, "R 1 1 9 9", &RED);
    end_group(scene);
    begin_blended(scene, PIETRA_BLEND_MULTIPLY); /* 6: isolated */
    fill(scene, "R 3 3 9 9", &HALF);
    end_group(scene);
    end_clip(scene);
    end_group(scene);
    begin_clip(scene, "M 0 0 L 20 0 L 10 20"); /* 11: plain; the group in it keeps its content from seeing below */
    begin_group(scene, 0.5f);                  /* 12: isolated */
    begin_blended(scene, PIETRA_BLEND_HUE);
    fill(scene, "R 5 5 9 9", &HALF);
    end_group(scene);
    end_group(scene);
    end_clip(scene);
    return scene;
}

/* A scene with every kind of element, paint, style and path. */
static inline pietra_scene *complex_scene(void)
{
    pietra_scene *scene = new_scene();
    static const pietra_stop stops[] = {{0.2f, {1, 0, 0, 1}}, {0.2f, {0, 1, 0, 0.5f}}, {1, {0, 0, 1, 1}}};
    pietra_paint linear = {.kind = PIETRA_PAINT_LINEAR, .x0 = 1, .x1 = 9, .y1 = 3, .stops = stops, .stop_count = 3};
    static const pietra_stop rings[] = {{0, {1, 1, 0, 1}}, {0.5f, {0, 1, 1, 1}}, {1, {0, 0, 1, 0.5f}}};
    pietra_paint radial = {
        .kind = PIETRA_PAINT_RADIAL, .x0 = 2, .r0 = 1, .x1 = 3, .r1 = 6, .stops = rings, .stop_count = 3, .spread = 1};
    static const double dashes[] = {3, 1, 2};
    pietra_stroke dashed = {.width = 2, .dashes = dashes, .dash_count = 3, .dash_offset = 4, .cap = PIETRA_CAP_ROUND};
    pietra_stroke plain = {.width = 1, .join = PIETRA_JOIN_ROUND};
    fill(scene, "R 0 0 20 20", &RED);
    fill(scene, "M 0 0 Q 5 9 9 0 C 1 2 3 4 5 7 Z M 3 3 Z M 1 1 L 4 4 L 9 2", &linear);
    fill(scene, "R 500000 400000 30 20", &linear);
    stroke(scene, "M 0 0 L 9 9 L 5 2 Z M 2 2 L 2 2", &dashed);
    begin_group(scene, 0.5f);
    begin_clip(scene, "M 0 0 L 20 0 L 10 20");
    fill(scene, "R 1 1 5 5", &radial);
    begin_source(scene);
    fill(scene, "R 0 0 9 9", &RED);
    begin_clip(scene, "R 3 3 3 3");
    stroke(scene, "M 0 0 L 9 9", &plain);
    end_clip(scene);
    end_source(scene);
    begin_group(scene, 0.25f);
    fill(scene, "M 0 0 L 10 0 L 5 5", &HALF);
    end_group(scene);
    end_clip(scene);
    end_clip(scene);
    end_group(scene);
    begin_clip(scene, "");
    stroke(scene, "M 0 0 L 9 9", &plain);
    end_clip(scene);
    return scene;
}

#endif
