/* Attributes lifted out of a large document before it is read as XML.
 *
 * The XML library looks at every byte of an attribute several times, copies it, and works on one thread. Plain
 * attributes, which stand for nothing but their bytes, need none of that. So start tags are looked for that hold plain
 * attributes alone, these are left out of a copy of the rest, and long path data among them is read on all cores while
 * the rest is read as XML. The XML library alone says what is a tag: it tells where each one lies in the rest, and
 * svg_lifted_next finds what was lifted from there. Tags with anything else (entities, faults, other than ASCII, an
 * attribute that stands twice) stay as they are, and so does everything in a document whose DTD could bring elements or
 * attributes. */
#ifndef PIETRA_SVG_XML_LIFTED_ATTRIBUTES_H
#define PIETRA_SVG_XML_LIFTED_ATTRIBUTES_H

#include <stdatomic.h>
#include <stdint.h>

#include "base/array.h"
#include "base/text.h"
#include "svg/tree/document.h"

/* Path data that is read by any thread. */
typedef struct svg_lifted_path {
    text value;    /* in the document's bytes */
    uint32_t node; /* whose attribute it is, once that is known; SVG_NO_NODE */
    svg_path_syntax syntax;
    svg_path path;
} svg_lifted_path;

typedef struct svg_lifted_tag {
    text attributes; /* in the document's bytes */
    size_t offset;   /* in the rest, behind the tag's name */
    size_t value;    /* that is one of them; SVG_LIFTED_NO_VALUE */
} svg_lifted_tag;

#define SVG_LIFTED_NO_VALUE SIZE_MAX

typedef struct svg_lifted_attributes {
    ARRAY(svg_lifted_path) values;
    ARRAY(svg_lifted_tag) tags;
    size_t value_bytes, tag_bytes; /* of all values, of all attributes */
    char *rest;                    /* the document without attributes of tags; NULL: nothing was lifted */
    size_t rest_count;
    svg_path_pool *pools; /* one for each worker */
    uint32_t worker_count;
    atomic_size_t next;    /* value to be read */
    atomic_bool failed;    /* out of memory, or nobody wants the paths any more */
    bool is_read_once;     /* the rest; else a style sheet may make it be read again from the start */
    size_t batch;          /* values that are read at a time */
    atomic_uchar *batches; /* for each: who needs its bytes no more */
    size_t passed;         /* batches that the rest's reader has behind it */
    /* told of what has been read of the document; or NULL */
    void (*discard)(void *user, const void *bytes, size_t byte_count);
    void *discard_user;
} svg_lifted_attributes;

/* Lifts what is worth it, from a document of an encoding in which ASCII stands for itself. The document's bytes must
 * live as long as the table, which is zero before. False: out of memory. */
bool svg_lifted_take(svg_lifted_attributes *table, text document);
void svg_lifted_free(svg_lifted_attributes *table);

/* Finds what was lifted from the start tag that lies in the rest from `begin` to `end`. False: there are tags before it
 * that are none to the XML library, which a well-formed document does not bring about. *next counts up from 0, tag by
 * tag; *tag is NULL where nothing was lifted. */
bool svg_lifted_next(const svg_lifted_attributes *table, size_t begin, size_t end, size_t *next,
                     const svg_lifted_tag **tag);
/* Takes the first of lifted attributes off. False: there is none. */
bool svg_lifted_attribute(text *attributes, text *name, text *value);

/* Sets worker_count: at least 1, at most `threads`, and no more than pay. False: out of memory. */
bool svg_lifted_prepare(svg_lifted_attributes *table, uint32_t threads, uint64_t most_numbers);
/* Tells, while the rest is read, that this value's tag is reached: what lies in the document before it will not be
 * looked at again, unless the rest is read twice. */
void svg_lifted_reach(svg_lifted_attributes *table, size_t value);
/* The rest has been read. */
void svg_lifted_reach_end(svg_lifted_attributes *table);
/* Reads values as paths until none is left; for all workers at once. */
void svg_lifted_work(svg_lifted_attributes *table, uint32_t worker);
/* Hands the paths to their nodes. False: out of memory. */
bool svg_lifted_hand_over(svg_lifted_attributes *table, svg_document *document);

#endif
