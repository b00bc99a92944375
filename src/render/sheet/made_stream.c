/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "render/sheet/made_stream.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/transform.h"
#include "lib/element_kind.h"
#include "render/frame/config.h"
#include "scene/rules.h"

/* A unit square, as three lines that filling closes. */
static const float unit_square[] = {0, 0, 1, 0, 1, 1, 0, 1};
static const uint8_t unit_square_tags[] = {1u | TAG_FIRST, 1u, 1u | TAG_LAST};
#define SQUARE_SEGMENTS 3u
#define SQUARE_POINTS 4u

#define MADE_ARRAY(made, type, name) ((type *)((made)->words + stream_get_header(made)->name))

/* Sets what effects share: the square and the paint of what is left out, which stand first behind what was there. */
static void set_shared(const stream_header *old, pietra_stream *made)
{
    memcpy(MADE_ARRAY(made, uint8_t, tags) + old->segment_count, unit_square_tags, sizeof unit_square_tags);
    memcpy(MADE_ARRAY(made, float, points) + 2 * (size_t)old->point_count, unit_square, sizeof unit_square);
    MADE_ARRAY(made, stream_path, paths)
    [old->path_count] = (stream_path){old->segment_count, SQUARE_SEGMENTS, old->point_count, SQUARE_POINTS};
    MADE_ARRAY(made, stream_paint, paints)[old->paint_count] = (stream_paint){.kind = PAINT_SOLID};
    MADE_ARRAY(made, stream_transform, transforms)[old->transform_count] = (stream_transform){.a = 1, .d = 1};
}

static pietra_result copy_stream(const sheet_plan *plan, bool on_device, pietra_error *error, pietra_stream **made)
{
    const stream_header *old = plan->view.header;
    stream_header header = *old;
    const uint64_t texels = old->texel_count + plan->texel_count;
    header.path_count += 1;
    header.segment_count += SQUARE_SEGMENTS;
    header.point_count += SQUARE_POINTS;
    header.transform_count += plan->image_count + 1;
    header.paint_count += plan->image_count + 1;
    header.mip_level_count += plan->image_count;
    header.texel_count = (uint32_t)texels;
    header.effect_count = header.effect_step_count = header.effect_value_count = 0;
    uint64_t words = texels <= STREAM_MAX_COUNT ? stream_lay_out(&header) : UINT64_MAX;
    if (on_device)
        words = words <= UINT32_MAX ? header.texels + plan->held_texels : words;
    pietra_stream *copy = words <= UINT32_MAX ? stream_make_zeroed(&header, (size_t)words) : NULL;
    if (!copy) {
        return error_set(error, PIETRA_ERROR_MEMORY, 0, "out of memory for effects of %llu texels",
                         (unsigned long long)texels);
    }
    stream_copy_painting(&plan->view, (size_t)plan->held_texels, copy);
    set_shared(old, copy);
    *made = copy;
    return PIETRA_OK;
}

pietra_result made_stream_create(const sheet_plan *plan, pietra_error *error, pietra_stream **made)
{
    return copy_stream(plan, false, error, made);
}

/* Returns what stands in the place of an element that is left out. */
static stream_element nothing_of(const stream_header *old)
{
    return (stream_element){.kind = ELEMENT_FILL,
                            .path = old->path_count,
                            .style = STREAM_NONE,
                            .paint = old->paint_count,
                            .transform = old->transform_count,
                            .box_x1 = -1,
                            .box_y1 = -1,
                            .opacity = 255u};
}

void made_stream_leave_out(const sheet_plan *plan, uint32_t effect, bool inner_are_done, pietra_stream *made)
{
    const uint32_t begin = plan->effects.items[effect].begin, end = plan->effects.items[effect].end;
    uint32_t next = inner_are_done ? effect + 1 : (uint32_t)plan->effects.count;
    stream_element *elements = MADE_ARRAY(made, stream_element, elements);
    const stream_element nothing = nothing_of(plan->view.header);
    for (uint32_t i = begin; i <= end; i++) {
        elements[i] = nothing;
        while (next < plan->effects.count && plan->effects.items[next].begin < i)
            next++;
        if (next < plan->effects.count && plan->effects.items[next].begin == i && plan->effects.items[next].end < end)
            i = plan->effects.items[next].end;
    }
}

/* Sets what places the result of an effect: the unit square becomes the whole of what the frame shows, so every part of
 * the frame has the same edges, and the same places where texels are resampled. */
static void place_result(const sheet_effect *effect, uint32_t transform, pietra_stream *made)
{
    const effect_box whole = effect->whole;
    const pietra_transform side = transform_multiply(
        effect->space.to_pixels,
        (pietra_transform){whole.right - whole.left, 0, 0, whole.bottom - whole.top, whole.left, whole.top});
    MADE_ARRAY(made, stream_transform, transforms)[transform] = config_transform(&side);
}

/* Sets the image of a result. If its texels are pixels, it is what this part shows. If they are resampled, it has the
 * size of the whole, of which only the rows of this part are there; no pixel reads others (texels_of_part). */
static void set_image(const sheet_effect *effect, uint32_t level, uint32_t paint, uint32_t first_texel,
                      pietra_stream *made)
{
    const effect_box whole = effect->whole, part = effect->shown;
    const uint32_t width = (uint32_t)(whole.right - whole.left), height = (uint32_t)(whole.bottom - whole.top);
    stream_mip_level image = {width, height, first_texel - (uint32_t)(part.top - whole.top) * width};
    stream_paint set = {.kind = PAINT_IMAGE,
                        .color = FILTER_SMOOTH,
                        .opacity = 255u,
                        .first_stop = level,
                        .stop_count = 1u,
                        .a = (float)width,
                        .d = (float)height};
    if (effect->space.is_exact) {
        image = (stream_mip_level){(uint32_t)(part.right - part.left), (uint32_t)(part.bottom - part.top), first_texel};
        set.color = FILTER_NEAREST;
        set.e = (float)(whole.left - part.left);
        set.f = (float)(whole.top - part.top);
    }
    MADE_ARRAY(made, stream_mip_level, mip_levels)[level] = image;
    MADE_ARRAY(made, stream_paint, paints)[paint] = set;
}

void made_stream_put_image(const sheet_plan *plan, const sheet_effect *effect, pietra_stream *made)
{
    const stream_header *old = plan->view.header;
    const uint32_t transform = old->transform_count + 1 + effect->image, paint = old->paint_count + 1 + effect->image;
    const uint32_t first_texel = old->texel_count + (uint32_t)effect->first_texel;
    const stream_element shown = {.kind = ELEMENT_FILL | ELEMENT_IMAGE | ELEMENT_IN_PIXELS,
                                  .path = old->path_count,
                                  .style = STREAM_NONE,
                                  .paint = paint,
                                  .transform = transform,
                                  .box_x1 = 1,
                                  .box_y1 = 1,
                                  .opacity = 255u};
    place_result(effect, transform, made);
    set_image(effect, old->mip_level_count + effect->image, paint, first_texel, made);
    MADE_ARRAY(made, stream_element, elements)[effect->begin] = shown;
}

/* The elements of every stream stand first. */
static stream_header *hold(const sheet_plan *plan, uint32_t begin, uint32_t end, pietra_stream *made)
{
    stream_header *header = (stream_header *)made->words;
    header->elements = plan->view.header->elements + begin * (uint32_t)(sizeof(stream_element) / sizeof(uint32_t));
    header->element_count = end - begin;
    return header;
}

void made_stream_hold_all(const sheet_plan *plan, pietra_stream *made)
{
    hold(plan, 0, plan->view.header->element_count, made);
}

void made_stream_show(const sheet_plan *plan, uint32_t begin, uint32_t end, pietra_stream *made)
{
    stream_header *header = hold(plan, begin, end, made);
    rules_totals totals = rules_count(MADE_ARRAY(made, stream_element, elements), header->element_count,
                                      MADE_ARRAY(made, stream_path, paths));
    rules_set_totals(&totals, header);
}

/* ---- Sheets that are packed ---- */

/* What is open around an element: a source of an effect. */
typedef struct open_source {
    uint32_t effect;   /* NONE: the frame */
    uint32_t pictures; /* of the effect that have begun */
    uint32_t sheet;    /* on which its elements are drawn */
} open_source;

typedef struct marker {
    const sheet_plan *plan;
    sheet_runs *runs;
    pietra_stream *made;
    stream_element *elements; /* of `made` */
    const stream_path *paths;
    ARRAY(open_source) open;
    uint32_t *run_of_sheet;
} marker;

static bool open_next(marker *m, uint32_t effect, uint32_t source)
{
    open_source *open = array_push(&m->open);
    if (open)
        *open = (open_source){.effect = effect, .sheet = m->runs->source_sheets.items[source]};
    return open != NULL;
}

/* Puts an element on the sheet that is open, and counts it there. */
static void put_on_sheet(marker *m, uint32_t index)
{
    const uint32_t sheet = array_last(&m->open)->sheet;
    rules_totals *totals = &m->runs->totals;
    if (sheet != 0)
        totals = sheet == SHEET_NONE ? NULL : &m->runs->runs.items[m->run_of_sheet[sheet]].totals;
    if (totals)
        rules_add(&m->elements[index], m->paths, totals);
    m->elements[index].opacity |= sheet << ELEMENT_SHEET_SHIFT;
}

/* Marks a begin or an end of an effect or of a picture of one. False: out of memory. `skipped` is the last element of
 * an effect that is left out. */
static bool mark_effect(marker *m, uint32_t index, uint32_t *next_effect, uint32_t *skipped)
{
    const sheet_plan *plan = m->plan;
    const uint32_t kind = m->elements[index].kind & ELEMENT_KIND_MASK;
    if (kind == ELEMENT_BEGIN_EFFECT) {
        const uint32_t number = (*next_effect)++;
        const sheet_effect *effect = &plan->effects.items[number];
        if (effect->image == NONE) {
            while (*next_effect < plan->effects.count && plan->effects.items[*next_effect].begin < effect->end)
                (*next_effect)++;
            made_stream_leave_out(plan, number, false, m->made);
            *skipped = effect->end;
            return true;
        }
        made_stream_put_image(plan, effect, m->made);
        put_on_sheet(m, index);
        return open_next(m, number, effect->first_source);
    }
    m->elements[index] = nothing_of(plan->view.header);
    if (kind != ELEMENT_BEGIN_EFFECT_PICTURE) {
        m->open.count--;
        return true;
    }
    const uint32_t effect = array_last(&m->open)->effect, picture = array_last(&m->open)->pictures++;
    return open_next(m, effect, plan->effects.items[effect].first_source + 1 + picture);
}

static bool mark_elements(marker *m)
{
    uint32_t next_effect = 0, next_root = 0;
    open_source *frame = array_push(&m->open);
    if (!frame)
        return false;
    *frame = (open_source){.effect = NONE, .sheet = 0};
    for (uint32_t i = 0; i < m->plan->view.header->element_count; i++) {
        while (next_root < m->plan->root_count && m->plan->roots[next_root].begin == i)
            m->open.items[0].sheet = m->runs->first_root_sheet + next_root++;
        const uint32_t kind = m->elements[i].kind & ELEMENT_KIND_MASK;
        if (!kind_begins_effect(kind) && !kind_ends_effect(kind))
            put_on_sheet(m, i);
        else if (!mark_effect(m, i, &next_effect, &i))
            return false;
    }
    return true;
}

static bool find_runs(marker *m)
{
    m->run_of_sheet = malloc((m->runs->sheets.count + 1) * sizeof *m->run_of_sheet);
    if (!m->run_of_sheet)
        return false;
    for (size_t i = 0; i < m->runs->runs.count; i++) {
        const sheet_run *run = &m->runs->runs.items[i];
        for (uint32_t k = 0; k < run->sheet_count; k++)
            m->run_of_sheet[run->first_sheet + k] = (uint32_t)i;
    }
    return true;
}

pietra_result made_stream_create_packed(const sheet_plan *plan, bool on_device, pietra_error *error, sheet_runs *runs,
                                        pietra_stream **made)
{
    pietra_stream *copy;
    pietra_result result = copy_stream(plan, on_device, error, &copy);
    if (result != PIETRA_OK)
        return result;
    marker m = {.plan = plan,
                .runs = runs,
                .made = copy,
                .elements = MADE_ARRAY(copy, stream_element, elements),
                .paths = MADE_ARRAY(copy, stream_path, paths)};
    if (!find_runs(&m) || !mark_elements(&m))
        result = error_set_memory(error);
    array_free(&m.open);
    free(m.run_of_sheet);
    if (result != PIETRA_OK) {
        pietra_stream_destroy(copy);
        return result;
    }
    rules_set_totals(&runs->totals, (stream_header *)copy->words);
    *made = copy;
    return PIETRA_OK;
}

uint32_t *made_stream_results(const sheet_plan *plan, pietra_stream *made)
{
    return MADE_ARRAY(made, uint32_t, texels) + plan->view.header->texel_count;
}
