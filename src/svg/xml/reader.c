/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#define _GNU_SOURCE /* for memmem */

#include "svg/xml/reader.h"

#include <string.h>

#include "base/error.h"
#include "base/parallel.h"
#include "svg/xml/reader_state.h"

#define PIECE_BYTES ((size_t)64 << 10)
#define LONGEST_EXCERPT 24u

/* Returns the line of an offset. Usually the offset lies behind the one before. */
static uint32_t line_at(svg_reader *reader, size_t offset)
{
    if (offset < reader->counted)
        reader->counted = reader->line = 0;
    reader->line += xml_text_count_lines(reader->xml, reader->counted, offset);
    reader->counted = offset;
    return reader->xml->skipped_lines + 1 + reader->line;
}

static size_t current_offset(const svg_reader *reader)
{
    const XML_Index index = XML_GetCurrentByteIndex(reader->parser);
    return index > 0 ? (size_t)index : 0;
}

uint32_t reader_line(svg_reader *reader)
{
    return line_at(reader, current_offset(reader) + (size_t)XML_GetCurrentByteCount(reader->parser));
}

uint32_t reader_first_line(svg_reader *reader)
{
    return line_at(reader, current_offset(reader));
}

void reader_fail(svg_reader *reader, pietra_result result, const char *reason)
{
    if (reader->result == PIETRA_OK)
        reader->result =
            error_set(reader->error, result, result == PIETRA_ERROR_MEMORY ? 0 : reader_line(reader), "%s", reason);
}

void reader_fail_limit(svg_reader *reader, svg_limit which)
{
    if (reader->result == PIETRA_OK)
        reader->result = svg_budget_error(reader->document->budget, which, reader->error, reader_line(reader));
}

void reader_fail_memory(svg_reader *reader)
{
    reader_fail(reader, PIETRA_ERROR_MEMORY, "out of memory");
}

static bool is_in_word(char c)
{
    return c > ' ' && c < 0x7f && !strchr("<=>/'\"", c);
}

/* Returns the word at an offset, or else the one that ends there. It never reaches into an attribute's value. It is
 * empty if it is not in ASCII. */
static text find_word(const text bytes, size_t offset)
{
    size_t begin = offset, end = offset;
    if (offset < bytes.count && bytes.bytes[offset] > ' ' && bytes.bytes[offset] < 0x7f)
        end++;
    else
        while (begin > 0 && offset - begin < LONGEST_EXCERPT && is_in_word(bytes.bytes[begin - 1]))
            begin--;
    while (end > offset && end < bytes.count && end - begin < LONGEST_EXCERPT && is_in_word(bytes.bytes[end]))
        end++;
    return (text){bytes.bytes + begin, end - begin};
}

/* The end of the document counts as a part of its last line. */
static void fail_malformed(svg_reader *reader, const char *what, size_t offset)
{
    const text bytes = reader->xml->bytes;
    const uint32_t line = line_at(reader, offset < bytes.count ? offset : bytes.count - 1);
    const bool readable = reader->xml->unit == XML_BYTES && offset < bytes.count;
    const text word = readable ? find_word(bytes, offset) : TEXT("");
    if (word.count)
        reader->result =
            error_set(reader->error, PIETRA_ERROR_INPUT, line, "malformed XML: %s at \"%.*s\"", what, TEXT_PRINT(word));
    else if (readable)
        reader->result = error_set(reader->error, PIETRA_ERROR_INPUT, line, "malformed XML: %s at byte 0x%02X", what,
                                   (uint8_t)bytes.bytes[offset]);
    else
        reader->result = error_set(reader->error, PIETRA_ERROR_INPUT, line, "malformed XML: %s", what);
}

/* Keeps the error of the parser, unless something has failed before. */
static void fail_by_parser(svg_reader *reader)
{
    const enum XML_Error code = XML_GetErrorCode(reader->parser);
    const size_t offset = current_offset(reader);
    if (reader->result != PIETRA_OK)
        return;
    if (code == XML_ERROR_NO_MEMORY) {
        reader_fail_memory(reader);
    } else if (code == XML_ERROR_AMPLIFICATION_LIMIT_BREACH) {
        reader_fail_limit(reader, SVG_LIMIT_entity_bytes);
    } else if (code == XML_ERROR_NO_ELEMENTS && reader->current != SVG_NO_NODE) {
        reader->result = error_set(reader->error, PIETRA_ERROR_INPUT, line_at(reader, reader->xml->bytes.count - 1),
                                   "malformed XML: the document ends inside of what begins in line %u",
                                   reader->document->nodes.items[reader->current].line);
    } else if (code == XML_ERROR_TAG_MISMATCH && reader->current != SVG_NO_NODE) {
        reader->result = error_set(reader->error, PIETRA_ERROR_INPUT, line_at(reader, offset),
                                   "malformed XML: mismatched end tag: what begins in line %u is open",
                                   reader->document->nodes.items[reader->current].line);
    } else if (code == XML_ERROR_INVALID_TOKEN && offset < reader->xml->bytes.count &&
               reader->xml->bytes.bytes[offset] & 0x80) {
        fail_malformed(reader, "not well-formed, or not in the encoding that is declared (else UTF-8),", offset);
    } else {
        fail_malformed(reader, XML_ErrorString(code), offset);
    }
}

/* Small pieces keep expat's copy small. If possible they end before a '<', so that no tag is read twice. */
static size_t piece_count(const xml_text *xml, size_t offset)
{
    const size_t left = xml->bytes.count - offset;
    if (left <= PIECE_BYTES || xml->unit != XML_BYTES)
        return left < PIECE_BYTES ? left : PIECE_BYTES;
    const char *begin = xml->bytes.bytes + offset, *stop = memchr(begin + PIECE_BYTES, '<', left - PIECE_BYTES);
    return stop ? (size_t)(stop - begin) : left;
}

static void parse(svg_reader *reader)
{
    const xml_text *xml = reader->xml;
    reader->parser = XML_ParserCreate(xml->encoding);
    if (!reader->parser) {
        reader->result = error_set_memory(reader->error);
        return;
    }
    XML_SetUserData(reader->parser, reader);
    reader_handle_elements(reader);
    reader_handle_sheets(reader);
    reader_handle_entities(reader);
    enum XML_Status status = XML_STATUS_OK;
    for (size_t at = 0, count; status == XML_STATUS_OK && at < xml->bytes.count; at += count) {
        count = piece_count(xml, at);
        status = XML_Parse(reader->parser, xml->bytes.bytes + at, (int)count, at + count == xml->bytes.count);
    }
    bool again = reader->style_met && !reader->style;
    if (status != XML_STATUS_OK && !again)
        fail_by_parser(reader);
    XML_ParserFree(reader->parser);
}

/* A document that is being read. The first of several workers reads it, while the others read path data. */
typedef struct svg_reading {
    xml_text xml; /* as expat will see it */
    const svg_read_options *options;
    svg_warnings *warnings;
    svg_document *document;
    pietra_error *error;
    pietra_result result;
    bool has_trefs; /* a tref may occur, which shows characters of any element */
    svg_lifted_attributes lifted_attributes;
} svg_reading;

/* Reads the whole document at once. If it has a style sheet and `style` is NULL, reading ends there. */
static pietra_result read_once(svg_reading *reading, css_style *style, bool *style_met)
{
    svg_reader reader = {
        .document = reading->document,
        .warnings = reading->warnings,
        .error = reading->error,
        .options = reading->options,
        .xml = &reading->xml,
        .first_node = (uint32_t)reading->document->nodes.count,
        .current = SVG_NO_NODE,
        .style = style,
        .sheet = SVG_NO_NODE,
        .text = SVG_NO_NODE,
        .keeps_all = reading->has_trefs,
        .lifted_attributes = &reading->lifted_attributes,
    };
    parse(&reader);
    svg_namespaces_free(&reader.namespaces);
    array_free(&reader.cascade.declarations);
    array_free(&reader.own);
    array_free(&reader.attributes);
    *style_met = reader.style_met;
    return reader.result;
}

static pietra_result read_styled(svg_reading *reading)
{
    const svg_read_options *options = reading->options;
    css_style style = {.tree.first_node = (uint32_t)reading->document->nodes.count};
    css_medium medium = {0};
    bool style_met;
    pietra_result result = PIETRA_OK;
    if (options->style_sheet.count > 0) {
        char *sheet = array_push_many(&style.text, options->style_sheet.count);
        if (sheet)
            memcpy(sheet, options->style_sheet.bytes, options->style_sheet.count);
        else
            result = error_set_memory(reading->error);
    }
    if (result == PIETRA_OK && !css_style_end_sheet(&style, 0, (css_origin){.base = options->folder}))
        result = error_set_memory(reading->error);
    if (result == PIETRA_OK && options->target.count) {
        style.tree.target = css_name_intern(&style.tree.names, options->target);
        result = style.tree.target ? PIETRA_OK : error_set_memory(reading->error);
    }
    if (result == PIETRA_OK)
        result = read_once(reading, &style, &style_met);
    if (result == PIETRA_OK)
        medium = reader_medium(reading->document, options);
    if (result == PIETRA_OK)
        result = css_style_apply(&style, reading->document, &medium, (css_importer){reader_import, reading->document},
                                 reading->warnings, reading->error);
    css_style_free(&style);
    return result;
}

static pietra_result read_document(svg_reading *reading)
{
    bool style_met = reading->options->style_sheet.count > 0;
    double dpi = reading->document->units.dpi;
    svg_budget *budget = reading->document->budget;
    const svg_folder *resources = reading->document->resources;
    const svg_settings settings = reading->document->settings;
    const svg_budget before = *budget;
    pietra_result result = PIETRA_OK;
    if (!style_met)
        result = read_once(reading, NULL, &style_met);
    if (result == PIETRA_OK && style_met && reading->lifted_attributes.rest &&
        reading->lifted_attributes.is_read_once && !reading->options->style_sheet.count)
        return error_set(reading->error, PIETRA_ERROR_INPUT, 0, "malformed XML: a style sheet stands outside of tags");
    if (result == PIETRA_OK && style_met) {
        svg_document_free(reading->document);
        *budget = before;
        *reading->document = (svg_document){.budget = budget,
                                            .resources = resources,
                                            .settings = settings,
                                            .units = {.dpi = dpi, .lacks_memory = &budget->lacks_memory}};
        result = read_styled(reading);
    }
    return result;
}

static void read_share(void *user, uint32_t worker, uint32_t count)
{
    (void)count;
    svg_reading *reading = user;
    if (worker == 0)
        reading->result = read_document(reading);
    if (worker == 0 && reading->result == PIETRA_OK)
        svg_lifted_reach_end(&reading->lifted_attributes);
    else if (worker == 0)
        atomic_store_explicit(&reading->lifted_attributes.failed, true, memory_order_relaxed);
    svg_lifted_work(&reading->lifted_attributes, worker);
}

/* In UTF-16 a byte lies between the letters. */
static bool may_have_trefs(text bytes)
{
    return memmem(bytes.bytes, bytes.count, "tref", 4) || memmem(bytes.bytes, bytes.count, "t\0r\0e\0f", 7);
}

static pietra_result read_shared(svg_reading *reading)
{
    uint32_t threads = parallel_workers(reading->options->threads, UINT64_MAX);
    if (reading->xml.unit == XML_BYTES && !svg_lifted_take(&reading->lifted_attributes, reading->xml.bytes))
        return error_set_memory(reading->error);
    if (reading->lifted_attributes.rest)
        reading->xml.bytes = (text){reading->lifted_attributes.rest, reading->lifted_attributes.rest_count};
    reading->has_trefs =
        reading->lifted_attributes.is_lexed ? reading->lifted_attributes.has_trefs : may_have_trefs(reading->xml.bytes);
    if (!svg_lifted_prepare(&reading->lifted_attributes, threads, reading->document->paths.most_numbers))
        return error_set_memory(reading->error);
    reading->lifted_attributes.discard = reading->xml.converted ? NULL : reading->options->discard;
    reading->lifted_attributes.discard_user = reading->options->discard_user;
    parallel_run(reading->lifted_attributes.worker_count, read_share, reading);
    if (reading->result == PIETRA_OK && !svg_lifted_hand_over(&reading->lifted_attributes, reading->document))
        return error_set_memory(reading->error);
    return reading->result;
}

pietra_result svg_read(text input, const svg_read_options *options, svg_warnings *warnings, svg_document *document,
                       pietra_error *error)
{
    svg_reading reading = {.options = options, .warnings = warnings, .document = document, .error = error};
    pietra_result result = xml_text_open(input, &reading.xml, error);
    if (result == PIETRA_OK)
        result = read_shared(&reading);
    svg_lifted_free(&reading.lifted_attributes);
    xml_text_free(&reading.xml);
    const char *guess = result == PIETRA_ERROR_INPUT && document->nodes.count == 0 ? xml_text_guess(input) : NULL;
    if (guess)
        result = error_set(error, PIETRA_ERROR_INPUT, 0, "not an SVG but %s", guess);
    if (result == PIETRA_OK)
        svg_document_resolve_links(document);
    return result;
}

pietra_result svg_read_more(text input, const svg_read_options *options, svg_warnings *warnings, svg_document *document,
                            pietra_error *error)
{
    svg_reading reading = {.options = options, .warnings = warnings, .document = document, .error = error};
    size_t node_count = document->nodes.count, attribute_count = document->attributes.count;
    size_t characters_count = document->characters.count;
    pietra_result result = xml_text_open(input, &reading.xml, error);
    reading.has_trefs = result == PIETRA_OK && may_have_trefs(reading.xml.bytes);
    if (result == PIETRA_OK)
        result = read_styled(&reading);
    xml_text_free(&reading.xml);
    if (result != PIETRA_OK) {
        document->nodes.count = node_count;
        document->attributes.count = attribute_count;
        document->characters.count = characters_count;
    }
    return result;
}
