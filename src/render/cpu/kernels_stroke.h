/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Finds the lines of straight segments of strokes, LANES segments at a time, each with the join behind it. Sections,
 * quadrilaterals and turns are those of shaders/lib (stroke_quad.h, stroke_turn.h) with a segment in each lane. The
 * float operations are the same and in the same order. Part of kernels_body.h. */

/* Vertices in pixels, and snapped. */
typedef struct vertex_vectors {
    vector_float x, y;
    vector_int snapped_x, snapped_y;
} vertex_vectors;

INLINE vertex_vectors vertices_at(const affine *m, vector_float x, vector_float y)
{
    point_vectors at = transform_points(m, x, y);
    return (vertex_vectors){.x = at.x, .y = at.y, .snapped_x = snapped(at.x), .snapped_y = snapped(at.y)};
}

INLINE vertex_vectors select_vertices(vector_int mask, const vertex_vectors *a, const vertex_vectors *b)
{
    return (vertex_vectors){.snapped_x = select_ints(mask, a->snapped_x, b->snapped_x),
                            .snapped_y = select_ints(mask, a->snapped_y, b->snapped_y)};
}

/* Returns the lanes in which half_of gives its rim alone. */
INLINE vector_int are_rims_only(float orientation, const vertex_vectors *spine0, const vertex_vectors *rim0,
                                const vertex_vectors *rim1, const vertex_vectors *spine1)
{
    vector_float along = (rim1->x - rim0->x) * (spine1->x - spine0->x) + (rim1->y - rim0->y) * (spine1->y - spine0->y);
    vector_float area = (rim1->x - spine0->x) * (spine1->y - rim0->y) - (rim1->y - spine0->y) * (spine1->x - rim0->x);
    return (along >= 0.0f) & (area * orientation >= 0.0f);
}

/* Segments while their lines are found. */
typedef struct stroke_walk {
    const cpu_pen *pen;
    cpu_stroke_lines *lines;
    vector_int seen, joined, plain;
    vector_int least_y, most_y;
} stroke_walk;

/* Records vertices through which the lines of a mask pass. */
INLINE void stroke_go_through(stroke_walk *walk, const vertex_vectors *at, vector_int mask)
{
    walk->plain &= are_within_limit(at->x, at->y) | ~mask;
    walk->least_y = least_ints(walk->least_y, select_ints(mask, at->snapped_y, walk->least_y));
    walk->most_y = most_ints(walk->most_y, select_ints(mask, at->snapped_y, walk->most_y));
}

INLINE void stroke_store_line(const stroke_walk *walk, uint number, const vertex_vectors *from,
                              const vertex_vectors *to, vector_int mask)
{
    cpu_stroke_lines *lines = walk->lines;
    store_ints(lines->ax[number], from->snapped_x);
    store_ints(lines->ay[number], from->snapped_y);
    store_ints(lines->bx[number], to->snapped_x);
    store_ints(lines->by[number], to->snapped_y);
    vector_int is_horizontal = (from->snapped_x != to->snapped_x) & ((from->snapped_y & (SUBPIXELS - 1)) != 0);
    lines->has[number] = lane_bits(mask & ((from->snapped_y != to->snapped_y) | is_horizontal));
}

/* Stores the outside of joins, from one normal to another. It leads round a tip if the miter has one
 * (turn_by_miter). */
INLINE void stroke_store_outside(stroke_walk *walk, point_vectors start, point_vectors end, const vertex_vectors *from,
                                 const vertex_vectors *to, vector_float x, vector_float y, vector_int mask)
{
    const cpu_pen *pen = walk->pen;
    vertex_vectors tip = *to;
    vector_int has_tip = splat_int(0);
    if (pen->join != STYLE_JOIN_ROUND && pen->join != STYLE_JOIN_BEVEL) {
        vector_float one_plus_cosine = 1.0f + (start.x * end.x + start.y * end.y);
        has_tip = (pen->miter_limit * pen->miter_limit * one_plus_cosine >= 2.0f) & (one_plus_cosine > 1.0e-6f) & mask;
        vector_float stretch = reciprocals_of(one_plus_cosine);
        vector_float tip_x = (start.x + end.x) * stretch;
        vector_float tip_y = (start.y + end.y) * stretch;
        vertex_vectors found = vertices_at(&pen->matrix, x + tip_x * pen->half_width, y + tip_y * pen->half_width);
        stroke_go_through(walk, &found, has_tip);
        tip = select_vertices(has_tip, &found, to);
        walk->plain &= ~(mask & ~has_tip) | (pen->join != STYLE_JOIN_MITER_CLIP ? -1 : 0);
    }
    stroke_store_line(walk, CPU_STROKE_OUTSIDE, from, &tip, mask);
    stroke_store_line(walk, CPU_STROKE_OUTSIDE + 1u, &tip, to, has_tip);
}

/* Stores the lines of turn_join at the point where the segment ends, from the vertices before it to those after it. */
INLINE void stroke_store_joins(stroke_walk *walk, point_vectors before, point_vectors after,
                               const vertex_vectors *spine, const vertex_vectors *left, const vertex_vectors *right,
                               vector_float x, vector_float y)
{
    const cpu_pen *pen = walk->pen;
    vector_float across_x = after.x * pen->half_width;
    vector_float across_y = after.y * pen->half_width;
    vertex_vectors next_left = vertices_at(&pen->matrix, x + across_x, y + across_y);
    vertex_vectors next_right = vertices_at(&pen->matrix, x - across_x, y - across_y);
    stroke_go_through(walk, spine, walk->joined);
    stroke_go_through(walk, &next_left, walk->joined);
    stroke_go_through(walk, &next_right, walk->joined);
    vector_float cosine = before.x * after.x + before.y * after.y;
    vector_float sine = before.x * after.y - before.y * after.x;
    vector_int straight = (cosine > 0.0f) & (magnitudes_of(sine) * pen->radius < 0.04f);
    vector_int by_left = sine < 0.0f; /* the join's outside is on the left */
    point_vectors start = {select_floats(by_left, before.x, -after.x), select_floats(by_left, before.y, -after.y)};
    point_vectors end = {select_floats(by_left, after.x, -before.x), select_floats(by_left, after.y, -before.y)};
    vertex_vectors from = select_vertices(by_left & ~straight, &next_right, left);
    vertex_vectors middle = select_vertices(straight, &next_left, spine);
    stroke_store_line(walk, 2, &from, &middle, walk->joined);
    vertex_vectors to = select_vertices(straight | by_left, right, &next_left);
    middle = select_vertices(straight, &next_right, spine);
    stroke_store_line(walk, 3, &middle, &to, walk->joined);
    from = select_vertices(by_left, left, &next_right);
    to = select_vertices(by_left, &next_left, right);
    stroke_store_outside(walk, start, end, &from, &to, x, y, walk->joined & ~straight);
    walk->lines->fans = pen->join == STYLE_JOIN_ROUND ? lane_bits(walk->joined & ~straight) : 0u;
    store_floats(walk->lines->start_x, start.x);
    store_floats(walk->lines->start_y, start.y);
    store_floats(walk->lines->end_x, end.x);
    store_floats(walk->lines->end_y, end.y);
}

static void find_stroke_lines(const cpu_straights *straights, const cpu_pen *pen, const cull_rect *cull,
                              cpu_stroke_lines *lines)
{
    vector_float x0 = load_floats(straights->x0);
    vector_float y0 = load_floats(straights->y0);
    vector_float x1 = load_floats(straights->x1);
    vector_float y1 = load_floats(straights->y1);
    vertex_vectors spine0 = vertices_at(&pen->matrix, x0, y0);
    vertex_vectors spine1 = vertices_at(&pen->matrix, x1, y1);
    point_vectors normal = normals_of((point_vectors){x1 - x0, y1 - y0});
    vector_float across_x = normal.x * pen->half_width;
    vector_float across_y = normal.y * pen->half_width;
    vertex_vectors left0 = vertices_at(&pen->matrix, x0 + across_x, y0 + across_y);
    vertex_vectors right0 = vertices_at(&pen->matrix, x0 - across_x, y0 - across_y);
    vertex_vectors left1 = vertices_at(&pen->matrix, x1 + across_x, y1 + across_y);
    vertex_vectors right1 = vertices_at(&pen->matrix, x1 - across_x, y1 - across_y);
    stroke_walk walk = {.pen = pen, .lines = lines, .least_y = left0.snapped_y, .most_y = left0.snapped_y};
    vector_int unseen = (least_of(spine0.x, spine1.x) > cull->right) | (most_of(spine0.y, spine1.y) < cull->top) |
                        (least_of(spine0.y, spine1.y) > cull->bottom);
    walk.seen = first_lanes((int)straights->count) & ~unseen;
    walk.joined = lanes_of_bits(straights->joined) & walk.seen;
    walk.plain = walk.seen & are_rims_only(pen->orientation, &spine0, &left0, &left1, &spine1) &
                 are_rims_only(pen->orientation, &spine1, &right1, &right0, &spine0) &
                 are_within_limit(spine0.x, spine0.y) & are_within_limit(spine1.x, spine1.y);
    stroke_go_through(&walk, &left0, walk.seen);
    stroke_go_through(&walk, &right0, walk.seen);
    stroke_go_through(&walk, &left1, walk.seen);
    stroke_go_through(&walk, &right1, walk.seen);
    stroke_store_line(&walk, 0, &left0, &left1, walk.seen);
    stroke_store_line(&walk, 1, &right1, &right0, walk.seen);
    point_vectors next = normals_of((point_vectors){load_floats(straights->next_x), load_floats(straights->next_y)});
    stroke_store_joins(&walk, normal, next, &spine1, &left1, &right1, x1, y1);
    store_floats(lines->normal_x, normal.x);
    store_floats(lines->normal_y, normal.y);
    store_ints(lines->least_y, walk.least_y);
    store_ints(lines->most_y, walk.most_y);
    lines->seen = lane_bits(walk.seen);
    lines->plain = lane_bits(walk.plain);
}

static uint strokes_in_band(const cpu_stroke_lines *lines, int band, int top, int bottom)
{
    return lane_bits(are_in_band(load_ints(lines->least_y), load_ints(lines->most_y), band, top, bottom)) &
           lines->plain;
}

static uint put_stroke_lines(const cpu_stroke_lines *lines, uint segments, cpu_edge *to)
{
    cpu_edge *at = to;
    for (uint i = 0; i < CPU_STROKE_LINES; i++) {
        uint bits = lines->has[i] & segments;
        if (bits != 0) {
            at = put_lines(at, load_ints(lines->ax[i]), load_ints(lines->ay[i]), load_ints(lines->bx[i]),
                           load_ints(lines->by[i]), bits);
        }
    }
    return (uint)(at - to);
}
