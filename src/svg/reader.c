/* Two traps of libxml2 (2.9) shape this file.
 *
 * Long attributes and deep nests need XML_PARSE_HUGE, which also turns off libxml2's guard against entity bombs. So every look-up of an
 * entity is counted here with the bytes of its text: the sum bounds whatever nested entities can expand to.
 *
 * Within a start tag libxml2 compares every attribute with every other one. A tag with very many of them is found before parsing. */
#include "svg/reader.h"

#include <limits.h>
#include <pthread.h>

#include <libxml/SAX2.h>
#include <libxml/parser.h>
#include <libxml/parserInternals.h>

#include "base/error.h"
#include "base/parallel.h"
#include "svg/css_style.h"
#include "svg/lift.h"
#include "svg/property.h"
#include "svg/variable.h"

#define SVG_NAMESPACE "http://www.w3.org/2000/svg"
#define XLINK_NAMESPACE "http://www.w3.org/1999/xlink"

#define EXPANSION_LIMIT ((uint64_t)64 << 20)
#define EXPANSION_COST 256u        /* of a look-up, in bytes of text */
#define ATTRIBUTE_LIMIT 10000u     /* of one start tag */
#define NAMESPACE_LIMIT 10000      /* open at a time: libxml2 searches them one by one */
#define NAME_CACHE_SIZE 1024u
#define PIECE_BYTES ((size_t)64 << 10)

/* libxml2 keeps one copy of each name, so its address stands for it. */
typedef struct cached_name {
    const xmlChar *pointer;
    uint8_t name;
} cached_name;

typedef struct svg_reader {
    xmlParserCtxtPtr parser;
    svg_document *document;
    svg_warnings *warnings;
    pietra_error *error;
    pietra_result result;          /* the first failure */
    const svg_read_options *options;
    uint64_t expanded;
    css_style *style;              /* NULL: style sheets have not been met; the first one makes the reading begin again */
    bool style_met;
    uint32_t sheet;                /* the open style element; SVG_NO_NODE: none */
    uint32_t skipped_lines;        /* before the bytes that libxml2 sees */
    uint32_t current;              /* the open node */
    svg_lift *lift;                /* of the document; its values are missing in what libxml2 sees */
    size_t next_lifted;
    uint32_t element_count;        /* start tags so far */
    svg_cascade cascade;
    cached_name cache[NAME_CACHE_SIZE];
} svg_reader;

static uint32_t reader_line(const svg_reader *reader)
{
    int line = reader->parser->input ? reader->parser->input->line : 0;
    return (line > 0 ? (uint32_t)line : 0) + reader->skipped_lines;
}

static void reader_fail(svg_reader *reader, pietra_result result, const char *reason)
{
    if (reader->result == PIETRA_OK)
        reader->result = error_set(reader->error, result, result == PIETRA_ERROR_MEMORY ? 0 : reader_line(reader), "%s", reason);
}

static void reader_fail_memory(svg_reader *reader)
{
    reader_fail(reader, PIETRA_ERROR_MEMORY, "out of memory");
}

/* ---- Attributes ---- */

static svg_name find_name(svg_reader *reader, const xmlChar *name)
{
    cached_name *cached = &reader->cache[((uintptr_t)name >> 2) % NAME_CACHE_SIZE];
    if (cached->pointer != name) {
        cached->pointer = name;
        cached->name = (uint8_t)svg_name_find((text){ (const char *)name, strlen((const char *)name) });
    }
    return (svg_name)cached->name;
}

static svg_attribute *add_attribute(svg_reader *reader, svg_name name)
{
    svg_document *document = reader->document;
    svg_node *node = array_last(&document->nodes);
    for (size_t i = node->attribute_begin; i < document->attributes.count; i++)
        if (document->attributes.items[i].name == name)
            return &document->attributes.items[i];
    svg_attribute *added = array_push(&document->attributes);
    if (!added) {
        reader_fail_memory(reader);
        return NULL;
    }
    *added = (svg_attribute){ .name = (uint8_t)name };
    node->attribute_count++;
    return added;
}

static void add_text(svg_reader *reader, svg_name name, text value)
{
    char *copy = arena_copy(&reader->document->arena, value.bytes, value.count);
    svg_attribute *attribute = add_attribute(reader, name);
    if (!copy)
        reader_fail_memory(reader);
    if (!copy || !attribute)
        return;
    attribute->bytes = copy;
    attribute->count = (uint32_t)value.count;
    if (name == SVG_ID && !svg_document_add_id(reader->document, value, (uint32_t)reader->document->nodes.count - 1))
        reader_fail_memory(reader);
}

static void add_length(svg_reader *reader, svg_name name, text value)
{
    svg_length length;
    if (!svg_length_parse(value, reader->document->dpi, &length))
        return;
    svg_attribute *attribute = add_attribute(reader, name);
    if (!attribute)
        return;
    attribute->number = length.number;
    attribute->unit = (uint8_t)length.unit;
}

static void add_transform(svg_reader *reader, svg_name name, text value)
{
    pietra_transform transform;
    if (!svg_transform_parse(value, reader->document->dpi, &transform))
        return;
    pietra_transform *added = array_push(&reader->document->transforms);
    svg_attribute *attribute = add_attribute(reader, name);
    if (!added)
        reader_fail_memory(reader);
    if (!added || !attribute)
        return;
    *added = transform;
    attribute->transform = (uint32_t)(reader->document->transforms.count - 1);
}

/* What was lifted from this attribute of the open element; NULL: nothing. */
static svg_lifted *find_lifted(svg_reader *reader, svg_name name)
{
    svg_lift *lift = reader->lift;
    uint32_t element = reader->element_count - 1;
    while (reader->next_lifted < lift->values.count && lift->values.items[reader->next_lifted].element < element)
        reader->next_lifted++;
    if (reader->next_lifted == lift->values.count)
        return NULL;
    svg_lifted *lifted = &lift->values.items[reader->next_lifted];
    return lifted->element == element && (lifted->syntax == SVG_PATH_DATA) == (name == SVG_D) ? lifted : NULL;
}

static void add_path(svg_reader *reader, svg_name name, text value)
{
    svg_node *node = array_last(&reader->document->nodes);
    svg_lifted *lifted = find_lifted(reader, name);
    svg_path_syntax syntax = node->element == SVG_PATH ? SVG_PATH_DATA : node->element == SVG_POLYGON ? SVG_PATH_POLYGON : SVG_PATH_POLYLINE;
    bool matches = name == SVG_D ? node->element == SVG_PATH : node->element == SVG_POLYGON || node->element == SVG_POLYLINE;
    if (lifted)
        lifted->node = matches ? (uint32_t)reader->document->nodes.count - 1 : SVG_NO_NODE;
    else if (matches && !svg_path_pool_add(&reader->document->paths, value, syntax, &node->path))
        reader_fail_memory(reader);
}

static void add_property(svg_reader *reader, svg_name name, text value, bool important, bool attribute)
{
    if (name == SVG_TRANSFORM) {
        add_transform(reader, name, value);
        return;
    }
    if (name == SVG_TRANSFORM_ORIGIN) {
        add_text(reader, name, value);
        return;
    }
    if (attribute && (name == SVG_MARKER || name == SVG_MIX_BLEND_MODE || name == SVG_ISOLATION || name == SVG_TRANSFORM_BOX ||
                      name == SVG_BACKGROUND || name == SVG_BACKGROUND_COLOR))
        return; /* SVG 2, 6.6: no presentation attributes */
    svg_declaration declaration;
    svg_parsed parsed = svg_declaration_parse(reader->document, name, value, &declaration);
    declaration.important = important;
    if (parsed == SVG_PARSED_OUT_OF_MEMORY || (parsed == SVG_PARSED_GOOD && !svg_cascade_add(&reader->cascade, &declaration)))
        reader_fail_memory(reader);
}

static void add_custom_property(svg_reader *reader, text name, text value, bool important)
{
    svg_declaration declaration;
    bool good = svg_variable_declare(reader->document, name, value, &declaration);
    declaration.important = important;
    if (!good || !svg_cascade_add(&reader->cascade, &declaration))
        reader_fail_memory(reader);
}

static bool add_style_declaration(void *user, text name, text value, bool important)
{
    svg_reader *reader = user;
    svg_name property = svg_name_find(name);
    svg_property_warn(reader->warnings, reader_line(reader), property, value);
    if (text_starts_with(name, TEXT("--")))
        add_custom_property(reader, name, value, important);
    if (property == SVG_MARKER) {
        static const svg_name longhands[3] = { SVG_MARKER_START, SVG_MARKER_MID, SVG_MARKER_END };
        for (int i = 0; i < 3; i++)
            add_property(reader, longhands[i], value, important, false);
    } else if (svg_property_is_geometry(property, array_last(&reader->document->nodes)->element)) {
        if (!svg_property_apply_length(reader->document, (uint32_t)reader->document->nodes.count - 1, property, value))
            reader_fail_memory(reader);
    } else if (property != SVG_UNKNOWN && svg_name_kind(property) == SVG_KIND_PROPERTY) {
        add_property(reader, property, value, important, false);
    }
    return reader->result == PIETRA_OK;
}

/* SVG_UNKNOWN: an attribute of no interest. */
static svg_name attribute_name(svg_reader *reader, const xmlChar *local, const xmlChar *prefix, const xmlChar *uri)
{
    if (!prefix)
        return find_name(reader, local);
    /* An undeclared prefix has no name space: `xlink` is taken for what it usually is. */
    bool xlink = uri ? xmlStrEqual(uri, BAD_CAST XLINK_NAMESPACE) : xmlStrEqual(prefix, BAD_CAST "xlink");
    return xlink && xmlStrEqual(local, BAD_CAST "href") ? SVG_XLINK_HREF : SVG_UNKNOWN;
}

static void note_attribute(svg_reader *reader, const xmlChar **attribute, text value)
{
    text name = { (const char *)attribute[0], strlen((const char *)attribute[0]) };
    if (!css_style_add_attribute(reader->style, name, attribute[1] != NULL, value))
        reader_fail_memory(reader);
}

/* Declarations of a style attribute override presentation attributes, so they come after all of them; with style sheets, once these are
 * known. */
static void add_style(svg_reader *reader, text style)
{
    if (reader->style ? !css_style_add_declarations(reader->style, style) : !svg_declaration_list_walk(style, add_style_declaration, reader))
        reader_fail_memory(reader);
}

static void add_attributes(svg_reader *reader, int count, const xmlChar **attributes)
{
    text style = TEXT("");
    for (int i = 0; i < count && reader->result == PIETRA_OK; i++, attributes += 5) {
        svg_name name = attribute_name(reader, attributes[0], attributes[1], attributes[2]);
        text value = text_from((const char *)attributes[3], (const char *)attributes[4]);
        const svg_lifted *lifted = name == SVG_D || name == SVG_POINTS ? find_lifted(reader, name) : NULL;
        if (reader->style)
            note_attribute(reader, attributes, lifted ? lifted->value : value);
        if (name == SVG_UNKNOWN)
            continue;
        switch (svg_name_kind(name)) {
        case SVG_KIND_ELEMENT:
            break;
        case SVG_KIND_TEXT:
            add_text(reader, name, value);
            break;
        case SVG_KIND_LENGTH:
            add_length(reader, name, value);
            break;
        case SVG_KIND_TRANSFORM:
            add_transform(reader, name, value);
            break;
        case SVG_KIND_PATH:
            add_path(reader, name, value);
            break;
        case SVG_KIND_STYLE:
            style = value;
            break;
        case SVG_KIND_PROPERTY:
            svg_property_warn(reader->warnings, reader_line(reader), name, value);
            add_property(reader, name, value, false, true);
            break;
        }
    }
    if (style.count && reader->result == PIETRA_OK)
        add_style(reader, style);
}

static void add_set(svg_reader *reader)
{
    svg_node *node = array_last(&reader->document->nodes);
    for (size_t i = 0; i < reader->cascade.declarations.count; i++)
        reader->cascade.declarations.items[i].important = 0;
    if (!svg_document_add_set(reader->document, reader->cascade.declarations.items, reader->cascade.declarations.count, &node->declarations))
        reader_fail_memory(reader);
    reader->cascade.declarations.count = 0;
}

/* ---- Elements ---- */

static svg_name element_name(svg_reader *reader, const xmlChar *local, const xmlChar *prefix, const xmlChar *uri)
{
    /* Without any name space, or with an undeclared `svg` prefix, a document is taken for what it was meant to be. */
    bool svg = uri ? xmlStrEqual(uri, BAD_CAST SVG_NAMESPACE) : !prefix || xmlStrEqual(prefix, BAD_CAST "svg");
    if (!svg)
        return SVG_FOREIGN;
    svg_name name = find_name(reader, local);
    if (name == SVG_UNKNOWN || name == SVG_STYLE || name == SVG_FILTER || name == SVG_MARKER || name == SVG_MASK)
        return name; /* these four are properties or attributes too */
    return svg_name_kind(name) == SVG_KIND_ELEMENT ? name : SVG_UNKNOWN;
}

static void warn_of_element(svg_reader *reader, svg_name element, const xmlChar *local)
{
    if (element == SVG_UNKNOWN)
        svg_warn(reader->warnings, reader_line(reader), "<%.40s> is not known and left out", (const char *)local);
    else if (element == SVG_SCRIPT)
        svg_warn(reader->warnings, reader_line(reader), "scripts are not run");
}

/* ---- Style sheets ---- */

/* True when a style element holds CSS for our medium. */
static bool is_sheet(const svg_reader *reader, int count, const xmlChar **attributes)
{
    text type = TEXT("text/css"), media = TEXT("");
    for (int i = 0; i < count; i++, attributes += 5) {
        text value = text_from((const char *)attributes[3], (const char *)attributes[4]);
        if (!attributes[1] && xmlStrEqual(attributes[0], BAD_CAST "type"))
            type = text_trim(value);
        else if (!attributes[1] && xmlStrEqual(attributes[0], BAD_CAST "media"))
            media = value;
    }
    type.count = text_find(type, ';');
    return (type.count == 0 || text_equal_ignoring_case(text_trim(type), TEXT("text/css"))) && css_media_hold(media, &reader->options->medium);
}

static void characters(void *user, const xmlChar *bytes, int count)
{
    svg_reader *reader = user;
    if (reader->result != PIETRA_OK || reader->current == SVG_NO_NODE || count <= 0)
        return;
    reader->style->tree.elements.items[reader->current].has_text = true;
    if (reader->sheet != reader->current)
        return;
    char *place = array_push_many(&reader->style->text, (size_t)count);
    if (place)
        memcpy(place, bytes, (size_t)count);
    else
        reader_fail_memory(reader);
}

/* False: failed. */
static bool check_limits(svg_reader *reader, int defaulted)
{
    reader->expanded += (uint64_t)defaulted * EXPANSION_COST;
    if (reader->document->nodes.count >= reader->options->element_limit || reader->document->nodes.count >= SVG_NO_NODE)
        reader_fail(reader, PIETRA_ERROR_INPUT, "the document has more elements than the limit allows");
    else if (reader->expanded > EXPANSION_LIMIT)
        reader_fail(reader, PIETRA_ERROR_INPUT, "the defaults of the document's DTD expand without bounds");
    else if (reader->parser->nsNr > NAMESPACE_LIMIT)
        reader_fail(reader, PIETRA_ERROR_INPUT, "too many name spaces are nested");
    return reader->result == PIETRA_OK;
}

static void start_element(void *user, const xmlChar *local, const xmlChar *prefix, const xmlChar *uri, int namespace_count,
                          const xmlChar **namespaces, int attribute_count, int defaulted, const xmlChar **attributes)
{
    (void)namespace_count;
    (void)namespaces;
    svg_reader *reader = user;
    svg_document *document = reader->document;
    reader->element_count++;
    if (reader->result != PIETRA_OK || !check_limits(reader, defaulted))
        goto stop;
    svg_name element = element_name(reader, local, prefix, uri);
    if (document->nodes.count == 0 && element != SVG_SVG) {
        reader->result = error_set(reader->error, PIETRA_ERROR_INPUT, reader_line(reader), "the root element is <%s>, not <svg>",
                                   (const char *)local);
        goto stop;
    }
    svg_node *node = array_push(&document->nodes);
    if (!node) {
        reader_fail_memory(reader);
        goto stop;
    }
    *node = (svg_node){
        .parent = reader->current,
        .line = reader_line(reader),
        .path = SVG_NO_PATH,
        .attribute_begin = (uint32_t)document->attributes.count,
        .element = (uint8_t)element,
    };
    reader->current = (uint32_t)document->nodes.count - 1;
    if (reader->style && !css_style_add_element(reader->style, document, (text){ (const char *)local, strlen((const char *)local) }))
        reader_fail_memory(reader);
    warn_of_element(reader, element, local);
    add_attributes(reader, attribute_count, attributes);
    add_set(reader);
    if (element == SVG_STYLE && is_sheet(reader, attribute_count, attributes)) {
        reader->sheet = reader->current;
        reader->style_met = true;
        if (!reader->style)
            goto stop;
    }
    if (reader->result == PIETRA_OK)
        return;
stop:
    xmlStopParser(reader->parser);
}

static void end_element(void *user, const xmlChar *local, const xmlChar *prefix, const xmlChar *uri)
{
    (void)local;
    (void)prefix;
    (void)uri;
    svg_reader *reader = user;
    if (reader->result != PIETRA_OK || reader->current == SVG_NO_NODE)
        return;
    svg_node *node = &reader->document->nodes.items[reader->current];
    node->end = (uint32_t)reader->document->nodes.count;
    if (reader->sheet == reader->current) {
        reader->sheet = SVG_NO_NODE;
        if (!css_style_end_sheet(reader->style, node->line))
            reader_fail_memory(reader);
    }
    reader->current = node->parent;
}

/* ---- Entities ---- */

static void start_document(void *user)
{
    xmlSAX2StartDocument(((svg_reader *)user)->parser);
}

static void internal_subset(void *user, const xmlChar *name, const xmlChar *external, const xmlChar *system)
{
    xmlSAX2InternalSubset(((svg_reader *)user)->parser, name, external, system);
}

/* An external entity is kept as an empty internal one, so that libxml2 has nothing to open. */
static void entity_declaration(void *user, const xmlChar *name, int type, const xmlChar *public_id, const xmlChar *system_id, xmlChar *content)
{
    static xmlChar empty[1];
    svg_reader *reader = user;
    bool parameter = type == XML_INTERNAL_PARAMETER_ENTITY || type == XML_EXTERNAL_PARAMETER_ENTITY;
    if (type != XML_INTERNAL_GENERAL_ENTITY && type != XML_INTERNAL_PARAMETER_ENTITY) {
        svg_warn(reader->warnings, reader_line(reader), "external entities are left out");
        type = parameter ? XML_INTERNAL_PARAMETER_ENTITY : XML_INTERNAL_GENERAL_ENTITY;
        public_id = system_id = NULL;
        content = empty;
    }
    xmlSAX2EntityDecl(reader->parser, name, type, public_id, system_id, content);
}

static xmlEntityPtr count_expansion(svg_reader *reader, xmlEntityPtr entity)
{
    if (!entity)
        return NULL;
    reader->expanded += EXPANSION_COST + (entity->length > 0 ? (uint64_t)entity->length : 0);
    if (reader->expanded <= EXPANSION_LIMIT)
        return entity;
    reader_fail(reader, PIETRA_ERROR_INPUT, "the document's entities expand without bounds");
    return NULL; /* which libxml2 takes for an undeclared entity: it stops by itself */
}

static xmlEntityPtr get_entity(void *user, const xmlChar *name)
{
    svg_reader *reader = user;
    return reader->result == PIETRA_OK ? count_expansion(reader, xmlSAX2GetEntity(reader->parser, name)) : NULL;
}

static xmlEntityPtr get_parameter_entity(void *user, const xmlChar *name)
{
    svg_reader *reader = user;
    return reader->result == PIETRA_OK ? count_expansion(reader, xmlSAX2GetParameterEntity(reader->parser, name)) : NULL;
}

/* ---- The document ---- */

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
    reader->result = error_set(reader->error, PIETRA_ERROR_INPUT, line, "malformed XML: %.*s", length < 300 ? (int)length : 300, message);
}

/* Inside one tag, as inside any text, no '<' can stand. So bytes are looked at one by one only where whole windows have none. */
static bool has_crowded_tag(const char *bytes, size_t count, size_t *offset)
{
    const size_t window = 4096;
    size_t equals = 0;
    for (size_t at = 0; at < count; at += window) {
        size_t length = count - at < window ? count - at : window;
        if (memchr(bytes + at, '<', length)) {
            equals = 0;
            continue;
        }
        /* In UTF-16 a zero byte stands between an equals sign and its quote. */
        for (size_t i = at; i < at + length && i + 2 < count; i++)
            if (bytes[i] == '=' && (bytes[i + 1] == '"' || bytes[i + 1] == '\'' || bytes[i + 2] == '"' || bytes[i + 2] == '\''))
                equals++;
        if (equals > ATTRIBUTE_LIMIT) {
            *offset = at;
            return true;
        }
    }
    return false;
}

static uint32_t count_lines(const char *bytes, const char *end)
{
    uint32_t lines = 0;
    for (const char *at = bytes; at < end && (at = memchr(at, '\n', (size_t)(end - at))) != NULL; at++)
        lines++;
    return lines;
}

/* A byte order mark of UTF-8 and blanks before the XML declaration are forgiven. */
static void skip_leading(text *input, uint32_t *skipped_lines)
{
    const char *begin = input->bytes, *at = begin, *end = at + input->count;
    if (end - at >= 3 && memcmp(at, "\xef\xbb\xbf", 3) == 0)
        at += 3;
    while (at < end && text_is_space(*at))
        at++;
    *skipped_lines = count_lines(begin, at);
    *input = text_from(at, end);
}

/* True when the byte '<' can only be the character '<'. */
static bool is_plain_encoding(text input)
{
    static const text plain[] = {
        TEXT_LITERAL("utf-8"), TEXT_LITERAL("iso-8859-"), TEXT_LITERAL("us-ascii"), TEXT_LITERAL("ascii"), TEXT_LITERAL("windows-125"),
    };
    const text key = TEXT("encoding=");
    text declaration = { input.bytes, text_find(input, '>') };
    if (!text_starts_with(input, TEXT("<?xml")))
        return input.bytes[0] == '<';
    while (declaration.count > key.count && !text_starts_with(declaration, key))
        declaration = text_from(declaration.bytes + 1, declaration.bytes + declaration.count);
    if (declaration.count <= key.count + 1)
        return true;
    text name = text_from(declaration.bytes + key.count + 1, declaration.bytes + declaration.count);
    for (size_t i = 0; i < sizeof plain / sizeof plain[0]; i++)
        if (name.count >= plain[i].count && text_equal_ignoring_case((text){ name.bytes, plain[i].count }, plain[i]))
            return true;
    return false;
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
        .startDocument = start_document,
        .internalSubset = internal_subset,
        .entityDecl = entity_declaration,
        .getEntity = get_entity,
        .getParameterEntity = get_parameter_entity,
        .startElementNs = start_element,
        .endElementNs = end_element,
        .serror = take_error,
    };
    if (reader->style)
        handler.characters = handler.cdataBlock = characters;
    /* The first four bytes tell the encoding. */
    int first = input.count < 4 ? (int)input.count : 4;
    reader->parser = xmlCreatePushParserCtxt(&handler, reader, input.bytes, first, NULL);
    if (!reader->parser) {
        reader->result = error_set_memory(reader->error);
        return;
    }
    xmlCtxtUseOptions(reader->parser, XML_PARSE_NOENT | XML_PARSE_NONET | XML_PARSE_HUGE | XML_PARSE_COMPACT);
    text rest = text_from(input.bytes + first, input.bytes + input.count);
    if (is_plain_encoding(input))
        push_pieces(reader, rest);
    else
        xmlParseChunk(reader->parser, rest.bytes, (int)rest.count, 1);
    bool again = reader->style_met && !reader->style;
    if (reader->result == PIETRA_OK && !again && (!reader->parser->wellFormed || reader->document->nodes.count == 0 || reader->current != SVG_NO_NODE))
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

/* Errors of decoding reach no handler of the parser's but that of the thread, which would print them. What it was is put back. */
static void run_parser(svg_reader *reader, text input)
{
    pthread_once(&library_once, xmlInitParser);
    xmlStructuredErrorFunc handler = xmlStructuredError;
    void *user = xmlStructuredErrorContext;
    xmlSetStructuredErrorFunc(NULL, ignore_error);
    parse(reader, input);
    xmlSetStructuredErrorFunc(user, handler);
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
        .current = SVG_NO_NODE,
        .style = style,
        .sheet = SVG_NO_NODE,
        .lift = &reading->lift,
    };
    run_parser(&reader, reading->input);
    array_free(&reader.cascade.declarations);
    *style_met = reader.style_met;
    return reader.result;
}

static pietra_result read_styled(svg_reading *reading)
{
    const svg_read_options *options = reading->options;
    css_style style = { 0 };
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
    if (result == PIETRA_OK)
        result = read_once(reading, &style, &style_met);
    if (result == PIETRA_OK)
        result = css_style_apply(&style, reading->document, &options->medium, reading->warnings, reading->error);
    css_style_free(&style);
    return result;
}

static pietra_result read_document(svg_reading *reading)
{
    bool style_met = reading->options->style_sheet.count > 0;
    double dpi = reading->document->dpi;
    pietra_result result = PIETRA_OK;
    if (!style_met)
        result = read_once(reading, NULL, &style_met);
    if (result == PIETRA_OK && style_met) {
        svg_document_free(reading->document);
        *reading->document = (svg_document){ .dpi = dpi };
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

static pietra_result read_shared(svg_reading *reading)
{
    uint32_t threads = reading->options->threads ? reading->options->threads : parallel_cores();
    size_t offset;
    if (is_plain_encoding(reading->input) && !svg_lift_take(&reading->lift, reading->input))
        return error_set_memory(reading->error);
    if (reading->lift.rest)
        reading->input = (text){ reading->lift.rest, reading->lift.rest_count };
    if (has_crowded_tag(reading->input.bytes, reading->input.count, &offset))
        return error_set(reading->error, PIETRA_ERROR_INPUT,
                         reading->skipped_lines + 1 + count_lines(reading->input.bytes, reading->input.bytes + offset),
                         "a tag has more than %u attributes", ATTRIBUTE_LIMIT);
    if (!svg_lift_prepare(&reading->lift, threads))
        return error_set_memory(reading->error);
    parallel_run(reading->lift.worker_count, read_share, reading);
    if (reading->result == PIETRA_OK && !svg_lift_hand_over(&reading->lift, reading->document))
        return error_set_memory(reading->error);
    return reading->result;
}

pietra_result svg_read(text input, const svg_read_options *options, svg_warnings *warnings, svg_document *document, pietra_error *error)
{
    svg_reading reading = { .options = options, .warnings = warnings, .document = document, .error = error };
    skip_leading(&input, &reading.skipped_lines);
    if (input.count == 0)
        return error_set(error, PIETRA_ERROR_INPUT, 0, "the file is empty");
    if (input.count > INT_MAX)
        return error_set(error, PIETRA_ERROR_INPUT, 0, "documents of more than 2 GiB are not read");
    reading.input = input;
    pietra_result result = read_shared(&reading);
    svg_lift_free(&reading.lift);
    if (result == PIETRA_OK)
        svg_document_resolve_links(document);
    return result;
}
