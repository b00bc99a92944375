/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* A file as it was last read. */
#ifndef VIEW_DOCUMENT_H
#define VIEW_DOCUMENT_H

#include "options.h"
#include "render/origins.h"
#include "watch.h"

typedef struct document {
    const char *path; /* the caller's */
    watch watch;
    pietra_scene *scene;   /* NULL: the file cannot be shown, and `error` says why */
    pietra_stream *stream; /* NULL likewise */
    origins origins;
    double width, height; /* CSS pixels; of what cannot be shown 0 */
    char error[sizeof((pietra_error *)0)->message + 32];
} document;

/* Reads a file. What is wrong with it is said and kept. Warnings are said unless the options are quiet. */
void document_read(document *document, const char *path, const options *options);
void document_destroy(document *document);

#endif
