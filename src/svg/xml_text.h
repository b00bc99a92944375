/* What can be told of a document's bytes before they are parsed. */
#ifndef PIETRA_SVG_XML_TEXT_H
#define PIETRA_SVG_XML_TEXT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/text.h"


uint32_t xml_text_count_lines(const char *bytes, const char *end);
/* A byte order mark of UTF-8 and blanks before the XML declaration are forgiven: takes them off and counts their lines. */
void xml_text_skip_leading(text *input, uint32_t *skipped_lines);
/* True when the byte '<' can only be the character '<'. */
bool xml_text_is_plain(text input);
/* Within a start tag libxml2 compares every attribute with every other one. True when a tag has more than the limit; *offset is near it. */
bool xml_text_has_crowded_tag(text input, uint64_t most, size_t *offset);

#endif
