#include "scene/validate.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/error.h"
#include "scene/image.h"
#include "scene/rules.h"
#include "scene/stream.h"
#include "scene/style.h"

/* What stands around an element, innermost last; the first level is the stream itself. */
typedef struct validate_level {
    uint32_t begin_kind;       /* ELEMENT_BEGIN_CLIP, ELEMENT_BEGIN_CLIP_SOURCE or ELEMENT_BEGIN_GROUP */
    uint32_t begin_flags;      /* of that element, its kind included */
    uint32_t child_count;
    uint32_t sole_count;       /* children that claim to be the only one */
    bool last_is_begin;        /* the last child is a clip or group */
    bool blends;               /* some content sees through to what is below */
} validate_level;

typedef struct validator {
    stream_view view;
    pietra_error *error;
    uint32_t *group_counts;    /* for each stop: how many follow it in its gradient, itself included, or 0 where none starts */
    uint8_t *opaque_groups;    /* for each stop that starts a gradient: whether all of them are opaque */
    uint32_t *image_counts;    /* the same for levels and images */
    uint8_t *opaque_images;
    uint32_t used_stops, used_levels, used_texels; /* by the paints so far */
    uint8_t *opaque_paints;
    ARRAY(validate_level) levels;
    size_t open_sources;       /* clips', not masks' */
} validator;

#define REJECT(validator, ...) error_set((validator)->error, PIETRA_ERROR_INPUT, 0, __VA_ARGS__)

static bool value_is_sane(float value, float limit) { return fabsf(value) <= limit; }

/* Index of the first float that is not a number or too large; count: none is. */
static size_t find_insane(const float *values, size_t count, float limit)
{
    for (size_t i = 0; i < count; i++) {
        if (!value_is_sane(values[i], limit)) {
            return i;
        }
    }
    return count;
}

static pietra_result check_header(validator *v, const uint32_t *words, size_t word_count)
{
    stream_header header;
    if (word_count < sizeof header / sizeof(uint32_t)) {
        return REJECT(v, "a stream of %zu words is shorter than its header", word_count);
    }
    memcpy(&header, words, sizeof header);
    if (header.magic != STREAM_MAGIC) {
        return REJECT(v, "not a stream");
    }
    if (header.version != STREAM_VERSION) {
        return REJECT(v, "a stream of version %u, where %u is understood", header.version, STREAM_VERSION);
    }
    const uint32_t counts[] = { header.element_count, header.path_count, header.segment_count, header.point_count, header.transform_count,
                                header.style_count,   header.dash_count, header.paint_count,   header.stop_count,  header.level_count,
                                header.texel_count };
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++) {
        if (counts[i] > STREAM_MAX_COUNT) {
            return REJECT(v, "the stream's header counts %u of something: too many", counts[i]);
        }
    }
    stream_header laid_out = header;
    if (stream_lay_out(&laid_out) != word_count) {
        return REJECT(v, "the stream has %zu words, its counts ask for another number", word_count);
    }
    if (memcmp(&laid_out, &header, sizeof header) != 0) {
        return REJECT(v, "the stream's arrays are not where its counts put them");
    }
    uint32_t levels_end = header.levels + header.level_count * (uint32_t)(sizeof(stream_level) / sizeof(uint32_t));
    for (uint32_t i = levels_end; i < header.texels; i++) {
        if (words[i] != 0u) {
            return REJECT(v, "the words before the texels are not 0");
        }
    }
    return PIETRA_OK;
}

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
    if (own_points == 0 || tag >= 2u * TAG_DOT) {
        return "a tag that says nothing known";
    }
    if (first == walk->open) {
        return "a subpath that does not begin where the last one ends";
    }
    if (!first && ((walk->tag ^ tag) & TAG_CLOSED) != 0) {
        return "a subpath that is closed in part";
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

static pietra_result check_path(validator *v, uint32_t index)
{
    const stream_path *path = &v->view.paths[index];
    path_walk walk = { .points = v->view.points + 2 * (size_t)path->first_point, .point_count = path->point_count, .first = STREAM_NONE };
    for (uint32_t i = 0; i < path->segment_count; i++) {
        const char *fault = walk_segment(&walk, v->view.tags[path->first_segment + i]);
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

static pietra_result check_paths(validator *v)
{
    const stream_header *header = v->view.header;
    size_t bad = find_insane(v->view.points, 2 * (size_t)header->point_count, STREAM_LIMIT);
    if (bad < 2 * (size_t)header->point_count) {
        return REJECT(v, "point %zu is not finite or too large", bad / 2);
    }
    uint32_t segments = 0, points = 0;
    for (uint32_t i = 0; i < header->path_count; i++) {
        const stream_path *path = &v->view.paths[i];
        if (path->first_segment != segments || path->first_point != points || path->segment_count > header->segment_count - segments ||
            path->point_count > header->point_count - points) {
            return REJECT(v, "path %u does not follow the one before it, or goes beyond the last segment or point", i);
        }
        segments += path->segment_count;
        points += path->point_count;
        pietra_result result = check_path(v, i);
        if (result != PIETRA_OK) {
            return result;
        }
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

static pietra_result check_transforms(validator *v)
{
    size_t members = sizeof(stream_transform) / sizeof(float);
    size_t count = members * v->view.header->transform_count;
    size_t bad = find_insane((const float *)v->view.transforms, count, STREAM_LIMIT);
    return bad == count ? PIETRA_OK : REJECT(v, "transform %zu is not finite or too large", bad / members);
}

static bool style_is_sane(const stream_style *style)
{
    return style->half_width > 0.0f && style->half_width <= STREAM_LIMIT && style->miter_limit >= 1.0f && style->miter_limit <= STREAM_LIMIT &&
           style->cap <= STYLE_CAP_SQUARE && style->join <= STYLE_JOIN_BEVEL;
}

/* The dashes of a style lie behind those of the styles before it, so that all of them are summed once. */
static bool style_dashes_are_sane(const validator *v, const stream_style *style, uint32_t used)
{
    if (style->dash_count == 0) {
        return style->first_dash == 0u && style->dash_period == 0.0f && style->dash_phase == 0.0f;
    }
    if (style->first_dash != used || style->dash_count > v->view.header->dash_count - used || style->dash_count % 2 != 0) {
        return false;
    }
    float period = (float)style_period(v->view.dashes + used, style->dash_count);
    return period > 0.0f && style->dash_period == period && style->dash_phase >= 0.0f && style->dash_phase < period;
}

static pietra_result check_styles(validator *v)
{
    const stream_header *header = v->view.header;
    for (uint32_t i = 0; i < header->dash_count; i++) {
        if (!(v->view.dashes[i] >= 0.0f && v->view.dashes[i] <= STREAM_LIMIT)) {
            return REJECT(v, "dash %u is negative, not finite or too large", i);
        }
    }
    uint32_t used = 0;
    for (uint32_t i = 0; i < header->style_count; i++) {
        const stream_style *style = &v->view.styles[i];
        if (!style_is_sane(style)) {
            return REJECT(v, "style %u: width, miter limit, cap or join out of range", i);
        }
        if (!style_dashes_are_sane(v, style, used)) {
            return REJECT(v, "style %u: its dashes, their sum or their phase are wrong", i);
        }
        used += style->dash_count;
    }
    return used == header->dash_count ? PIETRA_OK : REJECT(v, "dashes belong to no style");
}

static bool stop_is_sane(const stream_stop *stop)
{
    return stop->offset >= 0.0f && stop->offset <= 1.0f && stop->base_r >= 0.0f && stop->base_r <= 255.0f && stop->base_g >= 0.0f &&
           stop->base_g <= 255.0f && stop->base_b >= 0.0f && stop->base_b <= 255.0f && stop->base_a >= 0.0f && stop->base_a <= 255.0f;
}

/* A gradient's stops: from 0 on, never back, with the slopes that lead from each to the next and none after the last. */
static bool stops_are_sane(const stream_stop *stops, uint32_t count)
{
    if (stops[0].offset != 0.0f) {
        return false;
    }
    for (uint32_t i = 0; i < count; i++) {
        const stream_stop *next = &stops[i + 1 < count ? i + 1 : i];
        stream_stop expected = stops[i];
        if (!stop_is_sane(&stops[i]) || next->offset < stops[i].offset) {
            return false;
        }
        rules_set_slopes(&expected, next);
        if (expected.slope_r != stops[i].slope_r || expected.slope_g != stops[i].slope_g || expected.slope_b != stops[i].slope_b ||
            expected.slope_a != stops[i].slope_a) {
            return false;
        }
    }
    return true;
}

/* The stops of a paint: those of an earlier one, or the next ones. */
static pietra_result check_stops(validator *v, uint32_t index)
{
    uint32_t *used = &v->used_stops;
    const stream_paint *paint = &v->view.paints[index];
    if (paint->first_stop < *used) {
        return v->group_counts[paint->first_stop] == paint->stop_count && paint->stop_count > 0
                   ? PIETRA_OK
                   : REJECT(v, "paint %u: its stops are part of another gradient's", index);
    }
    if (paint->first_stop != *used || paint->stop_count == 0 || paint->stop_count > v->view.header->stop_count - *used) {
        return REJECT(v, "paint %u: its stops do not follow those before them, or go beyond the last", index);
    }
    const stream_stop *stops = v->view.stops + *used;
    if (!stops_are_sane(stops, paint->stop_count)) {
        return REJECT(v, "paint %u: a stop's offset, colour or slope is wrong", index);
    }
    v->group_counts[*used] = paint->stop_count;
    v->opaque_groups[*used] = rules_stops_are_opaque(stops, paint->stop_count);
    *used += paint->stop_count;
    return PIETRA_OK;
}

static bool texels_are_premultiplied(const uint32_t *texels, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        uint32_t a = texels[i] >> 24;
        if ((texels[i] & 0xffu) > a || (texels[i] >> 8 & 0xffu) > a || (texels[i] >> 16 & 0xffu) > a) {
            return false;
        }
    }
    return true;
}

static bool texels_are_opaque(const uint32_t *texels, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (texels[i] >> 24 != 255u) {
            return false;
        }
    }
    return true;
}

/* Whether the levels are a pyramid whose texels follow those of the images before it; counts them. */
static bool levels_are_sane(const validator *v, const stream_level *levels, uint32_t count, uint32_t *texel_count)
{
    uint64_t sum = 0;
    uint32_t width = levels[0].width, height = levels[0].height;
    if (width == 0 || height == 0 || width > IMAGE_SIDE_MAX || height > IMAGE_SIDE_MAX || count > IMAGE_LEVELS_MAX) {
        return false;
    }
    for (uint32_t i = 0; i < count; i++) {
        if (levels[i].width != width || levels[i].height != height || levels[i].first_texel != v->used_texels + sum) {
            return false;
        }
        sum += (uint64_t)width * height;
        if (sum > v->view.header->texel_count - v->used_texels) {
            return false;
        }
        width = (width + 1) / 2;
        height = (height + 1) / 2;
    }
    *texel_count = (uint32_t)sum;
    return true;
}

/* The levels of a paint: those of an earlier one, or the next ones. */
static pietra_result check_image(validator *v, uint32_t index)
{
    const stream_paint *paint = &v->view.paints[index];
    if (paint->color > FILTER_HIGH) {
        return REJECT(v, "paint %u: an image's filter is out of range", index);
    }
    if (paint->first_stop < v->used_levels) {
        return v->image_counts[paint->first_stop] == paint->stop_count && paint->stop_count > 0
                   ? PIETRA_OK
                   : REJECT(v, "paint %u: its levels are part of another image's", index);
    }
    if (paint->first_stop != v->used_levels || paint->stop_count == 0 || paint->stop_count > v->view.header->level_count - v->used_levels) {
        return REJECT(v, "paint %u: its levels do not follow those before them, or go beyond the last", index);
    }
    uint32_t texel_count;
    if (!levels_are_sane(v, v->view.levels + v->used_levels, paint->stop_count, &texel_count)) {
        return REJECT(v, "paint %u: the sizes or places of an image's levels are wrong", index);
    }
    const uint32_t *texels = v->view.texels + v->used_texels;
    if (!texels_are_premultiplied(texels, texel_count)) {
        return REJECT(v, "paint %u: a texel has a colour above its alpha", index);
    }
    v->image_counts[v->used_levels] = paint->stop_count;
    v->opaque_images[v->used_levels] = texels_are_opaque(texels, texel_count);
    v->used_levels += paint->stop_count;
    v->used_texels += texel_count;
    return PIETRA_OK;
}

static bool radial_is_sane(const stream_paint *paint)
{
    return paint->centre_distance >= 0.0f && paint->r0 >= 0.0f && paint->r0 + paint->dr >= 0.0f &&
           (paint->centre_distance != 0.0f || paint->dr != 0.0f);
}

static pietra_result check_paint(validator *v, uint32_t index)
{
    const stream_paint *paint = &v->view.paints[index];
    size_t members = (offsetof(stream_paint, dr) - offsetof(stream_paint, a)) / sizeof(float) + 1;
    if (paint->kind > PAINT_IMAGE || paint->spread > SPREAD_REPEAT || paint->opacity > 255u) {
        return REJECT(v, "paint %u: kind, spread or opacity out of range", index);
    }
    if (find_insane(&paint->a, members, STREAM_LIMIT) != members) {
        return REJECT(v, "paint %u: a number is not finite or too large", index);
    }
    if (paint->kind == PAINT_SOLID) {
        return paint->stop_count == 0 ? PIETRA_OK : REJECT(v, "paint %u: a solid has stops", index);
    }
    if (paint->kind == PAINT_RADIAL && !radial_is_sane(paint)) {
        return REJECT(v, "paint %u: circles of a radial gradient that make none", index);
    }
    return paint->kind == PAINT_IMAGE ? check_image(v, index) : check_stops(v, index);
}

static pietra_result check_paints(validator *v)
{
    const stream_header *header = v->view.header;
    v->group_counts = calloc((size_t)header->stop_count + 1, sizeof *v->group_counts);
    v->opaque_groups = calloc((size_t)header->stop_count + 1, 1);
    v->image_counts = calloc((size_t)header->level_count + 1, sizeof *v->image_counts);
    v->opaque_images = calloc((size_t)header->level_count + 1, 1);
    v->opaque_paints = calloc((size_t)header->paint_count + 1, 1);
    if (v->group_counts == NULL || v->opaque_groups == NULL || v->image_counts == NULL || v->opaque_images == NULL || v->opaque_paints == NULL) {
        return error_set(v->error, PIETRA_ERROR_MEMORY, 0, "out of memory");
    }
    for (uint32_t i = 0; i < header->paint_count; i++) {
        pietra_result result = check_paint(v, i);
        if (result != PIETRA_OK) {
            return result;
        }
        const stream_paint *paint = &v->view.paints[i];
        const uint8_t *opaque_parts = paint->kind == PAINT_IMAGE ? v->opaque_images : v->opaque_groups;
        v->opaque_paints[i] = rules_paint_is_opaque(paint, paint->kind != PAINT_SOLID && opaque_parts[paint->first_stop] != 0);
    }
    if (v->used_levels != header->level_count || v->used_texels != header->texel_count) {
        return REJECT(v, "levels or texels belong to no paint");
    }
    return v->used_stops == header->stop_count ? PIETRA_OK : REJECT(v, "stops belong to no paint");
}

/* The flags that a kind may have. */
static uint32_t allowed_flags(const stream_element *element)
{
    switch (element->kind & ELEMENT_KIND_MASK) {
    case ELEMENT_FILL:
        return ELEMENT_EVEN_ODD | ELEMENT_RECT | ELEMENT_OPAQUE | ELEMENT_COVER | ELEMENT_IMAGE | ELEMENT_CRISP;
    case ELEMENT_STROKE:
        return ELEMENT_OPAQUE | ELEMENT_DASHED | ELEMENT_IMAGE | ELEMENT_CRISP;
    case ELEMENT_BEGIN_CLIP:
        if (element->path != STREAM_NONE) {
            return ELEMENT_SOLE_CHILD | ELEMENT_BACKDROP | ELEMENT_EVEN_ODD | ELEMENT_RECT | ELEMENT_CRISP;
        }
        return ELEMENT_SOLE_CHILD | (rules_mode(element->kind) == MASK_NONE ? ELEMENT_BACKDROP : ELEMENT_ISOLATED | 3u << ELEMENT_MODE_SHIFT);
    case ELEMENT_BEGIN_GROUP:
        return ELEMENT_SOLE_CHILD | ELEMENT_ISOLATED | ELEMENT_MODE_MAX << ELEMENT_MODE_SHIFT;
    default:
        return 0u;
    }
}

static bool kind_is_known(uint32_t kind)
{
    return kind == ELEMENT_FILL || kind == ELEMENT_STROKE || rules_is_begin(kind) || rules_is_end(kind);
}

static bool transform_is_stream_identity(const stream_transform *t)
{
    return t->a == 1.0f && t->b == 0.0f && t->c == 0.0f && t->d == 1.0f && t->e == 0.0f && t->f == 0.0f && t->e_low == 0.0f && t->f_low == 0.0f;
}

static bool box_is_zero(const stream_element *element)
{
    return element->box_x0 == 0.0f && element->box_y0 == 0.0f && element->box_x1 == 0.0f && element->box_y1 == 0.0f;
}

/* What an element refers to. */
static pietra_result check_references(validator *v, uint32_t index)
{
    const stream_element *element = &v->view.elements[index];
    const stream_header *header = v->view.header;
    uint32_t kind = element->kind & ELEMENT_KIND_MASK;
    bool drawing = kind == ELEMENT_FILL || kind == ELEMENT_STROKE;
    bool has_path = drawing || (kind == ELEMENT_BEGIN_CLIP && element->path != STREAM_NONE);
    if (has_path ? element->path >= header->path_count : element->path != STREAM_NONE) {
        return REJECT(v, "element %u: path %u is not there", index, element->path);
    }
    if (kind == ELEMENT_STROKE ? element->style >= header->style_count : element->style != STREAM_NONE) {
        return REJECT(v, "element %u: style %u is not there", index, element->style);
    }
    if (drawing ? element->paint >= header->paint_count : element->paint != STREAM_NONE) {
        return REJECT(v, "element %u: paint %u is not there", index, element->paint);
    }
    if (element->transform >= header->transform_count) {
        return REJECT(v, "element %u: transform %u is not there", index, element->transform);
    }
    if (!has_path && !transform_is_stream_identity(&v->view.transforms[element->transform])) {
        return REJECT(v, "element %u: a transform where only the identity may stand", index);
    }
    if (drawing && v->view.paths[element->path].segment_count == 0) {
        return REJECT(v, "element %u: draws a path of no segments", index);
    }
    return PIETRA_OK;
}

/* Whether the box is the four sides of the path, a rectangle. */
static bool box_is_rectangle(const stream_element *element, const float *p)
{
    return element->box_x0 == fminf(p[0], p[4]) && element->box_x1 == fmaxf(p[0], p[4]) && element->box_y0 == fminf(p[1], p[5]) &&
           element->box_y1 == fmaxf(p[1], p[5]);
}

static pietra_result check_flags(validator *v, uint32_t index)
{
    const stream_element *element = &v->view.elements[index];
    uint32_t kind = element->kind & ELEMENT_KIND_MASK;
    if (kind == ELEMENT_FILL || (kind == ELEMENT_BEGIN_CLIP && element->path != STREAM_NONE)) {
        const stream_path *path = &v->view.paths[element->path];
        const float *points = v->view.points + 2 * (size_t)path->first_point;
        bool rectangle = element->box_x0 <= element->box_x1 &&
                         rules_path_is_rectangle(v->view.tags + path->first_segment, path->segment_count, points);
        if (rectangle != ((element->kind & ELEMENT_RECT) != 0) || (rectangle && !box_is_rectangle(element, points))) {
            return REJECT(v, "element %u: is marked as a rectangle and is none, or the other way round", index);
        }
    }
    if ((kind == ELEMENT_FILL || kind == ELEMENT_STROKE) && (v->opaque_paints[element->paint] != 0) != ((element->kind & ELEMENT_OPAQUE) != 0)) {
        return REJECT(v, "element %u: is marked as opaque and is not, or the other way round", index);
    }
    if ((kind == ELEMENT_FILL || kind == ELEMENT_STROKE) &&
        (v->view.paints[element->paint].kind == PAINT_IMAGE) != ((element->kind & ELEMENT_IMAGE) != 0)) {
        return REJECT(v, "element %u: is marked as an image and is none, or the other way round", index);
    }
    if (kind == ELEMENT_STROKE && (v->view.styles[element->style].dash_count > 0) != ((element->kind & ELEMENT_DASHED) != 0)) {
        return REJECT(v, "element %u: is marked as dashed and is not, or the other way round", index);
    }
    bool cover = v->levels.count == 1 && rules_may_cover(element->kind);
    if (cover != ((element->kind & ELEMENT_COVER) != 0)) {
        return REJECT(v, "element %u: is marked as a cover and is none, or the other way round", index);
    }
    return PIETRA_OK;
}

static validate_level *top_level(validator *v) { return array_last(&v->levels); }

static pietra_result open_level(validator *v, uint32_t begin_kind, uint32_t begin_flags)
{
    validate_level *level = array_push(&v->levels);
    if (level == NULL) {
        return error_set(v->error, PIETRA_ERROR_MEMORY, 0, "out of memory");
    }
    *level = (validate_level){ .begin_kind = begin_kind, .begin_flags = begin_flags };
    return PIETRA_OK;
}

/* Whether the children's claims to be the only one are right: the claim is made exactly where it holds, and nowhere in a source or
 * at the top. */
static bool sole_children_are_right(const validate_level *level)
{
    bool layer = level->begin_kind == ELEMENT_BEGIN_CLIP || level->begin_kind == ELEMENT_BEGIN_GROUP;
    return level->sole_count == (layer && level->child_count == 1 && level->last_is_begin ? 1u : 0u);
}

static pietra_result close_level(validator *v, uint32_t index, uint32_t begin_kind)
{
    const validate_level *level = top_level(v);
    if (level->begin_kind != begin_kind) {
        return REJECT(v, "element %u: ends what is not open", index);
    }
    if (!sole_children_are_right(level)) {
        return REJECT(v, "element %u: a begin before it is marked as the only child and is not, or the other way round", index);
    }
    if (begin_kind == ELEMENT_BEGIN_CLIP_SOURCE) {
        v->levels.count--;
        return PIETRA_OK;
    }
    if ((rules_layer_flags(level->begin_flags, level->blends) & ~level->begin_flags) != 0) {
        return REJECT(v, "element %u: ends a group or clip in which something blends, which its begin does not say", index);
    }
    bool shows_below = rules_layer_shows_below(level->begin_flags, level->blends);
    v->levels.count--;
    top_level(v)->blends = top_level(v)->blends || shows_below;
    return PIETRA_OK;
}

static void add_child(validator *v, const stream_element *element, bool is_begin)
{
    validate_level *level = top_level(v);
    level->child_count += level->child_count < 2;
    level->sole_count += (element->kind & ELEMENT_SOLE_CHILD) != 0;
    level->last_is_begin = is_begin;
}

/* A clip by a source: the source's elements are inside the level of ELEMENT_BEGIN_CLIP, but not its children. */
static pietra_result check_begin_clip(validator *v, uint32_t index)
{
    const stream_element *element = &v->view.elements[index];
    bool source_follows = index + 1 < v->view.header->element_count && (element[1].kind & ELEMENT_KIND_MASK) == ELEMENT_BEGIN_CLIP_SOURCE;
    if (source_follows != (element->path == STREAM_NONE)) {
        return REJECT(v, "element %u: a clip has a path and a source, or neither", index);
    }
    if (v->open_sources > 0 && rules_mode(element->kind) != MASK_NONE) {
        return REJECT(v, "element %u: a mask stands in a clip's source", index);
    }
    add_child(v, element, true);
    return open_level(v, ELEMENT_BEGIN_CLIP, element->kind);
}

static pietra_result close_source(validator *v, uint32_t index)
{
    pietra_result result = close_level(v, index, ELEMENT_BEGIN_CLIP_SOURCE);
    if (result == PIETRA_OK) {
        v->open_sources -= rules_mode(top_level(v)->begin_flags) == MASK_NONE;
    }
    return result;
}

static pietra_result check_nesting(validator *v, uint32_t index)
{
    const stream_element *element = &v->view.elements[index];
    switch (element->kind & ELEMENT_KIND_MASK) {
    case ELEMENT_BEGIN_CLIP:
        return check_begin_clip(v, index);
    case ELEMENT_BEGIN_CLIP_SOURCE:
        if (index == 0 || (element[-1].kind & ELEMENT_KIND_MASK) != ELEMENT_BEGIN_CLIP) {
            return REJECT(v, "element %u: a clip's source does not stand at the clip's begin", index);
        }
        v->open_sources += rules_mode(element[-1].kind) == MASK_NONE;
        return open_level(v, ELEMENT_BEGIN_CLIP_SOURCE, element->kind);
    case ELEMENT_BEGIN_GROUP:
        if (v->open_sources > 0) {
            return REJECT(v, "element %u: a group stands in a clip's source", index);
        }
        add_child(v, element, true);
        return open_level(v, ELEMENT_BEGIN_GROUP, element->kind);
    case ELEMENT_END_CLIP:
        return close_level(v, index, ELEMENT_BEGIN_CLIP);
    case ELEMENT_END_CLIP_SOURCE:
        return close_source(v, index);
    case ELEMENT_END_GROUP:
        return close_level(v, index, ELEMENT_BEGIN_GROUP);
    default:
        add_child(v, element, false);
        return PIETRA_OK;
    }
}

static pietra_result check_element(validator *v, uint32_t index)
{
    const stream_element *element = &v->view.elements[index];
    uint32_t kind = element->kind & ELEMENT_KIND_MASK;
    if (!kind_is_known(kind)) {
        return REJECT(v, "element %u: kind %u is unknown or not in use yet", index, kind);
    }
    if ((element->kind & ~ELEMENT_KIND_MASK & ~allowed_flags(element)) != 0) {
        return REJECT(v, "element %u: flags that its kind cannot have", index);
    }
    if (kind == ELEMENT_BEGIN_GROUP ? element->opacity > 255u : element->opacity != 255u) {
        return REJECT(v, "element %u: opacity %u out of range", index, element->opacity);
    }
    if (find_insane(&element->box_x0, 4, STREAM_BOX_LIMIT) != 4 || (rules_is_end(kind) && !box_is_zero(element))) {
        return REJECT(v, "element %u: a box that is not finite, or at an end", index);
    }
    pietra_result result = check_references(v, index);
    if (result != PIETRA_OK) {
        return result;
    }
    result = check_flags(v, index);
    if (result != PIETRA_OK) {
        return result;
    }
    return check_nesting(v, index);
}

static pietra_result check_elements(validator *v)
{
    const stream_header *header = v->view.header;
    pietra_result result = open_level(v, 0, 0);
    for (uint32_t i = 0; result == PIETRA_OK && i < header->element_count; i++) {
        result = check_element(v, i);
    }
    if (result != PIETRA_OK) {
        return result;
    }
    if (v->levels.count != 1) {
        return REJECT(v, "%zu begins have no end", v->levels.count - 1);
    }
    if (!sole_children_are_right(top_level(v))) {
        return REJECT(v, "a begin outside all others is marked as the only child");
    }
    return PIETRA_OK;
}

static pietra_result check_totals(validator *v)
{
    const stream_header *header = v->view.header;
    rules_totals totals = rules_count(v->view.elements, header->element_count, v->view.paths);
    if (header->bracket_count != totals.brackets || header->cover_count != totals.covers || header->dashed_count != totals.dashed ||
        header->item_count != totals.items || totals.items > STREAM_MAX_COUNT) {
        return REJECT(v, "the totals of the stream's header are not those of its elements, or too large");
    }
    return PIETRA_OK;
}

pietra_result validate_stream(const uint32_t *words, size_t word_count, pietra_error *error)
{
    static pietra_result (*const checks[])(validator *) = { check_paths, check_transforms, check_styles, check_paints, check_elements, check_totals };
    validator validator = { .error = error };
    pietra_result result = check_header(&validator, words, word_count);
    if (result != PIETRA_OK) {
        return result;
    }
    validator.view = stream_view_of(words);
    for (size_t i = 0; result == PIETRA_OK && i < sizeof checks / sizeof checks[0]; i++) {
        result = checks[i](&validator);
    }
    free(validator.group_counts);
    free(validator.opaque_groups);
    free(validator.image_counts);
    free(validator.opaque_images);
    free(validator.opaque_paints);
    array_free(&validator.levels);
    return result;
}
