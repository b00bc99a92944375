/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "png/deflate_block.h"

#include <string.h>

#define END_OF_BLOCK 256u
#define FIRST_LENGTH 257u
#define LENGTH_CODES 19u
#define LITERAL_BITS 14u /* less than Deflate's 15, so that four literals and 7 bits before them fit one word */
#define DISTANCE_BITS 15u
#define LENGTH_CODE_BITS 7u
#define BLOCK_OVERHEAD 512u /* more than the largest head of a block */

/* A block with more literals than this has only a sample of them counted: one step in SAMPLED_STEPS, and of the long
 * rows of other steps one literal in SAMPLED_STRIDE, which is no multiple of a pixel's bytes. */
#define SAMPLED_LITERALS 32768u
#define SAMPLED_STEPS 4u
#define LONG_ROW 64u
#define SAMPLED_STRIDE 5u

static inline deflate_step *steps_of(const deflate_block *b)
{
    return (deflate_step *)(uintptr_t)(b + 1);
}

/* All steps have at least three bytes, but for the last one. */
size_t deflate_block_steps(size_t byte_count)
{
    size_t steps = byte_count / 3 + 1;

    return steps < DEFLATE_BLOCK_STEPS ? steps : DEFLATE_BLOCK_STEPS;
}

/* A literal takes at most LITERAL_BITS bits, and a match of 3 bytes 19 + 28. */
size_t deflate_block_bound(size_t byte_count)
{
    return 2 * byte_count + (byte_count / DEFLATE_BLOCK_STEPS + 2) * BLOCK_OVERHEAD;
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

    if (length == DEFLATE_MOST_MATCH)
        return (ranged){DEFLATE_LITERALS - 1, 0, 0};
    return (ranged){FIRST_LENGTH + 4 * bits + (more >> bits), bits, more & ((1u << bits) - 1)};
}

/* Takes a distance less 1. */
static inline ranged code_distance(unsigned less)
{
    unsigned bits = less < 4 ? 0 : floor_log2(less) - 1;

    return (ranged){2 * bits + (less >> bits), bits, less & ((1u << bits) - 1)};
}

/* ---- Bits ---- */

/* Writes the whole bytes of up to 63 bits. The bytes behind them are written again with what follows. */
static inline void flush_bits(uint64_t *bits, unsigned *count, uint8_t **out)
{
    memcpy(*out, bits, sizeof *bits);
    *out += *count / 8;
    *bits >>= *count & ~7u;
    *count &= 7;
}

/* Puts at most 56 bits. */
static void put_bits(deflate_block *b, uint64_t bits, unsigned count)
{
    b->bits |= bits << b->bit_count;
    b->bit_count += count;
    flush_bits(&b->bits, &b->bit_count, &b->out);
}

/* ---- The body of a block ---- */

/* A code and the extra bits behind it. */
typedef struct long_code {
    uint32_t bits, length;
} long_code;

static void make_length_codes(const huffman_code *literals, long_code *codes)
{
    for (unsigned length = 3; length <= DEFLATE_MOST_MATCH; length++) {
        ranged parts = code_length(length);
        huffman_code code = literals[parts.code];
        codes[length] = (long_code){code.bits | parts.extra << code.length, code.length + parts.extra_bits};
    }
}

/* Joins the codes of two successive literals. */
static inline long_code two_codes(const huffman_code *literals, const uint8_t *at)
{
    huffman_code first = literals[at[0]], second = literals[at[1]];

    return (long_code){first.bits | (uint32_t)second.bits << first.length, (uint32_t)first.length + second.length};
}

/* The state is kept in local variables, because the compiler must assume that a written byte may change the block. */
static void put_steps(deflate_block *b, const huffman_code *literals, const huffman_code *distances)
{
    long_code lengths[DEFLATE_MOST_MATCH + 1];
    uint64_t bits = b->bits;
    unsigned count = b->bit_count;
    uint8_t *out = b->out;
    const uint8_t *at = b->begin;

    make_length_codes(literals, lengths);
    for (const deflate_step *step = steps_of(b), *end = step + b->step_count; step < end; step++) {
        const uint8_t *match = at + step->literals;
        for (; match - at >= 4; at += 4) {
            long_code first = two_codes(literals, at), second = two_codes(literals, at + 2);
            bits |= (first.bits | (uint64_t)second.bits << first.length) << count;
            count += first.length + second.length;
            flush_bits(&bits, &count, &out);
        }
        if (step->length == 0) {
            for (; at < match; at++) {
                huffman_code code = literals[*at];
                bits |= (uint64_t)code.bits << count;
                count += code.length;
            }
            flush_bits(&bits, &count, &out);
            continue;
        }
        /* A branch on how many literals remain would be mispredicted. So three are always coded, and those that belong
         * to the match add no bits. */
        for (size_t i = 0, left = (size_t)(match - at); i < 3; i++) {
            huffman_code code = literals[at[i]];
            unsigned kept = i < left ? ~0u : 0u;
            bits |= (uint64_t)(code.bits & kept) << count;
            count += code.length & kept;
        }
        flush_bits(&bits, &count, &out);
        at = match;
        long_code length = lengths[step->length];
        ranged distance = code_distance(step->distance);
        bits |= (uint64_t)length.bits << count;
        count += length.length;
        bits |= (uint64_t)distances[distance.code].bits << count;
        count += distances[distance.code].length;
        bits |= (uint64_t)distance.extra << count;
        count += distance.extra_bits;
        flush_bits(&bits, &count, &out);
        at += step->length;
    }
    b->bits = bits;
    b->bit_count = count;
    b->out = out;
    put_bits(b, literals[END_OF_BLOCK].bits, literals[END_OF_BLOCK].length);
}

/* ---- The head of a block ---- */

/* Turns the lengths of codes into symbols of their own, with runs of 0 and repetitions. The high byte holds their
 * count. */
static size_t collect_lengths(const huffman_code *codes, size_t count, uint16_t *symbols)
{
    size_t used = 0;

    for (size_t i = 0; i < count;) {
        unsigned length = codes[i].length;
        size_t run = 1;
        while (i + run < count && codes[i + run].length == length)
            run++;
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
        for (; run > 0; run--)
            symbols[used++] = (uint16_t)length;
    }
    return used;
}

static const uint8_t length_extra_bits[LENGTH_CODES] = {[16] = 2, [17] = 3, [18] = 7};

typedef struct block_head {
    uint16_t symbols[DEFLATE_LITERALS + DEFLATE_DISTANCES];
    size_t symbol_count;
    size_t literal_count, distance_count, length_count; /* codes that the head states */
    huffman_code lengths[LENGTH_CODES];
    size_t bits;
} block_head;

static const uint8_t length_order[LENGTH_CODES] = {16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15};

static void make_head(const huffman_code *literals, const huffman_code *distances, block_head *head)
{
    huffman_code all[DEFLATE_LITERALS + DEFLATE_DISTANCES];
    uint32_t frequencies[LENGTH_CODES] = {0};

    head->literal_count = DEFLATE_LITERALS;
    while (head->literal_count > FIRST_LENGTH && literals[head->literal_count - 1].length == 0)
        head->literal_count--;
    head->distance_count = DEFLATE_DISTANCES;
    while (head->distance_count > 1 && distances[head->distance_count - 1].length == 0)
        head->distance_count--;
    memcpy(all, literals, head->literal_count * sizeof *all);
    memcpy(all + head->literal_count, distances, head->distance_count * sizeof *all);
    head->symbol_count = collect_lengths(all, head->literal_count + head->distance_count, head->symbols);
    for (size_t i = 0; i < head->symbol_count; i++)
        frequencies[head->symbols[i] & 255]++;
    huffman_make(frequencies, LENGTH_CODES, LENGTH_CODE_BITS, head->lengths);
    head->length_count = LENGTH_CODES;
    while (head->length_count > 4 && head->lengths[length_order[head->length_count - 1]].length == 0)
        head->length_count--;
    head->bits = 14 + 3 * head->length_count;
    for (size_t i = 0; i < LENGTH_CODES; i++)
        head->bits += frequencies[i] * (head->lengths[i].length + (size_t)length_extra_bits[i]);
}

static void put_head(deflate_block *b, const block_head *head)
{
    put_bits(b, head->literal_count - 257, 5);
    put_bits(b, head->distance_count - 1, 5);
    put_bits(b, head->length_count - 4, 4);
    for (size_t i = 0; i < head->length_count; i++)
        put_bits(b, head->lengths[length_order[i]].length, 3);
    for (size_t i = 0; i < head->symbol_count; i++) {
        unsigned symbol = head->symbols[i] & 255;
        put_bits(b, head->lengths[symbol].bits, head->lengths[symbol].length);
        put_bits(b, head->symbols[i] >> 8, length_extra_bits[symbol]);
    }
}

/* Returns how many bits the block takes with these codes, without the extra bits of matches. */
static size_t count_bits(const uint32_t *frequencies, const uint32_t *distance_frequencies,
                         const huffman_code *literals, const huffman_code *distances)
{
    size_t bits = 0;

    for (size_t i = 0; i < DEFLATE_LITERALS; i++)
        bits += frequencies[i] * (size_t)literals[i].length;
    for (size_t i = 0; i < DEFLATE_DISTANCES; i++)
        bits += distance_frequencies[i] * (size_t)distances[i].length;
    return bits;
}

/* The fixed codes, which a block need not state (RFC 1951, section 3.2.6). */
typedef struct fixed_codes {
    huffman_code literals[HUFFMAN_MOST_SYMBOLS], distances[DEFLATE_DISTANCES];
} fixed_codes;

/* Gives the codes their lengths alone. */
static void begin_fixed(fixed_codes *fixed)
{
    for (size_t i = 0; i < HUFFMAN_MOST_SYMBOLS; i++)
        fixed->literals[i].length = i < 144 ? 8 : i < 256 ? 9 : i < 280 ? 7 : 8;
    for (size_t i = 0; i < DEFLATE_DISTANCES; i++)
        fixed->distances[i].length = 5;
}

static void put_fixed_steps(deflate_block *b, fixed_codes *fixed)
{
    huffman_assign(fixed->literals, HUFFMAN_MOST_SYMBOLS);
    huffman_assign(fixed->distances, DEFLATE_DISTANCES);
    put_steps(b, fixed->literals, fixed->distances);
}

/* match: at least three bytes follow `end`. */
static inline void count_literals(uint32_t counts[4][256], const uint8_t *at, const uint8_t *end, bool match)
{
    for (; end - at >= 4; at += 4) {
        counts[0][at[0]]++;
        counts[1][at[1]]++;
        counts[2][at[2]]++;
        counts[3][at[3]]++;
    }
    if (match) {
        /* There is no branch here, as in put_steps. */
        for (size_t i = 0, left = (size_t)(end - at); i < 3; i++)
            counts[i][at[i]] += i < left;
        return;
    }
    for (; at < end; at++)
        counts[0][*at]++;
}

/* Each literal has four counters, because counting the same one twice in a row would make the second wait for the
 * first. Literals that the sample lacks may still occur, and get a code. */
static void count_all_literals(const deflate_block *b, uint32_t *frequencies)
{
    bool is_sample = b->literal_count > SAMPLED_LITERALS;
    uint32_t counts[4][256] = {0};
    const uint8_t *at = b->begin;

    for (size_t i = 0; i < b->step_count; i++) {
        const deflate_step *step = &steps_of(b)[i];
        const uint8_t *match = at + step->literals;
        if (!is_sample || i % SAMPLED_STEPS == 0)
            count_literals(counts, at, match, step->length != 0);
        else if (step->literals >= LONG_ROW)
            for (size_t k = 0; k < step->literals; k += SAMPLED_STRIDE)
                counts[0][at[k]]++;
        at = match + step->length;
    }
    for (size_t i = 0; i < 256; i++)
        frequencies[i] = counts[0][i] + counts[1][i] + counts[2][i] + counts[3][i] + is_sample;
}

static void gather_frequencies(const deflate_block *b, uint32_t *frequencies)
{
    count_all_literals(b, frequencies);
    frequencies[END_OF_BLOCK] = 1;
    memcpy(frequencies + FIRST_LENGTH, b->lengths + 1, (DEFLATE_LITERALS - FIRST_LENGTH) * sizeof *frequencies);
}

static void start_block(deflate_block *b, const uint8_t *input)
{
    b->step_count = 0;
    b->literal_count = 0;
    memset(b->lengths, 0, sizeof b->lengths);
    memset(b->distances, 0, sizeof b->distances);
    b->begin = b->literal = input;
}

static void put_block(deflate_block *b, bool last)
{
    huffman_code literals[HUFFMAN_MOST_SYMBOLS], distances[DEFLATE_DISTANCES];
    uint32_t frequencies[DEFLATE_LITERALS];
    fixed_codes fixed;
    block_head head;

    gather_frequencies(b, frequencies);
    huffman_make(frequencies, DEFLATE_LITERALS, LITERAL_BITS, literals);
    huffman_make(b->distances, DEFLATE_DISTANCES, DISTANCE_BITS, distances);
    make_head(literals, distances, &head);
    begin_fixed(&fixed);
    put_bits(b, last, 1);
    if (count_bits(frequencies, b->distances, fixed.literals, fixed.distances) <=
        count_bits(frequencies, b->distances, literals, distances) + head.bits) {
        put_bits(b, 1, 2);
        put_fixed_steps(b, &fixed);
    } else {
        put_bits(b, 2, 2);
        put_head(b, &head);
        put_steps(b, literals, distances);
    }
}

/* ---- Steps ---- */

static void add_step(deflate_block *b, size_t literals, unsigned length, unsigned distance_less)
{
    steps_of(b)[b->step_count++] = (deflate_step){(uint32_t)literals, (uint16_t)length, (uint16_t)distance_less};
    b->literal_count += literals;
    b->literal += literals + length;
    if (length) {
        b->lengths[code_length(length).code - 256]++;
        b->distances[code_distance(distance_less).code]++;
    }
    if (b->step_count == DEFLATE_BLOCK_STEPS || b->literal_count >= DEFLATE_BLOCK_BYTES) {
        put_block(b, false);
        start_block(b, b->literal);
    }
}

/* Cuts long rows of literals where blocks end. */
static size_t cut_literals(deflate_block *b, const uint8_t *at)
{
    while ((size_t)(at - b->literal) > DEFLATE_BLOCK_BYTES)
        add_step(b, DEFLATE_BLOCK_BYTES, 0, 0);
    return (size_t)(at - b->literal);
}

void deflate_block_match(deflate_block *b, const uint8_t *at, size_t length, size_t distance)
{
    size_t literals = cut_literals(b, at);

    while (length > 0) {
        /* The rest must not be too short for a match. */
        size_t part = length <= DEFLATE_MOST_MATCH      ? length
                      : length < DEFLATE_MOST_MATCH + 3 ? DEFLATE_MOST_MATCH - 3
                                                        : DEFLATE_MOST_MATCH;
        add_step(b, literals, (unsigned)part, (unsigned)distance - 1);
        literals = 0;
        length -= part;
    }
}

void deflate_block_begin(deflate_block *b, const uint8_t *input, uint8_t *out)
{
    b->out = out;
    b->bits = 0;
    b->bit_count = 0;
    start_block(b, input);
}

uint8_t *deflate_block_end(deflate_block *b, const uint8_t *end, bool last)
{
    add_step(b, cut_literals(b, end), 0, 0);
    put_block(b, last);
    if (!last)
        put_bits(b, 0, 3); /* an empty stored block */
    b->out += b->bit_count > 0;
    if (!last) {
        static const uint8_t empty[4] = {0, 0, 0xff, 0xff};
        memcpy(b->out, empty, sizeof empty);
        b->out += sizeof empty;
    }
    return b->out;
}
