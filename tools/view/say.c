/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "say.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/utf8.h"

#define LINE_BYTES 8192

void say(const char *file, uint32_t line, const char *format, ...)
{
    char message[LINE_BYTES] = "", number[16] = "";
    va_list arguments;

    if (line)
        snprintf(number, sizeof number, ":%u", line);
    if (file)
        snprintf(message, sizeof message, "%s%s: ", file, number);
    const size_t head = strlen(message);
    va_start(arguments, format);
    vsnprintf(message + head, sizeof message - head, format, arguments);
    va_end(arguments);
    const size_t count = utf8_make_printable(message, utf8_whole_prefix(message, strlen(message)), '?');
    fprintf(stderr, "pietra-view: %.*s\n", (int)count, message);
}
