/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "svg/tree/conditions.h"

/* Returns whether a tag is one of the reader's languages, or a narrower one (SVG 2, 5.8.2). */
static bool is_known_language(text tag, text languages)
{
    while (languages.count) {
        const size_t comma = text_find(languages, ',');
        const text known = text_trim((text){languages.bytes, comma});
        if (known.count && tag.count >= known.count && (tag.count == known.count || tag.bytes[known.count] == '-')) {
            size_t same = 0;
            while (same < known.count && text_lower(tag.bytes[same]) == text_lower(known.bytes[same]))
                same++;
            if (same == known.count)
                return true;
        }
        languages = comma < languages.count ? text_from(languages.bytes + comma + 1, languages.bytes + languages.count)
                                            : TEXT("");
    }
    return false;
}

static bool is_feature(text name)
{
    static const text prefixes[] = {
        TEXT_LITERAL("http://www.w3.org/TR/SVG11/feature#"),
        TEXT_LITERAL("http://www.w3.org/Graphics/SVG/feature/1.2/#"),
        TEXT_LITERAL("http://www.w3.org/TR/SVG2/feature#"),
        TEXT_LITERAL("org.w3c.svg"),
        TEXT_LITERAL("org.w3c.dom"),
    };
    const text not = TEXT("#Extensibility");
    if (name.count >= not .count &&
        text_equal(text_from(name.bytes + name.count - not .count, name.bytes + name.count), not ))
        return false;
    for (size_t i = 0; i < sizeof prefixes / sizeof prefixes[0]; i++)
        if (text_starts_with(name, prefixes[i]))
            return true;
    return false;
}

static bool features_hold(text list)
{
    list = text_trim(list);
    if (list.count == 0)
        return false;
    while (list.count) {
        size_t count = 0;
        while (count < list.count && !text_is_space(list.bytes[count]))
            count++;
        if (!is_feature((text){list.bytes, count}))
            return false;
        list = text_trim(text_from(list.bytes + count, list.bytes + list.count));
    }
    return true;
}

bool svg_conditions_hold(const svg_document *document, uint32_t node)
{
    if (svg_attribute_find(document, node, SVG_REQUIRED_EXTENSIONS))
        return false;
    if (svg_attribute_find(document, node, SVG_REQUIRED_FEATURES) &&
        !features_hold(svg_attribute_text(document, node, SVG_REQUIRED_FEATURES)))
        return false;
    if (!svg_attribute_find(document, node, SVG_SYSTEM_LANGUAGE))
        return true;
    const text languages = document->settings.languages ? text_of_string(document->settings.languages) : TEXT("en");
    text rest = svg_attribute_text(document, node, SVG_SYSTEM_LANGUAGE);
    while (rest.count) {
        size_t comma = text_find(rest, ',');
        if (is_known_language(text_trim((text){rest.bytes, comma}), languages))
            return true;
        rest = comma < rest.count ? text_from(rest.bytes + comma + 1, rest.bytes + rest.count) : TEXT("");
    }
    return false;
}
