/* Large pages for large blocks. The first use of a small page costs as much as copying what it holds. This is only
 * advice: on a system without large pages nothing changes. */
#ifndef PIETRA_PNG_LARGE_PAGES_H
#define PIETRA_PNG_LARGE_PAGES_H

#include <stddef.h>

#define LARGE_PAGE ((size_t)2 << 20)
#define LARGE_BLOCK (2 * LARGE_PAGE)   /* the smallest block that gains from them */

/* Asks for large pages for a block of any size before it is used. */
void large_pages_prefer(void *block, size_t byte_count);

#endif
