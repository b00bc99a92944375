/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Stack monoid: the brackets of a word, which are those that the lanes of a subgroup have, at most 32. Everything is
 * found from bits: the begins of the word, and the bits of its depths.
 *
 * t(i) is the depth after bracket i, counted from the word's start. What is open innermost after bracket i is the last
 * begin j up to i with t(j) = t(i): had the depth gone below t(i) in between, a later begin would have brought it back.
 * Two brackets of a word whose t differ by a multiple of 32 have the same t, because a word is too short for more.
 * Their lowest bit is that of the lane. So four bits of t, as ballots, tell them apart. */
#ifndef STACK_WORD_GLSL
#define STACK_WORD_GLSL

#define STACK_NO_LANE 32u

/* What a word is by itself. The bits are lanes. */
struct stack_word {
    uint begins;
    uint outer;   /* ends that pop what was open before the word */
    uint open;    /* begins that are open after the word */
    uint context; /* this lane: the innermost begin that is open after it, or STACK_NO_LANE */
    uint before;  /* the same before it */
};

uint stack_word_size()
{
    return min(gl_SubgroupSize, 32u);
}

uint stack_lane()
{
    return gl_SubgroupInvocationID & 31u;
}

uint stack_ballot(bool bit)
{
    uvec4 all = subgroupBallot(bit);
    return gl_SubgroupSize <= 32u ? all.x : all[gl_SubgroupInvocationID >> 5];
}

/* The number in its subgroup of a lane of this word. */
uint stack_subgroup_lane(uint lane)
{
    return gl_SubgroupInvocationID & ~31u | lane;
}

/* This lane and those before it. */
uint stack_lanes_up_to()
{
    return (2u << stack_lane()) - 1u;
}

/* The depth after this lane, counted from the word's start. */
int stack_depth_in(uint begins)
{
    return 2 * bitCount(begins & stack_lanes_up_to()) - int(stack_lane()) - 1;
}

stack_word stack_match_word(bool is_begin)
{
    stack_word word;
    uint up_to = stack_lanes_up_to();
    word.begins = stack_ballot(is_begin);
    int depth = stack_depth_in(word.begins);
    uint same = word.begins & 0x55555555u << (stack_lane() & 1u);
    [[unroll]] for (uint b = 1u; b < 5u; b++) {
        bool bit = (uint(depth) >> b & 1u) != 0u;
        uint ones = stack_ballot(bit);
        same &= bit ? ones : ~ones;
    }
    word.context = (same & up_to) != 0u ? uint(findMSB(same & up_to)) : STACK_NO_LANE;
    word.before = subgroupShuffle(word.context, max(gl_SubgroupInvocationID, 1u) - 1u);
    if (stack_lane() == 0u)
        word.before = STACK_NO_LANE;
    word.outer = stack_ballot(!is_begin && word.before == STACK_NO_LANE);
    int last = 2 * bitCount(word.begins) - int(stack_word_size());
    word.open = stack_ballot(is_begin && (same & ~up_to) == 0u && depth <= last);
    return word;
}

/* Combines a begin's value with those of the begins of the word that it lies in. */
stack_value stack_chain(stack_value value, bool is_begin, uint before)
{
    uint outer = is_begin ? before : STACK_NO_LANE;
    /* A round doubles what is combined. All subgroups take as many: see stack_look_back.glsl. */
    [[unroll]] for (uint k = 0u; k < 5u; k++) {
        if (1u << k >= stack_word_size())
            break;
        uint lane = outer != STACK_NO_LANE ? stack_subgroup_lane(outer) : gl_SubgroupInvocationID;
        stack_value other = stack_shuffle(value, lane);
        uint next = subgroupShuffle(outer, lane);
        if (outer != STACK_NO_LANE) {
            value = stack_combine(other, value);
            outer = next;
        }
    }
    return value;
}

#endif
