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
    effect_jobs_free_image(lister->jobs, &lister->images[part->buffer]);
    lister->images[part->buffer] = nothing;
}

static bool list_call(const graph_lister *lister, uint32_t index)
{
    const effect_call *call = &lister->jobs->calls.calls.items[index];
    if (call->kind != EFFECT_CALL_STORE && effect_box_is_empty(lister->images[call->out.buffer].box) &&
        !effect_jobs_make_image(lister->jobs, lister->jobs->calls.buffers.items[call->out.buffer].box,
                                &lister->images[call->out.buffer]))
        return false;
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
    const bool stores = jobs->calls.calls.count > 0 && array_last(&jobs->calls.calls)->kind == EFFECT_CALL_STORE;
    const effect_call store = {.kind = EFFECT_CALL_STORE};
    return done && (stores || effect_jobs_add_call(jobs, graph, &store, &nothing, &nothing, result));
}
