#include "base/parallel.h"

#include <pthread.h>
#include <stdbool.h>
#include <unistd.h>

#define WORKERS_MAX 256u

typedef struct worker {
    parallel_function *function;
    void *user;
    uint32_t index, count;
    pthread_t thread;
    bool started;
} worker;

static void *run_worker(void *argument)
{
    const worker *w = argument;
    w->function(w->user, w->index, w->count);
    return NULL;
}

void parallel_run(uint32_t count, parallel_function *function, void *user)
{
    worker workers[WORKERS_MAX];
    uint32_t used = count < WORKERS_MAX ? count : WORKERS_MAX;
    for (uint32_t i = 0; i < used; i++) {
        workers[i] = (worker){.function = function, .user = user, .index = i, .count = used};
        workers[i].started = i > 0 && pthread_create(&workers[i].thread, NULL, run_worker, &workers[i]) == 0;
    }
    for (uint32_t i = 0; i < used; i++) {
        if (workers[i].started) {
            pthread_join(workers[i].thread, NULL);
        } else {
            run_worker(&workers[i]);
        }
    }
}

uint32_t parallel_cores(void)
{
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    return cores < 1 ? 1 : (uint32_t)cores;
}

uint32_t parallel_workers(uint32_t threads)
{
    uint32_t wanted = threads != 0 ? threads : parallel_cores();
    return wanted < WORKERS_MAX ? wanted : WORKERS_MAX;
}
