/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The libraries of image formats, of which few pictures need any. Each is opened when the first image needs it
 * (base/library.h). A source file lists the functions that it calls as FUNCTIONS(X), and calls them as
 * library.<name>(...). */
#ifndef PIETRA_IMAGE_LIBRARY_H
#define PIETRA_IMAGE_LIBRARY_H

#include "base/library.h"

extern const char image_no_library[];

/* Defines `library`, which has a pointer for each of FUNCTIONS, and bool library_is_open(void), which opens the library
 * once. Any thread. */
#define IMAGE_LIBRARY_POINTER(name) __typeof__(name) *name;
#define IMAGE_LIBRARY_PLACE(name) {#name, &library.name},
#define IMAGE_LIBRARY(file_name) \
    static struct { \
        FUNCTIONS(IMAGE_LIBRARY_POINTER) \
    } library; \
    static library_state state_of_library; \
    static pthread_mutex_t library_lock = PTHREAD_MUTEX_INITIALIZER; \
    static bool library_is_open(void) \
    { \
        const library_function functions[] = {FUNCTIONS(IMAGE_LIBRARY_PLACE)}; \
        pthread_mutex_lock(&library_lock); \
        if (state_of_library == LIBRARY_CLOSED) \
            state_of_library = library_open(file_name, functions, sizeof functions / sizeof functions[0]); \
        bool open = state_of_library == LIBRARY_OPEN; \
        pthread_mutex_unlock(&library_lock); \
        return open; \
    }

#endif
