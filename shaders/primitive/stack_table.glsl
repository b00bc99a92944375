/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* What the kernels of the stack monoid share: the values' interface, the tables, and searches in trees of minima.
 *
 * The stack monoid finds what is open after each bracket of a row of begins and ends. It handles any depth, in a few
 * dispatches that never wait.
 *
 * Let d(i) be the number of begins less the number of ends before bracket i. It may be negative, because an end on an
 * empty stack also counts. An end at d(i) pops the entry of level d(i) - 1. A begin pushes an entry of level d(i). Let
 * `low` of a run of brackets be the least d in the run, the d after its last bracket included. The entry of level v in
 * the stack before a run was pushed by the last earlier run whose low is at most v, since nothing went that deep
 * afterwards. So a search for the previous smaller value in a tree of minima finds the run that pushed an entry,
 * without a walk over the runs in between. A run leaves the entries of the levels from its low to d(its end) - 1. These
 * are its slice. Each entry of a slice has the values combined from the slice's bottom up to that entry. All that lies
 * below the slice is one value for the whole run.
 *
 * The same holds for runs of runs. Here a run is the STACK_RUN neighbouring brackets that one invocation takes. A
 * partition is what a workgroup takes. A chunk is as many partitions as a workgroup has invocations:
 *     stack_reduce.glsl       for each partition: its low, its total and its slice
 *     stack_join.glsl         for each chunk: the depth before each partition, the tree of the partitions' lows, the
 *                             value below each slice
 *     stack_join_chunks.glsl  in one workgroup: the same over chunks
 *     stack_join_below.glsl   for each chunk again: the values below, with those of other chunks
 *     stack_resolve.glsl      for each partition again: the same over the runs inside it; a search in the other
 *                             partitions finds the levels below it
 * Up to STACK_NEAR partitions need no join, because resolve reads them all. A row of one partition needs only resolve.
 * If brackets are few and values are large, two other kernels have less code to fetch and need at most three
 * dispatches:
 *     stack_join_few.glsl     in one workgroup: the work of all joins
 *     stack_resolve_few.glsl  the same as resolve, with values in shared memory
 * Sources: Levien, "Fast GPU bounding boxes on tree-structured scenes", 2022, for slices of partitions; Berkman,
 * Schieber and Vishkin, "Optimal doubly logarithmic parallel algorithms based on finding all nearest smaller values",
 * 1993, for the search.
 *
 * How to use it
 *   The including file first has:
 *     the extensions GL_KHR_memory_scope_semantics, GL_EXT_control_flow_attributes,
 *     GL_KHR_shader_subgroup_{basic, arithmetic, ballot, shuffle} and #pragma use_vulkan_memory_model
 *     struct stack_value { ... };            what a begin adds; it has only integers
 *     #define STACK_INVOCATIONS 128          the local size: a power of two and a constant, which may be specialised;
 *                                            the same in all kernels
 *     #define STACK_WORD(i) ...              an int of a buffer with STACK_TABLE_WORDS(partitions) of them
 *     #define STACK_SLICE_INDEX(i) ...       a uint of a buffer with one for each bracket: the begin of a slice's entry
 *     #define STACK_SLICE_VALUE(i) ...       a stack_value of a buffer with one for each bracket: that entry's value
 *     #define STACK_BELOW(i) ...             a stack_value of a buffer with STACK_BELOW_VALUES(partitions) of them
 *     #include "primitive/stack_<kernel>.glsl"
 *   After the include it defines:
 *     stack_value stack_identity()
 *     stack_value stack_combine(stack_value outer, stack_value inner)
 *                                            associative, and exact
 *   For reduce and resolve:
 *     uint stack_begins(uint first, uint count)
 *                                            one bit for each of the STACK_RUN brackets from `first` on: whether it is
 *                                            a begin; brackets from `count` on have the bit 0
 *     stack_value stack_load(uint i)         the value of bracket i, which is less than count; the value of an end does
 *                                            not matter
 *     stack_value stack_shuffle(stack_value value, uint lane)
 *                                            subgroupShuffle of each component
 *     void stack_unmatched(uint i)           begin i has no end in its partition; if it has an end at all, resolve
 *                                            reports that end later
 *   For resolve, which passes values through shared memory in parts. Before the include, #define stack_part, the type
 *   of a part; STACK_PARTS, the number of parts of a value; and STACK_PART_BYTES:
 *     stack_part stack_get_part(stack_value value, uint part)
 *     void stack_set_part(inout stack_value value, uint part, stack_part bits)
 *     stack_part stack_part_of(uint word)    a part from which stack_word_of finds the word again
 *     uint stack_word_of(stack_part part)
 *     void stack_store_value(uint i, stack_value value)
 *                                            what is open after bracket i, combined from the outermost begin; called
 *                                            once for each bracket
 *     void stack_store_match(uint i, uint match)
 *                                            the other end of bracket i, or STACK_NONE; called once for each bracket,
 *                                            except those that stack_unmatched has reported
 *     void stack_store_four(uint i, uint count, uvec4 contexts, uvec4 depths)
 *                                            the results of brackets i to i + 3; brackets from `count` on do not exist.
 *                                            A context is the innermost begin that is open after the bracket, or
 *                                            STACK_NONE; a begin is its own context. A depth is how many are open.
 *   For resolve_few:
 *     void stack_store(stack_result result)  called once for each bracket
 *   main calls one of these in uniform control flow: stack_reduce(partition, count), stack_join(chunk, count),
 *   stack_join_chunks(count), stack_join_below(chunk, count), stack_resolve(partition, count), or stack_join(count) of
 *   join_few. A partition is less than stack_partition_count(count). */
#ifndef STACK_TABLE_GLSL
#define STACK_TABLE_GLSL

#include "layout/primitive.h"

#define STACK_PARTITION (uint(STACK_INVOCATIONS) * STACK_RUN)
#define STACK_NEAR (uint(STACK_INVOCATIONS) * STACK_NEAR_EACH)

stack_value stack_identity();
stack_value stack_combine(stack_value outer, stack_value inner);

uint stack_partition_count(uint count)
{
    return count / STACK_PARTITION + uint(count % STACK_PARTITION != 0u);
}

/* The table has three parts. The first has the total and the low of each partition, counted from the partition's start.
 * The second has the depth before each partition. The third is the tree of lows, which are counted from the row's
 * start: node 1 is the root, the children of n are 2n and 2n + 1, and the partitions' leaves start at
 * stack_leaves(). */
#define STACK_TOTAL(partition_index) STACK_WORD(2u * (partition_index))
#define STACK_LOW(partition_index) STACK_WORD(2u * (partition_index) + 1u)
#define STACK_DEPTH(partitions, partition_index) STACK_WORD(2u * (partitions) + (partition_index))
#define STACK_TREE(partitions, node) STACK_WORD(3u * (partitions) + (node))

/* STACK_BELOW has first the value below each partition's slice, then what the partition's own chunk contributes to that
 * value, then the value below what each chunk leaves. */
#define STACK_BELOW_IN_CHUNK(partitions, partition_index) STACK_BELOW((partitions) + (partition_index))
#define STACK_BELOW_CHUNK(partitions, chunk) STACK_BELOW(2u * (partitions) + (chunk))

/* Whether there are more partitions than resolve reads without a join. If so, there are several chunks. */
bool stack_joined(uint partitions)
{
    return partitions > STACK_NEAR;
}

/* The number of leaves of the tree: the least power of two that is at least `partitions`. */
uint stack_leaves(uint partitions)
{
    return partitions <= 1u ? 1u : 2u << findMSB(partitions - 1u);
}

/* Finds the last leaf before `node`, a node of the tree, whose low is at most `level`. Returns STACK_NONE if there is
 * none. */
uint stack_search_partitions(uint partitions, uint node, int level)
{
    uint leaves = stack_leaves(partitions);
    while (node > 1u && ((node & 1u) == 0u || STACK_TREE(partitions, node - 1u) > level))
        node >>= 1;
    if (node <= 1u)
        return STACK_NONE;
    node--;
    while (node < leaves) {
        node = 2u * node + 1u;
        if (STACK_TREE(partitions, node) > level)
            node--;
    }
    return node - leaves;
}

/* The least depth from the row's start to the partition, if partitions are joined. Each invocation returns its share:
 * the result is the least over the subgroup. */
int stack_low_before(uint partition_index, uint partitions)
{
    int low = 0;
    for (uint height = gl_SubgroupInvocationID; height < 32u; height += gl_SubgroupSize) {
        uint node = (stack_leaves(partitions) + partition_index) >> height;
        if (node > 1u && (node & 1u) != 0u)
            low = min(low, STACK_TREE(partitions, node - 1u));
    }
    return low;
}

#endif
