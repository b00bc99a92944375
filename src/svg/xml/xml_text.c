/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "svg/xml/xml_text.h"

#include <errno.h>
#include <iconv.h>
#include <limits.h>
#include <stdint.h>
#include <stdlib.h>

#include "base/array.h"
#include "base/error.h"

#define LONGEST_NAME 40u /* an encoding's longest name */

static uint32_t count_line_ends(const char *bytes, const char *end)
{
    uint32_t lines = 0;
    for (const char *at = bytes; at < end && (at = memchr(at, '\n', (size_t)(end - at))); at++)
        lines++;
    return lines;
}

uint32_t xml_text_count_lines(const xml_text *xml, size_t begin, size_t end)
{
    const char *bytes = xml->bytes.bytes;
    if (xml->unit == XML_BYTES)
        return count_line_ends(bytes + begin, bytes + end);
    const size_t low = xml->unit == XML_PAIRS_BIG;
    uint32_t lines = 0;
    for (size_t at = begin; at + 2 <= end; at += 2)
        lines += bytes[at + low] == '\n' && bytes[at + 1 - low] == 0;
    return lines;
}

/* Finds the XML declaration of a document in UTF-16 that has blanks between the byte order mark and the declaration.
 * NULL: there is none. The declaration alone shows the order of bytes too. */
static const char *find_wide_declaration(const char *at, const char *end)
{
    static const char mark[2][2] = {"\xff\xfe", "\xfe\xff"}, start[2][4] = {"<\0?", "\0<\0?"};
    for (int order = 0; order < 2; order++) {
        const char *unit = at + 2;
        if (end - at < 2 || memcmp(at, mark[order], 2) != 0)
            continue;
        while (end - unit >= 2 && unit[1 - order] == 0 && text_is_space(unit[order]))
            unit += 2;
        return end - unit >= 4 && memcmp(unit, start[order], 4) == 0 ? unit : NULL;
    }
    return NULL;
}

static void skip_leading(xml_text *xml, text input)
{
    const char *begin = input.bytes, *at = begin, *end = at + input.count, *wide = find_wide_declaration(at, end);
    if (wide)
        at = wide;
    if (end - at >= 3 && memcmp(at, "\xef\xbb\xbf", 3) == 0)
        at += 3;
    at = text_skip_space(at, end);
    xml->skipped_lines = count_line_ends(begin, at);
    xml->bytes = text_from(at, end);
}

/* What the first bytes of a document tell (XML 1.0, appendix F). */
typedef struct xml_beginning {
    text bytes;
    const char *encoding;
    xml_unit unit;
    size_t mark_count; /* bytes to be removed */
    bool is_known;     /* the XML library knows the encoding */
} xml_beginning;

static const xml_beginning beginnings[] = {
    {TEXT_LITERAL("\xff\xfe\0\0"), "UTF-32LE", XML_BYTES, 4, false},
    {TEXT_LITERAL("\0\0\xfe\xff"), "UTF-32BE", XML_BYTES, 4, false},
    {TEXT_LITERAL("<\0\0\0"), "UTF-32LE", XML_BYTES, 0, false},
    {TEXT_LITERAL("\0\0\0<"), "UTF-32BE", XML_BYTES, 0, false},
    {TEXT_LITERAL("\x4c\x6f\xa7\x94"), "IBM037", XML_BYTES, 0, false}, /* "<?xm" in EBCDIC */
    {TEXT_LITERAL("\xff\xfe"), "UTF-16", XML_PAIRS_LITTLE, 0, true},
    {TEXT_LITERAL("<\0"), "UTF-16", XML_PAIRS_LITTLE, 0, true},
    {TEXT_LITERAL("\xfe\xff"), "UTF-16", XML_PAIRS_BIG, 0, true},
    {TEXT_LITERAL("\0<"), "UTF-16", XML_PAIRS_BIG, 0, true},
};

/* Returns the encoding that the XML declaration names. Empty: it names none. */
static text declared_encoding(text bytes)
{
    const text key = TEXT("encoding");
    text rest = {bytes.bytes, text_find(bytes, '>')};
    if (!text_starts_with(bytes, TEXT("<?xml")))
        return TEXT("");
    while (rest.count && !text_starts_with(rest, key))
        rest = text_from(rest.bytes + 1, rest.bytes + rest.count);
    const char *end = rest.bytes + rest.count, *at = text_skip_space(rest.bytes + (rest.count ? key.count : 0), end);
    at = text_skip_space(at < end && *at == '=' ? at + 1 : end, end);
    if (at == end || (*at != '"' && *at != '\''))
        return TEXT("");
    text value = text_from(at + 1, end);
    size_t count = text_find(value, *at);
    return count < value.count ? (text){value.bytes, count} : TEXT("");
}

/* Returns whether the XML library knows the encoding. It also notices that UTF-16 cannot be right here. */
static bool is_known(text encoding)
{
    static const text known[] = {
        TEXT_LITERAL(""),       TEXT_LITERAL("utf-8"),    TEXT_LITERAL("us-ascii"), TEXT_LITERAL("iso-8859-1"),
        TEXT_LITERAL("utf-16"), TEXT_LITERAL("utf-16le"), TEXT_LITERAL("utf-16be"),
    };
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        if (text_equal_ignoring_case(encoding, known[i]))
            return true;
    return false;
}

/* Runs the converter. False: out of memory, or errno is EILSEQ or EINVAL, because the text is not in this encoding.
 * *done counts the bytes that were converted. */
static bool run_converter(iconv_t converter, text input, array_base *out, size_t *done)
{
    char *in = (char *)(uintptr_t)input.bytes;
    size_t in_left = input.count;
    bool flushes = false;
    for (;;) {
        char *place = (char *)out->items + out->count;
        size_t left = out->capacity - out->count;
        size_t failed = iconv(converter, flushes ? NULL : &in, &in_left, &place, &left);
        out->count = out->capacity - left;
        *done = input.count - in_left;
        if (failed != (size_t)-1 && flushes)
            return true;
        if (failed != (size_t)-1)
            flushes = true;
        else if (errno != E2BIG)
            return false;
        else if (!array_grow(out, out->capacity + 64, 1)) {
            errno = ENOMEM;
            return false;
        }
    }
}

static pietra_result fail_conversion(const xml_text *xml, const char *encoding, size_t offset, pietra_error *error)
{
    uint32_t line = xml->skipped_lines + 1 + xml_text_count_lines(xml, 0, offset);
    return error_set(error, PIETRA_ERROR_INPUT, line, "malformed XML: the text is not in the encoding %s", encoding);
}

static pietra_result convert(xml_text *xml, const char *encoding, pietra_error *error)
{
    array_base out = {0};
    size_t done;
    iconv_t converter = iconv_open("UTF-8", encoding);
    if (converter == (iconv_t)-1)
        return errno == EINVAL ? error_set(error, PIETRA_ERROR_INPUT, xml->skipped_lines + 1,
                                           "the encoding %s is not known", encoding)
                               : error_set_memory(error);
    pietra_result result = PIETRA_OK;
    if (!array_grow(&out, xml->bytes.count + xml->bytes.count / 4 + 64, 1))
        result = error_set_memory(error);
    else if (!run_converter(converter, xml->bytes, &out, &done))
        result = errno == ENOMEM ? error_set_memory(error) : fail_conversion(xml, encoding, done, error);
    iconv_close(converter);
    xml->converted = out.items;
    xml->bytes = (text){out.items, out.count};
    xml->encoding = "UTF-8";
    return result;
}

static pietra_result decode(xml_text *xml, pietra_error *error)
{
    for (size_t i = 0; i < sizeof beginnings / sizeof beginnings[0]; i++) {
        const xml_beginning *beginning = &beginnings[i];
        if (!text_starts_with(xml->bytes, beginning->bytes))
            continue;
        xml->unit = beginning->unit;
        xml->encoding = beginning->encoding;
        xml->bytes = text_from(xml->bytes.bytes + beginning->mark_count, xml->bytes.bytes + xml->bytes.count);
        return beginning->is_known ? PIETRA_OK : convert(xml, beginning->encoding, error);
    }
    text declared = declared_encoding(xml->bytes);
    char name[LONGEST_NAME + 1] = "";
    if (is_known(declared))
        return PIETRA_OK;
    memcpy(name, declared.bytes, declared.count < LONGEST_NAME ? declared.count : LONGEST_NAME);
    return convert(xml, name, error);
}

pietra_result xml_text_open(text input, xml_text *xml, pietra_error *error)
{
    skip_leading(xml, input);
    if (xml->bytes.count == 0)
        return error_set(error, PIETRA_ERROR_INPUT, 0, "the file is empty");
    pietra_result result = xml->bytes.count > INT_MAX ? PIETRA_OK : decode(xml, error);
    if (result == PIETRA_OK && xml->bytes.count > INT_MAX)
        result = error_set(error, PIETRA_ERROR_INPUT, 0, "documents of more than 2 GiB are not read");
    return result;
}

const char *xml_text_guess(text input)
{
    static const struct {
        text beginning; /* its letters in lower case */
        const char *what;
    } known[] = {
        {TEXT_LITERAL("\x89png"), "a PNG"},        {TEXT_LITERAL("\xff\xd8\xff"), "a JPEG"},
        {TEXT_LITERAL("gif8"), "a GIF"},           {TEXT_LITERAL("riff"), "a WebP or another RIFF file"},
        {TEXT_LITERAL("%pdf"), "a PDF"},           {TEXT_LITERAL("%!ps"), "PostScript"},
        {TEXT_LITERAL("pk\3\4"), "a ZIP archive"}, {TEXT_LITERAL("<!doctype html"), "HTML"},
        {TEXT_LITERAL("<html"), "HTML"},           {TEXT_LITERAL("<head"), "HTML"},
    };
    static const text mark = TEXT_LITERAL("\xef\xbb\xbf");
    const char *end = input.bytes + input.count;
    const char *at = text_skip_space(input.bytes + (text_starts_with(input, mark) ? mark.count : 0), end);
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        text head = {at, known[i].beginning.count};
        if ((size_t)(end - at) >= head.count && text_equal_ignoring_case(head, known[i].beginning))
            return known[i].what;
    }
    return NULL;
}

void xml_text_free(xml_text *xml)
{
    free(xml->converted);
    *xml = (xml_text){0};
}
