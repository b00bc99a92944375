/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Attributes lifted out of a large document before it is read as XML.
 *
 * The XML library looks at every byte of an attribute several times, copies it, and works on one thread. Plain
 * attributes, which stand for nothing but their bytes, need none of that. This code looks for start tags that hold only
 * plain attributes. It leaves these attributes out of a copy of the document, the rest. All cores read the long path
 * data among them while the XML library reads the rest.
 *
 * The XML library alone decides what a tag is. It reports where each tag lies in the rest, and svg_lifted_next finds
 * the attributes that were lifted from there. Other tags stay as they are: those with entities, faults, characters
 * beyond ASCII, or an attribute that stands twice. A document whose DTD could add elements or attributes stays as it
 * is, too. */
#ifndef PIETRA_SVG_XML_LIFTED_ATTRIBUTES_H
#define PIETRA_SVG_XML_LIFTED_ATTRIBUTES_H

#include <stdatomic.h>
#include <stdint.h>

#include "base/array.h"
#include "base/text.h"
#include "svg/tree/document.h"

/* Path data that any thread may read. */
typedef struct svg_lifted_path {
    text value;    /* in the document's bytes */
    uint32_t node; /* node of the attribute, or SVG_NO_NODE until it is known */
    svg_path_syntax syntax;
    svg_path path;
} svg_lifted_path;

typedef struct svg_lifted_tag {
    text attributes; /* in the document's bytes */
    size_t offset;   /* offset in the rest, just behind the name of the tag */
    size_t value;    /* index in the table's values of one of the attributes, or SVG_LIFTED_NO_VALUE */
} svg_lifted_tag;

#define SVG_LIFTED_NO_VALUE SIZE_MAX

typedef struct svg_lifted_attributes {
    ARRAY(svg_lifted_path) values;
    ARRAY(svg_lifted_tag) tags;
    size_t value_bytes, tag_bytes; /* bytes of all values, bytes of all attributes */
    char *rest;                    /* the document without the lifted attributes; NULL if nothing was lifted */
    size_t rest_count;
    svg_path_pool *pools; /* one for each worker */
    uint32_t worker_count;
    atomic_size_t next;    /* index of the value to be read next */
    atomic_bool failed;    /* memory is short, or the paths are no longer needed */
    bool is_lexed;         /* has_trefs is known */
    bool has_trefs;        /* a tref occurs, or may occur */
    bool is_read_once;     /* the rest is read once; else a style sheet may cause a second reading */
    size_t batch;          /* values in a batch, which one thread reads at a time */
    atomic_uchar *batches; /* for each batch: flags of who no longer needs its bytes */
    size_t passed;         /* batches that the reader of the rest has passed */
    /* called with parts of the document that will not be read again; may be NULL */
    void (*discard)(void *user, const void *bytes, size_t byte_count);
    void *discard_user;
} svg_lifted_attributes;

/* Lifts attributes from a document if this is worth it. In the encoding of the document ASCII must stand for itself.
 * The bytes of the document must live as long as the table, which is zero before the call. Returns false if memory is
 * short. */
bool svg_lifted_take(svg_lifted_attributes *table, text document);
void svg_lifted_free(svg_lifted_attributes *table);

/* Finds what was lifted from the start tag that lies in the rest from `begin` to `end`. *next counts up from 0, tag by
 * tag. *tag becomes NULL if nothing was lifted. Returns false if there are tags before it that are not tags to the XML
 * library. No well-formed document has such tags. */
bool svg_lifted_next(const svg_lifted_attributes *table, size_t begin, size_t end, size_t *next,
                     const svg_lifted_tag **tag);
/* Takes the first of the lifted attributes off. Returns false if none is left. */
bool svg_lifted_attribute(text *attributes, text *name, text *value);

/* Sets worker_count. It is at least 1 and at most `threads`, and no larger than is worth it. Returns false if memory is
 * short. */
bool svg_lifted_prepare(svg_lifted_attributes *table, uint32_t threads, uint64_t most_numbers);
/* Called while the rest is read, when the tag of this value is reached. The document before it is then no longer
 * needed, unless the rest is read twice. */
void svg_lifted_reach(svg_lifted_attributes *table, size_t value);
/* Called when the rest has been read. */
void svg_lifted_reach_end(svg_lifted_attributes *table);
/* Reads values as paths until none is left. All workers call this at the same time. */
void svg_lifted_work(svg_lifted_attributes *table, uint32_t worker);
/* Hands the paths to their nodes. Returns false if memory is short. */
bool svg_lifted_hand_over(svg_lifted_attributes *table, svg_document *document);

#endif
