/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* What a document is made of: --info. */
#ifndef RENDER_INFO_H
#define RENDER_INFO_H

#include "device.h"

/* Prints the size of `input`, the box of what it draws, its elements by their names, its fonts and images, and what of
 * it is not drawn. Failures are reported. */
status info_print(const device *device, const char *input);

#endif
