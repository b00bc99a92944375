/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The glyphs of one run, by HarfBuzz. */
#ifndef PIETRA_TEXT_RUN_GLYPHS_H
#define PIETRA_TEXT_RUN_GLYPHS_H

#include "text/shape.h"

#define RUN_MOST_GROWTH 64 /* glyphs a unit that HarfBuzz allows, or 16,384 in all */

/* Why a run fails whose font makes too many glyphs of it. */
extern const char run_too_many_glyphs[];

/* Shapes a run that has a font, and adds its glyphs to `shaped`. Letters join across runs, but not across breaks:
 * `begin` to `end` is what lies between two of them. The buffer is empty, and is to be emptied after that. NULL, or why
 * it failed. */
const char *run_shape(const text_paragraph *paragraph, hb_buffer_t *buffer, text_run *run, size_t begin, size_t end,
                      shaped_text *shaped);

#endif
