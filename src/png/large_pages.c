#define _DEFAULT_SOURCE /* for madvise */

#include "png/large_pages.h"

#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>

void large_pages_prefer(void *block, size_t byte_count)
{
#ifdef MADV_HUGEPAGE
    uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
    uintptr_t begin = (uintptr_t)block & ~(page - 1), end = ((uintptr_t)block + byte_count + page - 1) & ~(page - 1);

    if (byte_count >= LARGE_BLOCK) {
        madvise((void *)begin, end - begin, MADV_HUGEPAGE);
    }
#else
    (void)block;
    (void)byte_count;
#endif
}
