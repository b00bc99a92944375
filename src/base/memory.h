/* Large blocks of memory. First use of a page of 4 KiB costs as much as a copy of what it holds, so large blocks ask the system for
 * large pages; where there are none nothing changes. */
#ifndef PIETRA_BASE_MEMORY_H
#define PIETRA_BASE_MEMORY_H

#include <stddef.h>

/* malloc, to be freed by free, for blocks that may be large: those start on a large page. NULL: out of memory. */
void *memory_alloc(size_t byte_count);

/* Gives the pages inside a piece of a block back to the system, where it takes them; the block stays, the piece's contents do not. */
void memory_discard(const void *piece, size_t byte_count);

/* Asks for large pages behind a block that has just grown. */
void memory_prefer_large_pages(void *block, size_t byte_count);

#endif
