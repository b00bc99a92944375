/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "svg/css/css_wide.h"

css_wide css_wide_of(text value)
{
    static const text keywords[] = {
        [CSS_WIDE_INITIAL] = TEXT_LITERAL("initial"),
        [CSS_WIDE_INHERIT] = TEXT_LITERAL("inherit"),
        [CSS_WIDE_UNSET] = TEXT_LITERAL("unset"),
        [CSS_WIDE_REVERT] = TEXT_LITERAL("revert"),
        [CSS_WIDE_REVERT_LAYER] = TEXT_LITERAL("revert-layer"),
    };
    for (unsigned i = CSS_WIDE_INITIAL; i < sizeof keywords / sizeof keywords[0]; i++)
        if (value.count == keywords[i].count && text_equal_ignoring_case(value, keywords[i]))
            return (css_wide)i;
    return CSS_WIDE_NONE;
}
