/* Large pages for large blocks: first use of a small one costs as much as a copy of what it holds. Advice: where there are none, nothing
 * changes. */
#ifndef PIETRA_PNG_LARGE_PAGES_H
#define PIETRA_PNG_LARGE_PAGES_H

#include <stddef.h>

#define LARGE_PAGE ((size_t)2 << 20)
#define LARGE_BLOCK (2 * LARGE_PAGE)   /* the smallest that is worth asking for */

/* Asks for them behind a block of any size, before it is used. */
void large_pages_prefer(void *block, size_t byte_count);

#endif
