/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Parts of other files that `use` shows. */
#ifndef PIETRA_SVG_XML_EXTERNAL_USE_H
#define PIETRA_SVG_XML_EXTERNAL_USE_H

#include "svg/tree/document.h"
#include "svg/xml/reader.h"

/* Reads the files to which `use` elements of the document refer, and the files to which those refer. Each file is read
 * once. Finds the target in each file: an element by its id, or the outermost svg. No file is read if there is no
 * folder of resources. What is missing, broken, too large or not allowed is left out with a warning. The only failure
 * is that memory is short. */
pietra_result svg_external_uses_read(svg_document *document, const svg_read_options *options, svg_warnings *warnings);

#endif
