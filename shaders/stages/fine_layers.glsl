/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The walk over a tile with clips and groups, which 10_fine_layers and 10_fine_complex have in common.
 *
 * Clips and groups are intervals of elements: a layer is closed when the walk has passed its end. A layer keeps its
 * destination and a level, 0 to 255, for each pixel: a clip's coverage or a group's opacity. lib/blend.h says how a
 * layer starts and ends. Without FINE_COMPLEX all layers are plain: where the level is full, they change nothing and
 * are drawn through. An invocation only touches its own pixels of a layer, so saving them takes no barrier.
 *
 * The includer defines FINE_CLASS, the class of tiles that it draws. */
#ifndef FINE_LAYERS_GLSL
#define FINE_LAYERS_GLSL

#define STREAM_BINDING 0
#define CONFIG_BINDING 1
#include "stages/fine.glsl"
#include "lib/blend.h"

layout(scalar, set = 0, binding = 15) buffer spill_buffer
{
    uint spill[];
};

shared uint shared_words[SHARED_LAYERS * SPILL_LEVEL_WORDS];

struct layer {
    uint element; /* the begin whose content is being drawn */
    uint end;
    uint source_end; /* NONE once the source has become the level */
#ifdef FINE_COMPLEX
    uint kind;  /* kind of the begin that opened it, with flags */
    uint begin; /* visible index of that begin */
#endif
};

/* The state of the walk: whether this tile's layers lie in the spill, where they lie there, and the open layers. */
bool in_spill;
uint spill_base;
uint depth;
layer top;
uvec4 color;

void save_word(uint level, uint word, uint value)
{
    if (in_spill)
        spill[spill_base + level * SPILL_LEVEL_WORDS + word] = value;
    else
        shared_words[level * SPILL_LEVEL_WORDS + word] = value;
}

uint saved_word(uint level, uint word)
{
    return in_spill ? spill[spill_base + level * SPILL_LEVEL_WORDS + word]
                    : shared_words[level * SPILL_LEVEL_WORDS + word];
}

void save_destination(uvec4 destination)
{
    for (uint i = 0u; i < 4u; i++)
        save_word(depth - 1u, fine_invocation() * 4u + i, destination[i]);
}

uvec4 saved_destination()
{
    uvec4 destination;
    for (uint i = 0u; i < 4u; i++)
        destination[i] = saved_word(depth - 1u, fine_invocation() * 4u + i);
    return destination;
}

void save_level(uvec4 level)
{
    save_word(depth - 1u, uint(TILE_PIXELS) + fine_invocation(),
              level.x | level.y << 8 | level.z << 16 | level.w << 24);
}

uvec4 saved_level()
{
    uint word = saved_word(depth - 1u, uint(TILE_PIXELS) + fine_invocation());
    return uvec4(word & 0xffu, (word >> 8) & 0xffu, (word >> 16) & 0xffu, word >> 24);
}

/* Each invocation keeps its own copy of the layer, because subgroups do not run in step: one may open the next layer
 * while another closes this one. */
#define LAYER_WORDS (uint(TILE_PIXELS) + uint(TILE_PIXELS / 4) + 3u * fine_invocation())

#ifdef FINE_COMPLEX
#define SOURCE_OPEN 0x80000000u

void save_top()
{
    save_word(depth - 1u, LAYER_WORDS, top.element);
    save_word(depth - 1u, LAYER_WORDS + 1u, top.begin | (top.source_end != NONE ? SOURCE_OPEN : 0u));
}

layer make_layer(uint begin, bool source_open)
{
    visible_element v = visible[begin];
    return layer(v.element, v.end, source_open ? v.source_end : NONE, v.kind, begin);
}

void restore_top()
{
    top = layer(NONE, NONE, NONE, 0u, NONE);
    if (depth == 0u)
        return;
    uint begin = saved_word(depth - 1u, LAYER_WORDS + 1u);
    top = make_layer(begin & ~SOURCE_OPEN, (begin & SOURCE_OPEN) != 0u);
    top.element = saved_word(depth - 1u, LAYER_WORDS);
}
#else
void save_top()
{
    save_word(depth - 1u, LAYER_WORDS, top.element);
    save_word(depth - 1u, LAYER_WORDS + 1u, top.end);
    save_word(depth - 1u, LAYER_WORDS + 2u, top.source_end);
}

void restore_top()
{
    if (depth == 0u)
        top = layer(NONE, NONE, NONE);
    else
        top = layer(saved_word(depth - 1u, LAYER_WORDS), saved_word(depth - 1u, LAYER_WORDS + 1u),
                    saved_word(depth - 1u, LAYER_WORDS + 2u));
}

layer make_layer(uint begin, bool source_open)
{
    return layer(visible[begin].element, visible[begin].end, source_open ? visible[begin].source_end : NONE);
}
#endif

uvec4 choose(bvec4 which, uvec4 yes, uvec4 no)
{
    return mix(no, yes, which);
}

/* These do the functions of lib/blend.h for four pixels. */
uvec4 start_quad(uvec4 level, uvec4 destination)
{
#ifdef FINE_COMPLEX
    uvec4 started;
    for (int i = 0; i < 4; i++)
        started[i] = layer_start(top.kind, level[i], destination[i]);
    return started;
#else
    return choose(equal(level, uvec4(255u)), destination, uvec4(0u));
#endif
}

uvec4 merge_quad(uvec4 had, uvec4 level)
{
#ifdef FINE_COMPLEX
    uvec4 merged;
    for (int i = 0; i < 4; i++)
        merged[i] = layer_merge(top.kind, had[i], level[i], color[i]);
    return merged;
#else
    bvec4 opened = bvec4(uvec4(equal(had, uvec4(255u))) * uvec4(lessThan(level, uvec4(255u))));
    return choose(opened, uvec4(0u), color);
#endif
}

uvec4 finish_quad(uvec4 level, uvec4 destination)
{
#ifdef FINE_COMPLEX
    uvec4 finished;
    for (int i = 0; i < 4; i++)
        finished[i] = layer_finish(top.kind, level[i], color[i], destination[i]);
    return finished;
#else
    return choose(lessThan(level, uvec4(255u)), over_quad(color, level, destination), color);
#endif
}

uvec4 source_level()
{
#ifdef FINE_COMPLEX
    uvec4 level;
    for (int i = 0; i < 4; i++)
        level[i] = mask_level(kind_mode(top.kind), color[i]);
    return level;
#else
    return color >> 24;
#endif
}

/* Ends a source: what it drew becomes the level, and the content starts. */
void end_source()
{
    uvec4 level = source_level();
    save_level(level);
    color = start_quad(level, saved_destination());
    top.source_end = NONE;
    save_top();
}

void end_layer(tile_place at)
{
    uvec4 destination = saved_destination();
    color = finish_quad(saved_level(), destination);
#ifdef FINE_COMPLEX
    /* Clips that are folded bound an unbounded group by its box. */
    if (kind_is_unbounded(top.kind))
        color = choose_in_box(visible[top.begin].clip, at, color, destination);
#endif
    depth--;
    restore_top();
}

/* Closes the layers that ended before this element. Returns false if the pass is over before that is done. A layer that
 * ends in its source ends the source too. */
bool close_layers(uint element, tile_place at, inout uint work)
{
    while (depth > 0u) {
        bool ends = element > top.end;
        bool source_ends = top.source_end != NONE && (ends || element > top.source_end);
        if (!ends && !source_ends)
            break;
        if (ends && pass_is_over(work, config.fine_work))
            return false;
        if (source_ends)
            end_source();
        if (ends) {
            work += CLOSE_WORK;
            end_layer(at);
        }
    }
    return true;
}

void merge_layer(uint element, uvec4 coverage)
{
    uvec4 had = saved_level();
    uvec4 level;
    for (int i = 0; i < 4; i++)
        level[i] = divide_255(had[i] * coverage[i]);
    color = merge_quad(had, level);
    save_level(level);
    top.element = element;
    save_top();
}

void begin_layer(uint begin, uvec4 coverage)
{
    depth++;
    top = make_layer(begin, true);
    save_top();
    save_destination(color);
    uvec4 level = top.source_end != NONE ? uvec4(0u) : coverage;
    save_level(level);
    color = top.source_end != NONE ? uvec4(0u) : start_quad(level, color);
}

void draw_command(uint slot, tile_place at, inout uint work)
{
    work += COMMAND_WORK - CLOSE_WORK + tile_line_work(batch_tile_lines[slot]) +
            paint_work(batch_flags[slot], batch_paint[slot]);
    uvec4 coverage = clipped_coverage(slot, at);
#ifdef FINE_COMPLEX
    for (int i = 0; i < 4; i++)
        coverage[i] = aliased_level(batch_flags[slot], coverage[i]);
#endif
    if (batch_layer[slot] != top.element)
        return; /* a clip around it has nothing in this tile */
    uint kind = batch_flags[slot] & ELEMENT_KIND_MASK;
    if (kind == ELEMENT_BEGIN_GROUP)
        coverage = uvec4(batch_color[slot]);
    if (kind != ELEMENT_BEGIN_CLIP && kind != ELEMENT_BEGIN_GROUP) {
        if (coverage != uvec4(0u))
            color = over_quad(paint_quad(slot, at), coverage, color);
        return;
    }
    if ((batch_flags[slot] & VISIBLE_MERGED) != 0u)
        merge_layer(batch_element[slot], coverage);
    else
        begin_layer(batch_visible[slot], coverage);
}

/* Returns whether the pass is over before the next tile_command. The end of the list takes no work of its own. */
bool is_over(uint next_command, tile t, uint work)
{
    return next_command < t.command_count && pass_is_over(work, config.fine_work);
}

void main()
{
    uint rank = stage_workgroup();
    if (rank >= counters.class_count[FINE_CLASS])
        return;
    uint index = tile_lists[FINE_CLASS * config.tile_count + rank];
    tile t = tiles[index];
    tile_progress from = progress[index];
    if (from.next_command > t.command_count)
        return; /* finished by an earlier pass */
    tile_place at = place_of(index);
    in_spill = tile_spill(t.depth, t.work, config.fine_work) != 0u;
    spill_base = t.spill * SPILL_LEVEL_WORDS;
    depth = from.open_layers;
    restore_top();
    color = from.next_command == 0u ? uvec4(config.background) : target[target_quad(at)];
    uint i = from.next_command;
    uint work = 0u;
    bool goes_on = true;
    clear_batch();
    /* The end of the list counts as a tile_command that closes all layers. So the code that closes layers, the longest
     * of this kernel, is there once. */
    while (goes_on && i <= t.command_count && !is_over(i, t, work)) {
        uint taken = take_batch(t, i, at);
        uint slots = i + taken == t.command_count ? taken + 1u : taken;
        for (uint slot = 0u; slot < slots && goes_on && !is_over(i, t, work); slot++) {
            goes_on = close_layers(slot == taken ? NONE : batch_element[slot], at, work);
            if (goes_on && slot != taken)
                draw_command(slot, at, work);
            i += goes_on ? 1u : 0u;
        }
        barrier(); /* every invocation has read the batch */
    }
    if (i > t.command_count)
        store_quad(at, color);
    else
        target[target_quad(at)] = color;
    barrier(); /* every invocation has read progress[index] */
    if (fine_invocation() == 0u) {
        progress[index] = tile_progress(i, depth);
    }
}

#endif
