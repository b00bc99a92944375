/* A path's normal form in the stream: narrowed to floats around an origin, without what has no length.
 *
 * Narrowing comes first, then everything is decided on the floats, so that the stream keeps its own rules bit for bit: a segment
 * whose points all fell together is gone, a closed subpath ends where it started, and a subpath of which nothing is left, though it
 * was drawn, is one dot, since round and square caps show it. */
#include "scene/encode.h"

#include "scene/limit.h"
#include "scene/rules.h"

/* A path within this many units of the scene's origin keeps 1/4096 of a unit as it is. */
#define ORIGIN_NEAR 2048.0
/* Origins lie on a grid of a quarter of the path's extent, and of so many units of the scene at least: neighbours share one, and
 * with it their transform. */
#define ORIGIN_GRID 512.0

static pietra_box path_hull(path_view path)
{
    pietra_box box = { INFINITY, INFINITY, -INFINITY, -INFINITY };
    for (size_t i = 0; i < path.point_count; i++) {
        box.x0 = fmin(box.x0, path.points[i].x);
        box.y0 = fmin(box.y0, path.points[i].y);
        box.x1 = fmax(box.x1, path.points[i].x);
        box.y1 = fmax(box.y1, path.points[i].y);
    }
    return box;
}

static double origin_on_grid(double low, double high, double grid)
{
    return limit_to_float(round((0.5 * low + 0.5 * high) / grid) * grid);
}

/* An origin where a path lies far from 0, in the scene's units and compared with its extent; else 0. */
static path_point path_choose_origin(path_view path, pietra_transform transform)
{
    pietra_box box = path_hull(path);
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

typedef struct float_point {
    float x, y;
} float_point;

typedef struct path_writer {
    encoder *to;
    path_point origin;
    size_t first_tag;          /* of the subpath */
    float_point start, last;
    bool drawn;                /* the subpath has a segment or a close, whatever its length */
    bool has_lines, has_joins;
} path_writer;

static float_point writer_narrow(const path_writer *writer, path_point point)
{
    return (float_point){ limit_to_float(point.x - writer->origin.x), limit_to_float(point.y - writer->origin.y) };
}

static bool float_points_equal(float_point a, float_point b) { return a.x == b.x && a.y == b.y; }

static void writer_push_point(path_writer *writer, float_point point)
{
    writer->to->points.items[writer->to->points.count++] = point.x;
    writer->to->points.items[writer->to->points.count++] = point.y;
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
    if (writer->to->tags.count == writer->first_tag) {
        writer_push_point(writer, writer->start);
    }
    for (size_t i = 0; i < count; i++) {
        writer_push_point(writer, points[i]);
    }
    writer->to->tags.items[writer->to->tags.count++] = (uint8_t)count;
    writer->last = points[count - 1];
}

static void writer_end_subpath(path_writer *writer, bool closed)
{
    encoder *to = writer->to;
    if (writer->drawn && to->tags.count == writer->first_tag) {
        writer_push_point(writer, writer->start);
        writer_push_point(writer, writer->start);
        to->tags.items[to->tags.count++] = 1u | TAG_FIRST | TAG_LAST | TAG_DOT;
    } else if (writer->drawn) {
        writer->has_lines = true;
        writer->has_joins = writer->has_joins || closed || to->tags.count - writer->first_tag > 1;
        to->tags.items[writer->first_tag] |= TAG_FIRST;
        to->tags.items[to->tags.count - 1] |= TAG_LAST;
        for (size_t i = writer->first_tag; closed && i < to->tags.count; i++) {
            to->tags.items[i] |= TAG_CLOSED;
        }
    }
    writer->first_tag = to->tags.count;
    writer->drawn = false;
}

static void writer_close(path_writer *writer)
{
    writer->drawn = true;
    if (writer->to->tags.count > writer->first_tag) {
        writer_add_segment(writer, &writer->start, 1);
    }
    writer_end_subpath(writer, true);
}

static void writer_walk(path_writer *writer, path_view path)
{
    const path_point *next = path.points;
    for (size_t i = 0; i < path.verb_count; i++) {
        float_point points[3];
        size_t count = path_verb_points(path.verbs[i]);
        for (size_t k = 0; k < count; k++) {
            points[k] = writer_narrow(writer, next[k]);
        }
        next += count;
        if (path.verbs[i] == PATH_MOVE) {
            writer_end_subpath(writer, false);
            writer->start = points[0];
            writer->last = points[0];
        } else if (path.verbs[i] == PATH_CLOSE) {
            writer_close(writer);
        } else {
            writer_add_segment(writer, points, count);
        }
    }
    writer_end_subpath(writer, false);
}

static void path_measure(const encoder *encoder, const stream_path *path, encoded_path *encoded)
{
    if (path->segment_count == 0) {
        encoded->is_rectangle = false;
        encoded->x0 = 0.0f;
        encoded->y0 = 0.0f;
        encoded->x1 = -1.0f;
        encoded->y1 = -1.0f;
        return;
    }
    const float *p = encoder->points.items + 2 * (size_t)path->first_point;
    encoded->x0 = encoded->x1 = p[0];
    encoded->y0 = encoded->y1 = p[1];
    for (size_t i = 1; i < path->point_count; i++) {
        encoded->x0 = p[2 * i] < encoded->x0 ? p[2 * i] : encoded->x0;
        encoded->x1 = p[2 * i] > encoded->x1 ? p[2 * i] : encoded->x1;
        encoded->y0 = p[2 * i + 1] < encoded->y0 ? p[2 * i + 1] : encoded->y0;
        encoded->y1 = p[2 * i + 1] > encoded->y1 ? p[2 * i + 1] : encoded->y1;
    }
    encoded->is_rectangle = rules_path_is_rectangle(encoder->tags.items + path->first_segment, path->segment_count, p);
}

const encoded_path *encode_path(encoder *encoder, uint32_t scene_path, pietra_transform transform)
{
    encoded_path *encoded = &encoder->encoded_paths[scene_path];
    if (encoded->index != STREAM_NONE) {
        return encoded;
    }
    path_view path = scene_path_view(encoder->scene, scene_path);
    /* A verb makes one segment at most. Beyond its own points a segment brings the subpath's start once, which is the move's own,
     * a close brings one more, and a dot the same two. */
    size_t most_points = path.point_count + path.verb_count;
    if (!array_reserve(&encoder->paths, 1) || !array_reserve(&encoder->tags, path.verb_count) || !array_reserve(&encoder->points, 2 * most_points) ||
        encoder->tags.count + path.verb_count > STREAM_MAX_COUNT || encoder->points.count / 2 + most_points > STREAM_MAX_COUNT) {
        return NULL;
    }
    path_writer writer = { .to = encoder, .origin = path_choose_origin(path, transform), .first_tag = encoder->tags.count };
    stream_path *made = &encoder->paths.items[encoder->paths.count];
    made->first_segment = (uint32_t)encoder->tags.count;
    made->first_point = (uint32_t)(encoder->points.count / 2);
    writer_walk(&writer, path);
    made->segment_count = (uint32_t)encoder->tags.count - made->first_segment;
    made->point_count = (uint32_t)(encoder->points.count / 2) - made->first_point;
    *encoded = (encoded_path){
        .index = (uint32_t)encoder->paths.count++, .origin = writer.origin, .has_lines = writer.has_lines, .has_joins = writer.has_joins
    };
    path_measure(encoder, made, encoded);
    return encoded;
}
