/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "svg/tree/path_data.h"

#include <math.h>

#include "base/number.h"
#include "base/transform.h"

/* Where the next numbers go. There is room for everything that the text can hold, so the loops only check the limit. */
typedef struct path_writer {
    uint8_t *verb;
    double *number;
    const double *full; /* the limit: no segment begins here or beyond */
    size_t more;        /* what long numbers count in addition to one each */
    const char *at, *end;
    double x, y;                 /* current point */
    double start_x, start_y;     /* start of the current subpath */
    double control_x, control_y; /* last control point of the last curve */
    bool has_arcs;
} path_writer;

static inline bool is_path_space(char c)
{
    return c == ' ' || c == '\n' || c == '\t' || c == '\r' || c == '\f';
}

static inline const char *skip_space(const char *at, const char *end)
{
    while (at < end && is_path_space(*at))
        at++;
    return at;
}

/* Skips blanks and at most one comma among them. */
static inline void skip_separator(path_writer *w)
{
    const char *at = skip_space(w->at, w->end);
    if (at < w->end && *at == ',')
        at = skip_space(at + 1, w->end);
    w->at = at;
}

/* A number counts as this many if big integers are needed to read it. */
#define LONG_NUMBER 5

/* Returns whether this may be such a number. It then has more than 19 digits or an exponent beyond 19. */
static inline bool is_long(ptrdiff_t bytes, double value)
{
    return bytes > 19 || (bytes > 4 && !(fabs(value) > 1e-4 && fabs(value) < 1e19));
}

static void count_long(path_writer *w)
{
    const ptrdiff_t left = w->full - w->number;
    w->full -= left < LONG_NUMBER ? left : LONG_NUMBER - 1;
    w->more += LONG_NUMBER - 1;
}

static inline bool read_number(path_writer *w, double *value)
{
    const char *begin = w->at;
    if (!number_scan(&w->at, w->end, value))
        return false;
    if (is_long(w->at - begin, *value))
        count_long(w);
    skip_separator(w);
    return true;
}

/* Reads numbers. The separator before each of them has been skipped already. */
static inline bool read_numbers(path_writer *w, double *values, int count)
{
    for (int i = 0; i < count; i++)
        if (!read_number(w, &values[i]))
            return false;
    return true;
}

static bool read_flag(path_writer *w, double *flag)
{
    if (w->at == w->end || (*w->at != '0' && *w->at != '1'))
        return false;
    *flag = *w->at++ - '0';
    skip_separator(w);
    return true;
}

/* Writes `count` coordinates at w->number. The last two are the new current point. */
static inline bool finish_points(path_writer *w, unsigned verb, const double *values, int count)
{
    double sum = 0;
    for (int i = 0; i < count; i++) {
        w->number[i] = values[i];
        sum += values[i];
    }
    if (!isfinite(sum))
        return false;
    *w->verb++ = (uint8_t)verb;
    w->number += count;
    w->x = values[count - 2];
    w->y = values[count - 1];
    return true;
}

static inline void make_absolute(const path_writer *w, double *values, int count)
{
    for (int i = 0; i < count; i += 2) {
        values[i] += w->x;
        values[i + 1] += w->y;
    }
}

static bool write_line(path_writer *w, double x, double y)
{
    return finish_points(w, PIETRA_VERB_LINE, (double[]){x, y}, 2);
}

static bool write_curve(path_writer *w, unsigned verb, const double *values, int count)
{
    if (!finish_points(w, verb, values, count))
        return false;
    w->control_x = values[count - 4];
    w->control_y = values[count - 3];
    return true;
}

static bool write_arc(path_writer *w, bool relative)
{
    double v[7];
    if (!read_numbers(w, v, 3) || !read_flag(w, &v[3]) || !read_flag(w, &v[4]) || !read_numbers(w, v + 5, 2))
        return false;
    if (relative)
        make_absolute(w, v + 5, 2);
    w->has_arcs = true;
    return finish_points(w, SVG_VERB_ARC, v, 7);
}

/* Writes a segment from one set of a command's arguments. `previous` is the command before it, in lower case. False:
 * the path ends here. */
static bool write_segment(path_writer *w, char command, bool relative, char previous)
{
    double v[6];
    switch (command) {
    case 'l':
        if (!read_numbers(w, v, 2))
            return false;
        if (relative)
            make_absolute(w, v, 2);
        return write_line(w, v[0], v[1]);
    case 'h':
        return read_numbers(w, v, 1) && write_line(w, relative ? w->x + v[0] : v[0], w->y);
    case 'v':
        return read_numbers(w, v, 1) && write_line(w, w->x, relative ? w->y + v[0] : v[0]);
    case 'c':
        if (!read_numbers(w, v, 6))
            return false;
        if (relative)
            make_absolute(w, v, 6);
        return write_curve(w, PIETRA_VERB_CUBIC, v, 6);
    case 's':
        if (!read_numbers(w, v + 2, 4))
            return false;
        if (relative)
            make_absolute(w, v + 2, 4);
        v[0] = previous == 'c' || previous == 's' ? 2 * w->x - w->control_x : w->x;
        v[1] = previous == 'c' || previous == 's' ? 2 * w->y - w->control_y : w->y;
        return write_curve(w, PIETRA_VERB_CUBIC, v, 6);
    case 'q':
        if (!read_numbers(w, v, 4))
            return false;
        if (relative)
            make_absolute(w, v, 4);
        return write_curve(w, PIETRA_VERB_QUAD, v, 4);
    case 't':
        if (!read_numbers(w, v + 2, 2))
            return false;
        if (relative)
            make_absolute(w, v + 2, 2);
        v[0] = previous == 'q' || previous == 't' ? 2 * w->x - w->control_x : w->x;
        v[1] = previous == 'q' || previous == 't' ? 2 * w->y - w->control_y : w->y;
        return write_curve(w, PIETRA_VERB_QUAD, v, 4);
    case 'a':
        return write_arc(w, relative);
    default:
        return false;
    }
}

static bool write_move(path_writer *w, bool relative)
{
    double v[2];
    if (!read_numbers(w, v, 2))
        return false;
    if (relative)
        make_absolute(w, v, 2);
    if (!finish_points(w, PIETRA_VERB_MOVE, v, 2))
        return false;
    w->start_x = w->x;
    w->start_y = w->y;
    return true;
}

static bool starts_number(const path_writer *w)
{
    if (w->at == w->end)
        return false;
    char c = *w->at;
    return (unsigned)c - '0' <= 9 || c == '-' || c == '+' || c == '.';
}

/* Writes all commands up to the end or to the first error. False: there is an error. */
static bool write_path(path_writer *w)
{
    char previous = 0;
    w->at = skip_space(w->at, w->end);
    while (w->at < w->end) {
        char letter = *w->at++;
        char command = text_lower(letter);
        bool relative = letter == command;
        w->at = skip_space(w->at, w->end);
        if (!previous && command != 'm')
            return false;
        if (command == 'z') {
            *w->verb++ = PIETRA_VERB_CLOSE;
            w->x = w->start_x;
            w->y = w->start_y;
            previous = command;
            continue;
        }
        if (command == 'm') {
            if (!write_move(w, relative))
                return false;
            previous = 'm';
            if (!starts_number(w))
                continue;
            command = 'l';
        }
        do {
            if (w->number >= w->full || !write_segment(w, command, relative, previous))
                return false;
            previous = command;
        } while (starts_number(w)); /* a comma before the next letter is accepted, as in browsers */
    }
    return true;
}

static void write_polygon(path_writer *w, bool closed)
{
    double v[2];
    unsigned verb = PIETRA_VERB_MOVE;
    w->at = skip_space(w->at, w->end);
    while (w->number < w->full && read_numbers(w, v, 2) && finish_points(w, verb, v, 2))
        verb = PIETRA_VERB_LINE;
    if (closed && verb == PIETRA_VERB_LINE)
        *w->verb++ = PIETRA_VERB_CLOSE;
}

bool svg_path_read(svg_path_pool *pool, text source, svg_path_syntax syntax, svg_path *path)
{
    /* Each number that is written takes at least a byte of the text, and so does each segment. Memory that remains
     * unused is never touched. */
    double *numbers = arena_alloc(&pool->arena, (source.count + 8) * sizeof *numbers, sizeof *numbers);
    pool->verbs.count = 0;
    if (!numbers || !array_reserve(&pool->verbs, source.count + 2))
        return false;
    uint64_t left = pool->most_numbers ? pool->most_numbers - pool->number_count : UINT64_MAX;
    path_writer writer = {
        .verb = pool->verbs.items,
        .number = numbers,
        .full = numbers + (left < source.count + 8 ? left : source.count + 8),
        .at = source.bytes,
        .end = source.bytes + source.count,
    };
    bool cut = false;
    if (syntax == SVG_PATH_DATA)
        cut = !write_path(&writer);
    else
        write_polygon(&writer, syntax == SVG_PATH_POLYGON);
    size_t verb_count = (size_t)(writer.verb - pool->verbs.items), number_count = (size_t)(writer.number - numbers);
    size_t counted = number_count + writer.more;
    bool drawn = verb_count >= 2; /* a lone move draws nothing */
    pool->number_count += counted < left ? counted : left;
    arena_shrink(&pool->arena, numbers, drawn ? number_count * sizeof *numbers : 0);
    *path = (svg_path){.cut = cut};
    if (!drawn)
        return true;
    char *verbs = arena_copy(&pool->arena, (const char *)pool->verbs.items, verb_count);
    if (!verbs)
        return false;
    *path = (svg_path){(const uint8_t *)verbs, numbers, verb_count, number_count, writer.has_arcs, cut};
    return true;
}

bool svg_path_pool_add_read(svg_path_pool *pool, const svg_path *path, uint32_t *index)
{
    *index = SVG_NO_PATH;
    if (path->verb_count == 0 || pool->paths.count >= SVG_NO_PATH)
        return true;
    svg_path *added = array_push(&pool->paths);
    if (!added)
        return false;
    *added = *path;
    *index = (uint32_t)(pool->paths.count - 1);
    return true;
}

bool svg_path_pool_add(svg_path_pool *pool, text source, svg_path_syntax syntax, uint32_t *index)
{
    svg_path path;
    return svg_path_read(pool, source, syntax, &path) && svg_path_pool_add_read(pool, &path, index);
}

void svg_path_pool_free(svg_path_pool *pool)
{
    arena_free(&pool->arena);
    array_free(&pool->paths);
    array_free(&pool->verbs);
}

/* The axes of an ellipse under a linear map are the singular values and left singular vectors of map x rotation x
 * diag(radii). A map that mirrors reverses the sweep. */
void svg_arc_emit(const pietra_transform *t, double rx, double ry, double rotation, bool large, bool sweep, double x,
                  double y, pietra_path *path)
{
    double sine = sin(rotation * RADIANS_PER_DEGREE), cosine = cos(rotation * RADIANS_PER_DEGREE);
    double a = (t->a * cosine + t->c * sine) * rx, b = (t->b * cosine + t->d * sine) * rx;
    double c = (t->c * cosine - t->a * sine) * ry, d = (t->d * cosine - t->b * sine) * ry;
    double same = hypot((a + d) / 2, (b - c) / 2), opposite = hypot((a - d) / 2, (b + c) / 2);
    double angle = (atan2(b - c, a + d) + atan2(b + c, a - d)) / 2;
    transform_point(*t, &x, &y);
    pietra_path_arc_to(path, same + opposite, fabs(same - opposite), angle / RADIANS_PER_DEGREE, large,
                       sweep != (transform_determinant(*t) < 0), x, y);
}

void svg_path_emit(const svg_path_pool *pool, uint32_t index, const pietra_transform *transform, pietra_path *path)
{
    const svg_path *source = &pool->paths.items[index];
    if (!transform && !source->has_arcs) {
        pietra_path_refer(path, source->verbs, source->verb_count, source->numbers);
        return;
    }
    const pietra_transform t = transform ? *transform : TRANSFORM_IDENTITY;
    const double *v = source->numbers;
    for (size_t i = 0; i < source->verb_count; i++) {
        uint8_t verb = source->verbs[i];
        double p[6];
        if (verb == SVG_VERB_ARC && transform)
            svg_arc_emit(&t, v[0], v[1], v[2], v[3] != 0, v[4] != 0, v[5], v[6], path);
        else if (verb == SVG_VERB_ARC)
            pietra_path_arc_to(path, v[0], v[1], v[2], v[3] != 0, v[4] != 0, v[5], v[6]);
        if (verb == SVG_VERB_ARC) {
            v += 7;
            continue;
        }
        int count = verb == PIETRA_VERB_MOVE ? 2 : 2 * verb;
        for (int k = 0; k < count; k += 2) {
            p[k] = v[k];
            p[k + 1] = v[k + 1];
            if (transform)
                transform_point(t, &p[k], &p[k + 1]);
        }
        pietra_path_append(path, &verb, 1, p);
        v += count;
    }
}
