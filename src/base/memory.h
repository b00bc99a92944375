/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Large blocks of memory. The first use of a page of 4 KiB costs as much as copying what it holds, so large blocks ask
 * the system for large pages. On a system without large pages nothing changes. */
#ifndef PIETRA_BASE_MEMORY_H
#define PIETRA_BASE_MEMORY_H

#include <stddef.h>

/* Allocates a block that may be large, to be freed by free. It starts on a cache line of 64 bytes; a large block starts
 * on a large page. NULL: out of memory. */
void *memory_alloc(size_t byte_count);

/* Gives the pages inside a piece of a block back to the system, if it takes them. The block stays; the contents of the
 * piece are lost. */
void memory_discard(const void *piece, size_t byte_count);
/* Gives free memory of the heap back to the system, where the C library can. It costs a walk of the heap. */
void memory_trim(void);

/* Asks for large pages for a block that has just grown. */
void memory_prefer_large_pages(void *block, size_t byte_count);
/* Asks for small pages at the beginning of a block that was not written yet. A large page takes its memory as soon as
 * any of it is written. */
void memory_prefer_small_pages(void *block, size_t byte_count);

#endif
