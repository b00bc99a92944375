/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "svg/css/color_mix.h"

#include <math.h>

#include "base/number.h"
#include "svg/css/color_channels.h"
#include "svg/css/css_token.h"
#include "svg/css/length.h"

static void skip_space(text *rest)
{
    const char *end = rest->bytes + rest->count;
    *rest = text_from(text_skip_space(rest->bytes, end), end);
}

/* Takes the name behind any blanks. The result is empty if there is none. */
static text take_name(text *rest)
{
    skip_space(rest);
    const char *at = rest->bytes, *end = at + rest->count;
    while (at < end && css_token_is_name(*at))
        at++;
    text name = text_from(rest->bytes, at);
    *rest = text_from(at, end);
    return name;
}

static bool take_sign(text *rest, char sign)
{
    skip_space(rest);
    if (rest->count == 0 || rest->bytes[0] != sign)
        return false;
    *rest = text_from(rest->bytes + 1, rest->bytes + rest->count);
    return true;
}

static bool take_percentage(text *rest, double *part)
{
    skip_space(rest);
    const char *at = rest->bytes, *end = at + rest->count;
    svg_calc_kind kind = SVG_CALC_PERCENT;
    if (!svg_calc_scan_value(&at, end, part, &kind)) {
        if (!number_parse(&at, end, part) || at == end || *at++ != '%')
            return false;
    }
    if (kind != SVG_CALC_PERCENT || !(*part >= 0 && *part <= 100))
        return false;
    *rest = text_from(at, end);
    return true;
}

typedef enum hue_way { HUE_SHORTER, HUE_LONGER, HUE_INCREASING, HUE_DECREASING, HUE_WAYS } hue_way;

static const text hue_ways[HUE_WAYS] = {TEXT_LITERAL("shorter"), TEXT_LITERAL("longer"), TEXT_LITERAL("increasing"),
                                        TEXT_LITERAL("decreasing")};

/* Takes `in`, a space, perhaps a way around its hues, and a comma. If there is no `in`, the space is oklab. */
static bool take_method(text *rest, text *space, hue_way *way)
{
    text before = *rest;
    *space = TEXT("oklab");
    *way = HUE_SHORTER;
    if (!text_equal_ignoring_case(take_name(rest), TEXT("in"))) {
        *rest = before;
        return true;
    }
    *space = take_name(rest);
    text name = take_name(rest);
    if (name.count > 0) {
        unsigned i = 0;
        while (i < HUE_WAYS && !text_equal_ignoring_case(name, hue_ways[i]))
            i++;
        if (i == HUE_WAYS || !text_equal_ignoring_case(take_name(rest), TEXT("hue")))
            return false;
        *way = (hue_way)i;
    }
    return take_sign(rest, ',');
}

typedef struct ingredient {
    pietra_color color;
    double part; /* in percent; below 0: not given */
} ingredient;

/* Takes a colour with a percentage before or behind it. */
static bool take_ingredient(text *rest, svg_color_context context, ingredient *ingredient)
{
    ingredient->part = -1;
    bool before = take_percentage(rest, &ingredient->part);
    skip_space(rest);
    if (!svg_color_parse_nested(rest, svg_color_within(context), &ingredient->color))
        return false;
    if (!before)
        (void)take_percentage(rest, &ingredient->part);
    return true;
}

/* Returns the second hue plus a multiple of 360 degrees, so that it lies the right way around from the first. */
static double hue_towards(double first, double second, hue_way way)
{
    double difference = fmod(second - first, 360);
    difference += difference < 0 ? 360 : 0;
    bool up = way == HUE_INCREASING || (way == HUE_SHORTER && difference <= 180) ||
              (way == HUE_LONGER && (difference == 0 || difference > 180));
    return first + (up ? difference : difference - 360);
}

static bool mix(text space, hue_way way, const ingredient both[2], pietra_color *color)
{
    color_channels channels[2], mixed;
    double alphas[2], share = both[0].part / (both[0].part + both[1].part), rgb[3];
    for (int i = 0; i < 2; i++) {
        const pietra_color *from = &both[i].color;
        const double values[3] = {from->r, from->g, from->b};
        if (!color_channels_of(space, values, &channels[i]))
            return false;
        alphas[i] = from->a;
    }
    int hue = channels[0].hue;
    if (hue < 0 && way != HUE_SHORTER)
        return false;
    if (hue >= 0 && channels[0].powerless)
        channels[0].values[hue] = channels[1].values[hue];
    if (hue >= 0 && channels[1].powerless)
        channels[1].values[hue] = channels[0].values[hue];
    if (hue >= 0)
        channels[1].values[hue] = hue_towards(channels[0].values[hue], channels[1].values[hue], way);
    double alpha = alphas[0] * share + alphas[1] * (1 - share);
    mixed = channels[0];
    for (int i = 0; i < 3; i++) {
        double first = channels[0].values[i] * share, second = channels[1].values[i] * (1 - share);
        if (i == hue)
            mixed.values[i] = first + second;
        else
            mixed.values[i] = alpha > 0 ? (first * alphas[0] + second * alphas[1]) / alpha : 0;
    }
    color_channels_to_rgb(space, &mixed, rgb);
    *color = (pietra_color){(float)rgb[0], (float)rgb[1], (float)rgb[2],
                            (float)(alpha * fmin((both[0].part + both[1].part) / 100, 1))};
    return true;
}

bool svg_color_mix_parse(text *rest, svg_color_context context, pietra_color *color)
{
    text at = *rest, space;
    hue_way way;
    ingredient both[2];
    if (!take_method(&at, &space, &way) || !take_ingredient(&at, context, &both[0]) || !take_sign(&at, ',') ||
        !take_ingredient(&at, context, &both[1]) || !take_sign(&at, ')'))
        return false;
    if (both[0].part < 0)
        both[0].part = both[1].part < 0 ? 50 : 100 - both[1].part;
    if (both[1].part < 0)
        both[1].part = 100 - both[0].part;
    if (!(both[0].part + both[1].part > 0) || !mix(space, way, both, color))
        return false;
    *rest = at;
    return true;
}

bool svg_color_is_relative(text arguments)
{
    text name = take_name(&arguments);
    return text_equal_ignoring_case(name, TEXT("from"));
}

/* Text that replaces the arguments of a function. */
typedef struct rewriting {
    char *room;
    size_t count;
    bool full;
} rewriting;

static void write_text(rewriting *out, text piece)
{
    if (piece.count > SVG_RELATIVE_COLOR_ROOM - out->count) {
        out->full = true;
        return;
    }
    if (piece.count > 0)
        memcpy(out->room + out->count, piece.bytes, piece.count);
    out->count += piece.count;
}

/* Writes a number with nine decimals, whatever the locale. */
static void write_number(rewriting *out, double value)
{
    char digits[40];
    size_t at = sizeof digits;
    uint64_t scaled = (uint64_t)(fmin(fabs(value), 1e9) * 1e9 + 0.5);
    for (int i = 0; i < 9 || scaled > 0; i++) {
        digits[--at] = (char)('0' + scaled % 10);
        scaled /= 10;
        if (i == 8)
            digits[--at] = '.';
    }
    if (value < 0)
        digits[--at] = '-';
    write_text(out, (text){digits + at, sizeof digits - at});
}

/* The letters of a function's channels, and the factor from color_channels to the function's numbers. */
typedef struct channel_names {
    text space;
    const char *letters;
    double scale;
} channel_names;

static channel_names names_of(text function, text space)
{
    static const channel_names functions[] = {
        {TEXT_LITERAL("hsl"), "hsl", 1},   {TEXT_LITERAL("hwb"), "hwb", 1}, {TEXT_LITERAL("lab"), "lab", 1},
        {TEXT_LITERAL("oklab"), "lab", 1}, {TEXT_LITERAL("lch"), "lch", 1}, {TEXT_LITERAL("oklch"), "lch", 1},
    };
    if (space.count > 0)
        return (channel_names){space, text_lower(space.bytes[0]) == 'x' ? "xyz" : "rgb", 1};
    for (size_t i = 0; i < sizeof functions / sizeof functions[0]; i++)
        if (text_equal_ignoring_case(function, functions[i].space))
            return functions[i];
    if (text_equal_ignoring_case(function, TEXT("hsla")))
        return functions[0];
    return (channel_names){TEXT("srgb"), "rgb", 255};
}

/* Writes the number that a name stands for, or the name itself if it stands for none. */
static void write_name(rewriting *out, text name, const channel_names *names, const color_channels *channels,
                       double alpha)
{
    if (text_equal_ignoring_case(name, TEXT("alpha"))) {
        write_number(out, alpha);
        return;
    }
    for (int i = 0; i < 3 && name.count == 1; i++) {
        if (text_lower(name.bytes[0]) == names->letters[i]) {
            write_number(out, channels->values[i] * names->scale);
            return;
        }
    }
    write_text(out, name);
}

/* Copies everything up to and including the parenthesis that closes the function. False: there is none. */
static bool write_arguments(rewriting *out, text *rest, const channel_names *names, const color_channels *channels,
                            double alpha)
{
    unsigned depth = 0;
    bool has_alpha = false, in_word = false;
    while (rest->count > 0) {
        char c = rest->bytes[0];
        if (text_is_letter(c) && !in_word) {
            write_name(out, take_name(rest), names, channels, alpha);
            continue;
        }
        in_word = css_token_is_name(c) || c == '.' || c == '#';
        has_alpha = has_alpha || (c == '/' && depth == 0);
        if (c == ')' && depth == 0 && !has_alpha) {
            write_text(out, TEXT(" / "));
            write_number(out, alpha);
        }
        write_text(out, (text){rest->bytes, 1});
        *rest = text_from(rest->bytes + 1, rest->bytes + rest->count);
        if (c == ')' && depth-- == 0)
            return true;
        depth += c == '(';
    }
    return false;
}

bool svg_color_relative_parse(text function, text *values, svg_color_context context,
                              char room[SVG_RELATIVE_COLOR_ROOM], text *rest)
{
    text at = *values, space = {NULL, 0};
    pietra_color origin;
    (void)take_name(&at); /* the word `from` */
    skip_space(&at);
    if (!svg_color_parse_nested(&at, svg_color_within(context), &origin))
        return false;
    rewriting out = {room, 0, false};
    if (text_equal_ignoring_case(function, TEXT("color"))) {
        space = take_name(&at);
        write_text(&out, space);
        if (space.count == 0)
            return false;
    }
    channel_names names = names_of(function, space);
    color_channels channels;
    const double rgb[3] = {origin.r, origin.g, origin.b};
    if (!color_channels_of(names.space, rgb, &channels) || !write_arguments(&out, &at, &names, &channels, origin.a) ||
        out.full)
        return false;
    *values = (text){room, out.count};
    *rest = at;
    return true;
}
