/* A path's normal form in the stream: narrowed to floats around an origin, without what has no length.
 *
 * Narrowing comes first, then everything is decided on the floats, so that the stream keeps its own rules bit for bit: a segment
 * whose points all fell together is gone, a closed subpath ends where it started, and a subpath of which nothing is left, though it
 * was drawn, is one dot, since round and square caps show it.
 *
 * A path is walked twice: to measure it, and, when its place in the stream is known, to write it there. Paths know nothing of one
 * another, so threads share both. */
#include "scene/encode.h"

#include <string.h>

#include "scene/limit.h"
#include "scene/rules.h"

/* A path within this many units of the scene's origin keeps 1/4096 of a unit as it is. */
#define ORIGIN_NEAR 2048.0
/* Origins lie on a grid of a quarter of the path's extent, and of so many units of the scene at least: neighbours share one, and
 * with it their transform. */
#define ORIGIN_GRID 512.0

/* Segments of a rectangle at most; what so many need at most where each is a subpath of its own. */
#define RECTANGLE_SEGMENTS 4u
#define RECTANGLE_POINTS (4u * RECTANGLE_SEGMENTS)

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
    uint8_t *tags;             /* NULL: nothing is written, only counted */
    float_point *points;
    size_t tag_count, point_count;
    path_point origin;
    float apart;               /* points further apart than this, in x or in y, differ when they are narrowed, which needs no limit then;
                                * infinite: none are sure to */
    size_t first_tag;          /* of the subpath */
    float_point start, last;
    bool drawn;                /* the subpath has a segment or a close, whatever its length */
    bool has_lines, has_joins;
    bool has_doubts;           /* a segment may have had no length */
    bool without_doubts;       /* it is known that there are none */
    bool dropped_moves;        /* a move that nothing followed is gone */
    bool corners;              /* from here on subpaths are corners of a stroke */
    float_point low, high;     /* box of the points that were counted one by one */
} path_writer;

static path_writer writer_of(pietra_box hull, path_point origin)
{
    double reach = fmax(fmax(-hull.x0, hull.x1), fmax(-hull.y0, hull.y1));
    path_writer writer = { .origin = origin, .low = { INFINITY, INFINITY }, .high = { -INFINITY, -INFINITY } };
    /* An origin is at most 1.25 reaches away, a point 2.25 from it: two of them are rounded by less than 2^-21 of the reach, or by the
     * least float. */
    writer.apart = reach < 0.25 * (double)STREAM_LIMIT ? (float)(reach * 0x1p-20 + 0x1p-126) : INFINITY;
    return writer;
}

static float_point writer_narrow(const path_writer *writer, path_point point)
{
    return (float_point){ limit_to_float(point.x - writer->origin.x), limit_to_float(point.y - writer->origin.y) };
}

static bool float_points_equal(float_point a, float_point b) { return a.x == b.x && a.y == b.y; }

static void writer_push_point(path_writer *writer, float_point point)
{
    if (writer->points != NULL) {
        writer->points[writer->point_count] = point;
    } else {
        writer->low.x = point.x < writer->low.x ? point.x : writer->low.x;
        writer->low.y = point.y < writer->low.y ? point.y : writer->low.y;
        writer->high.x = point.x > writer->high.x ? point.x : writer->high.x;
        writer->high.y = point.y > writer->high.y ? point.y : writer->high.y;
    }
    writer->point_count++;
}

static void writer_push_tag(path_writer *writer, uint8_t tag)
{
    if (writer->tags != NULL) {
        writer->tags[writer->tag_count] = tag;
    }
    writer->tag_count++;
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
    if (writer->tag_count == writer->first_tag) {
        writer_push_point(writer, writer->start);
    }
    for (size_t i = 0; i < count; i++) {
        writer_push_point(writer, points[i]);
    }
    writer_push_tag(writer, (uint8_t)count);
    writer->last = points[count - 1];
}

static void writer_mark_tags(const path_writer *writer, bool closed)
{
    writer->tags[writer->first_tag] |= TAG_FIRST;
    writer->tags[writer->tag_count - 1] |= TAG_LAST;
    for (size_t i = writer->first_tag; closed && i < writer->tag_count; i++) {
        writer->tags[i] |= writer->corners ? TAG_CLOSED | TAG_CORNER : TAG_CLOSED;
    }
}

static void writer_end_subpath(path_writer *writer, bool closed)
{
    bool empty = writer->tag_count == writer->first_tag;
    if (!writer->drawn || (writer->corners && empty)) {
        writer->dropped_moves = true;
    } else if (empty) {
        writer_push_point(writer, writer->start);
        writer_push_point(writer, writer->start);
        writer_push_tag(writer, 1u | TAG_FIRST | TAG_LAST | TAG_DOT);
    } else {
        writer->has_lines = true;
        writer->has_joins = writer->has_joins || closed || writer->tag_count - writer->first_tag > 1;
        if (writer->tags != NULL) {
            writer_mark_tags(writer, closed);
        }
    }
    writer->first_tag = writer->tag_count;
    writer->drawn = false;
}

/* How many of the verbs, from the first on, are sure to have a length; how many points they have. */
static size_t count_long_segments(double apart, const path_point *start, const uint8_t *verbs, size_t count, size_t *point_count)
{
    const path_point *at = start;
    size_t i = 0;
    for (; i < count; i++) {
        bool is_long = fabs(at[1].x - at[0].x) > apart || fabs(at[1].y - at[0].y) > apart;
        for (size_t k = 2; !is_long && k <= verbs[i]; k++) {
            is_long = fabs(at[k].x - at[0].x) > apart || fabs(at[k].y - at[0].y) > apart;
        }
        if (!is_long) {
            break;
        }
        at += verbs[i];
    }
    *point_count = (size_t)(at - start);
    return i;
}

static void writer_copy_points(const path_writer *writer, const path_point *points, size_t count)
{
    float_point *out = writer->points + writer->point_count;
    path_point origin = writer->origin;
    for (size_t i = 0; i < count; i++) {
        /* A sum of 0 is never -0. */
        out[i] = (float_point){ (float)(points[i].x - origin.x) + 0.0f, (float)(points[i].y - origin.y) + 0.0f };
    }
}

/* Segments that are sure to have a length, in one go. */
static void writer_add_long_segments(path_writer *writer, const uint8_t *verbs, size_t count, const path_point *points, size_t point_count)
{
    if (writer->tag_count == writer->first_tag) {
        writer_push_point(writer, writer->start);
    }
    if (writer->tags != NULL) {
        memcpy(writer->tags + writer->tag_count, verbs, count);
        writer_copy_points(writer, points, point_count);
    }
    writer->tag_count += count;
    writer->point_count += point_count;
    writer->last = writer_narrow(writer, points[point_count - 1]);
    writer->drawn = true;
}

/* A segment's own points, which stand in the scene. */
static void writer_add_doubtful_segment(path_writer *writer, const path_point *points, size_t count)
{
    float_point own[3];
    for (size_t k = 0; k < count; k++) {
        own[k] = writer_narrow(writer, points[k]);
    }
    writer->has_doubts = true;
    writer_add_segment(writer, own, count);
}

/* A subpath as it stands in the scene: a move, `count` lines and curves with `point_count` points, that of the move included. */
static void writer_add_subpath(path_writer *writer, const uint8_t *verbs, size_t count, const path_point *points, size_t point_count)
{
    writer->start = writer_narrow(writer, points[0]);
    writer->last = writer->start;
    for (size_t i = 0, run, run_points; i < count; i += run, points += run_points) {
        run = count;
        run_points = point_count - 1;
        if (!writer->without_doubts) {
            run = count_long_segments(writer->apart, points, verbs + i, count - i, &run_points);
        }
        if (run > 0) {
            writer_add_long_segments(writer, verbs + i, run, points + 1, run_points);
        } else {
            run = 1;
            run_points = verbs[i];
            writer_add_doubtful_segment(writer, points + 1, run_points);
        }
    }
}

static void writer_close(path_writer *writer)
{
    writer->drawn = true;
    if (writer->tag_count > writer->first_tag) {
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

/* The box of the points: those of all that is there are the hull's, since narrowing keeps the order of numbers. Where a move is gone, all
 * are counted one by one. */
static void path_find_box(const path_writer *writer, path_view path, pietra_box hull, encoded_path *encoded)
{
    float_point low = { 0.0f, 0.0f }, high = { -1.0f, -1.0f };
    if (writer->tag_count > 0 && writer->dropped_moves) {
        path_writer one_by_one = writer_of(hull, writer->origin);
        one_by_one.apart = INFINITY;
        writer_walk(&one_by_one, path);
        low = one_by_one.low;
        high = one_by_one.high;
    } else if (writer->tag_count > 0) {
        low = writer_narrow(writer, (path_point){ hull.x0, hull.y0 });
        high = writer_narrow(writer, (path_point){ hull.x1, hull.y1 });
    }
    encoded->x0 = low.x;
    encoded->y0 = low.y;
    encoded->x1 = high.x;
    encoded->y1 = high.y;
}

static bool path_is_rectangle(path_view path, const path_writer *measured)
{
    uint8_t tags[RECTANGLE_SEGMENTS];
    float_point points[RECTANGLE_POINTS];
    if (measured->tag_count == 0 || measured->tag_count > RECTANGLE_SEGMENTS) {
        return false;
    }
    path_writer writer = { .tags = tags, .points = points, .origin = measured->origin, .apart = measured->apart };
    writer_walk(&writer, path);
    return rules_path_is_rectangle(tags, writer.tag_count, &points[0].x);
}

void encode_measure_path(const encoder *encoder, uint32_t scene_path, uint32_t scene_transform)
{
    encoded_path *encoded = &encoder->encoded_paths[scene_path];
    path_view path = scene_path_view(encoder->scene, scene_path);
    pietra_box hull = path_hull(path);
    path_writer writer = writer_of(hull, path_choose_origin(path, hull, encoder->scene->transforms.items[scene_transform]));
    writer_walk(&writer, path);
    *encoded = (encoded_path){
        .index = STREAM_NONE,
        .scene_transform = scene_transform,
        .segment_count = (uint32_t)writer.tag_count,
        .point_count = (uint32_t)writer.point_count,
        .apart = writer.apart,
        .origin_x = (float)writer.origin.x,
        .origin_y = (float)writer.origin.y,
        .has_doubts = writer.has_doubts,
        .has_lines = writer.has_lines,
        .has_joins = writer.has_joins,
        .is_rectangle = path_is_rectangle(path, &writer),
    };
    path_find_box(&writer, path, hull, encoded);
}

const encoded_path *encode_path(encoder *encoder, uint32_t scene_path, uint32_t scene_transform)
{
    encoded_path *encoded = &encoder->encoded_paths[scene_path];
    if (encoded->index != STREAM_NONE) {
        return encoded;
    }
    if (encoded->scene_transform != scene_transform) {
        encode_measure_path(encoder, scene_path, scene_transform);
    }
    stream_path *made = array_push(&encoder->paths);
    uint32_t *source = array_push(&encoder->path_sources);
    if (made == NULL || source == NULL) {
        return NULL;
    }
    *source = scene_path;
    made->first_segment = (uint32_t)encoder->segment_count;
    made->first_point = (uint32_t)encoder->point_count;
    made->segment_count = encoded->segment_count;
    made->point_count = encoded->point_count;
    encoder->segment_count += encoded->segment_count;
    encoder->point_count += encoded->point_count;
    encoded->index = (uint32_t)encoder->paths.count - 1;
    return encoded;
}

void encode_write_path(const encoder *encoder, uint32_t stream_path_index, uint8_t *tags, float_point *points)
{
    const stream_path *made = &encoder->paths.items[stream_path_index];
    const encoded_path *encoded = &encoder->encoded_paths[encoder->path_sources.items[stream_path_index]];
    path_writer writer = { .origin = encoded_origin(encoded), .apart = encoded->apart, .without_doubts = !encoded->has_doubts };
    writer.tags = tags + made->first_segment;
    writer.points = points + made->first_point;
    writer_walk(&writer, scene_path_view(encoder->scene, encoder->path_sources.items[stream_path_index]));
}
