/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#define _DEFAULT_SOURCE /* for DT_LNK */

#include "sandbox_links.h"

#include <dirent.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "base/hash.h"

#define DEEPEST_FOLDER 256u
#define MOST_ENTRIES 1000000u /* of all folders, which is as many as fonts are looked for */

typedef struct link_walk {
    const sandbox_files *files;
    hash_table entered; /* hashes of folders' numbers */
    size_t entry_count;
} link_walk;

/* Returns whether a folder is entered for the first time. Without memory none is. */
static bool enter(link_walk *walk, DIR *folder)
{
    struct stat information;

    if (fstat(dirfd(folder), &information) != 0)
        return false;
    const uint64_t numbers[] = {(uint64_t)information.st_dev, (uint64_t)information.st_ino};
    const uint64_t hash = hash_bytes(numbers, sizeof numbers);
    const hash_walk found = hash_find(&walk->entered, hash);
    return !hash_found(&found) && hash_insert(&walk->entered, hash, 0);
}

static void walk_folder(link_walk *walk, const char *path, unsigned depth);

static void allow_target(link_walk *walk, const char *path, unsigned depth)
{
    struct stat information;

    if (stat(path, &information) != 0)
        return;
    if (S_ISREG(information.st_mode))
        sandbox_files_allow_one(walk->files, path, SANDBOX_READ);
    if (!S_ISDIR(information.st_mode))
        return;
    sandbox_files_allow(walk->files, path, SANDBOX_READ | SANDBOX_LIST);
    walk_folder(walk, path, depth + 1);
}

static void take_entry(link_walk *walk, const char *folder, const struct dirent *entry, unsigned depth)
{
    char path[PATH_MAX];
    struct stat information;
    unsigned char kind = entry->d_type;

    if (kind == DT_REG || strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0 ||
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name) >= (int)sizeof path)
        return;
    if (kind == DT_UNKNOWN && lstat(path, &information) == 0)
        kind = S_ISLNK(information.st_mode) ? DT_LNK : S_ISDIR(information.st_mode) ? DT_DIR : DT_REG;
    if (kind == DT_LNK)
        allow_target(walk, path, depth);
    else if (kind == DT_DIR)
        walk_folder(walk, path, depth + 1);
}

static void walk_folder(link_walk *walk, const char *path, unsigned depth)
{
    DIR *folder = depth <= DEEPEST_FOLDER ? opendir(path) : NULL;
    const struct dirent *entry;

    if (folder && enter(walk, folder))
        while (walk->entry_count++ < MOST_ENTRIES && (entry = readdir(folder)))
            take_entry(walk, path, entry, depth);
    if (folder)
        closedir(folder);
}

void sandbox_links_allow(const sandbox_files *files, const char *folder)
{
    link_walk walk = {.files = files};

    walk_folder(&walk, folder, 0);
    hash_free(&walk.entered);
}
