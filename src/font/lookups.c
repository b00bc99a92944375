/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "font/lookups.h"

#include <math.h>
#include <stdlib.h>

#include "font/source.h"

#define MOST_DEPTH 64u         /* of calls, as HarfBuzz has it */
#define MOST_CALLS 1024.0      /* for each glyph, likewise */
#define LEAST_VISITS 10000u    /* subtables, sets, rules and calls that are looked at in any table */
#define MOST_VISITS 10000000u  /* likewise, at most. Tables without overlaps have one for every two bytes at most */
#define LOOKUP_COMPARISONS 1.0 /* to find that a lookup, or one of its subtables, has nothing for a glyph */
#define SET_COMPARISONS 2.0    /* to find whether a glyph is one of a set */

typedef enum lookup_kind {
    LOOKUP_SIMPLE,    /* it finds what to do by halving */
    LOOKUP_SEQUENCES, /* it puts several glyphs in place of one */
    LOOKUP_LIGATURES, /* it tries one ligature after another */
    LOOKUP_CONTEXT,
    LOOKUP_CHAIN, /* a context with glyphs around it */
    LOOKUP_REVERSE,
    LOOKUP_EXTENSION,
} lookup_kind;

typedef struct lookup_weight {
    double own;   /* comparisons of its own */
    double calls; /* those of the lookups that its heaviest rule calls */
    bool begun, done;
} lookup_weight;

typedef struct weigher {
    font_bytes list;
    bool positions, grow;
    uint32_t depth, count;
    size_t visits; /* that are left */
    lookup_weight *lookups;
} weigher;

static lookup_weight weigh_lookup(weigher *weigher, uint32_t index);

static double find_sum(lookup_weight weight)
{
    return weight.own + weight.calls;
}

static bool visit(weigher *weigher)
{
    if (weigher->visits == 0)
        return false;
    weigher->visits--;
    return true;
}

/* ---- Rules ---- */

/* Adds the calls of a rule: pairs of a place and a lookup. */
static void add_calls(weigher *weigher, font_bytes rule, size_t at, uint32_t count, lookup_weight *weight)
{
    double sum = 0;
    for (uint32_t i = 0; i < count && font_has(rule, at + 4 * i, 4) && isfinite(sum); i++)
        sum += visit(weigher) ? find_sum(weigh_lookup(weigher, font_u16(rule, at + 4 * i + 2))) : INFINITY;
    weight->calls = fmax(weight->calls, sum);
}

/* A rule of a context: its glyphs or classes but for the first. */
static void add_rule(weigher *weigher, font_bytes rule, lookup_weight *weight)
{
    const uint32_t count = font_u16(rule, 0);
    weight->own += 1 + (double)count;
    add_calls(weigher, rule, 2 + 2 * (size_t)(count ? count : 1), font_u16(rule, 2), weight);
}

/* A rule of a chain: what is before, the glyphs but for the first, what is behind. */
static void add_chain_rule(weigher *weigher, font_bytes rule, lookup_weight *weight)
{
    const uint32_t before = font_u16(rule, 0);
    const size_t input_at = 2 + 2 * (size_t)before;
    const uint32_t input = font_u16(rule, input_at);
    const size_t behind_at = input_at + 2 * (size_t)(input ? input : 1);
    const uint32_t behind = font_u16(rule, behind_at);
    const size_t calls_at = behind_at + 2 + 2 * (size_t)behind;
    weight->own += 1 + (double)before + input + behind;
    add_calls(weigher, rule, calls_at + 2, font_u16(rule, calls_at), weight);
}

static void add_ligature(font_bytes ligature, lookup_weight *weight)
{
    weight->own += 1 + (double)font_u16(ligature, 2);
}

/* Weighs the rules for one glyph or class. */
static lookup_weight weigh_set(weigher *weigher, font_bytes set, lookup_kind kind)
{
    lookup_weight weight = {.own = 0};
    const uint32_t count = font_u16(set, 0);
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t offset = font_u16(set, 2 + 2 * (size_t)i);
        const font_bytes rule = font_after(set, offset);
        if (!visit(weigher))
            weight.own = INFINITY;
        if (!isfinite(weight.own))
            break;
        if (kind == LOOKUP_LIGATURES)
            add_ligature(rule, &weight);
        else if (kind == LOOKUP_CHAIN)
            add_chain_rule(weigher, rule, &weight);
        else
            add_rule(weigher, rule, &weight);
    }
    return weight;
}

/* Weighs sets of rules, whose count stands at `at` and whose offsets follow. One glyph has rules of one set. */
static lookup_weight weigh_sets(weigher *weigher, font_bytes subtable, size_t at, lookup_kind kind)
{
    lookup_weight most = {.own = 0};
    const uint32_t count = font_u16(subtable, at);
    for (uint32_t i = 0; i < count && isfinite(most.own); i++) {
        const uint32_t offset = font_u16(subtable, at + 2 + 2 * (size_t)i);
        lookup_weight weight = {.own = 0};
        if (!visit(weigher))
            weight.own = INFINITY;
        else if (offset != 0)
            weight = weigh_set(weigher, font_after(subtable, offset), kind);
        most.own = fmax(most.own, weight.own);
        most.calls = fmax(most.calls, weight.calls);
    }
    return most;
}

/* ---- Subtables ---- */

static lookup_weight weigh_context(weigher *weigher, font_bytes subtable)
{
    lookup_weight weight = {.own = 0};
    const uint32_t format = font_u16(subtable, 0), count = font_u16(subtable, 2);
    if (format == 1 || format == 2)
        return weigh_sets(weigher, subtable, format == 1 ? 4 : 6, LOOKUP_CONTEXT);
    if (format == 3) {
        weight.own = SET_COMPARISONS * count;
        add_calls(weigher, subtable, 6 + 2 * (size_t)count, font_u16(subtable, 4), &weight);
    }
    return weight;
}

static lookup_weight weigh_chain(weigher *weigher, font_bytes subtable)
{
    lookup_weight weight = {.own = 0};
    const uint32_t format = font_u16(subtable, 0);
    size_t at = 2;
    if (format == 1 || format == 2)
        return weigh_sets(weigher, subtable, format == 1 ? 4 : 10, LOOKUP_CHAIN);
    for (int part = 0; format == 3 && part < 3; part++) {
        weight.own += SET_COMPARISONS * font_u16(subtable, at);
        at += 2 + 2 * (size_t)font_u16(subtable, at);
    }
    if (format == 3)
        add_calls(weigher, subtable, at + 2, font_u16(subtable, at), &weight);
    return weight;
}

static lookup_weight weigh_reverse(font_bytes subtable)
{
    const uint32_t before = font_u16(subtable, 4);
    return (lookup_weight){.own = SET_COMPARISONS * ((double)before + font_u16(subtable, 6 + 2 * (size_t)before))};
}

static lookup_kind kind_of(const weigher *weigher, uint32_t type)
{
    static const lookup_kind substitutions[] = {[2] = LOOKUP_SEQUENCES, [4] = LOOKUP_LIGATURES, [5] = LOOKUP_CONTEXT,
                                                [6] = LOOKUP_CHAIN,     [7] = LOOKUP_EXTENSION, [8] = LOOKUP_REVERSE},
                             positions[] = {[7] = LOOKUP_CONTEXT, [8] = LOOKUP_CHAIN, [9] = LOOKUP_EXTENSION};
    if (weigher->positions)
        return type < sizeof positions / sizeof positions[0] ? positions[type] : LOOKUP_SIMPLE;
    return type < sizeof substitutions / sizeof substitutions[0] ? substitutions[type] : LOOKUP_SIMPLE;
}

static lookup_weight weigh_subtable(weigher *weigher, font_bytes subtable, lookup_kind kind)
{
    if (kind == LOOKUP_EXTENSION) {
        kind = kind_of(weigher, font_u16(subtable, 2));
        subtable = font_after(subtable, font_u32(subtable, 4));
    }
    switch (kind) {
    case LOOKUP_SEQUENCES:
        weigher->grow = true;
        return (lookup_weight){.own = 0};
    case LOOKUP_LIGATURES:
        return weigh_sets(weigher, subtable, 4, kind);
    case LOOKUP_CONTEXT:
        return weigh_context(weigher, subtable);
    case LOOKUP_CHAIN:
        return weigh_chain(weigher, subtable);
    case LOOKUP_REVERSE:
        return weigh_reverse(subtable);
    default:
        return (lookup_weight){.own = 0};
    }
}

/* ---- Lookups ---- */

static void weigh_subtables(weigher *weigher, font_bytes lookup, lookup_weight *weight)
{
    const lookup_kind kind = kind_of(weigher, font_u16(lookup, 0));
    const uint32_t count = font_u16(lookup, 4);
    for (uint32_t i = 0; i < count && isfinite(weight->own); i++) {
        const font_bytes subtable = font_after(lookup, font_u16(lookup, 6 + 2 * (size_t)i));
        const lookup_weight added =
            visit(weigher) ? weigh_subtable(weigher, subtable, kind) : (lookup_weight){.own = INFINITY};
        weight->own += LOOKUP_COMPARISONS + added.own;
        weight->calls = fmax(weight->calls, added.calls);
    }
}

/* Weighs a lookup once. One that is called from within itself, or too deep, has no bound of its own. */
static lookup_weight weigh_lookup(weigher *weigher, uint32_t index)
{
    if (index >= weigher->count)
        return (lookup_weight){.own = 0};
    lookup_weight *weight = &weigher->lookups[index];
    if (weight->done)
        return *weight;
    if (weight->begun || weigher->depth == MOST_DEPTH)
        return (lookup_weight){.calls = INFINITY};
    lookup_weight found = {.own = LOOKUP_COMPARISONS};
    weight->begun = true;
    weigher->depth++;
    weigh_subtables(weigher, font_after(weigher->list, font_u16(weigher->list, 2 + 2 * (size_t)index)), &found);
    weigher->depth--;
    *weight = found;
    weight->done = true;
    return *weight;
}

const char *font_lookups_weigh(font_bytes table, bool positions, font_lookups *lookups)
{
    const font_bytes list = font_after(table, font_u16(table, 8));
    const size_t visits = table.count / 2 + LEAST_VISITS;
    weigher weigher = {.list = list,
                       .positions = positions,
                       .count = font_u16(list, 0),
                       .visits = visits < MOST_VISITS ? visits : MOST_VISITS};
    double own = 0, calls = 0, most = 0;
    if (table.count == 0 || weigher.count == 0)
        return NULL;
    weigher.lookups = calloc(weigher.count, sizeof *weigher.lookups);
    if (!weigher.lookups)
        return font_out_of_memory;
    for (uint32_t i = 0; i < weigher.count; i++) {
        const lookup_weight weight = weigh_lookup(&weigher, i);
        own += weight.own;
        calls += weight.calls;
        most = fmax(most, weight.own);
    }
    free(weigher.lookups);
    lookups->comparisons += own + fmin(calls, MOST_CALLS * most);
    lookups->grow |= weigher.grow;
    return NULL;
}
