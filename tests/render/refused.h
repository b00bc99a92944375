/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* A scene that must stay as it is while calls with bad arguments are refused with PIETRA_ERROR_INPUT and a message. */
#ifndef PIETRA_TESTS_RENDER_REFUSED_H
#define PIETRA_TESTS_RENDER_REFUSED_H

#include <math.h>

#include "scene/scene_fixture.h"

/* An enumerator that no type has. */
#define UNKNOWN 77

#define ASSERT_REFUSED(call) \
    do { \
        pietra_error refusal = {.message = ""}, *error = &refusal; \
        if ((call) != PIETRA_ERROR_INPUT || refusal.result != PIETRA_ERROR_INPUT || strlen(refusal.message) < 10) { \
            fail_msg("%s gives %d: %s", #call, (int)refusal.result, refusal.message); \
        } \
        error = NULL; \
        assert_int_equal((call), PIETRA_ERROR_INPUT); \
    } while (0)

/* The message also names the value. */
#define ASSERT_UNKNOWN(call) \
    do { \
        pietra_error unknown = {.message = ""}, *error = &unknown; \
        ASSERT_REFUSED(call); \
        (void)(call); \
        if (!strstr(unknown.message, " is 77; it must be 0 to ")) { \
            fail_msg("%s: %s", #call, unknown.message); \
        } \
    } while (0)

static const double NOT_FINITE[] = {NAN, INFINITY, -INFINITY};

typedef struct stage {
    pietra_scene *scene;
    pietra_path *path;
    pietra_stream *before;
} stage;

/* Makes a scene with some content, and the stream of it. */
static inline stage stage_set(void)
{
    stage s = {.scene = new_scene(), .path = path_from("M 1 1 L 9 1 L 5 8 Z")};
    fill(s.scene, "R 1 1 3 3", &RED);
    s.before = encode(s.scene);
    return s;
}

static inline void assert_unchanged(const stage *s)
{
    pietra_stream *after = encode(s->scene);
    size_t size_before, size_after;
    const void *before = pietra_stream_bytes(s->before, &size_before), *bytes = pietra_stream_bytes(after, &size_after);
    assert_int_equal(size_before, size_after);
    assert_memory_equal(before, bytes, size_after);
    pietra_stream_destroy(after);
}

static inline void stage_strike(stage *s)
{
    assert_unchanged(s);
    pietra_stream_destroy(s->before);
    pietra_path_destroy(s->path);
    pietra_scene_destroy(s->scene);
}

#endif
