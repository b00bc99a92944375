/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The viewer: what it shows, and what the user asks of it. */
#ifndef VIEW_VIEWER_H
#define VIEW_VIEWER_H

#include "document.h"
#include "files.h"
#include "navigation.h"
#include "pietra/pietra_explain.h"
#include "screen.h"

/* What the window shows of the document. */
typedef struct shown {
    const pietra_stream *stream; /* the document's, `map` or `nothing`; NULL: another one than was shown is to be */
    pietra_frame frame;          /* that it is drawn by */
    pietra_stream *map;          /* the document with a heat map; NULL: none */
    /* It was made for these. */
    pietra_transform transform;
    uint32_t width, height;
    int heat;                                 /* -1: none */
    char error[sizeof((document *)0)->error]; /* why it is nothing */
} shown;

typedef struct viewer {
    const options *options;
    const files *files;
    size_t file; /* that is shown */
    document document;
    watch seen; /* what its file was when the viewer looked last */
    navigation navigation;
    screen screen;
    pietra_stream *nothing; /* without elements, in place of what cannot be shown */
    shown shown;
    uint64_t timed; /* of screen.timed, when the panel was last made */
    bool shows_times, shows_element, shows_heat;
    pietra_heatmap_kind heat;
    bool pointer_inside;
    double pointer_x, pointer_y; /* pixels of the window */
    bool dragging;
    double dragged;                                     /* pixels since the button was pressed */
    bool dirty;                                         /* the window does not show what it should */
    bool changed;                                       /* it is another, or has lost its pixels */
    bool hidden;                                        /* nobody sees it */
    char complaint[sizeof((pietra_error *)0)->message]; /* that was said last of a picture */
    bool ends;
} viewer;

/* Shows the files, one at a time, until the user ends it. False: there is no window or no device, which was said. */
bool viewer_run(const options *options, const files *files);

/* Shows the next file, or the one before if places is below 0, in a circle, fitted into the window. */
void viewer_go(viewer *viewer, int places);
/* Reads the file again, and leaves it where it is in the window. */
void viewer_read_again(viewer *viewer);
/* Takes all that has happened, and waits so long until something does. */
void viewer_take_events(viewer *viewer, int wait_ms);
/* Returns how the window shows the document. */
pietra_frame viewer_frame(const viewer *viewer);

#endif
