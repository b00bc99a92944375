/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#define _GNU_SOURCE /* for O_PATH */

#include "base/private_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define NAME_TRIES 100u

static bool is_private(int descriptor, mode_t kind, struct stat *status)
{
    return fstat(descriptor, status) == 0 && (status->st_mode & S_IFMT) == kind && status->st_uid == geteuid() &&
           (status->st_mode & (S_IWGRP | S_IWOTH)) == 0;
}

/* Opens the folder of a file, and points *name to the file's name in the path. Returns -1 if the folder does not exist
 * or if others may write to it. */
static int open_folder(const char *path, const char **name)
{
    const char *slash = strrchr(path, '/');
    struct stat status;
    *name = slash ? slash + 1 : path;
    char *folder = slash ? strndup(path, slash == path ? 1 : (size_t)(slash - path)) : strdup(".");
    if (!folder)
        return -1;
    int descriptor = open(folder, O_PATH | O_DIRECTORY | O_CLOEXEC);
    free(folder);
    if (descriptor >= 0 && !is_private(descriptor, S_IFDIR, &status)) {
        close(descriptor);
        return -1;
    }
    return descriptor;
}

/* Opens a regular file of at most this size for reading. It does not wait for a pipe. */
static int open_file(const char *path, size_t most_bytes, size_t *byte_count)
{
    const char *name;
    struct stat status;
    int folder = open_folder(path, &name);
    if (folder < 0)
        return -1;
    int file = openat(folder, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    close(folder);
    if (file >= 0 && (!is_private(file, S_IFREG, &status) || status.st_size < 0 ||
                      (unsigned long long)status.st_size > most_bytes)) {
        close(file);
        return -1;
    }
    *byte_count = file >= 0 ? (size_t)status.st_size : 0;
    return file;
}

static bool read_all(int file, uint8_t *bytes, size_t count)
{
    while (count > 0) {
        ssize_t got = read(file, bytes, count);
        if (got == 0 || (got < 0 && errno != EINTR))
            return false;
        bytes += got > 0 ? got : 0;
        count -= got > 0 ? (size_t)got : 0;
    }
    return true;
}

uint8_t *private_file_read(const char *path, size_t most_bytes, size_t *byte_count)
{
    int file = open_file(path, most_bytes, byte_count);
    if (file < 0)
        return NULL;
    uint8_t *bytes = malloc(*byte_count + 1);
    if (bytes && !read_all(file, bytes, *byte_count)) {
        free(bytes);
        bytes = NULL;
    }
    if (bytes)
        bytes[*byte_count] = '\0';
    close(file);
    return bytes;
}

/* Makes the missing folders above the file. Whether that worked shows when the last one is opened. */
static bool make_folders(const char *path)
{
    char *part = strdup(path);
    if (!part)
        return false;
    for (char *slash = part[0] ? strchr(part + 1, '/') : NULL; slash; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        mkdir(part, 0700);
        *slash = '/';
    }
    free(part);
    return true;
}

static bool write_all(int file, const void *bytes, size_t count)
{
    const uint8_t *at = bytes;
    while (count > 0) {
        ssize_t put = write(file, at, count);
        if (put < 0 && errno != EINTR)
            return false;
        at += put > 0 ? put : 0;
        count -= put > 0 ? (size_t)put : 0;
    }
    return true;
}

/* Creates a file under a name that is not in use. `room` is the size of `temporary`. */
static int create_temporary(int folder, const char *name, char *temporary, size_t room)
{
    int file = -1;
    for (unsigned i = 0; file < 0 && i < NAME_TRIES; i++) {
        snprintf(temporary, room, ".%s.%ld-%u", name, (long)getpid(), i);
        file = openat(folder, temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
        if (file < 0 && errno != EEXIST)
            return -1;
    }
    return file;
}

static bool replace(int folder, const char *name, const void *head, size_t head_bytes, const void *bytes,
                    size_t byte_count)
{
    size_t room = strlen(name) + 40;
    char *temporary = malloc(room);
    int file = temporary ? create_temporary(folder, name, temporary, room) : -1;
    bool written = false;
    if (file >= 0) {
        written = write_all(file, head, head_bytes) && write_all(file, bytes, byte_count);
        written = close(file) == 0 && written && renameat(folder, temporary, folder, name) == 0;
        if (!written)
            unlinkat(folder, temporary, 0);
    }
    free(temporary);
    return written;
}

bool private_file_write(const char *path, const void *head, size_t head_bytes, const void *bytes, size_t byte_count)
{
    const char *name;
    int folder = make_folders(path) ? open_folder(path, &name) : -1;
    if (folder < 0)
        return false;
    bool written = replace(folder, name, head, head_bytes, bytes, byte_count);
    close(folder);
    return written;
}
