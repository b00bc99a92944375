/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "svg/style/css_selector_parts.h"

/* Takes what stands before the next hyphen. */
static text take_part(text *tag)
{
    const size_t count = text_find(*tag, '-');
    const text part = {tag->bytes, count};
    const size_t taken = count < tag->count ? count + 1 : count;
    *tag = (text){tag->bytes + taken, tag->count - taken};
    return part;
}

/* Does extended filtering: parts of the tag may be passed over, up to one of a single letter. */
static bool is_in_range(text tag, text range)
{
    text wanted = take_part(&range), part = take_part(&tag);
    if (!text_equal(wanted, TEXT("*")) && !text_equal_ignoring_case(part, wanted))
        return false;
    while (range.count) {
        wanted = take_part(&range);
        if (text_equal(wanted, TEXT("*")))
            continue;
        for (part = take_part(&tag); !text_equal_ignoring_case(part, wanted); part = take_part(&tag))
            if (part.count <= 1)
                return false;
    }
    return true;
}

bool css_language_match(css_tree *tree, const css_simple *simple, uint32_t node)
{
    const uint32_t language = css_tree_element(tree, node)->language;
    if (language == 0)
        return false;
    const text tag = tree->names.items.items[language - 1];
    for (int32_t i = 0; i < simple->b && !css_tree_is_spent(tree); i++) {
        tree->steps += 1 + (tag.count + simple->ranges[i].count) / 16;
        if (tag.count && simple->ranges[i].count && is_in_range(tag, simple->ranges[i]))
            return true;
    }
    return false;
}
