/* Selectors (Selectors 4), and whether they match a node of the document as it was written. */
#ifndef PIETRA_SVG_STYLE_CSS_SELECTOR_H
#define PIETRA_SVG_STYLE_CSS_SELECTOR_H

#include "base/array.h"
#include "svg/css/css_names.h"
#include "svg/css/css_token.h"
#include "svg/tree/document.h"

#define CSS_PREFIXED 0x80000000u /* on the name of an attribute: it has a name space */
#define CSS_SVG_SPACE 0u         /* SVG's, or what is taken for it */
#define CSS_NO_SPACE 0xffffffffu
#define CSS_ANY_SPACE 0xfffffffeu

/* A prefix that a sheet declares by @namespace. */
typedef struct css_prefix {
    uint32_t name;
    uint32_t space;
} css_prefix;

/* The name spaces that a sheet declares. */
typedef struct css_spaces {
    ARRAY(css_prefix) prefixes; /* the last of a name counts */
    uint32_t standard;          /* of types without a prefix: CSS_ANY_SPACE unless it is declared */
} css_spaces;

typedef struct css_attribute {
    uint32_t name;
    text value;
} css_attribute;

/* What selectors ask of an element. */
typedef struct css_element {
    uint32_t type, id;                 /* names; 0: no id */
    uint32_t space;                    /* name of its name space's address, CSS_SVG_SPACE or CSS_NO_SPACE */
    uint32_t class_begin, class_count; /* sorted, each once */
    uint32_t attribute_begin, attribute_count;
    uint32_t previous;   /* sibling; SVG_NO_NODE: it is the first child */
    uint32_t last_child; /* SVG_NO_NODE: it has none */
    uint32_t position;   /* among its siblings, from 1 */
    bool has_text;       /* characters of its own */
    text style;          /* its style attribute */
} css_element;

typedef struct css_places css_places;

typedef struct css_tree {
    const svg_document *document;
    css_names names;
    uint32_t target;             /* name of the id that is :target; 0: none */
    uint32_t first_node;         /* of the file that is read: element 0 */
    ARRAY(css_element) elements; /* one a node */
    ARRAY(uint32_t) classes;
    ARRAY(css_attribute) attributes;
    uint64_t steps;             /* taken in matching so far */
    uint64_t most_steps;        /* beyond which no match goes on */
    ARRAY(css_places *) places; /* among siblings, those that are known */
    hash_table place_table;
    size_t place_count;    /* of all of them */
    uint32_t *type_counts; /* by name: 0 but while places are counted */
} css_tree;

static inline css_element *css_tree_element(const css_tree *tree, uint32_t node)
{
    return &tree->elements.items[node - tree->first_node];
}

/* Then no match means anything, and the document is in error. */
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
    css_selector *next;   /* of the same list */
    uint32_t specificity; /* ids, classes and types, 10, 11 and 11 bits, the most significant first */
    uint8_t key_kind;     /* css_key_kind: what the rightmost compound asks for first */
    uint8_t required_count;
    uint32_t key;
    uint32_t required[CSS_MOST_REQUIRED]; /* names that some ancestor must have */
};

/* Reads a list of selectors, up to the end of the text. *list is NULL when it is bad, as with a prefix that is not
 * declared: then the whole rule has no effect. False: out of memory. What is read lies in the names' arena. */
bool css_selector_parse(css_names *names, const css_spaces *spaces, text list_text, css_selector **list);
/* One selector, not its list. Counts its steps in the tree, and ends where they are spent. */
bool css_selector_match(css_tree *tree, const css_selector *selector, uint32_t node);
/* Forgets the places that are known. */
void css_places_free(css_tree *tree);

#endif
