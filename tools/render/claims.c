/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#define _XOPEN_SOURCE 700 /* for tsearch */

#include "claims.h"

#include <pthread.h>
#include <search.h>
#include <stdlib.h>
#include <string.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static void *root; /* a tree of paths */

static int compare(const void *a, const void *b)
{
    return strcmp(a, b);
}

status claims_add(const char *input, const char *path)
{
    char *copy = strdup(path);

    if (!copy)
        return report_memory(input);
    pthread_mutex_lock(&lock);
    char **place = tsearch(copy, &root, compare);
    bool claimed = place && *place == copy;
    pthread_mutex_unlock(&lock);
    if (!claimed)
        free(copy);
    if (!place)
        return report_memory(input);
    return claimed ? STATUS_DRAWN
                   : report(STATUS_INPUT, input, 0, "two elements would be drawn to the same file: %s", path);
}

void claims_destroy(void)
{
    while (root) {
        char *path = *(char **)root;
        tdelete(path, &root, compare);
        free(path);
    }
}
