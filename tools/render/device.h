/* The device that draws, opened when the first picture is ready for it, and the list of devices. */
#ifndef RENDER_DEVICE_H
#define RENDER_DEVICE_H

#include "options.h"

typedef struct device {
    const options *options;
    bool many;              /* one of several that draw at a time: `auto` is the CPU */
    uint32_t threads;       /* for all that is done for a picture; 0: one for each core */
    pietra_device *handle;  /* NULL until opened */
    bool complained;        /* the validation layer had something to say */
} device;

/* What there is to draw, as far as it decides between the devices. */
typedef struct device_work {
    size_t stream_bytes;
    uint64_t pixels;
    uint32_t frames;
} device_work;

/* Opens it unless it is open. `auto` takes the CPU without a look at others where these could not win back what starting them takes.
 * Failures are reported. `device` must stay where it is until it is closed. */
status device_open(device *device, device_work work);
void device_close(device *device);

/* Prints the list to standard output. */
status device_print_list(void);

#endif
