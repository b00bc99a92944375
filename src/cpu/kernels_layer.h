/* Layers: rows of colours kept below, and levels. Part of kernels_body.h. */

/* Whether the levels of LANES pixels are all 255. */
INLINE bool are_full(const uint8_t *levels)
{
    uint64_t all;
    memcpy(&all, levels, sizeof all);
    return all == UINT64_MAX;
}

static void begin_layer(const cpu_layer_pixels *layer, uint32_t *pixels, size_t pitch)
{
    for (int y = 0; y < layer->height; y++) {
        for (int x = 0; x < layer->width; x += LANES) {
            size_t at = (size_t)y * layer->pitch + (size_t)x;
            uint32_t *to = pixels + (size_t)y * pitch + x;
            vector_uint color = load_pixels(to);
            store_pixels(layer->below + at, color);
            vector_int full = load_levels(layer->levels + at) == 255u;
            vector_int outside = ~first_lanes(layer->width - x);
            store_pixels(to, color & (vector_uint)(full | outside));
        }
    }
}

static void end_source(const cpu_layer_pixels *layer, uint32_t *pixels, size_t pitch)
{
    for (int y = 0; y < layer->height; y++) {
        for (int x = 0; x < layer->width; x += LANES) {
            size_t at = (size_t)y * layer->pitch + (size_t)x;
            uint32_t *to = pixels + (size_t)y * pitch + x;
            vector_uint color = load_pixels(to);
            vector_uint level = color >> 24;
            store_levels(layer->levels + at, level);
            vector_uint next = load_pixels(layer->below + at) & (vector_uint)(level == 255u);
            store_pixels(to, select_pixels(first_lanes(layer->width - x), next, color));
        }
    }
}

static void end_layer(const cpu_layer_pixels *layer, uint32_t *pixels, size_t pitch)
{
    for (int y = 0; y < layer->height; y++) {
        for (int x = 0; x < layer->width; x += LANES) {
            size_t at = (size_t)y * layer->pitch + (size_t)x;
            uint32_t *to = pixels + (size_t)y * pitch + x;
            if (are_full(layer->levels + at)) {
                continue;
            }
            vector_uint color = load_pixels(to);
            vector_uint level = load_levels(layer->levels + at);
            vector_int kept = (vector_int)(level == 255u) | ~first_lanes(layer->width - x);
            vector_uint mixed = pixels_over(scale_pixels(color, level), load_pixels(layer->below + at));
            store_pixels(to, select_pixels(kept, color, mixed));
        }
    }
}

static void merge_layer(const cpu_layer_pixels *layer, int left, int top, const cpu_layer_pixels *other, uint32_t *pixels, size_t pitch)
{
    for (int y = 0; y < other->height; y++) {
        for (int x = 0; x < other->width; x += LANES) {
            size_t at = (size_t)(y + top) * layer->pitch + (size_t)(x + left);
            uint32_t *to = pixels + (size_t)y * pitch + x;
            if (are_full(other->levels + (size_t)y * other->pitch + (size_t)x)) {
                continue;
            }
            vector_int inside = first_lanes(other->width - x);
            vector_uint old = load_levels(layer->levels + at);
            vector_uint product = old * load_levels(other->levels + (size_t)y * other->pitch + (size_t)x) + 128u;
            product = (product + (product >> 8)) >> 8;
            vector_uint level = select_pixels(inside, product, old);
            store_levels(layer->levels + at, level);
            vector_int cut = (vector_int)(old == 255u) & (vector_int)(level != 255u);
            vector_uint color = load_pixels(to);
            store_pixels(layer->below + at, select_pixels(cut, color, load_pixels(layer->below + at)));
            store_pixels(to, color & ~(vector_uint)cut);
        }
    }
}
