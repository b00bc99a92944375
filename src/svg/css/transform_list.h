/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The transform attributes and the transform property: lists of functions. */
#ifndef PIETRA_SVG_CSS_TRANSFORM_LIST_H
#define PIETRA_SVG_CSS_TRANSFORM_LIST_H

#include "pietra/pietra.h"
#include "svg/css/length.h"

/* Reads a list of transform functions. Without `css`, the syntax is that of SVG's attributes: the six functions of SVG
 * 1.1, bare numbers, and rotate about a point. With `css`, the syntax is that of CSS: translateX and so on, and units.
 * An angle other than 0 then needs a unit, a bare number as a length is in pixels, and blanks may replace commas.
 * Percentages and other relative lengths refer to the metrics. They are bad if metrics is NULL. An empty list and
 * `none` are the identity. Returns false, and writes nothing, if the list is bad. */
bool svg_transform_parse(text value, bool css, double dpi, const svg_metrics *metrics, pietra_transform *transform);

/* Reads an angle, with or without a unit, in degrees. Returns false if it is bad. */
bool svg_angle_parse(text value, double *degrees);

#endif
