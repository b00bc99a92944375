/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Writes pictures into images of the caller (pietra_vulkan.h). */
#ifndef PIETRA_RENDER_GPU_IMAGE_TARGET_H
#define PIETRA_RENDER_GPU_IMAGE_TARGET_H

#include "layout/image_target.h"
#include "pietra/pietra_vulkan.h"
#include "vulkan/recorder.h"

/* What is written, and when. */
typedef struct image_target {
    const pietra_vulkan_target *target;
    const pietra_vulkan_order *order;
    uint32_t x, y; /* where in the image the picture lies */
    /* What of the picture is written, in its pixels: boxes that do not overlap; none: all of it. */
    pietra_pixel_box boxes[DRAWN_BOXES];
    uint32_t box_count;
} image_target;

/* Lets a frame write an image only if it found room for everything. Only images with a view for storage have that. */
typedef struct image_guard {
    gpu_range counters; /* the frame's */
    frame_room room;
} image_guard;

/* What writes. All zero but for the device and the recorder: nothing was written yet. */
typedef struct image_writer {
    gpu_device *device;
    gpu_recorder *recorder;
    gpu_program *programs[IMAGE_FORMATS], *store, *store_guarded; /* made when they are needed */
    gpu_buffer pixels;                                            /* in the image's format */
    gpu_buffer upload;                                            /* a picture of the host */
} image_writer;

/* PIETRA_ERROR_INPUT: no image of the format can be written. */
pietra_result image_target_check(const pietra_vulkan_target *target, pietra_error *error);

/* Makes what a conversion writes with, and where. Buffers that grow must not be in use. */
pietra_result image_make_room(image_writer *writer, const pietra_vulkan_target *target, bool is_guarded,
                              pietra_error *error);
/* Returns whether there is room without growing. */
bool image_has_room(const image_writer *writer, const pietra_vulkan_target *target);
/* Records what writes the image. There must be room. guard may be NULL. */
void image_record(const image_writer *writer, gpu_recorder *recorder, const image_target *image, gpu_range picture,
                  uint32_t pitch, const image_guard *guard);

/* Writes the image from a picture whose words lie `pitch` apart from row to row, and waits for it. */
pietra_result image_write(image_writer *writer, const image_target *image, gpu_range picture, uint32_t pitch,
                          pietra_error *error);
/* Does the same from the host's memory, without gaps. */
pietra_result image_write_from_host(image_writer *writer, const image_target *image, const uint32_t *picture,
                                    pietra_error *error);

void image_writer_free(image_writer *writer);

#endif
