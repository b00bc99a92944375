/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "render/effect/calls.h"

#include <stdlib.h>

/* Slots 0 and 1 are the source and its alpha, the others the results of steps: a slot's number is a step's input. */
#define SLOT_OF_NODE(index) EFFECT_INPUT_RESULT((uint32_t)(index))

/* A result in one or both colour spaces: 0 is sRGB, 1 linearRGB. */
typedef struct call_slot {
    effect_part images[2];
    bool has[2];
} call_slot;

typedef struct call_lister {
    const effect_graph *graph;
    const effect_box *boxes;
    effect_calls *calls;
    call_slot *slots;
} call_lister;

static uint32_t inputs_read(const effect_node *node)
{
    switch (node->step->kind) {
    case EFFECT_STEP_FLOOD:
    case EFFECT_STEP_TURBULENCE:
        return 0;
    case EFFECT_STEP_COMPOSITE:
    case EFFECT_STEP_BLEND:
    case EFFECT_STEP_DISPLACEMENT_MAP:
        return 2;
    default:
        return 1;
    }
}

static void use(const call_lister *lister, const effect_part *part)
{
    if (!effect_box_is_empty(part->box))
        lister->calls->buffers.items[part->buffer].last_call = (uint32_t)lister->calls->calls.count;
}

/* A call that makes nothing is left out. */
static bool add_call(const call_lister *lister, effect_call call)
{
    const bool stores = call.kind == EFFECT_CALL_STORE;
    if (effect_box_is_empty(stores ? call.in.box : call.out.box))
        return true;
    use(lister, &call.in);
    use(lister, &call.in2);
    use(lister, &call.out);
    effect_call *added = array_push(&lister->calls->calls);
    if (added)
        *added = call;
    return added != NULL;
}

/* Makes an image with texels of its own. */
static bool make_image(const call_lister *lister, effect_box box, effect_part *image)
{
    *image = (effect_part){.box = {0, 0, 0, 0}};
    if (effect_box_is_empty(box))
        return true;
    effect_buffer *buffer = array_push(&lister->calls->buffers);
    if (!buffer)
        return false;
    *buffer = (effect_buffer){.box = box};
    *image = (effect_part){(uint32_t)(lister->calls->buffers.count - 1), box};
    return true;
}

static bool slot_make(const call_lister *lister, call_slot *slot, bool linear, effect_box box)
{
    slot->has[linear] = true;
    return make_image(lister, box, &slot->images[linear]);
}

/* Black is the same in both colour spaces. */
static bool load_alpha(const call_lister *lister, call_slot *slot)
{
    if (!slot_make(lister, slot, false, lister->boxes[0]))
        return false;
    slot->images[1] = slot->images[0];
    slot->has[1] = true;
    return add_call(lister, (effect_call){.kind = EFFECT_CALL_LOAD_ALPHA, .out = slot->images[0]});
}

static bool load(const call_lister *lister, call_slot *slot, uint32_t source, bool linear)
{
    return slot_make(lister, slot, linear, lister->boxes[source]) &&
           add_call(lister,
                    (effect_call){
                        .kind = EFFECT_CALL_LOAD, .linear = linear, .source = source, .out = slot->images[linear]});
}

/* Gives the image of a slot in a colour space. What it shows is loaded or converted when it is first needed there.
 * NULL: out of memory. */
static const effect_part *slot_image(const call_lister *lister, uint32_t input, bool linear)
{
    call_slot *slot = &lister->slots[input];
    bool done = true;
    if (!slot->has[linear] && slot->has[!linear]) {
        done = slot_make(lister, slot, linear, slot->images[!linear].box) &&
               add_call(lister, (effect_call){.kind = linear ? EFFECT_CALL_TO_LINEAR : EFFECT_CALL_TO_SRGB,
                                              .in = slot->images[!linear],
                                              .out = slot->images[linear]});
    } else if (!slot->has[linear]) {
        done = input == EFFECT_INPUT_SOURCE_ALPHA ? load_alpha(lister, slot) : load(lister, slot, 0, linear);
    }
    return done ? &slot->images[linear] : NULL;
}

/* Lets a slot show a part of another one. */
static bool slot_share(const call_lister *lister, call_slot *slot, uint32_t input, effect_box box)
{
    call_slot *from = &lister->slots[input];
    if (!from->has[0] && !from->has[1] && !slot_image(lister, input, false))
        return false;
    for (int space = 0; space < 2; space++) {
        slot->has[space] = from->has[space];
        slot->images[space] = (effect_part){from->images[space].buffer, effect_box_meet(box, from->images[space].box)};
    }
    return true;
}

/* Lays one node on top of the other. The lowest two need no pass of their own. */
static bool list_merge(const call_lister *lister, const effect_node *node, const effect_part *out)
{
    effect_part lowest = {.box = {0, 0, 0, 0}};
    uint32_t count = 0;
    for (uint32_t i = 0; i < node->step->value_count; i++) {
        const effect_part *over = slot_image(lister, node->values[i], node->step->linear != 0);
        if (!over)
            return false;
        if (effect_box_is_empty(over->box))
            continue;
        count++;
        if (count == 1)
            lowest = *over;
        else if (!add_call(lister,
                           (effect_call){
                               .kind = EFFECT_CALL_MERGE, .in = *over, .in2 = count == 2 ? lowest : *out, .out = *out}))
            return false;
    }
    if (count >= 2)
        return true;
    return add_call(
        lister, (effect_call){.kind = count == 0 ? EFFECT_CALL_CLEAR : EFFECT_CALL_COPY, .in = lowest, .out = *out});
}

static bool list_shadow(const call_lister *lister, const effect_node *node, const effect_part *in,
                        const effect_part *out)
{
    const effect_blur *blur = &node->parameters.shadow.blur;
    effect_part blurred;
    effect_box box = effect_box_meet(effect_demand_of_offset(node->parameters.shadow.shadow.offset, out->box),
                                     effect_reach_of_blur(blur, in->box));
    return make_image(lister, box, &blurred) &&
           add_call(
               lister,
               (effect_call){.kind = EFFECT_CALL_BLUR, .blur = blur, .region = in->box, .in = *in, .out = blurred}) &&
           add_call(lister,
                    (effect_call){.kind = EFFECT_CALL_SHADOW, .node = node, .in = *in, .in2 = blurred, .out = *out});
}

/* Lists what makes `out` of images. */
static bool list_step(const call_lister *lister, const effect_node *node, const effect_part *in, const effect_part *in2,
                      const effect_part *out)
{
    const bool lights =
        node->step->kind == EFFECT_STEP_DIFFUSE_LIGHTING || node->step->kind == EFFECT_STEP_SPECULAR_LIGHTING;
    effect_call call = {.kind = EFFECT_CALL_STEP, .node = node, .in = *in, .in2 = *in2, .out = *out};
    call.region = lights ? node->region : effect_graph_region_of_input(lister->graph, node->step->in1);
    switch (node->step->kind) {
    case EFFECT_STEP_MERGE:
        return list_merge(lister, node, out);
    case EFFECT_STEP_DROP_SHADOW:
        return list_shadow(lister, node, in, out);
    case EFFECT_STEP_GAUSSIAN_BLUR:
        call.kind = EFFECT_CALL_BLUR;
        call.blur = &node->parameters.blur;
        return add_call(lister, call);
    default:
        return add_call(lister, call);
    }
}

static bool list_node(const call_lister *lister, uint32_t index)
{
    const effect_node *node = &lister->graph->nodes.items[index];
    const bool linear = node->step->linear != 0;
    call_slot *slot = &lister->slots[SLOT_OF_NODE(index)];
    effect_part images[2] = {{.box = {0, 0, 0, 0}}, {.box = {0, 0, 0, 0}}}, out;
    if (node->outcome == EFFECT_PASSES)
        return slot_share(lister, slot, node->step->in1, node->out);
    if (node->step->kind == EFFECT_STEP_IMAGE)
        return load(lister, slot, 1 + node->parameters.picture, false);
    const uint32_t count = node->step->kind == EFFECT_STEP_MERGE ? 0 : inputs_read(node);
    for (uint32_t i = 0; i < count; i++) {
        const effect_part *image = slot_image(lister, i == 0 ? node->step->in1 : node->step->in2, linear);
        if (!image)
            return false;
        images[i] = *image;
    }
    if (!slot_make(lister, slot, linear, node->out))
        return false;
    out = slot->images[linear];
    return list_step(lister, node, &images[0], &images[1], &out);
}

static bool list_nodes(const call_lister *lister)
{
    const uint32_t count = (uint32_t)lister->graph->nodes.count;
    for (uint32_t i = 0; i < count; i++) {
        call_slot *slot = &lister->slots[SLOT_OF_NODE(i)];
        if (effect_box_is_empty(lister->graph->nodes.items[i].out))
            slot->has[0] = slot->has[1] = true;
        else if (!list_node(lister, i))
            return false;
    }
    const effect_part *last = count > 0 ? slot_image(lister, SLOT_OF_NODE(count - 1), false) : NULL;
    return last && add_call(lister, (effect_call){.kind = EFFECT_CALL_STORE, .in = *last});
}

bool effect_calls_make(const effect_graph *graph, const effect_box *boxes, effect_calls *calls)
{
    call_lister lister = {.graph = graph, .boxes = boxes, .calls = calls};
    calls->calls.count = calls->buffers.count = 0;
    lister.slots = calloc(SLOT_OF_NODE(graph->nodes.count), sizeof *lister.slots);
    bool done = lister.slots && list_nodes(&lister);
    free(lister.slots);
    return done;
}

/* ---- Pixels in place of texels ---- */

/* Calls between a load and the last one that reads it, among which are looked at. */
#define CALLS_AFTER_LOAD 8u

static bool is_in(const effect_part *part, uint32_t buffer)
{
    return !effect_box_is_empty(part->box) && part->buffer == buffer;
}

static bool blurs_pixels(const effect_call *call)
{
    return call->kind == EFFECT_CALL_BLUR && call->blur->edge != EFFECT_EDGE_WRAP &&
           (call->blur->x.radius > 0 || call->blur->y.radius > 0);
}

/* Returns whether what a call loads is read by blurs alone. */
static bool loads_for_blurs(const effect_calls *calls, uint32_t index)
{
    const effect_call *call = &calls->calls.items[index];
    if (call->kind != EFFECT_CALL_LOAD_ALPHA && (call->kind != EFFECT_CALL_LOAD || call->linear))
        return false;
    const uint32_t buffer = call->out.buffer, last = calls->buffers.items[buffer].last_call;
    if (last > index + CALLS_AFTER_LOAD)
        return false;
    for (uint32_t i = index + 1; i <= last; i++) {
        const effect_call *next = &calls->calls.items[i];
        if (is_in(&next->in2, buffer) || is_in(&next->out, buffer) || (is_in(&next->in, buffer) && !blurs_pixels(next)))
            return false;
    }
    return true;
}

static bool boxes_are_equal(effect_box a, effect_box b)
{
    return a.left == b.left && a.top == b.top && a.right == b.right && a.bottom == b.bottom;
}

/* Returns whether a call makes just what the next one stores. Such a call is the first one that writes its buffer. */
static bool makes_result(const effect_calls *calls, uint32_t index, effect_box result)
{
    const effect_call *call = &calls->calls.items[index], *store = call + 1;
    return index + 1 < calls->calls.count && store->kind == EFFECT_CALL_STORE &&
           (call->kind == EFFECT_CALL_TO_SRGB || blurs_pixels(call)) && is_in(&store->in, call->out.buffer) &&
           boxes_are_equal(store->in.box, call->out.box) && boxes_are_equal(store->in.box, result);
}

void effect_calls_take_pixels(effect_calls *calls, effect_box result)
{
    for (uint32_t i = 0; i < calls->calls.count; i++) {
        effect_call *call = &calls->calls.items[i];
        if (loads_for_blurs(calls, i)) {
            effect_buffer *buffer = &calls->buffers.items[call->out.buffer];
            buffer->content = call->kind == EFFECT_CALL_LOAD ? EFFECT_CONTENT_SOURCE : EFFECT_CONTENT_ALPHA;
            buffer->source = call->source;
            call->kind = EFFECT_CALL_NONE;
        } else if (makes_result(calls, i, result)) {
            calls->buffers.items[call->out.buffer].content = EFFECT_CONTENT_RESULT;
            call[1].kind = EFFECT_CALL_NONE;
        }
    }
}

void effect_calls_free(effect_calls *calls)
{
    array_free(&calls->calls);
    array_free(&calls->buffers);
}
