/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Growable arrays.
 *
 *     ARRAY(double) lengths = {0};
 *     double *length = array_push(&lengths);   // NULL: out of memory, the array is as it was
 *     ... lengths.items[i], lengths.count ...
 *     array_free(&lengths);
 *
 * Zero bytes are an empty array. Items move when it grows, and are copied as bytes. One thread at a time. */
#ifndef PIETRA_BASE_ARRAY_H
#define PIETRA_BASE_ARRAY_H

#include <stdbool.h>
#include <stddef.h>

typedef struct array_base {
    void *items;
    size_t count, capacity; /* in items */
} array_base;

/* The untyped view is for the functions below, the typed one for their callers. */
#define ARRAY(type) \
    union { \
        array_base base; \
        struct { \
            type *items; \
            size_t count, capacity; \
        }; \
    }

/* Makes room for `extra` more items. A capacity that must grow at least doubles. False: out of memory, nothing
 * changed. */
bool array_grow(array_base *array, size_t extra, size_t item_bytes);
void array_clear_and_free(array_base *array);

/* True if there is now room for `extra` more items. */
#define array_reserve(array, extra) \
    ((extra) <= (array)->capacity - (array)->count || array_grow(&(array)->base, (extra), sizeof *(array)->items))
/* Returns the address of a new, uninitialized last item. NULL: out of memory. */
#define array_push(array) (array_reserve(array, 1) ? &(array)->items[(array)->count++] : NULL)
/* Does the same for `extra` items and returns the address of the first. NULL also if `extra` is 0 and the array has no
 * memory yet. */
#define array_push_many(array, extra) \
    (array_reserve(array, extra) && (array)->items \
         ? ((array)->count += (extra), &(array)->items[(array)->count - (extra)]) \
         : NULL)
#define array_last(array) (&(array)->items[(array)->count - 1])
#define array_free(array) array_clear_and_free(&(array)->base)

#endif
