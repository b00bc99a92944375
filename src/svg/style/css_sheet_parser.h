/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The state that the files share which read a style sheet. */
#ifndef PIETRA_SVG_STYLE_CSS_SHEET_PARSER_H
#define PIETRA_SVG_STYLE_CSS_SHEET_PARSER_H

#include "svg/style/css_sheet.h"

#define CSS_DEEPEST_RULE 64u /* how deep rules may nest */

typedef struct css_sheet_parser {
    css_sheets *sheets;
    const char *bytes;          /* bytes of the sheet */
    const css_line_mark *marks; /* those that are still to come */
    size_t mark_count;
    const char *counted; /* the place of which `counted_line` is the line */
    uint32_t counted_line;
    uint32_t line; /* line of the current rule */
    unsigned depth;
    uint32_t layer;
    css_nest nest;      /* the style rule around the current one */
    size_t first_value; /* first of the declarations that were read and stand in no block yet */
    bool goes_on;       /* declarations of the style rule stand in a block already */
    css_spaces spaces;
    bool begun; /* a rule was read, before which name spaces must be declared */
    bool has_imports;
    bool has_spaces; /* a name space was declared, before which other sheets must be imported */
    css_origin origin;
    const struct css_sheet_parser *importer; /* the sheet that imports this one; NULL: none does */
} css_sheet_parser;

/* Takes the prelude of a rule, up to its block or to the semicolon that ends an at-rule. The bytes of *body are NULL if
 * there is no block. */
text css_sheet_take_prelude(const css_sheet_parser *parser, text *rest, bool at_rule, text *body);
/* Adds what stands in the block of an at-rule: rules, and declarations if a style rule is around it. Returns false if
 * memory is short. */
bool css_sheet_parse_block(css_sheet_parser *parser, text body);
/* Returns whether a text has this part, whatever the case of its letters. */
bool css_sheet_mentions(text whole, text part);
/* Reads @import. Returns false if memory is short. */
bool css_sheet_import(css_sheet_parser *parser, text prelude);
/* Reads the sheet of a parser that is made for it. Returns false if memory is short. */
bool css_sheet_parse(css_sheet_parser *parser, text sheet);
/* Finds or adds the layer whose name, such as a.b, begins with this token, and takes the next token. *good is false if
 * it is no name. Returns false if memory is short. */
bool css_sheet_take_layer(css_sheet_parser *parser, text *rest, css_token *token, uint32_t *layer, bool *good);
/* Reads an at-rule from behind its name on, and moves *rest behind it. Returns false if memory is short. */
bool css_sheet_parse_at_rule(css_sheet_parser *parser, text name, text *rest);

#endif
