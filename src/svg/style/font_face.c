/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "svg/style/font_face.h"

#include <math.h>
#include <string.h>

#include "base/number.h"
#include "svg/css/css_family.h"
#include "svg/css/css_token.h"
#include "svg/style/declaration.h"
#include "svg/style/value.h"

#define MOST_CODE_RANGES 4096u
#define MOST_CODE 0x10ffffu

typedef struct face_reader {
    svg_document *document;
    svg_warnings *warnings;
    svg_font_face face;
} face_reader;

/* ---- Ranges of properties ---- */

/* Reads one or two values of a property. */
static void read_range(svg_document *document, text value, svg_parsed (*parse)(svg_document *, text, svg_declaration *),
                       svg_face_range *range)
{
    double ends[2];
    unsigned count = 0;
    if (text_equal_ignoring_case(value, TEXT("auto"))) {
        range->given = false;
        return;
    }
    while (value.count) {
        svg_declaration declaration = {0};
        const text word = css_take_word(&value);
        if (count == 2 || parse(document, word, &declaration) != SVG_PARSED_GOOD || declaration.form != SVG_FORM_NUMBER)
            return;
        ends[count++] = declaration.number;
    }
    if (count > 0)
        *range = (svg_face_range){true, (float)fmin(ends[0], ends[count - 1]), (float)fmax(ends[0], ends[count - 1])};
}

static bool read_angle(text word, double *degrees)
{
    const char *at = word.bytes, *end = at + word.count;
    if (!number_scan(&at, end, degrees))
        return false;
    *degrees *= svg_angle_unit(text_from(at, end));
    return fabs(*degrees) <= 90;
}

static void read_slope(face_reader *reader, text value)
{
    double ends[2] = {14, 14};
    const text word = css_take_word(&value);
    svg_font_face *face = &reader->face;
    if (text_equal_ignoring_case(word, TEXT("normal")) || text_equal_ignoring_case(word, TEXT("italic")) ||
        text_equal_ignoring_case(word, TEXT("auto"))) {
        if (value.count)
            return;
        face->slope = text_equal_ignoring_case(word, TEXT("italic")) ? SVG_ITALIC : SVG_UPRIGHT;
        face->angle = (svg_face_range){text_equal_ignoring_case(word, TEXT("normal")), 0, 0};
        return;
    }
    if (!text_equal_ignoring_case(word, TEXT("oblique")))
        return;
    for (unsigned i = 0; value.count; i++) {
        if (i == 2 || !read_angle(css_take_word(&value), &ends[i]))
            return;
        ends[1] = ends[i];
    }
    face->slope = SVG_OBLIQUE;
    face->angle = (svg_face_range){true, (float)fmin(ends[0], ends[1]), (float)fmax(ends[0], ends[1])};
}

/* ---- unicode-range ---- */

static int hexadecimal(char c)
{
    const char lower = text_lower(c);
    return c >= '0' && c <= '9' ? c - '0' : lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
}

/* Reads up to six digits. Question marks at the end stand for all digits if `wild`, and give a range. */
static bool read_code(const char **at, const char *end, bool *wild, svg_face_codes *codes)
{
    unsigned digits = 0;
    codes->first = codes->last = 0;
    const bool may_be_wild = *wild;
    *wild = false;
    for (; *at < end && digits < 6; ++*at, digits++) {
        const int digit = hexadecimal(**at);
        const bool any = **at == '?' && may_be_wild;
        if ((digit < 0 || *wild) && !any)
            break;
        *wild |= any;
        codes->first = codes->first << 4 | (any ? 0u : (uint32_t)digit);
        codes->last = codes->last << 4 | (any ? 15u : (uint32_t)digit);
    }
    return digits > 0;
}

/* Reads U+4E00, U+4E00-9FFF or U+4?? (CSS Syntax 3, 7). */
static bool read_codes(text value, svg_face_codes *codes)
{
    const char *at = value.bytes, *end = at + value.count;
    svg_face_codes last;
    bool wild = true, plain = false;
    if (value.count < 3 || text_lower(at[0]) != 'u' || at[1] != '+')
        return false;
    at += 2;
    if (!read_code(&at, end, &wild, codes))
        return false;
    if (at < end && *at == '-' && !wild) {
        at++;
        if (!read_code(&at, end, &plain, &last))
            return false;
        codes->last = last.last;
    }
    codes->last = codes->last > MOST_CODE ? MOST_CODE : codes->last;
    return at == end && codes->first <= codes->last;
}

static bool add_codes(face_reader *reader, text value)
{
    svg_font_face *face = &reader->face;
    size_t most = text_count(value, ',') + 1, count = 0;
    svg_face_codes *codes = most <= MOST_CODE_RANGES
                                ? arena_alloc(&reader->document->arena, most * sizeof *codes, _Alignof(svg_face_codes))
                                : NULL;
    if (!codes)
        return most > MOST_CODE_RANGES;
    for (size_t i = 0; i < most; i++) {
        const size_t comma = text_find(value, ',');
        if (!read_codes(text_trim((text){value.bytes, comma}), &codes[count++]))
            return true; /* the descriptor is in error */
        value = comma < value.count ? text_from(value.bytes + comma + 1, value.bytes + value.count) : TEXT("");
    }
    face->codes = codes;
    face->code_count = count;
    return true;
}

/* ---- The rule ---- */

static void warn_of_descriptor(const face_reader *reader, text name)
{
    static const text heeded_by_others[] = {TEXT_LITERAL("size-adjust"), TEXT_LITERAL("ascent-override"),
                                            TEXT_LITERAL("descent-override"), TEXT_LITERAL("font-feature-settings"),
                                            TEXT_LITERAL("font-variation-settings")};
    for (size_t i = 0; i < sizeof heeded_by_others / sizeof heeded_by_others[0]; i++)
        if (text_equal(name, heeded_by_others[i]))
            svg_warn(reader->warnings, reader->face.line, "%.*s of @font-face is left out", TEXT_PRINT(name));
}

static bool take_descriptor(void *user, text name, text value, bool important)
{
    face_reader *reader = user;
    svg_font_face *face = &reader->face;
    arena *arena = &reader->document->arena;
    if (important)
        return true;
    if (text_equal(name, TEXT("font-family"))) {
        face->family = css_family_read(value, arena);
        return face->family != NULL;
    }
    if (text_equal(name, TEXT("src"))) {
        const char *copy = arena_copy(arena, value.bytes, value.count);
        face->sources = (text){copy, value.count};
        return copy != NULL;
    }
    if (text_equal(name, TEXT("unicode-range")))
        return add_codes(reader, value);
    if (text_equal(name, TEXT("font-weight")))
        read_range(reader->document, value, svg_parse_font_weight, &face->weight);
    else if (text_equal(name, TEXT("font-stretch")) || text_equal(name, TEXT("font-width")))
        read_range(reader->document, value, svg_parse_font_stretch, &face->stretch);
    else if (text_equal(name, TEXT("font-style")))
        read_slope(reader, value);
    else
        warn_of_descriptor(reader, name);
    return true;
}

bool svg_font_face_read(svg_document *document, svg_warnings *warnings, uint32_t line, text body)
{
    face_reader reader = {
        .document = document,
        .warnings = warnings,
        .face = {.weight = {false, 400, 400}, .stretch = {false, 100, 100}, .file = document->file, .line = line},
    };
    if (!svg_declaration_list_walk(body, take_descriptor, &reader))
        return false;
    if (!reader.face.family || !reader.face.family[0] || reader.face.sources.count == 0)
        return true;
    svg_font_face *added = array_push(&document->font_faces);
    if (added)
        *added = reader.face;
    return added != NULL;
}
