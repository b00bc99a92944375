/* A job for several threads. */
#ifndef PIETRA_PNG_CREW_H
#define PIETRA_PNG_CREW_H

#include <stdint.h>

typedef void crew_function(void *user, uint32_t worker);

/* Threads to use where `wanted` are asked for, 0 meaning one for each core, and there is work for `most`. At least 1. */
uint32_t crew_size(uint32_t wanted, uint64_t most);
/* Calls the function once for each worker, 0 on the caller's thread, and returns when all are done. Where a thread cannot be had its
 * share is done by the caller's. */
void crew_run(uint32_t count, crew_function *function, void *user);

#endif
