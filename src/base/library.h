/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Opens libraries of others at run time. Loading a library takes longer than drawing an icon, so one that few pictures
 * need is opened when the first of them needs it, and stays open. */
#ifndef PIETRA_BASE_LIBRARY_H
#define PIETRA_BASE_LIBRARY_H

#include <stdbool.h>
#include <stddef.h>

/* The name of a function, and where to store its address. */
typedef struct library_function {
    const char *name;
    void *place; /* a pointer to a function */
} library_function;

typedef enum library_state { LIBRARY_CLOSED, LIBRARY_OPEN, LIBRARY_MISSING } library_state;

/* Returns whether the program can open libraries. A program that is linked in full has no dynamic linker: the libraries
 * would bring a second C library along, and crash. */
bool library_may_open(void);

/* Opens a library by the name that it had when this was built, and finds its functions. MISSING: it, or one of its
 * functions, is not there, or the program can open none. CLOSED: out of memory; errno says so. */
library_state library_open(const char *name, const library_function *functions, size_t count);

#endif
