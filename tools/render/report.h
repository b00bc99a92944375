/* What the command says: one line for each failure, on standard error, and the exit status that goes with it. */
#ifndef RENDER_REPORT_H
#define RENDER_REPORT_H

#include "pietra/pietra.h"

typedef enum status {
    STATUS_DRAWN = 0,
    STATUS_INPUT = 1,  /* bad input, bad arguments, files that cannot be read or written */
    STATUS_DEVICE = 2,
    STATUS_BUDGET = 3, /* over the memory budget, or out of memory */
} status;

/* Prints "render: FILE:LINE: message" and returns `result`. file NULL leaves out both, line 0 the line. */
status report(status result, const char *file, uint32_t line, const char *format, ...) __attribute__((format(printf, 4, 5)));

/* The same for an error of the library. */
status report_error(const char *file, const pietra_error *error);

/* The same for a failed system call: "render: FILE: cannot <what>: <errno's text>", STATUS_INPUT. */
status report_errno(const char *file, const char *what);

#endif
