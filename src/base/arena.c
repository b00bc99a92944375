/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "base/arena.h"

#include <assert.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

#define FIRST_BLOCK_BYTES ((size_t)16 << 10)
#define LARGEST_BLOCK_BYTES ((size_t)16 << 20)

struct arena_block {
    arena_block *previous;
    _Alignas(max_align_t) char bytes[];
};

/* Gives a large piece a block of its own size. The block goes behind the newest one, so that the free rest of the
 * newest is not lost. */
static void *arena_alloc_alone(arena *arena, size_t byte_count)
{
    arena_block *block = memory_alloc(sizeof *block + byte_count);
    if (!block)
        return NULL;
    if (arena->blocks) {
        block->previous = arena->blocks->previous;
        arena->blocks->previous = block;
    } else {
        block->previous = NULL;
        arena->blocks = block;
        arena->at = arena->end = block->bytes + byte_count;
    }
    arena->total_bytes += byte_count;
    return block->bytes;
}

static void arena_grow_blocks(arena *arena, size_t size)
{
    arena->block_bytes = size < LARGEST_BLOCK_BYTES ? size * 2 : size;
}

static int arena_add_block(arena *arena)
{
    size_t size = arena->block_bytes ? arena->block_bytes : FIRST_BLOCK_BYTES;
    arena_block *block = memory_alloc(sizeof *block + size);
    if (!block)
        return 0;
    block->previous = arena->blocks;
    arena->blocks = block;
    arena->at = block->bytes;
    arena->end = block->bytes + size;
    arena->total_bytes += size;
    arena_grow_blocks(arena, size);
    return 1;
}

void *arena_alloc(arena *arena, size_t byte_count, size_t alignment)
{
    assert(alignment && !(alignment & (alignment - 1)) && alignment <= _Alignof(max_align_t));
    size_t padding = (size_t)(-(uintptr_t)arena->at & (alignment - 1));
    size_t room = (size_t)(arena->end - arena->at);
    if (!arena->blocks || padding > room || byte_count > room - padding) {
        size_t next = arena->block_bytes ? arena->block_bytes : FIRST_BLOCK_BYTES;
        if (byte_count > SIZE_MAX / 2)
            return NULL;
        if (byte_count > next / 4) {
            arena_grow_blocks(arena, next); /* of many such pieces, later ones lie behind one another */
            return arena_alloc_alone(arena, byte_count);
        }
        if (!arena_add_block(arena))
            return NULL;
        padding = 0;
    }
    char *piece = arena->at + padding;
    arena->at = piece + byte_count;
    return piece;
}

void arena_shrink(arena *arena, void *piece, size_t byte_count)
{
    char *begin = piece;
    /* A piece that has a block of its own keeps it. */
    if (arena->blocks && begin >= arena->blocks->bytes && begin + byte_count <= arena->at)
        arena->at = begin + byte_count;
}

void *arena_alloc_zeroed(arena *arena, size_t count, size_t item_bytes, size_t alignment)
{
    if (item_bytes && count > SIZE_MAX / item_bytes)
        return NULL;
    void *piece = arena_alloc(arena, count * item_bytes, alignment);
    if (piece)
        memset(piece, 0, count * item_bytes);
    return piece;
}

char *arena_copy(arena *arena, const char *bytes, size_t count)
{
    char *copy = arena_alloc(arena, count + 1, 1);
    if (!copy)
        return NULL;
    if (count)
        memcpy(copy, bytes, count);
    copy[count] = '\0';
    return copy;
}

void arena_join(arena *arena, struct arena *from)
{
    if (!arena->blocks) {
        *arena = *from;
    } else if (from->blocks) {
        /* The blocks taken over go behind the newest one, which still gives out pieces. */
        arena_block *last = from->blocks;
        while (last->previous)
            last = last->previous;
        last->previous = arena->blocks->previous;
        arena->blocks->previous = from->blocks;
        arena->total_bytes += from->total_bytes;
    }
    memset(from, 0, sizeof *from);
}

void arena_free(arena *arena)
{
    while (arena->blocks) {
        arena_block *previous = arena->blocks->previous;
        free(arena->blocks);
        arena->blocks = previous;
    }
    memset(arena, 0, sizeof *arena);
}
