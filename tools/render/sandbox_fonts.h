/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* What text reads: the fonts that options name, those of the system, and what lists them. */
#ifndef RENDER_SANDBOX_FONTS_H
#define RENDER_SANDBOX_FONTS_H

#include "options.h"
#include "sandbox_files.h"

/* If no text is shown, this is only what options name, without that to which links in it lead. */
void sandbox_fonts_allow(const sandbox_files *files, const options *options, bool shows_text);

#endif
