/* The stack monoid within one partition: its words, their depths and the tree of their lows. stack_table.glsl says what these are. */
#ifndef STACK_PARTITION_GLSL
#define STACK_PARTITION_GLSL

#include "primitive/stack_table.glsl"
#define WORKGROUP_SCAN_TYPE int
#include "primitive/workgroup_scan.glsl"

layout(constant_id = PRIMITIVE_CONSTANT_SUBGROUP_LIMIT) const uint subgroup_limit = 128u;

bool stack_begins(uint i);
stack_value stack_load(uint i);
stack_value stack_shuffle(stack_value value, uint lane);
void stack_unmatched(uint i);

layout(constant_id = PRIMITIVE_CONSTANT_SUBGROUP_LEAST) const uint subgroup_least = 4u;

#define STACK_MAX_WORDS (STACK_PARTITION / subgroup_least)

shared int stack_shared_total[STACK_MAX_WORDS];
shared int stack_shared_depth[STACK_MAX_WORDS];   /* before each word */
shared int stack_shared_tree[2u * STACK_MAX_WORDS]; /* of lows, as the partitions' */

/* Relaxed atomics order nothing, which leaves that to the barriers; lavapipe survives them where subgroups loop unequally. */
int stack_tree(uint node)
{
    return atomicLoad(stack_shared_tree[node], gl_ScopeWorkgroup, 0, gl_SemanticsRelaxed);
}

/* The word that this subgroup takes in a round; a word's brackets lie side by side, and so do a subgroup's words. */
uint stack_word(uint word_round)
{
    return gl_SubgroupID * STACK_ROUNDS + word_round;
}

uint stack_word_count()
{
    return STACK_PARTITION / gl_SubgroupSize;
}

/* A bracket within its word. */
struct stack_bracket {
    bool present, begins;
    bool pushed;               /* a begin whose end is not in the word */
    int depth;                 /* before it, from the word's start */
    uint partner;              /* lane of a begin: around it; of an end: the begin that it ends; STACK_NONE: not in the word */
};

/* Depths lie between -128 and 128; one more below is asked for. */
#define STACK_DEPTH_BITS 9
#define STACK_DEPTH_BITS_SMALL 7 /* of subgroups of 32 and fewer */

uvec4 stack_depth_ballots[STACK_DEPTH_BITS];

uint stack_depth_code(int depth)
{
    return uint(depth + int(gl_SubgroupSize) + 1);
}

void stack_ballot_depths(int depth)
{
    uint code = stack_depth_code(depth);
    [[unroll]] for (uint b = 0u; b < (subgroup_limit <= 32u ? STACK_DEPTH_BITS_SMALL : STACK_DEPTH_BITS); b++)
        stack_depth_ballots[b] = subgroupBallot((code >> b & 1u) != 0u);
}

/* Of the lanes in the mask, those whose depth is this one. */
uvec4 stack_lanes_at(uvec4 lanes, int depth)
{
    uint code = stack_depth_code(depth);
    if (subgroup_limit <= 32u) {
        uint here = lanes.x;
        [[unroll]] for (uint b = 0u; b < STACK_DEPTH_BITS_SMALL; b++)
            here &= (code >> b & 1u) != 0u ? stack_depth_ballots[b].x : ~stack_depth_ballots[b].x;
        return uvec4(here, 0u, 0u, 0u);
    }
    [[unroll]] for (uint b = 0u; b < STACK_DEPTH_BITS; b++)
        lanes &= (code >> b & 1u) != 0u ? stack_depth_ballots[b] : ~stack_depth_ballots[b];
    return lanes;
}

/* STACK_NONE: the mask is empty. */
uint stack_last_lane(uvec4 lanes)
{
    if (subgroup_limit <= 32u)
        return uint(findMSB(lanes.x));
    return lanes == uvec4(0u) ? STACK_NONE : subgroupBallotFindMSB(lanes);
}

/* total and low: of the word, from its start. Depths change by one: so the last lane before a bracket that lies lower lies lower by
 * one, and a begin is popped in the word if a later lane, or the word's end, lies where it does. */
stack_bracket stack_analyse_word(uint index, uint count, out int total, out int low)
{
    stack_bracket bracket;
    bracket.present = index < count;
    bracket.begins = bracket.present && stack_begins(index);
    uvec4 present = subgroupBallot(bracket.present);
    uvec4 begins = subgroupBallot(bracket.begins);
    bracket.depth = 2 * int(subgroupBallotExclusiveBitCount(begins)) - int(subgroupBallotExclusiveBitCount(present));
    total = 2 * int(subgroupBallotBitCount(begins)) - int(subgroupBallotBitCount(present));
    low = min(subgroupMin(bracket.depth), total);
    stack_ballot_depths(bracket.depth);
    uvec4 same = stack_lanes_at(present, bracket.depth);
    bool popped = (same & gl_SubgroupGtMask) != uvec4(0u) || total == bracket.depth;
    bracket.pushed = bracket.begins && !popped;
    bracket.partner = stack_last_lane(stack_lanes_at(present & gl_SubgroupLtMask, bracket.depth - 1));
    return bracket;
}

/* Once all subgroups have given their words' lows and totals: depths before words, counted from `depth`, and the tree of lows. The
 * partition's total is returned. */
int stack_join_words(int depth)
{
    uint words = stack_word_count();
    uint i = workgroup_invocation();
    barrier();
    int total = i < words ? stack_shared_total[i] : 0;
    int all;
    int before = depth + workgroup_exclusive_scan(total, all);
    if (i < words) {
        stack_shared_depth[i] = before;
        stack_shared_tree[words + i] += before;
    }
    barrier();
    for (uint width = words >> 1; width != 0u; width >>= 1) {
        if (i < width)
            stack_shared_tree[width + i] = min(stack_shared_tree[2u * (width + i)], stack_shared_tree[2u * (width + i) + 1u]);
        barrier();
    }
    return all;
}

void stack_give_word(uint word, int total, int low)
{
    if (subgroupElect()) {
        stack_shared_total[word] = total;
        stack_shared_tree[stack_word_count() + word] = low;
    }
}

/* The last word before this one whose low is at most `level`; STACK_NONE: there is none. */
uint stack_search_words(uint word, int level)
{
    uint words = stack_word_count();
    uint node = words + word;
    bool found = false;
    for (uint width = words; width > 1u; width >>= 1) {
        found = found || ((node & 1u) != 0u && stack_tree(node - 1u) <= level);
        if (!found)
            node >>= 1;
    }
    node -= uint(found);
    for (uint width = words; width > 1u; width >>= 1) {
        if (found && node < words) {
            node = 2u * node + 1u;
            if (stack_tree(node) > level)
                node--;
        }
    }
    return found ? node - words : STACK_NONE;
}

/* Least low of the words before this one, or after it. */
int stack_low_beside(uint word, bool after)
{
    uint words = stack_word_count();
    uint node = words + word;
    int low = STACK_WHOLE_MAX;
    for (uint width = words; width > 1u; width >>= 1) {
        if (after == ((node & 1u) == 0u))
            low = min(low, stack_tree(node ^ 1u));
        node >>= 1;
    }
    return low;
}

#endif
