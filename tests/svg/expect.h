/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* What documents must give: calls of a scene that writes them down, or an error. */
#ifndef PIETRA_TESTS_SVG_EXPECT_H
#define PIETRA_TESTS_SVG_EXPECT_H

#include "svg/record.h"

#define SVG_OPEN \
    "<svg xmlns='http://www.w3.org/2000/svg' xmlns:xlink='http://www.w3.org/1999/xlink' width='100' height='100'>"

/* Asserts that the document gives exactly these calls. */
static inline void assert_document(const char *document, const char *expected)
{
    pietra_scene scene = {0};
    pietra_error error = {0};
    double width, height;
    record_text(&scene, "%s", "");
    pietra_result result = pietra_scene_load_svg(&scene, document, strlen(document), NULL, &error, &width, &height);
    if (result != PIETRA_OK)
        fail_msg("line %u: %s", error.line, error.message);
    assert_int_equal(scene.depth, 0);
    assert_string_equal(scene.log, expected);
    free(scene.log);
}

/* Does the same for content inside an svg element of 100 x 100. */
static inline void assert_content(const char *content, const char *expected)
{
    size_t size = strlen(content) + sizeof SVG_OPEN + 10;
    char *document = malloc(size);
    assert_non_null(document);
    snprintf(document, size, "%s%s</svg>", SVG_OPEN, content);
    assert_document(document, expected);
    free(document);
}

/* Asserts that the document fails, at this line, with a message that contains this text. NULL: the usual options. */
static inline void assert_fails_by(const void *bytes, size_t count, const pietra_svg_options *options, uint32_t line,
                                   const char *reason)
{
    pietra_scene scene = {.silent = true};
    pietra_error error = {0};
    double width = 7, height = 7;
    assert_int_equal(pietra_scene_load_svg(&scene, bytes, count, options, &error, &width, &height), PIETRA_ERROR_INPUT);
    assert_int_equal(error.result, PIETRA_ERROR_INPUT);
    if (!strstr(error.message, reason))
        fail_msg("'%s' does not say '%s'", error.message, reason);
    if (line != error.line)
        fail_msg("line %u instead of %u: %s", error.line, line, error.message);
    assert_true(width == 7 && height == 7);
}

static inline void assert_fails(const void *bytes, size_t count, uint32_t line, const char *reason)
{
    assert_fails_by(bytes, count, NULL, line, reason);
}

/* Loads a document that may be large, and returns the number of calls. */
static inline size_t load_silently(const void *bytes, size_t count)
{
    pietra_scene scene = {.silent = true};
    pietra_error error = {0};
    double width, height;
    pietra_result result = pietra_scene_load_svg(&scene, bytes, count, NULL, &error, &width, &height);
    if (result != PIETRA_OK)
        fail_msg("line %u: %s", error.line, error.message);
    assert_int_equal(scene.depth, 0);
    return scene.calls;
}

#endif
