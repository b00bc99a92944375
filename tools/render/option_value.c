/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "option_value.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "heatmap.h"
#include "spelling.h"

static status fail_value(const char *option, const char *value, const char *wanted)
{
    return report(STATUS_INPUT, NULL, 0, "--%s: \"%s\" is not %s", option, value, wanted);
}

/* Reads digits alone, up to `limit`. `end` points to what follows them. */
static bool parse_integer(const char *text, uint64_t limit, uint64_t *value, const char **end)
{
    uint64_t sum = 0;

    if (!isdigit((uint8_t)*text))
        return false;
    for (; isdigit((uint8_t)*text); text++) {
        uint64_t digit = (uint64_t)(*text - '0');
        if (sum > (limit - digit) / 10)
            return false;
        sum = sum * 10 + digit;
    }
    *value = sum;
    *end = text;
    return true;
}

status option_set_integer(const char *option, const char *text, uint32_t least, uint32_t most, uint32_t *out)
{
    uint64_t value;
    const char *end;
    char wanted[64];

    if (!parse_integer(text, most, &value, &end) || *end || value < least) {
        snprintf(wanted, sizeof wanted, "a whole number from %u to %u", least, most);
        return fail_value(option, text, wanted);
    }
    *out = (uint32_t)value;
    return STATUS_DRAWN;
}

status option_set_pixel(const char *option, const char *text, options *options)
{
    uint64_t x, y;
    const char *end;

    if (!parse_integer(text, UINT32_MAX, &x, &end) || *end != ',' || !parse_integer(end + 1, UINT32_MAX, &y, &end) ||
        *end) {
        return fail_value(option, text, "X,Y: a column and a row of pixels, counted from 0");
    }
    options->explain = true;
    options->explain_x = (uint32_t)x;
    options->explain_y = (uint32_t)y;
    return STATUS_DRAWN;
}

status option_set_heatmap(const char *option, const char *name, options *options)
{
    spelling spelling = spelling_of(text_of_string(name));

    for (unsigned kind = 0; pietra_heatmap_name((pietra_heatmap_kind)kind); kind++) {
        const char *known = pietra_heatmap_name((pietra_heatmap_kind)kind);
        if (strcmp(name, known) == 0) {
            options->heatmap = true;
            options->heatmap_kind = (pietra_heatmap_kind)kind;
            return STATUS_DRAWN;
        }
        spelling_try(&spelling, known);
    }
    return spelling.nearest ? report(STATUS_INPUT, NULL, 0, "--%s: \"%s\" is not " HEATMAP_NAMES "; is %s meant?",
                                     option, name, spelling.nearest)
                            : fail_value(option, name, HEATMAP_NAMES);
}

status option_set_positive(const char *option, const char *text, double *out)
{
    char *end;
    double value = strtod(text, &end);

    /* strtod also accepts blanks, hexadecimal, "inf" and "nan". */
    if (strspn(text, "+.0123456789eE-") != strlen(text) || end == text || *end || !(value > 0) || !isfinite(value))
        return fail_value(option, text, "a number above 0");
    *out = value;
    return STATUS_DRAWN;
}

/* ---- Lists ---- */

#define LONGEST_NUMBER 63u

/* Makes room for as many numbers as there are between commas. */
static status begin_list(const char *text, number_list *list)
{
    size_t count = 1;

    for (; *text; text++)
        count += *text == ',';
    free(list->numbers);
    *list = (number_list){.numbers = calloc(count, sizeof *list->numbers)};
    return list->numbers ? STATUS_DRAWN : report_memory(NULL);
}

/* Copies what stands before the next comma, and moves to that. False: it is too long for a number. */
static bool take_item(const char **text, char item[LONGEST_NUMBER + 1])
{
    size_t length = strcspn(*text, ",");

    if (length > LONGEST_NUMBER)
        return false;
    memcpy(item, *text, length);
    item[length] = '\0';
    *text += length;
    return true;
}

status option_set_integers(const char *option, const char *text, uint32_t least, uint32_t most, number_list *list)
{
    status result = begin_list(text, list);
    char item[LONGEST_NUMBER + 1];

    for (bool more = true; more && result == STATUS_DRAWN; text += more) {
        uint32_t value = 0;
        if (!take_item(&text, item))
            return fail_value(option, text, "a list of whole numbers");
        result = option_set_integer(option, item, least, most, &value);
        list->numbers[list->count++] = value;
        more = *text == ',';
    }
    return result;
}

status option_set_positives(const char *option, const char *text, number_list *list)
{
    status result = begin_list(text, list);
    char item[LONGEST_NUMBER + 1];

    for (bool more = true; more && result == STATUS_DRAWN; text += more) {
        double value = 0;
        if (!take_item(&text, item))
            return fail_value(option, text, "a list of numbers above 0");
        result = option_set_positive(option, item, &value);
        list->numbers[list->count++] = value;
        more = *text == ',';
    }
    return result;
}

/* ---- Amounts ---- */

/* Reads a whole number above 0, with K, M or G behind it for 2^10, 2^20 or 2^30. */
static bool parse_size(const char *text, uint64_t *out)
{
    uint64_t value, unit = 1;
    const char *end;

    if (!parse_integer(text, UINT64_MAX >> 30, &value, &end) || value == 0)
        return false;
    switch (*end) {
    case 'k':
    case 'K':
        unit = (uint64_t)1 << 10;
        break;
    case 'm':
    case 'M':
        unit = (uint64_t)1 << 20;
        break;
    case 'g':
    case 'G':
        unit = (uint64_t)1 << 30;
        break;
    default:
        break;
    }
    if (end[unit > 1])
        return false;
    *out = value * unit;
    return true;
}

status option_set_size(const char *option, const char *text, uint64_t *out)
{
    return parse_size(text, out) ? STATUS_DRAWN
                                 : fail_value(option, text, "a size above 0: bytes, or a number with K, M or G");
}

status option_set_limit(const char *option, const char *text, pietra_svg_limits *limits)
{
    const char *equals = strchr(text, '=');
    char name[64];
    uint64_t value;

    if (!equals || (size_t)(equals - text) >= sizeof name || !parse_size(equals + 1, &value))
        return fail_value(option, text, "NAME=N with a whole number above 0, K, M or G behind it or not");
    snprintf(name, sizeof name, "%.*s", (int)(equals - text), text);
    return pietra_svg_limits_set(limits, name, value)
               ? STATUS_DRAWN
               : fail_value(option, text, "a limit that there is; see render --list-limits");
}

status option_set_device(const char *option, const char *text, pietra_device_options *device)
{
    uint64_t index;
    const char *end;

    device->gpu_name = NULL;
    device->by_index = false;
    if (strcmp(text, "auto") == 0) {
        device->kind = PIETRA_DEVICE_AUTO;
    } else if (strcmp(text, "cpu") == 0) {
        device->kind = PIETRA_DEVICE_CPU;
    } else if (strcmp(text, "reference") == 0) {
        device->kind = PIETRA_DEVICE_REFERENCE;
    } else if (strcmp(text, "gpu") == 0) {
        device->kind = PIETRA_DEVICE_GPU;
    } else if (strncmp(text, "gpu:", 4) == 0 && text[4]) {
        device->kind = PIETRA_DEVICE_GPU;
        device->by_index = parse_integer(text + 4, UINT32_MAX, &index, &end) && !*end;
        if (device->by_index)
            device->gpu_index = (uint32_t)index;
        else
            device->gpu_name = text + 4;
    } else {
        return fail_value(option, text, "auto, cpu, gpu, gpu:INDEX, gpu:NAME or reference");
    }
    return STATUS_DRAWN;
}

status option_set_compression(const char *option, const char *text, png_compression *out)
{
    static const char *const names[] = {
        [PNG_COMPRESSION_DEFAULT] = "default",
        [PNG_COMPRESSION_FAST] = "fast",
        [PNG_COMPRESSION_BEST] = "best",
    };

    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        if (strcmp(text, names[i]) == 0) {
            *out = (png_compression)i;
            return STATUS_DRAWN;
        }
    }
    return fail_value(option, text, "fast, default or best");
}

status option_set_format(const char *option, const char *text, picture_format *format)
{
    *format = format_find(text);
    return *format != FORMAT_BY_ENDING ? STATUS_DRAWN : fail_value(option, text, FORMAT_NAMES);
}

status option_set_levels(const char *option, const char *text, options *options)
{
    uint64_t first, last;
    const char *end;
    bool good = parse_integer(text, UINT32_MAX, &first, &end);

    last = first;
    if (good && *end == '-')
        good = parse_integer(end + 1, UINT32_MAX, &last, &end);
    if (!good || *end || first > last)
        return fail_value(option, text, "A-B with two whole numbers, of which the second is not the smaller one");
    options->levels = true;
    options->pyramid.first_level = (uint32_t)first;
    options->pyramid.last_level = (uint32_t)last;
    return STATUS_DRAWN;
}

status option_set_tile_size(const char *option, const char *text, options *options)
{
    options->tile_shape = option;
    status result =
        option_set_integer(option, text, PIETRA_PYRAMID_LEAST_TILE, PIETRA_PYRAMID_MOST_TILE, &options->pyramid.tile);

    return result == STATUS_DRAWN && (options->pyramid.tile & (options->pyramid.tile - 1)) != 0
               ? fail_value(option, text, "a power of two")
               : result;
}

status option_set_tile_layout(const char *option, const char *text, options *options)
{
    options->tile_shape = option;
    options->pyramid.layout = strcmp(text, "dzi") == 0 ? PIETRA_PYRAMID_DZI : PIETRA_PYRAMID_XYZ;
    return options->pyramid.layout == PIETRA_PYRAMID_DZI || strcmp(text, "xyz") == 0
               ? STATUS_DRAWN
               : fail_value(option, text, "xyz or dzi");
}

status option_set_completions(const char *option, const char *text, options *options)
{
    options->completions = text;
    return strcmp(text, "bash") == 0 || strcmp(text, "zsh") == 0 || strcmp(text, "fish") == 0
               ? STATUS_DRAWN
               : fail_value(option, text, "bash, zsh or fish");
}

status option_set_query(const char *option, const char *text, options *options)
{
    options->query_all = true;
    options->query_json = text && strcmp(text, "json") == 0;
    return !text || options->query_json || strcmp(text, "csv") == 0 ? STATUS_DRAWN
                                                                    : fail_value(option, text, "csv or json");
}

status option_set_info(const char *option, const char *text, options *options)
{
    options->info = true;
    options->info_json = text && strcmp(text, "json") == 0;
    return !text || options->info_json || strcmp(text, "text") == 0 ? STATUS_DRAWN
                                                                    : fail_value(option, text, "text or json");
}

status option_set_background(const char *option, const char *text, pietra_color *color)
{
    if (strcasecmp(text, "none") == 0)
        *color = (pietra_color){0};
    else if (!pietra_color_parse(text, color))
        return fail_value(option, text, "a CSS colour or none");
    return STATUS_DRAWN;
}

status option_set_path(const char *option, const char *text, const char **out)
{
    if (!*text)
        return report(STATUS_INPUT, NULL, 0, "--%s: the name is empty", option);
    *out = text;
    return STATUS_DRAWN;
}

status option_add_font_place(const char *option, const char *path, bool folder, options *options)
{
    font_place *grown =
        *path ? realloc(options->font_places, (options->font_place_count + 1) * sizeof *grown) : options->font_places;

    if (!*path)
        return report(STATUS_INPUT, NULL, 0, "--%s: the name is empty", option);
    if (!grown)
        return report_memory(NULL);
    options->font_places = grown;
    grown[options->font_place_count++] = (font_place){path, folder};
    return STATUS_DRAWN;
}
