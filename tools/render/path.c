/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#define _DEFAULT_SOURCE /* for strndup and strcasecmp */

#include "path.h"

#include <string.h>
#include <strings.h>

char *path_folder(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash ? strndup(path, (size_t)(slash - path) + 1) : strdup(".");
}

bool path_look(const char *path, struct stat *information, bool *linked)
{
    bool found = lstat(path, information) == 0;

    *linked = found && S_ISLNK(information->st_mode);
    return *linked ? stat(path, information) == 0 : found;
}

size_t path_ending(const char *name, const char *const *endings, size_t count)
{
    size_t length = strlen(name);

    for (size_t i = 0; i < count; i++) {
        size_t ending_length = strlen(endings[i]);
        if (length > ending_length && strcasecmp(name + length - ending_length, endings[i]) == 0)
            return ending_length;
    }
    return 0;
}

size_t path_source_ending(const char *name)
{
    static const char *const endings[] = {".svg", ".svgz", ".svg.gz"};

    return path_ending(name, endings, sizeof endings / sizeof endings[0]);
}
