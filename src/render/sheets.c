/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "render/sheets.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/error.h"
#include "base/transform.h"
#include "lib/element_kind.h"
#include "render/effect/effect.h"
#include "render/effect/graph.h"
#include "render/effect/run.h"
#include "render/frame/config.h"
#include "scene/rules.h"

/* Geometry is cut off at COORDINATE_LIMIT, so sheets stay below it. An image may have TEXELS_LEAST texels, and
 * TEXELS_SHARE times as many as the whole picture has pixels. Texels are twice as large until both hold: that takes a
 * blur of something endless, or one as wide as thousands of pixels. It depends on the frame alone, not on the part. */
#define SHEET_REACH 60000
#define TEXELS_LEAST ((uint64_t)1 << 21)
#define TEXELS_SHARE 4u
#define HALVINGS_MOST 40u

/* An effect of the stream. */
typedef struct sheet_effect {
    uint32_t begin, end;       /* its elements */
    uint32_t first_source;     /* of its sources: the content, then the pictures */
    pietra_transform to_scene; /* from user units */
    effect_space space;
    pietra_transform to_sheet; /* from the stream's units */
    effect_box whole;          /* texels of the result that the whole frame shows, */
    effect_box shown;          /* and this part of it; empty: the effect is left out */
    uint32_t image;            /* its number among those that are shown */
} sheet_effect;

/* What an effect reads: pixels of a sheet. */
typedef struct sheet_source {
    pietra_box scene_box; /* outside of it, it is transparent; in the stream's units */
    effect_box whole;     /* texels that the whole frame needs, */
    effect_box part;      /* and this part of it */
} sheet_source;

/* The pixels around an effect: those of the frame, or of a sheet. */
typedef struct sheet_level {
    uint32_t effect;            /* NONE: the frame */
    uint32_t source;            /* that is being drawn, among all */
    uint32_t pictures;          /* of an effect: those that have begun */
    pietra_transform to_pixels; /* from the stream's units */
    double center_x, center_y;  /* the middle of the frame, in these pixels */
    effect_box whole, part;
} sheet_level;

typedef struct sheet_job {
    const sheet_device *device;
    stream_view view;
    const frame_config *config;
    part_budget *budget;
    pietra_error *error;
    ARRAY(sheet_effect) effects; /* in the order of their begins */
    ARRAY(sheet_source) sources;
    ARRAY(sheet_level) levels;
    ARRAY(effect_box) reaches; /* of the sources of one effect */
    effect_graph graph;        /* of one effect */
    uint32_t image_count;
    uint64_t texel_count; /* of all results */
    uint64_t work_bytes;  /* the most that one effect takes while it is drawn */
    pietra_stream *made;
    uint32_t elements_at; /* offset of its elements */
    uint64_t used_texels; /* of it */
    ARRAY(uint32_t) open; /* effects whose end has not been met */
} sheet_job;

/* ---- Boxes in the stream's units ---- */

static const pietra_box box_of_nothing = {INFINITY, INFINITY, -INFINITY, -INFINITY};

static pietra_box box_join(pietra_box a, pietra_box b)
{
    return (pietra_box){fmin(a.x0, b.x0), fmin(a.y0, b.y0), fmax(a.x1, b.x1), fmax(a.y1, b.y1)};
}

static pietra_transform widen(const stream_transform *t)
{
    return (pietra_transform){(double)t->a,
                              (double)t->b,
                              (double)t->c,
                              (double)t->d,
                              (double)t->e + (double)t->e_low,
                              (double)t->f + (double)t->f_low};
}

static pietra_box box_of_element(const sheet_job *job, const stream_element *element)
{
    if (!(element->box_x0 <= element->box_x1))
        return box_of_nothing;
    return transform_box(widen(&job->view.transforms[element->transform]),
                         (pietra_box){(double)element->box_x0, (double)element->box_y0, (double)element->box_x1,
                                      (double)element->box_y1});
}

/* Adds to the box of the innermost source that is open. The outermost entry is the frame. */
static void add_box(sheet_job *job, pietra_box box)
{
    uint32_t source = array_last(&job->levels)->source;
    if (source != NONE)
        job->sources.items[source].scene_box = box_join(job->sources.items[source].scene_box, box);
}

static bool push_level(sheet_job *job, uint32_t effect, uint32_t source)
{
    sheet_level *level = array_push(&job->levels);
    if (level)
        *level = (sheet_level){.effect = effect, .source = source};
    return level != NULL;
}

static bool begin_effect(sheet_job *job, uint32_t index)
{
    const stream_element *element = &job->view.elements[index];
    const uint32_t sources = 1 + job->view.effects[element->paint].picture_count;
    sheet_effect *effect = array_push(&job->effects);
    if (!effect || !array_reserve(&job->sources, sources))
        return false;
    *effect = (sheet_effect){.begin = index, .first_source = (uint32_t)job->sources.count, .image = NONE};
    effect->to_scene = widen(&job->view.transforms[element->transform]);
    for (uint32_t i = 0; i < sources; i++)
        job->sources.items[job->sources.count++] = (sheet_source){.scene_box = box_of_nothing};
    return push_level(job, (uint32_t)(job->effects.count - 1), effect->first_source);
}

/* An effect shows no more than its region, and without one anything. */
static void end_effect(sheet_job *job, uint32_t index)
{
    sheet_effect *effect = &job->effects.items[array_last(&job->levels)->effect];
    effect->end = index;
    job->levels.count--;
    add_box(job, box_of_element(job, &job->view.elements[effect->begin]));
}

/* Finds all effects, and what they may show at most. */
static bool find_effects(sheet_job *job)
{
    if (!push_level(job, NONE, NONE))
        return false;
    for (uint32_t i = 0; i < job->view.header->element_count; i++) {
        const stream_element *element = &job->view.elements[i];
        switch (element->kind & ELEMENT_KIND_MASK) {
        case ELEMENT_FILL:
        case ELEMENT_STROKE:
            add_box(job, box_of_element(job, element));
            break;
        case ELEMENT_BEGIN_EFFECT:
            if (!begin_effect(job, i))
                return false;
            break;
        case ELEMENT_BEGIN_EFFECT_PICTURE: {
            sheet_level *content = array_last(&job->levels);
            const uint32_t effect = content->effect, picture = content->pictures++;
            if (!push_level(job, effect, job->effects.items[effect].first_source + 1 + picture))
                return false;
            break;
        }
        case ELEMENT_END_EFFECT_PICTURE:
            job->levels.count--;
            break;
        case ELEMENT_END_EFFECT:
            end_effect(job, i);
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

static uint64_t texels_of(effect_box box)
{
    return effect_box_is_empty(box) ? 0 : (uint64_t)(box.right - box.left) * (uint64_t)(box.bottom - box.top);
}

static bool is_small_enough(effect_box box, uint64_t texels_most)
{
    return box.left >= -SHEET_REACH && box.top >= -SHEET_REACH && box.right <= SHEET_REACH &&
           box.bottom <= SHEET_REACH && texels_of(box) <= texels_most;
}

/* Returns whether all images of a graph are. */
static bool graph_is_small_enough(const effect_graph *graph, uint64_t texels_most)
{
    bool fits = true;
    for (size_t i = 0; i < graph->sources.count; i++)
        fits = fits && is_small_enough(graph->sources.items[i].out, texels_most);
    for (size_t i = 0; i < graph->nodes.count; i++)
        fits = fits && is_small_enough(graph->nodes.items[i].out, texels_most) &&
               texels_of(effect_graph_work(graph, &graph->nodes.items[i])) <= texels_most;
    return fits;
}

/* Makes the graph of an effect in its space. */
static bool make_graph(sheet_job *job, const sheet_effect *effect)
{
    const stream_element *element = &job->view.elements[effect->begin];
    const stream_effect *described = &job->view.effects[element->paint];
    const pietra_box region = {(double)element->box_x0, (double)element->box_y0, (double)element->box_x1,
                               (double)element->box_y1};
    job->reaches.count = 0;
    if (!array_reserve(&job->reaches, described->picture_count + 1))
        return false;
    for (uint32_t i = 0; i <= described->picture_count; i++) {
        pietra_box box = job->sources.items[effect->first_source + i].scene_box;
        effect_box reach = {0, 0, 0, 0};
        if (box.x0 <= box.x1 && box.y0 <= box.y1)
            reach = effect_box_grow(effect_texels_of(transform_box(effect->to_sheet, box)), 1, 1);
        job->reaches.items[job->reaches.count++] = reach;
    }
    return effect_graph_make(described, job->view.effect_steps, job->view.effect_values, &effect->space, region,
                             job->reaches.items, &job->graph);
}

/* Sets the space of an effect. False: nothing is seen through it. */
static bool set_space(sheet_effect *effect, const sheet_level *level, unsigned halvings)
{
    pietra_transform to_user, to_pixels = transform_multiply(level->to_pixels, effect->to_scene);
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
static bool plan_space(sheet_job *job, sheet_effect *effect, const sheet_level *level)
{
    for (unsigned halvings = 0; halvings <= HALVINGS_MOST; halvings++) {
        if (!set_space(effect, level, halvings))
            return true;
        if (!make_graph(job, effect))
            return false;
        effect->shown = effect_graph_demand(&job->graph, texels_in(&effect->space, level->whole));
        if (graph_is_small_enough(&job->graph, TEXELS_LEAST + TEXELS_SHARE * texels_of(level->whole)))
            return true;
        effect->shown = (effect_box){0, 0, 0, 0};
    }
    return true;
}

/* Returns the whole tiles around a box. */
static tile_box tiles_of(effect_box box)
{
    return (tile_box){box.left >> TILE_SHIFT, box.top >> TILE_SHIFT, (box.right + TILE_SIDE - 1) >> TILE_SHIFT,
                      (box.bottom + TILE_SIDE - 1) >> TILE_SHIFT};
}

static uint64_t sheet_pixels(effect_box box)
{
    tile_box tiles = tiles_of(box);
    return effect_box_is_empty(box) ? 0
                                    : (uint64_t)(tiles.x1 - tiles.x0) * (uint64_t)(tiles.y1 - tiles.y0) * TILE_PIXELS;
}

/* Returns the texels that a part of the frame shows. Where they are resampled, the image has all columns of the whole,
 * so that it can take the whole's place (put_image), and also what pixels of whole tiles beyond the frame read. */
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

/* Finds what this part of the frame needs of an effect that the frame shows. False: out of memory. */
static bool plan_part(sheet_job *job, sheet_effect *effect, const sheet_level *level)
{
    uint64_t bytes;
    for (size_t i = 0; i < job->graph.sources.count; i++)
        job->sources.items[effect->first_source + i].whole = job->graph.sources.items[i].out;
    effect->whole = effect->shown;
    effect->shown = effect_graph_demand(&job->graph, texels_of_part(effect, level->part));
    if (effect_box_is_empty(effect->shown))
        return true;
    if (!effect_run_bytes(&job->graph, &bytes))
        return false;
    for (size_t i = 0; i < job->graph.sources.count; i++) {
        effect_box part = job->graph.sources.items[i].out;
        job->sources.items[effect->first_source + i].part = part;
        bytes += sizeof(uint32_t) * sheet_pixels(part);
    }
    job->work_bytes = bytes > job->work_bytes ? bytes : job->work_bytes;
    job->texel_count += texels_of(effect->shown);
    effect->image = job->image_count++;
    return true;
}

static bool plan_effect(sheet_job *job, uint32_t index)
{
    sheet_effect *effect = &job->effects.items[index];
    const sheet_level level = *array_last(&job->levels);
    return plan_space(job, effect, &level) && (effect_box_is_empty(effect->shown) || plan_part(job, effect, &level));
}

/* Opens the pixels on which a source of an effect is drawn. */
static bool enter_source(sheet_job *job, uint32_t index, uint32_t source)
{
    const sheet_effect *effect = &job->effects.items[index];
    const sheet_level around = *array_last(&job->levels);
    pietra_transform to_texels;
    sheet_level *level = array_push(&job->levels);
    if (!level)
        return false;
    *level = (sheet_level){.effect = index,
                           .source = source,
                           .to_pixels = effect->to_sheet,
                           .center_x = around.center_x,
                           .center_y = around.center_y,
                           .whole = job->sources.items[source].whole,
                           .part = job->sources.items[source].part};
    if (transform_invert(effect->space.to_pixels, &to_texels))
        transform_point(to_texels, &level->center_x, &level->center_y);
    return true;
}

static void enter_frame(sheet_job *job, sheet_level *frame)
{
    const frame_config *config = job->config;
    *frame = (sheet_level){.effect = NONE, .source = NONE};
    frame->to_pixels = (pietra_transform){(double)config->a,
                                          (double)config->b,
                                          (double)config->c,
                                          (double)config->d,
                                          (double)config->e + (double)config->e_low,
                                          (double)config->f + (double)config->f_low};
    frame->center_x = 0.5 * config->width;
    frame->center_y = 0.5 * config->height;
    frame->whole = (effect_box){0, 0, config->width, config->height};
    frame->part = box_of_pixels(config_pixels(config));
}

/* Plans all effects, outer ones first. Those in an effect that the part does not show need not be planned. */
static bool plan_effects(sheet_job *job)
{
    uint32_t next = 0;
    enter_frame(job, array_last(&job->levels));
    for (uint32_t i = 0; i < job->view.header->element_count; i++) {
        const uint32_t kind = job->view.elements[i].kind & ELEMENT_KIND_MASK;
        if (kind == ELEMENT_BEGIN_EFFECT) {
            const uint32_t index = next++;
            if (!plan_effect(job, index))
                return false;
            const sheet_effect *effect = &job->effects.items[index];
            if (effect->image == NONE) {
                while (next < job->effects.count && job->effects.items[next].begin < effect->end)
                    next++;
                i = effect->end;
                continue;
            }
            if (!enter_source(job, index, effect->first_source))
                return false;
        } else if (kind == ELEMENT_BEGIN_EFFECT_PICTURE) {
            sheet_level *content = array_last(&job->levels);
            const uint32_t picture = content->pictures++, effect = content->effect;
            if (!enter_source(job, effect, job->effects.items[effect].first_source + 1 + picture))
                return false;
        } else if (kind_ends_effect(kind)) {
            job->levels.count--;
        }
    }
    return true;
}

/* ---- The stream that is made ---- */

/* A unit square, as three lines that filling closes. */
static const float unit_square[] = {0, 0, 1, 0, 1, 1, 0, 1};
static const uint8_t unit_square_tags[] = {1u | TAG_FIRST, 1u, 1u | TAG_LAST};
#define SQUARE_SEGMENTS 3u
#define SQUARE_POINTS 4u

#define MADE_ARRAY(job, type, name) ((type *)((job)->made->words + stream_get_header((job)->made)->name))

/* Sets what effects share: the square and the paint of what is left out, which stand first behind what was there. */
static void set_shared(sheet_job *job)
{
    const stream_header *old = job->view.header;
    memcpy(MADE_ARRAY(job, uint8_t, tags) + old->segment_count, unit_square_tags, sizeof unit_square_tags);
    memcpy(MADE_ARRAY(job, float, points) + 2 * (size_t)old->point_count, unit_square, sizeof unit_square);
    MADE_ARRAY(job, stream_path, paths)
    [old->path_count] = (stream_path){old->segment_count, SQUARE_SEGMENTS, old->point_count, SQUARE_POINTS};
    MADE_ARRAY(job, stream_paint, paints)[old->paint_count] = (stream_paint){.kind = PAINT_SOLID};
    MADE_ARRAY(job, stream_transform, transforms)[old->transform_count] = (stream_transform){.a = 1, .d = 1};
}

#define COPY_ARRAY(job, name, count) \
    memcpy((job)->made->words + stream_get_header((job)->made)->name, (job)->view.name, \
           (count) * sizeof *(job)->view.name)

/* Copies a stream, and adds room for what effects show: a paint, a transform and an image of each, one path for all,
 * and one paint for what is left out. */
static pietra_result make_stream(sheet_job *job)
{
    const stream_header *old = job->view.header;
    stream_header header = *old;
    const uint64_t texels = old->texel_count + job->texel_count;
    header.path_count += 1;
    header.segment_count += SQUARE_SEGMENTS;
    header.point_count += SQUARE_POINTS;
    header.transform_count += job->image_count + 1;
    header.paint_count += job->image_count + 1;
    header.mip_level_count += job->image_count;
    header.texel_count = (uint32_t)texels;
    header.effect_count = header.effect_step_count = header.effect_value_count = 0;
    const uint64_t words = texels <= STREAM_MAX_COUNT ? stream_lay_out(&header) : UINT64_MAX;
    job->made = words <= UINT32_MAX ? stream_allocate((size_t)words) : NULL;
    if (!job->made) {
        return error_set(job->error, PIETRA_ERROR_MEMORY, 0, "out of memory for effects of %llu texels",
                         (unsigned long long)texels);
    }
    memset(job->made->words, 0, (size_t)words * sizeof(uint32_t));
    memcpy(job->made->words, &header, sizeof header);
    COPY_ARRAY(job, elements, old->element_count);
    COPY_ARRAY(job, paths, old->path_count);
    COPY_ARRAY(job, tags, old->segment_count);
    COPY_ARRAY(job, points, 2 * (size_t)old->point_count);
    COPY_ARRAY(job, transforms, old->transform_count);
    COPY_ARRAY(job, styles, old->style_count);
    COPY_ARRAY(job, dashes, old->dash_count);
    COPY_ARRAY(job, paints, old->paint_count);
    COPY_ARRAY(job, stops, old->stop_count);
    COPY_ARRAY(job, mip_levels, old->mip_level_count);
    COPY_ARRAY(job, texels, old->texel_count);
    set_shared(job);
    return PIETRA_OK;
}

/* Leaves out elements, of which those of effects that were drawn before are left out already. */
static void leave_out(sheet_job *job, uint32_t begin, uint32_t end, uint32_t next_effect)
{
    const stream_header *old = job->view.header;
    stream_element *elements = MADE_ARRAY(job, stream_element, elements);
    const stream_element nothing = {.kind = ELEMENT_FILL,
                                    .path = old->path_count,
                                    .style = STREAM_NONE,
                                    .paint = old->paint_count,
                                    .transform = old->transform_count,
                                    .box_x1 = -1,
                                    .box_y1 = -1,
                                    .opacity = 255u};
    for (uint32_t i = begin; i <= end; i++) {
        elements[i] = nothing;
        while (next_effect < job->effects.count && job->effects.items[next_effect].begin < i)
            next_effect++;
        if (next_effect < job->effects.count && job->effects.items[next_effect].begin == i &&
            job->effects.items[next_effect].end < end) {
            i = job->effects.items[next_effect].end;
        }
    }
}

/* Sets what places the result of an effect: the unit square becomes the whole of what the frame shows, so every part of
 * the frame has the same edges, and the same places where texels are resampled. */
static void place_result(sheet_job *job, const sheet_effect *effect, uint32_t transform)
{
    const effect_box whole = effect->whole;
    const pietra_transform side = transform_multiply(
        effect->space.to_pixels,
        (pietra_transform){whole.right - whole.left, 0, 0, whole.bottom - whole.top, whole.left, whole.top});
    stream_transform made = {.a = (float)side.a,
                             .b = (float)side.b,
                             .c = (float)side.c,
                             .d = (float)side.d,
                             .e = (float)side.e,
                             .f = (float)side.f};
    made.e_low = (float)(side.e - (double)made.e);
    made.f_low = (float)(side.f - (double)made.f);
    MADE_ARRAY(job, stream_transform, transforms)[transform] = made;
}

/* Sets the image of a result. If its texels are pixels, it is what this part shows. If they are resampled, it has the
 * size of the whole, of which only the rows of this part are there; no pixel reads others (texels_of_part). */
static void set_image(sheet_job *job, const sheet_effect *effect, uint32_t level, uint32_t paint, uint32_t first_texel)
{
    const effect_box whole = effect->whole, part = effect->shown;
    const uint32_t width = (uint32_t)(whole.right - whole.left), height = (uint32_t)(whole.bottom - whole.top);
    stream_mip_level image = {width, height, first_texel - (uint32_t)(part.top - whole.top) * width};
    stream_paint made = {.kind = PAINT_IMAGE,
                         .color = FILTER_SMOOTH,
                         .opacity = 255u,
                         .first_stop = level,
                         .stop_count = 1u,
                         .a = (float)width,
                         .d = (float)height};
    if (effect->space.is_exact) {
        image = (stream_mip_level){(uint32_t)(part.right - part.left), (uint32_t)(part.bottom - part.top), first_texel};
        made.color = FILTER_NEAREST;
        made.e = (float)(whole.left - part.left);
        made.f = (float)(whole.top - part.top);
    }
    MADE_ARRAY(job, stream_mip_level, mip_levels)[level] = image;
    MADE_ARRAY(job, stream_paint, paints)[paint] = made;
}

/* Puts an image of what an effect shows in its place. */
static void put_image(sheet_job *job, const sheet_effect *effect, uint32_t first_texel)
{
    const stream_header *old = job->view.header;
    const uint32_t transform = old->transform_count + 1 + effect->image, paint = old->paint_count + 1 + effect->image;
    const stream_element shown = {.kind = ELEMENT_FILL | ELEMENT_IMAGE | ELEMENT_IN_PIXELS,
                                  .path = old->path_count,
                                  .style = STREAM_NONE,
                                  .paint = paint,
                                  .transform = transform,
                                  .box_x1 = 1,
                                  .box_y1 = 1,
                                  .opacity = 255u};
    place_result(job, effect, transform);
    set_image(job, effect, old->mip_level_count + effect->image, paint, first_texel);
    MADE_ARRAY(job, stream_element, elements)[effect->begin] = shown;
}

/* ---- Drawing ---- */

/* Lets the stream that is made show some of its elements alone. */
static void show_elements(sheet_job *job, uint32_t begin, uint32_t end)
{
    stream_header *header = (stream_header *)job->made->words;
    header->elements = job->elements_at + begin * (uint32_t)(sizeof(stream_element) / sizeof(uint32_t));
    header->element_count = end - begin;
    rules_totals totals = rules_count(MADE_ARRAY(job, stream_element, elements), header->element_count,
                                      MADE_ARRAY(job, stream_path, paths));
    header->clip_event_count = totals.clip_events;
    header->occluder_count = totals.occluders;
    header->dashed_count = totals.dashed;
    header->task_count = (uint32_t)totals.tasks;
}

/* Draws elements on the sheet of a source. The caller frees the pixels. */
static pietra_result draw_source(sheet_job *job, const sheet_effect *effect, uint32_t source, uint32_t begin,
                                 uint32_t end, effect_pixels *drawn)
{
    const effect_box box = job->sources.items[source].part;
    const uint64_t count = sheet_pixels(box);
    const tile_box tiles = tiles_of(box);
    frame_config config;
    *drawn = (effect_pixels){.box = {0, 0, 0, 0}};
    if (count == 0 || begin == end || !config_of_sheet(&effect->to_sheet, tiles, &config))
        return PIETRA_OK;
    uint32_t *pixels = malloc((size_t)count * sizeof *pixels);
    if (!pixels)
        return error_set_memory(job->error);
    *drawn = (effect_pixels){.memory = pixels,
                             .pixels = pixels + (size_t)(box.top - tiles.y0 * TILE_SIDE) * config.target_pitch +
                                       (box.left - tiles.x0 * TILE_SIDE),
                             .stride = config.target_pitch,
                             .box = box};
    show_elements(job, begin, end);
    return job->device->draw(job->device->user, job->made, &config, job->budget, job->error, pixels);
}

/* Returns the end of a picture of an effect, whose begin is given. */
static uint32_t end_of_picture(const sheet_job *job, uint32_t begin)
{
    uint32_t depth = 0;
    for (uint32_t i = begin;; i++) {
        const uint32_t kind = job->view.elements[i].kind & ELEMENT_KIND_MASK;
        depth += kind == ELEMENT_BEGIN_EFFECT_PICTURE;
        depth -= kind == ELEMENT_END_EFFECT_PICTURE;
        if (depth == 0)
            return i;
    }
}

static pietra_result draw_sources(sheet_job *job, const sheet_effect *effect, uint32_t count, effect_pixels *drawn)
{
    uint32_t begin = effect->begin + 1;
    pietra_result result = PIETRA_OK;
    for (uint32_t i = 1; result == PIETRA_OK && i < count; i++) {
        const uint32_t end = end_of_picture(job, begin);
        result = draw_source(job, effect, effect->first_source + i, begin + 1, end, &drawn[i]);
        begin = end + 1;
    }
    return result == PIETRA_OK ? draw_source(job, effect, effect->first_source, begin, effect->end, &drawn[0]) : result;
}

/* Draws what an effect shows, and puts it in its place. */
static pietra_result draw_effect(sheet_job *job, uint32_t index)
{
    const sheet_effect *effect = &job->effects.items[index];
    const uint32_t count = 1 + job->view.effects[job->view.elements[effect->begin].paint].picture_count;
    const effect_pixels result = {.pixels = MADE_ARRAY(job, uint32_t, texels) + job->used_texels,
                                  .stride = (size_t)(effect->shown.right - effect->shown.left),
                                  .box = effect->shown};
    effect_pixels *drawn = calloc(count, sizeof *drawn);
    pietra_result status = drawn ? cancel_check(job->budget->watch, job->error) : error_set_memory(job->error);
    if (status == PIETRA_OK)
        status = draw_sources(job, effect, count, drawn);
    if (status == PIETRA_OK) {
        bool done = make_graph(job, effect);
        if (done) {
            (void)effect_graph_demand(&job->graph, effect->shown);
            done = effect_run(&job->graph, job->device->functions, job->device->pool, drawn, &result);
        }
        status = done ? PIETRA_OK : error_set_memory(job->error);
    }
    for (uint32_t i = 0; drawn && i < count; i++)
        free(drawn[i].memory);
    free(drawn);
    show_elements(job, 0, job->view.header->element_count);
    if (status == PIETRA_OK) {
        leave_out(job, effect->begin, effect->end, index + 1);
        put_image(job, effect, (uint32_t)job->used_texels);
        job->used_texels += texels_of(effect->shown);
    }
    return status;
}

/* Draws effects in the order of their ends, inner ones first. */
static pietra_result draw_effects(sheet_job *job)
{
    pietra_result result = PIETRA_OK;
    uint32_t next = 0;
    for (uint32_t i = 0; result == PIETRA_OK && i < job->view.header->element_count; i++) {
        const uint32_t kind = job->view.elements[i].kind & ELEMENT_KIND_MASK;
        if (kind == ELEMENT_BEGIN_EFFECT) {
            const uint32_t index = next++;
            const sheet_effect *effect = &job->effects.items[index];
            if (effect->image != NONE) {
                uint32_t *open = array_push(&job->open);
                if (!open)
                    return error_set_memory(job->error);
                *open = index;
                continue;
            }
            while (next < job->effects.count && job->effects.items[next].begin < effect->end)
                next++;
            leave_out(job, effect->begin, effect->end, (uint32_t)job->effects.count);
            i = effect->end;
        } else if (kind == ELEMENT_END_EFFECT) {
            result = draw_effect(job, *array_last(&job->open));
            job->open.count--;
        }
    }
    return result;
}

static pietra_result plan(sheet_job *job, sheet_needs *needs)
{
    if (!find_effects(job) || !plan_effects(job))
        return error_set_memory(job->error);
    needs->bytes = job->work_bytes + sizeof(uint32_t) * job->texel_count;
    return PIETRA_OK;
}

static pietra_result run_job(sheet_job *job, sheet_needs *needs)
{
    pietra_result result = plan(job, needs);
    if (result != PIETRA_OK)
        return result;
    if (needs->bytes > job->budget->bytes) {
        return error_set(job->error, PIETRA_ERROR_BUDGET, 0, "effects need %llu bytes, the budget is %llu",
                         (unsigned long long)needs->bytes, (unsigned long long)job->budget->bytes);
    }
    result = make_stream(job);
    if (result != PIETRA_OK)
        return result;
    job->elements_at = stream_get_header(job->made)->elements;
    job->used_texels = job->view.header->texel_count;
    result = draw_effects(job);
    if (result == PIETRA_OK)
        show_elements(job, 0, job->view.header->element_count);
    return result;
}

static void free_job(sheet_job *job)
{
    array_free(&job->effects);
    array_free(&job->sources);
    array_free(&job->levels);
    array_free(&job->reaches);
    array_free(&job->open);
    effect_graph_free(&job->graph);
}

pietra_result sheets_measure(const pietra_stream *stream, const frame_config *config, pietra_error *error,
                             sheet_needs *needs)
{
    sheet_job job = {.view = stream_view_of(stream_words(stream)), .config = config, .error = error};
    pietra_result result = plan(&job, needs);
    free_job(&job);
    return result;
}

pietra_result sheets_draw(const sheet_device *device, const pietra_stream *stream, const frame_config *config,
                          part_budget *budget, pietra_error *error, sheet_needs *needs, pietra_stream **made)
{
    sheet_job job = {.device = device,
                     .view = stream_view_of(stream_words(stream)),
                     .config = config,
                     .budget = budget,
                     .error = error};
    pietra_result result = run_job(&job, needs);
    free_job(&job);
    if (result == PIETRA_OK)
        *made = job.made;
    else
        pietra_stream_destroy(job.made);
    return result;
}
