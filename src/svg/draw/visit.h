/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Visits an element: finds the style, transform and viewport of an instance, then draws it or opens a frame for its
 * children. */
#ifndef PIETRA_SVG_DRAW_VISIT_H
#define PIETRA_SVG_DRAW_VISIT_H

#include "svg/draw/walk.h"

/* Visits the outermost svg element. */
pietra_result svg_visit_root(svg_walk *walk, double width, double height);
/* Visits a child of walk->frames.items[frame], or the target of a `use`. May add frames. */
pietra_result svg_visit(svg_walk *walk, uint32_t frame, uint32_t node);
/* Visits a shape or an image. In BOX mode it adds its box to that of a frame. */
pietra_result svg_visit_shape(svg_walk *walk, uint32_t gatherer, const svg_instance *instance,
                              const svg_inherited *style);
/* Draws, or adds to a clip's source, the shape of a frame that needs no steps. */
pietra_result svg_visit_whole_shape(svg_walk *walk, uint32_t frame);
/* Makes walk->path the shape of an instance, under a transform unless that is NULL. Returns false if it has none. */
bool svg_visit_build_shape(svg_walk *walk, const svg_instance *instance, const svg_inherited *style,
                           const pietra_transform *transform);
/* Draws a piece of text, or adds it to a clip's source. */
pietra_result svg_visit_piece(svg_walk *walk, const svg_instance *instance, const svg_inherited *style);

/* Gives the box of a shape with its stroke, mapped by `transform` unless that is NULL. `box` does not change if there
 * is none. Uses walk->path. */
void svg_visit_stroke_box(svg_walk *walk, const svg_instance *instance, const svg_inherited *style,
                          const pietra_transform *transform, pietra_box *box);
/* Finds the box of the shape of a frame. */
void svg_visit_shape_extent(svg_walk *walk, uint32_t frame);

/* Returns a key with all on which the box of the content of a frame with children depends. It has room for the box. */
svg_known_extent svg_extent_key(svg_walk_frame *frame);
/* Finds the box of a frame's content in its own user space, if it is known already. */
bool svg_extent_find(const svg_walk *walk, const svg_known_extent *wanted, svg_extent *extent);
/* Stores a box. Returns false if memory is short. */
bool svg_extent_add(svg_walk *walk, const svg_known_extent *known);
void svg_extent_join(svg_extent *extent, pietra_box box, pietra_box stroke);

#endif
