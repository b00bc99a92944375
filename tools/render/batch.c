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
#include "claims.h"
#include "fonts.h"
#include "jobs.h"
#include "progress.h"
#include "sandbox.h"
#include "sources.h"
#include "temporary.h"

#define SPARE_DESCRIPTORS 512 /* in addition to those of inputs: each worker has a few, drivers have more */

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
        const job *job = &batch->jobs[index];
        status result = picture_draw_outputs(device, job->input, job->descriptor, job->outputs, job->output_count);
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

static bool any_holds_links(const char *folder, const jobs *jobs)
{
    bool found = holds_links(folder);

    for (size_t i = 0; i < jobs->folder_count && !found; i++)
        found = holds_links(jobs->folders[i]);
    return found;
}

/* Everything that documents must not see has been done before. */
static status enter_sandbox(const device *device, const jobs *jobs)
{
    const options *options = device->options;
    const char **names;

    if (options->no_sandbox)
        return STATUS_DRAWN;
    names = malloc((jobs->count + jobs->output_count) * sizeof *names);
    if (!names)
        return report_memory(NULL);
    sandbox_needs needs = {.inputs = names, .outputs = names + jobs->count, .gpu = device->on_gpu};
    if (any_holds_links(options->output_dir, jobs)) {
        for (size_t i = 0; i < jobs->output_count; i++)
            names[jobs->count + i] = jobs->outputs[i].path;
        needs.output_count = jobs->output_count;
    }
    temporary_write_only(options->output_dir);
    needs.input_count = open_inputs(jobs->jobs, jobs->count, names);
    sandbox_enter(options, &needs);
    free(names);
    return STATUS_DRAWN;
}

static status draw_jobs_of_options(device *device, const jobs *jobs)
{
    const options *options = device->options;
    status result = jobs_make_folders(options, jobs);

    if (result == STATUS_DRAWN)
        result = device_open_gpu(device);
    if (result == STATUS_DRAWN)
        result = enter_sandbox(device, jobs);
    if (result == STATUS_DRAWN)
        result = fonts_open(options, &device->fonts);
    if (result == STATUS_DRAWN) {
        progress_start(!options->quiet, jobs->count);
        result = draw_all(device, jobs->jobs, jobs->count);
        progress_stop();
    }
    return result;
}

status batch_draw(device *device)
{
    jobs jobs;
    status result = jobs_make(device->options, &jobs);

    if (result == STATUS_DRAWN && jobs.count > 0)
        result = draw_jobs_of_options(device, &jobs);
    jobs_destroy(&jobs);
    claims_destroy();
    return result;
}
