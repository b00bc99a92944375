/* Stack monoid: what is open after each of a row of begins and ends, in a single pass and at any depth.
 *
 * A partition of brackets reduces to (closes, opens): so many entries of the stack before it are popped, then so many are pushed.
 * It publishes these counts with the slice of its pushed entries, then asks for what it needs of the stack before it, by positions
 * counted from the top. A question walks back over the partitions: found in a slice, it goes on below that slice for the value
 * alone; a finished partition answers from its window, the top of the stack after it, or refers to an earlier one by its link. Then
 * the partition publishes its own window and link.
 * Source: Levien, "Fast GPU bounding boxes on tree-structured scenes", 2022. Here a question goes on until it is answered, however
 * deep in the predecessors' stacks the answer lies, and links bound the way there: a question asks for one of the top 2 W + 1
 * positions, and each link passes over at least one of them.
 *
 * No workgroup depends on another one making progress: after a bounded number of polls the whole workgroup works out the slice it
 * waits for from the input, and goes on to the partition before it.
 *
 * How to use it
 *   In the including file, first:
 *     #pragma use_vulkan_memory_model, the extensions that primitive/look_back.glsl names and GL_KHR_shader_subgroup_arithmetic
 *     layout(local_size_x = STACK_PARTITION) in;
 *     struct stack_value { ... };                             what a begin adds, integers alone
 *     struct stack_entry { uint index; stack_value value; };
 *     #define STACK_WORD(i) ...                               a uint of a devicecoherent buffer: STACK_TABLE_WORDS(partitions) of
 *                                                             them, zero before the dispatch
 *     #define STACK_ENTRY(i) ...                              a stack_entry of a devicecoherent buffer: STACK_ENTRIES(partitions)
 *     #include "primitive/stack_monoid.glsl"
 *   then define, after the include:
 *     stack_value stack_identity()
 *     stack_value stack_combine(stack_value outer, stack_value inner)   associative, exactly
 *     bool stack_begins(uint i)                               bracket i is a begin
 *     stack_value stack_load(uint i)                          of a begin
 *   and in main, in uniform control flow:
 *     uint count = ...;                                       brackets; from any buffer
 *     uint partition_index = stack_take(count);
 *     if (partition_index == LOOK_BACK_NO_TILE) return;
 *     stack_result result = stack_run(partition_index, count);
 *     if (result.index < count) ...                           store it
 * The trap that look_back.glsl names holds here too: every loop below has the same rounds in all subgroups.
 *
 * An end's invocation learns its begin, so it alone stores the match of both. An end on an empty stack pops nothing. */
#ifndef STACK_MONOID_GLSL
#define STACK_MONOID_GLSL

#define LOOK_BACK_CONSTANTS_ONLY
#include "primitive/look_back.glsl"
#define WORKGROUP_SCAN_TYPE int
#include "primitive/workgroup_scan.glsl"

struct stack_result {
    uint index;                /* the bracket of this invocation */
    bool begins;
    uint match;                /* of an end: its begin, or STACK_NONE */
    uint context;              /* innermost begin open after the bracket, or STACK_NONE: a begin is its own */
    stack_value value;         /* of all begins open after the bracket, combined from the outermost */
    stack_value around;        /* begin: the same without itself */
};

stack_value stack_identity();
stack_value stack_combine(stack_value outer, stack_value inner);
bool stack_begins(uint i);
stack_value stack_load(uint i);

/* A bracket within its partition. Depths count from the partition's start. */
struct stack_local {
    bool present, begins;
    int depth_before, depth_after;
    uint partner;              /* begin: the begin around it; end: its begin; STACK_NONE: not in this partition */
    uint base;                 /* begin: position, in the stack before the partition, of the entry around its outermost local begin */
    stack_value value;         /* begin: combined from that outermost one */
};

/* A question: which entry is at a position of the stack after partition next - 1? next 0: answered. */
struct stack_question {
    uint next, position;
    bool found;                /* the entry; its value is still being combined, outwards */
    uint index;
    uint found_partition, found_position;
    stack_value value;
};

#define STACK_LEVELS 8u        /* log2 of STACK_PARTITION */

shared uint stack_shared_ticket;
shared uint stack_shared_stuck;
shared uint stack_shared_count;
shared int stack_shared_highest;
shared int stack_shared_tree[2u * STACK_PARTITION]; /* minima; leaves from STACK_PARTITION on, root at 1 */
shared uint stack_shared_around[STACK_PARTITION]; /* begin around, in the partition, or STACK_OUTSIDE; base above it */
shared stack_value stack_shared_value[STACK_PARTITION];
shared uint stack_shared_slice[STACK_PARTITION];    /* local index of each unmatched begin, from the top */
shared bool stack_shared_matched[STACK_PARTITION];
/* The top of the stack before the partition, as far as it pops, and the entry below. */
shared uint stack_shared_index_before[STACK_PARTITION + 1u];
shared stack_value stack_shared_value_before[STACK_PARTITION + 1u];

uint stack_partition_count(uint count)
{
    return count / STACK_PARTITION + uint(count % STACK_PARTITION != 0u);
}

/* Words of the table: the ticket, the states, then three of each partition, which lead to the stack after it once it has
 * finished. Its top entries lie in the window; what is below continues at a position of the stack after an earlier partition. */
#define STACK_STATE(partition_index) STACK_WORD(1u + (partition_index))
#define STACK_WINDOW_COUNT(partition_index, partitions) STACK_WORD(1u + (partitions) + 3u * (partition_index))
#define STACK_LINK_NEXT(partition_index, partitions) STACK_WORD(2u + (partitions) + 3u * (partition_index))
#define STACK_LINK_POSITION(partition_index, partitions) STACK_WORD(3u + (partitions) + 3u * (partition_index))
#define STACK_SLICE(partition_index, position) STACK_ENTRY((partition_index) * STACK_PARTITION + (position))
#define STACK_WINDOW(partition_index, position, partitions) STACK_ENTRY(((partitions) + (partition_index)) * STACK_PARTITION + (position))

uint stack_take(uint count)
{
    if (gl_LocalInvocationIndex == 0u)
        stack_shared_ticket = atomicAdd(STACK_WORD(0), 1u, gl_ScopeDevice, 0, gl_SemanticsRelaxed);
    barrier();
    return look_back_tile(stack_shared_ticket, stack_partition_count(count));
}

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
stack_local stack_analyse(uint partition_index, uint count, out uint closes, out uint opens)
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
    closes = uint(-lowest);
    opens = uint(total - lowest);

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

void stack_publish(uint partition_index, uint state, uint closes, uint opens)
{
    controlBarrier(gl_ScopeWorkgroup, gl_ScopeDevice, gl_StorageSemanticsBuffer | gl_StorageSemanticsShared, gl_SemanticsAcquireRelease);
    if (gl_LocalInvocationIndex == 0u && !look_back_is_silent(partition_index))
        atomicStore(STACK_STATE(partition_index), state << 30 | closes << 15 | opens, gl_ScopeDevice, gl_StorageSemanticsBuffer,
                    gl_SemanticsRelease);
}

void stack_find(inout stack_question question, stack_entry entry)
{
    if (!question.found) {
        question.found = true;
        question.index = entry.index;
        question.found_partition = question.next;
        question.found_position = question.position;
    }
    question.value = stack_combine(entry.value, question.value);
}

/* Past a partition of which the slice alone is known; the entry at the question's position of it, if there is one. */
void stack_pass(inout stack_question question, uint closes, uint opens, stack_entry entry)
{
    if (question.position < opens) {
        stack_find(question, entry);
        question.position = closes;
    } else {
        question.position += closes - opens;
    }
    question.next--;
}

void stack_answer(inout stack_question question, uint partition_index, uint partitions)
{
    if (question.position < STACK_WINDOW_COUNT(partition_index, partitions)) {
        stack_find(question, STACK_WINDOW(partition_index, question.position, partitions));
        question.next = 0u;
    } else {
        question.position += STACK_LINK_POSITION(partition_index, partitions) - STACK_PARTITION;
        question.next = STACK_LINK_NEXT(partition_index, partitions);
    }
}

/* Takes a question one partition further, if that one has spoken. */
void stack_step(inout stack_question question, uint partitions)
{
    if (question.next == 0u)
        return;
    uint partition_index = question.next - 1u;
    uint word = atomicLoad(STACK_STATE(partition_index), gl_ScopeDevice, gl_StorageSemanticsBuffer, gl_SemanticsAcquire);
    uint state = word >> 30;
    if (state == LOOK_BACK_INCLUSIVE)
        stack_answer(question, partition_index, partitions);
    if (state == LOOK_BACK_AGGREGATE) {
        uint opens = word & 0x7fffu;
        stack_entry entry;
        if (question.position < opens)
            entry = STACK_SLICE(partition_index, question.position);
        stack_pass(question, word >> 15 & 0x7fffu, opens, entry);
    }
}

/* Largest `next` of the whole workgroup. */
uint stack_latest(uint next)
{
    if (gl_LocalInvocationIndex == 0u)
        stack_shared_stuck = 0u;
    barrier();
    uint latest = subgroupMax(next);
    if (latest != 0u && subgroupElect())
        atomicMax(stack_shared_stuck, latest, gl_ScopeWorkgroup, 0, gl_SemanticsRelaxed);
    barrier();
    latest = stack_shared_stuck;
    barrier();
    return latest;
}

void stack_pass_recomputed(inout stack_question question, uint stuck, uint closes, uint opens)
{
    if (question.next != stuck)
        return;
    stack_entry entry;
    if (question.position < opens) {
        uint i = stack_shared_slice[question.position];
        entry = stack_entry((stuck - 1u) * STACK_PARTITION + i, stack_shared_value[i]);
    }
    stack_pass(question, closes, opens, entry);
}

/* Answers all questions of the workgroup, each of which takes one step a round. Where the latest partition that is waited for keeps
 * silent, it is recomputed: so every bounded number of rounds lowers it. */
void stack_resolve(inout stack_question questions[3], uint count)
{
    uint partitions = stack_partition_count(count);
    uint latest_before = 0u;
    uint waited = 0u;
    uint polls = look_back_polls;
    while (true) {
        uint next = 0u;
        for (uint k = 0u; k < 3u; k++) {
            stack_step(questions[k], partitions);
            next = max(next, questions[k].next);
        }
        uint latest = stack_latest(next);
        if (latest == 0u)
            break;
        waited = latest == latest_before ? waited + 1u : 0u;
        latest_before = latest;
        if (waited == 0u)
            continue;
        if (waited < LOOK_BACK_POLLS_A_TILE && polls != 0u) {
            polls--;
            continue;
        }
        uint closes, opens;
        stack_analyse(latest - 1u, count, closes, opens);
        for (uint k = 0u; k < 3u; k++)
            stack_pass_recomputed(questions[k], latest, closes, opens);
        barrier();
    }
}

/* The window: first what the partition pushed, then what it left of the stack before it. */
void stack_publish_window(uint partition_index, uint partitions, uint closes, uint opens, stack_question questions[3])
{
    uint i = workgroup_invocation();
    uint link = closes + STACK_PARTITION - opens;
    uint kept = 0u;
    for (uint k = 0u; k < 3u; k++) {
        uint position = i + k * STACK_PARTITION;
        if (position >= closes && position < link && questions[k].found) {
            STACK_WINDOW(partition_index, position - closes + opens, partitions) = stack_entry(questions[k].index, questions[k].value);
            kept++;
        }
    }
    kept = subgroupAdd(kept);
    if (subgroupElect())
        atomicAdd(stack_shared_count, kept, gl_ScopeWorkgroup, 0, gl_SemanticsRelaxed);
    barrier();
    for (uint k = 0u; k < 3u; k++) {
        if (i + k * STACK_PARTITION == link) {
            STACK_WINDOW_COUNT(partition_index, partitions) = opens + stack_shared_count;
            STACK_LINK_NEXT(partition_index, partitions) = questions[k].found ? questions[k].found_partition : 0u;
            STACK_LINK_POSITION(partition_index, partitions) = questions[k].found_position;
        }
    }
    stack_publish(partition_index, LOOK_BACK_INCLUSIVE, closes, opens);
}

stack_result stack_run(uint partition_index, uint count)
{
    uint i = workgroup_invocation();
    uint index = partition_index * STACK_PARTITION + i;
    uint partitions = stack_partition_count(count);
    uint closes, opens;
    stack_local bracket = stack_analyse(partition_index, count, closes, opens);
    bool pushed = bracket.begins && !stack_shared_matched[i];
    uint pushed_position = uint(int(opens) - int(closes) - bracket.depth_before - 1);
    if (partition_index != 0u) {
        if (pushed)
            STACK_SLICE(partition_index, pushed_position) = stack_entry(index, bracket.value);
        stack_publish(partition_index, LOOK_BACK_AGGREGATE, closes, opens);
    }

    /* Positions 0 to closes + STACK_PARTITION - opens: what is popped, what fills the window, and where the link leads. */
    stack_question questions[3];
    for (uint k = 0u; k < 3u; k++) {
        uint position = i + k * STACK_PARTITION;
        bool wanted = position <= closes + STACK_PARTITION - opens;
        questions[k] = stack_question(wanted ? partition_index : 0u, position, false, STACK_NONE, 0u, 0u, stack_identity());
    }
    stack_resolve(questions, count);

    for (uint k = 0u; k < 3u; k++) {
        uint position = i + k * STACK_PARTITION;
        if (position <= closes) {
            stack_shared_index_before[position] = questions[k].index;
            stack_shared_value_before[position] = questions[k].value;
        }
    }
    if (gl_LocalInvocationIndex == 0u)
        stack_shared_count = 0u;
    barrier();
    stack_result result = stack_result(index, bracket.begins, STACK_NONE, STACK_NONE, stack_identity(), stack_identity());
    if (bracket.begins) {
        result.context = index;
        result.value = stack_combine(stack_shared_value_before[bracket.base], bracket.value);
        stack_shared_value[i] = result.value;
    }
    stack_set_around(i, bracket.begins ? bracket.partner : STACK_NONE, 0u);
    if (pushed)
        STACK_WINDOW(partition_index, pushed_position, partitions) = stack_entry(index, result.value);
    stack_publish_window(partition_index, partitions, closes, opens, questions);

    if (bracket.begins)
        result.around = bracket.partner == STACK_NONE ? stack_shared_value_before[bracket.base] : stack_shared_value[bracket.partner];
    if (bracket.present && !bracket.begins) {
        uint context = STACK_OUTSIDE;
        if (bracket.partner == STACK_NONE) {
            result.match = stack_shared_index_before[-bracket.depth_after - 1];
        } else {
            result.match = partition_index * STACK_PARTITION + bracket.partner;
            context = stack_around(bracket.partner) & STACK_OUTSIDE;
        }
        if (context == STACK_OUTSIDE) {
            result.context = stack_shared_index_before[-bracket.depth_after];
            result.value = stack_shared_value_before[-bracket.depth_after];
        } else {
            result.context = partition_index * STACK_PARTITION + context;
            result.value = stack_shared_value[context];
        }
    }
    return result;
}

#endif
