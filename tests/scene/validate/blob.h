/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Streams with a fault of our making, and what the validator is expected to say of them. */
#ifndef PIETRA_TESTS_SCENE_VALIDATE_BLOB_H
#define PIETRA_TESTS_SCENE_VALIDATE_BLOB_H

#include "scene/scene_fixture.h"
#include "scene/validate/validate.h"

/* A writable copy of a stream's blob. */
typedef struct blob {
    uint32_t *words;
    size_t count;
} blob;

static inline blob blob_of(pietra_scene *scene)
{
    pietra_stream *stream = encode_and_destroy(scene);
    blob made = {malloc(stream->word_count * sizeof(uint32_t)), stream->word_count};
    assert_non_null(made.words);
    memcpy(made.words, stream_words(stream), made.count * sizeof(uint32_t));
    pietra_stream_destroy(stream);
    return made;
}

static inline blob complex_blob(void)
{
    return blob_of(complex_scene());
}

static inline stream_header *header_of(blob b)
{
    return (stream_header *)b.words;
}
static inline stream_element *element_at(blob b, uint32_t i)
{
    return (stream_element *)(b.words + header_of(b)->elements) + i;
}
static inline stream_path *path_at(blob b, uint32_t i)
{
    return (stream_path *)(b.words + header_of(b)->paths) + i;
}
static inline uint8_t *tag_at(blob b, uint32_t i)
{
    return (uint8_t *)(b.words + header_of(b)->tags) + i;
}
static inline float *point_at(blob b, uint32_t i)
{
    return (float *)(b.words + header_of(b)->points) + 2 * i;
}
static inline stream_transform *transform_at(blob b, uint32_t i)
{
    return (stream_transform *)(b.words + header_of(b)->transforms) + i;
}
static inline stream_style *style_at(blob b, uint32_t i)
{
    return (stream_style *)(b.words + header_of(b)->styles) + i;
}
static inline float *dash_at(blob b, uint32_t i)
{
    return (float *)(b.words + header_of(b)->dashes) + i;
}
static inline stream_paint *paint_at(blob b, uint32_t i)
{
    return (stream_paint *)(b.words + header_of(b)->paints) + i;
}
static inline stream_stop *stop_at(blob b, uint32_t i)
{
    return (stream_stop *)(b.words + header_of(b)->stops) + i;
}

/* Returns whether the blob opens. A stream that opens is also described, so that the sanitizers see every index
 * used. */
static inline bool opens(blob b, FILE *sink, char message[500])
{
    pietra_stream *stream = NULL;
    pietra_error error = {.result = PIETRA_OK};
    pietra_result result = pietra_stream_open(b.words, b.count * sizeof(uint32_t), &error, &stream);
    if (result == PIETRA_OK) {
        if (sink)
            stream_describe(stream, sink);
        pietra_stream_destroy(stream);
        return true;
    }
    assert_int_equal(result, PIETRA_ERROR_INPUT);
    assert_int_equal(error.result, PIETRA_ERROR_INPUT);
    assert_true(strlen(error.message) > 5);
    if (message)
        memcpy(message, error.message, 500);
    return false;
}

static inline void assert_rejected(blob b, const char *part)
{
    char message[500];
    if (opens(b, NULL, message))
        fail_msg("opened, where `%s` was expected", part);
    if (!strstr(message, part))
        fail_msg("`%s` does not say `%s`", message, part);
    free(b.words);
}

/* Breaks a blob, as `b`, in one place. */
#define REJECTS_IN(made, part, change) \
    do { \
        blob b = (made); \
        change; \
        assert_rejected(b, part); \
    } while (0)

/* Breaks the complex stream. Its elements are fffs([f[{f[s]}(f)]])[s]. */
#define REJECTS(part, change) REJECTS_IN(complex_blob(), part, change)

#endif
