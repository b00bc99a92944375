/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Style sheets: rules and their declarations. */
#ifndef PIETRA_SVG_STYLE_CSS_SHEET_H
#define PIETRA_SVG_STYLE_CSS_SHEET_H

#include "svg/css/css_media.h"
#include "svg/style/css_import.h"
#include "svg/style/css_layer.h"
#include "svg/style/css_selector.h"
#include "svg/style/property.h"
#include "svg/tree/warnings.h"

/* Declarations of one rule that follow one another: a range of css_sheets.values. */
typedef struct css_block {
    uint32_t begin, count;
    uint32_t layer;
} css_block;

typedef struct css_rule {
    const css_selector *selector;
    uint32_t block;
    uint32_t order; /* position among all rules */
} css_rule;

typedef struct css_sheets {
    svg_document *document;
    css_tree *tree;
    svg_warnings *warnings;
    css_medium medium;
    css_importer importer;
    bool imports_too_much;      /* a limit refused a sheet, and so all that come later are left out */
    svg_property_values values; /* the values of all blocks */
    ARRAY(css_block) blocks;
    ARRAY(css_rule) rules;
    css_layers layers;
} css_sheets;

/* Where a piece of a sheet stands in its document. Up to the next mark, lines go on from there. */
typedef struct css_line_mark {
    size_t offset; /* in the sheet */
    uint32_t line;
} css_line_mark;

typedef struct css_sheet_text {
    char *bytes;
    size_t count;
    uint32_t line; /* line of all that stands before the first mark */
    size_t first_mark, mark_count;
    css_origin origin;
} css_sheet_text;

/* Adds the rules of a sheet after those that are there already. `marks` are all marks to which sheets refer. Returns
 * false if memory is short. */
bool css_sheet_add(css_sheets *sheets, const css_sheet_text *sheet, const css_line_mark *marks);
void css_sheets_free(css_sheets *sheets);

#endif
