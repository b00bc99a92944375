/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "line.h"

#include <stdio.h>
#include <string.h>

#include "base/utf8.h"

#define LINE_BYTES 16384 /* enough for several names of files, each as long as the system allows */

void line_print(const char *program, const char *file, uint32_t line, const char *format, va_list arguments)
{
    char message[LINE_BYTES] = "", number[16] = "";

    if (line)
        snprintf(number, sizeof number, ":%u", line);
    if (file)
        snprintf(message, sizeof message, "%s%s: ", file, number);
    const size_t head = strlen(message);
    vsnprintf(message + head, sizeof message - head, format, arguments);
    const size_t count = utf8_make_printable(message, utf8_whole_prefix(message, strlen(message)), '?');
    fprintf(stderr, "%s: %.*s\n", program, (int)count, message);
}
