#include "svg/color.h"

#include <math.h>

#include "base/number.h"
#include "svg/color_names.h"

#define LONGEST_NAME 20u      /* lightgoldenrodyellow */

typedef struct color_name {
    char name[LONGEST_NAME + 1];
    uint8_t count;
    uint32_t rgb;
} color_name;

static const color_name color_names[] = {
#define COLOR_NAME(name, rgb) { name, sizeof(name) - 1, rgb },
    SVG_COLOR_NAMES(COLOR_NAME)
#undef COLOR_NAME
};

static pietra_color color_of_bytes(uint32_t r, uint32_t g, uint32_t b, uint32_t a)
{
    return (pietra_color){ (float)(r / 255.0), (float)(g / 255.0), (float)(b / 255.0), (float)(a / 255.0) };
}

static bool is_name_character(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '_' || (unsigned char)c >= 0x80;
}

static unsigned hexadecimal(char c)
{
    unsigned digit = (unsigned)c - '0';
    if (digit <= 9)
        return digit;
    unsigned letter = (unsigned)text_lower(c) - 'a';
    return letter < 6 ? letter + 10 : 16;
}

/* What follows a '#'. */
static bool parse_hexadecimal(text *rest, pietra_color *color)
{
    uint32_t digits[8];
    size_t count = 0;
    while (count < rest->count && is_name_character(rest->bytes[count])) {
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

static bool find_name(text name, pietra_color *color)
{
    char lower[LONGEST_NAME];
    if (name.count > LONGEST_NAME)
        return false;
    for (size_t i = 0; i < name.count; i++)
        lower[i] = text_lower(name.bytes[i]);
    if (text_equal((text){ lower, name.count }, TEXT("transparent"))) {
        *color = (pietra_color){ 0, 0, 0, 0 };
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
    return false;
}

static const char *skip_space(const char *at, const char *end)
{
    while (at < end && text_is_space(*at))
        at++;
    return at;
}

typedef enum argument_unit { ARGUMENT_NUMBER, ARGUMENT_PERCENT, ARGUMENT_ANGLE } argument_unit;

typedef struct argument {
    double value;             /* an angle in degrees */
    argument_unit unit;
} argument;

static bool parse_angle_unit(const char **at, const char *end, argument *argument)
{
    static const struct {
        text name;
        double degrees;
    } units[] = {
        { TEXT_LITERAL("deg"), 1 },
        { TEXT_LITERAL("rad"), 57.29577951308232 },
        { TEXT_LITERAL("grad"), 0.9 },
        { TEXT_LITERAL("turn"), 360 },
    };
    const char *stop = *at;
    while (stop < end && is_name_character(*stop))
        stop++;
    for (size_t i = 0; i < sizeof units / sizeof units[0]; i++)
        if (text_equal_ignoring_case(text_from(*at, stop), units[i].name)) {
            argument->value *= units[i].degrees;
            argument->unit = ARGUMENT_ANGLE;
            *at = stop;
            return true;
        }
    return stop == *at;
}

/* The arguments up to the closing parenthesis: 3 or 4, all separated by commas, or by blanks with a slash before the fourth.
 * Returns how many there are; 0: bad. *at stands behind the parenthesis. */
static int parse_arguments(const char **at, const char *end, argument arguments[4])
{
    bool commas = false;
    for (int count = 0; count < 4;) {
        *at = skip_space(*at, end);
        argument *argument = &arguments[count++];
        argument->unit = ARGUMENT_NUMBER;
        if (!number_parse(at, end, &argument->value) || !isfinite(argument->value))
            return 0;
        if (*at < end && **at == '%') {
            argument->unit = ARGUMENT_PERCENT;
            ++*at;
        } else if (!parse_angle_unit(at, end, argument)) {
            return 0;
        }
        *at = skip_space(*at, end);
        if (*at == end)
            return 0;
        if (**at == ')') {
            ++*at;
            return count >= 3 ? count : 0;
        }
        if (count == 1)
            commas = **at == ',';
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

static bool convert_rgb(const argument arguments[4], pietra_color *color)
{
    double channels[3];
    for (int i = 0; i < 3; i++) {
        if (arguments[i].unit != arguments[0].unit || arguments[i].unit == ARGUMENT_ANGLE)
            return false;
        channels[i] = clamp_unit(arguments[i].value / (arguments[i].unit == ARGUMENT_PERCENT ? 100 : 255));
    }
    *color = (pietra_color){ (float)channels[0], (float)channels[1], (float)channels[2], 1 };
    return true;
}

/* CSS Color 3, section 4.2.4, of a hue in sixths of a turn, 0 to 6. */
static double hue_channel(double low, double high, double hue)
{
    hue = hue < 0 ? hue + 6 : hue >= 6 ? hue - 6 : hue;
    if (hue < 1)
        return low + (high - low) * hue;
    if (hue < 3)
        return high;
    return hue < 4 ? low + (high - low) * (4 - hue) : low;
}

static bool convert_hsl(const argument arguments[4], pietra_color *color)
{
    if (arguments[0].unit == ARGUMENT_PERCENT || arguments[1].unit != ARGUMENT_PERCENT || arguments[2].unit != ARGUMENT_PERCENT)
        return false;
    double hue = fmod(arguments[0].value, 360) / 60;
    double saturation = clamp_unit(arguments[1].value / 100), lightness = clamp_unit(arguments[2].value / 100);
    hue = hue < 0 ? hue + 6 : hue;
    double high = lightness <= 0.5 ? lightness * (saturation + 1) : lightness + saturation - lightness * saturation;
    double low = lightness * 2 - high;
    *color = (pietra_color){ (float)hue_channel(low, high, hue + 2), (float)hue_channel(low, high, hue), (float)hue_channel(low, high, hue - 2), 1 };
    return true;
}

static bool parse_function(text name, text *rest, pietra_color *color)
{
    bool rgb = text_equal_ignoring_case(name, TEXT("rgb")) || text_equal_ignoring_case(name, TEXT("rgba"));
    if (!rgb && !text_equal_ignoring_case(name, TEXT("hsl")) && !text_equal_ignoring_case(name, TEXT("hsla")))
        return false;
    const char *at = rest->bytes, *end = at + rest->count;
    argument arguments[4];
    int count = parse_arguments(&at, end, arguments);
    pietra_color result;
    if (count == 0 || !(rgb ? convert_rgb : convert_hsl)(arguments, &result))
        return false;
    if (count == 4) {
        if (arguments[3].unit == ARGUMENT_ANGLE)
            return false;
        result.a = (float)clamp_unit(arguments[3].value / (arguments[3].unit == ARGUMENT_PERCENT ? 100 : 1));
    }
    *color = result;
    *rest = text_from(at, end);
    return true;
}

bool svg_color_parse(text *rest, pietra_color *color)
{
    if (rest->count == 0)
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
    while (count < after.count && is_name_character(after.bytes[count]))
        count++;
    text name = { after.bytes, count };
    if (count < after.count && after.bytes[count] == '(') {
        after = text_from(after.bytes + count + 1, after.bytes + after.count);
        if (!parse_function(name, &after, color))
            return false;
    } else {
        if (!find_name(name, color))
            return false;
        after = text_from(after.bytes + count, after.bytes + after.count);
    }
    *rest = after;
    return true;
}

bool pietra_color_parse(const char *string, pietra_color *color)
{
    if (!string || !color)
        return false;
    text rest = text_trim((text){ string, strlen(string) });
    pietra_color result;
    if (!svg_color_parse(&rest, &result) || rest.count)
        return false;
    *color = result;
    return true;
}
