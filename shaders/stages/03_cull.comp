/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* 03 cull: the elements that this part has to draw, in paint order, with their clipped boxes, dense rows and tasks. One
 * that shows in several boxes of the part stands there once for each.
 *
 * Reads the stream, sheets, elements, clip_events, clip_infos, bin_occluders; writes visible, counters, arguments.
 * Dispatch: one workgroup for each CULL_PARTITION elements, and one invocation for each element.
 * Invariant: there are prefix sums of elements, rows, tasks and measured segments, so that all are numbered in paint
 * order.
 * Source: Merrill and Garland, "Single-pass Parallel Prefix Scan with Decoupled Look-back", 2016. */
#version 450
#extension GL_GOOGLE_include_directive : require
#define STREAM_BINDING 0
#define CONFIG_BINDING 1
#include "stages/stage.glsl"
#include "stages/stream.glsl"
#include "lib/element.h"
#include "lib/image.h"

layout(scalar, binding = 2) readonly buffer sheets_buffer
{
    frame_sheet sheets[];
};
layout(scalar, binding = 3) buffer counters_buffer
{
    frame_counters counters;
};
layout(scalar, binding = 4) writeonly buffer arguments_buffer
{
    dispatch_arguments arguments[];
};
layout(scalar, binding = 5) buffer table_buffer
{
    uint look_back_words[];
};
layout(scalar, binding = 6) readonly buffer elements_buffer
{
    element_info elements[];
};
layout(scalar, binding = 7) readonly buffer clip_events_buffer
{
    clip_event clip_events[];
};
layout(scalar, binding = 8) readonly buffer clip_infos_buffer
{
    clip_info clip_infos[];
};
layout(scalar, binding = 9) readonly buffer occluders_buffer
{
    uint bin_occluders[];
};
layout(scalar, binding = 10) writeonly buffer visible_buffer
{
    visible_element visible_elements[];
};

#define LOOK_BACK_WORD(i) look_back_words[i]
#define LOOK_BACK_COMPONENTS 4
#include "primitive/look_back.glsl"

#define WORKGROUP_SCAN_TYPE uvec4
#include "primitive/workgroup_scan.glsl"

/* Parts of a sum. */
#define SUM_VISIBLE 0
#define SUM_ROWS 1
#define SUM_TASKS 2
#define SUM_MEASURES 3

/* What the numbering needs to know of an element that is drawn. */
struct culled_element {
    uint boxes; /* a bit for each in which it shows */
    uint kind;
    pixel_box clip;
    uint rows;            /* in all boxes */
    uint tasks, measures; /* in each box */
};

bool kind_paints(uint kind)
{
    return kind == ELEMENT_FILL || kind == ELEMENT_STROKE;
}
bool kind_is_layer(uint kind)
{
    return kind == ELEMENT_BEGIN_CLIP || kind == ELEMENT_BEGIN_GROUP;
}

/* Returns the state before an element, which is what the last begin or end before it left open. */
clip_info context_before(uint rank)
{
    if (rank == 0u)
        return clip_info_outside();
    return clip_infos[rank - 1u];
}

uint element_of_clip_event(uint index)
{
    return index == NONE ? NONE : clip_events[index].element;
}

bool is_occluded(uint element, tile_box box)
{
    bin_grid grid = bins_of(config.part);
    int first_column = (box.x0 >> BIN_SHIFT_TILES) - grid.x0;
    int columns = ((box.x1 - 1) >> BIN_SHIFT_TILES) - grid.x0 - first_column + 1;
    int first_row = (box.y0 >> BIN_SHIFT_TILES) - grid.y0;
    int rows = ((box.y1 - 1) >> BIN_SHIFT_TILES) - grid.y0 - first_row + 1;
    for (int i = 0; i < columns * rows; i++) {
        int bin = (first_row + i / columns) * grid.columns + first_column + i % columns;
        if (bin_occluders[bin] <= element + 1u)
            return false;
    }
    return true;
}

culled_element nothing_to_draw()
{
    culled_element culled;
    culled.boxes = 0u;
    culled.kind = 0u;
    culled.clip = box_of(0, 0, 0, 0);
    culled.rows = 0u;
    culled.tasks = 0u;
    culled.measures = 0u;
    return culled;
}

/* Returns the tiles that the element has in a box. */
tile_box tiles_in(culled_element culled, uint box)
{
    return box_tiles(culled.clip, config.boxes[box].tiles);
}

/* Streams have fewer than 2^30 tasks, so those of DRAWN_BOXES boxes do not overflow. */
uvec4 sums_of(culled_element culled)
{
    uint count = uint(bitCount(culled.boxes));
    return uvec4(count, culled.rows, count * culled.tasks, count * culled.measures);
}

void count_segments(inout culled_element culled, uint path)
{
    uint segments = path == STREAM_NONE ? 1u : stream_path_at(path).segment_count;
    bool dashed = (culled.kind & ELEMENT_DASHED) != 0u;
    culled.tasks = dashed ? 0u : segments;
    culled.measures = dashed ? segments : 0u;
}

culled_element cull_element(uint index)
{
    culled_element culled = nothing_to_draw();
    if (index >= config.element_count)
        return culled;
    culled.kind = stream_element_kind_at(index);
    uint kind = culled.kind & ELEMENT_KIND_MASK;
    bool is_layer = kind_is_layer(kind);
    if (!is_layer && !kind_paints(kind))
        return culled;
    uint rank = elements[index].clip_event;
    if (is_layer) {
        if ((elements[index].flags & INFO_FOLDED) != 0u)
            return culled;
        culled.clip = clip_infos[rank].box;
    } else {
        culled.clip = box_intersection(elements[index].box, context_before(rank).box);
    }
    for (uint box = 0u; box < config.box_count; box++) {
        tile_box tiles = tiles_in(culled, box);
        if (!tiles_empty(tiles) && !is_occluded(index, tiles)) {
            culled.boxes |= 1u << box;
            culled.rows += uint(tiles.y1 - tiles.y0);
        }
    }
    if (culled.boxes != 0u)
        count_segments(culled, stream_element_at(index).path);
    return culled;
}

look_back_value value_of(uvec4 sums)
{
    look_back_value value;
    for (uint c = 0u; c < LOOK_BACK_COMPONENTS; c++)
        value.part[c] = min(sums[c], LOOK_BACK_MAX);
    return value;
}

uvec4 sums_of_value(look_back_value value)
{
    return uvec4(value.part[0], value.part[1], value.part[2], value.part[3]);
}

uint first_element(uint partition_index)
{
    return partition_index * CULL_PARTITION + workgroup_invocation();
}

look_back_value look_back_recompute(uint partition_index)
{
    uvec4 total;
    workgroup_exclusive_scan(sums_of(cull_element(first_element(partition_index))), total);
    return value_of(total);
}

void set_layer(inout visible_element v, stream_element element, uint rank)
{
    v.end = element_of_clip_event(clip_infos[rank].match);
    v.depth = clip_infos[rank].depth;
    v.kind |= (clip_infos[rank].merged & MERGED_SELF) != 0u ? VISIBLE_MERGED : 0u;
    if ((v.kind & ELEMENT_KIND_MASK) == ELEMENT_BEGIN_CLIP && element.path == STREAM_NONE)
        v.source_end = element_of_clip_event(clip_infos[rank + 1u].match);
    v.color = element.opacity & ELEMENT_OPACITY_MASK;
}

void set_paint(inout visible_element v, uint index)
{
    stream_paint paint = stream_paint_at(index);
    if (paint.kind == PAINT_SOLID) {
        v.color = paint.color;
        return;
    }
    affine g = gradient_matrix(element_info_matrix(elements[v.element]), paint);
    v.paint = index;
    v.ga = g.a;
    v.gb = g.b;
    v.gc = g.c;
    v.gd = g.d;
    v.ge = g.e;
    v.gf = g.f;
    if (paint.kind == PAINT_IMAGE)
        v.color = footprint_pack(image_footprint_of(g, paint.color, paint.stop_count));
}

uint place_of(stream_element element)
{
    if (config.first_sheet == 0u)
        return 0u;
    uint sheet = sheet_of(element) - config.first_sheet;
    return sheet_place(sheets[sheet].x, sheets[sheet].y);
}

visible_element make_visible(uint index, culled_element culled, uint box, uvec4 before)
{
    uint rank = elements[index].clip_event;
    clip_info context = context_before(rank);
    stream_element element = stream_element_at(index);
    visible_element v;
    v.element = index;
    v.kind = kind_in_frame(culled.kind, elements[index].flags);
    v.box = tiles_in(culled, box);
    v.clip = culled.clip;
    v.first_task = before[SUM_TASKS];
    v.first_row = before[SUM_ROWS];
    v.first_measure = before[SUM_MEASURES];
    v.layer = element_of_clip_event(context.layer);
    v.end = NONE;
    v.source_end = NONE;
    v.depth = context.depth;
    v.place = place_of(element);
    v.color = 0u;
    v.paint = NONE;
    v.ga = 0.0;
    v.gb = 0.0;
    v.gc = 0.0;
    v.gd = 0.0;
    v.ge = 0.0;
    v.gf = 0.0;
    if (kind_is_layer(culled.kind & ELEMENT_KIND_MASK))
        set_layer(v, element, rank);
    else
        set_paint(v, element.paint);
    return v;
}

uint overflow_of(uvec4 totals)
{
    bool any_saturated = any(equal(totals, uvec4(LOOK_BACK_MAX)));
    bool keys_too_long = totals[SUM_ROWS] != 0u && totals[SUM_ROWS] - 1u >> (32u - config.column_bits) != 0u;
    bool too_many_tasks = totals[SUM_TASKS] > config.task_capacity || totals[SUM_MEASURES] > config.measure_capacity;
    return (any_saturated ? OVERFLOW_COUNT : 0u) | (keys_too_long ? OVERFLOW_KEYS : 0u) |
           (too_many_tasks ? OVERFLOW_TASKS : 0u);
}

/* Writes the totals. If strokes are dashed, only 04_dashes knows how many tasks there are. */
void finish(uvec4 totals)
{
    uint overflow = overflow_of(totals);
    uint measures = overflow == 0u ? totals[SUM_MEASURES] : 0u;
    uint tasks = overflow == 0u && measures == 0u ? totals[SUM_TASKS] : 0u;
    counters.visible_count = totals[SUM_VISIBLE];
    counters.row_count = totals[SUM_ROWS];
    counters.task_count = totals[SUM_TASKS];
    counters.measure_count = totals[SUM_MEASURES];
    counters.key_bits = config.column_bits + (totals[SUM_ROWS] > 1u ? uint(findMSB(totals[SUM_ROWS] - 1u)) + 1u : 0u);
    counters.overflow = overflow;
    counters.ready_tasks = tasks;
    arguments[ARGUMENT_MEASURE] = stage_arguments(measures, MEASURE_PARTITION);
    bool are_few = tasks <= FLATTEN_FEW;
    arguments[ARGUMENT_FLATTEN] = stage_arguments(are_few ? 0u : tasks, FLATTEN_PARTITION);
    arguments[ARGUMENT_FLATTEN_FEW] = stage_arguments(are_few ? tasks : 0u, FLATTEN_FEW_PARTITION);
}

void main()
{
    uint partition_count = (config.element_count + CULL_PARTITION - 1u) / CULL_PARTITION;
    uint partition_index = look_back_ticket(partition_count);
    if (partition_index == LOOK_BACK_NO_PARTITION)
        return;
    uint index = first_element(partition_index);
    culled_element culled = cull_element(index);
    uvec4 total;
    uvec4 before = workgroup_exclusive_scan(sums_of(culled), total);
    look_back_value aggregate = value_of(total);
    look_back_value before_partition = look_back(partition_index, aggregate);
    before += sums_of_value(before_partition);
    for (uint box = 0u; box < config.box_count; box++) {
        if ((culled.boxes >> box & 1u) != 0u) {
            visible_element v = make_visible(index, culled, box, before);
            visible_elements[before[SUM_VISIBLE]] = v;
            before += uvec4(1u, uint(v.box.y1 - v.box.y0), culled.tasks, culled.measures);
        }
    }
    if (partition_index == partition_count - 1u && gl_LocalInvocationIndex == 0u)
        finish(sums_of_value(look_back_combine(before_partition, aggregate)));
}
