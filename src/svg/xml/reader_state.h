/* What the files of the reader share: one reading of a document's bytes, from the first to the last. */
#ifndef PIETRA_SVG_XML_READER_STATE_H
#define PIETRA_SVG_XML_READER_STATE_H

/* expat.h shows its guard against entity bombs to those who say that it was built with it, as it is everywhere */
#define XML_DTD
#include <expat.h>

#include "svg/style/cascade.h"
#include "svg/style/css_style.h"
#include "svg/xml/lifted_attributes.h"
#include "svg/xml/namespaces.h"
#include "svg/style/property.h"
#include "svg/xml/reader.h"
#include "svg/xml/xml_text.h"

#define READER_NAME_CACHE_SIZE 256u

typedef struct reader_attribute {
    text name, value;
} reader_attribute;

typedef struct svg_reader {
    XML_Parser parser;
    const xml_text *xml;
    svg_document *document;
    svg_warnings *warnings;
    pietra_error *error;
    pietra_result result; /* the first failure */
    const svg_read_options *options;
    uint32_t first_node; /* of the file */
    uint64_t share;      /* of the budget for entities, that the document takes if it declares some */
    bool share_taken;
    uint32_t nested_count;  /* entities that hold references */
    uint32_t default_count; /* attributes for which the DTD has values */
    size_t counted;         /* bytes whose lines have been counted, */
    uint32_t line;          /* and the line behind them */
    css_style *style;       /* NULL: style sheets have not been met; the first one makes the reading begin again */
    bool style_met;
    uint32_t sheet;   /* the open style element; SVG_NO_NODE: none */
    uint32_t current; /* the open node */
    uint64_t depth;   /* open nodes */
    svg_namespaces namespaces;
    svg_lifted_attributes *lifted_attributes; /* of the document; its attributes are missing in what is parsed */
    size_t next_lifted;
    ARRAY(reader_attribute) attributes; /* of the open tag; each stands once */
    size_t defaulted;                   /* of them, by the DTD */
    svg_lifted_path *lifted;            /* of which this is one; NULL: none */
    svg_cascade cascade;
    svg_property_values own;               /* of a style attribute */
    uint8_t names[READER_NAME_CACHE_SIZE]; /* by a hash: what was found last */
} svg_reader;

static inline text reader_text(const XML_Char *string)
{
    return (text){string, strlen(string)};
}

/* The line in which the markup ends that is being read. */
uint32_t reader_line(svg_reader *reader);
/* Keeps the first failure, which ends the reading. */
void reader_fail(svg_reader *reader, pietra_result result, const char *reason);
void reader_fail_limit(svg_reader *reader, svg_limit which);
void reader_fail_memory(svg_reader *reader);

/* SVG_UNKNOWN: no name of ours. */
svg_name reader_find_name(svg_reader *reader, text name);
/* Takes reader->attributes for the node that was added last. */
void reader_add_attributes(svg_reader *reader);

/* Our medium for a document whose outermost svg has been read, if it has any yet. */
css_medium reader_medium(const svg_document *document, const svg_read_options *options);
/* True when a style element with reader->attributes holds CSS for our medium. */
bool reader_is_sheet(const svg_reader *reader);

/* Sets the handlers of reader->parser, user being the reader: elements and style sheets, */
void reader_handle_elements(svg_reader *reader);
void reader_handle_sheets(svg_reader *reader);
/* and entities, with the DTD that declares them. */
void reader_handle_entities(svg_reader *reader);

#endif
