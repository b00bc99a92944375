/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* What several targets do with a document: it loads, or is refused with one line. A loaded one is encoded and drawn. */
#ifndef TESTS_FUZZ_DOCUMENT_H
#define TESTS_FUZZ_DOCUMENT_H

#include <assert.h>

#include "fuzz/draw.h"
#include "pietra/pietra_text.h"

static void take_warning(void *user, uint32_t line, const char *message)
{
    (void)user;
    (void)line;
    assert(message[0] && !strchr(message, '\n'));
}

static void take_box(void *user, const char *id, const pietra_box *box)
{
    (void)user;
    assert(id && box->x0 <= box->x1 && box->y0 <= box->y1);
}

/* Takes each label once, in order, after the label of what shows it. */
static void take_origin(void *user, uint32_t label, const pietra_svg_origin *origin)
{
    uint32_t *last = user;
    assert(label == ++*last && origin->line > 0 && origin->element && origin->shown_by < label);
}

/* Draws a scene. It must be balanced, or the encoder would refuse it. The encoder may find it too large, but not
 * wrong. */
static void draw_scene(const pietra_scene *scene, double width, double height)
{
    pietra_stream *stream = NULL;
    pietra_error error = {0};
    const pietra_frame frame = {.transform = {.a = DRAW_WIDTH / width, .d = DRAW_HEIGHT / height}};
    if (pietra_stream_encode(scene, &error, &stream) != PIETRA_OK)
        return;
    draw_on_cpu(stream, frame.transform.a < 1e9 && frame.transform.d < 1e9 ? &frame : NULL);
    pietra_stream_destroy(stream);
}

/* Returns the fonts of the scenes, for all documents. */
static pietra_fonts *find_fonts(void)
{
    static pietra_fonts *fonts;
    if (fonts)
        return fonts;
    fonts = pietra_fonts_create();
    if (!fonts || pietra_fonts_add_directory(fonts, PIETRA_SOURCE_DIR "/tests/golden/fonts", NULL) != PIETRA_OK)
        abort();
    return fonts;
}

static void load_document(const void *bytes, size_t count, const char *style_sheet)
{
    uint32_t last_label = 0;
    /* The seeds have an element, or a view, with this id. */
    const pietra_svg_options options = {.limits = {.steps = 20000},
                                        .fonts = find_fonts(),
                                        .warning = take_warning,
                                        .fragment = "v",
                                        .box = take_box,
                                        .origin = take_origin,
                                        .origin_user = &last_label,
                                        .style_sheet = style_sheet,
                                        .threads = 1};
    pietra_scene *scene = pietra_scene_create();
    pietra_error error = {0};
    double width = 0, height = 0;
    if (!scene)
        return;
    pietra_result result = pietra_scene_load_svg(scene, bytes, count, &options, &error, &width, &height);
    if (result == PIETRA_OK) {
        assert(width > 0 && height > 0);
        draw_scene(scene, width, height);
    } else {
        assert(error.result == result && error.message[0] && !strchr(error.message, '\n'));
    }
    pietra_scene_destroy(scene);
}

#endif
