/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The CSS-wide keywords: the values that every property has (CSS Cascade 5, 7.3). */
#ifndef PIETRA_SVG_CSS_WIDE_H
#define PIETRA_SVG_CSS_WIDE_H

#include "base/text.h"

typedef enum css_wide {
    CSS_WIDE_NONE, /* it is another value */
    CSS_WIDE_INITIAL,
    CSS_WIDE_INHERIT,
    CSS_WIDE_UNSET,
    CSS_WIDE_REVERT,
    CSS_WIDE_REVERT_LAYER,
} css_wide;

/* Returns the keyword that a value is. There must be no white space around it. */
css_wide css_wide_of(text value);

#endif
