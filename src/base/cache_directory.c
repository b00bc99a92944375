/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "base/cache_directory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The XDG base directory specification says to ignore relative paths. A relative home would put the files into whatever
 * folder the process works in. */
bool cache_directory_find(const char *directory, char **folder)
{
    *folder = NULL;
    const char *root = directory, *tail = "";
    if (!root) {
        root = getenv("XDG_CACHE_HOME");
        tail = "/pietra";
        if (!root || root[0] != '/') {
            root = getenv("HOME");
            tail = "/.cache/pietra";
        }
        if (!root || root[0] != '/')
            return true;
    }
    if (root[0] == '\0')
        return true;
    size_t size = strlen(root) + strlen(tail) + 1;
    *folder = malloc(size);
    if (!*folder)
        return false;
    snprintf(*folder, size, "%s%s", root, tail);
    return true;
}
