/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The state of the walk for each open element: a walk frame. Its kind says which member of its union holds. */
#ifndef PIETRA_SVG_DRAW_WALK_FRAME_H
#define PIETRA_SVG_DRAW_WALK_FRAME_H

#include <stddef.h>

#include "svg/style/style.h"
#include "svg/tree/viewport.h"

typedef enum svg_mode {
    SVG_MODE_DRAW,
    SVG_MODE_CLIP, /* shapes are filled by clip-rule into the source of a clip */
    SVG_MODE_BOX,  /* shapes add to a box; nothing is drawn */
} svg_mode;

/* A box of geometry. The box of a line is flat, but it exists. */
typedef struct svg_extent {
    pietra_box box;
    /* the box with strokes as if they were solid; equal to `box` unless the document uses it somewhere */
    pietra_box stroke;
    bool some;
} svg_extent;

typedef struct svg_text_layout svg_text_layout;

/* An element in one of its places. */
typedef struct svg_instance {
    uint32_t node;
    uint8_t mode; /* svg_mode */
    /* leads from its user space to the scene, or in BOX mode to the space of the frame that gathers the box */
    pietra_transform transform;
    double width, height; /* viewport of its lengths */
    double opacity;       /* its own, times what ancestors handed on instead of making a group */
    uint32_t context;     /* number of the context of context-fill and context-stroke, from 1; 0: none */
    bool in_place;        /* it stands in its own place in the document: no `use`, pattern and the like shows it */
    const svg_text_layout *text; /* layout of a piece of text; else NULL */
    uint32_t piece;
    svg_noninherited noninherited;
} svg_instance;

/* The children that are still to be visited, and their space. */
typedef struct svg_children {
    uint32_t next, end;     /* nodes */
    uint32_t shown_by;      /* the `use` that shows the element; SVG_NO_NODE if none does */
    double outer_font_size; /* font size of the parent of the element */
    pietra_transform local; /* leads from the user space of the children to that of the element */
    double width, height;   /* viewport of their lengths */
    double handed_opacity;  /* opacity that an only child takes instead of a group */
} svg_children;

/* What begins before an element is drawn and ends after it: masks, clips, a group, filters, a clip to a viewport. */
typedef struct svg_effects {
    bool skipped; /* it is clipped or masked away */
    bool masked;
    bool mask_joined;               /* its layers share the source of one mask, which has begun */
    bool mask_open;                 /* a layer has been drawn and is to be composited */
    bool clip_shape;                /* a clip to a shape of CSS is to begin */
    bool group;                     /* a group of instance.opacity and its blend mode begins and ends */
    bool group_outside;             /* the group lies around the clips, not inside of them */
    bool filtered;                  /* filters are to begin */
    bool filter_shows;              /* one of them shows something */
    bool filter_fails;              /* one of them shows nothing */
    bool viewport_clip;             /* a clip to `viewport` begins and ends */
    bool viewport_outside;          /* `viewport` is in the space around the element */
    uint32_t mask_next;             /* layers of its mask that have begun */
    uint32_t mask_count;            /* masks begun, to be ended */
    uint32_t clip_first, clip_next; /* chain of clipPaths, begun up to clip_next; SVG_NO_NODE: none left */
    uint32_t chain_count;           /* clipPaths of the chain that were met so far */
    uint32_t clip_count;            /* clips begun, to be ended */
    uint32_t function_next;         /* the part of the list of filters whose pictures are drawn next */
    uint32_t primitive_next;        /* the feImage in it that was drawn last; SVG_NO_NODE: none was */
    uint32_t picture_first;         /* its first picture in walk->filter_pictures */
    uint32_t filter_count;          /* effects of the scene begun, to be ended */
    size_t filter_position;         /* where they began in the scene */
    double filter_reach;            /* how far those without a region reach beyond what they hold, in its user space */
    pietra_box outer_visible;       /* walk->visible around them */
    svg_rectangle viewport;         /* in its user space, or in the space around it */
    pietra_transform around;        /* leads from the space around it to the scene */
} svg_effects;

/* Markers of a shape that are still to be drawn. */
typedef struct svg_shape_markers {
    uint32_t begin, next, end; /* their positions */
    uint32_t context;          /* number of their context for context-fill */
    bool marked_start;         /* marker-start of its only position has been drawn */
} svg_shape_markers;

/* The user of a box that is gathered. */
typedef enum svg_gather_purpose {
    SVG_GATHER_FOR_PARENT, /* the frame to which the parent of the element adds */
    SVG_GATHER_FOR_ITSELF, /* the element, which is visited again when its box is known */
    SVG_GATHER_FOR_OWNER,  /* the frame below */
} svg_gather_purpose;

typedef enum svg_walk_frame_kind {
    SVG_WALK_FRAME_CONTAINER,   /* an element with children; for a `use`, its target */
    SVG_WALK_FRAME_SHAPE,       /* a shape that is drawn in steps */
    SVG_WALK_FRAME_MARKER,      /* the children of a marker, for the shape below */
    SVG_WALK_FRAME_CELL,        /* the children of a pattern, into a scene of their own */
    SVG_WALK_FRAME_MASK_SOURCE, /* the children of a mask, for the frame below */
    SVG_WALK_FRAME_CLIP_SOURCE, /* the children of a clipPath, for the frame below */
    SVG_WALK_FRAME_PICTURE,     /* an element that feImage shows, into a scene of its own */
    SVG_WALK_FRAME_TEXT,        /* a text, or an element of it with effects */
    SVG_WALK_FRAME_BOX,         /* all children that are visited in BOX mode */
} svg_walk_frame_kind;

/* What a frame does next. */
typedef enum svg_phase {
    SVG_PHASE_CONTEXT, /* finds out what context-fill means inside */
    SVG_PHASE_GROUP,
    SVG_PHASE_MASK,
    SVG_PHASE_CLIPS,
    SVG_PHASE_FILTER,
    SVG_PHASE_OPEN,
    SVG_PHASE_BODY,
} svg_phase;

typedef struct svg_container_frame {
    svg_children children;
    svg_effects effects;
} svg_container_frame;

typedef struct svg_shape_frame {
    svg_effects effects;
    svg_shape_markers markers;
    uint8_t step; /* how many steps of painting have begun */
    bool whole;   /* it can be drawn at once */
} svg_shape_frame;

typedef struct svg_marker_frame {
    svg_children children;
    svg_effects effects;
} svg_marker_frame;

typedef struct svg_cell_frame {
    svg_children children;
    uint32_t pattern; /* the pattern node that was asked for */
    uint32_t drawing; /* index of the cell that is being drawn */
} svg_cell_frame;

typedef struct svg_mask_frame {
    svg_children children;
    svg_effects effects;
} svg_mask_frame;

typedef struct svg_clip_frame {
    svg_children children;
} svg_clip_frame;

typedef struct svg_picture_frame {
    svg_children children;
} svg_picture_frame;

typedef struct svg_text_frame {
    svg_effects effects;
    svg_text_layout *layout;
    uint32_t next, end; /* pieces */
} svg_text_frame;

typedef struct svg_box_frame {
    svg_children children;
    uint8_t purpose;         /* svg_gather_purpose */
    uint32_t gatherer;       /* the frame to whose box the children add; it may be this one */
    uint32_t outer_gatherer; /* if this frame gathers: the next gatherer outwards; `outward` maps the box to it */
    pietra_transform outward;
} svg_box_frame;

typedef struct svg_walk_frame {
    svg_instance instance;
    uint8_t kind;  /* svg_walk_frame_kind */
    uint8_t phase; /* svg_phase */
    bool extent_known;
    bool boxed;            /* walk->boxes has a box open for it */
    uint32_t style;        /* index of its inherited style */
    uint32_t style_mark;   /* number of styles before this frame */
    uint32_t context_mark; /* number of contexts before this frame */
    svg_extent extent;
    union {
        svg_container_frame container;
        svg_shape_frame shape;
        svg_marker_frame marker;
        svg_cell_frame cell;
        svg_mask_frame mask;
        svg_clip_frame clip;
        svg_picture_frame picture;
        svg_text_frame text;
        svg_box_frame box;
    };
} svg_walk_frame;

/* Returns NULL if the kind of the frame has no children. */
static inline svg_children *svg_walk_frame_children(svg_walk_frame *frame)
{
    switch ((svg_walk_frame_kind)frame->kind) {
    case SVG_WALK_FRAME_CONTAINER:
        return &frame->container.children;
    case SVG_WALK_FRAME_MARKER:
        return &frame->marker.children;
    case SVG_WALK_FRAME_CELL:
        return &frame->cell.children;
    case SVG_WALK_FRAME_MASK_SOURCE:
        return &frame->mask.children;
    case SVG_WALK_FRAME_CLIP_SOURCE:
        return &frame->clip.children;
    case SVG_WALK_FRAME_PICTURE:
        return &frame->picture.children;
    case SVG_WALK_FRAME_BOX:
        return &frame->box.children;
    case SVG_WALK_FRAME_SHAPE:
    case SVG_WALK_FRAME_TEXT:
        break;
    }
    return NULL;
}

/* Returns NULL if the kind of the frame has no effects. */
static inline svg_effects *svg_walk_frame_effects(svg_walk_frame *frame)
{
    switch ((svg_walk_frame_kind)frame->kind) {
    case SVG_WALK_FRAME_CONTAINER:
        return &frame->container.effects;
    case SVG_WALK_FRAME_SHAPE:
        return &frame->shape.effects;
    case SVG_WALK_FRAME_MARKER:
        return &frame->marker.effects;
    case SVG_WALK_FRAME_MASK_SOURCE:
        return &frame->mask.effects;
    case SVG_WALK_FRAME_TEXT:
        return &frame->text.effects;
    case SVG_WALK_FRAME_CELL:
    case SVG_WALK_FRAME_CLIP_SOURCE:
    case SVG_WALK_FRAME_PICTURE:
    case SVG_WALK_FRAME_BOX:
        break;
    }
    return NULL;
}

#endif
