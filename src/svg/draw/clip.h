/* clip-path: finding the clipPath and beginning the clip. */
#ifndef PIETRA_SVG_DRAW_CLIP_H
#define PIETRA_SVG_DRAW_CLIP_H

#include "svg/draw/walk.h"

/* The clipPath that a style refers to. SVG_NO_NODE: none; also when the reference is in error, or when that clipPath is
 * being worked out at this moment: a loop, whose closing reference is in error. */
uint32_t svg_clip_target(svg_walk *walk, uint32_t node, const svg_noninherited *noninherited);
/* The clipPath that clips this clipPath. */
pietra_result svg_clip_next(svg_walk *walk, uint32_t clip, uint32_t *next);
/* True when its content is in units of the box of the element that it clips. */
bool svg_clip_needs_extent(const svg_walk *walk, uint32_t clip);

typedef enum svg_clip_outcome {
    SVG_CLIP_BEGUN,      /* a clip to one path */
    SVG_CLIP_EVERYTHING, /* nothing is inside: nothing has begun and nothing is to be drawn */
    SVG_CLIP_SOURCE,     /* begin_clip_source has been called; its content is to be walked */
} svg_clip_outcome;

/* Begins a clip around an instance. `extent` matters where svg_clip_needs_extent. *content is the space of the
 * clipPath's children. */
pietra_result svg_clip_begin(svg_walk *walk, uint32_t clip, const svg_instance *instance, const svg_extent *extent,
                             svg_clip_outcome *outcome, pietra_transform *content);

/* Begins a clip of an instance to a shape of CSS: its own clip-path, or that of a clipPath which clips it; the number
 * of its text. *begun is false when its value is bad. */
pietra_result svg_clip_begin_shape(svg_walk *walk, uint32_t shape, const svg_instance *instance,
                                   const svg_inherited *style, const svg_extent *extent, bool *begun);

#endif
