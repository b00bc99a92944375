/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* What lib/dash.h needs from its includer, for stages that measure strokes and draw nothing. */
#ifndef MEASURE_SINK_GLSL
#define MEASURE_SINK_GLSL

struct flatten_sink {
    uint nothing;
};

void sink_line(inout flatten_sink sink, int ax, int ay, int bx, int by)
{
}

float sink_dash_end(flatten_sink sink, uint dash)
{
    return stream_dash_end_at(dash);
}

#endif
