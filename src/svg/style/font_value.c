/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Values of properties of text. */
#include <math.h>

#include "base/number.h"
#include "svg/css/css_token.h"
#include "svg/style/font_alternates.h"
#include "svg/style/font_variant.h"
#include "svg/style/value.h"
#include "svg/tree/document.h"

static svg_parsed take_number(svg_declaration *declaration, double number)
{
    declaration->form = SVG_FORM_NUMBER;
    declaration->number = number;
    return SVG_PARSED_GOOD;
}

static svg_parsed take_keyword(svg_declaration *declaration, unsigned keyword)
{
    declaration->form = SVG_FORM_KEYWORD;
    declaration->keyword = (uint8_t)keyword;
    return SVG_PARSED_GOOD;
}

/* Keeps the text, which is read where it is used. `normal` and `auto` are the initial value. */
svg_parsed svg_parse_string(svg_document *document, text value, svg_declaration *declaration)
{
    declaration->form = SVG_FORM_KEYWORD;
    if (value.count == 0)
        return declaration->property == SVG_LANGUAGE ? SVG_PARSED_GOOD : SVG_PARSED_BAD;
    if (text_equal_ignoring_case(value, TEXT("normal")) || text_equal_ignoring_case(value, TEXT("auto")))
        return SVG_PARSED_GOOD;
    if (!svg_document_add_text(document, value, &declaration->reference))
        return SVG_PARSED_OUT_OF_MEMORY;
    declaration->reference++;
    return SVG_PARSED_GOOD;
}

static bool scan_whole_number(text value, double *number)
{
    const char *at = value.bytes, *end = at + value.count;
    return number_scan(&at, end, number) && at == end && isfinite(*number);
}

svg_parsed svg_parse_font_weight(svg_document *document, text value, svg_declaration *declaration)
{
    double number;
    (void)document;
    if (text_equal_ignoring_case(value, TEXT("normal")))
        return take_number(declaration, 400);
    if (text_equal_ignoring_case(value, TEXT("bold")))
        return take_number(declaration, 700);
    if (text_equal_ignoring_case(value, TEXT("bolder")))
        return take_keyword(declaration, SVG_WEIGHT_BOLDER);
    if (text_equal_ignoring_case(value, TEXT("lighter")))
        return take_keyword(declaration, SVG_WEIGHT_LIGHTER);
    return scan_whole_number(value, &number) && number >= 1 && number <= 1000 ? take_number(declaration, number)
                                                                              : SVG_PARSED_BAD;
}

svg_parsed svg_parse_font_stretch(svg_document *document, text value, svg_declaration *declaration)
{
    static const struct {
        text name;
        double percent;
    } words[] = {
        {TEXT_LITERAL("normal"), 100},
        {TEXT_LITERAL("ultra-condensed"), 50},
        {TEXT_LITERAL("extra-condensed"), 62.5},
        {TEXT_LITERAL("condensed"), 75},
        {TEXT_LITERAL("semi-condensed"), 87.5},
        {TEXT_LITERAL("semi-expanded"), 112.5},
        {TEXT_LITERAL("expanded"), 125},
        {TEXT_LITERAL("extra-expanded"), 150},
        {TEXT_LITERAL("ultra-expanded"), 200},
        {TEXT_LITERAL("narrower"), 75},
        {TEXT_LITERAL("wider"), 125},
    };
    double number;
    (void)document;
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (text_equal_ignoring_case(value, words[i].name))
            return take_number(declaration, words[i].percent);
    if (value.count < 2 || value.bytes[value.count - 1] != '%')
        return SVG_PARSED_BAD;
    value.count--;
    return scan_whole_number(value, &number) && number > 0 && number <= 10000 ? take_number(declaration, number)
                                                                              : SVG_PARSED_BAD;
}

svg_parsed svg_parse_font_style(svg_document *document, text value, svg_declaration *declaration)
{
    double degrees;
    (void)document;
    if (text_equal_ignoring_case(value, TEXT("normal")))
        return take_keyword(declaration, SVG_UPRIGHT);
    if (text_equal_ignoring_case(value, TEXT("italic")))
        return take_keyword(declaration, SVG_ITALIC);
    text word = css_take_word(&value);
    if (!text_equal_ignoring_case(word, TEXT("oblique")))
        return SVG_PARSED_BAD;
    take_keyword(declaration, SVG_OBLIQUE);
    declaration->number = 14;
    if (value.count == 0)
        return SVG_PARSED_GOOD;
    const char *at = value.bytes, *end = at + value.count;
    if (!number_scan(&at, end, &degrees))
        return SVG_PARSED_BAD;
    degrees *= svg_angle_unit(text_from(at, end));
    declaration->number = degrees;
    return degrees != 0 && fabs(degrees) <= 90 ? SVG_PARSED_GOOD : SVG_PARSED_BAD;
}

svg_parsed svg_parse_font_size_adjust(svg_document *document, text value, svg_declaration *declaration)
{
    static const struct {
        text word;
        uint8_t aspect;
    } words[] = {
        {TEXT_LITERAL("ex-height"), SVG_ASPECT_EX_HEIGHT}, {TEXT_LITERAL("cap-height"), SVG_ASPECT_CAP_HEIGHT},
        {TEXT_LITERAL("ch-width"), SVG_ASPECT_CH_WIDTH},   {TEXT_LITERAL("ic-width"), SVG_ASPECT_IC_WIDTH},
        {TEXT_LITERAL("ic-height"), SVG_ASPECT_IC_HEIGHT},
    };
    text rest = value;
    const text word = css_take_word(&rest);
    (void)document;
    if (text_equal_ignoring_case(value, TEXT("none")))
        return take_keyword(declaration, SVG_ASPECT_NONE);
    take_keyword(declaration, SVG_ASPECT_EX_HEIGHT);
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (text_equal_ignoring_case(word, words[i].word)) {
            take_keyword(declaration, words[i].aspect);
            value = rest;
        }
    declaration->number = NAN;
    if (text_equal_ignoring_case(value, TEXT("from-font")))
        return SVG_PARSED_GOOD;
    return scan_whole_number(value, &declaration->number) && declaration->number >= 0 ? SVG_PARSED_GOOD
                                                                                      : SVG_PARSED_BAD;
}

/* Returns the words of a property; font-variant, which is also font-variant-caps, has all. */
static uint32_t variants_of(uint16_t property)
{
    switch ((svg_name)property) {
    case SVG_FONT_VARIANT_EAST_ASIAN:
        return FONT_VARIANT_EAST_ASIAN;
    case SVG_FONT_VARIANT_LIGATURES:
        return FONT_VARIANT_LIGATURES;
    case SVG_FONT_VARIANT_NUMERIC:
        return FONT_VARIANT_NUMERIC;
    case SVG_FONT_VARIANT_POSITION:
        return FONT_VARIANT_POSITION;
    default:
        return UINT32_MAX;
    }
}

/* Reads words of font-variant in any order. */
svg_parsed svg_parse_font_variant(svg_document *document, text value, svg_declaration *declaration)
{
    (void)document;
    declaration->form = SVG_FORM_KEYWORD;
    if (value.count == 0)
        return SVG_PARSED_BAD;
    if (text_equal_ignoring_case(value, TEXT("normal")))
        return SVG_PARSED_GOOD;
    while (value.count) {
        const text word = css_take_word(&value);
        size_t i = 0;
        if (declaration->property == SVG_FONT_VARIANT && svg_font_alternates_is(word))
            continue; /* they are kept apart */
        while (i < FONT_VARIANT_COUNT && !text_equal_ignoring_case(word, font_variants[i].word))
            i++;
        if (i == FONT_VARIANT_COUNT)
            return SVG_PARSED_BAD;
        declaration->reference |= (uint32_t)1 << i;
    }
    return declaration->reference & ~variants_of(declaration->property) ? SVG_PARSED_BAD : SVG_PARSED_GOOD;
}

svg_parsed svg_parse_kerning(svg_document *document, text value, svg_declaration *declaration)
{
    svg_length length;
    if (text_equal_ignoring_case(value, TEXT("auto")))
        return take_keyword(declaration, SVG_AUTO);
    if (!svg_length_parse_any(value, &document->units, &length))
        return SVG_PARSED_BAD;
    return take_keyword(declaration, length.unit == SVG_UNIT_PX && length.number == 0 ? SVG_NONE : SVG_AUTO);
}

svg_parsed svg_parse_spacing(svg_document *document, text value, svg_declaration *declaration)
{
    declaration->form = SVG_FORM_LENGTH;
    declaration->keyword = SVG_UNIT_PX;
    return text_equal_ignoring_case(value, TEXT("normal")) ? SVG_PARSED_GOOD
                                                           : svg_parse_signed_length(document, value, declaration);
}

svg_parsed svg_parse_baseline_shift(svg_document *document, text value, svg_declaration *declaration)
{
    if (text_equal_ignoring_case(value, TEXT("sub")))
        return take_keyword(declaration, SVG_SHIFT_SUB);
    if (text_equal_ignoring_case(value, TEXT("super")))
        return take_keyword(declaration, SVG_SHIFT_SUPER);
    declaration->form = SVG_FORM_LENGTH;
    declaration->keyword = SVG_UNIT_PX;
    return text_equal_ignoring_case(value, TEXT("baseline")) ? SVG_PARSED_GOOD
                                                             : svg_parse_signed_length(document, value, declaration);
}

svg_parsed svg_parse_inline_size(svg_document *document, text value, svg_declaration *declaration)
{
    declaration->form = SVG_FORM_LENGTH;
    declaration->keyword = SVG_UNIT_PX;
    return text_equal_ignoring_case(value, TEXT("auto")) ? SVG_PARSED_GOOD
                                                         : svg_parse_length(document, value, declaration);
}

/* Makes a percentage a part of the em. */
static svg_parsed count_in_ems(svg_parsed parsed, svg_declaration *declaration)
{
    if (parsed == SVG_PARSED_GOOD && declaration->keyword == SVG_UNIT_PERCENT) {
        declaration->keyword = SVG_UNIT_EM;
        declaration->number /= 100;
    }
    return parsed;
}

/* Percentages are parts of the em, but unlike numbers they are inherited as lengths. */
svg_parsed svg_parse_line_height(svg_document *document, text value, svg_declaration *declaration)
{
    double number;
    declaration->form = SVG_FORM_LENGTH;
    declaration->keyword = SVG_UNIT_PX;
    declaration->number = NAN;
    if (text_equal_ignoring_case(value, TEXT("normal")))
        return SVG_PARSED_GOOD;
    if (scan_whole_number(value, &number))
        return number >= 0 ? take_number(declaration, number) : SVG_PARSED_BAD;
    return count_in_ems(svg_parse_length(document, value, declaration), declaration);
}

/* Reads a length of lines of text, of which percentages are parts of the em (CSS Text Decoration 4). */
svg_parsed svg_parse_line_length(svg_document *document, text value, svg_declaration *declaration)
{
    declaration->form = SVG_FORM_LENGTH;
    declaration->keyword = SVG_UNIT_PX;
    declaration->number = NAN;
    if (text_equal_ignoring_case(value, TEXT("auto")) || text_equal_ignoring_case(value, TEXT("from-font")))
        return SVG_PARSED_GOOD;
    return count_in_ems(svg_parse_signed_length(document, value, declaration), declaration);
}

/* Reads lines, separated by blanks. Other words are colours and the like. */
svg_parsed svg_parse_text_decoration(svg_document *document, text value, svg_declaration *declaration)
{
    static const struct {
        text word;
        unsigned line;
    } lines[] = {{TEXT_LITERAL("none"), 0},
                 {TEXT_LITERAL("underline"), SVG_UNDERLINE},
                 {TEXT_LITERAL("overline"), SVG_OVERLINE},
                 {TEXT_LITERAL("line-through"), SVG_LINE_THROUGH}};
    declaration->form = SVG_FORM_KEYWORD;
    while (value.count) {
        const css_token token = css_token_next_part(&value);
        if (token.kind == CSS_COMMA)
            return SVG_PARSED_BAD;
        for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++)
            if (token.kind == CSS_IDENT && text_equal_ignoring_case(token.value, lines[i].word))
                declaration->keyword |= (uint8_t)lines[i].line;
    }
    document->decorates = true;
    return SVG_PARSED_GOOD;
}
