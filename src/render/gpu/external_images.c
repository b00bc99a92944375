/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "render/gpu/external_images.h"

#include "base/error.h"
#include "layout/external.h"
#include "primitive/primitive.h"

/* Includes static const uint32_t spv_<stem>[] for every entry point of shaders/stages. */
#include "spv/pipeline_arrays.inc"

static const pietra_vulkan_external *find_given(const external_gift *gift, uint32_t id)
{
    for (size_t i = 0; i < gift->count; i++)
        if (gift->externals[i].id == id)
            return &gift->externals[i];
    return NULL;
}

/* Returns where an image's texels lie. A kernel sees a range from a multiple on, so *first words come before them. */
static gpu_range range_of(const gpu_device *device, const resident_stream *stream, const external_image *image,
                          uint32_t *first)
{
    const uint64_t begin = stream->texels + sizeof(uint32_t) * image->first_texel;
    const uint64_t lead = begin % gpu_get_limits(device)->storage_alignment;
    *first = (uint32_t)(lead / sizeof(uint32_t));
    return (gpu_range){
        .buffer = &stream->buffer, .offset = begin - lead, .bytes = lead + sizeof(uint32_t) * image->texel_count};
}

pietra_result external_prepare(external_reader *reader, const resident_stream *stream, const external_gift *gift,
                               pietra_error *error)
{
    const gpu_program_info info = {.name = "00_external",
                                   .spirv = spv_00_external,
                                   .word_count = sizeof spv_00_external / sizeof spv_00_external[0],
                                   .buffer_count = 1,
                                   .reads_image = true,
                                   .push_bytes = sizeof(external_push)};
    uint32_t first;
    if (stream->externals.count == 0 || gift->count == 0)
        return PIETRA_OK;
    for (size_t i = 0; i < stream->externals.count; i++) {
        const external_image *image = &stream->externals.items[i];
        if (range_of(reader->device, stream, image, &first).bytes > gpu_get_limits(reader->device)->max_binding_bytes)
            return error_set(error, PIETRA_ERROR_BUDGET, 0,
                             "external image %u is larger than what the device's kernels can see", image->id);
    }
    return reader->program ? PIETRA_OK : gpu_program_create(reader->device, &info, error, &reader->program);
}

static void record_level(const external_reader *reader, gpu_recorder *recorder, const resident_stream *stream,
                         const external_image *image, uint32_t index, const pietra_vulkan_external *given)
{
    const stream_mip_level level = external_level(image, index);
    external_push push = {.width = level.width, .height = level.height, .straight = !given->premultiplied};
    uint32_t first;
    const gpu_range texels = range_of(reader->device, stream, image, &first);
    first -= (uint32_t)image->first_texel; /* of the stream's first texel; it may wrap */
    push.to = first + level.first_texel;
    if (index > 0) {
        const stream_mip_level finer = external_level(image, index - 1);
        push.from = first + finer.first_texel;
        push.from_width = finer.width;
        push.from_height = finer.height;
    }
    const uint64_t groups = ((uint64_t)push.width * push.height + EXTERNAL_INVOCATIONS - 1) / EXTERNAL_INVOCATIONS;
    const primitive_grid grid = primitive_grid_of((uint32_t)groups);
    gpu_dispatch_from_image(recorder, reader->program, texels, given->view, given->layout, &push, grid.x, grid.y);
}

/* Records a level of all images that have it and are given. Returns whether there is one. */
static bool record_levels(const external_reader *reader, gpu_recorder *recorder, const resident_stream *stream,
                          const external_gift *gift, uint32_t index)
{
    bool has_some = false;
    for (size_t i = 0; i < stream->externals.count; i++) {
        const external_image *image = &stream->externals.items[i];
        const pietra_vulkan_external *given = find_given(gift, image->id);
        if (!given || index >= image->level_count)
            continue;
        record_level(reader, recorder, stream, image, index, given);
        has_some = true;
    }
    return has_some;
}

void external_record(const external_reader *reader, gpu_recorder *recorder, const resident_stream *stream,
                     const external_gift *gift)
{
    if (stream->externals.count == 0)
        return;
    for (size_t i = 0; i < stream->externals.count; i++) {
        const external_image *image = &stream->externals.items[i];
        const gpu_range texels = {.buffer = &stream->buffer,
                                  .offset = stream->texels + sizeof(uint32_t) * image->first_texel,
                                  .bytes = sizeof(uint32_t) * image->texel_count};
        if (!find_given(gift, image->id))
            gpu_fill(recorder, texels, 0);
    }
    gpu_acquire_images(recorder);
    for (uint32_t index = 0; record_levels(reader, recorder, stream, gift, index); index++)
        gpu_barrier_dispatches(recorder);
    gpu_mark(recorder, "00 external");
}

void external_reader_free(external_reader *reader)
{
    gpu_program_destroy(reader->program);
    reader->program = NULL;
}
