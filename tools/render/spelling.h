/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* How much a mistyped name is like one that there is, for suggestions. */
#ifndef RENDER_SPELLING_H
#define RENDER_SPELLING_H

#include "base/text.h"

/* A third of the letters of a name may be wrong: a distance from here on is not like it. */
#define SPELLING_WRONG(name) ((unsigned)(name).count / 3 + 1)

/* Returns how many letters must be added, left out, replaced or exchanged with the next to make one name of the other:
 * the optimal string alignment distance. Names of more than 31 letters are not like any: UINT_MAX. */
unsigned spelling_distance(text a, text b);

#endif
