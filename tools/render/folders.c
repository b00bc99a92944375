/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#define _DEFAULT_SOURCE /* for DT_DIR */

#include "folders.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "path.h"

#define DEEPEST_FOLDER 256u

/* ---- The walk ---- */

typedef struct walk {
    const char **inputs; /* the list that is being made */
    size_t *base_lengths;
    size_t count, capacity;
    size_t base_length; /* bytes of the folder that is being walked */
} walk;

static status add(walk *walk, const char *input, size_t base_length)
{
    if (walk->count == walk->capacity) {
        size_t capacity = walk->capacity * 2 + 64;
        const char **inputs = realloc(walk->inputs, capacity * sizeof *inputs);
        walk->inputs = inputs ? inputs : walk->inputs;
        size_t *lengths = inputs ? realloc(walk->base_lengths, capacity * sizeof *lengths) : NULL;
        walk->base_lengths = lengths ? lengths : walk->base_lengths;
        if (!lengths)
            return report_memory(NULL);
        walk->capacity = capacity;
    }
    walk->inputs[walk->count] = input;
    walk->base_lengths[walk->count++] = base_length;
    return STATUS_DRAWN;
}

static int choose_entry(const struct dirent *entry)
{
    return strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0;
}

/* The order does not depend on the language. */
static int compare_entries(const struct dirent **a, const struct dirent **b)
{
    return strcmp((*a)->d_name, (*b)->d_name);
}

static status walk_folder(walk *walk, const char *folder, unsigned depth);

/* Takes an entry of a folder. The options own its path if it is an input. */
static status take_entry(walk *walk, char *path, const char *name, unsigned depth)
{
    struct stat information;

    if (lstat(path, &information) != 0)
        return STATUS_DRAWN; /* it was removed meanwhile */
    if (S_ISDIR(information.st_mode))
        return walk_folder(walk, path, depth + 1);
    if (!path_source_ending(name) || stat(path, &information) != 0 || !S_ISREG(information.st_mode))
        return STATUS_DRAWN;
    char *input = strdup(path);
    status result = input ? add(walk, input, walk->base_length) : report_memory(path);
    if (result != STATUS_DRAWN)
        free(input);
    return result;
}

static status walk_folder(walk *walk, const char *folder, unsigned depth)
{
    struct dirent **entries = NULL;
    status result = STATUS_DRAWN;

    if (depth > DEEPEST_FOLDER)
        return report(STATUS_INPUT, folder, 0, "folders are nested more than %u deep", DEEPEST_FOLDER);
    int count = scandir(folder, &entries, choose_entry, compare_entries);
    if (count < 0)
        return report_errno(folder, "list");
    for (int i = 0; i < count; i++) {
        char path[PATH_MAX];
        bool slash = folder[strlen(folder) - 1] == '/';
        int length = snprintf(path, sizeof path, "%s%s%s", folder, slash ? "" : "/", entries[i]->d_name);
        if (result == STATUS_DRAWN && (size_t)length >= sizeof path)
            result = report(STATUS_INPUT, folder, 0, "the names in it are too long");
        if (result == STATUS_DRAWN)
            result = take_entry(walk, path, entries[i]->d_name, depth);
        free(entries[i]);
    }
    free(entries);
    return result;
}

static bool is_folder(const char *path)
{
    struct stat information;

    return stat(path, &information) == 0 && S_ISDIR(information.st_mode);
}

static status walk_input(walk *walk, const char *input)
{
    size_t before = walk->count;

    if (!is_folder(input))
        return add(walk, input, 0);
    walk->base_length = strlen(input);
    status result = walk_folder(walk, input, 0);
    return result == STATUS_DRAWN && walk->count == before
               ? report(STATUS_INPUT, input, 0, "no file below this folder ends in .svg, .svgz or .svg.gz")
               : result;
}

status folders_walk(options *options)
{
    walk walk = {0};
    status result = STATUS_DRAWN;

    for (size_t i = 0; i < options->input_count && result == STATUS_DRAWN; i++)
        result = walk_input(&walk, options->inputs[i]);
    free(options->inputs);
    options->inputs = walk.inputs;
    options->base_lengths = walk.base_lengths;
    options->input_count = walk.count;
    return result;
}

/* ---- What is kept of a name ---- */

/* Makes a path absolute, by name alone: without empty parts, "." and "..". NULL: errno says why. */
static char *make_plain(const char *path)
{
    char *here = path[0] == '/' ? strdup("") : getcwd(NULL, 0);
    char *plain = here ? malloc(strlen(here) + strlen(path) + 2) : NULL;
    size_t length = 0;

    if (plain) {
        length = strlen(here);
        memcpy(plain, here, length);
        length -= length == 1; /* the root */
    }
    while (plain && *path) {
        size_t part = strcspn(path, "/");
        if (part == 2 && memcmp(path, "..", 2) == 0) {
            while (length > 0 && plain[--length] != '/')
                continue;
        } else if (part > 0 && !(part == 1 && *path == '.')) {
            plain[length++] = '/';
            memcpy(plain + length, path, part);
            length += part;
        }
        path += part + (path[part] == '/');
    }
    if (plain)
        plain[length] = '\0';
    free(here);
    return plain;
}

static status keep_below(const char *base, const char *input, char **kept)
{
    char *whole = make_plain(input), *folder = make_plain(base);
    size_t length = folder ? strlen(folder) : 0;
    status result = STATUS_DRAWN;

    if (!whole || !folder)
        result = errno == ENOMEM ? report_memory(input) : report_errno(input, "name");
    else if (strncmp(whole, folder, length) != 0 || whole[length] != '/')
        result = report(STATUS_INPUT, input, 0, "is not below the folder of --keep-folders, %s", base);
    else if (!(*kept = strdup(whole + length + 1)))
        result = report_memory(input);
    free(whole);
    free(folder);
    return result;
}

status folders_keep(const options *options, size_t input, char **kept)
{
    const char *name = options->inputs[input], *slash = strrchr(name, '/');
    size_t base_length = options->base_lengths[input];

    if (options->keep_folders)
        return keep_below(options->keep_folders, name, kept);
    if (base_length > 0)
        name += base_length + (name[base_length] == '/');
    else
        name = slash ? slash + 1 : name;
    *kept = strdup(name);
    return *kept ? STATUS_DRAWN : report_memory(options->inputs[input]);
}
