/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "render/surfaces.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/error.h"
#include "base/hash.h"
#include "base/transform.h"
#include "render/frame/config.h"
#include "render/sheet_device.h"

/* A surface drawn at one size. */
typedef struct surface_image {
    uint32_t surface;
    uint32_t width, height;
} surface_image;

/* An element that is painted with a surface. */
typedef struct surface_use {
    uint32_t element;
    double across, down; /* sides of the unit square, in pixels */
    uint32_t image;
} surface_use;

/* The cost of drawing a stream. */
typedef struct surface_cost {
    double overdraw; /* how often each texel is painted on average; SURFACE_IMAGE_COST weights images */
    double fixed;    /* cost that does not depend on the size, in texels */
} surface_cost;

/* A surface in a surface that has been drawn for this frame. */
typedef struct surface_drawn {
    const uint32_t *words; /* words of its stream */
    uint32_t width, height;
    size_t first_texel;
} surface_drawn;

/* What the surfaces of a frame have cost so far, surfaces in surfaces included, and those that need not be
 * drawn again. */
typedef struct surface_work {
    double painted, fixed; /* in texels */
    hash_table drawn_table;
    ARRAY(surface_drawn) drawn;
    ARRAY(uint32_t) texels;
} surface_work;

typedef struct surface_job {
    surface_cache *cache;
    stream_view view; /* the stream with surfaces */
    pietra_transform frame;
    part_budget *budget;
    pietra_error *error;
    uint64_t texels_most; /* most texels for the images that this stream itself shows */
    surface_work *work;
    bool is_inner; /* `view` is a surface's own stream */
    ARRAY(surface_use) uses;
    ARRAY(surface_image) images;
    hash_table image_table;
    surface_cost *costs; /* for each surface */
    pietra_stream *made; /* the stream with images; owned */
} surface_job;

static pietra_result run_job(surface_job *job);

cpu_device *surface_cache_cpu(surface_cache *cache)
{
    if (!cache->cpu)
        cache->cpu = cpu_device_create(cache->pool, NULL);
    return cache->cpu;
}

void surface_cache_free(surface_cache *cache)
{
    cpu_device_destroy(cache->cpu);
    pietra_stream_destroy(cache->drawn);
    *cache = (surface_cache){.stream_id = 0};
}

/* ---- Sizes ---- */

/* Finds the sides of the unit square in pixels, such that a step of one pixel in any direction is at most 1 / across
 * and 1 / down in the unit square. */
static surface_use measure_use(const surface_job *job, uint32_t index)
{
    const stream_element *element = &job->view.elements[index];
    const stream_transform *t = &job->view.transforms[element->transform];
    const stream_paint *paint = &job->view.paints[element->paint];
    const pietra_transform to_scene = {(double)t->a, (double)t->b, (double)t->c, (double)t->d, 0, 0};
    const pietra_transform to_unit = {(double)paint->a, (double)paint->b, (double)paint->c, (double)paint->d, 0, 0};
    pietra_transform inverse;
    surface_use use = {.element = index};
    if (transform_invert(transform_multiply(job->frame, to_scene), &inverse)) {
        pietra_transform step = transform_multiply(to_unit, inverse);
        use.across = 1.0 / hypot(step.a, step.c);
        use.down = 1.0 / hypot(step.b, step.d);
    }
    return use;
}

static pietra_result find_uses(surface_job *job)
{
    for (uint32_t i = 0; i < job->view.header->element_count; i++) {
        const stream_element *element = &job->view.elements[i];
        if ((element->kind & ELEMENT_IMAGE) == 0 || job->view.paints[element->paint].kind != PAINT_SURFACE)
            continue;
        surface_use *use = array_push(&job->uses);
        if (!use)
            return error_set_memory(job->error);
        *use = measure_use(job, i);
    }
    return PIETRA_OK;
}

/* Returns the side of an image in texels, at least one. It is rounded down, so that a pixel is at most `fineness`
 * texels wide, apart from rounding errors. */
static uint32_t side_of(double pixels, double fineness)
{
    double side = floor(fineness * fmin(pixels, PIETRA_MAX_SIDE) + 0.01);
    return side >= 1.0 && isfinite(pixels) ? (uint32_t)fmin(side, PIETRA_MAX_SIDE) : 1u;
}

static const uint32_t *words_of_surface(const surface_job *job, uint32_t index)
{
    return stream_surface_words(&job->view, &job->view.surfaces[index]);
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

static pietra_result find_costs(surface_job *job)
{
    uint32_t count = job->view.header->surface_count;
    job->costs = malloc((count + 1) * sizeof *job->costs);
    if (!job->costs)
        return error_set_memory(job->error);
    for (uint32_t i = 0; i < count; i++) {
        stream_view view = stream_view_of(words_of_surface(job, i));
        job->costs[i] = cost_of_stream(&view);
    }
    return PIETRA_OK;
}

static pietra_result find_image(surface_job *job, surface_use *use, double fineness)
{
    surface_image image = {.width = side_of(use->across, fineness), .height = side_of(use->down, fineness)};
    image.surface = job->view.paints[job->view.elements[use->element].paint].first_stop;
    uint64_t hash = hash_bytes(&image, sizeof image);
    for (hash_walk probe = hash_find(&job->image_table, hash); hash_found(&probe); hash_next(&probe)) {
        if (memcmp(&job->images.items[probe.value], &image, sizeof image) == 0) {
            use->image = probe.value;
            return PIETRA_OK;
        }
    }
    use->image = (uint32_t)job->images.count;
    if (!array_reserve(&job->images, 1) || !hash_insert(&job->image_table, hash, use->image))
        return error_set_memory(job->error);
    job->images.items[job->images.count++] = image;
    return PIETRA_OK;
}

static uint64_t texels_of(const surface_image *image)
{
    return (uint64_t)image->width * image->height;
}

static uint64_t count_texels(const surface_job *job)
{
    uint64_t count = 0;
    for (size_t i = 0; i < job->images.count; i++)
        count += texels_of(&job->images.items[i]);
    return count;
}

static bool are_too_fine(const surface_job *job)
{
    double painted = 0.0;
    for (size_t i = 0; i < job->images.count; i++)
        painted += (double)texels_of(&job->images.items[i]) * job->costs[job->images.items[i].surface].overdraw;
    return count_texels(job) > job->texels_most || painted > SURFACE_PAINTED_MOST;
}

/* Sets the sizes of all images, as finely as there is room for. */
static pietra_result find_images(surface_job *job)
{
    double fineness = SURFACE_FINENESS;
    do {
        job->images.count = 0;
        hash_free(&job->image_table);
        for (size_t i = 0; i < job->uses.count; i++) {
            pietra_result result = find_image(job, &job->uses.items[i], fineness);
            if (result != PIETRA_OK)
                return result;
        }
        fineness *= 0.5;
    } while (are_too_fine(job) && fineness > 1e-6);
    return PIETRA_OK;
}

/* ---- The stream that is made ---- */

#define COPY_ARRAY(job, name, count) \
    memcpy((job)->made->words + stream_get_header((job)->made)->name, (job)->view.name, \
           (count) * sizeof *(job)->view.name)

/* Makes a stream with room for all, and copies what does not change. Each use gets a paint of its own, and each image a
 * mip level. Both follow those that were there. */
static pietra_result make_stream(surface_job *job)
{
    const stream_header *old = job->view.header;
    stream_header header = *old;
    uint64_t paints = old->paint_count + (uint64_t)job->uses.count,
             mip_levels = old->mip_level_count + (uint64_t)job->images.count;
    uint64_t texels = old->texel_count + count_texels(job);
    header.paint_count = (uint32_t)paints;
    header.mip_level_count = (uint32_t)mip_levels;
    header.texel_count = (uint32_t)texels;
    header.surface_count = 0;
    header.surface_word_count = 0;
    bool fits = paints <= STREAM_MAX_COUNT && mip_levels <= STREAM_MAX_COUNT && texels <= STREAM_MAX_COUNT;
    uint64_t words = stream_lay_out(&header);
    job->made = fits && words <= UINT32_MAX ? stream_allocate((size_t)words) : NULL;
    if (!job->made) {
        return error_set(job->error, PIETRA_ERROR_MEMORY, 0, "out of memory for pictures in the picture of %llu texels",
                         (unsigned long long)texels);
    }
    memset(job->made->words, 0, (size_t)words * sizeof(uint32_t));
    memcpy(job->made->words, &header, sizeof header);
    COPY_ARRAY(job, elements, old->element_count);
    COPY_ARRAY(job, paths, old->path_count);
    COPY_ARRAY(job, tags, old->segment_count);
    COPY_ARRAY(job, points, 2 * (size_t)old->point_count);
    COPY_ARRAY(job, transforms, old->transform_count);
    COPY_ARRAY(job, styles, old->style_count);
    COPY_ARRAY(job, dashes, old->dash_count);
    COPY_ARRAY(job, paints, old->paint_count);
    COPY_ARRAY(job, stops, old->stop_count);
    COPY_ARRAY(job, mip_levels, old->mip_level_count);
    COPY_ARRAY(job, box_shadows, old->box_shadow_count);
    COPY_ARRAY(job, effects, old->effect_count);
    COPY_ARRAY(job, effect_steps, old->effect_step_count);
    COPY_ARRAY(job, effect_values, old->effect_value_count);
    COPY_ARRAY(job, texels, old->texel_count);
    return PIETRA_OK;
}

/* Returns the paint of a use. A side of a single texel has only one place, so its coordinates are 0. A surface that is
 * smaller than a pixel, however small, shows its mean colour. */
static stream_paint paint_of_use(const surface_job *job, const surface_use *use)
{
    const surface_image *image = &job->images.items[use->image];
    stream_paint paint = job->view.paints[job->view.elements[use->element].paint];
    float across = image->width > 1u ? (float)image->width : 0.0f,
          down = image->height > 1u ? (float)image->height : 0.0f;
    paint.kind = PAINT_IMAGE;
    paint.first_stop = job->view.header->mip_level_count + use->image;
    paint.stop_count = 1u;
    paint.a *= across;
    paint.c *= across;
    paint.e *= across;
    paint.b *= down;
    paint.d *= down;
    paint.f *= down;
    return paint;
}

static void set_paints(surface_job *job)
{
    const stream_header *header = stream_get_header(job->made);
    stream_element *elements = (stream_element *)(job->made->words + header->elements);
    stream_paint *paints = (stream_paint *)(job->made->words + header->paints);
    for (uint32_t i = 0; i < job->view.header->paint_count; i++)
        if (paints[i].kind == PAINT_SURFACE)
            paints[i] = (stream_paint){.kind = PAINT_SOLID};
    for (size_t i = 0; i < job->uses.count; i++) {
        const surface_use *use = &job->uses.items[i];
        elements[use->element].paint = job->view.header->paint_count + (uint32_t)i;
        paints[elements[use->element].paint] = paint_of_use(job, use);
    }
}

/* ---- Drawing ---- */

/* Copies words into a stream of their own. */
static pietra_result copy_stream(surface_job *job, const uint32_t *words, pietra_stream **stream)
{
    size_t word_count = ((const stream_header *)words)->word_count;
    *stream = stream_allocate(word_count);
    if (!*stream)
        return error_set_memory(job->error);
    memcpy((*stream)->words, words, word_count * sizeof *words);
    return PIETRA_OK;
}

static pietra_result draw_pixels(surface_job *job, const pietra_stream *stream, const pietra_frame *frame,
                                 const pietra_target *target)
{
    surface_cache *cache = job->cache;
    sheet_needs needs;
    frame_config config;
    pietra_result result = config_of_frame(frame, target, job->error, &config);
    if (result != PIETRA_OK)
        return result;
    if (!surface_cache_cpu(cache))
        return error_set_memory(job->error);
    if (stream_get_header(stream)->effect_count == 0)
        return draw_on_cpu(cache->cpu, stream, &config, job->budget, target, job->error);
    const sheet_device device = sheet_device_of_cpu(cache->cpu, cache->pool);
    pietra_stream *made;
    result = sheets_draw(&device, stream, &config, job->budget, job->error, &needs, &made);
    if (result != PIETRA_OK)
        return result;
    result = draw_on_cpu(cache->cpu, made, &config, job->budget, target, job->error);
    pietra_stream_destroy(made);
    return result;
}

/* Returns the texels of what has been drawn already, or NULL. Only surfaces in surfaces can occur again. */
static const uint32_t *find_drawn(const surface_work *work, const surface_drawn *wanted, uint64_t hash)
{
    for (hash_walk probe = hash_find(&work->drawn_table, hash); hash_found(&probe); hash_next(&probe)) {
        const surface_drawn *drawn = &work->drawn.items[probe.value];
        if (drawn->words == wanted->words && drawn->width == wanted->width && drawn->height == wanted->height)
            return work->texels.items + drawn->first_texel;
    }
    return NULL;
}

static void forget_drawn(surface_work *work)
{
    hash_free(&work->drawn_table);
    array_free(&work->drawn);
    array_free(&work->texels);
}

static bool keep_drawn(surface_work *work, surface_drawn drawn, uint64_t hash, const uint32_t *texels)
{
    size_t count = (size_t)drawn.width * drawn.height;
    if (work->texels.count + count > SURFACE_KEPT_TEXELS_MOST)
        forget_drawn(work);
    if (!array_reserve(&work->drawn, 1) || !array_reserve(&work->texels, count) ||
        !hash_insert(&work->drawn_table, hash, (uint32_t)work->drawn.count)) {
        return false;
    }
    drawn.first_texel = work->texels.count;
    work->drawn.items[work->drawn.count++] = drawn;
    memcpy(work->texels.items + work->texels.count, texels, count * sizeof *texels);
    work->texels.count += count;
    return true;
}

/* Returns the most texels for surfaces in surfaces. The more a frame has cost, the less finely they are drawn. */
static uint64_t inner_texels_most(const surface_work *work)
{
    double halvings = fmin(work->painted / SURFACE_PAINTED_HALVING, 20.0);
    return SURFACE_INNER_TEXELS_MOST >> (unsigned)halvings;
}

static pietra_result draw_stream(surface_job *job, const uint32_t *words, const surface_image *image, uint32_t *texels)
{
    const pietra_frame frame = {.transform = transform_scale(image->width, image->height)};
    const pietra_target target = {
        .width = image->width, .height = image->height, .format = PIETRA_FORMAT_RGBA8_PREMULTIPLIED, .pixels = texels};
    surface_job inner = {.cache = job->cache,
                         .frame = frame.transform,
                         .budget = job->budget,
                         .error = job->error,
                         .work = job->work,
                         .is_inner = true};
    pietra_stream *stream = NULL;
    pietra_result result;
    inner.view = stream_view_of(words);
    if (inner.view.header->surface_count > 0) {
        inner.texels_most = inner_texels_most(job->work);
        result = run_job(&inner);
    } else {
        result = copy_stream(job, words, &stream);
    }
    if (result == PIETRA_OK)
        result = draw_pixels(job, inner.made ? inner.made : stream, &frame, &target);
    pietra_stream_destroy(inner.made);
    pietra_stream_destroy(stream);
    return result;
}

static pietra_result draw_image(surface_job *job, const surface_image *image, uint32_t *texels)
{
    surface_work *work = job->work;
    const surface_cost *cost = &job->costs[image->surface];
    const surface_drawn wanted = {
        .words = words_of_surface(job, image->surface), .width = image->width, .height = image->height};
    uint64_t hash = hash_bytes(&wanted, sizeof wanted);
    const uint32_t *known = find_drawn(work, &wanted, hash);
    if (known) {
        memcpy(texels, known, (size_t)texels_of(image) * sizeof *texels);
        return PIETRA_OK;
    }
    work->painted += (double)texels_of(image) * cost->overdraw;
    work->fixed += cost->fixed;
    if (work->fixed > SURFACE_FIXED_MOST) {
        return error_set(job->error, PIETRA_ERROR_BUDGET, 0,
                         "too many pictures in pictures are to be drawn, or of too many segments");
    }
    pietra_result result = draw_stream(job, wanted.words, image, texels);
    if (result == PIETRA_OK && job->is_inner && !keep_drawn(work, wanted, hash, texels))
        result = error_set_memory(job->error);
    return result;
}

static pietra_result draw_images(surface_job *job)
{
    const stream_header *header = stream_get_header(job->made);
    stream_mip_level *mip_levels =
        (stream_mip_level *)(job->made->words + header->mip_levels) + job->view.header->mip_level_count;
    uint32_t first = job->view.header->texel_count;
    for (size_t i = 0; i < job->images.count; i++) {
        const surface_image *image = &job->images.items[i];
        mip_levels[i] = (stream_mip_level){image->width, image->height, first};
        pietra_result result = draw_image(job, image, job->made->words + header->texels + first);
        if (result != PIETRA_OK)
            return result;
        first += image->width * image->height;
    }
    return PIETRA_OK;
}

/* Runs a job. It recurses as deep as surfaces nest, which the validator limits to SURFACE_DEPTH_MAX. If it fails,
 * nothing is made. */
static pietra_result run_job(surface_job *job)
{
    pietra_result result = find_uses(job);
    if (result == PIETRA_OK)
        result = find_costs(job);
    if (result == PIETRA_OK)
        result = find_images(job);
    if (result == PIETRA_OK)
        result = make_stream(job);
    if (result == PIETRA_OK) {
        set_paints(job);
        result = draw_images(job);
    }
    if (result != PIETRA_OK) {
        pietra_stream_destroy(job->made);
        job->made = NULL;
    }
    array_free(&job->uses);
    array_free(&job->images);
    hash_free(&job->image_table);
    free(job->costs);
    return result;
}

pietra_result surfaces_draw(surface_cache *cache, const pietra_stream *stream, const pietra_frame *frame,
                            part_budget *budget, pietra_error *error, const pietra_stream **drawn)
{
    *drawn = stream;
    if (stream_get_header(stream)->surface_count == 0)
        return PIETRA_OK;
    pietra_transform shown = transform_of_field(frame ? frame->transform : TRANSFORM_IDENTITY);
    shown.e = shown.f = 0;
    if (cache->stream_id != stream_id(stream) || memcmp(&cache->frame, &shown, sizeof shown) != 0) {
        surface_work work = {.painted = 0.0};
        surface_job job = {.cache = cache, .frame = shown, .budget = budget, .error = error, .work = &work};
        job.texels_most = SURFACE_TEXELS_MOST;
        job.view = stream_view_of(stream_words(stream));
        pietra_result result = run_job(&job);
        forget_drawn(&work);
        if (result != PIETRA_OK)
            return result;
        pietra_stream_destroy(cache->drawn);
        cache->drawn = job.made;
        cache->needed_bytes = part_budget_is_raised(budget) ? budget->bytes : 0;
        cache->stream_id = stream_id(stream);
        cache->frame = shown;
    }
    if (cache->needed_bytes > budget->bytes)
        budget->bytes = cache->needed_bytes;
    *drawn = cache->drawn;
    return PIETRA_OK;
}
