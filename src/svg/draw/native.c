#include "svg/draw/walk.h"

static const svg_native *find_known(const svg_walk *walk, uint32_t node)
{
    hash_walk probe = hash_find(&walk->native_table, hash_bytes(&node, sizeof node));
    for (; hash_found(&probe); hash_next(&probe))
        if (walk->natives.items[probe.value]->node == node)
            return walk->natives.items[probe.value];
    return NULL;
}

static const svg_native *add(svg_walk *walk, uint32_t node, const svg_native *parent)
{
    const svg_inherited *inherited = parent ? &parent->inherited : &svg_inherited_initial;
    const svg_noninherited *noninherited = parent ? &parent->noninherited : &svg_noninherited_initial;
    svg_native *native = ARENA_NEW(&walk->arena, svg_native);
    if (!native || !array_reserve(&walk->natives, 1) ||
        !hash_insert(&walk->native_table, hash_bytes(&node, sizeof node), (uint32_t)walk->natives.count))
        return NULL;
    *array_push(&walk->natives) = native;
    native->node = node;
    walk->document->file = svg_document_file(walk->document, node);
    svg_style_compute(walk->document, walk->document->nodes.items[node].declarations, inherited, noninherited, walk->root_font_size, &native->inherited,
                      &native->noninherited);
    return native;
}

/* Up to the next ancestor whose style is known, then down again. */
const svg_native *svg_walk_native(svg_walk *walk, uint32_t node)
{
    ARRAY(uint32_t) path = { 0 };
    const svg_native *native = NULL;
    while (node != SVG_NO_NODE && !(native = find_known(walk, node))) {
        uint32_t *step = array_push(&path);
        if (!step) {
            array_free(&path);
            return NULL;
        }
        *step = node;
        node = walk->document->nodes.items[node].parent;
    }
    do
        native = path.count ? add(walk, path.items[--path.count], native) : native;
    while (native && path.count);
    array_free(&path);
    return native;
}
