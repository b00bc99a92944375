/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Whether a library found no memory. Many go on then without what it was for, and do not say so. But malloc sets
 * errno. */
#ifndef PIETRA_BASE_LACKED_MEMORY_H
#define PIETRA_BASE_LACKED_MEMORY_H

#include <errno.h>
#include <stdbool.h>

/* Clears errno, and returns what it was. */
static inline int lacked_memory_begin(void)
{
    const int before = errno;
    errno = 0;
    return before;
}

/* Returns whether memory was short since the beginning. errno is what it was before that. */
static inline bool lacked_memory_end(int before)
{
    const bool lacked = errno == ENOMEM;
    errno = before;
    return lacked;
}

#endif
