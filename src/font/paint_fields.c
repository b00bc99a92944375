/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "font/paint_fields.h"

#include <math.h>

#include "base/transform.h"

paint_fields paint_fields_of(const colr *colr, font_bytes bytes, size_t variation_at)
{
    const bool varies = font_u8(bytes, 0) % 2 == 1;
    return (paint_fields){colr, bytes, varies ? font_u32(bytes, variation_at) : FONT_NO_VARIATION};
}

double paint_vary(const paint_fields *fields, double value, uint32_t index)
{
    if (fields->variation >= FONT_NO_VARIATION - index)
        return value;
    return value + variation_delta(&fields->colr->variations, fields->variation + index);
}

double paint_units(const paint_fields *fields, size_t at, uint32_t index)
{
    return paint_vary(fields, font_i16(fields->bytes, at), index);
}

double paint_fraction(const paint_fields *fields, size_t at, uint32_t index)
{
    return paint_units(fields, at, index) / 16384;
}

double paint_degrees(const paint_fields *fields, size_t at, uint32_t index)
{
    return paint_fraction(fields, at, index) * 180;
}

static double fixed(const paint_fields *fields, size_t at, uint32_t index)
{
    const int64_t value = font_u32(fields->bytes, at);
    return paint_vary(fields, (double)(value < 0x80000000 ? value : value - 0x100000000), index) / 65536;
}

static pietra_transform about(const paint_fields *numbers, pietra_transform transform, size_t at, uint32_t index)
{
    const double x = paint_units(numbers, at, index), y = paint_units(numbers, at + 2, index + 1);
    return transform_multiply(transform_multiply(transform_translate(x, y), transform), transform_translate(-x, -y));
}

static pietra_transform skew(double x_degrees, double y_degrees)
{
    return (pietra_transform){1, tan(y_degrees * RADIANS_PER_DEGREE), -tan(x_degrees * RADIANS_PER_DEGREE), 1, 0, 0};
}

static pietra_transform read_affine(const colr *colr, font_bytes bytes)
{
    const font_bytes matrix = font_after(bytes, font_u24(bytes, 4));
    const bool varies = font_u8(bytes, 0) % 2 == 1;
    const paint_fields numbers = {colr, matrix, varies ? font_u32(matrix, 24) : FONT_NO_VARIATION};
    return (pietra_transform){fixed(&numbers, 0, 0),  fixed(&numbers, 4, 1),  fixed(&numbers, 8, 2),
                              fixed(&numbers, 12, 3), fixed(&numbers, 16, 4), fixed(&numbers, 20, 5)};
}

pietra_transform paint_read_transform(const colr *colr, font_bytes bytes)
{
    static const uint8_t variations_at[16] = {
        [PAINT_TRANSLATE / 2] = 8,     [PAINT_SCALE / 2] = 8,  [PAINT_SCALE_ABOUT / 2] = 12,
        [PAINT_SCALE_EVENLY / 2] = 6,  [PAINT_ROTATE / 2] = 6, [PAINT_SCALE_EVENLY_ABOUT / 2] = 10,
        [PAINT_ROTATE_ABOUT / 2] = 10, [PAINT_SKEW / 2] = 8,   [PAINT_SKEW_ABOUT / 2] = 12,
    };
    const unsigned format = font_u8(bytes, 0) & ~1u;
    const paint_fields n = paint_fields_of(colr, bytes, variations_at[format / 2 % 16]);
    switch (format) {
    case PAINT_TRANSFORM:
        return read_affine(colr, bytes);
    case PAINT_TRANSLATE:
        return transform_translate(paint_units(&n, 4, 0), paint_units(&n, 6, 1));
    case PAINT_SCALE:
        return transform_scale(paint_fraction(&n, 4, 0), paint_fraction(&n, 6, 1));
    case PAINT_SCALE_ABOUT:
        return about(&n, transform_scale(paint_fraction(&n, 4, 0), paint_fraction(&n, 6, 1)), 8, 2);
    case PAINT_SCALE_EVENLY:
        return transform_scale(paint_fraction(&n, 4, 0), paint_fraction(&n, 4, 0));
    case PAINT_SCALE_EVENLY_ABOUT:
        return about(&n, transform_scale(paint_fraction(&n, 4, 0), paint_fraction(&n, 4, 0)), 6, 1);
    case PAINT_ROTATE:
        return transform_rotate(paint_degrees(&n, 4, 0));
    case PAINT_ROTATE_ABOUT:
        return about(&n, transform_rotate(paint_degrees(&n, 4, 0)), 6, 1);
    case PAINT_SKEW:
        return skew(paint_degrees(&n, 4, 0), paint_degrees(&n, 6, 1));
    default:
        return about(&n, skew(paint_degrees(&n, 4, 0), paint_degrees(&n, 6, 1)), 8, 2);
    }
}
