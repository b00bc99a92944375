/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* A parsed document: a compact tree in document order, and the pools that its nodes refer to.
 *
 * Nodes are numbered in document order. The children of node n begin at n + 1. The sibling after a child c is
 * nodes[c].end. The last child ends where n ends. The tree does not change after it has been read. No node is ever
 * copied: the walk visits the target of a `use` again in each place. */
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
#include "svg/tree/font_face.h"
#include "svg/tree/names.h"
#include "svg/tree/path_data.h"
#include "svg/tree/settings.h"
#include "svg/css/transform_list.h"

#define SVG_NO_NODE UINT32_MAX

typedef struct svg_folder svg_folder;

typedef struct svg_node {
    uint32_t parent; /* SVG_NO_NODE if this is a root */
    uint32_t end;    /* the first node that is not inside this one */
    uint32_t line;
    uint32_t path;         /* index in the path pool, of path, polyline and polygon, or SVG_NO_PATH */
    uint32_t declarations; /* index of the set of its declared properties */
    uint32_t attribute_begin;
    uint16_t element; /* svg_name */
    uint8_t attribute_count;
    bool path_styled; /* `path` comes from CSS */
} svg_node;

typedef struct svg_attribute {
    uint16_t name; /* svg_name */
    /* svg_unit of a length; of a transform 1 if it is stored as a text, because its lengths are relative */
    uint8_t unit;
    uint32_t count; /* bytes of a text */
    union {
        double number;      /* a length's */
        uint32_t transform; /* index of a transform */
        const char *bytes;  /* a text's; NUL-terminated */
    };
} svg_attribute;

/* A value with var() that becomes an attribute when all custom properties are known. */
typedef struct svg_deferred {
    uint32_t node;
    uint16_t property; /* SVG_UNKNOWN if a later value has replaced it */
    text value;
} svg_deferred;

/* The target of a url(). Each id of a file has one link. */
typedef struct svg_link {
    text id;
    uint32_t file;
    uint32_t node; /* SVG_NO_NODE if there is none; known once the document has been read */
} svg_link;

/* One of the files whose nodes the document holds. File 0 is the document itself. The files from which `use` shows
 * parts follow it, with all their nodes. Each file has ids of its own. A node without a parent is the outermost svg of
 * its file. */
typedef struct svg_file {
    uint32_t first_node;
    uint32_t line;      /* the line of file 0 that leads to it; of file 0 nothing */
    const char *path;   /* relative to the resources' folder; NULL if unknown */
    const char *folder; /* base of its references, relative to the resources' folder; NULL: none are followed */
} svg_file;

/* A `use` and the node in another file to which it refers. */
typedef struct svg_external_use {
    uint32_t node, target;
} svg_external_use;

/* A custom property and its value in a scope (variable.h). */
typedef struct svg_scope_entry {
    uint32_t name;
    text value;
} svg_scope_entry;

typedef struct svg_scope {
    uint32_t begin, count; /* range of scope_entries, sorted by name */
} svg_scope;

typedef struct svg_scope_key {
    uint32_t parent, set, scope;
} svg_scope_key;

/* A resolved declaration that contained var(). If it contains currentColor, too, the result holds for one colour. */
typedef struct svg_resolved {
    uint32_t scope, reference, file; /* `reference` is that of the deferred declaration */
    uint16_t property;
    bool good;      /* false if the declaration is invalid */
    bool has_color; /* a colored one knew currentColor, and it was `color` */
    bool colored;   /* the result depends on currentColor */
    pietra_color color;
    text replaced; /* value of a colored one after var() was replaced */
    svg_declaration declaration;
} svg_resolved;

/* A stored text. */
typedef struct svg_text {
    text value;
    bool has_variable; /* it contains var() */
} svg_text;

/* Where an image lies as a layer of a mask (CSS Masking 1, 4.4 to 4.8). Zero bytes are the initial values. */
typedef struct svg_mask_place {
    svg_length x, y; /* a percentage counts what the image leaves free */
    svg_length width, height;
    bool from_right, from_bottom;
    bool given_width, given_height; /* false: auto */
    uint8_t size;                   /* SVG_SIZE_... */
    uint8_t repeat_x, repeat_y;     /* SVG_REPEAT_... */
    uint8_t origin, clip;           /* SVG_MASK_BOX_... */
} svg_mask_place;

/* A layer of a mask: a mask, a gradient of CSS or another image. */
typedef struct svg_mask_layer {
    uint32_t link;     /* link of a url() into the document */
    uint32_t gradient; /* its text, counted from 1; 0: it is none */
    uint32_t image;    /* its address, counted from 1; 0: it is none */
    uint32_t mode;     /* SVG_MASK_... */
    uint32_t index;    /* among all layers of the mask, those that show nothing too */
    svg_mask_place place;
} svg_mask_layer;

/* A part of the value of the property `filter`. */
typedef struct svg_filter_function {
    uint8_t kind;            /* svg_filter_function_kind */
    uint8_t form;            /* of a shadow: svg_paint_form of its colour */
    uint32_t link;           /* of a url() */
    double amount;           /* of hue-rotate() degrees */
    svg_length x, y, radius; /* of a shadow; radius also of blur() */
    pietra_color color, dark;
} svg_filter_function;

/* Characters of an element, in one piece. */
typedef struct svg_characters {
    uint32_t parent;       /* the element */
    uint32_t before;       /* the node that comes next */
    uint32_t begin, count; /* range of the document's character_bytes */
} svg_characters;

typedef struct svg_document {
    arena arena;
    svg_budget *budget;          /* the outermost document's */
    const svg_folder *resources; /* folder below which files may be read; NULL: none are */
    svg_settings settings;
    uint32_t number; /* number among the documents in images, from 1; 0 is the outermost one */
    svg_units units;
    const pietra_color *current_color; /* set while a style is computed; NULL if unknown */
    ARRAY(svg_node) nodes;
    ARRAY(svg_attribute) attributes;
    ARRAY(svg_characters)
    characters; /* characters of text, and of all elements if a tref may show them; in their order */
    ARRAY(char) character_bytes;
    ARRAY(pietra_transform) transforms;
    ARRAY(svg_deferred) deferred; /* sorted by node */
    svg_path_pool paths;
    ARRAY(svg_length) lengths;         /* dash patterns */
    ARRAY(svg_mask_layer) mask_layers; /* layers of masks that have several, or images */
    ARRAY(svg_mask_place) mask_places; /* items of mask-position and the like, in each of which one part is given */
    ARRAY(svg_filter_function) filter_functions;
    ARRAY(svg_declaration) declarations;
    ARRAY(svg_declaration_set) sets; /* set 0 is empty */
    hash_table set_table;
    ARRAY(svg_link) links;
    hash_table link_table;
    hash_table id_table;   /* hash of an id -> node */
    arena scratch;         /* for the value that is being read; emptied after each value */
    ARRAY(svg_text) texts; /* values of custom properties, values with var() in them, shapes: each once */
    hash_table text_table;
    css_names custom_names;
    ARRAY(svg_scope) scopes; /* scope 0 is empty */
    ARRAY(svg_scope_entry) scope_entries;
    ARRAY(svg_scope_key) scope_keys;
    hash_table scope_table;
    ARRAY(svg_resolved) resolutions; /* resolved declarations with var() */
    hash_table resolution_table;
    ARRAY(svg_file) files;                 /* empty if there is only file 0, without a folder */
    uint32_t file;                         /* file whose ids are used for what is read or resolved now */
    ARRAY(svg_external_use) external_uses; /* sorted by node */
    ARRAY(svg_font_face) font_faces;       /* in the order of the style sheets */
    ARRAY(svg_family_name) family_names;
    hash_table family_name_table; /* by their keys */
    bool decorates;               /* text-decoration occurs */
    bool blends;                  /* mix-blend-mode or isolation occurs */
    bool uses_context;            /* context-fill or context-stroke occurs */
    bool stroke_boxes;            /* boxes with strokes may be asked for: there are clips to shapes */
    bool transforms_individually; /* translate, rotate or scale occurs as a property */
    bool resolved;                /* links are looked up as soon as they are added */
} svg_document;

void svg_document_free(svg_document *document);

/* Returns the index of the file that contains a node. */
uint32_t svg_document_file(const svg_document *document, uint32_t node);
/* Returns the folder of that file, or NULL if it has none. */
const char *svg_document_folder(const svg_document *document, uint32_t node);
/* Returns the line that a warning about a node has: its own, or that of what refers to its file. */
uint32_t svg_document_warning_line(const svg_document *document, uint32_t node);
/* Returns the first node in the file with this id, or SVG_NO_NODE if there is none. */
uint32_t svg_document_find(const svg_document *document, uint32_t file, text id);
/* Makes `node` of document->file known by its id, unless another node already has the id. Returns false if memory is
 * short. */
bool svg_document_add_id(svg_document *document, text id, uint32_t node);
/* Finds or adds the link to this id of document->file and writes its index. The id is copied. Returns false if memory
 * is short. */
bool svg_document_add_link(svg_document *document, text id, uint32_t *index);
/* Looks up all links. */
void svg_document_resolve_links(svg_document *document);
/* Finds or adds the set of these declarations, which are sorted by property, and writes its index. Returns false if
 * memory is short. */
bool svg_document_add_set(svg_document *document, const svg_declaration *declarations, size_t count, uint32_t *index);

/* Stores a copy of a text and writes its index. Equal texts are stored once. Returns false if memory is short. */
bool svg_document_add_text(svg_document *document, text value, uint32_t *index);
/* Returns the node's attribute of this name. If the node has none, adds one, which then holds nothing yet. Returns NULL
 * if memory is short. Other attributes may move. */
svg_attribute *svg_document_set_attribute(svg_document *document, uint32_t node, svg_name name);
/* Removes the attribute of this name from the node, if it has one. */
void svg_document_drop_attribute(svg_document *document, uint32_t node, svg_name name);

/* Spends the cost of reading a text, which is due each time its element is drawn. The budget records it if too few
 * steps are left. */
void svg_document_count_text(const svg_document *document, text value);

/* Returns NULL if the node does not have the attribute. */
const svg_attribute *svg_attribute_find(const svg_document *document, uint32_t node, svg_name name);
/* Returns an empty text if the node does not have the attribute. Spends the cost of reading it. */
text svg_attribute_text(const svg_document *document, uint32_t node, svg_name name);
/* Returns false if the node does not have the attribute. */
bool svg_attribute_length(const svg_document *document, uint32_t node, svg_name name, svg_length *length);
/* Returns the length in pixels, or 0 if the node does not have the attribute. */
double svg_attribute_pixels(const svg_document *document, uint32_t node, svg_name name, svg_axis axis,
                            const svg_metrics *metrics);
/* Returns the identity if the node does not have the attribute. Spends the cost of reading a transform that is stored
 * as a text. */
pietra_transform svg_attribute_transform(const svg_document *document, uint32_t node, svg_name name,
                                         const svg_metrics *metrics);
/* Returns the href of a node, or else its xlink:href. The bytes are NULL if it has neither. */
text svg_document_reference(const svg_document *document, uint32_t node);
/* Returns the node to which this reference leads, or SVG_NO_NODE if it leads nowhere. The node is in the same file.
 * That of a `use` may also be in another file that has been read. */
uint32_t svg_document_href(const svg_document *document, uint32_t node);

#endif
