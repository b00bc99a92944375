/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The jobs of a whole effect, call by call. An image makes room for others after the last call that reads it. */
#include <stdlib.h>

#include "render/gpu/effect_jobs.h"

static const work_image nothing = {.box = {0, 0, 0, 0}};

typedef struct graph_lister {
    effect_jobs *jobs;
    const effect_graph *graph;
    const work_image *sources, *result;
    work_image *images; /* of buffers; empty: it is not there yet, or no longer */
} graph_lister;

/* Returns the part of an image. */
static work_image part_of(const graph_lister *lister, const effect_part *part)
{
    if (effect_box_is_empty(part->box))
        return nothing;
    work_image image = lister->images[part->buffer];
    image.first += (uint64_t)(part->box.top - image.box.top) * image.stride;
    image.first += (uint64_t)(part->box.left - image.box.left);
    image.box = part->box;
    return image;
}

static void end_buffer(const graph_lister *lister, const effect_part *part, uint32_t call)
{
    if (effect_box_is_empty(part->box) || lister->jobs->calls.buffers.items[part->buffer].last_call != call)
        return;
    if (lister->jobs->calls.buffers.items[part->buffer].content == EFFECT_CONTENT_TEXELS)
        effect_jobs_free_image(lister->jobs, &lister->images[part->buffer]);
    lister->images[part->buffer] = nothing;
}

/* Makes an image of the texels of a buffer, or takes the pixels that stand for them. */
static bool make_buffer(const graph_lister *lister, uint32_t index)
{
    const effect_buffer *buffer = &lister->jobs->calls.buffers.items[index];
    work_image *image = &lister->images[index];
    if (!effect_box_is_empty(image->box))
        return true;
    if (buffer->content == EFFECT_CONTENT_TEXELS)
        return effect_jobs_make_image(lister->jobs, buffer->box, image);
    *image = buffer->content == EFFECT_CONTENT_RESULT ? *lister->result : lister->sources[buffer->source];
    image->content = buffer->content;
    return true;
}

static bool list_call(const graph_lister *lister, uint32_t index)
{
    const effect_call *call = &lister->jobs->calls.calls.items[index];
    if (!effect_box_is_empty(call->out.box) && !make_buffer(lister, call->out.buffer))
        return false;
    if (call->kind == EFFECT_CALL_NONE)
        return true;
    const bool loads = call->kind == EFFECT_CALL_LOAD || call->kind == EFFECT_CALL_LOAD_ALPHA;
    const work_image in = loads ? lister->sources[call->source] : part_of(lister, &call->in);
    const work_image in2 = part_of(lister, &call->in2);
    const work_image out = call->kind == EFFECT_CALL_STORE ? *lister->result : part_of(lister, &call->out);
    if (!effect_jobs_add_call(lister->jobs, lister->graph, call, &in, &in2, &out))
        return false;
    end_buffer(lister, &call->in, index);
    end_buffer(lister, &call->in2, index);
    end_buffer(lister, &call->out, index);
    return true;
}

/* Lists the calls of the graph. */
static bool make_calls(const graph_lister *lister)
{
    const size_t count = lister->graph->sources.count;
    effect_box *boxes = calloc(count, sizeof *boxes);
    if (!boxes)
        return false;
    for (size_t i = 0; i < count; i++)
        boxes[i] = lister->sources[i].box;
    bool done = effect_calls_make(lister->graph, boxes, &lister->jobs->calls);
    if (done && !lister->jobs->measures)
        effect_calls_take_pixels(&lister->jobs->calls, lister->result->box);
    free(boxes);
    return done;
}

bool effect_jobs_add_graph(effect_jobs *jobs, const effect_graph *graph, const work_image *sources,
                           const work_image *result)
{
    graph_lister lister = {.jobs = jobs, .graph = graph, .sources = sources, .result = result};
    bool done = make_calls(&lister);
    if (done)
        lister.images = calloc(jobs->calls.buffers.count + 1, sizeof *lister.images);
    done = lister.images;
    for (uint32_t i = 0; done && i < jobs->calls.calls.count; i++)
        done = list_call(&lister, i);
    free(lister.images);
    const effect_call *last = jobs->calls.calls.count > 0 ? array_last(&jobs->calls.calls) : NULL;
    const bool stores = last && (last->kind == EFFECT_CALL_STORE ||
                                 (last->kind == EFFECT_CALL_NONE && !effect_box_is_empty(last->in.box)));
    const effect_call store = {.kind = EFFECT_CALL_STORE};
    return done && (stores || effect_jobs_add_call(jobs, graph, &store, &nothing, &nothing, result));
}
