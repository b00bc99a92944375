/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "ids.h"

#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

void ids_take(void *user, const char *id, const pietra_box *box)
{
    id_list *list = user;

    (void)box;
    if (!*id || list->out_of_memory || fnmatch(list->glob, id, 0) != 0)
        return;
    char *copy = strdup(id), **place = copy ? array_push(&list->ids) : NULL;
    if (place)
        *place = copy;
    else
        free(copy);
    list->out_of_memory = !place;
}

static int compare(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

void ids_sort(id_list *list)
{
    char **ids = list->ids.items;
    size_t kept = 0;

    if (list->ids.count > 0)
        qsort(ids, list->ids.count, sizeof *ids, compare);
    for (size_t i = 0; i < list->ids.count; i++)
        if (kept > 0 && strcmp(ids[kept - 1], ids[i]) == 0)
            free(ids[i]);
        else
            ids[kept++] = ids[i];
    list->ids.count = kept;
}

void ids_destroy(id_list *list)
{
    for (size_t i = 0; i < list->ids.count; i++)
        free(list->ids.items[i]);
    array_free(&list->ids);
}
