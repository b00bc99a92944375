/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "svg/css/color.h"

#include <math.h>

#include "base/number.h"
#include "svg/css/color_channels.h"
#include "svg/css/color_mix.h"
#include "svg/css/color_names.h"
#include "svg/css/color_space.h"
#include "svg/css/css_token.h"
#include "svg/css/length.h"

#define LONGEST_NAME 20u  /* lightgoldenrodyellow */
#define DEEPEST_COLOR 32u /* how deep colours may nest */

typedef struct color_name {
    char name[LONGEST_NAME + 1];
    uint8_t count;
    uint32_t rgb;
} color_name;

static const color_name color_names[] = {
#define COLOR_NAME(name, rgb) {name, sizeof(name) - 1, rgb},
    SVG_COLOR_NAMES(COLOR_NAME)
#undef COLOR_NAME
};

static pietra_color color_of_bytes(uint32_t r, uint32_t g, uint32_t b, uint32_t a)
{
    return (pietra_color){(float)(r / 255.0), (float)(g / 255.0), (float)(b / 255.0), (float)(a / 255.0)};
}

static unsigned hexadecimal(char c)
{
    unsigned digit = (unsigned)c - '0';
    if (digit <= 9)
        return digit;
    unsigned letter = (unsigned)text_lower(c) - 'a';
    return letter < 6 ? letter + 10 : 16;
}

/* Reads the digits after a '#'. */
static bool parse_hexadecimal(text *rest, pietra_color *color)
{
    uint32_t digits[8];
    size_t count = 0;
    while (count < rest->count && css_token_is_name(rest->bytes[count])) {
        unsigned digit = hexadecimal(rest->bytes[count]);
        if (digit > 15 || count == 8)
            return false;
        digits[count++] = digit;
    }
    if (count == 3 || count == 4)
        *color = color_of_bytes(digits[0] * 17, digits[1] * 17, digits[2] * 17, count == 4 ? digits[3] * 17 : 255);
    else if (count == 6 || count == 8)
        *color = color_of_bytes(digits[0] * 16 + digits[1], digits[2] * 16 + digits[3], digits[4] * 16 + digits[5],
                                count == 8 ? digits[6] * 16 + digits[7] : 255);
    else
        return false;
    *rest = text_from(rest->bytes + count, rest->bytes + rest->count);
    return true;
}

/* System colours (CSS Color 4, section 6.2) and deprecated ones (appendix A), as a light desktop has them. */
static const struct {
    text name;
    uint32_t rgb;
} system_colors[] = {
    {TEXT_LITERAL("accentcolor"), 0x0060df},
    {TEXT_LITERAL("accentcolortext"), 0xffffff},
    {TEXT_LITERAL("activetext"), 0xff0000},
    {TEXT_LITERAL("buttonborder"), 0x000000},
    {TEXT_LITERAL("buttonface"), 0xefefef},
    {TEXT_LITERAL("buttontext"), 0x000000},
    {TEXT_LITERAL("canvas"), 0xffffff},
    {TEXT_LITERAL("canvastext"), 0x000000},
    {TEXT_LITERAL("field"), 0xffffff},
    {TEXT_LITERAL("fieldtext"), 0x000000},
    {TEXT_LITERAL("graytext"), 0x808080},
    {TEXT_LITERAL("highlight"), 0xb5d5ff},
    {TEXT_LITERAL("highlighttext"), 0x000000},
    {TEXT_LITERAL("linktext"), 0x0000ee},
    {TEXT_LITERAL("mark"), 0xffff00},
    {TEXT_LITERAL("marktext"), 0x000000},
    {TEXT_LITERAL("selecteditem"), 0x0060df},
    {TEXT_LITERAL("selecteditemtext"), 0xffffff},
    {TEXT_LITERAL("visitedtext"), 0x551a8b},
    {TEXT_LITERAL("activeborder"), 0x000000},
    {TEXT_LITERAL("activecaption"), 0xffffff},
    {TEXT_LITERAL("appworkspace"), 0xffffff},
    {TEXT_LITERAL("background"), 0xffffff},
    {TEXT_LITERAL("buttonhighlight"), 0xefefef},
    {TEXT_LITERAL("buttonshadow"), 0xefefef},
    {TEXT_LITERAL("captiontext"), 0x000000},
    {TEXT_LITERAL("inactiveborder"), 0x000000},
    {TEXT_LITERAL("inactivecaption"), 0xffffff},
    {TEXT_LITERAL("inactivecaptiontext"), 0x808080},
    {TEXT_LITERAL("infobackground"), 0xffffff},
    {TEXT_LITERAL("infotext"), 0x000000},
    {TEXT_LITERAL("menu"), 0xffffff},
    {TEXT_LITERAL("menutext"), 0x000000},
    {TEXT_LITERAL("scrollbar"), 0xffffff},
    {TEXT_LITERAL("threeddarkshadow"), 0x000000},
    {TEXT_LITERAL("threedface"), 0xefefef},
    {TEXT_LITERAL("threedhighlight"), 0x000000},
    {TEXT_LITERAL("threedlightshadow"), 0x000000},
    {TEXT_LITERAL("threedshadow"), 0x000000},
    {TEXT_LITERAL("window"), 0xffffff},
    {TEXT_LITERAL("windowframe"), 0x000000},
    {TEXT_LITERAL("windowtext"), 0x000000},
};

static bool find_name(text name, pietra_color *color)
{
    char lower[LONGEST_NAME];
    if (name.count > LONGEST_NAME)
        return false;
    for (size_t i = 0; i < name.count; i++)
        lower[i] = text_lower(name.bytes[i]);
    if (text_equal((text){lower, name.count}, TEXT("transparent"))) {
        *color = (pietra_color){0, 0, 0, 0};
        return true;
    }
    size_t low = 0, high = sizeof color_names / sizeof color_names[0];
    while (low < high) {
        size_t middle = (low + high) / 2;
        const color_name *entry = &color_names[middle];
        size_t common = name.count < entry->count ? name.count : entry->count;
        int order = memcmp(lower, entry->name, common);
        if (order == 0 && name.count == entry->count) {
            *color = color_of_bytes(entry->rgb >> 16, entry->rgb >> 8 & 255, entry->rgb & 255, 255);
            return true;
        }
        if (order < 0 || (order == 0 && name.count < entry->count))
            high = middle;
        else
            low = middle + 1;
    }
    for (size_t i = 0; i < sizeof system_colors / sizeof system_colors[0]; i++)
        if (text_equal((text){lower, name.count}, system_colors[i].name)) {
            uint32_t rgb = system_colors[i].rgb;
            *color = color_of_bytes(rgb >> 16, rgb >> 8 & 255, rgb & 255, 255);
            return true;
        }
    return false;
}

typedef enum argument_unit { ARGUMENT_NUMBER, ARGUMENT_PERCENT, ARGUMENT_ANGLE, ARGUMENT_NONE } argument_unit;

typedef struct argument {
    double value; /* degrees if it is an angle; 0 if it is `none` */
    argument_unit unit;
} argument;

static bool parse_angle_unit(const char **at, const char *end, argument *argument)
{
    const char *stop = *at;
    while (stop < end && css_token_is_name(*stop))
        stop++;
    double degrees = svg_angle_unit(text_from(*at, stop));
    if (degrees == 0)
        return stop == *at;
    argument->value *= degrees;
    argument->unit = ARGUMENT_ANGLE;
    *at = stop;
    return true;
}

static bool parse_argument(const char **at, const char *end, argument *argument)
{
    const text none = TEXT("none");
    *argument = (struct argument){0, ARGUMENT_NUMBER};
    if ((size_t)(end - *at) >= none.count && text_equal_ignoring_case((text){*at, none.count}, none)) {
        argument->unit = ARGUMENT_NONE;
        *at += none.count;
        return true;
    }
    svg_calc_kind kind;
    if (svg_calc_scan_value(at, end, &argument->value, &kind)) {
        argument->unit = kind == SVG_CALC_NUMBER    ? ARGUMENT_NUMBER
                         : kind == SVG_CALC_PERCENT ? ARGUMENT_PERCENT
                                                    : ARGUMENT_ANGLE;
        return true;
    }
    if (!number_parse(at, end, &argument->value) || !isfinite(argument->value))
        return false;
    if (*at < end && **at == '%') {
        argument->unit = ARGUMENT_PERCENT;
        ++*at;
        return true;
    }
    return parse_angle_unit(at, end, argument);
}

/* Returns whether the arguments may be separated by commas. CSS Color 3 allows this for numbers alone, for percentages
 * alone, and for percentages after a hue. */
static bool is_legacy(const argument arguments[4], bool hues)
{
    if (hues)
        return arguments[1].unit == ARGUMENT_PERCENT && arguments[2].unit == ARGUMENT_PERCENT;
    return arguments[1].unit == arguments[0].unit && arguments[2].unit == arguments[0].unit;
}

/* Reads the arguments up to the closing parenthesis, and moves *at behind it. There are 3 or 4. Commas separate all of
 * them where commas are allowed; otherwise blanks do, with a slash before the fourth. Returns their number; 0: they are
 * not valid. */
static int parse_arguments(const char **at, const char *end, bool commas_allowed, bool hues, argument arguments[4])
{
    bool commas = false, none = false;
    for (int count = 0; count < 4;) {
        *at = text_skip_space(*at, end);
        if (!parse_argument(at, end, &arguments[count++]))
            return 0;
        none = none || arguments[count - 1].unit == ARGUMENT_NONE;
        *at = text_skip_space(*at, end);
        if (*at == end)
            return 0;
        if (**at == ')') {
            ++*at;
            return count >= 3 && !(commas && (none || !is_legacy(arguments, hues))) ? count : 0;
        }
        if (count == 1)
            commas = **at == ',';
        if (commas && !commas_allowed)
            return 0;
        if (commas || count == 3) {
            if (**at != (commas ? ',' : '/'))
                return 0;
            ++*at;
        } else if (**at == ',') {
            return 0;
        }
    }
    return 0;
}

static double clamp_unit(double value)
{
    return value < 0 ? 0 : value > 1 ? 1 : value;
}

static bool convert_rgb(const argument arguments[4], double rgb[3])
{
    for (int i = 0; i < 3; i++) {
        if (arguments[i].unit == ARGUMENT_ANGLE)
            return false;
        rgb[i] = clamp_unit(arguments[i].value / (arguments[i].unit == ARGUMENT_PERCENT ? 100 : 255));
    }
    return true;
}

static bool convert_hsl(const argument arguments[4], double rgb[3])
{
    if (arguments[0].unit == ARGUMENT_PERCENT || arguments[1].unit == ARGUMENT_ANGLE ||
        arguments[2].unit == ARGUMENT_ANGLE)
        return false;
    const double hsl[3] = {arguments[0].value, clamp_unit(arguments[1].value / 100),
                           clamp_unit(arguments[2].value / 100)};
    color_from_hsl(hsl, rgb);
    return true;
}

static bool convert_hwb(const argument arguments[4], double rgb[3])
{
    if (arguments[0].unit == ARGUMENT_PERCENT || arguments[1].unit == ARGUMENT_ANGLE ||
        arguments[2].unit == ARGUMENT_ANGLE)
        return false;
    const double hwb[3] = {arguments[0].value, clamp_unit(arguments[1].value / 100),
                           clamp_unit(arguments[2].value / 100)};
    color_from_hwb(hwb, rgb);
    return true;
}

/* Converts lab or oklab. `bases` holds what 100% means for each channel. */
static bool convert_lab(const argument arguments[4], bool ok, double rgb[3])
{
    const double bases[3] = {ok ? 1 : 100, ok ? 0.4 : 125, ok ? 0.4 : 125};
    double lab[3];
    for (int i = 0; i < 3; i++) {
        if (arguments[i].unit == ARGUMENT_ANGLE)
            return false;
        lab[i] = arguments[i].value * (arguments[i].unit == ARGUMENT_PERCENT ? bases[i] / 100 : 1);
    }
    (ok ? color_space_from_oklab : color_space_from_lab)(lab, rgb);
    return true;
}

static bool convert_lch(const argument arguments[4], bool ok, double rgb[3])
{
    if (arguments[0].unit == ARGUMENT_ANGLE || arguments[1].unit == ARGUMENT_ANGLE ||
        arguments[2].unit == ARGUMENT_PERCENT)
        return false;
    double chroma = arguments[1].value * (arguments[1].unit == ARGUMENT_PERCENT ? (ok ? 0.4 : 150) / 100 : 1);
    double hue = arguments[2].value / 57.29577951308232;
    chroma = chroma < 0 ? 0 : chroma;
    const argument cartesian[4] = {
        arguments[0],
        {chroma * cos(hue), ARGUMENT_NUMBER},
        {chroma * sin(hue), ARGUMENT_NUMBER},
        {1, ARGUMENT_NUMBER},
    };
    return convert_lab(cartesian, ok, rgb);
}

typedef enum function_id {
    FUNCTION_RGB,
    FUNCTION_HSL,
    FUNCTION_HWB,
    FUNCTION_LAB,
    FUNCTION_OKLAB,
    FUNCTION_LCH,
    FUNCTION_OKLCH
} function_id;

static const struct {
    text name;
    uint8_t id;
} functions[] = {
    {TEXT_LITERAL("rgb"), FUNCTION_RGB},     {TEXT_LITERAL("rgba"), FUNCTION_RGB},
    {TEXT_LITERAL("hsl"), FUNCTION_HSL},     {TEXT_LITERAL("hsla"), FUNCTION_HSL},
    {TEXT_LITERAL("hwb"), FUNCTION_HWB},     {TEXT_LITERAL("lab"), FUNCTION_LAB},
    {TEXT_LITERAL("oklab"), FUNCTION_OKLAB}, {TEXT_LITERAL("lch"), FUNCTION_LCH},
    {TEXT_LITERAL("oklch"), FUNCTION_OKLCH},
};

static bool convert(function_id id, const argument arguments[4], double rgb[3])
{
    switch (id) {
    case FUNCTION_RGB:
        return convert_rgb(arguments, rgb);
    case FUNCTION_HSL:
        return convert_hsl(arguments, rgb);
    case FUNCTION_HWB:
        return convert_hwb(arguments, rgb);
    case FUNCTION_LAB:
        return convert_lab(arguments, false, rgb);
    case FUNCTION_OKLAB:
        return convert_lab(arguments, true, rgb);
    case FUNCTION_LCH:
        return convert_lch(arguments, false, rgb);
    case FUNCTION_OKLCH:
        break;
    }
    return convert_lch(arguments, true, rgb);
}

/* Reads the name of a space and three numbers: color(display-p3 1 0.5 0). */
static int parse_in_space(const char **at, const char *end, argument arguments[4], double rgb[3])
{
    *at = text_skip_space(*at, end);
    const char *begin = *at;
    while (*at < end && css_token_is_name(**at))
        ++*at;
    text space = text_from(begin, *at);
    int count = parse_arguments(at, end, false, false, arguments);
    double values[3];
    for (int i = 0; i < 3 && count; i++) {
        if (arguments[i].unit == ARGUMENT_ANGLE)
            return 0;
        values[i] = arguments[i].value / (arguments[i].unit == ARGUMENT_PERCENT ? 100 : 1);
    }
    return count && color_space_from_name(space, values, rgb) ? count : 0;
}

static bool parse_color(text *rest, pietra_color *color, pietra_color *dark, svg_color_context context);

/* Reads what follows light-dark( . */
static bool parse_light_dark(text *rest, pietra_color *color, pietra_color *dark, svg_color_context context)
{
    text at = text_trim(*rest);
    if (!parse_color(&at, color, NULL, svg_color_within(context)))
        return false;
    at = text_from(text_skip_space(at.bytes, at.bytes + at.count), at.bytes + at.count);
    if (at.count == 0 || at.bytes[0] != ',')
        return false;
    at = text_trim(text_from(at.bytes + 1, at.bytes + at.count));
    if (!parse_color(&at, dark, NULL, svg_color_within(context)))
        return false;
    at = text_from(text_skip_space(at.bytes, at.bytes + at.count), at.bytes + at.count);
    if (at.count == 0 || at.bytes[0] != ')')
        return false;
    *rest = text_from(at.bytes + 1, at.bytes + at.count);
    return true;
}

static bool evaluate_function(text name, const char **at, const char *end, bool commas_allowed, pietra_color *color)
{
    size_t i = 0, known = sizeof functions / sizeof functions[0];
    argument arguments[4];
    double rgb[3];
    int count = 0;
    while (i < known && !text_equal_ignoring_case(name, functions[i].name))
        i++;
    if (i < known) {
        commas_allowed = commas_allowed && functions[i].id <= FUNCTION_HSL;
        count = parse_arguments(at, end, commas_allowed, functions[i].id == FUNCTION_HSL, arguments);
        if (count && !convert((function_id)functions[i].id, arguments, rgb))
            count = 0;
    } else if (text_equal_ignoring_case(name, TEXT("color"))) {
        count = parse_in_space(at, end, arguments, rgb);
    }
    if (count == 0 || (count == 4 && arguments[3].unit == ARGUMENT_ANGLE))
        return false;
    double alpha = count == 4 ? arguments[3].value / (arguments[3].unit == ARGUMENT_PERCENT ? 100 : 1) : 1;
    *color = (pietra_color){(float)rgb[0], (float)rgb[1], (float)rgb[2], (float)clamp_unit(alpha)};
    return true;
}

/* Reads a function's arguments, after the opening parenthesis. */
static bool parse_function(text name, text *rest, pietra_color *color, svg_color_context context)
{
    if (text_equal_ignoring_case(name, TEXT("color-mix")))
        return svg_color_mix_parse(rest, context, color);
    const char *at = rest->bytes, *end = at + rest->count;
    char room[SVG_RELATIVE_COLOR_ROOM];
    text values = *rest;
    bool relative = svg_color_is_relative(*rest);
    if (relative && !svg_color_relative_parse(name, &values, context, room, rest))
        return false;
    if (relative) {
        at = values.bytes;
        end = at + values.count;
    }
    if (!evaluate_function(name, &at, end, !relative, color) || (relative && at != end))
        return false;
    if (!relative)
        *rest = text_from(at, end);
    return true;
}

/* If dark is NULL, light-dark() may not stand here. */
static bool parse_color(text *rest, pietra_color *color, pietra_color *dark, svg_color_context context)
{
    if (rest->count == 0 || context.depth > DEEPEST_COLOR)
        return false;
    text after = *rest;
    if (after.bytes[0] == '#') {
        after = text_from(after.bytes + 1, after.bytes + after.count);
        if (!parse_hexadecimal(&after, color))
            return false;
        *rest = after;
        return true;
    }
    size_t count = 0;
    while (count < after.count && css_token_is_name(after.bytes[count]))
        count++;
    text name = {after.bytes, count};
    if (count < after.count && after.bytes[count] == '(') {
        after = text_from(after.bytes + count + 1, after.bytes + after.count);
        if (dark && text_equal_ignoring_case(name, TEXT("light-dark"))) {
            if (!parse_light_dark(&after, color, dark, context))
                return false;
            *rest = after;
            return true;
        }
        if (!parse_function(name, &after, color, context))
            return false;
    } else {
        bool current = context.depth > 0 && context.current && text_equal_ignoring_case(name, TEXT("currentcolor"));
        if (current)
            *color = *context.current;
        else if (!find_name(name, color))
            return false;
        after = text_from(after.bytes + count, after.bytes + after.count);
    }
    *rest = after;
    return true;
}

bool svg_color_parse_nested(text *rest, svg_color_context context, pietra_color *color)
{
    return parse_color(rest, color, NULL, context);
}

static pietra_color within_srgb(pietra_color color)
{
    return (pietra_color){(float)clamp_unit(color.r), (float)clamp_unit(color.g), (float)clamp_unit(color.b), color.a};
}

bool svg_color_parse(text *rest, const pietra_color *current, pietra_color *color, pietra_color *dark)
{
    pietra_color read, read_dark = {.a = -1}; /* no colour has this alpha */
    if (!parse_color(rest, &read, &read_dark, (svg_color_context){current, 0}))
        return false;
    *color = within_srgb(read);
    *dark = within_srgb(read_dark.a < 0 ? read : read_dark);
    return true;
}

bool pietra_color_parse(const char *string, pietra_color *color)
{
    if (!string || !color)
        return false;
    text rest = text_trim((text){string, strlen(string)});
    pietra_color result, dark;
    if (!svg_color_parse(&rest, NULL, &result, &dark) || rest.count)
        return false;
    *color = result;
    return true;
}

bool svg_color_mentions_current(text value)
{
    const text word = TEXT("currentcolor");
    for (size_t i = 0; i + word.count <= value.count; i++)
        if (text_equal_ignoring_case((text){value.bytes + i, word.count}, word))
            return true;
    return false;
}
