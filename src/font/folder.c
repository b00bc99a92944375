/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "font/folder.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/arena.h"
#include "base/array.h"
#include "base/hash.h"
#include "base/text.h"
#include "font/source.h"

static const char too_many[] = "it holds more than a million files";

typedef struct folder_walk_state {
    folder_function *function;
    void *user;
    arena texts;
    ARRAY(const char *) waiting; /* folders to be entered; the last one is next */
    ARRAY(struct stat) entered;
    hash_table entered_by_number;
    size_t entry_count;
} folder_walk_state;

/* ---- Names ---- */

static bool is_font_name(const char *name)
{
    static const char *const endings[] = {".ttf", ".otf", ".ttc", ".otc", ".woff", ".woff2"};
    const char *dot = strrchr(name, '.');
    for (size_t i = 0; dot && i < sizeof endings / sizeof endings[0]; i++)
        if (text_equal_ignoring_case(text_of_string(dot), text_of_string(endings[i])))
            return true;
    return false;
}

static const char *join(folder_walk_state *walk, const char *folder, const char *name)
{
    const size_t count = strlen(folder), slash = count > 0 && folder[count - 1] != '/';
    char *path = arena_alloc(&walk->texts, count + slash + strlen(name) + 1, 1);
    if (path) {
        memcpy(path, folder, count);
        strcpy(path + count, slash ? "/" : "");
        strcpy(path + count + slash, name);
    }
    return path;
}

/* Sorts in reverse, since the last is next. */
static int compare_names(const void *a, const void *b)
{
    return strcmp(*(const char *const *)b, *(const char *const *)a);
}

/* ---- Folders ---- */

/* Returns whether a folder was entered before, whatever its path. */
static bool was_entered(const folder_walk_state *walk, const struct stat *status)
{
    hash_walk found = hash_find(&walk->entered_by_number, hash_bytes(&status->st_ino, sizeof status->st_ino));
    for (; hash_found(&found); hash_next(&found))
        if (walk->entered.items[found.value].st_ino == status->st_ino &&
            walk->entered.items[found.value].st_dev == status->st_dev)
            return true;
    return false;
}

static bool enter(folder_walk_state *walk, const struct stat *status)
{
    if (!array_reserve(&walk->entered, 1) ||
        !hash_insert(&walk->entered_by_number, hash_bytes(&status->st_ino, sizeof status->st_ino),
                     (uint32_t)walk->entered.count))
        return false;
    walk->entered.items[walk->entered.count++] = *status;
    return true;
}

/* Adds what a folder holds to the list of what waits. */
static const char *list(folder_walk_state *walk, DIR *folder, const char *path)
{
    const size_t first = walk->waiting.count;
    const struct dirent *entry;
    while ((entry = readdir(folder))) {
        if (entry->d_name[0] == '.' && (!entry->d_name[1] || strcmp(entry->d_name, "..") == 0))
            continue;
        if (walk->entry_count++ >= FOLDER_MOST_ENTRIES)
            return too_many;
        const char *joined = join(walk, path, entry->d_name);
        if (!joined || !array_reserve(&walk->waiting, 1))
            return font_out_of_memory;
        walk->waiting.items[walk->waiting.count++] = joined;
    }
    if (walk->waiting.count > first)
        qsort(walk->waiting.items + first, walk->waiting.count - first, sizeof walk->waiting.items[0], compare_names);
    return NULL;
}

static const char *open_folder(folder_walk_state *walk, const char *path)
{
    DIR *folder = opendir(path);
    if (!folder)
        return errno == ENOMEM ? font_out_of_memory : NULL;
    const char *wrong = list(walk, folder, path);
    closedir(folder);
    return wrong;
}

static const char *visit(folder_walk_state *walk, const char *path)
{
    struct stat status;
    if (stat(path, &status) != 0)
        return NULL;
    if (!S_ISDIR(status.st_mode))
        return is_font_name(path) ? walk->function(walk->user, path) : NULL;
    if (was_entered(walk, &status))
        return NULL;
    return enter(walk, &status) ? open_folder(walk, path) : font_out_of_memory;
}

const char *folder_check(const char *path)
{
    DIR *folder = opendir(path);
    if (!folder)
        return errno == ENOTDIR ? "it is no folder" : errno == ENOMEM ? font_out_of_memory : font_unreadable;
    closedir(folder);
    return NULL;
}

const char *folder_walk(const char *path, folder_function *function, void *user)
{
    folder_walk_state walk = {.function = function, .user = user};
    const char *wrong = folder_check(path);
    if (!wrong)
        wrong = visit(&walk, path);
    while (!wrong && walk.waiting.count > 0)
        wrong = visit(&walk, walk.waiting.items[--walk.waiting.count]);
    array_free(&walk.waiting);
    array_free(&walk.entered);
    hash_free(&walk.entered_by_number);
    arena_free(&walk.texts);
    return wrong;
}
