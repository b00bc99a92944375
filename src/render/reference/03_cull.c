/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* 03 cull: the elements that this part has to draw, in paint order, with their clipped boxes, dense rows and tasks. One
 * that shows in several boxes of the part stands there once for each.
 *
 * Reads elements, clip_infos; writes bin_occluders, visible. An element is dropped if its box misses its clips or the
 * boxes, or if a later opaque rectangle outside every layer covers all the bins that it touches. The rest is a
 * compaction and three prefix sums. */
#include "base/error.h"
#include "lib/element.h"
#include "lib/image.h"
#include "render/reference/reference.h"

static void find_occluders(reference_frame *frame, bin_grid grid)
{
    for (uint i = 0; i < frame->stream.header->element_count; i++) {
        if (!(frame->elements[i].flags & INFO_OCCLUDER))
            continue;
        const stream_path *path = &frame->stream.paths[frame->stream.elements[i].path];
        const float *points = frame->stream.points + 2 * path->first_point;
        pixel_box inside = rect_inside(
            element_rect(element_info_matrix(frame->elements[i]), points[0], points[1], points[4], points[5]));
        for (int row = 0; row < grid.rows; row++) {
            for (int column = 0; column < grid.columns; column++)
                if (box_covers_bin(inside, grid.x0 + column, grid.y0 + row, frame->config.width, frame->config.height))
                    frame->bin_occluders[row * grid.columns + column] = i + 1;
        }
    }
}

static bool is_occluded(const reference_frame *frame, bin_grid grid, uint element, tile_box box)
{
    for (int row = (box.y0 >> BIN_SHIFT_TILES) - grid.y0; row <= ((box.y1 - 1) >> BIN_SHIFT_TILES) - grid.y0; row++) {
        for (int column = (box.x0 >> BIN_SHIFT_TILES) - grid.x0; column <= ((box.x1 - 1) >> BIN_SHIFT_TILES) - grid.x0;
             column++)
            if (frame->bin_occluders[row * grid.columns + column] <= element + 1)
                return false;
    }
    return true;
}

clip_info reference_context_before(const reference_frame *frame, uint element)
{
    uint rank = frame->elements[element].clip_event;
    return rank > 0 ? frame->clip_infos[rank - 1] : clip_info_outside();
}

static uint element_of_clip_event(const reference_frame *frame, uint index)
{
    return index == NONE ? NONE : frame->clip_events[index].element;
}

static void set_begin(const reference_frame *frame, visible_element *v)
{
    uint rank = frame->elements[v->element].clip_event;
    const clip_info *own = &frame->clip_infos[rank];
    v->end = element_of_clip_event(frame, own->match);
    v->depth = own->depth;
    v->kind |= own->merged & MERGED_SELF ? VISIBLE_MERGED : 0u;
    const stream_element *element = &frame->stream.elements[v->element];
    if ((element->kind & ELEMENT_KIND_MASK) == ELEMENT_BEGIN_CLIP && element->path == STREAM_NONE)
        v->source_end = element_of_clip_event(frame, frame->clip_infos[rank + 1].match);
    v->color = element->opacity & ELEMENT_OPACITY_MASK;
}

static void set_paint(const reference_frame *frame, visible_element *v)
{
    uint index = frame->stream.elements[v->element].paint;
    const stream_paint *paint = &frame->stream.paints[index];
    if (paint->kind == PAINT_SOLID) {
        v->color = paint->color;
        return;
    }
    affine g = gradient_matrix(element_info_matrix(frame->elements[v->element]), *paint);
    v->paint = index;
    v->ga = g.a;
    v->gb = g.b;
    v->gc = g.c;
    v->gd = g.d;
    v->ge = g.e;
    v->gf = g.f;
    if (paint->kind == PAINT_IMAGE)
        v->color = footprint_pack(image_footprint_of(g, paint->color, paint->stop_count));
}

static uint place_of(const reference_frame *frame, const stream_element *element)
{
    if (!frame->sheets)
        return 0;
    const frame_sheet *sheet = &frame->sheets[sheet_of(*element) - frame->config.first_sheet];
    return sheet_place(sheet->x, sheet->y);
}

static bool make_visible(const reference_frame *frame, bin_grid grid, uint index, tile_box drawn, visible_element *v)
{
    const stream_element *element = &frame->stream.elements[index];
    const element_info *info = &frame->elements[index];
    uint kind = element->kind & ELEMENT_KIND_MASK;
    bool begins = kind == ELEMENT_BEGIN_CLIP || kind == ELEMENT_BEGIN_GROUP;
    bool paints = kind == ELEMENT_FILL || kind == ELEMENT_STROKE;
    if ((!begins && !paints) || (begins && (info->flags & INFO_FOLDED)))
        return false;
    clip_info context = reference_context_before(frame, index);
    pixel_box clip = begins ? frame->clip_infos[info->clip_event].box : box_intersection(info->box, context.box);
    *v = (visible_element){.element = index,
                           .kind = kind_in_frame(element->kind, info->flags),
                           .box = box_tiles(clip, drawn),
                           .clip = clip};
    if (tiles_empty(v->box) || is_occluded(frame, grid, index, v->box))
        return false;
    v->place = place_of(frame, element);
    v->layer = element_of_clip_event(frame, context.layer);
    v->depth = context.depth;
    v->end = NONE;
    v->source_end = NONE;
    v->paint = NONE;
    if (begins)
        set_begin(frame, v);
    else
        set_paint(frame, v);
    return true;
}

typedef struct cull_sums {
    uint count;
    uint64_t rows, tasks, measures;
} cull_sums;

/* Appends a visible element, and adds it to the sums. */
static void number_visible(reference_frame *frame, visible_element v, cull_sums *sums)
{
    uint path = frame->stream.elements[v.element].path;
    uint segments = path == STREAM_NONE ? 1 : frame->stream.paths[path].segment_count;
    v.first_row = (uint)sums->rows;
    v.first_task = (uint)sums->tasks;
    v.first_measure = (uint)sums->measures;
    sums->rows += (uint64_t)(v.box.y1 - v.box.y0);
    if (v.kind & ELEMENT_DASHED)
        sums->measures += segments;
    else
        sums->tasks += segments;
    frame->visible[sums->count++] = v;
}

pietra_result reference_03_cull(reference_frame *frame, pietra_error *error)
{
    bin_grid grid = bins_of(frame->config.part);
    uint element_count = frame->stream.header->element_count;
    pietra_result result;
    if (!(frame->bin_occluders =
              reference_allocate(frame, (uint64_t)(grid.columns * grid.rows), sizeof(uint), error, &result)) ||
        !(frame->visible = reference_allocate(frame, (uint64_t)element_count * frame->config.box_count,
                                              sizeof *frame->visible, error, &result))) {
        return result;
    }
    find_occluders(frame, grid);
    cull_sums sums = {.count = 0};
    for (uint i = 0; i < element_count; i++) {
        for (uint box = 0; box < frame->config.box_count; box++) {
            visible_element v;
            if (make_visible(frame, grid, i, frame->config.boxes[box].tiles, &v))
                number_visible(frame, v, &sums);
        }
    }
    uint column_bits = frame->config.column_bits;
    if (sums.tasks >= COUNT_LIMIT || sums.measures >= COUNT_LIMIT || sums.rows > (uint64_t)1 << (32 - column_bits)) {
        return error_set(error, PIETRA_ERROR_BUDGET, 0,
                         "the frame has more rows of tiles or segments than a pass can number");
    }
    frame->counters.visible_count = sums.count;
    frame->counters.row_count = (uint)sums.rows;
    frame->counters.task_count = (uint)sums.tasks;
    frame->counters.measure_count = (uint)sums.measures;
    return PIETRA_OK;
}
