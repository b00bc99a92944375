/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* An arena: memory that is given out piece by piece and given back all at once.
 *
 * Zero bytes are an empty arena. Pieces never move. One thread at a time. */
#ifndef PIETRA_BASE_ARENA_H
#define PIETRA_BASE_ARENA_H

#include <stddef.h>

typedef struct arena_block arena_block;

typedef struct arena {
    arena_block *blocks; /* newest first */
    char *at, *end;      /* the free part of the newest block */
    size_t block_bytes;  /* size of the next block; grows with the total that was asked for */
    size_t total_bytes;  /* taken from the system */
} arena;

/* Returns `byte_count` uninitialized bytes at a multiple of `alignment` (a power of two, at most that of max_align_t).
 * The arena owns them. NULL: out of memory. */
void *arena_alloc(arena *arena, size_t byte_count, size_t alignment);
/* Gives back the tail of the newest piece where possible. The first `byte_count` bytes stay. */
void arena_shrink(arena *arena, void *piece, size_t byte_count);
/* Does the same as arena_alloc for `count` items, and zeroes them. NULL also if the product overflows. */
void *arena_alloc_zeroed(arena *arena, size_t count, size_t item_bytes, size_t alignment);
/* Returns a copy of the bytes, followed by a NUL. */
char *arena_copy(arena *arena, const char *bytes, size_t count);
/* Takes over all pieces of another arena, which is empty afterwards. */
void arena_join(arena *arena, struct arena *from);
/* Gives all memory back. The arena is empty and can be used again. */
void arena_free(arena *arena);

#define ARENA_NEW(arena, type) ((type *)arena_alloc_zeroed((arena), 1, sizeof(type), _Alignof(type)))
#define ARENA_NEW_ARRAY(arena, type, count) ((type *)arena_alloc_zeroed((arena), (count), sizeof(type), _Alignof(type)))

#endif
