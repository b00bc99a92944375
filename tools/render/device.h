/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The device that draws, and the list of devices. A GPU is opened before anything is read, any other device when the
 * first picture is ready for it. */
#ifndef RENDER_DEVICE_H
#define RENDER_DEVICE_H

#include "options.h"

typedef struct device {
    const options *options;
    uint32_t threads;      /* for all work on a picture; 0: one for each core */
    pietra_fonts *fonts;   /* for all pictures and devices */
    pietra_device *handle; /* NULL until it is opened */
    bool on_gpu;           /* device_open_gpu opened it, in hardware or in software */
    bool named;            /* its name was printed, for --verbose */
    bool complained;       /* the validation layer reported something */
    char missing[500];     /* why --explain does without a GPU when it needs none */
} device;

/* Opens one more device of a kind, with the threads and the budget of the options. Failures are reported. */
status device_create(device *device, pietra_device_kind kind, pietra_device **handle);
/* For --explain, before a document is read: opens the GPU that the options name, or any GPU for `auto`. */
status device_open_explained(device *device);
/* Before a document is read: opens a GPU if the options ask for one, or if for `auto` it may gain more than its start
 * takes, judged by the sizes of the file and the picture as far as they are known. Failures are reported. `device` must
 * not move until it is closed. */
status device_open_gpu(device *device);
/* Opens the device that the options name, the CPU for `auto`, unless a device is open. */
status device_open(device *device);
void device_close(device *device);

/* Prints the list to standard output. */
status device_print_list(void);

#endif
