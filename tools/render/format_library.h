/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* JPEG and WebP, by libraries that are opened when a picture is to be written in their format (base/library.h). */
#ifndef RENDER_FORMAT_LIBRARY_H
#define RENDER_FORMAT_LIBRARY_H

#include "format.h"

extern const char format_out_of_memory[], format_library_failed[];

/* Returns whether libjpeg-turbo with the interface of libjpeg 6.2, or of libjpeg 8, is there. Systems have one. */
bool jpeg_62_is_there(void);
bool jpeg_80_is_there(void);
/* Writes an opaque canvas as a baseline JPEG in JFIF. Returns NULL, or what is wrong as a static text. */
const char *jpeg_62_encode(const png_canvas *canvas, const format_options *options, png_sink *sink, void *user);
const char *jpeg_80_encode(const png_canvas *canvas, const format_options *options, png_sink *sink, void *user);

bool webp_is_there(void);
/* Writes a WebP: lossless without a quality, else lossy. Returns NULL, or what is wrong as a static text. */
const char *webp_encode(const png_canvas *canvas, const format_options *options, png_sink *sink, void *user);

#endif
