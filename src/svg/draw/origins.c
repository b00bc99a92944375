/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "svg/draw/origins.h"

static void report(const svg_walk *walk, uint32_t label, const svg_origin_key *key)
{
    const svg_document *document = walk->document;
    const svg_node *node = &document->nodes.items[key->node];
    const svg_attribute *id = svg_attribute_find(document, key->node, SVG_ID);
    uint32_t file = svg_document_file(document, key->node);
    const pietra_svg_origin origin = {
        .line = node->line,
        .element = svg_name_text((svg_name)node->element).bytes,
        .id = id && id->count ? id->bytes : NULL,
        .file = file ? document->files.items[file].path : NULL,
        .document = key->document,
        .shown_by = key->shown_by,
    };
    walk->origins->function(walk->origins->user, label, &origin);
}

/* Returns 0 if memory is short; the budget then records it. */
static uint32_t label_of(svg_walk *walk, uint32_t node, uint32_t shown_by)
{
    svg_origins *origins = walk->origins;
    const svg_origin_key key = {walk->document->number, node, shown_by};
    uint64_t hash = hash_bytes(&key, sizeof key);
    for (hash_walk probe = hash_find(&origins->table, hash); hash_found(&probe); hash_next(&probe))
        if (memcmp(&origins->keys.items[probe.value], &key, sizeof key) == 0)
            return probe.value + 1;
    if (!array_reserve(&origins->keys, 1) || !hash_insert(&origins->table, hash, (uint32_t)origins->keys.count)) {
        svg_budget_lack_memory(walk->document->budget);
        return 0;
    }
    *array_push(&origins->keys) = key;
    report(walk, (uint32_t)origins->keys.count, &key);
    return (uint32_t)origins->keys.count;
}

static void set(svg_walk *walk, uint32_t node, uint32_t shown_by)
{
    walk->label = label_of(walk, node, shown_by);
    pietra_scene_set_label(walk->scene, walk->label);
}

/* While a box is gathered, nothing is added to the scene. */
static bool is_drawing(const svg_walk *walk)
{
    return walk->origins && (walk->frames.count == 0 || array_last(&walk->frames)->instance.mode != SVG_MODE_BOX);
}

void svg_origin_of_frame(svg_walk *walk)
{
    if (is_drawing(walk))
        set(walk, array_last(&walk->frames)->instance.node, array_last(&walk->shown)->itself);
}

void svg_origin_of_child(svg_walk *walk, uint32_t node)
{
    if (is_drawing(walk))
        set(walk, node, walk->shown.count ? array_last(&walk->shown)->content : walk->document_label);
}

static uint32_t label_of_frame(svg_walk *walk, size_t index)
{
    return label_of(walk, walk->frames.items[index].instance.node, walk->shown.items[index].itself);
}

void svg_origin_of_referred(svg_walk *walk, uint32_t node)
{
    if (is_drawing(walk))
        set(walk, node, label_of_frame(walk, walk->frames.count - 1));
}

/* A cell is drawn once, whichever element asks for it. */
bool svg_origin_push(svg_walk *walk)
{
    if (!walk->origins)
        return true;
    size_t index = walk->frames.count - 1;
    const svg_walk_frame *frame = &walk->frames.items[index];
    uint32_t around = index ? walk->shown.items[index - 1].content : walk->document_label;
    if (!array_reserve(&walk->shown, 1))
        return false;
    svg_shown *shown = array_push(&walk->shown);
    *shown = (svg_shown){around, around};
    switch ((svg_walk_frame_kind)frame->kind) {
    case SVG_WALK_FRAME_MARKER:
    case SVG_WALK_FRAME_MASK_SOURCE:
    case SVG_WALK_FRAME_CLIP_SOURCE:
    case SVG_WALK_FRAME_PICTURE:
        shown->itself = label_of_frame(walk, index - 1);
        shown->content = label_of_frame(walk, index);
        break;
    case SVG_WALK_FRAME_CELL:
        shown->itself = 0;
        shown->content = label_of_frame(walk, index);
        break;
    case SVG_WALK_FRAME_CONTAINER:
        if (walk->document->nodes.items[frame->instance.node].element == SVG_USE &&
            frame->instance.mode != SVG_MODE_BOX)
            shown->content = label_of_frame(walk, index);
        break;
    case SVG_WALK_FRAME_SHAPE:
    case SVG_WALK_FRAME_TEXT:
    case SVG_WALK_FRAME_BOX:
        break;
    }
    return true;
}

void svg_origins_free(svg_origins *origins)
{
    array_free(&origins->keys);
    hash_free(&origins->table);
}
