/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The caller's function receives one warning for each thing that is left out of a picture. */
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
    hash_table reported; /* hashes of messages */
    uint32_t outer_line; /* while another document is read or shown: of what refers to it; 0: there is none */
} svg_warnings;

/* Reports a message, unless the same message was reported before. The message is cut at a whole character, and blanks
 * replace what is not printable (base/utf8.h). A line of 0 means that there is none. */
void svg_warn(svg_warnings *warnings, uint32_t line, const char *format, ...) SVG_WARNING_FORMAT;
/* Gives all warnings the line of what refers to another document, whose own lines say nothing to a reader of the
 * outermost one. Returns what svg_warnings_leave wants. */
uint32_t svg_warnings_enter(svg_warnings *warnings, uint32_t line);
void svg_warnings_leave(svg_warnings *warnings, uint32_t entered);
void svg_warnings_free(svg_warnings *warnings);

#endif
