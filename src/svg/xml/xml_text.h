/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Converts the bytes of a document to a form that the XML library can parse. */
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
    const char *encoding;   /* encoding, if the declaration is wrong; NULL if it is right */
    uint32_t skipped_lines; /* lines before `bytes` */
    char *converted;        /* memory of `bytes`; NULL if the caller owns it */
} xml_text;

/* Fills in *xml, which is zero before the call. The result may refer to the bytes of the input. A byte order mark of
 * UTF-8 and blanks before the XML declaration are skipped. Input that is not in UTF-8, UTF-16, ASCII or Latin-1 is
 * converted to UTF-8. An error names the line. */
pietra_result xml_text_open(text input, xml_text *xml, pietra_error *error);
/* Returns what a text that is no SVG document seems to be, by its first bytes: "a PNG". NULL: nothing that is known. */
const char *xml_text_guess(text input);
void xml_text_free(xml_text *xml);

/* Returns the number of line ends from one offset to another. */
uint32_t xml_text_count_lines(const xml_text *xml, size_t begin, size_t end);

#endif
