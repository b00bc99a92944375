/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "base/oklab.h"

#include <math.h>

#include "base/matrix3.h"

static const matrix3 oklab_to_cones = {
    {1, 0.3963377774, 0.2158037573}, {1, -0.1055613458, -0.0638541728}, {1, -0.0894841775, -1.2914855480}};
static const matrix3 cones_to_linear = {{4.0767416621, -3.3077115913, 0.2309699292},
                                        {-1.2684380046, 2.6097574011, -0.3413193965},
                                        {-0.0041960863, -0.7034186147, 1.7076147010}};

void oklab_to_linear(const double lab[3], double rgb[3])
{
    double cones[3];
    matrix3_apply(oklab_to_cones, lab, cones);
    for (int i = 0; i < 3; i++)
        cones[i] = cones[i] * cones[i] * cones[i];
    matrix3_apply(cones_to_linear, cones, rgb);
}

void oklab_from_linear(const double rgb[3], double lab[3])
{
    matrix3 inverse;
    matrix3_invert(cones_to_linear, inverse);
    matrix3_apply(inverse, rgb, lab);
    for (int i = 0; i < 3; i++)
        lab[i] = cbrt(lab[i]);
    matrix3_invert(oklab_to_cones, inverse);
    matrix3_apply(inverse, lab, lab);
}
