/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Cuts curves into chords, LANES curves at a time. These are chord_curve_of and chord_vertex of shaders/lib/sink.h with
 * a curve in each lane. The float operations are the same and in the same order. A select replaces each branch. Part of
 * kernels_body.h. */

/* Does affine_apply in each lane. */
INLINE point_vectors transform_points(const affine *m, vector_float x, vector_float y)
{
    return (point_vectors){m->a * x + m->c * y + m->e, m->b * x + m->d * y + m->f};
}

/* Does curve_transform in each lane. The second control point of a quadratic is its end, as in a curve that was
 * read. */
INLINE curve_vectors device_curves(const cpu_curves *curves, const affine *m)
{
    point_vectors p0 = transform_points(m, load_floats(curves->x[0]), load_floats(curves->y[0]));
    point_vectors p1 = transform_points(m, load_floats(curves->x[1]), load_floats(curves->y[1]));
    point_vectors p3 =
        transform_points(m, load_floats(curves->x[curves->order]), load_floats(curves->y[curves->order]));
    point_vectors p2 = p3;
    if (curves->order == 3u)
        p2 = transform_points(m, load_floats(curves->x[2]), load_floats(curves->y[2]));
    return (curve_vectors){p0.x, p0.y, p1.x, p1.y, p2.x, p2.y, p3.x, p3.y};
}

/* Does curve_is_turned in each lane. */
INLINE vector_int are_turned(const curve_vectors *c, uint order)
{
    vector_int turned = select_ints(c->x0 != c->x3, c->x0 > c->x3, splat_int(0));
    if (order == 3u) {
        vector_int by_controls = select_ints(c->y1 != c->y2, c->y1 > c->y2, c->x1 > c->x2);
        turned = select_ints(c->x0 != c->x3, turned, by_controls);
    }
    return select_ints(c->y0 != c->y3, c->y0 > c->y3, turned);
}

INLINE void swap_floats(vector_int mask, vector_float *a, vector_float *b)
{
    vector_uint differ = ((vector_uint)*a ^ (vector_uint)*b) & (vector_uint)mask;
    *a = (vector_float)((vector_uint)*a ^ differ);
    *b = (vector_float)((vector_uint)*b ^ differ);
}

/* Does curve_reversed in the lanes of a mask. */
INLINE void reverse_curves(curve_vectors *c, uint order, vector_int mask)
{
    swap_floats(mask, &c->x0, &c->x3);
    swap_floats(mask, &c->y0, &c->y3);
    if (order == 3u) {
        swap_floats(mask, &c->x1, &c->x2);
        swap_floats(mask, &c->y1, &c->y2);
    } else {
        c->x2 = c->x3;
        c->y2 = c->y3;
    }
}

INLINE bend_vectors bends_of(const curve_vectors *c, uint order)
{
    bend_vectors b;
    b.x0 = c->x1 - c->x0;
    b.y0 = c->y1 - c->y0;
    b.x1 = c->x2 - c->x1;
    b.y1 = c->y2 - c->y1;
    b.x2 = c->x3 - c->x2;
    b.y2 = c->y3 - c->y2;
    if (order == 2u) {
        float two_thirds = 0.6666667f;
        b.x0 = b.x0 * two_thirds;
        b.y0 = b.y0 * two_thirds;
        b.x2 = (c->x3 - c->x1) * two_thirds;
        b.y2 = (c->y3 - c->y1) * two_thirds;
        b.x1 = (b.x0 + b.x2) * 0.5f;
        b.y1 = (b.y0 + b.y2) * 0.5f;
    }
    b.cross01 = b.x0 * b.y1 - b.y0 * b.x1;
    b.cross02 = b.x0 * b.y2 - b.y0 * b.x2;
    b.cross12 = b.x1 * b.y2 - b.y1 * b.x2;
    vector_float second_x = b.x1 - b.x0;
    vector_float second_y = b.y1 - b.y0;
    b.second0 = second_x * second_x + second_y * second_y;
    second_x = b.x2 - b.x1;
    second_y = b.y2 - b.y1;
    b.second1 = second_x * second_x + second_y * second_y;
    return b;
}

/* A subdivision in each lane. */
typedef struct cut_vectors {
    vector_int pieces;
    vector_float part;
    vector_float weights[8]; /* the intervals' */
    bool is_bent;            /* some lane is cut by its bend; else every lane has at most two equal pieces */
} cut_vectors;

/* Does subdivision_by_bend in the lanes of a mask. */
INLINE void cut_by_bends(cut_vectors *cut, const bend_vectors *bend, vector_float bound, vector_int mask)
{
    vector_float second = most_of(bend->second0, bend->second1);
    vector_float least = second * rough_reciprocal_roots_of(second) * (1.0f / 1024.0f);
    vector_float d[8];
    for (int i = 0; i < 8; i++)
        d[i] = densities_of(bend, splat_float(0.0625f + 0.125f * (float)i), least);
    vector_float w[8];
    for (int i = 0; i < 8; i++)
        w[i] = most_of(d[i], most_of(d[i > 0 ? i - 1 : 1], d[i < 7 ? i + 1 : 6]) * 0.5f);
    vector_float sum = ((w[0] + w[1]) + (w[2] + w[3])) + ((w[4] + w[5]) + (w[6] + w[7]));
    vector_float wanted = sum * 0.37130889f + 0.25f;
    vector_int pieces = clamp_ints(-floors_of(-wanted), 2, (int)CURVE_PIECES_MAX);
    vector_float fewer = __builtin_convertvector(pieces - 1, vector_float);
    pieces += fewer * fewer * fewer * fewer >= bound;
    vector_float most =
        most_of(most_of(most_of(w[0], w[1]), most_of(w[2], w[3])), most_of(most_of(w[4], w[5]), most_of(w[6], w[7])));
    vector_float scale = 254.0f * reciprocals_of(most);
    vector_int total = splat_int(0);
    for (int i = 0; i < 8; i++) {
        vector_int weight = __builtin_convertvector(w[i] * scale, vector_int) + 1;
        total += weight;
        cut->weights[i] = select_floats(mask, __builtin_convertvector(weight, vector_float), cut->weights[i]);
    }
    vector_float part =
        __builtin_convertvector(total, vector_float) * reciprocals_of(__builtin_convertvector(pieces, vector_float));
    cut->part = select_floats(mask, part, cut->part);
    cut->pieces = select_ints(mask, pieces, cut->pieces);
}

/* Does subdivision_in_cull_rect in each lane. A lane gets CPU_CHORDS_MORE if its curve needs more pieces than
 * CPU_CHORDS, or is so long that its bend does not size it. */
INLINE cut_vectors cut_in_cull_rect(const curve_vectors *c, uint order, const cull_rect *cull)
{
    vector_float x_least = least_of(least_of(c->x0, c->x1), least_of(c->x2, c->x3));
    vector_float x_most = most_of(most_of(c->x0, c->x1), most_of(c->x2, c->x3));
    vector_float y_least = least_of(least_of(c->y0, c->y1), least_of(c->y2, c->y3));
    vector_float y_most = most_of(most_of(c->y0, c->y1), most_of(c->y2, c->y3));
    vector_float farthest = most_of(most_of(magnitudes_of(x_least), magnitudes_of(x_most)),
                                    most_of(magnitudes_of(y_least), magnitudes_of(y_most)));
    vector_float rounding = farthest * ROUNDING;
    vector_int unseen =
        (x_least > cull->right + rounding) | (y_most < cull->top - rounding) | (y_least > cull->bottom + rounding);
    vector_int straight = x_most < cull->left - rounding;
    bend_vectors bend = bends_of(c, order);
    vector_float bound = 56.25f * most_of(bend.second0, bend.second1);
    straight |= bound <= 1.0f;
    vector_float longest = most_of(most_of(magnitudes_of(bend.x0), magnitudes_of(bend.y0)),
                                   most_of(magnitudes_of(bend.x1), magnitudes_of(bend.y1)));
    longest = most_of(longest, most_of(magnitudes_of(bend.x2), magnitudes_of(bend.y2)));
    vector_int halves = bound <= 16.0f;
    vector_int huge = ~(halves | ((longest < 1.0e9f) & (bound < 2.8e14f)));
    cut_vectors cut = {.part = splat_float(512.0f)};
    for (int i = 0; i < 8; i++)
        cut.weights[i] = splat_float(128.0f);
    cut.pieces = splat_int(2);
    vector_int by_bend = ~(unseen | straight | halves | huge);
    cut.is_bent = any_lane((vector_uint)by_bend);
    if (cut.is_bent) {
        cut_by_bends(&cut, &bend, bound, by_bend);
        cut.pieces = least_ints(cut.pieces, splat_int(CPU_CHORDS_MORE));
    }
    cut.pieces = select_ints(huge, splat_int(CPU_CHORDS_MORE), cut.pieces);
    cut.pieces = select_ints(straight, splat_int(1), cut.pieces);
    cut.pieces &= ~unseen;
    return cut;
}

/* Does subdivision_at in each lane. */
INLINE vector_float lane_places(const cut_vectors *cut, int i)
{
    vector_float place = (float)i * cut->part;
    vector_float index = splat_float(0.0f);
    vector_float start = splat_float(0.0f);
    vector_float weight = cut->weights[0];
    vector_float end = weight;
    for (int k = 1; k < 8; k++) {
        vector_int reached = place >= end;
        index = select_floats(reached, splat_float((float)k), index);
        start = select_floats(reached, end, start);
        weight = select_floats(reached, cut->weights[k], weight);
        end = end + cut->weights[k];
    }
    return least_of((index + (place - start) * reciprocals_of(weight)) * 0.125f, splat_float(1.0f));
}

INLINE void cut_curves_of_order(const cpu_curves *curves, uint order, const affine *matrix, const cull_rect *cull,
                                cpu_chords *chords)
{
    curve_vectors c = device_curves(curves, matrix);
    vector_int there = first_lanes((int)curves->count);
    vector_int inside = are_within_limit(c.x0, c.y0) & are_within_limit(c.x3, c.y3);
    vector_int turned = are_turned(&c, order);
    reverse_curves(&c, order, turned);
    cut_vectors cut = cut_in_cull_rect(&c, order, cull);
    cut.pieces &= there;
    vector_int start_y = snapped(c.y0);
    vector_int end_y = snapped(c.y3);
    vector_int least_y = least_ints(start_y, end_y);
    vector_int most_y = most_ints(start_y, end_y);
    store_ints(chords->turned, turned);
    store_ints(chords->x[0], snapped(c.x0));
    store_ints(chords->y[0], start_y);
    store_ints(chords->end_x, snapped(c.x3));
    store_ints(chords->end_y, end_y);
    vector_int beyond = (cut.pieces == CPU_CHORDS_MORE) | ~inside;
    for (int i = 1; any_lane((vector_uint)(~beyond & (i < cut.pieces))); i++) {
        point_vectors at = points_at(&c, order, cut.is_bent ? lane_places(&cut, i) : splat_float(0.5f));
        vector_int over = i >= cut.pieces;
        inside &= are_within_limit(at.x, at.y) | over;
        vector_int y = snapped(at.y);
        store_ints(chords->x[i], snapped(at.x));
        store_ints(chords->y[i], y);
        y = select_ints(over, start_y, y);
        least_y = least_ints(least_y, y);
        most_y = most_ints(most_y, y);
    }
    store_ints(chords->least_y, least_y);
    store_ints(chords->most_y, most_y);
    vector_int pieces = select_ints(inside, cut.pieces, splat_int(CPU_CHORDS_MORE)) & there;
    store_ints(chords->pieces, pieces);
    chords->cut = lane_bits(pieces > 0);
}

static void cut_curves(const cpu_curves *curves, const affine *matrix, const cull_rect *cull, cpu_chords *chords)
{
    if (curves->order == 2u)
        cut_curves_of_order(curves, 2u, matrix, cull, chords);
    else
        cut_curves_of_order(curves, 3u, matrix, cull, chords);
}

/* Returns the mask of the lanes that lie entirely in a band and between the edges of a clip. */
INLINE vector_int are_in_band(vector_int least_y, vector_int most_y, int band, int top, int bottom)
{
    vector_int is_here = (least_y >> TILE_SHIFT_SUBPIXELS == band) & ((most_y - 1) >> TILE_SHIFT_SUBPIXELS == band);
    return is_here & (least_y >= top) & (most_y <= bottom);
}

static void select_chords(const cpu_chords *chords, cpu_chords_band *band)
{
    vector_int pieces = load_ints(chords->pieces);
    vector_int is_here =
        are_in_band(load_ints(chords->least_y), load_ints(chords->most_y), band->band, band->top, band->bottom);
    is_here &= (pieces > 0) & (pieces != CPU_CHORDS_MORE);
    uint others = band->curves & ~lane_bits(is_here);
    band->curves &= lane_bits(is_here) & ((others & (0u - others)) - 1u);
    band->line_count = (uint)sum_of_lanes(pieces & lanes_of_bits(band->curves));
}

static uint put_chords(const cpu_chords *chords, uint curves, bool keeps_horizontals, cpu_edge *to)
{
    cpu_edge *at = to;
    for (uint bits = curves; bits != 0; bits &= bits - 1) {
        uint lane = (uint)__builtin_ctz(bits);
        int pieces = chords->pieces[lane];
        bool turned = chords->turned[lane] != 0;
        int x = turned ? chords->end_x[lane] : chords->x[0][lane];
        int y = turned ? chords->end_y[lane] : chords->y[0][lane];
        for (int k = 1; k <= pieces; k++) {
            int i = turned ? pieces - k : k;
            int next_x = i == pieces ? chords->end_x[lane] : chords->x[i][lane];
            int next_y = i == pieces ? chords->end_y[lane] : chords->y[i][lane];
            *at = (cpu_edge){x, y, next_x, next_y};
            at += y != next_y || (x != next_x && horizontal_matters(y, keeps_horizontals)) ? 1 : 0;
            x = next_x;
            y = next_y;
        }
    }
    return (uint)(at - to);
}
