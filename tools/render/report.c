#include "report.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "progress.h"

/* A file's name may hold anything; the message stays one line. */
static void print_name(const char *name)
{
    for (; *name; name++) {
        if ((unsigned char)*name < 0x20 || *name == 0x7f) {
            fputc('?', stderr);
        } else {
            fputc(*name, stderr);
        }
    }
}

status report(status result, const char *file, uint32_t line, const char *format, ...)
{
    va_list arguments;

    progress_hold();
    fputs("render: ", stderr);
    if (file) {
        print_name(file);
        if (line) {
            fprintf(stderr, ":%u", line);
        }
        fputs(": ", stderr);
    }
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    fputc('\n', stderr);
    progress_release();
    return result;
}

status report_error(const char *file, const pietra_error *error)
{
    status result = STATUS_INPUT;

    if (error->result == PIETRA_ERROR_DEVICE) {
        result = STATUS_DEVICE;
    } else if (error->result == PIETRA_ERROR_BUDGET || error->result == PIETRA_ERROR_MEMORY) {
        result = STATUS_BUDGET;
    }
    return report(result, file, error->line, "%s", error->message);
}

status report_errno(const char *file, const char *what)
{
    char reason[200];

    if (strerror_r(errno, reason, sizeof reason) != 0) {
        snprintf(reason, sizeof reason, "error %d", errno);
    }
    return report(STATUS_INPUT, file, 0, "cannot %s: %s", what, reason);
}
