/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Explains why a pixel has its colour, where devices differ, and where a frame's work lies. This serves those who look
 * for a fault, or for what takes time. The conventions of pietra.h hold. */
#ifndef PIETRA_EXPLAIN_H
#define PIETRA_EXPLAIN_H

#include <pietra/pietra.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum pietra_pixel_kind {
    PIETRA_PIXEL_FILL = 0, /* also of an image */
    PIETRA_PIXEL_STROKE,
    PIETRA_PIXEL_CLIP,
    PIETRA_PIXEL_MASK,
    PIETRA_PIXEL_GROUP,
    PIETRA_PIXEL_EFFECT, /* a source of it begins and ends, then what the effect makes of its sources paints */
} pietra_pixel_kind;

/* What happens to an element at a pixel. A fill or a stroke paints, is occluded or is clipped. Other kinds begin, and
 * end again unless they are merged or folded. An effect does both. */
typedef enum pietra_pixel_event {
    PIETRA_PIXEL_PAINTS = 0,
    PIETRA_PIXEL_OCCLUDED,    /* not drawn: an opaque element above it, `other`, hides it */
    PIETRA_PIXEL_CLIPPED,     /* not drawn: a clip or a mask, `other`, shows nothing near the pixel */
    PIETRA_PIXEL_BEGINS,      /* a layer begins */
    PIETRA_PIXEL_MERGES,      /* begins without a layer of its own: it is all that the layer around it holds, and levels
                           * multiply */
    PIETRA_PIXEL_FOLDS,       /* a clip to whole pixels that contains this pixel; it has no layer and no end */
    PIETRA_PIXEL_ENDS_SOURCE, /* what was painted since the begin becomes the level of the layer */
    PIETRA_PIXEL_ENDS,        /* the layer is composited onto the destination; the source of an effect is not */
} pietra_pixel_event;

#define PIETRA_NO_ELEMENT UINT32_MAX

/* What an element does at a pixel. Colours are premultiplied by their alpha: R, G, B, A.
 *
 * For an element that is not drawn, `coverage` is what it would have been. It is 0 if the whole box of the element is
 * occluded or clipped: then only the box is known to contain the pixel, and coverage was never computed. */
typedef struct pietra_pixel_step {
    pietra_pixel_event event;
    pietra_pixel_kind kind;
    uint32_t element;            /* its number in the stream, from 0; an end has the number of its begin */
    uint32_t label;              /* the element's label (pietra_scene_set_label); 0: none */
    uint32_t other, other_label; /* for OCCLUDED and CLIPPED; PIETRA_NO_ELEMENT: none */
    uint32_t depth;              /* open layers after it */
    uint8_t coverage;            /* how much of the pixel a fill, a stroke or a clip covers, 0 to 255 */
    uint8_t level;               /* how much of a layer shows here: of the layer that ends, else of the innermost one
                                  * after it; 255: all of it, or no layer is open */
    bool has_source;             /* for a clip or a mask: its level follows from a source that is painted first */
    bool is_picture;             /* for a source of an effect: a picture (PIETRA_EFFECT_IMAGE), not its content */
    pietra_paint_kind paint;     /* for what paints */
    bool paints_scene;           /* its image is a picture of a scene, as it often is for patterns */
    pietra_blend blend;          /* for a group */
    uint8_t source[4];           /* the paint's colour here, or the effect's; at the end of a source or a layer, what
                                  * was painted in it */
    uint8_t color[4];            /* the colour after it, of the innermost open layer, or of the picture if none is
                                  * open */
} pietra_pixel_step;

/* Receives one step. `step` is valid during the call. */
typedef void pietra_pixel_step_function(void *user, const pietra_pixel_step *step);

/* Draws a frame into the target by the reference, as a PIETRA_DEVICE_REFERENCE does, and reports in paint order what
 * happens at the pixel (x, y): what covers it, all begins and ends around that, and what is not drawn but might cover
 * it. `device` may be any device: only its memory budget, its threads and its images of scenes are used. `step` is
 * called on the caller's thread after the frame is drawn, and is not called after a failure. Errors are those of
 * pietra_render; PIETRA_ERROR_INPUT also reports a pixel outside the target.
 *
 * The sources of an effect are drawn apart. Each begins as a layer does, and what is reported of it is what happens at
 * the same place there. So a blur or an offset may paint what lies elsewhere in its source. A source in which
 * nothing happens there has no steps, and neither has what an image of a scene is drawn from. */
PIETRA_API pietra_result pietra_explain_pixel(pietra_device *device, const pietra_stream *stream,
                                              const pietra_frame *frame, const pietra_target *target, uint32_t x,
                                              uint32_t y, pietra_pixel_step_function *step, void *user,
                                              pietra_error *error);

/* The first thing in which a GPU differs from the reference. Texts are static, except for `text`. */
typedef struct pietra_stage_difference {
    const char *stage;         /* the stage that wrote it, such as "07 wind"; NULL: there is no difference */
    const char *buffer;        /* its name, such as "RUNS"; for a count, the count's name */
    uint64_t item, item_count; /* the item and the number of items in the buffer; for the picture, pixels counted row by
                                * row */
    char text[400];            /* one line: the GPU's value and the reference's */
} pietra_stage_difference;

/* Draws a frame of width x height pixels, without a region, on a GPU and by the reference. Compares, byte by byte,
 * everything that the stages leave behind, in the order of the stages, and then the picture. The reference has no limit
 * of memory here. PIETRA_ERROR_INPUT: the device is not a GPU. PIETRA_ERROR_BUDGET: the GPU draws the frame in parts,
 * and only the last part's buffers remain. A larger budget or a smaller picture may avoid that. */
PIETRA_API pietra_result pietra_compare_stages(pietra_device *device, const pietra_stream *stream,
                                               const pietra_frame *frame, uint32_t width, uint32_t height,
                                               pietra_error *error, pietra_stage_difference *difference);

/* ---- Heat maps ---- */

#define PIETRA_TILE_SIDE 16u /* pixels */

/* What is counted in each tile, by the words of docs/vocabulary.md. */
typedef enum pietra_heatmap_kind {
    PIETRA_HEATMAP_LINES = 0,     /* lines whose upper end lies in the tile: what flattening makes */
    PIETRA_HEATMAP_TILE_LINES,    /* lines that touch the tile, once for each element in whose box they do */
    PIETRA_HEATMAP_TILE_COMMANDS, /* elements that show in the tile, and layers that begin there */
    PIETRA_HEATMAP_LAYERS,        /* layers that are open at once, at the most */
} pietra_heatmap_kind;

/* Returns the name of a kind, such as "tile_lines". The string is static. NULL: there is no such kind. */
PIETRA_API const char *pietra_heatmap_name(pietra_heatmap_kind kind);

typedef struct pietra_heatmap {
    pietra_heatmap_kind kind;
    uint32_t width, height; /* the picture's, in pixels */
    uint32_t columns, rows; /* numbers of tiles: the sides over PIETRA_TILE_SIDE, rounded up */
    const uint32_t *counts; /* row by row; the caller's */
    uint32_t most;          /* the largest count */
    uint64_t sum;           /* sum of all counts; 0 for layers */
    uint64_t in_none;       /* what lies in no tile of its element's box: lines that begin outside of that, and
                             * tile_lines that stand for lines left of it. With the sum it is the frame's number in
                             * pietra_stats, as the reference gives it for a frame in one part, and a GPU too if the
                             * stream has no effects and no images of scenes */
} pietra_heatmap;

/* Counts, tile by tile, what the stages of a frame of width x height pixels make. If the frame has a region, these are
 * the region's. The reference counts, by its stages before 10, so `device` may be any device and all give the same
 * counts; of it the memory budget and its images of scenes are used. What effects and images of scenes are drawn from
 * is not counted: they count as the images that they become. `counts` has room for all tiles, columns * rows.
 *
 * A frame that needs more memory than the device's budget, or 1 GiB, is counted in parts, as it would be drawn. Then an
 * element that is hidden in all of a part counts nothing there, and in_none is that of all parts.
 *
 * Errors are those of pietra_render. After a failure `counts` may hold anything. */
PIETRA_API pietra_result pietra_heatmap_count(pietra_device *device, const pietra_stream *stream,
                                              const pietra_frame *frame, uint32_t width, uint32_t height,
                                              pietra_heatmap_kind kind, pietra_error *error, uint32_t *counts,
                                              pietra_heatmap *map);

/* Gives the opaque colour of a count: R, G, B, A. The scale is logarithmic, from dark blue for 0 by red to yellow for
 * `most`. Each colour is lighter than those before it, also for those who see no red or no green. A count above `most`
 * is taken for it. With t = log2(count + 1) / log2(most + 1), rounded to 255ths, where log2 is linear between powers of
 * two, R = 2 t - t^2, G = t^2, B = (2 + 10 t - 11 t^2) / 8. Does nothing if color is NULL. */
PIETRA_API void pietra_heatmap_color(uint32_t count, uint32_t most, uint8_t color[4]);

/* Makes a scene of a heat map, with its colour scale and its numbers below it, in pixels of the picture that shows it,
 * *width x *height. A tile is 16 pixels wide there, or 8, 4 or 2, so that the map has at most 4,096 pixels to a side.
 * The scale is opaque, 360 pixels wide or more. What lies on the right of a map that is narrower is left
 * transparent. */
PIETRA_API pietra_result pietra_heatmap_scene(const pietra_heatmap *map, pietra_error *error, pietra_scene **scene,
                                              uint32_t *width, uint32_t *height);

#ifdef __cplusplus
}
#endif

#endif
