#include "batch.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

#include "picture.h"
#include "progress.h"

typedef struct job {
    const char *input;
    char *output;
} job;

/* Makes the folder and those above it. */
static status make_folder(const char *path)
{
    char *copy = strdup(path);

    if (!copy) {
        return report(STATUS_BUDGET, path, 0, "out of memory");
    }
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
    if (mkdir(path, 0777) != 0 && errno != EEXIST) {
        return report_errno(path, "make the folder");
    }
    if (stat(path, &information) != 0 || !S_ISDIR(information.st_mode)) {
        errno = ENOTDIR;
        return report_errno(path, "make the folder");
    }
    return STATUS_DRAWN;
}

/* DIR/NAME.png, where NAME is the input's without its folders and its ending .svg or .svgz. NULL: out of memory. */
static char *name_output(const char *folder, const char *input)
{
    const char *slash = strrchr(input, '/'), *name = slash ? slash + 1 : input;
    size_t length = strlen(name), room;
    char *output;

    if (length > 4 && strcasecmp(name + length - 4, ".svg") == 0) {
        length -= 4;
    } else if (length > 5 && strcasecmp(name + length - 5, ".svgz") == 0) {
        length -= 5;
    }
    room = strlen(folder) + length + sizeof "/.png";
    output = malloc(room);
    if (output) {
        snprintf(output, room, "%s/%.*s.png", folder, (int)length, name);
    }
    return output;
}

static int compare_outputs(const void *a, const void *b)
{
    return strcmp((*(const job *const *)a)->output, (*(const job *const *)b)->output);
}

static status refuse_equal_names(job *jobs, size_t count)
{
    job **sorted = malloc(count * sizeof *sorted);
    status result = STATUS_DRAWN;

    if (!sorted) {
        return report(STATUS_BUDGET, NULL, 0, "out of memory");
    }
    for (size_t i = 0; i < count; i++) {
        sorted[i] = &jobs[i];
    }
    qsort(sorted, count, sizeof *sorted, compare_outputs);
    for (size_t i = 1; i < count && result == STATUS_DRAWN; i++) {
        if (strcmp(sorted[i - 1]->output, sorted[i]->output) == 0) {
            result = report(STATUS_INPUT, sorted[i]->input, 0, "would be drawn to the same file as %s: %s", sorted[i - 1]->input,
                            sorted[i]->output);
        }
    }
    free(sorted);
    return result;
}

static status draw_jobs(device *device, const job *jobs, size_t count)
{
    status result = STATUS_DRAWN;

    for (size_t i = 0; i < count; i++) {
        status one = picture_draw(device, jobs[i].input, jobs[i].output, NULL);
        if (one == STATUS_DEVICE) {
            return one;
        }
        if (one != STATUS_DRAWN) {
            result = STATUS_INPUT;
        }
        progress_step("pictures");
    }
    return result;
}

status batch_draw(device *device)
{
    const options *options = device->options;
    size_t count = options->input_count;
    job *jobs = calloc(count, sizeof *jobs);
    status result = jobs ? STATUS_DRAWN : report(STATUS_BUDGET, NULL, 0, "out of memory");

    for (size_t i = 0; i < count && result == STATUS_DRAWN; i++) {
        jobs[i] = (job){ .input = options->inputs[i], .output = name_output(options->output_dir, options->inputs[i]) };
        if (!jobs[i].output) {
            result = report(STATUS_BUDGET, NULL, 0, "out of memory");
        }
    }
    if (result == STATUS_DRAWN) {
        result = refuse_equal_names(jobs, count);
    }
    if (result == STATUS_DRAWN) {
        result = make_folder(options->output_dir);
    }
    if (result == STATUS_DRAWN) {
        result = draw_jobs(device, jobs, count);
    }
    for (size_t i = 0; jobs && i < count; i++) {
        free(jobs[i].output);
    }
    free(jobs);
    return result;
}
