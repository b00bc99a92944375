/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Reads selectors (Selectors 4) and matches them with the nodes of the document as it was written. */
#ifndef PIETRA_SVG_STYLE_CSS_SELECTOR_H
#define PIETRA_SVG_STYLE_CSS_SELECTOR_H

#include "base/array.h"
#include "svg/css/css_names.h"
#include "svg/css/css_token.h"
#include "svg/tree/document.h"

#define CSS_PREFIXED 0x80000000u /* flag on the name of an attribute that has a name space */
#define CSS_SVG_SPACE 0u         /* SVG's name space, or one that counts as SVG's */
#define CSS_NO_SPACE 0xffffffffu
#define CSS_ANY_SPACE 0xfffffffeu

/* A prefix that a sheet declares by @namespace. */
typedef struct css_prefix {
    uint32_t name;
    uint32_t space;
} css_prefix;

/* The name spaces that a sheet declares. */
typedef struct css_spaces {
    ARRAY(css_prefix) prefixes; /* of several prefixes with one name, the last counts */
    uint32_t standard;          /* space of types without a prefix; CSS_ANY_SPACE unless it is declared */
} css_spaces;

typedef struct css_attribute {
    uint32_t name;
    text value;
} css_attribute;

/* The properties of an element that selectors test. */
typedef struct css_element {
    uint32_t type, id;                 /* names; id is 0 if there is none */
    uint32_t space;                    /* name of its name space's address, CSS_SVG_SPACE or CSS_NO_SPACE */
    uint32_t class_begin, class_count; /* sorted, each once */
    uint32_t attribute_begin, attribute_count;
    uint32_t previous;   /* previous sibling; SVG_NO_NODE if it is the first child */
    uint32_t last_child; /* SVG_NO_NODE if it has no child */
    uint32_t position;   /* among its siblings, from 1 */
    uint32_t language;   /* name; 0 if none is known */
    bool has_xml_lang;   /* it has one of its own by xml:lang, which comes before lang */
    bool has_text;       /* it has characters of its own */
    text style;          /* its style attribute */
} css_element;

typedef struct css_places css_places;

typedef struct css_tree {
    const svg_document *document;
    css_names names;
    uint32_t target;             /* name of the id that :target matches; 0: none */
    uint32_t first_node;         /* first node of the file that is read; it has element 0 */
    ARRAY(css_element) elements; /* one element for each node */
    ARRAY(uint32_t) classes;
    ARRAY(css_attribute) attributes;
    uint32_t anchor;            /* node for which :has() is matched now */
    uint64_t steps;             /* steps of matching so far */
    uint64_t most_steps;        /* limit at which matching ends */
    ARRAY(css_places *) places; /* places among siblings that are known */
    hash_table place_table;
    size_t place_count;    /* number of all places */
    uint32_t *type_counts; /* counts by name; they are 0 except while places are counted */
} css_tree;

static inline css_element *css_tree_element(const css_tree *tree, uint32_t node)
{
    return &tree->elements.items[node - tree->first_node];
}

/* Returns whether matching has exceeded its steps. The results of matches are then meaningless, and the document is in
 * error. */
static inline bool css_tree_is_spent(const css_tree *tree)
{
    return tree->steps > tree->most_steps;
}

typedef struct css_selector css_selector;
typedef struct css_compound css_compound;
typedef struct css_simple css_simple;

typedef enum css_key_kind { CSS_KEY_ANY, CSS_KEY_TYPE, CSS_KEY_CLASS, CSS_KEY_ID } css_key_kind;

#define CSS_MOST_REQUIRED 4u

struct css_selector {
    const css_compound *right;
    css_selector *next;   /* the next one of the same list */
    uint32_t specificity; /* ids in the top 10 bits, then classes in 11 and types in 11 */
    uint8_t key_kind;     /* css_key_kind of `key`, a name that the rightmost compound requires */
    uint8_t required_count;
    uint32_t key;
    uint32_t required[CSS_MOST_REQUIRED]; /* names that some ancestor must have */
    uint32_t deepest;                     /* how many compounds a match goes through one within another, at most */
};

/* The list of the style rule around another one, for which & stands there. */
typedef struct css_nest {
    const css_selector *list; /* NULL: there is none */
    uint32_t specificity;     /* specificity of the most specific selector */
    uint32_t deepest;         /* the deepest of all selectors */
    uint32_t count;
} css_nest;

/* Reads a list of selectors, up to the end of the text. Within `nest` the selectors are relative. *list becomes NULL if
 * the list is bad, for example because a prefix is not declared. The whole rule then has no effect. Returns false if
 * memory is short. The result lies in the arena of the names. */
bool css_selector_parse(css_names *names, const css_spaces *spaces, const css_nest *nest, text list_text,
                        css_selector **list);
/* Returns what & stands for within a rule of these selectors. */
css_nest css_nest_of(const css_selector *list);
/* Returns whether one selector matches a node. The rest of its list is not tried. Counts its steps in the tree and ends
 * when they are spent. */
bool css_selector_match(css_tree *tree, const css_selector *selector, uint32_t node);
/* Frees the places that are known. */
void css_places_free(css_tree *tree);

#endif
