/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Prefix codes for Deflate: lengths from frequencies, codes from lengths (RFC 1951, section 3.2.2). */
#ifndef PIETRA_PNG_HUFFMAN_H
#define PIETRA_PNG_HUFFMAN_H

#include <stddef.h>
#include <stdint.h>

#define HUFFMAN_MOST_SYMBOLS 288u

typedef struct huffman_code {
    uint16_t bits;   /* the first bit of the code is the lowest */
    uint16_t length; /* 0: the symbol does not occur */
} huffman_code;

/* Makes codes of at most `limit` bits (15 or less) for `count` symbols. At least two symbols get a code, whatever their
 * frequencies, so that every decoder takes the code for complete. */
void huffman_make(const uint32_t *frequencies, size_t count, unsigned limit, huffman_code *codes);
/* Assigns the codes that belong to the lengths. */
void huffman_assign(huffman_code *codes, size_t count);

#endif
