/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "render/surface_plan.h"

#include "base/error.h"
#include "base/transform.h"

typedef struct planner {
    surface_plan *plan;
    surface_work work;
    pietra_error *error;
} planner;

static pietra_result plan_images(planner *p, const surface_sizes *sizes, bool is_inner, uint32_t *nodes);

static pietra_result refuse(const planner *p)
{
    return error_set(p->error, PIETRA_ERROR_BUDGET, 0,
                     "too many pictures in pictures are to be drawn, or too large ones");
}

/* Adds a node, behind those that it shows. */
static pietra_result add_node(planner *p, const uint32_t *words, const surface_image *image, const surface_sizes *sizes,
                              const uint32_t *nodes, uint32_t *index)
{
    surface_plan *plan = p->plan;
    if (plan->shown.count + sizes->uses.count > SURFACE_SHOWN_MOST)
        return refuse(p);
    if (!array_reserve(&plan->nodes, 1) || !array_reserve(&plan->shown, sizes->uses.count))
        return error_set_memory(p->error);
    surface_node node = {.words = words,
                         .width = image->width,
                         .height = image->height,
                         .first_shown = plan->shown.count,
                         .shown_count = sizes->uses.count};
    for (size_t i = 0; i < sizes->uses.count; i++) {
        const uint32_t shown = nodes[sizes->uses.items[i].image], level = plan->nodes.items[shown].level + 1;
        plan->shown.items[plan->shown.count++] = (surface_shown){sizes->uses.items[i].element, shown};
        node.level = level > node.level ? level : node.level;
    }
    plan->level_count = node.level + 1 > plan->level_count ? node.level + 1 : plan->level_count;
    *index = (uint32_t)plan->nodes.count;
    plan->nodes.items[plan->nodes.count++] = node;
    return PIETRA_OK;
}

/* Plans what an image shows. */
static pietra_result plan_node(planner *p, const uint32_t *words, const surface_image *image, uint32_t *index)
{
    const pietra_transform frame = transform_scale(image->width, image->height);
    const stream_view view = stream_view_of(words);
    surface_sizes sizes = {.costs = NULL};
    ARRAY(uint32_t) nodes = {0};
    pietra_result result = PIETRA_OK;
    if (view.header->surface_count > 0) {
        result = surface_sizes_make(&view, &frame, surface_work_inner_most(&p->work), p->error, &sizes);
        if (result == PIETRA_OK && !array_reserve(&nodes, sizes.images.count))
            result = error_set_memory(p->error);
        if (result == PIETRA_OK)
            result = plan_images(p, &sizes, true, nodes.items);
    }
    if (result == PIETRA_OK)
        result = add_node(p, words, image, &sizes, nodes.items, index);
    surface_sizes_free(&sizes);
    array_free(&nodes);
    return result;
}

static pietra_result plan_image(planner *p, const surface_sizes *sizes, const surface_image *image, bool is_inner,
                                uint32_t *node)
{
    uint64_t place;
    if (surface_work_find(&p->work, sizes, image, &place)) {
        *node = (uint32_t)place;
        return PIETRA_OK;
    }
    pietra_result result = surface_work_add(&p->work, sizes, image, p->error);
    if (result == PIETRA_OK)
        result = plan_node(p, surface_image_words(sizes, image), image, node);
    if (result == PIETRA_OK && is_inner) {
        (void)surface_work_make_room(&p->work, image);
        if (!surface_work_keep(&p->work, sizes, image, *node))
            result = error_set_memory(p->error);
    }
    return result;
}

/* Finds the nodes of a stream's images. It recurses as deep as surfaces nest. */
static pietra_result plan_images(planner *p, const surface_sizes *sizes, bool is_inner, uint32_t *nodes)
{
    pietra_result result = PIETRA_OK;
    for (size_t i = 0; result == PIETRA_OK && i < sizes->images.count; i++)
        result = plan_image(p, sizes, &sizes->images.items[i], is_inner, &nodes[i]);
    return result;
}

static void place_node(surface_plan *plan, surface_node *node)
{
    node->first_texel = plan->texel_count;
    plan->texel_count += (uint64_t)node->width * node->height;
}

/* Gives nodes their places: those of the frame one behind the other, so that they are copied as one. */
static pietra_result place_nodes(const planner *p)
{
    surface_plan *plan = p->plan;
    for (size_t i = 0; i < plan->nodes.count; i++)
        plan->nodes.items[i].first_texel = UINT64_MAX;
    for (size_t i = 0; i < plan->frame_nodes.count; i++)
        if (plan->nodes.items[plan->frame_nodes.items[i]].first_texel == UINT64_MAX)
            place_node(plan, &plan->nodes.items[plan->frame_nodes.items[i]]);
    for (size_t i = 0; i < plan->nodes.count; i++)
        if (plan->nodes.items[i].first_texel == UINT64_MAX)
            place_node(plan, &plan->nodes.items[i]);
    return plan->texel_count <= SURFACE_NODE_TEXELS_MOST ? PIETRA_OK : refuse(p);
}

pietra_result surface_plan_make(surface_plan *plan, pietra_error *error)
{
    planner p = {.plan = plan, .work.frame = plan->work, .error = error};
    if (!array_reserve(&plan->frame_nodes, plan->frame.images.count))
        return error_set_memory(error);
    plan->frame_nodes.count = plan->frame.images.count;
    pietra_result result = plan_images(&p, &plan->frame, false, plan->frame_nodes.items);
    surface_work_free(&p.work);
    return result == PIETRA_OK ? place_nodes(&p) : result;
}

void surface_plan_free(surface_plan *plan)
{
    surface_sizes_free(&plan->frame);
    array_free(&plan->frame_nodes);
    array_free(&plan->nodes);
    array_free(&plan->shown);
}
