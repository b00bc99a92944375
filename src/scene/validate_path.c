/* Segments follow one another, and dots are dots. */
#include <stdatomic.h>
#include <string.h>

#include "scene/validator.h"

static bool points_equal(const float *a, const float *b) { return a[0] == b[0] && a[1] == b[1]; }

/* Whether a segment's points, its start included, all fall together. */
static bool segment_has_no_length(const float *start, uint32_t own_points)
{
    bool equal = true;
    for (uint32_t i = 1; i <= own_points; i++) {
        equal = equal && points_equal(start + 2 * i, start);
    }
    return equal;
}

/* A walk along the segments of one path. */
typedef struct path_walk {
    const float *points;       /* the path's own */
    uint32_t point_count;
    uint32_t at;               /* point that the next segment starts from */
    uint32_t first;            /* first point of the subpath */
    uint8_t tag;               /* of the last segment */
    bool open;                 /* inside a subpath */
} path_walk;

/* NULL, or what is wrong. */
static const char *walk_segment(path_walk *walk, uint8_t tag)
{
    uint32_t own_points = tag & TAG_POINTS_MASK;
    bool first = (tag & TAG_FIRST) != 0;
    bool last = (tag & TAG_LAST) != 0;
    if (own_points == 0 || tag >= 2u * TAG_CORNER) {
        return "a tag that says nothing known";
    }
    if (first == walk->open) {
        return "a subpath that does not begin where the last one ends";
    }
    if (!first && ((walk->tag ^ tag) & (TAG_CLOSED | TAG_CORNER)) != 0) {
        return "a subpath that is closed or a corner in part";
    }
    if ((tag & (TAG_CLOSED | TAG_CORNER)) == TAG_CORNER) {
        return "a corner that is not closed";
    }
    if (first) {
        walk->at += walk->first != STREAM_NONE;
        walk->first = walk->at;
    }
    if (walk->point_count < own_points + 1 || walk->at > walk->point_count - own_points - 1) {
        return "fewer points than its tags ask for";
    }
    bool no_length = segment_has_no_length(walk->points + 2 * (size_t)walk->at, own_points);
    bool dot = (tag & TAG_DOT) != 0;
    if (no_length != dot || (dot && tag != (1u | TAG_FIRST | TAG_LAST | TAG_DOT))) {
        return "a segment without length that is not a dot, or a dot that is not one";
    }
    walk->at += own_points;
    walk->tag = tag;
    walk->open = !last;
    if (last && (tag & TAG_CLOSED) != 0 &&
        memcmp(walk->points + 2 * (size_t)walk->at, walk->points + 2 * (size_t)walk->first, 2 * sizeof(float)) != 0) {
        return "a closed subpath that does not end where it starts";
    }
    return NULL;
}

/* Walks over segments that begin and end no subpath and have a length, as nearly all do, up to the first that is otherwise, or at
 * fault. Returns its index. */
static uint32_t walk_inner_segments(path_walk *walk, const uint8_t *tags, uint32_t i, uint32_t count)
{
    for (; walk->open && i < count; i++) {
        uint32_t own_points = tags[i] & TAG_POINTS_MASK;
        bool is_inner = own_points != 0 && (tags[i] & ~TAG_POINTS_MASK) == (walk->tag & (TAG_CLOSED | TAG_CORNER));
        const float *start = walk->points + 2 * (size_t)walk->at;
        if (!is_inner || walk->point_count - walk->at <= own_points || points_equal(start, start + 2)) {
            break;
        }
        walk->at += own_points;
        walk->tag = tags[i];
    }
    return i;
}

static pietra_result check_path(validator *v, uint32_t index)
{
    const stream_path *path = &v->view.paths[index];
    const uint8_t *tags = v->view.tags + path->first_segment;
    size_t bad = find_insane(v->view.points + 2 * (size_t)path->first_point, 2 * (size_t)path->point_count, STREAM_LIMIT);
    if (bad < 2 * (size_t)path->point_count) {
        return REJECT(v, "path %u: point %zu is not finite or too large", index, bad / 2);
    }
    path_walk walk = { .points = v->view.points + 2 * (size_t)path->first_point, .point_count = path->point_count, .first = STREAM_NONE };
    for (uint32_t i = 0; (i = walk_inner_segments(&walk, tags, i, path->segment_count)) < path->segment_count; i++) {
        const char *fault = walk_segment(&walk, tags[i]);
        if (fault != NULL) {
            return REJECT(v, "path %u, segment %u: %s", index, i, fault);
        }
    }
    uint32_t used = path->segment_count > 0 ? walk.at + 1 : 0;
    if (walk.open || used != path->point_count) {
        return REJECT(v, "path %u: its last subpath has no end, or points are left over", index);
    }
    return PIETRA_OK;
}

/* Threads look for the first path that is wrong; what is wrong with it is told afterwards. */
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
    for (size_t i = begin; i < end && i < atomic_load(&search->first_bad); i++) {
        if (check_path(&silent, (uint32_t)i) != PIETRA_OK) {
            search_found(search, i);
        }
    }
}

/* How many of the first paths stand one behind the other among segments and points, and what those have. */
static uint32_t count_placed(const validator *v, uint32_t *segments, uint32_t *points)
{
    const stream_header *header = v->view.header;
    uint32_t i = 0;
    for (*segments = *points = 0; i < header->path_count; i++) {
        const stream_path *path = &v->view.paths[i];
        if (path->first_segment != *segments || path->first_point != *points || path->segment_count > header->segment_count - *segments ||
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
    path_search search = { .v = v, .first_bad = placed };
    parallel_pool_share(v->pool, placed, search_paths, &search);
    if (atomic_load(&search.first_bad) < placed) {
        return check_path(v, (uint32_t)atomic_load(&search.first_bad));
    }
    if (placed < header->path_count) {
        return REJECT(v, "path %u does not follow the one before it, or goes beyond the last segment or point", placed);
    }
    if (segments != header->segment_count || points != header->point_count) {
        return REJECT(v, "segments or points belong to no path");
    }
    for (uint32_t i = header->segment_count; i % 4 != 0; i++) {
        if (v->view.tags[i] != 0) {
            return REJECT(v, "the word of the last tag has more than tags");
        }
    }
    return PIETRA_OK;
}
