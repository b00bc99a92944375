#include "svg/conditions.h"

static bool is_our_language(text tag)
{
    const text ours = TEXT("en");
    return tag.count >= ours.count && text_equal_ignoring_case((text){ tag.bytes, ours.count }, ours) &&
           (tag.count == ours.count || tag.bytes[ours.count] == '-');
}

bool svg_conditions_hold(const svg_document *document, uint32_t node)
{
    if (svg_attribute_find(document, node, SVG_REQUIRED_EXTENSIONS))
        return false;
    const svg_attribute *languages = svg_attribute_find(document, node, SVG_SYSTEM_LANGUAGE);
    if (!languages)
        return true;
    text rest = { languages->bytes, languages->count };
    while (rest.count) {
        size_t comma = text_find(rest, ',');
        if (is_our_language(text_trim((text){ rest.bytes, comma })))
            return true;
        rest = comma < rest.count ? text_from(rest.bytes + comma + 1, rest.bytes + rest.count) : TEXT("");
    }
    return false;
}
