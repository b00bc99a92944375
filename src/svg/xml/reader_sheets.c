/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Style sheets of a document: those in style elements, and those that processing instructions name (Associating Style
 * Sheets with XML documents 1.0, 2010). */
#include <stdlib.h>
#include <string.h>

#include "svg/xml/reader_state.h"
#include "svg/xml/resource.h"
#include "svg/style/style.h"
#include "svg/tree/viewport.h"

static bool is_css(text type, text media, const css_medium *medium)
{
    return (type.count == 0 || text_equal_ignoring_case(type, TEXT("text/css"))) && css_media_hold(media, medium);
}

css_medium reader_medium(const svg_document *document, const svg_read_options *options)
{
    css_medium medium = options->medium;
    double width, height;
    double font_size = svg_initial_font_size(document);
    if (document->nodes.count > 0 &&
        svg_viewport_outermost(document, medium.width, medium.height, font_size, &width, &height)) {
        medium.width = medium.width > 0 ? medium.width : width;
        medium.height = medium.height > 0 ? medium.height : height;
    }
    return medium;
}

bool reader_is_sheet(const svg_reader *reader)
{
    text type = TEXT(""), media = TEXT("");
    for (size_t i = 0; i < reader->attributes.count; i++) {
        const reader_attribute *attribute = &reader->attributes.items[i];
        if (text_equal(attribute->name, TEXT("type")))
            type = attribute->value;
        else if (text_equal(attribute->name, TEXT("media")))
            media = attribute->value;
    }
    css_medium medium = reader_medium(reader->document, reader->options);
    return is_css(type, media, &medium);
}

/* Characters come in pieces. Those of one place become one. */
static void keep_characters(svg_reader *reader, const XML_Char *bytes, size_t count)
{
    svg_document *document = reader->document;
    svg_characters *last = document->characters.count ? array_last(&document->characters) : NULL;
    const uint32_t next = (uint32_t)document->nodes.count;
    if (!last || last->parent != reader->current || last->before != next) {
        last = array_push(&document->characters);
        if (last)
            *last = (svg_characters){reader->current, next, (uint32_t)document->character_bytes.count, 0};
    }
    char *place = last ? array_push_many(&document->character_bytes, count) : NULL;
    if (!place) {
        reader_fail_memory(reader);
        return;
    }
    memcpy(place, bytes, count);
    last->count += (uint32_t)count;
}

static void XMLCALL take_characters(void *user, const XML_Char *bytes, int count)
{
    svg_reader *reader = user;
    if (reader->result != PIETRA_OK || reader->current == SVG_NO_NODE || count <= 0)
        return;
    if (reader->text != SVG_NO_NODE || reader->keeps_all)
        keep_characters(reader, bytes, (size_t)count);
    if (!reader->style)
        return;
    css_tree_element(&reader->style->tree, reader->current)->has_text = true;
    if (reader->sheet != reader->current)
        return;
    if (!css_style_add_text(reader->style, (text){bytes, (size_t)count}, reader_first_line(reader)))
        reader_fail_memory(reader);
}

/* Returns the value of a pseudo-attribute of an instruction. It is empty if there is none. */
static text find_pseudo(text data, text wanted)
{
    while (data.count) {
        size_t equals = text_find(data, '=');
        if (equals == data.count)
            break;
        text name = text_trim((text){data.bytes, equals}),
             rest = text_trim(text_from(data.bytes + equals + 1, data.bytes + data.count));
        char quote = rest.count ? rest.bytes[0] : 0;
        if (quote != '"' && quote != '\'')
            break;
        rest = text_from(rest.bytes + 1, rest.bytes + rest.count);
        size_t close = text_find(rest, quote);
        if (close == rest.count)
            break;
        if (text_equal(name, wanted))
            return (text){rest.bytes, close};
        data = text_from(rest.bytes + close + 1, rest.bytes + rest.count);
    }
    return TEXT("");
}

/* Reads the file of a reference. False: out of memory. */
static bool import_file(svg_document *document, text reference, const char *base, svg_fetched *fetched,
                        svg_bytes *bytes, css_origin *origin)
{
    svg_folder_file file;
    *fetched = base ? svg_resource_find(reference, document->resources, base, &file) : SVG_FETCHED_FORBIDDEN;
    if (*fetched != SVG_FETCHED)
        return *fetched != SVG_FETCHED_OUT_OF_MEMORY;
    const char *slash = strrchr(file.path, '/');
    origin->path = arena_copy(&document->arena, file.path, strlen(file.path));
    origin->base = arena_copy(&document->arena, file.path, slash ? (size_t)(slash - file.path) + 1 : 0);
    *fetched = svg_folder_read(&file, bytes);
    svg_folder_close_file(&file);
    return origin->path && origin->base && *fetched != SVG_FETCHED_OUT_OF_MEMORY;
}

bool reader_import(void *user, text reference, const char *base, css_imported *imported)
{
    svg_document *document = user;
    svg_bytes bytes = {0};
    svg_fetched fetched;
    bool good = true;
    if (svg_resource_is_data(reference)) {
        fetched = svg_resource_fetch(reference, NULL, NULL, &bytes);
        good = fetched != SVG_FETCHED_OUT_OF_MEMORY;
    } else {
        good = import_file(document, reference, base, &fetched, &bytes, &imported->origin);
    }
    if (good && fetched == SVG_FETCHED && (bytes.items || array_reserve(&bytes, 1))) {
        imported->bytes = bytes.items;
        imported->count = bytes.count;
        return true;
    }
    imported->reason = fetched == SVG_FETCHED_FORBIDDEN
                           ? "only files below the resources directory are read, if that is asked for"
                           : "there is nothing where its reference leads";
    good = good && fetched != SVG_FETCHED;
    array_free(&bytes);
    return good;
}

static void take_sheet(svg_reader *reader, text href)
{
    css_imported imported = {.bytes = NULL};
    if (href.count && href.bytes[0] == '#')
        return; /* it names a style element of the document, which counts anyway */
    bool good = reader_import(reader->document, href, reader->options->folder, &imported);
    if (good && !imported.bytes)
        svg_warn(reader->warnings, reader_line(reader), "a style sheet is left out: %s", imported.reason);
    if (good && imported.bytes && !reader->style) {
        reader->style_met = true;
        XML_StopParser(reader->parser, XML_FALSE);
    } else if (good && imported.bytes) {
        char *place = array_push_many(&reader->style->text, imported.count);
        if (place)
            memcpy(place, imported.bytes, imported.count);
        good = (place || !imported.count) && css_style_end_sheet(reader->style, reader_line(reader), imported.origin);
    }
    if (!good)
        reader_fail_memory(reader);
    free(imported.bytes);
}

/* Instructions only count before the outermost element. */
static void XMLCALL take_instruction(void *user, const XML_Char *target, const XML_Char *data_bytes)
{
    svg_reader *reader = user;
    bool before = reader->document->nodes.count == reader->first_node && reader->result == PIETRA_OK;
    if (!before || strcmp(target, "xml-stylesheet") != 0)
        return;
    text data = reader_text(data_bytes);
    bool alternate = text_equal(find_pseudo(data, TEXT("alternate")), TEXT("yes"));
    text type = find_pseudo(data, TEXT("type"));
    type = text_trim((text){type.bytes, text_find(type, ';')}); /* drops the parameters of the media type */
    if (!alternate && is_css(type, find_pseudo(data, TEXT("media")), &reader->options->medium))
        take_sheet(reader, find_pseudo(data, TEXT("href")));
}

void reader_handle_sheets(svg_reader *reader)
{
    XML_SetProcessingInstructionHandler(reader->parser, take_instruction);
    reader_handle_characters(reader, false);
}

void reader_handle_characters(svg_reader *reader, bool in_text)
{
    const bool wanted = reader->style || reader->keeps_all || in_text;
    XML_SetCharacterDataHandler(reader->parser, wanted ? take_characters : NULL);
}
