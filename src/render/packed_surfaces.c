/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "render/packed_surfaces.h"

#include <string.h>

#include "base/error.h"
#include "base/transform.h"
#include "render/packed_sheets.h"
#include "render/surface_batch.h"

/* What surfaces that are drawn together take at most, unless one alone takes more. */
#define BATCH_WORDS ((uint64_t)1 << 22)
#define BATCH_ATLAS_BYTES ((uint64_t)1 << 26)

typedef struct surfaces_job {
    gpu_renderer *renderer;
    part_budget *budget;
    pietra_error *error;
    pietra_stats *stats;
    surface_plan plan;
    ARRAY(surface_piece) waiting; /* of one level; the last come first */
    uint64_t atlas_bytes;         /* for a batch */
    ARRAY(texel_copy) kept;       /* surfaces that were drawn for the last frame, */
    ARRAY(bool) is_kept;          /* for each node */
} surfaces_job;

static void forget(packed_surface_cache *cache)
{
    pietra_stream_destroy(cache->drawn);
    pietra_stream_destroy(cache->held);
    cache->drawn = cache->held = NULL;
    cache->stream_id = 0;
    cache->uses.count = cache->shown.count = 0;
    surface_table_free(&cache->surfaces);
}

void packed_surface_cache_free(packed_surface_cache *cache)
{
    forget(cache);
    array_free(&cache->uses);
    array_free(&cache->shown);
}

/* ---- Batches ---- */

static uint64_t tiles_of(tile_box part)
{
    return (uint64_t)(part.x1 - part.x0) * (uint64_t)(part.y1 - part.y0);
}

/* Returns the bytes that a piece takes of an atlas. */
static uint64_t bytes_of(const surface_piece *piece)
{
    return sizeof(uint32_t) * TILE_PIXELS * tiles_of(piece->part);
}

/* Returns how many of the pieces that wait are drawn next: at least one. */
static size_t count_next(const surfaces_job *job)
{
    uint64_t words = 0, bytes = 0;
    size_t count = 0;
    while (count < job->waiting.count) {
        const surface_piece *piece = &job->waiting.items[job->waiting.count - 1 - count];
        words += surface_node_words(&job->plan, piece->node);
        bytes += bytes_of(piece);
        if (count > 0 && (words > BATCH_WORDS || bytes > job->atlas_bytes))
            break;
        count++;
    }
    return count;
}

/* Puts the halves of the next piece in its place. False: out of memory. */
static bool halve(surfaces_job *job)
{
    surface_piece *second = array_push(&job->waiting);
    if (!second)
        return false;
    surface_piece *first = second - 1;
    *second = *first;
    const tile_box part = first->part;
    if (part.y1 - part.y0 >= part.x1 - part.x0)
        first->part.y0 = second->part.y1 = part.y0 + (part.y1 - part.y0) / 2;
    else
        first->part.x0 = second->part.x1 = part.x0 + (part.x1 - part.x0) / 2;
    return true;
}

static pietra_result draw_pieces(surfaces_job *job, size_t count, sheet_needs *needs)
{
    surface_batch batch = {.stream = NULL};
    part_budget budget = part_budget_of(job->budget->bytes);
    budget.watch = job->budget->watch;
    budget.work = job->budget->work;
    const surface_piece *pieces = job->waiting.items + job->waiting.count - count;
    pietra_result result = surface_batch_make(&job->plan, pieces, count, job->error, &batch);
    *needs = (sheet_needs){.is_too_large = result == PIETRA_ERROR_BUDGET};
    if (result == PIETRA_OK) {
        resident_surfaces *surfaces = gpu_renderer_surfaces(job->renderer);
        surfaces->shown = batch.shown.items;
        surfaces->shown_count = batch.shown.count;
        result = packed_sheets_draw_roots(job->renderer, batch.stream, batch.roots.items, batch.roots.count, &budget,
                                          job->error, needs, job->stats);
        surfaces->shown_count = 0;
        if (result == PIETRA_OK) {
            job->budget->work.spent[WORK_EFFECTS] += needs->cost.all;
            job->budget->bytes = budget.bytes;
        }
    }
    surface_batch_free(&batch);
    return result;
}

/* Raises the budget to what a batch needs that can be made no smaller. Returns PIETRA_OK, or PIETRA_ERROR_BUDGET if
 * that is not known. */
static pietra_result raise_budget(surfaces_job *job, const sheet_needs *needs)
{
    if (needs->bytes <= job->budget->bytes)
        return PIETRA_ERROR_BUDGET;
    job->budget->bytes = needs->bytes;
    return PIETRA_OK;
}

/* Draws the next pieces, or makes fewer or smaller ones of them if they take too much. */
static pietra_result draw_next(surfaces_job *job)
{
    const size_t count = count_next(job);
    const surface_piece *next = array_last(&job->waiting);
    sheet_needs needs;
    pietra_result result = draw_pieces(job, count, &needs);
    if (result == PIETRA_OK) {
        job->waiting.count -= count;
        return PIETRA_OK;
    }
    if (result != PIETRA_ERROR_BUDGET)
        return result;
    if (needs.is_too_large && count > 1) {
        uint64_t bytes = 0;
        for (size_t i = 1; i <= count; i++)
            bytes += bytes_of(&job->waiting.items[job->waiting.count - i]);
        job->atlas_bytes = bytes / 2;
        return PIETRA_OK;
    }
    if (needs.is_too_large && tiles_of(next->part) > 1)
        return halve(job) ? PIETRA_OK : error_set_memory(job->error);
    return raise_budget(job, &needs);
}

static pietra_result draw_level(surfaces_job *job, uint32_t level)
{
    pietra_result result = PIETRA_OK;
    for (size_t i = job->plan.nodes.count; i-- > 0;) {
        const surface_node *node = &job->plan.nodes.items[i];
        if (node->level != level || job->is_kept.items[i])
            continue;
        surface_piece *piece = array_push(&job->waiting);
        if (!piece)
            return error_set_memory(job->error);
        *piece = (surface_piece){
            (uint32_t)i,
            {0, 0, (int)(node->width + TILE_SIDE - 1) / TILE_SIDE, (int)(node->height + TILE_SIDE - 1) / TILE_SIDE}};
    }
    while (result == PIETRA_OK && job->waiting.count > 0)
        result = draw_next(job);
    return result;
}

/* ---- Frames ---- */

/* Lists what the frame shows. False: out of memory. */
static bool list_uses(const surface_plan *plan, packed_surface_cache *cache)
{
    cache->uses.count = 0;
    for (size_t i = 0; i < plan->frame.uses.count; i++) {
        const surface_use *use = &plan->frame.uses.items[i];
        packed_use *listed = array_push(&cache->uses);
        if (!listed)
            return false;
        *listed = (packed_use){plan->frame.images.items[use->image].width, plan->frame.images.items[use->image].height};
    }
    return true;
}

/* Lists where the texels of the frame's images lie, of neighbours as one. False: out of memory. */
static bool list_shown(const surface_plan *plan, packed_surface_cache *cache)
{
    uint64_t to = plan->frame.view.header->texel_count;
    cache->shown.count = 0;
    for (size_t i = 0; i < plan->frame_nodes.count; i++) {
        const surface_node *node = &plan->nodes.items[plan->frame_nodes.items[i]];
        const uint64_t count = (uint64_t)node->width * node->height;
        texel_copy *last = cache->shown.count > 0 ? array_last(&cache->shown) : NULL;
        if (last && last->from + last->count == node->first_texel) {
            last->count += count;
        } else {
            texel_copy *added = array_push(&cache->shown);
            if (!added)
                return false;
            *added = (texel_copy){.from = node->first_texel, .to = to, .count = count};
        }
        to += count;
    }
    return true;
}

/* Returns whether the frame shows what is drawn already. */
static bool has_drawn(const packed_surface_cache *cache, const surface_sizes *frame)
{
    if (cache->uses.count != frame->uses.count)
        return false;
    for (size_t i = 0; i < cache->uses.count; i++) {
        const surface_image *image = &frame->images.items[frame->uses.items[i].image];
        if (cache->uses.items[i].width != image->width || cache->uses.items[i].height != image->height)
            return false;
    }
    return true;
}

static surface_key key_of(const surface_node *node)
{
    return (surface_key){node->words, node->width, node->height};
}

/* Lists the surfaces that show no others, for the next frame. False: out of memory. */
static bool list_surfaces(const surface_plan *plan, packed_surface_cache *cache)
{
    surface_table_free(&cache->surfaces);
    for (size_t i = 0; i < plan->nodes.count; i++) {
        const surface_node *node = &plan->nodes.items[i];
        if (node->level == 0 && !surface_table_add(&cache->surfaces, key_of(node), node->first_texel))
            return false;
    }
    return true;
}

/* Finds the nodes that the last frame of the same stream has drawn. False: out of memory. */
static bool find_kept(const packed_surface_cache *cache, surfaces_job *job)
{
    if (!array_reserve(&job->is_kept, job->plan.nodes.count))
        return false;
    for (size_t i = 0; i < job->plan.nodes.count; i++) {
        const surface_node *node = &job->plan.nodes.items[i];
        uint64_t from;
        const bool is_kept = node->level == 0 && surface_table_find(&cache->surfaces, key_of(node), &from);
        texel_copy *copy = is_kept ? array_push(&job->kept) : NULL;
        if (is_kept && !copy)
            return false;
        if (is_kept)
            *copy = (texel_copy){from, node->first_texel, (uint64_t)node->width * node->height};
        job->is_kept.items[job->is_kept.count++] = is_kept;
    }
    return true;
}

static pietra_result draw_levels(surfaces_job *job)
{
    const uint64_t texels = job->plan.texel_count > 0 ? job->plan.texel_count : 1;
    pietra_result result = resident_surfaces_renew(gpu_renderer_surfaces(job->renderer), texels, job->kept.items,
                                                   job->kept.count, job->error);
    for (uint32_t level = 0; result == PIETRA_OK && level < job->plan.level_count; level++)
        result = draw_level(job, level);
    return result;
}

static pietra_result draw_all(packed_surface_cache *cache, surfaces_job *job, bool is_same_stream)
{
    const frame_work before = job->budget->work;
    job->plan.work = &job->budget->work;
    pietra_result result = surface_plan_make(&job->plan, job->error);
    if (result != PIETRA_OK)
        return result;
    if (!is_same_stream)
        forget(cache);
    bool found = find_kept(cache, job);
    forget(cache);
    result = found ? draw_levels(job) : error_set_memory(job->error);
    if (result != PIETRA_OK)
        return result;
    if (!list_uses(&job->plan, cache) || !list_surfaces(&job->plan, cache) || !list_shown(&job->plan, cache)) {
        forget(cache);
        return error_set_memory(job->error);
    }
    frame_work_since(&job->budget->work, &before, cache->spent);
    cache->drawn_count += job->plan.nodes.count - job->kept.count;
    cache->needed_bytes = part_budget_is_raised(job->budget) ? job->budget->bytes : 0;
    return surface_stream_make(&job->plan.frame, true, job->error, &cache->drawn);
}

/* Draws the surfaces, but those that have the sizes of the last frame. */
static pietra_result renew(packed_surface_cache *cache, surfaces_job *job, const pietra_stream *stream,
                           const pietra_transform *frame)
{
    const stream_view view = stream_view_of(stream_words(stream));
    const bool is_same_stream = cache->stream_id == stream_id(stream);
    pietra_result result = surface_sizes_make(&view, frame, SURFACE_TEXELS_MOST, job->error, &job->plan.frame);
    if (result == PIETRA_OK)
        result = is_same_stream && has_drawn(cache, &job->plan.frame)
                     ? frame_work_spend_again(&job->budget->work, cache->spent, job->error)
                     : draw_all(cache, job, is_same_stream);
    surface_plan_free(&job->plan);
    array_free(&job->waiting);
    array_free(&job->kept);
    array_free(&job->is_kept);
    if (result != PIETRA_OK)
        return result;
    cache->stream_id = stream_id(stream);
    cache->frame = *frame;
    return PIETRA_OK;
}

pietra_result packed_surfaces_draw(packed_surface_cache *cache, gpu_renderer *renderer, const pietra_stream *stream,
                                   const pietra_frame *frame, part_budget *budget, pietra_error *error,
                                   pietra_stats *stats, const pietra_stream **drawn)
{
    resident_surfaces *surfaces = gpu_renderer_surfaces(renderer);
    *drawn = stream;
    surfaces->shown_count = 0;
    if (stream_get_header(stream)->surface_count == 0)
        return PIETRA_OK;
    pietra_transform shown = transform_of_field(frame ? frame->transform : TRANSFORM_IDENTITY);
    shown.e = shown.f = 0;
    if (cache->stream_id != stream_id(stream) || memcmp(&cache->frame, &shown, sizeof shown) != 0) {
        surfaces_job job = {
            .renderer = renderer, .budget = budget, .error = error, .stats = stats, .atlas_bytes = BATCH_ATLAS_BYTES};
        pietra_result result = renew(cache, &job, stream, &shown);
        if (result != PIETRA_OK)
            return result;
    } else if (frame_work_spend_again(&budget->work, cache->spent, error) != PIETRA_OK) {
        return PIETRA_ERROR_INPUT;
    }
    if (cache->needed_bytes > budget->bytes)
        budget->bytes = cache->needed_bytes;
    surfaces->shown = cache->shown.items;
    surfaces->shown_count = cache->shown.count;
    *drawn = cache->drawn;
    return PIETRA_OK;
}

pietra_result packed_surfaces_hold(packed_surface_cache *cache, gpu_renderer *renderer, pietra_error *error,
                                   const pietra_stream **held)
{
    *held = cache->held;
    if (cache->held)
        return PIETRA_OK;
    const stream_header *header = stream_get_header(cache->drawn);
    pietra_stream *stream = stream_make_zeroed(header, header->word_count);
    if (!stream)
        return error_set_memory(error);
    memcpy(stream->words, cache->drawn->words, cache->drawn->word_count * sizeof *stream->words);
    pietra_result result =
        resident_surfaces_read(gpu_renderer_surfaces(renderer), error, stream->words + header->texels);
    if (result != PIETRA_OK) {
        pietra_stream_destroy(stream);
        return result;
    }
    *held = cache->held = stream;
    return PIETRA_OK;
}
