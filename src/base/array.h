/* Growable arrays.
 *
 *     ARRAY(double) lengths = { 0 };
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
    size_t count, capacity;   /* in items */
} array_base;

/* The untyped view serves the functions below, the typed one their callers. */
#define ARRAY(type)                      \
    union {                              \
        array_base base;                 \
        struct {                         \
            type *items;                 \
            size_t count, capacity;      \
        };                               \
    }

/* Makes room for `extra` more items. Capacity at least doubles when it must grow. False: out of memory, nothing changed. */
bool array_grow(array_base *array, size_t extra, size_t item_bytes);
void array_clear_and_free(array_base *array);

/* True when `extra` items can be added without another check. */
#define array_reserve(array, extra) \
    ((extra) <= (array)->capacity - (array)->count || array_grow(&(array)->base, (extra), sizeof *(array)->items))
/* The address of a new, uninitialized last item, or NULL. */
#define array_push(array) (array_reserve(array, 1) ? &(array)->items[(array)->count++] : NULL)
/* The same for `extra` items: the address of the first. Of no items in an array that has no memory there is none: NULL. */
#define array_push_many(array, extra) \
    (array_reserve(array, extra) && (array)->items ? ((array)->count += (extra), &(array)->items[(array)->count - (extra)]) : NULL)
#define array_last(array) (&(array)->items[(array)->count - 1])
#define array_free(array) array_clear_and_free(&(array)->base)

#endif
