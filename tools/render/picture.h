/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* One picture: from an SVG file to a PNG file. */
#ifndef RENDER_PICTURE_H
#define RENDER_PICTURE_H

#include "device.h"
#include "timing.h"

/* Returns how many steps of progress a picture takes that is drawn by itself. */
size_t picture_steps(const options *options);

/* Draws `input` to an open file, which it finishes or abandons. Failures are reported and leave no file. timing may be
 * NULL, as for many pictures; then no progress is shown within the picture. */
status picture_draw(device *device, const char *input, file_output *output, timing *timing);

/* A file that is made of an input. */
typedef struct picture_output {
    char *path;
    size_t id_at; /* with --export-ids: where in the path the id is to stand (output_name.h) */
    const picture_size *size;
} picture_output;

/* Draws `input`, which is read once, to each of the outputs, without times and progress. Files are opened after the
 * document has been read. A descriptor that is not negative is the open `input`; it is closed. With --export-ids each
 * element that the glob matches is drawn to each of the outputs. A picture that fails does not stop the others; each
 * failure is reported, and one of them returned. */
status picture_draw_outputs(device *device, const char *input, int descriptor, const picture_output *outputs,
                            size_t output_count);

/* Gives what `input` draws, which the caller destroys, and its size in CSS pixels. Failures are reported. */
status picture_load(const device *device, const char *input, pietra_stream **stream, double *width, double *height);

/* Returns what a picture lies on: white, at last, in a format without alpha. */
pietra_color picture_background(const options *options, picture_format format);

/* Prints the boxes of the elements of `input` that have ids, one a line: id,x,y,width,height in CSS pixels, to a
 * thousandth. It is a failure if there are none. */
status picture_query(const device *device, const char *input);

/* Prints what happens at the pixel of --explain in the picture of `input`, and where devices differ (explain.h). */
status picture_explain(device *device, const char *input);

#endif
