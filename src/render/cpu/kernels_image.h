/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Samples images by the nearest texel or by the mean over a box, LANES pixels at a time, as shaders/lib/image_sample.h
 * does. Sums of integers have no order, so the columns and rows of a box may be counted from any lane's first. Part of
 * kernels_body.h. */

/* Adds a size to what is below 0, and takes it from what is not below the size. */
INLINE vector_int brought_inside(vector_int x, int size)
{
    vector_int most = splat_int(size);
    return x + (most & (x < 0)) - (most & (x >= size));
}

/* Returns what remains of places when whole sizes are taken away. Places are within 2^30, and sizes are 2^11 or more,
 * so a product of floats is at most one off the quotient. */
INLINE vector_int remainders_of(vector_int places, int size)
{
    vector_float quotients = __builtin_convertvector(places, vector_float) * (1.0f / (float)size);
    return brought_inside(places - floors_of(quotients) * size, size);
}

/* Does image_position for SPREAD_PAD or SPREAD_REPEAT in each lane. */
INLINE vector_int image_positions(float a, float c, float e, vector_float px, float py, uint size, uint spread)
{
    vector_int places = floors_of((a * px + c * py + e) * 256.0f + 0.5f);
    int end = (int)size << TEXEL_SHIFT;
    return spread == SPREAD_REPEAT ? remainders_of(places, end) : clamp_ints(places, 0, end - 1);
}

/* Does image_wrap for SPREAD_PAD or SPREAD_REPEAT in each lane. Repeated texels are less than a size away. */
INLINE vector_int wrapped_texels(vector_int texels, int size, uint spread)
{
    return spread == SPREAD_REPEAT ? brought_inside(texels, size) : clamp_ints(texels, 0, size - 1);
}

/* The texels that a box meets along one axis. */
typedef struct box_extent {
    vector_int low, high; /* 256ths of a texel */
    int texels;           /* the most that any lane meets */
    int size;             /* the image's */
    uint spread;
} box_extent;

INLINE box_extent extent_around(vector_int middle, int width, uint size, uint spread)
{
    vector_int low = middle - (width >> 1);
    return (box_extent){low, low + width, (width + 2 * (TEXEL_UNIT - 1)) >> TEXEL_SHIFT, (int)size, spread};
}

/* Returns the place of texel i of an extent, and how much of the extent lies in it. */
INLINE vector_int texel_of_extent(const box_extent *extent, int i, vector_int *overlap)
{
    vector_int texel = (extent->low >> TEXEL_SHIFT) + i, start = texel << TEXEL_SHIFT;
    vector_int inside = least_ints(extent->high, start + TEXEL_UNIT) - most_ints(extent->low, start);
    *overlap = most_ints(inside, splat_int(0));
    return wrapped_texels(texel, extent->size, extent->spread);
}

INLINE vector_uint texels_at(const uint *texels, vector_uint places)
{
#if defined(__AVX2__)
    return (vector_uint)_mm256_i32gather_epi32((const int *)(const void *)texels, (__m256i)places, 4);
#else
    vector_uint found = places;
    for (int i = 0; i < LANES; i++)
        found[i] = texels[places[i]];
    return found;
#endif
}

typedef struct channel_sums {
    vector_int r, g, b, a;
} channel_sums;

INLINE channel_sums sums_of_row(const cpu_image *image, vector_uint row, const box_extent *columns)
{
    channel_sums sums = {splat_int(0), splat_int(0), splat_int(0), splat_int(0)};
    for (int i = 0; i < columns->texels; i++) {
        vector_int weight;
        vector_uint column = (vector_uint)texel_of_extent(columns, i, &weight);
        vector_uint texels = texels_at(image->texels, row + column);
        sums.r += (vector_int)(texels & 0xffu) * weight;
        sums.g += (vector_int)(texels >> 8 & 0xffu) * weight;
        sums.b += (vector_int)(texels >> 16 & 0xffu) * weight;
        sums.a += (vector_int)(texels >> 24) * weight;
    }
    return sums;
}

/* Returns sums over an area, divided to the nearest. A product of floats is at most one off the quotient. */
INLINE vector_uint means_over(vector_int sums, int area)
{
    if (area == TEXEL_UNIT * TEXEL_UNIT)
        return (vector_uint)(sums + area / 2) >> 2 * TEXEL_SHIFT;
    vector_int whole = sums + (area >> 1);
    vector_float quotient = __builtin_convertvector(whole, vector_float) * (1.0f / (float)area);
    vector_int mean = __builtin_convertvector(quotient, vector_int), rest = whole - mean * area;
    return (vector_uint)(mean + (rest < 0) - (rest >= area));
}

INLINE vector_uint box_means(const cpu_image *image, uint spread, vector_int u, vector_int v)
{
    const stream_mip_level *level = &image->level;
    const box_extent columns = extent_around(u, image->print.width, level->width, spread);
    const box_extent rows = extent_around(v, image->print.height, level->height, spread);
    channel_sums sums = {splat_int(0), splat_int(0), splat_int(0), splat_int(0)};
    for (int j = 0; j < rows.texels; j++) {
        vector_int weight;
        vector_uint row = (vector_uint)texel_of_extent(&rows, j, &weight) * level->width + level->first_texel;
        const channel_sums added = sums_of_row(image, row, &columns);
        sums.r += added.r * weight;
        sums.g += added.g * weight;
        sums.b += added.b * weight;
        sums.a += added.a * weight;
    }
    const int area = image->print.width * image->print.height;
    return means_over(sums.r, area) | means_over(sums.g, area) << 8 | means_over(sums.b, area) << 16 |
           means_over(sums.a, area) << 24;
}

INLINE vector_uint nearest_texels(const cpu_image *image, uint spread, vector_int u, vector_int v)
{
    const stream_mip_level *level = &image->level;
    vector_uint column = (vector_uint)wrapped_texels(u >> TEXEL_SHIFT, (int)level->width, spread);
    vector_uint row = (vector_uint)wrapped_texels(v >> TEXEL_SHIFT, (int)level->height, spread);
    return texels_at(image->texels, row * level->width + level->first_texel + column);
}

/* Lanes behind the last pixel read what that one reads. */
INLINE void shade_spread_row(const cpu_image *image, uint spread, int x, int y, int count, const uint8_t *levels,
                             uint32_t *colors)
{
    const affine m = image->map;
    const float py = (float)y + 0.5f;
    const int mip_level = (int)image->print.mip_level;
    for (int i = 0; i < count; i += LANES) {
        uint64_t any;
        memcpy(&any, levels + i, sizeof any);
        if (any == 0)
            continue;
        vector_int column = least_ints(lane_numbers() + (x + i), splat_int(x + count - 1));
        vector_float px = __builtin_convertvector(column, vector_float) + 0.5f;
        vector_int u = image_positions(m.a, m.c, m.e, px, py, image->whole.width, spread) >> mip_level;
        vector_int v = image_positions(m.b, m.d, m.f, px, py, image->whole.height, spread) >> mip_level;
        vector_uint texels = image->print.sampling == SAMPLE_NEAREST ? nearest_texels(image, spread, u, v)
                                                                     : box_means(image, spread, u, v);
        store_pixels(colors + i, scale_pixels(texels, splat(image->paint->opacity)));
    }
}

static void shade_image_row(const cpu_image *image, int x, int y, int count, const uint8_t *levels, uint32_t *colors)
{
    if (image->paint->spread == SPREAD_REPEAT)
        shade_spread_row(image, SPREAD_REPEAT, x, y, count, levels, colors);
    else
        shade_spread_row(image, SPREAD_PAD, x, y, count, levels, colors);
}
