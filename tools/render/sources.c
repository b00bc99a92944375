/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#define _DEFAULT_SOURCE /* for realpath */

#include "sources.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "path.h"

char *source_path(const char *input, const char **fragment)
{
    const char *hash = strchr(input, '#');
    char *path = strdup(input);

    *fragment = NULL;
    if (hash && path && access(input, F_OK) != 0) {
        path[hash - input] = '\0';
        *fragment = hash + 1;
    }
    return path;
}

static bool has_other_ending(const char *name)
{
    static const char *const endings[] = {".avif", ".emf", ".eps", ".exr",  ".gif", ".heic", ".heif",
                                          ".ico",  ".jp2", ".jxl", ".pbm",  ".pdf", ".pgm",  ".pnm",
                                          ".ps",   ".psd", ".tif", ".tiff", ".wmf", ".xps"};

    return path_ending(name, endings, sizeof endings / sizeof endings[0]) > 0;
}

/* Checks the ending of the name itself and, if it is a link, that of the name to which it leads. */
static status check_ending(const char *output)
{
    struct stat information;
    bool linked;
    char *target = path_look(output, &information, &linked) && linked ? realpath(output, NULL) : NULL;
    status result = STATUS_DRAWN;

    if (path_source_ending(output)) {
        result = report(STATUS_INPUT, output, 0, "OUTPUT has the ending of a source; formats are " FORMAT_NAMES);
    } else if (target && path_source_ending(target)) {
        result = report(STATUS_INPUT, output, 0,
                        "OUTPUT leads to %s, which has the ending of a source; formats are " FORMAT_NAMES, target);
    } else if (has_other_ending(output)) {
        result = report(STATUS_INPUT, output, 0,
                        "OUTPUT has the ending of a format that is not written; formats are " FORMAT_NAMES);
    }
    free(target);
    return result;
}

/* The identity of a file, whatever its name. */
typedef struct identity {
    dev_t device;
    ino_t number;
    const char *name;
} identity;

/* Returns false if it is no regular file: a pipe or a device may be read and written. */
static bool identify(const char *path, const char *name, identity *identity)
{
    struct stat information;

    if (stat(path, &information) != 0 || !S_ISREG(information.st_mode))
        return false;
    identity->device = information.st_dev;
    identity->number = information.st_ino;
    identity->name = name;
    return true;
}

static int compare_identities(const void *a, const void *b)
{
    const identity *x = a, *y = b;

    if (x->device != y->device)
        return x->device < y->device ? -1 : 1;
    return (x->number > y->number) - (x->number < y->number);
}

/* Identifies all inputs and the style sheet, for which `sources` has room. False: out of memory. */
static bool identify_sources(const options *options, identity *sources, size_t *count)
{
    const char *fragment;

    *count = 0;
    for (size_t i = 0; i < options->input_count; i++) {
        char *path = source_path(options->inputs[i], &fragment);
        if (!path)
            return false;
        *count += strcmp(path, "-") != 0 && identify(path, options->inputs[i], &sources[*count]);
        free(path);
    }
    *count += options->stylesheet && identify(options->stylesheet, options->stylesheet, &sources[*count]);
    qsort(sources, *count, sizeof *sources, compare_identities);
    return true;
}

static identity *kept; /* sorted; NULL: none are kept */
static size_t kept_count;

status sources_keep(const options *options)
{
    if (kept)
        return STATUS_DRAWN;
    kept = malloc((options->input_count + 1) * sizeof *kept);
    if (kept && identify_sources(options, kept, &kept_count))
        return STATUS_DRAWN;
    sources_release();
    return report_memory(NULL);
}

void sources_release(void)
{
    free(kept);
    kept = NULL;
}

static status check_identities(const identity *outputs, size_t output_count)
{
    status result = STATUS_DRAWN;

    for (size_t i = 0; i < output_count && result == STATUS_DRAWN; i++) {
        const identity *source = bsearch(&outputs[i], kept, kept_count, sizeof *kept, compare_identities);
        if (source)
            result = report(STATUS_INPUT, outputs[i].name, 0, "OUTPUT is the INPUT %s", source->name);
    }
    return result;
}

status sources_spare(const options *options, const char *const *outputs, size_t output_count)
{
    identity *existing = malloc(output_count * sizeof *existing);
    status result = existing ? STATUS_DRAWN : report_memory(NULL);
    size_t existing_count = 0;

    for (size_t i = 0; i < output_count && result == STATUS_DRAWN; i++) {
        if (strcmp(outputs[i], "-") != 0) {
            existing_count += identify(outputs[i], outputs[i], &existing[existing_count]);
            result = check_ending(outputs[i]);
        }
    }
    /* If no output exists yet, which is usual for many files, inputs need not be looked at. */
    if (result == STATUS_DRAWN && existing_count > 0) {
        bool keep = kept != NULL;
        result = sources_keep(options);
        if (result == STATUS_DRAWN)
            result = check_identities(existing, existing_count);
        if (!keep)
            sources_release();
    }
    free(existing);
    return result;
}
