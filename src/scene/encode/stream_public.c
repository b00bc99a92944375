/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "pietra/pietra.h"
#include "scene/encode/encode.h"
#include "scene/stream.h"
#include "scene/validate/validate.h"

pietra_result pietra_stream_encode(const pietra_scene *scene, pietra_error *error, pietra_stream **stream)
{
    if (!scene || !stream)
        return error_set_null(error, !scene ? "scene" : "stream");
    return encode_scene(scene, 1, error, stream);
}

pietra_result pietra_stream_encode_by(const pietra_scene *scene, uint32_t threads, pietra_error *error,
                                      pietra_stream **stream)
{
    if (!scene || !stream)
        return error_set_null(error, !scene ? "scene" : "stream");
    return encode_scene(scene, threads, error, stream);
}

pietra_result pietra_stream_encode_and_destroy(pietra_scene *scene, uint32_t threads, pietra_error *error,
                                               pietra_stream **stream)
{
    pietra_result result = !scene || !stream ? error_set_null(error, !scene ? "scene" : "stream")
                                             : encode_spoiling_scene(scene, threads, error, stream);
    pietra_scene_destroy(scene);
    return result;
}

pietra_result pietra_stream_open(const void *bytes, size_t byte_count, pietra_error *error, pietra_stream **stream)
{
    if ((!bytes && byte_count > 0) || !stream)
        return error_set_null(error, !stream ? "stream" : "bytes");
    if (byte_count % sizeof(uint32_t) != 0) {
        return error_set(error, PIETRA_ERROR_INPUT, 0, "a stream of %zu bytes is not a whole number of words",
                         byte_count);
    }
    size_t word_count = byte_count / sizeof(uint32_t);
    pietra_stream *opened = stream_allocate(word_count, false);
    if (!opened)
        return error_set_memory(error);
    /* The copy is checked, because the caller's bytes may be misaligned and may change. */
    if (byte_count > 0)
        memcpy(opened->words, bytes, byte_count);
    pietra_result result = validate_stream(opened->words, word_count, NULL, error);
    if (result != PIETRA_OK) {
        free(opened);
        return result;
    }
    *stream = opened;
    return PIETRA_OK;
}

const void *pietra_stream_bytes(const pietra_stream *stream, size_t *byte_count)
{
    if (byte_count)
        *byte_count = stream ? stream->word_count * sizeof(uint32_t) : 0;
    return stream ? stream->words : NULL;
}

void pietra_stream_destroy(pietra_stream *stream)
{
    free(stream);
}
