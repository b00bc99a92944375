/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Turns the bytes of an SVG document, gzipped or not, into calls that build a scene. */
#ifndef PIETRA_SVG_DRAW_LOAD_H
#define PIETRA_SVG_DRAW_LOAD_H

#include "svg/tree/document.h"
#include "svg/tree/warnings.h"

/* Does the work of pietra_scene_load_svg. Its arguments are checked already: the scene is empty, and options is not
 * NULL. On failure the scene holds what was built so far. */
pietra_result svg_load(pietra_scene *scene, const void *bytes, size_t byte_count, const pietra_svg_options *options,
                       pietra_error *error, double *width, double *height);

/* Reads an unpacked document into *document and finds its size. *document is zero except for its budget and its
 * resources. The caller frees it, whatever the result. */
pietra_result svg_load_document(text input, const pietra_svg_options *options, svg_warnings *warnings,
                                svg_document *document, pietra_error *error, double *width, double *height);

#endif
