/* What the kernels of the stack monoid share: the values' interface, the tables, and searches in trees of minima.
 *
 * The stack monoid finds what is open after each of a row of begins and ends, at any depth, in a few dispatches that
 * never wait.
 *
 * Let d(i) be the number of begins less the number of ends before bracket i. It may be negative, for an end on an empty
 * stack pops what never was. An end at d(i) pops the entry of level d(i) - 1. A begin pushes level d(i). Let `low` of a
 * run of brackets be the least d in it, its end included. The last earlier run whose low is at most v pushed the entry
 * of level v in the stack before a run, since nothing went that deep afterwards. So a search for the previous smaller
 * value in a tree of minima finds who pushed an entry, without a walk over what lies between. A run that goes down to
 * low leaves the entries of levels low to d(its end) - 1. These are its slice. The value of a slice's entry is combined
 * from the slice's bottom. What lies below that is one value for the whole run.
 *
 * The same holds for runs of runs. Here a run is the STACK_RUN brackets that an invocation takes, side by side, a
 * partition what a workgroup takes, a chunk as many partitions as a workgroup has invocations:
 *     stack_reduce.glsl       each partition: its low, its total and its slice
 *     stack_join.glsl         each chunk: the depth before each partition, the tree of their lows, the value below each
 *                             slice
 *     stack_join_chunks.glsl  one workgroup: the same over chunks
 *     stack_join_below.glsl   each chunk again: the values below, those of other chunks included
 *     stack_resolve.glsl      each partition again: in it the same over runs, and what the levels below it are is asked
 *                             of the others
 * Up to STACK_NEAR partitions need no join, for resolve looks at them all. A row of one partition needs resolve alone.
 * Where brackets are few and values large, other kernels do with less code to fetch, in at most three dispatches:
 *     stack_join_few.glsl     one workgroup: all that the joins do
 *     stack_resolve_few.glsl  as resolve, with values in shared memory
 * Sources: Levien, "Fast GPU bounding boxes on tree-structured scenes", 2022, for slices of partitions; Berkman,
 * Schieber and Vishkin, "Optimal doubly logarithmic parallel algorithms based on finding all nearest smaller values",
 * 1993, for the search.
 *
 * How to use it
 *   In the including file, first:
 *     the extensions GL_KHR_memory_scope_semantics, GL_EXT_control_flow_attributes,
 *     GL_KHR_shader_subgroup_{basic,arithmetic,ballot, shuffle} and #pragma use_vulkan_memory_model
 *     struct stack_value { ... };                             what a begin adds, integers alone
 *     #define STACK_INVOCATIONS 128                           the local size, a power of two; a constant, a specialised
 *                                                             one too, and the
 *                                                             same in all kernels
 *     #define STACK_WORD(i) ...                               an int of a buffer: STACK_TABLE_WORDS(partitions) of them
 *     #define STACK_SLICE_INDEX(i) ...                        of an entry of a slice its begin, a uint of a buffer: one
 *                                                             a bracket
 *     #define STACK_SLICE_VALUE(i) ...                        and its value, a stack_value of a buffer: one a bracket
 *     #define STACK_BELOW(i) ...                              a stack_value of a buffer: STACK_BELOW_VALUES(partitions)
 *                                                             of them
 *     #include "primitive/stack_<kernel>.glsl"
 *   then define, after the include:
 *     stack_value stack_identity()
 *     stack_value stack_combine(stack_value outer, stack_value inner)   associative, exactly
 *   for reduce and resolve:
 *     uint stack_begins(uint first, uint count)               which of the STACK_RUN brackets from the first on are
 *                                                             begins, a bit
 *                                                             each; those from count on are none
 *     stack_value stack_load(uint i)                          of a bracket below count; what it is for an end does not
 *                                                             matter
 *     stack_value stack_shuffle(stack_value value, uint lane) subgroupShuffle of each component
 *     void stack_unmatched(uint i)                            begin i has no end in its partition; if it has one at
 *                                                             all, resolve
 *                                                             says so later
 *   for resolve, which hands values on through shared memory in parts (before the include: #define stack_part, its
 *   type, STACK_PARTS, how many make a value, and STACK_PART_BYTES):
 *     stack_part stack_get_part(stack_value value, uint part) void stack_set_part(inout stack_value value, uint part,
 *     stack_part bits)
 *     stack_part stack_part_of(uint word)                     any part that a word can be told from
 *     uint stack_word_of(stack_part part)
 *     void stack_store_value(uint i, stack_value value)       what is open after a bracket, combined from the
 *                                                             outermost: once for each
 *     void stack_store_match(uint i, uint match)              the other end, or STACK_NONE: called once for each
 *                                                             bracket but those of
 *                                                             which stack_unmatched told
 *     void stack_store_four(uint i, uint count, uvec4 contexts, uvec4 depths)
 *                                                             of brackets i to i + 3, those from count on do not exist:
 *                                                             the innermost begin open after the bracket (of a begin:
 *                                                             itself), or STACK_NONE, and how many are open
 *   for resolve_few:
 *     void stack_store(stack_result result)                   called once for each bracket
 *   and in main, in uniform control flow, stack_reduce(partition, count), stack_join(chunk, count),
 *   stack_join_chunks(count), stack_join_below(chunk, count) or stack_resolve(partition, count), or stack_join(count)
 *   of join_few; a partition being below stack_partition_count(count). */
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

/* The table: total of each partition and its low, counted from its start; the depth before each; the tree of lows,
 * these from the row's start on: node 1 is the root, the children of n are 2n and 2n + 1, and the partitions' leaves
 * start at stack_leaves(). */
#define STACK_TOTAL(partition_index) STACK_WORD(2u * (partition_index))
#define STACK_LOW(partition_index) STACK_WORD(2u * (partition_index) + 1u)
#define STACK_DEPTH(partitions, partition_index) STACK_WORD(2u * (partitions) + (partition_index))
#define STACK_TREE(partitions, node) STACK_WORD(3u * (partitions) + (node))

/* The values below each partition's slice; their parts from the same chunk; and the values below what each chunk
 * leaves. */
#define STACK_BELOW_IN_CHUNK(partitions, partition_index) STACK_BELOW((partitions) + (partition_index))
#define STACK_BELOW_CHUNK(partitions, chunk) STACK_BELOW(2u * (partitions) + (chunk))

/* Whether there are more partitions than resolve looks at by itself. If so, there are several chunks. */
bool stack_joined(uint partitions)
{
    return partitions > STACK_NEAR;
}

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

/* Least depth from the row's start to the partition, if partitions are joined. It is the least that a subgroup's
 * invocations find. */
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
