/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "document.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"
#include "file.h"
#include "path.h"
#include "sources.h"

status document_read(document *document, const options *options, const char *input, int descriptor)
{
    size_t style_count;
    status result;

    *document = (struct document){.input = input};
    document->path = source_path(input, &document->fragment);
    if (!document->path) {
        if (descriptor >= 0)
            close(descriptor);
        return report_memory(input);
    }
    if (descriptor >= 0)
        result = file_read_open(descriptor, document->path, &document->bytes, &document->byte_count);
    else
        result = file_read(document->path, &document->bytes, &document->byte_count);
    if (result == STATUS_DRAWN && options->stylesheet)
        result = file_read(options->stylesheet, &document->style_sheet, &style_count);
    if (result == STATUS_DRAWN && options->allow_external && !options->resources_dir) {
        document->folder = path_folder(document->path);
        result = document->folder ? STATUS_DRAWN : report_memory(input);
    }
    return result;
}

void document_destroy(document *document)
{
    free(document->bytes);
    free(document->path);
    free(document->style_sheet);
    free(document->folder);
    *document = (struct document){.input = NULL};
}

static void free_bytes(void *user, const void *bytes)
{
    (void)bytes;
    free(*(char **)user);
    *(char **)user = NULL;
}

static void discard_bytes(void *user, const void *bytes, size_t byte_count)
{
    (void)user;
    memory_discard(bytes, byte_count);
}

void document_set(document *document, const options *options, bool again, pietra_svg_options *svg)
{
    svg->fragment = document->fragment;
    svg->style_sheet = document->style_sheet;
    svg->resources_directory = !options->allow_external ? NULL
                               : document->folder       ? document->folder
                                                        : options->resources_dir;
    svg->dpi = options->dpi;
    svg->limits = options->limits;
    svg->font_family = options->font_family;
    svg->font_size = options->font_size;
    svg->languages = options->languages;
    svg->release = again ? NULL : free_bytes;
    svg->discard = again ? NULL : discard_bytes;
    svg->release_user = &document->bytes;
}
