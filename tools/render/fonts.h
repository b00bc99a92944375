/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The fonts of the command, which all pictures share. */
#ifndef RENDER_FONTS_H
#define RENDER_FONTS_H

#include "options.h"

/* Adds what the options name. Fonts of the system are listed only when text first needs them. Failures are reported;
 * a bad file in a folder is warned of. The caller destroys the fonts. */
status fonts_open(const options *options, pietra_fonts **fonts);
/* Prints each face on a line: family, weight, stretch, slope, path and number in the file. */
status fonts_print_list(const options *options);

#endif
