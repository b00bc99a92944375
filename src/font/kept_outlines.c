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
    kept_outline *_Atomic *places = atomic_load_explicit(&outlines->places, memory_order_acquire);
    const kept_outline *found =
        places ? atomic_load_explicit(&places[glyph % KEPT_OUTLINES], memory_order_acquire) : NULL;
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

/* Returns all places, which it makes if there are none. NULL: out of memory. */
static kept_outline *_Atomic *make_places(kept_outlines *outlines)
{
    kept_outline *_Atomic *places = atomic_load_explicit(&outlines->places, memory_order_acquire),
                          *_Atomic *none = NULL;
    if (places)
        return places;
    places = calloc(KEPT_OUTLINES, sizeof *places); /* all are empty */
    if (!places || atomic_compare_exchange_strong_explicit(&outlines->places, &none, places, memory_order_acq_rel,
                                                           memory_order_acquire))
        return places;
    free((void *)places); /* another thread was here first */
    return none;
}

bool kept_outlines_add(kept_outlines *outlines, uint32_t glyph, const font_outline *outline, size_t verb,
                       size_t coordinate)
{
    const size_t verbs = outline->verbs.count - verb, coordinates = outline->coordinates.count - coordinate;
    kept_outline *none = NULL;
    if (coordinates > MOST_COORDINATES)
        return true;
    if (atomic_load_explicit(&outlines->passed, memory_order_relaxed) < KEPT_OUTLINES_BEGIN) {
        atomic_fetch_add_explicit(&outlines->passed, 1, memory_order_relaxed);
        return true;
    }
    kept_outline *_Atomic *places = make_places(outlines);
    if (!places)
        return false;
    kept_outline *_Atomic *place = &places[glyph % KEPT_OUTLINES];
    if (atomic_load_explicit(place, memory_order_relaxed))
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
    kept_outline *_Atomic *places = atomic_load_explicit(&outlines->places, memory_order_relaxed);
    for (size_t i = 0; places && i < KEPT_OUTLINES; i++)
        free(atomic_load_explicit(&places[i], memory_order_relaxed));
    free((void *)places);
}
