/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "render/effect/run.h"

#include <stdlib.h>

#define TEXEL_BYTES (4 * sizeof(uint16_t))
/* What a function allocates at most for each texel that it writes or reads, for blurs and windows. */
#define SCRATCH_BYTES (3 * TEXEL_BYTES)

/* Slots 0 and 1 are the source and its alpha, the others the results of steps: a slot's number is a step's input. */
#define SLOT_OF_NODE(index) EFFECT_INPUT_RESULT((uint32_t)(index))

static uint32_t inputs_read(const effect_node *node)
{
    switch (node->step->kind) {
    case EFFECT_STEP_FLOOD:
    case EFFECT_STEP_TURBULENCE:
    case EFFECT_STEP_IMAGE:
        return 0;
    case EFFECT_STEP_MERGE:
        return node->step->value_count;
    case EFFECT_STEP_COMPOSITE:
    case EFFECT_STEP_BLEND:
    case EFFECT_STEP_DISPLACEMENT_MAP:
        return 2;
    default:
        return 1;
    }
}

/* Returns how many inputs a node reads, if its result is needed. */
static uint32_t input_count(const effect_node *node)
{
    return effect_box_is_empty(node->out) ? 0 : node->outcome == EFFECT_PASSES ? 1 : inputs_read(node);
}

static uint32_t input_at(const effect_node *node, uint32_t index)
{
    if (node->step->kind == EFFECT_STEP_MERGE)
        return node->values[index];
    return index == 0 ? node->step->in1 : node->step->in2;
}

/* Texels that several images may share. */
typedef struct run_buffer {
    uint32_t shares;
    uint16_t texels[];
} run_buffer;

/* A result in one or both colour spaces: 0 is sRGB, 1 linearRGB. */
typedef struct run_slot {
    run_buffer *buffers[2]; /* NULL: it is not there in this space, or empty */
    effect_image images[2];
    bool has[2];
    uint32_t uses; /* steps that still read it */
} run_slot;

typedef struct effect_runner {
    const effect_graph *graph;
    const effect_functions *functions;
    parallel_pool *pool;
    const effect_pixels *sources;
    run_slot *slots;
} effect_runner;

static size_t texel_count(effect_box box)
{
    return effect_box_is_empty(box) ? 0 : (size_t)(box.right - box.left) * (size_t)(box.bottom - box.top);
}

static void share_end(run_buffer *buffer)
{
    if (buffer && --buffer->shares == 0)
        free(buffer);
}

static void slot_empty(run_slot *slot)
{
    for (int space = 0; space < 2; space++) {
        share_end(slot->buffers[space]);
        slot->buffers[space] = NULL;
        slot->has[space] = false;
    }
}

/* Makes the image of a slot in a colour space, with texels of its own. */
static bool slot_make(run_slot *slot, bool linear, effect_box box)
{
    size_t count = texel_count(box);
    run_buffer *buffer = count > 0 ? malloc(sizeof *buffer + count * TEXEL_BYTES) : NULL;
    if (count > 0 && !buffer)
        return false;
    if (buffer)
        buffer->shares = 1;
    slot->buffers[linear] = buffer;
    slot->images[linear] = (effect_image){.texels = buffer ? buffer->texels : NULL,
                                          .stride = buffer ? (size_t)(box.right - box.left) : 0,
                                          .box = buffer ? box : (effect_box){0, 0, 0, 0}};
    slot->has[linear] = true;
    return true;
}

/* Gives the image of a slot in a colour space, and converts it if needed. NULL: out of memory. */
static const effect_image *slot_image(const effect_runner *runner, uint32_t input, bool linear)
{
    run_slot *slot = &runner->slots[input];
    if (!slot->has[linear]) {
        const effect_image *other = &slot->images[!linear];
        if (!slot_make(slot, linear, other->box))
            return NULL;
        if (slot->images[linear].texels) {
            (linear ? runner->functions->to_linear : runner->functions->to_srgb)(runner->pool, other,
                                                                                 &slot->images[linear]);
        }
    }
    return &slot->images[linear];
}

/* Lets a slot show a part of another one. */
static void slot_share(run_slot *slot, const run_slot *from, effect_box box)
{
    for (int space = 0; space < 2; space++) {
        if (!from->has[space])
            continue;
        effect_image image = from->images[space];
        const effect_box part = effect_box_meet(box, image.box);
        slot->has[space] = true;
        slot->images[space] = (effect_image){.box = {0, 0, 0, 0}};
        if (effect_box_is_empty(part))
            continue;
        image.texels += 4 * ((size_t)(part.top - image.box.top) * image.stride + (size_t)(part.left - image.box.left));
        image.box = part;
        slot->images[space] = image;
        slot->buffers[space] = from->buffers[space];
        slot->buffers[space]->shares++;
    }
}

/* Reads the source and its alpha, as far as they are needed. */
static bool load_source(effect_runner *runner)
{
    const effect_pixels *source = &runner->sources[0];
    run_slot *content = &runner->slots[EFFECT_INPUT_SOURCE], *alpha = &runner->slots[EFFECT_INPUT_SOURCE_ALPHA];
    if (!slot_make(content, false, source->box))
        return false;
    if (content->images[0].texels)
        runner->functions->load(runner->pool, source->pixels, source->stride, &content->images[0]);
    if (alpha->uses == 0)
        return true;
    if (!slot_make(alpha, false, source->box))
        return false;
    if (alpha->images[0].texels)
        runner->functions->alpha(runner->pool, &content->images[0], &alpha->images[0]);
    /* Black is the same in both spaces. */
    alpha->images[1] = alpha->images[0];
    alpha->buffers[1] = alpha->buffers[0];
    alpha->has[1] = true;
    if (alpha->buffers[1])
        alpha->buffers[1]->shares++;
    return true;
}

static bool run_merge(const effect_runner *runner, const effect_node *node, const effect_image *out)
{
    const bool linear = node->step->linear != 0;
    runner->functions->flood(runner->pool, (effect_texel){0, 0, 0, 0}, out);
    for (uint32_t i = 0; i < node->step->value_count; i++) {
        const effect_image *over = slot_image(runner, node->values[i], linear);
        if (!over)
            return false;
        if (over->texels)
            runner->functions->merge(runner->pool, over, out);
    }
    return true;
}

static bool run_shadow(const effect_runner *runner, const effect_node *node, const effect_image *in,
                       const effect_image *out)
{
    const effect_shadow *shadow = &node->parameters.shadow.shadow;
    const effect_blur *blur = &node->parameters.shadow.blur;
    run_slot blurred = {.uses = 0};
    effect_box box =
        effect_box_meet(effect_demand_of_offset(shadow->offset, out->box), effect_reach_of_blur(blur, in->box));
    if (!slot_make(&blurred, false, box))
        return false;
    bool fits =
        !blurred.images[0].texels || runner->functions->blur(runner->pool, blur, in->box, in, &blurred.images[0]);
    if (fits)
        runner->functions->shadow(runner->pool, shadow, in, &blurred.images[0], out);
    slot_empty(&blurred);
    return fits;
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

static effect_box region_of_input(const effect_graph *graph, uint32_t input)
{
    return input < EFFECT_INPUT_RESULT(0) ? graph->region : graph->nodes.items[input - EFFECT_INPUT_RESULT(0)].region;
}

/* Runs a step that reads no image, one, or two. */
static bool run_step(const effect_runner *runner, const effect_node *node, const effect_image *in,
                     const effect_image *in2, const effect_image *out)
{
    const effect_functions *functions = runner->functions;
    const effect_parameters *parameters = &node->parameters;
    const effect_box region = region_of_input(runner->graph, node->step->in1);
    parallel_pool *pool = runner->pool;
    switch (node->step->kind) {
    case EFFECT_STEP_FLOOD:
        functions->flood(pool, parameters->flood, out);
        return true;
    case EFFECT_STEP_OFFSET:
        functions->offset(pool, parameters->offset, in, out);
        return true;
    case EFFECT_STEP_MERGE:
        return run_merge(runner, node, out);
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
    case EFFECT_STEP_DROP_SHADOW:
        return run_shadow(runner, node, in, out);
    case EFFECT_STEP_GAUSSIAN_BLUR:
        return functions->blur(pool, &parameters->blur, region, in, out);
    case EFFECT_STEP_CONVOLVE_MATRIX:
        return functions->convolve(pool, &parameters->convolve.convolution,
                                   runner->graph->numbers.items + parameters->convolve.first_number, region, in, out);
    case EFFECT_STEP_MORPHOLOGY:
        return functions->extreme(pool, &parameters->extreme, in, out);
    case EFFECT_STEP_DIFFUSE_LIGHTING:
    case EFFECT_STEP_SPECULAR_LIGHTING:
        functions->light(pool, &parameters->light, node->region, in, out);
        return true;
    default:
        return run_noise(runner, node, out);
    }
}

static bool load_picture(const effect_runner *runner, const effect_node *node, run_slot *slot)
{
    const effect_pixels *picture = &runner->sources[1 + node->parameters.picture];
    if (!slot_make(slot, false, picture->box))
        return false;
    if (slot->images[0].texels)
        runner->functions->load(runner->pool, picture->pixels, picture->stride, &slot->images[0]);
    return true;
}

static bool run_node(const effect_runner *runner, uint32_t index)
{
    const effect_node *node = &runner->graph->nodes.items[index];
    const bool linear = node->step->linear != 0;
    run_slot *slot = &runner->slots[SLOT_OF_NODE(index)];
    if (node->outcome == EFFECT_PASSES) {
        slot_share(slot, &runner->slots[node->step->in1], node->out);
        return true;
    }
    if (node->step->kind == EFFECT_STEP_IMAGE)
        return load_picture(runner, node, slot);
    const effect_image *images[2] = {NULL, NULL};
    const uint32_t count = node->step->kind == EFFECT_STEP_MERGE ? 0 : inputs_read(node);
    for (uint32_t i = 0; i < count; i++)
        if (!(images[i] = slot_image(runner, input_at(node, i), linear)))
            return false;
    return slot_make(slot, linear, node->out) && run_step(runner, node, images[0], images[1], &slot->images[linear]);
}

static void count_uses(const effect_graph *graph, run_slot *slots)
{
    for (size_t i = 0; i < graph->nodes.count; i++)
        for (uint32_t k = 0; k < input_count(&graph->nodes.items[i]); k++)
            slots[input_at(&graph->nodes.items[i], k)].uses++;
}

/* Lets go of what no later step reads. */
static void end_uses(run_slot *slots, const effect_node *node)
{
    for (uint32_t k = 0; k < input_count(node); k++) {
        run_slot *slot = &slots[input_at(node, k)];
        if (--slot->uses == 0)
            slot_empty(slot);
    }
}

static bool run_nodes(effect_runner *runner, const effect_pixels *result)
{
    const effect_graph *graph = runner->graph;
    const uint32_t count = (uint32_t)graph->nodes.count;
    count_uses(graph, runner->slots);
    if (!load_source(runner))
        return false;
    for (uint32_t i = 0; i < count; i++) {
        const effect_node *node = &graph->nodes.items[i];
        if (effect_box_is_empty(node->out))
            runner->slots[SLOT_OF_NODE(i)].has[0] = runner->slots[SLOT_OF_NODE(i)].has[1] = true;
        else if (!run_node(runner, i))
            return false;
        end_uses(runner->slots, node);
    }
    const effect_image *last = slot_image(runner, SLOT_OF_NODE(count - 1), false);
    if (!last)
        return false;
    if (last->texels)
        runner->functions->store(runner->pool, last, result->pixels, result->stride);
    return true;
}

bool effect_run(const effect_graph *graph, const effect_functions *functions, parallel_pool *pool,
                const effect_pixels *sources, const effect_pixels *result)
{
    const uint32_t slot_count = SLOT_OF_NODE((uint32_t)graph->nodes.count);
    effect_runner runner = {.graph = graph, .functions = functions, .pool = pool, .sources = sources};
    runner.slots = calloc(slot_count, sizeof *runner.slots);
    if (!runner.slots)
        return false;
    bool done = run_nodes(&runner, result);
    for (uint32_t i = 0; i < slot_count; i++)
        slot_empty(&runner.slots[i]);
    free(runner.slots);
    return done;
}

/* ---- Memory ---- */

static uint64_t slot_bytes(const effect_graph *graph, uint32_t input)
{
    effect_box box = input < EFFECT_INPUT_RESULT(0) ? graph->sources.items[0].out
                                                    : graph->nodes.items[input - EFFECT_INPUT_RESULT(0)].out;
    return 2 * TEXEL_BYTES * texel_count(box); /* in both colour spaces */
}

bool effect_run_bytes(const effect_graph *graph, uint64_t *bytes)
{
    run_slot *slots = calloc(SLOT_OF_NODE(graph->nodes.count), sizeof *slots);
    if (!slots)
        return false;
    count_uses(graph, slots);
    uint64_t live = slot_bytes(graph, EFFECT_INPUT_SOURCE) + slot_bytes(graph, EFFECT_INPUT_SOURCE_ALPHA), most = live;
    for (uint32_t i = 0; i < graph->nodes.count; i++) {
        const effect_node *node = &graph->nodes.items[i];
        uint64_t scratch = SCRATCH_BYTES * texel_count(effect_graph_work(graph, node));
        for (uint32_t k = 0; k < input_count(node); k++)
            scratch += SCRATCH_BYTES / (2 * TEXEL_BYTES) * slot_bytes(graph, input_at(node, k));
        live += slot_bytes(graph, SLOT_OF_NODE(i));
        most = live + scratch > most ? live + scratch : most;
        for (uint32_t k = 0; k < input_count(node); k++)
            if (--slots[input_at(node, k)].uses == 0)
                live -= slot_bytes(graph, input_at(node, k));
    }
    free(slots);
    *bytes = most;
    return true;
}
