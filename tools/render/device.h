/* The device that draws, and the list of devices. A GPU is opened before anything is read, any other device when the first picture is ready
 * for it. */
#ifndef RENDER_DEVICE_H
#define RENDER_DEVICE_H

#include "options.h"

typedef struct device {
    const options *options;
    uint32_t threads;       /* for all that is done for a picture; 0: one for each core */
    pietra_device *handle;  /* NULL until opened */
    bool on_gpu;            /* opened by device_open_gpu, in hardware or not */
    bool named;             /* as --verbose asks */
    bool complained;        /* the validation layer had something to say */
    char missing[500];      /* why --explain has no GPU to look at, where it needs none */
} device;

/* One more device of a kind, with the threads and the budget of the options. Failures are reported. */
status device_create(device *device, pietra_device_kind kind, pietra_device **handle);
/* Before a document is read, for --explain: opens the GPU that the options name, or, with `auto`, any that there is. */
status device_open_explained(device *device);
/* Before a document is read: opens a GPU if one is asked for, or if `auto` may win back what starting it takes, by the sizes of the file and
 * of the picture as far as these are known by then. Failures are reported. `device` must stay where it is until it is closed. */
status device_open_gpu(device *device);
/* Opens the device that the options name, `auto` being the CPU, unless one is open. */
status device_open(device *device);
void device_close(device *device);

/* Prints the list to standard output. */
status device_print_list(void);

#endif
