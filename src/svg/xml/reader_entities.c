/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Entities, and the DTD inside a document. */
#include <string.h>

#include "base/error.h"
#include "svg/xml/reader_state.h"

#define SHARE_BASE ((uint64_t)64 << 10) /* bytes of the limit that a document inside another may take */
#define SHARE_FACTOR 16u                /* further ones for each byte of that document */

/* Returns whether a value may refer to another entity. */
static bool has_reference(const XML_Char *value, int length)
{
    return memchr(value, '&', (size_t)length) || memchr(value, '%', (size_t)length);
}

/* expat 2.5 calls itself for each entity in an entity. No chain is longer than the number of entities with references,
 * so a limit to that number bounds the stack. */
static void XMLCALL take_entity(void *user, const XML_Char *name, int is_parameter, const XML_Char *value,
                                int value_length, const XML_Char *base, const XML_Char *system_id,
                                const XML_Char *public_id, const XML_Char *notation)
{
    (void)name;
    (void)is_parameter;
    (void)base;
    (void)system_id;
    (void)public_id;
    svg_reader *reader = user;
    if (value && has_reference(value, value_length) &&
        ++reader->nested_count > reader->document->budget->most[SVG_LIMIT_nested_entities]) {
        reader_fail_limit(reader, SVG_LIMIT_nested_entities);
        XML_StopParser(reader->parser, XML_FALSE);
        return;
    }
    if (!svg_budget_spend(reader->document->budget, SVG_STEP_entity, 1)) {
        reader_fail_limit(reader, SVG_LIMIT_steps);
        XML_StopParser(reader->parser, XML_FALSE);
        return;
    }
    if (value && !reader->share_taken) {
        reader->share_taken = true;
        svg_budget_take(reader->document->budget, SVG_LIMIT_entity_bytes, reader->share);
    }
    if (!value && !notation)
        svg_warn(reader->warnings, reader_line(reader), "external entities are left out");
}

/* Skips an external entity, which counts as empty. The declarations behind an external parameter entity are still read.
 * */
static int XMLCALL skip_external(XML_Parser parser, const XML_Char *context, const XML_Char *base,
                                 const XML_Char *system_id, const XML_Char *public_id)
{
    (void)base;
    (void)system_id;
    (void)public_id;
    if (context)
        return XML_STATUS_OK; /* a general entity */
    XML_Parser empty = XML_ExternalEntityParserCreate(parser, NULL, NULL);
    const int status = empty ? (int)XML_Parse(empty, "", 0, 1) : (int)XML_STATUS_ERROR;
    if (empty)
        XML_ParserFree(empty);
    if (status != XML_STATUS_OK)
        reader_fail_memory(XML_GetUserData(parser)); /* nothing else can fail */
    return status;
}

/* expat compares each attribute that has a default value with all others of its element. */
static void XMLCALL take_attribute_declaration(void *user, const XML_Char *element, const XML_Char *name,
                                               const XML_Char *type, const XML_Char *value, int is_required)
{
    (void)element;
    (void)name;
    (void)type;
    (void)is_required;
    svg_reader *reader = user;
    if (!value || ++reader->default_count <= reader->document->budget->most[SVG_LIMIT_attributes])
        return;
    reader_fail_limit(reader, SVG_LIMIT_attributes);
    XML_StopParser(reader->parser, XML_FALSE);
}

/* expat's guard against entity bombs compares what it has read with the size of the document, but does not report how
 * much it has read. So a document that shares the budget of another one gets only a share of it, which it takes when it
 * declares an entity. The outermost document, before which no element was taken, gets all of it. */
void reader_handle_entities(svg_reader *reader)
{
    XML_Parser parser = reader->parser;
    const svg_budget *budget = reader->document->budget;
    uint64_t most = svg_budget_left(budget, SVG_LIMIT_entity_bytes),
             share = SHARE_BASE + SHARE_FACTOR * reader->xml->bytes.count;
    if (budget->taken[SVG_LIMIT_elements] > 0)
        reader->share = most = most < share ? most : share;
    XML_SetBillionLaughsAttackProtectionActivationThreshold(parser, most);
    XML_SetBillionLaughsAttackProtectionMaximumAmplification(parser, 1 + (float)most / (float)reader->xml->bytes.count);
    XML_SetParamEntityParsing(parser, XML_PARAM_ENTITY_PARSING_ALWAYS);
    XML_SetExternalEntityRefHandler(parser, skip_external);
    XML_SetEntityDeclHandler(parser, take_entity);
    XML_SetAttlistDeclHandler(parser, take_attribute_declaration);
}
