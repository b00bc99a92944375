/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Style sheets that lie elsewhere: what the reader of a document fetches for @import. */
#ifndef PIETRA_SVG_STYLE_CSS_IMPORT_H
#define PIETRA_SVG_STYLE_CSS_IMPORT_H

#include <stdbool.h>

#include "base/text.h"

/* Where a sheet lies. */
typedef struct css_origin {
    const char *path; /* names its file, by which sheets that import one another are found; NULL: it is in none */
    const char *base; /* folder of its references; NULL: it may refer to data URLs alone */
} css_origin;

typedef struct css_imported {
    char *bytes; /* allocated by malloc, for the one who asks to free; NULL: there is no sheet */
    size_t count;
    css_origin origin;
    const char *reason; /* why there is no sheet */
} css_imported;

/* Fetches the sheet to which a reference of another one leads. Returns false if memory is short. */
typedef bool css_import_function(void *user, text reference, const char *base, css_imported *imported);

typedef struct css_importer {
    css_import_function *function;
    void *user;
} css_importer;

#endif
