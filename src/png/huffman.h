/* Prefix codes for Deflate: lengths from frequencies, codes from lengths (RFC 1951, section 3.2.2). */
#ifndef PIETRA_PNG_HUFFMAN_H
#define PIETRA_PNG_HUFFMAN_H

#include <stddef.h>
#include <stdint.h>

#define HUFFMAN_MOST_SYMBOLS 288u

typedef struct huffman_code {
    uint16_t bits;            /* the first bit of the code in the lowest bit */
    uint16_t length;          /* 0: the symbol does not occur */
} huffman_code;

/* Codes of at most `limit` bits (15 or less) for `count` symbols. At least two symbols get a code, whatever their frequencies, so that
 * every reader takes it for a complete one. */
void huffman_make(const uint32_t *frequencies, size_t count, unsigned limit, huffman_code *codes);
/* The codes that belong to lengths. */
void huffman_assign(huffman_code *codes, size_t count);

#endif
