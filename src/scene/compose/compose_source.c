/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* What is known of streams that are shown. A stream never changes and no other gets its number, so what was found out
 * once holds as long as it is remembered. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/transform.h"
#include "lib/element_kind.h"
#include "scene/compose/composition.h"
#include "scene/rules.h"

/* Streams that a call does not show are remembered up to this number, and up to as many as it shows. */
#define SOURCES_KEPT 64u

static uint32_t *find_slot(const pietra_composition *composition, uint64_t id)
{
    size_t at = (size_t)((id * 0x9e3779b97f4a7c15u) >> 32);
    for (;; at++) {
        uint32_t *slot = &composition->table[at & (composition->table_size - 1)];
        if (*slot == 0 || composition->sources.items[*slot - 1].id == id)
            return slot;
    }
}

static void fill_table(pietra_composition *composition)
{
    memset(composition->table, 0, composition->table_size * sizeof *composition->table);
    for (size_t i = 0; i < composition->sources.count; i++)
        *find_slot(composition, composition->sources.items[i].id) = (uint32_t)i + 1;
}

/* Makes room for one more source. At most half of the table is used. */
static bool reserve_source(pietra_composition *composition)
{
    if (!array_reserve(&composition->sources, 1))
        return false;
    if (composition->sources.count < composition->table_size / 2)
        return true;
    const size_t size = composition->table_size > 0 ? 2 * composition->table_size : 4 * SOURCES_KEPT;
    uint32_t *table = realloc(composition->table, size * sizeof *table);
    if (!table)
        return false;
    composition->table = table;
    composition->table_size = size;
    fill_table(composition);
    return true;
}

static bool paints_have_slots(const stream_view *view)
{
    for (uint32_t i = 0; i < view->header->paint_count; i++)
        if (view->paints[i].kind == PAINT_SOLID && view->paints[i].first_stop != 0)
            return true;
    return false;
}

/* Looks at the elements outside of all others. */
static void look_at_children(compose_source *source, const stream_view *view)
{
    uint32_t depth = 0, children = 0;
    source->only_child = STREAM_NONE;
    for (uint32_t i = 0; i < view->header->element_count; i++) {
        const uint32_t flags = view->elements[i].kind, kind = flags & ELEMENT_KIND_MASK;
        const bool is_layer = kind_begins(kind), begins = is_layer || kind_begins_effect(kind);
        if (kind_ends(kind) || kind_ends_effect(kind)) {
            depth--;
            continue;
        }
        source->has_boxes = source->has_boxes || (is_layer && view->elements[i].path == STREAM_NONE);
        if (depth == 0) {
            source->only_child = children == 0 && is_layer ? i : STREAM_NONE;
            children++;
        }
        source->blends = source->blends || (depth == 0 && is_layer &&
                                            rules_layer_shows_below(flags, (flags & ELEMENT_COPIES_DESTINATION) != 0));
        depth += begins;
    }
}

bool compose_find_source(pietra_composition *composition, const pietra_stream *stream, uint32_t *index)
{
    const uint64_t id = stream_id(stream);
    if (composition->table_size > 0) {
        const uint32_t known = *find_slot(composition, id);
        if (known != 0) {
            *index = known - 1;
            return true;
        }
    }
    if (composition->sources.count > STREAM_MAX_COUNT || !reserve_source(composition))
        return false;
    const stream_view view = stream_view_of(stream_words(stream));
    *index = (uint32_t)composition->sources.count++;
    compose_source *made = &composition->sources.items[*index];
    *made = (compose_source){.id = id, .stream = stream, .has_slots = paints_have_slots(&view)};
    look_at_children(made, &view);
    *find_slot(composition, id) = *index + 1;
    return true;
}

void compose_forget_sources(pietra_composition *composition)
{
    const size_t shown = composition->plan.sources.count;
    if (composition->sources.count <= 2 * shown + SOURCES_KEPT)
        return;
    size_t kept = 0;
    for (size_t i = 0; i < composition->sources.count; i++)
        if (composition->sources.items[i].call == composition->call)
            composition->sources.items[kept++] = composition->sources.items[i];
        else
            stream_sums_free(&composition->sources.items[i].sums);
    composition->sources.count = kept;
    fill_table(composition);
}

/* ---- The box ---- */

static void unite(pietra_box *box, pietra_box more)
{
    *box = box_join(*box, more);
}

/* Returns an element's box in the stream's units. Those of groups and clips by a source are in them, and their
 * transforms are the identity. */
static pietra_box box_of(const stream_view *view, const stream_element *element)
{
    const stream_transform *t = &view->transforms[element->transform];
    if (element->box_x1 < element->box_x0 || element->box_y1 < element->box_y0)
        return BOX_OF_NOTHING;
    return transform_box((pietra_transform){t->a, t->b, t->c, t->d, (double)t->e + t->e_low, (double)t->f + t->f_low},
                         (pietra_box){element->box_x0, element->box_y0, element->box_x1, element->box_y1});
}

static double held_between(double x, double low, double high)
{
    return fmin(fmax(x, low), high);
}

pietra_box compose_clip_box(pietra_box box, pietra_box clip)
{
    return (pietra_box){held_between(box.x0, clip.x0, clip.x1), held_between(box.y0, clip.y0, clip.y1),
                        held_between(box.x1, clip.x0, clip.x1), held_between(box.y1, clip.y0, clip.y1)};
}

/* What is known within a clip outside of all others: what it lets show, and what is painted in it. */
typedef struct box_walk {
    const stream_view *view;
    pietra_box whole, limit, content;
    uint32_t depth;
    uint32_t hidden; /* the depth at which something began of which the box says all; STREAM_NONE: nothing */
} box_walk;

static void box_begin(box_walk *walk, const stream_element *element)
{
    const uint32_t kind = element->kind & ELEMENT_KIND_MASK;
    const bool is_clip = kind == ELEMENT_BEGIN_CLIP;
    if (walk->hidden == STREAM_NONE && !is_clip) {
        if (kind != ELEMENT_BEGIN_CLIP_SOURCE)
            unite(walk->depth == 0 ? &walk->whole : &walk->content, box_of(walk->view, element));
        walk->hidden = walk->depth;
    } else if (walk->depth == 0) {
        walk->limit = box_of(walk->view, element);
        walk->content = BOX_OF_NOTHING;
    }
    walk->depth++;
}

static void box_end(box_walk *walk)
{
    walk->depth--;
    if (walk->hidden != STREAM_NONE) {
        walk->hidden = walk->hidden == walk->depth ? STREAM_NONE : walk->hidden;
    } else if (walk->depth == 0) {
        if (box_is_something(walk->limit) && box_is_something(walk->content))
            unite(&walk->whole, compose_clip_box(walk->content, walk->limit));
    }
}

void compose_find_box(compose_source *source)
{
    if (source->has_box)
        return;
    const stream_view view = stream_view_of(stream_words(source->stream));
    box_walk walk = {.view = &view, .whole = BOX_OF_NOTHING, .hidden = STREAM_NONE};
    for (uint32_t i = 0; i < view.header->element_count; i++) {
        const stream_element *element = &view.elements[i];
        const uint32_t kind = element->kind & ELEMENT_KIND_MASK;
        if (source->reach == COMPOSE_REACHES_BOX && kind_is_unbounded(element->kind))
            source->reach = COMPOSE_REACHES_ALL;
        if ((element->kind & ELEMENT_BACKDROP) != 0)
            source->reach = COMPOSE_REACHES_BELOW;
        if (kind_begins(kind) || kind_begins_effect(kind))
            box_begin(&walk, element);
        else if (kind_ends(kind) || kind_ends_effect(kind))
            box_end(&walk);
        else if (walk.hidden == STREAM_NONE)
            unite(walk.depth == 0 ? &walk.whole : &walk.content, box_of(&view, element));
    }
    source->box = walk.whole;
    source->has_box = true;
}
