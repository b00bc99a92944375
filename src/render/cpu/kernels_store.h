/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Stores rows of pixels as the target's bytes. Part of kernels_body.h. */

INLINE void store_bytes(uint8_t *to, uint32_t color)
{
    to[0] = (uint8_t)color;
    to[1] = (uint8_t)(color >> 8);
    to[2] = (uint8_t)(color >> 16);
    to[3] = (uint8_t)(color >> 24);
}

/* Stores LANES pixels. */
INLINE void store_vector(uint8_t *to, const uint32_t *pixels, bool straight)
{
    vector_uint color = load_pixels(pixels);
    vector_uint alpha = color >> 24;
    bool is_copied = !straight || !any_lane((vector_uint)(alpha != 255u) & (vector_uint)(alpha != 0u));
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    if (is_copied) {
        memcpy(to, &color, sizeof color);
        return;
    }
#endif
    for (int i = 0; i < LANES; i++)
        store_bytes(to + 4 * (size_t)i, is_copied ? pixels[i] : color_straight(pixels[i]));
}

/* This many pixels are tested together. Most pixels are opaque, and then straight and premultiplied bytes are the
 * same. */
#define STORED_AT_ONCE (4 * LANES)

static void store_row(uint8_t *to, const uint32_t *pixels, int count, bool straight)
{
    int x = 0;
    for (; x + STORED_AT_ONCE <= count; x += STORED_AT_ONCE) {
        vector_uint all = load_pixels(pixels + x);
        for (int i = LANES; i < STORED_AT_ONCE; i += LANES)
            all &= load_pixels(pixels + x + i);
        bool is_opaque = !any_lane(~all >> 24);
        for (int i = x; i < x + STORED_AT_ONCE; i += LANES)
            store_vector(to + 4 * (size_t)i, pixels + i, straight && !is_opaque);
    }
    for (; x + LANES <= count; x += LANES)
        store_vector(to + 4 * (size_t)x, pixels + x, straight);
    for (; x < count; x++)
        store_bytes(to + 4 * (size_t)x, straight ? color_straight(pixels[x]) : pixels[x]);
}
