/* One picture: from an SVG file to a PNG file. */
#ifndef RENDER_PICTURE_H
#define RENDER_PICTURE_H

#include "device.h"
#include "timing.h"

/* Steps of progress that a picture takes, when drawn by itself. */
size_t picture_steps(const options *options);

/* Draws `input` to an open file, which it finishes or abandons; failures are reported and leave no file. timing may be NULL; without it (many
 * pictures) no progress is shown within the picture. */
status picture_draw(device *device, const char *input, file_output *output, timing *timing);
/* The same, without times, to a file that is opened when the picture has been read. A descriptor that is not negative is that of `input`, open,
 * and is closed. */
status picture_draw_to(device *device, const char *input, int descriptor, const char *output);

/* Prints the boxes of the elements of `input` that have ids, one a line: id,x,y,width,height in CSS pixels, to a thousandth. None at all is
 * a failure. */
status picture_query(const device *device, const char *input);

/* Prints what happens at the pixel of --explain in the picture of `input`, and where devices differ (explain.h). */
status picture_explain(device *device, const char *input);

#endif
