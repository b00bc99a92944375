/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "render/surface_sizes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/transform.h"

/* Finds the sides of the unit square in pixels, such that a step of one pixel in any direction is at most 1 / across
 * and 1 / down in the unit square. */
static surface_use measure_use(const surface_sizes *sizes, const pietra_transform *frame, uint32_t index)
{
    const stream_element *element = &sizes->view.elements[index];
    const stream_transform *t = &sizes->view.transforms[element->transform];
    const stream_paint *paint = &sizes->view.paints[element->paint];
    const pietra_transform to_scene = {(double)t->a, (double)t->b, (double)t->c, (double)t->d, 0, 0};
    const pietra_transform to_unit = {(double)paint->a, (double)paint->b, (double)paint->c, (double)paint->d, 0, 0};
    pietra_transform inverse;
    surface_use use = {.element = index};
    if (transform_invert(transform_multiply(*frame, to_scene), &inverse)) {
        pietra_transform step = transform_multiply(to_unit, inverse);
        use.across = 1.0 / hypot(step.a, step.c);
        use.down = 1.0 / hypot(step.b, step.d);
    }
    return use;
}

static bool find_uses(const pietra_transform *frame, surface_sizes *sizes)
{
    for (uint32_t i = 0; i < sizes->view.header->element_count; i++) {
        const stream_element *element = &sizes->view.elements[i];
        if ((element->kind & ELEMENT_IMAGE) == 0 || sizes->view.paints[element->paint].kind != PAINT_SURFACE)
            continue;
        surface_use *use = array_push(&sizes->uses);
        if (!use)
            return false;
        *use = measure_use(sizes, frame, i);
    }
    return true;
}

/* Returns the side of an image in texels, at least one. It is rounded down, so that a pixel is at most `fineness`
 * texels wide, apart from rounding errors. */
static uint32_t side_of(double pixels, double fineness)
{
    double side = floor(fineness * fmin(pixels, PIETRA_MAX_SIDE) + 0.01);
    return side >= 1.0 && isfinite(pixels) ? (uint32_t)fmin(side, PIETRA_MAX_SIDE) : 1u;
}

/* Returns the most of the unit square that an element can cover, from its box. */
static double area_of_element(const stream_view *view, const stream_element *element)
{
    const stream_transform *t = &view->transforms[element->transform];
    if (!(element->box_x0 <= element->box_x1))
        return 0.0;
    const pietra_transform to_unit = {(double)t->a, (double)t->b, (double)t->c,
                                      (double)t->d, (double)t->e, (double)t->f};
    const pietra_box own = {(double)element->box_x0, (double)element->box_y0, (double)element->box_x1,
                            (double)element->box_y1};
    pietra_box box = transform_box(to_unit, own);
    double width = fmin(box.x1, 1.0) - fmax(box.x0, 0.0), height = fmin(box.y1, 1.0) - fmax(box.y0, 0.0);
    return width > 0.0 && height > 0.0 ? width * height : 0.0;
}

static surface_cost cost_of_stream(const stream_view *view)
{
    const stream_header *header = view->header;
    surface_cost cost = {.overdraw = 1.0, .fixed = SURFACE_DRAWING_COST};
    for (uint32_t i = 0; i < header->element_count; i++) {
        const stream_element *element = &view->elements[i];
        cost.overdraw += area_of_element(view, element) * (element->kind & ELEMENT_IMAGE ? SURFACE_IMAGE_COST : 1.0);
    }
    cost.fixed += SURFACE_SEGMENT_COST * ((double)header->task_count + header->element_count) + header->texel_count;
    return cost;
}

static bool find_costs(surface_sizes *sizes)
{
    uint32_t count = sizes->view.header->surface_count;
    sizes->costs = malloc((count + 1) * sizeof *sizes->costs);
    for (uint32_t i = 0; sizes->costs && i < count; i++) {
        stream_view view = stream_view_of(stream_surface_words(&sizes->view, &sizes->view.surfaces[i]));
        sizes->costs[i] = cost_of_stream(&view);
    }
    return sizes->costs != NULL;
}

static bool find_image(surface_sizes *sizes, surface_use *use, double fineness)
{
    surface_image image = {.width = side_of(use->across, fineness), .height = side_of(use->down, fineness)};
    image.surface = sizes->view.paints[sizes->view.elements[use->element].paint].first_stop;
    uint64_t hash = hash_bytes(&image, sizeof image);
    for (hash_walk probe = hash_find(&sizes->image_table, hash); hash_found(&probe); hash_next(&probe)) {
        if (memcmp(&sizes->images.items[probe.value], &image, sizeof image) == 0) {
            use->image = probe.value;
            return true;
        }
    }
    use->image = (uint32_t)sizes->images.count;
    if (!array_reserve(&sizes->images, 1) || !hash_insert(&sizes->image_table, hash, use->image))
        return false;
    sizes->images.items[sizes->images.count++] = image;
    return true;
}

uint64_t surface_sizes_texels(const surface_sizes *sizes)
{
    uint64_t count = 0;
    for (size_t i = 0; i < sizes->images.count; i++)
        count += surface_image_texels(&sizes->images.items[i]);
    return count;
}

static bool are_too_fine(const surface_sizes *sizes, uint64_t texels_most)
{
    double painted = 0.0;
    for (size_t i = 0; i < sizes->images.count; i++)
        painted += (double)surface_image_texels(&sizes->images.items[i]) *
                   sizes->costs[sizes->images.items[i].surface].overdraw;
    return surface_sizes_texels(sizes) > texels_most || painted > SURFACE_PAINTED_MOST;
}

/* Sets the sizes of all images, as finely as there is room for. */
static bool find_images(uint64_t texels_most, surface_sizes *sizes)
{
    double fineness = SURFACE_FINENESS;
    do {
        sizes->images.count = 0;
        hash_free(&sizes->image_table);
        for (size_t i = 0; i < sizes->uses.count; i++)
            if (!find_image(sizes, &sizes->uses.items[i], fineness))
                return false;
        fineness *= 0.5;
    } while (are_too_fine(sizes, texels_most) && fineness > 1e-6);
    return true;
}

pietra_result surface_sizes_make(const stream_view *view, const pietra_transform *frame, uint64_t texels_most,
                                 pietra_error *error, surface_sizes *sizes)
{
    sizes->view = *view;
    bool made = find_uses(frame, sizes) && find_costs(sizes) && find_images(texels_most, sizes);
    return made ? PIETRA_OK : error_set_memory(error);
}

void surface_sizes_free(surface_sizes *sizes)
{
    array_free(&sizes->uses);
    array_free(&sizes->images);
    hash_free(&sizes->image_table);
    free(sizes->costs);
}

/* ---- The stream that is made ---- */

/* Makes a stream with room for all, and copies what does not change. */
static pietra_result make_stream(const surface_sizes *sizes, bool on_device, pietra_error *error, pietra_stream **made)
{
    const stream_view *view = &sizes->view;
    const stream_header *old = view->header;
    stream_header header = *old;
    uint64_t paints = old->paint_count + (uint64_t)sizes->uses.count,
             mip_levels = old->mip_level_count + (uint64_t)sizes->images.count;
    uint64_t texels = old->texel_count + surface_sizes_texels(sizes);
    header.paint_count = (uint32_t)paints;
    header.mip_level_count = (uint32_t)mip_levels;
    header.texel_count = (uint32_t)texels;
    header.surface_count = 0;
    header.surface_word_count = 0;
    bool fits = paints <= STREAM_MAX_COUNT && mip_levels <= STREAM_MAX_COUNT && texels <= STREAM_MAX_COUNT;
    uint64_t words = stream_lay_out(&header);
    if (on_device)
        words = words <= UINT32_MAX ? (uint64_t)header.texels + old->texel_count : words;
    *made = fits && words <= UINT32_MAX ? stream_make_zeroed(&header, (size_t)words) : NULL;
    if (!*made) {
        return error_set(error, PIETRA_ERROR_MEMORY, 0, "out of memory for pictures in the picture of %llu texels",
                         (unsigned long long)texels);
    }
    stream_copy_painting(view, old->texel_count, *made);
    stream_copy_effects(view, *made);
    return PIETRA_OK;
}

/* A side of a single texel has only one place, so its coordinates are 0. A surface that is smaller than a pixel,
 * however small, shows its mean colour. */
stream_paint surface_paint(const stream_paint *paint, uint32_t width, uint32_t height, uint32_t mip_level)
{
    const float across = width > 1u ? (float)width : 0.0f, down = height > 1u ? (float)height : 0.0f;
    stream_paint made = *paint;
    made.kind = PAINT_IMAGE;
    made.first_stop = mip_level;
    made.stop_count = 1u;
    made.a *= across;
    made.c *= across;
    made.e *= across;
    made.b *= down;
    made.d *= down;
    made.f *= down;
    return made;
}

static void set_paints(const surface_sizes *sizes, pietra_stream *made)
{
    const stream_header *header = stream_get_header(made), *old = sizes->view.header;
    stream_element *elements = (stream_element *)(made->words + header->elements);
    stream_paint *paints = (stream_paint *)(made->words + header->paints);
    for (uint32_t i = 0; i < old->paint_count; i++)
        if (paints[i].kind == PAINT_SURFACE)
            paints[i] = (stream_paint){.kind = PAINT_SOLID};
    for (size_t i = 0; i < sizes->uses.count; i++) {
        const surface_use *use = &sizes->uses.items[i];
        const surface_image *image = &sizes->images.items[use->image];
        const stream_paint *paint = &sizes->view.paints[elements[use->element].paint];
        elements[use->element].paint = old->paint_count + (uint32_t)i;
        paints[elements[use->element].paint] =
            surface_paint(paint, image->width, image->height, old->mip_level_count + use->image);
    }
}

static void set_mip_levels(const surface_sizes *sizes, pietra_stream *made)
{
    const stream_header *header = stream_get_header(made), *old = sizes->view.header;
    stream_mip_level *mip_levels = (stream_mip_level *)(made->words + header->mip_levels) + old->mip_level_count;
    uint32_t first = old->texel_count;
    for (size_t i = 0; i < sizes->images.count; i++) {
        const surface_image *image = &sizes->images.items[i];
        mip_levels[i] = (stream_mip_level){image->width, image->height, first};
        first += image->width * image->height;
    }
}

pietra_result surface_stream_make(const surface_sizes *sizes, bool on_device, pietra_error *error, pietra_stream **made)
{
    pietra_result result = make_stream(sizes, on_device, error, made);
    if (result == PIETRA_OK) {
        set_paints(sizes, *made);
        set_mip_levels(sizes, *made);
    }
    return result;
}
