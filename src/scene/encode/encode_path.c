/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* A path's normal form in the stream: floats around an origin, without segments of no length.
 *
 * Narrowing to floats comes first, and everything is decided on the floats, so that the stream keeps its own rules to
 * the bit. A segment whose points all became equal is dropped. A closed subpath ends where it started. A subpath that
 * was drawn but has nothing left becomes one dot, because round and square caps show it.
 *
 * A path is walked twice: to measure it, and, once its place in the stream is known, to write it there. Paths are
 * independent of one another, so threads share both walks. */
#include "scene/encode/encode.h"

#include <string.h>

#include "base/extremes.h"
#include "base/memory.h"
#include "base/pair.h"
#include "scene/curve_run.h"
#include "scene/limit.h"
#include "scene/rules.h"

/* A path within this many units of the scene's origin is kept to 1/4096 of a unit. */
#define ORIGIN_NEAR 2048.0
/* Origins lie on a grid of a quarter of the path's extent, but at least of this many units of the scene, so that
 * neighbours share an origin and with it their transform. */
#define ORIGIN_GRID 512.0

/* Points of a piece of a path that is given back as it is written: 2 MiB, a large page. */
#define PIECE_POINTS ((size_t)1 << 17)
/* Bytes of paths that are given back. Less is not worth a call of the system. */
#define DISCARDED_BYTES ((size_t)16 << 10)
/* Bytes of small paths that are given back at a time. */
#define GATHERED_BYTES ((size_t)1 << 20)

/* Most segments of a rectangle, and the most that it takes if each is a subpath of its own. */
#define RECTANGLE_SEGMENTS 4u
#define RECTANGLE_POINTS (4u * RECTANGLE_SEGMENTS)

typedef struct path_sweep {
    pietra_box hull;   /* box of all points, which must be finite */
    double least_step; /* least distance between successive points, by the greater of its sides; infinite for
                                * one point */
} path_sweep;

static pair path_pair(path_view path, size_t i)
{
    return pair_load(&path.points[i].x);
}

static path_sweep path_sweep_of(path_view path)
{
    if (path.point_count == 0)
        return (path_sweep){{INFINITY, INFINITY, -INFINITY, -INFINITY}, INFINITY};
    pair last = path_pair(path, 0), low = last, high = last, least_step = {INFINITY, INFINITY};
    size_t i = 1;
    for (; i + 1 < path.point_count; i += 2) {
        pair a = path_pair(path, i), b = path_pair(path, i + 1);
        pair to_a = pair_size(a - last), to_b = pair_size(b - a);
        low = pair_least(low, pair_least(a, b));
        high = pair_most(high, pair_most(a, b));
        least_step = pair_least(least_step, pair_most((pair){to_a[0], to_b[0]}, (pair){to_a[1], to_b[1]}));
        last = b;
    }
    if (i < path.point_count) {
        pair a = path_pair(path, i), to_a = pair_size(a - last);
        low = pair_least(low, a);
        high = pair_most(high, a);
        least_step[0] = greater(to_a[0], to_a[1]) < least_step[0] ? greater(to_a[0], to_a[1]) : least_step[0];
    }
    return (path_sweep){{low[0], low[1], high[0], high[1]},
                        least_step[0] < least_step[1] ? least_step[0] : least_step[1]};
}

static double origin_on_grid(double low, double high, double grid)
{
    return limit_to_float(round((0.5 * low + 0.5 * high) / grid) * grid);
}

/* Chooses the path's origin. It is 0 unless the path lies far from 0, in the scene's units and compared with its
 * extent. */
static path_point path_choose_origin(path_view path, pietra_box box, pietra_transform transform)
{
    double scale =
        greater(greater(fabs(transform.a), fabs(transform.b)), greater(fabs(transform.c), fabs(transform.d)));
    double extent = greater(box.x1 - box.x0, box.y1 - box.y0);
    double far = greater(greater(fabs(box.x0), fabs(box.x1)), greater(fabs(box.y0), fabs(box.y1)));
    if (path.point_count == 0 || !(far * scale > ORIGIN_NEAR) || far <= 2.0 * extent || far >= STREAM_LIMIT)
        return (path_point){0.0, 0.0};
    int exponent;
    frexp(fmax(0.25 * extent, ORIGIN_GRID / scale), &exponent);
    double grid = ldexp(1.0, exponent);
    return (path_point){origin_on_grid(box.x0, box.x1, grid), origin_on_grid(box.y0, box.y1, grid)};
}

/* Everything that walks a path is inlined into one function, so that the writer stays in registers. */
#define INLINE static inline __attribute__((always_inline))

typedef struct path_writer {
    uint8_t *tags; /* NULL: tags are counted, not written */
    float_point *points;
    size_t tag_count, point_count;
    path_point origin;
    /* Points that differ by more than this in x or y still differ after narrowing, and narrowing need not limit them.
     * If it is infinite, this is certain of no points. */
    float apart;
    size_t first_tag; /* place of the subpath's first tag */
    float_point start, last;
    bool drawn; /* the subpath has a segment or a close, of any length */
    bool has_lines, has_joins;
    bool has_doubts;       /* a segment may have no length */
    bool without_doubts;   /* it is known that every segment has a length */
    bool dropped_moves;    /* a move was dropped because nothing followed it */
    bool corners;          /* the subpath is a corner of a stroke */
    uint8_t tag_flags;     /* for all its segments */
    float_point low, high; /* box of the points that were counted one by one */
} path_writer;

static path_writer writer_of(pietra_box hull, path_point origin)
{
    double reach = greater(greater(-hull.x0, hull.x1), greater(-hull.y0, hull.y1));
    path_writer writer = {.origin = origin, .low = {INFINITY, INFINITY}, .high = {-INFINITY, -INFINITY}};
    /* An origin is at most 1.25 reaches away, and a point 2.25 reaches from it. So two points are rounded by less than
     * 2^-21 of the reach, or by the least float. */
    writer.apart = reach < 0.25 * (double)STREAM_LIMIT ? (float)(reach * 0x1p-20 + 0x1p-126) : INFINITY;
    return writer;
}

static float_point narrow_far(path_point point, path_point origin)
{
    return (float_point){limit_to_float(point.x - origin.x), limit_to_float(point.y - origin.y)};
}

INLINE float_point writer_narrow(const path_writer *writer, path_point point)
{
    if (writer->apart < INFINITY) {
        pair_float narrow = pair_narrow(pair_load(&point.x) - pair_load(&writer->origin.x));
        return (float_point){narrow[0], narrow[1]};
    }
    return narrow_far(point, writer->origin);
}

static bool float_points_equal(float_point a, float_point b)
{
    return a.x == b.x && a.y == b.y;
}

INLINE void writer_push_point(path_writer *writer, float_point point)
{
    if (writer->points) {
        writer->points[writer->point_count] = point;
    } else {
        writer->low.x = point.x < writer->low.x ? point.x : writer->low.x;
        writer->low.y = point.y < writer->low.y ? point.y : writer->low.y;
        writer->high.x = point.x > writer->high.x ? point.x : writer->high.x;
        writer->high.y = point.y > writer->high.y ? point.y : writer->high.y;
    }
    writer->point_count++;
}

INLINE void writer_push_tag(path_writer *writer, uint8_t tag)
{
    if (writer->tags)
        writer->tags[writer->tag_count] = tag;
    writer->tag_count++;
}

INLINE void writer_add_segment(path_writer *writer, const float_point *points, size_t count)
{
    bool has_length = false;
    for (size_t i = 0; i < count; i++)
        has_length = has_length || !float_points_equal(points[i], writer->last);
    writer->drawn = true;
    if (!has_length)
        return;
    if (writer->tag_count == writer->first_tag)
        writer_push_point(writer, writer->start);
    for (size_t i = 0; i < count; i++)
        writer_push_point(writer, points[i]);
    writer_push_tag(writer, (uint8_t)count | writer->tag_flags);
    writer->last = points[count - 1];
}

INLINE void writer_end_subpath(path_writer *writer, bool closed)
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
        if (writer->tags) {
            writer->tags[writer->first_tag] |= TAG_FIRST;
            writer->tags[writer->tag_count - 1] |= TAG_LAST;
        }
    }
    writer->first_tag = writer->tag_count;
    writer->drawn = false;
}

/* Returns how many verbs, from the first on, surely have a length, and how many points they have. */
static size_t count_long_segments(double apart, const path_point *start, const uint8_t *verbs, size_t count,
                                  size_t *point_count)
{
    const path_point *at = start;
    size_t i = 0;
    for (; i < count; i++) {
        bool is_long = fabs(at[1].x - at[0].x) > apart || fabs(at[1].y - at[0].y) > apart;
        for (size_t k = 2; !is_long && k <= verbs[i]; k++)
            is_long = fabs(at[k].x - at[0].x) > apart || fabs(at[k].y - at[0].y) > apart;
        if (!is_long)
            break;
        at += verbs[i];
    }
    *point_count = (size_t)(at - start);
    return i;
}

INLINE void writer_copy_points(const path_writer *writer, const path_point *points, size_t count)
{
    float_point *out = writer->points + writer->point_count;
    pair origin = pair_load(&writer->origin.x);
    for (const path_point *end = points + count; points < end; points++, out++) {
        pair_float narrow = pair_narrow(pair_load(&points->x) - origin);
        memcpy(out, &narrow, sizeof narrow);
    }
}

/* Verbs of lines and curves are their tags, without flags. */
INLINE void writer_copy_tags(const path_writer *writer, const uint8_t *verbs, size_t count)
{
    uint8_t *out = writer->tags + writer->tag_count;
    uint64_t flags = UINT64_C(0x0101010101010101) * writer->tag_flags, eight;
    for (; count >= sizeof eight; count -= sizeof eight, verbs += sizeof eight, out += sizeof eight) {
        memcpy(&eight, verbs, sizeof eight);
        eight |= flags;
        memcpy(out, &eight, sizeof eight);
    }
    for (size_t i = 0; i < count; i++)
        out[i] = verbs[i] | writer->tag_flags;
}

/* Adds, all at once, segments that surely have a length. */
INLINE void writer_add_long_segments(path_writer *writer, const uint8_t *verbs, size_t count, const path_point *points,
                                     size_t point_count)
{
    if (writer->tag_count == writer->first_tag)
        writer_push_point(writer, writer->start);
    if (writer->tags) {
        writer_copy_tags(writer, verbs, count);
        writer_copy_points(writer, points, point_count);
    }
    writer->tag_count += count;
    writer->point_count += point_count;
    writer->last = writer_narrow(writer, points[point_count - 1]);
    writer->drawn = true;
}

/* Adds a segment whose length must be tested. `points` are its own points in the scene. */
INLINE void writer_add_doubtful_segment(path_writer *writer, const path_point *points, size_t count)
{
    float_point own[3];
    for (size_t k = 0; k < count; k++)
        own[k] = writer_narrow(writer, points[k]);
    writer->has_doubts = true;
    writer_add_segment(writer, own, count);
}

/* Adds a subpath of the scene: a move, then `count` lines and curves. point_count includes the move's point. */
INLINE void writer_add_subpath(path_writer *writer, const uint8_t *verbs, size_t count, const path_point *points,
                               size_t point_count)
{
    writer->start = writer_narrow(writer, points[0]);
    writer->last = writer->start;
    for (size_t i = 0, run, run_points; i < count; i += run, points += run_points) {
        run = count;
        run_points = point_count - 1;
        if (!writer->without_doubts)
            run = count_long_segments(writer->apart, points, verbs + i, count - i, &run_points);
        if (run > 0) {
            writer_add_long_segments(writer, verbs + i, run, points + 1, run_points);
        } else {
            run = 1;
            run_points = verbs[i];
            writer_add_doubtful_segment(writer, points + 1, run_points);
        }
    }
}

INLINE void writer_close(path_writer *writer)
{
    writer->drawn = true;
    if (writer->tag_count > writer->first_tag)
        writer_add_segment(writer, &writer->start, 1);
}

INLINE void writer_walk(path_writer *writer, path_view path)
{
    if (path.verb_count == 0)
        return; /* it may have no memory */
    const path_point *points = path.points;
    const uint8_t *verb = path.verbs, *end = verb + path.verb_count, *corners = end - path.corner_verb_count;
    while (verb < end) {
        /* Every subpath begins with a move. */
        writer->corners = verb >= corners;
        verb++;
        curve_run run = curve_run_of(verb, (size_t)(end - verb), 0u);
        bool closed = verb + run.count < end && verb[run.count] == PATH_CLOSE;
        writer->tag_flags = !closed ? 0u : writer->corners ? TAG_CLOSED | TAG_CORNER : TAG_CLOSED;
        writer_add_subpath(writer, verb, run.count, points, run.point_count + 1);
        verb += run.count + closed;
        points += run.point_count + 1;
        if (closed)
            writer_close(writer);
        writer_end_subpath(writer, closed);
    }
}

/* The walk is compiled twice, each time with a writer that no other code can see. */
static void writer_count(path_writer *writer, path_view path)
{
    path_writer local = *writer;
    local.tags = NULL;
    local.points = NULL;
    writer_walk(&local, path);
    *writer = local;
}

static void writer_write(path_writer *writer, path_view path)
{
    path_writer local = *writer;
    writer_walk(&local, path);
    *writer = local;
}

/* Returns the subpaths at the beginning of a path that have some PIECE_POINTS points. */
static path_view first_subpaths(path_view path)
{
    path_view first = path;
    first.verb_count = first.point_count = 0;
    while (first.verb_count < path.verb_count &&
           (first.point_count < PIECE_POINTS || path.verbs[first.verb_count] != PATH_MOVE))
        first.point_count += path_verb_points(path.verbs[first.verb_count++]);
    return first;
}

/* Writes piece by piece, and gives the memory of the points back. */
static void writer_write_and_discard(path_writer *writer, path_view path)
{
    while (path.verb_count > 0) {
        const path_view piece = path.corner_verb_count > 0 ? path : first_subpaths(path);
        writer_write(writer, piece);
        memory_discard(piece.points, piece.point_count * sizeof *piece.points);
        path.verbs += piece.verb_count;
        path.verb_count -= piece.verb_count;
        path.points += piece.point_count;
        path.point_count -= piece.point_count;
    }
}

/* Finds the box of the points. If no move was dropped, it is the narrowed hull, since narrowing keeps the order of
 * numbers. Otherwise all points were counted one by one. */
static void path_find_box(const path_writer *writer, path_view path, pietra_box hull, encoded_path *encoded)
{
    float_point low = {0.0f, 0.0f}, high = {-1.0f, -1.0f};
    if (writer->tag_count > 0 && writer->dropped_moves) {
        path_writer one_by_one = writer_of(hull, writer->origin);
        one_by_one.apart = INFINITY;
        writer_count(&one_by_one, path);
        low = one_by_one.low;
        high = one_by_one.high;
    } else if (writer->tag_count > 0) {
        low = writer_narrow(writer, (path_point){hull.x0, hull.y0});
        high = writer_narrow(writer, (path_point){hull.x1, hull.y1});
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
    if (measured->tag_count == 0 || measured->tag_count > RECTANGLE_SEGMENTS)
        return false;
    path_writer writer = {
        .origin = measured->origin, .apart = measured->apart, .without_doubts = measured->without_doubts};
    writer.tags = tags;
    writer.points = points;
    writer_write(&writer, path);
    return rules_path_is_rectangle(tags, measured->tag_count, &points[0].x);
}

void encode_measure_path(const encoder *encoder, uint32_t scene_path, uint32_t scene_transform)
{
    encoded_path *encoded = &encoder->encoded_paths[scene_path];
    path_view path = scene_path_view(encoder->scene, scene_path);
    path_sweep sweep = path_sweep_of(path);
    path_writer writer =
        writer_of(sweep.hull, path_choose_origin(path, sweep.hull, encoder->scene->transforms.items[scene_transform]));
    writer.without_doubts = sweep.least_step > writer.apart;
    writer_count(&writer, path);
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
    path_find_box(&writer, path, sweep.hull, encoded);
}

const encoded_path *encode_path(encoder *encoder, uint32_t scene_path, uint32_t scene_transform)
{
    encoded_path *encoded = &encoder->encoded_paths[scene_path];
    if (encoded->index != STREAM_NONE)
        return encoded;
    if (encoded->scene_transform != scene_transform)
        encode_measure_path(encoder, scene_path, scene_transform);
    stream_path *made = array_push(&encoder->paths);
    uint32_t *source = array_push(&encoder->path_sources);
    if (!made || !source)
        return NULL;
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

void encode_give_back(encode_written *written)
{
    const size_t bytes = (size_t)(written->end - written->begin);
    if (bytes >= DISCARDED_BYTES)
        memory_discard(written->begin, bytes);
    *written = (encode_written){NULL, NULL};
}

/* Adds the arrays of a path that is not needed any more. The scene lays copies of paths behind one another without
 * gaps, but for their alignment. The C library's own notes beside a block would be a larger gap. */
static void gather_written(path_view path, encode_written *written)
{
    const char *begin = (const char *)path.points;
    const bool follows = begin >= written->end && (size_t)(begin - written->end) < sizeof(double);
    if (!written->end || !follows || (size_t)(written->end - written->begin) >= GATHERED_BYTES) {
        encode_give_back(written);
        written->begin = begin;
    }
    written->end = begin + path.point_count * sizeof *path.points;
    if ((const char *)path.verbs == written->end)
        written->end += path.verb_count;
}

void encode_write_path(const encoder *encoder, uint32_t stream_path_index, uint8_t *tags, float_point *points,
                       encode_written *written)
{
    const stream_path *made = &encoder->paths.items[stream_path_index];
    const encoded_path *encoded = &encoder->encoded_paths[encoder->path_sources.items[stream_path_index]];
    path_writer writer = {
        .origin = encoded_origin(encoded), .apart = encoded->apart, .without_doubts = !encoded->has_doubts};
    writer.tags = tags + made->first_segment;
    writer.points = points + made->first_point;
    const scene_path *source = &encoder->scene->paths.items[encoder->path_sources.items[stream_path_index]];
    const bool is_given_back = encoder->gives_paths_back && source->is_own && source->view.point_count > 0;
    if (is_given_back && source->view.point_count * sizeof *source->view.points >= DISCARDED_BYTES) {
        writer_write_and_discard(&writer, source->view);
        return;
    }
    writer_write(&writer, source->view);
    if (is_given_back)
        gather_written(source->view, written);
}
