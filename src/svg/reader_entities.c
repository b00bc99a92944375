/* Entities and the DTD inside of a document.
 *
 * Long attributes and deep nests need XML_PARSE_HUGE, which also turns off libxml2's guard against entity bombs. So every look-up of an
 * entity is counted here with the bytes of its text: the sum bounds whatever nested entities can expand to. */
#include <libxml/SAX2.h>

#include "svg/reader_state.h"

void reader_start_document(void *user)
{
    xmlSAX2StartDocument(((svg_reader *)user)->parser);
}

void reader_internal_subset(void *user, const xmlChar *name, const xmlChar *external, const xmlChar *system)
{
    xmlSAX2InternalSubset(((svg_reader *)user)->parser, name, external, system);
}

/* An external entity is kept as an empty internal one, so that libxml2 has nothing to open. */
void reader_entity_declaration(void *user, const xmlChar *name, int type, const xmlChar *public_id, const xmlChar *system_id, xmlChar *content)
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
    uint64_t cost = READER_EXPANSION_COST + (entity->length > 0 ? (uint64_t)entity->length : 0);
    if (svg_budget_take(reader->document->budget, SVG_LIMIT_entity_bytes, cost))
        return entity;
    reader_fail_limit(reader, SVG_LIMIT_entity_bytes);
    return NULL; /* which libxml2 takes for an undeclared entity: it stops by itself */
}

xmlEntityPtr reader_get_entity(void *user, const xmlChar *name)
{
    svg_reader *reader = user;
    return reader->result == PIETRA_OK ? count_expansion(reader, xmlSAX2GetEntity(reader->parser, name)) : NULL;
}

xmlEntityPtr reader_get_parameter_entity(void *user, const xmlChar *name)
{
    svg_reader *reader = user;
    return reader->result == PIETRA_OK ? count_expansion(reader, xmlSAX2GetParameterEntity(reader->parser, name)) : NULL;
}
