/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "svg/draw/filter.h"

#include <math.h>

#include "base/transform.h"
#include "svg/draw/filter_parts.h"
#include "svg/draw/filter_picture.h"
#include "svg/draw/visit.h"

/* ---- The list ---- */

static uint32_t function_count(const svg_noninherited *noninherited)
{
    switch (noninherited->filter.kind) {
    case SVG_REFERENCE_LINK:
        return 1;
    case SVG_REFERENCE_FUNCTIONS:
        return noninherited->filter.count;
    default:
        return 0;
    }
}

static svg_filter_function function_at(const svg_walk *walk, const svg_noninherited *noninherited, uint32_t i)
{
    if (noninherited->filter.kind == SVG_REFERENCE_LINK)
        return (svg_filter_function){.kind = SVG_FILTER_URL, .link = noninherited->filter.link};
    return walk->document->filter_functions.items[noninherited->filter.link + i];
}

/* Returns the filter to which a url() leads, or SVG_NO_NODE. */
static uint32_t filter_of(const svg_walk *walk, const svg_filter_function *function)
{
    const uint32_t node = walk->document->links.items[function->link].node;
    return node != SVG_NO_NODE && walk->document->nodes.items[node].element == SVG_FILTER ? node : SVG_NO_NODE;
}

/* A filter in a picture of its own would not end, and is left out of the list. */
static bool is_left_out(const svg_walk *walk, const svg_filter_function *function)
{
    const uint32_t node = function->kind == SVG_FILTER_URL ? filter_of(walk, function) : SVG_NO_NODE;
    return node != SVG_NO_NODE && walk->flags[node] & SVG_NODE_FILTERING;
}

bool svg_filter_occurs(const svg_walk *walk, const svg_noninherited *noninherited)
{
    for (uint32_t i = 0; i < function_count(noninherited); i++) {
        const svg_filter_function function = function_at(walk, noninherited, i);
        if (!is_left_out(walk, &function))
            return true;
    }
    return false;
}

bool svg_filter_needs_extent(const svg_walk *walk, const svg_noninherited *noninherited)
{
    for (uint32_t i = 0; i < function_count(noninherited); i++)
        if (function_at(walk, noninherited, i).kind == SVG_FILTER_URL)
            return true;
    return false;
}

static void warn_of_missing(const svg_filter_build *build, const svg_filter_function *function)
{
    const svg_walk *walk = build->walk;
    const text id = walk->document->links.items[function->link].id;
    svg_warn(walk->warnings, svg_document_warning_line(walk->document, walk->frames.items[build->frame].instance.node),
             "an element is left out: there is no filter #%.*s", TEXT_PRINT(id));
}

/* Prepares an effect for the filter to which a url() leads. *some is false if it shows nothing: it is missing, has no
 * primitives or no region. */
static pietra_result prepare(svg_filter_build *build, const svg_filter_function *function, bool *some)
{
    svg_walk *walk = build->walk;
    const uint32_t node = filter_of(walk, function);
    *some = false;
    if (node == SVG_NO_NODE) {
        warn_of_missing(build, function);
        return PIETRA_OK;
    }
    const pietra_result result = svg_filter_take(walk, node, &build->filter);
    *some = result == PIETRA_OK && build->filter.content != SVG_NO_NODE &&
            svg_filter_find_region(walk, &walk->frames.items[build->frame], &build->filter, &build->region);
    return result;
}

/* ---- Pictures ---- */

/* Draws the next picture of a filter. *begun is false if it has none left. */
static pietra_result begin_next_picture(const svg_filter_build *build, uint32_t function, bool *begun)
{
    svg_walk *walk = build->walk;
    const svg_document *document = walk->document;
    svg_effects *effects = svg_walk_frame_effects(&walk->frames.items[build->frame]);
    uint32_t node = effects->primitive_next;
    node = node == SVG_NO_NODE ? svg_filter_first_primitive(document, &build->filter)
                               : svg_filter_next_primitive(document, &build->filter, node);
    for (; node != SVG_NO_NODE; node = svg_filter_next_primitive(document, &build->filter, node)) {
        svg_rectangle subregion;
        if (document->nodes.items[node].element != SVG_FE_IMAGE ||
            svg_filter_image_target(document, node) == SVG_NO_NODE ||
            !svg_filter_find_subregion(build, node, &build->region, &subregion))
            continue;
        effects->primitive_next = node;
        *begun = true;
        return svg_filter_begin_picture(build, node, function, &subregion);
    }
    *begun = false;
    return PIETRA_OK;
}

/* Draws the next picture of the function at hand. */
static pietra_result step_function(svg_walk *walk, uint32_t index, const svg_filter_function *function, bool *begun)
{
    svg_filter_build build = {.walk = walk, .frame = index};
    svg_effects *effects = svg_walk_frame_effects(&walk->frames.items[index]);
    bool some = true;
    *begun = false;
    if (is_left_out(walk, function))
        return PIETRA_OK;
    pietra_result result = PIETRA_OK;
    if (function->kind == SVG_FILTER_URL)
        result = prepare(&build, function, &some);
    effects->filter_shows |= some;
    effects->filter_fails |= !some;
    if (result == PIETRA_OK && some && function->kind == SVG_FILTER_URL)
        result = begin_next_picture(&build, effects->function_next, begun);
    return result;
}

pietra_result svg_filter_step(svg_walk *walk, uint32_t index)
{
    svg_walk_frame *frame = &walk->frames.items[index];
    svg_effects *effects = svg_walk_frame_effects(frame);
    const svg_noninherited noninherited = frame->instance.noninherited;
    const uint32_t count = effects->filtered && !effects->skipped ? function_count(&noninherited) : 0;
    if (effects->function_next == 0 && effects->primitive_next == SVG_NO_NODE)
        effects->picture_first = (uint32_t)walk->filter_pictures.count;
    while (effects->function_next < count) {
        const svg_filter_function function = function_at(walk, &noninherited, effects->function_next);
        bool begun;
        const pietra_result result = step_function(walk, index, &function, &begun);
        if (result != PIETRA_OK || begun)
            return svg_walk_check(walk, noninherited.filter.kind ? walk->frames.items[index].instance.node : 0, result);
        effects->function_next++;
        effects->primitive_next = SVG_NO_NODE;
    }
    /* Filters that show nothing are passed over if another one is there. */
    if (effects->filter_fails && !effects->filter_shows)
        effects->skipped = true;
    effects->filtered = effects->filter_shows && !effects->skipped;
    if (!effects->filtered)
        svg_filter_free_pictures(walk, effects->picture_first);
    frame->phase++;
    return PIETRA_OK;
}

/* ---- Effects ---- */

static void free_build(svg_filter_build *build)
{
    for (size_t i = 0; i < build->scenes.count; i++)
        pietra_scene_destroy(build->scenes.items[i]);
    array_free(&build->scenes);
    array_free(&build->steps);
    array_free(&build->regions);
    array_free(&build->results);
    hash_free(&build->result_table);
    arena_free(&build->arena);
}

/* Begins the effect whose steps are there. What it holds is visible as far as its region reaches. */
static pietra_result begin_effect(svg_filter_build *build)
{
    svg_walk *walk = build->walk;
    svg_walk_frame *frame = &walk->frames.items[build->frame];
    svg_effects *effects = svg_walk_frame_effects(frame);
    const svg_rectangle *region = &build->region;
    const bool bounded = region->width > 0;
    pietra_effect effect = {.steps = build->steps.items, .step_count = build->steps.count};
    if (bounded)
        effect.region = (pietra_box){region->x, region->y, region->x + region->width, region->y + region->height};
    const pietra_result result =
        pietra_scene_begin_effect(walk->scene, &effect, &frame->instance.transform, walk->error);
    if (result != PIETRA_OK)
        return result;
    if (effects->filter_count++ == 0) {
        effects->outer_visible = walk->visible;
        effects->filter_position = pietra_scene_position(walk->scene);
    }
    if (bounded) {
        const pietra_box box = transform_box(frame->instance.transform, effect.region);
        svg_extent_join(&walk->effects, box, box);
    }
    walk->visible = bounded ? transform_box(frame->instance.transform, effect.region)
                            : (pietra_box){-INFINITY, -INFINITY, INFINITY, INFINITY};
    return PIETRA_OK;
}

static pietra_result add_primitives(svg_filter_build *build)
{
    const svg_document *document = build->walk->document;
    pietra_result result = PIETRA_OK;
    for (uint32_t node = svg_filter_first_primitive(document, &build->filter);
         result == PIETRA_OK && node != SVG_NO_NODE; node = svg_filter_next_primitive(document, &build->filter, node))
        result = svg_filter_add_primitive(build, node);
    return result;
}

static pietra_result begin_filter(svg_walk *walk, uint32_t index, const svg_filter_function *function,
                                  size_t first_picture)
{
    svg_filter_build build = {.walk = walk, .frame = index, .picture = first_picture};
    bool some;
    pietra_result result = prepare(&build, function, &some);
    if (result == PIETRA_OK && some)
        result = add_primitives(&build);
    if (result == PIETRA_OK && some)
        result = begin_effect(&build);
    free_build(&build);
    return result;
}

/* Begins one effect for functions that follow one another. */
static pietra_result begin_functions(svg_walk *walk, uint32_t index, const svg_noninherited *noninherited,
                                     uint32_t begin, uint32_t end)
{
    svg_filter_build build = {.walk = walk, .frame = index};
    const svg_walk_frame *frame = &walk->frames.items[index];
    const svg_inherited style = walk->styles.items[frame->style];
    const svg_metrics metrics = svg_walk_metrics(walk, style.font_size, frame->instance.width, frame->instance.height);
    pietra_result result = PIETRA_OK;
    for (uint32_t i = begin; i < end && result == PIETRA_OK; i++) {
        const svg_filter_function function = function_at(walk, noninherited, i);
        result = svg_filter_add_function(&build, &function, frame->instance.node, &metrics, &style);
    }
    svg_walk_frame_effects(&walk->frames.items[index])->filter_reach += svg_filter_reach(&build);
    if (result == PIETRA_OK)
        result = begin_effect(&build);
    free_build(&build);
    return result;
}

/* Returns the first function of those before `end` that follow one another without a url(). */
static uint32_t begin_of_functions(const svg_walk *walk, const svg_noninherited *noninherited, uint32_t end)
{
    while (end > 0 && function_at(walk, noninherited, end - 1).kind != SVG_FILTER_URL)
        end--;
    return end;
}

pietra_result svg_filter_begin(svg_walk *walk, uint32_t index)
{
    const svg_noninherited noninherited = walk->frames.items[index].instance.noninherited;
    const uint32_t first = svg_walk_frame_effects(&walk->frames.items[index])->picture_first;
    size_t picture = walk->filter_pictures.count;
    pietra_result result = PIETRA_OK;
    for (uint32_t end = function_count(&noninherited), begin; end > 0 && result == PIETRA_OK; end = begin) {
        begin = begin_of_functions(walk, &noninherited, end);
        if (begin < end) {
            result = begin_functions(walk, index, &noninherited, begin, end);
            continue;
        }
        begin = end - 1;
        const svg_filter_function function = function_at(walk, &noninherited, begin);
        while (picture > first && walk->filter_pictures.items[picture - 1].function == begin)
            picture--;
        if (!is_left_out(walk, &function))
            result = begin_filter(walk, index, &function, picture);
    }
    svg_filter_free_pictures(walk, first);
    return result;
}

/* Notes what effects without a region reach in a cell. What they hold is known only now. */
static void note_reach(svg_walk *walk, const svg_walk_frame *frame, const svg_effects *effects)
{
    const pietra_transform *t = &frame->instance.transform;
    const double x = effects->filter_reach * hypot(t->a, t->c), y = effects->filter_reach * hypot(t->b, t->d);
    pietra_box box;
    if (walk->pattern_depth == 0 || effects->filter_reach == 0 ||
        !pietra_scene_bounds_between(walk->scene, effects->filter_position, pietra_scene_position(walk->scene), &box))
        return;
    box = (pietra_box){box.x0 - x, box.y0 - y, box.x1 + x, box.y1 + y};
    svg_extent_join(&walk->effects, box, box);
}

pietra_result svg_filter_end(svg_walk *walk, const svg_walk_frame *frame, const svg_effects *effects)
{
    pietra_result result = PIETRA_OK;
    if (effects->filter_count)
        note_reach(walk, frame, effects);
    for (uint32_t i = 0; result == PIETRA_OK && i < effects->filter_count; i++)
        result = pietra_scene_end_effect(walk->scene, walk->error);
    if (effects->filter_count)
        walk->visible = effects->outer_visible;
    return result;
}
