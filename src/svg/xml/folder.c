/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#define _GNU_SOURCE /* for O_PATH */

#include "svg/xml/folder.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* For a directory from which a walk continues. It can be neither read nor listed. */
#define PLACE_FLAGS (O_PATH | O_DIRECTORY | O_CLOEXEC)

/* ---- The folder ---- */

bool svg_folder_open(svg_folder *folder, const char *directory)
{
    *folder = (svg_folder){open(directory, PLACE_FLAGS), NULL};
    if (folder->descriptor < 0)
        return errno != ENOMEM;
    folder->path = malloc(PATH_MAX);
    if (!folder->path || !realpath(directory, folder->path)) {
        bool out_of_memory = !folder->path || errno == ENOMEM;
        svg_folder_close(folder);
        return !out_of_memory;
    }
    if (strcmp(folder->path, "/") == 0)
        folder->path[0] = '\0';
    return true;
}

void svg_folder_close(svg_folder *folder)
{
    if (folder->descriptor >= 0)
        close(folder->descriptor);
    free(folder->path);
    *folder = (svg_folder){-1, NULL};
}

/* ---- The walk ---- */

typedef struct walk {
    const svg_folder *folder;
    svg_bytes at;   /* path of the directory that was reached: absolute and without links; the root's is "" */
    svg_bytes rest; /* NUL-terminated; what remains to be walked begins at `next` */
    size_t next;
    int place; /* descriptor of `at`, perhaps the folder's own; -1: it is not open */
    unsigned links, steps;
} walk;

static void release_place(walk *walk)
{
    if (walk->place >= 0 && walk->place != walk->folder->descriptor)
        close(walk->place);
    walk->place = -1;
}

/* Returns how many bytes of `at` are the folder's path. If `at` is neither the folder nor below it, returns more than
 * `at` has. */
static size_t folder_bytes(const walk *walk)
{
    size_t count = strlen(walk->folder->path);
    bool inside = walk->at.count >= count && (count == 0 || memcmp(walk->at.items, walk->folder->path, count) == 0) &&
                  (walk->at.count == count || walk->at.items[count] == '/');
    return inside ? count : SIZE_MAX;
}

static bool append(svg_bytes *bytes, const char *more, size_t count)
{
    char *room = count ? array_push_many(bytes, count) : NULL;
    if (room)
        memcpy(room, more, count);
    return room || count == 0;
}

/* Steps down to a directory, but never through a link. */
static bool step(walk *walk, const char *name)
{
    int next = walk->steps++ < SVG_MOST_STEPS ? openat(walk->place, name, PLACE_FLAGS | O_NOFOLLOW) : -1;
    release_place(walk);
    walk->place = next;
    return next >= 0;
}

/* Opens `at` again. If it is the folder or below it, this begins at the folder's descriptor. */
static svg_fetched open_place(walk *walk)
{
    size_t done = folder_bytes(walk);
    if (walk->place >= 0)
        return SVG_FETCHED;
    walk->place = done <= walk->at.count ? walk->folder->descriptor : open("/", PLACE_FLAGS);
    done = done <= walk->at.count ? done : 0;
    bool there = walk->place >= 0;
    while (there && done < walk->at.count) {
        char name[NAME_MAX + 1];
        const char *from = walk->at.items + done + 1, *slash = memchr(from, '/', walk->at.count - done - 1);
        size_t length = slash ? (size_t)(slash - from) : walk->at.count - done - 1;
        there = length < sizeof name;
        if (there) {
            memcpy(name, from, length);
            name[length] = '\0';
            there = step(walk, name);
        }
        done += length + 1;
    }
    return there ? SVG_FETCHED : SVG_FETCHED_NOTHING;
}

/* Steps down to a directory and appends its name to `at`. A step to the folder's path leads to the folder that was
 * opened, even if something else has its name by now. */
static svg_fetched enter(walk *walk, const char *name)
{
    if (!append(&walk->at, "/", 1) || !append(&walk->at, name, strlen(name)))
        return SVG_FETCHED_OUT_OF_MEMORY;
    if (folder_bytes(walk) == walk->at.count) {
        release_place(walk);
        walk->place = walk->folder->descriptor;
        return SVG_FETCHED;
    }
    return step(walk, name) ? SVG_FETCHED : SVG_FETCHED_NOTHING;
}

static void climb(walk *walk)
{
    while (walk->at.count && walk->at.items[walk->at.count - 1] != '/')
        walk->at.count--;
    walk->at.count -= walk->at.count > 0;
    release_place(walk);
}

static void go_to_root(walk *walk)
{
    walk->at.count = 0;
    release_place(walk);
}

/* Replaces a link by its target in what remains to be walked. */
static svg_fetched follow(walk *walk, const char *target, size_t count, bool is_last)
{
    svg_bytes rest = {0};
    if (count == 0 || count >= SVG_MOST_NAME_BYTES || ++walk->links > SVG_MOST_LINKS)
        return SVG_FETCHED_NOTHING;
    if (!append(&rest, target, count) || !append(&rest, "/", !is_last) ||
        !append(&rest, walk->rest.items + walk->next, walk->rest.count - walk->next)) {
        array_free(&rest);
        return SVG_FETCHED_OUT_OF_MEMORY;
    }
    array_free(&walk->rest);
    walk->rest = rest;
    walk->next = 0;
    if (target[0] == '/')
        go_to_root(walk);
    return SVG_FETCHED;
}

/* Takes a component other than . and .. . If it is the last one and no link, it goes to *last. */
static svg_fetched take_component(walk *walk, const char *name, bool is_last, const char **last)
{
    char target[SVG_MOST_NAME_BYTES];
    svg_fetched result = open_place(walk);
    if (result != SVG_FETCHED)
        return result;
    ssize_t count = readlinkat(walk->place, name, target, sizeof target);
    if (count >= 0)
        return follow(walk, target, (size_t)count, is_last);
    if (errno != EINVAL)
        return SVG_FETCHED_NOTHING;
    if (is_last)
        *last = name;
    return is_last ? SVG_FETCHED : enter(walk, name);
}

/* Walks up to the last component. If the name is that of a directory, *last is NULL and the directory is `at`. */
static svg_fetched run(walk *walk, const char **last)
{
    svg_fetched result = SVG_FETCHED;
    *last = NULL;
    while (result == SVG_FETCHED && !*last && walk->rest.items[walk->next]) {
        char *name = walk->rest.items + walk->next;
        size_t length = strcspn(name, "/");
        bool is_last = name[length] == '\0';
        walk->next += length + !is_last;
        name[length] = '\0';
        if (strcmp(name, "..") == 0)
            climb(walk);
        else if (length > 0 && strcmp(name, ".") != 0)
            result = take_component(walk, name, is_last, last);
    }
    return result;
}

/* Opens a regular file. A device is recognized before it is opened, if possible, because opening it may have
 * effects. */
static int open_file(int place, const char *name)
{
    struct stat status;
    if (fstatat(place, name, &status, AT_SYMLINK_NOFOLLOW) != 0 || !S_ISREG(status.st_mode))
        return -1;
    int file = openat(place, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    if (file < 0)
        return -1;
    if (fstat(file, &status) == 0 && S_ISREG(status.st_mode) && (uint64_t)status.st_size <= SVG_MOST_RESOURCE_BYTES)
        return file;
    close(file);
    return -1;
}

/* Finds the file after the walk has ended. */
static svg_fetched find_file(walk *walk, const char *last, svg_folder_file *file)
{
    size_t above = folder_bytes(walk);
    svg_bytes path = {0};
    if (above > walk->at.count || (!last && above == walk->at.count))
        return SVG_FETCHED_FORBIDDEN;
    bool good = append(&path, walk->at.items + above, walk->at.count - above) && append(&path, "/", last ? 1 : 0) &&
                append(&path, last, last ? strlen(last) : 0) && append(&path, "", 1);
    if (!good) {
        array_free(&path);
        return SVG_FETCHED_OUT_OF_MEMORY;
    }
    memmove(path.items, path.items + 1, path.count - 1); /* removes the slash in front */
    *file = (svg_folder_file){path.items, last ? open_file(walk->place, last) : -1};
    return SVG_FETCHED;
}

static svg_fetched begin(walk *walk, const char *from, const char *name)
{
    size_t from_bytes = strlen(from), name_bytes = strlen(name);
    if (from_bytes + name_bytes >= SVG_MOST_NAME_BYTES)
        return SVG_FETCHED_NOTHING;
    bool good = append(&walk->rest, name, name_bytes + 1);
    if (good && name[0] != '/')
        good = append(&walk->at, walk->folder->path, strlen(walk->folder->path)) &&
               append(&walk->at, "/", from_bytes > 0) && append(&walk->at, from, from_bytes - (from_bytes > 0));
    return good ? SVG_FETCHED : SVG_FETCHED_OUT_OF_MEMORY;
}

svg_fetched svg_folder_find(const svg_folder *folder, const char *from, const char *name, svg_folder_file *file)
{
    walk walk = {.folder = folder, .place = -1};
    const char *last = NULL;
    if (folder->descriptor < 0)
        return SVG_FETCHED_NOTHING;
    svg_fetched result = begin(&walk, from, name);
    if (result == SVG_FETCHED)
        result = run(&walk, &last);
    if (result == SVG_FETCHED)
        result = find_file(&walk, last, file);
    release_place(&walk);
    array_free(&walk.at);
    array_free(&walk.rest);
    return result;
}

/* ---- The file ---- */

svg_fetched svg_folder_read(const svg_folder_file *file, svg_bytes *bytes)
{
    struct stat status;
    size_t before = bytes->count, done = 0;
    ssize_t got = 1;
    if (file->descriptor < 0 || fstat(file->descriptor, &status) != 0 ||
        (uint64_t)status.st_size > SVG_MOST_RESOURCE_BYTES)
        return SVG_FETCHED_NOTHING;
    size_t wanted = (size_t)status.st_size;
    char *out = wanted ? array_push_many(bytes, wanted) : NULL;
    if (!out && wanted)
        return SVG_FETCHED_OUT_OF_MEMORY;
    while (done < wanted && got != 0) {
        got = pread(file->descriptor, out + done, wanted - done, (off_t)done);
        if (got < 0 && errno != EINTR)
            break;
        done += got > 0 ? (size_t)got : 0;
    }
    if (done == wanted)
        return SVG_FETCHED;
    bytes->count = before; /* the file became shorter meanwhile, or reading failed */
    return SVG_FETCHED_NOTHING;
}

uint64_t svg_folder_file_bytes(const svg_folder_file *file)
{
    struct stat status;
    return file->descriptor >= 0 && fstat(file->descriptor, &status) == 0 ? (uint64_t)status.st_size : 0;
}

void svg_folder_close_file(svg_folder_file *file)
{
    if (file->descriptor >= 0)
        close(file->descriptor);
    free(file->path);
    *file = (svg_folder_file){NULL, -1};
}
