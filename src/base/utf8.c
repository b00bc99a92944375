/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "base/utf8.h"

#define REPLACEMENT 0xfffdu

/* Returns how many bytes a character with this first byte takes; 0: no character starts with it. */
static size_t utf8_length(uint8_t first)
{
    if (first < 0x80)
        return 1;
    if (first < 0xc2)
        return 0;
    if (first < 0xe0)
        return 2;
    if (first < 0xf0)
        return 3;
    return first < 0xf5 ? 4 : 0;
}

/* Returns the character in the `length` bytes at `bytes`, or REPLACEMENT if a continuation is missing or the form is
 * not allowed. */
static uint32_t utf8_join(const uint8_t *bytes, size_t length)
{
    static const uint32_t least[5] = {0, 0, 0x80, 0x800, 0x10000};
    static const uint8_t payload[5] = {0, 0x7f, 0x1f, 0x0f, 0x07};
    uint32_t character = bytes[0] & payload[length];
    for (size_t i = 1; i < length; i++) {
        if ((bytes[i] & 0xc0) != 0x80)
            return REPLACEMENT;
        character = character << 6 | (bytes[i] & 0x3f);
    }
    bool surrogate = character >= 0xd800 && character < 0xe000;
    return character < least[length] || surrogate || character > 0x10ffff ? REPLACEMENT : character;
}

uint32_t utf8_decode(const char **at, const char *end)
{
    const uint8_t *bytes = (const uint8_t *)*at;
    size_t length = utf8_length(bytes[0]);
    if (length == 0 || (size_t)(end - *at) < length) {
        *at += 1;
        return REPLACEMENT;
    }
    uint32_t character = utf8_join(bytes, length);
    bool encoded_replacement = length == 3 && bytes[0] == 0xef && bytes[1] == 0xbf && bytes[2] == 0xbd;
    *at += character == REPLACEMENT && !encoded_replacement ? 1 : length;
    return character;
}

size_t utf8_whole_prefix(const char *bytes, size_t count)
{
    for (size_t back = 1; back <= 3 && back <= count; back++) {
        uint8_t byte = (uint8_t)bytes[count - back];
        if ((byte & 0xc0) == 0x80)
            continue;
        return utf8_length(byte) > back ? count - back : count;
    }
    return count;
}

bool utf8_is_valid(const char *bytes, size_t count)
{
    const char *end = bytes + count;
    while (bytes < end) {
        const char *before = bytes;
        if (utf8_decode(&bytes, end) == REPLACEMENT && bytes - before == 1)
            return false;
    }
    return true;
}

bool utf8_is_printable(uint32_t character)
{
    bool control = character < 0x20 || (character >= 0x7f && character < 0xa0);
    bool breaks = character == 0x2028 || character == 0x2029;
    bool turns = (character >= 0x202a && character <= 0x202e) || (character >= 0x2066 && character <= 0x2069);
    return !control && !breaks && !turns;
}

size_t utf8_make_printable(char *bytes, size_t count, char stand_in)
{
    const char *at = bytes, *end = bytes + count;
    char *out = bytes;
    while (at < end) {
        const char *from = at;
        uint32_t character = utf8_decode(&at, end);
        bool ill_formed = character == REPLACEMENT && at - from == 1;
        if (ill_formed || !utf8_is_printable(character))
            *out++ = stand_in;
        else
            while (from < at)
                *out++ = *from++;
    }
    return (size_t)(out - bytes);
}
