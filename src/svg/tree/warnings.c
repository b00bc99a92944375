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
    if (hash_found(&walk) || !hash_insert(&warnings->reported, hash, 0))
        return;
    warnings->function(warnings->user, warnings->outer_line ? warnings->outer_line : line, message);
    if (warnings->reported.count == MOST_WARNINGS)
        warnings->function(warnings->user, 0, "more is left out than is shown here");
}

uint32_t svg_warnings_enter(svg_warnings *warnings, uint32_t line)
{
    const uint32_t before = warnings->outer_line;
    warnings->outer_line = before ? before : line;
    return before;
}

void svg_warnings_leave(svg_warnings *warnings, uint32_t entered)
{
    warnings->outer_line = entered;
}

void svg_warnings_free(svg_warnings *warnings)
{
    hash_free(&warnings->reported);
}
