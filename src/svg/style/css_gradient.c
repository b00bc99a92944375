/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "svg/style/css_gradient.h"

#include <math.h>

#include "base/number.h"
#include "base/transform.h"
#include "svg/css/color.h"
#include "svg/css/css_token.h"

#define DEGREE (3.14159265358979323846 / 180)
#define NO_POSITION (-1e30) /* position of a stop that states none */

typedef enum gradient_kind { GRADIENT_LINEAR, GRADIENT_RADIAL, GRADIENT_CONIC, GRADIENT_NONE } gradient_kind;

/* A gradient that is being read. Places are relative to the corner of the area. */
typedef struct gradient_reader {
    const css_gradient_space *space;
    pietra_stop *stops; /* NULL: they are only counted */
    size_t count;
    gradient_kind kind;
    double x0, y0, x1, y1; /* linear: the line; radial: the centre, and the radii; conic: the centre */
    double from;           /* conic: where it begins, in degrees behind upward */
    double length;         /* what percentages of stops refer to */
} gradient_reader;

static bool is_word(text word, const char *wanted)
{
    return text_equal_ignoring_case(word, text_of_string(wanted));
}

/* Reads a length. A percentage refers to `base`. */
static bool read_length(const gradient_reader *reader, text word, double base, double *value)
{
    svg_metrics metrics = reader->space->metrics;
    metrics.width = base;
    const char last = word.count ? word.bytes[word.count - 1] : 0;
    return svg_length_parse_pixels(word, reader->space->dpi, SVG_AXIS_X, &metrics, value) && isfinite(*value) &&
           (*value == 0 || !(last == '.' || (last >= '0' && last <= '9')));
}

/* ---- Linear gradients ---- */

static bool read_angle(text word, double *angle)
{
    svg_calc_kind kind;
    const char *at = word.bytes, *end = at + word.count;
    if (svg_length_begins_function(word.bytes[0]))
        return svg_calc_scan_value(&at, end, angle, &kind) && at == end && kind == SVG_CALC_ANGLE;
    if (!number_scan(&at, end, angle))
        return false;
    const double unit = svg_angle_unit(text_from(at, end));
    const bool zero = *angle == 0 && at == end;
    *angle *= unit;
    return unit != 0 || zero;
}

/* Reads where a gradient ends: `to` and a side or a corner. The line to a corner is such that the colour in the middle
 * runs through the two corners beside it. */
static bool read_corner(const gradient_reader *reader, text words, double *dx, double *dy)
{
    const svg_rectangle *area = &reader->space->area;
    int x = 0, y = 0;
    while (words.count) {
        const text word = css_take_word(&words);
        const int right = is_word(word, "right") - is_word(word, "left"),
                  down = is_word(word, "bottom") - is_word(word, "top");
        if ((right == 0 && down == 0) || (right != 0 && x != 0) || (down != 0 && y != 0))
            return false;
        x += right;
        y += down;
    }
    *dx = x == 0 ? 0 : y == 0 ? x : x * area->height;
    *dy = y == 0 ? 0 : x == 0 ? y : y * area->width;
    return x != 0 || y != 0;
}

/* Reads the direction. *given is false if the words are none, but the first stop. */
static bool read_line(gradient_reader *reader, text words, bool *given)
{
    const svg_rectangle *area = &reader->space->area;
    double angle, dx = 0, dy = 1;
    text rest = words, word = css_take_word(&rest);
    *given = true;
    if (is_word(word, "to")) {
        if (!read_corner(reader, rest, &dx, &dy))
            return false;
    } else if (word.count && rest.count == 0 && read_angle(word, &angle)) {
        dx = sin(angle * DEGREE);
        dy = -cos(angle * DEGREE);
    } else {
        *given = false;
    }
    const double size = hypot(dx, dy);
    dx /= size;
    dy /= size;
    reader->length = fabs(area->width * dx) + fabs(area->height * dy);
    reader->x0 = (area->width - reader->length * dx) / 2;
    reader->y0 = (area->height - reader->length * dy) / 2;
    reader->x1 = reader->x0 + reader->length * dx;
    reader->y1 = reader->y0 + reader->length * dy;
    return isfinite(reader->length);
}

/* ---- Radial gradients ---- */

/* Reads a position of at most two words. */
static bool read_position(gradient_reader *reader, text words)
{
    const svg_rectangle *area = &reader->space->area;
    bool x_given = false, y_given = false;
    text first = css_take_word(&words), second = css_take_word(&words);
    if (first.count == 0 || words.count)
        return false;
    const bool swapped =
        is_word(first, "top") || is_word(first, "bottom") || is_word(second, "left") || is_word(second, "right");
    const text x = swapped ? second : first, y = swapped ? first : second;
    const double width = area->width, height = area->height;
    reader->x0 = width / 2;
    reader->y0 = height / 2;
    if (is_word(x, "left") || is_word(x, "right"))
        reader->x0 = is_word(x, "left") ? 0 : width;
    else
        x_given = x.count && !is_word(x, "center");
    if (is_word(y, "top") || is_word(y, "bottom"))
        reader->y0 = is_word(y, "top") ? 0 : height;
    else
        y_given = y.count && !is_word(y, "center");
    return (!x_given || read_length(reader, x, width, &reader->x0)) &&
           (!y_given || read_length(reader, y, height, &reader->y0));
}

/* Sets the radii by a word for the side or the corner that the last colour reaches. */
static bool reach(gradient_reader *reader, text word, bool circle)
{
    const svg_rectangle *area = &reader->space->area;
    const bool corner = is_word(word, "closest-corner") || is_word(word, "farthest-corner"),
               closest = is_word(word, "closest-side") || is_word(word, "closest-corner");
    const double left = fabs(reader->x0), right = fabs(area->width - reader->x0), top = fabs(reader->y0),
                 bottom = fabs(area->height - reader->y0);
    const double x = closest ? fmin(left, right) : fmax(left, right),
                 y = closest ? fmin(top, bottom) : fmax(top, bottom);
    if (!corner && !closest && !is_word(word, "farthest-side"))
        return false;
    if (corner && circle)
        reader->x1 = reader->y1 = hypot(x, y);
    else if (circle)
        reader->x1 = reader->y1 = closest ? fmin(x, y) : fmax(x, y);
    else {
        reader->x1 = x * (corner ? sqrt(2) : 1);
        reader->y1 = y * (corner ? sqrt(2) : 1);
    }
    return true;
}

static bool read_sizes(gradient_reader *reader, const text *sizes, unsigned count, bool circle, bool ellipse)
{
    const svg_rectangle *area = &reader->space->area;
    if (count == 0)
        return reach(reader, TEXT("farthest-corner"), circle);
    if (count == 1 && reach(reader, sizes[0], circle))
        return true;
    if (count == 1) {
        const bool percent = text_find(sizes[0], '%') < sizes[0].count;
        const bool good = !ellipse && !percent && read_length(reader, sizes[0], 0, &reader->x1);
        reader->y1 = reader->x1;
        return good && reader->x1 >= 0;
    }
    return !circle && read_length(reader, sizes[0], area->width, &reader->x1) && reader->x1 >= 0 &&
           read_length(reader, sizes[1], area->height, &reader->y1) && reader->y1 >= 0;
}

/* Reads shape, size and position. *given is false if the words are none of these, but the first stop. */
static bool read_radii(gradient_reader *reader, text words, bool *given)
{
    const text whole = words;
    bool circle = false, ellipse = false, placed = false, known = true;
    text sizes[2];
    unsigned count = 0;
    while (words.count && !placed && known) {
        const text word = css_take_word(&words);
        double ignored;
        circle = circle || is_word(word, "circle");
        ellipse = ellipse || is_word(word, "ellipse");
        placed = is_word(word, "at");
        if (is_word(word, "circle") || is_word(word, "ellipse") || placed)
            continue;
        known = count < 2 && (reach(reader, word, false) || read_length(reader, word, 1, &ignored));
        if (known)
            sizes[count++] = word;
    }
    *given = known && whole.count;
    if (!read_position(reader, *given && placed ? words : TEXT("center")) || (circle && ellipse))
        return false;
    if (!read_sizes(reader, sizes, *given ? count : 0, *given && circle, ellipse))
        return false;
    reader->length = reader->x1;
    return isfinite(reader->x1 + reader->y1 + reader->x0 + reader->y0);
}

/* ---- Conic gradients ---- */

/* Reads where a conic gradient begins, and its centre. *given is false if the words are neither, but the first stop. */
static bool read_turn(gradient_reader *reader, text words, bool *given)
{
    text word = css_take_word(&words);
    const bool turned = is_word(word, "from");
    if (turned) {
        word = css_take_word(&words);
        if (word.count == 0 || !read_angle(word, &reader->from))
            return false;
        word = css_take_word(&words);
    }
    const bool placed = is_word(word, "at");
    *given = turned || placed;
    return (placed || !turned || word.count == 0) && read_position(reader, placed ? words : TEXT("center"));
}

/* ---- Stops ---- */

static bool read_color(const gradient_reader *reader, text *words, pietra_color *color)
{
    pietra_color dark;
    text behind = *words;
    css_token token = css_token_next(&behind);
    if (token.kind == CSS_IDENT && text_equal_ignoring_case(token.value, TEXT("currentcolor"))) {
        *words = text_trim(behind);
        *color = reader->space->current;
        return true;
    }
    bool good = svg_color_parse(words, &reader->space->current, color, &dark);
    *words = text_trim(*words);
    return good;
}

static void add_stop(gradient_reader *reader, pietra_color color, double position)
{
    if (reader->stops)
        reader->stops[reader->count] = (pietra_stop){.offset = (float)position, .color = color};
    reader->count++;
}

/* Reads the position of a stop: 1 is the end of the line, or a full turn. */
static bool read_stop_position(const gradient_reader *reader, text word, double *position)
{
    if (word.count == 0)
        return false;
    if (reader->kind == GRADIENT_CONIC) {
        const bool percent = word.bytes[word.count - 1] == '%';
        if (percent ? !read_length(reader, word, 1, position) : !read_angle(word, position))
            return false;
        *position /= percent ? 1 : 360;
        return true;
    }
    if (!read_length(reader, word, reader->length, position))
        return false;
    if (reader->length > 0)
        *position /= reader->length;
    return true;
}

/* Reads a colour and up to two positions, before or behind it. */
static bool read_stop(gradient_reader *reader, text words)
{
    pietra_color color;
    double positions[2] = {NO_POSITION, NO_POSITION};
    unsigned count = 0;
    if (!read_color(reader, &words, &color))
        return false;
    while (words.count) {
        const text word = css_take_word(&words);
        if (count == 2 || !read_stop_position(reader, word, &positions[count]))
            return false;
        count++;
    }
    add_stop(reader, color, positions[0]);
    if (count == 2)
        add_stop(reader, color, positions[1]);
    return true;
}

/* Gives positions to stops without one, between their neighbours, and makes none precede the one before it. */
static void place_stops(gradient_reader *reader)
{
    pietra_stop *stops = reader->stops;
    const size_t count = reader->count;
    if (stops[0].offset == (float)NO_POSITION)
        stops[0].offset = 0;
    if (stops[count - 1].offset == (float)NO_POSITION)
        stops[count - 1].offset = 1;
    float most = stops[0].offset;
    for (size_t i = 1; i < count; i++)
        if (stops[i].offset != (float)NO_POSITION)
            most = stops[i].offset = stops[i].offset < most ? most : stops[i].offset;
    for (size_t i = 1, next; i < count; i = next + 1) {
        for (next = i; stops[next].offset == (float)NO_POSITION;)
            next++;
        const float from = stops[i - 1].offset, step = (stops[next].offset - from) / (float)(next - i + 1);
        for (size_t k = i; k < next; k++)
            stops[k].offset = from + step * (float)(k - i + 1);
    }
}

/* Cuts off what lies before offset 0, where a circle has no radius. */
static void cut_stops(gradient_reader *reader)
{
    pietra_stop *stops = reader->stops;
    for (size_t i = 0; i < reader->count; i++) {
        const pietra_stop next = stops[i + 1 < reader->count ? i + 1 : i];
        if (stops[i].offset >= 0)
            break;
        if (next.offset > 0) {
            const float share = -stops[i].offset / (next.offset - stops[i].offset);
            stops[i].color = (pietra_color){stops[i].color.r + share * (next.color.r - stops[i].color.r),
                                            stops[i].color.g + share * (next.color.g - stops[i].color.g),
                                            stops[i].color.b + share * (next.color.b - stops[i].color.b),
                                            stops[i].color.a + share * (next.color.a - stops[i].color.a)};
        }
        stops[i].offset = 0;
    }
}

/* Makes the line so long that all offsets are in it. */
static void make_paint(gradient_reader *reader, pietra_paint *paint)
{
    const svg_rectangle *area = &reader->space->area;
    pietra_stop *stops = reader->stops;
    place_stops(reader);
    if (reader->kind == GRADIENT_RADIAL)
        cut_stops(reader);
    const double first = fmin(0, stops[0].offset), last = fmax(1, stops[reader->count - 1].offset);
    for (size_t i = 0; i < reader->count; i++)
        stops[i].offset = (float)((stops[i].offset - first) / (last - first));
    if (reader->kind == GRADIENT_RADIAL && (reader->x1 <= 0 || reader->y1 <= 0)) {
        *paint = (pietra_paint){.color = stops[reader->count - 1].color};
        return;
    }
    const double x = area->x + reader->x0, y = area->y + reader->y0;
    if (reader->kind == GRADIENT_RADIAL) {
        *paint = pietra_radial(0, 0, last, stops, reader->count);
        paint->transform = (pietra_transform){reader->x1, 0, 0, reader->y1, x, y};
    } else if (reader->kind == GRADIENT_CONIC) {
        *paint = pietra_sweep(0, 0, 360 * first, 360 * last, stops, reader->count);
        paint->transform = transform_multiply(transform_translate(x, y), transform_rotate(reader->from - 90));
    } else {
        const double dx = reader->x1 - reader->x0, dy = reader->y1 - reader->y0;
        *paint = pietra_linear(x + first * dx, y + first * dy, x + last * dx, y + last * dy, stops, reader->count);
    }
}

static gradient_kind find_kind(const css_token *token)
{
    static const char *const names[] = {[GRADIENT_LINEAR] = "linear-gradient",
                                        [GRADIENT_RADIAL] = "radial-gradient",
                                        [GRADIENT_CONIC] = "conic-gradient"};
    for (int kind = 0; kind < GRADIENT_NONE && token->kind == CSS_FUNCTION; kind++)
        if (is_word(token->value, names[kind]))
            return (gradient_kind)kind;
    return GRADIENT_NONE;
}

/* Reads what stands before the stops. */
static bool read_geometry(gradient_reader *reader, text words, bool *given)
{
    switch (reader->kind) {
    case GRADIENT_LINEAR:
        return read_line(reader, words, given);
    case GRADIENT_RADIAL:
        return read_radii(reader, words, given);
    case GRADIENT_CONIC:
        return read_turn(reader, words, given);
    default:
        return false;
    }
}

static bool read_gradient(gradient_reader *reader, text value)
{
    bool given, good = true;
    css_token token = css_token_next_part(&value);
    const char *begin = value.bytes;
    reader->kind = find_kind(&token);
    if (reader->kind == GRADIENT_NONE)
        return false;
    const bool closed = css_token_skip_block(&value, '(');
    text inside = text_from(begin, value.bytes - closed), rest = inside, first = text_trim(css_take_part(&rest));
    if (text_trim(value).count || !read_geometry(reader, first, &given))
        return false;
    for (rest = given ? rest : inside; rest.count && good;)
        good = read_stop(reader, text_trim(css_take_part(&rest)));
    return good && reader->count >= 2;
}

bool css_gradient_read(text value, const css_gradient_space *space, pietra_stop *stops, pietra_paint *paint)
{
    gradient_reader reader = {.space = space, .stops = stops};
    if (!read_gradient(&reader, value))
        return false;
    make_paint(&reader, paint);
    return true;
}

size_t css_gradient_most_stops(text value)
{
    return 2 * (text_count(value, ',') + 1);
}

bool css_gradient_is_known(text value)
{
    static const css_gradient_space any = {.metrics = {16, 16, 1, 1, 1, 1, NULL}, .dpi = 96, .area = {0, 0, 1, 1}};
    gradient_reader reader = {.space = &any};
    return read_gradient(&reader, value);
}
