/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Many pictures in one process: --output-dir. */
#ifndef RENDER_BATCH_H
#define RENDER_BATCH_H

#include "device.h"

/* Draws every input to the folder of the options, and makes that folder if needed. If two inputs would get one name, or
 * a picture would replace an input, this is an error before any work. A picture that fails does not stop the others:
 * each failure is reported, and the result is STATUS_INPUT. A device that cannot be opened, or that fails, ends the
 * work with its own status. */
status batch_draw(device *device);

#endif
