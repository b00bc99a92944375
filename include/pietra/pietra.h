/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Pietra draws 2D vector scenes by a sorted compute pipeline, on a GPU through Vulkan or on the CPU. Both give the same
 * bytes.
 *
 * A drawing takes three steps. A *scene* is built by calls or from an SVG document. It is encoded once into a *stream*,
 * an immutable blob that any number of frames and threads may share. A *device* draws a stream into memory, at any size
 * and under any transform.
 *
 * Conventions that hold everywhere:
 *   - Coordinates are user units, x to the right, y down. Device pixels are squares of side 1. Pixel (0, 0) covers
 *     [0, 1) x [0, 1).
 *   - A struct whose bytes are all zero holds the defaults. NULL for an options pointer means the same.
 *   - A pointer to a transform may be NULL, which means the identity. A transform in a struct may be all zero, which
 *     means the same there.
 *   - A function that can fail returns a pietra_result. Its pietra_error pointer may be NULL, and is written on failure
 *     only.
 *   - Out-parameters stand last and are written on success only.
 *   - Bad arguments are refused, not corrected. PIETRA_ERROR_INPUT reports a NULL pointer that this header does not
 *     call optional, an enumerator that its type does not have, and a number that the function uses and that is NaN,
 *     infinite or outside the range given here. The objects that the call would have changed stay as they were. A
 *     function without a result then does nothing, or returns false. Only numbers that this header says are clamped are
 *     clamped, and only if they are finite.
 *   - The caller owns what a *_create, *_encode or *_open function returns, and destroys it. *_destroy(NULL) does
 *     nothing.
 *   - Every function that allocates may fail with PIETRA_ERROR_MEMORY.
 *   - Nothing is global. Threads may use different objects at once. One thread at a time may use an object, except for
 *     streams and images, which never change and which any number of threads may read.
 */
#ifndef PIETRA_H
#define PIETRA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PIETRA_VERSION_MAJOR 0
#define PIETRA_VERSION_MINOR 1
#define PIETRA_VERSION_PATCH 0

#if defined(__GNUC__)
#define PIETRA_API __attribute__((visibility("default")))
#else
#define PIETRA_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

typedef enum pietra_result {
    PIETRA_OK = 0,
    PIETRA_ERROR_INPUT,  /* a document, a stream or an argument is bad */
    PIETRA_ERROR_IO,     /* a file could not be read or written */
    PIETRA_ERROR_DEVICE, /* there is no such device, it lacks something, or it failed */
    PIETRA_ERROR_BUDGET, /* the frame needs more memory than the budget allows */
    PIETRA_ERROR_MEMORY, /* the host is out of memory */
    PIETRA_CANCELLED,    /* the caller cancelled the frame */
} pietra_result;

typedef struct pietra_error {
    pietra_result result;
    uint32_t line;     /* line of the document, from 1; 0: the error belongs to no line */
    char message[500]; /* what failed and why: one line of UTF-8, without the file's name */
    uint32_t label;    /* label of the element with which a frame would cost too much, or of the dearest effect
                        * (pietra_scene_set_label); 0: none, or it is not known */
} pietra_error;

/* Returns the version of the library that runs, as "MAJOR.MINOR.PATCH". The string is static. Any thread. */
PIETRA_API const char *pietra_version(void);

/* A library of others that is opened at run time, when a picture first needs it. Without it, what needs it is left out
 * of a picture with a warning; a document that is packed by gzip is refused. The texts are static. */
typedef struct pietra_library {
    const char *name;    /* "vulkan", "libpng", "harfbuzz", ... */
    const char *purpose; /* what needs it */
    const char *file;    /* the name by which it opens; NULL: it is not installed, or too old */
} pietra_library;

/* Opens each of these libraries, and writes at most `capacity` of them. `libraries` may be NULL if `capacity` is 0.
 * Returns how many there are. Any thread. */
PIETRA_API size_t pietra_list_libraries(size_t capacity, pietra_library *libraries);

/* ---- Geometry ---- */

/* An affine map in SVG's order: x' = a x + c y + e, y' = b x + d y + f. Behind a pointer it means what it says: under a
 * singular one, which a d = b c makes and all zeros are too, nothing is drawn, and a clip clips everything away. In a
 * field of a struct, all zeros mean the identity. */
typedef struct pietra_transform {
    double a, b, c, d, e, f;
} pietra_transform;

/* Make the maps of SVG's functions translate(), rotate(), in degrees, and scale(). Any thread. */
PIETRA_API pietra_transform pietra_translate(double x, double y);
PIETRA_API pietra_transform pietra_rotate(double degrees);
PIETRA_API pietra_transform pietra_scale(double x, double y);
/* Returns the map that applies `inner` first and then `outer`. Here and below all zeros are not the identity. */
PIETRA_API pietra_transform pietra_multiply(pietra_transform outer, pietra_transform inner);
/* Gives the map that undoes another. False: there is none, and nothing is written. */
PIETRA_API bool pietra_invert(pietra_transform transform, pietra_transform *inverse);
/* Maps the point (*x, *y) in its place. Does nothing if a pointer is NULL. */
PIETRA_API void pietra_map(pietra_transform transform, double *x, double *y);

typedef struct pietra_box {
    double x0, y0, x1, y1; /* empty when x1 <= x0 or y1 <= y0 */
} pietra_box;

/* Half-open: pixels x0 to x1 - 1, y0 to y1 - 1. */
typedef struct pietra_pixel_box {
    uint32_t x0, y0, x1, y1;
} pietra_pixel_box;

/* A path is a list of subpaths of lines and curves, in user units and double precision. If no subpath is open, a
 * drawing call starts one at the current point, as SVG does; after a close, that is the start of the closed subpath.
 * Coordinates beyond +-1e18 are clamped. A coordinate that is not finite, or a lack of memory, makes a path bad until
 * it is reset. A call that adds a bad path to a scene fails with PIETRA_ERROR_INPUT or PIETRA_ERROR_MEMORY. Drawing
 * calls do nothing on a NULL path. */
typedef struct pietra_path pietra_path;

PIETRA_API pietra_path *pietra_path_create(void); /* NULL: out of memory */
PIETRA_API void pietra_path_destroy(pietra_path *path);
PIETRA_API void pietra_path_reset(pietra_path *path); /* empties it and keeps its memory */
PIETRA_API void pietra_path_move_to(pietra_path *path, double x, double y);
PIETRA_API void pietra_path_line_to(pietra_path *path, double x, double y);
PIETRA_API void pietra_path_quad_to(pietra_path *path, double x1, double y1, double x, double y);
PIETRA_API void pietra_path_cubic_to(pietra_path *path, double x1, double y1, double x2, double y2, double x, double y);
/* Adds an elliptical arc from the current point to (x, y), with SVG's parameters. rotation is in degrees. Bad radii are
 * corrected as SVG 2 does (appendix B.2.5): a negative radius counts as its absolute value, a radius of 0 gives a line.
 * A radius that is not finite makes the path bad. */
PIETRA_API void pietra_path_arc_to(pietra_path *path, double rx, double ry, double rotation, bool large, bool sweep,
                                   double x, double y);
PIETRA_API void pietra_path_close(pietra_path *path); /* does nothing if no subpath is open */

/* What a path is made of. The number of a verb is its number of points, except for a move, which has one. */
typedef enum pietra_verb {
    PIETRA_VERB_CLOSE = 0,
    PIETRA_VERB_LINE = 1,
    PIETRA_VERB_QUAD = 2,
    PIETRA_VERB_CUBIC = 3,
    PIETRA_VERB_MOVE = 4,
} pietra_verb;

/* Makes many of the calls above at once. `verbs` has verb_count bytes, each a pietra_verb. `coordinates` holds the x
 * and y of all their points in order. A byte that is no verb makes the path bad. So does NULL for either array, unless
 * verb_count is 0. */
PIETRA_API void pietra_path_append(pietra_path *path, const uint8_t *verbs, size_t verb_count,
                                   const double *coordinates);

/* Does the same, but the path and the scenes to which it is added may keep pointers to the arrays. The caller leaves
 * both arrays unchanged until the path is reset or destroyed and those scenes are destroyed. pietra_scene_keep can free
 * them then. */
PIETRA_API void pietra_path_refer(pietra_path *path, const uint8_t *verbs, size_t verb_count,
                                  const double *coordinates);

/* Adds a closed rectangle. A negative width or height extends to the left or up. */
PIETRA_API void pietra_path_rect(pietra_path *path, double x, double y, double width, double height);
/* Adds a rectangle with elliptical corners. It starts after the top left corner and runs clockwise. Radii are limited
 * to half of the sides, and a negative radius counts as its absolute value. Radii of 0 give pietra_path_rect. */
PIETRA_API void pietra_path_rounded_rect(pietra_path *path, double x, double y, double width, double height, double rx,
                                         double ry);
/* Adds an ellipse. Adds nothing if a radius is 0 or less. */
PIETRA_API void pietra_path_ellipse(pietra_path *path, double cx, double cy, double rx, double ry);
/* Gives the exact box of the geometry: it includes the extrema of curves, not their control points, and no stroke.
 * False: the path is empty or bad. */
PIETRA_API bool pietra_path_bounds(const pietra_path *path, pietra_box *box);
/* Returns PIETRA_OK, or why the path is bad. */
PIETRA_API pietra_result pietra_path_check(const pietra_path *path);

/* ---- Paint ---- */

/* A colour in straight (not premultiplied) sRGB. Each channel is clamped to 0 to 1. NaN and infinity are refused. */
typedef struct pietra_color {
    float r, g, b, a;
} pietra_color;

/* Parses a colour in CSS syntax, with or without white space around it: what docs/svg.md says of CSS Color 4 and 5,
 * such as a name, #f80, hsl(), oklch(), color(display-p3 ...), color-mix() and rgb(from ...). What is beyond sRGB is
 * clipped. False: the text is no colour. currentColor is none here. */
PIETRA_API bool pietra_color_parse(const char *text, pietra_color *color);

/* How windings decide what is inside. PIETRA_FILL_NONZERO is exact up to 8,191 turns of one path around a point. With
 * more turns, pixels beside the path's edges may count as inside. */
typedef enum pietra_fill_rule { PIETRA_FILL_NONZERO = 0, PIETRA_FILL_EVEN_ODD } pietra_fill_rule;
typedef enum pietra_spread { PIETRA_SPREAD_PAD = 0, PIETRA_SPREAD_REFLECT, PIETRA_SPREAD_REPEAT } pietra_spread;
typedef enum pietra_paint_kind {
    PIETRA_PAINT_SOLID = 0,
    PIETRA_PAINT_LINEAR,
    PIETRA_PAINT_RADIAL,
    PIETRA_PAINT_IMAGE,
    PIETRA_PAINT_SWEEP, /* a gradient around a point; CSS: conic */
    PIETRA_PAINT_BOX_SHADOW,
} pietra_paint_kind;

/* Pixels that a scene may draw, in straight sRGB. An image never changes, so any number of scenes and threads may share
 * it. Scenes and streams keep the images that they use: the caller may destroy an image as soon as the calls that take
 * it have returned. A stream holds each image once. It takes a third more than the pixels, for the smaller copies from
 * which shrunken images are drawn without shimmering. */
typedef struct pietra_image pietra_image;
typedef struct pietra_scene pietra_scene;

#define PIETRA_MAX_IMAGE_SIDE 65535u /* pixels */

/* Copies `height` rows of `width` pixels, the top row first. A pixel has four bytes: R, G, B, A. stride_bytes is the
 * distance between rows; 0 means 4 * width. PIETRA_ERROR_INPUT: a side is 0 or above PIETRA_MAX_IMAGE_SIDE, or a stride
 * is too small. */
PIETRA_API pietra_result pietra_image_create(uint32_t width, uint32_t height, const void *pixels, size_t stride_bytes,
                                             pietra_error *error, pietra_image **image);
/* Makes an image from the scene's rectangle (0, 0) to (width, height), one unit a pixel. The image has no pixels of its
 * own. Each frame draws it as finely as needed, so it stays sharp at any size, and repeats of it join without seams.
 * pietra_filter has no effect on it. The scene must be balanced, and may be changed or destroyed afterwards. Such
 * images may nest 16 deep. PIETRA_ERROR_INPUT: a side is not above 0, the scene has something open, it shows an
 * external image, or the nesting is deeper. */
PIETRA_API pietra_result pietra_image_create_from_scene(const pietra_scene *scene, double width, double height,
                                                        pietra_error *error, pietra_image **image);
/* Makes an image whose pixels come with each frame of a view (pietra_submission.externals): a video, a picture that the
 * program draws by itself. They go by `id`, 1 to 65535, which several images may have. Where a frame gives none, and in
 * every frame without a view, the image is transparent. A stream takes as much for it as for other images of the size,
 * and images of scenes show none. PIETRA_ERROR_INPUT: a side or the id is out of range. */
PIETRA_API pietra_result pietra_image_create_external(uint32_t width, uint32_t height, uint32_t id, pietra_error *error,
                                                      pietra_image **image);
PIETRA_API void pietra_image_destroy(pietra_image *image);

/* How an image is sampled. If it is shrunken, SMOOTH and HIGH average over what a pixel covers. If it is enlarged,
 * SMOOTH interpolates linearly and HIGH by cubics. NEAREST takes the nearest pixel. */
typedef enum pietra_filter { PIETRA_FILTER_SMOOTH = 0, PIETRA_FILTER_NEAREST, PIETRA_FILTER_HIGH } pietra_filter;

typedef struct pietra_stop {
    float offset; /* 0 to 1, clamped; moved up to the stop before it if it is smaller */
    pietra_color color;
} pietra_stop;

/* The shadow of a rectangle with round corners, as the CSS property box-shadow has it: the rectangle is moved by an
 * offset, grown by the spread and blurred by a Gaussian. An inset shadow falls into the rectangle from its edges: it is
 * all that this leaves out, of a rectangle that the spread shrinks. Corners follow the spread as CSS Backgrounds 3 has
 * it, and those that are square stay square. Radii that do not fit a side shrink together. Lengths are units of the
 * paint. A negative radius or sigma is refused, and so is a number that is not finite. A rectangle that is empty, or
 * that the spread empties, has no shadow; an inset one is the colour everywhere. */
typedef struct pietra_shadow {
    pietra_box box;
    double radii[4]; /* radii of the corners: upper left, upper right, lower right, lower left */
    double sigma;    /* standard deviation of the Gaussian, half of CSS's blur radius; 0: a sharp edge */
    double spread;
    double x, y; /* offset */
    bool inset;
    pietra_color color;
} pietra_shadow;

/* The space in which a gradient's colours are interpolated, straight (not premultiplied). Oklab is even to the eye and
 * keeps hues: B. Ottosson, A perceptual color space for image processing, 2020. What leaves sRGB there is clipped. */
typedef enum pietra_interpolation {
    PIETRA_INTERPOLATION_SRGB = 0,
    PIETRA_INTERPOLATION_LINEAR_RGB,
    PIETRA_INTERPOLATION_OKLAB,
} pietra_interpolation;

#define PIETRA_MAX_SLOT 65535u

/* What fills a path. A gradient without stops paints nothing. A gradient with one stop paints its colour. A linear
 * gradient between two equal points, or a radial one with r1 = 0, paints the colour of its last stop.
 *
 * A sweep gradient has one colour for each direction from its centre. Directions count from 0 to 360 degrees, from the
 * x axis towards the y axis, and never beyond: `spread` decides what lies between 0 degrees and the lesser of the
 * gradient's two angles, and between the greater one and 360. The angles may be any numbers, and the colours run
 * backward if the first is the greater one. If both are equal, PIETRA_SPREAD_PAD paints the colour of the first stop
 * before them and that of the last stop behind them, and the other spreads paint nothing.
 *
 * A box shadow is worked out at each pixel, so its cost hardly depends on sigma, and it needs no layer. It is within
 * one level of 255 of the exact convolution, taken as the mean over the pixel; if it is turned or skewed, and its sigma
 * is less than 0.4 pixels, within 12 levels. It lives in the space of the paint: a transform that scales the axes
 * differently stretches the blur with the shape.
 *
 * Fields that the kind does not use are ignored. */
typedef struct pietra_paint {
    pietra_paint_kind kind;
    pietra_color color; /* solid: the colour */
    float transparency; /* 1 - opacity, 0 to 1, clamped; all kinds have it; zero is opaque */
    pietra_spread spread;
    double x0, y0, r0; /* linear: start point. radial: centre and radius of the circle of offset 0 (SVG's fx, fy,
                               * fr). sweep: centre, without a radius */
    double x1, y1, r1; /* linear: end point. radial: centre and radius of the circle of offset 1. r0, r1 >= 0 */
    double start_degrees, end_degrees; /* sweep: the directions of offset 0 and of offset 1 */
    pietra_transform transform;        /* from the gradient's space, or the image's pixels, to the path's user units */
    const pietra_stop *stops;          /* copied by the call; may be NULL only if stop_count is 0 */
    size_t stop_count;
    pietra_interpolation interpolation; /* gradients: between stops */
    const pietra_image *image; /* images: pixel (0, 0) covers [0, 1) x [0, 1); `spread` decides what lies outside the
                                * image */
    pietra_filter filter;
    const pietra_shadow *shadow; /* box shadows: copied by the call */
    uint32_t slot; /* solid: the slot, from 1, whose colour an instance of the stream may replace (pietra_instance.h);
                    * `transparency` holds for that colour too; at most PIETRA_MAX_SLOT; 0: none */
} pietra_paint;

/* Make paints. Their other fields hold the defaults and may be set afterwards. A paint refers to the stops or the
 * shadow, which must live until the call that takes it. The radial gradient starts at the centre of its circle. */
PIETRA_API pietra_paint pietra_solid(float r, float g, float b, float a);
PIETRA_API pietra_paint pietra_linear(double x0, double y0, double x1, double y1, const pietra_stop *stops,
                                      size_t stop_count);
PIETRA_API pietra_paint pietra_radial(double cx, double cy, double r, const pietra_stop *stops, size_t stop_count);
PIETRA_API pietra_paint pietra_sweep(double cx, double cy, double start_degrees, double end_degrees,
                                     const pietra_stop *stops, size_t stop_count);
PIETRA_API pietra_paint pietra_box_shadow(const pietra_shadow *shadow);

typedef enum pietra_cap { PIETRA_CAP_BUTT = 0, PIETRA_CAP_ROUND, PIETRA_CAP_SQUARE } pietra_cap;
typedef enum pietra_join {
    PIETRA_JOIN_MITER = 0, /* a bevel where the miter exceeds the limit */
    PIETRA_JOIN_ROUND,
    PIETRA_JOIN_BEVEL,
    PIETRA_JOIN_MITER_CLIP, /* a miter that is cut off at the limit */
    PIETRA_JOIN_ARCS,       /* both edges continue with their curvature and are cut off at the limit (SVG 2); dashes
                               * get PIETRA_JOIN_MITER_CLIP */
} pietra_join;

typedef struct pietra_stroke {
    double width; /* user units; 0 or less draws nothing */
    pietra_cap cap;
    pietra_join join;
    double miter_limit;   /* 0: SVG's default, 4; below 1 counts as 1; a negative one is refused */
    const double *dashes; /* lengths in user units, copied; an odd count is repeated once; a negative length or a
                               * sum of 0 gives a solid stroke. May be NULL only if dash_count is 0 */
    size_t dash_count;
    double dash_offset; /* user units, of either sign: where in the pattern each subpath starts */
} pietra_stroke;

/* Makes *outline the area that a stroke of a path covers, which PIETRA_FILL_NONZERO fills: with dashes, caps and joins,
 * in the path's units. It consists of lines and may overlap itself. No point of its border is farther than `tolerance`
 * from where the stroke's border is; 0: a 65,536th of the stroke's larger side. PIETRA_ERROR_INPUT: an argument is bad,
 * or the tolerance is finer than the larger side by more than a factor of 261,632. PIETRA_ERROR_BUDGET: there are too
 * many dashes. After a failure the outline is empty. Any thread. */
PIETRA_API pietra_result pietra_path_stroke_to_fill(const pietra_path *path, const pietra_stroke *stroke,
                                                    double tolerance, pietra_path *outline, pietra_error *error);

/* ---- Scene ---- */

/* A scene is a list of elements in paint order, nested by begin and end calls. A path has user units of its own, and a
 * transform leads from them to the scene's units. The scene keeps paths as they are, so it can be drawn at any size.
 * Every call copies its arguments, except for arrays of pietra_path_refer. A failed call leaves the scene as it was.
 * Memory alone limits the depth of nesting. Clips, masks, groups and sources end in the reverse of the order in which
 * they began: an end call that does not fit the innermost open begin fails with PIETRA_ERROR_INPUT. A scene in which
 * nothing is open is balanced. */
PIETRA_API pietra_scene *pietra_scene_create(void); /* NULL: out of memory */
PIETRA_API void pietra_scene_destroy(pietra_scene *scene);
/* Makes pietra_scene_destroy call release(user). A failed call never calls it. */
PIETRA_API pietra_result pietra_scene_keep(pietra_scene *scene, void (*release)(void *user), void *user,
                                           pietra_error *error);

/* Empties a scene as if it were new, and keeps its memory. What pietra_scene_keep registered is released. Does nothing
 * if scene is NULL. */
PIETRA_API void pietra_scene_reset(pietra_scene *scene);

/* Puts a transform, from the units of what follows to those of what stood before, around the transforms of all calls
 * that follow, pietra_scene_append included, up to the pop that fits. Pushes and pops nest among themselves, whatever
 * else begins and ends between them. PIETRA_ERROR_INPUT: nothing is pushed. */
PIETRA_API pietra_result pietra_scene_push_transform(pietra_scene *scene, const pietra_transform *transform,
                                                     pietra_error *error);
PIETRA_API pietra_result pietra_scene_pop_transform(pietra_scene *scene, pietra_error *error);

/* Paints the inside of a path. `transform` leads from the path's units to the scene's. */
PIETRA_API pietra_result pietra_scene_fill(pietra_scene *scene, const pietra_path *path,
                                           const pietra_transform *transform, pietra_fill_rule rule,
                                           const pietra_paint *paint, pietra_error *error);
/* Paints the stroke of a path. The stroke is made in the path's units and then transformed. */
PIETRA_API pietra_result pietra_scene_stroke(pietra_scene *scene, const pietra_path *path,
                                             const pietra_transform *transform, const pietra_stroke *stroke,
                                             const pietra_paint *paint, pietra_error *error);

/* Draws the rectangle (0, 0) to (width, height) of an image, one unit a pixel, under the transform. In a frame that
 * shows an upright rectangle, its edges move to the nearest edges of pixels, so images that meet show no seam. In one
 * that turns or skews it, its edges are smooth. For opacity, draw it in a group. */
PIETRA_API pietra_result pietra_scene_draw_image(pietra_scene *scene, const pietra_image *image,
                                                 const pietra_transform *transform, pietra_filter filter,
                                                 pietra_error *error);

/* How an image fills a box of any size: what is left, above, right and below of its inner rectangle keeps its width or
 * height, and the rest stretches. */
typedef struct pietra_nine_patch {
    pietra_box box;                  /* to be filled, in user units; an empty one draws nothing */
    double left, top, right, bottom; /* borders in the image's pixels, >= 0; something remains between them */
    double scale;                    /* user units for each pixel of the borders; 0: 1 */
} pietra_nine_patch;

/* Draws an image so, in at most nine pieces, which meet as images do. Where the borders are together larger than the
 * box, all shrink by one factor until they fit. */
PIETRA_API pietra_result pietra_scene_draw_nine_patch(pietra_scene *scene, const pietra_image *image,
                                                      const pietra_nine_patch *patch, const pietra_transform *transform,
                                                      pietra_filter filter, pietra_error *error);

/* Draws the shadow of a box as CSS does, which the box itself should follow: one that is not inset outside of the box
 * alone, an inset one inside alone. Does nothing if the box is empty. */
PIETRA_API pietra_result pietra_scene_draw_box_shadow(pietra_scene *scene, const pietra_shadow *shadow,
                                                      const pietra_transform *transform, pietra_error *error);

/* Decides whether the fills, strokes, images and clips that follow are aliased: each pixel is covered in full or not at
 * all, and edges of upright rectangles move to the nearest edges of pixels. A new scene starts with false. Does nothing
 * if scene is NULL. */
PIETRA_API void pietra_scene_set_aliased(pietra_scene *scene, bool aliased);

/* Sets a number of the caller's choice that all following elements carry, so that they can be told apart later. A new
 * scene starts with 0, which means no label. If a scene has labels, its stream keeps them beside its bytes; the bytes
 * do not depend on them. Does nothing if scene is NULL. */
PIETRA_API void pietra_scene_set_label(pietra_scene *scene, uint32_t label);

/* Paints what follows, up to end_clip, as one layer, and limits the layer to the inside of the path: two opaque shapes
 * under a clip edge of coverage 1/2 give 1/2. Clips do not isolate: what blends inside one sees what lies below it. */
PIETRA_API pietra_result pietra_scene_begin_clip(pietra_scene *scene, const pietra_path *path,
                                                 const pietra_transform *transform, pietra_fill_rule rule,
                                                 pietra_error *error);
/* Clips to the union of several shapes. The elements between begin_clip_source and end_clip_source give the inside:
 * 1 - product of (1 - coverage). They may be fills, strokes, and clips around these; groups and masks are refused.
 * Their paints are ignored and may be NULL. What follows, up to end_clip, is limited to that inside. An empty source
 * clips everything away. */
PIETRA_API pietra_result pietra_scene_begin_clip_source(pietra_scene *scene, pietra_error *error);
PIETRA_API pietra_result pietra_scene_end_clip_source(pietra_scene *scene, pietra_error *error);
PIETRA_API pietra_result pietra_scene_end_clip(pietra_scene *scene, pietra_error *error);
/* Begins an isolated group: it is painted as one layer, which is then composited onto what lies below with this
 * opacity, 0 to 1, clamped. What blends inside it sees only what the group has painted so far. A group of opacity 1 in
 * which nothing blends costs nothing. */
PIETRA_API pietra_result pietra_scene_begin_group(pietra_scene *scene, float opacity, pietra_error *error);

/* How a group is composited onto what lies below it: the blend modes of W3C Compositing and Blending Level 1, in its
 * order, then the operators of Porter and Duff. The source is the group, times its opacity. The destination is what
 * lies below. A result has the formulas of that W3C specification; PIETRA_BLEND_PLUS adds both, up to 1.
 *
 * Six operators are unbounded: CLEAR, SOURCE, SOURCE_IN, DESTINATION_IN, SOURCE_OUT and DESTINATION_ATOP. Where their
 * group paints nothing, they clear the destination, even if the group is empty or has opacity 0. They do so in all of
 * the group or mask around them, or in the whole picture with its background if there is none, as far as the clips in
 * between reach. */
typedef enum pietra_blend {
    PIETRA_BLEND_NORMAL = 0,
    PIETRA_BLEND_MULTIPLY,
    PIETRA_BLEND_SCREEN,
    PIETRA_BLEND_OVERLAY,
    PIETRA_BLEND_DARKEN,
    PIETRA_BLEND_LIGHTEN,
    PIETRA_BLEND_COLOR_DODGE,
    PIETRA_BLEND_COLOR_BURN,
    PIETRA_BLEND_HARD_LIGHT,
    PIETRA_BLEND_SOFT_LIGHT,
    PIETRA_BLEND_DIFFERENCE,
    PIETRA_BLEND_EXCLUSION,
    PIETRA_BLEND_HUE,
    PIETRA_BLEND_SATURATION,
    PIETRA_BLEND_COLOR,
    PIETRA_BLEND_LUMINOSITY,
    PIETRA_BLEND_CLEAR,            /* nothing */
    PIETRA_BLEND_SOURCE,           /* the source alone */
    PIETRA_BLEND_DESTINATION,      /* the destination alone: the group is not seen */
    PIETRA_BLEND_DESTINATION_OVER, /* the destination over the source */
    PIETRA_BLEND_SOURCE_IN,        /* the source where the destination is */
    PIETRA_BLEND_DESTINATION_IN,   /* the destination where the source is */
    PIETRA_BLEND_SOURCE_OUT,       /* the source where the destination is not */
    PIETRA_BLEND_DESTINATION_OUT,  /* the destination where the source is not */
    PIETRA_BLEND_SOURCE_ATOP,      /* the source where the destination is, over the destination */
    PIETRA_BLEND_DESTINATION_ATOP, /* the destination where the source is, over the source */
    PIETRA_BLEND_XOR,              /* each where the other is not */
    PIETRA_BLEND_PLUS,             /* the sum of both */
} pietra_blend;

/* Begins an isolated group that end_group composites with a blend mode or an operator. What lies below it is what the
 * innermost group or mask around it has painted so far, or the picture and its background if there is none. */
PIETRA_API pietra_result pietra_scene_begin_blended_group(pietra_scene *scene, float opacity, pietra_blend blend,
                                                          pietra_error *error);
PIETRA_API pietra_result pietra_scene_end_group(pietra_scene *scene, pietra_error *error);

typedef enum pietra_mask_kind {
    PIETRA_MASK_ALPHA = 0,
    PIETRA_MASK_LUMINANCE,        /* 0.2125 R + 0.7154 G + 0.0721 B of the sRGB values, times alpha */
    PIETRA_MASK_LUMINANCE_LINEAR, /* the same from linearRGB values */
} pietra_mask_kind;

/* Limits what follows, up to end_mask, by a mask. What is painted between begin_mask_source and end_mask_source,
 * elements of any kind, is not seen itself: its alpha or luminance says how much of the masked content stays. Where the
 * source paints nothing, nothing stays. A mask isolates its source and its content, as a group does. */
PIETRA_API pietra_result pietra_scene_begin_mask_source(pietra_scene *scene, pietra_mask_kind kind,
                                                        pietra_error *error);
PIETRA_API pietra_result pietra_scene_end_mask_source(pietra_scene *scene, pietra_error *error);
PIETRA_API pietra_result pietra_scene_end_mask(pietra_scene *scene, pietra_error *error);

/* Appends all elements of another scene under a transform. `other` must be balanced and must not be `scene`, and no
 * clip source of `scene` may be open. Elements keep their labels; those without one get the label that is set in
 * `scene`. */
PIETRA_API pietra_result pietra_scene_append(pietra_scene *scene, const pietra_scene *other,
                                             const pietra_transform *transform, pietra_error *error);
/* Gives the box, in the scene's units, of everything that is painted. Strokes count as if they were solid, with their
 * caps and joins. Clips and masks are ignored. False: nothing is painted. */
PIETRA_API bool pietra_scene_bounds(const pietra_scene *scene, pietra_box *box);
/* Returns how many elements the scene has, a position for pietra_scene_bounds_between; 0 if scene is NULL. */
PIETRA_API size_t pietra_scene_position(const pietra_scene *scene);
/* Gives the box of what was added between two positions, as pietra_scene_bounds does. */
PIETRA_API bool pietra_scene_bounds_between(const pietra_scene *scene, size_t begin, size_t end, pietra_box *box);

/* ---- SVG ---- */

/* Receives one warning: one line of text and the line of the document, 0 if there is none. `message` is valid during
 * the call. */
typedef void pietra_warning_function(void *user, uint32_t line, const char *message);

/* Receives boxes of a document: first that of the whole drawing, with an empty id, then one for each element that has
 * an id and draws something, in the order of the document. Elements that are only shown by others, such as the content
 * of a marker, are not reported. A box is in the scene's units, includes strokes, and ignores clips and masks. `id` and
 * `box` are valid during the call. */
typedef void pietra_svg_box_function(void *user, const char *id, const pietra_box *box);

/* An element of a document in a place where it is shown. `element` is static; the other texts are valid during the
 * call that gives them. */
typedef struct pietra_svg_origin {
    uint32_t line;       /* line of the file, from 1 */
    const char *element; /* its name, "rect"; static */
    const char *id;      /* NULL: none */
    const char *file;    /* the file, below resources_directory, of which `use` shows parts; NULL: the document
                               * itself */
    uint32_t document;   /* 0: the outermost document, else a document in an image, numbered in the order of
                               * reading */
    uint32_t shown_by;   /* label of what shows the element here: a use, a marker, a mask, a clipPath, a pattern,
                               * or the image that holds its document. 0: the element stands here itself. A pattern is
                               * drawn once for everything that it paints */
} pietra_svg_origin;

/* Receives each label of the scene's elements once, before the first element with that label is added. Labels count
 * from 1. */
typedef void pietra_svg_origin_function(void *user, uint32_t label, const pietra_svg_origin *origin);

/* A font or an image of which a document shows something. The texts are valid during the call that gives them. */
typedef enum pietra_svg_resource_kind {
    PIETRA_SVG_FONT = 0,
    PIETRA_SVG_IMAGE,
    PIETRA_SVG_DOCUMENT
} pietra_svg_resource_kind;
typedef struct pietra_svg_resource {
    pietra_svg_resource_kind kind;
    uint32_t line;                    /* line of the document where it is first asked for; 0: none is known */
    const char *name;                 /* the font's family, or the address; of a data URL only what precedes the data */
    const char *format;               /* format of an image: "PNG", "JPEG", "GIF" or "WebP"; else NULL */
    double width, height;             /* size of an image in pixels, of a document in CSS pixels; 0 for a font */
    double weight_least, weight_most; /* weights of a font: variable ones have a range */
    bool slanted;                     /* the font is */
} pietra_svg_resource;

/* Receives each font that draws text, at each of its variations, and each image and document in an image once, when it
 * has been read. */
typedef void pietra_svg_resource_function(void *user, const pietra_svg_resource *resource);

/* How much a document may ask for, together with the documents in its images and the files that it uses. 0: the
 * default. A document beyond a limit is refused with PIETRA_ERROR_INPUT and a message that names the limit. For some
 * limits something is left out with a warning instead; docs/limits.md says which. */
typedef struct pietra_svg_limits {
    uint64_t bytes;           /* bytes of the document and of those in its images */
    uint64_t elements;        /* elements */
    uint64_t depth;           /* levels of nested elements */
    uint64_t steps;           /* steps of reading and drawing: each is about a microsecond of one core, for a picture 64
                               * pixels wide; for effects at the size of a frame see pietra_device_options */
    uint64_t cells;           /* cells of patterns, in addition to one for each element of the document */
    uint64_t numbers;         /* numbers of all paths together; one with more than 19 digits or an exponent beyond 19
                               * counts as five */
    uint64_t attributes;      /* attributes of one element */
    uint64_t namespaces;      /* XML name spaces declared at one place */
    uint64_t nested_entities; /* entities of a document that hold references to others */
    uint64_t entity_bytes;    /* bytes to which entities and a DTD's defaults expand */
    uint64_t unpacked_bytes;  /* bytes unpacked from gzip */
    uint64_t used_files;      /* other files from which parts are used, or style sheets that others import */
    uint64_t used_bytes;      /* bytes of all those files together */
    uint64_t document_depth;  /* levels of documents within documents */
    uint64_t image_pixels;    /* pixels of all images together; they count again for each pattern that is drawn as a
                               * picture of them */
    uint64_t rules;           /* rules of all style sheets, plus their declarations, plus one for every two bytes of
                               * selectors */
    uint64_t lengths;         /* lengths of all dash patterns together */
    uint64_t selector_steps;  /* steps of matching rules and of applying them */
    uint64_t variables;       /* custom properties of all scopes */
    uint64_t value_bytes;     /* bytes of one value after var() is replaced */
    uint64_t replaced_bytes;  /* bytes of all values in which var() is replaced, with what is kept of them */
    uint64_t fonts;           /* fonts of @font-face that text asks for */
    uint64_t font_bytes;      /* bytes of all those fonts together, unpacked */
} pietra_svg_limits;

/* Describes a field of pietra_svg_limits. */
typedef struct pietra_svg_limit {
    const char *name;  /* name of the field */
    uint64_t standard; /* its default */
    const char *text;  /* what the field counts */
} pietra_svg_limit;

/* Returns descriptions of the fields in their order, and in *count their number. The array is static. count may be
 * NULL. Any thread. */
PIETRA_API const pietra_svg_limit *pietra_svg_limit_list(size_t *count);
/* Sets the field with that name. False: no field has it. */
PIETRA_API bool pietra_svg_limits_set(pietra_svg_limits *limits, const char *name, uint64_t value);

/* The fonts among which text may choose (pietra_text.h). */
typedef struct pietra_fonts pietra_fonts;

typedef struct pietra_svg_options {
    double dpi; /* CSS pixels per inch, for absolute units; 0: 96; a negative one is refused */
    double viewport_width, viewport_height; /* the viewport of the outermost svg, in CSS pixels, for percentages; 0: its
                                             * viewBox, else 300 x 150; negative ones are refused */
    pietra_svg_limits limits;               /* how much the document may ask for */
    const char *resources_directory;        /* the folder below which images, style sheets and used documents are read;
                                          * NULL: nothing outside the bytes is read */
    const char *style_sheet;                /* CSS that applies before the document's own style sheets; NULL: none */
    const char *fragment;                   /* what follows # in the document's address, which selects a view; NULL:
                                          * nothing */
    const char *element_id;                 /* shows only the element with this id, in its place. Of its ancestors only
                                          * their transforms apply. NULL: shows all. PIETRA_ERROR_INPUT: no element has
                                          * the id, or it draws nothing */
    pietra_svg_box_function *box; /* receives the boxes of the document's elements, on the caller's thread; NULL:
                                          * nothing does */
    void *box_user;
    pietra_svg_origin_function *origin; /* gives labels to the scene's elements (pietra_scene_set_label), and receives
                                          * their meaning on the caller's thread; NULL: elements get no labels */
    void *origin_user;
    pietra_fonts *fonts;     /* what text is drawn with, by any number of loads at once; NULL: text is left out */
    const char *font_family; /* the family of text that names none, or whose families are missing; NULL: serif */
    double font_size;        /* size of text that names none, in CSS pixels; 0: 16; a negative one is refused */
    const char *languages;   /* the reader's, separated by commas, for systemLanguage; NULL: en */
    /* Leads from the scene to the pixels of the frames that will be drawn. Baselines of text that stands upright or on
     * its side there are moved to whole pixels, so that small text is sharp. All zeros: baselines stay where they
     * are. */
    pietra_transform snap_baselines;
    uint32_t threads;                 /* threads that read a large document; 0: one for each core; here and below, on
                                       * Linux, each that the calling thread may run on */
    pietra_warning_function *warning; /* called once for each kind of thing that is left out, on the caller's thread;
                                          * NULL: warnings are dropped */
    void *warning_user;
    /* Called once, also after a failure, when the bytes have been read and before the scene is built, which may then
     * use their memory. NULL: the caller keeps the bytes. */
    void (*release)(void *user, const void *bytes);
    /* Called before `release`, on any thread, for each piece of the bytes that has been read and whose content may be
     * given up. NULL: no piece is given up. */
    void (*discard)(void *release_user, const void *bytes, size_t byte_count);
    void *release_user;
    pietra_svg_resource_function *resource; /* receives fonts and images on the caller's thread; NULL: nothing does */
    void *resource_user;
} pietra_svg_options;

/* Adds the picture of an SVG document, plain or gzipped, to an empty scene. A scene with elements or a pushed transform
 * is refused. After a
 * failure the scene is empty again. The scene's units are CSS pixels of the document's own size, and the viewBox is
 * already applied. `width` and `height` receive that size; either may be NULL. A side that the document does not give
 * follows from the other by the viewBox's aspect ratio. Nothing outside the bytes is read, except below
 * resources_directory. PIETRA_ERROR_INPUT: the document is malformed or beyond a limit. */
PIETRA_API pietra_result pietra_scene_load_svg(pietra_scene *scene, const void *bytes, size_t byte_count,
                                               const pietra_svg_options *options, pietra_error *error, double *width,
                                               double *height);

/* Does the same for a file. `release` and `discard` of the options are not called. PIETRA_ERROR_IO: the file cannot be
 * read. */
PIETRA_API pietra_result pietra_scene_load_svg_file(pietra_scene *scene, const char *path,
                                                    const pietra_svg_options *options, pietra_error *error,
                                                    double *width, double *height);

/* ---- Stream ---- */

/* A scene in packed arrays, which devices draw. A stream never changes, and any number of threads may use it at
 * once. */
typedef struct pietra_stream pietra_stream;

/* Encodes a balanced scene on the caller's thread. PIETRA_ERROR_INPUT: the scene has something open. The scene may be
 * changed or destroyed afterwards. */
PIETRA_API pietra_result pietra_stream_encode(const pietra_scene *scene, pietra_error *error, pietra_stream **stream);
/* Does the same on at most `threads` threads, which end with the call; 0: one for each core. The bytes do not depend on
 * that number. */
PIETRA_API pietra_result pietra_stream_encode_by(const pietra_scene *scene, uint32_t threads, pietra_error *error,
                                                 pietra_stream **stream);
/* Does the same, and destroys the scene, also after a failure. Large paths that the scene copied are given back as they
 * are written, so the memory of both together is never needed. */
PIETRA_API pietra_result pietra_stream_encode_and_destroy(pietra_scene *scene, uint32_t threads, pietra_error *error,
                                                          pietra_stream **stream);
/* Makes a stream from a copy of the bytes of pietra_stream_bytes, written by this version of the library. The bytes may
 * come from anywhere: they are checked in full. PIETRA_ERROR_INPUT: they are not a valid stream. */
PIETRA_API pietra_result pietra_stream_open(const void *bytes, size_t byte_count, pietra_error *error,
                                            pietra_stream **stream);
/* Returns the stream's bytes, aligned to 4 bytes and owned by the stream. byte_count may be NULL. A NULL stream gives
 * NULL and 0. */
PIETRA_API const void *pietra_stream_bytes(const pietra_stream *stream, size_t *byte_count);
PIETRA_API void pietra_stream_destroy(pietra_stream *stream);

/* ---- Device ---- */

typedef enum pietra_device_kind {
    PIETRA_DEVICE_AUTO = 0, /* a usable hardware GPU if there is one, else the CPU */
    PIETRA_DEVICE_CPU,
    PIETRA_DEVICE_GPU,       /* through Vulkan; hardware is preferred to software */
    PIETRA_DEVICE_REFERENCE, /* every stage of the pipeline in plain C: slow; it specifies the other devices */
} pietra_device_kind;

typedef struct pietra_device_info {
    pietra_device_kind kind;
    uint32_t gpu_index; /* PIETRA_DEVICE_GPU: the index for pietra_device_options.gpu_index */
    bool hardware;      /* false: an implementation of Vulkan in software */
    bool usable;
    char name[256];
    char missing[500];            /* what an unusable GPU lacks, separated by commas; of a CPU device that
                                   * PIETRA_DEVICE_AUTO made: why there was no GPU for it */
    uint64_t memory_bytes;        /* size of the largest memory heap local to the device; 0 for the CPU */
    uint64_t binding_limit_bytes; /* largest range of a buffer that a kernel can see */
} pietra_device_info;

/* Lists the devices: first the CPU, then GPUs in the order of gpu_index. Writes at most `capacity` infos, and into
 * *count always the number of all devices. `infos` may be NULL if `capacity` is 0. Without Vulkan the list holds the
 * CPU alone. */
PIETRA_API pietra_result pietra_list_devices(size_t capacity, pietra_error *error, pietra_device_info *infos,
                                             size_t *count);

/* A stretch of time in which a thread, or the GPU, was at work on one thing. */
typedef struct pietra_span {
    const char *name; /* a stage or a step, static */
    bool on_gpu;      /* by the GPU's timestamps; they are placed so that the last one is when the host saw the end
                              * of the run. Else the thread did it that calls the function */
    double begin_ms, end_ms; /* times of CLOCK_MONOTONIC */
} pietra_span;

/* Receives spans when they have ended, on any thread, by several threads at once. `span` is valid during the call. */
typedef void pietra_span_function(void *user, const pietra_span *span);

typedef struct pietra_device_options {
    pietra_device_kind kind;
    uint32_t gpu_index;           /* the GPU's number in the list, from 0 */
    bool by_index;                /* take the GPU gpu_index, even one in software */
    const char *gpu_name;         /* take the first GPU whose name contains this text, ignoring case; NULL: any */
    uint32_t threads;             /* threads of the CPU device, and those that compile a GPU's kernels while it is made;
                                   * 0: one for each core. Threads that find no work are not started */
    uint64_t memory_budget_bytes; /* for the buffers of a frame, and as much again for its effects and while images of
                                   * scenes are drawn for it; 0: half of the device's memory, at most 4 GiB; at most
                                   * 1 GiB for the CPU, the reference and Vulkan in software, which use the host's
                                   * memory. On the CPU, 1 MiB suffices, with 1 KiB for each pixel of a picture's
                                   * width, 256 bytes for each element and 64 for each segment of a stream
                                   * (pietra_stats), unless one tile of 16 x 16 pixels shows more lines than fit that.
                                   * With less, frames are drawn that are estimated to take about four times as
                                   * long at most, below 64 KiB only those that fit at once, and an error names a
                                   * budget that draws the others */
    uint64_t effect_steps; /* what the effects of a frame may cost, in steps of about a microsecond of one core of the
                             * CPU device; of a picture of more than 16 Mi pixels, in proportion to them. Its wide and
                             * its dashed strokes may cost as much, and so may its painting, but of a picture of more
                             * than 1 Mi pixels in proportion to its side, and of more than 64 Mi to its pixels. What
                             * each costs is a share of that, with what it costs in patterns and in images of scenes. It
                             * is estimated before anything is drawn, and with shares of more than one together the
                             * frame is refused with PIETRA_ERROR_INPUT (docs/limits.md). 0: 4500000 */
    bool validation;       /* turns on Vulkan's validation layer with synchronization validation, which reports to
                               * `log` */
    void (*log)(void *user, const char *message); /* receives messages of validation and of drivers; NULL: they are
                                                   * dropped */
    void *log_user;
    const char *cache_directory; /* for compiled kernels; NULL: the user's cache directory; "": none. It is not used if
                                  * it, or a file in it, belongs to somebody else or is writable by others */
    pietra_span_function *span;  /* receives what the CPU's threads and the GPU do for frames; NULL: nothing does. The
                                  * reference reports nothing, and the CPU nothing of effects and images of scenes */
    void *span_user;
} pietra_device_options;

/* What draws streams. It keeps buffers, threads and compiled kernels between frames. */
typedef struct pietra_device pietra_device;

/* Opens a device. PIETRA_ERROR_DEVICE: there is no such GPU, or it lacks what Pietra needs. */
PIETRA_API pietra_result pietra_device_create(const pietra_device_options *options, pietra_error *error,
                                              pietra_device **device);
PIETRA_API void pietra_device_destroy(pietra_device *device);
/* Describes the device. Does nothing if either pointer is NULL. */
PIETRA_API void pietra_device_get_info(const pietra_device *device, pietra_device_info *info);

/* ---- Rendering ---- */

/* The four bytes of a pixel, in this order. What is opaque shows the picture over black, and its alpha is 255. */
typedef enum pietra_format {
    PIETRA_FORMAT_RGBA8_STRAIGHT = 0,
    PIETRA_FORMAT_RGBA8_PREMULTIPLIED,
    PIETRA_FORMAT_RGBA8_OPAQUE,
    PIETRA_FORMAT_BGRA8_STRAIGHT,
    PIETRA_FORMAT_BGRA8_PREMULTIPLIED, /* as windows and video have it: Cairo's ARGB32 and Vulkan's B8G8R8A8 */
    PIETRA_FORMAT_BGRA8_OPAQUE,
} pietra_format;

#define PIETRA_MAX_SIDE 32768u /* pixels */

typedef struct pietra_target {
    uint32_t width, height; /* pixels, 1 to PIETRA_MAX_SIDE; of the frame's region, if it has one */
    pietra_format format;
    void *pixels;        /* `height` rows, the top row first; a pixel has four bytes; owned by the caller */
    size_t stride_bytes; /* distance between rows, at least 4 * width; 0: 4 * width */
    bool may_spoil;      /* the pixels may hold anything after a failure. The frame then needs less memory beside
                               * them and, if it is large, somewhat more time. The CPU device uses this, and so do GPUs
                               * for pictures that their kernels cannot see as a whole */
} pietra_target;

/* Ends frames before they are drawn, from other threads. */
typedef struct pietra_canceller pietra_canceller;

PIETRA_API pietra_result pietra_canceller_create(pietra_error *error, pietra_canceller **canceller);
/* No frame that has the canceller may be under way. Does nothing for NULL. */
PIETRA_API void pietra_canceller_destroy(pietra_canceller *canceller);
/* Cancels every frame that has the canceller, those under way and those that begin later, until it is reset. Any
 * thread, at any time, also in a signal handler. Returns at once. Does nothing for NULL. */
PIETRA_API void pietra_canceller_cancel(pietra_canceller *canceller);
/* Lets frames be drawn again that begin from now on. Of a frame under way it is uncertain whether it is cancelled. Any
 * thread. Does nothing for NULL. */
PIETRA_API void pietra_canceller_reset(pietra_canceller *canceller);

#define PIETRA_REGION_STEP 16u /* pixels */

/* Where the target lies in a larger picture, of which a frame draws that part alone, with the bytes that it has in the
 * whole. Moving the transform instead would round numbers in another way. A whole picture may be drawn region by region
 * where it needs too much memory, or by several machines. Each region pays for reading the stream, and for what effects
 * and surfaces must show in it. */
typedef struct pietra_region {
    uint32_t x, y; /* place of the target's upper left pixel in the picture; multiples of PIETRA_REGION_STEP */
    /* The size of the whole picture, at most PIETRA_MAX_SIDE. The target's sides are multiples of PIETRA_REGION_STEP,
     * or end where the picture ends. 0, 0: the target is the whole picture, and x and y are 0. */
    uint32_t picture_width, picture_height;
} pietra_region;

typedef struct pietra_frame {
    pietra_transform transform; /* from the scene's units to pixels; numbers within +-1e18. Together with the scene's
                                 * own transforms, a scale is held to 1e17 */
    pietra_color background;    /* painted below the scene; zero: transparent */
    const pietra_canceller *canceller; /* must live until the call returns; NULL: nothing cancels the frame */
    pietra_region region;              /* zero: the whole picture */
} pietra_frame;

#define PIETRA_MAX_STAGES 48

typedef struct pietra_stage_time {
    const char *name; /* static */
    double milliseconds;
    uint64_t bytes; /* size of the buffers that the stage writes */
} pietra_stage_time;

typedef struct pietra_stats {
    uint32_t elements, segments; /* the stream's */
    uint64_t lines, tile_lines, tile_commands;
    uint32_t passes;       /* runs of the frame, the last included: more than one if a buffer was too small */
    uint32_t parts;        /* pieces in which the frame was drawn to keep within the budget */
    double upload_ms;      /* stream to device; 0: it was there already */
    uint64_t upload_bytes; /* of the stream that were written for that; of a composition's, those that differ */
    double frame_ms;       /* from submission to the end of the last run, without reading back */
    double gpu_ms;         /* from the first to the last timestamp; 0 on the CPU */
    double read_ms;
    uint64_t memory_bytes; /* peak of the frame's buffers and the picture on the device; the budget holds for the
                               * buffers alone */
    uint32_t stage_count;
    pietra_stage_time stages[PIETRA_MAX_STAGES];
} pietra_stats;

/* Draws one frame and waits for it. The device keeps the last stream and its buffers, so drawing it again costs no
 * upload and no allocation. There is one exception: where several threads of the CPU draw more than one batch of lines,
 * they now and then allocate blocks of them. A NULL frame means the identity on a transparent background. stats may be
 * NULL. After a failure the target is as it was, unless it may spoil. PIETRA_ERROR_BUDGET: the frame needs more memory
 * than the budget, even in parts. PIETRA_ERROR_DEVICE: the GPU failed. PIETRA_CANCELLED: frame->canceller ended the
 * frame. The target's pixels may then hold anything, and the device draws the next frame as ever. The CPU device looks
 * for it before each element of a band of pixels, the reference before each stage and each tile. A GPU ends what was
 * submitted to it: at most one run over one part. */
PIETRA_API pietra_result pietra_render(pietra_device *device, const pietra_stream *stream, const pietra_frame *frame,
                                       const pietra_target *target, pietra_error *error, pietra_stats *stats);

/* Writes the pixels of a target as a PNG file, on all cores. The file has the smallest format that loses nothing. Of
 * premultiplied pixels the straight ones are written, and of opaque ones no alpha. The file appears whole or not at
 * all; a pipe or a device is written to. PIETRA_ERROR_IO: it cannot be written. */
PIETRA_API pietra_result pietra_write_png(const char *path, const pietra_target *target, pietra_error *error);
/* Does the same in memory. The caller frees the bytes by free(). */
PIETRA_API pietra_result pietra_encode_png(const pietra_target *target, pietra_error *error, void **bytes,
                                           size_t *byte_count);

#ifdef __cplusplus
}
#endif

#endif
