/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Pixels of a scene on the reference device. */
#ifndef PIETRA_RENDER_REFERENCE_PIXELS_H
#define PIETRA_RENDER_REFERENCE_PIXELS_H

#include "scene/scene_fixture.h"

/* Draws into side times side pixels, premultiplied, and destroys the scene. */
static inline void draw_by_reference(pietra_scene *scene, uint32_t side, uint32_t *pixels)
{
    pietra_stream *stream = encode_and_destroy(scene);
    pietra_device *device;
    ASSERT_OK(pietra_device_create(&(pietra_device_options){.kind = PIETRA_DEVICE_REFERENCE}, error, &device));
    pietra_target target = {
        .width = side, .height = side, .format = PIETRA_FORMAT_RGBA8_PREMULTIPLIED, .pixels = pixels};
    ASSERT_OK(pietra_render(device, stream, NULL, &target, error, NULL));
    pietra_device_destroy(device);
    pietra_stream_destroy(stream);
}

#endif
