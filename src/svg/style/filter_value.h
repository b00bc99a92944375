/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Values of the property `filter`: lists of url() and of functions (Filter Effects 1, 5). */
#ifndef PIETRA_SVG_STYLE_FILTER_VALUE_H
#define PIETRA_SVG_STYLE_FILTER_VALUE_H

#include "svg/style/value.h"

/* Returns whether a value has a filter of another file. It is left out of the list. */
bool svg_filter_value_leads_elsewhere(text value);
/* Returns whether a value has a url(). */
bool svg_filter_value_has_url(text value);

#endif
