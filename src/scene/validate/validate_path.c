/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Checks that segments follow one another and that dots are dots. */
#include <stdatomic.h>
#include <string.h>

#include "scene/curve_run.h"
#include "scene/validate/validator.h"

static bool points_equal(const float *a, const float *b)
{
    return a[0] == b[0] && a[1] == b[1];
}

/* Returns whether all points of a segment, its start included, are equal. */
static bool segment_has_no_length(const float *start, uint32_t own_points)
{
    bool equal = true;
    for (uint32_t i = 1; i <= own_points; i++)
        equal = equal && points_equal(start + 2 * i, start);
    return equal;
}

/* A walk along the segments of one path. */
typedef struct path_walk {
    const float *points; /* the path's */
    uint32_t point_count;
    uint32_t at;    /* the point from which the next segment starts */
    uint32_t first; /* first point of the subpath */
    uint8_t tag;    /* the last segment's */
    bool open;      /* inside a subpath */
} path_walk;

/* Returns NULL, or what is wrong. */
static const char *walk_segment(path_walk *walk, uint8_t tag)
{
    uint32_t own_points = tag & TAG_POINTS_MASK;
    bool first = (tag & TAG_FIRST) != 0;
    bool last = (tag & TAG_LAST) != 0;
    if (own_points == 0 || tag >= 2u * TAG_CORNER)
        return "a tag that says nothing known";
    if (first == walk->open)
        return "a subpath that does not begin where the last one ends";
    if (!first && ((walk->tag ^ tag) & (TAG_CLOSED | TAG_CORNER)) != 0)
        return "a subpath that is closed or a corner in part";
    if ((tag & (TAG_CLOSED | TAG_CORNER)) == TAG_CORNER)
        return "a corner that is not closed";
    if (first) {
        walk->at += walk->first != STREAM_NONE;
        walk->first = walk->at;
    }
    if (walk->point_count < own_points + 1 || walk->at > walk->point_count - own_points - 1)
        return "fewer points than its tags ask for";
    bool no_length = segment_has_no_length(walk->points + 2 * (size_t)walk->at, own_points);
    bool dot = (tag & TAG_DOT) != 0;
    if (no_length != dot || (dot && tag != (1u | TAG_FIRST | TAG_LAST | TAG_DOT)))
        return "a segment without length that is not a dot, or a dot that is not one";
    walk->at += own_points;
    walk->tag = tag;
    walk->open = !last;
    if (last && (tag & TAG_CLOSED) != 0 &&
        memcmp(walk->points + 2 * (size_t)walk->at, walk->points + 2 * (size_t)walk->first, 2 * sizeof(float)) != 0) {
        return "a closed subpath that does not end where it starts";
    }
    return NULL;
}

/* Skips segments that neither begin nor end a subpath and that have a length, as nearly all do. Returns the index of
 * the first other segment, which may be at fault. */
static uint32_t walk_inner_segments(path_walk *walk, const uint8_t *tags, uint32_t i, uint32_t count)
{
    for (; walk->open && i < count; i++) {
        uint32_t own_points = tags[i] & TAG_POINTS_MASK;
        bool is_inner = own_points != 0 && (tags[i] & ~TAG_POINTS_MASK) == (walk->tag & (TAG_CLOSED | TAG_CORNER));
        const float *start = walk->points + 2 * (size_t)walk->at;
        if (!is_inner || walk->point_count - walk->at <= own_points || points_equal(start, start + 2))
            break;
        walk->at += own_points;
        walk->tag = tags[i];
    }
    return i;
}

/* Does the same where no two neighbouring points are equal, so that tags alone decide. */
static uint32_t walk_inner_tags(path_walk *walk, const uint8_t *tags, uint32_t i, uint32_t count)
{
    if (!walk->open)
        return i;
    curve_run run = curve_run_of(tags + i, count - i, walk->tag & (TAG_CLOSED | TAG_CORNER));
    if (run.count == 0 || run.point_count >= walk->point_count - walk->at)
        return walk_inner_segments(walk, tags, i, count);
    i += (uint32_t)run.count;
    walk->at += (uint32_t)run.point_count;
    walk->tag = tags[i - 1];
    return i;
}

typedef struct point_sweep {
    bool sane;   /* every number is finite and within the limit */
    bool differ; /* every point differs from its neighbours */
} point_sweep;

/* Takes two points at a time. */
static point_sweep sweep_points(const float *points, size_t count)
{
    typedef float four __attribute__((vector_size(16)));
    typedef int32_t four_bits __attribute__((vector_size(16)));
    const four_bits all_but_sign = {INT32_MAX, INT32_MAX, INT32_MAX, INT32_MAX};
    const four limit = {STREAM_LIMIT, STREAM_LIMIT, STREAM_LIMIT, STREAM_LIMIT};
    four_bits sane = {-1, -1, -1, -1}, differ = sane;
    size_t i = 0;
    for (; i + 2 < count; i += 2) {
        four these, next;
        memcpy(&these, points + 2 * i, sizeof these);
        memcpy(&next, points + 2 * i + 2, sizeof next);
        four_bits sides = these != next;
        sane &= (four)((four_bits)these & all_but_sign) <= limit;
        differ &= sides | (four_bits){sides[1], sides[0], sides[3], sides[2]};
    }
    point_sweep found = {sane[0] & sane[1] & sane[2] & sane[3] & 1, differ[0] & differ[2] & 1};
    for (; i < count; i++) {
        const float *p = points + 2 * i;
        found.sane = found.sane && fabsf(p[0]) <= STREAM_LIMIT && fabsf(p[1]) <= STREAM_LIMIT;
        found.differ = found.differ && (i + 1 == count || !points_equal(p, p + 2));
    }
    return found;
}

static pietra_result check_path(validator *v, uint32_t index)
{
    const stream_path *path = &v->view.paths[index];
    const uint8_t *tags = v->view.tags + path->first_segment;
    const float *points = v->view.points + 2 * (size_t)path->first_point;
    point_sweep sweep = sweep_points(points, path->point_count);
    if (!sweep.sane) {
        size_t bad = find_insane(points, 2 * (size_t)path->point_count, STREAM_LIMIT);
        return REJECT(v, "path %u: point %zu is not finite or too large", index, bad / 2);
    }
    path_walk walk = {.points = points, .point_count = path->point_count, .first = STREAM_NONE};
    for (uint32_t i = 0; i < path->segment_count; i++) {
        i = sweep.differ ? walk_inner_tags(&walk, tags, i, path->segment_count)
                         : walk_inner_segments(&walk, tags, i, path->segment_count);
        if (i == path->segment_count)
            break;
        const char *fault = walk_segment(&walk, tags[i]);
        if (fault)
            return REJECT(v, "path %u, segment %u: %s", index, i, fault);
    }
    uint32_t used = path->segment_count > 0 ? walk.at + 1 : 0;
    if (walk.open || used != path->point_count)
        return REJECT(v, "path %u: its last subpath has no end, or points are left over", index);
    return PIETRA_OK;
}

/* Threads search for the first path that is wrong. What is wrong with it is worked out afterwards. */
typedef struct path_search {
    const validator *v;
    atomic_size_t first_bad;
} path_search;

static void search_found(path_search *search, size_t index)
{
    size_t known = atomic_load(&search->first_bad);
    while (index < known && !atomic_compare_exchange_weak(&search->first_bad, &known, index)) {
    }
}

static void search_paths(void *user, size_t begin, size_t end)
{
    path_search *search = user;
    validator silent = *search->v;
    silent.error = NULL;
    for (size_t i = begin; i < end && i < atomic_load(&search->first_bad); i++)
        if (check_path(&silent, (uint32_t)i) != PIETRA_OK)
            search_found(search, i);
}

/* Returns how many of the first paths follow one another without gaps among segments and points, and how many segments
 * and points these have. */
static uint32_t count_placed(const validator *v, uint32_t *segments, uint32_t *points)
{
    const stream_header *header = v->view.header;
    uint32_t i = 0;
    for (*segments = *points = 0; i < header->path_count; i++) {
        const stream_path *path = &v->view.paths[i];
        if (path->first_segment != *segments || path->first_point != *points ||
            path->segment_count > header->segment_count - *segments ||
            path->point_count > header->point_count - *points) {
            break;
        }
        *segments += path->segment_count;
        *points += path->point_count;
    }
    return i;
}

pietra_result validate_paths(validator *v)
{
    const stream_header *header = v->view.header;
    uint32_t segments, points, placed = count_placed(v, &segments, &points);
    path_search search = {.v = v, .first_bad = placed};
    parallel_pool_share(v->pool, placed, search_paths, &search);
    if (atomic_load(&search.first_bad) < placed)
        return check_path(v, (uint32_t)atomic_load(&search.first_bad));
    if (placed < header->path_count)
        return REJECT(v, "path %u does not follow the one before it, or goes beyond the last segment or point", placed);
    if (segments != header->segment_count || points != header->point_count)
        return REJECT(v, "segments or points belong to no path");
    for (uint32_t i = header->segment_count; i % 4 != 0; i++)
        if (v->view.tags[i] != 0)
            return REJECT(v, "the word of the last tag has more than tags");
    return PIETRA_OK;
}
