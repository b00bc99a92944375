/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "scene/encode/encode.h"

#include <stdlib.h>

#include "base/error.h"
#include "base/hash.h"
#include "base/memory.h"
#include "base/transform.h"
#include "scene/rules.h"
#include "scene/build/scene_backdrop.h"
#include "scene/validate/validate.h"

/* Points that each thread should have to write, some 100 us of work. Fewer do not justify another thread. */
#define POINTS_OF_A_THREAD 16384u

static void measure_paths(void *user, size_t begin, size_t end)
{
    const encoder *encoder = user;
    for (size_t i = begin; i < end; i++)
        if (encoder->encoded_paths[i].scene_transform != STREAM_NONE)
            encode_measure_path(encoder, (uint32_t)i, encoder->encoded_paths[i].scene_transform);
}

/* Measures each path for the first element that has it, which nearly always is the first that needs it. Returns how
 * many elements the stream can have: a clip's source takes two. */
static size_t encode_measure_paths(encoder *encoder)
{
    const pietra_scene *scene = encoder->scene;
    size_t elements = scene->elements.count;
    for (size_t i = 0; i < scene->paths.count; i++) {
        encoder->encoded_paths[i].index = STREAM_NONE;
        encoder->encoded_paths[i].scene_transform = STREAM_NONE;
    }
    for (size_t i = 0; i < scene->elements.count; i++) {
        const scene_element *element = &scene->elements.items[i];
        if (element->path != STREAM_NONE && encoder->encoded_paths[element->path].scene_transform == STREAM_NONE)
            encoder->encoded_paths[element->path].scene_transform = element->transform;
        elements += (element->kind & ELEMENT_KIND_MASK) == ELEMENT_BEGIN_CLIP_SOURCE;
    }
    parallel_pool_share(encoder->pool, scene->paths.count, measure_paths, encoder);
    return elements;
}

/* Makes room for elements, paths and transforms in what will be their place if all that was measured is drawn. What
 * lies between is left for the paths. Unused room is never touched. */
static bool encode_make_room(encoder *encoder, size_t elements)
{
    const pietra_scene *scene = encoder->scene;
    size_t tags = 0, points = 0;
    for (size_t i = 0; i < scene->paths.count; i++)
        if (encoder->encoded_paths[i].scene_transform != STREAM_NONE) {
            tags += encoder->encoded_paths[i].segment_count;
            points += encoder->encoded_paths[i].point_count;
        }
    if (elements > STREAM_MAX_COUNT || tags > STREAM_MAX_COUNT || points > STREAM_MAX_COUNT)
        return false;
    stream_header header = {.element_count = (uint32_t)elements,
                            .path_count = (uint32_t)scene->paths.count,
                            .segment_count = (uint32_t)tags,
                            .point_count = (uint32_t)points};
    size_t before = stream_lay_out(&header);
    /* Each element takes at most one new transform. */
    encoder->stream =
        stream_allocate(before + elements * sizeof(stream_transform) / sizeof(uint32_t), encoder->gives_paths_back);
    if (!encoder->stream)
        return false;
    encoder->elements.items = (stream_element *)(encoder->stream->words + header.elements);
    encoder->transforms.items = (stream_transform *)(encoder->stream->words + before);
    encoder->elements.capacity = encoder->transforms.capacity = elements;
    encoder->labels = scene->labels.count > 0 ? malloc(elements * sizeof *encoder->labels) : NULL;
    return encoder->labels || scene->labels.count == 0;
}

static bool encode_start(encoder *encoder)
{
    const pietra_scene *scene = encoder->scene;
    encoder->white_paint = STREAM_NONE;
    encoder->encoded_paths = memory_alloc((scene->paths.count + 1) * sizeof *encoder->encoded_paths);
    encoder->encoded_paints = malloc((scene->paints.count + 1) * sizeof *encoder->encoded_paints);
    encoder->encoded_images = malloc((scene->images.count + 1) * sizeof *encoder->encoded_images);
    encoder->encoded_stops = malloc((scene->stops.count + 1) * sizeof *encoder->encoded_stops);
    if (!array_reserve(&encoder->paths, scene->paths.count) ||
        !array_reserve(&encoder->path_sources, scene->paths.count) ||
        !array_reserve(&encoder->paints, scene->paints.count) || !encoder->encoded_paths || !encoder->encoded_paints ||
        !encoder->encoded_images || !encoder->encoded_stops) {
        return false;
    }
    for (size_t i = 0; i < scene->stops.count; i++)
        encoder->encoded_stops[i] = STREAM_NONE;
    for (size_t i = 0; i < scene->images.count; i++)
        encoder->encoded_images[i] = STREAM_NONE;
    for (size_t i = 0; i < scene->paints.count; i++)
        encoder->encoded_paints[i].index = STREAM_NONE;
    return true;
}

static void encode_release(encoder *encoder)
{
    parallel_pool_destroy(encoder->pool);
    array_free(&encoder->paths);
    array_free(&encoder->path_sources);
    free(encoder->stream);
    free(encoder->labels);
    array_free(&encoder->paints);
    array_free(&encoder->stops);
    array_free(&encoder->levels);
    array_free(&encoder->mip_levels);
    array_free(&encoder->box_shadows);
    array_free(&encoder->effects);
    array_free(&encoder->effect_steps);
    array_free(&encoder->effect_values);
    array_free(&encoder->images);
    array_free(&encoder->surfaces);
    array_free(&encoder->placed);
    hash_free(&encoder->placed_table);
    intern_free(&encoder->transform_table);
    free(encoder->encoded_images);
    free(encoder->encoded_stops);
    free(encoder->encoded_paths);
    free(encoder->encoded_paints);
    free(encoder->layer_flags);
}

/* Makes the pool. NULL: one thread suffices, or memory allows no more. */
static parallel_pool *encode_pool(const pietra_scene *scene, uint32_t threads)
{
    uint32_t worth = parallel_workers(threads, 1 + scene->point_count / POINTS_OF_A_THREAD);
    return worth > 1 ? parallel_pool_create(worth) : NULL;
}

/* Does everything except the check. */
static pietra_result encode_all(encoder *encoder, uint32_t threads, pietra_error *error)
{
    if (encoder->scene->open.count > 0) {
        return error_set(error, PIETRA_ERROR_INPUT, 0, "the scene has %zu begin calls without their end",
                         encoder->scene->open.count);
    }
    if (!encode_start(encoder) || !encode_find_blends(encoder))
        return encode_too_large(error);
    encoder->pool = encode_pool(encoder->scene, threads);
    return encode_make_room(encoder, encode_measure_paths(encoder)) && encode_elements(encoder)
               ? encode_assemble(encoder, error)
               : encode_too_large(error);
}

/* Does the same for a scene whose backdrops are still below their effects. */
static pietra_result encode_settled(encoder *encoder, uint32_t threads, pietra_error *error)
{
    const pietra_scene *scene = encoder->scene;
    pietra_scene settled;
    if (scene->backdrops.count == 0 || scene->open.count > 0)
        return encode_all(encoder, threads, error);
    if (!scene_settle(scene, &settled))
        return error_set_memory(error);
    encoder->scene = &settled;
    pietra_result result = encode_all(encoder, threads, error);
    encoder->scene = scene;
    scene_settled_free(&settled);
    return result;
}

static pietra_result encode_and_check(encoder *encoder, uint32_t threads, pietra_error *error, pietra_stream **stream)
{
    pietra_result result = encode_settled(encoder, threads, error);
    if (result == PIETRA_OK)
        result = validate_stream(encoder->stream->words, encoder->stream->word_count, encoder->pool, error);
    if (result == PIETRA_OK) {
        *stream = encoder->stream;
        encoder->stream = NULL;
    }
    encode_release(encoder);
    return result;
}

pietra_result encode_scene(const pietra_scene *scene, uint32_t threads, pietra_error *error, pietra_stream **stream)
{
    encoder encoder = {.scene = scene};
    return encode_and_check(&encoder, threads, error, stream);
}

pietra_result encode_spoiling_scene(pietra_scene *scene, uint32_t threads, pietra_error *error, pietra_stream **stream)
{
    encoder encoder = {.scene = scene, .gives_paths_back = true};
    scene_own_taken_paths(scene);
    return encode_and_check(&encoder, threads, error, stream);
}

pietra_result encode_image_scene(const pietra_scene *scene, pietra_error *error, pietra_stream **stream,
                                 encode_images *shown)
{
    encoder encoder = {.scene = scene, .leaves_surfaces = true};
    pietra_result result = encode_settled(&encoder, 1, error);
    if (result == PIETRA_OK)
        result = validate_image_stream(encoder.stream->words, encoder.stream->word_count, error);
    if (result == PIETRA_OK) {
        *stream = encoder.stream;
        encoder.stream = NULL;
    }
    *shown = encoder.surfaces;
    encoder.surfaces = (encode_images){0};
    encode_release(&encoder);
    return result;
}
