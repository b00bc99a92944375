/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include <string.h>

#include "render/cpu/band.h"
#include "render/cpu/i64_sums.h"

/* The buffers of a painter. */
#define PAINTER_BUFFERS(X) \
    X(canvas) \
    X(rows) \
    X(touched) \
    X(meetings) \
    X(touches) \
    X(met_pixels) \
    X(levels) \
    X(colors) \
    X(i64_sums) \
    X(steps) \
    X(occluders) \
    X(columns) \
    X(pieces) \
    X(layers) \
    X(layer_pixels)

#define SIZE_FIELD(name) uint64_t name;
typedef struct painter_sizes {
    PAINTER_BUFFERS(SIZE_FIELD)
} painter_sizes;

/* Where memory is short, touches take one part in TOUCHES_SHARE of the budget. */
#define TOUCHES_SHARE 8u

/* Elements seldom have more touches in a band than it has pixels. Those that do are sampled in several passes, as many
 * are where memory is short. */
uint cpu_touches_at_once(uint pitch)
{
    return pitch * BAND_ROWS;
}

uint cpu_touches_within(uint64_t budget_bytes, uint pitch)
{
    const uint64_t share = budget_bytes / TOUCHES_SHARE / sizeof(cpu_touch);
    const uint most = cpu_touches_at_once(pitch);
    return share >= most ? most : uint_max((uint)share, CPU_TOUCHES_LEAST);
}

uint cpu_touch_capacity(const cpu_bands *bands)
{
    return bands->target->batch_most == 0 ? cpu_touches_at_once(bands->pitch)
                                          : cpu_touches_within(bands->frame->memory->budget_bytes, bands->pitch);
}

uint cpu_met_capacity(const cpu_bands *bands)
{
    return bands->target->batch_most != 0 ? bands->pitch : cpu_touch_capacity(bands) / 2u;
}

static painter_sizes sizes_of(const cpu_bands *bands)
{
    uint64_t pitch = bands->pitch;
    painter_sizes sizes = {.canvas = pitch * BAND_ROWS * sizeof(uint32_t),
                           .levels = pitch * (BAND_ROWS + 1),
                           .colors = pitch * sizeof(uint32_t)};
    uint64_t stride = pitch + COVERAGE_OVERRUN; /* largest stride of a coverage */
    sizes.rows = stride * BAND_ROWS * sizeof(int32_t);
    sizes.meetings = sizes.rows;
    sizes.touches = cpu_touch_capacity(bands) * sizeof(cpu_touch);
    sizes.met_pixels = cpu_met_capacity(bands) * sizeof(cpu_met_pixel);
    sizes.touched = (stride / COVERAGE_GROUP / 64 + 1) * BAND_ROWS * sizeof(uint64_t);
    sizes.i64_sums = bands->heavy ? stride * BAND_ROWS * sizeof(int64_t) : 0;
    sizes.steps = (pitch / TILE_SIDE + 2) * sizeof(int);
    sizes.occluders = sizes.steps;
    sizes.columns = pitch / TILE_SIDE + 2;
    sizes.pieces = (uint64_t)bands->most_runs * sizeof(cpu_slot *);
    sizes.layers = (uint64_t)bands->frame->layer_count * sizeof(cpu_layer);
    sizes.layer_pixels = bands->frame->layer_bytes;
    return sizes;
}

uint64_t cpu_painter_bytes(const cpu_bands *bands)
{
    const painter_sizes sizes = sizes_of(bands);
#define ADD_SIZE(name) +sizes.name
    return 0 PAINTER_BUFFERS(ADD_SIZE);
}

/* Makes room. Memory that was not there before is zero. */
static pietra_result reserve_zeroed(cpu_buffer *buffer, cpu_memory *memory, uint64_t bytes, pietra_error *error)
{
    uint64_t before = buffer->bytes;
    pietra_result result = cpu_buffer_reserve(buffer, memory, bytes, 0, error);
    if (result == PIETRA_OK && buffer->bytes != before)
        memset(buffer->items, 0, (size_t)buffer->bytes);
    return result;
}

pietra_result cpu_painter_reserve(cpu_painter *painter, const cpu_bands *bands, pietra_error *error)
{
    cpu_memory *memory = bands->frame->memory;
    painter_sizes sizes = sizes_of(bands);
    pietra_result result;
    if ((result = cpu_buffer_reserve(&painter->canvas, memory, sizes.canvas, 0, error)) != PIETRA_OK ||
        (result = reserve_zeroed(&painter->rows, memory, sizes.rows, error)) != PIETRA_OK ||
        (result = reserve_zeroed(&painter->touched, memory, sizes.touched, error)) != PIETRA_OK ||
        (result = reserve_zeroed(&painter->meetings, memory, sizes.meetings, error)) != PIETRA_OK ||
        (result = cpu_buffer_reserve(&painter->touches, memory, sizes.touches, 0, error)) != PIETRA_OK ||
        (result = cpu_buffer_reserve(&painter->met_pixels, memory, sizes.met_pixels, 0, error)) != PIETRA_OK ||
        (result = cpu_buffer_reserve(&painter->levels, memory, sizes.levels, 0, error)) != PIETRA_OK ||
        (result = cpu_buffer_reserve(&painter->colors, memory, sizes.colors, 0, error)) != PIETRA_OK ||
        (result = cpu_buffer_reserve(&painter->i64_sums, memory, sizes.i64_sums, 0, error)) != PIETRA_OK ||
        (result = cpu_buffer_reserve(&painter->steps, memory, sizes.steps, 0, error)) != PIETRA_OK ||
        (result = cpu_buffer_reserve(&painter->occluders, memory, sizes.occluders, 0, error)) != PIETRA_OK ||
        (result = cpu_buffer_reserve(&painter->columns, memory, sizes.columns, 0, error)) != PIETRA_OK ||
        (result = cpu_buffer_reserve(&painter->pieces, memory, sizes.pieces, 0, error)) != PIETRA_OK ||
        (result = cpu_buffer_reserve(&painter->layers, memory, sizes.layers, 0, error)) != PIETRA_OK ||
        (result = cpu_buffer_reserve(&painter->layer_pixels, memory, sizes.layer_pixels, 0, error)) != PIETRA_OK) {
        return result;
    }
    return PIETRA_OK;
}

void cpu_painter_begin(cpu_painter *painter)
{
#define BEGIN_BUFFER(name) cpu_buffer_begin(&painter->name);
    PAINTER_BUFFERS(BEGIN_BUFFER)
    image_memo_begin(&painter->memo);
    painter->layer_at = 0;
    painter->sampling = (cpu_sampling){0};
    painter->painted_pixels = painter->shaded_pixels = 0;
    painter->visited_lines = painter->visited_runs = painter->visited_clips = 0;
    painter->depth = 0;
}

void cpu_painter_free(cpu_painter *painter)
{
#define FREE_BUFFER(name) cpu_buffer_free(&painter->name);
    PAINTER_BUFFERS(FREE_BUFFER)
    image_memo_free(&painter->memo);
}
