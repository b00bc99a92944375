/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Every allocation of the program and its libraries is counted, and one of them can be made to fail. Only one source
 * file of a program may include this, since it defines malloc and its kin in place of the C library's. */
#ifndef TESTS_MEMORY_ALLOCATIONS_H
#define TESTS_MEMORY_ALLOCATIONS_H

#include <errno.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>

/* The functions behind malloc: the sanitizer's, or glibc's. */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define BEHIND(name) __interceptor_##name
#else
#define BEHIND(name) __libc_##name
#endif

void *BEHIND(malloc)(size_t size);
void *BEHIND(calloc)(size_t count, size_t size);
void *BEHIND(realloc)(void *block, size_t size);
void *BEHIND(memalign)(size_t alignment, size_t size);
void BEHIND(free)(void *block);

static atomic_long allocation_count;     /* allocations so far */
static atomic_long allocation_failing;   /* number of the allocation that fails; 0: none */
static atomic_long block_count;          /* blocks not freed so far */
static atomic_size_t allocation_largest; /* the most bytes that one call of malloc asked for, on one thread */

/* Libraries must find them. */
#pragma GCC visibility push(default)
void *malloc(size_t size);
void *calloc(size_t count, size_t size);
void *realloc(void *block, size_t size);
void *aligned_alloc(size_t alignment, size_t size);
int posix_memalign(void **block, size_t alignment, size_t size);
void free(void *block);
#pragma GCC visibility pop

static bool allocation_fails(void)
{
    if (atomic_fetch_add(&allocation_count, 1) + 1 != atomic_load(&allocation_failing))
        return false;
    errno = ENOMEM;
    return true;
}

static void *count_block(void *block)
{
    atomic_fetch_add(&block_count, block != NULL);
    return block;
}

void *malloc(size_t size)
{
    /* This takes no address of a local variable, because the loader allocates before a sanitizer knows the stack. */
    if (size > atomic_load(&allocation_largest))
        atomic_store(&allocation_largest, size);
    return allocation_fails() ? NULL : count_block(BEHIND(malloc)(size));
}

void *calloc(size_t count, size_t size)
{
    return allocation_fails() ? NULL : count_block(BEHIND(calloc)(count, size));
}

void *realloc(void *block, size_t size)
{
    if (allocation_fails())
        return NULL;
    void *moved = BEHIND(realloc)(block, size);
    atomic_fetch_add(&block_count, (moved != NULL) - (block && (moved || size == 0)));
    return moved;
}

void *aligned_alloc(size_t alignment, size_t size)
{
    return allocation_fails() ? NULL : count_block(BEHIND(memalign)(alignment, size));
}

int posix_memalign(void **block, size_t alignment, size_t size)
{
    void *made = allocation_fails() ? NULL : count_block(BEHIND(memalign)(alignment, size));
    if (!made)
        return ENOMEM;
    *block = made;
    return 0;
}

void free(void *block)
{
    atomic_fetch_sub(&block_count, block != NULL);
    BEHIND(free)(block);
}

#endif
