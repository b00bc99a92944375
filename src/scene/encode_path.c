/* A path's normal form in the stream: narrowed to floats around an origin, without what has no length.
 *
 * Narrowing comes first, then everything is decided on the floats, so that the stream keeps its own rules bit for bit: a segment
 * whose points all fell together is gone, a closed subpath ends where it started, and a subpath of which nothing is left, though it
 * was drawn, is one dot, since round and square caps show it. */
#include "scene/encode.h"

#include <string.h>

#include "scene/limit.h"
#include "scene/rules.h"

/* A path within this many units of the scene's origin keeps 1/4096 of a unit as it is. */
#define ORIGIN_NEAR 2048.0
/* Origins lie on a grid of a quarter of the path's extent, and of so many units of the scene at least: neighbours share one, and
 * with it their transform. */
#define ORIGIN_GRID 512.0

/* The points of a scene's path are finite. */
static pietra_box path_hull(path_view path)
{
    pietra_box box = { INFINITY, INFINITY, -INFINITY, -INFINITY };
    for (size_t i = 0; i < path.point_count; i++) {
        double x = path.points[i].x, y = path.points[i].y;
        box.x0 = x < box.x0 ? x : box.x0;
        box.y0 = y < box.y0 ? y : box.y0;
        box.x1 = x > box.x1 ? x : box.x1;
        box.y1 = y > box.y1 ? y : box.y1;
    }
    return box;
}

static double origin_on_grid(double low, double high, double grid)
{
    return limit_to_float(round((0.5 * low + 0.5 * high) / grid) * grid);
}

/* An origin where a path lies far from 0, in the scene's units and compared with its extent; else 0. */
static path_point path_choose_origin(path_view path, pietra_box box, pietra_transform transform)
{
    double scale = fmax(fmax(fabs(transform.a), fabs(transform.b)), fmax(fabs(transform.c), fabs(transform.d)));
    double extent = fmax(box.x1 - box.x0, box.y1 - box.y0);
    double far = fmax(fmax(fabs(box.x0), fabs(box.x1)), fmax(fabs(box.y0), fabs(box.y1)));
    if (path.point_count == 0 || !(far * scale > ORIGIN_NEAR) || far <= 2.0 * extent || far >= STREAM_LIMIT) {
        return (path_point){ 0.0, 0.0 };
    }
    int exponent;
    frexp(fmax(0.25 * extent, ORIGIN_GRID / scale), &exponent);
    double grid = ldexp(1.0, exponent);
    return (path_point){ origin_on_grid(box.x0, box.x1, grid), origin_on_grid(box.y0, box.y1, grid) };
}

typedef struct path_writer {
    encoder *to;
    path_point origin;
    bool within_limits;        /* narrowing needs no limit */
    size_t first_tag;          /* of the subpath */
    float_point start, last;
    bool drawn;                /* the subpath has a segment or a close, whatever its length */
    bool has_lines, has_joins;
    bool dropped_moves;        /* a move that nothing followed is gone */
    bool corners;              /* from here on subpaths are corners of a stroke */
} path_writer;

static float_point writer_narrow(const path_writer *writer, path_point point)
{
    return (float_point){ limit_to_float(point.x - writer->origin.x), limit_to_float(point.y - writer->origin.y) };
}

static bool float_points_equal(float_point a, float_point b) { return a.x == b.x && a.y == b.y; }

static void writer_push_point(path_writer *writer, float_point point)
{
    writer->to->points[writer->to->point_count++] = point;
}

static void writer_add_segment(path_writer *writer, const float_point *points, size_t count)
{
    bool has_length = false;
    for (size_t i = 0; i < count; i++) {
        has_length = has_length || !float_points_equal(points[i], writer->last);
    }
    writer->drawn = true;
    if (!has_length) {
        return;
    }
    if (writer->to->tag_count == writer->first_tag) {
        writer_push_point(writer, writer->start);
    }
    for (size_t i = 0; i < count; i++) {
        writer_push_point(writer, points[i]);
    }
    writer->to->tags[writer->to->tag_count++] = (uint8_t)count;
    writer->last = points[count - 1];
}

static void writer_end_subpath(path_writer *writer, bool closed)
{
    encoder *to = writer->to;
    bool empty = to->tag_count == writer->first_tag;
    if (!writer->drawn || (writer->corners && empty)) {
        writer->dropped_moves = true;
    } else if (empty) {
        writer_push_point(writer, writer->start);
        writer_push_point(writer, writer->start);
        to->tags[to->tag_count++] = 1u | TAG_FIRST | TAG_LAST | TAG_DOT;
    } else {
        writer->has_lines = true;
        writer->has_joins = writer->has_joins || closed || to->tag_count - writer->first_tag > 1;
        to->tags[writer->first_tag] |= TAG_FIRST;
        to->tags[to->tag_count - 1] |= TAG_LAST;
        for (size_t i = writer->first_tag; closed && i < to->tag_count; i++) {
            to->tags[i] |= writer->corners ? TAG_CLOSED | TAG_CORNER : TAG_CLOSED;
        }
    }
    writer->first_tag = to->tag_count;
    writer->drawn = false;
}

/* The points of a subpath as they are, in one go. Nothing is counted as written yet. */
static const float_point *writer_copy_points(const path_writer *writer, const path_point *points, size_t count)
{
    float_point *out = writer->to->points + writer->to->point_count;
    path_point origin = writer->origin;
    if (!writer->within_limits) {
        for (size_t i = 0; i < count; i++) {
            out[i] = writer_narrow(writer, points[i]);
        }
        return out;
    }
    for (size_t i = 0; i < count; i++) {
        /* A sum of 0 is never -0. */
        out[i] = (float_point){ (float)(points[i].x - origin.x) + 0.0f, (float)(points[i].y - origin.y) + 0.0f };
    }
    return out;
}

/* Whether each of the verbs has a length. */
static bool segments_have_length(const float_point *start, const uint8_t *verbs, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        bool has_length = !float_points_equal(start[1], start[0]);
        for (size_t k = 2; !has_length && k <= verbs[i]; k++) {
            has_length = !float_points_equal(start[k], start[0]);
        }
        if (!has_length) {
            return false;
        }
        start += verbs[i];
    }
    return true;
}

/* A subpath as it stands in the scene: a move, `count` lines and curves with `point_count` points, that of the move included. */
static void writer_add_subpath(path_writer *writer, const uint8_t *verbs, size_t count, const path_point *points, size_t point_count)
{
    encoder *to = writer->to;
    const float_point *narrow = writer_copy_points(writer, points, point_count);
    writer->start = narrow[0];
    writer->last = narrow[0];
    if (count > 0 && segments_have_length(narrow, verbs, count)) {
        memcpy(to->tags + to->tag_count, verbs, count);
        to->tag_count += count;
        to->point_count += point_count;
        writer->last = narrow[point_count - 1];
        writer->drawn = true;
        return;
    }
    for (size_t i = 0; i < count; i++) {
        float_point own[3];
        for (size_t k = 0; k < verbs[i]; k++) {
            own[k] = writer_narrow(writer, points[1 + k]);
        }
        points += verbs[i];
        writer_add_segment(writer, own, verbs[i]);
    }
}

static void writer_close(path_writer *writer)
{
    writer->drawn = true;
    if (writer->to->tag_count > writer->first_tag) {
        writer_add_segment(writer, &writer->start, 1);
    }
}

static void writer_walk(path_writer *writer, path_view path)
{
    const path_point *next = path.points;
    for (size_t at = 0; at < path.verb_count;) {
        /* Every subpath begins with a move. */
        writer->corners = at >= path.verb_count - path.corner_verb_count;
        size_t begin = ++at, point_count = 1;
        while (at < path.verb_count && path.verbs[at] != PATH_MOVE && path.verbs[at] != PATH_CLOSE) {
            point_count += path.verbs[at++];
        }
        writer_add_subpath(writer, path.verbs + begin, at - begin, next, point_count);
        next += point_count;
        bool closed = at < path.verb_count && path.verbs[at] == PATH_CLOSE;
        if (closed) {
            writer_close(writer);
            at++;
        }
        writer_end_subpath(writer, closed);
    }
}

/* The box of the points that were written, if all were: narrowing keeps the order of numbers. */
static void path_narrow_hull(const path_writer *writer, pietra_box hull, encoded_path *encoded)
{
    float_point low = writer_narrow(writer, (path_point){ hull.x0, hull.y0 }), high = writer_narrow(writer, (path_point){ hull.x1, hull.y1 });
    encoded->x0 = low.x;
    encoded->y0 = low.y;
    encoded->x1 = high.x;
    encoded->y1 = high.y;
}

static void path_measure_points(const float_point *points, size_t count, encoded_path *encoded)
{
    encoded->x0 = encoded->x1 = points[0].x;
    encoded->y0 = encoded->y1 = points[0].y;
    for (size_t i = 1; i < count; i++) {
        encoded->x0 = points[i].x < encoded->x0 ? points[i].x : encoded->x0;
        encoded->x1 = points[i].x > encoded->x1 ? points[i].x : encoded->x1;
        encoded->y0 = points[i].y < encoded->y0 ? points[i].y : encoded->y0;
        encoded->y1 = points[i].y > encoded->y1 ? points[i].y : encoded->y1;
    }
}

static void path_measure(const path_writer *writer, const stream_path *path, pietra_box hull, encoded_path *encoded)
{
    const encoder *encoder = writer->to;
    const float_point *points = encoder->points + path->first_point;
    if (path->segment_count == 0) {
        encoded->x0 = 0.0f;
        encoded->y0 = 0.0f;
        encoded->x1 = -1.0f;
        encoded->y1 = -1.0f;
        return;
    }
    if (writer->dropped_moves) {
        path_measure_points(points, path->point_count, encoded);
    } else {
        path_narrow_hull(writer, hull, encoded);
    }
    encoded->is_rectangle = rules_path_is_rectangle(encoder->tags + path->first_segment, path->segment_count, &points[0].x);
}

const encoded_path *encode_path(encoder *encoder, uint32_t scene_path, pietra_transform transform)
{
    encoded_path *encoded = &encoder->encoded_paths[scene_path];
    if (encoded->index != STREAM_NONE) {
        return encoded;
    }
    path_view path = scene_path_view(encoder->scene, scene_path);
    stream_path *made = array_push(&encoder->paths);
    if (made == NULL) {
        return NULL;
    }
    pietra_box hull = path_hull(path);
    path_writer writer = { .to = encoder, .origin = path_choose_origin(path, hull, transform), .first_tag = encoder->tag_count };
    double reach = fmax(fmax(-hull.x0, hull.x1), fmax(-hull.y0, hull.y1));
    writer.within_limits = reach < 0.25 * (double)STREAM_LIMIT;
    made->first_segment = (uint32_t)encoder->tag_count;
    made->first_point = (uint32_t)encoder->point_count;
    writer_walk(&writer, path);
    made->segment_count = (uint32_t)encoder->tag_count - made->first_segment;
    made->point_count = (uint32_t)encoder->point_count - made->first_point;
    *encoded = (encoded_path){
        .index = (uint32_t)encoder->paths.count - 1, .origin = writer.origin, .has_lines = writer.has_lines, .has_joins = writer.has_joins
    };
    path_measure(&writer, made, hull, encoded);
    return encoded;
}
