/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "document.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/error.h"
#include "render/path.h"
#include "say.h"

static void take_warning(void *user, uint32_t line, const char *message)
{
    const document *document = user;

    say(document->path, line, "%s", message);
}

static pietra_result load(document *document, const options *options, pietra_error *error)
{
    char *folder = options->allow_external ? path_folder(document->path) : NULL;
    const pietra_svg_options svg = {.fonts = options->fonts,
                                    .resources_directory = folder,
                                    .origin = origins_take,
                                    .origin_user = &document->origins,
                                    .warning = options->quiet ? NULL : take_warning,
                                    .warning_user = document};

    document->scene = pietra_scene_create();
    if (!document->scene || (options->allow_external && !folder)) {
        free(folder);
        return error_set_memory(error);
    }
    pietra_result result =
        pietra_scene_load_svg_file(document->scene, document->path, &svg, error, &document->width, &document->height);
    free(folder);
    if (result == PIETRA_OK && document->origins.out_of_memory)
        result = error_set_memory(error);
    if (result == PIETRA_OK)
        result = pietra_stream_encode_by(document->scene, 0, error, &document->stream);
    return result;
}

static void keep_error(document *document, const pietra_error *error)
{
    char line[24] = "";

    if (error->line)
        snprintf(line, sizeof line, "line %u: ", error->line);
    snprintf(document->error, sizeof document->error, "%s%s", line, error->message);
    say(document->path, error->line, "%s", error->message);
}

void document_read(document *document, const char *path, const options *options)
{
    pietra_error error;

    document_destroy(document);
    /* Before it is read, so that no change is overlooked. */
    *document = (struct document){.path = path, .watch = watch_look(path)};
    pietra_result result = load(document, options, &error);
    if (result == PIETRA_OK && !(document->width > 0 && document->height > 0))
        result = error_set(&error, PIETRA_ERROR_INPUT, 0, "the document has no size");
    if (result == PIETRA_OK)
        return;
    const watch watched = document->watch;
    document_destroy(document);
    *document = (struct document){.path = path, .watch = watched};
    keep_error(document, &error);
}

void document_destroy(document *document)
{
    pietra_scene_destroy(document->scene);
    pietra_stream_destroy(document->stream);
    origins_destroy(&document->origins);
    document->scene = NULL;
    document->stream = NULL;
    document->origins = (origins){.out_of_memory = false};
}
