/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "text/icu.h"

#include <pthread.h>

#include "base/library.h"

#define PLACE(name) PLACE_RENAMED(name)
#define PLACE_RENAMED(name) {#name, &functions.name},

static icu_functions functions;
static library_state state;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

const char *icu_open(const icu_functions **icu)
{
    const library_function wanted[] = {ICU_FUNCTIONS(PLACE)};
    pthread_mutex_lock(&lock);
    if (state == LIBRARY_CLOSED)
        state = library_open(TEXT_ICU_LIBRARY, wanted, sizeof wanted / sizeof wanted[0]);
    const library_state found = state;
    pthread_mutex_unlock(&lock);
    *icu = &functions;
    if (found == LIBRARY_OPEN)
        return NULL;
    return found == LIBRARY_CLOSED ? text_out_of_memory : "ICU, which orders text from right to left, is not installed";
}

const char *icu_error(UErrorCode code)
{
    if (U_SUCCESS(code))
        return NULL;
    return code == U_MEMORY_ALLOCATION_ERROR ? text_out_of_memory : "ICU cannot read its data";
}
