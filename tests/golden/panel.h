/* The devices that must agree, and drawing on all of them. A device that differs from the first is a failure that is counted and
 * told, with the picture of both beside each other in the build directory. */
#ifndef TESTS_GOLDEN_PANEL_H
#define TESTS_GOLDEN_PANEL_H

#include "golden/picture.h"

#include <pietra/pietra.h>

#define PANEL_MOST_DEVICES 4

typedef struct panel {
    struct {
        const char *name;
        pietra_device_kind kind;
        pietra_device *device;
    } devices[PANEL_MOST_DEVICES];
    uint32_t count;
    uint32_t failures;        /* differences, errors and messages so far */
    uint32_t messages;        /* from the validation layer */
} panel;

/* Opens the reference, the CPU and the first GPU, the last with the validation layer if asked. Aborts, with the reason on the
 * standard error, when one cannot be had. The environment's PIETRA_TEST_DEVICES, for example "reference,cpu", leaves others out. */
void panel_open(panel *p, bool validation);
void panel_close(panel *p);

/* Counts a failure and prints its reason. */
void panel_fail(panel *p, const char *name, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* Draws a frame on one device. False: the error has been told and counted. */
bool panel_draw(panel *p, uint32_t device, const char *name, const pietra_stream *stream, const pietra_frame *frame, picture *image);
/* Draws on every device and compares. Returns the first device's picture; without pixels when that failed. */
picture panel_draw_all(panel *p, const char *name, const pietra_stream *stream, const pietra_frame *frame, uint32_t width, uint32_t height);

/* A failure when the pictures differ; both are written side by side. */
bool panel_expect_equal(panel *p, const char *name, const picture *expected, const picture *found);

#endif
