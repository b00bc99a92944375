/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "memory_limit.h"

#include <inttypes.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* Returns UINT64_MAX if there is no file, or no number in it ("max"). */
static uint64_t read_limit(const char *path)
{
    FILE *file = fopen(path, "re");
    uint64_t limit;

    if (!file)
        return UINT64_MAX;
    if (fscanf(file, "%" SCNu64, &limit) != 1)
        limit = UINT64_MAX;
    fclose(file);
    return limit;
}

/* Returns the limit of a group and all groups above it. Inside a container the group's path may be the one outside, and
 * then only the topmost group exists. */
static uint64_t find_limit(const char *root, const char *mount, const char *group, const char *name)
{
    uint64_t least = UINT64_MAX;

    for (size_t length = strlen(group);; length--) {
        char path[2 * PATH_MAX];
        int needed = snprintf(path, sizeof path, "%s/sys/fs/cgroup%s%.*s/%s", root, mount, (int)length, group, name);
        uint64_t limit = needed > 0 && (size_t)needed < sizeof path ? read_limit(path) : UINT64_MAX;
        least = limit < least ? limit : least;
        while (length > 0 && group[length - 1] != '/')
            length--;
        if (length == 0)
            return least;
    }
}

static bool names_memory(const char *controllers)
{
    for (const char *at = controllers; *at; at += strcspn(at, ","), at += *at == ',')
        if (strcspn(at, ",") == strlen("memory") && strncmp(at, "memory", strlen("memory")) == 0)
            return true;
    return false;
}

/* Lines are NUMBER:CONTROLLERS:GROUP. That of version 2 has no controllers. */
uint64_t memory_limit_of_groups(const char *root)
{
    char line[PATH_MAX + 256];
    uint64_t least = UINT64_MAX;
    FILE *file;

    snprintf(line, sizeof line, "%s/proc/self/cgroup", root);
    file = fopen(line, "re");
    while (file && fgets(line, sizeof line, file)) {
        char *controllers = strchr(line, ':'), *group = controllers ? strchr(controllers + 1, ':') : NULL;
        uint64_t limit = UINT64_MAX;
        if (!group)
            continue;
        *controllers++ = '\0';
        *group++ = '\0';
        group[strcspn(group, "\n")] = '\0';
        if (!*controllers)
            limit = find_limit(root, "", group, "memory.max");
        else if (names_memory(controllers))
            limit = find_limit(root, "/memory", group, "memory.limit_in_bytes");
        least = limit < least ? limit : least;
    }
    if (file)
        fclose(file);
    return least;
}

uint64_t memory_limit(void)
{
    long pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGESIZE);
    uint64_t machine = pages > 0 && page > 0 ? (uint64_t)pages * (uint64_t)page : UINT64_MAX,
             groups = memory_limit_of_groups("");

    return groups < machine ? groups : machine;
}
