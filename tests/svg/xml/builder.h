/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Text that grows, and what is expected of the document in it. */
#ifndef PIETRA_TESTS_SVG_XML_BUILDER_H
#define PIETRA_TESTS_SVG_XML_BUILDER_H

#include "all_sizes.h"
#include "svg/expect.h"

/* Text that grows, for documents of megabytes. */
typedef struct builder {
    char *bytes;
    size_t count, capacity;
} builder;

static inline void add_bytes(builder *builder, const void *bytes, size_t count)
{
    if (count > builder->capacity - builder->count) {
        builder->capacity = (builder->capacity + count) * 2;
        builder->bytes = realloc(builder->bytes, builder->capacity);
        assert_non_null(builder->bytes);
    }
    memcpy(builder->bytes + builder->count, bytes, count);
    builder->count += count;
}

static inline void add(builder *builder, const char *format, ...)
{
    char piece[1200];
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(piece, sizeof piece, format, arguments);
    va_end(arguments);
    assert_true(length >= 0 && (size_t)length < sizeof piece);
    add_bytes(builder, piece, (size_t)length);
}

static inline void add_times(builder *builder, const char *piece, size_t times)
{
    size_t length = strlen(piece);
    for (size_t i = 0; i < times; i++)
        add_bytes(builder, piece, length);
}

static inline void assert_builder_fails(builder *builder, uint32_t line, const char *reason)
{
    assert_fails(builder->bytes, builder->count, line, reason);
    free(builder->bytes);
}

/* Asserts that a document which demands too much fails at this line. By day it gets a tenth of the usual steps. */
static inline void assert_bomb_fails(builder *builder, uint32_t line)
{
    const pietra_svg_options options = {.limits = {.steps = all_sizes() ? 0 : few_cases() ? 60000 : 300000}};
    assert_fails_by(builder->bytes, builder->count, &options, line, "steps of reading and drawing");
    free(builder->bytes);
}

static inline void assert_calls(builder *builder, size_t calls)
{
    assert_int_equal(load_silently(builder->bytes, builder->count), calls);
    free(builder->bytes);
}

#define FAILS(document, line, reason) assert_fails(document, sizeof(document) - 1, line, reason)
#define SHAPE "<rect width='1' height='1'/>"

#endif
