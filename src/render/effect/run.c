/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "render/effect/run.h"

#include <stdlib.h>

#include "base/memory.h"
#include "render/effect/cost.h"

#define TEXEL_BYTES (4 * sizeof(uint16_t))
/* What a function allocates at most for each texel that it writes or reads, for blurs and windows. */
#define SCRATCH_BYTES (3 * TEXEL_BYTES)

/* Calls between a load and the last one that reads it, among which are looked at. */
#define CALLS_AFTER_LOAD 8u

/* What a buffer holds: texels, or the pixels of a source or of the result. */
typedef struct run_buffer {
    uint16_t *texels; /* NULL: they are not there yet, or no longer */
    const effect_pixels *pixels;
} run_buffer;

typedef struct effect_runner {
    const effect_graph *graph;
    const effect_functions *functions;
    parallel_pool *pool;
    const effect_pixels *sources;
    const effect_pixels *result;
    effect_calls calls;
    run_buffer *buffers;
} effect_runner;

static uint64_t texel_count(effect_box box)
{
    return effect_box_is_empty(box) ? 0 : (uint64_t)(box.right - box.left) * (uint64_t)(box.bottom - box.top);
}

/* Makes room for what a call writes, unless it is there. */
static bool make_buffer(effect_runner *runner, const effect_part *out)
{
    if (effect_box_is_empty(out->box))
        return true;
    run_buffer *buffer = &runner->buffers[out->buffer];
    if (buffer->texels || buffer->pixels)
        return true;
    const uint64_t bytes = TEXEL_BYTES * texel_count(runner->calls.buffers.items[out->buffer].box);
    buffer->texels = bytes <= SIZE_MAX ? memory_alloc((size_t)bytes) : NULL;
    return buffer->texels;
}

/* Lets go of what no later call reads. */
static void end_buffer(const effect_runner *runner, const effect_part *part, uint32_t call)
{
    if (!effect_box_is_empty(part->box) && runner->calls.buffers.items[part->buffer].last_call == call) {
        free(runner->buffers[part->buffer].texels);
        runner->buffers[part->buffer].texels = NULL;
    }
}

static effect_image image_of_pixels(const effect_pixels *pixels, effect_box box)
{
    const size_t first = (size_t)(box.top - pixels->box.top) * pixels->stride + (size_t)(box.left - pixels->box.left);
    return (effect_image){.pixels = pixels->pixels + first, .stride = pixels->stride, .box = box};
}

static effect_image image_of(const effect_runner *runner, const effect_part *part)
{
    if (effect_box_is_empty(part->box))
        return (effect_image){.box = {0, 0, 0, 0}};
    const run_buffer *buffer = &runner->buffers[part->buffer];
    if (buffer->pixels)
        return image_of_pixels(buffer->pixels, part->box);
    const effect_box box = runner->calls.buffers.items[part->buffer].box;
    const size_t stride = (size_t)(box.right - box.left);
    const size_t first = (size_t)(part->box.top - box.top) * stride + (size_t)(part->box.left - box.left);
    return (effect_image){.texels = buffer->texels + 4 * first, .stride = stride, .box = part->box};
}

/* ---- Pixels in place of texels ---- */

static bool is_in(const effect_part *part, uint32_t buffer)
{
    return !effect_box_is_empty(part->box) && part->buffer == buffer;
}

static bool blurs_pixels(const effect_call *call)
{
    return call->kind == EFFECT_CALL_BLUR && call->blur->edge != EFFECT_EDGE_WRAP;
}

/* Returns whether what a call loads is read by blurs alone, which can read the pixels. */
static bool stays_pixels(const effect_runner *runner, uint32_t index)
{
    const effect_call *call = &runner->calls.calls.items[index];
    const uint32_t buffer = call->out.buffer, last = runner->calls.buffers.items[buffer].last_call;
    if (!runner->functions->takes_pixels || call->kind != EFFECT_CALL_LOAD || call->linear ||
        last > index + CALLS_AFTER_LOAD)
        return false;
    for (uint32_t i = index + 1; i <= last; i++) {
        const effect_call *next = &runner->calls.calls.items[i];
        if (is_in(&next->in2, buffer) || is_in(&next->out, buffer) || (is_in(&next->in, buffer) && !blurs_pixels(next)))
            return false;
    }
    return true;
}

static bool boxes_are_equal(effect_box a, effect_box b)
{
    return a.left == b.left && a.top == b.top && a.right == b.right && a.bottom == b.bottom;
}

/* Returns whether a call makes just what the next one stores. */
static bool makes_result(const effect_runner *runner, uint32_t index)
{
    const effect_call *call = &runner->calls.calls.items[index], *store = call + 1;
    const uint32_t buffer = call->out.buffer;
    return runner->functions->takes_pixels && index + 1 < runner->calls.calls.count &&
           store->kind == EFFECT_CALL_STORE && (call->kind == EFFECT_CALL_TO_SRGB || blurs_pixels(call)) &&
           is_in(&store->in, buffer) && !is_in(&call->in, buffer) && !runner->buffers[buffer].texels &&
           boxes_are_equal(store->in.box, call->out.box) && boxes_are_equal(store->in.box, runner->result->box);
}

static bool run_noise(const effect_runner *runner, const effect_node *node, const effect_image *out)
{
    uint *words = malloc(EFFECT_NOISE_WORDS * sizeof *words);
    effect_noise noise;
    if (!words)
        return false;
    if (effect_graph_noise(runner->graph, node, &noise, words) == EFFECT_RUNS)
        runner->functions->noise(runner->pool, &noise, words, out);
    else
        runner->functions->flood(runner->pool, (effect_texel){0, 0, 0, 0}, out);
    free(words);
    return true;
}

static bool run_step(const effect_runner *runner, const effect_call *call, const effect_image *in,
                     const effect_image *in2, const effect_image *out)
{
    const effect_functions *functions = runner->functions;
    const effect_node *node = call->node;
    const effect_parameters *parameters = &node->parameters;
    parallel_pool *pool = runner->pool;
    switch (node->step->kind) {
    case EFFECT_STEP_FLOOD:
        functions->flood(pool, parameters->flood, out);
        return true;
    case EFFECT_STEP_OFFSET:
        functions->offset(pool, parameters->offset, in, out);
        return true;
    case EFFECT_STEP_COMPOSITE:
        functions->composite(pool, &parameters->composite, in, in2, out);
        return true;
    case EFFECT_STEP_BLEND:
        functions->blend(pool, parameters->mode, in, in2, out);
        return true;
    case EFFECT_STEP_COLOR_MATRIX:
        functions->color_matrix(pool, &parameters->matrix, in, out);
        return true;
    case EFFECT_STEP_COMPONENT_TRANSFER:
        functions->transfer(pool, &parameters->transfer, (const float *)node->values, in, out);
        return true;
    case EFFECT_STEP_TILE:
        functions->tile(pool, parameters->tile, in, out);
        return true;
    case EFFECT_STEP_DISPLACEMENT_MAP:
        functions->displace(pool, &parameters->displacement, in, in2, out);
        return true;
    case EFFECT_STEP_CONVOLVE_MATRIX:
        return functions->convolve(pool, &parameters->convolve.convolution,
                                   runner->graph->numbers.items + parameters->convolve.first_number, call->region, in,
                                   out);
    case EFFECT_STEP_MORPHOLOGY:
        return functions->extreme(pool, &parameters->extreme, in, out);
    case EFFECT_STEP_DIFFUSE_LIGHTING:
    case EFFECT_STEP_SPECULAR_LIGHTING:
        functions->light(pool, &parameters->light, call->region, in, out);
        return true;
    default:
        return run_noise(runner, node, out);
    }
}

static void run_load(const effect_runner *runner, const effect_call *call, const effect_image *out)
{
    const effect_pixels *source = &runner->sources[call->source];
    if (call->linear && call->kind == EFFECT_CALL_LOAD && runner->functions->takes_pixels) {
        const effect_image pixels = image_of_pixels(source, out->box);
        runner->functions->to_linear(runner->pool, &pixels, out);
        return;
    }
    runner->functions->load(runner->pool, source->pixels, source->stride, out);
    if (call->kind == EFFECT_CALL_LOAD_ALPHA)
        runner->functions->alpha(runner->pool, out, out);
    else if (call->linear)
        runner->functions->to_linear(runner->pool, out, out);
}

static bool run_call(const effect_runner *runner, const effect_call *call)
{
    const effect_functions *functions = runner->functions;
    parallel_pool *pool = runner->pool;
    const effect_image in = image_of(runner, &call->in), in2 = image_of(runner, &call->in2);
    const effect_image out = image_of(runner, &call->out);
    switch (call->kind) {
    case EFFECT_CALL_LOAD:
    case EFFECT_CALL_LOAD_ALPHA:
        run_load(runner, call, &out);
        return true;
    case EFFECT_CALL_STORE:
        functions->store(pool, &in, runner->result->pixels, runner->result->stride);
        return true;
    case EFFECT_CALL_TO_LINEAR:
        functions->to_linear(pool, &in, &out);
        return true;
    case EFFECT_CALL_TO_SRGB:
        functions->to_srgb(pool, &in, &out);
        return true;
    case EFFECT_CALL_CLEAR:
        functions->flood(pool, (effect_texel){0, 0, 0, 0}, &out);
        return true;
    case EFFECT_CALL_COPY:
        functions->offset(pool, (effect_offset){0}, &in, &out);
        return true;
    case EFFECT_CALL_MERGE:
        if (in2.texels != out.texels)
            functions->offset(pool, (effect_offset){0}, &in2, &out);
        functions->merge(pool, &in, &out);
        return true;
    case EFFECT_CALL_BLUR:
        return functions->blur(pool, call->blur, call->region, &in, &out);
    case EFFECT_CALL_SHADOW:
        functions->shadow(pool, &call->node->parameters.shadow.shadow, &in, &in2, &out);
        return true;
    default:
        return run_step(runner, call, &in, &in2, &out);
    }
}

static bool run_calls(effect_runner *runner)
{
    for (uint32_t i = 0; i < runner->calls.calls.count; i++) {
        const effect_call *call = &runner->calls.calls.items[i];
        if (stays_pixels(runner, i)) {
            runner->buffers[call->out.buffer].pixels = &runner->sources[call->source];
            continue;
        }
        if (call->kind == EFFECT_CALL_STORE && runner->buffers[call->in.buffer].pixels)
            continue;
        if (makes_result(runner, i))
            runner->buffers[call->out.buffer].pixels = runner->result;
        if (!make_buffer(runner, &call->out) || !run_call(runner, call))
            return false;
        end_buffer(runner, &call->in, i);
        end_buffer(runner, &call->in2, i);
        end_buffer(runner, &call->out, i);
    }
    return true;
}

/* Lists the calls, and no buffer yet. */
static bool make_calls(effect_runner *runner)
{
    const size_t count = runner->graph->sources.count;
    effect_box *boxes = calloc(count, sizeof *boxes);
    if (!boxes)
        return false;
    for (size_t i = 0; i < count; i++)
        boxes[i] = runner->sources[i].box;
    bool done = effect_calls_make(runner->graph, boxes, &runner->calls);
    free(boxes);
    if (done)
        runner->buffers = calloc(runner->calls.buffers.count + 1, sizeof *runner->buffers);
    return runner->buffers;
}

bool effect_run(const effect_graph *graph, const effect_functions *functions, parallel_pool *pool,
                const effect_pixels *sources, const effect_pixels *result)
{
    effect_runner runner = {.graph = graph, .functions = functions, .pool = pool, .sources = sources, .result = result};
    bool done = make_calls(&runner) && run_calls(&runner);
    for (size_t i = 0; runner.buffers && i < runner.calls.buffers.count; i++)
        free(runner.buffers[i].texels);
    free(runner.buffers);
    effect_calls_free(&runner.calls);
    return done;
}

/* ---- Memory ---- */

static bool allocates(const effect_call *call)
{
    return call->kind == EFFECT_CALL_BLUR ||
           (call->kind == EFFECT_CALL_STEP && (call->node->step->kind == EFFECT_STEP_CONVOLVE_MATRIX ||
                                               call->node->step->kind == EFFECT_STEP_MORPHOLOGY));
}

/* Returns what a call takes beside its images. A blur that repeats its input makes all rows that it repeats. */
static uint64_t scratch_bytes(const effect_call *call)
{
    effect_box work = call->out.box;
    if (!allocates(call))
        return 0;
    if (call->kind == EFFECT_CALL_BLUR && call->blur->edge == EFFECT_EDGE_WRAP) {
        work.top = call->region.top;
        work.bottom = call->region.bottom;
    }
    return SCRATCH_BYTES * (texel_count(work) + texel_count(call->in.box));
}

static uint64_t bytes_ended(const effect_calls *calls, const effect_part *part, uint32_t call, uint32_t *ended)
{
    const bool ends = !effect_box_is_empty(part->box) && calls->buffers.items[part->buffer].last_call == call;
    if (!ends || *ended == part->buffer)
        return 0;
    *ended = part->buffer;
    return TEXEL_BYTES * texel_count(calls->buffers.items[part->buffer].box);
}

static uint64_t most_bytes(const effect_calls *calls)
{
    uint64_t live = 0, most = 0;
    uint32_t made = 0; /* buffers are made in their order */
    for (uint32_t i = 0; i < calls->calls.count; i++) {
        const effect_call *call = &calls->calls.items[i];
        uint32_t ended = UINT32_MAX;
        for (; !effect_box_is_empty(call->out.box) && made <= call->out.buffer; made++)
            live += TEXEL_BYTES * texel_count(calls->buffers.items[made].box);
        most = live + scratch_bytes(call) > most ? live + scratch_bytes(call) : most;
        live -= bytes_ended(calls, &call->in, i, &ended);
        live -= bytes_ended(calls, &call->in2, i, &ended);
        live -= bytes_ended(calls, &call->out, i, &ended);
    }
    return most;
}

bool effect_run_measure(const effect_graph *graph, effect_needs *needs)
{
    effect_calls calls = {.calls = {.items = NULL}};
    effect_box *boxes = calloc(graph->sources.count, sizeof *boxes);
    if (!boxes)
        return false;
    for (size_t i = 0; i < graph->sources.count; i++)
        boxes[i] = graph->sources.items[i].out;
    bool done = effect_calls_make(graph, boxes, &calls);
    if (done)
        *needs = (effect_needs){.bytes = most_bytes(&calls), .cost = effect_cost(graph, &calls)};
    effect_calls_free(&calls);
    free(boxes);
    return done;
}
