/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Deflate (RFC 1951) for rows of pixels: raw streams in parts that can be joined.
 *
 * Pictures of drawings consist of runs of one pixel and of rows that repeat the row above, with little between. So
 * matches are sought with the pixel on the left and with the row above, and, where there is time, by a hash of recent
 * pixels. Bytes inside a match are not searched again. */
#ifndef PIETRA_PNG_DEFLATE_H
#define PIETRA_PNG_DEFLATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* How rows make up the bytes: each has `stride` bytes, a filter's number and then pixels. */
typedef struct deflate_rows {
    const uint8_t *bytes;
    size_t stride, count;
    size_t pixel_bytes; /* 1 to 4 */
    unsigned effort;    /* how many earlier places a search by hash tries */
} deflate_rows;

/* The state of one encoder, for one thread at a time. */
typedef struct deflate_encoder deflate_encoder;
/* Makes an encoder of inputs of at most that many bytes. NULL: out of memory. */
deflate_encoder *deflate_create(size_t byte_count);
void deflate_destroy(deflate_encoder *encoder);

/* Returns the size that `out` needs for that many bytes of input. */
size_t deflate_bound(size_t byte_count); /* it includes room for bytes written in advance */
/* Compresses all rows to `out`. A part that is not the `last` ends at a byte's border without a last block, so that
 * another part can follow. Returns the number of bytes written. */
size_t deflate_write(deflate_encoder *encoder, const deflate_rows *rows, bool last, uint8_t *out);

#endif
