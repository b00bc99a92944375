/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Makes one stream of many that are shown in places, in two steps. The first looks at all instances and counts; what
 * can fail fails there. The second writes.
 *
 * What does not depend on where a stream is shown stands in the whole once for each stream: paths, styles, paints and
 * what belongs to them. Elements, transforms and effects stand there once for each instance. As long as the same
 * streams are first shown in the same order, and the counts stay, only the latter are written anew. */
#ifndef PIETRA_SCENE_COMPOSE_COMPOSITION_H
#define PIETRA_SCENE_COMPOSE_COMPOSITION_H

#include "base/array.h"
#include "pietra/pietra_instance.h"
#include "scene/stream.h"
#include "scene/sums/sums.h"

/* How far what a stream shows reaches. */
typedef enum compose_reach {
    COMPOSE_REACHES_BOX = 0,
    COMPOSE_REACHES_ALL,   /* whatever its box is */
    COMPOSE_REACHES_BELOW, /* it also shows pixels below it elsewhere */
} compose_reach;

/* A stream that was shown. */
typedef struct compose_source {
    uint64_t id;
    uint64_t call;               /* the last call that showed it */
    const pietra_stream *stream; /* during a call that shows it */
    stream_header first;         /* counts of what stands in the whole before it */
    bool blends;                 /* an element outside of all others sees what lies below */
    bool has_slots;
    bool has_boxes; /* elements have boxes in units of the whole */
    bool has_box;   /* `box` and `reach` are known */
    compose_reach reach;
    uint32_t only_child; /* the begin that is the only element outside of all others, or STREAM_NONE */
    pietra_box box;      /* of all that is painted, in the stream's units */
    stream_sums sums;    /* id 0: not made so far */
} compose_source;

/* What decides the pixels of an instance. Without gaps, since all its bytes are compared. */
typedef struct compose_look {
    uint64_t stream;
    pietra_transform transform;
    pietra_box clip;
    uint64_t layers; /* its opacity, and whether it has a group and a clip */
    uint64_t slots;  /* a checksum of the colours of its slots, if it has any */
} compose_look;

/* An instance that shows something. */
typedef struct compose_shown {
    size_t instance; /* its number */
    uint32_t id;
    uint32_t source;
    uint32_t first_element; /* in the whole, and so are these: */
    uint32_t first_transform, first_effect, first_effect_step, first_effect_value;
    uint32_t element_count; /* of its stream */
    uint32_t first_repaint; /* in `repaints`: an entry for each paint of its stream; STREAM_NONE: no slot is replaced */
    uint32_t first_part;    /* of the sums, if they are made */
    float transparency;
    uint32_t opacity; /* of its group, 0 to 255 */
    compose_reach reach;
    pietra_box box; /* of all that its stream paints, in the stream's units */
    compose_look look;
    bool has_clip, has_group, has_slots;
} compose_shown;

/* How many elements stand before those of its stream, and as many behind. */
static inline uint32_t compose_layers(const compose_shown *shown)
{
    return (uint32_t)shown->has_clip + shown->has_group;
}

/* What a call makes. */
typedef struct compose_plan {
    ARRAY(compose_shown) shown;
    ARRAY(uint64_t) ids;      /* of the streams, in the order of their first instances */
    ARRAY(uint32_t) sources;  /* the same, as indices of sources */
    ARRAY(uint32_t) repaints; /* which of `colors` stands in place of a paint; STREAM_NONE: the paint stays */
    ARRAY(uint32_t) colors;   /* premultiplied; each is a paint behind those of the streams */
    stream_header total;
    uint64_t words, tasks;
    bool has_labels;
    bool shows_below; /* an instance reaches below */
} compose_plan;

/* An instance that looks otherwise than in the call before. */
typedef struct compose_change {
    size_t shown;
    compose_look look; /* as it was */
} compose_change;

/* A layer of an instance's own, of the unit square, which its place makes the box. */
typedef struct compose_layer {
    bound_sums element;
    stream_sums sums;
} compose_layer;

#define COMPOSE_COLOR_SLOTS 256u

struct pietra_composition {
    ARRAY(compose_source) sources;
    uint32_t *table;   /* finds sources by their ids: an index plus 1, or 0 */
    size_t table_size; /* a power of two, or 0 */
    uint64_t call;
    compose_plan plan, next; /* of the stream that it has, and of the one that is being made; of the one before it */
    ARRAY(compose_change) changes;
    /* `next` is the plan of the stream before, or that was the same but for the changes. */
    bool has_before, has_changes;
    uint32_t color_table[COMPOSE_COLOR_SLOTS]; /* direct-mapped, from a color to the newest place in `colors` */
    pietra_stream *stream;                     /* NULL: none so far */
    size_t capacity;                           /* words of the stream */
    composed_sums composed;                    /* the stream's */
    ARRAY(sums_part) parts;
    compose_layer clip, group;
};

/* The path of the whole that clips: the unit square. It is the first. The first transform is the identity. */
#define COMPOSE_SQUARE 0u
#define COMPOSE_IDENTITY 0u

/* Finds what is known of a stream, or finds it out, and gives its index. False: out of memory. */
bool compose_find_source(pietra_composition *composition, const pietra_stream *stream, uint32_t *index);
/* Forgets streams that were not shown lately, if there are many. No index of a source stays valid. */
void compose_forget_sources(pietra_composition *composition);
/* Gives a source its box, and finds how far it reaches. */
void compose_find_box(compose_source *source);

/* Returns what is seen of a box in a clip. Of a box beside the clip that is the clip's edge or corner next to it: edges
 * that lie in one pixel both cover a part of it, and then something shows. */
pietra_box compose_clip_box(pietra_box box, pietra_box clip);

/* Fills in `next`. */
pietra_result compose_measure(pietra_composition *composition, const pietra_instance *instances, size_t count,
                              pietra_error *error);
/* Writes the stream that `next` describes. False: out of memory, and the stream is as it was. */
bool compose_write(pietra_composition *composition, const pietra_instance *instances);
/* Makes the sums of the stream that was written, if they are wanted and can be made. */
void compose_make_sums(pietra_composition *composition);

/* If the instances are those of the call before, in other places: finds `changes`, with the new looks. False: they are
 * not, or memory is out, or they are refused. */
bool compose_find_changes(pietra_composition *composition, const pietra_instance *instances, size_t count);
/* Changes the stream and its plan, and leaves the looks as they were in `changes`. */
void compose_write_changes(pietra_composition *composition, const pietra_instance *instances);
/* Changes the sums. */
void compose_move_sums(pietra_composition *composition);

#endif
