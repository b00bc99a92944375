/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* --explain: prints what happens at one pixel, and whether devices agree on the picture. */
#ifndef RENDER_EXPLAIN_H
#define RENDER_EXPLAIN_H

#include "device.h"
#include "origins.h"

/* A picture to explain. */
typedef struct explained {
    const char *input; /* for messages */
    const pietra_stream *stream;
    const origins *origins; /* where its elements come from */
    pietra_frame frame;
    uint32_t width, height; /* pixels */
} explained;

/* Prints to standard output. STATUS_DIFFERENT: a device draws another picture than the reference. `device` holds the
 * GPU, if there is one. */
status explain_pixel(device *device, const explained *picture);

#endif
