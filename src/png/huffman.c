/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Lengths are those of Huffman's tree, computed in place over the sorted frequencies (A. Moffat and J. Katajainen,
 * In-place calculation of minimum-redundancy codes, 1995). Leaves deeper than the limit move up to it. Then the longest
 * codes that are still shorter are lengthened until Kraft's inequality holds. */
#include "png/huffman.h"

#include <stdbool.h>
#include <string.h>

#define MOST_BITS 15u

typedef struct leaf {
    uint32_t weight; /* later the parent, then the depth */
    uint16_t symbol;
} leaf;

/* Sorts stably, by the low 16 bits and then by the high ones. */
static void sort_leaves(leaf *leaves, size_t count)
{
    leaf other[HUFFMAN_MOST_SYMBOLS], *from = leaves, *to = other;

    for (unsigned shift = 0; shift < 32; shift += 8) {
        size_t starts[257] = {0};
        for (size_t i = 0; i < count; i++)
            starts[(from[i].weight >> shift & 255) + 1]++;
        if (starts[1] == count)
            continue; /* all leaves have 0 here, as is usual for high bytes */
        for (size_t i = 0; i < 256; i++)
            starts[i + 1] += starts[i];
        for (size_t i = 0; i < count; i++)
            to[starts[from[i].weight >> shift & 255]++] = from[i];
        leaf *swap = from;
        from = to;
        to = swap;
    }
    if (from != leaves)
        memcpy(leaves, from, count * sizeof *leaves);
}

/* Turns rising weights into falling depths. There are at least two leaves. */
static void find_depths(leaf *a, size_t count)
{
    size_t root = 0, next_leaf = 2;

    a[0].weight += a[1].weight;
    for (size_t next = 1; next + 1 < count; next++) {
        for (int side = 0; side < 2; side++) {
            uint32_t taken;
            if (next_leaf >= count || (root < next && a[root].weight < a[next_leaf].weight)) {
                taken = a[root].weight;
                a[root++].weight = (uint32_t)next;
            } else {
                taken = a[next_leaf++].weight;
            }
            a[next].weight = side == 0 ? taken : a[next].weight + taken;
        }
    }
    a[count - 2].weight = 0;
    for (size_t next = count - 2; next-- > 0;)
        a[next].weight = a[a[next].weight].weight + 1;
    /* From here, depths of inner nodes become depths of leaves. */
    size_t available = 1, used = 0, next = count, inner = count - 1;
    for (uint32_t depth = 0; available > 0; depth++) {
        while (inner > 0 && a[inner - 1].weight == depth) {
            used++;
            inner--;
        }
        for (; available > used; available--)
            a[--next].weight = depth;
        available = 2 * used;
        used = 0;
    }
}

/* Counts the codes of each length. None is longer than the limit. */
static void count_lengths(const leaf *leaves, size_t count, unsigned limit, uint32_t *lengths)
{
    uint32_t space = 0; /* in units of a code as long as the limit */

    for (size_t i = 0; i < count; i++)
        lengths[leaves[i].weight < limit ? leaves[i].weight : limit]++;
    for (unsigned length = 1; length <= limit; length++)
        space += lengths[length] << (limit - length);
    while (space > 1u << limit) {
        unsigned length = limit - 1;
        while (lengths[length] == 0)
            length--;
        /* A code becomes an inner node: it and one of the longest codes become its two sides. */
        lengths[length]--;
        lengths[length + 1] += 2;
        lengths[limit]--;
        space--;
    }
}

/* Reverses 16 bits. */
static unsigned reverse(unsigned bits)
{
    bits = (bits & 0x5555) << 1 | (bits >> 1 & 0x5555);
    bits = (bits & 0x3333) << 2 | (bits >> 2 & 0x3333);
    bits = (bits & 0x0f0f) << 4 | (bits >> 4 & 0x0f0f);
    return (bits & 0xff) << 8 | bits >> 8;
}

void huffman_assign(huffman_code *codes, size_t count)
{
    unsigned counts[MOST_BITS + 1] = {0}, next[MOST_BITS + 1] = {0};

    for (size_t i = 0; i < count; i++)
        counts[codes[i].length]++;
    counts[0] = 0;
    for (unsigned length = 1; length <= MOST_BITS; length++)
        next[length] = (next[length - 1] + counts[length - 1]) << 1;
    for (size_t i = 0; i < count; i++) {
        unsigned code = codes[i].length ? next[codes[i].length]++ : 0;
        codes[i].bits = (uint16_t)(reverse(code) >> (16 - codes[i].length));
    }
}

void huffman_make(const uint32_t *frequencies, size_t count, unsigned limit, huffman_code *codes)
{
    leaf leaves[HUFFMAN_MOST_SYMBOLS];
    uint32_t lengths[MOST_BITS + 1] = {0};
    size_t used = 0;

    memset(codes, 0, count * sizeof *codes);
    for (size_t i = 0; i < count; i++)
        if (frequencies[i])
            leaves[used++] = (leaf){frequencies[i], (uint16_t)i};
    for (size_t i = 0; used < 2; i++)
        if (!frequencies[i])
            leaves[used++] = (leaf){1, (uint16_t)i};
    sort_leaves(leaves, used);
    find_depths(leaves, used);
    count_lengths(leaves, used, limit, lengths);
    /* The rarest symbols get the longest codes. */
    size_t at = 0;
    for (unsigned length = limit; length > 0; length--)
        for (uint32_t i = 0; i < lengths[length]; i++)
            codes[leaves[at++].symbol].length = (uint16_t)length;
    huffman_assign(codes, count);
}
