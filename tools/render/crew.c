#include "crew.h"

#include <pthread.h>
#include <signal.h>
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

uint32_t crew_size(uint32_t wanted, uint64_t most)
{
    long cores = wanted ? (long)wanted : sysconf(_SC_NPROCESSORS_ONLN);
    uint64_t count = cores < 1 ? 1 : (uint64_t)cores;

    count = count < most ? count : most;
    return count < 1 ? 1 : count < MOST_WORKERS ? (uint32_t)count : MOST_WORKERS;
}

void crew_run(uint32_t count, crew_function *function, void *user)
{
    worker workers[MOST_WORKERS];
    sigset_t all, before;

    /* Signals are for the main thread: what others are doing must not be torn. */
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
