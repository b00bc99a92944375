/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The buffers of a frame, in which stages hand results to one another. C and GLSL share this text (scalar layout). */
#ifndef PIETRA_LAYOUT_FRAME_H
#define PIETRA_LAYOUT_FRAME_H

#include "glue.h"
#include "stream.h"

#define SUBPIXELS 256 /* in a pixel's side; coordinates are snapped to them */
#define SUBPIXEL_SHIFT 8
#define TILE_SIDE 16 /* pixels */
#define TILE_SHIFT 4
#define TILE_PIXELS 256
#define TILE_SUBPIXELS 4096
#define TILE_SHIFT_SUBPIXELS 12
#define BIN_TILES 16 /* tiles of a bin's side: 256 pixels */
#define BIN_SHIFT_TILES 4
#define BIN_SHIFT_PIXELS 8
#define COORDINATE_LIMIT 65536.0f /* pixels; geometry beyond is cut off before it is snapped */
#define FULL_AREA 131072          /* twice the area of a pixel, in subpixels squared: 2 * 256 * 256 */
#define BACKDROP_LIMIT 8191       /* a backdrop is held to this, so that sums of areas fit 32 bits */

#define NONE 0xffffffffu
/* lines, tile_lines, tile_commands of one pass: line numbers leave two bits for the winding step */
#define COUNT_LIMIT 1073741824u

STRUCT(tile_box)
{
    int x0, y0, x1, y1; /* tiles; half-open */
};

/* A sheet: pixels of an effect on which what stands in it is drawn. A run draws several, each in a place of its own of
 * one large picture, the atlas. Places are whole tiles and never enter a float, so they change no byte: points are
 * moved there after they were snapped, boxes after they were rounded, and pixels are moved back before paints see
 * them. */
STRUCT(frame_sheet)
{
    stream_transform transform; /* scene to pixels of the sheet */
    tile_box box;               /* what is drawn of the sheet; nothing reaches beyond it */
    int x, y;                   /* from there to the atlas, in tiles */
};

/* A rectangle of tiles that a part draws. */
STRUCT(drawn_box)
{
    tile_box tiles;
    uint first_tile; /* its number among the tiles of all boxes; they are numbered row by row */
};
#define DRAWN_BOXES 4 /* at most */

/* One frame, or one part of it. The host writes it. */
STRUCT(frame_config)
{
    stream_transform transform; /* scene to pixels */
    tile_box part;              /* the tiles to draw, of the frame's grid, or around them */
    int width, height;          /* the whole frame's, in pixels */
    uint background;            /* premultiplied RGBA8, R in the low byte */
    uint straight;              /* 1: the target wants straight alpha */
    /* Pixels from row to row of the target. A kernel's target begins with the part's first row of tiles, at the frame's
     * left edge. Kernels write whole tiles, so also pixels beyond width and height, for which the target has room. */
    uint target_pitch;
    uint column_bits; /* key of a tile_line: dense row << column_bits | column from the part's left, plus 1 */
    uint tile_pitch;  /* columns of the part; 0: it has several boxes, each with columns of its own */
    uint tile_count;  /* tiles in the boxes */
    uint element_count;
    uint segment_count;
    uint clip_event_count;
    uint line_capacity;
    uint tile_line_capacity;
    uint tile_path_capacity;
    uint tile_command_capacity;
    uint mask_capacity;  /* coverage masks of heavy tile_paths */
    uint spill_capacity; /* saved levels of tiles, TILE_PIXELS pixels each */
    uint task_capacity;
    uint measure_capacity;
    uint fine_work; /* most work of one pass of 10_fine in a tile: some devices bound an invocation's
                                * loops */
    /* The sheets that are drawn: those of `sheets` in their order, and nothing else. 0, 0: the frame itself. */
    uint first_sheet, last_sheet;
    /* What of the part is drawn: all of it is one box, unless a view knows that little differs in far places. Boxes do
     * not overlap. An element has a visible element in each of them, so what lies between them never comes into
     * being. */
    uint box_count;
    drawn_box boxes[DRAWN_BOXES];
};

/* The device counts these. Its own dispatches read them, and the host does at the end. Each counter is the exact
 * need, even where the buffer was too small. Append new ones: COUNTER_* below are indices of words. */
STRUCT(frame_counters)
{
    uint visible_count;
    uint row_count;     /* dense rows: sum of the visible elements' heights in tiles */
    uint task_count;    /* pieces of work for flatten, dashes not counted */
    uint measure_count; /* segments of dashed strokes */
    uint dash_task_count;
    uint line_count;
    uint tile_line_count;
    uint tile_path_count;
    uint tile_command_count;
    uint heavy_count; /* tile_paths whose coverage is summed by 10_mask */
    uint spill_count;
    uint fine_work;      /* work of the busiest tile */
    uint class_count[4]; /* tiles of each class */
    uint overflow;       /* OVERFLOW_* bits */
    uint key_bits;       /* significant bits of the tile_lines' keys */
    uint tile_command_key_bits;
    uint ready_tasks; /* what the next stages work on: the count, or 0 if the tasks did not fit */
    uint ready_lines;
    uint ready_tile_lines;
    uint ready_tile_paths;
    uint ready_tile_commands;
};

/* What a frame was recorded with that no counter of overflows tells of. */
STRUCT(frame_room)
{
    uint fine_work; /* the most work of a tile that its passes of 10 fine can do */
    uint key_bits;  /* the most significant bits that its sort of tile_lines heeds */
};

/* Index of a counter among the words of frame_counters, for the sorts. */
#define COUNTER_KEY_BITS 17u
#define COUNTER_TILE_COMMAND_KEY_BITS 18u
#define COUNTER_READY_TILE_LINES 21u
#define COUNTER_READY_TILE_COMMANDS 23u

/* The number of a stage's workgroups. An earlier stage writes it. */
STRUCT(dispatch_arguments)
{
    uint x, y, z;
};
#define ARGUMENT_MEASURE 0
#define ARGUMENT_FLATTEN 1
#define ARGUMENT_FLATTEN_FEW 2
#define ARGUMENT_TILE_LINES 3
#define ARGUMENT_WIND 4
#define ARGUMENT_OCCLUDERS 5
#define ARGUMENT_OFFSETS 6
#define ARGUMENT_RANGE 7
#define ARGUMENT_MASK 8
#define ARGUMENT_FINE_PLAIN 9
#define ARGUMENT_FINE_LAYERS 10
#define ARGUMENT_FINE_COMPLEX 11
#define ARGUMENT_FINE_SOLID 12
#define ARGUMENT_COUNT 13

/* A dispatch is laid out in rows of this many workgroups: every device allows 65,535 in a dimension, and more rows than
 * needed. */
#define DISPATCH_ROW 32768u

/* Items that a workgroup takes in each stage. */
#define STAGE_INVOCATIONS 256u
#define DECODE_SEGMENTS_PARTITION 1024u
#define DECODE_ELEMENTS_PARTITION 256u
#define CULL_PARTITION 256u
#define MEASURE_PARTITION 256u
#define FLATTEN_PARTITION 64u
/* used for up to FLATTEN_FEW pieces of work, so that a small scene fills the device too */
#define FLATTEN_FEW_PARTITION 8u
#define FLATTEN_FEW 32768u
#define TILE_LINES_PARTITION 256u /* lines */
#define WIND_PARTITION 1024u
#define OCCLUDERS_PARTITION 256u
#define OFFSETS_PARTITION 1024u /* tile_paths */
#define EXPAND_ROUND 1024u      /* path_tiles; see expand_partition */
#define EXPAND_PARTITIONS 8192u /* at most */
#define RANGE_PARTITION 256u
#define COARSE_PARTITION 256u
#define MASK_PARTITION 1u /* heavy tile_paths */

#define OVERFLOW_LINES 1u
#define OVERFLOW_TILE_LINES 2u
#define OVERFLOW_TILE_PATHS 4u
#define OVERFLOW_TILE_COMMANDS 8u
#define OVERFLOW_MASKS 16u
#define OVERFLOW_SPILL 32u
#define OVERFLOW_KEYS 64u /* more dense rows than a 32-bit key can tell apart: draw in parts */
#define OVERFLOW_TASKS 128u
#define OVERFLOW_COUNT 256u /* a total beyond 2^30: draw in parts */

/* Written by 01: where a segment's points lie. */
STRUCT(segment_info)
{
    uint point;   /* index of its start point */
    uint subpath; /* index of the first segment of its subpath */
};

STRUCT(pixel_box)
{
    int x0, y0, x1, y1; /* pixels; half-open */
};

/* 01: an element on the device. */
STRUCT(element_info)
{
    float a, b, c, d, e, f; /* path space to pixels */
    pixel_box box;          /* outward, not clipped; an exact one for a folded clip and for an occluder */
    uint clip_event;        /* begin and end elements before this one */
    uint flags;             /* INFO_* */
};
/* a begin that needs no tile_commands, because its box is all it does, or because another run draws it */
#define INFO_FOLDED 1u
#define INFO_OCCLUDER 2u /* box is covered in full, to the pixel */
#define INFO_SNAPPED 4u  /* an aliased rectangle: box is what it paints */
#define INFO_ALIASED 8u  /* ELEMENT_ALIASED_UPRIGHT, and this frame does not turn it */

/* 01 to 02: one begin or end, compacted. */
STRUCT(clip_event)
{
    uint element;
    uint flags;    /* CLIP_EVENT_* */
    pixel_box box; /* a begin's */
};
#define CLIP_EVENT_BEGIN 1u
#define CLIP_EVENT_FOLDED 2u
#define CLIP_EVENT_SOLE 4u

/* 02: for each clip event, what is open after it. */
STRUCT(clip_info)
{
    uint match;    /* clip event of the other end */
    uint context;  /* clip event of the innermost begin open after this one, or NONE */
    uint layer;    /* clip event of the innermost begin open that is not folded, or NONE */
    uint depth;    /* layers open: begins that are neither folded nor merged into their parent */
    uint merged;   /* MERGED_* */
    pixel_box box; /* intersection of all open begins' boxes */
};

#define MERGED_SELF 1u  /* a begin that shares its parent's layer */
#define MERGED_CHILD 2u /* a sole child of this begin may share the layer */

/* 03: an element that is drawn in one box of this part, in paint order. */
STRUCT(visible_element)
{
    uint element;
    uint kind;    /* kind_in_frame (lib/element.h) */
    tile_box box; /* clipped to its clips and the box */
    uint first_task;
    uint first_row;
    uint first_measure;
    uint layer;                   /* element of the layer it is painted into, or NONE */
    uint end;                     /* element that ends a begin */
    uint source_end;              /* element that ends a begin's source, or NONE */
    uint depth;                   /* layers open at this element, itself included */
    uint place;                   /* of its sheet in the atlas (sheet_place); 0 in the frame itself */
    pixel_box clip;               /* the element paints only inside; clips to whole pixels survive in this box */
    uint color;                   /* a solid paint's; an image's footprint; of a group: its opacity, 0 to 255 */
    uint paint;                   /* a gradient's or image's index in the stream, or NONE */
    float ga, gb, gc, gd, ge, gf; /* pixels to the gradient's space, or to texels */
};
/* Beside the flags of visible_element.kind. */
#define VISIBLE_SNAPPED 0x2000000u /* INFO_SNAPPED */
#define VISIBLE_MERGED 0x4000000u  /* a begin that shares its parent's layer */

/* The dashes that one invocation paints. Several invocations share a long line. */
#define DASHES_PER_TASK 8u
/* The most tasks of visible dashes in one part of a frame. A part with more is cut into smaller ones. A tile that
 * holds a million dashes is a mistake or an attack, and walking them would take minutes. The densest of our scenes
 * has a fifth of that in a frame. */
#ifdef PIETRA_FUZZ /* With sanitizers the full number takes ten seconds. */
#define DASH_TASK_LIMIT 8192u
#else
#define DASH_TASK_LIMIT 131072u
#endif

/* 04: a segment of a dashed stroke. Positions count periods of the pattern, 32 + 64 bits. */
STRUCT(measure)
{
    uint visible;
    uint segment; /* its number in the stream */
    uint start, start_fraction, start_rest;
    uint extent, extent_fraction, extent_rest;
    uint first_task; /* first of the tasks with its dashes, DASHES_PER_TASK at most; they follow all others */
    uint course;     /* COURSE_*, for a subpath's first segment */
};

/* How dashes lie in a subpath. */
#define COURSE_CUT 0u
#define COURSE_JOINED 1u /* it is closed, and the dash that it ends in joins the one that it starts in */
#define COURSE_SOLID 2u  /* it lies within one dash, and is painted as if there were none */

/* Written by 04: a snapped line in the direction of its path, in its element's own sheet. */
STRUCT(edge)
{
    int ax, ay, bx, by; /* subpixels */
    uint visible;
};

/* Written by 05: an edge from top to bottom, with its slopes. */
STRUCT(line)
{
    int x0, y0, x1, y1;             /* subpixels, y0 <= y1; y0 == y1: x0 <= x1 */
    uint x_slope, x_slope_fraction; /* |dx / dy|, 32 + 32 bits, rounded down */
    uint y_slope, y_slope_fraction; /* |dy / dx| */
    uint visible_sign;              /* visible index << 1 | turned round */
};

/* Written by 05: a tile_line is a key (dense row << column_bits | column) and a value (line << 2 | winding step). The
 * winding step is what crossing the tile's upper edge adds to the winding of all tiles on its right. 0 stands for 0, 1
 * for +1, 2 for -1. */
#define TILE_LINE_WINDING_UP 1u
#define TILE_LINE_WINDING_DOWN 2u
#define TILE_LINE_SHIFT 2

/* 07: all tile_lines of one element in one tile, and the tiles that it covers in full behind it. */
STRUCT(tile_path)
{
    uint visible;
    int x, y;             /* tile, of the frame's grid; x = box.x0 - 1: left of the box, no tile_command, span only */
    int span_end;         /* tiles x + 1 .. span_end - 1 are covered in full; span_end <= x + 1: none */
    uint first_tile_line; /* in sorted order */
    uint tile_line_count;
    int backdrop; /* winding of the tile's upper left corner */
    uint mask;    /* index of its coverage mask, or NONE */
};

/* 08: a tile_command is a key (tile of the boxes) and a value: TILE_COMMAND_SOLID | visible index, or a tile_path's
 * index. */
#define TILE_COMMAND_SOLID 0x80000000u

/* 09: a tile's commands in paint order, and its class. */
STRUCT(tile)
{
    uint first_command;
    uint command_count;
    uint depth;   /* layers that may be open at once */
    uint spill;   /* its first level in the spill, if it has any there */
    uint work;    /* the sum of COMMAND_WORK over its tile_commands */
    uint complex; /* 1: a tile_command asks for 10_fine_complex */
};

/* Written by 10: where the next pass over a tile continues. */
STRUCT(tile_progress)
{
    uint next_command; /* counts from first_command */
    uint open_layers;
};
#define TILE_CLASS_PLAIN 0u /* no layers */
#define TILE_CLASS_LAYERS 1u
#define TILE_CLASS_COMPLEX 2u /* some element has a flag of ELEMENT_COMPLEX */
#define TILE_CLASS_SOLID 3u   /* one opaque solid colour, or nothing */

/* 10_mask finds the coverage of a tile_path with more tile_lines than this. 10_fine's sums of so many areas fit 23
 * bits. */
#define HEAVY_TILE_LINES 31u

/* What a tile_command costs 10_fine, in loops of one invocation: COMMAND_WORK, tile_line_work (lib/tile.h) of the
 * tile_lines that 10_fine sums itself, and the work of its paint. Half of COMMAND_WORK is for closing the layer that
 * the tile_command may open. Loops may take four times these numbers (FINE_WORK_SOFTWARE). */
#define COMMAND_WORK 4u
#define CLOSE_WORK 2u
#define GRADIENT_WORK 24u /* added for a gradient, whose stop is searched by bisection, for each of four pixels */
#define IMAGE_WORK 20u    /* added for sampling an image */
/* added for a box shadow: for each of four pixels four corners with two pieces of 10 panels of four nodes */
#define BOX_SHADOW_WORK 680u

/* Levels of a tile's layer stack that 10_fine keeps in shared memory. A tile that needs more, or more than one pass,
 * has all its levels in the spill. */
#define SHARED_LAYERS 2u

/* A saved level in the spill holds the colours below, the levels (four to a word), and the layer (element, end,
 * source end). The layer is stored once for each invocation, so that no invocation waits for another. */
#define SPILL_LEVEL_WORDS 512u

#endif
