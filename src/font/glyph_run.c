/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Runs of glyphs at places of the caller's.
 *
 * A run that is stroked, or whose paint is no opaque colour or has a slot, is one path: overlaps are painted once,
 * and a gradient spans the run. In an opaque colour that is the same picture as glyph after glyph, as long as no two
 * glyphs meet. So the run is parted into clusters, neighbours whose boxes meet. Each cluster is an element, and
 * equal clusters share one path in units of the font. */
#include <math.h>
#include <stdlib.h>

#include "base/error.h"
#include "base/hash.h"
#include "font/font.h"
#include "scene/build/scene_places.h"

typedef struct glyph_run {
    const pietra_font *font;
    double size;
    double scale; /* units of the page in a unit of the font */
    const pietra_glyph *glyphs;
    size_t count;
} glyph_run;

/* An outline in units of the font. */
typedef struct run_outline {
    uint32_t glyph;
    size_t first_verb, verb_count, first_coordinate, coordinate_count; /* in the outlines */
    pietra_box box;
    uint32_t path; /* of the glyph alone; NO_PATH: not made so far */
} run_outline;

#define NO_PATH UINT32_MAX

/* The outlines of a run, each once. */
typedef struct run_outlines {
    font_outline all;
    ARRAY(run_outline) items;
    hash_table table;    /* from a glyph's number to its index in items */
    ARRAY(double) moved; /* the newest coordinates of a path */
} run_outlines;

/* A glyph of a cluster, by its index in the run, and its outline, by its index in items. */
typedef struct run_member {
    size_t glyph;
    uint32_t outline;
} run_member;

typedef struct run_clusters {
    ARRAY(pietra_path *) paths;
    ARRAY(scene_place) places;
} run_clusters;

static pietra_result check(const pietra_scene *scene, const glyph_run *run, const pietra_paint *paint,
                           pietra_error *error)
{
    if (!scene)
        return error_set_null(error, "scene");
    if (!run->font)
        return error_set_null(error, "font");
    if (!run->glyphs && run->count > 0)
        return error_set_null(error, "glyphs");
    if (!paint)
        return error_set_null(error, "paint");
    if (!(run->size > 0) || !isfinite(run->size))
        return error_set(error, PIETRA_ERROR_INPUT, 0, "size is not a number above 0");
    for (size_t i = 0; i < run->count; i++)
        if (!isfinite(run->glyphs[i].x) || !isfinite(run->glyphs[i].y))
            return error_set(error, PIETRA_ERROR_INPUT, 0, "the place of glyph %zu of the run is not finite", i);
    return PIETRA_OK;
}

/* ---- Outlines ---- */

static pietra_result outline_error(const glyph_run *run, uint32_t glyph, const char *wrong, pietra_error *error)
{
    if (wrong == font_out_of_memory)
        return error_set_memory(error);
    return wrong == run->font->face->wrong ? font_error(error, "", wrong)
                                           : error_set(error, PIETRA_ERROR_INPUT, 0, "glyph %u %s", glyph, wrong);
}

static pietra_box box_of(const double *coordinates, size_t count)
{
    pietra_box box = {INFINITY, INFINITY, -INFINITY, -INFINITY};
    for (size_t i = 0; i + 1 < count; i += 2) {
        box.x0 = fmin(box.x0, coordinates[i]);
        box.x1 = fmax(box.x1, coordinates[i]);
        box.y0 = fmin(box.y0, coordinates[i + 1]);
        box.y1 = fmax(box.y1, coordinates[i + 1]);
    }
    return box;
}

/* Gives a glyph's outline, which it asks the font for once. */
static pietra_result find_outline(const glyph_run *run, uint32_t glyph, run_outlines *outlines, pietra_error *error,
                                  uint32_t *index)
{
    const uint64_t hash = hash_bytes(&glyph, sizeof glyph);
    hash_walk walk = hash_find(&outlines->table, hash);
    while (hash_found(&walk) && outlines->items.items[walk.value].glyph != glyph)
        hash_next(&walk);
    *index = walk.value;
    if (hash_found(&walk))
        return PIETRA_OK;
    run_outline made = {.glyph = glyph,
                        .first_verb = outlines->all.verbs.count,
                        .first_coordinate = outlines->all.coordinates.count,
                        .path = NO_PATH};
    const char *wrong = font_find_outline(run->font, glyph, &outlines->all);
    if (wrong)
        return outline_error(run, glyph, wrong, error);
    made.verb_count = outlines->all.verbs.count - made.first_verb;
    made.coordinate_count = outlines->all.coordinates.count - made.first_coordinate;
    made.box = box_of(outlines->all.coordinates.items + made.first_coordinate, made.coordinate_count);
    *index = (uint32_t)outlines->items.count;
    run_outline *added = array_push(&outlines->items);
    if (!added || !hash_insert(&outlines->table, hash, *index))
        return error_set_memory(error);
    *added = made;
    return PIETRA_OK;
}

static void free_outlines(run_outlines *outlines)
{
    font_outline_free(&outlines->all);
    array_free(&outlines->items);
    hash_free(&outlines->table);
    array_free(&outlines->moved);
}

/* ---- One path ---- */

/* Appends an outline to a path, `scale` times as large, with the glyph's origin at a point. */
static pietra_result put(run_outlines *outlines, const run_outline *outline, double scale, double x, double y,
                         pietra_path *path, pietra_error *error)
{
    const double *from = outlines->all.coordinates.items + outline->first_coordinate;
    outlines->moved.count = 0;
    double *to = array_push_many(&outlines->moved, outline->coordinate_count);
    if (!to)
        return error_set_memory(error);
    for (size_t i = 0; i + 1 < outline->coordinate_count; i += 2) {
        to[i] = x + scale * from[i];
        to[i + 1] = y + scale * from[i + 1];
    }
    pietra_path_append(path, outlines->all.verbs.items + outline->first_verb, outline->verb_count, to);
    return pietra_path_check(path) == PIETRA_ERROR_MEMORY ? error_set_memory(error) : PIETRA_OK;
}

static pietra_result put_run(const glyph_run *run, run_outlines *outlines, pietra_path *path, pietra_error *error)
{
    pietra_result result = PIETRA_OK;
    uint32_t index;
    for (size_t i = 0; result == PIETRA_OK && i < run->count; i++) {
        const pietra_glyph *glyph = &run->glyphs[i];
        result = find_outline(run, glyph->id, outlines, error, &index);
        if (result == PIETRA_OK && outlines->items.items[index].verb_count > 0)
            result = put(outlines, &outlines->items.items[index], run->scale, glyph->x, glyph->y, path, error);
    }
    return result;
}

/* Adds the run as one path, which is filled if the stroke is NULL. */
static pietra_result add_path(pietra_scene *scene, const glyph_run *run, const pietra_transform *transform,
                              const pietra_stroke *stroke, const pietra_paint *paint, pietra_error *error)
{
    run_outlines outlines = {0};
    pietra_box box;
    pietra_path *path = pietra_path_create();
    pietra_result result = path ? put_run(run, &outlines, path, error) : error_set_memory(error);
    if (result == PIETRA_OK && (pietra_path_bounds(path, &box) || pietra_path_check(path) != PIETRA_OK))
        result = stroke ? pietra_scene_stroke(scene, path, transform, stroke, paint, error)
                        : pietra_scene_fill(scene, path, transform, PIETRA_FILL_NONZERO, paint, error);
    pietra_path_destroy(path);
    free_outlines(&outlines);
    return result;
}

/* ---- Clusters ---- */

static pietra_box box_at(const glyph_run *run, const run_outline *outline, const pietra_glyph *glyph)
{
    const pietra_box *box = &outline->box;
    return (pietra_box){glyph->x + run->scale * box->x0, glyph->y + run->scale * box->y0,
                        glyph->x + run->scale * box->x1, glyph->y + run->scale * box->y1};
}

/* The sum of finite sides may be infinite, so each counts alone. */
static bool box_is_finite(const pietra_box *box)
{
    return isfinite(box->x0) && isfinite(box->x1) && isfinite(box->y0) && isfinite(box->y1);
}

static bool boxes_meet(const pietra_box *a, const pietra_box *b)
{
    return a->x0 <= b->x1 && b->x0 <= a->x1 && a->y0 <= b->y1 && b->y0 <= a->y1;
}

static void box_widen(pietra_box *box, const pietra_box *other)
{
    *box = (pietra_box){fmin(box->x0, other->x0), fmin(box->y0, other->y0), fmax(box->x1, other->x1),
                        fmax(box->y1, other->y1)};
}

/* Adds a path of some glyphs, whose origin is the first one's. */
static pietra_result add_cluster_path(const glyph_run *run, run_outlines *outlines, const run_member *members,
                                      size_t count, run_clusters *clusters, pietra_error *error)
{
    pietra_path *path = array_reserve(&clusters->paths, 1) ? pietra_path_create() : NULL;
    if (!path)
        return error_set_memory(error);
    clusters->paths.items[clusters->paths.count++] = path;
    pietra_result result = PIETRA_OK;
    for (size_t i = 0; result == PIETRA_OK && i < count; i++) {
        const pietra_glyph *first = &run->glyphs[members[0].glyph], *glyph = &run->glyphs[members[i].glyph];
        result = put(outlines, &outlines->items.items[members[i].outline], 1, (glyph->x - first->x) / run->scale,
                     (glyph->y - first->y) / run->scale, path, error);
    }
    return result;
}

/* Adds a place for some glyphs. A path of one glyph is made once. */
static pietra_result add_cluster(const glyph_run *run, run_outlines *outlines, const run_member *members, size_t count,
                                 run_clusters *clusters, pietra_error *error)
{
    uint32_t *path = &outlines->items.items[members[0].outline].path, made = (uint32_t)clusters->paths.count;
    const pietra_glyph *first = &run->glyphs[members[0].glyph];
    if (count > 1 || *path == NO_PATH) {
        pietra_result result = add_cluster_path(run, outlines, members, count, clusters, error);
        if (result != PIETRA_OK)
            return result;
    }
    if (count == 1 && *path == NO_PATH)
        *path = made;
    scene_place *place = array_push(&clusters->places);
    if (!place)
        return error_set_memory(error);
    *place = (scene_place){count == 1 ? *path : made, first->x, first->y};
    return PIETRA_OK;
}

/* Parts the run into clusters. A glyph without an outline belongs to none. */
static pietra_result find_clusters(const glyph_run *run, run_outlines *outlines, run_clusters *clusters,
                                   pietra_error *error)
{
    ARRAY(run_member) members = {0}; /* of the newest cluster */
    pietra_box box = {0};            /* around them */
    pietra_result result = PIETRA_OK;
    for (size_t i = 0; result == PIETRA_OK && i < run->count; i++) {
        run_member member = {.glyph = i};
        result = find_outline(run, run->glyphs[i].id, outlines, error, &member.outline);
        if (result != PIETRA_OK || outlines->items.items[member.outline].verb_count == 0)
            continue;
        const pietra_box own = box_at(run, &outlines->items.items[member.outline], &run->glyphs[i]);
        if (!box_is_finite(&own)) {
            result =
                error_set(error, PIETRA_ERROR_INPUT, 0, "glyph %zu of the run has a coordinate that is not finite", i);
            continue;
        }
        if (members.count > 0 && !boxes_meet(&box, &own)) {
            result = add_cluster(run, outlines, members.items, members.count, clusters, error);
            members.count = 0;
        }
        if (members.count == 0)
            box = own;
        box_widen(&box, &own);
        run_member *added = array_push(&members);
        if (added)
            *added = member;
        else
            result = error_set_memory(error);
    }
    if (result == PIETRA_OK && members.count > 0)
        result = add_cluster(run, outlines, members.items, members.count, clusters, error);
    array_free(&members);
    return result;
}

static pietra_result add_clusters(pietra_scene *scene, const glyph_run *run, const pietra_transform *transform,
                                  const pietra_paint *paint, pietra_error *error)
{
    run_outlines outlines = {0};
    run_clusters clusters = {0};
    pietra_result result = find_clusters(run, &outlines, &clusters, error);
    if (result == PIETRA_OK && clusters.places.count > 0)
        result = scene_fill_places(scene, clusters.paths.items, clusters.paths.count, run->scale, clusters.places.items,
                                   clusters.places.count, transform, paint, error);
    for (size_t i = 0; i < clusters.paths.count; i++)
        pietra_path_destroy(clusters.paths.items[i]);
    array_free(&clusters.paths);
    array_free(&clusters.places);
    free_outlines(&outlines);
    return result;
}

/* ---- The calls ---- */

static glyph_run run_of(const pietra_font *font, double size, const pietra_glyph *glyphs, size_t count)
{
    double units = font ? font_em(font) : 1;
    return (glyph_run){font, size, size / units, glyphs, count};
}

static bool is_opaque_color(const pietra_paint *paint)
{
    return paint->kind == PIETRA_PAINT_SOLID && paint->color.a >= 1 && !(paint->transparency > 0) && paint->slot == 0;
}

pietra_result pietra_scene_fill_glyphs(pietra_scene *scene, const pietra_font *font, double size,
                                       const pietra_glyph *glyphs, size_t glyph_count,
                                       const pietra_transform *transform, const pietra_paint *paint,
                                       pietra_error *error)
{
    const glyph_run run = run_of(font, size, glyphs, glyph_count);
    pietra_result result = check(scene, &run, paint, error);
    if (result != PIETRA_OK)
        return result;
    /* Clusters are in units of the font, of which a run whose scale is rounded to 0 has none. */
    return is_opaque_color(paint) && run.scale > 0 ? add_clusters(scene, &run, transform, paint, error)
                                                   : add_path(scene, &run, transform, NULL, paint, error);
}

pietra_result pietra_scene_stroke_glyphs(pietra_scene *scene, const pietra_font *font, double size,
                                         const pietra_glyph *glyphs, size_t glyph_count,
                                         const pietra_transform *transform, const pietra_stroke *stroke,
                                         const pietra_paint *paint, pietra_error *error)
{
    const glyph_run run = run_of(font, size, glyphs, glyph_count);
    pietra_result result = check(scene, &run, paint, error);
    if (result != PIETRA_OK)
        return result;
    return stroke ? add_path(scene, &run, transform, stroke, paint, error) : error_set_null(error, "stroke");
}
