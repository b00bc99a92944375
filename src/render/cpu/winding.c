/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The winding number is the number of lines that cross the ray from the point to the left, each with its sign. A line
 * has its upper end and not its lower one, so a ray through a vertex counts once. Lines and their crossings are those
 * of the picture. */
#include "render/cpu/winding.h"

#include "base/error.h"
#include "lib/line.h"
#include "render/cpu/flatten.h"
#include "render/cpu/kernels.h"
#include "render/frame/config.h"

void cpu_winding_begin(cpu_winding *winding, const uint32_t *words, const frame_config *config, cpu_point at)
{
    const int column = at.x >> TILE_SHIFT_SUBPIXELS, row = at.y >> TILE_SHIFT_SUBPIXELS;
    *winding = (cpu_winding){.at = at};
    winding->config = config_of_part(config, (tile_box){column, row, column + 1, row + 1});
    winding->frame = (cpu_frame){.stream = stream_view_of(words),
                                 .config = &winding->config,
                                 .kernels = cpu_kernels_best(),
                                 .memory = &winding->memory,
                                 .elements = &winding->element,
                                 .element_count = 1,
                                 .elements_most = 1, /* lines left of the pixel are merged */
                                 .lists_count = 1};
    winding->lists = (cpu_edge_lists){.bands = &winding->band, .memory = &winding->memory};
    cpu_flatten_start(winding->frame.stream.header->style_count > 0);
}

/* Fills the list with the lines of an element in the point's row of pixels, which are not right of its pixel. */
static pietra_result list_lines(cpu_winding *winding, uint element, affine matrix, pietra_error *error)
{
    cpu_edge_lists *lists = &winding->lists;
    winding->element = (cpu_element){.element = element,
                                     .kind = winding->frame.stream.elements[element].kind,
                                     .clip = cpu_point_pixel(winding->at),
                                     .layer = NONE,
                                     .end = NONE,
                                     .source_end = NONE,
                                     .paint = NONE,
                                     .matrix = matrix};
    winding->band = (cpu_edge_list){0};
    lists->dash_tasks = 0;
    cpu_chunks_reset(&lists->chunks);
    cpu_flatten(&winding->frame, 0, lists);
    if (lists->out_of_memory)
        return error_set_memory(error);
    cpu_edge_list_close(&winding->band);
    return cpu_flatten_check(lists->dash_tasks, error);
}

static int crossing_of(cpu_edge edge, cpu_point at)
{
    if (at.y < int_min(edge.ay, edge.by) || at.y >= int_max(edge.ay, edge.by))
        return 0;
    const line l = line_make(edge.ax, edge.ay, edge.bx, edge.by, 0);
    return line_x_at(l, at.y) <= at.x ? line_sign(l) : 0;
}

pietra_result cpu_winding_count(cpu_winding *winding, uint element, affine matrix, pietra_error *error, int *turns)
{
    pietra_result result = list_lines(winding, element, matrix, error);
    if (result != PIETRA_OK)
        return result;
    *turns = 0;
    for (const cpu_slot *chunk = winding->band.first; chunk; chunk = chunk->chunk.next) {
        const cpu_slot *end = chunk + chunk->chunk.used;
        for (const cpu_slot *head = chunk + 1; head < end; head += 1 + head->head.count)
            for (uint i = 1; i <= head->head.count; i++)
                *turns += crossing_of(head[i].edge, winding->at);
    }
    return PIETRA_OK;
}

void cpu_winding_end(cpu_winding *winding)
{
    cpu_chunks_free(&winding->lists.chunks);
}
