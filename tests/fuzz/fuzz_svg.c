/* Any bytes as an SVG document: it loads or is refused with one line, and what has been loaded can be encoded. */
#include <assert.h>
#include <string.h>

#include "pietra/pietra.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count);

static void take_warning(void *user, uint32_t line, const char *message)
{
    (void)user;
    (void)line;
    assert(!strchr(message, '\n'));
}

static void take_box(void *user, const char *id, const pietra_box *box)
{
    (void)user;
    assert(id && box->x0 <= box->x1 && box->y0 <= box->y1);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count)
{
    /* The seeds have an element, or a view, with this id. */
    const pietra_svg_options options = { .limits = { .steps = 20000 }, .warning = take_warning, .fragment = "v", .box = take_box };
    pietra_scene *scene = pietra_scene_create();
    pietra_stream *stream = NULL;
    pietra_error error = { 0 };
    double width = 0, height = 0;
    if (!scene)
        return 0;
    pietra_result result = pietra_scene_load_svg(scene, bytes, count, &options, &error, &width, &height);
    if (result == PIETRA_OK) {
        assert(width > 0 && height > 0);
        /* Balanced, or the encoder refuses it; it may find the picture too large, but not wrong. */
        if (pietra_stream_encode(scene, &error, &stream) == PIETRA_OK)
            pietra_stream_destroy(stream);
    } else {
        assert(error.result == result && error.message[0] && !strchr(error.message, '\n'));
    }
    pietra_scene_destroy(scene);
    return 0;
}
