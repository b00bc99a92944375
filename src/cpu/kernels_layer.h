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

/* divide_255 of products of levels, as many as there are bytes in a word of 128 bits. */
typedef uint16_t level_products __attribute__((vector_size(32)));
typedef uint8_t level_bytes __attribute__((vector_size(16)));
#define LEVELS_AT_ONCE 16

INLINE level_bytes load_level_bytes(const uint8_t *from)
{
    level_bytes v;
    memcpy(&v, from, sizeof v);
    return v;
}

INLINE bool any_byte(level_bytes v)
{
    uint64_t words[2];
    memcpy(words, &v, sizeof words);
    return (words[0] | words[1]) != 0;
}

/* The first `count` bytes. */
INLINE level_bytes first_bytes(int count)
{
    level_bytes numbers = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
    return (level_bytes)(numbers < (uint8_t)int_min(count, LEVELS_AT_ONCE));
}

/* Saves what the layer stands on and clears it, where the mask says so. */
INLINE void cut_pixels(uint32_t *below, uint32_t *pixels, vector_byte cut)
{
    vector_int mask = __builtin_convertvector(cut, vector_uint) != 0u;
    vector_uint color = load_pixels(pixels);
    store_pixels(below, select_pixels(mask, color, load_pixels(below)));
    store_pixels(pixels, color & ~(vector_uint)mask);
}

static void merge_layer(const cpu_layer_pixels *layer, int left, int top, const cpu_layer_pixels *other, uint32_t *pixels, size_t pitch)
{
    for (int y = 0; y < other->height; y++) {
        for (int x = 0; x < other->width; x += LEVELS_AT_ONCE) {
            size_t at = (size_t)(y + top) * layer->pitch + (size_t)(x + left);
            level_bytes old = load_level_bytes(layer->levels + at);
            level_bytes others = load_level_bytes(other->levels + (size_t)y * other->pitch + (size_t)x) | ~first_bytes(other->width - x);
            if (!any_byte(~others)) {
                continue;
            }
            level_products product = __builtin_convertvector(old, level_products) * __builtin_convertvector(others, level_products) + 128;
            level_bytes level = __builtin_convertvector((level_products)((product + (product >> 8)) >> 8), level_bytes);
            memcpy(layer->levels + at, &level, sizeof level);
            level_bytes cut = (level_bytes)(old == 255) & (level_bytes)(level != 255);
            if (any_byte(cut)) {
                uint32_t *to = pixels + (size_t)y * pitch + x;
                cut_pixels(layer->below + at, to, __builtin_shufflevector(cut, cut, 0, 1, 2, 3, 4, 5, 6, 7));
                cut_pixels(layer->below + at + LANES, to + LANES, __builtin_shufflevector(cut, cut, 8, 9, 10, 11, 12, 13, 14, 15));
            }
        }
    }
}
