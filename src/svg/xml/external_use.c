/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Files are read into the document itself, behind the nodes that it has. So styles, links, loops and the walk need not
 * know that there are several files. Only ids are kept apart. */
#include "svg/xml/external_use.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "svg/xml/inflate.h"
#include "svg/xml/resource.h"

typedef struct external_reader {
    svg_document *document;
    const svg_read_options *options;
    svg_warnings *warnings;
} external_reader;

static void warn(const external_reader *reader, uint32_t node, const char *reason)
{
    svg_warn(reader->warnings, svg_document_warning_line(reader->document, node),
             "a use of another file is left out: %s", reason);
}

/* Copies the folder part of a path to the document's arena. */
static const char *folder_of(svg_document *document, const char *path)
{
    const char *slash = strrchr(path, '/');
    return arena_copy(&document->arena, path, slash ? (size_t)(slash - path) + 1 : 0);
}

/* Reads the bytes into the document as its last file. */
static pietra_result read_bytes(external_reader *reader, text input, pietra_error *own_error)
{
    svg_read_options options = *reader->options;
    svg_document *document = reader->document;
    char *unpacked = NULL;
    pietra_result result = PIETRA_OK;
    if (svg_is_gzip(input.bytes, input.count)) {
        result = svg_inflate(input.bytes, input.count, document->budget, own_error, &unpacked, &input.count);
        input.bytes = unpacked;
    }
    if (result == PIETRA_OK && !svg_budget_take(document->budget, SVG_LIMIT_used_bytes, input.count))
        result = svg_budget_error(document->budget, document->budget->refused, own_error, 0);
    if (result == PIETRA_OK) {
        options.style_sheet = options.target = TEXT("");
        options.folder = document->files.items[document->file].folder;
        const uint32_t entered = svg_warnings_enter(reader->warnings, document->files.items[document->file].line);
        result = svg_read_more(input, &options, reader->warnings, document, own_error);
        svg_warnings_leave(reader->warnings, entered);
    }
    free(unpacked);
    return result;
}

/* Adds a file. If it cannot be read, it has no nodes. */
static pietra_result add_file(external_reader *reader, uint32_t node, const svg_folder_file *found, uint32_t *index)
{
    svg_document *document = reader->document;
    svg_bytes bytes = {0};
    pietra_error own_error = {0};
    const uint32_t line = svg_document_warning_line(document, node);
    *index = (uint32_t)document->files.count;
    svg_file *file = array_push(&document->files);
    if (!file)
        return PIETRA_ERROR_MEMORY;
    *file = (svg_file){
        (uint32_t)document->nodes.count,
        line,
        arena_copy(&document->arena, found->path, strlen(found->path)),
        folder_of(document, found->path),
    };
    document->file = *index;
    svg_fetched fetched = file->path && file->folder ? svg_folder_read(found, &bytes) : SVG_FETCHED_OUT_OF_MEMORY;
    pietra_result result = fetched == SVG_FETCHED_OUT_OF_MEMORY ? PIETRA_ERROR_MEMORY : PIETRA_OK;
    if (fetched == SVG_FETCHED)
        result = read_bytes(reader, (text){bytes.items, bytes.count}, &own_error);
    else if (result == PIETRA_OK)
        warn(reader, node, "its file cannot be read");
    array_free(&bytes);
    document->file = 0;
    if (result != PIETRA_ERROR_INPUT)
        return result;
    warn(reader, node, own_error.message);
    return PIETRA_OK;
}

/* Finds a file or adds it. *index is UINT32_MAX if there are too many files. */
static pietra_result find_file(external_reader *reader, uint32_t node, const svg_folder_file *found, uint32_t *index)
{
    const svg_document *document = reader->document;
    for (uint32_t i = 1; i < document->files.count; i++)
        if (strcmp(document->files.items[i].path, found->path) == 0) {
            *index = i;
            return PIETRA_OK;
        }
    *index = UINT32_MAX;
    if (document->files.count <= document->budget->most[SVG_LIMIT_used_files])
        return add_file(reader, node, found, index);
    warn(reader, node, "too many files are used (limit \"used_files\")");
    return PIETRA_OK;
}

/* Finds the element with the fragment's id. Without a fragment it is the file's root. */
static pietra_result find_target(external_reader *reader, uint32_t node, text fragment, uint32_t file, uint32_t *target)
{
    const svg_document *document = reader->document;
    uint32_t first = document->files.items[file].first_node;
    uint32_t end =
        file + 1 < document->files.count ? document->files.items[file + 1].first_node : (uint32_t)document->nodes.count;
    svg_bytes id = {0};
    *target = SVG_NO_NODE;
    if (first == end)
        return PIETRA_OK; /* a warning was given already */
    if (!svg_resource_decode(fragment, &id)) {
        array_free(&id);
        return PIETRA_ERROR_MEMORY;
    }
    *target = id.count ? svg_document_find(document, file, (text){id.items, id.count}) : first;
    array_free(&id);
    if (*target == SVG_NO_NODE)
        warn(reader, node, "no element of the file has that id");
    return PIETRA_OK;
}

static pietra_result read_use(external_reader *reader, uint32_t node, text reference)
{
    svg_document *document = reader->document;
    uint32_t file = UINT32_MAX, target = SVG_NO_NODE;
    svg_folder_file found = {NULL, -1};
    if (svg_resource_is_data(reference)) {
        warn(reader, node, "it is in a data URL");
        return PIETRA_OK;
    }
    svg_fetched fetched =
        svg_resource_find(reference, document->resources, svg_document_folder(document, node), &found);
    pietra_result result = fetched == SVG_FETCHED_OUT_OF_MEMORY ? PIETRA_ERROR_MEMORY : PIETRA_OK;
    if (fetched == SVG_FETCHED_FORBIDDEN)
        warn(reader, node, "only files below the resources directory are read, if that is asked for");
    else if (fetched == SVG_FETCHED_NOTHING)
        warn(reader, node, "there is nothing where its reference leads");
    else if (fetched == SVG_FETCHED)
        result = find_file(reader, node, &found, &file);
    svg_folder_close_file(&found);
    if (result == PIETRA_OK && file != UINT32_MAX)
        result = find_target(reader, node, svg_resource_fragment(reference), file, &target);
    if (result != PIETRA_OK || target == SVG_NO_NODE)
        return result;
    svg_external_use *use = array_push(&document->external_uses);
    if (!use)
        return PIETRA_ERROR_MEMORY;
    *use = (svg_external_use){node, target};
    return PIETRA_OK;
}

pietra_result svg_external_uses_read(svg_document *document, const svg_read_options *options, svg_warnings *warnings)
{
    external_reader reader = {document, options, warnings};
    for (uint32_t node = 0; node < document->nodes.count; node++) {
        if (document->nodes.items[node].element != SVG_USE)
            continue;
        text reference = svg_document_reference(document, node);
        text trimmed = reference.bytes ? text_trim(reference) : TEXT("");
        pietra_result result = trimmed.count && trimmed.bytes[0] != '#' ? read_use(&reader, node, trimmed) : PIETRA_OK;
        if (result != PIETRA_OK)
            return result;
    }
    if (document->files.count > 1)
        svg_document_resolve_links(document);
    return PIETRA_OK;
}
