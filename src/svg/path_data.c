#include "svg/path_data.h"

#include <math.h>

#include "base/number.h"
#include "base/transform.h"

/* Where the next numbers go; there is room for all that the text can hold, so the loops do not check. */
typedef struct path_writer {
    uint8_t *verb;
    double *number;
    const char *at, *end;
    double x, y;              /* current point */
    double start_x, start_y;  /* of the subpath */
    double control_x, control_y; /* last control point of the last curve */
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

/* Blanks with at most one comma among them. */
static inline void skip_separator(path_writer *w)
{
    const char *at = skip_space(w->at, w->end);
    if (at < w->end && *at == ',')
        at = skip_space(at + 1, w->end);
    w->at = at;
}

static inline bool read_number(path_writer *w, double *value)
{
    if (!number_scan(&w->at, w->end, value))
        return false;
    skip_separator(w);
    return true;
}

/* Numbers behind a command letter; further ones than the first follow a separator, that has been skipped already. */
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

/* `count` coordinates of w->number have been written; the last two are the new current point. */
static inline bool finish_points(path_writer *w, svg_verb verb, const double *values, int count)
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
    return finish_points(w, SVG_VERB_LINE, (double[]){ x, y }, 2);
}

static bool write_curve(path_writer *w, svg_verb verb, const double *values, int count)
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
    return finish_points(w, SVG_VERB_ARC, v, 7);
}

/* One set of arguments of a command. `previous` is the command before it, in lower case. False: the path ends here. */
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
        return write_curve(w, SVG_VERB_CUBIC, v, 6);
    case 's':
        if (!read_numbers(w, v + 2, 4))
            return false;
        if (relative)
            make_absolute(w, v + 2, 4);
        v[0] = previous == 'c' || previous == 's' ? 2 * w->x - w->control_x : w->x;
        v[1] = previous == 'c' || previous == 's' ? 2 * w->y - w->control_y : w->y;
        return write_curve(w, SVG_VERB_CUBIC, v, 6);
    case 'q':
        if (!read_numbers(w, v, 4))
            return false;
        if (relative)
            make_absolute(w, v, 4);
        return write_curve(w, SVG_VERB_QUAD, v, 4);
    case 't':
        if (!read_numbers(w, v + 2, 2))
            return false;
        if (relative)
            make_absolute(w, v + 2, 2);
        v[0] = previous == 'q' || previous == 't' ? 2 * w->x - w->control_x : w->x;
        v[1] = previous == 'q' || previous == 't' ? 2 * w->y - w->control_y : w->y;
        return write_curve(w, SVG_VERB_QUAD, v, 4);
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
    if (!finish_points(w, SVG_VERB_MOVE, v, 2))
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

/* All commands up to the end or the first error. */
static void write_path(path_writer *w)
{
    char previous = 0;
    w->at = skip_space(w->at, w->end);
    while (w->at < w->end) {
        char letter = *w->at++;
        char command = text_lower(letter);
        bool relative = letter == command;
        w->at = skip_space(w->at, w->end);
        if (!previous && command != 'm')
            return;
        if (command == 'z') {
            *w->verb++ = SVG_VERB_CLOSE;
            w->x = w->start_x;
            w->y = w->start_y;
            previous = command;
            continue;
        }
        if (command == 'm') {
            if (!write_move(w, relative))
                return;
            previous = 'm';
            if (!starts_number(w))
                continue;
            command = 'l';
        }
        do {
            if (!write_segment(w, command, relative, previous))
                return;
            previous = command;
        } while (starts_number(w)); /* a comma before the next letter is forgiven, as browsers do */
    }
}

static bool begin_path(svg_path_pool *pool, text data, path_writer *w)
{
    /* No argument of a segment takes fewer bytes than the numbers that are written for it, and no segment fewer than one. */
    if (!array_reserve(&pool->verbs, data.count + 2) || !array_reserve(&pool->numbers, data.count + 8))
        return false;
    *w = (path_writer){
        .verb = pool->verbs.items + pool->verbs.count,
        .number = pool->numbers.items + pool->numbers.count,
        .at = data.bytes,
        .end = data.bytes + data.count,
    };
    return true;
}

static bool end_path(svg_path_pool *pool, const path_writer *w, uint32_t *index)
{
    svg_path path = { .verb_begin = pool->verbs.count, .number_begin = pool->numbers.count };
    path.verb_count = (size_t)(w->verb - pool->verbs.items) - path.verb_begin;
    if (path.verb_count < 2 || pool->paths.count >= SVG_NO_PATH) { /* a lone move draws nothing */
        *index = SVG_NO_PATH;
        return true;
    }
    svg_path *added = array_push(&pool->paths);
    if (!added)
        return false;
    *added = path;
    pool->verbs.count += path.verb_count;
    pool->numbers.count = (size_t)(w->number - pool->numbers.items);
    *index = (uint32_t)(pool->paths.count - 1);
    return true;
}

bool svg_path_pool_add_data(svg_path_pool *pool, text data, uint32_t *index)
{
    path_writer writer;
    if (!begin_path(pool, data, &writer))
        return false;
    write_path(&writer);
    return end_path(pool, &writer, index);
}

bool svg_path_pool_add_points(svg_path_pool *pool, text points, bool closed, uint32_t *index)
{
    path_writer writer;
    double v[2];
    if (!begin_path(pool, points, &writer))
        return false;
    writer.at = skip_space(writer.at, writer.end);
    svg_verb verb = SVG_VERB_MOVE;
    while (read_numbers(&writer, v, 2) && finish_points(&writer, verb, v, 2))
        verb = SVG_VERB_LINE;
    if (closed && verb == SVG_VERB_LINE)
        *writer.verb++ = SVG_VERB_CLOSE;
    return end_path(pool, &writer, index);
}

void svg_path_pool_free(svg_path_pool *pool)
{
    array_free(&pool->verbs);
    array_free(&pool->numbers);
    array_free(&pool->paths);
}

/* An ellipse's axes under a linear map are the singular values and left vectors of map x rotation x diag(radii). A map that mirrors
 * turns the sweep round. */
void svg_arc_emit(const pietra_transform *t, double rx, double ry, double rotation, bool large, bool sweep, double x, double y, pietra_path *path)
{
    const double degree = 0.017453292519943295;
    double sine = sin(rotation * degree), cosine = cos(rotation * degree);
    double a = (t->a * cosine + t->c * sine) * rx, b = (t->b * cosine + t->d * sine) * rx;
    double c = (t->c * cosine - t->a * sine) * ry, d = (t->d * cosine - t->b * sine) * ry;
    double same = hypot((a + d) / 2, (b - c) / 2), opposite = hypot((a - d) / 2, (b + c) / 2);
    double angle = (atan2(b - c, a + d) + atan2(b + c, a - d)) / 2;
    transform_point(*t, &x, &y);
    pietra_path_arc_to(path, same + opposite, fabs(same - opposite), angle / degree, large, sweep != (transform_determinant(*t) < 0), x, y);
}

static void emit_transformed(const uint8_t *verb, const uint8_t *verb_end, const double *v, const pietra_transform *t, pietra_path *path)
{
    for (; verb < verb_end; verb++) {
        double p[6];
        int count = *verb == SVG_VERB_CUBIC ? 6 : *verb == SVG_VERB_QUAD ? 4 : *verb == SVG_VERB_ARC || *verb == SVG_VERB_CLOSE ? 0 : 2;
        for (int i = 0; i < count; i += 2) {
            p[i] = v[i];
            p[i + 1] = v[i + 1];
            transform_point(*t, &p[i], &p[i + 1]);
        }
        v += count;
        switch ((svg_verb)*verb) {
        case SVG_VERB_MOVE:
            pietra_path_move_to(path, p[0], p[1]);
            break;
        case SVG_VERB_LINE:
            pietra_path_line_to(path, p[0], p[1]);
            break;
        case SVG_VERB_QUAD:
            pietra_path_quad_to(path, p[0], p[1], p[2], p[3]);
            break;
        case SVG_VERB_CUBIC:
            pietra_path_cubic_to(path, p[0], p[1], p[2], p[3], p[4], p[5]);
            break;
        case SVG_VERB_ARC:
            svg_arc_emit(t, v[0], v[1], v[2], v[3] != 0, v[4] != 0, v[5], v[6], path);
            v += 7;
            break;
        case SVG_VERB_CLOSE:
            pietra_path_close(path);
            break;
        }
    }
}

void svg_path_emit(const svg_path_pool *pool, uint32_t index, const pietra_transform *transform, pietra_path *path)
{
    const svg_path *source = &pool->paths.items[index];
    const uint8_t *verb = pool->verbs.items + source->verb_begin, *verb_end = verb + source->verb_count;
    const double *v = pool->numbers.items + source->number_begin;
    if (transform) {
        emit_transformed(verb, verb_end, v, transform, path);
        return;
    }
    for (; verb < verb_end; verb++) {
        switch ((svg_verb)*verb) {
        case SVG_VERB_MOVE:
            pietra_path_move_to(path, v[0], v[1]);
            v += 2;
            break;
        case SVG_VERB_LINE:
            pietra_path_line_to(path, v[0], v[1]);
            v += 2;
            break;
        case SVG_VERB_QUAD:
            pietra_path_quad_to(path, v[0], v[1], v[2], v[3]);
            v += 4;
            break;
        case SVG_VERB_CUBIC:
            pietra_path_cubic_to(path, v[0], v[1], v[2], v[3], v[4], v[5]);
            v += 6;
            break;
        case SVG_VERB_ARC:
            pietra_path_arc_to(path, v[0], v[1], v[2], v[3] != 0, v[4] != 0, v[5], v[6]);
            v += 7;
            break;
        case SVG_VERB_CLOSE:
            pietra_path_close(path);
            break;
        }
    }
}
