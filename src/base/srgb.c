/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "base/srgb.h"

#include <math.h>

double srgb_to_linear(double value)
{
    const double magnitude = fabs(value);
    return copysign(magnitude <= 0.04045 ? magnitude / 12.92 : pow((magnitude + 0.055) / 1.055, 2.4), value);
}

double srgb_from_linear(double light)
{
    const double magnitude = fabs(light);
    return copysign(magnitude <= 0.0031308 ? 12.92 * magnitude : 1.055 * pow(magnitude, 1.0 / 2.4) - 0.055, light);
}
