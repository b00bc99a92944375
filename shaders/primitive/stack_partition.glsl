/* The stack monoid within one partition: what stack_monoid.glsl, which includes this, knows of a partition from the input alone.
 *
 * With e(i) the depth before bracket i, the begin around a begin i is the last j < i with e(j) < e(i), and the begin of an end i the
 * last with e(j) <= e(i) - 1: nearest smaller values, found in a tree of minima. Values are then combined along the begins found. */
#ifndef STACK_PARTITION_GLSL
#define STACK_PARTITION_GLSL

/* A bracket within its partition. Depths count from the partition's start. */
struct stack_local {
    bool present, begins;
    int depth_before, depth_after;
    uint partner;              /* begin: the begin around it; end: its begin; STACK_NONE: not in this partition */
    uint base;                 /* begin: position, in the stack before the partition, of the entry around its outermost local begin */
    stack_value value;         /* begin: combined from that outermost one */
};

#define STACK_LEVELS 8u        /* log2 of STACK_PARTITION */

shared int stack_shared_highest;
shared int stack_shared_tree[2u * STACK_PARTITION]; /* minima; leaves from STACK_PARTITION on, root at 1 */
shared uint stack_shared_around[STACK_PARTITION]; /* begin around, in the partition, or STACK_OUTSIDE; base above it */
shared stack_value stack_shared_value[STACK_PARTITION];
shared uint stack_shared_slice[STACK_PARTITION];    /* local index of each unmatched begin, from the top */
shared bool stack_shared_matched[STACK_PARTITION];

/* Relaxed atomics order nothing, which leaves that to the barriers, and cost lavapipe far less than plain access. */
int stack_tree(uint node)
{
    return atomicLoad(stack_shared_tree[node], gl_ScopeWorkgroup, 0, gl_SemanticsRelaxed);
}

void stack_set_tree(uint node, int depth)
{
    atomicStore(stack_shared_tree[node], depth, gl_ScopeWorkgroup, 0, gl_SemanticsRelaxed);
}

/* Largest local index below i whose depth before it is at most `depth`; STACK_NONE: none. It is a begin. */
uint stack_search(uint i, int depth)
{
    uint node = STACK_PARTITION + i;
    bool found = false;
    for (uint level = 0u; level < STACK_LEVELS; level++) {
        found = found || ((node & 1u) != 0u && stack_tree(node - 1u) <= depth);
        if (!found)
            node >>= 1;
    }
    if (!found)
        return STACK_NONE;
    node--;
    for (uint level = 0u; level < STACK_LEVELS; level++) {
        if (node < STACK_PARTITION) {
            node = 2u * node + 1u;
            if (stack_tree(node) > depth)
                node--;
        }
    }
    return node - STACK_PARTITION;
}

/* Minima of the depths before each bracket: within subgroups by shuffles, above by levels. */
void stack_build_tree(uint i, int depth_before)
{
    stack_set_tree(STACK_PARTITION + i, depth_before);
    uint width = STACK_PARTITION;
    int lowest = depth_before;
    for (uint reach = 1u; reach < gl_SubgroupSize; reach <<= 1) {
        lowest = min(lowest, subgroupShuffleXor(lowest, reach));
        width >>= 1;
        if ((i & (2u * reach - 1u)) == 0u)
            stack_set_tree(width + i / (2u * reach), lowest);
    }
    barrier();
    for (width >>= 1; width != 0u; width >>= 1) {
        if (i < width)
            stack_set_tree(width + i, min(stack_tree(2u * (width + i)), stack_tree(2u * (width + i) + 1u)));
        barrier();
    }
}

#define STACK_OUTSIDE 0xffffu

uint stack_around(uint i)
{
    return atomicLoad(stack_shared_around[i], gl_ScopeWorkgroup, 0, gl_SemanticsRelaxed);
}

void stack_set_around(uint i, uint around, uint base)
{
    atomicStore(stack_shared_around[i], (around & STACK_OUTSIDE) | base << 16, gl_ScopeWorkgroup, 0, gl_SemanticsRelaxed);
}

/* Combines values along the begins around each begin, doubling the distance each time; `nesting` begins at most are open at once. */
void stack_combine_local(uint i, uint nesting, inout stack_local bracket)
{
    uint around = bracket.begins ? bracket.partner & STACK_OUTSIDE : STACK_OUTSIDE;
    stack_set_around(i, around, bracket.base);
    stack_shared_value[i] = bracket.value;
    barrier();
    for (uint reach = 1u; reach < nesting; reach <<= 1) {
        if (around != STACK_OUTSIDE) {
            uint next = stack_around(around);
            bracket.value = stack_combine(stack_shared_value[around], bracket.value);
            bracket.base += next >> 16;
            around = next & STACK_OUTSIDE;
        }
        barrier();
        stack_set_around(i, around, bracket.base);
        stack_shared_value[i] = bracket.value;
        barrier();
    }
}

/* Works out a partition from the input alone. Afterwards stack_shared_slice and stack_shared_value describe it. */
stack_local stack_analyse(uint partition_index, uint count, out uint word)
{
    uint i = workgroup_invocation();
    uint index = partition_index * STACK_PARTITION + i;
    stack_local bracket;
    bracket.present = index < count;
    bracket.begins = bracket.present && stack_begins(index);
    int step = bracket.begins ? 1 : bracket.present ? -1 : 0;
    int total;
    bracket.depth_before = workgroup_exclusive_scan(step, total);
    bracket.depth_after = bracket.depth_before + step;
    if (i == 0u)
        stack_shared_highest = 0;
    stack_build_tree(i, bracket.depth_before);
    int highest = subgroupMax(bracket.depth_after);
    if (subgroupElect())
        atomicMax(stack_shared_highest, highest, gl_ScopeWorkgroup, 0, gl_SemanticsRelaxed);
    int lowest = min(stack_tree(1u), total);
    word = uint(-lowest) << 15 | uint(total - lowest);

    bracket.partner = STACK_NONE;
    if (bracket.present)
        bracket.partner = stack_search(i, bracket.begins ? bracket.depth_before - 1 : bracket.depth_after);
    bracket.base = 0u;
    bracket.value = stack_identity();
    if (bracket.begins) {
        bracket.value = stack_load(index);
        bracket.base = bracket.partner == STACK_NONE ? uint(-bracket.depth_before) : 0u;
    }
    stack_shared_matched[i] = false;
    barrier();
    if (bracket.present && !bracket.begins && bracket.partner != STACK_NONE)
        stack_shared_matched[bracket.partner] = true;
    stack_combine_local(i, uint(stack_shared_highest - lowest), bracket);
    if (bracket.begins && !stack_shared_matched[i])
        stack_shared_slice[total - bracket.depth_before - 1] = i;
    barrier();
    return bracket;
}

#endif
