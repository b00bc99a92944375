/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "text/bidi_sequence.h"

#include <string.h>

#define MOST_BRACKETS 63u /* open at once; more end the search for pairs */

/* ---- Weak types: rules W1 to W7 ---- */

static bidi_character *at(const bidi_sequence *sequence, size_t index)
{
    return &sequence->items[sequence->numbers[index]];
}

static void resolve_marks(const bidi_sequence *sequence)
{
    bidi_class before = sequence->before;
    for (size_t i = 0; i < sequence->count; i++) {
        bidi_character *item = at(sequence, i);
        if (item->class == U_DIR_NON_SPACING_MARK)
            item->class = before;
        before = bidi_is_isolate(item->class) ? U_OTHER_NEUTRAL : item->class;
    }
}

/* W2 and W3. */
static void resolve_arabic(const bidi_sequence *sequence)
{
    bidi_class strong = sequence->before;
    for (size_t i = 0; i < sequence->count; i++) {
        bidi_character *item = at(sequence, i);
        if (item->class == U_EUROPEAN_NUMBER && strong == U_RIGHT_TO_LEFT_ARABIC)
            item->class = U_ARABIC_NUMBER;
        if (item->class == U_LEFT_TO_RIGHT || item->class == U_RIGHT_TO_LEFT || item->class == U_RIGHT_TO_LEFT_ARABIC)
            strong = item->class;
        if (item->class == U_RIGHT_TO_LEFT_ARABIC)
            item->class = U_RIGHT_TO_LEFT;
    }
}

/* W4. */
static void resolve_separators(const bidi_sequence *sequence)
{
    for (size_t i = 1; i + 1 < sequence->count; i++) {
        const bidi_class class = at(sequence, i)->class, before = at(sequence, i - 1)->class;
        const bool european =
            before == U_EUROPEAN_NUMBER && (class == U_EUROPEAN_NUMBER_SEPARATOR || class == U_COMMON_NUMBER_SEPARATOR);
        const bool arabic = before == U_ARABIC_NUMBER && class == U_COMMON_NUMBER_SEPARATOR;
        if ((european || arabic) && at(sequence, i + 1)->class == before)
            at(sequence, i)->class = before;
    }
}

/* W5 and W6. */
static void resolve_terminators(const bidi_sequence *sequence)
{
    for (size_t i = 0; i < sequence->count; i++) {
        size_t end = i;
        while (end < sequence->count && at(sequence, end)->class == U_EUROPEAN_NUMBER_TERMINATOR)
            end++;
        const bool numeric = (i > 0 && at(sequence, i - 1)->class == U_EUROPEAN_NUMBER) ||
                             (end < sequence->count && at(sequence, end)->class == U_EUROPEAN_NUMBER);
        for (; i < end; i++)
            at(sequence, i)->class = numeric ? U_EUROPEAN_NUMBER : U_OTHER_NEUTRAL;
        if (i < sequence->count && (at(sequence, i)->class == U_EUROPEAN_NUMBER_SEPARATOR ||
                                    at(sequence, i)->class == U_COMMON_NUMBER_SEPARATOR))
            at(sequence, i)->class = U_OTHER_NEUTRAL;
    }
}

/* W7. */
static void resolve_european(const bidi_sequence *sequence)
{
    bidi_class strong = sequence->before;
    for (size_t i = 0; i < sequence->count; i++) {
        bidi_character *item = at(sequence, i);
        if (item->class == U_EUROPEAN_NUMBER && strong == U_LEFT_TO_RIGHT)
            item->class = U_LEFT_TO_RIGHT;
        if (item->class == U_LEFT_TO_RIGHT || item->class == U_RIGHT_TO_LEFT)
            strong = item->class;
    }
}

/* ---- Brackets: rule N0 ---- */

/* Numbers count as running from right to left here. U_OTHER_NEUTRAL: the character has no direction. */
static bidi_class strong_class(bidi_class class)
{
    if (class == U_EUROPEAN_NUMBER || class == U_ARABIC_NUMBER)
        return U_RIGHT_TO_LEFT;
    return class == U_LEFT_TO_RIGHT || class == U_RIGHT_TO_LEFT ? class : U_OTHER_NEUTRAL;
}

/* Angle brackets of two blocks are the same characters. */
static uint32_t normalize_bracket(uint32_t character)
{
    return character == 0x2329 ? 0x3008 : character == 0x232a ? 0x3009 : character;
}

/* Pairs of brackets by the places of their openings: pair_ends[i] is the closing's place, 0 for none. */
static void find_pairs(const bidi_sequence *sequence, uint32_t *pair_ends)
{
    struct {
        uint32_t closing, place;
    } open[MOST_BRACKETS];
    size_t open_count = 0;
    memset(pair_ends, 0, sequence->count * sizeof *pair_ends);
    for (size_t i = 0; i < sequence->count; i++) {
        const bidi_character *item = at(sequence, i);
        if (item->class != U_OTHER_NEUTRAL || item->original != U_OTHER_NEUTRAL)
            continue;
        const UChar32 character = (UChar32)item->character;
        const int kind = sequence->icu->u_getIntPropertyValue(character, UCHAR_BIDI_PAIRED_BRACKET_TYPE);
        if (kind == U_BPT_OPEN) {
            if (open_count == MOST_BRACKETS) {
                memset(pair_ends, 0, sequence->count * sizeof *pair_ends);
                return;
            }
            open[open_count].closing = normalize_bracket((uint32_t)sequence->icu->u_getBidiPairedBracket(character));
            open[open_count++].place = (uint32_t)i;
        } else if (kind == U_BPT_CLOSE) {
            size_t k = open_count;
            while (k > 0 && open[k - 1].closing != normalize_bracket(item->character))
                k--;
            if (k > 0) {
                pair_ends[open[k - 1].place] = (uint32_t)i;
                open_count = k - 1;
            }
        }
    }
}

/* Finds the direction of a pair; U_OTHER_NEUTRAL: none. `context` is the last direction before it. */
static bidi_class find_pair_class(const bidi_sequence *sequence, size_t begin, size_t end, bidi_class context)
{
    bool opposite = false;
    for (size_t i = begin + 1; i < end; i++) {
        const bidi_class strong = strong_class(at(sequence, i)->class);
        if (strong == sequence->embedding)
            return strong;
        opposite |= strong != U_OTHER_NEUTRAL;
    }
    if (!opposite)
        return U_OTHER_NEUTRAL;
    return context != sequence->embedding ? context : sequence->embedding;
}

/* Marks that follow a bracket go with it. */
static void set_bracket(const bidi_sequence *sequence, size_t place, bidi_class class)
{
    at(sequence, place)->class = class;
    while (++place < sequence->count && at(sequence, place)->original == U_DIR_NON_SPACING_MARK)
        at(sequence, place)->class = class;
}

static void resolve_brackets(const bidi_sequence *sequence, uint32_t *pair_ends)
{
    bidi_class context = sequence->before;
    find_pairs(sequence, pair_ends);
    for (size_t i = 0; i < sequence->count; i++) {
        const bidi_class class = pair_ends[i] ? find_pair_class(sequence, i, pair_ends[i], context) : U_OTHER_NEUTRAL;
        if (class != U_OTHER_NEUTRAL) {
            set_bracket(sequence, i, class);
            set_bracket(sequence, pair_ends[i], class);
        }
        const bidi_class strong = strong_class(at(sequence, i)->class);
        context = strong != U_OTHER_NEUTRAL ? strong : context;
    }
}

/* ---- Neutral types and levels: rules N1, N2, I1 and I2 ---- */

static bool is_neutral(bidi_class class)
{
    return class == U_BLOCK_SEPARATOR || class == U_SEGMENT_SEPARATOR || class == U_WHITE_SPACE_NEUTRAL ||
           class == U_OTHER_NEUTRAL || bidi_is_isolate(class);
}

static void resolve_neutrals(const bidi_sequence *sequence)
{
    bidi_class before = sequence->before;
    for (size_t i = 0; i < sequence->count; i++) {
        size_t end = i;
        while (end < sequence->count && is_neutral(at(sequence, end)->class))
            end++;
        const bidi_class behind = end < sequence->count ? strong_class(at(sequence, end)->class) : sequence->behind;
        for (; i < end; i++)
            at(sequence, i)->class = before == behind ? before : sequence->embedding;
        before = behind;
    }
}

static unsigned raise_level(unsigned level, bidi_class class)
{
    if (level % 2)
        return level + (class != U_RIGHT_TO_LEFT);
    return level + (class == U_RIGHT_TO_LEFT ? 1 : class != U_LEFT_TO_RIGHT ? 2 : 0);
}

static void resolve_levels(const bidi_sequence *sequence)
{
    for (size_t i = 0; i < sequence->count; i++)
        at(sequence, i)->level = (uint8_t)raise_level(at(sequence, i)->embedding, at(sequence, i)->class);
}

/* ---- All rules ---- */

void bidi_resolve_sequence(const bidi_sequence *sequence, uint32_t *pair_ends)
{
    resolve_marks(sequence);
    resolve_arabic(sequence);
    resolve_separators(sequence);
    resolve_terminators(sequence);
    resolve_european(sequence);
    resolve_brackets(sequence, pair_ends);
    resolve_neutrals(sequence);
    resolve_levels(sequence);
}
