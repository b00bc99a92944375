/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Shapes a text of one style. */
#ifndef TESTS_TEXT_SHAPE_UNITS_H
#define TESTS_TEXT_SHAPE_UNITS_H

#include "text/shape.h"

static inline const char *shape_units(pietra_fonts *fonts, const text_style *style, const uint16_t *units, size_t count,
                                      shaped_text *shaped)
{
    const text_span span = {(uint32_t)(count < UINT32_MAX ? count : UINT32_MAX), 0};
    const text_paragraph paragraph = {.units = units,
                                      .count = count,
                                      .direction = style->direction,
                                      .styles = style,
                                      .style_count = 1,
                                      .spans = &span,
                                      .span_count = 1};
    return text_shape_paragraph(fonts, &paragraph, shaped);
}

#endif
