/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Scales and composites pixels, LANES at a time. Two channels are multiplied at a time, in lanes of 16 bits, as
 * shaders/lib/paint.h does it in words. Part of kernels_body.h. */

/* Does divide_255 on products to which 128 was added. */
INLINE vector_half halves_by_255(vector_half biased)
{
#if defined(__AVX2__)
    return (vector_half)_mm256_mulhi_epu16((__m256i)biased, _mm256_set1_epi16(257));
#else
    return (biased + (biased >> 8)) >> 8;
#endif
}

/* Does color_scale with a level for each pixel. */
INLINE vector_uint scale_pixels(vector_uint color, vector_uint level)
{
    vector_half levels = (vector_half)(level | (level << 16));
    vector_half low = (vector_half)(color & 0xff00ffu) * levels + 128;
    vector_half high = (vector_half)((color >> 8) & 0xff00ffu) * levels + 128;
    low = halves_by_255(low);
    high = high + (high >> 8);
    return (vector_uint)low | ((vector_uint)high & 0xff00ff00u);
}

/* Does color_over in each lane. */
INLINE vector_uint pixels_over(vector_uint source, vector_uint destination)
{
    return source + scale_pixels(destination, 255u - (source >> 24));
}

static void fill(uint32_t *pixels, uint color, size_t count)
{
    for (size_t x = 0; x + LANES <= count; x += LANES)
        store_pixels(pixels + x, splat(color));
}

static void blend_row(uint32_t *pixels, const uint32_t *colors, const uint8_t *levels, int count)
{
    for (int x = 0; x < count; x += LANES) {
        vector_uint level = load_levels(levels + x) & (vector_uint)first_lanes(count - x);
        vector_uint source = load_pixels(colors + x);
        if (!any_lane(~source >> 24 | (level ^ 255u)))
            store_pixels(pixels + x, source);
        else if (any_lane(level))
            store_pixels(pixels + x, pixels_over(scale_pixels(source, level), load_pixels(pixels + x)));
    }
}
