/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Flattens strokes without dashes, segment by segment, into the lines of sink_stroke (shaders/lib/stroke_work.h), in
 * another order. A section belongs to two quadrilaterals, or to one and a join. Each vertex that they share is computed
 * and snapped once. Part of flatten.c. */

typedef float rim_floats __attribute__((vector_size(16)));
typedef int rim_ints __attribute__((vector_size(16)));

/* A section and its snapped vertices. */
typedef struct stroke_rim {
    segment_place place;
    stroke_section section;
    rim_ints snapped; /* x and y of the left vertex, then of the right one */
    int spine_x, spine_y;
    bool inside; /* all are within the range of snapped coordinates */
} stroke_rim;

/* A pen, with its matrix in vectors that make two vertices, of four numbers, at once. */
typedef struct stroke_tool {
    flatten_sink *sink;
    pen p;
    rim_floats from_x, from_y, offset; /* columns of the pen's matrix */
    uint count;                        /* lines that wait */
    cpu_edge lines[LINES_AT_ONCE];
    const stream_style *style;
    cpu_pen straight_pen;
    cull_rect cull;
    cpu_straights straights;     /* segments that wait */
    path_walk walks[CPU_CURVES]; /* a walk that stands at each of them */
    uint starts, ends;           /* a bit for each that has a cap there */
} stroke_tool;

/* Puts the waiting lines into lists. */
static void stroke_flush(stroke_tool *tool)
{
    flatten_sink *sink = tool->sink;
    uint count = tool->count;
    tool->count = 0;
    sink->lists->stroke_lines += count;
    int least = sink->bottom;
    int most = sink->top;
    for (uint i = 0; i < count; i++) {
        cpu_edge line = tool->lines[i];
        least = int_min(least, int_min(line.ay, line.by));
        most = int_max(most, int_max(line.ay, line.by));
    }
    if (least >= sink->bottom || most <= sink->top)
        return;
    if (least < sink->top || most > sink->bottom ||
        least >> TILE_SHIFT_SUBPIXELS != (most - 1) >> TILE_SHIFT_SUBPIXELS) {
        for (uint i = 0; i < count; i++)
            sink_line(sink, tool->lines[i].ax, tool->lines[i].ay, tool->lines[i].bx, tool->lines[i].by);
        return;
    }
    cpu_slot *at = sink_room(sink, (least >> TILE_SHIFT_SUBPIXELS) - sink->first_band, count);
    if (at) {
        memcpy(at, tool->lines, count * sizeof *tool->lines);
        sink_took(sink, (least >> TILE_SHIFT_SUBPIXELS) - sink->first_band, count);
    }
}

/* Adds a line. A stroke hides nothing, so a line without height is dropped. */
static inline void stroke_line(stroke_tool *tool, int ax, int ay, int bx, int by)
{
    tool->lines[tool->count] = (cpu_edge){ax, ay, bx, by};
    tool->count += ay != by || (ax != bx && horizontal_matters(ay, false)) ? 1 : 0;
    if (tool->count == LINES_AT_ONCE)
        stroke_flush(tool);
}

/* Does sink_edge. */
static inline void stroke_edge(stroke_tool *tool, sink_vertex from, sink_vertex to)
{
    if (from.inside && to.inside)
        stroke_line(tool, from.x, from.y, to.x, to.y);
    else
        sink_edge(tool->sink, from.at, to.at);
}

/* Does section_at and snaps the vertices. */
static inline stroke_rim stroke_rim_at(const stroke_tool *tool, segment_place place)
{
    stroke_rim rim = {.place = place};
    float half_width = tool->p.half_width;
    float across_x = place.normal.x * half_width;
    float across_y = place.normal.y * half_width;
    float left_x = place.at.x + across_x;
    float left_y = place.at.y + across_y;
    float right_x = place.at.x - across_x;
    float right_y = place.at.y - across_y;
    rim_floats x = {left_x, left_x, right_x, right_x};
    rim_floats y = {left_y, left_y, right_y, right_y};
    rim_floats vertices = tool->from_x * x + tool->from_y * y + tool->offset;
    rim.section.spine = affine_apply(tool->p.matrix, place.at.x, place.at.y);
    memcpy(&rim.section.left, &vertices, sizeof rim.section.left);
    memcpy(&rim.section.right, (const char *)&vertices + sizeof rim.section.left, sizeof rim.section.right);
    rim_ints inside = (vertices <= COORDINATE_LIMIT) & (vertices >= -COORDINATE_LIMIT);
    uint64_t halves[2];
    memcpy(halves, &inside, sizeof halves);
    rim.inside = (halves[0] & halves[1]) == UINT64_MAX && within_limit(rim.section.spine);
    if (rim.inside) {
        rim_floats subpixels = vertices * 256.0f + 0.5f;
        rim_ints truncated = __builtin_convertvector(subpixels, rim_ints);
        rim.snapped = truncated + (__builtin_convertvector(truncated, rim_floats) > subpixels);
        rim.spine_x = snap(rim.section.spine.x);
        rim.spine_y = snap(rim.section.spine.y);
    } else {
        rim.section.spine = section_vertex(rim.section.spine);
        rim.section.left = section_vertex(rim.section.left);
        rim.section.right = section_vertex(rim.section.right);
    }
    return rim;
}

static __attribute__((noinline)) void stroke_any_quad(stroke_tool *tool, const stroke_quad *quad)
{
    sink_vertex from = sink_vertex_at(quad->from.spine);
    for (uint i = 0; i < quad->left.count + quad->right.count; i++) {
        sink_vertex to = sink_vertex_at(quad_vertex(*quad, i));
        if (!quad_lifts(*quad, i))
            stroke_edge(tool, from, to);
        from = to;
    }
}

static inline void stroke_quad_between(stroke_tool *tool, const stroke_rim *from, const stroke_rim *to)
{
    stroke_quad quad = quad_between(tool->p, from->section, to->section);
    if (quad.left.count == HALF_RIM_ONLY && quad.right.count == HALF_RIM_ONLY && from->inside && to->inside) {
        stroke_line(tool, from->snapped[0], from->snapped[1], to->snapped[0], to->snapped[1]);
        stroke_line(tool, to->snapped[2], to->snapped[3], from->snapped[2], from->snapped[3]);
    } else {
        stroke_any_quad(tool, &quad);
    }
}

/* Draws from one place to the next, round the bend between them if it is sharp. */
static void stroke_bend_to(stroke_tool *tool, stroke_rim *rim, segment_place to)
{
    stroke_bend bend = bend_between(tool->p, rim->place, to);
    for (; bend.i <= bend.steps + 1; bend.i++) {
        stroke_rim next = stroke_rim_at(tool, bend_place(bend));
        stroke_quad_between(tool, rim, &next);
        *rim = next;
    }
}

static __attribute__((noinline)) void stroke_any_turn(stroke_tool *tool, const stroke_turn *turn)
{
    sink_vertex from = sink_vertex_at(turn->at);
    for (uint i = 0; i < turn->count; i++) {
        bool lifts = turn_lifts(*turn, i);
        sink_vertex to = sink_vertex_at(lifts ? turn_lifted_vertex(tool->p, *turn, i) : turn_vertex(tool->p, *turn, i));
        if (!lifts)
            stroke_edge(tool, from, to);
        from = to;
    }
}

static void stroke_cap(stroke_tool *tool, point at, point normal)
{
    stroke_turn turn = turn_in_cull_rect(tool->p, tool->sink->box, turn_cap(tool->p, at, normal));
    stroke_any_turn(tool, &turn);
}

static inline sink_vertex stroke_left(const stroke_rim *rim)
{
    return (sink_vertex){rim->section.left, rim->snapped[0], rim->snapped[1], true};
}

static inline sink_vertex stroke_right(const stroke_rim *rim)
{
    return (sink_vertex){rim->section.right, rim->snapped[2], rim->snapped[3], true};
}

/* Draws the inside of a join, which passes through its point, and the rim. */
static inline void stroke_turn_lines(stroke_tool *tool, const stroke_turn *turn, const stroke_rim *rim,
                                     sink_vertex inner_start, sink_vertex inner_end, sink_vertex start, sink_vertex end)
{
    stroke_line(tool, inner_start.x, inner_start.y, rim->spine_x, rim->spine_y);
    stroke_line(tool, rim->spine_x, rim->spine_y, inner_end.x, inner_end.y);
    sink_vertex from = start;
    for (uint i = turn->inside + 1u; i + 1u < turn->count; i++) {
        sink_vertex to = sink_vertex_at(turn_vertex(tool->p, *turn, i));
        stroke_edge(tool, from, to);
        from = to;
    }
    stroke_edge(tool, from, end);
}

/* Draws turn_join between two sections at one point. */
static void stroke_join(stroke_tool *tool, const stroke_rim *before, const stroke_rim *after)
{
    point normal = before->place.normal;
    stroke_turn turn =
        turn_in_cull_rect(tool->p, tool->sink->box, turn_join(tool->p, before->place.at, normal, after->place.normal));
    if (!before->inside || !after->inside) {
        stroke_any_turn(tool, &turn);
    } else if (turn.inside == 2u) {
        stroke_line(tool, before->snapped[0], before->snapped[1], after->snapped[0], after->snapped[1]);
        stroke_line(tool, after->snapped[2], after->snapped[3], before->snapped[2], before->snapped[3]);
    } else if (turn.start.x == normal.x && turn.start.y == normal.y) {
        stroke_turn_lines(tool, &turn, before, stroke_right(after), stroke_right(before), stroke_left(before),
                          stroke_left(after));
    } else {
        stroke_turn_lines(tool, &turn, before, stroke_left(before), stroke_left(after), stroke_right(after),
                          stroke_right(before));
    }
}

/* Draws from one place straight to the next. */
static void stroke_leap_to(stroke_tool *tool, stroke_rim *rim, segment_place to)
{
    stroke_rim next = stroke_rim_at(tool, to);
    stroke_quad_between(tool, rim, &next);
    *rim = next;
}

/* Returns the first knot from this one on that the pen does not pass by (knot_is_passed) on its way from a place. */
static uint stroke_pass(const stroke_tool *tool, const curve *local, subdivision cut, point from, uint knot)
{
    const tile_box box = tool->sink->box;
    const point end = {local->x3, local->y3};
    if (!knot_is_passed(tool->p, box, *local, cut, from, knot, cut.pieces, end))
        return knot;
    uint side = side_beyond(tool->p, box, from);
    point after;
    do {
        knot++;
        after = knot + 1u < cut.pieces ? SEGMENT_SAMPLE(tool->sink, *local, knot + 1u, cut).at : end;
    } while (knot < cut.pieces && side_beyond(tool->p, box, after) == side);
    return knot;
}

/* Draws a segment in pieces from `rim`, and leaves `rim` at the segment's end. */
static void stroke_pieces(stroke_tool *tool, const curve *local, subdivision cut, stroke_rim *rim)
{
    segment_place end = {.at = {local->x3, local->y3}, .normal = rim->place.normal};
    if (local->order == 1u) {
        stroke_leap_to(tool, rim, end);
        return;
    }
    end.normal = unit_normal(curve_end_tangent(*local));
    for (uint i = 1; i <= cut.pieces; i++) {
        uint to = stroke_pass(tool, local, cut, rim->place.at, i);
        segment_place place = to < cut.pieces ? SEGMENT_SAMPLE(tool->sink, *local, to, cut) : end;
        if (to > i)
            stroke_leap_to(tool, rim, place);
        else
            stroke_bend_to(tool, rim, place);
        i = to;
    }
}

/* Returns the pieces of a segment, or none if it cannot be seen. */
static subdivision stroke_cut(const stroke_tool *tool, const stroke_segment *segment)
{
    tile_box box = tool->sink->box;
    if (segment->local.order == 1u)
        return subdivision_even(stroke_is_in_cull_rect(tool->p, segment->local, box) ? 1u : 0u);
    subdivision cut = stroke_subdivision(tool->p.matrix, segment->local);
    stroke_work work = stroke_work_whole(tool->p, *segment, cut, box);
    return work.end != 0u ? work.cut : subdivision_even(0u);
}

/* Draws a segment with its join or its caps. If has_rim is set, `rim` is at its start. If true is returned, `rim` is at
 * the next segment's start. */
static bool stroke_segment_lines(stroke_tool *tool, const stroke_segment *segment, stroke_rim *rim, bool has_rim)
{
    subdivision cut = stroke_cut(tool, segment);
    if (cut.pieces == 0u)
        return false;
    if (!has_rim) {
        segment_place start = {.at = {segment->local.x0, segment->local.y0},
                               .normal = unit_normal(curve_start_tangent(segment->local))};
        *rim = stroke_rim_at(tool, start);
    }
    if (segment->starts)
        stroke_cap(tool, rim->place.at, point_of(-rim->place.normal.x, -rim->place.normal.y));
    stroke_pieces(tool, &segment->local, cut, rim);
    if (segment->ends) {
        stroke_cap(tool, rim->place.at, rim->place.normal);
    } else {
        stroke_rim next = stroke_rim_at(tool, (segment_place){rim->place.at, unit_normal(segment->next_tangent)});
        stroke_join(tool, rim, &next);
        *rim = next;
    }
    stroke_flush(tool);
    return true;
}

/* Draws segments one after the other. */
static __attribute__((noinline)) void stroke_one_by_one(stroke_tool *tool, path_walk walk)
{
    flatten_sink *sink = tool->sink;
    pen p = tool->p;
    stroke_rim rim = {0};
    bool has_rim = false;
    for (; walk.segment < walk.end; path_next(&walk)) {
        /* Dashes go around the corners of other strokes as around any subpath, also if one dash holds it. */
        if ((walk.tag & TAG_CORNER) && tool->style->dash_count == 0) {
            sink_curve(sink, curve_transform(p.matrix, curve_of(walk.tag, walk.points)));
            continue;
        }
        stroke_segment segment = stroke_segment_of(&walk, p.matrix, false);
        sink->sample_count = 0;
        if (segment.dot)
            sink_stroke(sink, p, sink->box, *tool->style,
                        stroke_work_whole(p, segment, stroke_subdivision(p.matrix, segment.local), sink->box));
        else
            has_rim = stroke_segment_lines(tool, &segment, &rim, has_rim && (walk.tag & TAG_FIRST) == 0);
    }
}
