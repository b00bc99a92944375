/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* An element on the device: its matrix and its box. */
#ifndef PIETRA_LIB_ELEMENT_H
#define PIETRA_LIB_ELEMENT_H

#include "../layout/frame.h"
#include "../layout/stream.h"
#include "element_kind.h"
#include "sheet.h"
#include "snap.h"

#define BOX_LIMIT 1048576 /* pixels: beyond every frame */

/* The limit of a matrix's numbers. The farthest point of a stroke is the tip of a miter of the widest pen that a stream
 * allows, at a distance of 1.5e21. The sum of two products of both is finite, so no vertex is infinite or NaN. */
#define MATRIX_LIMIT 1.0e17f

SHARED_FUNCTION pixel_box box_of(int x0, int y0, int x1, int y1)
{
    pixel_box box;
    box.x0 = x0;
    box.y0 = y0;
    box.x1 = x1;
    box.y1 = y1;
    return box;
}

SHARED_FUNCTION pixel_box box_everything()
{
    return box_of(-BOX_LIMIT, -BOX_LIMIT, BOX_LIMIT, BOX_LIMIT);
}

SHARED_FUNCTION pixel_box box_intersection(pixel_box a, pixel_box b)
{
    return box_of(int_max(a.x0, b.x0), int_max(a.y0, b.y0), int_min(a.x1, b.x1), int_min(a.y1, b.y1));
}

/* Returns the matrix from path space to pixels, given the frame's from scene space. The translation is computed in
 * pairs of floats, because a map's large offset cancels against the frame's. */
SHARED_FUNCTION affine element_matrix(stream_transform frame, stream_transform t)
{
    PRECISE float a = frame.a * t.a + frame.c * t.b;
    PRECISE float b = frame.b * t.a + frame.d * t.b;
    PRECISE float c = frame.a * t.c + frame.c * t.d;
    PRECISE float d = frame.b * t.c + frame.d * t.d;
    float_pair x = pair_of(t.e, t.e_low);
    float_pair y = pair_of(t.f, t.f_low);
    float_pair e = pair_add(pair_add(pair_scale(x, frame.a), pair_scale(y, frame.c)), pair_of(frame.e, frame.e_low));
    float_pair f = pair_add(pair_add(pair_scale(x, frame.b), pair_scale(y, frame.d)), pair_of(frame.f, frame.f_low));
    PRECISE float e_sum = e.high + e.low;
    PRECISE float f_sum = f.high + f.low;
    affine m;
    m.a = hold(a, -MATRIX_LIMIT, MATRIX_LIMIT);
    m.b = hold(b, -MATRIX_LIMIT, MATRIX_LIMIT);
    m.c = hold(c, -MATRIX_LIMIT, MATRIX_LIMIT);
    m.d = hold(d, -MATRIX_LIMIT, MATRIX_LIMIT);
    m.e = hold(e_sum, -STREAM_LIMIT, STREAM_LIMIT);
    m.f = hold(f_sum, -STREAM_LIMIT, STREAM_LIMIT);
    return m;
}

/* Returns the matrix of an element with these flags. */
SHARED_FUNCTION affine element_matrix_of(stream_transform frame, uint kind, stream_transform t)
{
    if ((kind & ELEMENT_IN_PIXELS) == 0u) {
        return element_matrix(frame, t);
    }
    PRECISE float e = t.e + t.e_low;
    PRECISE float f = t.f + t.f_low;
    affine m;
    m.a = t.a;
    m.b = t.b;
    m.c = t.c;
    m.d = t.d;
    m.e = e;
    m.f = f;
    return m;
}

SHARED_FUNCTION int box_floor(float x)
{
    PRECISE float moved = x - 0.0625f;
    return floor_to_int(float_min(float_max(moved, -1048576.0f), 1048576.0f));
}

/* Returns the pixels that a box of path space may touch, with a margin of a sixteenth of a pixel for rounding. */
SHARED_FUNCTION pixel_box element_box(affine m, float x0, float y0, float x1, float y1)
{
    if (!(x0 <= x1) || !(y0 <= y1)) {
        return box_of(0, 0, 0, 0);
    }
    PRECISE float ax0 = m.a * x0;
    PRECISE float ax1 = m.a * x1;
    PRECISE float bx0 = m.b * x0;
    PRECISE float bx1 = m.b * x1;
    PRECISE float cy0 = m.c * y0;
    PRECISE float cy1 = m.c * y1;
    PRECISE float dy0 = m.d * y0;
    PRECISE float dy1 = m.d * y1;
    PRECISE float left = float_min(ax0, ax1) + float_min(cy0, cy1) + m.e;
    PRECISE float right = float_max(ax0, ax1) + float_max(cy0, cy1) + m.e;
    PRECISE float top = float_min(bx0, bx1) + float_min(dy0, dy1) + m.f;
    PRECISE float bottom = float_max(bx0, bx1) + float_max(dy0, dy1) + m.f;
    return box_of(box_floor(left), box_floor(top), -box_floor(-right), -box_floor(-bottom));
}

/* An axis-aligned rectangle of path space, given by opposite corners, as it is drawn. It is upright if its snapped
 * corners are those of an upright rectangle, whatever small turn the matrix's rounded numbers hold, because its edges
 * are then those of that rectangle. If a corner leaves the range of snapped coordinates, it is upright if the matrix
 * says so, but not valid: it has no box. */
STRUCT(snapped_rect)
{
    bool upright;
    bool valid;
    pixel_box box; /* in subpixels */
};

SHARED_FUNCTION snapped_rect element_rect(affine m, float x0, float y0, float x1, float y1)
{
    point p = affine_apply(m, x0, y0);
    point q = affine_apply(m, x1, y1);
    point beside_p = affine_apply(m, x1, y0);
    point below_p = affine_apply(m, x0, y1);
    snapped_rect rect;
    rect.upright = (m.b == 0.0f && m.c == 0.0f) || (m.a == 0.0f && m.d == 0.0f);
    rect.valid = within_limit(p) && within_limit(q) && within_limit(beside_p) && within_limit(below_p);
    rect.box = box_of(0, 0, 0, 0);
    if (rect.valid) {
        int px = snap(p.x);
        int py = snap(p.y);
        int qx = snap(q.x);
        int qy = snap(q.y);
        int beside_x = snap(beside_p.x);
        int beside_y = snap(beside_p.y);
        int below_x = snap(below_p.x);
        int below_y = snap(below_p.y);
        bool unturned = beside_x == qx && beside_y == py && below_x == px && below_y == qy;
        bool quarter_turned = beside_x == px && beside_y == qy && below_x == qx && below_y == py;
        rect.upright = unturned || quarter_turned;
        rect.valid = rect.upright;
        rect.box = box_of(int_min(px, qx), int_min(py, qy), int_max(px, qx), int_max(py, qy));
    }
    return rect;
}

SHARED_FUNCTION bool rect_is_pixel_aligned(snapped_rect rect)
{
    return rect.valid && ((rect.box.x0 | rect.box.y0 | rect.box.x1 | rect.box.y1) & (SUBPIXELS - 1)) == 0;
}

/* Returns the whole pixels inside a rectangle. */
SHARED_FUNCTION pixel_box rect_inside(snapped_rect rect)
{
    return box_of((rect.box.x0 + SUBPIXELS - 1) >> SUBPIXEL_SHIFT, (rect.box.y0 + SUBPIXELS - 1) >> SUBPIXEL_SHIFT,
                  rect.box.x1 >> SUBPIXEL_SHIFT, rect.box.y1 >> SUBPIXEL_SHIFT);
}

/* Returns the pixels that an aliased rectangle paints. Each side goes to the nearest pixel border, so rectangles that
 * touch each other still do. */
SHARED_FUNCTION pixel_box rect_nearest(snapped_rect rect)
{
    return box_of((rect.box.x0 + SUBPIXELS / 2) >> SUBPIXEL_SHIFT, (rect.box.y0 + SUBPIXELS / 2) >> SUBPIXEL_SHIFT,
                  (rect.box.x1 + SUBPIXELS / 2) >> SUBPIXEL_SHIFT, (rect.box.y1 + SUBPIXELS / 2) >> SUBPIXEL_SHIFT);
}

SHARED_FUNCTION bool box_covers_tile(pixel_box box, int x, int y)
{
    return box.x0 <= x * TILE_SIDE && box.y0 <= y * TILE_SIDE && box.x1 >= (x + 1) * TILE_SIDE &&
           box.y1 >= (y + 1) * TILE_SIDE;
}

SHARED_FUNCTION bool box_has_pixel(pixel_box box, int x, int y)
{
    return x >= box.x0 && x < box.x1 && y >= box.y0 && y < box.y1;
}

/* Returns the coverage of an aliased element, which is all or nothing, given the element's kind and flags in
 * this part. */
SHARED_FUNCTION uint aliased_level(uint kind, uint level)
{
    if ((kind & ELEMENT_ALIASED) == 0u) {
        return level;
    }
    return level >= ((kind & VISIBLE_SNAPPED) != 0u ? 1u : 128u) ? 255u : 0u;
}

/* Moves an element of a sheet to the atlas. There it hides nothing, so that it need not be known what lies around
 * it. */
SHARED_FUNCTION element_info element_info_in_atlas(element_info info, frame_sheet sheet)
{
    int x = sheet.x * TILE_SIDE;
    int y = sheet.y * TILE_SIDE;
    pixel_box whole =
        box_of(sheet.box.x0 * TILE_SIDE, sheet.box.y0 * TILE_SIDE, sheet.box.x1 * TILE_SIDE, sheet.box.y1 * TILE_SIDE);
    pixel_box cut = box_intersection(info.box, whole);
    info.box = box_of(cut.x0 + x, cut.y0 + y, cut.x1 + x, cut.y1 + y);
    info.flags &= ~INFO_OCCLUDER;
    return info;
}

/* Returns the info of an end or of a source's begin, which hands on the box that it is given. */
SHARED_FUNCTION element_info element_info_without_box(uint kind, uint clip_events_before)
{
    element_info info;
    info.a = 1.0f;
    info.b = 0.0f;
    info.c = 0.0f;
    info.d = 1.0f;
    info.e = 0.0f;
    info.f = 0.0f;
    info.box = box_of(0, 0, 0, 0);
    info.clip_event = clip_events_before;
    info.flags = 0u;
    if (kind == ELEMENT_BEGIN_CLIP_SOURCE) {
        info.box = box_everything();
        info.flags = INFO_FOLDED;
    }
    return info;
}

/* Returns the info of an element that another run draws. */
SHARED_FUNCTION element_info element_info_elsewhere(uint clip_events_before)
{
    element_info info = element_info_without_box(ELEMENT_END_GROUP, clip_events_before);
    info.flags = INFO_FOLDED;
    return info;
}

SHARED_FUNCTION element_info element_info_of(affine m, stream_element element, uint clip_events_before)
{
    element_info info;
    info.a = m.a;
    info.b = m.b;
    info.c = m.c;
    info.d = m.d;
    info.e = m.e;
    info.f = m.f;
    /* An unbounded group reaches as far as what is open around it. */
    info.box = kind_is_unbounded(element.kind)
                   ? box_everything()
                   : element_box(m, element.box_x0, element.box_y0, element.box_x1, element.box_y1);
    info.clip_event = clip_events_before;
    info.flags = 0u;
    return info;
}

/* Adds what follows from ELEMENT_RECT, given how the rectangle is drawn. */
SHARED_FUNCTION element_info element_info_of_rect(element_info info, uint kind_and_flags, snapped_rect rect)
{
    bool aliased_upright = (kind_and_flags & ELEMENT_ALIASED_UPRIGHT) != 0u && rect.upright;
    bool snapped = ((kind_and_flags & ELEMENT_ALIASED) != 0u || aliased_upright) && rect.valid;
    if (snapped) {
        info.box = rect_nearest(rect);
    }
    if ((kind_and_flags & ELEMENT_KIND_MASK) == ELEMENT_BEGIN_CLIP) {
        if (snapped || rect_is_pixel_aligned(rect)) {
            info.box = rect_nearest(rect);
            info.flags = INFO_FOLDED;
        }
        return info;
    }
    info.flags = ((kind_and_flags & ELEMENT_OCCLUDER) != 0u && rect.valid ? INFO_OCCLUDER : 0u) |
                 (snapped ? INFO_SNAPPED : 0u) | (aliased_upright ? INFO_ALIASED : 0u);
    return info;
}

/* Returns the kind and flags of an element as a frame draws it, given those of the stream and its INFO_* flags. */
SHARED_FUNCTION uint kind_in_frame(uint kind_and_flags, uint info_flags)
{
    return kind_and_flags | ((info_flags & INFO_ALIASED) != 0u ? ELEMENT_ALIASED : 0u) |
           ((info_flags & INFO_SNAPPED) != 0u ? VISIBLE_SNAPPED : 0u);
}

SHARED_FUNCTION affine element_info_matrix(element_info info)
{
    affine m;
    m.a = info.a;
    m.b = info.b;
    m.c = info.c;
    m.d = info.d;
    m.e = info.e;
    m.f = info.f;
    return m;
}

SHARED_FUNCTION clip_event clip_event_of(stream_element element, uint index, element_info info)
{
    uint kind = element.kind & ELEMENT_KIND_MASK;
    bool from_source = kind == ELEMENT_BEGIN_CLIP && element.path == STREAM_NONE;
    clip_event made;
    made.element = index;
    made.box = info.box;
    made.flags = 0u;
    if (kind_begins(kind)) {
        bool folded = (info.flags & INFO_FOLDED) != 0u;
        /* An isolated group needs a layer of its own, since its parent's layer may start from its
         * destination's pixels. */
        bool sole =
            (element.kind & ELEMENT_SOLE_CHILD) != 0u && !from_source && (element.kind & ELEMENT_ISOLATED) == 0u;
        made.flags = CLIP_EVENT_BEGIN | (folded ? CLIP_EVENT_FOLDED : 0u) | (sole ? CLIP_EVENT_SOLE : 0u);
    }
    return made;
}

/* Returns what is open before the first begin, which is nothing. */
SHARED_FUNCTION clip_info clip_info_outside()
{
    clip_info info;
    info.match = NONE;
    info.context = NONE;
    info.layer = NONE;
    info.depth = 0u;
    info.merged = 0u;
    info.box = box_everything();
    return info;
}

/* The bins that a part touches. x0 and y0 are bins of the frame. */
STRUCT(bin_grid)
{
    int x0, y0, columns, rows;
};

SHARED_FUNCTION bin_grid bins_of(tile_box part)
{
    bin_grid grid;
    grid.x0 = (part.x0 >> BIN_SHIFT_TILES);
    grid.y0 = (part.y0 >> BIN_SHIFT_TILES);
    grid.columns = ((part.x1 + BIN_TILES - 1) >> BIN_SHIFT_TILES) - grid.x0;
    grid.rows = ((part.y1 + BIN_TILES - 1) >> BIN_SHIFT_TILES) - grid.y0;
    return grid;
}

/* Returns whether a box covers a bin. Of a bin that reaches beyond the frame, only the part inside the frame counts. */
SHARED_FUNCTION bool box_covers_bin(pixel_box inside, int column, int row, int width, int height)
{
    int x1 = int_min((column + 1) << BIN_SHIFT_PIXELS, width);
    int y1 = int_min((row + 1) << BIN_SHIFT_PIXELS, height);
    return inside.x0 <= (column << BIN_SHIFT_PIXELS) && inside.y0 <= (row << BIN_SHIFT_PIXELS) && inside.x1 >= x1 &&
           inside.y1 >= y1;
}

/* Returns the tiles of a part that a box of pixels touches. */
SHARED_FUNCTION tile_box box_tiles(pixel_box box, tile_box part)
{
    tile_box tiles;
    tiles.x0 = int_max(box.x0 >> TILE_SHIFT, part.x0);
    tiles.y0 = int_max(box.y0 >> TILE_SHIFT, part.y0);
    tiles.x1 = int_min((box.x1 + TILE_SIDE - 1) >> TILE_SHIFT, part.x1);
    tiles.y1 = int_min((box.y1 + TILE_SIDE - 1) >> TILE_SHIFT, part.y1);
    if (box.x1 <= box.x0 || box.y1 <= box.y0) {
        tiles.x1 = tiles.x0;
    }
    return tiles;
}

SHARED_FUNCTION bool tiles_empty(tile_box tiles)
{
    return tiles.x1 <= tiles.x0 || tiles.y1 <= tiles.y0;
}

/* Returns the matrix from pixels to gradient space: the inverse of the element's, followed by the gradient's own map. A
 * flat matrix, which paints nothing, gives zeros. */
SHARED_FUNCTION affine gradient_matrix(affine m, stream_paint paint)
{
    PRECISE float determinant = m.a * m.d - m.b * m.c;
    affine g;
    if (!(float_abs(determinant) > 1.0e-30f)) {
        g.a = 0.0f;
        g.b = 0.0f;
        g.c = 0.0f;
        g.d = 0.0f;
        g.e = 0.0f;
        g.f = 0.0f;
        return g;
    }
    PRECISE float inverse = reciprocal(determinant);
    PRECISE float ia = m.d * inverse;
    PRECISE float ib = -m.b * inverse;
    PRECISE float ic = -m.c * inverse;
    PRECISE float id = m.a * inverse;
    PRECISE float ie = -(ia * m.e + ic * m.f);
    PRECISE float if_ = -(ib * m.e + id * m.f);
    PRECISE float a = paint.a * ia + paint.c * ib;
    PRECISE float b = paint.b * ia + paint.d * ib;
    PRECISE float c = paint.a * ic + paint.c * id;
    PRECISE float d = paint.b * ic + paint.d * id;
    PRECISE float e = paint.a * ie + paint.c * if_ + paint.e;
    PRECISE float f = paint.b * ie + paint.d * if_ + paint.f;
    g.a = a;
    g.b = b;
    g.c = c;
    g.d = d;
    g.e = e;
    g.f = f;
    return g;
}

/* What clips and groups hand down to their content: the clip box, the layer, and how layers merge. A begin is a
 * function from its parent's state to its own. Functions compose, so a scan evaluates a stack of them. The number of
 * layers depends only on whether the parent can merge, so it takes two values, one for each case. */
STRUCT(clip_step)
{
    pixel_box box;
    uint layer;     /* innermost begin that is not folded; NONE if that is the parent's */
    uint layers[2]; /* layers added, for a parent that cannot (0) or can (1) merge */
    uint merging;   /* for each parent, bits 0, 1: a child can merge; bits 2, 3: the innermost begin did */
};

/* What the stack monoid keeps of an open begin. */
STRUCT(clip_entry)
{
    uint index;
    clip_step value;
};

SHARED_FUNCTION clip_step clip_step_nothing()
{
    clip_step step;
    step.box = box_everything();
    step.layer = NONE;
    step.layers[0] = 0u;
    step.layers[1] = 0u;
    step.merging = 2u;
    return step;
}

SHARED_FUNCTION clip_step clip_step_of(clip_event b, uint index)
{
    clip_step step = clip_step_nothing();
    bool sole = (b.flags & CLIP_EVENT_SOLE) != 0u;
    step.box = b.box;
    if ((b.flags & CLIP_EVENT_FOLDED) != 0u) {
        step.merging = sole ? 2u : 0u;
        return step;
    }
    step.layer = index;
    step.layers[0] = 1u;
    step.layers[1] = sole ? 0u : 1u;
    step.merging = 3u | (sole ? 8u : 0u);
    return step;
}

/* Applies the outer step first, then the inner one. */
SHARED_FUNCTION clip_step clip_step_compose(clip_step outer, clip_step inner)
{
    clip_step step;
    step.box = box_intersection(outer.box, inner.box);
    step.layer = inner.layer != NONE ? inner.layer : outer.layer;
    uint outer0 = outer.merging & 1u;
    uint outer1 = (outer.merging >> 1) & 1u;
    step.layers[0] = outer.layers[0] + inner.layers[outer0];
    step.layers[1] = outer.layers[1] + inner.layers[outer1];
    uint merging0 = inner.merging >> outer0;
    uint merging1 = inner.merging >> outer1;
    step.merging = (merging0 & 5u) | ((merging1 & 5u) << 1);
    return step;
}

/* Returns the MERGED_* bits that 02 gives a clip event after which this step is open. `begins` says whether the event
 * is itself the innermost begin. */
SHARED_FUNCTION uint clip_step_merged(clip_step step, bool begins)
{
    return (begins && (step.merging & 4u) != 0u ? MERGED_SELF : 0u) | ((step.merging & 1u) != 0u ? MERGED_CHILD : 0u);
}

#endif
