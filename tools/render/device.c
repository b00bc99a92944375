/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "device.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/parallel.h"
#include "file.h"
#include "sources.h"
#include "timing.h"
#include "tracing.h"

static void take_message(void *user, const char *message)
{
    device *device = user;

    if (device->options->device.validation)
        device->complained = true;
    if (device->options->device.validation || device->options->verbose)
        report(STATUS_DEVICE, NULL, 0, "%s", message);
}

/* How long a command takes, as measured with whole commands of one frame on an H200 and on its host. A GPU takes most
 * of its time before anything is drawn. The rest grows with the picture, which is read back, and with the stream, which
 * is uploaded and needs buffers. On the CPU device a thread takes some ns a pixel, and from 5 ns a byte of the stream
 * (glyphs) to 56 (strokes across the whole picture); 9 is the middle. For dashes, and for curves that cross themselves,
 * the size of the stream says little (docs/performance.md). */
#define GPU_START_NS 220e6
#define GPU_PIXEL_NS 4.0
#define GPU_STREAM_BYTE_NS 2.5
#define PIXEL_NS 3.0
#define STREAM_BYTE_NS 9.0

/* Used if the options leave a side of the picture to the document. */
#define USUAL_SIDE 1024.0

/* Returns the size of the input, which is about that of its stream. 0: it is unknown, or the file is too large to be
 * read. */
static double file_bytes(const char *input)
{
    struct stat information;
    const char *fragment;
    char *path = source_path(input, &fragment);
    bool known = path && (strcmp(path, "-") == 0 ? fstat(STDIN_FILENO, &information) : stat(path, &information)) == 0 &&
                 S_ISREG(information.st_mode) && information.st_size >> 20 <= FILE_MOST_MEBIBYTES;

    free(path);
    return known ? (double)information.st_size : 0;
}

static bool cpu_is_quicker(const device *device)
{
    const options *options = device->options;
    const picture_size *size = options->sizes;
    double width = size->width ? size->width : size->height ? size->height : USUAL_SIDE;
    double height = size->height ? size->height : width;
    double threads = parallel_workers(device->threads, UINT64_MAX), pixels = width * height,
           bytes = file_bytes(options->inputs[0]);
    double by_cpu = (pixels * PIXEL_NS + bytes * STREAM_BYTE_NS) * (1.0 + options->repeat) / threads;

    return by_cpu < GPU_START_NS + pixels * GPU_PIXEL_NS + bytes * GPU_STREAM_BYTE_NS;
}

static pietra_result create(device *device, pietra_device_kind kind, pietra_error *error, pietra_device **handle)
{
    pietra_device_options options = device->options->device;

    options.kind = kind;
    options.threads = device->threads;
    options.log = take_message;
    options.log_user = device;
    options.span = tracing_is_on() ? tracing_take : NULL;
    double start = timing_now();
    pietra_result result = pietra_device_create(&options, error, handle);
    tracing_step("open the device", start);
    return result;
}

status device_create(device *device, pietra_device_kind kind, pietra_device **handle)
{
    pietra_error error;

    return create(device, kind, &error, handle) == PIETRA_OK ? STATUS_DRAWN : report_error(NULL, &error);
}

status device_open_explained(device *device)
{
    pietra_device_kind kind = device->options->device.kind;
    pietra_error error;

    if (kind == PIETRA_DEVICE_GPU)
        return device_open_gpu(device);
    device->on_gpu =
        kind == PIETRA_DEVICE_AUTO && create(device, PIETRA_DEVICE_GPU, &error, &device->handle) == PIETRA_OK;
    if (kind == PIETRA_DEVICE_AUTO && !device->on_gpu)
        snprintf(device->missing, sizeof device->missing, "%s", error.message);
    return STATUS_DRAWN;
}

status device_open_gpu(device *device)
{
    const options *options = device->options;
    pietra_device_kind kind = options->device.kind;
    pietra_device_info info;
    bool wanted = kind == PIETRA_DEVICE_GPU ||
                  (kind == PIETRA_DEVICE_AUTO && !options->output_dir && !options->heatmap && !cpu_is_quicker(device));

    device->on_gpu = false;
    if (!wanted)
        return STATUS_DRAWN;
    status result = device_create(device, kind, &device->handle);
    if (result == STATUS_DRAWN) {
        pietra_device_get_info(device->handle, &info);
        device->on_gpu = info.kind == PIETRA_DEVICE_GPU;
        if (!device->on_gpu && options->verbose)
            report(STATUS_DRAWN, NULL, 0, "no GPU is taken: %s", info.missing);
    }
    return result;
}

status device_open(device *device)
{
    pietra_device_kind kind = device->options->device.kind;
    pietra_device_info info;
    status result = STATUS_DRAWN;

    if (device->named)
        return result;
    if (!device->handle)
        result = device_create(device, kind == PIETRA_DEVICE_AUTO ? PIETRA_DEVICE_CPU : kind, &device->handle);
    if (result == STATUS_DRAWN && device->options->verbose) {
        pietra_device_get_info(device->handle, &info);
        report(STATUS_DRAWN, NULL, 0, "drawing on %s", info.name);
    }
    device->named = result == STATUS_DRAWN;
    return result;
}

void device_close(device *device)
{
    pietra_device_destroy(device->handle);
    device->handle = NULL;
}

static void print_info(const pietra_device_info *info)
{
    if (info->kind == PIETRA_DEVICE_GPU) {
        printf("gpu:%-4" PRIu32 " %s, %s, %.1f GiB", info->gpu_index, info->name,
               info->hardware ? "hardware" : "software", (double)info->memory_bytes / 0x1p30);
    } else {
        printf("%-8s %s", info->kind == PIETRA_DEVICE_REFERENCE ? "reference" : "cpu", info->name);
    }
    puts("");
    if (!info->usable)
        printf("         cannot be used; it lacks: %s\n", info->missing);
}

/* Says why there is no GPU, in the words of --device gpu. */
static void print_no_gpu(void)
{
    pietra_device *handle = NULL;
    pietra_error error;

    if (pietra_device_create(&(pietra_device_options){.kind = PIETRA_DEVICE_GPU}, &error, &handle) != PIETRA_OK)
        printf("gpu      none: %s\n", error.message);
    pietra_device_destroy(handle);
}

status device_print_list(void)
{
    size_t count, capacity;
    pietra_device_info *infos;
    pietra_error error;

    if (pietra_list_devices(0, &error, NULL, &capacity) != PIETRA_OK)
        return report_error(NULL, &error);
    infos = calloc(capacity + 1, sizeof *infos);
    if (!infos)
        return report_memory(NULL);
    if (pietra_list_devices(capacity, &error, infos, &count) != PIETRA_OK) {
        free(infos);
        return report_error(NULL, &error);
    }
    for (size_t i = 0; i < count && i < capacity; i++)
        print_info(&infos[i]);
    if (count == 1)
        print_no_gpu();
    free(infos);
    return fflush(stdout) == 0 ? STATUS_DRAWN : report_errno("-", "write");
}
