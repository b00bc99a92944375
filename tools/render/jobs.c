/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "jobs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "file.h"
#include "folders.h"
#include "output_name.h"
#include "path.h"
#include "sources.h"

/* ---- Names ---- */

/* Returns the pattern of names, {stem}.png if the options have none, for all inputs. NULL: out of memory. */
static char *find_pattern(const options *options)
{
    const char *stem = options->export_ids ? "{stem}-{id}" : "{stem}";
    char standard[32];

    snprintf(standard, sizeof standard, "%s.%s", stem, format_ending(options->format ? options->format : FORMAT_PNG));
    return strdup(options->output_name ? options->output_name : standard);
}

/* Returns a path below the folder of outputs. `folder` is "" or ends in a slash. NULL: out of memory. */
static char *join(const char *base, const char *folder, size_t length, const char *name)
{
    char *path = malloc(strlen(base) + length + strlen(name) + 2);

    if (path)
        sprintf(path, "%s/%.*s%s", base, (int)length, folder, name);
    return path;
}

/* Returns whether a part of a path below the folder is "..", as a name such as "...svg" may give. */
static bool leaves_folder(const char *path)
{
    for (const char *part = path; part; part = strchr(part, '/')) {
        part += *part == '/';
        if (strncmp(part, "..", 2) == 0 && (part[2] == '/' || !part[2]))
            return true;
    }
    return false;
}

/* Sets the path of an output: the folder of the options, the folder that the output keeps of the input's, and what the
 * pattern makes of its name. */
static status name_output(const options *options, const char *pattern, const char *kept, picture_output *output)
{
    const char *slash = strrchr(kept, '/'), *name = slash ? slash + 1 : kept;
    size_t folder = (size_t)(name - kept), id_at;
    char *expanded = output_name_expand(pattern, name, strlen(name) - path_source_ending(name), output->size, &id_at);
    bool leaves = expanded && leaves_folder(expanded);

    output->path = expanded ? join(options->output_dir, kept, folder, expanded) : NULL;
    output->id_at = strlen(options->output_dir) + 1 + folder + id_at;
    free(expanded);
    if (!output->path)
        return report_memory(kept);
    return leaves ? report(STATUS_INPUT, output->path, 0, "would be outside of --output-dir") : STATUS_DRAWN;
}

static status name_outputs(const options *options, jobs *jobs)
{
    char *pattern = find_pattern(options);
    status result = pattern ? STATUS_DRAWN : report_memory(NULL);

    for (size_t i = 0; i < jobs->count && result == STATUS_DRAWN; i++) {
        char *kept = NULL;
        jobs->jobs[i] = (job){.input = options->inputs[i], .descriptor = -1, .output_count = options->size_count};
        jobs->jobs[i].outputs = &jobs->outputs[jobs->output_count];
        result = folders_keep(options, i, &kept);
        for (size_t j = 0; j < options->size_count && result == STATUS_DRAWN; j++) {
            picture_output *output = &jobs->outputs[jobs->output_count++];
            *output = (picture_output){.size = &options->sizes[j]};
            result = name_output(options, pattern, kept, output);
        }
        free(kept);
    }
    free(pattern);
    return result;
}

/* ---- Checks ---- */

/* An output, and the input of which it is made. */
typedef struct named {
    const char *output, *input;
} named;

static int compare_outputs(const void *a, const void *b)
{
    const named *x = a, *y = b;
    int order = strcmp(x->output, y->output);

    return order ? order : strcmp(x->input, y->input);
}

static bool is_one_file(const char *a, const char *b)
{
    struct stat x, y;

    return stat(a, &x) == 0 && stat(b, &y) == 0 && x.st_dev == y.st_dev && x.st_ino == y.st_ino;
}

/* Returns what may be done about two inputs that would be drawn to one file, or "". NULL: out of memory. */
static const char *advice_for(const char *a, const char *b)
{
    const char *fragment;
    char *paths[] = {source_path(a, &fragment), source_path(b, &fragment)}, *folders[2] = {NULL};
    const char *advice = NULL;

    for (int i = 0; i < 2; i++)
        folders[i] = paths[i] ? path_folder(paths[i]) : NULL;
    if (folders[0] && folders[1]) {
        advice = strcmp(a, b) == 0                     ? " (it is given twice)"
                 : is_one_file(paths[0], paths[1])     ? " (they are one file)"
                 : is_one_file(folders[0], folders[1]) ? ""
                                                       : " (--keep-folders keeps names apart)";
    }
    for (int i = 0; i < 2; i++) {
        free(folders[i]);
        free(paths[i]);
    }
    return advice;
}

/* Ids keep the names of different inputs apart, or claims_add refuses them. */
static status refuse_equal_names(const options *options, const jobs *jobs)
{
    named *sorted = malloc(jobs->output_count * sizeof *sorted);
    size_t count = 0;
    status result = STATUS_DRAWN;

    if (!sorted)
        return report_memory(NULL);
    for (size_t i = 0; i < jobs->count; i++)
        for (size_t j = 0; j < jobs->jobs[i].output_count; j++)
            sorted[count++] = (named){jobs->jobs[i].outputs[j].path, jobs->jobs[i].input};
    qsort(sorted, count, sizeof *sorted, compare_outputs);
    for (size_t i = 1; i < count && result == STATUS_DRAWN; i++) {
        bool same_input = strcmp(sorted[i - 1].input, sorted[i].input) == 0;
        if (strcmp(sorted[i - 1].output, sorted[i].output) != 0 || (options->export_ids && !same_input))
            continue;
        if (options->size_count > 1 && same_input) {
            result = report(STATUS_INPUT, sorted[i].input, 0,
                            "two pictures of it would be drawn to the same file: %s (--output-name keeps sizes apart)",
                            sorted[i].output);
        } else {
            const char *advice = advice_for(sorted[i - 1].input, sorted[i].input);
            result = advice ? report(STATUS_INPUT, sorted[i].input, 0, "would be drawn to the same file as %s: %s%s",
                                     sorted[i - 1].input, sorted[i].output, advice)
                            : report_memory(NULL);
        }
    }
    free(sorted);
    return result;
}

static status spare_sources(const options *options, const jobs *jobs)
{
    const char **outputs = malloc((jobs->output_count + 1) * sizeof *outputs);

    if (!outputs)
        return report_memory(NULL);
    for (size_t i = 0; i < jobs->output_count; i++)
        outputs[i] = jobs->outputs[i].path;
    status result = sources_spare(options, outputs, jobs->output_count);
    free(outputs);
    return result;
}

/* ---- Pictures that are there ---- */

/* Leaves out outputs that are there, and jobs of which none is left. */
static void skip_existing(jobs *jobs)
{
    size_t job_count = 0, count = 0;

    for (size_t i = 0; i < jobs->count; i++) {
        job job = jobs->jobs[i];
        const picture_output *old = job.outputs;
        job.outputs = &jobs->outputs[count];
        size_t first = count;
        for (size_t j = 0; j < job.output_count; j++) {
            picture_output output = old[j];
            if (file_is_there(output.path))
                free(output.path);
            else
                jobs->outputs[count++] = output;
        }
        job.output_count = count - first;
        if (job.output_count > 0)
            jobs->jobs[job_count++] = job;
    }
    jobs->count = job_count;
    jobs->output_count = count;
}

/* ---- Folders of outputs ---- */

/* Returns whether the second path lies in the folder of the first. Both have a slash. */
static bool share_folder(const char *path, const char *other)
{
    size_t length = (size_t)(strrchr(path, '/') - path) + 1;

    return strncmp(path, other, length) == 0 && !strchr(other + length, '/');
}

static int compare_texts(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Keeps one of texts that are equal; they are sorted. */
static void keep_distinct(jobs *jobs)
{
    size_t count = 0;

    for (size_t i = 0; i < jobs->folder_count; i++)
        if (count > 0 && strcmp(jobs->folders[count - 1], jobs->folders[i]) == 0)
            free(jobs->folders[i]);
        else
            jobs->folders[count++] = jobs->folders[i];
    jobs->folder_count = count;
}

/* Outputs of several sizes may lie in folders by turns. */
static status list_folders(jobs *jobs)
{
    jobs->folders = malloc((jobs->output_count + 1) * sizeof *jobs->folders);
    if (!jobs->folders)
        return report_memory(NULL);
    for (size_t i = 0; i < jobs->output_count; i++) {
        const char *path = jobs->outputs[i].path;
        if (i > 0 && share_folder(jobs->outputs[i - 1].path, path))
            continue;
        char *folder = strndup(path, (size_t)(strrchr(path, '/') - path));
        if (!folder)
            return report_memory(NULL);
        jobs->folders[jobs->folder_count++] = folder;
    }
    qsort(jobs->folders, jobs->folder_count, sizeof *jobs->folders, compare_texts);
    keep_distinct(jobs);
    return STATUS_DRAWN;
}

/* ---- Jobs ---- */

status jobs_make(const options *options, jobs *jobs)
{
    size_t count = options->input_count;

    *jobs = (struct jobs){.jobs = calloc(count, sizeof *jobs->jobs),
                          .count = count,
                          .outputs = calloc(count, options->size_count * sizeof *jobs->outputs)};
    status result = jobs->jobs && jobs->outputs ? STATUS_DRAWN : report_memory(NULL);

    if (result == STATUS_DRAWN)
        result = name_outputs(options, jobs);
    if (result == STATUS_DRAWN)
        result = refuse_equal_names(options, jobs);
    if (result == STATUS_DRAWN && options->skip_existing && !options->export_ids)
        skip_existing(jobs);
    if (result == STATUS_DRAWN && options->export_ids)
        result = sources_keep(options); /* names with ids are checked later, by all threads */
    if (result == STATUS_DRAWN)
        result = spare_sources(options, jobs);
    return result == STATUS_DRAWN ? list_folders(jobs) : result;
}

void jobs_destroy(jobs *jobs)
{
    sources_release();
    for (size_t i = 0; jobs->outputs && i < jobs->output_count; i++)
        free(jobs->outputs[i].path);
    for (size_t i = 0; i < jobs->folder_count; i++)
        free(jobs->folders[i]);
    free(jobs->folders);
    free(jobs->outputs);
    free(jobs->jobs);
}

/* ---- Folders ---- */

/* Makes the folder and those of all outputs, which lie below it. */
status jobs_make_folders(const options *options, const jobs *jobs)
{
    status result = file_make_folder(options->output_dir);

    for (size_t i = 0; i < jobs->folder_count && result == STATUS_DRAWN; i++)
        result = file_make_folder(jobs->folders[i]);
    return result;
}
