/* Bytes of XML -> document, by libxml2's SAX2 push parser. */
#ifndef PIETRA_SVG_READER_H
#define PIETRA_SVG_READER_H

#include "svg/document.h"
#include "svg/warnings.h"

/* Reads a document into *document, which is zero but for its dpi and is freed by the caller, whatever the result. At most `element_limit`
 * elements. External entities and DTDs are never opened; what entities expand to is bounded. */
pietra_result svg_read(const char *bytes, size_t byte_count, uint64_t element_limit, svg_warnings *warnings, svg_document *document,
                       pietra_error *error);

#endif
