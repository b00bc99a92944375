#include "device.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "crew.h"

static void take_message(void *user, const char *message)
{
    device *device = user;

    if (device->options->device.validation) {
        device->complained = true;
    }
    if (device->options->device.validation || device->options->verbose) {
        report(STATUS_DEVICE, NULL, 0, "%s", message);
    }
}

/* Whole commands on an H200 and on its host, one frame: what a GPU takes until the picture is there, most of it before anything is drawn,
 * grows with the picture, which is read back, and with the stream, which is uploaded and needs buffers. A frame of the CPU device is work
 * for a thread: some ns a pixel, and from 5 ns a byte of the stream (glyphs) to 56 (strokes across the whole picture), of which this is
 * the middle; of dashes and curves that cross themselves a stream says little (docs/performance.md). */
#define GPU_START_NS 220e6
#define GPU_PIXEL_NS 4.0
#define GPU_STREAM_BYTE_NS 2.5
#define PIXEL_NS 3.0
#define STREAM_BYTE_NS 9.0

static bool cpu_is_quicker(const device *device, device_work work)
{
    double threads = crew_size(device->threads, UINT64_MAX), pixels = (double)work.pixels, bytes = (double)work.stream_bytes;
    double by_cpu = (pixels * PIXEL_NS + bytes * STREAM_BYTE_NS) * work.frames / threads;

    return by_cpu < GPU_START_NS + pixels * GPU_PIXEL_NS + bytes * GPU_STREAM_BYTE_NS;
}

status device_open(device *device, device_work work)
{
    pietra_device_options options = device->options->device;
    pietra_device_info info;
    pietra_error error;

    if (device->handle) {
        return STATUS_DRAWN;
    }
    if (options.kind == PIETRA_DEVICE_AUTO && (device->many || cpu_is_quicker(device, work))) {
        options.kind = PIETRA_DEVICE_CPU;
    }
    options.threads = device->threads;
    options.log = take_message;
    options.log_user = device;
    if (pietra_device_create(&options, &error, &device->handle) != PIETRA_OK) {
        return report_error(NULL, &error);
    }
    if (device->options->verbose) {
        pietra_device_get_info(device->handle, &info);
        report(STATUS_DRAWN, NULL, 0, "drawing on %s", info.name);
    }
    return STATUS_DRAWN;
}

void device_close(device *device)
{
    pietra_device_destroy(device->handle);
    device->handle = NULL;
}

static void print_info(const pietra_device_info *info)
{
    if (info->kind == PIETRA_DEVICE_GPU) {
        printf("gpu:%-4" PRIu32 " %s, %s, %.1f GiB", info->gpu_index, info->name, info->hardware ? "hardware" : "software",
               (double)info->memory_bytes / 0x1p30);
    } else {
        printf("%-8s %s", info->kind == PIETRA_DEVICE_REFERENCE ? "reference" : "cpu", info->name);
    }
    puts("");
    if (!info->usable) {
        printf("         cannot be used; it lacks: %s\n", info->missing);
    }
}

status device_print_list(void)
{
    size_t count, capacity;
    pietra_device_info *infos;
    pietra_error error;

    if (pietra_list_devices(0, &error, NULL, &capacity) != PIETRA_OK) {
        return report_error(NULL, &error);
    }
    infos = calloc(capacity + 1, sizeof *infos);
    if (!infos) {
        return report(STATUS_BUDGET, NULL, 0, "out of memory");
    }
    if (pietra_list_devices(capacity, &error, infos, &count) != PIETRA_OK) {
        free(infos);
        return report_error(NULL, &error);
    }
    for (size_t i = 0; i < count && i < capacity; i++) {
        print_info(&infos[i]);
    }
    free(infos);
    return fflush(stdout) == 0 ? STATUS_DRAWN : report_errno("-", "write");
}
