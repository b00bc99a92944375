/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "base/text.h"

#include "base/utf8.h"

#define MOST_PRINTED 80u

int text_print_count(text a)
{
    return (int)(a.count <= MOST_PRINTED ? a.count : utf8_whole_prefix(a.bytes, MOST_PRINTED));
}

bool text_equal_ignoring_case(text a, text b)
{
    if (a.count != b.count)
        return false;
    for (size_t i = 0; i < a.count; i++)
        if (text_lower(a.bytes[i]) != text_lower(b.bytes[i]))
            return false;
    return true;
}

bool text_starts_with(text a, text prefix)
{
    return a.count >= prefix.count && (prefix.count == 0 || memcmp(a.bytes, prefix.bytes, prefix.count) == 0);
}

text text_trim(text a)
{
    while (a.count && text_is_space(a.bytes[a.count - 1]))
        a.count--;
    while (a.count && text_is_space(a.bytes[0])) {
        a.bytes++;
        a.count--;
    }
    return a;
}

size_t text_find(text a, char c)
{
    const char *found = a.count ? memchr(a.bytes, c, a.count) : NULL;
    return found ? (size_t)(found - a.bytes) : a.count;
}
