/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Layers are those of src/render/reference/10_fine.c: a begin is an interval of elements, which is closed when the walk
 * has passed its end. The walk skips what cannot change a byte: elements outside the band, and layers whose clip has
 * nothing in it. */
#include "render/cpu/band.h"

#include <assert.h>
#include <string.h>

#include "render/cpu/band_occlusion.h"
#include "render/cpu/band_runs.h"
#include "render/cpu/layer.h"
#include "render/cpu/i64_sums.h"

/* A band while it is painted. */
typedef struct band_walk {
    cpu_painter *painter;
    const cpu_bands *bands;
    int top;         /* pixels, of the frame */
    int left, right; /* of the strip */
    uint32_t *canvas;
    band_occluders occluders;
} band_walk;

static cpu_layer *layer_at(const band_walk *walk, uint depth)
{
    return (cpu_layer *)walk->painter->layers.items + depth;
}

static uint32_t *canvas_at(const band_walk *walk, int x, int y)
{
    return walk->canvas + (size_t)y * walk->bands->pitch + (size_t)x;
}

/* Returns the part of a box in the strip, in pixels of the strip. */
static pixel_box box_in_band(const band_walk *walk, pixel_box box)
{
    return box_of(int_max(box.x0 - walk->left, 0), int_max(box.y0 - walk->top, 0),
                  int_min(box.x1, walk->right) - walk->left, int_min(box.y1 - walk->top, BAND_ROWS));
}

static cpu_coverage coverage_of(const band_walk *walk, const cpu_element *element, pixel_box box)
{
    cpu_coverage coverage = {.rows = walk->painter->rows.items,
                             .touched = walk->painter->touched.items,
                             .meetings = walk->painter->meetings.items,
                             .touches = walk->painter->touches.items,
                             .met_pixels = walk->painter->met_pixels.items,
                             .touch_capacity = cpu_touch_capacity(walk->bands),
                             .met_capacity = cpu_met_capacity(walk->bands),
                             .sampling = &walk->painter->sampling};
    coverage.width = box.x1 - box.x0;
    coverage.height = box.y1 - box.y0;
    coverage.left = (box.x0 + walk->left) * SUBPIXELS;
    coverage.top = (box.y0 + walk->top) * SUBPIXELS;
    coverage.stride = ((uint)coverage.width + 3u * COVERAGE_GROUP) & ~(COVERAGE_GROUP - 1u);
    coverage.words = (coverage.stride / COVERAGE_GROUP + 63u) / 64u;
    coverage.even_odd = (element->kind & ELEMENT_EVEN_ODD) != 0;
    return coverage;
}

/* Makes room for the meetings of more edges. Those of a pixel that are too many to be sampled stay so. */
static void hold_meetings(const cpu_coverage *coverage)
{
    for (size_t i = 0; i < (size_t)coverage->height * coverage->stride; i++)
        if ((coverage->meetings[i] & (MET_DOWN - 1u)) > SAMPLED_MEETINGS << MET_SHIFT)
            coverage->meetings[i] = (SAMPLED_MEETINGS + 1u) << MET_SHIFT;
}

/* Adds all lines and samples the pixels where they meet. If it returns true, `levels` hold the coverage already,
 * because 32 bits might not hold the sums. */
static bool add_runs(const band_walk *walk, cpu_coverage *coverage, element_runs runs, uint8_t *levels, size_t pitch)
{
    const cpu_kernels *kernels = walk->bands->kernels;
    /* Without heavy elements horizontal edges alone exceed the number, and they add nothing to sums. */
    bool is_wide = walk->bands->heavy && runs.lines > I64_EDGES && !coverage->even_odd;
    if (is_wide) {
        coverage->wide = walk->painter->i64_sums.items;
        i64_begin(coverage);
    }
    uint pending = 0;
    uint met = 0;
    for (uint i = 0; i < runs.count; i++) {
        uint count = runs.heads[i]->head.count;
        if (met + count > MET_EDGES) {
            hold_meetings(coverage);
            met = 0;
        }
        met += count;
        if (is_wide && pending + count > I64_EDGES) {
            i64_fold(coverage);
            pending = 0;
        }
        kernels->add_edges(coverage, &runs.heads[i][1].edge, count);
        pending += count;
    }
    if (is_wide)
        i64_fold(coverage);
    kernels->sample_meetings(coverage, runs.heads, runs.count);
    if (is_wide)
        i64_find_levels(coverage, levels, pitch);
    return is_wide;
}

/* Saves the destination of the open layer. It is called before anything is painted into the layer. Until then only the
 * layer's levels change: those of all begins that are merged with it multiply them. */
static void keep_destination(const band_walk *walk)
{
    if (walk->painter->depth > 0) {
        cpu_layer *top = layer_at(walk, walk->painter->depth - 1);
        if (!top->is_saved) {
            walk->bands->kernels->keep_destination(&top->pixels, canvas_at(walk, top->x, top->y), walk->bands->pitch);
            top->is_saved = true;
        }
    }
}

static void end_source(const band_walk *walk)
{
    cpu_layer *top = layer_at(walk, walk->painter->depth - 1);
    if (layer_is_complex(top->kind)) {
        layer_complex_end_source(walk->bands->kernels, &top->pixels, top->kind, canvas_at(walk, top->x, top->y),
                                 walk->bands->pitch);
    } else {
        keep_destination(walk);
        walk->bands->kernels->end_source(&top->pixels, canvas_at(walk, top->x, top->y), walk->bands->pitch);
        top->is_saved = false;
    }
    top->source_end = NONE;
}

static void end_layer(const band_walk *walk)
{
    cpu_layer *top = layer_at(walk, walk->painter->depth - 1);
    if (top->source_end != NONE)
        end_source(walk);
    walk->painter->depth--;
    if (layer_is_complex(top->kind))
        layer_complex_end(walk->bands->kernels, &top->pixels, top->kind, canvas_at(walk, top->x, top->y),
                          walk->bands->pitch);
    else if (top->is_saved)
        walk->bands->kernels->end_layer(&top->pixels, canvas_at(walk, top->x, top->y), walk->bands->pitch);
    walk->painter->layer_at -= top->bytes;
}

/* Closes the layers that ended before this element. */
static void close_layers(const band_walk *walk, uint element)
{
    while (walk->painter->depth > 0) {
        const cpu_layer *top = layer_at(walk, walk->painter->depth - 1);
        if (element > top->end)
            end_layer(walk);
        else if (top->source_end != NONE && element > top->source_end)
            end_source(walk);
        else
            break;
    }
}

static void make_aliased(const cpu_element *element, const cpu_coverage *coverage, uint8_t *levels, size_t pitch)
{
    for (int y = 0; (element->kind & ELEMENT_ALIASED) && y < coverage->height; y++) {
        for (int x = 0; x < coverage->width; x++) {
            levels[(size_t)y * pitch + (size_t)x] =
                (uint8_t)aliased_level(element->kind, levels[(size_t)y * pitch + (size_t)x]);
        }
    }
}

/* Returns a layer's range of a row, in the band's pixels. */
static cpu_range range_in_band(const cpu_layer *layer, int y)
{
    cpu_range range = layer->pixels.ranges[y - layer->y];
    return (cpu_range){range.from + layer->x, range.end + layer->x};
}

/* Returns the smallest box around a layer's ranges. */
static pixel_box box_of_ranges(const cpu_layer *layer)
{
    pixel_box box = box_of(INT32_MAX, INT32_MAX, INT32_MIN, INT32_MIN);
    for (int y = layer->y; y < layer->y + layer->pixels.height; y++) {
        cpu_range range = range_in_band(layer, y);
        if (range.from < range.end)
            box = box_of(int_min(box.x0, range.from), int_min(box.y0, y), int_max(box.x1, range.end), y + 1);
    }
    return box;
}

/* Finds the ranges of a box, in its own pixels, that lie inside the ranges of the layer it is painted into. Returns
 * false if they are the whole box. */
static bool find_ranges(const band_walk *walk, pixel_box box, cpu_range *ranges)
{
    bool cut = false;
    for (int y = box.y0; y < box.y1; y++) {
        cpu_range range = {0, box.x1 - box.x0};
        if (walk->painter->depth > 0) {
            cpu_range open = range_in_band(layer_at(walk, walk->painter->depth - 1), y);
            range.from = int_max(open.from - box.x0, 0);
            range.end = int_min(open.end - box.x0, range.end);
            range = range.from < range.end ? range : (cpu_range){0, 0};
            cut = cut || range.from > 0 || range.end < box.x1 - box.x0;
        }
        ranges[y - box.y0] = range;
    }
    return cut;
}

static bool is_clip_of_path(const cpu_element *element)
{
    return (element->kind & ELEMENT_KIND_MASK) != ELEMENT_BEGIN_GROUP && element->source_end == NONE;
}

/* Finds the levels of a begin: a clip's coverage or a group's opacity. They are 0 before a source is drawn. */
static cpu_levels begin_levels(const band_walk *walk, const cpu_element *element, pixel_box box, element_runs runs)
{
    cpu_levels levels = {.levels = walk->painter->levels.items, .pitch = walk->bands->pitch};
    levels.width = box.x1 - box.x0;
    levels.height = box.y1 - box.y0;
    if (!is_clip_of_path(element)) {
        uint level = element->source_end != NONE ? 0 : element->color;
        memset(levels.levels, (int)level, (size_t)levels.height * levels.pitch);
        return levels;
    }
    cpu_coverage coverage = coverage_of(walk, element, box);
    if (!add_runs(walk, &coverage, runs, levels.levels, levels.pitch))
        walk->bands->kernels->find_levels(&coverage, levels.levels, levels.pitch);
    make_aliased(element, &coverage, levels.levels, levels.pitch);
    return levels;
}

/* Multiplies the levels of a plain layer by those of a begin. */
static void cut_layer(const band_walk *walk, cpu_layer *layer, const cpu_element *element, pixel_box box,
                      element_runs runs)
{
    const cpu_kernels *kernels = walk->bands->kernels;
    box.x0 -= (box.x0 - layer->x) & (int)(COVERAGE_GROUP - 1);
    int x = box.x0 - layer->x;
    int y = box.y0 - layer->y;
    if (is_clip_of_path(element) && (element->kind & ELEMENT_ALIASED) == 0 && runs.lines <= I64_EDGES) {
        cpu_coverage coverage = coverage_of(walk, element, box);
        add_runs(walk, &coverage, runs, NULL, 0);
        kernels->cut_by_coverage(&layer->pixels, x, y, &coverage);
    } else {
        cpu_levels levels = begin_levels(walk, element, box, runs);
        kernels->cut_by_levels(&layer->pixels, x, y, &levels);
    }
}

/* Copies levels to where a complex layer keeps them. */
static void keep_levels(const cpu_layer_pixels *pixels, const cpu_levels *levels)
{
    for (int y = 0; y < levels->height; y++) {
        memcpy(pixels->levels + (size_t)y * pixels->pitch, levels->levels + (size_t)y * levels->pitch,
               (size_t)levels->width);
    }
}

static cpu_layer_pixels layer_pixels_of(uint8_t *memory, pixel_box clip, pixel_box box)
{
    cpu_layer_pixels pixels = {.width = box.x1 - box.x0, .height = box.y1 - box.y0};
    pixels.pitch = layer_pitch_of(clip);
    pixels.words = layer_words_of(clip);
    pixels.cut = (uint64_t *)(void *)memory;
    pixels.destination = (uint32_t *)(void *)(pixels.cut + (size_t)pixels.words * BAND_ROWS);
    pixels.levels = (uint8_t *)(pixels.destination + (size_t)pixels.pitch * BAND_ROWS);
    memset(pixels.cut, 0, (size_t)pixels.words * (size_t)pixels.height * sizeof *pixels.cut);
    return pixels;
}

static void begin_layer(const band_walk *walk, const cpu_element *element, pixel_box box, element_runs runs)
{
    cpu_painter *painter = walk->painter;
    const pixel_box most = layer_box_of(element->clip, walk->bands->frame->strip_tiles);
    keep_destination(walk);
    cpu_layer *layer = layer_at(walk, painter->depth);
    *layer = (cpu_layer){.element = element->element, .kind = element->kind, .x = box.x0, .y = box.y0};
    layer->end = element->end;
    layer->source_end = element->source_end;
    layer->bytes = layer_bytes_of(most);
    layer->pixels = layer_pixels_of((uint8_t *)painter->layer_pixels.items + painter->layer_at, most, box);
    find_ranges(walk, box, layer->pixels.ranges);
    if (layer_is_complex(element->kind)) {
        cpu_levels levels = begin_levels(walk, element, box, runs);
        keep_levels(&layer->pixels, &levels);
        bool has_source = element->source_end != NONE;
        layer_complex_begin(&layer->pixels, element->kind, has_source, canvas_at(walk, box.x0, box.y0),
                            walk->bands->pitch);
        layer->is_saved = true;
    } else {
        cut_layer(walk, layer, element, box, runs);
    }
    layer->bounds = box_of_ranges(layer);
    if (layer->bounds.y0 < layer->bounds.y1) {
        painter->layer_at += layer->bytes;
        painter->depth++;
    }
}

static void merge_layer(const band_walk *walk, const cpu_element *element, pixel_box box, element_runs runs)
{
    cpu_layer *top = layer_at(walk, walk->painter->depth - 1);
    if (layer_is_complex(top->kind)) {
        cpu_levels levels = begin_levels(walk, element, box, runs);
        layer_complex_merge(&top->pixels, top->kind, box.x0 - top->x, box.y0 - top->y, &levels,
                            canvas_at(walk, top->x, top->y), walk->bands->pitch);
    } else {
        assert(!top->is_saved);
        cut_layer(walk, top, element, box, runs);
        top->bounds = box_of_ranges(top);
    }
    if (top->bounds.y0 < top->bounds.y1)
        top->element = element->element;
}

/* Returns whether colours stay the same along an axis, given the axis's part of the map. */
static bool is_linear_along(const stream_paint *paint, float part)
{
    return paint->kind == PAINT_LINEAR && part == 0.0f;
}

/* Paints rows of one colour each, as if each were solid. */
static void paint_rows(const band_walk *walk, const cpu_gradient *gradient, const cpu_coverage *coverage,
                       const cpu_range *ranges, pixel_box box)
{
    const cpu_kernels *kernels = walk->bands->kernels;
    uint8_t levels[COVERAGE_OVERRUN];
    uint32_t colors[COVERAGE_OVERRUN];
    memset(levels, 255, sizeof levels);
    cpu_coverage row = *coverage;
    row.height = 1;
    for (int y = 0; y < coverage->height; y++) {
        kernels->shade_row(gradient, box.x0 + walk->left, box.y0 + walk->top + y, 1, levels, colors);
        kernels->paint(&row, ranges ? ranges + y : NULL, colors[0], canvas_at(walk, box.x0, box.y0 + y),
                       walk->bands->pitch);
        row.rows += row.stride;
        row.touched += row.words;
    }
}

/* Returns a row of levels that are 0 where those of all rows are 0. */
static const uint8_t *join_levels(const band_walk *walk, const cpu_coverage *coverage)
{
    size_t pitch = walk->bands->pitch;
    uint8_t *levels = walk->painter->levels.items;
    uint8_t *joined = levels + pitch * BAND_ROWS;
    for (int x = 0; x < coverage->width; x += (int)sizeof(uint64_t)) {
        uint64_t all = 0;
        for (int y = 0; y < coverage->height; y++) {
            uint64_t some;
            memcpy(&some, levels + (size_t)y * pitch + (size_t)x, sizeof some);
            all |= some;
        }
        memcpy(joined + x, &all, sizeof all);
    }
    return joined;
}

/* Composites a box shadow, by its levels, onto the pixels. */
static void paint_shadow(const band_walk *walk, const cpu_gradient *gradient, const cpu_coverage *coverage,
                         const cpu_range *ranges, pixel_box box)
{
    uint32_t colors[CPU_SHADOW_COLUMNS * BAND_ROWS + COVERAGE_OVERRUN];
    const cpu_kernels *kernels = walk->bands->kernels;
    for (int left = 0; left < coverage->width; left += CPU_SHADOW_COLUMNS) {
        const cpu_levels block = {.levels = (uint8_t *)walk->painter->levels.items + left,
                                  .pitch = walk->bands->pitch,
                                  .width = int_min(coverage->width - left, CPU_SHADOW_COLUMNS),
                                  .height = coverage->height};
        kernels->shade_shadow(gradient, box.x0 + walk->left + left, box.y0 + walk->top, &block, colors);
        for (int i = 0; i < block.height; i++) {
            const int from = int_max(ranges[i].from, left), end = int_min(ranges[i].end, left + block.width);
            if (from < end)
                kernels->blend_row(canvas_at(walk, box.x0 + from, box.y0 + i),
                                   colors + i * CPU_SHADOW_COLUMNS + (from - left),
                                   block.levels + (size_t)i * block.pitch + (from - left), end - from);
        }
    }
}

/* Composites the colours of the element, each by its level, onto the pixels. */
static void paint_levels(const band_walk *walk, const cpu_element *element, const cpu_gradient *gradient,
                         const cpu_coverage *coverage, const cpu_range *ranges, pixel_box box)
{
    const cpu_kernels *kernels = walk->bands->kernels;
    size_t pitch = walk->bands->pitch;
    uint32_t *colors = walk->painter->colors.items;
    int x = box.x0 + walk->left;
    int y = box.y0 + walk->top;
    bool is_image = (element->kind & ELEMENT_IMAGE) != 0;
    bool is_shared = true; /* whether all rows have the same colours */
    if (element->paint == NONE)
        kernels->fill(colors, element->color, pitch);
    else if (is_linear_along(gradient->paint, gradient->map.c))
        kernels->shade_row(gradient, x, y, coverage->width, join_levels(walk, coverage), colors);
    else
        is_shared = false;
    for (int i = 0; i < coverage->height; i++) {
        cpu_range range = ranges[i];
        const uint8_t *row = (const uint8_t *)walk->painter->levels.items + (size_t)i * pitch + range.from;
        uint32_t *from = colors + (is_shared ? range.from : 0);
        if (is_image)
            image_row_shade(&walk->painter->memo, kernels, walk->bands->frame, element, x + range.from, y + i,
                            range.end - range.from, row, from);
        else if (!is_shared)
            kernels->shade_row(gradient, x + range.from, y + i, range.end - range.from, row, from);
        kernels->blend_row(canvas_at(walk, box.x0 + range.from, box.y0 + i), from, row, range.end - range.from);
    }
}

static void paint_element(const band_walk *walk, const cpu_element *element, pixel_box box, element_runs runs)
{
    const cpu_kernels *kernels = walk->bands->kernels;
    const uint64_t pixels = (uint64_t)(box.x1 - box.x0) * (uint64_t)(box.y1 - box.y0);
    walk->painter->painted_pixels += pixels;
    walk->painter->shaded_pixels += element->paint != NONE ? pixels : 0;
    keep_destination(walk);
    cpu_coverage coverage = coverage_of(walk, element, box);
    uint8_t *levels = walk->painter->levels.items;
    size_t pitch = walk->bands->pitch;
    bool found = add_runs(walk, &coverage, runs, levels, pitch);
    bool is_aliased = (element->kind & ELEMENT_ALIASED) != 0;
    cpu_gradient gradient = {.map = element->gradient};
    if (element->paint != NONE) {
        gradient.paint = &walk->bands->frame->stream.paints[element->paint];
        if (gradient.paint->kind == PAINT_BOX_SHADOW)
            gradient.shadow = walk->bands->frame->stream.box_shadows + gradient.paint->first_stop;
        else
            gradient.stops = walk->bands->frame->stream.stops + gradient.paint->first_stop;
    }
    cpu_range ranges[BAND_ROWS];
    bool in_layer = walk->painter->depth > 0;
    bool is_cut = in_layer && find_ranges(walk, box, ranges);
    if (!found && !is_aliased && element->paint == NONE) {
        kernels->paint(&coverage, is_cut ? ranges : NULL, element->color, canvas_at(walk, box.x0, box.y0), pitch);
    } else if (!found && !is_aliased && is_linear_along(gradient.paint, gradient.map.a)) {
        paint_rows(walk, &gradient, &coverage, is_cut ? ranges : NULL, box);
    } else {
        if (!found)
            kernels->find_levels(&coverage, levels, pitch);
        make_aliased(element, &coverage, levels, pitch);
        if (!in_layer)
            find_ranges(walk, box, ranges);
        if (gradient.shadow)
            paint_shadow(walk, &gradient, &coverage, ranges, box);
        else
            paint_levels(walk, element, &gradient, &coverage, ranges, box);
    }
}

/* Returns the part of a box that may be painted in a layer. A clip's box is not narrowed: its lines would then leave
 * the box, which takes longer than painting its rows. */
static pixel_box box_in_layer(const cpu_layer *layer, pixel_box box, bool is_painted)
{
    pixel_box bounds = layer->bounds;
    bool is_outside = bounds.x0 >= box.x1 || bounds.x1 <= box.x0;
    if (!is_painted && !is_outside) {
        bounds.x0 = box.x0;
        bounds.x1 = box.x1;
    }
    return box_intersection(box, bounds);
}

static void visit(const band_walk *walk, uint index, element_runs runs)
{
    cpu_painter *painter = walk->painter;
    const cpu_element *element = &walk->bands->frame->elements[index];
    close_layers(walk, element->element);
    uint open = painter->depth > 0 ? layer_at(walk, painter->depth - 1)->element : NONE;
    if (element->layer != open)
        return; /* a clip around it has nothing in this band */
    pixel_box clip = element->clip;
    if (walk->occluders.any && !occluders_cut(&walk->occluders, index, &clip))
        return;
    pixel_box box = box_in_band(walk, clip);
    uint kind = element->kind & ELEMENT_KIND_MASK;
    if (painter->depth > 0)
        box = box_in_layer(layer_at(walk, painter->depth - 1), box, !kind_begins(kind));
    if (box.y0 >= box.y1 || box.x0 >= box.x1)
        return;
    if (!kind_begins(kind))
        paint_element(walk, element, box, runs);
    else if (element->merged)
        merge_layer(walk, element, box, runs);
    else
        begin_layer(walk, element, box, runs);
}

static void find_occluders(band_walk *walk, const cpu_slot *const *heads, uint count)
{
    const cpu_frame *frame = walk->bands->frame;
    cpu_painter *painter = walk->painter;
    walk->occluders = (band_occluders){
        .occluders = painter->occluders.items, .steps = painter->steps.items, .touched = painter->columns.items};
    walk->occluders.first = walk->left >> TILE_SHIFT;
    walk->occluders.count = (walk->right - walk->left) >> TILE_SHIFT;
    walk->occluders.top = walk->top;
    uint64_t line_count = 0;
    for (uint i = 0; i < count; i++) {
        const cpu_element *element = &frame->elements[heads[i]->head.element];
        if (element->clip.x0 < walk->right) {
            line_count += heads[i]->head.count;
            painter->visited_clips += kind_begins(element->kind & ELEMENT_KIND_MASK) && is_clip_of_path(element);
        }
    }
    painter->visited_lines += line_count;
    painter->visited_runs += count;
    occluders_begin(&walk->occluders, line_count);
    for (uint end = count, first; end > 0; end = first) {
        uint element = heads[end - 1]->head.element;
        for (first = end - 1; first > 0 && heads[first - 1]->head.element == element; first--) {
        }
        if (frame->elements[element].kind & ELEMENT_OPAQUE)
            occluders_add(&walk->occluders, frame->config, frame->elements, element, band_runs_from(heads, first, end));
    }
}

/* What happens to the band's pixels in the target. */
typedef enum target_step {
    TARGET_STORE,  /* the pixels are finished */
    TARGET_HOLD,   /* the pixels wait there for the next batch */
    TARGET_RESUME, /* the next batch begins with the pixels that wait */
} target_step;

static void meet_target(const band_walk *walk, target_step step)
{
    const frame_config *config = walk->bands->frame->config;
    int width = int_min(walk->right, config->width) - walk->left;
    int height = int_min(walk->top + BAND_ROWS, config->height) - walk->top;
    for (int y = 0; y < height; y++) {
        uint8_t *row = walk->bands->target->pixels +
                       (ptrdiff_t)(walk->top + y) * (ptrdiff_t)walk->bands->target->stride_bytes +
                       (ptrdiff_t)walk->left * 4;
        if (step == TARGET_STORE)
            walk->bands->kernels->store_row(row, canvas_at(walk, 0, y), width, walk->bands->target->stored_as);
        else if (step == TARGET_HOLD)
            memcpy(row, canvas_at(walk, 0, y), (size_t)width * sizeof(uint32_t));
        else
            memcpy(canvas_at(walk, 0, y), row, (size_t)width * sizeof(uint32_t));
    }
}

static bool has_elements(const band_walk *walk, const cpu_slot *const *heads, uint count)
{
    for (uint i = 0; i < count; i++) {
        const pixel_box clip = walk->bands->frame->elements[heads[i]->head.element].clip;
        if (clip.x0 < walk->right && clip.x1 > walk->left)
            return true;
    }
    return false;
}

static void paint_strip(band_walk *walk, uint band, const cpu_slot *const *heads, uint count)
{
    const cpu_bands *bands = walk->bands;
    if (!bands->first && !bands->last && !has_elements(walk, heads, count))
        return; /* its pixels wait where they are */
    if (bands->canvas)
        walk->canvas = bands->canvas + (size_t)band * BAND_ROWS * bands->pitch;
    if (bands->first)
        bands->kernels->fill(walk->canvas, bands->frame->config->background, (size_t)bands->pitch * BAND_ROWS);
    else if (!bands->canvas)
        meet_target(walk, TARGET_RESUME);
    find_occluders(walk, heads, count);
    for (uint first = 0, end; first < count && !cancel_is_seen(bands->target->watch); first = end) {
        element_runs runs = band_runs_from(heads, first, count);
        end = first + runs.count;
        visit(walk, heads[first]->head.element, runs);
    }
    close_layers(walk, NONE);
    if (bands->last)
        meet_target(walk, TARGET_STORE);
    else if (!bands->canvas)
        meet_target(walk, TARGET_HOLD);
}

void cpu_band_paint(cpu_painter *painter, const cpu_bands *bands, uint band)
{
    const tile_box part = bands->frame->config->part;
    const int strip = (int)bands->frame->strip_tiles;
    band_walk walk = {.painter = painter, .bands = bands, .canvas = painter->canvas.items};
    walk.top = (part.y0 + (int)band) * TILE_SIDE;
    const cpu_slot **heads = painter->pieces.items;
    uint count = band_runs_gather(bands, band, heads);
    for (int x = part.x0; x < part.x1; x += strip) {
        walk.left = x * TILE_SIDE;
        walk.right = int_min(x + strip, part.x1) * TILE_SIDE;
        if (strip < part.x1 - part.x0) {
            const cpu_left_part left = {walk.left * SUBPIXELS, walk.top * SUBPIXELS};
            count = band_runs_enter_strip(bands->frame, heads, count, left, walk.right * SUBPIXELS);
        }
        paint_strip(&walk, band, heads, count);
    }
}
