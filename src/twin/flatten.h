/* What 04_measure and 04_flatten share: a sink for lines, and a segment with its neighbours. */
#ifndef PIETRA_TWIN_FLATTEN_H
#define PIETRA_TWIN_FLATTEN_H

#include "lib/line_records.h"
#include "twin/twin.h"

typedef struct flatten_sink {
    const twin_frame *frame;
    const visible_element *element;
    uint visible;
    line *lines;               /* NULL: count only */
    uint64_t line_count;
    uint64_t record_count;
} flatten_sink;

static inline void sink_line(flatten_sink *sink, int ax, int ay, int bx, int by)
{
    if (!line_is_seen(ax, ay, bx, by, sink->element->box)) {
        return;
    }
    line made = line_make(ax, ay, bx, by, sink->visible);
    uint records = line_record_count(made, sink->element->box);
    if (records == 0) {
        return;
    }
    made.first_record = (uint)sink->record_count;
    if (sink->lines != NULL) {
        sink->lines[sink->line_count] = made;
    }
    sink->line_count++;
    sink->record_count += records;
}

static inline float sink_dash_length(flatten_sink sink, uint dash)
{
    return twin_stream_dashes(sink.frame)[dash];
}

#include "lib/dash.h"

/* A segment in path space. */
curve twin_curve(const twin_frame *frame, uint segment);
/* The same with what a stroke has to know of its ends. */
stroke_segment twin_stroke_segment(const twin_frame *frame, uint segment);
/* The dashes of a measured segment. */
dash_range twin_dashes(const twin_frame *frame, const measure *m);
affine twin_matrix(const twin_frame *frame, uint element);

#endif
