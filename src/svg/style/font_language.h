/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The values of font-language-override (CSS Fonts 4, 6.13). */
#ifndef PIETRA_SVG_STYLE_FONT_LANGUAGE_H
#define PIETRA_SVG_STYLE_FONT_LANGUAGE_H

#include <stdbool.h>

#include "base/text.h"

/* Returns whether a value is a tag that OpenType does not register. It counts as `normal`. */
bool svg_font_language_is_unknown(text value);

#endif
