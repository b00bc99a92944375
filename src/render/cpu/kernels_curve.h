/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Finds points and normals of curves, LANES at a time. The float operations are those of shaders/lib/subdivision.h and
 * shaders/lib/curve.h, in the same order. A select replaces each branch. Part of kernels_body.h. */

INLINE vector_float reciprocals_of(vector_float x)
{
    vector_float magnitude = magnitudes_of(x);
    vector_float y = (vector_float)(0x7ef311c7u - (vector_uint)magnitude);
    y = y + y * (1.0f - magnitude * y);
    y = y + y * (1.0f - magnitude * y);
    y = y + y * (1.0f - magnitude * y);
    return (vector_float)((vector_uint)y | ((vector_uint)x & 0x80000000u));
}

INLINE vector_float rough_reciprocal_roots_of(vector_float x)
{
    vector_float y = (vector_float)(0x5f375a86u - ((vector_uint)x >> 1));
    return y * (1.5f - 0.5f * x * y * y);
}

/* A curve_bend in each lane. Lanes are curves, or intervals of one curve. */
typedef struct bend_vectors {
    vector_float x0, y0, x1, y1, x2, y2, cross01, cross02, cross12, second0, second1;
} bend_vectors;

INLINE bend_vectors splat_bend(const curve_bend *b)
{
    return (bend_vectors){splat_float(b->x0),      splat_float(b->y0),      splat_float(b->x1),
                          splat_float(b->y1),      splat_float(b->x2),      splat_float(b->y2),
                          splat_float(b->cross01), splat_float(b->cross02), splat_float(b->cross12),
                          splat_float(b->second0), splat_float(b->second1)};
}

/* Returns the square root of bend_density in each lane. */
INLINE vector_float densities_of(const bend_vectors *bend, vector_float t, vector_float least)
{
    vector_float s = 1.0f - t;
    vector_float w0 = s * s;
    vector_float w1 = 2.0f * s * t;
    vector_float w2 = t * t;
    vector_float x = bend->x0 * w0 + bend->x1 * w1 + bend->x2 * w2;
    vector_float y = bend->y0 * w0 + bend->y1 * w1 + bend->y2 * w2;
    vector_float pace = x * x + y * y;
    vector_float cross_product = bend->cross01 * w0 + bend->cross02 * (s * t) + bend->cross12 * w2;
    vector_float second_x = (bend->x1 - bend->x0) * s + (bend->x2 - bend->x1) * t;
    vector_float second_y = (bend->y1 - bend->y0) * s + (bend->y2 - bend->y1) * t;
    vector_float second = second_x * second_x + second_y * second_y;
    vector_int still = pace * 16.0f < second;
    vector_float inverse = rough_reciprocal_roots_of(select_floats(still, second, pace));
    vector_float density = most_of(select_floats(still, second, magnitudes_of(cross_product)) * inverse, least);
    return density * rough_reciprocal_roots_of(density);
}

/* Does subdivision_by_bend with an interval in each lane. */
static subdivision subdivide(const curve_bend *bend, float bound)
{
    float least = rough_square_root(float_max(bend->second0, bend->second1)) * (1.0f / 1024.0f);
    bend_vectors same = splat_bend(bend);
    vector_float d =
        densities_of(&same, (vector_float){0.0625f, 0.1875f, 0.3125f, 0.4375f, 0.5625f, 0.6875f, 0.8125f, 0.9375f},
                     splat_float(least));
    vector_float before = __builtin_shufflevector(d, d, 1, 0, 1, 2, 3, 4, 5, 6);
    vector_float after = __builtin_shufflevector(d, d, 1, 2, 3, 4, 5, 6, 7, 6);
    vector_float w = most_of(d, most_of(before, after) * 0.5f);
    float sum = ((w[0] + w[1]) + (w[2] + w[3])) + ((w[4] + w[5]) + (w[6] + w[7]));
    float wanted = sum * 0.37130889f + 0.25f;
    subdivision made;
    made.pieces = (uint)int_clamp(ceil_to_int(wanted), 2, (int)CURVE_PIECES_MAX);
    float fewer = (float)(made.pieces - 1u);
    if (fewer * fewer * fewer * fewer >= bound)
        made.pieces--;
    vector_float pairs = most_of(w, __builtin_shufflevector(w, w, 4, 5, 6, 7, 0, 1, 2, 3));
    pairs = most_of(pairs, __builtin_shufflevector(pairs, pairs, 2, 3, 0, 1, 6, 7, 4, 5));
    float most = float_max(pairs[0], pairs[1]);
    float scale = 254.0f * reciprocal(most);
    vector_uint bytes = (vector_uint) __builtin_convertvector(w * scale, vector_int) + 1u;
    uint total = 0;
    made.weights = 0;
    made.later_weights = 0;
    for (uint i = 0; i < 4; i++) {
        made.weights |= bytes[i] << (8u * i);
        made.later_weights |= bytes[i + 4] << (8u * i);
        total += bytes[i] + bytes[i + 4];
    }
    made.part = (float)total * reciprocal((float)made.pieces);
    return made;
}

/* The intervals of a subdivision as subdivision_at walks them. */
typedef struct interval_table {
    float start[8];       /* the sum of the weights before */
    vector_float inverse; /* 1 / weight */
} interval_table;

INLINE interval_table intervals_of(const subdivision *cut)
{
    interval_table intervals;
    vector_float weights;
    float sum = 0.0f;
    for (uint i = 0; i < 8; i++) {
        uint bytes = i < 4 ? cut->weights : cut->later_weights;
        float weight = (float)(bytes >> (8u * (i & 3u)) & 0xffu);
        weights[i] = weight;
        intervals.start[i] = sum;
        sum = sum + weight;
    }
    intervals.inverse = reciprocals_of(weights);
    return intervals;
}

/* Does subdivision_at in each lane. */
INLINE vector_float places_at(const subdivision *cut, const interval_table *intervals, vector_int i)
{
    vector_float place = __builtin_convertvector(i, vector_float) * cut->part;
    vector_float index = splat_float(0.0f);
    vector_float start = splat_float(0.0f);
    vector_float inverse = splat_float(intervals->inverse[0]);
    for (int k = 1; k < 8; k++) {
        vector_int reached = place >= intervals->start[k];
        index = select_floats(reached, splat_float((float)k), index);
        start = select_floats(reached, splat_float(intervals->start[k]), start);
        inverse = select_floats(reached, splat_float(intervals->inverse[k]), inverse);
    }
    return least_of((index + (place - start) * inverse) * 0.125f, splat_float(1.0f));
}

typedef struct point_vectors {
    vector_float x, y;
} point_vectors;

typedef struct curve_vectors {
    vector_float x0, y0, x1, y1, x2, y2, x3, y3;
} curve_vectors;

/* Puts one curve in all lanes. */
INLINE curve_vectors splat_curve(const curve *c)
{
    return (curve_vectors){splat_float(c->x0), splat_float(c->y0), splat_float(c->x1), splat_float(c->y1),
                           splat_float(c->x2), splat_float(c->y2), splat_float(c->x3), splat_float(c->y3)};
}

/* Does curve_point in each lane. */
INLINE point_vectors points_at(const curve_vectors *c, uint order, vector_float t)
{
    vector_float s = 1.0f - t;
    if (order == 2u) {
        vector_float middle = 2.0f * s * t;
        return (point_vectors){c->x0 * s * s + c->x1 * middle + c->x3 * t * t,
                               c->y0 * s * s + c->y1 * middle + c->y3 * t * t};
    }
    vector_float w0 = s * s * s;
    vector_float w1 = 3.0f * s * s * t;
    vector_float w2 = 3.0f * s * t * t;
    vector_float w3 = t * t * t;
    return (point_vectors){c->x0 * w0 + c->x1 * w1 + c->x2 * w2 + c->x3 * w3,
                           c->y0 * w0 + c->y1 * w1 + c->y2 * w2 + c->y3 * w3};
}

/* Does curve_tangent in each lane. */
INLINE point_vectors tangents_at(const curve *c, vector_float t)
{
    vector_float s = 1.0f - t;
    point_vectors tangent;
    if (c->order == 2u) {
        tangent.x = (c->x1 - c->x0) * s + (c->x3 - c->x1) * t;
        tangent.y = (c->y1 - c->y0) * s + (c->y3 - c->y1) * t;
    } else {
        vector_float w0 = s * s;
        vector_float w1 = 2.0f * s * t;
        vector_float w2 = t * t;
        tangent.x = (c->x1 - c->x0) * w0 + (c->x2 - c->x1) * w1 + (c->x3 - c->x2) * w2;
        tangent.y = (c->y1 - c->y0) * w0 + (c->y2 - c->y1) * w1 + (c->y3 - c->y2) * w2;
    }
    vector_int none = (tangent.x == 0.0f) & (tangent.y == 0.0f);
    tangent.x = select_floats(none, splat_float(c->x3 - c->x0), tangent.x);
    tangent.y = select_floats(none, splat_float(c->y3 - c->y0), tangent.y);
    return tangent;
}

/* Does unit_normal in each lane. */
INLINE point_vectors normals_of(point_vectors direction)
{
    vector_float longest = most_of(magnitudes_of(direction.x), magnitudes_of(direction.y));
    vector_int has_length = longest > 1.0e-30f;
    vector_uint exponent = (vector_uint)clamp_ints((vector_int)(((vector_uint)longest >> 23) & 0xffu), 27, 227);
    vector_float scale = (vector_float)((254u - exponent) << 23);
    vector_float x = direction.x * scale;
    vector_float y = direction.y * scale;
    vector_float inverse = reciprocal_roots_of(x * x + y * y);
    point_vectors normal;
    normal.x = select_floats(has_length, -y * inverse, splat_float(0.0f));
    normal.y = select_floats(has_length, x * inverse, splat_float(1.0f));
    return normal;
}

INLINE vector_int are_within_limit(vector_float x, vector_float y)
{
    return (magnitudes_of(x) <= COORDINATE_LIMIT) & (magnitudes_of(y) <= COORDINATE_LIMIT);
}

/* Does snap in each lane. */
INLINE vector_int snapped(vector_float pixels)
{
    return floors_of(pixels * 256.0f + 0.5f);
}

static bool find_vertices(const curve *canonical, const subdivision *cut, bool turned, uint first, uint count, int *xs,
                          int *ys)
{
    curve_vectors curves = splat_curve(canonical);
    interval_table intervals = intervals_of(cut);
    vector_int inside = splat_int(-1);
    for (uint i = 0; i < count; i += LANES) {
        vector_int number = lane_numbers() + (int)(first + i);
        /* Lanes behind the last vertex repeat a place of the curve. */
        number = clamp_ints(turned ? (int)cut->pieces - number : number, 1, (int)cut->pieces);
        point_vectors at = points_at(&curves, canonical->order, places_at(cut, &intervals, number));
        inside &= are_within_limit(at.x, at.y);
        vector_int x = snapped(at.x);
        vector_int y = snapped(at.y);
        memcpy(xs + i, &x, sizeof x);
        memcpy(ys + i, &y, sizeof y);
    }
    return !any_lane((vector_uint)~inside);
}

static void find_samples(const curve *local, const subdivision *cut, uint first, uint count, cpu_samples *samples)
{
    curve_vectors curves = splat_curve(local);
    interval_table intervals = intervals_of(cut);
    for (uint i = 0; i < count; i += LANES) {
        vector_float t = places_at(cut, &intervals, lane_numbers() + (int)(first + i));
        point_vectors at = points_at(&curves, local->order, t);
        point_vectors normal = normals_of(tangents_at(local, t));
        memcpy(samples->x + i, &at.x, sizeof at.x);
        memcpy(samples->y + i, &at.y, sizeof at.y);
        memcpy(samples->normal_x + i, &normal.x, sizeof normal.x);
        memcpy(samples->normal_y + i, &normal.y, sizeof normal.y);
    }
}

/* Does vector_length in each lane. */
INLINE vector_float lengths_of(point_vectors v)
{
    vector_float longest = most_of(magnitudes_of(v.x), magnitudes_of(v.y));
    vector_uint exponent = (vector_uint)clamp_ints((vector_int)(((vector_uint)longest >> 23) & 0xffu), 27, 227);
    vector_float scale = (vector_float)((254u - exponent) << 23);
    vector_float x = v.x * scale;
    vector_float y = v.y * scale;
    vector_float square = x * x + y * y;
    vector_float length = square * reciprocal_roots_of(square) * reciprocals_of(scale);
    return select_floats(longest > 1.0e-30f, length, splat_float(0.0f));
}

/* Does segment_pace of shaders/lib/dash.h in each lane. */
INLINE vector_float paces_at(const curve *local, vector_float t)
{
    return lengths_of(tangents_at(local, t)) * (float)local->order;
}

/* Does span_length in each lane. */
INLINE vector_float spans_of(const curve *local, vector_float t0, vector_float t1)
{
    vector_float half_step = (t1 - t0) * 0.5f;
    vector_float middle = t0 + half_step;
    vector_float offset = half_step * 0.57735026f;
    return (paces_at(local, middle - offset) + paces_at(local, middle + offset)) * half_step;
}

static void find_places(const curve *local, uint count, cpu_places *places)
{
    curve_vectors curves = splat_curve(local);
    for (uint i = 0; i < count; i += LANES) {
        vector_float from = load_floats(places->from + i);
        vector_float to = load_floats(places->to + i);
        vector_float extent = load_floats(places->extent + i);
        vector_float along = load_floats(places->along + i);
        vector_float t = from + (to - from) * (along * reciprocals_of(extent));
        t = select_floats(extent > 1.0e-30f, least_of(most_of(t, from), to), from);
        for (int step = 0; step < 2; step++) {
            vector_float pace = paces_at(local, t);
            vector_float next = t + (along - spans_of(local, from, t)) * reciprocals_of(pace);
            t = select_floats(pace > 1.0e-30f, least_of(most_of(next, from), to), t);
        }
        point_vectors at = points_at(&curves, local->order, t);
        point_vectors normal = normals_of(tangents_at(local, t));
        memcpy(places->t + i, &t, sizeof t);
        memcpy(places->x + i, &at.x, sizeof at.x);
        memcpy(places->y + i, &at.y, sizeof at.y);
        memcpy(places->normal_x + i, &normal.x, sizeof normal.x);
        memcpy(places->normal_y + i, &normal.y, sizeof normal.y);
    }
}
