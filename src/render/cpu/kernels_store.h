/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Stores rows of pixels as the target's bytes. Part of kernels_body.h. */

#if __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
INLINE void store_bytes(uint8_t *to, uint32_t color)
{
    to[0] = (uint8_t)color;
    to[1] = (uint8_t)(color >> 8);
    to[2] = (uint8_t)(color >> 16);
    to[3] = (uint8_t)(color >> 24);
}
#endif

/* Returns the channel of colours at `shift` over their alpha, given the reciprocals of the alphas. Half of a unit more
 * in the numerator keeps the quotient at least 1 / 510 from an integer, and the product is off by less than that. */
INLINE vector_uint straight_channels(vector_uint colors, uint shift, vector_uint alphas, vector_float reciprocals)
{
    vector_uint numerators = (colors >> shift & 255u) * 255u + (alphas >> 1);
    vector_float quotients = (__builtin_convertvector((vector_int)numerators, vector_float) + 0.5f) * reciprocals;
    return (vector_uint) __builtin_convertvector(quotients, vector_int) << shift;
}

/* Does color_straight in each lane. */
INLINE vector_uint straight_colors(vector_uint colors)
{
    vector_uint alphas = colors >> 24;
    vector_int is_clear = alphas == 0u;
    vector_float reciprocals = 1.0f / __builtin_convertvector((vector_int)alphas - is_clear, vector_float);
    vector_uint straight = alphas << 24;
    for (uint shift = 0; shift < 24; shift += 8)
        straight |= straight_channels(colors, shift, alphas, reciprocals);
    return straight & (vector_uint)~is_clear;
}

/* Returns colours as the target has them, of which straight ones are straight already. */
INLINE vector_uint ordered_colors(vector_uint colors, cpu_stored_as as)
{
    if (as.blue_first)
        colors = (colors & 0xff00ff00u) | (colors & 255u) << 16 | (colors >> 16 & 255u);
    return as.opaque ? colors | 0xff000000u : colors;
}

/* Stores LANES pixels. */
INLINE void store_vector(uint8_t *to, const uint32_t *pixels, cpu_stored_as as)
{
    vector_uint colors = load_pixels(pixels);
    if (as.straight)
        colors = straight_colors(colors);
    colors = ordered_colors(colors, as);
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    memcpy(to, &colors, sizeof colors);
#else
    for (int i = 0; i < LANES; i++)
        store_bytes(to + 4 * (size_t)i, colors[i]);
#endif
}

/* This many pixels are tested together. Most are opaque or clear, and then straight and premultiplied bytes are the
 * same. */
#define STORED_AT_ONCE (4 * LANES)

/* Returns whether straight colours may differ from STORED_AT_ONCE premultiplied ones. */
INLINE bool some_are_translucent(const uint32_t *pixels)
{
    vector_uint all = load_pixels(pixels), any = all;
    for (int i = LANES; i < STORED_AT_ONCE; i += LANES) {
        all &= load_pixels(pixels + i);
        any |= load_pixels(pixels + i);
    }
    return any_lane(~all >> 24) && any_lane(any);
}

/* Stores fewer pixels than LANES. */
INLINE void store_some(uint8_t *to, const uint32_t *pixels, int count, cpu_stored_as as)
{
    uint32_t read[LANES] = {0};
    uint8_t made[4 * LANES];
    memcpy(read, pixels, (size_t)count * sizeof *pixels);
    store_vector(made, read, as);
    memcpy(to, made, 4 * (size_t)count);
}

static void store_row(uint8_t *to, const uint32_t *pixels, int count, cpu_stored_as as)
{
    int x = 0;
    for (; x + STORED_AT_ONCE <= count; x += STORED_AT_ONCE) {
        cpu_stored_as held = as;
        held.straight = as.straight && some_are_translucent(pixels + x);
        for (int i = x; i < x + STORED_AT_ONCE; i += LANES)
            store_vector(to + 4 * (size_t)i, pixels + i, held);
    }
    for (; x + LANES <= count; x += LANES)
        store_vector(to + 4 * (size_t)x, pixels + x, as);
    store_some(to + 4 * (size_t)x, pixels + x, count - x, as);
}
