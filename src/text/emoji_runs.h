/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The glyphs of runs of emoji.
 *
 * Fonts have hundreds of ligatures that begin with a person, and HarfBuzz 6.0 tries them one by one, which takes 10
 * microseconds a person. So emoji are shaped cluster by cluster, and what a paragraph repeats once. Flags then do not
 * depend on how many stand before them. */
#ifndef PIETRA_TEXT_EMOJI_RUNS_H
#define PIETRA_TEXT_EMOJI_RUNS_H

#include "text/shape.h"

/* The pieces of a paragraph that were shaped last. */
typedef struct emoji_pieces emoji_pieces;

emoji_pieces *emoji_pieces_create(void); /* NULL: out of memory */
void emoji_pieces_destroy(emoji_pieces *pieces);

/* Does what run_shape does for a run whose clusters are emoji. `starts` says where clusters begin, and all calls with
 * the same pieces belong to one paragraph. */
const char *emoji_run_shape(emoji_pieces *pieces, const text_paragraph *paragraph, const uint8_t *starts, text_run *run,
                            size_t begin, size_t end, shaped_text *shaped);

#endif
