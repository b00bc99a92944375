/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "render/surfaces.h"

#include <string.h>

#include "base/error.h"
#include "base/transform.h"
#include "render/frame/config.h"
#include "render/sheet_device.h"
#include "render/surface_work.h"

typedef struct surface_job {
    surface_cache *cache;
    part_budget *budget;
    pietra_error *error;
    surface_work work;
    ARRAY(uint32_t) texels; /* of images that may appear again, each from its place on */
} surface_job;

static pietra_result draw_surfaces(surface_job *job, const stream_view *view, const pietra_transform *frame,
                                   uint64_t texels_most, bool is_inner, pietra_stream **made);

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

/* Copies words into a stream of their own. */
static pietra_result copy_stream(surface_job *job, const uint32_t *words, pietra_stream **stream)
{
    size_t word_count = ((const stream_header *)words)->word_count;
    *stream = stream_allocate(word_count, false);
    if (!*stream)
        return error_set_memory(job->error);
    memcpy((*stream)->words, words, word_count * sizeof *words);
    return PIETRA_OK;
}

/* Makes a stream with images in place of effects. If these need more than the budget, it is raised, and the frame fails
 * when it is known what all of it needs. */
static pietra_result draw_sheets(surface_job *job, const pietra_stream *stream, const frame_config *config,
                                 pietra_stream **made)
{
    const sheet_device device = sheet_device_of_cpu(job->cache->cpu, job->cache->pool);
    sheet_needs needs;
    pietra_result result = sheets_draw(&device, stream, config, job->budget, job->error, &needs, made);
    if (result == PIETRA_ERROR_BUDGET && needs.is_too_large) {
        job->budget->bytes = needs.bytes;
        result = sheets_draw(&device, stream, config, job->budget, job->error, &needs, made);
    }
    if (result == PIETRA_OK)
        job->budget->work.spent[WORK_EFFECTS] += needs.cost.all;
    return result;
}

static pietra_result draw_pixels(surface_job *job, const pietra_stream *stream, const pietra_frame *frame,
                                 const pietra_target *target)
{
    surface_cache *cache = job->cache;
    frame_config config;
    pietra_result result = config_of_frame(frame, target, job->error, &config);
    if (result != PIETRA_OK)
        return result;
    if (!surface_cache_cpu(cache))
        return error_set_memory(job->error);
    if (stream_get_header(stream)->effect_count == 0)
        return draw_on_cpu(cache->cpu, stream, &config, job->budget, target, job->error);
    pietra_stream *made;
    result = draw_sheets(job, stream, &config, &made);
    if (result != PIETRA_OK)
        return result;
    result = draw_on_cpu(cache->cpu, made, &config, job->budget, target, job->error);
    pietra_stream_destroy(made);
    return result;
}

/* Draws what an image shows, with the surfaces in it. */
static pietra_result draw_stream(surface_job *job, const uint32_t *words, const surface_image *image, uint32_t *texels)
{
    const pietra_frame frame = {.transform = transform_scale(image->width, image->height)};
    const pietra_target target = {
        .width = image->width, .height = image->height, .format = PIETRA_FORMAT_RGBA8_PREMULTIPLIED, .pixels = texels};
    const stream_view view = stream_view_of(words);
    pietra_stream *stream = NULL;
    pietra_result result =
        view.header->surface_count > 0
            ? draw_surfaces(job, &view, &frame.transform, surface_work_inner_most(&job->work), true, &stream)
            : copy_stream(job, words, &stream);
    if (result == PIETRA_OK)
        result = draw_pixels(job, stream, &frame, &target);
    pietra_stream_destroy(stream);
    return result;
}

static bool keep_texels(surface_job *job, const surface_sizes *sizes, const surface_image *image,
                        const uint32_t *texels)
{
    const size_t count = (size_t)surface_image_texels(image);
    if (surface_work_make_room(&job->work, image))
        array_free(&job->texels);
    const size_t place = job->texels.count;
    if (!array_reserve(&job->texels, count) || !surface_work_keep(&job->work, sizes, image, place))
        return false;
    memcpy(job->texels.items + place, texels, count * sizeof *texels);
    job->texels.count += count;
    return true;
}

/* Only surfaces in surfaces can appear again. */
static pietra_result draw_image(surface_job *job, const surface_sizes *sizes, const surface_image *image, bool is_inner,
                                uint32_t *texels)
{
    uint64_t place;
    if (surface_work_find(&job->work, sizes, image, &place)) {
        memcpy(texels, job->texels.items + place, (size_t)surface_image_texels(image) * sizeof *texels);
        return PIETRA_OK;
    }
    pietra_result result = surface_work_add(&job->work, sizes, image, job->error);
    if (result == PIETRA_OK)
        result = draw_stream(job, surface_image_words(sizes, image), image, texels);
    if (result == PIETRA_OK && is_inner && !keep_texels(job, sizes, image, texels))
        result = error_set_memory(job->error);
    return result;
}

static pietra_result draw_images(surface_job *job, const surface_sizes *sizes, bool is_inner, pietra_stream *made)
{
    uint32_t *texels = made->words + stream_get_header(made)->texels + sizes->view.header->texel_count;
    for (size_t i = 0; i < sizes->images.count; i++) {
        const surface_image *image = &sizes->images.items[i];
        pietra_result result = draw_image(job, sizes, image, is_inner, texels);
        if (result != PIETRA_OK)
            return result;
        texels += surface_image_texels(image);
    }
    return PIETRA_OK;
}

/* Makes a stream with images in place of its surfaces. It recurses as deep as surfaces nest, which the validator limits
 * to SURFACE_DEPTH_MAX. If it fails, nothing is made. */
static pietra_result draw_surfaces(surface_job *job, const stream_view *view, const pietra_transform *frame,
                                   uint64_t texels_most, bool is_inner, pietra_stream **made)
{
    surface_sizes sizes = {.costs = NULL};
    pietra_stream *drawn = NULL;
    pietra_result result = surface_sizes_make(view, frame, texels_most, job->error, &sizes);
    if (result == PIETRA_OK)
        result = surface_stream_make(&sizes, false, job->error, &drawn);
    if (result == PIETRA_OK)
        result = draw_images(job, &sizes, is_inner, drawn);
    surface_sizes_free(&sizes);
    if (result == PIETRA_OK)
        *made = drawn;
    else
        pietra_stream_destroy(drawn);
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
        const frame_work before = budget->work;
        surface_job job = {.cache = cache, .budget = budget, .error = error, .work.frame = &budget->work};
        const stream_view view = stream_view_of(stream_words(stream));
        pietra_stream *made = NULL;
        pietra_result result = draw_surfaces(&job, &view, &shown, SURFACE_TEXELS_MOST, false, &made);
        surface_work_free(&job.work);
        array_free(&job.texels);
        if (result != PIETRA_OK)
            return result;
        pietra_stream_destroy(cache->drawn);
        cache->drawn = made;
        frame_work_since(&budget->work, &before, cache->spent);
        cache->needed_bytes = part_budget_is_raised(budget) ? budget->bytes : 0;
        cache->stream_id = stream_id(stream);
        cache->frame = shown;
    } else if (frame_work_spend_again(&budget->work, cache->spent, error) != PIETRA_OK) {
        return PIETRA_ERROR_INPUT;
    }
    if (cache->needed_bytes > budget->bytes)
        budget->bytes = cache->needed_bytes;
    *drawn = cache->drawn;
    return PIETRA_OK;
}
