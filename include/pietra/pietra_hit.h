/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* What lies under a point of a frame, for pointers and menus. The conventions of pietra.h hold. */
#ifndef PIETRA_HIT_H
#define PIETRA_HIT_H

#include <pietra/pietra.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A fill or a stroke that contains the point. An image is the fill of its rectangle, a run of glyphs that of their
 * outlines. */
typedef struct pietra_hit {
    uint32_t element; /* its number in the stream, from 0 */
    uint32_t label;   /* the element's label (pietra_scene_set_label); 0: none */
    bool is_stroke;
    bool is_masked; /* a mask is around it, and may hide it here */
    float opacity;  /* opacity of the groups around it, times that of its colour or, for other paints, that of the paint
                     * as a whole, 0 to 1 */
} pietra_hit;

/* Finds what contains the point (x, y) of a frame, in pixels of its picture, the topmost first. A point lies within an
 * element if its winding there is inside by the element's rule. Outlines are those that a frame draws, flattened and
 * snapped to 1/256 of a pixel, to which the point is rounded too. Where two shapes share an edge, a point of that edge
 * lies in one of them. An aliased rectangle contains the pixels that it paints. Clips hold for what they clip.
 *
 * Paints, opacities, blending, masks and filters do not matter: what is transparent is hit, and what a filter shows
 * beside its element is not. pietra_explain_pixel says what shows at a pixel. What an image of a scene is drawn from is
 * not looked at, and neither are the frame's background, canceller and region. Nothing is hit by a point outside of the
 * square from 0 to PIETRA_MAX_SIDE.
 *
 * Writes at most `capacity` hits, and into *count always the number of all. `hits` may be NULL if `capacity` is 0. A
 * NULL frame means the identity. Needs no device, and takes the time to go through the stream's elements and to flatten
 * those whose boxes contain the point. Any thread. PIETRA_ERROR_INPUT: x or y is not finite, or the frame's transform
 * is bad. PIETRA_ERROR_BUDGET: too many dashes come near the point. */
PIETRA_API pietra_result pietra_hit_test(const pietra_stream *stream, const pietra_frame *frame, double x, double y,
                                         size_t capacity, pietra_error *error, pietra_hit *hits, size_t *count);

#ifdef __cplusplus
}
#endif

#endif
