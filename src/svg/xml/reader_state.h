/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The state that the files of the reader share: one reading of the bytes of a document, from the first to the last. */
#ifndef PIETRA_SVG_XML_READER_STATE_H
#define PIETRA_SVG_XML_READER_STATE_H

/* expat.h declares its guard against entity bombs only if XML_DTD is defined, which says that expat was built with it.
 * It is so everywhere. */
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
    pietra_result result; /* the first failure, or PIETRA_OK */
    const svg_read_options *options;
    uint32_t first_node; /* first node of the file */
    uint64_t share;      /* part of the budget for entities; taken when the document declares one */
    bool share_taken;
    uint32_t nested_count;  /* entities that contain references */
    uint32_t default_count; /* attributes for which the DTD has values */
    size_t counted;         /* bytes whose lines have been counted */
    uint32_t line;          /* line number behind these bytes */
    css_style *style;       /* NULL until a style sheet is met; the first one makes the reading begin again */
    bool style_met;
    uint32_t sheet;   /* the open style element, or SVG_NO_NODE */
    uint32_t current; /* the open node */
    uint64_t depth;   /* number of open nodes */
    uint32_t text;    /* the outermost open text element, or SVG_NO_NODE */
    bool keeps_all;   /* characters of all elements are kept, not of text alone */
    svg_namespaces namespaces;
    svg_lifted_attributes *lifted_attributes; /* the document's; the parsed text lacks these attributes */
    size_t next_lifted;
    ARRAY(reader_attribute) attributes; /* attributes of the open tag; no name stands twice */
    size_t defaulted;                   /* number of them that come from the DTD */
    svg_lifted_path *lifted;            /* path data lifted from the open tag; NULL if there is none */
    svg_cascade cascade;
    svg_property_values own;                /* values of a style attribute */
    uint16_t names[READER_NAME_CACHE_SIZE]; /* name that was found last, by hash */
} svg_reader;

static inline text reader_text(const XML_Char *string)
{
    return (text){string, strlen(string)};
}

/* Returns the line in which the markup ends that is being read. */
uint32_t reader_line(svg_reader *reader);
/* Returns the line in which the current event begins. */
uint32_t reader_first_line(svg_reader *reader);
/* Records a failure, which ends the reading. Only the first one counts. */
void reader_fail(svg_reader *reader, pietra_result result, const char *reason);
void reader_fail_limit(svg_reader *reader, svg_limit which);
void reader_fail_memory(svg_reader *reader);

/* Returns SVG_UNKNOWN if the name is not in SVG_NAMES or property.def. */
svg_name reader_find_name(svg_reader *reader, text name);
/* Gives reader->attributes to the node that was added last. */
void reader_add_attributes(svg_reader *reader);

/* Returns the medium for a document. It takes the size of the outermost svg, if that has been read. */
css_medium reader_medium(const svg_document *document, const svg_read_options *options);
/* Fetches a style sheet, for @import; the user is the document. */
bool reader_import(void *document, text reference, const char *base, css_imported *imported);
/* Returns whether a style element with reader->attributes holds CSS for this medium. */
bool reader_is_sheet(const svg_reader *reader);

/* These set the handlers of reader->parser for elements and for style sheets. The user data is the reader. */
void reader_handle_elements(svg_reader *reader);
void reader_handle_sheets(svg_reader *reader);
/* Sets the handler for characters, or none where nobody wants them. */
void reader_handle_characters(svg_reader *reader, bool in_text);
/* Sets the handlers of reader->parser for entities and for the DTD that declares them. */
void reader_handle_entities(svg_reader *reader);

#endif
