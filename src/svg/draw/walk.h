/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The walk: it turns the tree of a document into calls that build a scene.
 *
 * An element is visited once for each place in which it is shown. The target of a `use` is visited at the place of the
 * `use`, whose style is its parent style. No function calls itself. The open elements are a stack of frames, so that
 * only memory limits the depth. The same walk has three modes: drawing, the inside of a clipPath, and the box of a
 * group. */
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

/* The paint of a fill or a stroke. */
typedef struct svg_source {
    bool painted;
    uint32_t pattern;       /* the pattern; SVG_NO_NODE if `paint` is not a pattern */
    pietra_paint paint;     /* the paint; of a pattern only its opacity */
    svg_extent extent;      /* box of the element that uses a pattern */
    pietra_transform space; /* leads from the user space of that element to the scene */
    double width, height;   /* size of the viewport of a pattern's lengths */
    bool fallback;          /* `fallback_color` paints if the pattern cannot be used */
    pietra_color fallback_color;
} svg_source;

/* The element that shows others by markers or `use`. */
typedef struct svg_context {
    svg_source fill, stroke;
    pietra_transform space; /* leads from the space of their paints to the scene */
} svg_context;

typedef struct svg_boxes svg_boxes;
typedef struct svg_origins svg_origins;

/* The label of what shows the own element of a frame, and the label of what shows its content. */
typedef struct svg_shown {
    uint32_t itself, content;
} svg_shown;

/* A pattern as a fill or a stroke asks for it. */
typedef struct svg_cell_grid {
    uint32_t content;                 /* the node whose children are drawn */
    uint32_t pattern;                 /* the node that was asked for */
    pietra_transform space;           /* leads from the pattern to the scene */
    pietra_transform local;           /* leads from the content to a cell with its corner at the origin */
    svg_rectangle cell;               /* the first cell */
    double inner_width, inner_height; /* the viewport of the content's lengths */
    bool clipped;                     /* what is drawn in a cell is cut off at its border */
    pietra_box region;                /* the visible box, in the scene's space */
} svg_cell_grid;

/* All that the content of a cell depends on. The cell's scene has the cell's corner as its origin. */
typedef struct svg_cell_key {
    uint32_t content;
    uint32_t clipped;
    pietra_transform space, local; /* as `space` and `local` of the pattern, but for the translation of space */
    double width, height, inner_width, inner_height;
} svg_cell_key;

_Static_assert(sizeof(svg_cell_key) == 2 * sizeof(uint32_t) + 16 * sizeof(double), "keys are compared as bytes");

/* Flags that say why the picture of a cell depends on the space in which it was drawn. A cell without flags is drawn
 * once for all spaces. */
#define SVG_CELL_SCALED 1u /* cells in it were drawn one by one or as images, by their size there */
#define SVG_CELL_EXACT 2u  /* outlines that do not scale */

typedef struct svg_cell_drawing {
    svg_cell_key key;
    unsigned shows; /* SVG_CELL_... */
    pietra_scene *scene;
    pietra_box box;           /* box of what it paints */
    bool some;                /* whether it paints anything */
    uint64_t weight;          /* elements that were visited for it */
    uint64_t segments;        /* segments of their paths */
    uint64_t pixels;          /* pixels of images in it */
    pietra_image *image;      /* the cell as an image that repeats; NULL: not needed yet */
    pietra_scene *outer;      /* while the cell is being drawn: the scene around it, */
    unsigned outer_shows;     /* the SVG_CELL_... that that scene shows so far */
    svg_extent outer_effects; /* what effects in it reach so far */
    pietra_box outer_visible; /* its visible box, */
    bool outer_is_aliased;    /* how its edges are drawn, */
    svg_boxes *outer_boxes;   /* the boxes that that scene gathered so far */
} svg_cell_drawing;

/* An element that feImage shows, drawn. */
typedef struct svg_filter_picture {
    pietra_scene *scene;
    uint32_t function; /* place of its filter in the list of the element */
    uint32_t filter;
    pietra_scene *outer;      /* the scene around it, */
    pietra_box outer_visible; /* its visible box, */
    bool outer_is_aliased;    /* how its edges are drawn, */
    svg_boxes *outer_boxes;   /* the boxes that it gathered so far */
    uint32_t outer_label;     /* the label that it was given last */
} svg_filter_picture;

/* The style of a node at its own place in the document, not where it is shown. Gradients and clipPaths, which are never
 * shown themselves, inherit this style. */
typedef struct svg_style_in_place {
    uint32_t node;
    svg_inherited inherited;
    svg_noninherited noninherited;
} svg_style_in_place;

/* The box of a node's content in its own user space, with all on which it depends. */
typedef struct svg_known_extent {
    uint32_t node, shown_by;
    double outer_font_size, width, height;
    svg_extent extent;
} svg_known_extent;

typedef struct svg_gradient svg_gradient;
typedef struct svg_text_pictures svg_text_pictures;
typedef struct svg_image_content svg_image_content;

/* The content that an image element shows. */
typedef struct svg_image_use {
    uint32_t document, node;
    svg_image_content *content;
} svg_image_use;

#define SVG_PLANS 4096u /* remainders of checksums of features and languages */

/* The state that the walks of all documents share. Zero bytes are an empty state. svg_image_contents_free frees it. */
typedef struct svg_common {
    svg_frame_cost *frame_cost;      /* cost of the outermost document's scene */
    uint64_t met;                    /* elements that were met, each time, as svg_walk_meet counts them */
    uint64_t cell_segments;          /* segments of the cells that were drawn one by one */
    struct svg_resources *resources; /* NULL: nobody asks for them */
    uint32_t document_count;         /* documents in images that have been read */
    /* Features and languages in which texts were laid out: a bit for each remainder of a checksum, and how many. */
    uint64_t plans[SVG_PLANS / 64];
    uint32_t plan_count;
    hash_table missing; /* characters that no font has and of which the caller was warned */
    ARRAY(svg_image_use) image_uses;
    hash_table image_use_table;                /* finds them by document and node */
    ARRAY(svg_image_content *) image_contents; /* each once, whatever shows it and how often */
    hash_table image_content_table;            /* finds them by reference */
} svg_common;

typedef struct svg_walk {
    svg_document *document;
    pietra_scene *scene;
    svg_warnings *warnings;
    pietra_error *error;
    svg_common *common;
    unsigned depth;          /* depth of a document that others show */
    uint32_t node;           /* the node at hand */
    pietra_transform base;   /* leads from the outermost viewport to the scene */
    pietra_box visible;      /* the visible box, in the scene's space */
    uint32_t only;           /* the element that is drawn alone; SVG_NO_NODE: all are */
    svg_boxes *boxes;        /* NULL: nobody asks for them */
    svg_origins *origins;    /* NULL: likewise */
    uint32_t document_label; /* label of the image that shows this document; 0: none does */
    uint32_t label;          /* label that the scene was given last */
    ARRAY(svg_shown) shown;  /* what open frames show, where there are origins */
    double root_font_size, root_width, root_height;
    bool is_aliased;        /* whether the scene's next edges are aliased */
    pietra_path *path;      /* path of the shape at hand */
    pietra_path *clip_path; /* path of a clip around that shape */
    ARRAY(svg_walk_frame) frames;
    ARRAY(svg_inherited) styles;           /* open frames' */
    ARRAY(svg_context) contexts;           /* open frames' */
    svg_marker_positions marker_positions; /* open frames' */
    ARRAY(double) dashes;                  /* dashes of the stroke at hand */
    uint8_t *flags;                        /* SVG_NODE_... of each node */
    arena arena;                           /* holds styles in place and gradients */
    hash_table style_in_place_table;
    ARRAY(const svg_style_in_place *) styles_in_place;
    hash_table gradient_table;
    ARRAY(const svg_gradient *) gradients;
    hash_table cell_table;
    ARRAY(svg_cell_drawing) cells;
    uint64_t kept_segments; /* of cells that are drawn and not forgotten */
    ARRAY(svg_filter_picture) filter_pictures;
    unsigned shows;                 /* SVG_CELL_... of the cell that is being drawn, so far */
    svg_extent effects;             /* what effects in that cell reach so far, in its scene */
    uint64_t segments;              /* segments of paths that were drawn, with those that cells repeat */
    uint64_t pixels;                /* pixels of images that were drawn */
    unsigned pattern_depth;         /* depth of cells in cells that are being drawn, with those around the document */
    ARRAY(svg_text_layout *) texts; /* layouts, owned */
    pietra_fonts *fonts;            /* in which text is set, owned; NULL: there was none so far */
    svg_text_pictures *pictures;    /* pictures of glyphs, owned; NULL: none was drawn so far */
    hash_table extent_table;
    ARRAY(svg_known_extent) extents;
} svg_walk;

#define SVG_NODE_CIRCULAR 1u   /* a `use` that would show itself */
#define SVG_NODE_CLIPPING 2u   /* a clipPath that is being worked out */
#define SVG_NODE_CHAINED 4u    /* a gradient or pattern met on the way along hrefs */
#define SVG_NODE_MARKING 8u    /* a marker that is being drawn */
#define SVG_NODE_MASKING 32u   /* a mask whose content is being drawn */
#define SVG_NODE_REPEATING 16u /* a pattern that is being drawn */
#define SVG_NODE_FILTERING 64u /* a filter whose pictures are being drawn */

/* Fills the scene from the document. `width` and `height` are the outermost viewport in CSS pixels. The caller gives
 * document, scene, warnings, error, common, base, visible (what can be seen around it), only, boxes, origins and, of a
 * document in a document, depth and pattern_depth in an otherwise zero walk. It frees the walk with svg_walk_free
 * whatever the result. A walk of the same document and size may run again, with another scene, base, visible, depth
 * and pattern_depth. It keeps what it has found out about the document. */
pietra_result svg_walk_run(svg_walk *walk, double width, double height);
void svg_walk_free(svg_walk *walk);

/* Returns the result of a scene's function. The error of a failure gets the line of the node. */
pietra_result svg_walk_check(const svg_walk *walk, uint32_t node, pietra_result result);
/* Spends the cost of work: `count` times `thousandths` of a step (SVG_STEP_...). This stops `use` bombs. */
pietra_result svg_walk_spend(svg_walk *walk, uint32_t node, uint64_t thousandths, uint64_t count);
/* Spends the cost of meeting `count` elements. */
pietra_result svg_walk_meet(svg_walk *walk, uint32_t node, uint64_t count);
/* The function takes the attributes of a gradient or a pattern from one of the nodes along its hrefs. */
typedef pietra_result svg_link_function(svg_walk *walk, uint32_t node, void *user);
/* Calls the function for the first node and for the nodes along its hrefs. A reference to nothing, to an element of
 * another kind, or back to a node met before is in error and ends the chain. */
pietra_result svg_walk_follow_hrefs(svg_walk *walk, uint32_t first, bool (*is_link)(uint16_t element),
                                    svg_link_function *take, void *user);
/* Spends the cost of drawing a frame of the scene as built so far. Most calls do nothing; the cost is spent from time
 * to time. */
pietra_result svg_walk_spend_frame(svg_walk *walk, uint32_t node);
/* Spends the cost of a path that is shown. */
pietra_result svg_walk_spend_path(svg_walk *walk, uint32_t node);
/* Spends the cost of measuring a shape's length. */
pietra_result svg_walk_spend_length(svg_walk *walk, uint32_t node);
/* Returns the number of segments of a node's path, or 0 if it has none. */
uint64_t svg_walk_segments(const svg_walk *walk, uint32_t node);
svg_metrics svg_walk_metrics(const svg_walk *walk, double font_size, double width, double height);
/* Finds the own transform of a node, about its origin. Returns false if it has no inverse; nothing of the element is
 * then drawn (SVG 2, 8.5). */
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
/* Returns whether an element of this style must be a group, whatever its opacity. `clipped`: it has clips or a mask.
 * Isolation is visible only if something in the document blends, so the result is false otherwise. */
bool svg_walk_isolates(const svg_walk *walk, const svg_noninherited *noninherited, bool clipped);

/* Returns the style of a node at its own place, valid for the whole walk, or NULL if memory is short. */
const svg_style_in_place *svg_walk_style_in_place(svg_walk *walk, uint32_t node);

#endif
