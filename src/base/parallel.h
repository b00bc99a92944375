/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Work on several threads.
 *
 * A pool starts its threads when a run first needs them, and keeps them parked until it is destroyed. Workers are
 * numbers, not threads. When the caller has done its own worker, it also runs the workers that no other thread has
 * taken. So a run never waits for a thread that has not begun, and costs little where threads wake slowly. */
#ifndef PIETRA_BASE_PARALLEL_H
#define PIETRA_BASE_PARALLEL_H

#include <stddef.h>
#include <stdint.h>

/* Called once for each worker, 0 to count - 1. Worker 0 runs on the caller's thread. Each of the others runs on any
 * thread; one thread may run several. */
typedef void parallel_function(void *user, uint32_t worker, uint32_t count);

typedef struct parallel_pool parallel_pool;

/* Makes a pool with parallel_workers(threads, UINT64_MAX) threads, the caller's included. It starts none yet. NULL: out
 * of memory. */
parallel_pool *parallel_pool_create(uint32_t threads);
/* Ends the threads. No run may be under way. Does nothing for NULL. */
void parallel_pool_destroy(parallel_pool *pool);
/* Returns the number of threads, the caller's included; 1 for NULL. */
uint32_t parallel_pool_threads(const parallel_pool *pool);

/* Runs the function for `count` workers (1 or more) and returns when all are done. The caller sees what the workers
 * wrote. Any thread may call this at any time. The caller runs all workers, one after another, if the pool is already
 * at work (for another thread, or because a worker calls this), if no thread can be had, or if pool is NULL. Allocates
 * nothing. */
void parallel_pool_run(parallel_pool *pool, uint32_t count, parallel_function *function, void *user);

/* Called for the items from begin to end - 1, on any thread. */
typedef void parallel_range_function(void *user, size_t begin, size_t end);

/* Calls the function for ranges that together hold each of `count` items once. The pool's threads run it as in
 * parallel_pool_run. */
void parallel_pool_share(parallel_pool *pool, size_t count, parallel_range_function *function, void *user);

/* Does the same as parallel_pool_run, with threads that start and end with the call. */
void parallel_run(uint32_t count, parallel_function *function, void *user);

/* Returns how many threads serve a caller who asks for `threads` and has that many pieces of work: `threads`, or one
 * for each core that the calling thread may run on if it is 0, but no more than pieces and no more than a pool can
 * have. At least 1. */
uint32_t parallel_workers(uint32_t threads, uint64_t pieces);

#endif
