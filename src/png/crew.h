/* A job for several threads. */
#ifndef PIETRA_PNG_CREW_H
#define PIETRA_PNG_CREW_H

#include <stdint.h>

typedef void crew_function(void *user, uint32_t worker);

/* Returns how many threads to use, at least 1: `wanted` (0: one for each core), but no more than `most`, for which
 * there is work. */
uint32_t crew_size(uint32_t wanted, uint64_t most);
/* Calls the function once for each worker, worker 0 on the caller's thread, and returns when all are done. If a thread
 * cannot be had, the caller's thread does its share. */
void crew_run(uint32_t count, crew_function *function, void *user);

#endif
