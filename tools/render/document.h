/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The bytes of an input, and what the options say of how they are read. */
#ifndef RENDER_DOCUMENT_H
#define RENDER_DOCUMENT_H

#include "options.h"

typedef struct document {
    const char *input; /* as the user named it, for messages */
    char *bytes;       /* NULL: they have been read and released */
    size_t byte_count;
    char *path;           /* of the file, without a fragment */
    const char *fragment; /* NULL: none */
    char *style_sheet;    /* NULL: none */
    char *folder;         /* of what it may show; NULL: that of the options, or none */
} document;

/* Reads an input and the style sheet of the options. A descriptor that is not negative is the open input; it is closed.
 * Failures are reported. The document is to be destroyed in any case. */
status document_read(document *document, const options *options, const char *input, int descriptor);
void document_destroy(document *document);

/* Sets what loading takes from the options and the document. The bytes are released as soon as they are read, unless
 * the document is read `again`. */
void document_set(document *document, const options *options, bool again, pietra_svg_options *svg);

#endif
