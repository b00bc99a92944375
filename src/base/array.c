/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "base/array.h"

#include <stdint.h>
#include <stdlib.h>

#include "base/memory.h"

bool array_grow(array_base *array, size_t extra, size_t item_bytes)
{
    size_t largest = PTRDIFF_MAX / item_bytes;
    if (extra > largest - array->count)
        return false;
    size_t needed = array->count + extra;
    size_t capacity = array->capacity > largest / 2 ? largest : array->capacity * 2;
    if (capacity < 8 && largest >= 8)
        capacity = 8;
    if (capacity < needed)
        capacity = needed;
    void *items = realloc(array->items, capacity * item_bytes);
    if (!items)
        return false;
    memory_prefer_large_pages(items, capacity * item_bytes);
    array->items = items;
    array->capacity = capacity;
    return true;
}

void array_clear_and_free(array_base *array)
{
    free(array->items);
    array->items = NULL;
    array->count = array->capacity = 0;
}
