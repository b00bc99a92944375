/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* What the command line asks for. */
#ifndef VIEW_OPTIONS_H
#define VIEW_OPTIONS_H

#include "pietra/pietra_text.h"

typedef enum device_choice {
    CHOOSE_AUTO = 0, /* hardware that can show pictures in the window, else the CPU */
    CHOOSE_CPU,
    CHOOSE_GPU, /* also in software */
} device_choice;

typedef struct options {
    char *const *paths; /* files and folders */
    size_t path_count;
    device_choice device;
    const char *gpu_name; /* the GPU's name contains it, in any case; NULL: any */
    pietra_color background;
    bool allow_external, full_screen, quiet;
    pietra_fonts *fonts; /* what --use-font-file names, then those of the system */
} options;

typedef enum options_result {
    OPTIONS_RUN = 0,
    OPTIONS_END, /* --help or --version was all that was asked for */
    OPTIONS_BAD, /* said on standard error */
} options_result;

/* Reads the command line, whose texts the options refer to. */
options_result options_read(int count, char **arguments, options *options);
void options_destroy(options *options);

#endif
