/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "render/effect/tables.h"

#include <pthread.h>

#include "base/srgb.h"

static effect_tables tables;
static pthread_once_t tables_once = PTHREAD_ONCE_INIT;

static void make_tables(void)
{
    for (uint i = 0; i <= EFFECT_ONE; i++) {
        tables.to_linear[i] = (uint16_t)(EFFECT_ONE * srgb_to_linear((double)i / EFFECT_ONE) + 0.5);
        tables.to_srgb[i] = (uint16_t)(EFFECT_ONE * srgb_from_linear((double)i / EFFECT_ONE) + 0.5);
    }
}

const effect_tables *effect_color_tables(void)
{
    pthread_once(&tables_once, make_tables);
    return &tables;
}
