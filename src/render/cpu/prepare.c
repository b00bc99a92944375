/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* An element's matrix and box are those of shaders/lib/element.h. Begins and ends form a stack here. So the top of the
 * stack holds, for each element, what the stages' stack monoid computes from all clip events before it. Boxes of clips
 * and of content are intersected before anything else is known of an element, so what lies outside of them is never
 * flattened. */
#include "render/cpu/prepare.h"

#include "lib/image.h"

_Static_assert((VISIBLE_SNAPPED & ELEMENT_MODE_MASK << ELEMENT_MODE_SHIFT) == 0, "flags do not meet the mode");

/* A begin that is open. */
typedef struct open_begin {
    clip_step step;       /* composed with the steps of all begins around it; its layer is an element */
    uint element;         /* index among the part's, or NONE: the part does not draw it */
    uint64_t layer_bytes; /* those of all begins around it included */
} open_begin;

/* An x and a y. */
typedef double xy __attribute__((vector_size(16)));
typedef int64_t xy_bits __attribute__((vector_size(16)));

/* What decides, roughly and fast, that an element lies beyond the part. */
typedef struct rough_part {
    xy frame_x, frame_y, frame_offset; /* columns of the frame's transform */
    xy least, most;                    /* of pixels */
} rough_part;

/* For how many open begins there is room at first. Few pictures have more. */
#define OPEN_LEAST 8u

/* Beyond this, element_matrix holds back numbers of a matrix. */
#define ROUGH_LIMIT 1e16

typedef struct prepare_walk {
    cpu_frame *frame;
    rough_part rough;
    cpu_prepare_buffers *buffers;
    pietra_error *error;
    uint capacity, open_capacity;
    uint depth; /* clip events open */
    uint drawn; /* those of them that the batch has */
    cpu_last_matrix last;
} prepare_walk;

static open_begin *open_of(const prepare_walk *walk)
{
    return walk->buffers->open.items;
}

static clip_step step_before(const prepare_walk *walk)
{
    return walk->depth > 0 ? open_of(walk)[walk->depth - 1].step : clip_step_nothing();
}

element_info cpu_element_info(const stream_view *stream, const stream_element *element, affine matrix)
{
    uint kind = element->kind & ELEMENT_KIND_MASK;
    element_info info = element_info_of(matrix, *element, 0);
    bool snaps = kind == ELEMENT_BEGIN_CLIP || (element->kind & (ELEMENT_ALIASED | ELEMENT_ALIASED_UPRIGHT)) != 0;
    if (snaps && (element->kind & ELEMENT_RECT)) {
        const float *points = stream->points + 2 * (size_t)stream->paths[element->path].first_point;
        info =
            element_info_of_rect(info, element->kind, element_rect(matrix, points[0], points[1], points[4], points[5]));
    }
    return info;
}

/* Cuts a box to the part and the frame. There are no pixels outside of them. */
static pixel_box box_in_part(const frame_config *config, pixel_box box)
{
    pixel_box part = box_of(config->part.x0 * TILE_SIDE, config->part.y0 * TILE_SIDE,
                            int_min(config->part.x1 * TILE_SIDE, config->width),
                            int_min(config->part.y1 * TILE_SIDE, config->height));
    return box_intersection(box, part);
}

/* Returns for how many elements there will be room. A batch seldom has more than it should. */
static uint element_capacity_after(const prepare_walk *walk)
{
    const uint before = walk->capacity, wanted = walk->frame->elements_most;
    const uint most = walk->frame->stream.header->element_count;
    if (wanted != 0 && before >= wanted)
        return before + before / 8 + 8;
    return uint_min(uint_max(2 * before, 64), wanted != 0 ? uint_min(wanted, most) : most);
}

static pietra_result add_element(prepare_walk *walk, const cpu_element *element)
{
    cpu_frame *frame = walk->frame;
    if (frame->element_count == walk->capacity) {
        const uint capacity = element_capacity_after(walk);
        pietra_result result =
            cpu_buffer_reserve(&walk->buffers->elements, frame->memory, (uint64_t)capacity * sizeof *element,
                               (uint64_t)frame->element_count * sizeof *element, walk->error);
        if (result != PIETRA_OK)
            return result;
        walk->capacity = capacity;
        frame->elements = walk->buffers->elements.items;
    }
    frame->elements[frame->element_count++] = *element;
    return PIETRA_OK;
}

static pietra_result push_begin(prepare_walk *walk, const open_begin *begin)
{
    if (walk->depth == walk->open_capacity) {
        uint capacity = walk->open_capacity < OPEN_LEAST ? OPEN_LEAST : walk->open_capacity * 2;
        pietra_result result =
            cpu_buffer_reserve(&walk->buffers->open, walk->frame->memory, (uint64_t)capacity * sizeof *begin,
                               (uint64_t)walk->depth * sizeof *begin, walk->error);
        if (result != PIETRA_OK)
            return result;
        walk->open_capacity = capacity;
    }
    open_of(walk)[walk->depth++] = *begin;
    return PIETRA_OK;
}

static element_info info_of(prepare_walk *walk, const stream_element *element)
{
    if (!kind_has_box(element->kind & ELEMENT_KIND_MASK))
        return element_info_without_box(element->kind & ELEMENT_KIND_MASK, 0);
    const stream_view *stream = &walk->frame->stream;
    return cpu_element_info(stream, element, cpu_element_matrix(&walk->last, walk->frame->config, stream, element));
}

static rough_part rough_part_of(const frame_config *config)
{
    const stream_transform *t = &config->transform;
    const tile_box part = config->part;
    return (rough_part){.frame_x = {(double)t->a, (double)t->b},
                        .frame_y = {(double)t->c, (double)t->d},
                        .frame_offset = {(double)t->e + (double)t->e_low, (double)t->f + (double)t->f_low},
                        .least = {part.x0 * TILE_SIDE, part.y0 * TILE_SIDE},
                        .most = {part.x1 * TILE_SIDE, part.y1 * TILE_SIDE}};
}

static inline xy xy_abs(xy v)
{
    return (xy)((xy_bits)v & INT64_MAX);
}

static inline bool any_of(xy_bits lanes)
{
    return (lanes[0] | lanes[1]) != 0;
}

/* Returns true only if element_box is beyond the part. Of the many elements that a small part does not show, few need
 * more. The margin is far more than what floats round away there. */
static bool is_beyond_part(const prepare_walk *walk, const stream_element *element)
{
    const rough_part *rough = &walk->rough;
    const stream_transform *t = &walk->frame->stream.transforms[element->transform];
    if (element->kind & ELEMENT_IN_PIXELS)
        return false;
    xy x = rough->frame_x * (double)t->a + rough->frame_y * (double)t->b;
    xy y = rough->frame_x * (double)t->c + rough->frame_y * (double)t->d;
    xy offset = rough->frame_x * ((double)t->e + (double)t->e_low) +
                rough->frame_y * ((double)t->f + (double)t->f_low) + rough->frame_offset;
    if (any_of((xy_abs(x) > ROUGH_LIMIT) | (xy_abs(y) > ROUGH_LIMIT) | (xy_abs(offset) > ROUGH_LIMIT)))
        return false;
    double x_half = 0.5 * ((double)element->box_x1 - (double)element->box_x0);
    double y_half = 0.5 * ((double)element->box_y1 - (double)element->box_y0);
    xy x_middle = x * ((double)element->box_x0 + x_half), y_middle = y * ((double)element->box_y0 + y_half);
    xy middle = x_middle + y_middle + offset;
    xy reach = xy_abs(x) * x_half + xy_abs(y) * y_half;
    reach += 2.0 + 1e-5 * (reach + xy_abs(x_middle) + xy_abs(y_middle) + xy_abs(offset));
    return any_of((middle - reach > rough->most) | (middle + reach < rough->least));
}

static void set_paint(const prepare_walk *walk, const stream_element *element, cpu_element *made)
{
    const stream_paint *paint = &walk->frame->stream.paints[element->paint];
    if (paint->kind == PAINT_SOLID) {
        made->color = paint->color;
    } else {
        made->paint = element->paint;
        made->gradient = gradient_matrix(made->matrix, *paint);
    }
    if (paint->kind == PAINT_IMAGE)
        made->color = footprint_pack(image_footprint_of(made->gradient, paint->color, paint->stop_count));
}

static bool is_in_part(const prepare_walk *walk, pixel_box clip)
{
    return !tiles_empty(box_tiles(clip, walk->frame->config->part));
}

static pietra_result visit_painted(prepare_walk *walk, uint index, const stream_element *element)
{
    if (is_beyond_part(walk, element))
        return PIETRA_OK;
    element_info info = info_of(walk, element);
    clip_step around = step_before(walk);
    cpu_element made = {.element = index, .layer = around.layer, .end = NONE, .source_end = NONE, .paint = NONE};
    made.clip = box_in_part(walk->frame->config, box_intersection(info.box, around.box));
    if (!is_in_part(walk, made.clip))
        return PIETRA_OK;
    made.kind = kind_in_frame(element->kind, info.flags);
    made.open = around.layers[0];
    made.matrix = element_info_matrix(info);
    set_paint(walk, element, &made);
    return add_element(walk, &made);
}

/* Counts the memory that the layer of a begin takes while it is open. */
static void count_layer(prepare_walk *walk, const cpu_element *made, open_begin *begin)
{
    cpu_frame *frame = walk->frame;
    if (!made->merged)
        begin->layer_bytes += layer_bytes_of(layer_box_of(made->clip, frame->strip_tiles));
    frame->layer_bytes = begin->layer_bytes > frame->layer_bytes ? begin->layer_bytes : frame->layer_bytes;
    frame->layer_count = made->open > frame->layer_count ? made->open : frame->layer_count;
}

static pietra_result visit_begin(prepare_walk *walk, uint index, const stream_element *element)
{
    element_info info = info_of(walk, element);
    clip_step around = step_before(walk);
    open_begin begin = {.step = clip_step_compose(around, clip_step_of(clip_event_of(*element, index, info), index)),
                        .element = NONE};
    begin.layer_bytes = walk->depth > 0 ? open_of(walk)[walk->depth - 1].layer_bytes : 0;
    cpu_element made = {
        .element = index, .kind = element->kind, .layer = around.layer, .end = NONE, .source_end = NONE, .paint = NONE};
    made.clip = box_in_part(walk->frame->config, begin.step.box);
    bool draws = (element->kind & ELEMENT_KIND_MASK) != ELEMENT_BEGIN_CLIP_SOURCE && !(info.flags & INFO_FOLDED);
    if (draws && index >= walk->frame->begin && is_in_part(walk, made.clip)) {
        walk->drawn++;
        made.open = begin.step.layers[0];
        made.merged = clip_step_merged(begin.step, true) & MERGED_SELF;
        made.color = element->opacity;
        made.matrix = element_info_matrix(info);
        begin.element = walk->frame->element_count;
        count_layer(walk, &made, &begin);
        pietra_result result = add_element(walk, &made);
        if (result != PIETRA_OK)
            return result;
    }
    return push_begin(walk, &begin);
}

static void visit_end(prepare_walk *walk, uint index, uint kind)
{
    walk->depth--;
    if (kind == ELEMENT_END_CLIP_SOURCE) {
        uint clip = open_of(walk)[walk->depth - 1].element;
        if (clip != NONE)
            walk->frame->elements[clip].source_end = index;
    } else if (open_of(walk)[walk->depth].element != NONE) {
        walk->drawn--;
        walk->frame->elements[open_of(walk)[walk->depth].element].end = index;
    }
}

static bool is_full(const prepare_walk *walk)
{
    const cpu_frame *frame = walk->frame;
    return frame->elements_most != 0 && frame->element_count >= frame->elements_most && walk->drawn == 0;
}

pietra_result cpu_prepare(cpu_frame *frame, cpu_prepare_buffers *buffers, pietra_error *error)
{
    prepare_walk walk = {.frame = frame, .buffers = buffers, .error = error, .last.transform = NONE};
    walk.rough = rough_part_of(frame->config);
    walk.capacity = (uint)(buffers->elements.used / sizeof *frame->elements);
    walk.open_capacity = (uint)(buffers->open.used / sizeof(open_begin));
    walk.depth = frame->open_depth;
    frame->elements = buffers->elements.items;
    frame->element_count = 0;
    uint count = frame->stream.header->element_count;
    pietra_result result = PIETRA_OK;
    for (; frame->next < count && result == PIETRA_OK && !is_full(&walk); frame->next++) {
        const uint i = frame->next;
        const stream_element *element = &frame->stream.elements[i];
        uint kind = element->kind & ELEMENT_KIND_MASK;
        if (kind == ELEMENT_FILL || kind == ELEMENT_STROKE)
            result = i >= frame->begin ? visit_painted(&walk, i, element) : PIETRA_OK;
        else if (kind_begins(kind))
            result = visit_begin(&walk, i, element);
        else
            visit_end(&walk, i, kind);
    }
    frame->open_depth = walk.depth;
    return result;
}
