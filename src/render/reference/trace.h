/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Records what happens at one pixel while the reference draws it. 10 fine records what it does there. The buffers of
 * the earlier stages show why other elements do nothing. */
#ifndef PIETRA_RENDER_REFERENCE_TRACE_H
#define PIETRA_RENDER_REFERENCE_TRACE_H

#include "base/array.h"
#include "pietra/pietra_explain.h"
#include "render/reference/reference.h"

typedef struct trace_event {
    uint order;    /* the element at which it happens */
    uint open;     /* the begin of the innermost layer that is open after it, or NONE */
    uint8_t level; /* the level of that layer */
    pietra_pixel_step step;
} trace_event;

typedef struct trace_step {
    uint order; /* the element at which it happens */
    pietra_pixel_step step;
} trace_step;

typedef struct reference_trace {
    int x, y; /* the pixel */
    bool out_of_memory;
    ARRAY(trace_event) events; /* events of the part that was drawn last */
    ARRAY(trace_step) steps;   /* the result, without labels */
} reference_trace;

/* Records an event. It is called on the thread that draws the pixel's tile. */
void trace_note(reference_trace *trace, const trace_event *event);
/* Turns the events into steps. It is called after the part with the pixel has been drawn, while the part's frame
 * exists. */
void trace_finish(const reference_frame *frame, reference_trace *trace);
void trace_free(reference_trace *trace);

#endif
