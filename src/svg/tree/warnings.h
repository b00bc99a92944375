/* What is left out of a picture is named once, through the caller's function. */
#ifndef PIETRA_SVG_TREE_WARNINGS_H
#define PIETRA_SVG_TREE_WARNINGS_H

#include "base/hash.h"
#include "pietra/pietra.h"

#if defined(__GNUC__)
#define SVG_WARNING_FORMAT __attribute__((format(printf, 3, 4)))
#else
#define SVG_WARNING_FORMAT
#endif

typedef struct svg_warnings {
    pietra_warning_function *function; /* NULL: nothing is reported */
    void *user;
    hash_table told; /* hashes of messages */
} svg_warnings;

/* Tells a message, cut at a whole character and with blanks for what is not printable (base/utf8.h), unless the same
 * was told before. A line of 0: none. */
void svg_warn(svg_warnings *warnings, uint32_t line, const char *format, ...) SVG_WARNING_FORMAT;
void svg_warnings_free(svg_warnings *warnings);

#endif
