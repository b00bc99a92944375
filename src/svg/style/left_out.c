/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "svg/style/left_out.h"

#include "svg/css/css_token.h"
#include "svg/style/declaration.h"
#include "svg/style/mask_value.h"

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

void svg_left_out_warn(svg_warnings *warnings, uint32_t line, svg_name property, text value)
{
    switch (svg_property_meant(property)) {
#define LEFT_OUT_OF_VALUE(id, test, message) \
    case SVG_##id: \
        if (test(value)) \
            svg_warn(warnings, line, "%s", message); \
        break;
#include "svg/tree/property.def"
    default:
        break;
    }
}

void svg_left_out_warn_of_unknown(svg_warnings *warnings, uint32_t line, text name, text value)
{
    static const text left_out[] = {
        TEXT_LITERAL("animation"),          TEXT_LITERAL("animation-name"),   TEXT_LITERAL("mask-border"),
        TEXT_LITERAL("backdrop-filter"),    TEXT_LITERAL("background-image"), TEXT_LITERAL("offset-path"),
        TEXT_LITERAL("mask-border-source"),
    };
    if (svg_mask_longhand_is_cut(name, value))
        svg_warn(warnings, line, "the property %.*s is left out", TEXT_PRINT(name));
    for (size_t i = 0; i < sizeof left_out / sizeof left_out[0]; i++)
        if (text_equal(name, left_out[i]) && !text_equal_ignoring_case(value, TEXT("none")))
            svg_warn(warnings, line, "the property %.*s is left out", TEXT_PRINT(name));
}
