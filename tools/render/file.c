/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#define _DEFAULT_SOURCE /* for realpath */

#include "file.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/memory.h"
#include "path.h"

static mode_t new_file_mode;

static status report_too_large(const char *path)
{
    return report(STATUS_INPUT, path, 0, "files of more than %d MiB are not read", FILE_MOST_MEBIBYTES);
}

static status read_all(int descriptor, const char *path, size_t size_hint, char **bytes, size_t *byte_count)
{
    size_t capacity = size_hint + 1, length = 0;
    char *buffer = malloc(capacity);

    if (buffer)
        memory_prefer_large_pages(buffer, capacity);
    while (buffer) {
        if (length + 1 >= capacity) {
            char *grown = capacity <= SIZE_MAX / 2 ? realloc(buffer, capacity * 2) : NULL;
            if (!grown)
                break;
            buffer = grown;
            capacity *= 2;
        }
        ssize_t count = read(descriptor, buffer + length, capacity - length - 1);
        if (count > 0) {
            length += (size_t)count;
            if (length > (size_t)FILE_MOST_MEBIBYTES << 20) {
                free(buffer);
                return report_too_large(path);
            }
        } else if (count == 0) {
            buffer[length] = '\0';
            *bytes = buffer;
            *byte_count = length;
            return STATUS_DRAWN;
        } else if (errno != EINTR) {
            status result = report_errno(path, "read");
            free(buffer);
            return result;
        }
    }
    free(buffer);
    return report(STATUS_BUDGET, path, 0, "out of memory while reading");
}

status file_read(const char *path, char **bytes, size_t *byte_count)
{
    int descriptor = strcmp(path, "-") == 0 ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC);

    return descriptor < 0 ? report_errno(path, "open") : file_read_open(descriptor, path, bytes, byte_count);
}

status file_read_open(int descriptor, const char *path, char **bytes, size_t *byte_count)
{
    struct stat information;
    size_t size_hint = 65535;
    status result;

    if (fstat(descriptor, &information) != 0 || !S_ISREG(information.st_mode))
        information.st_size = 0;
    if (information.st_size >> 20 > FILE_MOST_MEBIBYTES) {
        result = report_too_large(path);
    } else {
        /* One byte more than the size lets the end be found without growing the buffer again. */
        size_hint = information.st_size > 0 ? (size_t)information.st_size + 1 : size_hint;
        result = read_all(descriptor, path, size_hint, bytes, byte_count);
    }
    if (descriptor != STDIN_FILENO)
        close(descriptor);
    return result;
}

bool file_is_same(const char *path, const char *other)
{
    struct stat first, second;

    if (stat(path, &first) != 0 || stat(other, &second) != 0)
        return strcmp(path, other) == 0;
    return S_ISREG(first.st_mode) && first.st_dev == second.st_dev && first.st_ino == second.st_ino;
}

bool file_is_there(const char *path)
{
    struct stat information;

    return strcmp(path, "-") != 0 && stat(path, &information) == 0 && S_ISREG(information.st_mode);
}

/* Makes the missing folders above a path. The copy is the path, and may be changed. */
static status make_folders_above(char *copy)
{
    for (char *slash = strchr(copy + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        if (mkdir(copy, 0777) != 0 && errno != EEXIST)
            return report_errno(copy, "make the folder");
        *slash = '/';
    }
    return STATUS_DRAWN;
}

status file_make_folder(const char *path)
{
    struct stat information;
    char *copy = strdup(path);

    if (!copy)
        return report_memory(path);
    status result = make_folders_above(copy);
    free(copy);
    if (result != STATUS_DRAWN)
        return result;
    if (mkdir(path, 0777) != 0 && errno != EEXIST)
        return report_errno(path, "make the folder");
    if (stat(path, &information) != 0 || !S_ISDIR(information.st_mode)) {
        errno = ENOTDIR;
        return report_errno(path, "make the folder");
    }
    return STATUS_DRAWN;
}

status file_output_open(file_output *output, const char *path)
{
    struct stat information;
    bool exists, linked;

    *output = (file_output){.path = path, .temporary.descriptor = STDOUT_FILENO};
    if (strcmp(path, "-") == 0)
        return STATUS_DRAWN;
    if (path[0] == '\0' || path[strlen(path) - 1] == '/')
        return report(STATUS_INPUT, path, 0, "cannot write: not the name of a file");
    exists = path_look(path, &information, &linked);
    if (exists && S_ISDIR(information.st_mode))
        return report(STATUS_INPUT, path, 0, "cannot write: it is a folder");
    if (exists && !S_ISREG(information.st_mode)) {
        output->temporary.descriptor = open(path, O_WRONLY | O_CLOEXEC);
        return output->temporary.descriptor < 0 ? report_errno(path, "write") : STATUS_DRAWN;
    }
    /* Replacing a file needs no right to write to it. But a user who takes that right away does not want it
     * replaced. */
    if (exists && access(path, W_OK) != 0)
        return report_errno(path, "write");
    output->target = exists && linked ? realpath(path, NULL) : strdup(path);
    if (!output->target)
        return report_errno(path, "write");
    if (!temporary_open(&output->temporary, output->target, exists,
                        exists ? information.st_mode & 0777 : new_file_mode)) {
        status result = report_errno(path, "write");
        free(output->target);
        output->target = NULL;
        return result;
    }
    return STATUS_DRAWN;
}

bool file_output_write(file_output *output, const void *all, size_t byte_count)
{
    const char *bytes = all;

    while (byte_count > 0) {
        ssize_t count = write(output->temporary.descriptor, bytes, byte_count < SSIZE_MAX ? byte_count : SSIZE_MAX);
        if (count < 0 && errno != EINTR) {
            output->error = errno;
            return false;
        }
        if (count > 0) {
            bytes += count;
            byte_count -= (size_t)count;
        }
    }
    return true;
}

/* Closes an output that is written to directly. */
static bool close_output(file_output *output)
{
    int descriptor = output->temporary.descriptor;

    output->temporary.descriptor = -1;
    return descriptor < 0 || descriptor == STDOUT_FILENO || close(descriptor) == 0;
}

status file_output_finish(file_output *output)
{
    status result = STATUS_DRAWN;
    bool written;

    if (output->error) {
        file_output_abandon(output);
        errno = output->error;
        return report_errno(output->path, "write");
    }
    written = output->target ? temporary_finish(&output->temporary, output->target) : close_output(output);
    if (!written)
        result = report_errno(output->path, "write");
    free(output->target);
    output->target = NULL;
    return result;
}

void file_output_abandon(file_output *output)
{
    if (output->target)
        temporary_abandon(&output->temporary);
    else
        close_output(output);
    free(output->target);
    output->target = NULL;
}

/* Puts in the place of each closed standard stream a descriptor that also fails to read or to write. */
static void fill_standard_descriptors(void)
{
    for (int descriptor = STDIN_FILENO; descriptor <= STDERR_FILENO; descriptor++)
        if (fcntl(descriptor, F_GETFD) < 0 && open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY) < 0)
            _exit(STATUS_INPUT);
}

void file_prepare(void)
{
    struct sigaction ignore = {.sa_handler = SIG_IGN};
    mode_t mask = umask(0);

    umask(mask);
    new_file_mode = 0666 & ~mask;
    fill_standard_descriptors();
    temporary_handle_signals();
    sigaction(SIGPIPE, &ignore, NULL);
    sigaction(SIGXFSZ, &ignore, NULL);
}
