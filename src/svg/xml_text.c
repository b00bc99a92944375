#include "svg/xml_text.h"

/* Inside one tag, as inside any text, no '<' can stand. So bytes are looked at one by one only where whole windows have none. */
bool xml_text_has_crowded_tag(text input, uint64_t most, size_t *offset)
{
    const char *bytes = input.bytes;
    const size_t count = input.count;
    const size_t window = 4096;
    size_t equals = 0;
    for (size_t at = 0; at < count; at += window) {
        size_t length = count - at < window ? count - at : window;
        if (memchr(bytes + at, '<', length)) {
            equals = 0;
            continue;
        }
        /* In UTF-16 a zero byte stands between an equals sign and its quote. */
        for (size_t i = at; i < at + length && i + 2 < count; i++)
            if (bytes[i] == '=' && (bytes[i + 1] == '"' || bytes[i + 1] == '\'' || bytes[i + 2] == '"' || bytes[i + 2] == '\''))
                equals++;
        if (equals > most) {
            *offset = at;
            return true;
        }
    }
    return false;
}

uint32_t xml_text_count_lines(const char *bytes, const char *end)
{
    uint32_t lines = 0;
    for (const char *at = bytes; at < end && (at = memchr(at, '\n', (size_t)(end - at))) != NULL; at++)
        lines++;
    return lines;
}

/* The XML declaration of a document in UTF-16 that has blanks before it, or NULL. It tells its encoding without a byte order mark. */
static const char *find_wide_declaration(const char *at, const char *end)
{
    static const char mark[2][2] = { "\xff\xfe", "\xfe\xff" }, start[2][4] = { "<\0?", "\0<\0?" };
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

void xml_text_skip_leading(text *input, uint32_t *skipped_lines)
{
    const char *begin = input->bytes, *at = begin, *end = at + input->count, *wide = find_wide_declaration(at, end);
    if (wide)
        at = wide;
    if (end - at >= 3 && memcmp(at, "\xef\xbb\xbf", 3) == 0)
        at += 3;
    at = text_skip_space(at, end);
    *skipped_lines = xml_text_count_lines(begin, at);
    *input = text_from(at, end);
}

bool xml_text_is_plain(text input)
{
    static const text plain[] = {
        TEXT_LITERAL("utf-8"), TEXT_LITERAL("iso-8859-"), TEXT_LITERAL("us-ascii"), TEXT_LITERAL("ascii"), TEXT_LITERAL("windows-125"),
    };
    const text key = TEXT("encoding=");
    text declaration = { input.bytes, text_find(input, '>') };
    if (!text_starts_with(input, TEXT("<?xml")))
        return input.bytes[0] == '<';
    while (declaration.count > key.count && !text_starts_with(declaration, key))
        declaration = text_from(declaration.bytes + 1, declaration.bytes + declaration.count);
    if (declaration.count <= key.count + 1)
        return true;
    text name = text_from(declaration.bytes + key.count + 1, declaration.bytes + declaration.count);
    for (size_t i = 0; i < sizeof plain / sizeof plain[0]; i++)
        if (name.count >= plain[i].count && text_equal_ignoring_case((text){ name.bytes, plain[i].count }, plain[i]))
            return true;
    return false;
}
