/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Stretches of time, for a program that asks for them (pietra_device_options.span). If none does, one costs a test. */
#ifndef PIETRA_BASE_TRACE_H
#define PIETRA_BASE_TRACE_H

#include "base/clock.h"
#include "pietra/pietra.h"

/* Zero bytes: nobody asks. */
typedef struct trace {
    pietra_span_function *function;
    void *user;
} trace;

/* Returns the time, for trace_end on the same thread. */
static inline double trace_begin(const trace *trace)
{
    return trace->function ? clock_ms() : 0;
}

static inline void trace_end(const trace *trace, const char *name, double begin_ms)
{
    if (trace->function)
        trace->function(trace->user, &(pietra_span){.name = name, .begin_ms = begin_ms, .end_ms = clock_ms()});
}

#endif
