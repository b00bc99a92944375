/* Pietra: 2D vector scenes drawn by a sorted compute pipeline, on a GPU through Vulkan or on the CPU, with the same bytes from both.
 *
 * A drawing takes three steps. A *scene* is built, by calls or from an SVG document. It is encoded once into a *stream*: an
 * immutable blob that any number of frames and threads may share. A *device* draws a stream into memory at any size and under any
 * transform.
 *
 * Conventions that hold everywhere:
 *   - Coordinates are user units, x to the right, y down. Device pixels are squares of side 1; pixel (0, 0) covers [0, 1) x [0, 1).
 *   - A struct whose bytes are all zero holds the defaults. NULL for an options pointer means the same.
 *   - Functions that can fail return a pietra_result; the last parameter, where there is a pietra_error *, may be NULL. It is
 *     written on failure only.
 *   - Out-parameters stand last and are written on success only.
 *   - Bad arguments are refused, not guessed at: a function that returns a pietra_result fails with PIETRA_ERROR_INPUT when a
 *     pointer is NULL that is not said to be optional here, when an enumerator is none of its type's, or when a number that it
 *     looks at is NaN or infinite or out of the range said here, and what it would have changed stays as it was. A function
 *     without a result then does nothing, or says false. Finite numbers said to be clamped are. Pointers to transforms are
 *     optional, NULL being the identity.
 *   - What a *_create, *_encode or *_open function hands out belongs to the caller, who destroys it; *_destroy(NULL) does nothing.
 *   - Nothing is global. Different objects may be used from different threads at once. One object is used by one thread at a
 *     time, except a stream, which never changes and may be read by many.
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
    PIETRA_ERROR_INPUT,       /* the document, the stream or an argument is bad */
    PIETRA_ERROR_IO,          /* a file could not be read or written */
    PIETRA_ERROR_DEVICE,      /* no such device, it lacks something, or it failed */
    PIETRA_ERROR_BUDGET,      /* the frame needs more than the memory budget allows */
    PIETRA_ERROR_MEMORY,      /* the host is out of memory */
} pietra_result;

typedef struct pietra_error {
    pietra_result result;
    uint32_t line;            /* of the document, from 1; 0 where there is none */
    char message[500];        /* what and why, one line, UTF-8, without the file's name */
} pietra_error;

/* The version of the library that runs, as "MAJOR.MINOR.PATCH". Any thread. */
PIETRA_API const char *pietra_version(void);

/* ---- Geometry ---- */

/* x' = a x + c y + e,  y' = b x + d y + f: SVG's order. All zero means the identity. */
typedef struct pietra_transform {
    double a, b, c, d, e, f;
} pietra_transform;

typedef struct pietra_box {
    double x0, y0, x1, y1;    /* empty when x1 <= x0 or y1 <= y0 */
} pietra_box;

/* A path is subpaths of lines and curves in user units. Points are kept in double precision. The drawing calls start a subpath
 * at the current point where there is none open (after a close: at the start of the closed subpath), as SVG does. A coordinate
 * that is not finite makes the path bad: the call that uses it fails with PIETRA_ERROR_INPUT; so does running out of memory, with
 * PIETRA_ERROR_MEMORY. A path stays bad until it is reset. On a NULL path the drawing calls do nothing. */
typedef struct pietra_path pietra_path;

PIETRA_API pietra_path *pietra_path_create(void); /* NULL: out of memory */
PIETRA_API void pietra_path_destroy(pietra_path *path);
PIETRA_API void pietra_path_reset(pietra_path *path); /* empty again, memory kept */
PIETRA_API void pietra_path_move_to(pietra_path *path, double x, double y);
PIETRA_API void pietra_path_line_to(pietra_path *path, double x, double y);
PIETRA_API void pietra_path_quad_to(pietra_path *path, double x1, double y1, double x, double y);
PIETRA_API void pietra_path_cubic_to(pietra_path *path, double x1, double y1, double x2, double y2, double x, double y);
/* An elliptical arc with SVG's parameters and SVG's corrections of bad radii (SVG 2, appendix B.2.5): a negative radius counts as its
 * size, one of 0 gives a line, one that is not finite makes the path bad. rotation in degrees. */
PIETRA_API void pietra_path_arc_to(pietra_path *path, double rx, double ry, double rotation, bool large, bool sweep, double x, double y);
PIETRA_API void pietra_path_close(pietra_path *path); /* without an open subpath: nothing */

/* What a path is made of. The number of a verb is how many points it has, but for a move, which has one. */
typedef enum pietra_verb {
    PIETRA_VERB_CLOSE = 0,
    PIETRA_VERB_LINE = 1,
    PIETRA_VERB_QUAD = 2,
    PIETRA_VERB_CUBIC = 3,
    PIETRA_VERB_MOVE = 4,
} pietra_verb;

/* Many of the calls above at once: `verbs` are pietra_verb, one a byte, `coordinates` the x and y of all their points in order. A
 * byte that is no verb makes the path bad, and so does NULL for either, unless verb_count is 0. */
PIETRA_API void pietra_path_append(pietra_path *path, const uint8_t *verbs, size_t verb_count, const double *coordinates);

/* The same, but the arrays need not be copied: they stay as they are until the path is reset or destroyed, and so are the scenes that it
 * was added to. pietra_scene_keep can see to that. */
PIETRA_API void pietra_path_refer(pietra_path *path, const uint8_t *verbs, size_t verb_count, const double *coordinates);

/* A negative side reaches to the left or up. */
PIETRA_API void pietra_path_rect(pietra_path *path, double x, double y, double width, double height);
/* Radii are limited to half of the sides, negative ones count as their size; zero radii give pietra_path_rect. Starts after the top
 * left corner, clockwise. */
PIETRA_API void pietra_path_rounded_rect(pietra_path *path, double x, double y, double width, double height, double rx, double ry);
/* Nothing where a radius is 0 or less. */
PIETRA_API void pietra_path_ellipse(pietra_path *path, double cx, double cy, double rx, double ry);
/* The exact box of the geometry (curves' extrema, not their control points), stroke not counted. False: the path is empty or bad. */
PIETRA_API bool pietra_path_bounds(const pietra_path *path, pietra_box *box);
/* PIETRA_OK, or why the path is bad. */
PIETRA_API pietra_result pietra_path_check(const pietra_path *path);

/* ---- Paint ---- */

/* Straight (not premultiplied) sRGB, each channel 0 to 1; clamped. NaN and infinity are refused. */
typedef struct pietra_color {
    float r, g, b, a;
} pietra_color;

/* A colour in CSS syntax (CSS Color 3: a name, hexadecimal, rgb(), hsl(), with or without alpha), blanks around it allowed.
 * False: it is none. currentColor is none here. */
PIETRA_API bool pietra_color_parse(const char *text, pietra_color *color);

/* Not zero: exact up to 8,191 turns of one path around a point; with more, pixels beside the path's edges may be taken for inside. */
typedef enum pietra_fill_rule { PIETRA_FILL_NONZERO = 0, PIETRA_FILL_EVEN_ODD } pietra_fill_rule;
typedef enum pietra_spread { PIETRA_SPREAD_PAD = 0, PIETRA_SPREAD_REFLECT, PIETRA_SPREAD_REPEAT } pietra_spread;
typedef enum pietra_paint_kind { PIETRA_PAINT_SOLID = 0, PIETRA_PAINT_LINEAR, PIETRA_PAINT_RADIAL, PIETRA_PAINT_IMAGE } pietra_paint_kind;

/* Pixels that a scene may draw, in straight sRGB; never changed, so that any number of scenes and threads may share them. Scenes and
 * streams keep what they use: an image may be destroyed as soon as the calls that take it are done. A stream holds each image once, a
 * third larger than its pixels for the smaller copies that keep a shrunken one from shimmering. */
typedef struct pietra_image pietra_image;
typedef struct pietra_scene pietra_scene;

#define PIETRA_MAX_IMAGE_SIDE 65535u /* pixels */

/* pixels: rows from the top, four bytes each, R first, alpha last; copied. stride_bytes: from row to row; 0: 4 * width.
 * PIETRA_ERROR_INPUT for sides of 0 or too large ones. */
PIETRA_API pietra_result pietra_image_create(uint32_t width, uint32_t height, const void *pixels, size_t stride_bytes, pietra_error *error,
                                             pietra_image **image);
/* An image that is a picture of a scene: of its rectangle from (0, 0) to (width, height), a unit a pixel. It has no pixels of its own but
 * is drawn anew for each frame, finely enough that it stays sharp at any size; repeated, it tiles without seams. Filters do not matter
 * to it. The scene, a balanced one, may be changed or destroyed afterwards. Such images nest 16 deep.
 * PIETRA_ERROR_INPUT for sides that are not above 0. */
PIETRA_API pietra_result pietra_image_create_from_scene(const pietra_scene *scene, double width, double height, pietra_error *error,
                                                        pietra_image **image);
PIETRA_API void pietra_image_destroy(pietra_image *image);

/* How an image is seen between and beyond its pixels' own size. Shrunken, the smooth ones average what a pixel covers; enlarged, they
 * go from pixel to pixel by straight lines, or HIGH by cubics. */
typedef enum pietra_filter { PIETRA_FILTER_SMOOTH = 0, PIETRA_FILTER_NEAREST, PIETRA_FILTER_HIGH } pietra_filter;

typedef struct pietra_stop {
    float offset;             /* 0 to 1, clamped; a stop below its predecessor is moved up to it */
    pietra_color color;
} pietra_stop;

/* Gradients are interpolated unpremultiplied, in sRGB or linearRGB. A gradient without stops paints nothing, one stop paints its colour;
 * so does, with its last stop's, one between two equal points or with r1 = 0. Coordinates, radii and stops that a kind does not use are
 * not looked at. */
typedef struct pietra_paint {
    pietra_paint_kind kind;
    pietra_color color;       /* solid */
    float transparency;       /* 1 - opacity, 0 to 1, clamped, over all kinds: zero is opaque */
    pietra_spread spread;
    double x0, y0, r0;        /* linear: start. radial: centre and radius of the circle where the offset is 0 (focal point, fr) */
    double x1, y1, r1;        /* linear: end. radial: centre and radius of the circle where the offset is 1. r0, r1 >= 0 */
    pietra_transform transform; /* from the gradient's space, or the image's pixels, to that of the path it paints */
    const pietra_stop *stops; /* copied by the call; NULL only without stops */
    size_t stop_count;
    bool linear_rgb;          /* gradients: stops are interpolated in linearRGB */
    const pietra_image *image; /* images: pixel (0, 0) covers [0, 1) x [0, 1), and `spread` says what lies beyond the last ones */
    pietra_filter filter;
} pietra_paint;

typedef enum pietra_cap { PIETRA_CAP_BUTT = 0, PIETRA_CAP_ROUND, PIETRA_CAP_SQUARE } pietra_cap;
typedef enum pietra_join {
    PIETRA_JOIN_MITER = 0,    /* a bevel beyond its limit */
    PIETRA_JOIN_ROUND,
    PIETRA_JOIN_BEVEL,
    PIETRA_JOIN_MITER_CLIP,   /* a miter that is cut off at its limit */
    PIETRA_JOIN_ARCS,         /* edges run on with their curvature, cut off at the limit (SVG 2); dashes have PIETRA_JOIN_MITER_CLIP */
} pietra_join;

typedef struct pietra_stroke {
    double width;             /* user units; 0 or less draws nothing */
    pietra_cap cap;
    pietra_join join;
    double miter_limit;       /* 0: SVG's default, 4; below 1 counts as 1, below 0 is refused */
    const double *dashes;     /* lengths in user units, copied; an odd count is repeated once; a negative one, or a sum of 0: solid.
                               * NULL only without dashes */
    size_t dash_count;
    double dash_offset;       /* user units, of either sign: how far into the pattern a subpath starts */
} pietra_stroke;

/* ---- Scene ---- */

/* A scene is a list of drawing elements in paint order, nested by begin/end calls. Paths are given in their own user units with
 * the transform to the scene's units; the scene keeps them as they are, so it can be drawn at any size. All calls copy what they
 * are given, but for what a path refers to (pietra_path_refer). A failed call leaves the scene as it was. Nesting depth is limited by
 * memory alone. Clips, sources and groups end in the reverse of the order in which they began: an end call for anything but the innermost
 * open one fails. */
PIETRA_API pietra_scene *pietra_scene_create(void); /* NULL: out of memory */
PIETRA_API void pietra_scene_destroy(pietra_scene *scene);
/* Has release(user) called when the scene is destroyed. A failed call does not call it. */
PIETRA_API pietra_result pietra_scene_keep(pietra_scene *scene, void (*release)(void *user), void *user, pietra_error *error);

PIETRA_API pietra_result pietra_scene_fill(pietra_scene *scene, const pietra_path *path, const pietra_transform *transform,
                                           pietra_fill_rule rule, const pietra_paint *paint, pietra_error *error);
PIETRA_API pietra_result pietra_scene_stroke(pietra_scene *scene, const pietra_path *path, const pietra_transform *transform,
                                             const pietra_stroke *stroke, const pietra_paint *paint, pietra_error *error);

/* The rectangle (0, 0) to (width, height) of an image, a unit a pixel, under the transform. Where it stands upright its edges go to the
 * nearest pixels', so that images that meet do so without a seam. Opacity takes a group around it. */
PIETRA_API pietra_result pietra_scene_draw_image(pietra_scene *scene, const pietra_image *image, const pietra_transform *transform,
                                                 pietra_filter filter, pietra_error *error);

/* Whether the fills, strokes and clips that follow have crisp edges: no pixel is covered in part, and the edges of upright rectangles
 * go to the nearest pixels'. A scene starts without. NULL: nothing. */
PIETRA_API void pietra_scene_set_crisp_edges(pietra_scene *scene, bool crisp);

/* A number of the caller's that all elements to come carry, so that they can be told apart later; 0, with which a scene starts: none. A
 * stream that is encoded from the scene keeps labels beside its bytes, where the scene has any. The bytes do not depend on them. NULL:
 * nothing. */
PIETRA_API void pietra_scene_set_label(pietra_scene *scene, uint32_t label);

/* What stands between begin_clip and end_clip is painted as one layer, then limited to the inside of the path: two opaque shapes
 * under a clip edge of coverage 1/2 give 1/2. Clips do not isolate: what blends inside one sees what is below it. */
PIETRA_API pietra_result pietra_scene_begin_clip(pietra_scene *scene, const pietra_path *path, const pietra_transform *transform,
                                                 pietra_fill_rule rule, pietra_error *error);
/* A clip to the union of several shapes: what is filled between begin_clip_source and end_clip_source (fills, strokes, and clips
 * around them; paints are not looked at and may be NULL; no groups nor masks) gives the inside, 1 - product of (1 - coverage); what follows, up
 * to end_clip, is limited to it. An empty source clips everything away. */
PIETRA_API pietra_result pietra_scene_begin_clip_source(pietra_scene *scene, pietra_error *error);
PIETRA_API pietra_result pietra_scene_end_clip_source(pietra_scene *scene, pietra_error *error);
PIETRA_API pietra_result pietra_scene_end_clip(pietra_scene *scene, pietra_error *error);
/* An isolated group: painted as one layer, then laid over what is below with this opacity, 0 to 1, clamped. What blends inside it sees only
 * what the group has painted so far. A group of opacity 1 in which nothing blends costs nothing. */
PIETRA_API pietra_result pietra_scene_begin_group(pietra_scene *scene, float opacity, pietra_error *error);

/* W3C, Compositing and Blending Level 1, in its order. */
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
} pietra_blend;

/* A group, closed by end_group, that is mixed with what is below it by a blend mode; what is below is the content so far of the
 * innermost group or mask around, else the picture with its background. */
PIETRA_API pietra_result pietra_scene_begin_blended_group(pietra_scene *scene, float opacity, pietra_blend blend, pietra_error *error);
PIETRA_API pietra_result pietra_scene_end_group(pietra_scene *scene, pietra_error *error);

typedef enum pietra_mask_kind {
    PIETRA_MASK_ALPHA = 0,
    PIETRA_MASK_LUMINANCE,        /* 0.2125 R + 0.7154 G + 0.0721 B of the sRGB values, times alpha */
    PIETRA_MASK_LUMINANCE_LINEAR, /* the same of linearRGB */
} pietra_mask_kind;

/* What is painted between begin_mask_source and end_mask_source, anything at all, is not seen: its alpha or luminance, 0 outside of
 * it, is how much stays of what follows up to end_mask. A mask isolates its source and its content, each as a group does. */
PIETRA_API pietra_result pietra_scene_begin_mask_source(pietra_scene *scene, pietra_mask_kind kind, pietra_error *error);
PIETRA_API pietra_result pietra_scene_end_mask_source(pietra_scene *scene, pietra_error *error);
PIETRA_API pietra_result pietra_scene_end_mask(pietra_scene *scene, pietra_error *error);

/* Appends all elements of another scene under a transform. That one must be balanced; they may not be the same scene, and a clip's
 * source may not be open. Elements keep their labels; those without one get the label that is set. */
PIETRA_API pietra_result pietra_scene_append(pietra_scene *scene, const pietra_scene *other, const pietra_transform *transform, pietra_error *error);
/* The box, in the scene's units, of all that is painted: fills, and strokes as if they were solid, with their caps and joins. Clips and
 * masks are not looked at. False: nothing is painted. */
PIETRA_API bool pietra_scene_bounds(const pietra_scene *scene, pietra_box *box);
/* How far the scene has been filled, and the box of what was added between two such positions. */
PIETRA_API size_t pietra_scene_position(const pietra_scene *scene);
PIETRA_API bool pietra_scene_bounds_between(const pietra_scene *scene, size_t begin, size_t end, pietra_box *box);

/* ---- SVG ---- */

typedef void pietra_warning_function(void *user, uint32_t line, const char *message);

/* First the whole drawing with an empty id, then each element that has an id and draws something, in the order of the document; those that
 * are shown by others, as a marker's content is, do not count. The box is in the scene's units, strokes included, clips and masks not
 * looked at. */
typedef void pietra_svg_box_function(void *user, const char *id, const pietra_box *box);

/* An element of a document in a place where it is shown. Texts are valid during the call that gives them. */
typedef struct pietra_svg_origin {
    uint32_t line;            /* of the file, from 1 */
    const char *element;      /* "rect" */
    const char *id;           /* NULL: none */
    const char *file;         /* one that `use` shows parts of, below resources_directory; NULL: the document's own */
    uint32_t document;        /* 0: the outermost one, else a document in an image, numbered as they are read */
    uint32_t shown_by;        /* label of what shows it there: a use, a marker, a mask, a clipPath, a pattern, or the image with its document;
                               * 0: it stands there itself. A pattern is drawn once for all that it paints */
} pietra_svg_origin;

/* Told each label of the scene's elements once, before the first element that has it is added; they are numbered from 1. */
typedef void pietra_svg_origin_function(void *user, uint32_t label, const pietra_svg_origin *origin);

/* What one document may ask for, documents in its images and files that it uses included; 0: the default. Beyond a limit the document is
 * refused with PIETRA_ERROR_INPUT and a message that names the limit, or, where docs/limits.md says so, something is left out with a
 * warning. */
typedef struct pietra_svg_limits {
    uint64_t elements;        /* elements */
    uint64_t depth;           /* elements in one another */
    uint64_t steps;           /* steps of drawing beyond one for each element of the document */
    uint64_t tiles;           /* tiles of patterns beyond one for each element of the document */
    uint64_t attributes;      /* attributes of one element */
    uint64_t namespaces;      /* XML name spaces that are declared at one place */
    uint64_t entity_bytes;    /* bytes that entities and a DTD's defaults expand to */
    uint64_t unpacked_bytes;  /* bytes that are unpacked from gzip */
    uint64_t used_files;      /* other files of which parts are used */
    uint64_t used_bytes;      /* bytes of those files together */
    uint64_t document_depth;  /* documents in one another */
    uint64_t image_pixels;    /* pixels of all images together, again for each pattern that is drawn as a picture of them */
    uint64_t rules;           /* rules of all style sheets, with their declarations and each two bytes of selectors */
    uint64_t lengths;         /* lengths of all dash patterns */
    uint64_t selector_steps;  /* steps of matching rules and of applying them */
    uint64_t variables;       /* custom properties of all scopes */
    uint64_t value_bytes;     /* bytes of one value after var() is replaced */
    uint64_t replaced_bytes;  /* bytes of all values together that var() is replaced in, with what is kept of them */
} pietra_svg_limits;

/* A field of pietra_svg_limits. */
typedef struct pietra_svg_limit {
    const char *name;         /* the field's */
    uint64_t standard;        /* its default */
    const char *text;         /* what is counted */
} pietra_svg_limit;

/* The fields in their order; static. count may be NULL. Any thread. */
PIETRA_API const pietra_svg_limit *pietra_svg_limit_list(size_t *count);
/* Sets the field of that name. False: there is none. */
PIETRA_API bool pietra_svg_limits_set(pietra_svg_limits *limits, const char *name, uint64_t value);

typedef struct pietra_svg_options {
    double dpi;                          /* CSS pixels per inch for absolute units; 0: 96; negative ones are refused */
    double viewport_width, viewport_height; /* CSS pixels that percentages of the outermost svg refer to; 0: its viewBox, else 300 x 150;
                                             * negative ones are refused */
    pietra_svg_limits limits;            /* of what the document may ask for */
    const char *resources_directory;     /* images, style sheets and used documents are read from files below it; NULL: nothing
                                          * outside the bytes is read */
    const char *style_sheet;             /* CSS that comes before the document's own style sheets; NULL: none */
    const char *fragment;                /* what stands behind the # of the document's address: a view; NULL: none */
    const char *element_id;              /* the scene holds this element alone, in its place, without what its ancestors do to it but for
                                          * their transforms; NULL: all. One that is not there or draws nothing: PIETRA_ERROR_INPUT */
    pietra_svg_box_function *box;        /* told the boxes of the scene's elements on the caller's thread; NULL: nobody is */
    void *box_user;
    pietra_svg_origin_function *origin;  /* the scene's elements get labels (pietra_scene_set_label), and this is told on the caller's thread
                                          * what they stand for; NULL: they get none */
    void *origin_user;
    uint32_t threads;                    /* that read a large document; 0: one for each core */
    pietra_warning_function *warning;    /* called once for each kind of thing left out, on the caller's thread; NULL: silence */
    void *warning_user;
    void (*release)(void *user, const void *bytes); /* called once, when the bytes have been read and before the scene is built, so that their
                                             * memory can serve for that; also after a failure. NULL: the caller keeps them */
    void (*discard)(void *release_user, const void *bytes, size_t byte_count); /* called before that, on any thread, for pieces of the bytes
                                             * as soon as they have been read: their contents may be given up. NULL: nobody is told */
    void *release_user;
} pietra_svg_options;

/* Adds the picture of an SVG document (or a gzipped one) to an empty scene, which is empty again when that fails; one that holds
 * elements is refused. The scene's units are CSS pixels of the document's own size, given back in width and height (either may be
 * NULL); a side that the document leaves out follows from the other by the viewBox's aspect. The viewBox is already applied. Nothing
 * outside the bytes is read but below resources_directory. */
PIETRA_API pietra_result pietra_scene_load_svg(pietra_scene *scene, const void *bytes, size_t byte_count, const pietra_svg_options *options,
                                               pietra_error *error, double *width, double *height);

/* ---- Stream ---- */

typedef struct pietra_stream pietra_stream;

/* Encodes a balanced scene, on the caller's thread; one with something open is refused. The scene may be changed or destroyed
 * afterwards. */
PIETRA_API pietra_result pietra_stream_encode(const pietra_scene *scene, pietra_error *error, pietra_stream **stream);
/* The same on so many threads, which end with the call; 0: one for each core. More than it can use are not started. The stream is the
 * same, byte for byte, for any number. */
PIETRA_API pietra_result pietra_stream_encode_by(const pietra_scene *scene, uint32_t threads, pietra_error *error, pietra_stream **stream);
/* A stream from bytes of pietra_stream_bytes, of this version of the library, from wherever: checked in full before it is taken.
 * The bytes are copied. */
PIETRA_API pietra_result pietra_stream_open(const void *bytes, size_t byte_count, pietra_error *error, pietra_stream **stream);
/* The blob, owned by the stream, aligned to 4 bytes. byte_count may be NULL. */
PIETRA_API const void *pietra_stream_bytes(const pietra_stream *stream, size_t *byte_count);
PIETRA_API void pietra_stream_destroy(pietra_stream *stream);

/* ---- Device ---- */

typedef enum pietra_device_kind {
    PIETRA_DEVICE_AUTO = 0,   /* a hardware GPU if there is a usable one, else the CPU */
    PIETRA_DEVICE_CPU,
    PIETRA_DEVICE_GPU,        /* Vulkan; hardware before software */
    PIETRA_DEVICE_REFERENCE,  /* the pipeline in plain C, stage by stage: slow, the specification of the others */
} pietra_device_kind;

typedef struct pietra_device_info {
    pietra_device_kind kind;
    uint32_t gpu_index;       /* for PIETRA_DEVICE_GPU: what pietra_device_options.gpu_index takes */
    bool hardware;            /* not a software implementation of Vulkan */
    bool usable;
    char name[256];
    char missing[256];        /* what an unusable GPU lacks, comma separated */
    uint64_t memory_bytes;    /* of the largest heap local to the device; 0 for the CPU */
    uint64_t binding_limit_bytes; /* the largest buffer range a kernel may see */
} pietra_device_info;

/* Lists the devices: the CPU first, then GPUs as `gpu_index` counts them. Writes at most `capacity` infos (NULL only
 * where that is 0) and always the full count. Without Vulkan on the machine the list has the CPU alone. */
PIETRA_API pietra_result pietra_list_devices(size_t capacity, pietra_error *error, pietra_device_info *infos, size_t *count);

typedef struct pietra_device_options {
    pietra_device_kind kind;
    uint32_t gpu_index;       /* counted from 0 over the list's GPUs */
    bool by_index;            /* take gpu_index, also a software one */
    const char *gpu_name;     /* or the first whose name holds this text, case ignored; NULL: any */
    uint32_t threads;         /* of the CPU device; 0: all cores. More than it can use are not started */
    uint64_t memory_budget_bytes; /* for a frame's own buffers; 0: half of the device's memory, at most 4 GiB, and 1 GiB
                               * where that is the host's: of the CPU, the reference and Vulkan in software */
    bool validation;          /* Vulkan's validation layer with synchronization validation; its messages go to `log` */
    void (*log)(void *user, const char *message); /* validation and driver messages; NULL: dropped */
    void *log_user;
    const char *cache_directory; /* for compiled kernels; NULL: the user's cache directory; "": none. Not used where it or a file in it is
                                  * not the user's own, or others may write to it */
} pietra_device_options;

typedef struct pietra_device pietra_device;

PIETRA_API pietra_result pietra_device_create(const pietra_device_options *options, pietra_error *error, pietra_device **device);
PIETRA_API void pietra_device_destroy(pietra_device *device);
PIETRA_API void pietra_device_get_info(const pietra_device *device, pietra_device_info *info);

/* ---- Rendering ---- */

typedef enum pietra_format {
    PIETRA_FORMAT_RGBA8_STRAIGHT = 0,
    PIETRA_FORMAT_RGBA8_PREMULTIPLIED,
} pietra_format;

#define PIETRA_MAX_SIDE 32768u /* pixels */

typedef struct pietra_target {
    uint32_t width, height;   /* pixels, 1 to PIETRA_MAX_SIDE */
    pietra_format format;
    void *pixels;             /* rows from the top, R first; the caller's, height rows of them */
    size_t stride_bytes;      /* from row to row, at least 4 * width; 0: that */
    bool may_spoil;           /* the pixels may hold anything after a failure: a frame needs less memory beside them, and, if it is large,
                               * somewhat more time. The CPU device makes use of it, and GPUs for pictures that their kernels do not
                               * see at once */
} pietra_target;

typedef struct pietra_frame {
    pietra_transform transform; /* from the scene's units to pixels; numbers within +-1e18. With the scene's own transforms no scale is
                               * beyond 1e17 */
    pietra_color background;    /* laid below the scene; zero: transparent */
} pietra_frame;

#define PIETRA_MAX_STAGES 48

typedef struct pietra_stage_time {
    const char *name;         /* static */
    double milliseconds;
    uint64_t bytes;           /* of the buffers it writes */
} pietra_stage_time;

typedef struct pietra_stats {
    uint32_t elements, segments; /* of the stream */
    uint64_t lines, records, entries;
    uint32_t passes;          /* times the frame was run because a buffer was too small, the last included */
    uint32_t parts;           /* pieces the frame was drawn in to keep within the budget */
    double upload_ms;         /* stream to device; 0 when it was resident */
    double frame_ms;          /* submit to done of the last pass, without reading back */
    double gpu_ms;            /* first to last timestamp; 0 on the CPU */
    double read_ms;
    uint64_t memory_bytes;    /* peak of the frame's buffers and the picture on the device; the budget is for the buffers */
    uint32_t stage_count;
    pietra_stage_time stages[PIETRA_MAX_STAGES];
} pietra_stats;

/* Draws one frame and waits for it. The device keeps the last stream and its buffers, so that drawing it again costs no upload
 * and no allocation, but for blocks of lines now and then where several threads of the CPU draw more than one batch of them. On failure the target is untouched, unless it may spoil. frame NULL: identity, transparent. stats may be NULL. */
PIETRA_API pietra_result pietra_render(pietra_device *device, const pietra_stream *stream, const pietra_frame *frame, const pietra_target *target,
                                       pietra_error *error, pietra_stats *stats);

#ifdef __cplusplus
}
#endif

#endif
