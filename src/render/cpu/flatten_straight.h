/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Flattens strokes without dashes. Straight segments are drawn side by side in the lanes of a kernel
 * (kernels_stroke.h). Caps, the fans of round joins, and what a lane does not take are drawn one by one. Part of
 * flatten.c. */

static void stroke_straight_caps(stroke_tool *tool, const cpu_stroke_lines *lines, uint lane)
{
    const cpu_straights *straights = &tool->straights;
    point normal = point_of(lines->normal_x[lane], lines->normal_y[lane]);
    if (tool->starts >> lane & 1u)
        stroke_cap(tool, point_of(straights->x0[lane], straights->y0[lane]), point_of(-normal.x, -normal.y));
    if (tool->ends >> lane & 1u)
        stroke_cap(tool, point_of(straights->x1[lane], straights->y1[lane]), normal);
}

/* Draws the fan of a join, if it has one, instead of the line between the fan's ends. */
static void stroke_straight_fan(stroke_tool *tool, cpu_stroke_lines *lines, uint lane)
{
    point at = point_of(tool->straights.x1[lane], tool->straights.y1[lane]);
    point start = point_of(lines->start_x[lane], lines->start_y[lane]);
    stroke_turn turn = turn_straight(at, start, point_of(lines->end_x[lane], lines->end_y[lane]));
    turn.rim = TURN_FAN;
    turn = turn_in_cull_rect(tool->p, tool->sink->box, turn);
    if (turn.count == 2u)
        return;
    lines->has[CPU_STROKE_OUTSIDE] &= ~(1u << lane);
    stroke_any_turn(tool, &turn);
}

/* Draws one segment's lines, which do not lie in one band. */
static void stroke_straight_lines(stroke_tool *tool, const cpu_stroke_lines *lines, uint lane)
{
    for (uint i = 0; i < CPU_STROKE_LINES; i++)
        if (lines->has[i] >> lane & 1u)
            stroke_line(tool, lines->ax[i][lane], lines->ay[i][lane], lines->bx[i][lane], lines->by[i][lane]);
}

static uint count_stroke_lines(const cpu_stroke_lines *lines, uint segments)
{
    uint count = 0;
    for (uint i = 0; i < CPU_STROKE_LINES; i++)
        count += (uint)__builtin_popcount(lines->has[i] & segments);
    return count;
}

/* Stores the lines of all segments that lie in the same band as this one and need no test. Returns these segments. If
 * this segment does not lie in one band, there are none. */
static uint sink_strokes_of_band(flatten_sink *sink, const cpu_stroke_lines *lines, uint lane)
{
    const cpu_kernels *kernels = sink->frame->kernels;
    int band = lines->least_y[lane] >> TILE_SHIFT_SUBPIXELS;
    uint segments = kernels->strokes_in_band(lines, band, sink->top, sink->bottom);
    if ((segments >> lane & 1u) == 0)
        return 0;
    cpu_slot *at = sink_room(sink, band - sink->first_band, count_stroke_lines(lines, segments) + 1u);
    if (at)
        sink_took(sink, band - sink->first_band, kernels->put_stroke_lines(lines, segments, &at->edge));
    return segments;
}

static void stroke_straights_flush(stroke_tool *tool)
{
    cpu_stroke_lines lines;
    tool->sink->frame->kernels->find_stroke_lines(&tool->straights, &tool->straight_pen, &tool->cull, &lines);
    for (uint bits = lines.seen & ~lines.plain; bits != 0; bits &= bits - 1) {
        path_walk walk = tool->walks[__builtin_ctz(bits)];
        walk.end = walk.segment + 1u;
        stroke_one_by_one(tool, walk);
    }
    for (uint bits = lines.plain & (tool->starts | tool->ends); bits != 0; bits &= bits - 1)
        stroke_straight_caps(tool, &lines, (uint)__builtin_ctz(bits));
    for (uint bits = lines.plain & lines.fans; bits != 0; bits &= bits - 1)
        stroke_straight_fan(tool, &lines, (uint)__builtin_ctz(bits));
    for (uint left = lines.plain; left != 0;) {
        uint lane = (uint)__builtin_ctz(left);
        uint taken = sink_strokes_of_band(tool->sink, &lines, lane);
        if (taken == 0) {
            taken = 1u << lane;
            stroke_straight_lines(tool, &lines, lane);
        }
        left &= ~taken;
    }
    stroke_flush(tool);
    tool->straights.count = 0;
    tool->straights.joined = 0;
    tool->starts = 0;
    tool->ends = 0;
}

static inline void stroke_straights_add(stroke_tool *tool, const path_walk *walk)
{
    cpu_straights *straights = &tool->straights;
    uint lane = straights->count++;
    bool is_last = (walk->tag & TAG_LAST) != 0;
    bool is_closed = (walk->tag & TAG_CLOSED) != 0;
    const float *p = walk->points;
    tool->walks[lane] = *walk;
    straights->x0[lane] = p[0];
    straights->y0[lane] = p[1];
    straights->x1[lane] = p[2];
    straights->y1[lane] = p[3];
    tool->starts |= (walk->tag & TAG_FIRST) && !is_closed ? 1u << lane : 0u;
    if (is_last && !is_closed) {
        tool->ends |= 1u << lane;
    } else {
        const float *next = is_last ? walk->first_points : p + 2;
        uint tag = is_last ? walk->first_tag : walk->frame->stream.tags[walk->segment + 1];
        point tangent = tangent_seen_at(tool->p.matrix, tag, next);
        straights->next_x[lane] = tangent.x;
        straights->next_y[lane] = tangent.y;
        straights->joined |= 1u << lane;
    }
    if (straights->count == CPU_CURVES)
        stroke_straights_flush(tool);
}

/* Fewer straight segments are drawn one by one, as are those between curves: they share more of their work that way. */
#define STRAIGHTS_WORTH_LANES 4u

static inline bool is_straight(uint tag)
{
    return (tag & (TAG_POINTS_MASK | TAG_DOT | TAG_CORNER)) == 1u;
}

/* Returns whether so many straight segments stand here. */
static inline bool stroke_goes_straight(const path_walk *walk)
{
    uint end = walk->segment + STRAIGHTS_WORTH_LANES;
    if (!is_straight(walk->tag) || end > walk->end)
        return false;
    uint segment = walk->segment + 1u;
    while (segment < end && is_straight(walk->frame->stream.tags[segment]))
        segment++;
    return segment == end;
}

static void stroke_walk_segments(stroke_tool *tool, path_walk walk)
{
    while (walk.segment < walk.end) {
        if (stroke_goes_straight(&walk)) {
            do {
                stroke_straights_add(tool, &walk);
                path_next(&walk);
            } while (walk.segment < walk.end && is_straight(walk.tag));
        } else {
            path_walk others = walk;
            do {
                path_next(&walk);
            } while (walk.segment < walk.end && !stroke_goes_straight(&walk));
            others.end = walk.segment;
            stroke_one_by_one(tool, others);
        }
    }
    if (tool->straights.count > 0)
        stroke_straights_flush(tool);
}

static void flatten_stroke(flatten_sink *sink, path_walk walk, const stream_style *style)
{
    pen p = pen_of(sink, style);
    stroke_tool tool;
    tool.sink = sink;
    tool.p = p;
    tool.style = style;
    tool.from_x = (rim_floats){p.matrix.a, p.matrix.b, p.matrix.a, p.matrix.b};
    tool.from_y = (rim_floats){p.matrix.c, p.matrix.d, p.matrix.c, p.matrix.d};
    tool.offset = (rim_floats){p.matrix.e, p.matrix.f, p.matrix.e, p.matrix.f};
    tool.count = 0;
    tool.straight_pen = (cpu_pen){p.matrix, p.half_width, p.radius, p.orientation, p.miter_limit, p.join};
    tool.cull = stroke_cull_rect(p, sink->box);
    tool.straights.count = 0;
    tool.straights.joined = 0;
    tool.starts = 0;
    tool.ends = 0;
    stroke_walk_segments(&tool, walk);
}
