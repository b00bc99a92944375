/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Stack monoid: what a partition needs of the stack before it, by look-back over the partitions before.
 *
 * A partition that pops E entries needs those and the one under them. Depths count from the depth at the partition's
 * start, so these are the depths -1 to -E - 1, the deepest. They are served from the top down. `reached` is the last
 * depth that is served, or 0. An entry is whole if what lies below it is combined with it; those from `whole` upward
 * are.
 *
 * A window is up to STACK_LOOK_AHEAD partitions before the cursor. The first subgroup reads their states and lists
 * those that serve; then all invocations take part. Those that have published their slices serve the depths from
 * their low up to the least low of the nearer ones. Combined, their topmost entries that are left are what lies below
 * the nearer ones. The first inclusive one says how deep the partition lies. It and the inclusive ones right behind it
 * know what lies below their own slices. Depths that are missing then lie further back. The next window is at the
 * partition to which the lowest inclusive one has a link, so a search passes over what lies between, however long that
 * is. */
#ifndef STACK_LOOK_BACK_GLSL
#define STACK_LOOK_BACK_GLSL

#include "primitive/stack_partition.glsl"

#define LOOK_BACK_CONSTANTS_ONLY
#include "primitive/look_back.glsl"

/* A state has LOOK_BACK_EMPTY, LOOK_BACK_AGGREGATE or LOOK_BACK_INCLUSIVE in its two highest bits. Below are the number
 * of ends that pop what was open before the partition, and that of the begins that it leaves open, 15 bits each.
 * An inclusive partition publishes its low, the least depth up to its end, and its link. These depths count from the
 * start of the input. The link is the partition whose slice has the entry under the low, or STACK_NONE, and the number
 * of that entry there. */
#define STACK_STATE(partition_index) STACK_TABLE(1u + (partition_index))
#define STACK_INCLUSIVE(partitions, partition_index, part) \
    STACK_TABLE(1u + (partitions) + 4u * (partition_index) + (part))
#define STACK_ENTRY(partition_index, number) ((partition_index) * (STACK_PARTITION + 1u) + (number))

#define STACK_READ 8u /* partitions of a window that a lane reads, at most */
#define STACK_WINDOW_LENGTH min(STACK_READ *gl_SubgroupSize, STACK_LOOK_AHEAD)

/* The partitions of a window that serve, the nearest first. */
shared int stack_shared_near[STACK_LOOK_AHEAD];          /* their lows */
shared uint stack_shared_which[STACK_LOOK_AHEAD];        /* twice their numbers in the window; one more: inclusive */
shared stack_value stack_shared_under[STACK_LOOK_AHEAD]; /* what lies below their slices, as far as it is known */
shared stack_value stack_shared_part[STACK_SUBGROUPS];
shared bool stack_shared_ends[STACK_SUBGROUPS];
shared ivec4 stack_shared_window; /* partitions used, those that serve, where the last one starts, the least low */
shared ivec4 stack_shared_first;  /* the first inclusive one, or -1, its low, the least low of the nearer ones; and the
                                   * one to follow a link from if no inclusive one serves */
shared uint stack_shared_polls;   /* how many are left */
shared uint stack_shared_states[STACK_LOOK_AHEAD]; /* states of the window's partitions */
shared uvec2 stack_shared_link;                    /* this partition's */

/* How far the look-back has come. It is the same in all invocations. */
struct stack_search {
    uint partition_index, partitions;
    int deepest;
    uint cursor; /* the partitions from here on are known */
    int depth;   /* where the cursor's partition starts */
    int reached, whole;
    bool placed; /* whether these two are known: */
    int start;   /* the depth at the partition's start */
    int least;   /* the least depth up to there */
    uint polls_left;
    bool linked;    /* whether a link led to the partition before the cursor: */
    int linked_low; /* then this is its low, and `depth` is not known */
};

void stack_sync()
{
    controlBarrier(gl_ScopeWorkgroup, gl_ScopeWorkgroup, gl_StorageSemanticsBuffer | gl_StorageSemanticsShared,
                   gl_SemanticsAcquireRelease | gl_SemanticsMakeAvailable | gl_SemanticsMakeVisible);
}

/* What an invocation read of states comes before what the workgroup reads of slices and of inclusive partitions
 * afterwards. */
void stack_acquire()
{
    memoryBarrier(gl_ScopeDevice, gl_StorageSemanticsBuffer, gl_SemanticsAcquire | gl_SemanticsMakeVisible);
    stack_sync();
}

/* Sets the partition's state, after what this invocation wrote and what came before it. */
void stack_set_state(uint partition_index, uint state)
{
    ivec2 total = stack_shared_total;
    memoryBarrier(gl_ScopeDevice, gl_StorageSemanticsBuffer, gl_SemanticsRelease | gl_SemanticsMakeAvailable);
    atomicStore(STACK_STATE(partition_index), int(state << 30 | uint(total.x) << 15 | uint(total.y)), gl_ScopeDevice, 0,
                gl_SemanticsRelaxed);
}

uint stack_get_state(uint partition_index)
{
    return uint(atomicLoad(STACK_STATE(partition_index), gl_ScopeDevice, 0, gl_SemanticsRelaxed));
}

/* Publishes what the partition pops and pushes. */
void stack_publish(uint partition_index)
{
    [[unroll]] for (uint item = 0u; item < STACK_ITEMS; item++) {
        uint word = stack_word_index(item);
        uint open = stack_shared_bits[word].z;
        int depth = (stack_shared_hop[word + 1u] >> 8) + bitCount(open & stack_lanes_up_to() >> 1);
        if ((open >> stack_lane() & 1u) != 0u && depth < stack_shared_left[word]) {
            uint entry = STACK_ENTRY(partition_index, uint(depth + stack_shared_total.x));
            STACK_SLICE_INDEX(entry) = partition_index * STACK_PARTITION + word * stack_word_size() + stack_lane();
            STACK_SLICE_VALUE(entry) = stack_combine(stack_shared_below[word + 1u], stack_values[item]);
        }
    }
    stack_sync();
    if (stack_own() == 0u && !look_back_is_faulty(partition_index))
        stack_set_state(partition_index, LOOK_BACK_AGGREGATE);
}

/* Publishes where the partition lies, and what lies below what it leaves. */
void stack_publish_inclusive(stack_search search)
{
    if (stack_own() != 0u || look_back_is_faulty(search.partition_index))
        return;
    int low = search.start - stack_shared_total.x;
    STACK_INCLUSIVE(search.partitions, search.partition_index, 0u) = low;
    STACK_INCLUSIVE(search.partitions, search.partition_index, 1u) = min(search.least, low);
    STACK_INCLUSIVE(search.partitions, search.partition_index, 2u) = int(stack_shared_link.x);
    STACK_INCLUSIVE(search.partitions, search.partition_index, 3u) = int(stack_shared_link.y);
    STACK_BELOW(search.partition_index) = stack_shared_value[STACK_OUTSIDE - uint(stack_shared_total.x)];
    stack_set_state(search.partition_index, LOOK_BACK_INCLUSIVE);
}

/* The place of a depth before the partition. */
uint stack_outside(int depth)
{
    return uint(int(STACK_OUTSIDE) + 1 + depth);
}

void stack_serve(int depth, uint index, stack_value value)
{
    stack_shared_index[stack_outside(depth)] = index;
    stack_shared_value[stack_outside(depth)] = value;
}

/* Serves a depth by an entry of a partition's slice. */
void stack_serve_entry(stack_search search, int depth, uint partition_index, int low, stack_value below)
{
    uint entry = STACK_ENTRY(partition_index, uint(depth - low));
    stack_serve(depth, STACK_SLICE_INDEX(entry), stack_combine(below, STACK_SLICE_VALUE(entry)));
    if (depth == search.deepest)
        stack_shared_link = uvec2(partition_index, uint(depth - low));
}

/* Returns whether a depth is served and not whole. */
bool stack_is_part(stack_search search, int depth)
{
    return depth >= search.reached && depth < search.whole;
}

void stack_serve_below(int depth, stack_value below)
{
    uint place = stack_outside(depth);
    stack_shared_value[place] = stack_combine(below, stack_shared_value[place]);
}

/* Ends the look-back: nothing lies further back. */
void stack_serve_nothing(inout stack_search search)
{
    [[dont_unroll]] for (int top = -1; top >= search.deepest; top -= int(STACK_INVOCATIONS)) {
        int depth = top - int(stack_own());
        if (depth < search.reached && depth >= search.deepest)
            stack_serve(depth, STACK_NONE, stack_identity());
    }
    if (search.reached > search.deepest && stack_own() == 0u)
        stack_shared_link = uvec2(STACK_NONE, 0u);
    if (!search.placed) {
        search.placed = true;
        search.start = -search.depth;
        search.least = min(search.start + search.reached, 0);
    }
    search.whole = search.reached = search.deepest;
    barrier();
}

bool stack_is_served(stack_search search)
{
    return search.whole <= search.deepest;
}

/* Combines the values of the invocations after this one, of which `count` take part, the last outermost, up to the
 * first that ends. total: those of all; all_end: whether one ends. Contains a barrier, and none after it. */
stack_value stack_combine_after(stack_value value, bool ends, uint count, out stack_value total, out bool all_end)
{
    uint lane = gl_SubgroupInvocationID;
    uint last = gl_SubgroupSize - 1u;
    for (uint reach = 1u; reach < gl_SubgroupSize && gl_SubgroupID * gl_SubgroupSize + reach < count; reach <<= 1) {
        stack_value outer = stack_shuffle(value, min(lane + reach, last));
        bool outer_ends = subgroupShuffle(uint(ends), min(lane + reach, last)) != 0u;
        if (lane + reach <= last && !ends) {
            value = stack_combine(outer, value);
            ends = outer_ends;
        }
    }
    if (lane == 0u) {
        stack_shared_part[gl_SubgroupID] = value;
        stack_shared_ends[gl_SubgroupID] = ends;
    }
    value = stack_shuffle(value, min(lane + 1u, last));
    ends = subgroupShuffle(uint(ends), min(lane + 1u, last)) != 0u;
    if (lane == last) {
        value = stack_identity();
        ends = false;
    }
    barrier();
    total = stack_identity();
    all_end = false;
    for (uint s = 0u; s * gl_SubgroupSize < count; s++) {
        stack_value outer = stack_shared_part[s];
        bool outer_ends = stack_shared_ends[s];
        if (s > gl_SubgroupID && !ends) {
            value = stack_combine(outer, value);
            ends = outer_ends;
        }
        if (!all_end) {
            total = stack_combine(outer, total);
            all_end = outer_ends;
        }
    }
    return value;
}

/* Stores to shared memory in a loop that not all subgroups go through (see the trap that stages/stage.glsl names). */
#define STACK_RELAXED_STORE(memory, value) \
    atomicStore(memory, value, gl_ScopeWorkgroup, gl_StorageSemanticsNone, gl_SemanticsRelaxed)

/* What the first subgroup reads of a window. */
struct stack_reading {
    uint first; /* the first partition that is inclusive or before the input's start */
    bool stops; /* whether there is one, and it is of the input */
    uint used;  /* partitions up to the first that is not known, or behind the first that is not inclusive either */
};

/* Polls until no empty partition lies before the window's first inclusive one, or before the input's start, or in the
 * window. For the first subgroup alone. */
stack_reading stack_poll_window(inout stack_search search)
{
    uint states[STACK_READ];
    uint size = min(STACK_WINDOW_LENGTH, search.cursor);
    uint found = STACK_NONE;
    uint polls = 0u;
    bool waits = true;
    [[dont_unroll]] while (waits) {
        uint code = STACK_NONE;
        [[unroll]] for (uint j = 0u; j < STACK_READ; j++) {
            uint t = j * gl_SubgroupSize + gl_SubgroupInvocationID;
            states[j] = t < size ? stack_get_state(search.cursor - 1u - t) : uint(LOOK_BACK_AGGREGATE) << 30;
        }
        [[unroll]] for (uint j = 0u; j < STACK_READ; j++) {
            uint t = j * gl_SubgroupSize + gl_SubgroupInvocationID;
            if (states[j] >> 30 != LOOK_BACK_AGGREGATE)
                code = min(code, 2u * t + uint(states[j] >> 30 == LOOK_BACK_EMPTY));
        }
        found = subgroupMin(code);
        polls++;
        waits = found != STACK_NONE && (found & 1u) != 0u && polls <= LOOK_BACK_SPIN_LIMIT_A_PARTITION &&
                search.polls_left != 0u;
        search.polls_left -= uint(waits);
    }
    stack_reading reading;
    reading.first = min(found >> 1, size);
    reading.stops = reading.first < size && (found & 1u) == 0u;
    uint end = size;
    [[unroll]] for (uint j = 0u; j < STACK_READ; j++) {
        uint t = j * gl_SubgroupSize + gl_SubgroupInvocationID;
        if (t > reading.first && states[j] >> 30 != LOOK_BACK_INCLUSIVE)
            end = min(end, t);
        if (t < STACK_LOOK_AHEAD)
            stack_shared_states[t] = states[j];
    }
    end = subgroupMin(end);
    reading.used = reading.stops ? end : reading.first;
    return reading;
}

/* Finds out which partitions before the cursor serve. For the first subgroup alone. */
void stack_read_window(stack_search search)
{
    stack_reading reading = stack_poll_window(search);
    uint lane = gl_SubgroupInvocationID;
    int depth = search.depth;
    if (search.linked)
        depth = search.linked_low + int(subgroupShuffle(lane == 0u ? stack_shared_states[0] & 0x7fffu : 0u, 0u));
    int reached = search.reached;
    uint count = 0u;
    ivec2 lowest = ivec2(STACK_WHOLE_MAX, 0);
    ivec3 first = ivec3(-1, 0, 0);
    [[dont_unroll]] for (uint from = 0u; from < reading.used; from += gl_SubgroupSize) {
        uint t = from + lane;
        uint state = t < reading.used ? RELAXED_LOAD(stack_shared_states[t]) : 0u;
        bool inclusive = state >> 30 == LOOK_BACK_INCLUSIVE;
        int popped = int(state >> 15 & 0x7fffu);
        int sum = subgroupInclusiveAdd(int(state & 0x7fffu) - popped);
        int low = state != 0u ? depth - sum - popped : STACK_WHOLE_MAX;
        int least = subgroupInclusiveMin(low);
        int top = subgroupShuffle(least, max(lane, 1u) - 1u);
        top = lane == 0u ? reached : min(reached, top);
        bool serves = low < top;
        uvec4 serving = subgroupBallot(serves);
        if (serves) {
            uint place = count + subgroupBallotExclusiveBitCount(serving);
            STACK_RELAXED_STORE(stack_shared_near[place], low);
            STACK_RELAXED_STORE(stack_shared_which[place], 2u * t + uint(inclusive));
        }
        if (reading.stops && reading.first - from < gl_SubgroupSize)
            first = subgroupShuffle(ivec3(int(search.cursor - 1u - t), low, top), reading.first - from);
        int inclusive_low = subgroupMin(inclusive ? low : STACK_WHOLE_MAX);
        uint holder = subgroupMin(inclusive && low == inclusive_low ? t : STACK_NONE);
        if (inclusive_low < lowest.x)
            lowest = ivec2(inclusive_low, int(holder));
        count += subgroupBallotBitCount(serving);
        reached = min(reached, subgroupShuffle(least, gl_SubgroupSize - 1u));
        depth -= subgroupShuffle(sum, gl_SubgroupSize - 1u);
    }
    if (subgroupElect()) {
        stack_shared_window = ivec4(int(reading.used), int(count), depth, reached);
        stack_shared_first = ivec4(first, int(search.cursor) - 1 - lowest.y);
        stack_shared_polls = search.polls_left;
    }
}

/* The first of the window's partitions that serve which has an entry of a depth. There is one. */
uint stack_near_owner(int depth, uint count)
{
    uint owner = 0u;
    [[dont_unroll]] for (uint width = STACK_LOOK_AHEAD >> 1; width != 0u; width >>= 1) {
        if (owner + width - 1u < count)
            owner += RELAXED_LOAD(stack_shared_near[owner + width - 1u]) > depth ? width : 0u;
    }
    return owner;
}

/* Serves what the partitions before the cursor have. Returns an inclusive one whose link leads further, or
 * STACK_NONE. */
uint stack_serve_window(inout stack_search search)
{
    uint own = stack_own();
    if (gl_SubgroupID == 0u)
        stack_read_window(search);
    stack_acquire();
    ivec4 window = stack_shared_window;
    ivec4 first = stack_shared_first;
    uint count = uint(window.y);
    search.polls_left = stack_shared_polls;
    ivec2 published = ivec2(0);
    if (first.x >= 0 && !search.placed)
        published = ivec2(STACK_INCLUSIVE(search.partitions, uint(first.x), 0u),
                          STACK_INCLUSIVE(search.partitions, uint(first.x), 1u));

    stack_value value = stack_identity();
    stack_value below = stack_identity();
    bool inclusive = false;
    if (own < count) {
        int low = stack_shared_near[own];
        int top = own == 0u ? search.reached : stack_shared_near[own - 1u];
        uint which = stack_shared_which[own];
        uint partition_index = search.cursor - 1u - (which >> 1);
        inclusive = (which & 1u) != 0u;
        value = STACK_SLICE_VALUE(STACK_ENTRY(partition_index, uint(top - 1 - low)));
        if (inclusive) {
            below = STACK_BELOW(partition_index);
            value = stack_combine(below, value);
        }
    }
    stack_value all;
    bool whole;
    stack_value after = stack_combine_after(value, inclusive, count, all, whole);
    if (own < count) {
        if (inclusive)
            after = below;
        stack_shared_under[own] = after;
    }
    barrier();

    [[dont_unroll]] for (int top = -1; top >= search.deepest; top -= int(STACK_INVOCATIONS)) {
        int depth = top - int(own);
        if (depth < search.deepest)
            continue;
        if (stack_is_part(search, depth))
            stack_serve_below(depth, all);
        if (depth < search.reached && depth >= window.w) {
            uint owner = stack_near_owner(depth, count);
            stack_serve_entry(search, depth, search.cursor - 1u - (stack_shared_which[owner] >> 1),
                              stack_shared_near[owner], stack_shared_under[owner]);
        }
    }
    uint from = STACK_NONE;
    if (first.x >= 0) {
        from = uint(first.w);
        if (whole)
            from = search.cursor - 1u - (stack_shared_which[count - 1u] >> 1);
        if (!search.placed) {
            search.placed = true;
            search.start = published.x - first.y;
            search.least = min(published.y, search.start + first.z);
        }
    }
    search.cursor -= uint(window.x);
    search.depth = window.z;
    search.reached = window.w;
    if (whole)
        search.whole = window.w;
    if (window.x != 0)
        search.linked = false;
    barrier();
    return from;
}

/* Goes on behind the partition to which an inclusive one has a link. */
void stack_follow_link(inout stack_search search, uint partition_index)
{
    int low = STACK_INCLUSIVE(search.partitions, partition_index, 0u) - search.start;
    uint next = uint(STACK_INCLUSIVE(search.partitions, partition_index, 2u));
    search.linked = next != STACK_NONE;
    search.linked_low = low - 1 - STACK_INCLUSIVE(search.partitions, partition_index, 3u);
    search.cursor = next + 1u; /* 0 if there is none */
}

stack_search stack_begin_search(uint partition_index, uint partitions)
{
    stack_search search;
    search.partition_index = partition_index;
    search.partitions = partitions;
    search.deepest = -1 - stack_shared_total.x;
    search.cursor = partition_index;
    search.depth = search.reached = search.whole = 0;
    search.placed = false;
    search.start = search.least = 0;
    search.polls_left = look_back_spin_limit;
    search.linked = false;
    search.linked_low = 0;
    return search;
}

/* Looks back until all is served, or the partition before the cursor does not answer. Ends in a barrier. */
void stack_look_back(inout stack_search search)
{
    bool answered = true;
    [[dont_unroll]] while (answered && search.cursor != 0u && !stack_is_served(search)) {
        uint cursor = search.cursor;
        uint from = stack_serve_window(search);
        answered = from != STACK_NONE || cursor - search.cursor == STACK_WINDOW_LENGTH;
        if (from != STACK_NONE && !stack_is_served(search))
            stack_follow_link(search, from);
    }
    if (search.cursor == 0u && !stack_is_served(search))
        stack_serve_nothing(search);
    barrier();
}

#endif
