/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The inner loops of 11 band. Rows are texels of 16 bits. A zipped row has words instead, of which the low half is a
 * channel and the high half the same channel of the next texel, or of the texel below: products_of then takes two taps
 * at once. Part of effects_body.h. */

#define UNROLLED 4u /* vectors that share a weight once it is loaded */

/* Weights of a Gaussian, two to a word, for all lanes. */
typedef struct band_weights {
    wide_int even[EFFECT_RADIUS_MOST + 1]; /* for what starts with the first texel of a pair */
    wide_int odd[EFFECT_RADIUS_MOST + 1];  /* for what starts with the second one */
    uint pairs;
} band_weights;

INLINE wide_int weight_pair(int first, int second)
{
    return splat_word((uint)(uint16_t)first | (uint)(uint16_t)second << 16);
}

/* Returns the weight of tap t of 2 radius + 1, or 0. */
INLINE int weight_at(const effect_blur_axis *axis, int t)
{
    int from_middle = int_abs(t - axis->radius);
    return t < 0 || from_middle > axis->radius ? 0 : axis->weights[from_middle];
}

static void find_weights(const effect_blur_axis *axis, band_weights *weights)
{
    weights->pairs = axis->radius + 1u;
    for (int pair = 0; pair <= axis->radius; pair++) {
        weights->even[pair] = weight_pair(weight_at(axis, 2 * pair), weight_at(axis, 2 * pair + 1));
        weights->odd[pair] = weight_pair(weight_at(axis, 2 * pair - 1), weight_at(axis, 2 * pair));
    }
}

INLINE wide_int half_of_weights(void)
{
    return splat_word(1u << 14);
}

INLINE wide_uint channels_of_sums(wide_int sums)
{
    return (wide_uint)sums >> 15;
}

/* Zips each texel with the one after it. One texel more than `count` is read. */
static void zip_along(const uint16_t *row, uint32_t *zipped, uint count)
{
    for (uint x = 0; x < count; x += WIDE_TEXELS)
        store_words(zipped + 4 * x, load_texels(row + 4 * x) | load_texels(row + 4 * x + 4) << 16);
}

static void zip_rows(const uint16_t *upper, const uint16_t *lower, uint32_t *zipped, uint count)
{
    for (uint x = 0; x < count; x += WIDE_TEXELS)
        store_words(zipped + 4 * x, load_texels(upper + 4 * x) | load_texels(lower + 4 * x) << 16);
}

/* Convolves `vectors` vectors of texels along a row. */
INLINE void blur_vectors_along(const band_weights *weights, const uint32_t *zipped, uint16_t *to, uint vectors)
{
    wide_int sums[UNROLLED];

    for (uint i = 0; i < vectors; i++)
        sums[i] = half_of_weights();
    for (uint pair = 0; pair < weights->pairs; pair++)
        for (uint i = 0; i < vectors; i++)
            sums[i] += products_of(load_words(zipped + 8 * pair + WIDE * i), weights->even[pair]);
    for (uint i = 0; i < vectors; i++)
        store_texels(to + WIDE * i, channels_of_sums(sums[i]));
}

static void blur_along(const band_weights *weights, const uint32_t *zipped, uint16_t *to, uint count)
{
    uint x = 0;
    for (; x + UNROLLED * WIDE_TEXELS <= count; x += UNROLLED * WIDE_TEXELS)
        blur_vectors_along(weights, zipped + 4 * x, to + 4 * x, UNROLLED);
    for (; x < count; x += WIDE_TEXELS)
        blur_vectors_along(weights, zipped + 4 * x, to + 4 * x, 1);
}

/* Convolves two rows, of which the lower one starts a row later. */
INLINE void blur_vectors_down(const band_weights *weights, const uint32_t *const *zipped, uint at, uint16_t *upper,
                              uint16_t *lower, uint vectors)
{
    wide_int upper_sums[UNROLLED], lower_sums[UNROLLED];

    for (uint i = 0; i < vectors; i++)
        upper_sums[i] = lower_sums[i] = half_of_weights();
    for (uint pair = 0; pair < weights->pairs; pair++)
        for (uint i = 0; i < vectors; i++) {
            wide_int texels = load_words(zipped[pair] + at + WIDE * i);
            upper_sums[i] += products_of(texels, weights->even[pair]);
            lower_sums[i] += products_of(texels, weights->odd[pair]);
        }
    for (uint i = 0; i < vectors; i++) {
        store_texels(upper + at + WIDE * i, channels_of_sums(upper_sums[i]));
        store_texels(lower + at + WIDE * i, channels_of_sums(lower_sums[i]));
    }
}

static void blur_down(const band_weights *weights, const uint32_t *const *zipped, uint16_t *upper, uint16_t *lower,
                      uint count)
{
    uint x = 0;
    for (; x + UNROLLED * WIDE_TEXELS <= count; x += UNROLLED * WIDE_TEXELS)
        blur_vectors_down(weights, zipped, 4 * x, upper, lower, UNROLLED);
    for (; x < count; x += WIDE_TEXELS)
        blur_vectors_down(weights, zipped, 4 * x, upper, lower, 1);
}

/* Returns (a + b) / 2, rounded down. The sums need a bit more than a lane has. */
INLINE wide_ushort means_of(wide_ushort a, wide_ushort b)
{
    return (a & b) + ((a ^ b) >> 1);
}

/* Returns (a + 3 b + 3 c + d + 4) / 8, rounded down. With p = b + c and q = a + d that is (2 p + (p + q) + 4) / 8, and
 * halves that are dropped on the way do not reach the next integer. */
INLINE wide_short halved(wide_short a, wide_short b, wide_short c, wide_short d)
{
    wide_ushort inner = (wide_ushort)b + (wide_ushort)c, outer = (wide_ushort)a + (wide_ushort)d;
    return (wide_short)((means_of(inner, means_of(inner, outer)) + 1) >> 1);
}

/* Return every other one of the texels of two vectors, from the first and from the second one on. */
INLINE wide_short even_texels(wide_short low, wide_short high)
{
#if WIDE == 16
    return (wide_short)__builtin_shufflevector((wide_long)low, (wide_long)high, 0, 2, 4, 6, 8, 10, 12, 14);
#elif WIDE == 8
    return (wide_short)__builtin_shufflevector((wide_long)low, (wide_long)high, 0, 2, 4, 6);
#else
    return (wide_short)__builtin_shufflevector((wide_long)low, (wide_long)high, 0, 2);
#endif
}

INLINE wide_short odd_texels(wide_short low, wide_short high)
{
#if WIDE == 16
    return (wide_short)__builtin_shufflevector((wide_long)low, (wide_long)high, 1, 3, 5, 7, 9, 11, 13, 15);
#elif WIDE == 8
    return (wide_short)__builtin_shufflevector((wide_long)low, (wide_long)high, 1, 3, 5, 7);
#else
    return (wide_short)__builtin_shufflevector((wide_long)low, (wide_long)high, 1, 3);
#endif
}

/* Halves a row from the texel before the first pair on. */
static void halve_along(const uint16_t *row, uint16_t *to, uint count)
{
    for (uint x = 0; x < count; x += 2 * WIDE_TEXELS) {
        wide_short low = load_shorts(row + 8 * x), high = load_shorts(row + 8 * x + 2 * WIDE);
        wide_short next_low = load_shorts(row + 8 * x + 8), next_high = load_shorts(row + 8 * x + 2 * WIDE + 8);
        store_shorts(to + 4 * x, halved(even_texels(low, high), odd_texels(low, high), even_texels(next_low, next_high),
                                        odd_texels(next_low, next_high)));
    }
}

static void halve_down(const uint16_t *const rows[4], uint16_t *to, uint count)
{
    for (uint x = 0; x < 4 * count; x += 2 * WIDE)
        store_shorts(to + x, halved(load_shorts(rows[0] + x), load_shorts(rows[1] + x), load_shorts(rows[2] + x),
                                    load_shorts(rows[3] + x)));
}

/* Returns a quarter of one and three quarters of the other. */
INLINE wide_short doubled(wide_short far, wide_short near)
{
    return near + ((far - near + 2) >> 2);
}

/* Doubles a row from the texel before the first one on. */
static void double_along(const uint16_t *row, uint16_t *to, uint count)
{
    for (uint x = 0; x < count; x += 2 * WIDE_TEXELS) {
        wide_short here = load_shorts(row + 4 * x + 4);
        wide_long left = (wide_long)doubled(load_shorts(row + 4 * x), here);
        wide_long right = (wide_long)doubled(load_shorts(row + 4 * x + 8), here);
#if WIDE == 16
        wide_long low = __builtin_shufflevector(left, right, 0, 8, 1, 9, 2, 10, 3, 11);
        wide_long high = __builtin_shufflevector(left, right, 4, 12, 5, 13, 6, 14, 7, 15);
#elif WIDE == 8
        wide_long low = __builtin_shufflevector(left, right, 0, 4, 1, 5);
        wide_long high = __builtin_shufflevector(left, right, 2, 6, 3, 7);
#else
        wide_long low = __builtin_shufflevector(left, right, 0, 2);
        wide_long high = __builtin_shufflevector(left, right, 1, 3);
#endif
        store_shorts(to + 8 * x, (wide_short)low);
        store_shorts(to + 8 * x + 2 * WIDE, (wide_short)high);
    }
}

static void double_down(const uint16_t *far, const uint16_t *near, uint16_t *to, uint count)
{
    for (uint x = 0; x < count; x += 2 * WIDE_TEXELS)
        store_shorts(to + 4 * x, doubled(load_shorts(far + 4 * x), load_shorts(near + 4 * x)));
}
