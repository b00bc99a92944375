/* Many pictures in one process: --output-dir. */
#ifndef RENDER_BATCH_H
#define RENDER_BATCH_H

#include "device.h"

/* Draws every input to the folder of the options, which is made where it is missing. Two inputs that would get one name, and a picture
 * that would take the place of an input, are errors before any work. One failure does not keep the others from being drawn: each is
 * reported, and the result is STATUS_INPUT; but a device that cannot be opened, or fails, ends it with its own status. */
status batch_draw(device *device);

#endif
