/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#define _GNU_SOURCE /* for dl_iterate_phdr, dlinfo, realpath and DT_LNK */

#include "sandbox_libraries.h"

#include <dirent.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <limits.h>
#include <link.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct search {
    sandbox_library_function *take;
    void *user;
} search;

/* Folders of the system itself, with everything below them. */
static const char *const system_folders[] = {"/usr/lib", "/usr/lib64", "/usr/local/lib", "/lib",
                                             "/lib64",   "/nix/store", "/gnu/store"};
#define SYSTEM_FOLDER_COUNT (sizeof system_folders / sizeof system_folders[0])
/* Its libraries for other kinds of processes, which the loader's cache also names. */
static const char *const foreign_folders[] = {"/usr/lib32", "/usr/libx32", "/lib32", "/libx32"};

static bool is_in(const char *path, const char *folder)
{
    size_t length = strlen(folder);

    return strncmp(path, folder, length) == 0 && (!path[length] || path[length] == '/');
}

/* Returns whether a path is allowed already. */
static bool is_of_the_system(const char *path)
{
    bool found = false;

    for (size_t i = 0; i < SYSTEM_FOLDER_COUNT && !found; i++)
        found = is_in(path, system_folders[i]);
    for (size_t i = 0; i < sizeof foreign_folders / sizeof foreign_folders[0] && !found; i++)
        found = is_in(path, foreign_folders[i]);
    return found;
}

/* If /lib is a link to usr/lib, as on most systems, it needs no rule of its own. */
static void take_system_folders(const search *search)
{
    for (size_t i = 0; i < SYSTEM_FOLDER_COUNT; i++) {
        char whole[PATH_MAX] = "/";
        ssize_t length =
            strncmp(system_folders[i], "/lib", 4) == 0 ? readlink(system_folders[i], whole + 1, sizeof whole - 2) : -1;
        if (length < 0 || !is_of_the_system(whole))
            search->take(search->user, system_folders[i]);
    }
}

/* Takes a library, and every place to which links lead from it. */
static void take_library(const search *search, const char *path)
{
    char target[PATH_MAX];

    if (realpath(path, target) && !is_of_the_system(target))
        search->take(search->user, target);
}

static void take_folder(const search *search, const char *folder)
{
    DIR *stream = is_of_the_system(folder) ? NULL : opendir(folder);
    struct dirent *entry;

    if (stream)
        search->take(search->user, folder);
    while (stream && (entry = readdir(stream))) {
        char path[PATH_MAX];
        bool fits = snprintf(path, sizeof path, "%s/%s", folder, entry->d_name) < (int)sizeof path;
        if (fits && strstr(entry->d_name, ".so") && (entry->d_type == DT_LNK || entry->d_type == DT_UNKNOWN))
            take_library(search, path);
    }
    if (stream)
        closedir(stream);
}

/* ---- The loader's cache, as glibc 2.2 and later write it: what is in the folders of /etc/ld.so.conf ---- */

#define OLD_MAGIC "ld.so-1.7.0" /* an older form may come first */
#define OLD_HEAD 16u            /* bytes of its head; the last four are the number of entries */
#define OLD_ENTRY 12u
#define MAGIC "glibc-ld.so.cache1.1"
#define HEAD 48u /* the magic, the number of entries, the length of the strings behind them, and more */
#define ENTRY 24u

static uint32_t read_number(const char *bytes)
{
    uint32_t number;

    memcpy(&number, bytes, sizeof number);
    return number;
}

/* Finds where the strings begin, and how long they are. False: there are none. */
static bool find_strings(int descriptor, off_t *at, size_t *count)
{
    char head[HEAD];

    *at = 0;
    if (pread(descriptor, head, OLD_HEAD, 0) == OLD_HEAD && memcmp(head, OLD_MAGIC, strlen(OLD_MAGIC)) == 0) {
        off_t end = OLD_HEAD + (off_t)OLD_ENTRY * read_number(head + OLD_HEAD - sizeof(uint32_t));
        *at = (end + 7) / 8 * 8;
    }
    if (pread(descriptor, head, HEAD, *at) != HEAD || memcmp(head, MAGIC, strlen(MAGIC)) != 0)
        return false;
    *at += HEAD + (off_t)ENTRY * read_number(head + strlen(MAGIC));
    *count = read_number(head + strlen(MAGIC) + sizeof(uint32_t));
    return true;
}

/* Takes names and paths, each ended by a byte of 0; the paths are absolute. Most lie in a folder of the system, usually
 * the same as the one before: `known` is that folder, with its slash. Returns how many bytes are left of a string that
 * continues. */
static size_t take_strings(const search *search, char *bytes, size_t count, char known[PATH_MAX])
{
    char *end = bytes + count, *next = bytes, *stop;

    for (; (stop = memchr(next, '\0', (size_t)(end - next))); next = stop + 1) {
        if (*next != '/' || (*known && strncmp(next, known, strlen(known)) == 0))
            continue;
        if (!is_of_the_system(next)) {
            take_library(search, next);
        } else if (stop - next < PATH_MAX) {
            memcpy(known, next, (size_t)(stop - next) + 1);
            strrchr(known, '/')[1] = '\0';
        }
    }
    memmove(bytes, next, (size_t)(end - next));
    return (size_t)(end - next);
}

/* Reads in pieces, because a single read would touch many pages for the first time. */
static void read_cache(const search *search)
{
    int descriptor = open("/etc/ld.so.cache", O_RDONLY | O_CLOEXEC);
    char bytes[2 * PATH_MAX], known[PATH_MAX] = "";
    size_t count = 0, kept = 0;
    off_t at = 0;

    if (descriptor < 0)
        return;
    for (bool more = find_strings(descriptor, &at, &count); more && count > 0 && kept < PATH_MAX;) {
        size_t room = sizeof bytes - kept;
        ssize_t got = pread(descriptor, bytes + kept, count < room ? count : room, at);
        more = got > 0;
        if (more) {
            at += got;
            count -= (size_t)got;
            kept = take_strings(search, bytes, kept + (size_t)got, known);
        }
    }
    close(descriptor);
}

/* ---- What the process itself was given ---- */

static int take_loaded(struct dl_phdr_info *object, size_t size, void *user)
{
    const char *slash = strrchr(object->dlpi_name, '/');
    char folder[PATH_MAX];

    (void)size;
    if (slash && (size_t)(slash - object->dlpi_name) < sizeof folder && !is_of_the_system(object->dlpi_name)) {
        memcpy(folder, object->dlpi_name, (size_t)(slash - object->dlpi_name));
        folder[slash - object->dlpi_name] = '\0';
        take_folder(user, folder);
    }
    return 0;
}

/* Takes RUNPATH and LD_LIBRARY_PATH as the loader does. A relative folder is relative to the working directory. */
static void take_search_path(const search *search)
{
#ifdef __GLIBC__
    Dl_serinfo size, *path = NULL;
    void *program = dlopen(NULL, RTLD_LAZY);

    if (program && dlinfo(program, RTLD_DI_SERINFOSIZE, &size) == 0 && (path = malloc(size.dls_size))) {
        *path = size;
        if (dlinfo(program, RTLD_DI_SERINFO, path) == 0) {
            for (unsigned i = 0; i < path->dls_cnt; i++) {
                char folder[PATH_MAX];
                if (!is_of_the_system(path->dls_serpath[i].dls_name) && realpath(path->dls_serpath[i].dls_name, folder))
                    take_folder(search, folder);
            }
        }
    }
    free(path);
    if (program)
        dlclose(program);
#else
    (void)search;
#endif
}

void sandbox_libraries_find(sandbox_library_function *take, void *user)
{
    search search = {.take = take, .user = user};

    take_system_folders(&search);
    read_cache(&search);
    take_search_path(&search);
    dl_iterate_phdr(take_loaded, &search);
}
