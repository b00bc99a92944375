/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* What happens when, for --trace: steps of the command, threads of the CPU device, stages of a GPU. */
#ifndef RENDER_TRACING_H
#define RENDER_TRACING_H

#include "file.h"
#include "pietra/pietra.h"

/* From here on the functions below record; before, they do nothing. The caller's thread becomes the first. */
void tracing_start(void);
bool tracing_is_on(void);
/* Records a step of the calling thread, from a time by timing_now on until now. `name` is static. Any thread. */
void tracing_step(const char *name, double begin_ms);
/* A pietra_span_function. */
void tracing_take(void *user, const pietra_span *span);
/* Writes what was recorded to an open file, and finishes or abandons the file. It is JSON in Chrome's trace event
 * format (https://docs.google.com/document/d/1CvAClvFfyA5R-PhYUmn5OOQtYMH4h6I0nSsKchNAySU), in microseconds from the
 * first event on, in the order of their begins. Failures are reported. */
status tracing_write(file_output *output);
void tracing_stop(void);

#endif
