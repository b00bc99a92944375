/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "render/effect/run.h"

#include <stdlib.h>

#include "base/memory.h"
#include "render/effect/cost.h"

#define TEXEL_BYTES (4 * sizeof(uint16_t))
/* What a function allocates at most for each texel that it writes or reads, for blurs and windows. */
#define SCRATCH_BYTES (3 * TEXEL_BYTES)

typedef struct effect_runner {
    const effect_graph *graph;
    const effect_functions *functions;
    parallel_pool *pool;
    const effect_pixels *sources;
    const effect_pixels *result;
    effect_calls calls;
    uint16_t **texels; /* of buffers; NULL: they are not there yet, or no longer, or pixels stand for them */
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
    const effect_buffer *buffer = &runner->calls.buffers.items[out->buffer];
    uint16_t **texels = &runner->texels[out->buffer];
    if (*texels || buffer->content != EFFECT_CONTENT_TEXELS)
        return true;
    const uint64_t bytes = TEXEL_BYTES * texel_count(buffer->box);
    *texels = bytes <= SIZE_MAX ? memory_alloc((size_t)bytes) : NULL;
    return *texels;
}

/* Lets go of what no later call reads. */
static void end_buffer(const effect_runner *runner, const effect_part *part, uint32_t call)
{
    if (!effect_box_is_empty(part->box) && runner->calls.buffers.items[part->buffer].last_call == call) {
        free(runner->texels[part->buffer]);
        runner->texels[part->buffer] = NULL;
    }
}

static effect_image image_of_pixels(const effect_pixels *pixels, effect_box box)
{
    const size_t first = (size_t)(box.top - pixels->box.top) * pixels->stride + (size_t)(box.left - pixels->box.left);
    return (effect_image){.pixels = pixels->pixels + first, .stride = pixels->stride, .box = box};
}

static effect_image image_of_buffer(const effect_runner *runner, const effect_buffer *buffer, effect_box box)
{
    if (buffer->content == EFFECT_CONTENT_RESULT)
        return image_of_pixels(runner->result, box);
    effect_image image = image_of_pixels(&runner->sources[buffer->source], box);
    image.has_alpha_alone = buffer->content == EFFECT_CONTENT_ALPHA;
    return image;
}

static effect_image image_of(const effect_runner *runner, const effect_part *part)
{
    if (effect_box_is_empty(part->box))
        return (effect_image){.box = {0, 0, 0, 0}};
    const effect_buffer *buffer = &runner->calls.buffers.items[part->buffer];
    const effect_box box = buffer->box;
    if (buffer->content != EFFECT_CONTENT_TEXELS)
        return image_of_buffer(runner, buffer, part->box);
    const size_t stride = (size_t)(box.right - box.left);
    const size_t first = (size_t)(part->box.top - box.top) * stride + (size_t)(part->box.left - box.left);
    return (effect_image){.texels = runner->texels[part->buffer] + 4 * first, .stride = stride, .box = part->box};
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
        if (call->kind == EFFECT_CALL_NONE)
            continue;
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
    if (done && runner->functions->takes_pixels)
        effect_calls_take_pixels(&runner->calls, runner->result->box);
    if (done)
        runner->texels = calloc(runner->calls.buffers.count + 1, sizeof *runner->texels);
    return runner->texels;
}

bool effect_run(const effect_graph *graph, const effect_functions *functions, parallel_pool *pool,
                const effect_pixels *sources, const effect_pixels *result)
{
    effect_runner runner = {.graph = graph, .functions = functions, .pool = pool, .sources = sources, .result = result};
    bool done = make_calls(&runner) && run_calls(&runner);
    for (size_t i = 0; runner.texels && i < runner.calls.buffers.count; i++)
        free(runner.texels[i]);
    free(runner.texels);
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
