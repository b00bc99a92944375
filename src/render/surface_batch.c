/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "render/surface_batch.h"

#include <string.h>

#include "base/error.h"

#define WORDS_OF(type) (sizeof(type) / sizeof(uint32_t))

/* A stream that pieces show. */
typedef struct source {
    stream_view view;
    stream_header first; /* its counts are what stands before it in the batch */
} source;

typedef struct batch_job {
    const surface_plan *plan;
    const surface_piece *pieces;
    size_t count;
    surface_batch *batch;
    ARRAY(source) sources;
    hash_table source_table; /* by their words */
    ARRAY(uint32_t) nodes;   /* that pieces show, by their mip levels */
    hash_table node_table;
    ARRAY(uint32_t) piece_sources;
    uint64_t elements, uses, texels; /* of pieces, and of the nodes that they show */
    stream_header total;             /* of the sources */
} batch_job;

static const surface_node *node_of(const batch_job *job, size_t piece)
{
    return &job->plan->nodes.items[job->pieces[piece].node];
}

/* ---- What there is ---- */

/* Arrays that stand once for each source, with the numbers of words that an item takes. */
#define EACH_ARRAY(ITEM) \
    ITEM(path_count, WORDS_OF(stream_path)) \
    ITEM(segment_count, 1) \
    ITEM(point_count, 2) \
    ITEM(transform_count, WORDS_OF(stream_transform)) \
    ITEM(style_count, WORDS_OF(stream_style)) \
    ITEM(dash_count, 1) \
    ITEM(paint_count, WORDS_OF(stream_paint)) \
    ITEM(stop_count, WORDS_OF(stream_stop)) \
    ITEM(box_shadow_count, WORDS_OF(stream_box_shadow)) \
    ITEM(mip_level_count, WORDS_OF(stream_mip_level)) \
    ITEM(effect_count, WORDS_OF(stream_effect)) \
    ITEM(effect_step_count, WORDS_OF(stream_effect_step)) \
    ITEM(effect_value_count, 1) \
    ITEM(texel_count, 1)

/* Adds the counts of a stream. False: they exceed those of a stream. */
static bool add_counts(const stream_header *header, stream_header *total)
{
    bool fits = true;
#define ADD(name, words) \
    total->name += header->name; \
    fits = fits && total->name <= STREAM_MAX_COUNT;
    EACH_ARRAY(ADD)
#undef ADD
    return fits;
}

uint64_t surface_node_words(const surface_plan *plan, uint32_t node)
{
    const stream_header *header = (const stream_header *)plan->nodes.items[node].words;
    uint64_t words = WORDS_OF(stream_element) * (uint64_t)header->element_count +
                     (WORDS_OF(stream_paint) + WORDS_OF(stream_mip_level)) * plan->nodes.items[node].shown_count;
#define ADD(name, item_words) words += item_words * (uint64_t)header->name;
    EACH_ARRAY(ADD)
#undef ADD
    return words;
}

static pietra_result refuse(pietra_error *error)
{
    return error_set(error, PIETRA_ERROR_BUDGET, 0, "pictures in the picture are too large for a stream");
}

/* Finds or adds the source of a piece. */
static pietra_result find_source(batch_job *job, const uint32_t *words, pietra_error *error, uint32_t *index)
{
    const uint64_t hash = hash_bytes(&words, sizeof words);
    hash_walk probe = hash_find(&job->source_table, hash);
    for (; hash_found(&probe); hash_next(&probe))
        if ((const uint32_t *)job->sources.items[probe.value].view.header == words) {
            *index = probe.value;
            return PIETRA_OK;
        }
    *index = (uint32_t)job->sources.count;
    if (!array_reserve(&job->sources, 1) || !hash_insert(&job->source_table, hash, *index))
        return error_set_memory(error);
    job->sources.items[job->sources.count++] = (source){stream_view_of(words), job->total};
    return add_counts(job->sources.items[*index].view.header, &job->total) ? PIETRA_OK : refuse(error);
}

static uint64_t hash_of_node(uint32_t node)
{
    return hash_bytes(&node, sizeof node);
}

/* Returns the mip level of a node behind those of the sources. HASH_NONE: no piece shows it yet. */
static uint32_t find_node(const batch_job *job, uint32_t node)
{
    hash_walk probe = hash_find(&job->node_table, hash_of_node(node));
    while (hash_found(&probe) && job->nodes.items[probe.value] != node)
        hash_next(&probe);
    return probe.value;
}

/* Adds a node that a piece shows, unless another one does. */
static bool add_node(batch_job *job, uint32_t node)
{
    const surface_node *shown = &job->plan->nodes.items[node];
    const uint64_t count = (uint64_t)shown->width * shown->height;
    if (find_node(job, node) != HASH_NONE)
        return true;
    const uint32_t index = (uint32_t)job->nodes.count;
    texel_copy *texels = array_push(&job->batch->shown);
    if (!texels || !array_reserve(&job->nodes, 1) || !hash_insert(&job->node_table, hash_of_node(node), index))
        return false;
    *texels = (texel_copy){.from = shown->first_texel, .to = job->texels, .count = count};
    job->nodes.items[job->nodes.count++] = node;
    job->texels += count;
    return true;
}

static pietra_result find_all(batch_job *job, pietra_error *error)
{
    if (!array_reserve(&job->piece_sources, job->count))
        return error_set_memory(error);
    for (size_t i = 0; i < job->count; i++) {
        const surface_node *node = node_of(job, i);
        pietra_result result = find_source(job, node->words, error, &job->piece_sources.items[i]);
        if (result != PIETRA_OK)
            return result;
        job->elements += ((const stream_header *)node->words)->element_count;
        job->uses += node->shown_count;
        for (size_t k = 0; k < node->shown_count; k++)
            if (!add_node(job, job->plan->shown.items[node->first_shown + k].node))
                return error_set_memory(error);
    }
    return PIETRA_OK;
}

/* ---- The stream ---- */

static pietra_result make_stream(batch_job *job, pietra_error *error)
{
    stream_header header = job->total;
    const uint64_t paints = header.paint_count + job->uses, levels = header.mip_level_count + job->nodes.count,
                   texels = header.texel_count + job->texels;
    if (job->elements > STREAM_MAX_COUNT || paints > STREAM_MAX_COUNT || levels > STREAM_MAX_COUNT ||
        texels > STREAM_MAX_COUNT)
        return refuse(error);
    header.magic = STREAM_MAGIC;
    header.version = STREAM_VERSION;
    header.element_count = (uint32_t)job->elements;
    header.paint_count = (uint32_t)paints;
    header.mip_level_count = (uint32_t)levels;
    header.texel_count = (uint32_t)texels;
    if (stream_lay_out(&header) > UINT32_MAX)
        return refuse(error);
    const size_t words = (size_t)header.texels + job->total.texel_count;
    job->batch->stream = stream_make_zeroed(&header, words);
    return job->batch->stream ? PIETRA_OK : error_set_memory(error);
}

#define ARRAY_OF(job, type, name) \
    ((type *)((job)->batch->stream->words + stream_get_header((job)->batch->stream)->name))
/* Copies an array of a source to its place. Returns that place. */
#define COPY_ARRAY(job, from, type, name, counter, numbers) \
    ((type *)memcpy(ARRAY_OF(job, type, name) + (numbers) * (size_t)(from)->first.counter, (from)->view.name, \
                    (numbers) * (size_t)(from)->view.header->counter * sizeof(type)))

static void copy_paints(const batch_job *job, const source *from)
{
    stream_paint *paints = COPY_ARRAY(job, from, stream_paint, paints, paint_count, 1);
    for (uint32_t i = 0; i < from->view.header->paint_count; i++)
        if (paints[i].kind == PAINT_IMAGE)
            paints[i].first_stop += from->first.mip_level_count;
        else if (paints[i].kind == PAINT_BOX_SHADOW)
            paints[i].first_stop += from->first.box_shadow_count;
        else if (paints[i].kind == PAINT_SURFACE)
            paints[i] = (stream_paint){.kind = PAINT_SOLID}; /* elements get others */
        else if (paints[i].kind != PAINT_SOLID)
            paints[i].first_stop += from->first.stop_count;
}

static void copy_effects(const batch_job *job, const source *from)
{
    stream_effect *effects = COPY_ARRAY(job, from, stream_effect, effects, effect_count, 1);
    stream_effect_step *steps = COPY_ARRAY(job, from, stream_effect_step, effect_steps, effect_step_count, 1);
    COPY_ARRAY(job, from, uint32_t, effect_values, effect_value_count, 1);
    for (uint32_t i = 0; i < from->view.header->effect_count; i++)
        effects[i].first_step += from->first.effect_step_count;
    for (uint32_t i = 0; i < from->view.header->effect_step_count; i++)
        steps[i].first_value += from->first.effect_value_count;
}

/* Copies what stands once for each source. */
static void copy_source(const batch_job *job, const source *from)
{
    const stream_header *header = from->view.header;
    stream_path *paths = COPY_ARRAY(job, from, stream_path, paths, path_count, 1);
    stream_style *styles = COPY_ARRAY(job, from, stream_style, styles, style_count, 1);
    stream_mip_level *levels = COPY_ARRAY(job, from, stream_mip_level, mip_levels, mip_level_count, 1);
    COPY_ARRAY(job, from, uint8_t, tags, segment_count, 1);
    COPY_ARRAY(job, from, float, points, point_count, 2);
    COPY_ARRAY(job, from, stream_transform, transforms, transform_count, 1);
    COPY_ARRAY(job, from, float, dashes, dash_count, 1);
    COPY_ARRAY(job, from, stream_stop, stops, stop_count, 1);
    COPY_ARRAY(job, from, stream_box_shadow, box_shadows, box_shadow_count, 1);
    COPY_ARRAY(job, from, uint32_t, texels, texel_count, 1);
    for (uint32_t i = 0; i < header->path_count; i++) {
        paths[i].first_segment += from->first.segment_count;
        paths[i].first_point += from->first.point_count;
    }
    for (uint32_t i = 0; i < header->style_count; i++)
        styles[i].first_dash += from->first.dash_count;
    for (uint32_t i = 0; i < header->mip_level_count; i++)
        levels[i].first_texel += from->first.texel_count;
    copy_paints(job, from);
    copy_effects(job, from);
}

/* Sets the images of the nodes that pieces show. */
static void set_nodes(const batch_job *job)
{
    stream_mip_level *levels = ARRAY_OF(job, stream_mip_level, mip_levels) + job->total.mip_level_count;
    for (size_t i = 0; i < job->nodes.count; i++) {
        const surface_node *node = &job->plan->nodes.items[job->nodes.items[i]];
        texel_copy *texels = &job->batch->shown.items[i];
        texels->to += job->total.texel_count;
        levels[i] = (stream_mip_level){node->width, node->height, (uint32_t)texels->to};
    }
}

/* Copies the elements of a piece, with a paint for each surface that it shows. */
static void copy_piece(const batch_job *job, size_t piece, uint32_t first_element, uint32_t first_paint)
{
    const surface_node *node = node_of(job, piece);
    const source *from = &job->sources.items[job->piece_sources.items[piece]];
    stream_element *elements = ARRAY_OF(job, stream_element, elements) + first_element;
    stream_paint *paints = ARRAY_OF(job, stream_paint, paints);
    for (uint32_t i = 0; i < from->view.header->element_count; i++) {
        stream_element *element = &elements[i];
        *element = from->view.elements[i];
        element->transform += from->first.transform_count;
        if (element->path != STREAM_NONE)
            element->path += from->first.path_count;
        if (element->style != STREAM_NONE)
            element->style += from->first.style_count;
        if ((element->kind & ELEMENT_KIND_MASK) == ELEMENT_BEGIN_EFFECT)
            element->paint += from->first.effect_count;
        else if (element->paint != STREAM_NONE)
            element->paint += from->first.paint_count;
    }
    for (size_t i = 0; i < node->shown_count; i++) {
        const surface_shown *shown = &job->plan->shown.items[node->first_shown + i];
        const surface_node *inner = &job->plan->nodes.items[shown->node];
        const stream_paint *paint = &from->view.paints[from->view.elements[shown->element].paint];
        const uint32_t level = job->total.mip_level_count + find_node(job, shown->node);
        elements[shown->element].paint = first_paint + (uint32_t)i;
        paints[first_paint + i] = surface_paint(paint, inner->width, inner->height, level);
    }
}

static pietra_result copy_pieces(const batch_job *job, pietra_error *error)
{
    uint32_t element = 0, paint = job->total.paint_count;
    if (!array_reserve(&job->batch->roots, job->count))
        return error_set_memory(error);
    for (size_t i = 0; i < job->count; i++) {
        const surface_node *node = node_of(job, i);
        const uint32_t end = element + ((const stream_header *)node->words)->element_count;
        copy_piece(job, i, element, paint);
        job->batch->roots.items[job->batch->roots.count++] = (sheet_root){.begin = element,
                                                                          .end = end,
                                                                          .width = (int)node->width,
                                                                          .height = (int)node->height,
                                                                          .part = job->pieces[i].part,
                                                                          .first_texel = node->first_texel};
        element = end;
        paint += (uint32_t)node->shown_count;
    }
    return PIETRA_OK;
}

static pietra_result make_batch(batch_job *job, pietra_error *error)
{
    pietra_result result = find_all(job, error);
    if (result == PIETRA_OK)
        result = make_stream(job, error);
    if (result != PIETRA_OK)
        return result;
    for (size_t i = 0; i < job->sources.count; i++)
        copy_source(job, &job->sources.items[i]);
    set_nodes(job);
    return copy_pieces(job, error);
}

pietra_result surface_batch_make(const surface_plan *plan, const surface_piece *pieces, size_t count,
                                 pietra_error *error, surface_batch *batch)
{
    batch_job job = {.plan = plan, .pieces = pieces, .count = count, .batch = batch};
    pietra_result result = make_batch(&job, error);
    array_free(&job.sources);
    hash_free(&job.source_table);
    array_free(&job.nodes);
    hash_free(&job.node_table);
    array_free(&job.piece_sources);
    return result;
}

void surface_batch_free(surface_batch *batch)
{
    pietra_stream_destroy(batch->stream);
    array_free(&batch->roots);
    array_free(&batch->shown);
}
