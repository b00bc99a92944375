/* The bytes of a document, brought into a form that the XML library can parse. */
#ifndef PIETRA_SVG_XML_XML_TEXT_H
#define PIETRA_SVG_XML_XML_TEXT_H

#include "base/text.h"
#include "pietra/pietra.h"

typedef enum xml_unit {
    XML_BYTES,        /* the byte '<' can only be the character '<' */
    XML_PAIRS_LITTLE, /* UTF-16 */
    XML_PAIRS_BIG,
} xml_unit;

typedef struct xml_text {
    text bytes;
    xml_unit unit;
    const char *encoding;   /* which the declaration does not tell rightly; NULL: it does */
    uint32_t skipped_lines; /* before the bytes */
    char *converted;        /* holds the bytes; NULL: the caller does */
} xml_text;

/* A byte order mark of UTF-8 and blanks before the XML declaration are forgiven and skipped. What is not in UTF-8,
 * UTF-16, ASCII or Latin-1 is converted to UTF-8. Fills in *xml, which is zero and refers to the input's bytes. An
 * error names the line. */
pietra_result xml_text_open(text input, xml_text *xml, pietra_error *error);
void xml_text_free(xml_text *xml);

/* Line ends from one offset to another one. */
uint32_t xml_text_count_lines(const xml_text *xml, size_t begin, size_t end);

#endif
