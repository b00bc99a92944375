/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Shades gradients, LANES pixels at a time. The float operations are those of shaders/lib/paint.h and
 * shaders/lib/arithmetic.h, in the same order. A select replaces each branch. Part of kernels_body.h. */

typedef struct gradient_offsets {
    vector_float t;
    vector_int valid;
} gradient_offsets;

INLINE gradient_offsets offsets_radial(const stream_paint *paint, vector_float x, vector_float y)
{
    float c = paint->centre_distance;
    float dr = paint->dr;
    float r0 = paint->r0;
    float square = (c - dr) * (c + dr);
    float least_radius = -1.0e-6f * (r0 + float_abs(dr));
    vector_float middle = x * c + r0 * dr;
    vector_float discriminant = middle * middle - square * (x * x + y * y - r0 * r0);
    if (square < 0.0f)
        discriminant = most_of(discriminant, splat_float(0.0f));
    vector_float root = roots_of(discriminant);
    float inverse = reciprocal(square);
    vector_float t0 = (middle + root) * inverse;
    vector_float t1 = (middle - root) * inverse;
    vector_float larger = most_of(t0, t1);
    vector_float smaller = least_of(t0, t1);
    vector_int larger_valid = r0 + larger * dr >= least_radius;
    vector_int smaller_valid = r0 + smaller * dr >= least_radius;
    gradient_offsets found;
    found.t = select_floats(larger_valid, larger, smaller);
    found.valid = (larger_valid | smaller_valid) & ~(discriminant < 0.0f);
    return found;
}

/* Does turn_of of shaders/lib/arithmetic.h in each lane. */
INLINE vector_float turns_of(vector_float x, vector_float y)
{
    vector_float along = least_of(magnitudes_of(x), splat_float(TURN_FAR));
    vector_float across = least_of(magnitudes_of(y), splat_float(TURN_FAR));
    vector_float most = most_of(along, across);
    vector_int exponent = clamp_ints((vector_int)((vector_uint)most >> 23), 27, 227);
    vector_float scale = (vector_float)((254 - exponent) << 23);
    vector_float ratio = least_of(along, across) * scale * reciprocals_of(most * scale);
    vector_float square = ratio * ratio;
    vector_float sum = TURN_13 * square + TURN_11;
    sum = sum * square + TURN_9;
    sum = sum * square + TURN_7;
    sum = sum * square + TURN_5;
    sum = sum * square + TURN_3;
    sum = sum * square + TURN_1;
    vector_float turn = sum * ratio;
    turn = select_floats(across > along, 0.25f - turn, turn);
    turn = select_floats(x < 0.0f, 0.5f - turn, turn);
    turn = select_floats(y < 0.0f, 1.0f - turn, turn);
    turn = least_of(turn, splat_float(TURN_BELOW_1));
    return select_floats(most < TURN_NEAR, splat_float(0.0f), turn);
}

INLINE vector_float spread_offsets(vector_float t, uint spread)
{
    vector_float held = least_of(most_of(t, splat_float(-1.0e6f)), splat_float(1.0e6f));
    if (spread != SPREAD_PAD) {
        vector_int whole = floors_of(held);
        held = held - __builtin_convertvector(whole, vector_float);
        if (spread == SPREAD_REFLECT)
            held = select_floats((whole & 1) != 0, 1.0f - held, held);
    }
    return least_of(most_of(held, splat_float(-1.0e-9f)), splat_float(1.0f));
}

INLINE vector_uint channels_of(vector_float base, vector_float slope, vector_float from)
{
    vector_float value = base + from * slope + 0.5f;
    value = least_of(most_of(value, splat_float(0.0f)), splat_float(255.0f));
    return (vector_uint) __builtin_convertvector(value, vector_int);
}

INLINE vector_uint product_255(vector_uint a, vector_uint b)
{
    vector_uint biased = a * b + 128u;
    return (biased + (biased >> 8)) >> 8;
}

/* The stop before the offset in each lane, with a vector for each number of a stop. */
typedef struct stop_vectors {
    vector_float offset, base_r, base_g, base_b, base_a, slope_r, slope_g, slope_b, slope_a;
} stop_vectors;

INLINE stop_vectors stops_at(const stream_stop *stops, vector_int index)
{
    vector_int differ = index ^ index[0];
    if (!any_lane((vector_uint)differ)) {
        const stream_stop *s = &stops[index[0]];
        return (stop_vectors){splat_float(s->offset),  splat_float(s->base_r),  splat_float(s->base_g),
                              splat_float(s->base_b),  splat_float(s->base_a),  splat_float(s->slope_r),
                              splat_float(s->slope_g), splat_float(s->slope_b), splat_float(s->slope_a)};
    }
    stop_vectors found;
    memset(&found, 0, sizeof found);
    for (int i = 0; i < LANES; i++) {
        const stream_stop *s = &stops[index[i]];
        found.offset[i] = s->offset;
        found.base_r[i] = s->base_r;
        found.base_g[i] = s->base_g;
        found.base_b[i] = s->base_b;
        found.base_a[i] = s->base_a;
        found.slope_r[i] = s->slope_r;
        found.slope_g[i] = s->slope_g;
        found.slope_b[i] = s->slope_b;
        found.slope_a[i] = s->slope_a;
    }
    return found;
}

/* With more stops than this, bisection is faster than a look at one stop after another. */
#define STOPS_IN_TURN 32u

/* Returns the last stop that is not behind the offset. */
static uint stop_index(const cpu_gradient *gradient, float t)
{
    uint low = 0;
    uint high = gradient->paint->stop_count;
    while (low + 1 < high) {
        uint middle = (low + high) >> 1;
        if (gradient->stops[middle].offset <= t)
            low = middle;
        else
            high = middle;
    }
    return low;
}

INLINE vector_int stop_indices(const cpu_gradient *gradient, vector_float t)
{
    vector_int index = {0};
    for (int i = 0; i < LANES && gradient->paint->stop_count > STOPS_IN_TURN; i++)
        index[i] = (int)stop_index(gradient, t[i]);
    if (gradient->paint->stop_count > STOPS_IN_TURN)
        return index;
    for (uint i = 1; i < gradient->paint->stop_count; i++) {
        vector_int passed = gradient->stops[i].offset <= t;
        if (!any_lane((vector_uint)passed))
            break;
        index -= passed;
    }
    return index;
}

INLINE vector_uint shade(const cpu_gradient *gradient, int x, int y)
{
    const stream_paint *paint = gradient->paint;
    affine g = gradient->map;
    vector_float centre_x = __builtin_convertvector(lane_numbers() + x, vector_float) + 0.5f;
    float centre_y = (float)y + 0.5f;
    vector_float u = g.a * centre_x + g.c * centre_y + g.e;
    vector_float v = g.b * centre_x + g.d * centre_y + g.f;
    gradient_offsets offsets = {u, lane_numbers() >= 0};
    if (paint->kind == PAINT_RADIAL)
        offsets = offsets_radial(paint, u, v);
    else if (paint->kind == PAINT_SWEEP)
        offsets.t = (turns_of(u, v) - paint->r0) * paint->dr;
    vector_float t = spread_offsets(offsets.t, paint->spread);
    stop_vectors stop = stops_at(gradient->stops, stop_indices(gradient, t));
    vector_float from = t - stop.offset;
    vector_uint a = product_255(channels_of(stop.base_a, stop.slope_a, from), splat(paint->opacity));
    vector_uint r = product_255(channels_of(stop.base_r, stop.slope_r, from), a);
    vector_uint green = product_255(channels_of(stop.base_g, stop.slope_g, from), a);
    vector_uint b = product_255(channels_of(stop.base_b, stop.slope_b, from), a);
    return (r | green << 8 | b << 16 | a << 24) & (vector_uint)offsets.valid;
}

/* Returns whether a radial gradient's circles touch from inside, so that its equation is linear. Such gradients are
 * rare. */
static bool is_linear_radial(const stream_paint *paint)
{
    float c = paint->centre_distance;
    float square = (c - paint->dr) * (c + paint->dr);
    return float_abs(square) <= 1.0e-6f * (c * c + paint->dr * paint->dr);
}

static uint shade_one(const cpu_gradient *gradient, int x, int y)
{
    const stream_paint *paint = gradient->paint;
    affine g = gradient->map;
    gradient_offset offset = gradient_at(*paint, g.a, g.b, g.c, g.d, g.e, g.f, x, y);
    return offset.valid ? gradient_color(gradient->stops[stop_index(gradient, offset.t)], offset.t, paint->opacity)
                        : 0u;
}

static void shade_row(const cpu_gradient *gradient, int x, int y, int count, const uint8_t *levels, uint32_t *colors)
{
    if (gradient->paint->kind == PAINT_RADIAL && is_linear_radial(gradient->paint)) {
        for (int i = 0; i < count; i++)
            colors[i] = levels[i] != 0 ? shade_one(gradient, x + i, y) : 0u;
        return;
    }
    for (int i = 0; i < count; i += LANES) {
        uint64_t any;
        memcpy(&any, levels + i, sizeof any);
        if (any != 0)
            store_pixels(colors + i, shade(gradient, x + i, y));
    }
}
