/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* What text reads: the fonts that options name, those of the system, and what lists them. */
#ifndef RENDER_SANDBOX_FONTS_H
#define RENDER_SANDBOX_FONTS_H

#include "options.h"
#include "sandbox_files.h"

/* `input`: the only document that is read; NULL: there are several. If it shows no text, what links in folders of fonts
 * lead to is not allowed. */
void sandbox_fonts_allow(const sandbox_files *files, const options *options, const char *input);

#endif
