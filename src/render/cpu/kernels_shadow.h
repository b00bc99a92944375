/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Shades box shadows, LANES pixels at a time. The float operations are those of shaders/lib/box_shadow.h and
 * shaders/lib/power.h, in the same order. Part of kernels_body.h. */

/* Does shadow_series in each lane. */
INLINE vector_float series_of_shadows(vector_float a, float c6, float c5, float c4, float c3, float c2, float c1)
{
    vector_float p = c6 * a + c5;
    p = p * a + c4;
    p = p * a + c3;
    p = p * a + c2;
    p = p * a + c1;
    p = p * a + 1.0f;
    p = p * p;
    p = p * p;
    p = p * p;
    return p * p;
}

/* Do normal_below and normal_sum_below in each lane. */
INLINE vector_float normals_below(vector_float x)
{
    vector_float a = least_of(magnitudes_of(x), splat_float(8.0f));
    vector_float p = series_of_shadows(a, NORMAL_SERIES);
    vector_float tail = 0.5f * reciprocals_of(p);
    return select_floats(x < 0.0f, tail, 1.0f - tail);
}

INLINE vector_float normal_sums_below(vector_float x)
{
    vector_float a = least_of(x, splat_float(8.0f));
    vector_float p = series_of_shadows(a, NORMAL_SUM_SERIES);
    return 0.398942280f * reciprocals_of(p);
}

/* Does exp2_of in each lane. */
INLINE vector_float exp2s_of(vector_float x)
{
    vector_float held = least_of(most_of(x, splat_float(-100.0f)), splat_float(60.0f));
    vector_int whole = floors_of(held + 0.5f);
    vector_float f = held - __builtin_convertvector(whole, vector_float);
    vector_float series = EXP2_6 * f + EXP2_5;
    series = series * f + EXP2_4;
    series = series * f + EXP2_3;
    series = series * f + EXP2_2;
    series = series * f + EXP2_1;
    series = series * f + 1.0f;
    return series * (vector_float)((vector_uint)(whole + 127) << 23);
}

INLINE vector_float shadow_edges(const shadow_axis *axis, vector_float distance)
{
    if (!axis->is_sharp)
        return normals_below(distance * axis->inverse);
    vector_float right = magnitudes_of(distance + axis->half_width) * axis->inverse;
    vector_float left = magnitudes_of(distance - axis->half_width) * axis->inverse;
    vector_float ramp = distance * axis->inverse_width + 0.5f;
    ramp = least_of(most_of(ramp, splat_float(0.0f)), splat_float(1.0f));
    return ramp + axis->sigma * axis->inverse_width * (normal_sums_below(right) - normal_sums_below(left));
}

INLINE vector_float shadow_densities(const shadow_axis *axis, vector_float distance)
{
    if (axis->is_hard) {
        return select_floats(magnitudes_of(distance) <= axis->half_width, splat_float(axis->inverse_width),
                             splat_float(0.0f));
    }
    vector_float scaled = distance * axis->inverse;
    if (!axis->is_sharp)
        return 0.398942280f * axis->inverse * exp2s_of(-0.721347520f * scaled * scaled);
    float half_width = axis->half_width * axis->inverse;
    return (normals_below(scaled + half_width) - normals_below(scaled - half_width)) * axis->inverse_width;
}

/* Pixels at a corner, as shadow_corner has one. */
typedef struct shadow_corners {
    vector_float u, v;
    float radius;
} shadow_corners;

/* Returns how far the arc lies from its straight edge at distance y from the other edge. */
INLINE vector_float shadow_arcs(float radius, vector_float y)
{
    vector_float up = radius - y;
    vector_float square = up * up;
    vector_float root = roots_of(radius * radius - square);
    return square * reciprocals_of(radius + root);
}

INLINE vector_float shadow_lines(const shadow_axis *along, const shadow_axis *across, const shadow_corners *corners,
                                 vector_float edge, vector_float y)
{
    vector_float level = edge - shadow_edges(along, corners->u - shadow_arcs(corners->radius, y));
    return level * shadow_densities(across, corners->v - y);
}

/* Lanes that are not in the mask may have any result. */
static vector_float shadow_pieces(const shadow_axis *along, const shadow_axis *across, const shadow_corners *corners,
                                  vector_float edge, vector_int counts)
{
    vector_float low = most_of(splat_float(SHADOW_SQUARE * corners->radius), corners->v - across->density_reach);
    vector_float high = least_of(splat_float(corners->radius), corners->v + across->density_reach);
    counts &= low < high;
    if (!any_lane((vector_uint)counts))
        return splat_float(0.0f);
    vector_float length = high - low;
    vector_int panels = clamp_ints(-floors_of(-(length * across->inverse_panel)), 1, SHADOW_PANELS);
    vector_float step = length * reciprocals_of(__builtin_convertvector(panels, vector_float));
    vector_float sum = splat_float(0.0f);
    for (int i = 0; i < SHADOW_PANELS; i++) {
        vector_int goes_on = counts & (panels > i);
        if (!any_lane((vector_uint)goes_on))
            break;
        vector_float from = low + step * (float)i;
        vector_float outer = shadow_lines(along, across, corners, edge, from + 0.0694318442f * step) +
                             shadow_lines(along, across, corners, edge, from + 0.930568156f * step);
        vector_float inner = shadow_lines(along, across, corners, edge, from + 0.330009478f * step) +
                             shadow_lines(along, across, corners, edge, from + 0.669990522f * step);
        sum = select_floats(goes_on, sum + 0.173927423f * outer + 0.326072577f * inner, sum);
    }
    return select_floats(counts, sum * step, splat_float(0.0f));
}

/* Takes away what the corners lack. */
static vector_float shadow_corner_parts(const shadow_axis *x, const shadow_axis *y, const shadow_corners *corners,
                                        vector_float level)
{
    float right = corners->radius + x->reach, bottom = corners->radius + y->reach;
    vector_int counts =
        (corners->u > -x->reach) & (corners->u < right) & (corners->v > -y->reach) & (corners->v < bottom);
    if (!(corners->radius > 0.001f * (x->reach + y->reach)) || !any_lane((vector_uint)counts))
        return level;
    float side = SHADOW_SQUARE * corners->radius;
    vector_float edge_u = shadow_edges(x, corners->u), edge_v = shadow_edges(y, corners->v);
    vector_float across = edge_u - shadow_edges(x, corners->u - side);
    vector_float down = edge_v - shadow_edges(y, corners->v - side);
    const shadow_corners turned = {corners->v, corners->u, corners->radius};
    vector_float part = across * down + shadow_pieces(x, y, corners, edge_u, counts);
    part = part + shadow_pieces(y, x, &turned, edge_v, counts);
    return select_floats(counts, level - part, level);
}

INLINE vector_uint whole_shadow_levels(const stream_box_shadow *shadow, vector_float level)
{
    level = least_of(most_of(level, splat_float(0.0f)), splat_float(1.0f)) * 255.0f + 0.5f;
    vector_uint whole = (vector_uint) __builtin_convertvector(level, vector_int);
    return shadow->is_inset != 0u ? 255u - whole : whole;
}

static vector_uint shadow_levels(const stream_box_shadow *shadow, const shadow_axis *x, const shadow_axis *y,
                                 vector_float u, vector_float v)
{
    vector_float across = shadow_edges(x, u - shadow->x0) - shadow_edges(x, u - shadow->x1);
    vector_float down = shadow_edges(y, v - shadow->y0) - shadow_edges(y, v - shadow->y1);
    vector_float level = across * down;
    const shadow_corners corners[4] = {{u - shadow->x0, v - shadow->y0, shadow->top_left},
                                       {shadow->x1 - u, v - shadow->y0, shadow->top_right},
                                       {shadow->x1 - u, shadow->y1 - v, shadow->bottom_right},
                                       {u - shadow->x0, shadow->y1 - v, shadow->bottom_left}};
    for (int i = 0; i < 4; i++)
        level = shadow_corner_parts(x, y, &corners[i], level);
    return whole_shadow_levels(shadow, level);
}

INLINE bool any_level(const uint8_t *levels)
{
    uint64_t any;
    memcpy(&any, levels, sizeof any);
    return any != 0;
}

/* Writes the colours of pixels from (x, y) on. Groups whose levels are all 0 are left alone. */
static void shade_shadow_row(const cpu_gradient *gradient, int x, int y, int count, const uint8_t *levels,
                             uint32_t *colors)
{
    const affine m = gradient->map;
    const shadow_axis across = shadow_axis_of(gradient->shadow->sigma, m.a, m.c),
                      down = shadow_axis_of(gradient->shadow->sigma, m.b, m.d);
    const float centre_y = (float)y + 0.5f;
    for (int i = 0; i < count; i += LANES) {
        if (!any_level(levels + i))
            continue;
        vector_float centre_x = __builtin_convertvector(lane_numbers() + (x + i), vector_float) + 0.5f;
        vector_float u = m.a * centre_x + m.c * centre_y + m.e, v = m.b * centre_x + m.d * centre_y + m.f;
        u = least_of(most_of(u, splat_float(-SHADOW_LIMIT)), splat_float(SHADOW_LIMIT));
        v = least_of(most_of(v, splat_float(-SHADOW_LIMIT)), splat_float(SHADOW_LIMIT));
        vector_uint level = shadow_levels(gradient->shadow, &across, &down, u, v);
        store_pixels(colors + i, scale_pixels(splat(gradient->paint->color), level));
    }
}
