/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Applies style sheets to the declared properties of nodes. This is the cascade of CSS Cascade 4 for one origin.
 *
 * Only documents with a style sheet use it. While such a document is read, the properties of its elements that
 * selectors test are recorded. Once the document has been read, every node is matched with the rules once. */
#ifndef PIETRA_SVG_STYLE_CSS_STYLE_H
#define PIETRA_SVG_STYLE_CSS_STYLE_H

#include "svg/style/css_selector.h"
#include "svg/style/css_sheet.h"

typedef struct css_style {
    css_tree tree;
    ARRAY(char) text;            /* content of the open style element */
    ARRAY(css_line_mark) marks;  /* lines of pieces of that content, in order; their texts keep the marks */
    size_t first_mark;           /* first mark of the open style element */
    uint32_t next_line;          /* line of what follows the content, if it goes on without a gap */
    ARRAY(css_sheet_text) texts; /* the sheets in their order; the arena of the names holds the bytes */
} css_style;

/* Adds the node that was added to the document last. foreign_space is the address of its name space if that is not the
 * one of SVG. */
bool css_style_add_element(css_style *style, const svg_document *document, text local_name, text foreign_space);
/* Adds an attribute of that node. `prefixed`: the attribute is in a name space. */
bool css_style_add_attribute(css_style *style, text name, bool prefixed, text value);
/* Sets the language of that node, by xml:lang or by lang. */
bool css_style_set_language(css_style *style, text language, bool by_xml);
/* Adds the style attribute of that node. */
bool css_style_add_declarations(css_style *style, text list);
/* Adds a piece of the content of the open style element, which begins in this line. */
bool css_style_add_text(css_style *style, text piece, uint32_t line);
/* Ends the sheet whose text is in style->text. What was added without lines counts as in this line. What `origin`
 * points to must outlive the style. */
bool css_style_end_sheet(css_style *style, uint32_t line, css_origin origin);
/* Settles the declarations of all nodes. Until then their sets hold only their presentation attributes. */
pietra_result css_style_apply(css_style *style, svg_document *document, const css_medium *medium, css_importer importer,
                              svg_warnings *warnings, pietra_error *error);
void css_style_free(css_style *style);

#endif
