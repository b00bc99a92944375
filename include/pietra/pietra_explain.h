/* Why a pixel has its colour, and where devices differ: for those who look for a fault. Conventions are pietra.h's. */
#ifndef PIETRA_EXPLAIN_H
#define PIETRA_EXPLAIN_H

#include <pietra/pietra.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum pietra_pixel_kind {
    PIETRA_PIXEL_FILL = 0, /* images too */
    PIETRA_PIXEL_STROKE,
    PIETRA_PIXEL_CLIP,
    PIETRA_PIXEL_MASK,
    PIETRA_PIXEL_GROUP,
} pietra_pixel_kind;

/* Fills and strokes paint, are hidden or are clipped; the other kinds begin, and what begins ends, unless it is merged
 * or folded. */
typedef enum pietra_pixel_event {
    PIETRA_PIXEL_PAINTS = 0,
    PIETRA_PIXEL_HIDDEN,  /* by an opaque element above it, `other`: it is not drawn */
    PIETRA_PIXEL_CLIPPED, /* by a clip or a mask, `other`, of which nothing is near the pixel: it is not drawn */
    PIETRA_PIXEL_BEGINS,  /* a layer */
    PIETRA_PIXEL_MERGES,  /* begins in the layer of the begin around it, whose only content it is: levels multiply */
    PIETRA_PIXEL_FOLDS,   /* a clip to whole pixels, one of which is this; it has no layer and no end */
    PIETRA_PIXEL_ENDS_SOURCE, /* what was painted since the begin becomes the level of the layer */
    PIETRA_PIXEL_ENDS,        /* the layer is laid onto the destination */
} pietra_pixel_event;

#define PIETRA_NO_ELEMENT UINT32_MAX

/* What an element does at a pixel. Colours are premultiplied by their alpha: R, G, B, A.
 *
 * The coverage of what is not drawn is what it would be. It is 0 for an element of which the whole box is hidden or clipped: nobody has
 * worked it out, and the box alone is known to hold the pixel. */
typedef struct pietra_pixel_step {
    pietra_pixel_event event;
    pietra_pixel_kind kind;
    uint32_t element;            /* counted in the stream; of an end: the one that began */
    uint32_t label;              /* its label (pietra_scene_set_label); 0: none */
    uint32_t other, other_label; /* of HIDDEN and CLIPPED; PIETRA_NO_ELEMENT: none */
    uint32_t depth;              /* layers that are open after it */
    uint8_t coverage;            /* of the pixel, by a fill, a stroke or a clip: 0 to 255 */
    uint8_t level;               /* of the layer that ends, else of the innermost one after it: how much of it shows here;
                                  * 255: all, or none is open */
    bool has_source;             /* of a clip or mask: its level follows from a source that is painted first */
    pietra_paint_kind paint;     /* of what paints */
    bool paints_scene;           /* its image is a picture of a scene, as patterns often are */
    pietra_blend blend;          /* of a group */
    uint8_t source[4];           /* the paint's colour here; at the end of a source or a layer: what was painted in it */
    uint8_t color[4];            /* after it, of the innermost open layer, or of the picture */
} pietra_pixel_step;

typedef void pietra_pixel_step_function(void *user, const pietra_pixel_step *step);

/* Draws a frame into the target by the reference, as a PIETRA_DEVICE_REFERENCE does, and tells what happens at the
 * pixel (x, y) on the way, in paint order: what covers it, all begins and ends around that, and what is not drawn
 * though it might cover it. `device` is any device; of it only memory budget, threads and images of scenes are used.
 * The function is called on the caller's thread when the frame is drawn, and not at all after a failure. Errors are
 * those of pietra_render, and PIETRA_ERROR_INPUT for a pixel outside the target. */
PIETRA_API pietra_result pietra_explain_pixel(pietra_device *device, const pietra_stream *stream,
                                              const pietra_frame *frame, const pietra_target *target, uint32_t x,
                                              uint32_t y, pietra_pixel_step_function *step, void *user,
                                              pietra_error *error);

/* The first thing in which a GPU differs from the reference. Texts are static but for `text`. */
typedef struct pietra_stage_difference {
    const char *stage;         /* that wrote it: "07 wind"; NULL: there is no difference */
    const char *buffer;        /* "RUNS"; of a count: its name */
    uint64_t item, item_count; /* which item of the buffer, or, of the picture, which pixel, counted row by row */
    char text[400];            /* one line: what is there, and what the reference has */
} pietra_stage_difference;

/* Draws a frame on a GPU and by the reference, and compares all that the stages leave behind, in the order of the
 * stages, then the picture; bytes must be the same. The reference has no limit of memory here. PIETRA_ERROR_INPUT: the
 * device is no GPU. PIETRA_ERROR_BUDGET: the GPU draws the frame in parts, of which only the last one's buffers stay:
 * with a larger budget or a smaller picture it might not. */
PIETRA_API pietra_result pietra_compare_stages(pietra_device *device, const pietra_stream *stream,
                                               const pietra_frame *frame, uint32_t width, uint32_t height,
                                               pietra_error *error, pietra_stage_difference *difference);

#ifdef __cplusplus
}
#endif

#endif
