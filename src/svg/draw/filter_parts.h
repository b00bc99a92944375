/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* What the files share that turn filters into effects. */
#ifndef PIETRA_SVG_DRAW_FILTER_PARTS_H
#define PIETRA_SVG_DRAW_FILTER_PARTS_H

#include "pietra/pietra_effect.h"
#include "svg/draw/walk.h"

/* A filter element with all that it takes over along its hrefs. */
typedef struct svg_filter {
    uint32_t node;                         /* the filter that was asked for */
    uint32_t x, y, width, height, content; /* nodes that give them, or SVG_NO_NODE */
    uint32_t units_set, primitive_units_set;
    bool box_units;           /* filterUnits */
    bool box_primitive_units; /* primitiveUnits */
} svg_filter;

/* The result of a primitive, as later ones find it. */
typedef struct svg_filter_result {
    text name;
    uint32_t step;
} svg_filter_result;

/* An effect while its steps are made. */
typedef struct svg_filter_build {
    svg_walk *walk;
    uint32_t frame; /* index of the walk frame that has the filter */
    svg_filter filter;
    svg_rectangle region; /* of the filter, in user units */
    ARRAY(pietra_effect_step) steps;
    ARRAY(svg_rectangle) regions; /* subregions of the steps */
    ARRAY(pietra_scene *) scenes; /* of images in them */
    size_t picture;               /* the next picture of an element in walk->filter_pictures */
    ARRAY(svg_filter_result) results;
    hash_table result_table; /* finds results by name */
    arena arena;             /* what steps refer to */
} svg_filter_build;

/* Takes a filter and what it refers to by hrefs. */
pietra_result svg_filter_take(svg_walk *walk, uint32_t node, svg_filter *filter);
/* Finds its region in the user space of the frame. False: it has none, so nothing is drawn. */
bool svg_filter_find_region(svg_walk *walk, const svg_walk_frame *frame, const svg_filter *filter,
                            svg_rectangle *region);
/* Finds the part of the region in which the result of a primitive lies. `whole` is what it is where the primitive does
 * not say. False: it is empty, and so is the result. */
bool svg_filter_find_subregion(const svg_filter_build *build, uint32_t node, const svg_rectangle *whole,
                               svg_rectangle *subregion);
bool svg_filter_is_primitive(uint16_t element);
/* Calls for each primitive of a filter, in their order: the first one, and the one behind `child`. SVG_NO_NODE: there
 * is none. */
uint32_t svg_filter_first_primitive(const svg_document *document, const svg_filter *filter);
uint32_t svg_filter_next_primitive(const svg_document *document, const svg_filter *filter, uint32_t child);

/* Adds the step of a primitive to the effect. */
pietra_result svg_filter_add_primitive(svg_filter_build *build, uint32_t node);
/* Adds the step of a function that is no url(), for a node with these metrics and this style. */
pietra_result svg_filter_add_function(svg_filter_build *build, const svg_filter_function *function, uint32_t node,
                                      const svg_metrics *metrics, const svg_inherited *style);
/* Returns how far the functions that were added reach beyond what they are applied to, in user units. */
double svg_filter_reach(const svg_filter_build *build);
/* Fills in a lighting step. False: it has no light. */
bool svg_filter_read_lighting(svg_filter_build *build, uint32_t node, pietra_color color, pietra_effect_step *step);

/* Returns the input of this name, as an attribute has it. */
pietra_effect_input svg_filter_find_input(const svg_filter_build *build, uint32_t node, svg_name attribute);
/* Makes the last step known by the name that its primitive gives it. False: out of memory. */
bool svg_filter_name_result(svg_filter_build *build, uint32_t node);

/* The node that feImage shows as an element, or SVG_NO_NODE. */
uint32_t svg_filter_image_target(const svg_document *document, uint32_t node);
/* Makes the picture of feImage in this subregion. */
pietra_result svg_filter_make_image(svg_filter_build *build, uint32_t node, const svg_rectangle *subregion,
                                    pietra_effect_step *step);

/* ---- Attributes of primitives ---- */

/* Numbers so large that a picture cannot depend on them are held at this size. */
#define SVG_FILTER_MOST 1e30
double svg_filter_hold(double value);

/* Returns `missing` if there is no such attribute or it is no number. */
double svg_filter_number(const svg_document *document, uint32_t node, svg_name name, double missing);
/* Reads one number, which counts twice, or two. False: there is something else or nothing. */
bool svg_filter_pair(const svg_document *document, uint32_t node, svg_name name, double pair[2]);
/* Reads a list of numbers. NULL: the list is empty or something in it is not a number, or memory is short, which the
 * budget records. */
const float *svg_filter_numbers(svg_filter_build *build, uint32_t node, svg_name name, size_t *count);
bool svg_filter_says(const svg_document *document, uint32_t node, svg_name name, text value);
/* The size of a unit of the primitives across, down, and of what has no direction. */
double svg_filter_unit(const svg_filter_build *build, svg_axis axis);

#endif
