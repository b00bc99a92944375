/* A parsed document: a compact tree in document order, and the pools that its nodes refer to.
 *
 * Nodes are numbered in document order. The children of node n begin at n + 1; the sibling after a child c is
 * nodes[c].end; the last child ends where n ends. Nothing of it changes once the document has been read, and no node is
 * ever copied: what `use` shows is walked again in its place. */
#ifndef PIETRA_SVG_TREE_DOCUMENT_H
#define PIETRA_SVG_TREE_DOCUMENT_H

#include "base/arena.h"
#include "base/array.h"
#include "base/hash.h"
#include "base/text.h"
#include "svg/tree/budget.h"
#include "svg/css/css_names.h"
#include "svg/tree/declared.h"
#include "svg/css/length.h"
#include "svg/tree/names.h"
#include "svg/tree/path_data.h"
#include "svg/css/transform_list.h"

#define SVG_NO_NODE UINT32_MAX

typedef struct svg_folder svg_folder;

typedef struct svg_node {
    uint32_t parent; /* SVG_NO_NODE: the root */
    uint32_t end;    /* the first node that is not inside this one */
    uint32_t line;
    uint32_t path;         /* of path, polyline and polygon: in the path pool, or SVG_NO_PATH */
    uint32_t declarations; /* set of its declared properties */
    uint32_t attribute_begin;
    uint8_t attribute_count;
    uint8_t element;  /* svg_name */
    bool path_styled; /* `path` is from CSS */
} svg_node;

typedef struct svg_attribute {
    uint8_t name; /* svg_name */
    /* svg_unit, of a length; of a transform: 1 where it is kept as a text, for its lengths are relative */
    uint8_t unit;
    uint32_t count; /* bytes of a text */
    union {
        double number;      /* of a length */
        uint32_t transform; /* index of a transform */
        const char *bytes;  /* a text, NUL-terminated */
    };
} svg_attribute;

/* A value with var() that is to become an attribute, when all custom properties are known. */
typedef struct svg_deferred {
    uint32_t node;
    uint8_t property; /* SVG_UNKNOWN: it has been overruled */
    text value;
} svg_deferred;

/* The target of a url(): each id of a file once. */
typedef struct svg_link {
    text id;
    uint32_t file;
    uint32_t node; /* SVG_NO_NODE: there is none; known once the document has been read */
} svg_link;

/* Documents of which `use` shows parts stand behind the first one, nodes and all; ids are those of a file. File 0 is
 * the document itself. A node without a parent is the outermost svg of its file. */
typedef struct svg_file {
    uint32_t first_node;
    const char *path;   /* from the resources' folder; NULL: it is not known */
    const char *folder; /* that its references are relative to, from the resources' folder; NULL: none are followed */
} svg_file;

/* What a `use` refers to in another file. */
typedef struct svg_external_use {
    uint32_t node, target;
} svg_external_use;

/* A custom property that holds in a scope (variable.h). */
typedef struct svg_scope_entry {
    uint32_t name;
    text value;
} svg_scope_entry;

typedef struct svg_scope {
    uint32_t begin, count; /* of the entries, sorted by name */
} svg_scope;

typedef struct svg_scope_key {
    uint32_t parent, set, scope;
} svg_scope_key;

/* A declaration with var() in it, resolved. Where it has currentColor in it too, for one colour. */
typedef struct svg_resolved {
    uint32_t scope, reference, file; /* reference: of the deferred declaration */
    uint8_t property;
    bool good;      /* else it is invalid */
    bool has_color; /* currentColor was known, and matters: it was `color` */
    bool colored;
    pietra_color color;
    text replaced; /* of a colored one: its value */
    svg_declaration declaration;
} svg_resolved;

/* A text that is kept. */
typedef struct svg_text {
    text value;
    bool has_variable; /* var() is in it */
} svg_text;

typedef struct svg_mask_layer {
    uint32_t link;
    uint32_t mode; /* SVG_MASK_... */
} svg_mask_layer;

typedef struct svg_document {
    arena arena;
    svg_budget *budget;          /* the outermost document's */
    const svg_folder *resources; /* below which files may be read; NULL: none are */
    uint32_t number;             /* among the documents in images, from 1; 0: the outermost one */
    svg_units units;
    const pietra_color *current_color; /* while a style is computed; NULL: not known */
    ARRAY(svg_node) nodes;
    ARRAY(svg_attribute) attributes;
    ARRAY(pietra_transform) transforms;
    ARRAY(svg_deferred) deferred; /* by node */
    svg_path_pool paths;
    ARRAY(svg_length) lengths;         /* dash patterns */
    ARRAY(svg_mask_layer) mask_layers; /* of masks that have several */
    ARRAY(svg_declaration) declarations;
    ARRAY(svg_declaration_set) sets; /* set 0 is empty */
    hash_table set_table;
    ARRAY(svg_link) links;
    hash_table link_table;
    hash_table id_table;   /* hash of an id -> node */
    arena scratch;         /* of the value that is being read; given back when it has been */
    ARRAY(svg_text) texts; /* values of custom properties, values with var() in them, shapes: each once */
    hash_table text_table;
    css_names custom_names;
    ARRAY(svg_scope) scopes; /* scope 0 is empty */
    ARRAY(svg_scope_entry) scope_entries;
    ARRAY(svg_scope_key) scope_keys;
    hash_table scope_table;
    ARRAY(svg_resolved) resolutions; /* of declarations with var() */
    hash_table resolution_table;
    ARRAY(svg_file) files;                 /* none: file 0 alone, with no folder */
    uint32_t file;                         /* whose ids are meant by what is read or resolved now */
    ARRAY(svg_external_use) external_uses; /* by node */
    bool blends;                           /* mix-blend-mode or isolation occurs */
    bool uses_context;                     /* context-fill or context-stroke occurs */
    bool stroke_boxes;                     /* boxes with strokes are asked for, or may be: there are clips to shapes */
    bool transforms_individually;          /* translate, rotate or scale occurs as a property */
    bool resolved;                         /* links added from now on are looked up at once */
} svg_document;

void svg_document_free(svg_document *document);

/* The file that a node stands in. */
uint32_t svg_document_file(const svg_document *document, uint32_t node);
/* The folder of that file; NULL: none. */
const char *svg_document_folder(const svg_document *document, uint32_t node);
/* The node with this id, the first in the file; SVG_NO_NODE: none. */
uint32_t svg_document_find(const svg_document *document, uint32_t file, text id);
/* Makes `node`, of document->file, known by its id unless another one has it already. False: out of memory. */
bool svg_document_add_id(svg_document *document, text id, uint32_t node);
/* The index of the link to this id of document->file; it is copied. False: out of memory. */
bool svg_document_add_link(svg_document *document, text id, uint32_t *index);
/* Looks up all links. */
void svg_document_resolve_links(svg_document *document);
/* The index of the set that holds these declarations, sorted by property. False: out of memory. */
bool svg_document_add_set(svg_document *document, const svg_declaration *declarations, size_t count, uint32_t *index);

/* Keeps a copy of a text, once however often it is added; writes its index. False: out of memory. */
bool svg_document_add_text(svg_document *document, text value, uint32_t *index);
/* The node's attribute of this name, added if it has none: then it holds nothing yet. NULL: out of memory. Other
 * attributes may move. */
svg_attribute *svg_document_set_attribute(svg_document *document, uint32_t node, svg_name name);
/* Afterwards the node does not have it. */
void svg_document_drop_attribute(svg_document *document, uint32_t node, svg_name name);

/* Spends what it costs to read a text wherever its element is drawn; when the budget is spent, that is noted there. */
void svg_document_count_text(const svg_document *document, text value);

/* NULL: the node does not have it. */
const svg_attribute *svg_attribute_find(const svg_document *document, uint32_t node, svg_name name);
/* Empty when the node does not have it. Counts it. */
text svg_attribute_text(const svg_document *document, uint32_t node, svg_name name);
/* False when the node does not have it. */
bool svg_attribute_length(const svg_document *document, uint32_t node, svg_name name, svg_length *length);
/* The same in pixels; 0 where there is none. */
double svg_attribute_pixels(const svg_document *document, uint32_t node, svg_name name, svg_axis axis,
                            const svg_metrics *metrics);
/* The identity when the node does not have it. Counts one that is a text. */
pietra_transform svg_attribute_transform(const svg_document *document, uint32_t node, svg_name name,
                                         const svg_metrics *metrics);
/* Its href, or else xlink:href; bytes are NULL where it has none. */
text svg_document_reference(const svg_document *document, uint32_t node);
/* What that refers to inside the file, or of `use` in another one that has been read. SVG_NO_NODE: nothing. */
uint32_t svg_document_href(const svg_document *document, uint32_t node);

#endif
