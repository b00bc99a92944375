/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Pools: every worker runs once, whoever asks and however often. ThreadSanitizer finds races:
 * -DPIETRA_SANITIZE=thread. */
#define _GNU_SOURCE /* for sched_setaffinity */

#include "base/parallel.h"

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <pthread.h>
#include <sched.h>
#include <stdbool.h>
#include <time.h>

#define MOST_WORKERS 600u

typedef struct tally {
    parallel_pool *pool;
    /* each worker's; not atomic, because the pool separates workers and orders them before the caller */
    uint32_t runs[MOST_WORKERS];
    pthread_t caller;
    uint32_t inner_count;
    atomic_uint inner_runs;
    atomic_uint faults;
} tally;

static void count_inner(void *user, uint32_t worker, uint32_t count)
{
    tally *tally = user;
    (void)worker;
    (void)count;
    atomic_fetch_add(&tally->inner_runs, 1);
}

static void count_run(void *user, uint32_t worker, uint32_t count)
{
    tally *tally = user;
    if (worker >= count || (worker == 0 && !pthread_equal(pthread_self(), tally->caller))) {
        atomic_fetch_add(&tally->faults, 1);
        return;
    }
    tally->runs[worker]++;
    if (tally->inner_count > 0)
        parallel_pool_run(tally->pool, tally->inner_count, count_inner, tally);
}

static void check_runs(tally *tally, uint32_t count, uint32_t times)
{
    tally->caller = pthread_self();
    for (uint32_t i = 0; i < times; i++)
        parallel_pool_run(tally->pool, count, count_run, tally);
    assert_int_equal(atomic_load(&tally->faults), 0);
    for (uint32_t worker = 0; worker < MOST_WORKERS; worker++)
        assert_int_equal(tally->runs[worker], worker < count ? times : 0);
}

static void test_every_worker_runs_once(void **state)
{
    (void)state;
    const uint32_t threads[] = {1, 2, 3, 16, 1000000};
    const uint32_t counts[] = {1, 2, 3, 5, 17, MOST_WORKERS};
    for (size_t i = 0; i < sizeof threads / sizeof threads[0]; i++) {
        parallel_pool *pool = parallel_pool_create(threads[i]);
        assert_non_null(pool);
        for (size_t k = 0; k < sizeof counts / sizeof counts[0]; k++) {
            tally tally = {.pool = pool};
            check_runs(&tally, counts[k], 50);
        }
        parallel_pool_destroy(pool);
    }
    tally alone = {.pool = NULL};
    check_runs(&alone, 5, 3);
    assert_int_equal(parallel_pool_threads(NULL), 1);
    parallel_pool_destroy(NULL);
}

/* Threads fall asleep between runs that lie apart, and the caller sleeps while it waits for a long worker. */
static void wait_long(void *user, uint32_t worker, uint32_t count)
{
    (void)count;
    for (double *until = user; worker > 0 && *until < 2e6; *until += 1)
        atomic_thread_fence(memory_order_seq_cst);
}

static void test_sleep(void **state)
{
    (void)state;
    parallel_pool *pool = parallel_pool_create(2);
    for (int i = 0; i < 20; i++) {
        double steps = 0;
        parallel_pool_run(pool, 2, wait_long, &steps);
        assert_true(steps == 2e6);
        nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
    }
    parallel_pool_destroy(pool);
}

static void test_runs_in_runs(void **state)
{
    (void)state;
    parallel_pool *pool = parallel_pool_create(3);
    tally tally = {.pool = pool, .inner_count = 4};
    check_runs(&tally, 7, 100);
    assert_int_equal(atomic_load(&tally.inner_runs), 7 * 100 * 4);
    parallel_pool_destroy(pool);
}

static void *run_often(void *pool)
{
    tally tally = {.pool = pool};
    check_runs(&tally, 3, 500);
    return NULL;
}

static void test_several_callers(void **state)
{
    (void)state;
    pthread_t callers[4];
    parallel_pool *pool = parallel_pool_create(2);
    for (size_t i = 0; i < 4; i++)
        assert_int_equal(pthread_create(&callers[i], NULL, run_often, pool), 0);
    for (size_t i = 0; i < 4; i++)
        pthread_join(callers[i], NULL);
    parallel_pool_destroy(pool);
}

typedef struct signal_note {
    atomic_bool noted;
    int blocked;
} signal_note;

/* Worker 0 holds the caller's thread until another thread has run worker 1. */
static void note_mask(void *user, uint32_t worker, uint32_t count)
{
    signal_note *note = user;
    (void)count;
    if (worker == 1) {
        sigset_t mask;
        pthread_sigmask(SIG_SETMASK, NULL, &mask);
        note->blocked = sigismember(&mask, SIGINT);
        atomic_store(&note->noted, true);
    }
    while (!atomic_load(&note->noted))
        sched_yield();
}

/* Signals go to the process's own threads, not to the pool's, and the caller's mask stays. */
static void test_signals(void **state)
{
    (void)state;
    parallel_pool *pool = parallel_pool_create(2);
    signal_note note = {.blocked = 0};
    sigset_t mask;
    parallel_pool_run(pool, 2, note_mask, &note);
    assert_int_equal(note.blocked, 1);
    pthread_sigmask(SIG_SETMASK, NULL, &mask);
    assert_int_equal(sigismember(&mask, SIGINT), 0);
    parallel_pool_destroy(pool);
}

/* The number of threads is limited by the wish, or else the cores, by the pieces of work, and by what a pool holds. */
static void test_workers(void **state)
{
    (void)state;
    assert_int_equal(parallel_workers(8, 3), 3);
    assert_int_equal(parallel_workers(3, 8), 3);
    assert_int_equal(parallel_workers(8, 0), 1);
    assert_int_equal(parallel_workers(0, 1), 1);
    assert_true(parallel_workers(0, UINT64_MAX) >= 1);
    assert_int_equal(parallel_workers(100000, UINT64_MAX), 256);
}

/* Cores that a thread may not run on do not count. */
static void test_cores(void **state)
{
#ifdef __linux__
    cpu_set_t all, one;

    assert_int_equal(sched_getaffinity(0, sizeof all, &all), 0);
    size_t core = 0;
    while (!CPU_ISSET(core, &all))
        core++;
    CPU_ZERO(&one);
    CPU_SET(core, &one);
    assert_int_equal(sched_setaffinity(0, sizeof one, &one), 0);
    assert_int_equal(parallel_workers(0, UINT64_MAX), 1);
    assert_int_equal(sched_setaffinity(0, sizeof all, &all), 0);
    assert_int_equal(parallel_workers(0, CPU_SETSIZE), CPU_COUNT(&all) < 256 ? CPU_COUNT(&all) : 256);
#endif
    (void)state;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_worker_runs_once),
        cmocka_unit_test(test_sleep),
        cmocka_unit_test(test_runs_in_runs),
        cmocka_unit_test(test_several_callers),
        cmocka_unit_test(test_signals),
        cmocka_unit_test(test_workers),
        cmocka_unit_test(test_cores),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
