#include "png/crew.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <unistd.h>

#define MOST_WORKERS 256u

typedef struct worker {
    crew_function *function;
    void *user;
    uint32_t index;
    pthread_t thread;
    bool started;
} worker;

static void *run_worker(void *argument)
{
    const worker *worker = argument;

    worker->function(worker->user, worker->index);
    return NULL;
}

/* Kept after the first call, because the C library reads a file each time. */
static uint32_t core_count(void)
{
    static _Atomic uint32_t known;
    uint32_t count = atomic_load_explicit(&known, memory_order_relaxed);

    if (count == 0) {
        long cores = sysconf(_SC_NPROCESSORS_ONLN);
        count = cores < 1 ? 1 : (uint32_t)cores;
        atomic_store_explicit(&known, count, memory_order_relaxed);
    }
    return count;
}

uint32_t crew_size(uint32_t wanted, uint64_t most)
{
    uint64_t count = wanted ? wanted : core_count();

    count = count < most ? count : most;
    return count < 1 ? 1 : count < MOST_WORKERS ? (uint32_t)count : MOST_WORKERS;
}

void crew_run(uint32_t count, crew_function *function, void *user)
{
    worker workers[MOST_WORKERS];
    sigset_t all, before;

    /* Signals are for the main thread alone: they must not interrupt the work of the others. */
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    for (uint32_t i = 0; i < count; i++) {
        workers[i] = (worker){ .function = function, .user = user, .index = i };
        workers[i].started = i > 0 && pthread_create(&workers[i].thread, NULL, run_worker, &workers[i]) == 0;
    }
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    for (uint32_t i = 0; i < count; i++) {
        if (!workers[i].started) {
            run_worker(&workers[i]);
        }
    }
    for (uint32_t i = 0; i < count; i++) {
        if (workers[i].started) {
            pthread_join(workers[i].thread, NULL);
        }
    }
}
