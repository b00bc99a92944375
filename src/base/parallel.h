/* Work on several threads.
 *
 * A pool starts its threads when a run first needs them and keeps them, parked, until it is destroyed. Workers are numbers, not
 * threads: a worker that no other thread has taken up when the caller has done its own is run by the caller too, so that a run waits
 * for nobody who has not begun, and costs little where the others are slow to wake. */
#ifndef PIETRA_BASE_PARALLEL_H
#define PIETRA_BASE_PARALLEL_H

#include <stddef.h>
#include <stdint.h>

/* Called once for each worker, 0 to count - 1; worker 0 on the caller's thread, the others on any, several perhaps on one. */
typedef void parallel_function(void *user, uint32_t worker, uint32_t count);

typedef struct parallel_pool parallel_pool;

/* A pool of the threads that parallel_workers gives for a wish, the caller's among them; none is started yet. NULL: out of memory. */
parallel_pool *parallel_pool_create(uint32_t threads);
/* Ends the threads. No run may be under way. NULL: nothing. */
void parallel_pool_destroy(parallel_pool *pool);
/* 1 for NULL. */
uint32_t parallel_pool_threads(const parallel_pool *pool);

/* Runs the function for `count` workers (1 or more) and returns when all are done. What workers wrote is seen by the caller. Any thread
 * may call at any time: where the pool is at work already (a worker that calls it, another thread), where a thread cannot be had, and
 * where pool is NULL, the caller runs all workers, one after the other. Nothing is allocated. */
void parallel_pool_run(parallel_pool *pool, uint32_t count, parallel_function *function, void *user);

/* Called for the items from begin to end - 1, on any thread. */
typedef void parallel_range_function(void *user, size_t begin, size_t end);

/* Calls the function for ranges that hold each of `count` items once, by the pool's threads as parallel_pool_run does. */
void parallel_pool_share(parallel_pool *pool, size_t count, parallel_range_function *function, void *user);

/* parallel_pool_run with threads that are started and ended with it. */
void parallel_run(uint32_t count, parallel_function *function, void *user);

/* Cores that this process may use, at least 1. */
uint32_t parallel_cores(void);

/* Threads for a wish: that many, or, for 0, one for each core; no more than a pool has. */
uint32_t parallel_workers(uint32_t threads);

#endif
