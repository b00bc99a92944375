/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* What the two halves of a pen sweep between two places: quadrilaterals that all turn the same way, or triangles that
 * take the place of one. */
#ifndef PIETRA_LIB_STROKE_QUAD_H
#define PIETRA_LIB_STROKE_QUAD_H

#include "pen.h"

SHARED_FUNCTION float turned_area(point a, point b, point c)
{
    PRECISE float area = (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
    return area;
}

/* A quadrilateral of the stroke between two places. Half of the pen sweeps spine0 -> rim0 -> rim1 -> spine1. Only
 * its rim is drawn, since the other three sides cancel against the neighbours'. If it does not turn the right way,
 * its outline is drawn in full, with two triangles that do. In a bend tighter than the pen the ends of the half
 * cross and it is a bow tie: the triangles are its two wings. */
STRUCT(stroke_section)
{
    point spine, left, right; /* pixels */
};

/* Clamps a vertex to a range in which products of differences are finite. Edges are cut off at the same distance
 * (edge_beyond_limit). */
SHARED_FUNCTION point section_vertex(point vertex)
{
    return point_of(hold(vertex.x, -EDGE_LIMIT, EDGE_LIMIT), hold(vertex.y, -EDGE_LIMIT, EDGE_LIMIT));
}

SHARED_FUNCTION stroke_section section_at(pen p, point at, point normal)
{
    stroke_section section;
    section.spine = section_vertex(affine_apply(p.matrix, at.x, at.y));
    section.left = section_vertex(pen_vertex(p, at, normal.x, normal.y));
    section.right = section_vertex(pen_vertex(p, at, -normal.x, -normal.y));
    return section;
}

/* The vertices of a half in order. Each takes two bits, and the first is in the lowest. */
#define HALF_SPINE0 0u
#define HALF_RIM0 1u
#define HALF_RIM1 2u
#define HALF_SPINE1 3u
#define HALF_RIM_ONLY 2u /* vertices of a half that turns the right way */
#define HALF_IN_FULL 11u /* vertices of a half that does not; the pen is lifted before the fifth */
#define HALF_LIFTED 4u
/* flag in the vertices: both triangles start where the pen's two places cross, not at HALF_SPINE0 */
#define HALF_CROSSED 0x80000000u
#define HALF_VERTICES(a, b, c, d) ((a) | ((b) << 2) | ((c) << 4) | ((d) << 6))

STRUCT(stroke_half)
{
    uint count;
    uint vertices;
};

/* Returns b and c of a triangle a, b, c as two vertices, in the order in which the triangle turns the right way. */
SHARED_FUNCTION uint triangle_vertices(float orientation, point a, point b, uint b_vertex, point c, uint c_vertex)
{
    PRECISE float facing = turned_area(a, b, c) * orientation;
    return facing >= 0.0f ? b_vertex | (c_vertex << 2) : c_vertex | (b_vertex << 2);
}

/* Where the pen's places at the two ends of a half cross. */
STRUCT(pen_crossing)
{
    bool there;
    point at;
};

SHARED_FUNCTION pen_crossing crossing_of(point spine0, point rim0, point rim1, point spine1)
{
    PRECISE float dx0 = rim0.x - spine0.x;
    PRECISE float dy0 = rim0.y - spine0.y;
    PRECISE float dx1 = rim1.x - spine1.x;
    PRECISE float dy1 = rim1.y - spine1.y;
    PRECISE float dx = spine1.x - spine0.x;
    PRECISE float dy = spine1.y - spine0.y;
    PRECISE float area = dx0 * dy1 - dy0 * dx1;
    PRECISE float along0 = dx * dy1 - dy * dx1;
    PRECISE float along1 = dx * dy0 - dy * dx0;
    float sign = area < 0.0f ? -1.0f : 1.0f;
    area = area * sign;
    along0 = along0 * sign;
    along1 = along1 * sign;
    pen_crossing crossing;
    crossing.there =
        area > 1.0e-12f && area < 1.0e30f && along0 >= 0.0f && along0 <= area && along1 >= 0.0f && along1 <= area;
    crossing.at = spine0;
    if (crossing.there) {
        PRECISE float part = along0 * reciprocal(area);
        PRECISE float x = spine0.x + dx0 * part;
        PRECISE float y = spine0.y + dy0 * part;
        crossing.at = point_of(x, y);
    }
    return crossing;
}

SHARED_FUNCTION stroke_half half_of(float orientation, point spine0, point rim0, point rim1, point spine1)
{
    PRECISE float along = (rim1.x - rim0.x) * (spine1.x - spine0.x) + (rim1.y - rim0.y) * (spine1.y - spine0.y);
    PRECISE float area = (rim1.x - spine0.x) * (spine1.y - rim0.y) - (rim1.y - spine0.y) * (spine1.x - rim0.x);
    PRECISE float facing = area * orientation;
    stroke_half made;
    if (along >= 0.0f && facing >= 0.0f) {
        made.count = HALF_RIM_ONLY;
        made.vertices = HALF_VERTICES(HALF_RIM0, HALF_RIM1, 0u, 0u);
        return made;
    }
    made.count = HALF_IN_FULL;
    uint outline = HALF_VERTICES(HALF_RIM0, HALF_SPINE0, HALF_SPINE1, HALF_RIM1);
    pen_crossing crossing = crossing_of(spine0, rim0, rim1, spine1);
    if (crossing.there) {
        uint near_wing = triangle_vertices(orientation, crossing.at, spine0, HALF_SPINE0, spine1, HALF_SPINE1);
        uint far_wing = triangle_vertices(orientation, crossing.at, rim1, HALF_RIM1, rim0, HALF_RIM0);
        made.vertices = outline | (near_wing << 10) | (far_wing << 16) | HALF_CROSSED;
        return made;
    }
    uint first = triangle_vertices(orientation, spine0, spine1, HALF_SPINE1, rim1, HALF_RIM1);
    uint second = triangle_vertices(orientation, spine0, rim1, HALF_RIM1, rim0, HALF_RIM0);
    made.vertices = outline | (first << 10) | (second << 16); /* HALF_SPINE0 before, between and after them */
    return made;
}

STRUCT(stroke_quad)
{
    stroke_section from, to;
    stroke_half left, right;
};

/* Returns no quadrilateral yet: the pen has only been at this section. */
SHARED_FUNCTION stroke_quad quad_at(stroke_section section)
{
    stroke_quad quad;
    quad.from = section;
    quad.to = section;
    quad.left.count = 0u;
    quad.left.vertices = 0u;
    quad.right = quad.left;
    return quad;
}

SHARED_FUNCTION stroke_quad quad_between(pen p, stroke_section from, stroke_section to)
{
    stroke_quad quad;
    quad.from = from;
    quad.to = to;
    quad.left = half_of(p.orientation, from.spine, from.left, to.left, to.spine);
    quad.right = half_of(p.orientation, to.spine, to.right, from.right, from.spine);
    return quad;
}

SHARED_FUNCTION point quad_vertex(stroke_quad quad, uint i)
{
    bool left = i < quad.left.count;
    uint within = left ? i : i - quad.left.count;
    uint vertices = left ? quad.left.vertices : quad.right.vertices;
    if ((vertices & HALF_CROSSED) != 0u && (within == 4u || within == 7u || within == 10u)) {
        if (left) {
            return crossing_of(quad.from.spine, quad.from.left, quad.to.left, quad.to.spine).at;
        }
        return crossing_of(quad.to.spine, quad.to.right, quad.from.right, quad.from.spine).at;
    }
    uint vertex = (vertices >> (2u * within)) & 3u;
    bool at_start = left ? vertex < HALF_RIM1 : vertex >= HALF_RIM1;
    stroke_section section = quad.from;
    if (!at_start) {
        section = quad.to;
    }
    if (vertex == HALF_SPINE0 || vertex == HALF_SPINE1) {
        return section.spine;
    }
    if (left) {
        return section.left;
    }
    return section.right;
}

SHARED_FUNCTION bool quad_lifts(stroke_quad quad, uint i)
{
    uint within = i < quad.left.count ? i : i - quad.left.count;
    return within == 0u || within == HALF_LIFTED;
}

#endif
