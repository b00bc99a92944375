/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Streams from anywhere: opening any bytes gives a stream or an error. A stream that opened can be described, drawn by
 * the CPU device and by the reference, and shown by instances, whose stream opens too. What a kernel could not survive
 * shows there under the sanitizers. */
#include <stdio.h>

#include "fuzz/compose.h"
#include "fuzz/draw.h"
#include "fuzz/lay_out.h"
#include "scene/describe_stream.h"
#include "scene/rules.h"

static void use_stream(const pietra_stream *stream)
{
    static FILE *sink;
    if (!sink)
        sink = fopen("/dev/null", "w");
    if (sink)
        stream_describe(stream, sink);
    draw_on_both(stream, NULL);
    compose_instances(stream, stream_get_header(stream)->element_count);
}

/* Sets the totals if the paths that they count are there. */
static void set_totals(uint32_t *words)
{
    stream_header *header = (stream_header *)words;
    stream_view view = stream_view_of(words);
    for (uint32_t i = 0; i < header->element_count; i++)
        if (view.elements[i].path != STREAM_NONE && view.elements[i].path >= header->path_count)
            return;
    rules_totals totals = rules_count(view.elements, header->element_count, view.paths);
    header->clip_event_count = totals.clip_events;
    header->occluder_count = totals.occluders;
    header->dashed_count = totals.dashed;
    header->task_count = (uint32_t)totals.tasks;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    size_t word_count;
    bool whole;
    uint32_t *words = lay_out(data, size, &word_count, &whole);
    if (!words)
        return 0;
    if (whole)
        set_totals(words);
    pietra_stream *stream;
    if (pietra_stream_open(words, word_count * sizeof *words, NULL, &stream) == PIETRA_OK) {
        use_stream(stream);
        pietra_stream_destroy(stream);
    }
    free(words);
    return 0;
}
