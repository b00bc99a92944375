/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "svg/style/property.h"

#include "svg/css/css_token.h"
#include "svg/css/css_wide.h"
#include "svg/style/font_alternates.h"
#include "svg/style/font_variant.h"
#include "svg/style/left_out.h"
#include "svg/style/mask_value.h"
#include "svg/style/property_parts.h"
#include "svg/style/variable.h"

/* Returns whether the property is kept as an attribute of the node. */
static bool is_attribute(svg_name property)
{
    switch (property) {
#define NODE_PROPERTY(id, name, kind, reader, state, note) case SVG_##id:
#define GEOMETRY(id, name, elements, automatic, negative) case SVG_##id:
#include "svg/tree/property.def"
        return true;
    default:
        return false;
    }
}

/* Reads none or path("..."). *good is false if it is neither. False: out of memory. */
static bool read_path(svg_document *document, svg_property_value *result, bool *good)
{
    text value = result->value;
    css_token token = css_token_next(&value), string = {.kind = CSS_END};
    text data = TEXT("");
    result->path = SVG_NO_PATH;
    *good = token.kind == CSS_IDENT && text_equal_ignoring_case(token.value, TEXT("none"));
    if (token.kind == CSS_FUNCTION && text_equal_ignoring_case(token.value, TEXT("path"))) {
        string = css_token_next_part(&value);
        token = css_token_next_part(&value);
        *good = string.kind == CSS_STRING && (css_token_is(&token, ')') || token.kind == CSS_END);
    }
    *good = *good && text_trim(value).count == 0;
    if (!*good || string.kind != CSS_STRING)
        return true;
    svg_path read;
    if (!css_token_decode(&string, &document->arena, &data) ||
        !svg_path_read(&document->paths, data, SVG_PATH_DATA, &read))
        return false;
    *good = !read.cut;
    return read.cut || svg_path_pool_add_read(&document->paths, &read, &result->path);
}

static bool add(const svg_property_value *value, svg_property_values *values)
{
    svg_property_value *added = array_push(values);
    if (added)
        *added = *value;
    return added != NULL;
}

/* Reads a length. In CSS it needs a unit unless it is 0. False: the value is not valid. */
static bool read_length(svg_document *document, bool may_be_automatic, bool may_be_negative, svg_property_value *result)
{
    text value = result->value;
    svg_length *length = &result->length;
    result->automatic = may_be_automatic && text_equal_ignoring_case(value, TEXT("auto"));
    if (result->automatic) { /* for shapes and images, a negative value stands for auto */
        *length = (svg_length){-1, SVG_UNIT_PX};
        return true;
    }
    char last = value.count ? value.bytes[value.count - 1] : 0;
    bool bare = (last >= '0' && last <= '9') || last == '.';
    return svg_length_parse_any(value, &document->units, length) && !(bare && length->number != 0) &&
           (!svg_length_is_negative(*length) || may_be_negative);
}

/* Reads a transform. *good is false if it is not valid. False: out of memory. */
static bool read_transform(svg_document *document, svg_property_value *result, bool *good)
{
    static const svg_metrics any = {1, 1, 1, 1, 1, 1, NULL};
    pietra_transform transform;
    double dpi = document->units.dpi;
    result->relative = !svg_transform_parse(result->value, true, dpi, NULL, &transform);
    *good = !result->relative || svg_transform_parse(result->value, true, dpi, &any, &transform);
    if (!*good || result->relative)
        return true;
    pietra_transform *added = array_push(&document->transforms);
    if (!added)
        return false;
    *added = transform;
    result->transform = (uint32_t)(document->transforms.count - 1);
    return true;
}

/* Keeps the text. It is read where it is used. */
static bool read_text(svg_document *document, svg_property_value *result, bool *good)
{
    (void)document, (void)result;
    *good = true;
    return true;
}

/* Keeps translate, rotate or scale (CSS Transforms 2, 5). */
static bool read_individual_transform(svg_document *document, svg_property_value *result, bool *good)
{
    return read_text(document, result, good);
}

bool svg_property_read_attribute(svg_document *document, svg_property_value *result, bool *good)
{
    *good = false;
    switch ((svg_name)result->declaration.property) {
#define NODE_PROPERTY(id, name, kind, reader, state, note) \
    case SVG_##id: \
        return read_##reader(document, result, good);
#define GEOMETRY(id, name, elements, automatic, negative) \
    case SVG_##id: \
        *good = read_length(document, automatic, negative, result); \
        return true;
#include "svg/tree/property.def"
    default:
        return true;
    }
}

static bool collect_deferred(svg_document *document, svg_property_value *result, text value,
                             svg_property_values *values)
{
    uint32_t index;
    result->attribute = result->deferred = true;
    if (!svg_document_add_text(document, value, &index))
        return false;
    result->value = document->texts.items[index].value;
    return add(result, values);
}

static bool collect_attribute(svg_document *document, svg_property_value *result, text value,
                              svg_property_values *values)
{
    bool good;
    result->attribute = true;
    const css_wide wide = css_wide_of(value);
    if (wide != CSS_WIDE_NONE) {
        result->wide = wide == CSS_WIDE_INHERIT ? SVG_WIDE_INHERIT : SVG_WIDE_RESET;
        return add(result, values);
    }
    if (css_has_variable(value))
        return collect_deferred(document, result, value, values);
    result->attribute = true;
    result->value = value;
    if (!svg_property_read_attribute(document, result, &good))
        return false;
    if (!good)
        return true;
    char *copy = arena_copy(&document->arena, value.bytes, value.count);
    result->value.bytes = copy;
    return copy && add(result, values);
}

/* Collects the properties of the shorthand `marker`. */
static bool collect_markers(svg_document *document, text value, bool important, svg_property_values *values)
{
    static const svg_name names[3] = {SVG_MARKER_START, SVG_MARKER_MID, SVG_MARKER_END};
    for (int i = 0; i < 3; i++) {
        svg_property_value result = {.attribute = false};
        svg_parsed parsed = svg_declaration_parse(document, names[i], value, &result.declaration);
        result.declaration.important = important;
        if (parsed == SVG_PARSED_OUT_OF_MEMORY || (parsed == SVG_PARSED_GOOD && !add(&result, values)))
            return false;
    }
    return true;
}

/* Resets what the shorthand `mask` sets beside its layers. */
static bool reset_mask(bool important, svg_property_values *values)
{
    static const svg_name names[] = {SVG_MASK_MODE,   SVG_MASK_COMPOSITE, SVG_MASK_POSITION, SVG_MASK_SIZE,
                                     SVG_MASK_REPEAT, SVG_MASK_ORIGIN,    SVG_MASK_CLIP};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        svg_property_value result = {
            .declaration = {.property = (uint16_t)names[i], .form = SVG_FORM_INITIAL, .important = important}};
        if (!add(&result, values))
            return false;
    }
    return true;
}

static bool collect_one(svg_document *document, svg_name name, text value, bool important, svg_property_values *values,
                        bool *good)
{
    svg_property_value result = {.attribute = false};
    const svg_parsed parsed = svg_declaration_parse(document, name, value, &result.declaration);
    result.declaration.important = important;
    *good = parsed == SVG_PARSED_GOOD;
    return parsed == SVG_PARSED_GOOD ? add(&result, values) : parsed == SVG_PARSED_BAD;
}

/* Takes the line height that follows a size: `12px/2`, with or without blanks beside the slash. Empty: there is
 * none. */
static text take_line_height(text size, text *rest)
{
    const size_t slash = text_find(size, '/');
    text height = TEXT("");
    if (slash < size.count) {
        height = text_from(size.bytes + slash + 1, size.bytes + size.count);
    } else if (rest->count && rest->bytes[0] == '/') {
        height = css_take_word(rest);
        height = text_from(height.bytes + 1, height.bytes + height.count);
    } else {
        return height;
    }
    return height.count ? height : css_take_word(rest);
}

/* Collects the properties of the shorthand `font` (CSS Fonts 4, section 2.7): up to four words in any order, a size, a
 * line height, families. What it does not name gets its initial value. */
static bool collect_font(svg_document *document, text value, bool important, svg_property_values *values)
{
    static const svg_name words[4] = {SVG_FONT_STYLE, SVG_FONT_WEIGHT, SVG_FONT_STRETCH, SVG_FONT_VARIANT};
    static const svg_name reset[] = {SVG_FONT_STYLE,
                                     SVG_FONT_WEIGHT,
                                     SVG_FONT_STRETCH,
                                     SVG_FONT_VARIANT,
                                     SVG_FONT_FEATURE_SETTINGS,
                                     SVG_FONT_KERNING,
                                     SVG_FONT_LANGUAGE_OVERRIDE,
                                     SVG_FONT_OPTICAL_SIZING,
                                     SVG_FONT_SIZE_ADJUST,
                                     SVG_FONT_VARIANT_ALTERNATES,
                                     SVG_FONT_VARIANT_EAST_ASIAN,
                                     SVG_FONT_VARIANT_EMOJI,
                                     SVG_FONT_VARIANT_LIGATURES,
                                     SVG_FONT_VARIANT_NUMERIC,
                                     SVG_FONT_VARIANT_POSITION,
                                     SVG_FONT_VARIATION_SETTINGS,
                                     SVG_LINE_HEIGHT};
    const size_t before = values->count;
    bool good = false, size = false;
    for (size_t i = 0; i < sizeof reset / sizeof reset[0]; i++)
        if (!collect_one(document, reset[i], TEXT("initial"), important, values, &good))
            return false;
    for (int taken = 0; taken < 5 && value.count && !size; taken++) {
        text word = css_take_word(&value);
        good = text_equal_ignoring_case(word, TEXT("normal"));
        for (int i = 0; i < 4 && !good; i++)
            if (!collect_one(document, words[i], word, important, values, &good))
                return false;
        if (good)
            continue;
        const size_t slash = text_find(word, '/');
        if (!collect_one(document, SVG_FONT_SIZE, (text){word.bytes, slash}, important, values, &size))
            return false;
        const text height = take_line_height(word, &value);
        size = size && (height.count == 0 ||
                        (collect_one(document, SVG_LINE_HEIGHT, height, important, values, &good) && good));
        break;
    }
    if (!collect_one(document, SVG_FONT_FAMILY, value, important, values, &good))
        return false;
    if (!size || !good)
        values->count = before;
    return true;
}

/* Collects the alternates among the words of font-variant; none are normal. Where they are used, other words are passed
 * over. */
static bool collect_alternates(svg_document *document, text value, bool words, bool important,
                               svg_property_values *values)
{
    text rest = value;
    bool some = false, good;
    svg_property_value result = {
        .declaration = {.property = SVG_FONT_VARIANT_ALTERNATES, .form = SVG_FORM_KEYWORD, .important = important}};
    if (!words) /* inherit and the like */
        return collect_one(document, SVG_FONT_VARIANT_ALTERNATES, value, important, values, &good);
    while (rest.count)
        some |= svg_font_alternates_is(css_take_word(&rest));
    return (!some || svg_parse_string(document, value, &result.declaration) == SVG_PARSED_GOOD) && add(&result, values);
}

/* Collects the shorthand `font-synthesis`: what it does not name is not imitated. */
static bool collect_synthesis(svg_document *document, text value, bool important, svg_property_values *values)
{
    static const struct {
        svg_name name;
        text word;
    } longhands[] = {{SVG_FONT_SYNTHESIS_WEIGHT, TEXT_LITERAL("weight")},
                     {SVG_FONT_SYNTHESIS_STYLE, TEXT_LITERAL("style")},
                     {SVG_FONT_SYNTHESIS_SMALL_CAPS, TEXT_LITERAL("small-caps")}};
    const size_t count = sizeof longhands / sizeof longhands[0];
    const bool wide = css_wide_of(value) != CSS_WIDE_NONE || css_has_variable(value);
    bool named[sizeof longhands / sizeof longhands[0]] = {false}, good;
    for (text rest = value; rest.count && !wide && !text_equal_ignoring_case(value, TEXT("none"));) {
        const text word = css_take_word(&rest);
        bool known = text_equal_ignoring_case(word, TEXT("position"));
        for (size_t i = 0; i < count; i++)
            if (text_equal_ignoring_case(word, longhands[i].word))
                known = named[i] = true;
        if (!known)
            return true;
    }
    for (size_t i = 0; i < count; i++)
        if (!collect_one(document, longhands[i].name,
                         wide       ? value
                         : named[i] ? TEXT("auto")
                                    : TEXT("none"),
                         important, values, &good))
            return false;
    return true;
}

/* Collects the shorthand `font-variant`: what it does not name becomes normal. */
static bool collect_variant(svg_document *document, text value, bool important, svg_property_values *values)
{
    static const struct {
        svg_name name;
        uint32_t words;
    } longhands[] = {{SVG_FONT_VARIANT, FONT_VARIANT_CAPS},
                     {SVG_FONT_VARIANT_EAST_ASIAN, FONT_VARIANT_EAST_ASIAN},
                     {SVG_FONT_VARIANT_LIGATURES, FONT_VARIANT_LIGATURES},
                     {SVG_FONT_VARIANT_NUMERIC, FONT_VARIANT_NUMERIC},
                     {SVG_FONT_VARIANT_POSITION, FONT_VARIANT_POSITION}};
    svg_property_value whole = {.attribute = false};
    bool good;
    const svg_parsed parsed = svg_declaration_parse(document, SVG_FONT_VARIANT, value, &whole.declaration);
    const bool words = parsed == SVG_PARSED_GOOD && whole.declaration.form == SVG_FORM_KEYWORD;
    if (parsed == SVG_PARSED_GOOD &&
        (!collect_one(document, SVG_FONT_VARIANT_EMOJI, words ? TEXT("normal") : value, important, values, &good) ||
         !collect_alternates(document, value, words, important, values)))
        return false;
    for (size_t i = 0; i < sizeof longhands / sizeof longhands[0] && parsed == SVG_PARSED_GOOD; i++) {
        svg_property_value part = whole;
        part.declaration.property = (uint16_t)longhands[i].name;
        part.declaration.important = important;
        if (part.declaration.form == SVG_FORM_KEYWORD)
            part.declaration.reference &= longhands[i].words;
        if (!add(&part, values))
            return false;
    }
    return parsed != SVG_PARSED_OUT_OF_MEMORY;
}

/* Collects the shorthand `text-decoration` (CSS Text Decoration 4, 2.5): words in any order. */
static bool collect_decoration(svg_document *document, text value, bool important, svg_property_values *values)
{
    static const svg_name names[] = {SVG_TEXT_DECORATION_STYLE, SVG_TEXT_DECORATION_COLOR,
                                     SVG_TEXT_DECORATION_THICKNESS};
    bool good;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (!collect_one(document, names[i], TEXT("initial"), important, values, &good))
            return false;
    if (!collect_one(document, SVG_TEXT_DECORATION, value, important, values, &good))
        return false;
    while (value.count) {
        const text word = css_take_word(&value);
        good = false;
        for (size_t i = 0; i < sizeof names / sizeof names[0] && !good; i++)
            if (!collect_one(document, names[i], word, important, values, &good))
                return false;
    }
    return true;
}

/* Collects the shorthand `all`, whose values are the words that all properties have. */
static bool collect_all(text value, bool important, svg_property_values *values)
{
    svg_property_value result = {.declaration = {.property = SVG_ALL, .important = important}};
    const css_wide wide = css_wide_of(value);
    if (wide == CSS_WIDE_NONE)
        return true;
    result.declaration.form = wide == CSS_WIDE_INHERIT   ? SVG_FORM_INHERIT
                              : wide == CSS_WIDE_INITIAL ? SVG_FORM_INITIAL
                                                         : SVG_FORM_KEYWORD;
    return add(&result, values);
}

bool svg_property_collect(svg_document *document, svg_warnings *warnings, uint32_t line, text name, text value,
                          bool important, svg_property_values *values)
{
    svg_property_value result = {.attribute = false};
    bool custom = text_starts_with(name, TEXT("--"));
    svg_name property = custom ? SVG_CUSTOM : svg_name_find_property(name);
    if (property == SVG_UNKNOWN) {
        svg_left_out_warn_of_unknown(warnings, line, name, value, false);
        return true;
    }
    svg_budget_spend(document->budget, SVG_STEP_declaration, 1);
    svg_budget_spend(document->budget, SVG_STEP_style_byte, value.count);
    if (custom) {
        if (!svg_variable_declare(document, name, value, &result.declaration))
            return false;
        result.declaration.important = important;
        return add(&result, values);
    }
    if (name.bytes[0] != '-') /* what is written for vendors' programs is not missed */
        svg_left_out_warn(warnings, line, property, value);
    const css_wide wide = css_wide_of(value);
    if (wide == CSS_WIDE_REVERT_LAYER) {
        svg_warn(warnings, line, "revert-layer is left out");
        return true;
    }
    const bool images = property == SVG_MASK_IMAGE || property == SVG_WEBKIT_MASK_IMAGE;
    if (images && wide == CSS_WIDE_NONE && !css_has_variable(value) && !svg_mask_value_is_images(value))
        return true;
    result.declaration.property = (uint16_t)property;
    result.declaration.important = important;
    if (property == SVG_ALL)
        return collect_all(value, important, values);
    if (is_attribute(property))
        return collect_attribute(document, &result, value, values);
    if (property == SVG_MARKER)
        return collect_markers(document, value, important, values);
    if (property == SVG_FONT)
        return collect_font(document, value, important, values);
    if (property == SVG_FONT_SYNTHESIS)
        return collect_synthesis(document, value, important, values);
    if (text_equal(name, TEXT("font-variant")) && !css_has_variable(value))
        return collect_variant(document, value, important, values);
    if (text_equal(name, TEXT("text-decoration")) && wide == CSS_WIDE_NONE && !css_has_variable(value))
        return collect_decoration(document, value, important, values);
    svg_parsed parsed = svg_declaration_parse(document, property, value, &result.declaration);
    result.declaration.important = important;
    if (parsed != SVG_PARSED_GOOD)
        return parsed == SVG_PARSED_BAD;
    if (text_equal(name, TEXT("font-variant-caps")) && result.declaration.form == SVG_FORM_KEYWORD &&
        result.declaration.reference & ~FONT_VARIANT_CAPS)
        return true;
    if ((property == SVG_MASK || property == SVG_WEBKIT_MASK) && !reset_mask(important, values))
        return false;
    return add(&result, values);
}
