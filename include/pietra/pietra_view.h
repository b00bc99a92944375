/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Frames that follow one another, as a window shows them. A view knows what its last frames changed, so it draws no
 * more of a picture than differs from what the picture holds. On a GPU of the caller it submits a frame and returns
 * (pietra_vulkan.h); into memory it draws at once. The conventions of pietra.h hold. */
#ifndef PIETRA_VIEW_H
#define PIETRA_VIEW_H

#include <pietra/pietra.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct pietra_view pietra_view;
struct pietra_vulkan_external;

#define PIETRA_FRAMES_IN_FLIGHT 8u /* the most frames of a device that are not done at a time */

typedef struct pietra_view_options {
    uint32_t in_flight; /* so many frames are not done at most, of all views of the device; 0: 2 */
    /* A frame is submitted without being counted first if its buffers take no more bytes with room for all that it can
     * count, and no more than the device's budget; 0: 256 MiB. */
    uint64_t certain_bytes;
    /* The stats of frames on a GPU that are submitted without waiting have the time of each stage. Else they have only
     * that of the whole frame, because a timestamp for each stage takes 5 to 11 % of the time of a small frame. */
    bool stage_times;
    /* A frame that is submitted to a GPU is drawn by the processor during the call, and its pixels are copied to the
     * image, if that is known to take little of it: one box of no more pixels than this, in which little is drawn, such
     * as a caret or a button. A GPU takes several times as long for its many small steps. The bytes are the same.
     * 0: 16,384; PIETRA_ALL_ON_GPU: no frame. */
    uint32_t host_pixels;
} pietra_view_options;

#define PIETRA_ALL_ON_GPU UINT32_MAX

/* Creates a view of a device, which must outlive it. A view is used by the thread that uses its device: a call while
 * another thread is in one fails with PIETRA_ERROR_INPUT. NULL options are the defaults. */
PIETRA_API pietra_result pietra_view_create(pietra_device *device, const pietra_view_options *options,
                                            pietra_error *error, pietra_view **view);
/* Waits for the view's frames, and destroys it. Ignores NULL. */
PIETRA_API void pietra_view_destroy(pietra_view *view);

/* The pixels of an external image (pietra_image_create_external), as pietra_image_create takes them. They are read
 * during the call. */
typedef struct pietra_external {
    uint32_t id;            /* the image's */
    uint32_t width, height; /* those of all images that have the id and are shown */
    const void *pixels;
    size_t stride_bytes; /* from row to row; 0: 4 * width */
} pietra_external;

/* What becomes of a frame on a GPU that cannot be submitted without being counted first (pietra_view_submit_vulkan).
 * In memory each frame is drawn at once. */
typedef enum pietra_when_full {
    PIETRA_FULL_FINISH = 0, /* it is counted and drawn before the call returns */
    /* It is submitted without being counted, with room for a quarter more than the view's frames needed lately. If it
     * needs more than that, no pixel is written, and the target keeps the picture that it has: pietra_view_wait returns
     * PIETRA_ERROR_BUDGET for it, and frames after it draw what it would have. The next of them that is not certain is
     * finished, so that the window does not lag behind for long. Who shows no other frame soon asks what became of this
     * one. A frame is finished all the same if it has effects or surfaces, if frames as large and as busy have not been
     * drawn before, if the device's budget is too small for it in one piece, and if its target has no view for storage
     * or holds none of the view's frames. */
    PIETRA_FULL_LATER,
    /* It is not drawn: the target keeps the picture that it has, which is that of the frame `age` submissions ago, and
     * the ticket says so. All else is as for other frames: the order is kept, the image's layout changes, and the frame
     * counts for later ages. Frames after it draw what it would have, so one of them should be finished. A target that
     * holds none of the view's frames has nothing to keep: then the frame is finished. */
    PIETRA_FULL_KEEP,
} pietra_when_full;

typedef struct pietra_submission {
    const pietra_stream *stream;
    pietra_frame frame; /* its region must be zero */
    /* What differs from the view's last frame, whatever the caller has changed: boxes in pixels of the picture; those
     * beyond it are cut. NULL: anything may differ. If the frame's size, transform or background differs from the last
     * one's, or its pixels are of another kind, all is drawn. */
    const pietra_pixel_box *damage;
    size_t damage_count; /* with damage; 0: nothing differs */
    /* Which of the view's frames the target holds: 1: the last one, 2: the one before, and so on; 0: none of them, so
     * that all is drawn. Failed frames do not count. VK_EXT_swapchain and EGL call it the buffer's age. */
    uint32_t age;
    /* The pixels of the stream's external images; where there are none, an image is transparent. Each id is given once.
     * Who gives others than in the last frame says so by its damage. */
    const pietra_external *externals;
    size_t external_count;
    /* More of them, as images of the caller's device (pietra_vulkan.h), for a view that draws by that device. */
    const struct pietra_vulkan_external *vulkan_externals;
    size_t vulkan_external_count;
    pietra_when_full when_full;
} pietra_submission;

#define PIETRA_DRAWN_BOXES 4u /* the most boxes in which a frame is drawn anew */

/* What became of a submission. */
typedef struct pietra_ticket {
    uint64_t number;        /* number of the frame, from 1 on; later frames of a device have greater ones */
    bool is_done;           /* the frame is drawn already: it could not be submitted without being counted, or it was
                             * drawn into memory */
    bool kept;              /* the target keeps its picture (PIETRA_FULL_KEEP) */
    pietra_pixel_box drawn; /* around all that was drawn anew; empty: nothing, the target was right already */
    /* What was drawn anew, for presentation: boxes that do not overlap. Beside them no pixel is written. They are one
     * if a GPU has to count the frame first, or has no room to draw them apart. */
    pietra_pixel_box boxes[PIETRA_DRAWN_BOXES];
    uint32_t box_count;
} pietra_ticket;

/* Draws a frame into memory, on any device, as pietra_render does, but only what the target does not hold yet. The
 * target's size is that of the whole picture. After a failure the target is as it was, unless it may spoil, and the
 * next submission draws what this one would have. Errors are those of pietra_render. ticket may be NULL. */
PIETRA_API pietra_result pietra_view_submit(pietra_view *view, const pietra_submission *submission,
                                            const pietra_target *target, pietra_error *error, pietra_ticket *ticket);

#define PIETRA_FOREVER UINT64_MAX

/* Waits until a frame of the view's device is done, and all before it; 0: all that were submitted. Waits no longer than
 * timeout_ns; 0 does not wait. *done, which may be NULL, says whether they are. Returns what became of the frame: the
 * errors are those of pietra_render, and *done and stats are written then, too. PIETRA_ERROR_BUDGET: the frame's target
 * keeps its picture (PIETRA_FULL_LATER). PIETRA_ERROR_INPUT: the number is of no frame, or, if the call may wait, the
 * frame is in commands of the caller (pietra_view_record_vulkan). stats, which may be NULL, is written if the frame is
 * done; 32 frames later nothing is known of it any more, and stats is zero. */
PIETRA_API pietra_result pietra_view_wait(pietra_view *view, uint64_t number, uint64_t timeout_ns, pietra_error *error,
                                          bool *done, pietra_stats *stats);

#ifdef __cplusplus
}
#endif

#endif
