/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "svg/tree/view.h"

static bool set_text(svg_document *document, svg_name name, text value)
{
    char *copy = arena_copy(&document->arena, value.bytes, value.count);
    svg_attribute *attribute = svg_document_set_attribute(document, 0, name);
    if (!copy || !attribute)
        return false;
    attribute->bytes = copy;
    attribute->count = (uint32_t)value.count;
    return true;
}

static bool set_transform(svg_document *document, text value)
{
    pietra_transform transform;
    if (!svg_transform_parse(value, false, document->units.dpi, NULL, &transform))
        return true;
    pietra_transform *added = array_push(&document->transforms);
    svg_attribute *attribute = svg_document_set_attribute(document, 0, SVG_TRANSFORM);
    if (!added || !attribute)
        return false;
    *added = transform;
    attribute->unit = 0;
    attribute->transform = (uint32_t)(document->transforms.count - 1);
    return true;
}

/* Attributes of a view element override those of the outermost svg. */
static bool take_view(svg_document *document, uint32_t view)
{
    static const svg_name names[] = {SVG_VIEW_BOX, SVG_PRESERVE_ASPECT_RATIO};
    for (int i = 0; i < 2; i++)
        if (svg_attribute_find(document, view, names[i]) &&
            !set_text(document, names[i], svg_attribute_text(document, view, names[i])))
            return false;
    return true;
}

/* Takes name(value), in which parentheses are paired, and a semicolon. *rest begins behind them. */
static bool take_parameter(text *rest, text *name, text *value)
{
    size_t open = text_find(*rest, '('), close = open, depth = 0;
    for (; close < rest->count; close++) {
        depth += rest->bytes[close] == '(';
        depth -= rest->bytes[close] == ')';
        if (depth == 0)
            break;
    }
    if (close >= rest->count)
        return false;
    *name = text_trim((text){rest->bytes, open});
    *value = text_trim(text_from(rest->bytes + open + 1, rest->bytes + close));
    *rest = text_trim(text_from(rest->bytes + close + 1, rest->bytes + rest->count));
    bool more = rest->count && (rest->bytes[0] == ';' || rest->bytes[0] == '&');
    if (more)
        *rest = text_trim(text_from(rest->bytes + 1, rest->bytes + rest->count));
    return more || rest->count == 0;
}

/* Takes the parameters of svgView(). *good is false if they have an error. Those before the error count. */
static bool take_parameters(svg_document *document, text rest, bool *good)
{
    *good = true;
    while (rest.count) {
        text name, value;
        bool done = true;
        if (!take_parameter(&rest, &name, &value)) {
            *good = false;
            return true;
        }
        if (text_equal(name, TEXT("viewBox")))
            done = set_text(document, SVG_VIEW_BOX, value);
        else if (text_equal(name, TEXT("preserveAspectRatio")))
            done = set_text(document, SVG_PRESERVE_ASPECT_RATIO, value);
        else if (text_equal(name, TEXT("transform")))
            done = set_transform(document, value);
        else if (!text_equal(name, TEXT("viewTarget")) && !text_equal(name, TEXT("zoomAndPan")))
            *good = false;
        if (!done)
            return false;
    }
    return true;
}

/* Takes xywh=x,y,width,height, in user units of the outermost svg (Media Fragments 1.0, 4.2.2). */
static bool take_rectangle(svg_document *document, text value)
{
    const text pixel = TEXT("pixel:");
    if (text_starts_with(value, pixel))
        value = text_from(value.bytes + pixel.count, value.bytes + value.count);
    return set_text(document, SVG_VIEW_BOX, value);
}

bool svg_view_apply(svg_document *document, text fragment, svg_warnings *warnings)
{
    const text function = TEXT("svgView("), rectangle = TEXT("xywh=");
    bool done = true, good = true;
    if (fragment.count == 0)
        return true;
    if (text_starts_with(fragment, function) && fragment.bytes[fragment.count - 1] == ')') {
        done = take_parameters(document,
                               text_from(fragment.bytes + function.count, fragment.bytes + fragment.count - 1), &good);
    } else if (text_starts_with(fragment, rectangle)) {
        done = take_rectangle(document, text_from(fragment.bytes + rectangle.count, fragment.bytes + fragment.count));
    } else {
        uint32_t node = svg_document_find(document, 0, fragment);
        good = node != SVG_NO_NODE;
        if (good && document->nodes.items[node].element == SVG_VIEW)
            done = take_view(document, node);
    }
    if (!good)
        svg_warn(warnings, 0, "the view #%.*s is not there or not understood", TEXT_PRINT(fragment));
    return done;
}
