/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The inner loops of the CPU device. One text (kernels_body.h) is compiled for each instruction set, and all sets give
 * the same results to the last bit. The set is chosen when the process first asks for the kernels. */
#ifndef PIETRA_RENDER_CPU_KERNELS_H
#define PIETRA_RENDER_CPU_KERNELS_H

#include "render/cpu/cpu.h"
#include "render/cpu/edge_lists.h"
#include "render/cpu/frame.h"
#include "layout/stream.h"
#include "lib/coverage.h"
#include "lib/cull_rect.h"
#include "lib/image.h"
#include "lib/subdivision.h"
#include "render/effect/effect.h"

/* The coverage of one element while its lines are summed. It holds rows of differences of area for a rectangle of
 * `width` x `height` pixels, whose upper left corner lies at (left, top). The running sum of a row is the area
 * (shaders/lib/coverage.h) of each pixel. A bit of `touched` stands for COVERAGE_GROUP pixels of a row. Pixels without
 * their bit are zero. Between elements everything is zero. */
typedef struct cpu_coverage {
    int32_t *rows;      /* `stride` numbers each: at least width + 9, a multiple of COVERAGE_GROUP */
    uint64_t *touched;  /* `words` words each */
    uint32_t *meetings; /* MET_* of each pixel, in rows like those of `rows`; sample_meetings leaves them zero */
    int64_t *wide;      /* rows of 64-bit sums, to which those of `rows` have been added; NULL: there are none */
    uint32_t stride, words;
    int left, top;     /* subpixels of the frame */
    int width, height; /* pixels */
    bool even_odd;
    /* room in which sample_meetings works: for the pixels of a row, and for at least CPU_TOUCHES_LEAST touches */
    struct cpu_touch *touches;
    struct cpu_met_pixel *met_pixels;
    uint touch_capacity, met_capacity;
    struct cpu_sampling *sampling; /* counts what sampling takes; NULL: nothing does */
} cpu_coverage;

/* What it took to sample pixels. */
typedef struct cpu_sampling {
    uint64_t touches;        /* of lines in pixels that were sampled one by one */
    uint64_t stepped_pixels; /* pixels of rows of steps */
    uint64_t walked_lines;   /* lines of their elements, again for each pass and for each window of a row */
} cpu_sampling;

/* The word of a pixel in which lines may meet. From its lowest bit on it holds: whether the pixel is listed to be
 * sampled; the meetings (shaders/lib/coverage.h) in MET_BITS bits, which suffice for MET_EDGES edges; and three
 * numbers of four bits: how many of the lines run downward or are horizontal, how many upward, and how many to the
 * left. These three count if the meetings are below 16 touches. Else they overflow into one another. */
#define MET_LISTED 1u
#define MET_SHIFT 1u
#define MET_BITS 19u
#define MET_EDGES 32768u
#define MET_TOUCH (MEETING_TOUCH << MET_SHIFT)
#define MET_END (1u << MET_SHIFT)
#define MET_DOWN_SHIFT (MET_SHIFT + MET_BITS)
#define MET_DOWN (1u << MET_DOWN_SHIFT)
#define MET_UP_SHIFT (MET_DOWN_SHIFT + 4u)
#define MET_UP (1u << MET_UP_SHIFT)
#define MET_LEFT_SHIFT (MET_UP_SHIFT + 4u)
#define MET_LEFT (1u << MET_LEFT_SHIFT)

/* A line where it touches a pixel: the first cell right of it in each row of samples. */
typedef struct cpu_touch {
    int16_t cells[SAMPLE_ROWS];
} cpu_touch;

/* A pixel while it is sampled. Touches of downward lines are numbered from `first` to `down_end`, and those of upward
 * lines from `up_begin` to `up_end`, which grows downward. */
typedef struct cpu_met_pixel {
    int64_t area, share;
    uint first, down_end, up_begin, up_end;
    int row, column;
} cpu_met_pixel;

/* A row of steps (kernels_steps.h) may have as many touches as it likes. It needs room for the steps of one column. */
#define CPU_TOUCHES_LEAST 33u

#define COVERAGE_GROUP 8u
#define COVERAGE_GROUP_SHIFT 3u
/* A write to a row of pixels may pass the row's end by this many pixels. It leaves there what stood there. */
#define COVERAGE_OVERRUN 16u

/* A range of pixels in a row. `end` is the pixel behind the last. The range is empty if `end` is not above `from`. */
typedef struct cpu_range {
    int from, end;
} cpu_range;

/* The part of an open layer in one band: `width` x `height` pixels in rows of `pitch`.
 *
 * A pixel outside its row's range has level 0 until the layer ends. Nothing is painted there, and the destination
 * stays as it is. Inside the range a bit of `cut` stands for COVERAGE_GROUP pixels, counted from the layer's left
 * edge. Where the bit is clear, all levels are 255. Where it is set, the levels are stored. Before anything is
 * painted, keep_destination stores the destination of these groups too, and makes those of their pixels transparent
 * whose level is not 255. */
typedef struct cpu_layer_pixels {
    uint32_t *destination;
    uint8_t *levels;
    uint64_t *cut;         /* `words` for each row */
    uint32_t pitch, words; /* pitch: a multiple of 16 */
    int width, height;
    cpu_range ranges[BAND_ROWS];
} cpu_layer_pixels;

/* The levels of a rectangle of pixels. Rows are read up to the next multiple of COVERAGE_GROUP. */
typedef struct cpu_levels {
    uint8_t *levels;
    uint32_t pitch;
    int width, height;
} cpu_levels;

/* A gradient, painted as shaders/lib/paint.h paints it, or a box shadow, as shaders/lib/box_shadow.h does. */
typedef struct cpu_gradient {
    const stream_paint *paint;
    const stream_stop *stops; /* stops of the paint */
    const stream_box_shadow *shadow;
    affine map; /* pixels to gradient space */
} cpu_gradient;

#define CPU_SHADOW_COLUMNS 64

/* Texels of an image's shorter side at least, so that a box around any place is less than that away from it. */
#define CPU_REPEATED_SIDE 8u

/* An image as an element shows it. */
typedef struct cpu_image {
    const uint *texels;
    affine map; /* pixels to texels of mip level 0 */
    image_footprint print;
    stream_mip_level whole, level; /* mip level 0, and that of the footprint */
    const stream_paint *paint;
} cpu_image;

/* Points of a segment and the normals there. */
#define CPU_SAMPLES 64u

typedef struct cpu_samples {
    float x[CPU_SAMPLES], y[CPU_SAMPLES], normal_x[CPU_SAMPLES], normal_y[CPU_SAMPLES];
} cpu_samples;

/* Curves of one order, 2 or 3, in the space of their path. Row i of the arrays holds control point i of each curve. */
#define CPU_CURVES 8u

typedef struct cpu_curves {
    uint order, count;
    float x[4][CPU_CURVES], y[4][CPU_CURVES];
} cpu_curves;

/* The chords into which curves are cut. A curve has `pieces` chords between the snapped vertices 0 to pieces - 1 and
 * the end, in the curve's canonical direction. `pieces` is CPU_CHORDS_MORE if the curve needs more chords than
 * CPU_CHORDS or leaves the range of snapped coordinates. Such a curve is flattened in another way. */
#define CPU_CHORDS 16u
#define CPU_CHORDS_MORE ((int)CPU_CHORDS + 1)

typedef struct cpu_chords {
    int pieces[CPU_CURVES], turned[CPU_CURVES]; /* turned: -1 if it runs against that direction, else 0 */
    int x[CPU_CHORDS + 1][CPU_CURVES], y[CPU_CHORDS + 1][CPU_CURVES];
    int end_x[CPU_CURVES], end_y[CPU_CURVES];
    int least_y[CPU_CURVES], most_y[CPU_CURVES]; /* over all vertices */
    uint cut;                                    /* a bit for each curve that has chords or CPU_CHORDS_MORE */
} cpu_chords;

/* The curves of a cpu_chords that lie entirely in one band and between the edges of a clip. */
typedef struct cpu_chords_band {
    int band, top, bottom; /* the frame's; in subpixels */
    /* a bit for each that waits; result: for each of these that is taken, up to the first that is not */
    uint curves;
    uint line_count; /* result */
} cpu_chords_band;

/* The part of a stroke's pen (shaders/lib/pen.h) that its straight segments need. */
typedef struct cpu_pen {
    affine matrix;
    float half_width, radius, orientation, miter_limit;
    uint join;
} cpu_pen;

/* Straight segments of a stroke, in the space of their path. (next_x, next_y) is the direction in which the next
 * segment leaves. */
typedef struct cpu_straights {
    uint count;
    uint joined; /* a bit for each that has a join at its end */
    float x0[CPU_CURVES], y0[CPU_CURVES], x1[CPU_CURVES], y1[CPU_CURVES], next_x[CPU_CURVES], next_y[CPU_CURVES];
} cpu_straights;

/* The lines of a straight segment: the left and the right rim, two lines through the join's point, and two for the
 * join's outside, which lead round a tip. */
#define CPU_STROKE_LINES 6u
#define CPU_STROKE_OUTSIDE 4u /* the join's outside, to its end or to the tip; from the tip the next line goes on */

typedef struct cpu_stroke_lines {
    uint seen;  /* a bit for each segment of which something may be seen */
    uint plain; /* a bit for each of these whose lines are found; the others are drawn in another way */
    uint fans;  /* a bit for each of these that may need a fan in place of the outside's line */
    uint has[CPU_STROKE_LINES];
    int ax[CPU_STROKE_LINES][CPU_CURVES], ay[CPU_STROKE_LINES][CPU_CURVES];
    int bx[CPU_STROKE_LINES][CPU_CURVES], by[CPU_STROKE_LINES][CPU_CURVES];
    int least_y[CPU_CURVES], most_y[CPU_CURVES];      /* over all vertices */
    float normal_x[CPU_CURVES], normal_y[CPU_CURVES]; /* the segment's */
    /* the normals between which a fan turns */
    float start_x[CPU_CURVES], start_y[CPU_CURVES], end_x[CPU_CURVES], end_y[CPU_CURVES];
} cpu_stroke_lines;

/* Places along a segment of order 2 or 3. Each lies on a piece of the segment, from one parameter to another, at a
 * distance from the piece's start. */
#define CPU_PLACES 32u

typedef struct cpu_places {
    float from[CPU_PLACES], to[CPU_PLACES];      /* parameters of the piece's ends */
    float extent[CPU_PLACES], along[CPU_PLACES]; /* the piece's length; how far along it */
    float t[CPU_PLACES];                         /* result: the parameter, clamped to the piece */
    float x[CPU_PLACES], y[CPU_PLACES], normal_x[CPU_PLACES], normal_y[CPU_PLACES];
} cpu_places;

typedef struct cpu_kernels {
    const char *name;
    const effect_functions *effects; /* stage 11, for the same instructions */
    /* Transforms curves to pixels and cuts them into chords. The lanes behind the last curve are read and may hold
     * anything. */
    void (*cut_curves)(const cpu_curves *curves, const affine *matrix, const cull_rect *cull, cpu_chords *chords);
    /* Fills in the results of `band`. */
    void (*select_chords)(const cpu_chords *chords, cpu_chords_band *band);
    /* Stores the chords of some curves as lines, in the direction and the order of the curves. Lines without height are
     * left out unless keeps_horizontals is set. Returns the number of lines. One more may be written. */
    uint (*put_chords)(const cpu_chords *chords, uint curves, bool keeps_horizontals, cpu_edge *to);
    /* Finds the lines of straight segments. They are those of sink_stroke (shaders/lib/stroke_work.h), in another
     * order. The lanes behind the last segment are read and may hold anything. */
    void (*find_stroke_lines)(const cpu_straights *straights, const cpu_pen *pen, const cull_rect *cull,
                              cpu_stroke_lines *lines);
    /* Returns a bit for each plain segment that lies entirely in a band and between the edges of a clip. */
    uint (*strokes_in_band)(const cpu_stroke_lines *lines, int band, int top, int bottom);
    /* Stores the lines of some segments and returns their number. One more may be written. */
    uint (*put_stroke_lines)(const cpu_stroke_lines *lines, uint segments, cpu_edge *to);
    /* Does subdivision_by_bend (shaders/lib/subdivision.h). */
    subdivision (*subdivide)(const curve_bend *bend, float bound);
    /* Finds `count` snapped vertices, from vertex `first` on, of a curve of order 2 or 3 given in pixels. If `turned`
     * is set, vertices are counted from the end. Returns false if a vertex lies beyond the range of snapped
     * coordinates. xs and ys have room for `count` rounded up to a multiple of 16. */
    bool (*find_vertices)(const curve *canonical, const subdivision *cut, bool turned, uint first, uint count, int *xs,
                          int *ys);
    /* Finds samples `first` to first + count - 1 of a segment of order 2 or 3. All of them lie between the segment's
     * ends. */
    void (*find_samples)(const curve *local, const subdivision *cut, uint first, uint count, cpu_samples *samples);
    /* Does walk_parameter (shaders/lib/dash.h) for `count` places, and finds the point and the normal of the curve
     * there. The lanes behind the last place are read and may hold anything. */
    void (*find_places)(const curve *local, uint count, cpu_places *places);
    /* Adds edges to the rows of a coverage. Edges are read up to the next multiple of CPU_EDGES_READ. */
    void (*add_edges)(const cpu_coverage *coverage, const cpu_edge *edges, uint count);
    /* Samples the pixels in which lines of the element meet, and changes the sums of those that are complex
     * (shaders/lib/coverage.h) so that their areas give the levels. `heads` are the runs of all edges that were
     * added. */
    void (*sample_meetings)(const cpu_coverage *coverage, const cpu_slot *const *heads, uint count);
    /* Sums the rows, composites the colour over the pixels, and leaves the rows zero. Pixels lie in rows of `pitch`.
     * Each row is painted inside its range, or everywhere if `ranges` is NULL. */
    void (*paint)(const cpu_coverage *coverage, const cpu_range *ranges, uint color, uint32_t *pixels, size_t pitch);
    /* Sums the rows into the levels of all pixels, in rows of `pitch`, and leaves the rows zero. */
    void (*find_levels)(const cpu_coverage *coverage, uint8_t *levels, size_t pitch);
    /* Sets `count` pixels. `count` is a multiple of 16. */
    void (*fill)(uint32_t *pixels, uint color, size_t count);
    /* Composites `count` colours, each times its level, over pixels. */
    void (*blend_row)(uint32_t *pixels, const uint32_t *colors, const uint8_t *levels, int count);
    /* Finds the colours of `count` pixels from (x, y) of the frame on. Where the level is 0, the colour may be
     * anything. Levels are read and colours are written up to the next multiple of 16. */
    void (*shade_row)(const cpu_gradient *gradient, int x, int y, int count, const uint8_t *levels, uint32_t *colors);
    /* Finds the colours of at most CPU_SHADOW_COLUMNS x BAND_ROWS pixels of a box shadow, from (x, y) of the frame on,
     * in rows of CPU_SHADOW_COLUMNS. Where the level is 0, the colour may be anything. */
    void (*shade_shadow)(const cpu_gradient *gradient, int x, int y, const cpu_levels *levels, uint32_t *colors);
    /* Does shade_row for an image of SPREAD_PAD, or of SPREAD_REPEAT with a mip level of CPU_REPEATED_SIDE or more,
     * whose footprint is SAMPLE_NEAREST or SAMPLE_BOX. */
    void (*shade_image_row)(const cpu_image *image, int x, int y, int count, const uint8_t *levels, uint32_t *colors);
    /* Multiplies the levels of a layer by those of a coverage and leaves the coverage's rows zero. It is called before
     * keep_destination. The coverage's upper left pixel is (x, y) of the layer, and x is a multiple of COVERAGE_GROUP.
     * A range becomes smaller if the coverage is empty at its ends. */
    void (*cut_by_coverage)(cpu_layer_pixels *layer, int x, int y, const cpu_coverage *coverage);
    /* Does the same with `width` x `height` levels in rows of `pitch`. Ranges stay as they are. */
    void (*cut_by_levels)(const cpu_layer_pixels *layer, int x, int y, const cpu_levels *levels);
    /* Stores the destination of the groups that are cut, and makes their pixels transparent, as cpu_layer_pixels says.
     * Here and below `pixels` is the layer's first pixel. */
    void (*keep_destination)(const cpu_layer_pixels *layer, uint32_t *pixels, size_t pitch);
    /* Makes the pixels' alpha the levels, and restores the pixels as they were before keep_destination. All levels
     * must be stored. */
    void (*end_source)(const cpu_layer_pixels *layer, uint32_t *pixels, size_t pitch);
    /* Composites the pixels, times their levels, onto the destination. Pixels of level 255 stay as they are. */
    void (*end_layer)(const cpu_layer_pixels *layer, uint32_t *pixels, size_t pitch);
    /* For layers of which all levels and the whole destination are stored. The first makes the levels from a source, by
     * MASK_LUMINANCE or, for lesser modes, by its alpha. The second composites the layer onto the destination by
     * BLEND_NORMAL. If `isolated`, the content starts from nothing everywhere. */
    void (*end_complex_source)(const cpu_layer_pixels *layer, uint mode, bool isolated, uint32_t *pixels, size_t pitch);
    void (*end_complex_layer)(const cpu_layer_pixels *layer, bool isolated, uint32_t *pixels, size_t pitch);
    /* Stores pixels. `to` has any alignment. */
    void (*store_row)(uint8_t *to, const uint32_t *pixels, int count, cpu_stored_as as);
} cpu_kernels;

const cpu_kernels *cpu_kernels_best(void);
/* Returns one set by its number, for tests. NULL: this machine lacks it, or there are no more sets (`*end`). */
const cpu_kernels *cpu_kernels_at(uint index, bool *end);

#endif
