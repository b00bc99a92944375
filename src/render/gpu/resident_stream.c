/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "render/gpu/resident_stream.h"

#include <string.h>

#include "base/error.h"

#define COMPARED_BYTES 1024u                 /* words are compared in blocks of this size */
#define COPIES_MOST 64u                      /* what differs in more places is copied with what lies between */
#define KEPT_BYTES_MOST ((uint64_t)16 << 20) /* of larger streams there is no copy */

#define TEXEL_WINDOW_BYTES ((uint64_t)sizeof(uint32_t) << TEXEL_WINDOW_SHIFT)

pietra_result resident_stream_check_texels(const gpu_limits *limits, const pietra_stream *stream, pietra_error *error)
{
    const stream_header *header = stream_get_header(stream);
    const uint64_t bytes = (uint64_t)header->texel_count * 4, all_bytes = (uint64_t)header->word_count * 4;
    /* If a window is larger than what kernels can see, only the beginning of the first window is visible. */
    const uint64_t most =
        limits->max_binding_bytes < TEXEL_WINDOW_BYTES ? limits->max_binding_bytes : TEXEL_WINDOWS * TEXEL_WINDOW_BYTES;
    if (bytes > most) {
        return error_set(error, PIETRA_ERROR_BUDGET, 0,
                         "the scene's images take %llu bytes; the device's kernels can see %llu",
                         (unsigned long long)bytes, (unsigned long long)most);
    }
    if (all_bytes > limits->max_allocation_bytes) {
        return error_set(error, PIETRA_ERROR_BUDGET, 0,
                         "the scene takes %llu bytes with its images; the device's buffers can hold %llu",
                         (unsigned long long)all_bytes, (unsigned long long)limits->max_allocation_bytes);
    }
    return PIETRA_OK;
}

/* Checks that kernels can see the stream: all of it at once except its texels, which they see in windows. */
static pietra_result check_stream(const gpu_limits *limits, const pietra_stream *stream, pietra_error *error)
{
    const uint64_t bytes = (uint64_t)stream_get_header(stream)->texels * 4;
    if (bytes > limits->max_binding_bytes) {
        return error_set(error, PIETRA_ERROR_BUDGET, 0,
                         "the scene takes %llu bytes; the device's kernels can see %llu at once",
                         (unsigned long long)bytes, (unsigned long long)limits->max_binding_bytes);
    }
    return resident_stream_check_texels(limits, stream, error);
}

/* Records copies of texels, the first of which lies `offset` bytes from the start of `to`. */
static void record_texels(gpu_recorder *recorder, const gpu_buffer *from, const gpu_buffer *to, uint64_t offset,
                          const texel_copy *copies, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const uint64_t bytes = sizeof(uint32_t) * copies[i].count;
        gpu_copy(recorder, (gpu_range){.buffer = from, .offset = sizeof(uint32_t) * copies[i].from, .bytes = bytes},
                 (gpu_range){.buffer = to, .offset = offset + sizeof(uint32_t) * copies[i].to});
    }
}

pietra_result resident_surfaces_renew(resident_surfaces *surfaces, uint64_t count, const texel_copy *kept,
                                      size_t kept_count, pietra_error *error)
{
    const gpu_buffer before = surfaces->texels;
    surfaces->texels = surfaces->other;
    surfaces->other = before;
    pietra_result result =
        gpu_buffer_ensure(surfaces->device, sizeof(uint32_t) * count, GPU_MEMORY_DEVICE, error, &surfaces->texels);
    if (result != PIETRA_OK || kept_count == 0 || (result = gpu_recorder_begin(surfaces->recorder, error)) != PIETRA_OK)
        return result;
    record_texels(surfaces->recorder, &surfaces->other, &surfaces->texels, 0, kept, kept_count);
    return gpu_recorder_submit_and_wait(surfaces->recorder, error);
}

pietra_result resident_surfaces_read(const resident_surfaces *surfaces, pietra_error *error, uint32_t *to)
{
    uint64_t first = UINT64_MAX, end = 0;
    gpu_buffer copy = {.bytes = 0};
    for (size_t i = 0; i < surfaces->shown_count; i++) {
        const texel_copy *shown = &surfaces->shown[i];
        first = shown->to < first ? shown->to : first;
        end = shown->to + shown->count > end ? shown->to + shown->count : end;
    }
    if (first >= end)
        return PIETRA_OK;
    const size_t bytes = (size_t)(end - first) * sizeof *to;
    pietra_result result = gpu_buffer_create(surfaces->device, bytes, GPU_MEMORY_READBACK, error, &copy);
    if (result != PIETRA_OK)
        return result;
    result = gpu_recorder_begin(surfaces->recorder, error);
    for (size_t i = 0; result == PIETRA_OK && i < surfaces->shown_count; i++) {
        texel_copy shown = surfaces->shown[i];
        shown.to -= first;
        record_texels(surfaces->recorder, &surfaces->texels, &copy, 0, &shown, 1);
    }
    if (result == PIETRA_OK)
        result = gpu_recorder_submit_and_wait(surfaces->recorder, error);
    if (result == PIETRA_OK)
        memcpy(to + first, copy.mapped, bytes);
    gpu_buffer_destroy(surfaces->device, &copy);
    return result;
}

void resident_surfaces_free(gpu_device *device, resident_surfaces *surfaces)
{
    gpu_buffer_destroy(device, &surfaces->texels);
    gpu_buffer_destroy(device, &surfaces->other);
}

static pietra_result make_room(gpu_device *device, const pietra_stream *stream, pietra_error *error,
                               resident_stream *resident)
{
    const bool is_local = gpu_get_limits(device)->upload_is_local;
    const uint64_t all_bytes = (uint64_t)stream_get_header(stream)->word_count * sizeof(uint32_t);
    size_t bytes;
    (void)pietra_stream_bytes(stream, &bytes);
    pietra_result result = check_stream(gpu_get_limits(device), stream, error);
    if (result == PIETRA_OK)
        result = gpu_buffer_ensure(device, all_bytes, is_local ? GPU_MEMORY_UPLOAD : GPU_MEMORY_DEVICE, error,
                                   &resident->buffer);
    return result == PIETRA_OK && !is_local
               ? gpu_buffer_ensure(device, bytes, GPU_MEMORY_UPLOAD, error, &resident->upload)
               : result;
}

/* Gives the next words that are copied, in bytes: all but the texels of external images. `image` is the number of the
 * next of these, and *end where the words before these end. Returns false if there are no more. */
static bool next_words(const resident_stream *resident, uint64_t bytes, size_t *image, uint64_t *begin, uint64_t *end)
{
    const external_image *at = *image > 0 ? &resident->externals.items[*image - 1] : NULL;
    const external_image *next = *image < resident->externals.count ? &resident->externals.items[*image] : NULL;
    *begin = at ? resident->texels + sizeof(uint32_t) * (at->first_texel + at->texel_count) : 0;
    *end = next ? resident->texels + sizeof(uint32_t) * next->first_texel : bytes;
    return ++*image <= resident->externals.count + 1;
}

/* Notes that bytes are written. False: out of memory. */
static bool write_range(resident_stream *resident, uint64_t begin, uint64_t end)
{
    written_range *last = resident->written.count > 0 ? &resident->written.items[resident->written.count - 1] : NULL;
    if (end <= begin)
        return true;
    if (last && last->end == begin) {
        last->end = end;
        return true;
    }
    written_range *added = array_push(&resident->written);
    if (added)
        *added = (written_range){begin, end};
    return added;
}

static bool write_all(resident_stream *resident, uint64_t bytes)
{
    uint64_t begin, end;
    bool fits = true;
    for (size_t image = 0; next_words(resident, bytes, &image, &begin, &end);)
        fits = fits && write_range(resident, begin, end);
    return fits;
}

/* Finds in which blocks a stream differs from what lies there. */
static bool write_changes(resident_stream *resident, const void *words, uint64_t bytes)
{
    const uint8_t *before = (const uint8_t *)resident->words.items, *now = words;
    for (uint64_t begin = 0; begin < bytes; begin += COMPARED_BYTES) {
        const uint64_t end = bytes - begin < COMPARED_BYTES ? bytes : begin + COMPARED_BYTES;
        if (memcmp(before + begin, now + begin, (size_t)(end - begin)) == 0)
            continue;
        if (resident->written.count == COPIES_MOST)
            resident->written.items[COPIES_MOST - 1].end = end;
        else if (!write_range(resident, begin, end))
            return false;
    }
    return true;
}

/* Copies what is written, for the next stream. Without memory there is no copy. */
static void keep_words(resident_stream *resident, const void *words, uint64_t bytes, bool keeps)
{
    const size_t count = keeps ? (size_t)(bytes / sizeof(uint32_t)) : 0;
    resident->words.count = 0; /* where it was kept, all have room, and stay */
    if (array_reserve(&resident->words, count))
        resident->words.count = count;
    for (size_t i = 0; i < resident->written.count && resident->words.count > 0; i++) {
        const written_range range = resident->written.items[i];
        memcpy((uint8_t *)resident->words.items + range.begin, (const uint8_t *)words + range.begin,
               (size_t)(range.end - range.begin));
    }
}

pietra_result resident_stream_write(gpu_device *device, const pietra_stream *stream, pietra_error *error,
                                    resident_stream *resident)
{
    const stream_header *header = stream_get_header(stream);
    size_t bytes;
    const void *words = pietra_stream_bytes(stream, &bytes);
    const bool was_kept = resident->id != 0 && resident->composed == stream->composed &&
                          resident->words.count * sizeof(uint32_t) == bytes && resident->buffer.bytes >= bytes;
    resident->id = 0;
    resident->composed = stream->composed;
    resident->written.count = 0;
    pietra_result result = make_room(device, stream, error, resident);
    if (result != PIETRA_OK)
        return result;
    resident->texels = (uint64_t)header->texels * sizeof(uint32_t);
    resident->texels_end = (uint64_t)header->word_count * sizeof(uint32_t);
    if (!stream_find_externals(stream, &resident->externals))
        return error_set_memory(error);
    /* Frames write texels of external images and of effects. */
    const bool keeps =
        stream->composed && resident->externals.count == 0 && bytes == resident->texels_end && bytes <= KEPT_BYTES_MOST;
    if (!(was_kept && keeps ? write_changes(resident, words, bytes) : write_all(resident, bytes)))
        return error_set_memory(error);
    uint8_t *to = gpu_get_limits(device)->upload_is_local ? resident->buffer.mapped : resident->upload.mapped;
    for (size_t i = 0; i < resident->written.count; i++) {
        const written_range range = resident->written.items[i];
        memcpy(to + range.begin, (const uint8_t *)words + range.begin, (size_t)(range.end - range.begin));
    }
    keep_words(resident, words, bytes, keeps);
    resident->id = stream_id(stream);
    return PIETRA_OK;
}

void resident_stream_record(const gpu_device *device, gpu_recorder *recorder, const resident_stream *resident)
{
    if (gpu_get_limits(device)->upload_is_local)
        return;
    for (size_t i = 0; i < resident->written.count; i++) {
        const written_range range = resident->written.items[i];
        gpu_copy(recorder,
                 (gpu_range){.buffer = &resident->upload, .offset = range.begin, .bytes = range.end - range.begin},
                 (gpu_range){.buffer = &resident->buffer, .offset = range.begin});
    }
}

uint64_t resident_stream_written(const resident_stream *resident)
{
    uint64_t bytes = 0;
    for (size_t i = 0; i < resident->written.count; i++)
        bytes += resident->written.items[i].end - resident->written.items[i].begin;
    return bytes;
}

/* Copies what was written beside the stream's buffer, and the surfaces that it shows, as one submission. */
static pietra_result copy_into(gpu_device *device, gpu_recorder *recorder, const resident_surfaces *surfaces,
                               size_t shown_count, pietra_error *error, const resident_stream *resident)
{
    pietra_result result = gpu_recorder_begin(recorder, error);
    if (result != PIETRA_OK)
        return result;
    resident_stream_record(device, recorder, resident);
    record_texels(recorder, &surfaces->texels, &resident->buffer, resident->texels, surfaces->shown, shown_count);
    return gpu_recorder_submit_and_wait(recorder, error);
}

pietra_result resident_stream_put(gpu_device *device, gpu_recorder *recorder, const pietra_stream *stream,
                                  const resident_surfaces *surfaces, pietra_error *error, resident_stream *resident)
{
    size_t bytes;
    (void)pietra_stream_bytes(stream, &bytes);
    if (resident->id == stream_id(stream))
        return PIETRA_OK;
    pietra_result result = resident_stream_write(device, stream, error, resident);
    if (result != PIETRA_OK)
        return result;
    const bool has_more = bytes < (uint64_t)stream_get_header(stream)->word_count * sizeof(uint32_t);
    const size_t shown_count = has_more ? surfaces->shown_count : 0;
    if (!gpu_get_limits(device)->upload_is_local || shown_count > 0)
        result = copy_into(device, recorder, surfaces, shown_count, error, resident);
    if (result != PIETRA_OK)
        resident->id = 0;
    return result;
}

void resident_stream_free(gpu_device *device, resident_stream *resident)
{
    gpu_buffer_destroy(device, &resident->buffer);
    gpu_buffer_destroy(device, &resident->upload);
    array_free(&resident->externals);
    array_free(&resident->written);
    array_free(&resident->words);
    resident->id = 0;
}

gpu_range resident_stream_words(const resident_stream *resident)
{
    return (gpu_range){.buffer = &resident->buffer, .bytes = resident->texels};
}

gpu_range resident_stream_texels(const resident_stream *resident, uint32_t window)
{
    uint64_t start = resident->texels + window * TEXEL_WINDOW_BYTES;
    if (start >= resident->texels_end)
        return (gpu_range){.buffer = &resident->buffer, .bytes = 4};
    uint64_t rest = resident->texels_end - start;
    return (gpu_range){
        .buffer = &resident->buffer, .offset = start, .bytes = rest < TEXEL_WINDOW_BYTES ? rest : TEXEL_WINDOW_BYTES};
}
