/* The walk: from a document's tree to calls that build a scene.
 *
 * An element is visited once for each place in which it is shown: `use` is walked in its place, with the style of the
 * `use` as the parent's. Nothing calls itself: what is open is a stack of frames, so depth is limited by memory alone.
 * The same walk serves three purposes, its modes: drawing, the inside of a clipPath, and the box of a group. */
#ifndef PIETRA_SVG_DRAW_WALK_H
#define PIETRA_SVG_DRAW_WALK_H

#include "base/arena.h"
#include "base/array.h"
#include "base/hash.h"
#include "svg/draw/walk_frame.h"
#include "svg/tree/document.h"
#include "svg/style/style.h"
#include "svg/draw/frame_cost.h"
#include "svg/draw/marker_position.h"
#include "svg/tree/viewport.h"
#include "svg/tree/warnings.h"

/* What a fill or a stroke is painted with. */
typedef struct svg_source {
    bool painted;
    uint32_t pattern;       /* SVG_NO_NODE: `paint` is all */
    pietra_paint paint;     /* of a pattern: its opacity */
    svg_extent extent;      /* of a pattern: the box of the element that asks for it, */
    pietra_transform space; /* the element's user space to the scene, */
    double width, height;   /* and the viewport that lengths refer to */
    bool fallback;          /* of a pattern that cannot be used: `fallback_color` paints instead */
    pietra_color fallback_color;
} svg_source;

/* The element that shows others by markers or `use`. */
typedef struct svg_context {
    svg_source fill, stroke;
    pietra_transform space; /* in which their paints lie, to the scene */
} svg_context;

typedef struct svg_boxes svg_boxes;
typedef struct svg_origins svg_origins;

/* Labels of what shows a frame's own element and its content where they are. */
typedef struct svg_shown {
    uint32_t itself, content;
} svg_shown;

/* A pattern as a fill or a stroke asks for it. */
typedef struct svg_cell_grid {
    uint32_t content;                 /* the node whose children are drawn */
    uint32_t pattern;                 /* the node that was asked for */
    pietra_transform space;           /* of the pattern to the scene */
    pietra_transform local;           /* of the content to a cell with its corner at the origin */
    svg_rectangle cell;               /* the first cell */
    double inner_width, inner_height; /* the viewport of the content's lengths */
    bool clipped;                     /* what is drawn in a cell is cut off at its border */
    pietra_box region;                /* the visible box, in the scene's space */
} svg_cell_grid;

/* All that the content of a cell depends on. The cell's scene has the cell's corner as its origin. */
typedef struct svg_cell_key {
    uint32_t content;
    uint32_t clipped;
    pietra_transform space, local; /* as the tiling's, but for the translation of space */
    double width, height, inner_width, inner_height;
} svg_cell_key;

_Static_assert(sizeof(svg_cell_key) == 2 * sizeof(uint32_t) + 16 * sizeof(double), "keys are compared as bytes");

/* Whether a cell's picture depends on the space in which it was drawn, and by what. Without a flag it is drawn once for
 * all spaces. */
#define SVG_CELL_SCALED 1u /* other cells in it were drawn one by one or as images, by their sizes there */
#define SVG_CELL_EXACT 2u  /* outlines that do not scale */

typedef struct svg_cell_drawing {
    svg_cell_key key;
    unsigned shows; /* SVG_CELL_... */
    pietra_scene *scene;
    pietra_box box;           /* of what it paints */
    bool some;                /* whether it paints anything */
    uint64_t weight;          /* elements that were visited for it */
    uint64_t segments;        /* of their paths */
    uint64_t pixels;          /* of images in it */
    pietra_image *image;      /* the cell as an image that repeats; NULL: not needed yet */
    pietra_scene *outer;      /* while the cell is being drawn: the scene around it, */
    unsigned outer_shows;     /* that scene's SVG_CELL_... so far, */
    pietra_box outer_visible; /* its visible box, */
    bool outer_is_aliased;    /* how its edges are drawn, */
    svg_boxes *outer_boxes;   /* and its gathered boxes */
} svg_cell_drawing;

/* The style of a node where it stands in the document, not where it is shown: what gradients and clipPaths, which are
 * never shown themselves, inherit. */
typedef struct svg_style_in_place {
    uint32_t node;
    svg_inherited inherited;
    svg_noninherited noninherited;
} svg_style_in_place;

/* The box of a node's content in its own user space, with all that it depends on. */
typedef struct svg_known_extent {
    uint32_t node, shown_by;
    double outer_font_size, width, height;
    svg_extent extent;
} svg_known_extent;

typedef struct svg_gradient svg_gradient;
typedef struct svg_image_content svg_image_content;

/* The content that an image element shows. */
typedef struct svg_image_use {
    uint32_t document, node;
    svg_image_content *content;
} svg_image_use;

/* The state that the walks of all documents share. Zero bytes are an empty state. svg_image_contents_free frees it. */
typedef struct svg_common {
    svg_frame_cost *frame_cost; /* of the outermost document's scene */
    uint64_t met;               /* elements, each time, as svg_walk_meet counts them */
    uint64_t cell_segments;     /* of the cells that were drawn one by one */
    uint32_t document_count;    /* documents in images that have been read */
    ARRAY(svg_image_use) image_uses;
    hash_table image_use_table;                /* by document and node */
    ARRAY(svg_image_content *) image_contents; /* each once, whatever shows it and how often */
    hash_table image_content_table;            /* by reference */
} svg_common;

typedef struct svg_walk {
    svg_document *document;
    pietra_scene *scene;
    svg_warnings *warnings;
    pietra_error *error;
    svg_common *common;
    unsigned depth;          /* of a document shown by others */
    uint32_t node;           /* the node at hand */
    pietra_transform base;   /* of the outermost viewport to the scene */
    pietra_box visible;      /* the visible box, in the scene's space */
    uint32_t only;           /* the element that is drawn alone; SVG_NO_NODE: all are */
    svg_boxes *boxes;        /* NULL: nobody asks for them */
    svg_origins *origins;    /* NULL: likewise */
    uint32_t document_label; /* of the image that shows this document; 0: none does */
    uint32_t label;          /* that the scene was given last */
    ARRAY(svg_shown) shown;  /* of open frames, where there are origins */
    double root_font_size, root_width, root_height;
    bool is_aliased;        /* whether the scene's next edges are aliased */
    pietra_path *path;      /* of the shape at hand */
    pietra_path *clip_path; /* of a clip around it */
    ARRAY(svg_walk_frame) frames;
    ARRAY(svg_inherited) styles;           /* of open frames */
    ARRAY(svg_context) contexts;           /* of open frames */
    svg_marker_positions marker_positions; /* of open frames */
    ARRAY(double) dashes;                  /* of the stroke at hand */
    uint8_t *flags;                        /* SVG_NODE_... of each node */
    arena arena;                           /* of styles in place and gradients */
    hash_table style_in_place_table;
    ARRAY(const svg_style_in_place *) styles_in_place;
    hash_table gradient_table;
    ARRAY(const svg_gradient *) gradients;
    hash_table cell_table;
    ARRAY(svg_cell_drawing) cells;
    unsigned shows;         /* of the cell that is being drawn, so far: SVG_CELL_... */
    uint64_t segments;      /* of paths that were drawn, those that cells repeat included */
    uint64_t pixels;        /* of images that were drawn */
    unsigned pattern_depth; /* of cells that are being drawn in one another, those around the document included */
    hash_table extent_table;
    ARRAY(svg_known_extent) extents;
} svg_walk;

#define SVG_NODE_CIRCULAR 1u   /* a `use` that would show itself */
#define SVG_NODE_CLIPPING 2u   /* a clipPath that is being worked out */
#define SVG_NODE_CHAINED 4u    /* a gradient or pattern met on the way along hrefs */
#define SVG_NODE_MARKING 8u    /* a marker that is being drawn */
#define SVG_NODE_MASKING 32u   /* a mask whose content is being drawn */
#define SVG_NODE_REPEATING 16u /* a pattern that is being drawn */

/* Fills the scene from the document. `width` and `height` are the outermost viewport in CSS pixels. The caller gives
 * document, scene, warnings, error, common, base, visible (what can be seen around it), only, boxes, origins and, of a
 * document in a document, depth and pattern_depth in an otherwise zero walk. It frees the walk with svg_walk_free
 * whatever the result. A walk of the same document and size may run again, with another scene, base, visible, depth
 * and pattern_depth. It keeps what it has found out about the document. */
pietra_result svg_walk_run(svg_walk *walk, double width, double height);
void svg_walk_free(svg_walk *walk);

/* Passes a scene's result on; a failure gets the node's line. */
pietra_result svg_walk_check(const svg_walk *walk, uint32_t node, pietra_result result);
/* Spends what work costs, which `use` bombs run into: `count` times so many thousandths of a step (SVG_STEP_...). */
pietra_result svg_walk_spend(svg_walk *walk, uint32_t node, uint64_t thousandths, uint64_t count);
/* Spends the cost of meeting `count` elements. */
pietra_result svg_walk_meet(svg_walk *walk, uint32_t node, uint64_t count);
/* Takes what a gradient or a pattern says from one of the nodes along its hrefs. */
typedef pietra_result svg_link_function(svg_walk *walk, uint32_t node, void *user);
/* Calls the function for the first node and those along its hrefs. A reference to nothing, to another kind or back ends
 * them: it is in error. */
pietra_result svg_walk_follow_hrefs(svg_walk *walk, uint32_t first, bool (*is_link)(uint8_t element),
                                    svg_link_function *take, void *user);
/* Spends from time to time what drawing a frame of the scene costs, as far as the scene has come. */
pietra_result svg_walk_spend_frame(svg_walk *walk, uint32_t node);
/* Spends the cost of a path that is shown. */
pietra_result svg_walk_spend_path(svg_walk *walk, uint32_t node);
/* Spends the cost of measuring a shape's length. */
pietra_result svg_walk_spend_length(svg_walk *walk, uint32_t node);
/* The number of segments of a node's path, or 0 if it has none. */
uint64_t svg_walk_segments(const svg_walk *walk, uint32_t node);
svg_metrics svg_walk_metrics(const svg_walk *walk, double font_size, double width, double height);
/* The node's own transform, about its origin. False: it has no inverse, so that nothing of the element is drawn (SVG 2,
 * 8.5). */
bool svg_walk_transform(const svg_walk *walk, uint32_t node, const svg_metrics *metrics, pietra_transform *transform);
/* Finds the box of walk->path. Returns false if the path is empty or bad, or if memory is short; the budget then
 * records the shortage. */
bool svg_walk_bounds(const svg_walk *walk, pietra_box *box);
/* Returns the node that a `use` shows, or SVG_NO_NODE if it shows nothing. */
uint32_t svg_walk_use_target(const svg_walk *walk, uint32_t node);

/* Sets whether the edges of the next fill, stroke or clip are aliased. */
void svg_walk_set_edges(svg_walk *walk, bool aliased);
/* Adds a frame. If `style` is not NULL, the frame gets a copy of it; otherwise frame->style stays. */
pietra_result svg_walk_push(svg_walk *walk, const svg_walk_frame *frame, const svg_inherited *style);
/* Decides by style and opacity which clips and which group a frame that is about to be pushed has. */
pietra_result svg_walk_open(svg_walk *walk, svg_walk_frame *frame);
/* Whether an element of this style must be a group, whatever its opacity. `clipped`: it has clips or a mask. Isolation
 * is visible only if something in the document blends, so the result is false otherwise. */
bool svg_walk_isolates(const svg_walk *walk, const svg_noninherited *noninherited, bool clipped);

/* NULL: out of memory. Valid for the whole walk. */
const svg_style_in_place *svg_walk_style_in_place(svg_walk *walk, uint32_t node);

#endif
