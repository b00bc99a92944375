/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "font/names.h"

#include <string.h>

#include "font/facts.h"

#define NAME_FAMILY 1u
#define NAME_TYPOGRAPHIC_FAMILY 16u
#define RECORD_BYTES 12u
#define MOST_UTF8_BYTES 4u /* a character's most */

static size_t put_utf8(uint32_t character, char *to)
{
    const size_t count = character < 0x80 ? 1 : character < 0x800 ? 2 : character < 0x10000 ? 3 : 4;
    static const uint8_t heads[] = {0, 0, 0xc0, 0xe0, 0xf0};
    for (size_t i = count; i-- > 1; character >>= 6)
        to[i] = (char)(0x80 | (character & 0x3f));
    to[0] = (char)(heads[count] | character);
    return count;
}

static bool is_surrogate(uint32_t unit, uint32_t first)
{
    return (unit & 0xfc00) == first;
}

/* Returns the bytes of a name in UTF-16; 0: it is too long, or ill-formed. */
static size_t convert_utf16(font_bytes from, char *to)
{
    size_t count = 0;
    for (size_t i = 0; i + 1 < from.count; i += 2) {
        uint32_t character = font_u16(from, i);
        if (is_surrogate(character, 0xd800) && is_surrogate(font_u16(from, i + 2), 0xdc00)) {
            character = 0x10000 + ((character - 0xd800) << 10) + (font_u16(from, i + 2) - 0xdc00u);
            i += 2;
        }
        if (character == 0 || (character & 0xfffff800) == 0xd800 || count + MOST_UTF8_BYTES > FONT_MOST_FAMILY_BYTES)
            return 0;
        count += put_utf8(character, to + count);
    }
    return count;
}

/* Converts a name in Macintosh Roman. Only those in ASCII are read. */
static size_t convert_roman(font_bytes from, char *to)
{
    if (from.count > FONT_MOST_FAMILY_BYTES)
        return 0;
    for (size_t i = 0; i < from.count; i++) {
        if (from.at[i] < 0x20 || from.at[i] > 0x7e)
            return 0;
        to[i] = (char)from.at[i];
    }
    return from.count;
}

/* Returns whether the name is among those before, and counts them. */
static bool is_known(const font_names *names, const char *name, size_t count, size_t *known)
{
    *known = 0;
    for (size_t at = 0; at < names->count; at += strlen(names->items + at) + 1) {
        if (strlen(names->items + at) == count && memcmp(names->items + at, name, count) == 0)
            return true;
        ++*known;
    }
    return false;
}

static bool add_name(font_names *names, const char *name, size_t count)
{
    size_t known;
    if (count == 0 || is_known(names, name, count, &known) || known >= FONT_MOST_FAMILIES)
        return true;
    char *added = array_push_many(names, count + 1);
    if (!added)
        return false;
    memcpy(added, name, count);
    added[count] = '\0';
    return true;
}

static bool read_record(font_bytes table, size_t at, font_names *names)
{
    char converted[FONT_MOST_FAMILY_BYTES];
    const uint16_t platform = font_u16(table, at), encoding = font_u16(table, at + 2);
    const font_bytes storage = font_after(table, font_u16(table, 4));
    const font_bytes text = font_slice(storage, font_u16(table, at + 10), font_u16(table, at + 8));
    size_t count = 0;
    if (platform == 0 || (platform == 3 && (encoding == 0 || encoding == 1 || encoding == 10)))
        count = convert_utf16(text, converted);
    else if (platform == 1 && encoding == 0)
        count = convert_roman(text, converted);
    return add_name(names, converted, count);
}

bool font_names_read(font_bytes name, font_names *names)
{
    static const uint16_t wanted[] = {NAME_TYPOGRAPHIC_FAMILY, NAME_FAMILY};
    const size_t count = font_u16(name, 2);
    for (size_t k = 0; k < sizeof wanted / sizeof wanted[0]; k++)
        for (size_t i = 0, at = 6; i < count && font_has(name, at, RECORD_BYTES); i++, at += RECORD_BYTES)
            if (font_u16(name, at + 6) == wanted[k] && !read_record(name, at, names))
                return false;
    return true;
}
