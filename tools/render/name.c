/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "name.h"

#include <stdint.h>
#include <string.h>

#include "base/utf8.h"

/* Prints the bytes of a name between two places as \xNN. */
static void print_escaped(FILE *out, const char *from, const char *to)
{
    for (; from < to; from++)
        fprintf(out, "\\x%02x", (uint8_t)*from);
}

void name_print(FILE *out, const char *name, bool quoted)
{
    const char *at = name, *end = name + strlen(name);

    while (at < end) {
        const char *from = at;
        uint32_t character = utf8_decode(&at, end);
        if (!utf8_is_printable(character) || character == '\\' || !utf8_is_valid(from, (size_t)(at - from)))
            print_escaped(out, from, at);
        else
            fprintf(out, "%s%.*s", quoted && character == '"' ? "\"" : "", (int)(at - from), from);
    }
}
