/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Nested clips and groups of any depth, built by calls of the scene. As long as every clip is a rectangle on whole
 * pixels and every fill is opaque, the nest also computes the expected picture. */
#ifndef TESTS_GOLDEN_NEST_H
#define TESTS_GOLDEN_NEST_H

#include <pietra/pietra.h>

#include "golden/picture.h"

typedef struct nest_box {
    int32_t x0, y0, x1, y1; /* in pixels; empty if x1 <= x0 or y1 <= y0 */
} nest_box;

typedef enum nest_shape {
    NEST_RECT,     /* on whole pixels: the picture is known */
    NEST_FRACTION, /* a rectangle shifted by fractions of a pixel */
    NEST_DISC,     /* the ellipse in the box */
    NEST_RING,     /* the ellipse in the box with an even-odd hole in its middle */
    NEST_UNION,    /* a source of two overlapping parts with opposite directions */
    NEST_GROUP,    /* not a clip but a group of opacity 254/255 */
} nest_shape;

typedef struct nest {
    pietra_scene *scene;
    pietra_path *path;
    picture expected; /* valid while `known` */
    bool known;
    struct nest_level {
        nest_box box; /* the box that all levels so far have in common */
        bool group;
    } *levels;
    size_t depth, capacity;
} nest;

/* All of these abort if memory is out or a call of the scene fails. */
nest nest_create(uint32_t width, uint32_t height);
void nest_destroy(nest *n);

void nest_open(nest *n, nest_shape shape, nest_box box);
/* Opens a clip that contains the canvas, at this distance plus a fraction from every side, so that it changes
 * nothing. */
void nest_open_around(nest *n, int32_t distance);
/* Fills a rectangle on whole pixels with 0xRRGGBB, inside everything that is open. */
void nest_fill(nest *n, nest_box box, uint32_t color);
void nest_close(nest *n, size_t count);

#endif
