/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Compares 64 bytes at a time and turns equality into a word of bits. From then on, matches and literals are told apart
 * by counting zeros, so a byte that matches nothing costs no branch of its own. */
#include "png/deflate_runs.h"

#include <string.h>

#include "png/deflate_hash.h"
#ifdef __SSE2__
#include <emmintrin.h>
#endif

#define WORD 64u          /* bytes compared at once */
#define LEAST 4u          /* shortest match, bytes */
#define GOOD_RUN 32u      /* long enough to end the search */
#define PROBE_COST 6      /* what a search by hash costs, in bytes */
#define LEAST_GAIN 4      /* bytes that a search must bring on average, even if runs pay for it */
#define RUN_SHARE 8u      /* this many bytes of a run pay as much as one byte that a search brought */
#define FIRST_CREDIT 8192 /* bytes */
#define FIRST_TRUST (FIRST_CREDIT * LEAST_GAIN / PROBE_COST)
#define MOST_CREDIT (1 << 20)

typedef struct deflate_runs {
    deflate_block *block;
    const deflate_rows *rows;
    const uint8_t *end, *looked_at, *row;
    uint32_t *heads; /* for each hash of four bytes, the last place at which it was searched */
    unsigned hash_bits;
    ptrdiff_t credit; /* bytes available for searching: what searches brought plus a share of runs, less what
                              * searches cost */
    ptrdiff_t trust;  /* bytes that searches brought beyond LEAST_GAIN each */
} deflate_runs;

#ifdef __SSE2__
static inline uint64_t equal_bytes(const uint8_t *a, const uint8_t *b)
{
    uint64_t equal = 0;

    for (unsigned i = 0; i < WORD; i += 16) {
        __m128i x = _mm_loadu_si128((const __m128i *)(const void *)(a + i)),
                y = _mm_loadu_si128((const __m128i *)(const void *)(b + i));
        equal |= (uint64_t)(unsigned)_mm_movemask_epi8(_mm_cmpeq_epi8(x, y)) << i;
    }
    return equal;
}
#else
static inline uint64_t equal_bytes(const uint8_t *a, const uint8_t *b)
{
    const uint64_t low = UINT64_C(0x7f7f7f7f7f7f7f7f);
    uint64_t equal = 0;

    for (unsigned i = 0; i < WORD; i += 8) {
        uint64_t x, y;
        memcpy(&x, a + i, 8);
        memcpy(&y, b + i, 8);
        x ^= y;
        x = ~(((x & low) + low) | x | low);                            /* high bit of each byte that is 0 */
        equal |= ((x >> 7) * UINT64_C(0x0102040810204080) >> 56) << i; /* gathers them */
    }
    return equal;
}
#endif

/* Returns the bits at which a run of LEAST bytes begins that ends within the word. */
static inline uint64_t starts_of_runs(uint64_t equal)
{
    uint64_t pairs = equal & equal >> 1;

    return pairs & pairs >> 2;
}

/* Does the same for runs of three bytes: the colour of a four-byte pixel whose alpha differs. A match this near is
 * cheap. */
static inline uint64_t starts_of_colours(uint64_t equal)
{
    return equal & equal >> 1 & equal >> 2;
}

/* Returns how many bytes are equal, up to `end`, which ends `a`. */
static size_t match_length(const uint8_t *a, const uint8_t *b, const uint8_t *end)
{
    const uint8_t *begin = a;

    for (; (size_t)(end - a) >= WORD; a += WORD, b += WORD) {
        uint64_t different = ~equal_bytes(a, b);
        if (different)
            return (size_t)(a - begin) + (size_t)__builtin_ctzll(different);
    }
    while (a < end && *a == *b) {
        a++;
        b++;
    }
    return (size_t)(a - begin);
}

/* Returns the length of a run that begins at bit `from` of the word. */
static inline size_t run_length(uint64_t equal, unsigned from, const uint8_t *at, size_t distance, const uint8_t *end)
{
    uint64_t different = ~equal >> from;

    if (different)
        return (size_t)__builtin_ctzll(different);
    return WORD - from + match_length(at + WORD - from, at + WORD - from - distance, end);
}

/* ---- Matches by hash ---- */

static inline uint32_t load_four(const uint8_t *at)
{
    uint32_t four;

    memcpy(&four, at, sizeof four);
    return four;
}

typedef struct match {
    size_t length, distance;
} match;

/* Returns whether a search may be tried. It pays if searches bring many bytes on average, which is where little remains
 * to be searched, and if runs have left time. */
static inline bool may_search(const deflate_runs *runs, const uint8_t *at)
{
    return runs->credit > 0 && runs->trust > 0 && (size_t)(runs->end - at) >= LEAST;
}

/* Records the place, and compares it with the last one that had the same hash. */
static inline match search(deflate_runs *runs, const uint8_t *at)
{
    uint32_t four = load_four(at), *head = &runs->heads[deflate_hash(four, runs->hash_bits)];
    const uint8_t *begin = runs->rows->bytes, *earlier = begin + *head;
    match found = {0, (size_t)(at - earlier)};

    *head = (uint32_t)(at - begin);
    runs->credit -= PROBE_COST;
    runs->trust -= LEAST_GAIN;
    if (earlier < at && found.distance <= DEFLATE_WINDOW && load_four(earlier) == four)
        found.length = LEAST + match_length(at + LEAST, earlier + LEAST, runs->end);
    return found;
}

/* Adds to a balance, up to MOST_CREDIT. */
static inline void add_to(ptrdiff_t *balance, size_t gain)
{
    *balance += (ptrdiff_t)gain;
    *balance = *balance < MOST_CREDIT ? *balance : MOST_CREDIT;
}

static inline void add_run(deflate_runs *runs, const uint8_t *at, match run)
{
    deflate_block_match(runs->block, at, run.length, run.distance);
    add_to(&runs->credit, run.length / RUN_SHARE);
}

/* Adds a match that a search found. `gain` is how many bytes more it covers than the match without it. */
static inline void add_found(deflate_runs *runs, const uint8_t *at, match found, size_t gain)
{
    deflate_block_match(runs->block, at, found.length, found.distance);
    add_to(&runs->credit, gain);
    add_to(&runs->trust, gain);
}

/* Searches from the literals before `at`, one pixel at a time. Returns the end of the first match, or `at`. */
static const uint8_t *search_literals(deflate_runs *runs, const uint8_t *at)
{
    const uint8_t *from = runs->block->literal > runs->looked_at ? runs->block->literal : runs->looked_at;

    runs->looked_at = at;
    if (!may_search(runs, from))
        return at;
    while ((size_t)(from - runs->row) >= runs->rows->stride)
        runs->row += runs->rows->stride;
    size_t past = (size_t)(from - runs->row + (ptrdiff_t)runs->rows->pixel_bytes - 1) % runs->rows->pixel_bytes;
    from += past ? runs->rows->pixel_bytes - past : 0;
    for (; from < at && may_search(runs, from); from += runs->rows->pixel_bytes) {
        match found = search(runs, from);
        if (found.length > 0) {
            add_found(runs, from, found, found.length);
            runs->looked_at = from;
            return from + found.length;
        }
    }
    return at;
}

/* ---- The walk ---- */

/* Walks from the begin of a word to a place behind it, which it returns. A whole word can be read. */
static const uint8_t *walk_word(deflate_runs *runs, const uint8_t *word, size_t left, size_t above)
{
    uint64_t equal_left = equal_bytes(word, word - left), equal_above = above ? equal_bytes(word, word - above) : 0;
    uint64_t starts =
        starts_of_runs(equal_above) | (left == 4 ? starts_of_colours(equal_left) : starts_of_runs(equal_left));
    size_t done = WORD - (LEAST - 1); /* runs that begin later may continue behind the word */

    while (starts) {
        unsigned bit = (unsigned)__builtin_ctzll(starts);
        const uint8_t *at = word + bit, *found = search_literals(runs, at);
        if (found != at)
            return found;
        size_t by_left = run_length(equal_left, bit, at, left, runs->end),
               by_above = run_length(equal_above, bit, at, above, runs->end);
        match run = {by_left, left};
        if (by_above > by_left)
            run = (match){by_above, above};
        if (run.length < GOOD_RUN && may_search(runs, at)) {
            match found = search(runs, at);
            if (found.length > run.length + 1) {
                add_found(runs, at, found, found.length - run.length);
                return at + found.length;
            }
        }
        add_run(runs, at, run);
        if (bit + run.length >= done)
            return at + run.length;
        starts &= ~UINT64_C(0) << (bit + run.length);
    }
    return search_literals(runs, word + done);
}

void deflate_find_runs(deflate_block *block, const deflate_rows *rows, uint32_t *heads)
{
    size_t left = rows->pixel_bytes, above = rows->stride;
    const uint8_t *begin = rows->bytes, *end = begin + rows->stride * rows->count, *at = begin + left;
    deflate_runs runs = {.block = block, .rows = rows, .end = end, .looked_at = begin, .row = begin, .heads = heads};

    runs.credit = FIRST_CREDIT;
    runs.trust = FIRST_TRUST;
    runs.hash_bits = deflate_hash_bits((size_t)(end - begin));
    memset(heads, 0, sizeof *heads << runs.hash_bits);
    while (at < end && (size_t)(end - at) >= WORD) {
        bool is_above = (size_t)(at - begin) >= above && above <= DEFLATE_WINDOW;
        at = walk_word(&runs, at, left, is_above ? above : 0);
    }
}
