/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* What an element is, by its kind. */
#ifndef PIETRA_LIB_ELEMENT_KIND_H
#define PIETRA_LIB_ELEMENT_KIND_H

#include "../layout/blend.h"
#include "../layout/stream.h"

/* Takes a kind with its flags. Returns the mode beside them: BLEND_* of a group, MASK_* of a clip. */
SHARED_FUNCTION uint kind_mode(uint kind)
{
    return (kind >> ELEMENT_MODE_SHIFT) & ELEMENT_MODE_MASK;
}

/* Returns whether an element is a group that is composited by an unbounded operator. */
SHARED_FUNCTION bool kind_is_unbounded(uint kind)
{
    return (kind & ELEMENT_KIND_MASK) == ELEMENT_BEGIN_GROUP && (BLEND_UNBOUNDED >> kind_mode(kind) & 1u) != 0u;
}

/* What follows takes a kind without flags. */
SHARED_FUNCTION bool kind_begins(uint kind)
{
    return kind == ELEMENT_BEGIN_CLIP || kind == ELEMENT_BEGIN_CLIP_SOURCE || kind == ELEMENT_BEGIN_GROUP;
}

SHARED_FUNCTION bool kind_ends(uint kind)
{
    return kind == ELEMENT_END_CLIP || kind == ELEMENT_END_CLIP_SOURCE || kind == ELEMENT_END_GROUP;
}

/* An effect, or a picture of one. Kernels see none of them. */
SHARED_FUNCTION bool kind_begins_effect(uint kind)
{
    return kind == ELEMENT_BEGIN_EFFECT || kind == ELEMENT_BEGIN_EFFECT_PICTURE;
}

SHARED_FUNCTION bool kind_ends_effect(uint kind)
{
    return kind == ELEMENT_END_EFFECT || kind == ELEMENT_END_EFFECT_PICTURE;
}

SHARED_FUNCTION bool kind_has_box(uint kind)
{
    return !kind_ends(kind) && kind != ELEMENT_BEGIN_CLIP_SOURCE;
}

#endif
