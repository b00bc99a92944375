/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "base/packing.h"

#include <pthread.h>

#define PLACE(name) {#name, &functions.name},

static packing_functions functions;
static library_state state;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

library_state packing_open(const packing_functions **packing)
{
    const library_function wanted[] = {PACKING_FUNCTIONS(PLACE)};
    pthread_mutex_lock(&lock);
    if (state == LIBRARY_CLOSED)
        state = library_open(PACKING_DEFLATE_LIBRARY, wanted, sizeof wanted / sizeof wanted[0]);
    const library_state found = state;
    pthread_mutex_unlock(&lock);
    *packing = &functions;
    return found;
}
