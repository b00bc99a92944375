/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The matches that the fast way looks for: with the pixel on the left, with the row above, and, where few bytes are
 * left, by a hash. */
#ifndef PIETRA_PNG_DEFLATE_RUNS_H
#define PIETRA_PNG_DEFLATE_RUNS_H

#include "png/deflate.h"
#include "png/deflate_block.h"

/* Adds the matches of all rows to the block. `heads` has room for 2^DEFLATE_HASH_BITS entries. */
void deflate_find_runs(deflate_block *block, const deflate_rows *rows, uint32_t *heads);

#endif
