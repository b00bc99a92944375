/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* One word holds the number of a run's workers and the next worker to take. A thread takes a worker by compare-and-swap
 * on that word. It may then read the run's function, because the run does not end before this worker is done. Threads
 * that come late find no worker and touch nothing else.
 *
 * A thread that waits first spins for a moment, because steps of a frame follow one another closely, and then sleeps on
 * a condition. Sleeper and waker each write their own word and then read the other's, both sequentially consistent, so
 * one of them sees the other. */
#define _GNU_SOURCE /* for sched_getaffinity */

#include "base/parallel.h"

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/clock.h"

#define THREADS_MAX 256u
#define CORES_MOST 8192 /* a multiple of CPU_SETSIZE */
#define WORKERS_MAX 0xffffu
#define RANGES_OF_A_THREAD 16u
#define SPIN_MS 0.03
#define SPINS_PER_LOOK 32

struct parallel_pool {
    uint32_t threads;
    atomic_bool at_work;
    parallel_function *function; /* the run's function, user and count */
    void *user;
    uint32_t count;
    atomic_uint shares;        /* next worker << 16 | count; all are taken when the halves are equal */
    atomic_uint done;          /* workers that are done */
    atomic_uint sleepers;      /* threads that wait for work; changed under the lock */
    atomic_bool caller_sleeps; /* the caller sleeps until all workers are done */
    atomic_bool ending;
    pthread_mutex_t lock;
    pthread_cond_t work, all_done;
    uint32_t started; /* threads, without the caller's */
    pthread_t others[];
};

static bool take_worker(parallel_pool *pool, uint32_t *worker)
{
    unsigned shares = atomic_load(&pool->shares);
    do {
        *worker = shares >> 16;
        if (*worker == (shares & 0xffffu))
            return false;
    } while (!atomic_compare_exchange_weak(&pool->shares, &shares, shares + (1u << 16)));
    return true;
}

static bool has_work(const parallel_pool *pool)
{
    unsigned shares = atomic_load(&pool->shares);
    return shares >> 16 != (shares & 0xffffu);
}

static void pause_a_moment(void)
{
    for (int i = 0; i < SPINS_PER_LOOK; i++) {
#if defined(__x86_64__) || defined(__i386__)
        __builtin_ia32_pause();
#elif defined(__aarch64__)
        __asm__ volatile("yield");
#endif
    }
}

/* Runs a worker that was taken, and wakes the caller after the last one. */
static void run_worker(parallel_pool *pool, uint32_t worker)
{
    uint32_t count = pool->count;
    pool->function(pool->user, worker, count);
    if (atomic_fetch_add(&pool->done, 1) + 1 == count && atomic_load(&pool->caller_sleeps)) {
        pthread_mutex_lock(&pool->lock);
        pthread_cond_signal(&pool->all_done);
        pthread_mutex_unlock(&pool->lock);
    }
}

/* Returns false if the pool is ending. */
static bool wait_for_work(parallel_pool *pool)
{
    for (double end = clock_ms() + SPIN_MS; clock_ms() < end; pause_a_moment())
        if (has_work(pool))
            return true;
    pthread_mutex_lock(&pool->lock);
    atomic_fetch_add(&pool->sleepers, 1);
    while (!has_work(pool) && !atomic_load(&pool->ending))
        pthread_cond_wait(&pool->work, &pool->lock);
    atomic_fetch_sub(&pool->sleepers, 1);
    pthread_mutex_unlock(&pool->lock);
    return !atomic_load(&pool->ending);
}

static void *serve(void *argument)
{
    parallel_pool *pool = argument;
    do {
        for (uint32_t worker; take_worker(pool, &worker);)
            run_worker(pool, worker);
    } while (wait_for_work(pool));
    return NULL;
}

/* The new threads block all signals, which are for the threads that the process made itself. */
static void start_threads(parallel_pool *pool, uint32_t wanted)
{
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    while (pool->started < wanted && pthread_create(&pool->others[pool->started], NULL, serve, pool) == 0)
        pool->started++;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
}

static void wait_for_workers(parallel_pool *pool)
{
    for (double end = clock_ms() + SPIN_MS; clock_ms() < end; pause_a_moment())
        if (atomic_load(&pool->done) == pool->count)
            return;
    pthread_mutex_lock(&pool->lock);
    atomic_store(&pool->caller_sleeps, true);
    while (atomic_load(&pool->done) != pool->count)
        pthread_cond_wait(&pool->all_done, &pool->lock);
    atomic_store(&pool->caller_sleeps, false);
    pthread_mutex_unlock(&pool->lock);
}

static void wake_sleepers(parallel_pool *pool, uint32_t wanted)
{
    if (atomic_load(&pool->sleepers) == 0)
        return;
    pthread_mutex_lock(&pool->lock);
    for (uint32_t i = 0; i < wanted && i < atomic_load(&pool->sleepers); i++)
        pthread_cond_signal(&pool->work);
    pthread_mutex_unlock(&pool->lock);
}

static void run_shared(parallel_pool *pool, uint32_t count, parallel_function *function, void *user)
{
    uint32_t others = (count < pool->threads ? count : pool->threads) - 1;
    pool->function = function;
    pool->user = user;
    pool->count = count;
    atomic_store(&pool->done, 0);
    atomic_store(&pool->shares, 1u << 16 | count);
    if (pool->started < others)
        start_threads(pool, others);
    wake_sleepers(pool, others);
    run_worker(pool, 0);
    for (uint32_t worker; take_worker(pool, &worker);)
        run_worker(pool, worker);
    wait_for_workers(pool);
}

void parallel_pool_run(parallel_pool *pool, uint32_t count, parallel_function *function, void *user)
{
    if (pool && pool->threads > 1 && count > 1 && count <= WORKERS_MAX && !atomic_exchange(&pool->at_work, true)) {
        run_shared(pool, count, function, user);
        atomic_store(&pool->at_work, false);
        return;
    }
    for (uint32_t worker = 0; worker < count; worker++)
        function(user, worker, count);
}

typedef struct range_job {
    parallel_range_function *function;
    void *user;
    size_t count, range; /* items: in all, and in one call */
    atomic_size_t next;
} range_job;

static void run_ranges(void *user, uint32_t worker, uint32_t count)
{
    range_job *job = user;
    (void)worker;
    (void)count;
    for (size_t begin; (begin = atomic_fetch_add(&job->next, job->range)) < job->count;) {
        size_t end = job->count - begin < job->range ? job->count : begin + job->range;
        job->function(job->user, begin, end);
    }
}

void parallel_pool_share(parallel_pool *pool, size_t count, parallel_range_function *function, void *user)
{
    uint32_t threads = parallel_pool_threads(pool);
    range_job job = {
        .function = function, .user = user, .count = count, .range = count / (threads * RANGES_OF_A_THREAD) + 1};
    if (threads == 1 || count <= 1)
        function(user, 0, count);
    else
        parallel_pool_run(pool, threads, run_ranges, &job);
}

uint32_t parallel_pool_threads(const parallel_pool *pool)
{
    return pool ? pool->threads : 1;
}

parallel_pool *parallel_pool_create(uint32_t threads)
{
    uint32_t most = parallel_workers(threads, UINT64_MAX);
    parallel_pool *pool = malloc(sizeof *pool + most * sizeof *pool->others);
    if (pool)
        *pool = (parallel_pool){.threads = most,
                                .lock = PTHREAD_MUTEX_INITIALIZER,
                                .work = PTHREAD_COND_INITIALIZER,
                                .all_done = PTHREAD_COND_INITIALIZER};
    return pool;
}

void parallel_pool_destroy(parallel_pool *pool)
{
    if (!pool)
        return;
    pthread_mutex_lock(&pool->lock);
    atomic_store(&pool->ending, true);
    pthread_cond_broadcast(&pool->work);
    pthread_mutex_unlock(&pool->lock);
    for (uint32_t i = 0; i < pool->started; i++)
        pthread_join(pool->others[i], NULL);
    pthread_cond_destroy(&pool->all_done);
    pthread_cond_destroy(&pool->work);
    pthread_mutex_destroy(&pool->lock);
    free(pool);
}

void parallel_run(uint32_t count, parallel_function *function, void *user)
{
    parallel_pool *pool = count > 1 ? parallel_pool_create(count) : NULL;
    parallel_pool_run(pool, count, function, user);
    parallel_pool_destroy(pool);
}

/* Returns how many cores the calling thread may run on. */
static uint32_t core_count(void)
{
#ifdef __linux__
    cpu_set_t sets[CORES_MOST / CPU_SETSIZE];

    if (sched_getaffinity(0, sizeof sets, sets) == 0)
        return (uint32_t)CPU_COUNT_S(sizeof sets, sets);
#endif
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    return cores < 1 ? 1 : (uint32_t)cores;
}

uint32_t parallel_workers(uint32_t threads, uint64_t pieces)
{
    uint64_t wanted = threads != 0 ? threads : core_count();
    wanted = wanted < pieces ? wanted : pieces;
    return wanted < 1 ? 1 : wanted < THREADS_MAX ? (uint32_t)wanted : THREADS_MAX;
}
