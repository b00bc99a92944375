/* One piece of work on several threads. */
#ifndef PIETRA_BASE_PARALLEL_H
#define PIETRA_BASE_PARALLEL_H

#include <stdint.h>

/* Called once for each worker, 0 to count - 1, on threads of their own but for worker 0. */
typedef void parallel_function(void *user, uint32_t worker, uint32_t count);

/* Runs the function for `count` workers (1 or more) and returns when all are done. Where a thread cannot be had, its share runs on
 * the caller's. */
void parallel_run(uint32_t count, parallel_function *function, void *user);

/* Cores that this process may use, at least 1. */
uint32_t parallel_cores(void);

/* Workers for a wish for threads: that many, or, for 0, one for each core; no more than parallel_run has. */
uint32_t parallel_workers(uint32_t threads);

#endif
