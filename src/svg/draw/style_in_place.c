/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "svg/draw/walk.h"

static const svg_style_in_place *find_known(const svg_walk *walk, uint32_t node)
{
    hash_walk probe = hash_find(&walk->style_in_place_table, hash_bytes(&node, sizeof node));
    for (; hash_found(&probe); hash_next(&probe))
        if (walk->styles_in_place.items[probe.value]->node == node)
            return walk->styles_in_place.items[probe.value];
    return NULL;
}

static const svg_style_in_place *add(svg_walk *walk, uint32_t node, const svg_style_in_place *parent)
{
    const svg_inherited inherited = parent ? parent->inherited : svg_style_initial(walk->document);
    const svg_noninherited *noninherited = parent ? &parent->noninherited : &svg_noninherited_initial;
    svg_style_in_place *placed = ARENA_NEW(&walk->arena, svg_style_in_place);
    if (!placed || !array_reserve(&walk->styles_in_place, 1) ||
        !hash_insert(&walk->style_in_place_table, hash_bytes(&node, sizeof node),
                     (uint32_t)walk->styles_in_place.count))
        return NULL;
    *array_push(&walk->styles_in_place) = placed;
    placed->node = node;
    walk->document->file = svg_document_file(walk->document, node);
    svg_style_compute(walk->document, walk->document->nodes.items[node].declarations, &inherited, noninherited,
                      walk->root_font_size, &placed->inherited, &placed->noninherited);
    return placed;
}

/* Goes up to the nearest ancestor whose style is known, and then down again. */
const svg_style_in_place *svg_walk_style_in_place(svg_walk *walk, uint32_t node)
{
    ARRAY(uint32_t) path = {0};
    const svg_style_in_place *placed = NULL;
    while (node != SVG_NO_NODE && !(placed = find_known(walk, node))) {
        uint32_t *step = array_push(&path);
        if (!step) {
            array_free(&path);
            return NULL;
        }
        *step = node;
        node = walk->document->nodes.items[node].parent;
    }
    do
        placed = path.count ? add(walk, path.items[--path.count], placed) : placed;
    while (placed && path.count);
    array_free(&path);
    return placed;
}
