/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Reads the bytes of an XML document into the tree of a document, by expat. */
#ifndef PIETRA_SVG_XML_READER_H
#define PIETRA_SVG_XML_READER_H

#include "svg/css/css_media.h"
#include "svg/tree/document.h"
#include "svg/tree/warnings.h"

typedef struct svg_read_options {
    text style_sheet;  /* sheet that comes before those of the document */
    css_medium medium; /* a size of 0 means that of the outermost svg, from its attributes */
    text target;       /* id in the address of the document; empty: none */
    uint32_t threads;  /* 0: one for each core */
    /* called with pieces of the input that will not be read again; may be NULL */
    void (*discard)(void *user, const void *bytes, size_t byte_count);
    void *discard_user;
    const char *folder; /* base of references to files, relative to the folder of resources */
} svg_read_options;

/* Reads a document into *document. *document is zero except for its budget, its resources and the dpi of its units. The
 * caller frees it, whatever the result. External entities and DTDs are never opened. The expansion of entities is
 * bounded. */
pietra_result svg_read(text input, const svg_read_options *options, svg_warnings *warnings, svg_document *document,
                       pietra_error *error);

/* Reads another file into a document that has been read. The nodes of the file come behind those of the document, as
 * document->file. On failure no nodes are added. */
pietra_result svg_read_more(text input, const svg_read_options *options, svg_warnings *warnings, svg_document *document,
                            pietra_error *error);

#endif
