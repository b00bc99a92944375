/* Deflate (RFC 1951) for rows of pixels: raw streams in parts that can be joined.
 *
 * Pictures of drawings are runs of one pixel and rows that repeat the one above, with little in between. So matches are looked for with
 * the pixel on the left and with the row above, and, where there is time, by a hash of recent pixels. Nothing within a match is looked at
 * again. */
#ifndef PIETRA_PNG_DEFLATE_H
#define PIETRA_PNG_DEFLATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* How the bytes are made of rows: each of `stride` bytes, of which the first is a filter's number, then pixels. */
typedef struct deflate_rows {
    const uint8_t *bytes;
    size_t stride, count;
    size_t pixel_bytes;       /* 1 to 4 */
    unsigned effort;          /* how many earlier places are tried for a match by hash */
} deflate_rows;

/* What one encoder needs; one thread at a time. */
typedef struct deflate_encoder deflate_encoder;
deflate_encoder *deflate_create(void); /* NULL: out of memory */
void deflate_destroy(deflate_encoder *encoder);

/* The most bytes that deflate_write writes for so many. */
size_t deflate_bound(size_t byte_count); /* with room for what is written ahead */
/* Compresses all rows, at `out`. Where it is not `last` the part ends on a byte's border and with no last block, so that another may
 * follow. Returns the bytes written. */
size_t deflate_write(deflate_encoder *encoder, const deflate_rows *rows, bool last, uint8_t *out);

#endif
