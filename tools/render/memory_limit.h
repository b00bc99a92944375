/* How much memory this process may use. Where a control group (a container, a service) has less than the machine, the kernel does not refuse
 * memory to it: it kills. */
#ifndef RENDER_MEMORY_LIMIT_H
#define RENDER_MEMORY_LIMIT_H

#include <stdint.h>

/* The smallest limit in bytes of the process's control groups and those above them, of either version, by the files below `root` ("" but in
 * tests). UINT64_MAX: none; what cannot be read is none. */
uint64_t memory_limit_of_groups(const char *root);

/* The smaller of that and the machine's memory. */
uint64_t memory_limit(void);

#endif
