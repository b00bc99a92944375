/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "svg/draw/visit.h"

#include <math.h>

svg_known_extent svg_extent_key(svg_walk_frame *frame)
{
    const svg_children *children = svg_walk_frame_children(frame);
    return (svg_known_extent){
        .node = frame->instance.node,
        .shown_by = children->shown_by,
        .outer_font_size = children->outer_font_size,
        .width = frame->instance.width,
        .height = frame->instance.height,
        .extent = frame->extent,
    };
}

static uint64_t hash_of(const svg_known_extent *key)
{
    struct {
        uint32_t node, shown_by;
        double outer_font_size, width, height;
    } parts = {key->node, key->shown_by, key->outer_font_size, key->width, key->height};
    return hash_bytes(&parts, sizeof parts);
}

bool svg_extent_find(const svg_walk *walk, const svg_known_extent *wanted, svg_extent *extent)
{
    hash_walk probe = hash_find(&walk->extent_table, hash_of(wanted));
    for (; hash_found(&probe); hash_next(&probe)) {
        const svg_known_extent *known = &walk->extents.items[probe.value];
        if (known->node == wanted->node && known->shown_by == wanted->shown_by &&
            known->outer_font_size == wanted->outer_font_size && known->width == wanted->width &&
            known->height == wanted->height) {
            *extent = known->extent;
            return true;
        }
    }
    return false;
}

bool svg_extent_add(svg_walk *walk, const svg_known_extent *known)
{
    if (!array_reserve(&walk->extents, 1) ||
        !hash_insert(&walk->extent_table, hash_of(known), (uint32_t)walk->extents.count))
        return false;
    *array_push(&walk->extents) = *known;
    return true;
}

static pietra_box unite(pietra_box a, pietra_box b)
{
    return (pietra_box){fmin(a.x0, b.x0), fmin(a.y0, b.y0), fmax(a.x1, b.x1), fmax(a.y1, b.y1)};
}

void svg_extent_join(svg_extent *extent, pietra_box box, pietra_box stroke)
{
    extent->box = extent->some ? unite(extent->box, box) : box;
    extent->stroke = extent->some ? unite(extent->stroke, stroke) : stroke;
    extent->some = true;
}
