/* Rows of pixels to the target's bytes. Part of kernels_body.h. */

INLINE void store_bytes(unsigned char *to, uint32_t color)
{
    to[0] = (unsigned char)color;
    to[1] = (unsigned char)(color >> 8);
    to[2] = (unsigned char)(color >> 16);
    to[3] = (unsigned char)(color >> 24);
}

static void store_row(unsigned char *to, const uint32_t *pixels, int count, bool straight)
{
    int x = 0;
    for (; x + LANES <= count; x += LANES) {
        vector_uint color = load_pixels(pixels + x);
        vector_uint alpha = color >> 24;
        if (straight && any_lane((vector_uint)(alpha != 255u) & (vector_uint)(alpha != 0u))) {
            for (int i = x; i < x + LANES; i++) {
                store_bytes(to + 4 * (size_t)i, color_straight(pixels[i]));
            }
            continue;
        }
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
        memcpy(to + 4 * (size_t)x, &color, sizeof color);
#else
        for (int i = x; i < x + LANES; i++) {
            store_bytes(to + 4 * (size_t)i, pixels[i]);
        }
#endif
    }
    for (; x < count; x++) {
        store_bytes(to + 4 * (size_t)x, straight ? color_straight(pixels[x]) : pixels[x]);
    }
}
