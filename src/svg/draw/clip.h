/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The clip-path property: finds the clipPath and begins the clip. */
#ifndef PIETRA_SVG_DRAW_CLIP_H
#define PIETRA_SVG_DRAW_CLIP_H

#include "svg/draw/walk.h"

/* Returns the clipPath that a style refers to, or SVG_NO_NODE if there is none or the reference is in error. A
 * reference to a clipPath that is being worked out closes a loop and is in error. */
uint32_t svg_clip_target(svg_walk *walk, uint32_t node, const svg_noninherited *noninherited);
/* Finds the clipPath that clips this clipPath. */
pietra_result svg_clip_next(svg_walk *walk, uint32_t clip, uint32_t *next);
/* Returns whether its content is in units of the box of the element that it clips. */
bool svg_clip_needs_extent(const svg_walk *walk, uint32_t clip);

typedef enum svg_clip_outcome {
    SVG_CLIP_BEGUN,      /* a clip to one path */
    SVG_CLIP_EVERYTHING, /* the clip is empty: nothing has begun, and nothing is drawn */
    SVG_CLIP_SOURCE,     /* begin_clip_source has been called; its content is to be walked */
} svg_clip_outcome;

/* Begins a clip around an instance. `extent` is read only if the clip needs it. *content becomes the space of the
 * clipPath's children. */
pietra_result svg_clip_begin(svg_walk *walk, uint32_t clip, const svg_instance *instance, const svg_extent *extent,
                             svg_clip_outcome *outcome, pietra_transform *content);

/* Begins a clip of an instance to a shape of CSS, which is its own clip-path or that of a clipPath that clips it.
 * `shape` is the number of its text. *begun becomes false if the value is bad. */
pietra_result svg_clip_begin_shape(svg_walk *walk, uint32_t shape, const svg_instance *instance,
                                   const svg_inherited *style, const svg_extent *extent, bool *begun);

#endif
