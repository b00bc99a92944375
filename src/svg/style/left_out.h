/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Warnings about declarations of which something is left out. */
#ifndef PIETRA_SVG_STYLE_LEFT_OUT_H
#define PIETRA_SVG_STYLE_LEFT_OUT_H

#include "svg/tree/names.h"
#include "svg/tree/warnings.h"

/* Warns of the parts of a known declaration that are left out. */
void svg_left_out_warn(svg_warnings *warnings, uint32_t line, svg_name property, text value);
/* Warns of a declaration that is not known, if it may change a picture that stands still. A presentation attribute
 * counts only if it has the name of one. */
void svg_left_out_warn_of_unknown(svg_warnings *warnings, uint32_t line, text name, text value, bool is_attribute);

#endif
