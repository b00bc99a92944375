/* What the files of the reader share: one reading of a document's bytes, from the first to the last. */
#ifndef PIETRA_SVG_READER_STATE_H
#define PIETRA_SVG_READER_STATE_H

#include <libxml/parser.h>

#include "svg/cascade.h"
#include "svg/css_style.h"
#include "svg/lift.h"
#include "svg/property.h"
#include "svg/reader.h"

#define READER_EXPANSION_COST 256u /* of a look-up, in bytes of text */
#define READER_NAME_CACHE_SIZE 1024u

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
    uint32_t first_node;           /* of the file */
    css_style *style;              /* NULL: style sheets have not been met; the first one makes the reading begin again */
    bool style_met;
    uint32_t sheet;                /* the open style element; SVG_NO_NODE: none */
    uint32_t skipped_lines;        /* before the bytes that libxml2 sees */
    uint32_t current;              /* the open node */
    svg_lift *lift;                /* of the document; its values are missing in what libxml2 sees */
    size_t next_lifted;
    uint32_t element_count;        /* start tags so far */
    svg_cascade cascade;
    svg_property_values own;       /* of a style attribute */
    cached_name cache[READER_NAME_CACHE_SIZE];
} svg_reader;

/* The line that is being read. */
uint32_t reader_line(const svg_reader *reader);
/* Keeps the first failure, which ends the reading. */
void reader_fail(svg_reader *reader, pietra_result result, const char *reason);
void reader_fail_limit(svg_reader *reader, svg_limit which);
void reader_fail_memory(svg_reader *reader);

/* SVG_UNKNOWN: no name of ours. */
svg_name reader_find_name(svg_reader *reader, const xmlChar *name);
/* Takes the attributes of a start tag, five pointers each as SAX2 has them, for the node that was added last. */
void reader_add_attributes(svg_reader *reader, int count, const xmlChar **attributes);

/* Our medium for a document whose outermost svg has been read, if it has any yet. */
css_medium reader_medium(const svg_document *document, const svg_read_options *options);
/* True when a style element with these attributes holds CSS for our medium. */
bool reader_is_sheet(const svg_reader *reader, int count, const xmlChar **attributes);

/* Handlers of SAX2, user being the reader: elements and style sheets, */
void reader_start_element(void *user, const xmlChar *local, const xmlChar *prefix, const xmlChar *uri, int namespace_count,
                          const xmlChar **namespaces, int attribute_count, int defaulted, const xmlChar **attributes);
void reader_end_element(void *user, const xmlChar *local, const xmlChar *prefix, const xmlChar *uri);
void reader_characters(void *user, const xmlChar *bytes, int count);
void reader_processing_instruction(void *user, const xmlChar *target, const xmlChar *data);
/* and entities, with the DTD that declares them. */
void reader_start_document(void *user);
void reader_internal_subset(void *user, const xmlChar *name, const xmlChar *external, const xmlChar *system);
void reader_entity_declaration(void *user, const xmlChar *name, int type, const xmlChar *public_id, const xmlChar *system_id, xmlChar *content);
xmlEntityPtr reader_get_entity(void *user, const xmlChar *name);
xmlEntityPtr reader_get_parameter_entity(void *user, const xmlChar *name);

#endif
