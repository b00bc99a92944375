/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "text/bidi.h"

#include <stdlib.h>
#include <string.h>

#include "text/bidi_sequence.h"
#include "text/utf16.h"

/* Ranges of the basic plane that hold all its characters of the classes R, AL, AN and all controls (DerivedBidiClass,
 * Unicode 15, with the ranges kept for such characters). High surrogates stand for the planes of U+10800 to U+10FFF and
 * U+1E800 to U+1EFFF. */
static const uint16_t ranges[][2] = {
    {0x0590, 0x08ff}, {0x200e, 0x200f}, {0x202a, 0x202e}, {0x2066, 0x2069}, {0xd802, 0xd803},
    {0xd83a, 0xd83b}, {0xfb1d, 0xfdff}, {0xfe70, 0xfefe}, {0x061c, 0x061c},
};

bool bidi_is_needed(const uint16_t *units, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (units[i] < ranges[0][0])
            continue;
        for (size_t k = 0; k < sizeof ranges / sizeof ranges[0]; k++)
            if (units[i] >= ranges[k][0] && units[i] <= ranges[k][1])
                return true;
    }
    return false;
}

/* ---- Characters ---- */

#define MOST_LEVEL 125u /* max_depth */

typedef struct bidi_paragraph {
    const icu_functions *icu;
    bidi_character *items;
    size_t count;
    uint32_t *sequence; /* numbers of the characters of one isolating run sequence */
    uint8_t level;
} bidi_paragraph;

/* Takes characters up to the end of the paragraph. Returns the unit behind it. */
static size_t take_characters(bidi_paragraph *paragraph, const uint16_t *units, size_t count, size_t at)
{
    bidi_class class = U_LEFT_TO_RIGHT;
    paragraph->count = 0;
    while (at < count && class != U_BLOCK_SEPARATOR) {
        bidi_character *item = &paragraph->items[paragraph->count++];
        *item = (bidi_character){.unit = (uint32_t)at, .match = BIDI_NO_MATCH};
        at += utf16_decode(units, count, at, &item->character);
        class = item->original = item->class = (bidi_class)paragraph->icu->u_charDirection((UChar32)item->character);
    }
    return at;
}

/* Rule BD9. Initiators that wait for their PDI are linked through `match`. */
static void match_isolates(bidi_paragraph *paragraph)
{
    uint32_t waiting = BIDI_NO_MATCH;
    for (uint32_t i = 0; i < paragraph->count; i++) {
        bidi_character *item = &paragraph->items[i];
        if (bidi_is_initiator(item->original)) {
            item->match = waiting;
            waiting = i;
        } else if (item->original == U_POP_DIRECTIONAL_ISOLATE && waiting != BIDI_NO_MATCH) {
            const uint32_t initiator = waiting;
            waiting = paragraph->items[initiator].match;
            paragraph->items[initiator].match = i;
            item->match = initiator;
        }
    }
    while (waiting != BIDI_NO_MATCH) {
        const uint32_t before = paragraph->items[waiting].match;
        paragraph->items[waiting].match = BIDI_NO_MATCH;
        waiting = before;
    }
}

/* Rules P2 and P3, from one character up to another. What lies in isolates is skipped. */
static uint8_t find_level(const bidi_paragraph *paragraph, size_t begin, size_t end)
{
    for (size_t i = begin; i < end; i++) {
        const bidi_character *item = &paragraph->items[i];
        if (item->original == U_LEFT_TO_RIGHT)
            return 0;
        if (item->original == U_RIGHT_TO_LEFT || item->original == U_RIGHT_TO_LEFT_ARABIC)
            return 1;
        if (bidi_is_initiator(item->original)) {
            if (item->match == BIDI_NO_MATCH)
                return 0;
            i = item->match;
        }
    }
    return 0;
}

/* ---- Explicit levels: rules X1 to X8 ---- */

typedef struct bidi_state {
    struct {
        uint8_t level;
        bidi_class override; /* U_OTHER_NEUTRAL: none */
        bool isolate;
    } stack[MOST_LEVEL + 2];
    size_t depth; /* index of the last entry */
    uint32_t overflow_isolates, overflow_embeddings, valid_isolates;
} bidi_state;

/* Returns the next higher level of a direction. */
static unsigned next_level(const bidi_state *state, bool right_to_left)
{
    const unsigned level = state->stack[state->depth].level;
    return right_to_left ? (level + 1) | 1 : (level + 2) & ~1u;
}

static bool push(bidi_state *state, unsigned level, bidi_class override, bool isolate)
{
    if (level > MOST_LEVEL || state->overflow_isolates > 0 || state->overflow_embeddings > 0)
        return false;
    state->depth++;
    state->stack[state->depth].level = (uint8_t)level;
    state->stack[state->depth].override = override;
    state->stack[state->depth].isolate = isolate;
    return true;
}

static void take_state(bidi_character *item, const bidi_state *state)
{
    item->embedding = item->level = state->stack[state->depth].level;
    if (state->stack[state->depth].override != U_OTHER_NEUTRAL)
        item->class = state->stack[state->depth].override;
}

static void begin_embedding(bidi_state *state, bidi_class class)
{
    const bool right = class == U_RIGHT_TO_LEFT_EMBEDDING || class == U_RIGHT_TO_LEFT_OVERRIDE;
    const bidi_class override = class == U_RIGHT_TO_LEFT_OVERRIDE   ? U_RIGHT_TO_LEFT
                                : class == U_LEFT_TO_RIGHT_OVERRIDE ? U_LEFT_TO_RIGHT
                                                                    : U_OTHER_NEUTRAL;
    if (!push(state, next_level(state, right), override, false) && state->overflow_isolates == 0)
        state->overflow_embeddings++;
}

static void begin_isolate(bidi_state *state, bool right)
{
    if (push(state, next_level(state, right), U_OTHER_NEUTRAL, true))
        state->valid_isolates++;
    else
        state->overflow_isolates++;
}

static void end_isolate(bidi_state *state)
{
    if (state->overflow_isolates > 0) {
        state->overflow_isolates--;
    } else if (state->valid_isolates > 0) {
        state->overflow_embeddings = 0;
        while (!state->stack[state->depth].isolate)
            state->depth--;
        state->depth--;
        state->valid_isolates--;
    }
}

static void end_embedding(bidi_state *state)
{
    if (state->overflow_isolates > 0)
        return;
    if (state->overflow_embeddings > 0)
        state->overflow_embeddings--;
    else if (!state->stack[state->depth].isolate && state->depth > 0)
        state->depth--;
}

static void find_explicit_level(const bidi_paragraph *paragraph, bidi_state *state, size_t index)
{
    bidi_character *item = &paragraph->items[index];
    switch (item->original) {
    case U_RIGHT_TO_LEFT_EMBEDDING:
    case U_LEFT_TO_RIGHT_EMBEDDING:
    case U_RIGHT_TO_LEFT_OVERRIDE:
    case U_LEFT_TO_RIGHT_OVERRIDE:
        begin_embedding(state, item->original);
        item->removed = true;
        break;
    case U_POP_DIRECTIONAL_FORMAT:
        end_embedding(state);
        item->removed = true;
        break;
    case U_BOUNDARY_NEUTRAL:
        item->removed = true;
        break;
    case U_RIGHT_TO_LEFT_ISOLATE:
    case U_LEFT_TO_RIGHT_ISOLATE:
    case U_FIRST_STRONG_ISOLATE:
        take_state(item, state);
        begin_isolate(
            state, item->original == U_FIRST_STRONG_ISOLATE
                       ? find_level(paragraph, index + 1, item->match != BIDI_NO_MATCH ? item->match : paragraph->count)
                       : item->original == U_RIGHT_TO_LEFT_ISOLATE);
        break;
    case U_POP_DIRECTIONAL_ISOLATE:
        end_isolate(state);
        take_state(item, state);
        break;
    case U_BLOCK_SEPARATOR:
        item->embedding = item->level = paragraph->level;
        break;
    default:
        take_state(item, state);
        break;
    }
}

static void find_explicit_levels(const bidi_paragraph *paragraph)
{
    bidi_state state = {.stack[0] = {paragraph->level, U_OTHER_NEUTRAL, false}};
    for (size_t i = 0; i < paragraph->count; i++)
        find_explicit_level(paragraph, &state, i);
}

/* ---- Isolating run sequences: rule X10 ---- */

static size_t skip_removed(const bidi_paragraph *paragraph, size_t index)
{
    while (index < paragraph->count && paragraph->items[index].removed)
        index++;
    return index;
}

static bidi_class class_of_level(unsigned level)
{
    return level % 2 ? U_RIGHT_TO_LEFT : U_LEFT_TO_RIGHT;
}

static unsigned higher(unsigned a, unsigned b)
{
    return a > b ? a : b;
}

/* Collects the sequence that begins with a character, and finds the directions around it. */
static bidi_sequence collect(const bidi_paragraph *paragraph, size_t first, unsigned level_before)
{
    const bidi_character *items = paragraph->items;
    const unsigned level = items[first].embedding;
    bidi_sequence sequence = {.icu = paragraph->icu, .items = paragraph->items, .numbers = paragraph->sequence};
    size_t next = first, last;
    do {
        last = next;
        paragraph->sequence[sequence.count++] = (uint32_t)last;
        next = skip_removed(paragraph, last + 1);
        if ((next == paragraph->count || items[next].embedding != level) && bidi_is_initiator(items[last].original))
            next = items[last].match != BIDI_NO_MATCH ? items[last].match : paragraph->count;
    } while (next < paragraph->count && items[next].embedding == level);
    const unsigned level_behind = next < paragraph->count ? items[next].embedding : paragraph->level;
    sequence.before = class_of_level(higher(level, level_before));
    sequence.behind = class_of_level(higher(level, level_behind));
    sequence.embedding = class_of_level(level);
    return sequence;
}

/* A sequence begins where a level run begins, unless with a PDI that continues the sequence of its initiator. */
static void resolve_sequences(const bidi_paragraph *paragraph, uint32_t *pair_ends)
{
    unsigned level_before = paragraph->level;
    bool first = true;
    for (size_t i = skip_removed(paragraph, 0); i < paragraph->count; i = skip_removed(paragraph, i + 1)) {
        const bidi_character *item = &paragraph->items[i];
        const unsigned level = item->embedding;
        const bool continues = !first && level == level_before;
        if (!continues && !(item->original == U_POP_DIRECTIONAL_ISOLATE && item->match != BIDI_NO_MATCH)) {
            const bidi_sequence sequence = collect(paragraph, i, level_before);
            bidi_resolve_sequence(&sequence, pair_ends);
        }
        level_before = level;
        first = false;
    }
}

/* ---- The paragraph ---- */

/* Rule L1: separators, and what is blank before them and at the end. */
static void reset_blanks(const bidi_paragraph *paragraph)
{
    bool blank = true;
    for (size_t i = paragraph->count; i-- > 0;) {
        bidi_character *item = &paragraph->items[i];
        if (item->removed)
            continue;
        const bool separator = item->original == U_SEGMENT_SEPARATOR || item->original == U_BLOCK_SEPARATOR;
        blank = separator || (blank && (item->original == U_WHITE_SPACE_NEUTRAL || bidi_is_isolate(item->original)));
        if (blank)
            item->level = paragraph->level;
    }
}

/* What was removed gets the level of what is before it. */
static void write_levels(const bidi_paragraph *paragraph, size_t end, uint8_t *levels)
{
    uint8_t level = paragraph->level;
    for (size_t i = 0; i < paragraph->count; i++) {
        const size_t next = i + 1 < paragraph->count ? paragraph->items[i + 1].unit : end;
        level = paragraph->items[i].removed ? level : paragraph->items[i].level;
        memset(levels + paragraph->items[i].unit, level, next - paragraph->items[i].unit);
    }
}

static void find_paragraph_levels(bidi_paragraph *paragraph, bidi_direction direction, uint32_t *pair_ends)
{
    match_isolates(paragraph);
    paragraph->level =
        direction == BIDI_AUTO ? find_level(paragraph, 0, paragraph->count) : direction == BIDI_RIGHT_TO_LEFT;
    find_explicit_levels(paragraph);
    resolve_sequences(paragraph, pair_ends);
    reset_blanks(paragraph);
}

static const char *find_levels(const uint16_t *units, size_t count, bidi_direction direction, uint8_t *levels,
                               uint8_t *paragraph_level)
{
    bidi_paragraph paragraph = {0};
    const char *wrong = icu_open(&paragraph.icu);
    if (wrong)
        return wrong;
    paragraph.items = malloc((count + 1) * sizeof *paragraph.items);
    paragraph.sequence = malloc((count + 1) * sizeof *paragraph.sequence);
    uint32_t *pair_ends = malloc((count + 1) * sizeof *pair_ends);
    if (paragraph.items && paragraph.sequence && pair_ends) {
        for (size_t begin = 0, end = 0; begin < count || end == 0; begin = end) {
            end = take_characters(&paragraph, units, count, begin);
            find_paragraph_levels(&paragraph, direction, pair_ends);
            write_levels(&paragraph, end, levels);
            if (begin == 0)
                *paragraph_level = paragraph.level;
            if (end == count)
                break;
        }
    } else {
        wrong = text_out_of_memory;
    }
    free(pair_ends);
    free(paragraph.sequence);
    free(paragraph.items);
    return wrong;
}

const char *bidi_find_levels(const uint16_t *units, size_t count, bidi_direction direction, uint8_t *levels,
                             uint8_t *paragraph_level)
{
    if (direction == BIDI_RIGHT_TO_LEFT || bidi_is_needed(units, count))
        return find_levels(units, count, direction, levels, paragraph_level);
    if (count > 0)
        memset(levels, 0, count);
    *paragraph_level = 0;
    return NULL;
}

/* ---- Lines ---- */

static void reverse(uint32_t *order, size_t begin, size_t end)
{
    for (; begin + 1 < end; begin++, end--) {
        const uint32_t swapped = order[begin];
        order[begin] = order[end - 1];
        order[end - 1] = swapped;
    }
}

/* Every sequence of pieces at a level or above is reversed, from the highest level down to the lowest odd one. */
void bidi_order(const uint8_t *levels, size_t count, uint32_t *order)
{
    uint8_t highest = 0, lowest_odd = UINT8_MAX;
    for (size_t i = 0; i < count; i++) {
        order[i] = (uint32_t)i;
        highest = levels[i] > highest ? levels[i] : highest;
        lowest_odd = levels[i] % 2 && levels[i] < lowest_odd ? levels[i] : lowest_odd;
    }
    for (unsigned level = highest; level >= lowest_odd && level > 0; level--) {
        for (size_t begin = 0; begin < count; begin++) {
            size_t end = begin;
            while (end < count && levels[order[end]] >= level)
                end++;
            reverse(order, begin, end);
            begin = end;
        }
    }
}
