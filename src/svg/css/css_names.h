/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Numbers for names. Equal texts have the same number. */
#ifndef PIETRA_SVG_CSS_CSS_NAMES_H
#define PIETRA_SVG_CSS_CSS_NAMES_H

#include "base/arena.h"
#include "base/array.h"
#include "base/hash.h"
#include "base/text.h"

#define CSS_MOST_NAMES 0x7fffffffu

typedef struct css_names {
    arena arena;
    ARRAY(text) items; /* item 0 means no name */
    hash_table table;
} css_names;

/* Returns the number of a name, from 1, or 0 if memory is short. */
uint32_t css_name_intern(css_names *names, text name);
void css_names_free(css_names *names);

#endif
