#include "svg/transform_origin.h"

#include "base/transform.h"

typedef struct origin_word {
    svg_length length;
    bool horizontal, vertical; /* may stand for this axis */
} origin_word;

static bool parse_word(text word, double dpi, origin_word *result)
{
    static const struct {
        text name;
        double percent;
        bool horizontal, vertical;
    } keywords[] = {
        { TEXT_LITERAL("left"), 0, true, false },   { TEXT_LITERAL("right"), 100, true, false },
        { TEXT_LITERAL("top"), 0, false, true },    { TEXT_LITERAL("bottom"), 100, false, true },
        { TEXT_LITERAL("center"), 50, true, true },
    };
    for (size_t i = 0; i < sizeof keywords / sizeof keywords[0]; i++)
        if (text_equal_ignoring_case(word, keywords[i].name)) {
            *result = (origin_word){ { keywords[i].percent, SVG_UNIT_PERCENT }, keywords[i].horizontal, keywords[i].vertical };
            return true;
        }
    result->horizontal = result->vertical = true;
    return svg_length_parse(word, dpi, &result->length);
}

/* One to three words: across, down and, of no effect here, depth. Keywords may come in the other order. */
static bool parse_origin(text value, double dpi, svg_length *x, svg_length *y)
{
    origin_word words[3];
    size_t count = 0;
    value = text_trim(value);
    while (value.count) {
        size_t length = 0;
        while (length < value.count && !text_is_space(value.bytes[length]))
            length++;
        if (count == 3 || !parse_word((text){ value.bytes, length }, dpi, &words[count++]))
            return false;
        value = text_trim(text_from(value.bytes + length, value.bytes + value.count));
    }
    if (count == 0)
        return false;
    if (count == 1)
        words[1] = (origin_word){ { 50, SVG_UNIT_PERCENT }, true, true };
    bool swapped = !words[0].horizontal || !words[1].vertical;
    if (swapped && (!words[0].vertical || !words[1].horizontal))
        return false;
    *x = words[swapped].length;
    *y = words[!swapped].length;
    return true;
}

pietra_transform svg_transform_about_origin(const svg_document *document, uint32_t node, const svg_metrics *metrics, pietra_transform transform)
{
    const svg_attribute *origin = svg_attribute_find(document, node, SVG_TRANSFORM_ORIGIN);
    svg_length x_length, y_length;
    if (!origin || !parse_origin((text){ origin->bytes, origin->count }, document->dpi, &x_length, &y_length)) {
        if (node != 0)
            return transform;
        x_length = y_length = (svg_length){ 50, SVG_UNIT_PERCENT };
    }
    double x = svg_length_resolve(x_length, SVG_AXIS_X, metrics), y = svg_length_resolve(y_length, SVG_AXIS_Y, metrics);
    return transform_multiply(transform_multiply(transform_translate(x, y), transform), transform_translate(-x, -y));
}
