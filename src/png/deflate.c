/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "png/deflate.h"

#include <stdlib.h>
#include <string.h>

#include "png/deflate_block.h"
#include "png/deflate_hash.h"
#include "png/deflate_runs.h"

#define GOOD_MATCH 64u /* long enough to end the search */

struct deflate_encoder {
    unsigned hash_bits;
    uint32_t *heads;     /* for each hash, the last place with it, plus 1 */
    uint32_t *previous;  /* for each place, the previous one with the same hash, plus 1 */
    deflate_block block; /* the last one: its steps follow */
};

/* The tables of a small input are small, so that they take few pages that are new to the process. */
deflate_encoder *deflate_create(size_t byte_count)
{
    const size_t steps = deflate_block_steps(byte_count), heads = (size_t)1 << deflate_hash_bits(byte_count);
    const size_t places = byte_count < DEFLATE_WINDOW ? byte_count : DEFLATE_WINDOW;
    deflate_encoder *encoder =
        malloc(sizeof *encoder + steps * sizeof(deflate_step) + (heads + places) * sizeof(uint32_t));

    if (!encoder)
        return NULL;
    encoder->heads = (uint32_t *)((deflate_step *)(encoder + 1) + steps);
    encoder->previous = encoder->heads + heads;
    return encoder;
}

void deflate_destroy(deflate_encoder *encoder)
{
    free(encoder);
}

size_t deflate_bound(size_t byte_count)
{
    return deflate_block_bound(byte_count);
}

/* Returns how many bytes are equal, up to `end`, which ends `a`. */
static inline size_t match_length(const uint8_t *a, const uint8_t *b, const uint8_t *end)
{
    const uint8_t *begin = a;

    for (; end - a >= 8; a += 8, b += 8) {
        uint64_t x, y;
        memcpy(&x, a, 8);
        memcpy(&y, b, 8);
        if (x != y)
            return (size_t)(a - begin) + (size_t)__builtin_ctzll(x ^ y) / 8;
    }
    while (a < end && *a == *b) {
        a++;
        b++;
    }
    return (size_t)(a - begin);
}

typedef struct match {
    size_t length, distance;
} match;

/* Records the place, and finds the best match among the recorded places with the same four bytes. */
static inline match find_by_hash(deflate_encoder *e, const deflate_rows *rows, const uint8_t *at, const uint8_t *end)
{
    const uint8_t *base = rows->bytes;
    uint32_t four, place = (uint32_t)(at - base), candidate;
    match best = {0, 0};

    memcpy(&four, at, 4);
    uint32_t *head = &e->heads[deflate_hash(four, e->hash_bits)];
    candidate = *head;
    *head = place + 1;
    e->previous[place % DEFLATE_WINDOW] = candidate;
    for (unsigned tries = 0; candidate != 0 && place - (candidate - 1) <= DEFLATE_WINDOW && tries <= rows->effort;
         tries++) {
        const uint8_t *earlier = base + candidate - 1;
        uint32_t same;
        memcpy(&same, earlier, 4);
        if (same == four) {
            size_t length = 4 + match_length(at + 4, earlier + 4, end);
            if (length > best.length)
                best = (match){length, (size_t)(at - earlier)};
            if (length >= GOOD_MATCH)
                break;
        }
        uint32_t next = e->previous[(candidate - 1) % DEFLATE_WINDOW];
        if (next >= candidate)
            break; /* another place has taken its slot */
        candidate = next;
    }
    return best;
}

static inline uint32_t load_four(const uint8_t *at)
{
    uint32_t four;

    memcpy(&four, at, sizeof four);
    return four;
}

/* Matches what stands `distance` earlier, if at least four bytes are equal. */
static inline match match_before(const uint8_t *at, size_t distance, const uint8_t *end)
{
    return (match){load_four(at) == load_four(at - distance) ? 4 + match_length(at + 4, at + 4 - distance, end) : 0,
                   distance};
}

/* At least four bytes can be read. */
static inline match find_match(deflate_encoder *e, const deflate_rows *rows, const uint8_t *at, const uint8_t *end)
{
    size_t before = (size_t)(at - rows->bytes), pixel = rows->pixel_bytes, stride = rows->stride;
    match best = {0, 0};

    if (before >= pixel) {
        best = match_before(at, pixel, end);
        if (best.length >= GOOD_MATCH)
            return best;
    }
    if (before >= stride && stride <= DEFLATE_WINDOW) {
        match above = match_before(at, stride, end);
        best = above.length > best.length ? above : best;
        if (best.length >= GOOD_MATCH)
            return best;
    }
    match hashed = find_by_hash(e, rows, at, end);
    if (hashed.length > best.length + 1)
        best = hashed;
    /* A match of only the first three bytes of the pixel before is as good as three literals. */
    if (best.length == 0 && pixel == 4 && before >= 4 && ((load_four(at) ^ load_four(at - 4)) & 0xffffffu) == 0)
        best = (match){3, 4};
    return best;
}

static void find_matches(deflate_encoder *e, const deflate_rows *rows)
{
    const uint8_t *at = rows->bytes, *end = at + rows->stride * rows->count, *row = at;

    e->hash_bits = deflate_hash_bits(rows->stride * rows->count);
    memset(e->heads, 0, sizeof *e->heads << e->hash_bits);
    while (end - at >= 4) {
        match found = find_match(e, rows, at, end);
        if (found.length > 0) {
            deflate_block_match(&e->block, at, found.length, found.distance);
            at += found.length;
        } else {
            /* This skips the rest of the pixel, or the filter's number. */
            size_t behind = (size_t)(at - row);
            at += behind == 0 ? 1 : rows->pixel_bytes - (behind - 1) % rows->pixel_bytes;
        }
        while (at >= row + rows->stride)
            row += rows->stride;
    }
}

size_t deflate_write(deflate_encoder *e, const deflate_rows *rows, bool last, uint8_t *out)
{
    deflate_block_begin(&e->block, rows->bytes, out);
    if (rows->effort == 0)
        deflate_find_runs(&e->block, rows, e->heads);
    else
        find_matches(e, rows);
    return (size_t)(deflate_block_end(&e->block, rows->bytes + rows->stride * rows->count, last) - out);
}
