/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The parts of a selector, for the files that read and match selectors. */
#ifndef PIETRA_SVG_STYLE_CSS_SELECTOR_PARTS_H
#define PIETRA_SVG_STYLE_CSS_SELECTOR_PARTS_H

#include "svg/style/css_selector.h"

typedef enum simple_kind {
    SIMPLE_TYPE,
    SIMPLE_SPACE, /* name: as the space of css_element */
    SIMPLE_CLASS,
    SIMPLE_ID,
    SIMPLE_ATTRIBUTE,
    SIMPLE_NEVER,
    SIMPLE_ROOT,
    SIMPLE_EMPTY,
    SIMPLE_LINK,
    SIMPLE_TARGET,
    SIMPLE_NTH, /* place a n + b from the first child on; if there is a list, only matching siblings count */
    SIMPLE_NTH_LAST,
    SIMPLE_NTH_OF_TYPE,
    SIMPLE_NTH_LAST_OF_TYPE,
    SIMPLE_IS,
    SIMPLE_WHERE,
    SIMPLE_NOT,
    SIMPLE_NEST,  /* & within a style rule, whose list it has; name: its specificity; b: its `deepest` */
    SIMPLE_SCOPE, /* & outside of style rules */
    SIMPLE_HAS,
    SIMPLE_ANCHOR, /* the element before :has(), leftmost in its selectors */
    SIMPLE_LANG,   /* b: number of ranges */
} simple_kind;

/* What matching of a compound has found among the nodes: none of `from` to `to` matches. */
typedef struct css_known {
    uint32_t from, to;
    bool matches; /* the node `to` does */
} css_known;

struct css_simple {
    const css_simple *next;
    uint8_t kind;  /* simple_kind */
    char operator; /* an ATTRIBUTE's: 0, = ~ | ^ $ * */
    bool ignore_case;
    bool any_prefix;
    uint32_t name;
    int32_t a, b;
    text value;
    union {
        const uint32_t *borders; /* css_borders of the value, for an ATTRIBUTE with * */
        const text *ranges;      /* a LANG's */
        css_known *known;        /* what HAS knows, for each selector of the list */
    };
    const css_selector *list;
};

struct css_compound {
    const css_simple *first;
    const css_compound *left;
    char combinator; /* what stands to the left: blank > + ~ */
};

/* Computes the specificity of a selector whose compounds are read, its key, the names that ancestors must have, and how
 * deep a match goes. Returns false if that is too deep. */
bool css_selector_finish(css_selector *selector);

/* Returns whether any selector of the list matches. */
bool css_selector_match_list(css_tree *tree, const css_selector *list, uint32_t node);

/* Returns whether a node has what :has() asks for. */
bool css_has_match(css_tree *tree, const css_simple *simple, uint32_t node);
/* Returns whether the language of a node is in one of the ranges (RFC 4647, 3.3.2). */
bool css_language_match(css_tree *tree, const css_simple *simple, uint32_t node);
/* Returns whether a node matches all of these, which are one compound. */
bool css_compound_match(css_tree *tree, const css_simple *first, uint32_t node);
/* Returns whether a node matches a compound and what stands to its left. */
bool css_compounds_match(css_tree *tree, const css_compound *right, uint32_t node);

/* Returns the place of a node among its siblings, from 1, as a selector of the kinds NTH counts it. Returns 0 if the
 * list of the selector does not match the node. The budget records it if memory is short. */
int64_t css_place_find(css_tree *tree, const css_simple *simple, uint32_t node);

/* For each prefix of a text, finds the length of its longest border. A border is a proper prefix that is also a suffix
 * (Knuth, Morris and Pratt 1977). */
void css_borders(text value, bool ignore_case, uint32_t *borders);

/* Reads the an+b of :nth-child(), such as odd, even, 3, -n+2 or 2n + 1, and moves *at behind it. */
bool css_nth_scan(const char **at, const char *end, css_simple *simple);

#endif
