/* What `use` shows of other files. */
#ifndef PIETRA_SVG_XML_EXTERNAL_USE_H
#define PIETRA_SVG_XML_EXTERNAL_USE_H

#include "svg/tree/document.h"
#include "svg/xml/reader.h"

/* Reads the files that `use` elements of the document refer to, each once, and those that these refer to, and finds
 * what is meant in them: an element by its id, or the outermost svg. Without a folder of resources none is read. What
 * is missing, broken, too large or not allowed is left out with a warning; only being out of memory is a failure. */
pietra_result svg_external_uses_read(svg_document *document, const svg_read_options *options, svg_warnings *warnings);

#endif
