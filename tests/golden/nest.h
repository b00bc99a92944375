/* Nested clips and groups of any depth, built through the scene calls. While every clip is a rectangle on whole pixels and every
 * fill opaque, the nest keeps the answer as it goes. */
#ifndef TESTS_GOLDEN_NEST_H
#define TESTS_GOLDEN_NEST_H

#include "golden/picture.h"

#include <pietra/pietra.h>

typedef struct nest_box {
    int32_t x0, y0, x1, y1;   /* pixels; empty when x1 <= x0 or y1 <= y0 */
} nest_box;

typedef enum nest_shape {
    NEST_RECT,                /* on whole pixels: the answer is known */
    NEST_FRACTION,            /* a rectangle moved by fractions of a pixel */
    NEST_DISC,                /* the ellipse in the box */
    NEST_RING,                /* the ellipse in the box and, even-odd, a hole in its middle */
    NEST_UNION,               /* a source of two overlapping halves of opposite directions */
    NEST_GROUP,               /* no clip, but a group of opacity 254/255 */
} nest_shape;

typedef struct nest {
    pietra_scene *scene;
    pietra_path *path;
    picture expected;         /* while `known` */
    bool known;
    struct nest_level {
        nest_box box;         /* common to all levels up to here */
        bool group;
    } *levels;
    size_t depth, capacity;
} nest;

/* Abort when memory is out or a scene call fails, as all of these do. */
nest nest_create(uint32_t width, uint32_t height);
void nest_destroy(nest *n);

void nest_open(nest *n, nest_shape shape, nest_box box);
/* A clip that the canvas lies within, at this distance and a fraction from every side: it changes nothing. */
void nest_open_around(nest *n, int32_t distance);
/* Fills a rectangle on whole pixels, 0xRRGGBB, within what is open. */
void nest_fill(nest *n, nest_box box, uint32_t color);
void nest_close(nest *n, size_t count);

#endif
