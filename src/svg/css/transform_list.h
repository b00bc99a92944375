/* The transform attributes and the transform property: lists of functions. */
#ifndef PIETRA_SVG_CSS_TRANSFORM_LIST_H
#define PIETRA_SVG_CSS_TRANSFORM_LIST_H

#include "pietra/pietra.h"
#include "svg/css/length.h"

/* SVG's attribute syntax (the six functions of SVG 1.1, bare numbers, rotate about a point) or, as `css` says, that of
 * CSS (translateX and so on, units, of which an angle other than 0 needs one; of lengths bare numbers are pixels,
 * commas may be blanks). Percentages and other relative lengths are of the metrics; without metrics (NULL) they are
 * bad. An empty list and `none` are the identity. False: the list is bad, nothing is written. */
bool svg_transform_parse(text value, bool css, double dpi, const svg_metrics *metrics, pietra_transform *transform);

/* An angle, with or without a unit: in degrees. False: it is bad. */
bool svg_angle_parse(text value, double *degrees);

/* A rotation; exact at multiples of a quarter turn. */
pietra_transform svg_transform_rotate(double degrees);

#endif
