/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The devices that must agree, and functions that draw on all of them. If a device differs from the first, this is
 * counted and reported as a failure, and both pictures are written side by side in the build directory. */
#ifndef TESTS_GOLDEN_PANEL_H
#define TESTS_GOLDEN_PANEL_H

#include <pietra/pietra.h>

#include "golden/picture.h"

#define PANEL_MOST_DEVICES 4

typedef struct panel {
    struct {
        const char *name;
        pietra_device_kind kind;
        pietra_device *device;
    } devices[PANEL_MOST_DEVICES];
    uint32_t count;
    uint32_t failures; /* differences, errors and messages so far */
    uint32_t messages; /* from the validation layer */
} panel;

/* Opens the reference, the CPU and the first GPU, the last with the validation layer if asked. If one cannot be opened,
 * prints the reason to standard error and ends the process with failure. The environment
 * variable PIETRA_TEST_DEVICES, for example "reference,cpu", leaves out the others. */
void panel_open(panel *p, bool validation);
/* Does the same with options for all devices. */
void panel_open_with(panel *p, bool validation, pietra_device_options options);
void panel_close(panel *p);

/* Counts a failure and prints its reason. */
void panel_fail(panel *p, const char *name, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* Draws a frame on one device. False: an error has been reported and counted. */
bool panel_draw(panel *p, uint32_t device, const char *name, const pietra_stream *stream, const pietra_frame *frame,
                picture *image);
/* Draws on every device and compares. Returns the first device's picture, without pixels if that failed. */
picture panel_draw_all(panel *p, const char *name, const pietra_stream *stream, const pietra_frame *frame,
                       uint32_t width, uint32_t height);

/* Fails if the pictures differ, and writes both side by side. */
bool panel_expect_equal(panel *p, const char *name, const picture *expected, const picture *found);

#endif
