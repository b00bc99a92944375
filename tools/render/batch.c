/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#define _DEFAULT_SOURCE /* for DT_LNK */

#include "batch.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include "base/parallel.h"
#include "folders.h"
#include "fonts.h"
#include "picture.h"
#include "progress.h"
#include "sandbox.h"
#include "sources.h"
#include "temporary.h"

#define SPARE_DESCRIPTORS 512 /* in addition to those of inputs: each worker has a few, drivers have more */

typedef struct job {
    const char *input;
    int descriptor; /* the open input, else negative */
    char *output;
} job;

/* Makes the folder and the missing ones above it. */
static status make_folder(const char *path)
{
    char *copy = strdup(path);

    if (!copy)
        return report_memory(path);
    for (char *slash = strchr(copy + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        if (mkdir(copy, 0777) != 0 && errno != EEXIST) {
            status result = report_errno(copy, "make the folder");
            free(copy);
            return result;
        }
        *slash = '/';
    }
    free(copy);
    struct stat information;
    if (mkdir(path, 0777) != 0 && errno != EEXIST)
        return report_errno(path, "make the folder");
    if (stat(path, &information) != 0 || !S_ISDIR(information.st_mode)) {
        errno = ENOTDIR;
        return report_errno(path, "make the folder");
    }
    return STATUS_DRAWN;
}

static bool share_folder(const char *path, const char *other)
{
    size_t length = (size_t)(strrchr(path, '/') - path) + 1;

    return strncmp(path, other, length) == 0 && !strchr(other + length, '/');
}

/* Makes the folder and those of all outputs, which lie below it. */
static status make_folders(const char *folder, const job *jobs, size_t count)
{
    status result = make_folder(folder);

    for (size_t i = 0; i < count && result == STATUS_DRAWN; i++) {
        if (i == 0 || !share_folder(jobs[i].output, jobs[i - 1].output)) {
            char *slash = strrchr(jobs[i].output, '/');
            *slash = '\0';
            result = make_folder(jobs[i].output);
            *slash = '/';
        }
    }
    return result;
}

/* Sets *output to the path DIR/NAME.png, or with the ending of another format. NAME is what the output keeps of the
 * input's name, without the ending of a source. */
static status name_output(const options *options, size_t input, char **output)
{
    char *kept = NULL;
    status result = folders_keep(options, input, &kept);

    if (result != STATUS_DRAWN)
        return result;
    size_t length = strlen(kept) - source_ending(kept), room = strlen(options->output_dir) + length + sizeof "/.rgba";
    const char *ending = format_ending(options->format ? options->format : FORMAT_PNG);
    *output = malloc(room);
    if (*output)
        snprintf(*output, room, "%s/%.*s.%s", options->output_dir, (int)length, kept, ending);
    free(kept);
    return *output ? STATUS_DRAWN : report_memory(options->inputs[input]);
}

static int compare_outputs(const void *a, const void *b)
{
    return strcmp((*(const job *const *)a)->output, (*(const job *const *)b)->output);
}

static status refuse_equal_names(job *jobs, size_t count)
{
    job **sorted = malloc(count * sizeof *sorted);
    status result = STATUS_DRAWN;

    if (!sorted)
        return report_memory(NULL);
    for (size_t i = 0; i < count; i++)
        sorted[i] = &jobs[i];
    qsort(sorted, count, sizeof *sorted, compare_outputs);
    for (size_t i = 1; i < count && result == STATUS_DRAWN; i++) {
        if (strcmp(sorted[i - 1]->output, sorted[i]->output) == 0) {
            result = report(STATUS_INPUT, sorted[i]->input, 0,
                            "would be drawn to the same file as %s: %s (--keep-folders keeps names apart)",
                            sorted[i - 1]->input, sorted[i]->output);
        }
    }
    free(sorted);
    return result;
}

static status spare_sources(const options *options, const job *jobs, size_t count)
{
    const char **outputs = malloc(count * sizeof *outputs);

    if (!outputs)
        return report_memory(NULL);
    for (size_t i = 0; i < count; i++)
        outputs[i] = jobs[i].output;
    status result = sources_spare(options, outputs, count);
    free(outputs);
    return result;
}

/* What the workers share. */
typedef struct batch {
    device *device; /* the first worker's; the others have their own */
    const job *jobs;
    size_t count;
    uint32_t workers;
    atomic_size_t next;
    atomic_bool failed; /* some picture failed */
    _Atomic status end; /* STATUS_DRAWN, or the failure that ends all work */
} batch;

static void draw_jobs(device *device, batch *batch)
{
    size_t index;

    while (atomic_load(&batch->end) == STATUS_DRAWN && (index = atomic_fetch_add(&batch->next, 1)) < batch->count) {
        status result =
            picture_draw_to(device, batch->jobs[index].input, batch->jobs[index].descriptor, batch->jobs[index].output);
        if (result == STATUS_DEVICE)
            atomic_store(&batch->end, result);
        else if (result != STATUS_DRAWN)
            atomic_store(&batch->failed, true);
        progress_step("pictures");
    }
}

static void draw_share(void *user, uint32_t worker, uint32_t count)
{
    batch *batch = user;
    device own = {.options = batch->device->options, .threads = batch->device->threads, .fonts = batch->device->fonts};

    (void)count;
    if (worker == 0) {
        draw_jobs(batch->device, batch);
        return;
    }
    draw_jobs(&own, batch);
    device_close(&own);
}

/* The CPU device draws as many pictures at a time as there are threads, a GPU one. */
static status draw_all(device *device, const job *jobs, size_t count)
{
    const pietra_device_options *options = &device->options->device;
    bool on_cpu = options->kind == PIETRA_DEVICE_CPU || options->kind == PIETRA_DEVICE_AUTO;
    uint32_t threads = parallel_workers(options->threads, UINT64_MAX);
    batch batch = {
        .device = device, .jobs = jobs, .count = count, .workers = parallel_workers(on_cpu ? threads : 1, count)};

    device->threads = threads / batch.workers;
    parallel_run(batch.workers, draw_share, &batch);
    status end = atomic_load(&batch.end);
    return end == STATUS_DRAWN && atomic_load(&batch.failed) ? STATUS_INPUT : end;
}

/* Returns whether links in the folder may lead elsewhere, so that files are written there. */
static bool holds_links(const char *folder)
{
    DIR *stream = opendir(folder);
    struct dirent *entry;
    bool found = false;

    while (stream && !found && (entry = readdir(stream)))
        found = entry->d_type != DT_REG && entry->d_type != DT_DIR;
    if (stream)
        closedir(stream);
    return found;
}

/* Returns how many inputs may be open: all of them if they are not too many. Leaves some descriptors for everything
 * else. */
static size_t allow_descriptors(size_t count)
{
    struct rlimit limit;
    rlim_t wanted = count + SPARE_DESCRIPTORS;

    if (getrlimit(RLIMIT_NOFILE, &limit) != 0)
        return 0;
    if (limit.rlim_cur < wanted) {
        limit.rlim_cur = limit.rlim_max < wanted ? limit.rlim_max : wanted;
        setrlimit(RLIMIT_NOFILE, &limit);
        getrlimit(RLIMIT_NOFILE, &limit);
    }
    return limit.rlim_cur < wanted
               ? limit.rlim_cur > SPARE_DESCRIPTORS ? (size_t)(limit.rlim_cur - SPARE_DESCRIPTORS) : 0
               : count;
}

static int open_regular(const char *path)
{
    struct stat information;

    /* Opening a pipe would wait for its writer. */
    return stat(path, &information) == 0 && S_ISREG(information.st_mode) ? open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
                                                                         : -1;
}

/* Opens inputs. That takes no longer now than later, and a rule of the sandbox for each would take the same time again.
 * Puts the inputs that remain into `pending`. */
static size_t open_inputs(job *jobs, size_t count, const char **pending)
{
    size_t most = allow_descriptors(count), waiting = 0;

    for (size_t i = 0; i < count; i++) {
        const char *fragment;
        char *path = i < most ? source_path(jobs[i].input, &fragment) : NULL;
        jobs[i].descriptor = path ? open_regular(path) : -1;
        if (jobs[i].descriptor < 0)
            pending[waiting++] = jobs[i].input;
        free(path);
    }
    return waiting;
}

static bool any_holds_links(const char *folder, const job *jobs, size_t count)
{
    bool found = holds_links(folder);

    for (size_t i = 0; i < count && !found; i++) {
        if (i == 0 || !share_folder(jobs[i].output, jobs[i - 1].output)) {
            char *slash = strrchr(jobs[i].output, '/');
            *slash = '\0';
            found = holds_links(jobs[i].output);
            *slash = '/';
        }
    }
    return found;
}

/* Everything that documents must not see has been done before. */
static status enter_sandbox(const device *device, job *jobs, size_t count)
{
    const options *options = device->options;
    const char **names;

    if (options->no_sandbox)
        return STATUS_DRAWN;
    names = malloc(2 * count * sizeof *names);
    if (!names)
        return report_memory(NULL);
    sandbox_needs needs = {.inputs = names, .outputs = names + count, .gpu = device->on_gpu};
    if (any_holds_links(options->output_dir, jobs, count)) {
        for (size_t i = 0; i < count; i++)
            names[count + i] = jobs[i].output;
        needs.output_count = count;
    }
    temporary_write_only(options->output_dir);
    needs.input_count = open_inputs(jobs, count, names);
    sandbox_enter(options, &needs);
    free(names);
    return STATUS_DRAWN;
}

status batch_draw(device *device)
{
    const options *options = device->options;
    size_t count = options->input_count;
    job *jobs = calloc(count, sizeof *jobs);
    status result = jobs ? STATUS_DRAWN : report_memory(NULL);

    for (size_t i = 0; i < count && result == STATUS_DRAWN; i++) {
        jobs[i] = (job){.input = options->inputs[i], .descriptor = -1};
        result = name_output(options, i, &jobs[i].output);
    }
    if (result == STATUS_DRAWN)
        result = refuse_equal_names(jobs, count);
    if (result == STATUS_DRAWN)
        result = spare_sources(options, jobs, count);
    if (result == STATUS_DRAWN)
        result = make_folders(options->output_dir, jobs, count);
    if (result == STATUS_DRAWN)
        result = device_open_gpu(device);
    if (result == STATUS_DRAWN)
        result = enter_sandbox(device, jobs, count);
    if (result == STATUS_DRAWN)
        result = fonts_open(options, &device->fonts);
    if (result == STATUS_DRAWN) {
        progress_start(!options->quiet, count);
        result = draw_all(device, jobs, count);
        progress_stop();
    }
    for (size_t i = 0; jobs && i < count; i++)
        free(jobs[i].output);
    free(jobs);
    return result;
}
