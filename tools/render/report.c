/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "report.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/utf8.h"
#include "line.h"
#include "name.h"
#include "progress.h"
#include "sandbox.h"

status report(status result, const char *file, uint32_t line, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    progress_hold();
    line_print("render", file, line, format, arguments);
    progress_release();
    va_end(arguments);
    return result;
}

status report_error(const char *file, const pietra_error *error)
{
    status result = STATUS_INPUT;

    if (error->result == PIETRA_ERROR_DEVICE)
        result = STATUS_DEVICE;
    else if (error->result == PIETRA_ERROR_BUDGET || error->result == PIETRA_ERROR_MEMORY)
        result = STATUS_BUDGET;
    if (result == STATUS_DEVICE && sandbox_holds_gpu()) {
        return report(result, file, error->line, "%s (if the driver lacks a file or a call: " SANDBOX_ADVICE ")",
                      error->message);
    }
    return report(result, file, error->line, "%s", error->message);
}

status report_memory(const char *file)
{
    return report(STATUS_BUDGET, file, 0, "out of memory");
}

status report_errno(const char *file, const char *what)
{
    int error = errno;
    char reason[200];

    if (strerror_r(error, reason, sizeof reason) != 0)
        snprintf(reason, sizeof reason, "error %d", error);
    if (sandbox_explains(file, error, strcmp(what, "write") == 0))
        return report(STATUS_INPUT, file, 0, "cannot %s: %s (" SANDBOX_ADVICE ")", what, reason);
    return report(STATUS_INPUT, file, 0, "cannot %s: %s", what, reason);
}

void report_name(const char *name)
{
    name_print(stdout, name, false);
}

void report_csv(const char *name)
{
    bool quoted = strpbrk(name, ",\"") != NULL;

    if (quoted)
        putchar('"');
    name_print(stdout, name, quoted);
    if (quoted)
        putchar('"');
}

void report_json(const char *name)
{
    const char *at = name, *end = name + strlen(name);

    putchar('"');
    while (at < end) {
        const char *from = at;
        uint32_t character = utf8_decode(&at, end);
        if (character == '"' || character == '\\')
            printf("\\%c", (char)character);
        else if (!utf8_is_printable(character) && character < 0x10000)
            printf("\\u%04x", (unsigned)character);
        else if (!utf8_is_printable(character))
            printf("\\u%04x\\u%04x", (unsigned)(0xd7c0 + (character >> 10)), (unsigned)(0xdc00 + (character & 0x3ff)));
        else
            fwrite(from, 1, (size_t)(at - from), stdout);
    }
    putchar('"');
}

#define LEAST_WHOLE 0x1p53 /* from here on every number is whole */

double report_rounded(double value)
{
    double rounded = fabs(value) < LEAST_WHOLE ? floor(value * 1000 + 0.5) / 1000 : value;

    return rounded == 0 ? 0 : rounded;
}
