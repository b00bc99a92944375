/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* What the command says: for each failure one line on standard error, and the exit status that belongs to it. */
#ifndef RENDER_REPORT_H
#define RENDER_REPORT_H

#include "pietra/pietra.h"

typedef enum status {
    STATUS_DRAWN = 0,
    STATUS_INPUT = 1, /* bad input, bad arguments, or a file that cannot be read or written */
    STATUS_DEVICE = 2,
    STATUS_BUDGET = 3,    /* the memory budget is exceeded, or memory is exhausted */
    STATUS_DIFFERENT = 4, /* for --explain: a device draws another picture than the reference */
} status;

/* Prints "render: FILE:LINE: message" (line.h) and returns `result`. */
status report(status result, const char *file, uint32_t line, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* Does the same for an error of the library. */
status report_error(const char *file, const pietra_error *error);

/* Does the same where memory is exhausted: STATUS_BUDGET. */
status report_memory(const char *file);

/* Does the same for a failed system call: "render: FILE: cannot <what>: <errno's text>", STATUS_INPUT. */
status report_errno(const char *file, const char *what);

/* Prints a name that comes from a document to standard output (name.h). */
void report_name(const char *name);
/* Prints it as a field of CSV: with a comma or a quote in it, it stands in quotes, of which inner ones are doubled. */
void report_csv(const char *name);
/* Prints it as a string of JSON. */
void report_json(const char *name);
/* Rounds to a thousandth, so that printing takes as few digits as possible. A finite number stays finite. */
double report_rounded(double value);

#endif
