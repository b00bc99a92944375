/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Stack monoid: what a partition needs of the stack before it, by look-back over the partitions before.
 *
 * A partition that pops E entries needs those and the one under them. Depths count from the depth at the partition's
 * start, so these are the depths -1 to -E - 1, the deepest. They are served from the top down. `reached` is the last
 * depth that is served, or 0. An entry is whole if what lies below it is combined with it; those from `whole` upward
 * are.
 *
 * A gathering reads the states of the partitions before the cursor, window by window, and lists those that serve, the
 * nearest first, until one of them is inclusive. Their entries are then fetched at once: serving them window by window
 * took three quarters longer on long rows. A lane takes neighbours in a window, because then a window costs few
 * steps. Every subgroup goes through that with the same states, since lanes of a subgroup that alone goes through a
 * branch need not stay together: on an H100 they did not, in half of the shapes. The listed partitions then serve the
 * depths from their low up to the low of the nearer one. Combined, their topmost entries that are left are what lies
 * below the nearer ones. The first inclusive one says how deep the partition lies. It and the inclusive ones right
 * behind it know what lies below their own slices. Depths that are missing then lie further back. The next window is at
 * the partition to which the lowest inclusive one has a link, so a search passes over what lies between, however long
 * that is. */
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

#define STACK_RUN_MOST 8u /* neighbours in a window that a lane reads, at most */
#define STACK_LIST uint(STACK_INVOCATIONS)
#define STACK_NOTHING (uint(LOOK_BACK_AGGREGATE) << 30) /* the state of a partition that neither pops nor pushes */

/* How far the look-back has come. Depths are the partition's. */
struct stack_search {
    uint partitions;
    int deepest;
    uint cursor; /* the partitions from here on are known */
    int depth;   /* where the cursor's partition starts */
    int reached, whole;
    int last_reached, last_whole; /* as they were before the last gathering */
    bool placed;                  /* whether these two are known: */
    int start;                    /* the depth at the partition's start */
    int least;                    /* the least depth up to there */
    uint polls_left;
    bool linked;    /* whether a link led to the partition before the cursor: */
    int linked_low; /* then this is its low, and `depth` is not known */
};

/* What a gathering found beside the list. */
struct stack_gathering {
    bool answered;
    uint count;        /* partitions in the list */
    bool whole;        /* whether the last of them is inclusive */
    uint first;        /* the first inclusive one, or STACK_NONE: */
    int first_low;     /* its low */
    int first_reached; /* `reached` when it was found */
    uint lowest;       /* the inclusive one with the least low */
};

shared stack_search stack_shared_search;
shared stack_gathering stack_shared_gathering;
shared int stack_shared_near[STACK_LIST];          /* the list: lows */
shared uint stack_shared_which[STACK_LIST];        /* twice the partition; one more: it is inclusive */
shared stack_value stack_shared_under[STACK_LIST]; /* what lies below the slice, as far as it is known */
shared stack_value stack_shared_part[STACK_SUBGROUPS];
shared bool stack_shared_ends[STACK_SUBGROUPS];
shared uint stack_shared_states[STACK_LOOK_AHEAD];
shared uint stack_shared_codes[2u * STACK_SUBGROUPS]; /* what the subgroups found in a window, for two turns */
shared uvec2 stack_shared_link;                       /* this partition's */

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

int stack_pops(uint state)
{
    return int(state >> 15 & 0x7fffu);
}

int stack_pushes(uint state)
{
    return int(state & 0x7fffu);
}

bool stack_is_inclusive(uint state)
{
    return state >> 30 == LOOK_BACK_INCLUSIVE;
}

/* Publishes what the partition pops and pushes. */
void stack_publish(uint partition_index)
{
    STACK_LOOP for (uint item = 0u; item < STACK_ITEMS; item++)
    {
        uint word = stack_word_index(item);
        uint open = stack_shared_bits[word].z;
        int depth = (stack_shared_hop[word + 1u] >> 8) + bitCount(open & stack_lanes_up_to() >> 1);
        if ((open >> stack_lane() & 1u) != 0u && depth < stack_shared_left[word]) {
            uint entry = STACK_ENTRY(partition_index, uint(depth + stack_shared_total.x));
            STACK_SLICE_INDEX(entry) = partition_index * STACK_PARTITION + word * stack_word_size() + stack_lane();
            STACK_SLICE_VALUE(entry) =
                stack_combine(stack_shared_below[word + 1u], STACK_PLACE_VALUE(stack_place(word + 1u, depth)));
        }
    }
    stack_sync();
    if (stack_own() == 0u && !look_back_is_faulty(partition_index))
        stack_set_state(partition_index, LOOK_BACK_AGGREGATE);
}

/* The place of a depth before the partition. */
uint stack_outside(int depth)
{
    return uint(int(STACK_OUTSIDE) + 1 + depth);
}

void stack_serve(int depth, uint index, stack_value value)
{
    STACK_PLACE_INDEX(stack_outside(depth)) = index;
    STACK_PLACE_VALUE(stack_outside(depth)) = value;
}

/* Publishes where the partition lies, and what lies below what it leaves. */
void stack_publish_inclusive()
{
    stack_search search = stack_shared_search;
    if (stack_own() != 0u || look_back_is_faulty(stack_home))
        return;
    int low = search.start - stack_shared_total.x;
    STACK_INCLUSIVE(search.partitions, stack_home, 0u) = low;
    STACK_INCLUSIVE(search.partitions, stack_home, 1u) = min(search.least, low);
    STACK_INCLUSIVE(search.partitions, stack_home, 2u) = int(stack_shared_link.x);
    STACK_INCLUSIVE(search.partitions, stack_home, 3u) = int(stack_shared_link.y);
    STACK_BELOW(stack_home) = STACK_PLACE_VALUE(stack_outside(-1 - stack_shared_total.x));
    stack_set_state(stack_home, LOOK_BACK_INCLUSIVE);
}

/* Serves a depth by an entry of a partition's slice. */
void stack_serve_entry(stack_search search, int depth, uint partition_index, int low, stack_value below)
{
    uint entry = STACK_ENTRY(partition_index, uint(depth - low));
    stack_serve(depth, STACK_SLICE_INDEX(entry), stack_combine(below, STACK_SLICE_VALUE(entry)));
    if (depth == search.deepest)
        stack_shared_link = uvec2(partition_index, uint(depth - low));
}

/* Returns whether a depth had been served before the last gathering and was not whole. */
bool stack_is_part(stack_search search, int depth)
{
    return depth >= search.last_reached && depth < search.last_whole;
}

void stack_serve_below(int depth, stack_value below)
{
    uint place = stack_outside(depth);
    STACK_PLACE_VALUE(place) = stack_combine(below, STACK_PLACE_VALUE(place));
}

bool stack_is_served()
{
    return stack_shared_search.whole <= stack_shared_search.deepest;
}

/* Ends the look-back: nothing lies further back. Ends in a barrier. */
void stack_serve_nothing()
{
    stack_search search = stack_shared_search;
    [[dont_unroll]] for (int top = -1; top >= search.deepest; top -= int(STACK_INVOCATIONS)) {
        int depth = top - int(stack_own());
        if (depth < search.reached && depth >= search.deepest)
            stack_serve(depth, STACK_NONE, stack_identity());
    }
    stack_sync();
    if (stack_own() == 0u) {
        if (search.reached > search.deepest)
            stack_shared_link = uvec2(STACK_NONE, 0u);
        if (!search.placed) {
            stack_shared_search.placed = true;
            stack_shared_search.start = -search.depth;
            stack_shared_search.least = min(search.reached - search.depth, 0);
        }
        stack_shared_search.whole = stack_shared_search.reached = search.deepest;
    }
    barrier();
}

/* Combines the values of the invocations after this one, of which `count` take part, the last outermost, up to the
 * first that ends. The others bring the identity. total: those of all. Contains a barrier, and none after it. */
stack_value stack_combine_after(stack_value value, bool ends, uint count, out stack_value total)
{
    uint lane = gl_SubgroupInvocationID;
    uint last = gl_SubgroupSize - 1u;
    for (uint reach = 1u; reach < min(gl_SubgroupSize, count); reach <<= 1) {
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
    bool all_end = false;
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

/* Neighbours that a lane reads. */
uint stack_run()
{
    return clamp(uint(STACK_LOOK_AHEAD) / gl_SubgroupSize, 1u, STACK_RUN_MOST);
}

/* The partitions before the cursor, the nearest first. Their states lie in shared memory. */
struct stack_window {
    uint first;    /* the first partition that is inclusive or did not answer, or the window's size */
    bool stops;    /* whether it is inclusive */
    bool answered; /* whether it is not one that did not answer */
    uint used;     /* partitions up to it, and the inclusive ones from it on */
};

/* Reads the states of a window into shared memory. Returns twice the first partition that is inclusive or empty, and
 * one more if it is empty, or STACK_NONE. Contains a barrier. turn: 0 and 1 in turn. */
uint stack_read_states(uint cursor, uint size, uint turn)
{
    uint states[STACK_RUN_MOST];
    uint code = STACK_NONE;
    [[unroll]] for (uint j = 0u; j < STACK_RUN_MOST; j++) {
        /* Invocations behind the window read its last state too, because a load without a condition does not wait for
         * the one before. */
        if (j * STACK_INVOCATIONS < STACK_LOOK_AHEAD)
            states[j] = stack_get_state(cursor - 1u - min(j * STACK_INVOCATIONS + stack_own(), size - 1u));
    }
    [[unroll]] for (uint j = 0u; j < STACK_RUN_MOST; j++) {
        uint t = j * STACK_INVOCATIONS + stack_own();
        if (j * STACK_INVOCATIONS < STACK_LOOK_AHEAD && t < size) {
            stack_shared_states[t] = states[j];
            if (states[j] >> 30 != LOOK_BACK_AGGREGATE)
                code = min(code, 2u * t + uint(states[j] >> 30 == LOOK_BACK_EMPTY));
        }
    }
    code = subgroupMin(code);
    if (subgroupElect())
        stack_shared_codes[turn * STACK_SUBGROUPS + gl_SubgroupID] = code;
    barrier();
    code = STACK_NONE;
    for (uint s = gl_SubgroupInvocationID; s < gl_NumSubgroups; s += gl_SubgroupSize)
        code = min(code, stack_shared_codes[turn * STACK_SUBGROUPS + s]);
    return subgroupMin(code);
}

/* Polls until no empty partition lies before the window's first inclusive one, or before the input's start, or in the
 * window. */
stack_window stack_read_window(inout stack_search search, uint size)
{
    stack_window window;
    uint run = stack_run(), lane = gl_SubgroupInvocationID;
    uint found = STACK_NONE;
    uint polls = 0u;
    bool waits = true;
    [[dont_unroll]] while (waits) {
        found = stack_read_states(search.cursor, size, polls & 1u);
        polls++;
        waits = found != STACK_NONE && (found & 1u) != 0u && polls <= LOOK_BACK_SPIN_LIMIT_A_PARTITION &&
                search.polls_left != 0u;
        search.polls_left -= uint(waits);
    }
    window.first = min(found >> 1, size);
    window.answered = window.first == size || (found & 1u) == 0u;
    window.stops = window.first < size && window.answered;
    uint end = size;
    [[unroll]] for (uint j = 0u; j < STACK_RUN_MOST; j++) {
        uint t = lane * run + j;
        if (j < run && t < size && t > window.first && !stack_is_inclusive(stack_shared_states[t]))
            end = min(end, t);
    }
    end = subgroupMin(end);
    window.used = window.stops ? end : window.first;
    return window;
}

/* The state of a lane's neighbour in a window. */
uint stack_state(stack_window window, uint run, uint j)
{
    uint t = gl_SubgroupInvocationID * run + j;
    return j < run && t < window.used ? stack_shared_states[t] : STACK_NOTHING;
}

/* Lists the partitions of a window that serve. Returns false and does nothing if the list has no room for them. */
bool stack_list_window(inout stack_search search, inout stack_gathering gathering, stack_window window)
{
    uint lane = gl_SubgroupInvocationID, last = gl_SubgroupSize - 1u;
    uint run = stack_run();
    int depth = search.depth;
    if (window.used == 0u)
        return true;
    if (search.linked)
        depth = search.linked_low + stack_pushes(stack_shared_states[0]);
    int moved = 0, least = STACK_WHOLE_MAX;
    [[unroll]] for (uint j = 0u; j < STACK_RUN_MOST; j++) {
        uint state = stack_state(window, run, j);
        least = min(least, moved - stack_pushes(state));
        moved += stack_pops(state) - stack_pushes(state);
    }
    int after = depth + subgroupInclusiveAdd(moved);
    int before = after - moved;
    least = min(subgroupInclusiveMin(before + least), search.reached);
    int reached = subgroupShuffle(least, max(lane, 1u) - 1u);
    if (lane == 0u)
        reached = search.reached;

    uint serves = 0u;
    int at = before, top = reached;
    [[unroll]] for (uint j = 0u; j < STACK_RUN_MOST; j++) {
        uint state = stack_state(window, run, j);
        int low = at - stack_pushes(state);
        serves |= uint(low < top) << j;
        top = min(top, low);
        at = low + stack_pops(state);
    }
    uint count = uint(bitCount(serves));
    uint counted = subgroupInclusiveAdd(count);
    uint total = subgroupShuffle(counted, last);
    if (gathering.count + total > STACK_LIST)
        return false;

    uint nearest = search.cursor - 1u - lane * run;
    uint place = gathering.count + counted - count;
    ivec2 first = ivec2(0);
    int lowest = STACK_WHOLE_MAX;
    uint lowest_which = STACK_NONE;
    bool whole = false;
    at = before, top = reached;
    [[unroll]] for (uint j = 0u; j < STACK_RUN_MOST; j++) {
        uint state = stack_state(window, run, j);
        int low = at - stack_pushes(state);
        bool inclusive = stack_is_inclusive(state);
        if (low < top) {
            if (gl_SubgroupID == 0u) {
                stack_shared_near[place] = low;
                stack_shared_which[place] = 2u * (nearest - j) + uint(inclusive);
            }
            place++;
            whole = whole || inclusive;
        }
        if (lane * run + j == window.first)
            first = ivec2(low, top);
        if (inclusive && low < lowest) {
            lowest = low;
            lowest_which = lane * run + j;
        }
        top = min(top, low);
        at = low + stack_pops(state);
    }
    gathering.count += total;
    if (window.stops) {
        int lowest_of_all = subgroupMin(lowest);
        first = subgroupShuffle(first, window.first / run);
        gathering.whole = subgroupAny(whole);
        gathering.first = search.cursor - 1u - window.first;
        gathering.first_low = first.x;
        gathering.first_reached = first.y;
        gathering.lowest = search.cursor - 1u - subgroupMin(lowest == lowest_of_all ? lowest_which : STACK_NONE);
    }
    search.linked = false;
    search.cursor -= window.used;
    search.depth = subgroupShuffle(after, last);
    search.reached = subgroupShuffle(least, last);
    return true;
}

/* Lists the partitions before the cursor that serve, up to the first inclusive one and those right behind it, or the
 * input's start, or as far as the list has room or all answer. All subgroups do the same, and the first one lists. */
void stack_gather()
{
    stack_search search = stack_shared_search;
    search.last_reached = search.reached;
    search.last_whole = search.whole;
    stack_gathering gathering = stack_gathering(true, 0u, false, STACK_NONE, 0, 0, STACK_NONE);
    uint size_most = min(stack_run() * gl_SubgroupSize, STACK_LOOK_AHEAD);
    bool full = false;
    [[dont_unroll]] while (!full && gathering.answered && gathering.first == STACK_NONE && search.cursor != 0u) {
        stack_window window = stack_read_window(search, min(size_most, search.cursor));
        if (stack_list_window(search, gathering, window)) {
            gathering.answered = window.answered;
            full = 2u * gathering.count > STACK_LIST;
        } else {
            /* As many partitions as an empty list has room for fit in any case. */
            full = gathering.count != 0u;
            size_most = STACK_LIST;
        }
        barrier();
    }
    if (stack_own() == 0u) {
        stack_shared_search = search;
        stack_shared_gathering = gathering;
    }
}

/* Places the partition, and finds out where the look-back goes on. For one invocation. */
void stack_go_on(inout stack_search search, stack_gathering gathering)
{
    if (gathering.first == STACK_NONE)
        return;
    if (!search.placed) {
        search.placed = true;
        search.start = STACK_INCLUSIVE(search.partitions, gathering.first, 0u) - gathering.first_low;
        search.least =
            min(STACK_INCLUSIVE(search.partitions, gathering.first, 1u), search.start + gathering.first_reached);
    }
    if (gathering.whole)
        search.whole = search.reached;
    if (search.whole <= search.deepest)
        return;
    uint from = gathering.whole ? stack_shared_which[gathering.count - 1u] >> 1 : gathering.lowest;
    uint next = uint(STACK_INCLUSIVE(search.partitions, from, 2u));
    int low = STACK_INCLUSIVE(search.partitions, from, 0u) - search.start;
    search.cursor = next + 1u; /* 0 if there is none */
    search.linked = next != STACK_NONE;
    search.linked_low = low - 1 - STACK_INCLUSIVE(search.partitions, from, 3u);
}

/* The first partition in the list that has an entry of a depth. There is one. */
uint stack_near_owner(int depth, uint count)
{
    uint owner = 0u;
    [[dont_unroll]] for (uint width = count < 2u ? 0u : 1u << findMSB(count - 1u); width != 0u; width >>= 1) {
        if (owner + width - 1u < count)
            owner += RELAXED_LOAD(stack_shared_near[owner + width - 1u]) > depth ? width : 0u;
    }
    return owner;
}

/* Serves what the listed partitions have. Returns whether the look-back goes on. Ends in a barrier. */
bool stack_serve_list()
{
    uint own = stack_own();
    stack_acquire();
    stack_search search = stack_shared_search;
    stack_gathering gathering = stack_shared_gathering;
    uint count = gathering.count;
    stack_value value = stack_identity();
    stack_value below = stack_identity();
    bool inclusive = false;
    if (own < count) {
        int low = stack_shared_near[own];
        int top = own == 0u ? search.last_reached : stack_shared_near[own - 1u];
        uint which = stack_shared_which[own];
        inclusive = (which & 1u) != 0u;
        value = STACK_SLICE_VALUE(STACK_ENTRY(which >> 1, uint(top - 1 - low)));
        if (inclusive) {
            below = STACK_BELOW(which >> 1);
            value = stack_combine(below, value);
        }
    }
    if (own == 0u)
        stack_go_on(search, gathering);
    stack_value all;
    stack_value after = stack_combine_after(value, inclusive, count, all);
    if (own < count)
        stack_shared_under[own] = inclusive ? below : after;
    if (own == 0u)
        stack_shared_search = search;
    barrier();

    bool more = gathering.answered && stack_shared_search.cursor != 0u && !stack_is_served();
    [[dont_unroll]] for (int top = -1; top >= search.deepest; top -= int(STACK_INVOCATIONS)) {
        int depth = top - int(own);
        if (depth < search.deepest)
            continue;
        if (stack_is_part(search, depth))
            stack_serve_below(depth, all);
        if (depth < search.last_reached && depth >= search.reached) {
            uint owner = stack_near_owner(depth, count);
            stack_serve_entry(search, depth, stack_shared_which[owner] >> 1, stack_shared_near[owner],
                              stack_shared_under[owner]);
        }
    }
    stack_sync();
    return more;
}

/* For one invocation. */
void stack_begin_search(uint partitions)
{
    stack_shared_search = stack_search(partitions, -1 - stack_shared_total.x, stack_home, 0, 0, 0, 0, 0, false, 0, 0,
                                       look_back_spin_limit, false, 0);
}

/* Looks back until all is served, or the partition before the cursor does not answer. Starts after a barrier, and ends
 * in one. */
void stack_look_back()
{
    bool more = stack_shared_search.cursor != 0u && !stack_is_served();
    barrier();
    [[dont_unroll]] while (more) {
        stack_gather();
        more = stack_serve_list();
    }
    if (stack_shared_search.cursor == 0u && !stack_is_served())
        stack_serve_nothing();
}

#endif
