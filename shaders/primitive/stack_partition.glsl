/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Stack monoid: the words of a partition, joined.
 *
 * A word has E outer ends and leaves B begins open, its slice. The depth of an entry of the stack is the number of
 * entries below it, counted from the partition's start and so negative for what was open there. A word that starts at
 * depth d goes down to its low, d - E, and leaves the depths from low to low + B - 1. The entry at a depth of the stack
 * before a word belongs to the last earlier word whose low is at most that depth. The word under a word is the last
 * earlier one whose low is less than its own. So a walk from a word to the word under it, and so on, meets the owners
 * of all depths from the top down, and each step brings at least one depth.
 *
 * Word 0 stands for what was open before the partition; the partition's words are 1 and so on. Entries have places.
 * From STACK_OUTSIDE downward lie those of the partitions before, as far as the partition pops them, and one more. Then
 * each word has its own. Places lie in shared memory (STACK_SHARED_PLACES) or in the partition's part of the slices,
 * and leave room for its slice, from the lowest entry up. It fits, because an entry that is pushed and one that is
 * popped belong to different brackets. */
#ifndef STACK_PARTITION_GLSL
#define STACK_PARTITION_GLSL

#include "primitive/stack_word.glsl"

layout(constant_id = PRIMITIVE_CONSTANT_SUBGROUP_LEAST) const uint subgroup_least = 4u;

#define STACK_PARTITION (uint(STACK_INVOCATIONS) * uint(STACK_ITEMS))
#define STACK_WORDS (STACK_PARTITION / (subgroup_least < 32u ? subgroup_least : 32u)) /* at most */
#define STACK_SUBGROUPS (uint(STACK_INVOCATIONS) / subgroup_least)
#define STACK_OUTSIDE STACK_PARTITION       /* the place of the topmost entry before the partition */
#define STACK_INSIDE (STACK_PARTITION + 1u) /* the place of the first word's lowest entry */

shared uint stack_shared_size[STACK_WORDS];              /* E in the low half, B in the high one */
shared int stack_shared_hop[STACK_WORDS + 1u];           /* low in the high 24 bits, the word under it in the low 8 */
shared int stack_shared_rise[STACK_WORDS + 1u];          /* a depth's place less the depth */
shared ivec2 stack_shared_depth[STACK_WORDS];            /* before the word; the least one before it */
shared int stack_shared_left[STACK_WORDS];               /* depths below this are left of the word by later words */
shared stack_value stack_shared_below[STACK_WORDS + 1u]; /* what lies below the word's slice, combined */
shared ivec2 stack_shared_sum[STACK_SUBGROUPS];
shared int stack_shared_suffix[STACK_WORDS];
shared ivec2 stack_shared_total; /* the partition's: ends that pop what was open before it, and begins left open */

shared uvec4 stack_shared_bits[STACK_WORDS]; /* each word's: begins, outer ends, open begins */

uint stack_home; /* the partition of this workgroup */

/* Entries at their places. */
#ifdef STACK_SHARED_PLACES
shared uint stack_shared_index[STACK_PLACES(STACK_PARTITION)];
shared stack_value stack_shared_value[STACK_PLACES(STACK_PARTITION)];
#define STACK_ENTRY(partition_index, number) ((partition_index)*STACK_SLICE(STACK_PARTITION) + (number))
#define STACK_PLACE_INDEX(place) stack_shared_index[place]
#define STACK_PLACE_VALUE(place) stack_shared_value[place]
#else
#define STACK_ENTRY(partition_index, number) ((partition_index)*STACK_PLACES(STACK_PARTITION) + (number))
#define STACK_PLACE_INDEX(place) STACK_SLICE_INDEX(STACK_ENTRY(stack_home, place))
#define STACK_PLACE_VALUE(place) STACK_SLICE_VALUE(STACK_ENTRY(stack_home, place))
#endif

/* What an invocation knows of its bracket in a word: the lanes of the begins that are open innermost before it and
 * after it, and its value with those that are open around it in the word. With places in shared memory there are few
 * words for each invocation, and registers keep it. Otherwise it is found out once more, because registers decide how
 * many workgroups are resident. */
struct stack_bracket {
    uint before, context;
    stack_value value;
};

#ifdef STACK_SHARED_PLACES
#define STACK_LOOP [[unroll]]
stack_bracket stack_brackets[STACK_ITEMS];
#else
#define STACK_LOOP [[dont_unroll]]
#endif

/* What is written to shared memory and to slices comes before what the workgroup reads afterwards. */
void stack_sync()
{
    controlBarrier(gl_ScopeWorkgroup, gl_ScopeWorkgroup, gl_StorageSemanticsBuffer | gl_StorageSemanticsShared,
                   gl_SemanticsAcquireRelease | gl_SemanticsMakeAvailable | gl_SemanticsMakeVisible);
}

uint stack_own()
{
    return gl_SubgroupID * gl_SubgroupSize + gl_SubgroupInvocationID;
}

uint stack_word_count()
{
    return STACK_PARTITION / stack_word_size();
}

/* The word, less one, of an invocation's item. The words of a subgroup are neighbours. */
uint stack_word_index(uint item)
{
    return stack_own() / stack_word_size() * STACK_ITEMS + item;
}

/* Which word has the entry of a depth of the stack after a word, that word included. above: which one has the entry of
 * the next depth. */
uint stack_owner(uint word, int depth, out uint above)
{
    uint last = word;
    int last_low = STACK_WHOLE_MAX;
    int hop = RELAXED_LOAD(stack_shared_hop[word]);
    while (hop >> 8 > depth) {
        last = word;
        last_low = hop >> 8;
        word = uint(hop & 255);
        hop = RELAXED_LOAD(stack_shared_hop[word]);
    }
    above = last_low == depth + 1 ? last : word;
    return word;
}

uint stack_place(uint word, int depth)
{
    return uint(depth + stack_shared_rise[word]);
}

/* The least of the values before this lane's in its subgroup. */
int stack_least_before(int value)
{
    int least = subgroupInclusiveMin(value);
    least = subgroupShuffle(least, max(gl_SubgroupInvocationID, 1u) - 1u);
    return gl_SubgroupInvocationID == 0u ? STACK_WHOLE_MAX : least;
}

int stack_least_after(int value)
{
    uint mirrored = gl_SubgroupSize - 1u - gl_SubgroupInvocationID;
    return subgroupShuffle(stack_least_before(subgroupShuffle(value, mirrored)), mirrored);
}

/* The last lane before this one whose low is less than this one's, or -1. Minima over 1, 2, 4, ... lanes up to each are
 * asked from the widest on. */
int stack_lower_lane(int low)
{
    int least[7];
    least[0] = low;
    [[unroll]] for (uint k = 0u; k < 6u; k++) {
        uint reach = 1u << k;
        least[k + 1u] = least[k];
        if (reach < gl_SubgroupSize)
            least[k + 1u] = min(least[k], subgroupShuffle(least[k], max(gl_SubgroupInvocationID, reach) - reach));
    }
    int lane = int(gl_SubgroupInvocationID) - 1;
    [[unroll]] for (int k = 6; k >= 0; k--) {
        if (1u << k < gl_SubgroupSize) {
            int there = subgroupShuffle(least[k], uint(max(lane, 0)));
            if (lane >= 0 && there >= low)
                lane -= 1 << k;
        }
    }
    return max(lane, -1);
}

/* The word under one, if that is of an earlier subgroup: first the subgroup, then the word in it by bisection of the
 * minima from each word to the subgroup's last. All take the same rounds. */
uint stack_lower_word(int low, uint groups)
{
    uint owner = STACK_NONE;
    [[dont_unroll]] for (uint s = 0u; s < groups; s++) {
        if (s < gl_SubgroupID && RELAXED_LOAD(stack_shared_suffix[s * gl_SubgroupSize]) < low)
            owner = s;
    }
    if (owner == STACK_NONE || stack_own() >= stack_word_count())
        return 0u;
    uint word = owner * gl_SubgroupSize;
    [[dont_unroll]] for (uint step = gl_SubgroupSize >> 1; step != 0u; step >>= 1)
        word += RELAXED_LOAD(stack_shared_suffix[word + step]) < low ? step : 0u;
    return word + 1u;
}

/* Finds where the words start, how low they go, and what they stand on; an invocation a word. */
void stack_join_words(uint groups)
{
    uint words = stack_word_count();
    uint own = stack_own();
    bool present = own < words;
    uint size = present ? stack_shared_size[own] : 0u;
    int moved = int(size >> 16) - int(size & 0xffffu);
    int after = subgroupInclusiveAdd(moved);
    int before = after - moved;
    int total = subgroupShuffle(after, gl_SubgroupSize - 1u);
    int low = present ? before - int(size & 0xffffu) : STACK_WHOLE_MAX;
    int group_low = subgroupMin(low);
    int least = stack_least_before(low);
    int left = stack_least_after(low);
    int lower = stack_lower_lane(low);
    uint under = uint(lower + 1) + (lower < 0 ? 0u : gl_SubgroupID * gl_SubgroupSize);
    if (groups > 1u) {
        /* Subgroups are put one after the other. */
        if (subgroupElect())
            stack_shared_sum[gl_SubgroupID] = ivec2(total, group_low);
        barrier();
        int sum = 0, own_sum = 0;
        int earlier = STACK_WHOLE_MAX, later = STACK_WHOLE_MAX, least_of_all = STACK_WHOLE_MAX;
        for (uint s = 0u; s < groups; s++) {
            ivec2 group = stack_shared_sum[s];
            int there = group.y == STACK_WHOLE_MAX ? STACK_WHOLE_MAX : sum + group.y;
            if (s < gl_SubgroupID)
                earlier = min(earlier, there);
            if (s > gl_SubgroupID)
                later = min(later, there);
            if (s == gl_SubgroupID)
                own_sum = sum;
            least_of_all = min(least_of_all, there);
            sum += group.x;
        }
        before += own_sum;
        if (present)
            low += own_sum;
        least = min(least == STACK_WHOLE_MAX ? least : least + own_sum, earlier);
        left = left == STACK_WHOLE_MAX ? left : left + own_sum;
        total = sum;
        group_low = least_of_all;
        if (present)
            stack_shared_suffix[own] = min(low, left);
        left = min(left, later);
        barrier();
        uint other = stack_lower_word(low, groups);
        if (lower < 0)
            under = other;
    }
    if (present) {
        stack_shared_hop[own + 1u] = low << 8 | int(under);
        stack_shared_rise[own + 1u] = int(STACK_INSIDE + own * stack_word_size()) - low;
        stack_shared_depth[own] = ivec2(before, min(least, 0));
        stack_shared_left[own] = left;
    }
    if (own == 0u) {
        stack_shared_hop[0] = STACK_WHOLE_MIN;
        stack_shared_rise[0] = int(STACK_OUTSIDE) + 1;
        int popped = -min(group_low, 0);
        stack_shared_total = ivec2(popped, total + popped);
    }
}

/* Combines what lies below each word's slice, as far down as the partition's start. */
void stack_join_values(uint groups)
{
    uint own = stack_own();
    bool present = own < stack_word_count();
    stack_value value = stack_identity();
    uint under = 0u;
    if (present) {
        int hop = stack_shared_hop[own + 1u];
        under = uint(hop & 255);
        if (under != 0u)
            value = STACK_PLACE_VALUE(stack_place(under, (hop >> 8) - 1));
    }
    uint first = gl_SubgroupID * gl_SubgroupSize + 1u;
    /* A round doubles what is combined. All subgroups take as many: see stack_look_back.glsl. */
    [[dont_unroll]] for (uint reach = 1u; reach < gl_SubgroupSize; reach <<= 1) {
        uint lane = under >= first ? under - first : gl_SubgroupInvocationID;
        stack_value other = stack_shuffle(value, lane);
        uint next = subgroupShuffle(under, lane);
        if (under >= first) {
            value = stack_combine(other, value);
            under = next;
        }
    }
    if (present && groups == 1u)
        stack_shared_below[own + 1u] = value;
    for (uint s = 0u; s < groups && groups > 1u; s++) {
        if (s == gl_SubgroupID && present) {
            if (under != 0u)
                value = stack_combine(stack_shared_below[under], value);
            stack_shared_below[own + 1u] = value;
        }
        barrier();
    }
}

/* The subgroups that join words. */
uint stack_groups()
{
    return (stack_word_count() + gl_SubgroupSize - 1u) / gl_SubgroupSize;
}

/* Matches the brackets of a word, and keeps its entries. */
void stack_match_item(uint item, uint first, uint count)
{
    uint index = stack_word_index(item);
    uint i = first + index * stack_word_size() + stack_lane();
    /* After the input's end come begins, which pop nothing. */
    bool begins = true;
    stack_value value = stack_identity();
    if (i < count) {
        begins = stack_begins(i);
        value = stack_load(i);
    }
    stack_word word = stack_match_word(begins);
    if (stack_lane() == 0u) {
        stack_shared_bits[index] = uvec4(word.begins, word.outer, word.open, 0u);
        stack_shared_size[index] = uint(bitCount(word.outer)) | uint(bitCount(word.open)) << 16;
    }
    value = stack_chain(value, begins, word.before);
    if ((word.open >> stack_lane() & 1u) != 0u) {
        uint number = uint(bitCount(word.open & stack_lanes_up_to() >> 1));
        uint place = STACK_INSIDE + index * stack_word_size() + number;
        STACK_PLACE_INDEX(place) = i;
        STACK_PLACE_VALUE(place) = value;
    }
#ifdef STACK_SHARED_PLACES
    stack_brackets[item] = stack_bracket(word.before, word.context, value);
#endif
}

/* Matches the brackets of a partition as far as both ends of a pair lie in it. Contains barriers, and ends in one. */
void stack_match(uint partition_index, uint count)
{
    uint groups = stack_groups();
    STACK_LOOP for (uint item = 0u; item < STACK_ITEMS; item++)
        stack_match_item(item, partition_index * STACK_PARTITION, count);
    stack_sync();
    stack_join_words(groups);
    barrier();
    stack_join_values(groups);
    barrier();
}

#endif
