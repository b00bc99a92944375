/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* A window of instances that come, go and move, frame after frame, in ever other sizes, and the picture that each frame
 * must have: that of one scene into which all that is shown was drawn. */
#ifndef PIETRA_TESTS_RENDER_INSTANCE_FRAMES_H
#define PIETRA_TESTS_RENDER_INSTANCE_FRAMES_H

#include <string.h>

#include "pietra/pietra_instance.h"
#include "pietra/pietra_view.h"
#include "property/random_scene.h"
#include "scene/scene_fixture.h"

#define FRAME_SIDE 64u
#define PARTS 6u       /* scenes that are shown */
#define PART_SIDE 24.0 /* pixels */
#define SHOWN_MOST 9u
#define DAMAGE_MOST 5u

typedef struct instance_frames {
    random_source source;
    pietra_scene *parts[PARTS];
    pietra_stream *streams[PARTS];
    uint32_t shown[SHOWN_MOST]; /* parts */
    pietra_instance instances[SHOWN_MOST];
    uint32_t count;
    uint32_t width, height;
    pietra_composition *composition;
    pietra_pixel_box damage[DAMAGE_MOST];
} instance_frames;

static inline void make_part(instance_frames *frames, uint32_t index, uint64_t seed)
{
    frames->parts[index] = random_scene_create(seed, RANDOM_DYADIC, PART_SIDE);
    ASSERT_OK(pietra_stream_encode(frames->parts[index], error, &frames->streams[index]));
}

static inline instance_frames *instance_frames_create(uint64_t seed)
{
    instance_frames *made = calloc(1, sizeof *made);
    assert_non_null(made);
    made->source = random_start(seed);
    made->composition = pietra_composition_create();
    made->width = made->height = FRAME_SIDE;
    for (uint32_t i = 0; i < PARTS; i++)
        make_part(made, i, 100 * seed + i);
    return made;
}

static inline void instance_frames_destroy(instance_frames *frames)
{
    for (uint32_t i = 0; i < PARTS; i++) {
        pietra_scene_destroy(frames->parts[i]);
        pietra_stream_destroy(frames->streams[i]);
    }
    pietra_composition_destroy(frames->composition);
    free(frames);
}

static inline void place(instance_frames *frames, uint32_t index)
{
    const uint32_t part = random_below(&frames->source, PARTS);
    frames->shown[index] = part;
    frames->instances[index] = (pietra_instance){.stream = frames->streams[part], .transform = {.a = 1, .d = 1}};
    frames->instances[index].transform.e = (double)random_below(&frames->source, FRAME_SIDE + 20) - 20;
    frames->instances[index].transform.f = (double)random_below(&frames->source, FRAME_SIDE + 20) - 20;
}

/* Another scene takes the place of one, whose stream goes although frames in flight may show it. */
static inline void replace_part(instance_frames *frames)
{
    const uint32_t part = random_below(&frames->source, PARTS);
    pietra_scene_destroy(frames->parts[part]);
    pietra_stream_destroy(frames->streams[part]);
    make_part(frames, part, 1000 + random_below(&frames->source, 100));
    for (uint32_t i = 0; i < frames->count; i++)
        if (frames->shown[i] == part)
            frames->instances[i].stream = frames->streams[part];
}

/* Changes what is shown, and gives a submission that says so. `age` is set by the caller. */
static inline pietra_submission instance_frames_next(instance_frames *frames)
{
    random_source *source = &frames->source;
    pietra_submission submission = {.damage = frames->damage};
    if (random_below(source, 12) == 0) {
        frames->count = random_below(source, SHOWN_MOST + 1);
        for (uint32_t i = 0; i < frames->count; i++)
            place(frames, i);
    }
    if (frames->count > 0 && random_below(source, 2) == 0)
        place(frames, random_below(source, frames->count));
    if (random_below(source, 25) == 0)
        replace_part(frames);
    if (random_below(source, 15) == 0) {
        frames->width = 1 + random_below(source, FRAME_SIDE);
        frames->height = 1 + random_below(source, FRAME_SIDE);
    }
    ASSERT_OK(pietra_composition_set(frames->composition, frames->instances, frames->count, error, &submission.stream));
    submission.damage_count = pietra_composition_damage(frames->composition, NULL, DAMAGE_MOST, frames->damage);
    return submission;
}

/* Draws what a frame must show, by another device. */
static inline void expected_frame(const instance_frames *frames, pietra_device *device, uint8_t *pixels)
{
    pietra_scene *scene = pietra_scene_create();
    const pietra_target target = {.width = frames->width,
                                  .height = frames->height,
                                  .pixels = pixels,
                                  .format = PIETRA_FORMAT_RGBA8_PREMULTIPLIED};
    for (uint32_t i = 0; i < frames->count; i++)
        ASSERT_OK(pietra_scene_append(scene, frames->parts[frames->shown[i]], &frames->instances[i].transform, error));
    pietra_stream *stream = encode_and_destroy(scene);
    ASSERT_OK(pietra_render(device, stream, NULL, &target, error, NULL));
    pietra_stream_destroy(stream);
}

#endif
