/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Finds which groups and clips contain something that blends. The walk that writes their begins must know that in
 * advance. */
#include <stdlib.h>

#include "lib/element_kind.h"
#include "scene/encode/encode.h"
#include "scene/rules.h"

typedef struct open_begin {
    uint32_t element;
    bool blends; /* something in it so far blends with the destination */
} open_begin;

typedef struct blend_walk {
    const pietra_scene *scene;
    uint32_t *flags;
    ARRAY(open_begin) open;
} blend_walk;

static bool blend_open(blend_walk *walk, uint32_t element)
{
    open_begin *opened = array_push(&walk->open);
    if (opened)
        *opened = (open_begin){.element = element};
    return opened != NULL;
}

static void blend_close(blend_walk *walk)
{
    open_begin closed = *array_last(&walk->open);
    uint32_t kind = walk->scene->elements.items[closed.element].kind;
    walk->open.count--;
    walk->flags[closed.element] = rules_layer_flags(kind, closed.blends);
    if (walk->open.count > 0 && rules_layer_shows_below(kind, closed.blends))
        array_last(&walk->open)->blends = true;
}

bool encode_find_blends(encoder *encoder)
{
    const pietra_scene *scene = encoder->scene;
    if (!scene->blends)
        return true;
    blend_walk walk = {.scene = scene, .flags = calloc(scene->elements.count + 1, sizeof *walk.flags)};
    bool fits = walk.flags != NULL;
    for (size_t i = 0; fits && i < scene->elements.count; i++) {
        uint32_t kind = scene->elements.items[i].kind & ELEMENT_KIND_MASK;
        if (kind_begins(kind) || kind_begins_effect(kind)) {
            fits = blend_open(&walk, (uint32_t)i);
        } else if (kind_ends_effect(kind)) {
            /* An effect and its pictures are drawn apart: nothing in them sees what lies below, or asks for a flag. */
            walk.open.count--;
        } else if (kind == ELEMENT_END_CLIP_SOURCE) {
            /* A source is painted by itself: what blends in it sees nothing else. */
            array_last(&walk.open)->blends = false;
        } else if (kind_ends(kind)) {
            blend_close(&walk);
        }
    }
    array_free(&walk.open);
    encoder->layer_flags = walk.flags;
    return fits;
}
