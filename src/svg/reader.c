#include "svg/reader.h"

#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <string.h>

#include <libxml/parserInternals.h>

#include "base/error.h"
#include "base/parallel.h"
#include "base/utf8.h"
#include "svg/reader_state.h"
#include "svg/xml_text.h"

#define PIECE_BYTES ((size_t)64 << 10)

uint32_t reader_line(const svg_reader *reader)
{
    int line = reader->parser->input ? reader->parser->input->line : 0;
    return (line > 0 ? (uint32_t)line : 0) + reader->skipped_lines;
}

void reader_fail(svg_reader *reader, pietra_result result, const char *reason)
{
    if (reader->result == PIETRA_OK)
        reader->result = error_set(reader->error, result, result == PIETRA_ERROR_MEMORY ? 0 : reader_line(reader), "%s", reason);
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

/* Fatal errors alone: an undeclared name space prefix, say, is not one. */
static void take_error(void *user, xmlErrorPtr xml_error)
{
    svg_reader *reader = user;
    if (xml_error->level != XML_ERR_FATAL || reader->result != PIETRA_OK)
        return;
    if (xml_error->code == XML_ERR_NO_MEMORY) {
        reader_fail_memory(reader);
        return;
    }
    if (xml_error->code == XML_ERR_DOCUMENT_END && reader->current != SVG_NO_NODE) {
        reader->result = error_set(reader->error, PIETRA_ERROR_INPUT, reader_line(reader),
                                   "malformed XML: the document ends inside of what begins in line %u",
                                   reader->document->nodes.items[reader->current].line);
        return;
    }
    const char *message = xml_error->message ? xml_error->message : "not well-formed XML";
    size_t length = strlen(message);
    while (length && text_is_space(message[length - 1]))
        length--;
    uint32_t line = (xml_error->line > 0 ? (uint32_t)xml_error->line : 0) + reader->skipped_lines;
    length = length < 300 ? length : utf8_whole_prefix(message, 300);
    reader->result = error_set(reader->error, PIETRA_ERROR_INPUT, line, "malformed XML: %.*s", (int)length, message);
}

/* Pieces keep libxml2's buffer small. They end before a '<', never inside a tag: libxml2 2.9 takes a '>' in an attribute for the end of the
 * tag when nothing follows yet. */
static void push_pieces(svg_reader *reader, text input)
{
    const char *at = input.bytes, *end = at + input.count;
    while ((size_t)(end - at) > PIECE_BYTES && reader->result == PIETRA_OK) {
        const char *stop = memchr(at + PIECE_BYTES, '<', (size_t)(end - at) - PIECE_BYTES);
        if (!stop)
            break;
        xmlParseChunk(reader->parser, at, (int)(stop - at), 0);
        at = stop;
    }
    if (reader->result == PIETRA_OK)
        xmlParseChunk(reader->parser, at, (int)(end - at), 1);
}

static void parse(svg_reader *reader, text input)
{
    xmlSAXHandler handler = {
        .initialized = XML_SAX2_MAGIC,
        .startDocument = reader_start_document,
        .internalSubset = reader_internal_subset,
        .entityDecl = reader_entity_declaration,
        .getEntity = reader_get_entity,
        .getParameterEntity = reader_get_parameter_entity,
        .startElementNs = reader_start_element,
        .endElementNs = reader_end_element,
        .processingInstruction = reader_processing_instruction,
        .serror = take_error,
    };
    if (reader->style)
        handler.characters = handler.cdataBlock = reader_characters;
    /* The first four bytes tell the encoding. */
    int first = input.count < 4 ? (int)input.count : 4;
    reader->parser = xmlCreatePushParserCtxt(&handler, reader, input.bytes, first, NULL);
    if (!reader->parser) {
        reader->result = error_set_memory(reader->error);
        return;
    }
    xmlCtxtUseOptions(reader->parser, XML_PARSE_NOENT | XML_PARSE_NONET | XML_PARSE_HUGE | XML_PARSE_COMPACT);
    text rest = text_from(input.bytes + first, input.bytes + input.count);
    if (xml_text_is_plain(input))
        push_pieces(reader, rest);
    else
        xmlParseChunk(reader->parser, rest.bytes, (int)rest.count, 1);
    bool again = reader->style_met && !reader->style;
    bool whole = reader->parser->wellFormed && reader->document->nodes.count != reader->first_node && reader->current == SVG_NO_NODE;
    if (reader->result == PIETRA_OK && !again && !whole)
        reader_fail(reader, PIETRA_ERROR_INPUT, "malformed XML");
    xmlDocPtr document = reader->parser->myDoc;
    reader->parser->myDoc = NULL;
    xmlFreeParserCtxt(reader->parser);
    xmlFreeDoc(document);
}

/* libxml2 has globals, which the first of several threads must have set up before the others come. */
static pthread_once_t library_once = PTHREAD_ONCE_INIT;

static void ignore_error(void *user, xmlErrorPtr xml_error)
{
    (void)user;
    (void)xml_error;
}

/* Errors of decoding reach no handler of the parser's but that of the thread, which would print them. What it was is put back. The library
 * takes some allocations that fail for a faulty document, and passes over others. But malloc leaves a trace. */
static void run_parser(svg_reader *reader, text input)
{
    pthread_once(&library_once, xmlInitParser);
    xmlStructuredErrorFunc handler = xmlStructuredError;
    void *user = xmlStructuredErrorContext;
    int before = errno;
    xmlSetStructuredErrorFunc(NULL, ignore_error);
    errno = 0;
    parse(reader, input);
    if (errno == ENOMEM)
        reader->result = error_set_memory(reader->error);
    errno = before;
    xmlSetStructuredErrorFunc(user, handler);
    xmlResetLastError(); /* which the library would keep as long as the thread lives */
}

/* A document that is being read: by the first of several workers, while the others read path data. */
typedef struct svg_reading {
    text input;                    /* as libxml2 shall see it */
    const svg_read_options *options;
    uint32_t skipped_lines;
    svg_warnings *warnings;
    svg_document *document;
    pietra_error *error;
    pietra_result result;
    svg_lift lift;
} svg_reading;

/* The whole document in one go; with style sheets, the first of them ends it unless style is there to take them. */
static pietra_result read_once(svg_reading *reading, css_style *style, bool *style_met)
{
    svg_reader reader = {
        .document = reading->document,
        .warnings = reading->warnings,
        .error = reading->error,
        .options = reading->options,
        .skipped_lines = reading->skipped_lines,
        .first_node = (uint32_t)reading->document->nodes.count,
        .current = SVG_NO_NODE,
        .style = style,
        .sheet = SVG_NO_NODE,
        .lift = &reading->lift,
    };
    run_parser(&reader, reading->input);
    array_free(&reader.cascade.declarations);
    array_free(&reader.own);
    *style_met = reader.style_met;
    return reader.result;
}

static pietra_result read_styled(svg_reading *reading)
{
    const svg_read_options *options = reading->options;
    css_style style = { .tree.first_node = (uint32_t)reading->document->nodes.count };
    css_medium medium = { 0 };
    bool style_met;
    pietra_result result = PIETRA_OK;
    if (options->style_sheet.count > 0) {
        char *sheet = array_push_many(&style.text, options->style_sheet.count);
        if (sheet)
            memcpy(sheet, options->style_sheet.bytes, options->style_sheet.count);
        else
            result = error_set_memory(reading->error);
    }
    if (result == PIETRA_OK && !css_style_end_sheet(&style, 0))
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
        result = css_style_apply(&style, reading->document, &medium, reading->warnings, reading->error);
    css_style_free(&style);
    return result;
}

static pietra_result read_document(svg_reading *reading)
{
    bool style_met = reading->options->style_sheet.count > 0;
    double dpi = reading->document->units.dpi;
    svg_budget *budget = reading->document->budget;
    const svg_folder *resources = reading->document->resources;
    const svg_budget before = *budget;
    pietra_result result = PIETRA_OK;
    if (!style_met)
        result = read_once(reading, NULL, &style_met);
    if (result == PIETRA_OK && style_met) {
        svg_document_free(reading->document);
        *budget = before;
        *reading->document = (svg_document){ .budget = budget, .resources = resources, .units = { .dpi = dpi } };
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
    if (worker == 0 && reading->result != PIETRA_OK)
        atomic_store_explicit(&reading->lift.failed, true, memory_order_relaxed);
    svg_lift_work(&reading->lift, worker);
}

static pietra_result check_tags(const svg_reading *reading)
{
    size_t offset;
    const svg_budget *budget = reading->document->budget;
    if (!xml_text_has_crowded_tag(reading->input, budget->most[SVG_LIMIT_attributes], &offset))
        return PIETRA_OK;
    return svg_budget_error(budget, SVG_LIMIT_attributes, reading->error,
                            reading->skipped_lines + 1 + xml_text_count_lines(reading->input.bytes, reading->input.bytes + offset));
}

static pietra_result read_shared(svg_reading *reading)
{
    uint32_t threads = parallel_workers(reading->options->threads);
    if (xml_text_is_plain(reading->input) && !svg_lift_take(&reading->lift, reading->input))
        return error_set_memory(reading->error);
    if (reading->lift.rest)
        reading->input = (text){ reading->lift.rest, reading->lift.rest_count };
    pietra_result checked = check_tags(reading);
    if (checked != PIETRA_OK)
        return checked;
    if (!svg_lift_prepare(&reading->lift, threads))
        return error_set_memory(reading->error);
    reading->lift.discard = reading->options->discard;
    reading->lift.discard_user = reading->options->discard_user;
    parallel_run(reading->lift.worker_count, read_share, reading);
    if (reading->result == PIETRA_OK && !svg_lift_hand_over(&reading->lift, reading->document))
        return error_set_memory(reading->error);
    return reading->result;
}

/* Takes off what stands before the document. */
static pietra_result begin_reading(svg_reading *reading, text input)
{
    xml_text_skip_leading(&input, &reading->skipped_lines);
    if (input.count == 0)
        return error_set(reading->error, PIETRA_ERROR_INPUT, 0, "the file is empty");
    if (input.count > INT_MAX)
        return error_set(reading->error, PIETRA_ERROR_INPUT, 0, "documents of more than 2 GiB are not read");
    reading->input = input;
    return PIETRA_OK;
}

pietra_result svg_read(text input, const svg_read_options *options, svg_warnings *warnings, svg_document *document, pietra_error *error)
{
    svg_reading reading = { .options = options, .warnings = warnings, .document = document, .error = error };
    pietra_result result = begin_reading(&reading, input);
    if (result == PIETRA_OK)
        result = read_shared(&reading);
    svg_lift_free(&reading.lift);
    if (result == PIETRA_OK)
        svg_document_resolve_links(document);
    return result;
}

pietra_result svg_read_more(text input, const svg_read_options *options, svg_warnings *warnings, svg_document *document, pietra_error *error)
{
    svg_reading reading = { .options = options, .warnings = warnings, .document = document, .error = error };
    size_t node_count = document->nodes.count, attribute_count = document->attributes.count;
    pietra_result result = begin_reading(&reading, input);
    if (result == PIETRA_OK)
        result = check_tags(&reading);
    if (result == PIETRA_OK)
        result = read_styled(&reading);
    if (result != PIETRA_OK) {
        document->nodes.count = node_count;
        document->attributes.count = attribute_count;
    }
    return result;
}
