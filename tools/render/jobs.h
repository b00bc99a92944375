/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* What --output-dir draws: each input, and the pictures that are made of it. */
#ifndef RENDER_JOBS_H
#define RENDER_JOBS_H

#include "picture.h"

typedef struct job {
    const char *input;
    int descriptor;                /* the open input, else negative */
    const picture_output *outputs; /* at least one; those of all jobs stand side by side */
    size_t output_count;
} job;

typedef struct jobs {
    job *jobs;
    size_t count;
    picture_output *outputs;
    size_t output_count;
    char **folders; /* of outputs, each once */
    size_t folder_count;
} jobs;

/* Names what is to be drawn of the inputs of the options. With --skip-existing, pictures that are there are left out,
 * and inputs of which all are there. An output that would be outside of the folder, two of one name, and one that would
 * replace an input are errors. Failures are reported. The jobs are to be destroyed in any case. */
status jobs_make(const options *options, jobs *jobs);
void jobs_destroy(jobs *jobs);

/* Makes the folder of the options, and those of all outputs, which lie below it. */
status jobs_make_folders(const options *options, const jobs *jobs);

#endif
