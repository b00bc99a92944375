/* The device that draws, opened when the first picture is ready for it, and the list of devices. */
#ifndef RENDER_DEVICE_H
#define RENDER_DEVICE_H

#include "options.h"

typedef struct device {
    const options *options;
    pietra_device *handle;  /* NULL until opened */
    bool complained;        /* the validation layer had something to say */
} device;

/* Opens it unless it is open. Failures are reported. `device` must stay where it is until it is closed. */
status device_open(device *device);
void device_close(device *device);

/* Prints the list to standard output. */
status device_print_list(void);

#endif
