/* Turns the bytes of an SVG document, gzipped or not, into calls that build a scene. */
#ifndef PIETRA_SVG_DRAW_LOAD_H
#define PIETRA_SVG_DRAW_LOAD_H

#include "svg/tree/document.h"
#include "svg/tree/warnings.h"

/* pietra_scene_load_svg with its arguments checked: the scene is empty, options is given. On failure the scene holds
 * what was built so far. */
pietra_result svg_load(pietra_scene *scene, const void *bytes, size_t byte_count, const pietra_svg_options *options,
                       pietra_error *error, double *width, double *height);

/* Reads a document, unpacked, into *document, which is zero but for its budget and its resources and which the caller
 * frees whatever the result, and finds its size. */
pietra_result svg_load_document(text input, const pietra_svg_options *options, svg_warnings *warnings,
                                svg_document *document, pietra_error *error, double *width, double *height);

#endif
