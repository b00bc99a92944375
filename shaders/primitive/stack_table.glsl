/* What the kernels of the stack monoid share: the values' interface, the tables, and searches in trees of minima.
 *
 * Stack monoid: what is open after each of a row of begins and ends, at any depth, in three dispatches that wait for nobody.
 *
 * Let d(i) be the number of begins less the number of ends before bracket i; it may be negative, an end on an empty stack pops what
 * never was. An end at d(i) pops the entry of level d(i) - 1; a begin pushes level d(i). Of any run of brackets let `low` be the
 * least d in it, its end included. The entry of level v in the stack before a run was pushed by the last earlier run whose low is
 * at most v: since then nothing went that deep. So who pushed it is a search for the previous smaller value, in a tree of minima,
 * and needs no walk over what lies between. A run that goes down to low leaves the entries of levels low to d(its end) - 1: its
 * slice. What a slice's entry is worth is combined from the slice's bottom; what lies below that is one value for the whole run.
 *
 * The same holds for runs of runs. Here a run is the STACK_RUN brackets that an invocation takes, side by side, a partition what a
 * workgroup takes:
 *     stack_reduce.glsl   each partition: its low, its total and its slice
 *     stack_join.glsl     one workgroup: the depth before each partition, the tree of their lows, the value below each slice
 *     stack_resolve.glsl  each partition again: in it the same over runs, and what the levels below it are is asked of the tree
 * A row of one partition needs the last alone.
 * Sources: Levien, "Fast GPU bounding boxes on tree-structured scenes", 2022, for slices of partitions; Berkman, Schieber and
 * Vishkin, "Optimal doubly logarithmic parallel algorithms based on finding all nearest smaller values", 1993, for the search.
 *
 * How to use it
 *   In the including file, first:
 *     the extensions GL_KHR_memory_scope_semantics, GL_EXT_control_flow_attributes, GL_KHR_shader_subgroup_{basic,arithmetic,ballot,
 *     shuffle} and #pragma use_vulkan_memory_model
 *     struct stack_value { ... };                             what a begin adds, integers alone
 *     struct stack_entry { uint index; stack_value value; };
 *     #define STACK_INVOCATIONS 128                           of reduce and resolve: their local size, a power of two; a constant, a
 *                                                             specialised one too, and the same in all three kernels
 *     #define STACK_WORD(i) ...                               an int of a buffer: STACK_TABLE_WORDS(partitions) of them
 *     #define STACK_SLICE(i) ...                              a stack_entry of a buffer: one a bracket
 *     #define STACK_BELOW(i) ...                              a stack_value of a buffer: one a partition
 *     #include "primitive/stack_<kernel>.glsl"
 *   then define, after the include:
 *     stack_value stack_identity()
 *     stack_value stack_combine(stack_value outer, stack_value inner)   associative, exactly
 *   for reduce and resolve:
 *     uint stack_begins(uint first, uint count)               which of the STACK_RUN brackets from the first on are begins, a bit
 *                                                             each; those from count on are none
 *     stack_value stack_load(uint i)                          of a bracket below count; what it is for an end does not matter
 *     stack_value stack_shuffle(stack_value value, uint lane) subgroupShuffle of each component
 *     void stack_unmatched(uint i)                            begin i has no end in its partition; if it has one at all, resolve
 *                                                             says so later
 *   for resolve:
 *     void stack_store(stack_result result)                   called once for each bracket
 *   and in main, in uniform control flow, stack_reduce(partition, count), stack_join(count) or stack_resolve(partition, count), a
 *   partition being below stack_partition_count(count). */
#ifndef STACK_TABLE_GLSL
#define STACK_TABLE_GLSL

#include "layout/primitive.h"

#define STACK_PARTITION (uint(STACK_INVOCATIONS) * STACK_RUN)

stack_value stack_identity();
stack_value stack_combine(stack_value outer, stack_value inner);

uint stack_partition_count(uint count)
{
    return count / STACK_PARTITION + uint(count % STACK_PARTITION != 0u);
}

/* The table: depth before each partition (from reduce to join: its total), its low (likewise: counted from its start), then the tree
 * of lows: node 1 is the root, the children of n are 2n and 2n + 1, and the partitions' leaves start at stack_leaves(). */
#define STACK_DEPTH(partition_index) STACK_WORD(2u * (partition_index))
#define STACK_LOW(partition_index) STACK_WORD(2u * (partition_index) + 1u)
#define STACK_TREE(partitions, node) STACK_WORD(2u * (partitions) + (node))

/* The power of two that holds so many leaves. */
uint stack_leaves(uint partitions)
{
    return partitions <= 1u ? 1u : 2u << findMSB(partitions - 1u);
}

/* The last leaf before `node`, a node of the tree, whose low is at most `level`; STACK_NONE: there is none. */
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

#endif
