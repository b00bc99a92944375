/* Stack monoid, last: what is open after each bracket of a partition. stack_table.glsl says how.
 * Reads: brackets, the table, slices and values below. Writes: what stack_store does with the results. */
#ifndef STACK_RESOLVE_GLSL
#define STACK_RESOLVE_GLSL

#include "primitive/stack_partition.glsl"
#define STACK_RUNS STACK_MAX_WORDS
#include "primitive/stack_below.glsl"

struct stack_result {
    uint index;                /* of the bracket */
    bool begins;
    uint match;                /* of an end: its begin, or STACK_NONE. The begin learns of it from here alone */
    uint context;              /* innermost begin open after the bracket, or STACK_NONE: a begin is its own */
    uint depth;                /* begins open after the bracket */
    stack_value value;         /* of these, combined from the outermost */
};

void stack_store(stack_result result);

/* What each word leaves on the stack, by level: bracket, and value from the slice's bottom. */
shared uint stack_shared_slice[STACK_PARTITION];
shared stack_value stack_shared_value[STACK_PARTITION];

#ifndef STACK_CACHED
#define STACK_CACHED (STACK_PARTITION + 1u)
#endif

/* The stack before the partition, from its top as far as the partition goes or there is room. */
shared uint stack_shared_before_index[STACK_CACHED];
shared stack_value stack_shared_before_value[STACK_CACHED];
int stack_depth_before;

/* What is known of a bracket from its word alone. */
struct stack_open {
    uint context;              /* lane of the innermost begin open after it; STACK_NONE: not in the word */
    int outside;               /* level of the innermost entry open after it that is not in the word, from the word's start */
    stack_value value;         /* of those begins of the word that are open after it */
};

/* Combines along the begins around each begin, doubling the distance each round; `nesting` of them at most are open at once. */
stack_open stack_combine_word(uint index, stack_bracket bracket, int nesting)
{
    stack_open open;
    open.value = stack_identity();
    if (bracket.begins)
        open.value = stack_load(index);
    open.outside = bracket.depth - 1;
    uint around = bracket.begins ? bracket.partner : STACK_NONE;
    for (int reach = 1; reach < nesting; reach <<= 1) {
        uint lane = around != STACK_NONE ? around : gl_SubgroupInvocationID;
        stack_value outer = stack_shuffle(open.value, lane);
        open.outside = subgroupShuffle(open.outside, lane);
        uint next = subgroupShuffle(around, lane);
        if (around != STACK_NONE)
            open.value = stack_combine(outer, open.value);
        around = next;
    }
    /* An end is followed by what is around its begin. */
    open.context = bracket.begins ? gl_SubgroupInvocationID : STACK_NONE;
    uint around_begin = subgroupShuffle(bracket.partner, bracket.partner != STACK_NONE ? bracket.partner : gl_SubgroupInvocationID);
    if (!bracket.begins && bracket.partner != STACK_NONE)
        open.context = around_begin;
    uint lane = open.context != STACK_NONE ? open.context : gl_SubgroupInvocationID;
    stack_value value = stack_shuffle(open.value, lane);
    int outside = subgroupShuffle(open.outside, lane);
    if (!bracket.begins) {
        open.value = value;
        open.outside = open.context != STACK_NONE ? outside : bracket.depth - 2;
        if (open.context == STACK_NONE)
            open.value = stack_identity();
    }
    return open;
}

/* The entry of a level of the stack before the partition. */
stack_entry stack_search_before(uint partition_index, uint partitions, int level)
{
    uint owner = stack_search_partitions(partitions, stack_leaves(partitions) + partition_index, level);
    if (owner == STACK_NONE)
        return stack_entry(STACK_NONE, stack_identity());
    int low = STACK_TREE(partitions, stack_leaves(partitions) + owner);
    stack_entry entry = STACK_SLICE(owner * STACK_PARTITION + uint(level - low));
    entry.value = stack_combine(STACK_BELOW(owner), entry.value);
    return entry;
}

/* Those that the partition goes down to and one more, from the top, all at once: a search takes many round trips to memory, one after
 * the other. */
void stack_fetch_before(uint partition_index, uint partitions)
{
    int size = min(stack_depth_before - stack_tree(1u) + 1, int(STACK_CACHED));
    [[dont_unroll]] for (uint r = 0u; r <= STACK_ROUNDS; r++) {
        int i = int(r * STACK_INVOCATIONS + workgroup_invocation());
        if (i < size) {
            stack_entry entry = stack_search_before(partition_index, partitions, stack_depth_before - 1 - i);
            stack_shared_before_index[i] = entry.index;
            stack_shared_before_value[i] = entry.value;
        }
    }
    barrier();
}

stack_entry stack_find_before(uint partition_index, uint partitions, int level)
{
    int i = stack_depth_before - 1 - level;
    if (STACK_CACHED <= STACK_PARTITION && i >= int(STACK_CACHED))
        return stack_search_before(partition_index, partitions, level);
    return stack_entry(stack_shared_before_index[i], stack_shared_before_value[i]);
}

/* The value below each word's slice. */
void stack_join_values(uint partition_index, uint partitions)
{
    uint words = stack_word_count();
    uint word = workgroup_invocation();
    bool present = word < words;
    int level = present ? stack_tree(words + word) - 1 : 0;
    uint on = stack_search_words(min(word, words - 1u), level);
    stack_value value = stack_identity();
    if (!present) {
        on = STACK_NONE;
    } else if (on != STACK_NONE) {
        value = stack_shared_value[on * gl_SubgroupSize + uint(level - stack_tree(words + on))];
    } else {
        value = stack_find_before(partition_index, partitions, level).value;
    }
    stack_join_below(word, words, present, on, value);
}

/* The entry at a position, counted from the top, of the stack before a word. */
stack_entry stack_find(uint partition_index, uint partitions, uint word, uint position)
{
    uint words = stack_word_count();
    int level = stack_shared_depth[word] - 1 - int(position);
    uint owner = stack_search_words(word, level);
    if (owner == STACK_NONE)
        return stack_find_before(partition_index, partitions, level);
    uint slot = owner * gl_SubgroupSize + uint(level - stack_tree(words + owner));
    return stack_entry(stack_shared_slice[slot], stack_combine(stack_shared_below[owner], stack_shared_value[slot]));
}

/* Least depth from the row's start to the partition. */
int stack_low_before(uint partition_index, uint partitions)
{
    int low = 0;
    for (uint height = gl_SubgroupInvocationID; height < 32u; height += gl_SubgroupSize) {
        uint node = (stack_leaves(partitions) + partition_index) >> height;
        if (node > 1u && (node & 1u) != 0u)
            low = min(low, STACK_TREE(partitions, node - 1u));
    }
    return subgroupMin(low);
}

/* Answers the questions of a word's brackets: its lanes look up one position each of the stack before the word. */
void stack_answer(uint partition_index, uint partitions, uint word, stack_bracket bracket, stack_open open, int low_before)
{
    uint first = partition_index * STACK_PARTITION + word * gl_SubgroupSize;
    int low = stack_tree(stack_word_count() + word) - stack_shared_depth[word];
    stack_entry entry = stack_entry(STACK_NONE, stack_identity());
    stack_entry deepest = entry;
    stack_entry found = stack_find(partition_index, partitions, word, min(gl_SubgroupInvocationID, uint(-low)));
    /* A word of ends alone asks for one more than it has lanes. */
    if (uint(-low) >= gl_SubgroupSize)
        deepest = stack_find(partition_index, partitions, word, gl_SubgroupSize);
    uint outside = uint(-1 - open.outside);
    uint lane = min(outside, gl_SubgroupSize - 1u);
    entry.index = subgroupShuffle(found.index, lane);
    entry.value = stack_shuffle(found.value, lane);
    if (outside >= gl_SubgroupSize)
        entry = deepest;
    uint popped = subgroupShuffle(found.index, clamp(-bracket.depth, 0, int(gl_SubgroupSize) - 1));

    stack_result result;
    result.index = first + gl_SubgroupInvocationID;
    result.begins = bracket.begins;
    result.match = STACK_NONE;
    if (!bracket.begins)
        result.match = bracket.partner != STACK_NONE ? first + bracket.partner : popped;
    result.context = open.context != STACK_NONE ? first + open.context : entry.index;
    result.value = stack_combine(entry.value, open.value);
    int depth = stack_shared_depth[word] + bracket.depth + (bracket.begins ? 1 : -1);
    int lowest = min(min(low_before, stack_low_beside(word, false)), subgroupInclusiveMin(bracket.present ? depth : STACK_WHOLE_MAX));
    result.depth = uint(depth - lowest);
    if (bracket.present)
        stack_store(result);
}

void stack_resolve(uint partition_index, uint count)
{
    uint partitions = stack_partition_count(count);
    uint start = partition_index * STACK_PARTITION;
    stack_bracket brackets[STACK_ROUNDS];
    stack_open opens[STACK_ROUNDS];
    [[unroll]] for (uint r = 0u; r < STACK_ROUNDS; r++) {
        uint word = stack_word(r);
        uint index = start + word * gl_SubgroupSize + gl_SubgroupInvocationID;
        int total, low;
        brackets[r] = stack_analyse_word(index, count, total, low);
        opens[r] = stack_combine_word(index, brackets[r], subgroupMax(brackets[r].depth) + 1 - low);
        stack_give_word(word, total, low);
        if (brackets[r].pushed) {
            uint slot = word * gl_SubgroupSize + uint(brackets[r].depth - low);
            stack_shared_slice[slot] = index;
            stack_shared_value[slot] = opens[r].value;
            if (partitions == 1u)
                stack_unmatched(index);
        }
    }
    /* stack_unmatched comes before the ends of other words. */
    controlBarrier(gl_ScopeWorkgroup, gl_ScopeWorkgroup, gl_StorageSemanticsBuffer | gl_StorageSemanticsShared,
                   gl_SemanticsAcquireRelease | gl_SemanticsMakeAvailable | gl_SemanticsMakeVisible);
    stack_depth_before = 0;
    int low_before = 0;
    if (partition_index != 0u) {
        stack_depth_before = STACK_DEPTH(partition_index);
        low_before = stack_low_before(partition_index, partitions);
    }
    stack_join_words(stack_depth_before);
    stack_fetch_before(partition_index, partitions);
    stack_join_values(partition_index, partitions);
    [[unroll]] for (uint r = 0u; r < STACK_ROUNDS; r++)
        stack_answer(partition_index, partitions, stack_word(r), brackets[r], opens[r], low_before);
}

#endif
