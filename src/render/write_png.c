/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Pictures as PNG files, for programs. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/array.h"
#include "base/error.h"
#include "png/png_writer.h"
#include "render/frame/config.h"
#include "render/frame/target_format.h"

#define NAMES_MOST 1000u /* names of temporary files that are tried */

typedef ARRAY(char) png_bytes;

static bool take_bytes(void *user, const void *bytes, size_t count)
{
    png_bytes *taken = user;
    char *place = array_push_many(taken, count);
    if (place)
        memcpy(place, bytes, count);
    return place != NULL;
}

/* Encodes a copy of the rows, straight and without gaps. */
static pietra_result encode(const pietra_target *target, png_bytes *bytes, pietra_error *error)
{
    png_canvas canvas;
    png_options options = {.compression = PNG_COMPRESSION_DEFAULT};
    frame_config config;
    if (!target || !target->pixels)
        return error_set_null(error, !target ? "target" : "target.pixels");
    pietra_result result = config_of_frame(NULL, target, error, &config);
    if (result != PIETRA_OK)
        return result;
    if (!png_canvas_create(&canvas, target->width, target->height))
        return error_set_memory(error);
    for (uint32_t y = 0; y < target->height; y++)
        target_format_read_row(target, y, canvas.pixels + y * 4 * (size_t)target->width);
    bool encoded = png_encode(&canvas, &options, take_bytes, bytes) == PNG_DONE;
    png_canvas_destroy(&canvas);
    return encoded ? PIETRA_OK : error_set_memory(error);
}

pietra_result pietra_encode_png(const pietra_target *target, pietra_error *error, void **bytes, size_t *byte_count)
{
    png_bytes made = {0};
    if (!bytes || !byte_count)
        return error_set_null(error, !bytes ? "bytes" : "byte_count");
    pietra_result result = encode(target, &made, error);
    if (result != PIETRA_OK) {
        array_free(&made);
        return result;
    }
    *bytes = made.items;
    *byte_count = made.count;
    return PIETRA_OK;
}

static pietra_result fail_writing(pietra_error *error)
{
    char reason[200];
    int number = errno;
    if (strerror_r(number, reason, sizeof reason) != 0)
        snprintf(reason, sizeof reason, "error %d", number);
    return error_set(error, PIETRA_ERROR_IO, 0, "cannot write: %s", reason);
}

static bool write_all(int descriptor, const png_bytes *bytes)
{
    for (size_t at = 0; at < bytes->count;) {
        ssize_t count = write(descriptor, bytes->items + at, bytes->count - at);
        if (count < 0 && errno != EINTR)
            return false;
        at += count > 0 ? (size_t)count : 0;
    }
    return true;
}

/* Writes all to what was opened; -1: nothing was. */
static pietra_result write_and_close(int descriptor, const png_bytes *bytes, pietra_error *error)
{
    bool written = descriptor >= 0 && write_all(descriptor, bytes);
    pietra_result result = written ? PIETRA_OK : fail_writing(error);
    if (descriptor >= 0 && close(descriptor) != 0 && result == PIETRA_OK)
        result = fail_writing(error);
    return result;
}

/* Opens a new file beside the one that it becomes. Writes its name, for which `name` has room. */
static int open_beside(const char *path, char *name, size_t room)
{
    int descriptor = -1;
    for (unsigned i = 0; i < NAMES_MOST && descriptor < 0; i++) {
        snprintf(name, room, "%s.%ld-%u", path, (long)getpid(), i);
        descriptor = open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (descriptor < 0 && errno != EEXIST)
            break;
    }
    return descriptor;
}

static pietra_result write_file(const char *path, const png_bytes *bytes, pietra_error *error)
{
    size_t room = strlen(path) + 64;
    char *name = malloc(room);
    if (!name)
        return error_set_memory(error);
    int descriptor = open_beside(path, name, room);
    pietra_result result = write_and_close(descriptor, bytes, error);
    if (result == PIETRA_OK && rename(name, path) != 0)
        result = fail_writing(error);
    if (descriptor >= 0 && result != PIETRA_OK)
        unlink(name);
    free(name);
    return result;
}

/* Writes to a pipe or a device as it is: it cannot be replaced by a file. */
static pietra_result write_through(const char *path, const png_bytes *bytes, pietra_error *error)
{
    return write_and_close(open(path, O_WRONLY | O_CLOEXEC | O_NOCTTY), bytes, error);
}

static bool is_a_stream(const char *path)
{
    struct stat information;
    return stat(path, &information) == 0 && !S_ISREG(information.st_mode) && !S_ISDIR(information.st_mode);
}

pietra_result pietra_write_png(const char *path, const pietra_target *target, pietra_error *error)
{
    png_bytes bytes = {0};
    if (!path)
        return error_set_null(error, "path");
    pietra_result result = encode(target, &bytes, error);
    if (result == PIETRA_OK)
        result = is_a_stream(path) ? write_through(path, &bytes, error) : write_file(path, &bytes, error);
    array_free(&bytes);
    return result;
}
