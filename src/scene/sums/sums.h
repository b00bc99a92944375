/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* What a stream holds, as sums from which the counts of any frame of it are bounded (render/bounds/bounds.h).
 *
 * A frame's transform may be anything, so the sums are of lengths in scene space and of square roots of curvatures: a
 * curve's pieces grow as the root of the scale. Elements are summed one by one, and in blocks of neighbours in paint
 * order, most of which a frame takes or leaves whole. What shows streams in places has their sums, and the places: to
 * a stream that is shown, a place is a part of the frame's transform. */
#ifndef PIETRA_SCENE_SUMS_SUMS_H
#define PIETRA_SCENE_SUMS_SUMS_H

#include <math.h>
#include <stdatomic.h>
#include <stddef.h>

#include "pietra/pietra.h"
#include "scene/stream.h"

/* How many pieces a curve has for each root of a second difference of one pixel: eight densities of at most its fourth
 * root, which a rough root may make one part in 300 too large, times 0.3713 (shaders/lib/subdivision.h). */
#define PIECES_PER_ROOT 2.99

/* Returns the most that a matrix stretches. */
static inline double bounds_stretch(double a, double b, double c, double d)
{
    const double half = 0.5 * (a * a + b * b + c * c + d * d), area = a * d - b * c;
    return sqrt(half + sqrt(fmax(half * half - area * area, 0)));
}

#define SUMS_BLOCK 32u /* elements; 16 and 64 take as long for a frame of 100,000 glyphs */

/* How many lines there are. */
typedef struct line_sums {
    float lines;      /* whatever the scale is */
    float root_lines; /* more, for the root of the scale */
    float of_pieces;  /* more, if each curve had a piece more */
} line_sums;

/* A box in a scene. x1 < x0: nothing. */
typedef struct sums_box {
    float x0, y0, x1, y1;
} sums_box;

#define SUMS_BOX_OF_NOTHING ((sums_box){0, 0, -1, -1})

/* One element, or one block of them. Lengths are in scene units. */
typedef struct bound_sums {
    sums_box box;     /* around all that is painted */
    float pen;        /* the largest half width */
    float least_step; /* the shortest step of a pen between two samples, or its half width, as a matrix shows the
                           * direction in which it stretches least */
    bool is_thin;     /* for an element: it counts by thin_area */
    /* From here on all are sums, as bound_sums_add takes them. */
    float count;        /* elements that are painted */
    float tasks;        /* segments that are not dashed */
    float measures;     /* those that are */
    float dash_parts;   /* dashes, counted anew in each segment */
    float dash_weights; /* the same times the root of their caps' radii, if these are round */
    line_sums fills, strokes;
    line_sums loose;     /* of pens, where they are wider than a bend: each may lead any way */
    float across, down;  /* how far lines of fills lead from left to right and back, and up and down */
    float runs_upright;  /* pieces of outlines that lead one way, from side to side or up and down; */
    float runs;          /* the same if the frame turns the scene */
    float outline;       /* length of what pens draw, */
    float root_outline;  /* and more of it, for the root of the scale */
    float width, height; /* sums of the boxes' sides, and of their products */
    float width_width, width_height, height_height;
    float thin_area; /* what strokes paint whose boxes say too much; their boxes are not in the sums above, */
    float thin_width, thin_height; /* but here */
    float work;                    /* of 10 fine in a tile that all of them touch */
    float frames;                  /* elements that are as large as the frame whatever their box is */
    float begins;                  /* layers */
} bound_sums;

/* Adds the sums of an element to those of its block. */
static inline void bound_sums_add(bound_sums *sums, const bound_sums *more)
{
    enum { COUNT = (sizeof *sums - offsetof(bound_sums, count)) / sizeof(float) };
    float *to = &sums->count;
    const float *from = &more->count;
    for (int i = 0; i < COUNT; i++)
        to[i] += from[i];
}

/* What is known of a path, from the last element that filled it, or clipped by it, or from the last that stroked it:
 * icons do both in turn. */
typedef struct known_path {
    uint64_t stream; /* of that element; 0: nothing is known */
    uint32_t kind, style, paint_kind;
    float matrix[4];
    float box[4]; /* of the path, as the element gives it */
    bound_sums sums;
} known_path;

/* What is shown in a place. */
typedef struct sums_part {
    const struct stream_sums *sums; /* of what is shown, in units of its own */
    pietra_transform transform;     /* from those to the scene */
    sums_box box;                   /* around it in the scene */
} sums_part;

/* The sums of a stream: of its elements, or of its parts. All zero: there are none. */
typedef struct stream_sums {
    uint64_t id;       /* the stream's */
    known_path *known; /* two for each path */
    size_t known_capacity, sums_capacity;
    bound_sums *elements, *blocks;
    uint32_t element_count, block_count;
    const sums_part *parts; /* the composition's */
    size_t part_count;
    sums_box box;    /* around all elements */
    float largest;   /* number of the elements' transforms, and of boxes in units of the scene; at least 1 */
    uint32_t depth;  /* the most layers that are open at once */
    bool is_beyond;  /* some element is as large as the frame, whatever the box */
    bool is_complex; /* some element has a flag of ELEMENT_COMPLEX */
    bool is_bounded; /* false: the stream has surfaces or effects, which say nothing of their frames */
} stream_sums;

/* The sums of a composition's stream, which its next call makes if a frame wants them. */
typedef struct composed_sums {
    atomic_bool are_wanted;
    bool are_made;
    stream_sums sums;
} composed_sums;

/* Sums a stream's elements, in the memory of the sums of another stream. False: out of memory, and there are no
 * sums. */
bool stream_sums_make(const pietra_stream *stream, stream_sums *sums);
void stream_sums_free(stream_sums *sums);

/* Returns the sums of a composition's stream, and NULL of any other. Where they are not made, the composition's next
 * call makes them: then NULL, too. */
const stream_sums *stream_sums_of_composed(const pietra_stream *stream);

/* Returns a box of the scene that holds one of the units of a part, whose floats may be rounded. */
sums_box sums_box_in(const pietra_transform *t, sums_box box);

/* Returns the sums of one layer, which stand in *made. */
stream_sums stream_sums_of_layer(const stream_view *view, const stream_element *layer, bound_sums *made);

#endif
