/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "svg/style/left_out.h"

#include "svg/css/css_token.h"
#include "svg/style/declaration.h"
#include "svg/style/filter_value.h"
#include "svg/style/font_language.h"
#include "svg/style/mask_value.h"
#include "svg/style/reference.h"

#define FROM_ANOTHER_FILE "paints, clips and markers of other files are left out"

/* A word of a property, or the name of a function, that is not drawn. */
typedef struct left_out_word {
    svg_name property;
    text word;
} left_out_word;

/* A property that is not known. */
typedef struct left_out_property {
    text name;
    svg_kind kind;
    text harmless; /* values with which it changes nothing, between bars */
} left_out_property;

static const left_out_word words[] = {
#define LEFT_OUT_WORD(id, word) {SVG_##id, TEXT_LITERAL(word)},
#include "svg/tree/property.def"
};

static const left_out_property properties[] = {
#define REPORTED(name, kind, harmless, note) {TEXT_LITERAL(name), SVG_KIND_##kind, TEXT_LITERAL(harmless)},
#include "svg/tree/property.def"
};

/* Functions of CSS that values may have and that are not read: such a value counts as an error. */
static const text functions[] = {
    TEXT_LITERAL("abs"),
    TEXT_LITERAL("acos"),
    TEXT_LITERAL("asin"),
    TEXT_LITERAL("atan"),
    TEXT_LITERAL("atan2"),
    TEXT_LITERAL("attr"),
    TEXT_LITERAL("cos"),
    TEXT_LITERAL("contrast-color"),
    TEXT_LITERAL("device-cmyk"),
    TEXT_LITERAL("env"),
    TEXT_LITERAL("exp"),
    TEXT_LITERAL("hypot"),
    TEXT_LITERAL("if"),
    TEXT_LITERAL("inherit"),
    TEXT_LITERAL("log"),
    TEXT_LITERAL("mod"),
    TEXT_LITERAL("pow"),
    TEXT_LITERAL("progress"),
    TEXT_LITERAL("random"),
    TEXT_LITERAL("rem"),
    TEXT_LITERAL("round"),
    TEXT_LITERAL("sign"),
    TEXT_LITERAL("sin"),
    TEXT_LITERAL("sibling-count"),
    TEXT_LITERAL("sqrt"),
    TEXT_LITERAL("tan"),
    TEXT_LITERAL("sibling-index"),
};

/* Returns whether a background has an image: a gradient, a url() and so on. */
static bool has_image(text value)
{
    static const text ends[] = {TEXT_LITERAL("gradient"),  TEXT_LITERAL("url"),        TEXT_LITERAL("image"),
                                TEXT_LITERAL("image-set"), TEXT_LITERAL("cross-fade"), TEXT_LITERAL("element")};
    for (;;) {
        css_token token = css_token_next(&value);
        if (token.kind == CSS_END || token.kind == CSS_URL)
            return token.kind == CSS_URL;
        for (size_t i = 0; token.kind == CSS_FUNCTION && i < sizeof ends / sizeof ends[0]; i++) {
            size_t count = ends[i].count;
            if (token.value.count >= count &&
                text_equal_ignoring_case((text){token.value.bytes + token.value.count - count, count}, ends[i]))
                return true;
        }
    }
}

static bool has_word(text value, text word)
{
    for (;;) {
        css_token token = css_token_next(&value);
        if (token.kind == CSS_END)
            return false;
        if (token.kind == CSS_FUNCTION)
            css_token_skip_block(&value, '(');
        if ((token.kind == CSS_IDENT || token.kind == CSS_FUNCTION) && text_equal_ignoring_case(token.value, word))
            return true;
    }
}

static bool is_dark_alone(text value)
{
    return has_word(value, TEXT("dark")) && !has_word(value, TEXT("light"));
}

/* Returns whether a rotation has another axis than the one of the eye. */
static bool has_other_axis(text value)
{
    text words[4] = {{NULL, 0}};
    size_t count = 0;
    while (value.count && count < 4)
        words[count++] = css_take_word(&value);
    if (count == 4)
        return !(text_equal(words[0], TEXT("0")) && text_equal(words[1], TEXT("0"))) &&
               !(text_equal(words[1], TEXT("0")) && text_equal(words[2], TEXT("0")));
    return count == 2 &&
           (text_equal_ignoring_case(words[0], TEXT("x")) || text_equal_ignoring_case(words[0], TEXT("y")) ||
            text_equal_ignoring_case(words[1], TEXT("x")) || text_equal_ignoring_case(words[1], TEXT("y")));
}

/* Returns whether the property `kerning` is a length other than 0. */
static bool is_kerning_length(text value)
{
    const css_token token = css_token_next_part(&value);
    size_t i = 0;
    while (token.kind == CSS_NUMBER && i < token.value.count && strchr("+-.0", token.value.bytes[i]))
        i++;
    return token.kind == CSS_NUMBER && i < token.value.count && token.value.bytes[i] >= '1' &&
           token.value.bytes[i] <= '9';
}

static void warn_of_words(svg_warnings *warnings, uint32_t line, svg_name property, text value)
{
    const text name = svg_name_text(property);
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (words[i].property == property && has_word(value, words[i].word))
            svg_warn(warnings, line, "%.*s of the property %.*s is left out", TEXT_PRINT(words[i].word),
                     TEXT_PRINT(name));
}

/* Warns of functions, in brackets of others too. */
static void warn_of_functions(svg_warnings *warnings, uint32_t line, text value)
{
    for (;;) {
        const css_token token = css_token_next(&value);
        if (token.kind == CSS_END)
            return;
        if (token.kind != CSS_FUNCTION)
            continue;
        bool known = !text_starts_with(token.value, TEXT("--"));
        for (size_t i = 0; i < sizeof functions / sizeof functions[0]; i++)
            known = known && !text_equal_ignoring_case(token.value, functions[i]);
        if (!known)
            svg_warn(warnings, line, "values with %.*s() are left out", TEXT_PRINT(token.value));
    }
}

void svg_left_out_warn(svg_warnings *warnings, uint32_t line, svg_name property, text value)
{
    if (!warnings->function)
        return;
    property = svg_property_meant(property);
    const bool open = css_has_variable(value); /* it says nothing yet */
    switch (property) {
#define LEFT_OUT_OF_VALUE(id, test, message) \
    case SVG_##id: \
        if (!open && test(value)) \
            svg_warn(warnings, line, "%s", message); \
        break;
#include "svg/tree/property.def"
    default:
        break;
    }
    warn_of_words(warnings, line, property, value);
    if (value.count && memchr(value.bytes, '(', value.count))
        warn_of_functions(warnings, line, value);
}

/* Returns whether a value is one of a list with bars, or one that all properties have. */
static bool is_harmless(text value, text list)
{
    static const text wide = TEXT_LITERAL("inherit|initial|unset|revert|revert-layer");
    const text lists[] = {list, wide};
    for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++) {
        for (text rest = lists[i]; rest.count;) {
            const size_t bar = text_find(rest, '|');
            if (text_equal_ignoring_case(value, (text){rest.bytes, bar}))
                return true;
            rest = text_from(rest.bytes + bar + (bar < rest.count), rest.bytes + rest.count);
        }
    }
    return false;
}

void svg_left_out_warn_of_unknown(svg_warnings *warnings, uint32_t line, text name, text value, bool is_attribute)
{
    const left_out_property *property = properties, *end = properties + sizeof properties / sizeof properties[0];
    if (!warnings->function)
        return;
    while (property < end && !text_equal(property->name, name))
        property++;
    if (property < end && (!is_attribute || property->kind == SVG_KIND_PROPERTY) &&
        !is_harmless(value, property->harmless))
        svg_warn(warnings, line, "the property %.*s is left out", TEXT_PRINT(name));
}
