/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "svg/xml/resource.h"

#include <stdint.h>

static int hexadecimal(char c)
{
    char lower = text_lower(c);
    return c >= '0' && c <= '9' ? c - '0' : lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
}

bool svg_resource_decode(text source, svg_bytes *bytes)
{
    char *out = array_push_many(bytes, source.count);
    size_t count = 0;
    if (!out)
        return source.count == 0;
    for (size_t i = 0; i < source.count; i++) {
        int high = i + 2 < source.count && source.bytes[i] == '%' ? hexadecimal(source.bytes[i + 1]) : -1;
        int low = high >= 0 ? hexadecimal(source.bytes[i + 2]) : -1;
        out[count++] = low >= 0 ? (char)(high * 16 + low) : source.bytes[i];
        i += low >= 0 ? 2 : 0;
    }
    bytes->count -= source.count - count;
    return true;
}

static int base64_digit(char c)
{
    if (c >= 'A' && c <= 'Z')
        return c - 'A';
    if (c >= 'a' && c <= 'z')
        return c - 'a' + 26;
    if (c >= '0' && c <= '9')
        return c - '0' + 52;
    return c == '+' || c == '-' ? 62 : c == '/' || c == '_' ? 63 : -1;
}

/* Decodes in place, up to the first `=`. Other characters that are no digits, such as blanks, are skipped. */
static void decode_base64(svg_bytes *bytes)
{
    uint32_t held = 0;
    unsigned bits = 0;
    size_t count = 0;
    for (size_t i = 0; i < bytes->count && bytes->items[i] != '='; i++) {
        int digit = base64_digit(bytes->items[i]);
        if (digit < 0)
            continue;
        held = held << 6 | (uint32_t)digit;
        bits += 6;
        if (bits >= 8) {
            bits -= 8;
            bytes->items[count++] = (char)(held >> bits & 0xff);
        }
    }
    bytes->count = count;
}

bool svg_resource_is_data(text reference)
{
    const text data = TEXT("data:");
    reference = text_trim(reference);
    return reference.count > data.count && text_equal_ignoring_case((text){reference.bytes, data.count}, data);
}

/* Returns whether the rest contains markup, plain or percent-encoded. Then the # before it begins no fragment. */
static bool is_markup(text rest)
{
    static const text codes[] = {TEXT_LITERAL("%3c"), TEXT_LITERAL("%3e"), TEXT_LITERAL("%22"), TEXT_LITERAL("%27")};
    for (; rest.count; rest = text_from(rest.bytes + 1, rest.bytes + rest.count)) {
        if (memchr("<>\"'", rest.bytes[0], 4))
            return true;
        for (size_t i = 0; i < sizeof codes / sizeof codes[0]; i++)
            if (rest.count >= 3 && text_equal_ignoring_case((text){rest.bytes, 3}, codes[i]))
                return true;
    }
    return false;
}

text svg_resource_fragment(text reference)
{
    reference = text_trim(reference);
    const char *end = reference.bytes + reference.count;
    bool data = svg_resource_is_data(reference);
    size_t at = data ? text_find(reference, ',') : 0;
    text found = TEXT("");
    for (; at < reference.count; at++)
        if (reference.bytes[at] == '#')
            found = text_from(reference.bytes + at + 1, end);
    return data && is_markup(found) ? TEXT("") : found;
}

static svg_fetched fetch_data(text url, text fragment, svg_bytes *bytes)
{
    size_t comma = text_find(url, ',');
    const text word = TEXT("base64");
    if (comma == url.count)
        return SVG_FETCHED_NOTHING;
    if (fragment.count)
        url.count = (size_t)(fragment.bytes - 1 - url.bytes);
    text type = text_trim((text){url.bytes, comma}); /* what stands before the data */
    const char *type_end = type.bytes + type.count;
    bool base64 =
        type.count >= word.count && text_equal_ignoring_case(text_from(type_end - word.count, type_end), word);
    if (!svg_resource_decode(text_from(url.bytes + comma + 1, url.bytes + url.count), bytes))
        return SVG_FETCHED_OUT_OF_MEMORY;
    if (base64)
        decode_base64(bytes);
    return SVG_FETCHED;
}

static bool has_protocol(text reference)
{
    size_t i = 0;
    while (i < reference.count && ((text_lower(reference.bytes[i]) >= 'a' && text_lower(reference.bytes[i]) <= 'z') ||
                                   (i && memchr("0123456789+-.", reference.bytes[i], 13))))
        i++;
    return i > 0 && i < reference.count && reference.bytes[i] == ':';
}

svg_fetched svg_resource_find(text reference, const svg_folder *folder, const char *from, svg_folder_file *file)
{
    const text scheme = TEXT("file://");
    reference = text_trim(reference);
    if (!folder)
        return SVG_FETCHED_FORBIDDEN;
    if (reference.count > scheme.count && text_equal_ignoring_case((text){reference.bytes, scheme.count}, scheme))
        reference = text_from(reference.bytes + scheme.count, reference.bytes + reference.count);
    else if (has_protocol(reference))
        return SVG_FETCHED_FORBIDDEN;
    reference.count = text_find(reference, '#');
    reference.count = text_find(reference, '?');
    svg_bytes name = {0};
    svg_fetched result = SVG_FETCHED_OUT_OF_MEMORY;
    if (svg_resource_decode(reference, &name) && array_reserve(&name, 1)) {
        *array_push(&name) = 0;
        result = strlen(name.items) + 1 == name.count && name.count > 1
                     ? svg_folder_find(folder, from, name.items, file)
                     : SVG_FETCHED_NOTHING;
    }
    array_free(&name);
    return result;
}

svg_fetched svg_resource_fetch(text reference, const svg_folder *folder, const char *from, svg_bytes *bytes)
{
    svg_folder_file file;
    if (svg_resource_is_data(reference))
        return fetch_data(text_trim(reference), svg_resource_fragment(reference), bytes);
    svg_fetched result = svg_resource_find(reference, folder, from, &file);
    if (result == SVG_FETCHED) {
        result = svg_folder_read(&file, bytes);
        svg_folder_close_file(&file);
    }
    return result;
}
