/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "svg/tree/warnings.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/utf8.h"

#define MOST_WARNINGS 200u /* for one document, because names can be invented without end */

void svg_warn(svg_warnings *warnings, uint32_t line, const char *format, ...)
{
    char message[200];
    if (!warnings->function || warnings->reported.count >= MOST_WARNINGS)
        return;
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    if (length < 0)
        return;
    /* Text quoted from a document may contain line feeds and control characters. */
    size_t count = utf8_make_printable(message, utf8_whole_prefix(message, strlen(message)), ' ');
    message[count] = '\0';
    uint64_t hash = hash_bytes(message, count);
    hash_walk walk = hash_find(&warnings->reported, hash);
    if (!hash_found(&walk) && hash_insert(&warnings->reported, hash, 0))
        warnings->function(warnings->user, line, message);
}

void svg_warnings_free(svg_warnings *warnings)
{
    hash_free(&warnings->reported);
}
