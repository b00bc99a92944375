/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* What views share that draw into memory and into images. */
#ifndef PIETRA_RENDER_VIEW_H
#define PIETRA_RENDER_VIEW_H

#include <stdatomic.h>

#include "pietra/pietra_view.h"
#include "scene/sums/sums.h"
#include "render/damage.h"
#include "render/device.h"
#include "render/externals.h"

#define VIEW_AGES 16u   /* a target that is older is drawn whole */
#define VIEW_STREAMS 4u /* streams whose sums are kept; a window shows few at a time */

/* What decides how a frame's pixels look, beside its stream. */
typedef struct view_look {
    uint32_t width, height;
    uint32_t kind; /* of pixels: a format of memory, or of images */
    pietra_transform transform;
    pietra_color background;
} view_look;

/* What a frame was. */
typedef struct view_picture {
    damage_boxes damage; /* since the frame before */
    uint64_t holds;      /* the frame whose picture its target holds: itself, if it was drawn; 0: none of the view's */
    uint64_t open;       /* number of the device's frame that decides whether it was drawn; 0: that is known */
} view_picture;

/* A frame that was found to be certain, and not to cost too much: so is every other one of the same stream with the
 * same configuration. A caret comes and goes so, and a part of the window is drawn again and again. */
typedef struct view_certain {
    uint64_t stream_id; /* 0: there is none */
    frame_config whole;
    flight_plan plan;
} view_certain;

struct pietra_view {
    pietra_device *device;
    atomic_flag is_used; /* a call is under way */
    pietra_view_options options;
    view_look look;                   /* of the last frame; width 0: there is none */
    view_picture pictures[VIEW_AGES]; /* of the last frames: of frame n at n % VIEW_AGES */
    uint64_t frames;                  /* how many were drawn or kept */
    frame_sample lately;              /* what those needed that were not certain; no tasks: nothing is known */
    bool must_finish;                 /* the next of them, since one found too little room */
    damage_boxes pending;             /* of submissions that failed since */
    uint64_t failed;                  /* number of the last frame of the device that is known to have failed */
    uint64_t last;                    /* number of the last frame; 0: none yet */
    stream_sums sums[VIEW_STREAMS];
    uint32_t next_sums;        /* that are made anew when another stream comes */
    external_images externals; /* of the frame that is drawn, if it is given images of the caller */
    uint8_t *pixels;           /* of boxes that go to the target once all are drawn */
    size_t pixel_bytes;
    filled_stream filled; /* of the last frame whose external images had pixels in memory */
    view_certain certain[VIEW_STREAMS];
    uint32_t next_certain; /* the one that is forgotten when another frame comes */
};

/* A frame of a view, as it is drawn. */
typedef struct view_frame {
    view_look look;
    damage_boxes damage; /* since the last frame */
    damage_boxes drawn;  /* what is drawn, at multiples of PIETRA_REGION_STEP */
    uint64_t held;       /* the frame of the view whose picture the target holds before; 0: none of them */
    bool is_kept;        /* it still does so afterwards */
    uint64_t open;       /* number of the device's frame that decides that; 0: it is known */
} view_frame;

/* Begins a call on a view, which view_leave ends. PIETRA_ERROR_INPUT: it is NULL, or another thread is in one. */
pietra_result view_enter(pietra_view *view, pietra_error *error);
/* Ends it. Returns the result, and passes the error on. */
pietra_result view_leave(pietra_view *view, pietra_result result, const pietra_error *own, pietra_error *error);

/* Finds what is drawn. PIETRA_ERROR_INPUT: the submission makes no sense. */
pietra_result view_begin(const pietra_view *view, const pietra_submission *submission, uint32_t width, uint32_t height,
                         uint32_t kind, pietra_error *error, view_frame *begun);
/* Gives the stream that a submission draws, with the pixels in memory of its external images. */
pietra_result view_fill(pietra_view *view, const pietra_submission *submission, pietra_error *error,
                        const pietra_stream **drawn);
/* Finds out what became of frames that were in flight. */
void view_settle(pietra_view *view);
/* Remembers that a submission failed before it was known what it would have drawn. */
void view_miss(pietra_view *view);
/* Returns the frame of a submission that draws a box of a picture of that size. */
pietra_frame view_frame_in(const pietra_submission *submission, const view_look *look, pietra_pixel_box box);
/* Gives the boxes that were drawn to a ticket. */
void view_tell(const damage_boxes *drawn, pietra_ticket *ticket);
/* Remembers a frame that was drawn or kept, or that it failed. */
void view_end(pietra_view *view, const view_frame *begun, pietra_result result);

/* Returns the sums of a stream, or NULL if memory is out. */
const stream_sums *view_sums(pietra_view *view, const pietra_stream *stream);

#endif
