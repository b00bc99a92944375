/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#define _DEFAULT_SOURCE /* for madvise */

#include "base/memory.h"

#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#ifdef __GLIBC__
#include <malloc.h>
#endif

#define CACHE_LINE ((size_t)64)
#define LARGE_PAGE ((size_t)2 << 20)
#define SMALLEST_LARGE (2 * LARGE_PAGE)

/* The range begins and ends at small pages, so that a block that is a mapping of its own stays one: the system can move
 * such a mapping when the block grows. */
static void advise(void *block, size_t byte_count, int advice)
{
    uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
    uintptr_t begin = (uintptr_t)block & ~(page - 1), end = ((uintptr_t)block + byte_count + page - 1) & ~(page - 1);
    madvise((void *)begin, end - begin, advice); /* failure changes nothing */
}

void memory_prefer_large_pages(void *block, size_t byte_count)
{
#ifdef MADV_HUGEPAGE
    if (byte_count >= SMALLEST_LARGE)
        advise(block, byte_count, MADV_HUGEPAGE);
#else
    (void)block;
    (void)byte_count;
#endif
}

void memory_prefer_small_pages(void *block, size_t byte_count)
{
#ifdef MADV_NOHUGEPAGE
    if (byte_count >= LARGE_PAGE / 2) /* else little is gained */
        advise(block, byte_count, MADV_NOHUGEPAGE);
#else
    (void)block;
    (void)byte_count;
#endif
}

void *memory_alloc(size_t byte_count)
{
    void *block;
    if (posix_memalign(&block, byte_count < SMALLEST_LARGE ? CACHE_LINE : LARGE_PAGE, byte_count) != 0)
        return NULL;
    memory_prefer_large_pages(block, byte_count);
    return block;
}

void memory_discard(const void *piece, size_t byte_count)
{
#ifdef MADV_DONTNEED
    uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
    uintptr_t begin = ((uintptr_t)piece + page - 1) & ~(page - 1), end = ((uintptr_t)piece + byte_count) & ~(page - 1);
    if (begin < end)
        madvise((void *)begin, end - begin, MADV_DONTNEED);
#else
    (void)piece;
    (void)byte_count;
#endif
}

void memory_trim(void)
{
#ifdef __GLIBC__
    malloc_trim(0);
#endif
}
