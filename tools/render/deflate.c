#include "deflate.h"

#include <stdlib.h>
#include <string.h>

#include "huffman.h"

#define WINDOW 32768u
#define MOST_MATCH 258u
#define GOOD_MATCH 64u           /* long enough to look no further */
#define END_OF_BLOCK 256u
#define FIRST_LENGTH 257u
#define LITERALS 286u            /* literals, the end, lengths */
#define DISTANCES 30u
#define LENGTH_CODES 19u
#define LITERAL_BITS 15u
#define LENGTH_CODE_BITS 7u
#define BLOCK_TOKENS 32768u
#define BLOCK_OVERHEAD 512u      /* more than the largest head of a block */
#define HASH_BITS 14u
#define MATCH_FLAG 0x80000000u

typedef uint32_t token;          /* a literal; or MATCH_FLAG, the length from bit 16, the distance less 1 */

struct deflate_encoder {
    token tokens[BLOCK_TOKENS];
    size_t token_count;
    uint32_t literals[LITERALS], distances[DISTANCES]; /* frequencies */
    uint32_t heads[1u << HASH_BITS]; /* the last place of each hash, plus 1 */
    uint32_t previous[WINDOW];       /* for each place, the one before it with the same hash, plus 1 */
    uint8_t *out;
    uint64_t bits;
    unsigned bit_count;
};

deflate_encoder *deflate_create(void)
{
    return malloc(sizeof(deflate_encoder));
}

void deflate_destroy(deflate_encoder *encoder)
{
    free(encoder);
}

/* A token has at most 48 bits for a match of 4 bytes or more, 15 for a literal. */
size_t deflate_bound(size_t byte_count)
{
    return 2 * byte_count + (byte_count / BLOCK_TOKENS + 2) * BLOCK_OVERHEAD;
}

/* ---- Codes of lengths and distances (RFC 1951, section 3.2.5) ---- */

typedef struct ranged {
    unsigned code, extra_bits, extra;
} ranged;

static inline unsigned floor_log2(unsigned value)
{
    return 31u - (unsigned)__builtin_clz(value);
}

static inline ranged code_length(unsigned length)
{
    unsigned more = length - 3, bits = more < 8 ? 0 : floor_log2(more) - 2;

    if (length == MOST_MATCH) {
        return (ranged){ LITERALS - 1, 0, 0 };
    }
    return (ranged){ FIRST_LENGTH + 4 * bits + (more >> bits), bits, more & ((1u << bits) - 1) };
}

/* Of a distance less 1. */
static inline ranged code_distance(unsigned less)
{
    unsigned bits = less < 4 ? 0 : floor_log2(less) - 1;

    return (ranged){ 2 * bits + (less >> bits), bits, less & ((1u << bits) - 1) };
}

/* ---- Bits ---- */

/* Whole bytes go out, of up to 63 bits; those behind them are written once more with what comes next. */
static inline void flush_bits(uint64_t *bits, unsigned *count, uint8_t **out)
{
    memcpy(*out, bits, sizeof *bits);
    *out += *count / 8;
    *bits >>= *count & ~7u;
    *count &= 7;
}

/* At most 56 bits. */
static void put_bits(deflate_encoder *e, uint64_t bits, unsigned count)
{
    e->bits |= bits << e->bit_count;
    e->bit_count += count;
    flush_bits(&e->bits, &e->bit_count, &e->out);
}

static void align_to_byte(deflate_encoder *e)
{
    e->out += e->bit_count > 0;
    e->bits = 0;
    e->bit_count = 0;
}

/* ---- Blocks ---- */

/* The state is kept in local variables: what is written could be anything, the encoder too. */
static void put_tokens(deflate_encoder *e, const huffman_code *literals, const huffman_code *distances)
{
    uint64_t bits = e->bits;
    unsigned count = e->bit_count;
    uint8_t *out = e->out;

    for (size_t i = 0; i < e->token_count; i++) {
        token t = e->tokens[i];
        if (!(t & MATCH_FLAG)) {
            bits |= (uint64_t)literals[t].bits << count;
            count += literals[t].length;
        } else {
            ranged length = code_length(t >> 16 & 0x1ff), distance = code_distance(t & 0xffff);
            bits |= (uint64_t)literals[length.code].bits << count;
            count += literals[length.code].length;
            bits |= (uint64_t)length.extra << count;
            count += length.extra_bits;
            flush_bits(&bits, &count, &out);
            bits |= (uint64_t)distances[distance.code].bits << count;
            count += distances[distance.code].length;
            bits |= (uint64_t)distance.extra << count;
            count += distance.extra_bits;
        }
        if (count >= 32) {
            flush_bits(&bits, &count, &out);
        }
    }
    flush_bits(&bits, &count, &out);
    e->bits = bits;
    e->bit_count = count;
    e->out = out;
    put_bits(e, literals[END_OF_BLOCK].bits, literals[END_OF_BLOCK].length);
}

/* The lengths of codes as symbols of their own: runs of 0 and repetitions, with the number of them in the high byte. */
static size_t collect_lengths(const huffman_code *codes, size_t count, uint16_t *symbols)
{
    size_t used = 0;

    for (size_t i = 0; i < count;) {
        unsigned length = codes[i].length;
        size_t run = 1;
        while (i + run < count && codes[i + run].length == length) {
            run++;
        }
        i += run;
        if (length != 0) {
            symbols[used++] = (uint16_t)length;
            run--;
        }
        while (run >= 3) {
            size_t most = length ? 6 : run > 10 ? 138 : 10, part = run < most ? run : most;
            unsigned symbol = length ? 16 : part > 10 ? 18 : 17;
            symbols[used++] = (uint16_t)(symbol | (part - (symbol == 18 ? 11 : 3)) << 8);
            run -= part;
        }
        for (; run > 0; run--) {
            symbols[used++] = (uint16_t)length;
        }
    }
    return used;
}

static const uint8_t length_extra_bits[LENGTH_CODES] = { [16] = 2, [17] = 3, [18] = 7 };

typedef struct block_head {
    uint16_t symbols[LITERALS + DISTANCES];
    size_t symbol_count;
    size_t literal_count, distance_count, length_count; /* codes that are told */
    huffman_code lengths[LENGTH_CODES];
    size_t bits;
} block_head;

static const uint8_t length_order[LENGTH_CODES] = { 16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15 };

static void make_head(const huffman_code *literals, const huffman_code *distances, block_head *head)
{
    huffman_code all[LITERALS + DISTANCES];
    uint32_t frequencies[LENGTH_CODES] = { 0 };

    head->literal_count = LITERALS;
    while (head->literal_count > FIRST_LENGTH && literals[head->literal_count - 1].length == 0) {
        head->literal_count--;
    }
    head->distance_count = DISTANCES;
    while (head->distance_count > 1 && distances[head->distance_count - 1].length == 0) {
        head->distance_count--;
    }
    memcpy(all, literals, head->literal_count * sizeof *all);
    memcpy(all + head->literal_count, distances, head->distance_count * sizeof *all);
    head->symbol_count = collect_lengths(all, head->literal_count + head->distance_count, head->symbols);
    for (size_t i = 0; i < head->symbol_count; i++) {
        frequencies[head->symbols[i] & 255]++;
    }
    huffman_make(frequencies, LENGTH_CODES, LENGTH_CODE_BITS, head->lengths);
    head->length_count = LENGTH_CODES;
    while (head->length_count > 4 && head->lengths[length_order[head->length_count - 1]].length == 0) {
        head->length_count--;
    }
    head->bits = 14 + 3 * head->length_count;
    for (size_t i = 0; i < LENGTH_CODES; i++) {
        head->bits += frequencies[i] * (head->lengths[i].length + (size_t)length_extra_bits[i]);
    }
}

static void put_head(deflate_encoder *e, const block_head *head)
{
    put_bits(e, head->literal_count - 257, 5);
    put_bits(e, head->distance_count - 1, 5);
    put_bits(e, head->length_count - 4, 4);
    for (size_t i = 0; i < head->length_count; i++) {
        put_bits(e, head->lengths[length_order[i]].length, 3);
    }
    for (size_t i = 0; i < head->symbol_count; i++) {
        unsigned symbol = head->symbols[i] & 255;
        put_bits(e, head->lengths[symbol].bits, head->lengths[symbol].length);
        put_bits(e, head->symbols[i] >> 8, length_extra_bits[symbol]);
    }
}

/* What the tokens take with these codes, but for the extra bits of matches. */
static size_t count_bits(const deflate_encoder *e, const huffman_code *literals, const huffman_code *distances)
{
    size_t bits = 0;

    for (size_t i = 0; i < LITERALS; i++) {
        bits += e->literals[i] * (size_t)literals[i].length;
    }
    for (size_t i = 0; i < DISTANCES; i++) {
        bits += e->distances[i] * (size_t)distances[i].length;
    }
    return bits;
}

/* The codes that need no telling (RFC 1951, section 3.2.6). */
static void make_fixed(huffman_code *literals, huffman_code *distances)
{
    for (size_t i = 0; i < HUFFMAN_MOST_SYMBOLS; i++) {
        literals[i].length = i < 144 ? 8 : i < 256 ? 9 : i < 280 ? 7 : 8;
    }
    huffman_assign(literals, HUFFMAN_MOST_SYMBOLS);
    for (size_t i = 0; i < DISTANCES; i++) {
        distances[i].length = 5;
    }
    huffman_assign(distances, DISTANCES);
}

static void put_block(deflate_encoder *e, bool last)
{
    huffman_code literals[HUFFMAN_MOST_SYMBOLS], distances[DISTANCES], fixed[HUFFMAN_MOST_SYMBOLS], fixed_distances[DISTANCES];
    block_head head;

    e->literals[END_OF_BLOCK] = 1;
    huffman_make(e->literals, LITERALS, LITERAL_BITS, literals);
    huffman_make(e->distances, DISTANCES, LITERAL_BITS, distances);
    make_head(literals, distances, &head);
    make_fixed(fixed, fixed_distances);
    put_bits(e, last, 1);
    if (count_bits(e, fixed, fixed_distances) <= count_bits(e, literals, distances) + head.bits) {
        put_bits(e, 1, 2);
        put_tokens(e, fixed, fixed_distances);
    } else {
        put_bits(e, 2, 2);
        put_head(e, &head);
        put_tokens(e, literals, distances);
    }
    e->token_count = 0;
    memset(e->literals, 0, sizeof e->literals);
    memset(e->distances, 0, sizeof e->distances);
}

/* ---- Matches ---- */

static inline void add_token(deflate_encoder *e, token t)
{
    if (e->token_count == BLOCK_TOKENS) {
        put_block(e, false);
    }
    e->tokens[e->token_count++] = t;
}

static inline void add_literal(deflate_encoder *e, uint8_t byte)
{
    add_token(e, byte);
    e->literals[byte]++;
}

/* A match of any length from 3. */
static void add_match(deflate_encoder *e, size_t length, size_t distance)
{
    unsigned distance_code = code_distance((unsigned)distance - 1).code;

    while (length > 0) {
        /* What is left must not be too short for a match. */
        unsigned part = length <= MOST_MATCH ? (unsigned)length : length < MOST_MATCH + 3 ? MOST_MATCH - 3 : MOST_MATCH;
        add_token(e, MATCH_FLAG | part << 16 | ((unsigned)distance - 1));
        e->literals[code_length(part).code]++;
        e->distances[distance_code]++;
        length -= part;
    }
}

/* How many bytes are the same, up to `end`, which is the end of `a`. */
static inline size_t match_length(const uint8_t *a, const uint8_t *b, const uint8_t *end)
{
    const uint8_t *begin = a;

    for (; end - a >= 8; a += 8, b += 8) {
        uint64_t x, y;
        memcpy(&x, a, 8);
        memcpy(&y, b, 8);
        if (x != y) {
            return (size_t)(a - begin) + (size_t)__builtin_ctzll(x ^ y) / 8;
        }
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

/* Notes the place, and finds the best of those with the same four bytes that were noted before. */
static inline match find_by_hash(deflate_encoder *e, const deflate_rows *rows, const uint8_t *at, const uint8_t *end)
{
    const uint8_t *base = rows->bytes;
    uint32_t four, place = (uint32_t)(at - base), candidate;
    match best = { 0, 0 };

    memcpy(&four, at, 4);
    uint32_t *head = &e->heads[four * 0x9e3779b1u >> (32 - HASH_BITS)];
    candidate = *head;
    *head = place + 1;
    e->previous[place % WINDOW] = candidate;
    for (unsigned tries = 0; candidate != 0 && place - (candidate - 1) <= WINDOW && tries <= rows->effort; tries++) {
        const uint8_t *earlier = base + candidate - 1;
        uint32_t same;
        memcpy(&same, earlier, 4);
        if (same == four) {
            size_t length = 4 + match_length(at + 4, earlier + 4, end);
            if (length > best.length) {
                best = (match){ length, (size_t)(at - earlier) };
            }
            if (length >= GOOD_MATCH) {
                break;
            }
        }
        uint32_t next = e->previous[(candidate - 1) % WINDOW];
        if (next >= candidate) {
            break; /* its slot has another place's by now */
        }
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

/* With what stands `distance` before, if at least four bytes are the same. */
static inline match match_before(const uint8_t *at, size_t distance, const uint8_t *end)
{
    return (match){ load_four(at) == load_four(at - distance) ? 4 + match_length(at + 4, at + 4 - distance, end) : 0, distance };
}

/* Four bytes can be read. */
static inline match find_match(deflate_encoder *e, const deflate_rows *rows, const uint8_t *at, const uint8_t *end)
{
    size_t before = (size_t)(at - rows->bytes), pixel = rows->pixel_bytes, stride = rows->stride;
    match best = { 0, 0 };

    if (before >= pixel) {
        best = match_before(at, pixel, end);
        if (best.length >= GOOD_MATCH) {
            return best;
        }
    }
    if (before >= stride && stride <= WINDOW) {
        match above = match_before(at, stride, end);
        best = above.length > best.length ? above : best;
        if (best.length >= GOOD_MATCH) {
            return best;
        }
    }
    match hashed = find_by_hash(e, rows, at, end);
    if (hashed.length > best.length + 1) {
        best = hashed;
    }
    /* Of a pixel of four bytes the first three alone, next to it: as good as literals for three. */
    if (best.length == 0 && pixel == 4 && before >= 4 && ((load_four(at) ^ load_four(at - 4)) & 0xffffffu) == 0) {
        best = (match){ 3, 4 };
    }
    return best;
}

/* Everything but the last block's end. */
static void find_tokens(deflate_encoder *e, const deflate_rows *rows)
{
    const uint8_t *at = rows->bytes, *end = at + rows->stride * rows->count, *row = at;

    while (at < end) {
        match found = { 0, 0 };
        if (end - at >= 4) {
            found = find_match(e, rows, at, end);
        }
        if (found.length > 0) {
            add_match(e, found.length, found.distance);
            at += found.length;
        } else {
            /* The rest of this pixel, or the filter's number. */
            size_t behind = (size_t)(at - row), left = behind == 0 ? 1 : rows->pixel_bytes - (behind - 1) % rows->pixel_bytes;
            for (; left > 0; left--) {
                add_literal(e, *at++);
            }
        }
        while (at >= row + rows->stride) {
            row += rows->stride;
        }
    }
}

size_t deflate_write(deflate_encoder *e, const deflate_rows *rows, bool last, uint8_t *out)
{
    e->token_count = 0;
    memset(e->literals, 0, sizeof e->literals);
    memset(e->distances, 0, sizeof e->distances);
    memset(e->heads, 0, sizeof e->heads);
    e->out = out;
    e->bits = 0;
    e->bit_count = 0;
    find_tokens(e, rows);
    put_block(e, last);
    if (!last) {
        put_bits(e, 0, 3); /* an empty stored block */
    }
    align_to_byte(e);
    if (!last) {
        static const uint8_t empty[4] = { 0, 0, 0xff, 0xff };
        memcpy(e->out, empty, sizeof empty);
        e->out += sizeof empty;
    }
    return (size_t)(e->out - out);
}
