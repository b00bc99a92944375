/* An arena: memory that is given out piece by piece and given back all at once.
 *
 * Zero bytes are an empty arena. Pieces never move. One thread at a time. */
#ifndef PIETRA_BASE_ARENA_H
#define PIETRA_BASE_ARENA_H

#include <stddef.h>

typedef struct arena_block arena_block;

typedef struct arena {
    arena_block *blocks;      /* newest first */
    char *at, *end;           /* what is free of the newest */
    size_t block_bytes;       /* size of the next block; grows with what was asked for */
    size_t total_bytes;       /* taken from the system */
} arena;

/* `byte_count` bytes, uninitialized, at a multiple of `alignment` (a power of two, at most that of max_align_t). Owned by the arena.
 * NULL: out of memory. */
void *arena_alloc(arena *arena, size_t byte_count, size_t alignment);
/* Gives back the tail of the newest piece, where that is possible; the first `byte_count` bytes stay. */
void arena_shrink(arena *arena, void *piece, size_t byte_count);
/* The same as arena_alloc, zeroed, for `count` items; NULL also when the product overflows. */
void *arena_alloc_zeroed(arena *arena, size_t count, size_t item_bytes, size_t alignment);
/* A copy of bytes, followed by a NUL. */
char *arena_copy(arena *arena, const char *bytes, size_t count);
/* Takes over all pieces of another arena, which is empty then. */
void arena_join(arena *arena, struct arena *from);
/* Gives all memory back; the arena is empty and can be used again. */
void arena_free(arena *arena);

#define ARENA_NEW(arena, type) ((type *)arena_alloc_zeroed((arena), 1, sizeof(type), _Alignof(type)))
#define ARENA_NEW_ARRAY(arena, type, count) ((type *)arena_alloc_zeroed((arena), (count), sizeof(type), _Alignof(type)))

#endif
