/* The inner loops of the CPU device. One text (kernels_body.h) is compiled for each instruction set, and all sets give
 * the same results to the last bit. The set is chosen when the process first asks for the kernels. */
#ifndef PIETRA_RENDER_CPU_KERNELS_H
#define PIETRA_RENDER_CPU_KERNELS_H

#include "render/cpu/edge_lists.h"
#include "render/cpu/frame.h"
#include "layout/stream.h"
#include "lib/cull_rect.h"
#include "lib/subdivision.h"

/* Where an element's lines are summed: rows of differences of area for a rectangle of pixels, `width` x `height`, whose
 * upper left corner lies at (left, top). The running sum of a row is the area (shaders/lib/coverage.h) of each pixel.
 * Between elements all is zero. A bit of `touched` stands for COVERAGE_GROUP pixels of a row; what is not touched is
 * zero. */
typedef struct cpu_coverage {
    int32_t *rows;     /* `stride` numbers each: at least width + 9, a multiple of COVERAGE_GROUP */
    uint64_t *touched; /* `words` words each */
    uint32_t stride, words;
    int left, top;     /* subpixels of the frame */
    int width, height; /* pixels */
    bool even_odd;
} cpu_coverage;

#define COVERAGE_GROUP 8u
#define COVERAGE_GROUP_SHIFT 3u
/* Rows of pixels may be written this far behind their end, with what stood there. */
#define COVERAGE_OVERRUN 16u

/* Pixels of a row, from the first to the one behind the last; none where `end` is not above `from`. */
typedef struct cpu_range {
    int from, end;
} cpu_range;

/* The open part of a layer in one band: `width` x `height` pixels, rows of `pitch`. Pixels outside a row's range have
 * level 0 for good: nothing is painted there, and the destination stays as it is. Inside it a bit of `cut` stands for
 * COVERAGE_GROUP pixels, counted from the layer's left edge: where it is set, their levels are there, and from
 * keep_destination on, before anything is painted, the destination of them, and the pixels whose level is not 255 are
 * made transparent; where it is not, all have level 255. */
typedef struct cpu_layer_pixels {
    uint32_t *destination;
    uint8_t *levels;
    uint64_t *cut;         /* `words` for each row */
    uint32_t pitch, words; /* pitch: a multiple of 16 */
    int width, height;
    cpu_range ranges[BAND_ROWS];
} cpu_layer_pixels;

/* Levels of a rectangle of pixels. Rows are read to the next multiple of COVERAGE_GROUP. */
typedef struct cpu_levels {
    uint8_t *levels;
    uint32_t pitch;
    int width, height;
} cpu_levels;

/* A gradient as shaders/lib/paint.h paints it. */
typedef struct cpu_gradient {
    const stream_paint *paint;
    const stream_stop *stops; /* of the paint */
    affine map;               /* pixels to gradient space */
} cpu_gradient;

/* Places of a segment and normals there. */
#define CPU_SAMPLES 64u

typedef struct cpu_samples {
    float x[CPU_SAMPLES], y[CPU_SAMPLES], normal_x[CPU_SAMPLES], normal_y[CPU_SAMPLES];
} cpu_samples;

/* Curves of one order, 2 or 3, in their path's space: the control points of each of them, one curve behind the
 * other. */
#define CPU_CURVES 8u

typedef struct cpu_curves {
    uint order, count;
    float x[4][CPU_CURVES], y[4][CPU_CURVES];
} cpu_curves;

/* What curves are cut into: `pieces` chords, between the snapped vertices 0 to pieces - 1 and the end, in the curve's
 * canonical direction. CPU_CHORDS + 1: another way is to be found, since it is cut in more, or leaves the range of
 * snapped coordinates. */
#define CPU_CHORDS 16u
#define CPU_CHORDS_MORE ((int)CPU_CHORDS + 1)

typedef struct cpu_chords {
    int pieces[CPU_CURVES], turned[CPU_CURVES]; /* turned: -1, it runs against that direction; else 0 */
    int x[CPU_CHORDS + 1][CPU_CURVES], y[CPU_CHORDS + 1][CPU_CURVES];
    int end_x[CPU_CURVES], end_y[CPU_CURVES];
    int least_y[CPU_CURVES], most_y[CPU_CURVES]; /* of all vertices */
    uint cut;                                    /* a bit for each curve that has chords or CPU_CHORDS_MORE */
} cpu_chords;

/* Those curves of cpu_chords that lie in one band as a whole, and between the edges of a clip. */
typedef struct cpu_chords_band {
    int band, top, bottom; /* of the frame; subpixels */
    uint curves;           /* a bit for each; found */
    uint line_count;       /* found */
} cpu_chords_band;

/* What of a stroke's pen (shaders/lib/pen.h) its straight segments are drawn by. */
typedef struct cpu_pen {
    affine matrix;
    float half_width, radius, orientation, miter_limit;
    uint join;
} cpu_pen;

/* Straight segments of a stroke, in its path's space, each with the direction in which the next one leaves. */
typedef struct cpu_straights {
    uint count;
    uint joined; /* a bit for each that has a join at its end */
    float x0[CPU_CURVES], y0[CPU_CURVES], x1[CPU_CURVES], y1[CPU_CURVES], next_x[CPU_CURVES], next_y[CPU_CURVES];
} cpu_straights;

/* Lines of a straight segment: the rims left and right, two through the join's point, two for its outside, round a
 * tip. */
#define CPU_STROKE_LINES 6u
#define CPU_STROKE_OUTSIDE 4u /* the join's outside: to its end, or to the tip from where another goes on */

typedef struct cpu_stroke_lines {
    uint seen;  /* a bit for each segment of which something may be seen */
    uint plain; /* for each of these whose lines are found; others are drawn in another way */
    uint fans;  /* for each of these where a fan may have to be drawn in place of the outside's line */
    uint has[CPU_STROKE_LINES];
    int ax[CPU_STROKE_LINES][CPU_CURVES], ay[CPU_STROKE_LINES][CPU_CURVES];
    int bx[CPU_STROKE_LINES][CPU_CURVES], by[CPU_STROKE_LINES][CPU_CURVES];
    int least_y[CPU_CURVES], most_y[CPU_CURVES];      /* of all vertices */
    float normal_x[CPU_CURVES], normal_y[CPU_CURVES]; /* of the segment */
    /* normals that a fan turns between */
    float start_x[CPU_CURVES], start_y[CPU_CURVES], end_x[CPU_CURVES], end_y[CPU_CURVES];
} cpu_stroke_lines;

/* Places along a segment of order 2 or 3: each on a piece of it, from one parameter to another, so far along that
 * piece. */
#define CPU_PLACES 32u

typedef struct cpu_places {
    float from[CPU_PLACES], to[CPU_PLACES];      /* parameters of the piece's ends */
    float extent[CPU_PLACES], along[CPU_PLACES]; /* the piece's length; how far along it */
    float t[CPU_PLACES];                         /* found: the parameter, held to the piece */
    float x[CPU_PLACES], y[CPU_PLACES], normal_x[CPU_PLACES], normal_y[CPU_PLACES];
} cpu_places;

typedef struct cpu_kernels {
    const char *name;
    /* The chords of curves, transformed to pixels. What stands in lanes behind the last curve is read, whatever it
     * is. */
    void (*cut_curves)(const cpu_curves *curves, const affine *matrix, const cull_rect *cull, cpu_chords *chords);
    /* Finds the curves of a band. */
    void (*select_chords)(const cpu_chords *chords, cpu_chords_band *band);
    /* Stores the chords of some curves as lines, as they run, but for those without height unless these are kept. How
     * many lines there are; one more may be written. */
    uint (*put_chords)(const cpu_chords *chords, uint curves, bool keeps_horizontals, cpu_edge *to);
    /* The lines of straight segments: sink_stroke's (shaders/lib/dash.h), in another order. What stands in lanes behind
     * the last segment is read, whatever it is. */
    void (*find_stroke_lines)(const cpu_straights *straights, const cpu_pen *pen, const cull_rect *cull,
                              cpu_stroke_lines *lines);
    /* The plain segments that lie in a band as a whole, and between the edges of a clip: a bit for each. */
    uint (*strokes_in_band)(const cpu_stroke_lines *lines, int band, int top, int bottom);
    /* Stores the lines of some segments. How many there are; one more may be written. */
    uint (*put_stroke_lines)(const cpu_stroke_lines *lines, uint segments, cpu_edge *to);
    /* subdivision_by_bend. */
    subdivision (*subdivide)(const curve_bend *bend, float bound);
    /* Snapped vertices of a curve of order 2 or 3, given in pixels: `count` of them, from vertex `first` on; turned:
     * counted from the end. False: some vertex lies beyond the range of snapped coordinates. Room for `count` to the
     * next multiple of 16. */
    bool (*find_vertices)(const curve *canonical, const subdivision *cut, bool turned, uint first, uint count, int *xs,
                          int *ys);
    /* Samples `first` to first + count - 1, of those between the ends, of a segment of order 2 or 3. */
    void (*find_samples)(const curve *local, const subdivision *cut, uint first, uint count, cpu_samples *samples);
    /* walk_parameter (shaders/lib/dash.h) of `count` places, and the curve and its normal there. What stands in lanes
     * behind them is read, whatever it is. */
    void (*find_places)(const curve *local, uint count, cpu_places *places);
    /* Adds edges to the rows. Edges are read to the next multiple of CPU_EDGES_READ. */
    void (*add_edges)(const cpu_coverage *coverage, const cpu_edge *edges, uint count);
    /* Sums the rows and lays the colour over the pixels, rows of `pitch`, inside a range of each row, or everywhere
     * (NULL); leaves the rows zero. */
    void (*paint)(const cpu_coverage *coverage, const cpu_range *ranges, uint color, uint32_t *pixels, size_t pitch);
    /* Sums the rows into levels, rows of `pitch`, all of them; leaves the rows zero. */
    void (*find_levels)(const cpu_coverage *coverage, uint8_t *levels, size_t pitch);
    /* Sets `count` pixels, a multiple of 16. */
    void (*fill)(uint32_t *pixels, uint color, size_t count);
    /* Lays `count` colours, each times its level, over pixels. */
    void (*blend_row)(uint32_t *pixels, const uint32_t *colors, const uint8_t *levels, int count);
    /* The colours of `count` pixels from (x, y) of the frame on; where the level is 0 any colour may stand. Both are
     * written or read to the next multiple of 16. */
    void (*shade_row)(const cpu_gradient *gradient, int x, int y, int count, const uint8_t *levels, uint32_t *colors);
    /* Multiplies the levels of a layer, before keep_destination, by those of a coverage, whose upper left pixel is (x,
     * y) of the layer, x a multiple of COVERAGE_GROUP, and makes ranges smaller where the coverage is empty at their
     * ends; leaves the coverage's rows zero. */
    void (*cut_by_coverage)(cpu_layer_pixels *layer, int x, int y, const cpu_coverage *coverage);
    /* The same by `width` x `height` levels, rows of `pitch`; ranges stay as they are. */
    void (*cut_by_levels)(const cpu_layer_pixels *layer, int x, int y, const cpu_levels *levels);
    /* Keeps the destination, of what is cut, and makes transparent what is. Pixels are the layer's first ones, here and
     * in what follows. */
    void (*keep_destination)(const cpu_layer_pixels *layer, uint32_t *pixels, size_t pitch);
    /* The levels, all of them kept, become the pixels' alpha, and the pixels the destination, as before
     * keep_destination. */
    void (*end_source)(const cpu_layer_pixels *layer, uint32_t *pixels, size_t pitch);
    /* Composites the pixels, times the level, onto the destination; where the level is 255 they stay. */
    void (*end_layer)(const cpu_layer_pixels *layer, uint32_t *pixels, size_t pitch);
    /* Straight alpha, or a copy. `to` has any alignment. */
    void (*store_row)(uint8_t *to, const uint32_t *pixels, int count, bool straight);
} cpu_kernels;

const cpu_kernels *cpu_kernels_best(void);
/* One set by its number, for tests; NULL: this machine does not have it, or there are no more (`*end`). */
const cpu_kernels *cpu_kernels_at(uint index, bool *end);

#endif
