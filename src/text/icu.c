/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "text/icu.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "base/library.h"

#define PLACE(name) PLACE_RENAMED(name)
#define PLACE_RENAMED(name) {#name, &functions.name},

/* The versions of ICU that are looked for, besides the one that this was built with. They have all of these functions,
 * with the same arguments and constants. Each version has names of its own: u_isalnum_72 in libicuuc.so.72. */
#define NEWEST_VERSION 90
#define OLDEST_VERSION 60
#define LONGEST_NAME 40u

static icu_functions functions;
static library_state state;
static char file[LONGEST_NAME] = TEXT_ICU_LIBRARY;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static library_state open_version(const library_function *built, size_t count, int version)
{
    char names[sizeof(icu_functions) / sizeof(void *)][LONGEST_NAME];
    library_function wanted[sizeof names / sizeof names[0]];

    for (size_t i = 0; i < count; i++) {
        const size_t stem = (size_t)(strrchr(built[i].name, '_') - built[i].name);
        snprintf(names[i], sizeof names[i], "%.*s_%d", (int)stem, built[i].name, version);
        wanted[i] = (library_function){names[i], built[i].place};
    }
    snprintf(file, sizeof file, "libicuuc.so.%d", version);
    return library_open(file, wanted, count);
}

static library_state open_any(void)
{
    const library_function wanted[] = {ICU_FUNCTIONS(PLACE)};
    const size_t count = sizeof wanted / sizeof wanted[0];
    library_state found = library_open(file, wanted, count);

    for (int version = NEWEST_VERSION; found == LIBRARY_MISSING && version >= OLDEST_VERSION; version--)
        found = open_version(wanted, count, version);
    return found;
}

const char *icu_open(const icu_functions **icu)
{
    pthread_mutex_lock(&lock);
    if (state == LIBRARY_CLOSED)
        state = open_any();
    const library_state found = state;
    pthread_mutex_unlock(&lock);
    *icu = &functions;
    if (found == LIBRARY_OPEN)
        return NULL;
    return found == LIBRARY_CLOSED ? text_out_of_memory : font_no_icu;
}

const char *icu_file(void)
{
    return file;
}

const char *icu_error(UErrorCode code)
{
    if (U_SUCCESS(code))
        return NULL;
    return code == U_MEMORY_ALLOCATION_ERROR ? text_out_of_memory : "ICU cannot read its data";
}
