/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "render/cpu/pieces.h"

#include <string.h>

#include "render/cpu/flatten.h"

/* The segments of a piece. */
#define PIECE_SEGMENTS_MOST 8192u
#define PIECE_SEGMENTS_LEAST 128u
/* The number of segments that a batch has for each thread. */
#define BATCH_SEGMENTS 98304u
/* Threads share a path that has more segments than two parts. Parts are smaller if each thread would otherwise get
 * fewer than PARTS_OF_A_SHARE. */
#define PART_SEGMENTS 2048u
#define PARTS_OF_A_SHARE 8u
/* The most segments that a dashed stroke counts as. */
#define DASHES_MOST 2048u
/* The most parts for each thread into which a shared element is cut. Each part has its own chunks. */
#define PARTS_PER_THREAD 4u

/* The estimated bytes of a segment's lines, before any segment was flattened. The estimate is rather too high: lists
 * keep the chunks of their first batch, and pieces that were too large would leave no room for those of the next batch.
 * */
#define SEGMENT_BYTES 512u
/* Estimates from its box how many dashes a stroke has. A dash is as much work as a segment. */
static uint dashes_of(const cpu_frame *frame, const stream_element *element)
{
    if (element->style == STREAM_NONE || frame->stream.styles[element->style].dash_count == 0)
        return 0;
    const stream_style *style = &frame->stream.styles[element->style];
    float sides = (element->box_x1 - element->box_x0) + (element->box_y1 - element->box_y0);
    float dashes = sides * (0.5f * (float)style->dash_count) / style->dash_period;
    return dashes > 0.0f && dashes < (float)DASHES_MOST ? (uint)dashes : DASHES_MOST;
}

static uint threads_of(const flatten_job *job)
{
    return uint_max(job->frame->lists_count / PIECES_PER_THREAD, 1u);
}

/* Returns the work of an element, in segments. */
static uint work_of(const cpu_frame *frame, uint index)
{
    const stream_element *element = &frame->stream.elements[frame->elements[index].element];
    return element->path == STREAM_NONE ? 1
                                        : frame->stream.paths[element->path].segment_count + dashes_of(frame, element);
}

/* Returns whether several threads share an element. */
static bool is_shared(const flatten_job *job, uint index)
{
    const cpu_frame *frame = job->frame;
    const stream_element *element = &frame->stream.elements[frame->elements[index].element];
    return job->frame->lists_count > 1 && element->path != STREAM_NONE && (element->kind & ELEMENT_DASHED) == 0 &&
           frame->stream.paths[element->path].segment_count > 2 * job->part_segments;
}

/* Returns whether all layers are closed before the next element, and no element is under way. If so, the elements
 * before it can be painted without those that follow. */
static bool is_flat(const flatten_job *job)
{
    const cpu_frame *frame = job->frame;
    return job->rest.segment == job->rest.end &&
           (job->next == frame->element_count || frame->elements[job->next].layer == NONE);
}

/* A piece: some segments of one element, or none, and the whole elements that follow. */
typedef struct flatten_piece {
    uint shared;     /* element */
    path_walk part;  /* segments of it */
    uint first, end; /* elements */
    cpu_edge_lists *lists;
    bool starts_lists; /* the lists hold nothing yet */
    uint work;         /* segments */
} flatten_piece;

/* Takes some segments of the next element into a piece, or all that are left. Returns how many. */
static uint take_part(flatten_job *job, flatten_piece *piece, bool all)
{
    const cpu_frame *frame = job->frame;
    const stream_path *path = &frame->stream.paths[frame->stream.elements[frame->elements[job->next].element].path];
    if (job->rest.segment == job->rest.end)
        job->rest = path_begin(frame, path);
    piece->shared = job->next;
    piece->part = job->rest;
    uint segments = uint_max(job->part_segments, path->segment_count / (PARTS_PER_THREAD * threads_of(job)));
    piece->part.end = all ? job->rest.end : job->rest.segment + uint_min(segments, job->rest.end - job->rest.segment);
    while (job->rest.segment < piece->part.end)
        path_next(&job->rest);
    job->next += job->rest.segment == job->rest.end ? 1 : 0;
    return piece->part.end - piece->part.segment;
}

/* Estimates the bytes of a segment's lines from the segments that have been flattened. */
static uint64_t segment_bytes(const flatten_job *job)
{
    uint64_t flattened = job->frame->flattened + job->done;
    return flattened > 0 ? (job->frame->chunk_bytes + job->bytes) / flattened + 1 : SEGMENT_BYTES;
}

/* Estimates for how many segments the batch has room beside those under way. */
static uint64_t fitting_segments(const flatten_job *job)
{
    uint64_t taken = job->bytes + (job->work - job->done) * segment_bytes(job);
    return taken < job->frame->batch_most ? (job->frame->batch_most - taken) / segment_bytes(job) : 0;
}

/* Returns whether a batch may end behind any element that is not in a layer. Its pieces are single elements then. Where
 * fills hide one another, a batch ends only with its part. */
static bool has_cuts(const flatten_job *job)
{
    return job->frame->lists_count == 1 && job->frame->elements_most != 0 && job->frame->batch_most < BATCH_BYTES;
}

/* Returns the number of segments of the next piece. If memory is not short, it depends only on the pieces before, and
 * not on which of them are done. So the lists need the same memory in each frame. */
static uint piece_size(const flatten_job *job)
{
    if (has_cuts(job))
        return 1;
    uint64_t fitting = job->frame->batch_most < BATCH_BYTES ? fitting_segments(job) : job->left;
    uint64_t share = (job->left < fitting ? job->left : fitting) / (2u * threads_of(job));
    return share < PIECE_SEGMENTS_LEAST  ? PIECE_SEGMENTS_LEAST
           : share < PIECE_SEGMENTS_MOST ? (uint)share
                                         : PIECE_SEGMENTS_MOST;
}

/* Takes the next piece. Returns false if there is none, or if there is enough to paint. */
static bool take_piece(flatten_job *job, flatten_piece *piece)
{
    const cpu_frame *frame = job->frame;
    bool is_full =
        job->bytes >= job->frame->batch_most || (job->taken == job->frame->lists_count && job->frame->lists_count > 1);
    if (job->failed || job->next == frame->element_count || (is_full && is_flat(job)) ||
        !cpu_flatten_may_go_on(job->dash_tasks)) {
        return false;
    }
    bool is_last = job->frame->lists_count > 1 && job->taken + 1 >= job->frame->lists_count;
    *piece = (flatten_piece){.lists = &job->lists[job->frame->lists_count > 1 ? job->taken : 0]};
    piece->starts_lists = job->frame->lists_count > 1 || job->taken == 0;
    uint size = piece_size(job), work = 0;
    if (job->rest.segment < job->rest.end || (!is_last && is_shared(job, job->next)))
        work = take_part(job, piece, is_last);
    piece->first = job->next;
    while (job->next < frame->element_count && (work < size || (is_last && !is_flat(job)))) {
        if (!is_last && work > 0 && is_shared(job, job->next))
            break;
        work += work_of(frame, job->next++);
    }
    piece->end = job->next;
    job->left -= job->left < work ? job->left : work;
    job->work += work;
    piece->work = work;
    job->taken++;
    return true;
}

static void flatten_piece_lines(const cpu_frame *frame, const flatten_piece *piece)
{
    if (piece->starts_lists)
        memset(piece->lists->bands, 0,
               (size_t)(frame->config->part.y1 - frame->config->part.y0) * sizeof *piece->lists->bands);
    if (piece->part.segment < piece->part.end)
        cpu_flatten_part(frame, piece->shared, piece->part, piece->lists);
    const cpu_edge_lists *lists = piece->lists;
    for (uint i = piece->first;
         i < piece->end && !lists->out_of_budget && !lists->out_of_memory && cpu_flatten_may_go_on(lists->dash_tasks);
         i++) {
        cpu_flatten(frame, i, piece->lists);
    }
}

void pieces_flatten(void *user, uint32_t worker, uint32_t count)
{
    (void)worker;
    (void)count;
    flatten_job *job = user;
    flatten_piece piece;
    const double begin = trace_begin(job->trace);
    pthread_mutex_lock(&job->lock);
    while (!cancel_is_seen(job->frame->watch) && take_piece(job, &piece)) {
        pthread_mutex_unlock(&job->lock);
        uint64_t before = piece.starts_lists ? 0 : cpu_chunks_bytes(&piece.lists->chunks);
        uint64_t dashes_before = piece.lists->dash_tasks;
        flatten_piece_lines(job->frame, &piece);
        pthread_mutex_lock(&job->lock);
        job->failed = job->failed || piece.lists->out_of_budget || piece.lists->out_of_memory;
        job->dash_tasks += piece.lists->dash_tasks - dashes_before;
        job->bytes += cpu_chunks_bytes(&piece.lists->chunks) - before;
        job->done += piece.work;
        if (has_cuts(job) && !job->failed && is_flat(job))
            job->cut = (batch_cut){.next = job->next,
                                   .lines = piece.lists->line_count,
                                   .band_lines = piece.lists->band_line_count,
                                   .dash_tasks = piece.lists->dash_tasks,
                                   .heavy = piece.lists->heavy};
    }
    pthread_mutex_unlock(&job->lock);
    trace_end(job->trace, "flatten", begin);
}

uint64_t pieces_share(flatten_job *job, uint threads)
{
    const stream_header *header = job->frame->stream.header;
    uint left = job->frame->element_count - job->next;
    uint64_t work = header->segment_count;
    if (header->dashed_count > 0)
        work = (uint64_t)header->dashed_count * DASHES_MOST; /* there are more dashes than segments */
    job->left = work < (uint64_t)BATCH_SEGMENTS * threads ? work : (uint64_t)BATCH_SEGMENTS * threads;
    uint64_t part = work / (threads * PARTS_OF_A_SHARE);
    job->part_segments = part < PIECE_SEGMENTS_LEAST ? PIECE_SEGMENTS_LEAST
                         : part < PART_SEGMENTS      ? (uint)part
                                                     : PART_SEGMENTS;
    return left == 0 || (left == 1 && !is_shared(job, job->next)) ? 0 : work;
}

void pieces_cut(flatten_job *job)
{
    cpu_edge_lists *lists = &job->lists[0];
    const tile_box part = job->frame->config->part;
    if (!lists->out_of_budget || job->cut.next == job->first)
        return;
    for (int band = 0; band < part.y1 - part.y0; band++)
        cpu_edge_list_cut(&lists->bands[band], job->cut.next);
    job->dash_tasks -= lists->dash_tasks - job->cut.dash_tasks;
    lists->line_count = job->cut.lines;
    lists->band_line_count = job->cut.band_lines;
    lists->dash_tasks = job->cut.dash_tasks;
    lists->heavy = job->cut.heavy;
    lists->out_of_budget = job->failed = false;
    job->next = job->cut.next;
}
