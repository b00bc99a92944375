/* The areas of a cover, summed along its rows into levels, and painted. Part of kernels_body.h. */

INLINE vector_int sums_before(vector_int v)
{
    vector_int zero = {0};
    v += __builtin_shufflevector(zero, v, 0, 8, 9, 10, 11, 12, 13, 14);
    v += __builtin_shufflevector(zero, v, 0, 0, 8, 9, 10, 11, 12, 13);
    v += __builtin_shufflevector(zero, v, 0, 0, 0, 0, 8, 9, 10, 11);
    return v;
}

/* coverage_level. */
INLINE vector_uint levels_of(vector_int area, bool even_odd)
{
    vector_int turned;
    if (even_odd) {
        vector_int from = (area & (2 * FULL_AREA - 1)) - FULL_AREA;
        vector_int sign = from >> 31;
        turned = FULL_AREA - ((from ^ sign) - sign);
    } else {
        vector_int sign = area >> 31;
        turned = (area ^ sign) - sign;
        vector_int above = turned > FULL_AREA;
        turned = (turned & ~above) | (above & FULL_AREA);
    }
    return (vector_uint)(255 * turned + FULL_AREA / 2) >> 17;
}

/* What takes the levels of a row: of a group of pixels, and of a span of one level. */
typedef struct paint_row {
    uint color;
    uint32_t *pixels;
} paint_row;

INLINE void paint_group(paint_row row, int x, vector_uint levels)
{
    if (!any_lane(levels)) {
        return;
    }
    vector_uint source = scale_pixels(splat(row.color), levels);
    store_pixels(row.pixels + x, pixels_over(source, load_pixels(row.pixels + x)));
}

INLINE void paint_span(paint_row row, int x, int end, uint level)
{
    uint color = color_scale(row.color, level);
    vector_uint source = splat(color);
    if (color >> 24 == 255u) {
        for (; x + LANES <= end; x += LANES) {
            store_pixels(row.pixels + x, source);
        }
    } else {
        for (; x + LANES <= end; x += LANES) {
            store_pixels(row.pixels + x, pixels_over(source, load_pixels(row.pixels + x)));
        }
    }
    if (x < end) {
        vector_uint old = load_pixels(row.pixels + x);
        store_pixels(row.pixels + x, select_pixels(first_lanes(end - x), pixels_over(source, old), old));
    }
}

/* Sums a row and leaves it zero. `levels` NULL: it is painted; else the levels are stored there. */
INLINE void sum_row(const cpu_cover *cover, int y, paint_row row, uint8_t *levels)
{
    int32_t *areas = cover->rows + (size_t)y * cover->stride;
    uint64_t *touched = cover->touched + (size_t)y * cover->words;
    vector_int carry = {0};
    int at = 0;
    uint level = 0;            /* of what follows the last group */
    for (uint word = 0; word < cover->words; word++) {
        uint64_t bits = touched[word];
        touched[word] = 0;
        while (bits != 0) {
            int x = (int)((word * 64u + (uint)__builtin_ctzll(bits)) << COVER_GROUP_SHIFT);
            bits &= bits - 1;
            vector_int area;
            memcpy(&area, areas + x, sizeof area);
            memset(areas + x, 0, sizeof area);
            if (x >= cover->width) {
                continue;
            }
            if (x > at) {
                if (levels != NULL) {
                    memset(levels + at, (int)level, (size_t)(x - at));
                } else if (level != 0) {
                    paint_span(row, at, x, level);
                }
            }
            area = sums_before(area) + carry;
            carry = __builtin_shufflevector(area, area, 7, 7, 7, 7, 7, 7, 7, 7);
            vector_uint found = levels_of(area, cover->even_odd);
            level = found[LANES - 1];
            at = x + LANES;
            if (at > cover->width) {
                found &= (vector_uint)first_lanes(cover->width - x);
            }
            if (levels != NULL) {
                store_levels(levels + x, found);
            } else {
                paint_group(row, x, found);
            }
        }
    }
    if (at < cover->width) {
        if (levels != NULL) {
            memset(levels + at, (int)level, (size_t)(cover->width - at));
        } else if (level != 0) {
            paint_span(row, at, cover->width, level);
        }
    }
}

static void paint(const cpu_cover *cover, uint color, uint32_t *pixels, size_t pitch)
{
    cpu_cover local = *cover;
    for (int y = 0; y < local.height; y++) {
        sum_row(&local, y, (paint_row){.color = color, .pixels = pixels + (size_t)y * pitch}, NULL);
    }
}

static void find_levels(const cpu_cover *cover, uint8_t *levels, size_t pitch)
{
    cpu_cover local = *cover;
    for (int y = 0; y < local.height; y++) {
        sum_row(&local, y, (paint_row){0}, levels + (size_t)y * pitch);
    }
}
