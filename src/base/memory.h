/* Advice on memory. */
#ifndef PIETRA_BASE_MEMORY_H
#define PIETRA_BASE_MEMORY_H

#include <stddef.h>

/* Asks for large pages behind a block that was just allocated or has just grown, where it is large enough to gain: first use of a
 * page costs as much as a copy of what it holds. Without large pages nothing happens. */
void memory_prefer_large_pages(void *block, size_t byte_count);

#endif
