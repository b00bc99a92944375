/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "font/kept_outlines.h"

#include <stdlib.h>
#include <string.h>

#define MOST_COORDINATES 400u /* of an outline that is kept: a font keeps 0.8 MiB at most, some 0.1 for Latin text */

struct kept_outline {
    uint32_t glyph, verb_count, coordinate_count;
    double coordinates[]; /* verbs lie behind them */
};

static uint8_t *verbs_of(const kept_outline *kept)
{
    return (uint8_t *)(uintptr_t)(kept->coordinates + kept->coordinate_count);
}

bool kept_outlines_find(const kept_outlines *outlines, uint32_t glyph, font_outline *outline, bool *kept)
{
    const kept_outline *found = atomic_load_explicit(&outlines->places[glyph % KEPT_OUTLINES], memory_order_acquire);
    *kept = found && found->glyph == glyph;
    if (!*kept)
        return true;
    if (!array_reserve(&outline->verbs, found->verb_count) ||
        !array_reserve(&outline->coordinates, found->coordinate_count))
        return false;
    if (found->verb_count > 0)
        memcpy(outline->verbs.items + outline->verbs.count, verbs_of(found), found->verb_count);
    if (found->coordinate_count > 0)
        memcpy(outline->coordinates.items + outline->coordinates.count, found->coordinates,
               found->coordinate_count * sizeof *found->coordinates);
    outline->verbs.count += found->verb_count;
    outline->coordinates.count += found->coordinate_count;
    return true;
}

bool kept_outlines_add(kept_outlines *outlines, uint32_t glyph, const font_outline *outline, size_t verb,
                       size_t coordinate)
{
    kept_outline *_Atomic *place = &outlines->places[glyph % KEPT_OUTLINES];
    const size_t verbs = outline->verbs.count - verb, coordinates = outline->coordinates.count - coordinate;
    kept_outline *none = NULL;
    if (coordinates > MOST_COORDINATES || atomic_load_explicit(place, memory_order_relaxed))
        return true;
    kept_outline *made = malloc(sizeof *made + coordinates * sizeof *made->coordinates + verbs);
    if (!made)
        return false;
    made->glyph = glyph;
    made->verb_count = (uint32_t)verbs;
    made->coordinate_count = (uint32_t)coordinates;
    if (coordinates > 0)
        memcpy(made->coordinates, outline->coordinates.items + coordinate, coordinates * sizeof *made->coordinates);
    if (verbs > 0)
        memcpy(verbs_of(made), outline->verbs.items + verb, verbs);
    if (!atomic_compare_exchange_strong_explicit(place, &none, made, memory_order_release, memory_order_relaxed))
        free(made); /* another thread was here first */
    return true;
}

void kept_outlines_free(kept_outlines *outlines)
{
    for (size_t i = 0; outlines && i < KEPT_OUTLINES; i++)
        free(atomic_load_explicit(&outlines->places[i], memory_order_relaxed));
    free(outlines);
}
