/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "render/effect/prepare.h"

#include <math.h>

#include "base/transform.h"
#include "render/effect/held.h"
#include "render/effect/tables.h"

#define PLACE_MOST 0x1p28

static float channel_of_color(uint8_t channel, bool linear)
{
    uint straight = (uint)channel << EFFECT_8_BIT_SHIFT;
    return (float)(linear ? effect_color_tables()->to_linear[straight] : straight) / EFFECT_ONE;
}

/* Azimuth turns from the x axis to the y axis, elevation from there to the viewer. */
static void point_to_distant(const effect_lamp *lamp, effect_light *light)
{
    pietra_transform azimuth = transform_rotate(isfinite(lamp->azimuth) ? lamp->azimuth : 0);
    pietra_transform elevation = transform_rotate(isfinite(lamp->elevation) ? lamp->elevation : 0);

    light->x = (float)(azimuth.a * elevation.a);
    light->y = (float)(azimuth.b * elevation.a);
    light->z = (float)elevation.b;
}

/* Finds the direction of a spot. False: it has none. */
static bool point_spot(const effect_lamp *lamp, effect_light *light)
{
    double x = held(lamp->points_x, PLACE_MOST) - held(lamp->x, PLACE_MOST);
    double y = held(lamp->points_y, PLACE_MOST) - held(lamp->y, PLACE_MOST);
    double z = held(lamp->points_z, PLACE_MOST) - held(lamp->z, PLACE_MOST), length = sqrt(x * x + y * y + z * z);

    if (length == 0)
        return false;
    light->spot_x = (float)(x / length);
    light->spot_y = (float)(y / length);
    light->spot_z = (float)(z / length);
    light->spot_exponent = lamp->spot_exponent >= 0 ? held_number(lamp->spot_exponent) : 1;
    light->spot_cosine = -2;
    if (lamp->cone_angle && isfinite(*lamp->cone_angle))
        light->spot_cosine = (float)transform_rotate(*lamp->cone_angle).a;
    return true;
}

effect_outcome effect_light_of(const effect_lamp *lamp, effect_light *light)
{
    if (lamp->specular && !(lamp->exponent >= 1 && lamp->exponent <= 128))
        return EFFECT_TRANSPARENT;
    *light = (effect_light){.kind = lamp->kind,
                            .specular = lamp->specular,
                            .surface_scale = (float)held(lamp->surface_scale, PLACE_MOST),
                            .constant = (float)held(fmax(lamp->constant, 0), PLACE_MOST),
                            .exponent = (float)lamp->exponent,
                            .r = channel_of_color(lamp->r, lamp->linear),
                            .g = channel_of_color(lamp->g, lamp->linear),
                            .b = channel_of_color(lamp->b, lamp->linear),
                            .x = (float)held(lamp->x, PLACE_MOST),
                            .y = (float)held(lamp->y, PLACE_MOST),
                            .z = (float)held(lamp->z, PLACE_MOST)};
    if (lamp->kind == EFFECT_LIGHT_DISTANT)
        point_to_distant(lamp, light);
    if (lamp->kind == EFFECT_LIGHT_SPOT && !point_spot(lamp, light))
        light->constant = 0;
    if (!lamp->specular)
        light->exponent = 1;
    return EFFECT_RUNS;
}
