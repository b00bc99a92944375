/* Bytes of XML -> document, by expat. */
#ifndef PIETRA_SVG_XML_READER_H
#define PIETRA_SVG_XML_READER_H

#include "svg/css/css_media.h"
#include "svg/tree/document.h"
#include "svg/tree/warnings.h"

typedef struct svg_read_options {
    text style_sheet;  /* that comes before those of the document */
    css_medium medium; /* sizes that are 0: the outermost svg's, as its attributes say */
    text target;       /* id of the element that the document's address names; empty: none */
    uint32_t threads;  /* 0: one for each core */
    /* told of pieces of the input that will not be read again; or NULL */
    void (*discard)(void *user, const void *bytes, size_t byte_count);
    void *discard_user;
    const char *folder; /* that references to files are relative to, from the document's resources */
} svg_read_options;

/* Reads a document into *document, which is zero but for its budget, its resources and its units' dpi and is freed by
 * the caller, whatever the result. External entities and DTDs are never opened; what entities expand to is bounded. */
pietra_result svg_read(text input, const svg_read_options *options, svg_warnings *warnings, svg_document *document,
                       pietra_error *error);

/* Reads another file into a document that has been read, behind its nodes, as document->file. On failure no nodes are
 * added. */
pietra_result svg_read_more(text input, const svg_read_options *options, svg_warnings *warnings, svg_document *document,
                            pietra_error *error);

#endif
