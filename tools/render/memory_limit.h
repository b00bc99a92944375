/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* How much memory this process may use. If a control group (a container, a service) has less than the machine, the
 * kernel does not refuse memory: it kills the process. */
#ifndef RENDER_MEMORY_LIMIT_H
#define RENDER_MEMORY_LIMIT_H

#include <stdint.h>

/* Returns the smallest limit, in bytes, of the process's control groups and those above them, of either version. It
 * reads files below `root`, which is "" except in tests. UINT64_MAX: there is no limit, or it cannot be read. */
uint64_t memory_limit_of_groups(const char *root);

/* Returns the smaller of that limit and the machine's memory. */
uint64_t memory_limit(void);

#endif
