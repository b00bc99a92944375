/* What a selector is made of, for the files that read and match it. */
#ifndef PIETRA_SVG_STYLE_CSS_SELECTOR_PARTS_H
#define PIETRA_SVG_STYLE_CSS_SELECTOR_PARTS_H

#include "svg/style/css_selector.h"

typedef enum simple_kind {
    SIMPLE_TYPE,
    SIMPLE_SPACE, /* its name: as css_element's */
    SIMPLE_CLASS,
    SIMPLE_ID,
    SIMPLE_ATTRIBUTE,
    SIMPLE_NEVER,
    SIMPLE_ROOT,
    SIMPLE_EMPTY,
    SIMPLE_LINK,
    SIMPLE_TARGET,
    SIMPLE_NTH, /* a n + b, from the first child on; of list's if there is one */
    SIMPLE_NTH_LAST,
    SIMPLE_NTH_OF_TYPE,
    SIMPLE_NTH_LAST_OF_TYPE,
    SIMPLE_IS,
    SIMPLE_WHERE,
    SIMPLE_NOT,
} simple_kind;

struct css_simple {
    const css_simple *next;
    uint8_t kind;  /* simple_kind */
    char operator; /* of ATTRIBUTE: 0, = ~ | ^ $ * */
    bool ignore_case;
    bool any_prefix;
    uint32_t name;
    int32_t a, b;
    text value;
    const uint32_t *borders; /* of ATTRIBUTE with *: css_borders of the value */
    const css_selector *list;
};

struct css_compound {
    const css_simple *first;
    const css_compound *left;
    char combinator; /* to the left: blank > + ~ */
};

/* Whether any selector of the list matches. */
bool css_selector_match_list(css_tree *tree, const css_selector *list, uint32_t node);

/* The place of a node among its siblings as a selector of the kinds NTH counts them, from 1; 0: its list does not match
 * the node. Out of memory: noted in the budget. */
int64_t css_place_find(css_tree *tree, const css_simple *simple, uint32_t node);

/* Of each prefix of a text how long its longest border is: a proper prefix that ends it too (Knuth, Morris and Pratt
 * 1977). */
void css_borders(text value, bool ignore_case, uint32_t *borders);

/* Reads the an+b of :nth-child(): odd, even, 3, -n+2, 2n + 1. *at stands behind it then. */
bool css_nth_scan(const char **at, const char *end, css_simple *simple);

#endif
