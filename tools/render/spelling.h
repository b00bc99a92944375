/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Which of some names a mistyped one is most like, for suggestions. */
#ifndef RENDER_SPELLING_H
#define RENDER_SPELLING_H

#include "base/text.h"

typedef struct spelling {
    text typed;
    unsigned distance;   /* of the nearest name; at first the least that is not like it */
    const char *nearest; /* the first of those tried that are nearest; NULL: none is like it */
} spelling;

/* A third of the letters may be wrong. */
spelling spelling_of(text typed);
void spelling_try(spelling *spelling, const char *name);

#endif
