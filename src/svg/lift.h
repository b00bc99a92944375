/* Long path data, lifted out of a document before it is read as XML.
 *
 * The XML library looks at every byte of an attribute several times, copies it, and works on one thread. Path data is most of a large
 * drawing and needs nothing of that. So values of `d` and `points` are looked for, become empty attributes in a copy of the rest, and are
 * read as paths on all cores while the rest is read as XML. The XML library alone says which attribute of which tag a value was taken from:
 * the reader asks it for the bytes of each start tag and finds by svg_lift_next where a value is missing. Values that need more than
 * their bytes (entities, faults, other than ASCII) stay where they are, and so does everything in a document whose DTD could bring
 * elements or attributes. */
#ifndef PIETRA_SVG_LIFT_H
#define PIETRA_SVG_LIFT_H

#include <stdatomic.h>

#include "base/array.h"
#include "base/text.h"
#include "svg/document.h"

typedef struct svg_lifted {
    text value;               /* in the document's bytes */
    size_t offset;            /* in the rest, where it is missing */
    uint32_t node;            /* whose attribute it is, once that is known; SVG_NO_NODE */
    svg_path_syntax syntax;
    svg_path path;
} svg_lifted;

typedef struct svg_lift {
    ARRAY(svg_lifted) values;
    size_t byte_count;        /* of all values */
    char *rest;               /* the document without them; NULL: nothing was lifted */
    size_t rest_count;
    svg_path_pool *pools;     /* one for each worker */
    uint32_t worker_count;
    atomic_size_t next;       /* value to be read */
    atomic_bool failed;       /* out of memory, or nobody wants the paths any more */
    atomic_bool rest_read;    /* nobody will look at the values themselves any more */
    void (*discard)(void *user, const void *bytes, size_t byte_count); /* told of what has been read of the document; or NULL */
    void *discard_user;
} svg_lift;

/* Lifts what is worth it, from a document of an encoding in which ASCII stands for itself. The document's bytes must live as long as the
 * lift, which is zero before. False: out of memory. */
bool svg_lift_take(svg_lift *lift, text document);
void svg_lift_free(svg_lift *lift);

/* What was lifted from a start tag, which is the bytes from one offset of the rest to another one. *next counts up from 0, tag by tag;
 * *attribute: the number of the attribute in its tag. SVG_LIFT_ASTRAY: something was lifted that is no attribute, which a well-formed document
 * does not bring about. */
typedef enum svg_lift_found {
    SVG_LIFT_NOTHING,
    SVG_LIFT_VALUE,
    SVG_LIFT_ASTRAY,
} svg_lift_found;
svg_lift_found svg_lift_next(const svg_lift *lift, size_t begin, size_t end, size_t *next, uint32_t *attribute);

/* Sets worker_count: at least 1, at most `threads`, and no more than pay. False: out of memory. */
bool svg_lift_prepare(svg_lift *lift, uint32_t threads);
/* Reads values as paths until none is left; for all workers at once. */
void svg_lift_work(svg_lift *lift, uint32_t worker);
/* Hands the paths to their nodes. False: out of memory. */
bool svg_lift_hand_over(svg_lift *lift, svg_document *document);

#endif
