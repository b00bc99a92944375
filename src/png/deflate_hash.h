/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Where a search for matches looks: a table of places, by a hash of the four bytes that stand there. It is no larger
 * than the input needs, because clearing it is most of the work for a few rows. */
#ifndef PIETRA_PNG_DEFLATE_HASH_H
#define PIETRA_PNG_DEFLATE_HASH_H

#include <stddef.h>
#include <stdint.h>

#define DEFLATE_HASH_BITS 14u /* of the largest table */
#define DEFLATE_LEAST_HASH_BITS 8u

/* Returns the bits of hashes for that many bytes, most of which then have an entry of their own. */
static inline unsigned deflate_hash_bits(size_t byte_count)
{
    unsigned bits = DEFLATE_LEAST_HASH_BITS;

    while (bits < DEFLATE_HASH_BITS && (size_t)1 << bits < 2 * byte_count)
        bits++;
    return bits;
}

static inline uint32_t deflate_hash(uint32_t four, unsigned bits)
{
    return four * 0x9e3779b1u >> (32 - bits);
}

#endif
