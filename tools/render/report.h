/* What the command says: one line for each failure, on standard error, and the exit status that goes with it. */
#ifndef RENDER_REPORT_H
#define RENDER_REPORT_H

#include "pietra/pietra.h"

typedef enum status {
    STATUS_DRAWN = 0,
    STATUS_INPUT = 1,  /* bad input, bad arguments, files that cannot be read or written */
    STATUS_DEVICE = 2,
    STATUS_BUDGET = 3, /* over the memory budget, or out of memory */
    STATUS_DIFFERENT = 4, /* of --explain: a device draws another picture than the reference */
} status;

/* Prints "render: FILE:LINE: message" and returns `result`. file NULL leaves out both, line 0 the line. Names of files may hold anything:
 * what is not printable (base/utf8.h) becomes a question mark, so that the message stays one line and harms no terminal. */
status report(status result, const char *file, uint32_t line, const char *format, ...) __attribute__((format(printf, 4, 5)));

/* The same for an error of the library. */
status report_error(const char *file, const pietra_error *error);

/* The same for a failed system call: "render: FILE: cannot <what>: <errno's text>", STATUS_INPUT. */
status report_errno(const char *file, const char *what);

/* Prints a name that a document gives to standard output. Bytes of a comma, a backslash and of all that is not printable are written as
 * \xNN, so that a line and its columns hold whatever the name is, and the name can be had back. */
void report_name(const char *name);

#endif
