/* What the walk keeps of each element that is open: a walk frame, whose kind says which member of its union holds. */
#ifndef PIETRA_SVG_DRAW_WALK_FRAME_H
#define PIETRA_SVG_DRAW_WALK_FRAME_H

#include <stddef.h>

#include "svg/style/style.h"
#include "svg/tree/viewport.h"

typedef enum svg_mode {
    SVG_MODE_DRAW,
    SVG_MODE_CLIP, /* shapes are filled by clip-rule into a clip's source */
    SVG_MODE_BOX,  /* shapes add to a box, nothing is drawn */
} svg_mode;

/* A box of geometry. It may be flat and still there: a line's. */
typedef struct svg_extent {
    pietra_box box;
    /* with strokes, as if they were solid; the same as `box` unless the document asks for it anywhere */
    pietra_box stroke;
    bool some;
} svg_extent;

/* An element in one of its places. */
typedef struct svg_instance {
    uint32_t node;
    uint8_t mode; /* svg_mode */
    /* from its user space to the scene; in BOX mode to the space of the frame that gathers the box */
    pietra_transform transform;
    double width, height; /* the viewport that its lengths refer to */
    double opacity;       /* its own, and what its ancestors handed on instead of beginning a group */
    uint32_t context;     /* number of what context-fill and context-stroke mean, from 1; 0: nothing */
    bool in_place;        /* where the document has it: not shown by a `use`, a pattern and the like */
    svg_noninherited noninherited;
} svg_instance;

/* What is still to be visited inside, and the space that it lies in. */
typedef struct svg_children {
    uint32_t next, end;     /* nodes */
    uint32_t shown_by;      /* the `use` that shows the element, SVG_NO_NODE: it stands here itself */
    double outer_font_size; /* of the element's parent's style */
    pietra_transform local; /* from the children's user space to the element's */
    double width, height;   /* the viewport of their lengths */
    double handed_opacity;  /* to an only child, instead of a group */
} svg_children;

/* What is begun around an element's drawing, and ended after it: masks, clips, a group, a clip to a viewport. */
typedef struct svg_effects {
    bool skipped; /* it is clipped or masked away */
    bool masked;
    bool mask_joined;               /* its layers are drawn into the source of one mask, which has begun */
    bool mask_open;                 /* and one of them has to be composited */
    bool clip_shape;                /* to begin: a clip to a shape of CSS */
    bool group;                     /* to begin, then to end: a group of instance.opacity and its blend mode */
    bool group_outside;             /* around the clips, not inside of them: it isolates, or blends */
    bool viewport_clip;             /* to begin, then to end: a clip to `viewport` */
    bool viewport_outside;          /* which lies in the space around it */
    uint32_t mask_next;             /* layers of its mask that have begun */
    uint32_t mask_count;            /* masks begun, to be ended */
    uint32_t clip_first, clip_next; /* chain of clipPaths, begun up to clip_next; SVG_NO_NODE: none, no more */
    uint32_t chain_count;           /* clipPaths of the chain met so far */
    uint32_t clip_count;            /* clips begun, to be ended */
    svg_rectangle viewport;         /* in its user space, or in the space around it */
    pietra_transform around;        /* from that space to the scene */
} svg_effects;

/* Markers of a shape that are still to be drawn. */
typedef struct svg_shape_markers {
    uint32_t begin, next, end; /* their positions */
    uint32_t context;          /* what they call context-fill */
    bool marked_start;         /* its only position has got its marker-start */
} svg_shape_markers;

/* Whom a box is gathered for. */
typedef enum svg_gather_purpose {
    SVG_GATHER_FOR_PARENT, /* the one that the element's parent adds to */
    SVG_GATHER_FOR_ITSELF, /* the element, which is visited again when it is known */
    SVG_GATHER_FOR_OWNER,  /* the frame below */
} svg_gather_purpose;

typedef enum svg_walk_frame_kind {
    SVG_WALK_FRAME_CONTAINER,   /* an element with children; of `use`, its target */
    SVG_WALK_FRAME_SHAPE,       /* a shape that is drawn in steps */
    SVG_WALK_FRAME_MARKER,      /* the children of a marker, for the shape below */
    SVG_WALK_FRAME_CELL,        /* the children of a pattern, into a scene of their own */
    SVG_WALK_FRAME_MASK_SOURCE, /* the children of a mask, for the frame below */
    SVG_WALK_FRAME_CLIP_SOURCE, /* the children of a clipPath, for the frame below */
    SVG_WALK_FRAME_BOX,         /* children, for a box: all that is visited in BOX mode */
} svg_walk_frame_kind;

/* What a frame does next. */
typedef enum svg_phase {
    SVG_PHASE_CONTEXT, /* finds out what context-fill means inside */
    SVG_PHASE_GROUP,
    SVG_PHASE_MASK,
    SVG_PHASE_CLIPS,
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
    uint32_t pattern; /* that was asked for */
    uint32_t drawing; /* index of what is being drawn */
} svg_cell_frame;

typedef struct svg_mask_frame {
    svg_children children;
    svg_effects effects;
} svg_mask_frame;

typedef struct svg_clip_frame {
    svg_children children;
} svg_clip_frame;

typedef struct svg_box_frame {
    svg_children children;
    uint8_t purpose;         /* svg_gather_purpose */
    uint32_t gatherer;       /* the frame to whose box the children add, maybe this one */
    uint32_t outer_gatherer; /* where this one gathers: the next one outwards, for which `outward` maps the box */
    pietra_transform outward;
} svg_box_frame;

typedef struct svg_walk_frame {
    svg_instance instance;
    uint8_t kind;  /* svg_walk_frame_kind */
    uint8_t phase; /* svg_phase */
    bool extent_known;
    bool boxed;            /* walk->boxes has it open */
    uint32_t style;        /* index of its inherited style */
    uint32_t style_mark;   /* how many styles there were before it */
    uint32_t context_mark; /* and contexts */
    svg_extent extent;
    union {
        svg_container_frame container;
        svg_shape_frame shape;
        svg_marker_frame marker;
        svg_cell_frame cell;
        svg_mask_frame mask;
        svg_clip_frame clip;
        svg_box_frame box;
    };
} svg_walk_frame;

/* NULL: its kind has none. */
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
    case SVG_WALK_FRAME_BOX:
        return &frame->box.children;
    case SVG_WALK_FRAME_SHAPE:
        break;
    }
    return NULL;
}

/* NULL: nothing is begun around frames of its kind. */
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
    case SVG_WALK_FRAME_CELL:
    case SVG_WALK_FRAME_CLIP_SOURCE:
    case SVG_WALK_FRAME_BOX:
        break;
    }
    return NULL;
}

#endif
