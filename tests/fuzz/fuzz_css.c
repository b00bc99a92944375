/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Any bytes, as a style sheet of a document that has what selectors select. The bytes behind a NUL byte are a style
 * attribute. */
#include "fuzz/document.h"

#include <stdio.h>

#define MOST_BYTES 20000u

static const char head[] =
    "<svg xmlns='http://www.w3.org/2000/svg' id='v' width='9' height='9' lang='en'><linearGradient id='a'><stop/></linearGradient>"
    "<mask id='m'><rect width='9' height='9' fill='#fff'/></mask><g id='g' class='a b'><rect class='a' width='5' height='5' x='1'/><circle r='3'/></g>"
    "<path id='p' class='b' d='M0 0h9v9z' stroke='url(#a)'/><use id='u' href='#g' class='c'/><g";
static const char tail[] = "><text/><line x2='9' y2='9' stroke='red'/><polygon points='0 0 9 9 9 0'/></g></svg>";

/* Writes an attribute's value as XML. */
static size_t write_escaped(const uint8_t *bytes, size_t count, char *out)
{
    size_t at = 0;
    for (size_t i = 0; i < count; i++) {
        bool plain = (bytes[i] >= ' ' || bytes[i] == '\n') && bytes[i] != '<' && bytes[i] != '&' && bytes[i] != '"';
        if (plain)
            out[at++] = (char)bytes[i];
        else if (bytes[i] >= ' ')
            at += (size_t)sprintf(out + at, "&#%u;", bytes[i]);
    }
    return at;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size > MOST_BYTES)
        return 0;
    const uint8_t *split = memchr(data, 0, size);
    size_t sheet_count = split ? (size_t)(split - data) : size, own_count = split ? size - sheet_count - 1 : 0;
    char *sheet = malloc(sheet_count + 1), *document = malloc(sizeof head + sizeof tail + 20 + 6 * own_count);
    if (sheet && document) {
        memcpy(sheet, data, sheet_count);
        sheet[sheet_count] = 0;
        size_t count = (size_t)sprintf(document, "%s style=\"", head);
        count += write_escaped(data + size - own_count, own_count, document + count);
        count += (size_t)sprintf(document + count, "\"%s", tail);
        load_document(document, count, sheet);
    }
    free(sheet);
    free(document);
    return 0;
}
