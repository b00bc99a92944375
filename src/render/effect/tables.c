/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "render/effect/tables.h"

#include <math.h>
#include <pthread.h>

static effect_tables tables;
static pthread_once_t tables_once = PTHREAD_ONCE_INIT;

static double linear_of(double value)
{
    return value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4);
}

static double srgb_of(double light)
{
    return light <= 0.0031308 ? 12.92 * light : 1.055 * pow(light, 1.0 / 2.4) - 0.055;
}

static void make_tables(void)
{
    for (uint i = 0; i <= EFFECT_ONE; i++) {
        tables.to_linear[i] = (uint16_t)(EFFECT_ONE * linear_of((double)i / EFFECT_ONE) + 0.5);
        tables.to_srgb[i] = (uint16_t)(EFFECT_ONE * srgb_of((double)i / EFFECT_ONE) + 0.5);
    }
}

const effect_tables *effect_color_tables(void)
{
    pthread_once(&tables_once, make_tables);
    return &tables;
}
