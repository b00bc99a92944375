/* From style sheets to the declared properties of nodes: the cascade of CSS Cascade 4, of one origin.
 *
 * Only documents with a style sheet come here. While such a document is read its elements are written down as selectors
 * ask for them; once it has been read, every node is matched with the rules once. */
#ifndef PIETRA_SVG_STYLE_CSS_STYLE_H
#define PIETRA_SVG_STYLE_CSS_STYLE_H

#include "svg/style/css_selector.h"
#include "svg/style/css_sheet.h"

typedef struct css_sheet_text {
    char *bytes;
    size_t count;
    uint32_t line;
} css_sheet_text;

typedef struct css_style {
    css_tree tree;
    ARRAY(char) text;            /* of the style element that is open */
    ARRAY(css_sheet_text) texts; /* of the sheets, in their order; bytes in the names' arena */
} css_style;

/* Adds the node that has just been added to the document. foreign_space: the address of its name space, if that is not
 * SVG's. */
bool css_style_add_element(css_style *style, const svg_document *document, text local_name, text foreign_space);
/* An attribute of that node; `prefixed`: in a name space. */
bool css_style_add_attribute(css_style *style, text name, bool prefixed, text value);
/* Its style attribute. */
bool css_style_add_declarations(css_style *style, text list);
/* Ends a sheet that has been gathered in style->text. */
bool css_style_end_sheet(css_style *style, uint32_t line);
/* Settles the declarations of all nodes, whose sets hold their presentation attributes so far. */
pietra_result css_style_apply(css_style *style, svg_document *document, const css_medium *medium,
                              svg_warnings *warnings, pietra_error *error);
void css_style_free(css_style *style);

#endif
