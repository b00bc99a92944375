/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "font/harfbuzz.h"

#include <pthread.h>

#include "base/library.h"
#include "font/source.h"

#define PLACE(name) {#name, &functions.name},

static harfbuzz_functions functions;
static library_state state;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

const char *harfbuzz_open(const harfbuzz_functions **harfbuzz)
{
    const library_function wanted[] = {HARFBUZZ_FUNCTIONS(PLACE)};
    pthread_mutex_lock(&lock);
    if (state == LIBRARY_CLOSED)
        state = library_open(FONT_HARFBUZZ_LIBRARY, wanted, sizeof wanted / sizeof wanted[0]);
    const library_state found = state;
    pthread_mutex_unlock(&lock);
    *harfbuzz = &functions;
    if (found == LIBRARY_OPEN)
        return NULL;
    return found == LIBRARY_CLOSED ? font_out_of_memory : font_no_harfbuzz;
}
