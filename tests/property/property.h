/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* What the tests of properties share: short ways to encode and draw, and the list of checks. */
#ifndef TESTS_PROPERTY_PROPERTY_H
#define TESTS_PROPERTY_PROPERTY_H

#include "golden/panel.h"
#include "property/random_scene.h"

#define SIDE 128u           /* of most pictures, pixels */
#define TRANSFORM_MOST 1e18 /* numbers of a frame's transform */

typedef struct property_test {
    panel *devices;
    uint64_t only; /* a seed, or 0 */
} property_test;

typedef struct property_check {
    const char *name;
    void (*check)(property_test *test);
} property_check;

/* Runs the checks whose names contain the first argument; the second one is a seed. Returns the status of the
 * program. */
int property_run(const property_check *checks, size_t count, int argc, char **argv);

/* Aborts where something failed that cannot fail. */
void property_demand(pietra_result result, const pietra_error *error);

pietra_stream *property_encode(const pietra_scene *scene);
pietra_stream *property_encode_random(uint64_t seed, random_kind kind, double side);
/* Encode a path alone, in white. */
pietra_stream *property_encode_fill(const pietra_path *path, pietra_fill_rule rule);
pietra_stream *property_encode_stroke(const pietra_path *path, const pietra_stroke *stroke);

/* Draws a picture of SIDE by SIDE. */
picture property_draw(property_test *test, uint32_t device, const char *name, const pietra_stream *stream,
                      const pietra_frame *frame);
/* Compares two pictures, and destroys them. */
void property_expect_same(property_test *test, const char *name, picture a, picture b);

pietra_device *property_open_device(pietra_device_kind kind, uint64_t budget, uint32_t threads);
pietra_result property_draw_on(pietra_device *device, const pietra_stream *stream, picture *image, pietra_error *error,
                               pietra_stats *stats);

#endif
