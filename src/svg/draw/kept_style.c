/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "svg/draw/kept_style.h"

#include <string.h>

#include "base/hash.h"

static uint64_t word_of(const void *style, size_t index)
{
    uint64_t word;
    memcpy(&word, (const char *)style + index * sizeof word, sizeof word);
    return word;
}

/* Gives the words of a difference, and returns how many they are. */
static size_t find_difference(const void *base, const void *style, size_t byte_count, uint64_t *difference)
{
    size_t count = 1;
    difference[0] = 0;
    for (size_t i = 0; i < byte_count / sizeof *difference; i++) {
        const uint64_t word = word_of(style, i);
        if (word == word_of(base, i))
            continue;
        difference[0] |= (uint64_t)1 << i;
        difference[count++] = word;
    }
    return count;
}

bool kept_style_make(const void *base, const void *style, size_t byte_count, kept_style_recent *recent, arena *arena,
                     kept_style *kept)
{
    uint64_t difference[1 + KEPT_STYLE_MOST_WORDS];
    const size_t count = find_difference(base, style, byte_count, difference), bytes = count * sizeof *difference;
    kept_style *slot = &recent->items[hash_checksum(difference, bytes) % (sizeof recent->items / sizeof *slot)];
    *kept = NULL;
    if (count == 1)
        return true;
    /* If the first words are equal, both are equally long. */
    if (!*slot || **slot != difference[0] || memcmp(*slot, difference, bytes) != 0) {
        uint64_t *made = arena_alloc(arena, bytes, sizeof *made);
        if (!made)
            return false;
        *slot = memcpy(made, difference, bytes);
    }
    *kept = *slot;
    return true;
}

const void *kept_style_read(const void *base, kept_style kept, size_t byte_count, void *room)
{
    if (!kept)
        return base;
    memcpy(room, base, byte_count);
    const uint64_t *next = kept + 1;
    for (size_t i = 0; i < byte_count / sizeof *next; i++)
        if (kept[0] >> i & 1) {
            memcpy((char *)room + i * sizeof *next, next, sizeof *next);
            next++;
        }
    return room;
}
