/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Blocks of a Deflate stream (RFC 1951). Literals and matches are collected and then written with the codes that fit
 * them best.
 *
 * A block is a list of steps. A step is a number of literals, which stay where they are in the input, and then a
 * match. */
#ifndef PIETRA_PNG_DEFLATE_BLOCK_H
#define PIETRA_PNG_DEFLATE_BLOCK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "png/huffman.h"

#define DEFLATE_WINDOW 32768u
#define DEFLATE_MOST_MATCH 258u
#define DEFLATE_LITERALS 286u /* literals, the end of a block, lengths */
#define DEFLATE_DISTANCES 30u

#define DEFLATE_BLOCK_STEPS 16384u
#define DEFLATE_BLOCK_BYTES 65536u /* literals of a block, few enough that codes follow the picture */

typedef struct deflate_step {
    uint32_t literals;
    uint16_t length;   /* 3 to DEFLATE_MOST_MATCH; 0 in the last step of a block, which has no match */
    uint16_t distance; /* less 1 */
} deflate_step;

typedef struct deflate_block {
    size_t step_count, literal_count;
    uint32_t lengths[DEFLATE_LITERALS - 256], distances[DEFLATE_DISTANCES]; /* codes of matches, counted */
    const uint8_t *begin;                                                   /* begin of the block in the input */
    const uint8_t *literal; /* the first byte that belongs to no step so far */
    uint8_t *out;
    uint64_t bits;
    unsigned bit_count;
} deflate_block;

/* Returns for how many steps there must be room behind a block, if the input has that many bytes. */
size_t deflate_block_steps(size_t byte_count);

/* Begins a stream at `out` for an input. */
void deflate_block_begin(deflate_block *block, const uint8_t *input, uint8_t *out);
/* Adds a match at `at`, of any length from 3. The bytes between the last match and this one become literals. */
void deflate_block_match(deflate_block *block, const uint8_t *at, size_t length, size_t distance);
/* Ends the stream; the rest of the input becomes literals. A part that is not the `last` ends at a byte's border, and
 * another may follow. Returns the end of the output. */
uint8_t *deflate_block_end(deflate_block *block, const uint8_t *end, bool last);
/* Returns the room that the output of that many bytes of input needs, with what is written in advance. */
size_t deflate_block_bound(size_t byte_count);

#endif
