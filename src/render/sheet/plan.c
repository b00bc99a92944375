/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "render/sheet/plan.h"

#include "base/error.h"
#include "base/transform.h"
#include "lib/element_kind.h"
#include "render/frame/config.h"

/* Geometry is cut off at COORDINATE_LIMIT, so sheets stay below it. An image may have TEXELS_LEAST texels, and
 * TEXELS_SHARE times as many as the whole picture has pixels. Texels are twice as large until both hold: that takes a
 * blur of something endless, or one as wide as thousands of pixels. It depends on the frame alone, not on the part. */
#define SHEET_REACH 60000
#define TEXELS_LEAST ((uint64_t)1 << 21)
#define TEXELS_SHARE 4u
#define HALVINGS_MOST 40u

/* The pixels around an effect: those of the frame, or of a sheet. */
typedef struct sheet_level {
    uint32_t effect;            /* NONE: the frame */
    uint32_t source;            /* that is being drawn, among all */
    uint32_t pictures;          /* of an effect: those that have begun */
    pietra_transform to_pixels; /* from the stream's units */
    double center_x, center_y;  /* the middle of the frame, in these pixels */
    effect_box whole, part;
} sheet_level;

typedef struct planner {
    sheet_plan *plan;
    const stream_view *view; /* the plan's */
    const frame_config *config;
    effect_measure *measure;
    ARRAY(sheet_level) levels;
} planner;

/* ---- Boxes in the stream's units ---- */

static pietra_box box_of_element(const planner *p, const stream_element *element)
{
    if (!(element->box_x0 <= element->box_x1))
        return BOX_OF_NOTHING;
    return transform_box(config_widened(&p->view->transforms[element->transform]),
                         (pietra_box){(double)element->box_x0, (double)element->box_y0, (double)element->box_x1,
                                      (double)element->box_y1});
}

/* Adds to the box of the innermost source that is open. The outermost entry is the frame. */
static void add_box(planner *p, pietra_box box)
{
    uint32_t source = array_last(&p->levels)->source;
    if (source != NONE)
        p->plan->sources.items[source].scene_box = box_join(p->plan->sources.items[source].scene_box, box);
}

static bool push_level(planner *p, uint32_t effect, uint32_t source)
{
    sheet_level *level = array_push(&p->levels);
    if (level)
        *level = (sheet_level){.effect = effect, .source = source};
    return level != NULL;
}

static bool begin_effect(planner *p, uint32_t index)
{
    const stream_element *element = &p->view->elements[index];
    const uint32_t sources = 1 + p->view->effects[element->paint].picture_count;
    sheet_effect *effect = array_push(&p->plan->effects);
    if (!effect || !array_reserve(&p->plan->sources, sources))
        return false;
    *effect = (sheet_effect){
        .begin = index, .first_source = (uint32_t)p->plan->sources.count, .source_count = sources, .image = NONE};
    effect->to_scene = config_widened(&p->view->transforms[element->transform]);
    effect->keeps_pixels = (element->kind & ELEMENT_BACKDROP) != 0;
    for (uint32_t i = 0; i < sources; i++)
        p->plan->sources.items[p->plan->sources.count++] =
            (sheet_source){.begin = index + 1, .scene_box = BOX_OF_NOTHING};
    return push_level(p, (uint32_t)(p->plan->effects.count - 1), effect->first_source);
}

/* The content of an effect stands behind its pictures. */
static void end_picture(planner *p, uint32_t index)
{
    const sheet_level *picture = array_last(&p->levels);
    p->plan->sources.items[picture->source].end = index;
    p->plan->sources.items[p->plan->effects.items[picture->effect].first_source].begin = index + 1;
    p->levels.count--;
}

/* An effect shows no more than its region, and without one anything. */
static void end_effect(planner *p, uint32_t index)
{
    sheet_effect *effect = &p->plan->effects.items[array_last(&p->levels)->effect];
    effect->end = index;
    p->plan->sources.items[effect->first_source].end = index;
    p->levels.count--;
    add_box(p, box_of_element(p, &p->view->elements[effect->begin]));
}

/* Finds all effects, and what they may show at most. */
static bool find_effects(planner *p)
{
    if (!push_level(p, NONE, NONE))
        return false;
    for (uint32_t i = 0; i < p->view->header->element_count; i++) {
        const stream_element *element = &p->view->elements[i];
        switch (element->kind & ELEMENT_KIND_MASK) {
        case ELEMENT_FILL:
        case ELEMENT_STROKE:
            add_box(p, box_of_element(p, element));
            break;
        case ELEMENT_BEGIN_EFFECT:
            if (!begin_effect(p, i))
                return false;
            break;
        case ELEMENT_BEGIN_EFFECT_PICTURE: {
            sheet_level *content = array_last(&p->levels);
            const uint32_t effect = content->effect, picture = content->pictures++;
            const uint32_t source = p->plan->effects.items[effect].first_source + 1 + picture;
            p->plan->sources.items[source].begin = i + 1;
            if (!push_level(p, effect, source))
                return false;
            break;
        }
        case ELEMENT_END_EFFECT_PICTURE:
            end_picture(p, i);
            break;
        case ELEMENT_END_EFFECT:
            end_effect(p, i);
            break;
        default:
            break;
        }
    }
    return true;
}

/* ---- What is needed ---- */

static effect_box box_of_pixels(pixel_box box)
{
    return (effect_box){box.x0, box.y0, box.x1, box.y1};
}

static pietra_box unsnapped(effect_box box)
{
    return (pietra_box){box.left, box.top, box.right, box.bottom};
}

/* Returns the texels that show in a box of the pixels around. */
static effect_box texels_in(const effect_space *space, effect_box pixels)
{
    pietra_transform to_texels;
    if (effect_box_is_empty(pixels) || !transform_invert(space->to_pixels, &to_texels))
        return (effect_box){0, 0, 0, 0};
    effect_box texels = effect_texels_of(transform_box(to_texels, unsnapped(pixels)));
    /* Where texels are resampled, those beside a pixel count too. */
    return space->is_exact ? texels : effect_box_grow(texels, 2, 2);
}

static bool is_small_enough(effect_box box, uint64_t texels_most)
{
    return box.left >= -SHEET_REACH && box.top >= -SHEET_REACH && box.right <= SHEET_REACH &&
           box.bottom <= SHEET_REACH && sheet_texels(box) <= texels_most;
}

/* Returns whether all images of a graph are. */
static bool graph_is_small_enough(const effect_graph *graph, uint64_t texels_most)
{
    bool fits = true;
    for (size_t i = 0; i < graph->sources.count; i++)
        fits = fits && is_small_enough(graph->sources.items[i].out, texels_most);
    for (size_t i = 0; i < graph->nodes.count; i++)
        fits = fits && is_small_enough(graph->nodes.items[i].out, texels_most) &&
               sheet_texels(effect_graph_work(graph, &graph->nodes.items[i])) <= texels_most;
    return fits;
}

/* Makes the graph of an effect in its space. */
static bool make_graph(sheet_plan *plan, const sheet_effect *effect)
{
    const stream_view *view = &plan->view;
    const stream_element *element = &view->elements[effect->begin];
    const pietra_box region = {(double)element->box_x0, (double)element->box_y0, (double)element->box_x1,
                               (double)element->box_y1};
    plan->reaches.count = 0;
    if (!array_reserve(&plan->reaches, effect->source_count))
        return false;
    for (uint32_t i = 0; i < effect->source_count; i++) {
        pietra_box box = plan->sources.items[effect->first_source + i].scene_box;
        effect_box reach = {0, 0, 0, 0};
        if (box.x0 <= box.x1 && box.y0 <= box.y1)
            reach = effect_box_grow(effect_texels_of(transform_box(effect->to_sheet, box)), 1, 1);
        plan->reaches.items[plan->reaches.count++] = reach;
    }
    return effect_graph_make(&view->effects[element->paint], view->effect_steps, view->effect_values, &effect->space,
                             region, plan->reaches.items, &plan->graph);
}

/* Sets the space of an effect. False: nothing is seen through it. */
static bool set_space(sheet_effect *effect, const sheet_level *level, unsigned halvings)
{
    pietra_transform to_user, to_pixels = transform_multiply(level->to_pixels, effect->to_scene);
    if (effect->keeps_pixels && halvings == 0) {
        effect->to_sheet = level->to_pixels;
        return effect_space_of_pixels(to_pixels, &effect->space);
    }
    if (!effect_space_of(to_pixels, level->center_x, level->center_y, halvings, &effect->space))
        return false;
    if (effect->space.is_pixels) {
        effect->to_sheet = level->to_pixels;
        return true;
    }
    if (!transform_invert(effect->to_scene, &to_user))
        return false;
    effect->to_sheet = transform_multiply(effect->space.from_user, to_user);
    return transform_is_finite(effect->to_sheet);
}

/* Finds the space of an effect, such that its images are small enough, and what the whole frame needs.
 * False: out of memory. An effect that shows nothing has an empty `shown`. */
static bool plan_space(planner *p, sheet_effect *effect, const sheet_level *level)
{
    for (unsigned halvings = 0; halvings <= HALVINGS_MOST; halvings++) {
        if (!set_space(effect, level, halvings))
            return true;
        if (!make_graph(p->plan, effect))
            return false;
        effect->shown = effect_graph_demand(&p->plan->graph, texels_in(&effect->space, level->whole));
        if (graph_is_small_enough(&p->plan->graph, TEXELS_LEAST + TEXELS_SHARE * sheet_texels(level->whole)))
            return true;
        effect->shown = (effect_box){0, 0, 0, 0};
    }
    return true;
}

/* Returns the texels that a part of the frame shows. Where they are resampled, the image has all columns of the whole,
 * so that it can take the whole's place (made_stream_put_image), and also what pixels of whole tiles beyond the frame
 * read. */
static effect_box texels_of_part(const sheet_effect *effect, effect_box part)
{
    if (!effect->space.is_exact && !effect_box_is_empty(part)) {
        part.right += TILE_SIDE;
        part.bottom += TILE_SIDE;
    }
    effect_box texels = effect_box_meet(texels_in(&effect->space, part), effect->whole);
    if (!effect->space.is_exact && !effect_box_is_empty(texels)) {
        texels.left = effect->whole.left;
        texels.right = effect->whole.right;
    }
    return texels;
}

static void add_cost(sheet_cost *cost, const sheet_effect *effect)
{
    cost->all += effect->run.cost;
    if (effect->run.cost > cost->most) {
        cost->most = effect->run.cost;
        cost->dearest = effect->begin;
    }
}

/* Finds what this part of the frame needs of an effect that the frame shows. False: out of memory. */
static bool plan_part(planner *p, sheet_effect *effect, const sheet_level *level)
{
    sheet_plan *plan = p->plan;
    sheet_source *sources = plan->sources.items + effect->first_source;
    for (size_t i = 0; i < plan->graph.sources.count; i++)
        sources[i].whole = plan->graph.sources.items[i].out;
    effect->whole = effect->shown;
    effect->shown = effect_graph_demand(&plan->graph, texels_of_part(effect, level->part));
    if (effect_box_is_empty(effect->shown))
        return true;
    if (!p->measure(&plan->graph, &effect->run))
        return false;
    add_cost(&plan->cost, effect);
    for (size_t i = 0; i < plan->graph.sources.count; i++)
        sources[i].part = plan->graph.sources.items[i].out;
    effect->depth = level->effect == NONE ? 1 : plan->effects.items[level->effect].depth + 1;
    effect->first_texel = plan->texel_count;
    effect->image = plan->image_count++;
    plan->texel_count += sheet_texels(effect->shown);
    return true;
}

static bool plan_effect(planner *p, uint32_t index)
{
    sheet_effect *effect = &p->plan->effects.items[index];
    const sheet_level level = *array_last(&p->levels);
    return plan_space(p, effect, &level) && (effect_box_is_empty(effect->shown) || plan_part(p, effect, &level));
}

/* Opens the pixels on which a source of an effect is drawn. */
static bool enter_source(planner *p, uint32_t index, uint32_t source)
{
    const sheet_effect *effect = &p->plan->effects.items[index];
    const sheet_level around = *array_last(&p->levels);
    pietra_transform to_texels;
    sheet_level *level = array_push(&p->levels);
    if (!level)
        return false;
    *level = (sheet_level){.effect = index,
                           .source = source,
                           .to_pixels = effect->to_sheet,
                           .center_x = around.center_x,
                           .center_y = around.center_y,
                           .whole = p->plan->sources.items[source].whole,
                           .part = p->plan->sources.items[source].part};
    if (transform_invert(effect->space.to_pixels, &to_texels))
        transform_point(to_texels, &level->center_x, &level->center_y);
    return true;
}

static void enter_frame(planner *p, sheet_level *frame)
{
    const frame_config *config = p->config;
    *frame = (sheet_level){.effect = NONE, .source = NONE};
    frame->to_pixels = config_widened(&config->transform);
    frame->center_x = 0.5 * config->width;
    frame->center_y = 0.5 * config->height;
    frame->whole = (effect_box){0, 0, config->width, config->height};
    frame->part = box_of_pixels(config_pixels(config));
}

static void enter_root(const sheet_root *root, sheet_level *frame)
{
    *frame = (sheet_level){.effect = NONE, .source = NONE};
    frame->to_pixels = transform_scale(root->width, root->height);
    frame->center_x = 0.5 * root->width;
    frame->center_y = 0.5 * root->height;
    frame->whole = (effect_box){0, 0, root->width, root->height};
    frame->part = sheet_root_pixels(root);
}

/* Plans all effects, outer ones first. Those in an effect that the part does not show need not be planned. */
static bool plan_effects(planner *p)
{
    const sheet_plan *plan = p->plan;
    uint32_t next = 0;
    size_t next_root = 0;
    if (p->config)
        enter_frame(p, array_last(&p->levels));
    for (uint32_t i = 0; i < p->view->header->element_count; i++) {
        while (next_root < plan->root_count && plan->roots[next_root].begin == i)
            enter_root(&plan->roots[next_root++], array_last(&p->levels));
        const uint32_t kind = p->view->elements[i].kind & ELEMENT_KIND_MASK;
        if (kind == ELEMENT_BEGIN_EFFECT) {
            const uint32_t index = next++;
            if (!plan_effect(p, index))
                return false;
            const sheet_effect *effect = &p->plan->effects.items[index];
            if (effect->image == NONE) {
                while (next < p->plan->effects.count && p->plan->effects.items[next].begin < effect->end)
                    next++;
                i = effect->end;
                continue;
            }
            if (!enter_source(p, index, effect->first_source))
                return false;
        } else if (kind == ELEMENT_BEGIN_EFFECT_PICTURE) {
            sheet_level *content = array_last(&p->levels);
            const uint32_t picture = content->pictures++, effect = content->effect;
            if (!enter_source(p, effect, p->plan->effects.items[effect].first_source + 1 + picture))
                return false;
        } else if (kind_ends_effect(kind)) {
            p->levels.count--;
        }
    }
    return true;
}

bool sheet_plan_make(const pietra_stream *stream, const frame_config *config, effect_measure *measure, sheet_plan *plan)
{
    planner p = {.plan = plan, .view = &plan->view, .config = config, .measure = measure};
    plan->view = stream_view_of(stream_words(stream));
    plan->held_texels = stream->word_count - plan->view.header->texels;
    bool made = find_effects(&p) && plan_effects(&p);
    array_free(&p.levels);
    return made;
}

bool sheet_plan_make_roots(const pietra_stream *stream, const sheet_root *roots, size_t root_count,
                           effect_measure *measure, sheet_plan *plan)
{
    plan->roots = roots;
    plan->root_count = root_count;
    return sheet_plan_make(stream, NULL, measure, plan);
}

/* The results in an effect lie from its place up to `top`. */
static void stack_result(sheet_plan *plan, const sheet_effect *effect, uint64_t *top)
{
    const uint64_t texels = sheet_texels(effect->shown);
    plan->texel_count = *top + texels > plan->texel_count ? *top + texels : plan->texel_count;
    *top = effect->first_texel + texels;
}

bool sheet_plan_stack_results(sheet_plan *plan)
{
    ARRAY(sheet_effect *) open = {.items = NULL};
    uint64_t top = 0;
    plan->texel_count = 0;
    bool done = array_reserve(&open, plan->effects.count);
    for (size_t i = 0; done && i < plan->effects.count; i++) {
        sheet_effect *effect = &plan->effects.items[i];
        while (open.count > 0 && (*array_last(&open))->end < effect->begin)
            stack_result(plan, open.items[--open.count], &top);
        if (effect->image == NONE)
            continue;
        effect->first_texel = top;
        open.items[open.count++] = effect;
    }
    while (open.count > 0)
        stack_result(plan, open.items[--open.count], &top);
    array_free(&open);
    return done;
}

void sheet_plan_free(sheet_plan *plan)
{
    array_free(&plan->effects);
    array_free(&plan->sources);
    array_free(&plan->reaches);
    effect_graph_free(&plan->graph);
}

pietra_result sheet_check_cost(const sheet_cost *cost, const part_budget *budget, pietra_error *error)
{
    const pietra_result result = frame_work_check(&budget->work, WORK_EFFECTS, cost->all, error);
    return result == PIETRA_OK || !budget->labelled
               ? result
               : error_set_label(error, result, stream_label(budget->labelled, cost->dearest));
}

bool sheet_plan_graph(sheet_plan *plan, const sheet_effect *effect)
{
    if (!make_graph(plan, effect))
        return false;
    (void)effect_graph_demand(&plan->graph, effect->shown);
    return true;
}

tile_box sheet_tiles(effect_box box)
{
    if (effect_box_is_empty(box))
        return (tile_box){0, 0, 0, 0};
    return (tile_box){box.left >> TILE_SHIFT, box.top >> TILE_SHIFT, (box.right + TILE_SIDE - 1) >> TILE_SHIFT,
                      (box.bottom + TILE_SIDE - 1) >> TILE_SHIFT};
}

uint64_t sheet_pixels(effect_box box)
{
    tile_box tiles = sheet_tiles(box);
    return (uint64_t)(tiles.x1 - tiles.x0) * (uint64_t)(tiles.y1 - tiles.y0) * TILE_PIXELS;
}

effect_box sheet_root_pixels(const sheet_root *root)
{
    const tile_box part = root->part;
    const effect_box whole = {0, 0, root->width, root->height};
    return effect_box_meet(
        (effect_box){part.x0 * TILE_SIDE, part.y0 * TILE_SIDE, part.x1 * TILE_SIDE, part.y1 * TILE_SIDE}, whole);
}

uint64_t sheet_texels(effect_box box)
{
    return effect_box_is_empty(box) ? 0 : (uint64_t)(box.right - box.left) * (uint64_t)(box.bottom - box.top);
}
