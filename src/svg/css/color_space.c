/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* All conversions lead through XYZ with the white point D65. The matrices are computed from the primaries and white
 * points that the spaces' own standards give. The adaptation from D50 is Bradford's (CSS Color 4, section 10). */
#include "svg/css/color_space.h"

#include <math.h>
#include <stdint.h>

#include "base/matrix3.h"
#include "base/oklab.h"
#include "base/srgb.h"

typedef struct chromaticity {
    double x, y;
} chromaticity;

static const chromaticity d65 = {0.3127, 0.3290}, d50 = {0.3457, 0.3585};

static void xyz_of(chromaticity c, double xyz[3])
{
    xyz[0] = c.x / c.y;
    xyz[1] = 1;
    xyz[2] = (1 - c.x - c.y) / c.y;
}

/* Makes the matrix from linear RGB with these primaries to XYZ with this white point. */
static void make_space(const chromaticity primaries[3], chromaticity white, matrix3 out)
{
    double column[3], target[3], scale[3];
    matrix3 inverse;
    for (int j = 0; j < 3; j++) {
        xyz_of(primaries[j], column);
        for (int i = 0; i < 3; i++)
            out[i][j] = column[i];
    }
    matrix3_invert(out, inverse);
    xyz_of(white, target);
    matrix3_apply(inverse, target, scale);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            out[i][j] *= scale[j];
}

/* Adapts a colour from one white point to the other, by Bradford's matrix. */
static void adapt(double xyz[3], chromaticity before, chromaticity after)
{
    static const matrix3 bradford = {{0.8951, 0.2664, -0.1614}, {-0.7502, 1.7135, 0.0367}, {0.0389, -0.0685, 1.0296}};
    double from[3], to[3], cones[3];
    matrix3 inverse;
    xyz_of(before, from);
    xyz_of(after, to);
    matrix3_apply(bradford, from, from);
    matrix3_apply(bradford, to, to);
    matrix3_apply(bradford, xyz, cones);
    for (int i = 0; i < 3; i++)
        cones[i] *= to[i] / from[i];
    matrix3_invert(bradford, inverse);
    matrix3_apply(inverse, cones, xyz);
}

static const chromaticity srgb[3] = {{0.64, 0.33}, {0.30, 0.60}, {0.15, 0.06}};
static const chromaticity p3[3] = {{0.680, 0.320}, {0.265, 0.690}, {0.150, 0.060}};
static const chromaticity a98[3] = {{0.64, 0.33}, {0.21, 0.71}, {0.15, 0.06}};
static const chromaticity prophoto[3] = {{0.734699, 0.265301}, {0.159597, 0.840403}, {0.036598, 0.000105}};
static const chromaticity rec2020[3] = {{0.708, 0.292}, {0.170, 0.797}, {0.131, 0.046}};

/* The transfer curves are odd functions, so they also hold for negative values. */
static double from_a98_curve(double v)
{
    return copysign(pow(fabs(v), 563 / 256.0), v);
}

static double from_prophoto_curve(double v)
{
    double a = fabs(v);
    return copysign(a <= 16 / 512.0 ? a / 16 : pow(a, 1.8), v);
}

static double from_rec2020_curve(double v)
{
    const double alpha = 1.09929682680944, beta = 0.018053968510807;
    double a = fabs(v);
    return copysign(a < beta * 4.5 ? a / 4.5 : pow((a + alpha - 1) / alpha, 1 / 0.45), v);
}

static double to_a98_curve(double v)
{
    return copysign(pow(fabs(v), 256 / 563.0), v);
}

static double to_prophoto_curve(double v)
{
    double a = fabs(v);
    return copysign(a <= 1 / 512.0 ? a * 16 : pow(a, 1 / 1.8), v);
}

static double to_rec2020_curve(double v)
{
    const double alpha = 1.09929682680944, beta = 0.018053968510807;
    double a = fabs(v);
    return copysign(a < beta ? a * 4.5 : alpha * pow(a, 0.45) - (alpha - 1), v);
}

static double same(double v)
{
    return v;
}

static void srgb_to_xyz(const double rgb[3], double xyz[3])
{
    matrix3 space;
    make_space(srgb, d65, space);
    for (int i = 0; i < 3; i++)
        xyz[i] = srgb_to_linear(rgb[i]);
    matrix3_apply(space, xyz, xyz);
}

static void xyz_to_srgb(const double xyz[3], double rgb[3])
{
    matrix3 space, inverse;
    make_space(srgb, d65, space);
    matrix3_invert(space, inverse);
    matrix3_apply(inverse, xyz, rgb);
    for (int i = 0; i < 3; i++)
        rgb[i] = srgb_from_linear(rgb[i]);
}

void color_space_from_lab(const double lab[3], double rgb[3])
{
    const double kappa = 24389 / 27.0, epsilon = 216 / 24389.0;
    double lightness = lab[0] < 0 ? 0 : lab[0] > 100 ? 100 : lab[0];
    double y = (lightness + 16) / 116, f[3] = {y + lab[1] / 500, y, y - lab[2] / 200}, xyz[3];
    xyz_of(d50, xyz);
    for (int i = 0; i < 3; i++) {
        double cube = f[i] * f[i] * f[i];
        xyz[i] *= cube > epsilon ? cube : (116 * f[i] - 16) / kappa;
    }
    adapt(xyz, d50, d65);
    xyz_to_srgb(xyz, rgb);
}

void color_space_to_lab(const double rgb[3], double lab[3])
{
    const double kappa = 24389 / 27.0, epsilon = 216 / 24389.0;
    double xyz[3], white[3], f[3];
    srgb_to_xyz(rgb, xyz);
    adapt(xyz, d65, d50);
    xyz_of(d50, white);
    for (int i = 0; i < 3; i++) {
        double part = xyz[i] / white[i];
        f[i] = part > epsilon ? cbrt(part) : (kappa * part + 16) / 116;
    }
    lab[0] = 116 * f[1] - 16;
    lab[1] = 500 * (f[0] - f[1]);
    lab[2] = 200 * (f[1] - f[2]);
}

void color_space_from_oklab(const double lab[3], double rgb[3])
{
    const double bounded[3] = {lab[0] < 0 ? 0 : lab[0] > 1 ? 1 : lab[0], lab[1], lab[2]};
    oklab_to_linear(bounded, rgb);
    for (int i = 0; i < 3; i++)
        rgb[i] = srgb_from_linear(rgb[i]);
}

void color_space_to_oklab(const double rgb[3], double lab[3])
{
    double linear[3];
    for (int i = 0; i < 3; i++)
        linear[i] = srgb_to_linear(rgb[i]);
    oklab_from_linear(linear, lab);
}

typedef struct color_space {
    text name;
    const chromaticity *primaries; /* NULL: the values are XYZ */
    bool from_d50;
    double (*curve)(double v); /* to linear */
    double (*inverse)(double v);
} color_space;

static const color_space spaces[] = {
    {TEXT_LITERAL("srgb"), srgb, false, srgb_to_linear, srgb_from_linear},
    {TEXT_LITERAL("srgb-linear"), srgb, false, same, same},
    {TEXT_LITERAL("display-p3"), p3, false, srgb_to_linear, srgb_from_linear},
    {TEXT_LITERAL("display-p3-linear"), p3, false, same, same},
    {TEXT_LITERAL("a98-rgb"), a98, false, from_a98_curve, to_a98_curve},
    {TEXT_LITERAL("prophoto-rgb"), prophoto, true, from_prophoto_curve, to_prophoto_curve},
    {TEXT_LITERAL("rec2020"), rec2020, false, from_rec2020_curve, to_rec2020_curve},
    {TEXT_LITERAL("xyz"), NULL, false, NULL, NULL},
    {TEXT_LITERAL("xyz-d65"), NULL, false, NULL, NULL},
    {TEXT_LITERAL("xyz-d50"), NULL, true, NULL, NULL},
};

static const color_space *find_space(text name)
{
    for (size_t i = 0; i < sizeof spaces / sizeof spaces[0]; i++)
        if (text_equal_ignoring_case(name, spaces[i].name))
            return &spaces[i];
    return NULL;
}

bool color_space_from_name(text name, const double values[3], double rgb[3])
{
    const color_space *space = find_space(name);
    if (!space)
        return false;
    double xyz[3] = {values[0], values[1], values[2]};
    if (space == &spaces[0]) {
        for (int k = 0; k < 3; k++)
            rgb[k] = values[k];
        return true;
    }
    if (space->primaries) {
        matrix3 to_xyz;
        for (int k = 0; k < 3; k++)
            xyz[k] = space->curve(xyz[k]);
        make_space(space->primaries, space->from_d50 ? d50 : d65, to_xyz);
        matrix3_apply(to_xyz, xyz, xyz);
    }
    if (space->from_d50)
        adapt(xyz, d50, d65);
    xyz_to_srgb(xyz, rgb);
    return true;
}

bool color_space_to_name(text name, const double rgb[3], double values[3])
{
    const color_space *space = find_space(name);
    if (!space)
        return false;
    if (space == &spaces[0]) {
        for (int k = 0; k < 3; k++)
            values[k] = rgb[k];
        return true;
    }
    srgb_to_xyz(rgb, values);
    if (space->from_d50)
        adapt(values, d65, d50);
    if (space->primaries) {
        matrix3 to_xyz, inverse;
        make_space(space->primaries, space->from_d50 ? d50 : d65, to_xyz);
        matrix3_invert(to_xyz, inverse);
        matrix3_apply(inverse, values, values);
        for (int k = 0; k < 3; k++)
            values[k] = space->inverse(values[k]);
    }
    return true;
}
