/* Start tags, end tags and characters to nodes and style sheets. */
#include <string.h>

#include "base/error.h"
#include "svg/reader_state.h"

#define XHTML_NAMESPACE "http://www.w3.org/1999/xhtml"

static void add_set(svg_reader *reader)
{
    svg_node *node = array_last(&reader->document->nodes);
    for (size_t i = 0; i < reader->cascade.declarations.count; i++)
        reader->cascade.declarations.items[i].important = 0;
    if (!svg_document_add_set(reader->document, reader->cascade.declarations.items, reader->cascade.declarations.count, &node->declarations))
        reader_fail_memory(reader);
    reader->cascade.declarations.count = 0;
}

static svg_name element_name(svg_reader *reader, const xmlChar *local, const xmlChar *prefix, const xmlChar *uri)
{
    /* Without any name space, or with an undeclared `svg` prefix, a document is taken for what it was meant to be. */
    bool svg = uri ? xmlStrEqual(uri, BAD_CAST SVG_NAMESPACE) : !prefix || xmlStrEqual(prefix, BAD_CAST "svg");
    if (uri && xmlStrEqual(uri, BAD_CAST XHTML_NAMESPACE) && xmlStrEqual(local, BAD_CAST "style"))
        return SVG_STYLE; /* HTML's styles documents of any kind */
    if (!svg)
        return SVG_FOREIGN;
    svg_name name = reader_find_name(reader, local);
    if (name == SVG_UNKNOWN || name == SVG_STYLE || name == SVG_FILTER || name == SVG_MARKER || name == SVG_MASK)
        return name; /* these four are properties or attributes too */
    return svg_name_kind(name) == SVG_KIND_ELEMENT ? name : SVG_UNKNOWN;
}

static void warn_of_element(svg_reader *reader, svg_name element, const xmlChar *local)
{
    if (element == SVG_UNKNOWN)
        svg_warn(reader->warnings, reader_line(reader), "<%.*s> is not known and left out", TEXT_PRINT(text_of_string((const char *)local)));
    else if (element == SVG_SCRIPT)
        svg_warn(reader->warnings, reader_line(reader), "scripts are not run");
}

/* False: failed. */
static bool check_limits(svg_reader *reader, int defaulted)
{
    svg_budget *budget = reader->document->budget;
    if (reader->document->nodes.count >= SVG_NO_NODE || !svg_budget_take(budget, SVG_LIMIT_elements, 1))
        reader_fail_limit(reader, SVG_LIMIT_elements);
    else if (!svg_budget_take(budget, SVG_LIMIT_entity_bytes, (uint64_t)defaulted * READER_EXPANSION_COST))
        reader_fail_limit(reader, SVG_LIMIT_entity_bytes);
    else if (reader->parser->nsNr > 0 && (uint64_t)reader->parser->nsNr / 2 > budget->most[SVG_LIMIT_namespaces])
        reader_fail_limit(reader, SVG_LIMIT_namespaces);
    return reader->result == PIETRA_OK;
}

static void fail_root(svg_reader *reader, const xmlChar *local, const xmlChar *prefix, const xmlChar *uri)
{
    bool named_svg = xmlStrEqual(local, BAD_CAST "svg");
    if (named_svg && uri)
        reader->result = error_set(reader->error, PIETRA_ERROR_INPUT, reader_line(reader),
                                   "the root element <svg> is of the name space %.*s, not of SVG's, " SVG_NAMESPACE,
                                   TEXT_PRINT(text_of_string((const char *)uri)));
    else if (named_svg)
        reader->result = error_set(reader->error, PIETRA_ERROR_INPUT, reader_line(reader),
                                   "the root element is <%.*s:svg>, whose prefix is not declared", TEXT_PRINT(text_of_string((const char *)prefix)));
    else
        reader->result = error_set(reader->error, PIETRA_ERROR_INPUT, reader_line(reader), "the root element is <%s>, not <svg>",
                                   (const char *)local);
}

void reader_start_element(void *user, const xmlChar *local, const xmlChar *prefix, const xmlChar *uri, int namespace_count,
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
    if (document->nodes.count == reader->first_node && element != SVG_SVG) {
        fail_root(reader, local, prefix, uri);
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
    const text name = { (const char *)local, strlen((const char *)local) };
    const text foreign = element == SVG_FOREIGN && uri ? (text){ (const char *)uri, strlen((const char *)uri) } : TEXT("");
    if (reader->style && !css_style_add_element(reader->style, document, name, foreign))
        reader_fail_memory(reader);
    warn_of_element(reader, element, local);
    reader_add_attributes(reader, attribute_count, attributes);
    add_set(reader);
    if (element == SVG_STYLE && reader_is_sheet(reader, attribute_count, attributes)) {
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

void reader_end_element(void *user, const xmlChar *local, const xmlChar *prefix, const xmlChar *uri)
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
