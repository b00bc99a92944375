#include "base/cache_directory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The XDG base directory specification says to ignore relative paths. A relative home would put the files into whatever
 * folder the process works in. */
char *cache_directory_find(const char *directory)
{
    const char *root = directory, *tail = "";
    if (!root) {
        root = getenv("XDG_CACHE_HOME");
        tail = "/pietra";
        if (!root || root[0] != '/') {
            root = getenv("HOME");
            tail = "/.cache/pietra";
        }
        if (!root || root[0] != '/')
            return NULL;
    }
    if (root[0] == '\0')
        return NULL;
    size_t size = strlen(root) + strlen(tail) + 1;
    char *path = malloc(size);
    if (path)
        snprintf(path, size, "%s%s", root, tail);
    return path;
}
