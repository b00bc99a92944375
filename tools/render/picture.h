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
/* Does the same without times, to a file that is opened after the picture has been read. A descriptor that is not
 * negative is the open `input`; it is closed. */
status picture_draw_to(device *device, const char *input, int descriptor, const char *output);

/* Prints the boxes of the elements of `input` that have ids, one a line: id,x,y,width,height in CSS pixels, to a
 * thousandth. It is a failure if there are none. */
status picture_query(const device *device, const char *input);

/* Prints what happens at the pixel of --explain in the picture of `input`, and where devices differ (explain.h). */
status picture_explain(device *device, const char *input);

#endif
