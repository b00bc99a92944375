/* Stack monoid: what is open after each of a row of begins and ends, in a single pass and at any depth.
 *
 * A partition of brackets reduces to (closes, opens): so many entries of the stack before it are popped, then so many are pushed.
 * It publishes these counts with the slice of its pushed entries, then asks for what it needs of the stack before it, by positions
 * counted from the top. A question walks back over the partitions: found in a slice, it goes on below that slice for the value
 * alone; a finished partition answers from its window, the top of the stack after it, or refers to an earlier one by its link. Then
 * the partition publishes its own window and link.
 * Source: Levien, "Fast GPU bounding boxes on tree-structured scenes", 2022. Here a question goes on until it is answered, however
 * deep in the predecessors' stacks the answer lies; and a partition has a link for each doubling of the depth below its window, so
 * that a question which has passed many partitions of ends gets down in a logarithmic number of steps.
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
 *     #define STACK_SLICES(i) ...                             a stack_entry of a devicecoherent buffer: STACK_ENTRIES(partitions)
 *     #define STACK_WINDOWS(i, partitions) ...                the same of another buffer, or behind the slices
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

#include "primitive/stack_partition.glsl"

/* A question: which entry is at a position of the stack after partition next - 1? next 0: answered. */
struct stack_question {
    uint next, position;
    uint index;                /* of the entry, or STACK_NONE as long as it is not found */
    stack_value value;         /* of the entry and what lies under it, as far as it is known: combined outwards */
};

/* Where is the entry at a position of the stack after partition next - 1? */
struct stack_link {
    uint next, position;
    uint found_next, found_position; /* found_next 0: nowhere, or not yet */
};

shared uint stack_shared_ticket;
shared uint stack_shared_latest;
shared uint stack_shared_run;
shared bool stack_shared_finished;
shared uint stack_shared_words[128]; /* of the run, zero after it; no subgroup is larger */
shared uint stack_shared_count;
/* The top of the stack before the partition, as far as it pops, and the entry below. */
shared uint stack_shared_index_before[STACK_PARTITION + 1u];
shared stack_value stack_shared_value_before[STACK_PARTITION + 1u];

uint stack_partition_count(uint count)
{
    return count / STACK_PARTITION + uint(count % STACK_PARTITION != 0u);
}

/* Words of the table: the ticket, the states, then those of each partition that lead to the stack after it once it has finished:
 * the number of entries in its window, which holds the top of that stack; and for each level l where the entry at position
 * STACK_PARTITION << l lies: after which partition, plus 1 (0: the stack ends above), and at which position. */
#define STACK_STATE(partition_index) STACK_WORD(1u + (partition_index))
#define STACK_WINDOW_COUNT(partition_index, partitions) STACK_WORD(1u + (partitions) + STACK_FINISHED_WORDS * (partition_index))
#define STACK_LINK_NEXT(partition_index, partitions, level) \
    STACK_WORD(2u + (partitions) + STACK_FINISHED_WORDS * (partition_index) + 2u * (level))
#define STACK_LINK_POSITION(partition_index, partitions, level) \
    STACK_WORD(3u + (partitions) + STACK_FINISHED_WORDS * (partition_index) + 2u * (level))
#define STACK_SLICE(partition_index, position) STACK_SLICES((partition_index) * STACK_PARTITION + (position))
#define STACK_WINDOW(partition_index, position, partitions) STACK_WINDOWS((partition_index) * STACK_PARTITION + (position), partitions)

uint stack_take(uint count)
{
    if (gl_LocalInvocationIndex == 0u)
        stack_shared_ticket = atomicAdd(STACK_WORD(0), 1u, gl_ScopeDevice, 0, gl_SemanticsRelaxed);
    barrier();
    return look_back_tile(stack_shared_ticket, stack_partition_count(count));
}

void stack_publish(uint partition_index, uint state, uint word)
{
    controlBarrier(gl_ScopeWorkgroup, gl_ScopeDevice, gl_StorageSemanticsBuffer | gl_StorageSemanticsShared, gl_SemanticsAcquireRelease);
    if (gl_LocalInvocationIndex == 0u && !look_back_is_silent(partition_index))
        atomicStore(STACK_STATE(partition_index), state << 30 | word, gl_ScopeDevice, gl_StorageSemanticsBuffer,
                    gl_SemanticsRelease);
}

uint stack_opens(uint word)
{
    return word & 0x7fffu;
}

uint stack_closes(uint word)
{
    return word >> 15 & 0x7fffu;
}

void stack_find(inout stack_question question, stack_entry entry)
{
    if (question.index == STACK_NONE)
        question.index = entry.index;
    question.value = stack_combine(entry.value, question.value);
}

/* Position in the stack before a partition of what a question asks for next. */
uint stack_position_before(uint position, uint word)
{
    return position < stack_opens(word) ? stack_closes(word) : position + stack_closes(word) - stack_opens(word);
}

/* Past one partition of which the slice alone is known; entry: the one at the question's position of the slice, if it has so many. */
void stack_pass(inout stack_question question, uint word, stack_entry entry)
{
    if (question.position < stack_opens(word))
        stack_find(question, entry);
    question.position = stack_position_before(question.position, word);
    question.next--;
}

void stack_pass_link(inout stack_link link, uint word)
{
    if (link.next == 0u)
        return;
    if (link.position < stack_opens(word)) {
        link.found_next = link.next;
        link.found_position = link.position;
        link.next = 0u;
        return;
    }
    link.position = stack_position_before(link.position, word);
    link.next--;
}

/* The k-th partition of a run: true if the question's entry was pushed there, which is then loaded. */
bool stack_peek(inout stack_question question, uint k, uint run, out stack_entry entry)
{
    uint word = k < run ? stack_shared_words[k] : 0u;
    bool pushed = question.position < stack_opens(word);
    if (pushed)
        entry = STACK_SLICE(question.next - 1u - k, question.position);
    question.position = stack_position_before(question.position, word);
    return pushed;
}

/* Past a run of partitions of which the slices alone are known, from next - 1 down, with the loads of two on their way at once. */
void stack_pass_run(inout stack_question question, uint run)
{
    if (question.next == 0u)
        run = 0u;
    for (uint first = 0u; first < stack_shared_run; first += 2u) {
        stack_entry near, far;
        bool is_near = stack_peek(question, first, run, near);
        bool is_far = stack_peek(question, first + 1u, run, far);
        if (is_near)
            stack_find(question, near);
        if (is_far)
            stack_find(question, far);
    }
    question.next -= run;
}

/* One subgroup reads the states from partition next - 1 down, as far as they are known and none has finished. */
void stack_read_run(uint next, inout uint polls)
{
    uint lane = gl_SubgroupInvocationID;
    uint run = 0u;
    uint word = 0u;
    bool finished = false;
    for (uint waited = 0u; waited <= LOOK_BACK_POLLS_A_TILE && run == 0u && !finished; waited++) {
        uint state = LOOK_BACK_EMPTY;
        if (lane < next) {
            word = atomicLoad(STACK_STATE(next - 1u - lane), gl_ScopeDevice, 0, gl_SemanticsRelaxed);
            state = word >> 30;
        }
        uvec4 others = subgroupBallot(state != LOOK_BACK_AGGREGATE);
        bool all = subgroupBallotBitCount(others) == 0u;
        run = all ? gl_SubgroupSize : subgroupBallotFindLSB(others);
        finished = subgroupShuffle(state, min(run, gl_SubgroupSize - 1u)) == LOOK_BACK_INCLUSIVE;
        if (polls == 0u)
            break;
        polls--;
    }
    memoryBarrier(gl_ScopeDevice, gl_StorageSemanticsBuffer, gl_SemanticsAcquire);
    stack_shared_words[lane] = lane < run ? word : 0u;
    if (subgroupElect()) {
        stack_shared_run = run;
        stack_shared_finished = finished;
    }
}

void stack_pass_recomputed(inout stack_question question, uint next, uint word)
{
    if (question.next != next)
        return;
    stack_entry entry;
    if (question.position < stack_opens(word)) {
        uint i = stack_shared_slice[question.position];
        entry = stack_entry((next - 1u) * STACK_PARTITION + i, stack_shared_value[i]);
    }
    stack_pass(question, word, entry);
}

/* All that wait for partition next - 1, which keeps silent, go past it. */
void stack_pass_silent(inout stack_question questions[2], inout stack_link link, uint next, uint count)
{
    uint word;
    stack_analyse(next - 1u, count, word);
    for (uint k = 0u; k < 2u; k++)
        stack_pass_recomputed(questions[k], next, word);
    if (link.next == next)
        stack_pass_link(link, word);
    barrier();
}

/* Takes all questions back in step, to the first partition that has finished. */
void stack_walk(inout stack_question questions[2], inout stack_link link, uint next, uint count)
{
    uint polls = look_back_polls;
    bool finished = false;
    while (next != 0u && !finished) {
        if (gl_SubgroupID == 0u)
            stack_read_run(next, polls);
        controlBarrier(gl_ScopeWorkgroup, gl_ScopeDevice, gl_StorageSemanticsBuffer | gl_StorageSemanticsShared, gl_SemanticsAcquireRelease);
        uint run = stack_shared_run;
        finished = stack_shared_finished;
        for (uint k = 0u; k < 2u; k++)
            stack_pass_run(questions[k], run);
        for (uint k = 0u; k < run; k++)
            stack_pass_link(link, stack_shared_words[k]);
        barrier();
        next -= run;
        if (run == 0u && !finished) {
            stack_pass_silent(questions, link, next, count);
            next--;
        }
    }
}

/* A position below the window of a partition that has finished: where it is to be looked for. */
void stack_descend(inout uint next, inout uint position, uint partitions)
{
    if (position < STACK_PARTITION) {
        next = 0u;
        return;
    }
    uint level = min(uint(findMSB(position / STACK_PARTITION)), STACK_LINKS - 1u);
    position += STACK_LINK_POSITION(next - 1u, partitions, level) - (STACK_PARTITION << level);
    next = STACK_LINK_NEXT(next - 1u, partitions, level);
}

void stack_step(inout stack_question question, uint partitions)
{
    if (question.next == 0u)
        return;
    uint word = atomicLoad(STACK_STATE(question.next - 1u), gl_ScopeDevice, gl_StorageSemanticsBuffer, gl_SemanticsAcquire);
    if (word >> 30 == LOOK_BACK_AGGREGATE) {
        stack_entry entry;
        if (question.position < stack_opens(word))
            entry = STACK_SLICE(question.next - 1u, question.position);
        stack_pass(question, word, entry);
    } else if (word >> 30 == LOOK_BACK_INCLUSIVE) {
        if (question.position < STACK_WINDOW_COUNT(question.next - 1u, partitions)) {
            stack_find(question, STACK_WINDOW(question.next - 1u, question.position, partitions));
            question.next = 0u;
        } else {
            stack_descend(question.next, question.position, partitions);
        }
    }
}

void stack_step_link(inout stack_link link, uint partitions)
{
    if (link.next == 0u)
        return;
    uint word = atomicLoad(STACK_STATE(link.next - 1u), gl_ScopeDevice, gl_StorageSemanticsBuffer, gl_SemanticsAcquire);
    if (word >> 30 == LOOK_BACK_AGGREGATE) {
        stack_pass_link(link, word);
    } else if (word >> 30 == LOOK_BACK_INCLUSIVE) {
        if (link.position < STACK_WINDOW_COUNT(link.next - 1u, partitions)) {
            link.found_next = link.next;
            link.found_position = link.position;
            link.next = 0u;
        } else {
            stack_descend(link.next, link.position, partitions);
        }
    }
}

/* Largest `next` of the whole workgroup. */
uint stack_latest(uint next)
{
    if (gl_LocalInvocationIndex == 0u)
        stack_shared_latest = 0u;
    barrier();
    uint latest = subgroupMax(next);
    if (latest != 0u && subgroupElect())
        atomicMax(stack_shared_latest, latest, gl_ScopeWorkgroup, 0, gl_SemanticsRelaxed);
    barrier();
    latest = stack_shared_latest;
    barrier();
    return latest;
}

/* Answers all questions of the workgroup: the walk first, then one step a round for each. Where the latest partition that is
 * waited for keeps silent, it is recomputed: so every bounded number of rounds lowers it. */
void stack_resolve(inout stack_question questions[2], inout stack_link link, uint partition_index, uint count)
{
    uint partitions = stack_partition_count(count);
    stack_walk(questions, link, partition_index, count);
    uint latest_before = 0u;
    uint waited = 0u;
    uint polls = LOOK_BACK_POLLS_A_TILE;
    while (true) {
        for (uint k = 0u; k < 2u; k++)
            stack_step(questions[k], partitions);
        stack_step_link(link, partitions);
        uint latest = stack_latest(max(max(questions[0].next, questions[1].next), link.next));
        if (latest == 0u)
            break;
        waited = latest == latest_before ? waited + 1u : 0u;
        latest_before = latest;
        if (waited != 0u && polls == 0u)
            stack_pass_silent(questions, link, latest, count);
        else if (waited != 0u)
            polls--;
    }
}

/* The window, first what the partition pushed, then what it left of the stack before it; and the links. */
void stack_publish_finished(uint partition_index, uint partitions, uint word, stack_question questions[2], stack_link link)
{
    uint i = workgroup_invocation();
    uint kept = 0u;
    for (uint k = 0u; k < 2u; k++) {
        uint position = i + k * STACK_PARTITION;
        uint window_position = position - stack_closes(word) + stack_opens(word);
        if (position >= stack_closes(word) && window_position < STACK_PARTITION && questions[k].index != STACK_NONE) {
            STACK_WINDOW(partition_index, window_position, partitions) = stack_entry(questions[k].index, questions[k].value);
            kept++;
        }
    }
    kept = subgroupAdd(kept);
    if (subgroupElect())
        atomicAdd(stack_shared_count, kept, gl_ScopeWorkgroup, 0, gl_SemanticsRelaxed);
    if (i < STACK_LINKS) {
        STACK_LINK_NEXT(partition_index, partitions, i) = link.found_next;
        STACK_LINK_POSITION(partition_index, partitions, i) = link.found_position;
    }
    barrier();
    if (i == 0u)
        STACK_WINDOW_COUNT(partition_index, partitions) = stack_opens(word) + stack_shared_count;
    stack_publish(partition_index, LOOK_BACK_INCLUSIVE, word);
}

stack_result stack_run(uint partition_index, uint count)
{
    uint i = workgroup_invocation();
    uint index = partition_index * STACK_PARTITION + i;
    uint partitions = stack_partition_count(count);
    uint word;
    stack_local bracket = stack_analyse(partition_index, count, word);
    uint closes = stack_closes(word);
    uint opens = stack_opens(word);
    bool pushed = bracket.begins && !stack_shared_matched[i];
    uint pushed_position = uint(int(opens) - int(closes) - bracket.depth_before - 1);
    if (partition_index != 0u) {
        if (pushed)
            STACK_SLICE(partition_index, pushed_position) = stack_entry(index, bracket.value);
        stack_publish(partition_index, LOOK_BACK_AGGREGATE, word);
    }

    /* What is popped, the entry below that, and what fills the window. */
    uint last_position = closes + max(STACK_PARTITION - opens, 1u) - 1u;
    stack_question questions[2];
    for (uint k = 0u; k < 2u; k++) {
        uint position = i + k * STACK_PARTITION;
        questions[k] = stack_question(position <= last_position ? partition_index : 0u, position, STACK_NONE, stack_identity());
    }
    stack_link link = stack_link(i < STACK_LINKS ? partition_index : 0u, closes - opens + (STACK_PARTITION << min(i, STACK_LINKS)), 0u, 0u);
    stack_resolve(questions, link, partition_index, count);

    for (uint k = 0u; k < 2u; k++) {
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
    stack_publish_finished(partition_index, partitions, word, questions, link);

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
