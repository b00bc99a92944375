/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The look-back table of a sort's pass as a ring. It has ring_slots slots, whatever the number of keys.
 *
 * sort_look_back.glsl calls publish and walk, as with any table. A kernel calls ring_begin after take_partition,
 * ring_take before the first publish, and ring_whole after a walk.
 *
 * Partition t has slot t mod ring_slots, and in it two words for each bin:
 *     low:  the tag, a bit that says that the value is an inclusive prefix, and the low RING_VALUE bits of the value
 *     high: the tag and the other bits of the value; only an inclusive prefix has this word
 * The tag, 1 + t / ring_slots, distinguishes the turns of the ring. A ring starts with zeros. A sort has two rings,
 * which its passes use in turn: the first partitions of a pass clear the slots of the other ring.
 *
 * A look-back reads only the low word. RING_VALUE bits hold the keys of as many partitions as there are slots.
 * Partition t knows the whole prefix of partition o = t - ring_slots, because it read it when it took over the slot.
 * Its own prefix is less than 2^RING_VALUE above that one.
 *
 * No counter marks the tail of the ring. Partition t takes the slot of partition o, in one bin, when it has seen both
 * words of o's inclusive prefix there, and the inclusive prefix of o + 1. After that nobody asks for o any more. A
 * counter for groups of partitions would be one address for all workgroups, would need a fence before each increment,
 * and would delay all bins by the slowest.
 *
 * Why it is right, with relaxed atomics and whatever the order in which words become visible:
 * 1. A reader takes a word only if its tag is that of the partition that the reader asks for. So the word is right
 *    whenever it arrives. Each partition has one inclusive prefix.
 * 2. Words are written as maxima. They grow from a partition's sum to its inclusive prefix to the next turn's tag. So
 *    an earlier partition's word never replaces a later partition's, whichever is written first.
 * 3. A reader that meets an older tag waits. A reader that meets a newer tag has been overtaken: the partition after
 *    the one that it asks for has its inclusive prefix. So the reader starts again at its own partition, and meets
 *    that prefix or a later one. Each new start takes one of the polls that are left.
 * 4. No wait is longer than its spin limit. A partition that waits for its slot in vain takes the slot nevertheless.
 *    So no slot is lost, and the next turn need not wait. This partition does not know the prefix of partition o, so
 *    it also reads the high words. A partition that does not get a predecessor's word, or that has started again too
 *    often, counts the predecessor's keys. They are still there, since a pass never writes to what it reads. So a pass
 *    also ends on a device that promises no progress, with the same result and in the same memory. A time-out costs
 *    what it costs with the full table: each partition that waits counts the keys it waits for. A partition counts the
 *    keys of all its predecessors only if it was suspended so long that all of them were overtaken. A ring is fast as
 *    long as it has more slots than the device has workgroups at once, and more than a look-back needs predecessors. */
#ifndef SORT_RING_GLSL
#define SORT_RING_GLSL

layout(constant_id = PRIMITIVE_CONSTANT_RING) const uint ring_slots = 512u; /* a power of two */

/* Enough bits for the number of keys of all slots. With 16 or more bits, the high word has room for the rest of the
 * value, and ring_join shifts its tag out. */
#define RING_VALUE max(uint(findMSB(SORT_PARTITION *ring_slots)) + 1u, SORT_RING_VALUE_LEAST)
#define RING_MASK ((1u << RING_VALUE) - 1u)
#define RING_INCLUSIVE 1u

uint ring_start;     /* the first word of the pass's ring */
uint ring_partition; /* the workgroup's partition */
uint ring_base;      /* the bin's inclusive prefix in the partition that had the slot before */
uvec3 ring_seen;     /* what ring_begin read */
bool ring_known;     /* whether ring_base is known */

/* Returns the index of the low word. The high word lies SORT_BINS behind it. */
uint ring_index(uint partition_index, uint bin)
{
    return ring_start + partition_index % ring_slots * SORT_RING_SLOT_WORDS + bin;
}

uint ring_tag(uint partition_index)
{
    return 1u + partition_index / ring_slots;
}

uint ring_load(uint index)
{
    return atomicLoad(tables[index], gl_ScopeDevice, 0, gl_SemanticsRelaxed);
}

uint ring_word_tag(uint word)
{
    return word >> (RING_VALUE + 1u);
}

/* Returns whether this is a low word of this partition in this state. */
bool ring_is(uint word, uint partition_index, uint state)
{
    return word >> RING_VALUE == (ring_tag(partition_index) << 1 | state);
}

uint ring_join(uint low, uint high)
{
    return (low & RING_MASK) | high << RING_VALUE;
}

/* Reads the words that decide whether a partition's slot may be taken: both words of the partition, and the low word of
 * the next partition. */
uvec3 ring_read(uint partition_index, uint bin)
{
    uint index = ring_index(partition_index, bin);
    return uvec3(ring_load(index), ring_load(index + SORT_BINS), ring_load(ring_index(partition_index + 1u, bin)));
}

/* Returns whether nobody needs this partition's words of the bin any more, the partition itself included. That is also
 * so if the next partition's words have been overwritten. */
bool ring_is_done(uint partition_index, uvec3 words)
{
    return ring_is(words.x, partition_index, RING_INCLUSIVE) && ring_word_tag(words.y) == ring_tag(partition_index) &&
           (ring_is(words.z, partition_index + 1u, RING_INCLUSIVE) ||
            ring_word_tag(words.z) > ring_tag(partition_index + 1u));
}

/* Starts a read, whose result ring_take uses. The partition's keys are read in between. */
void ring_begin(uint partition_index, uint bin, uint source)
{
    uint words = SORT_RING_SLOT_WORDS * min(sort_partition_count(push.max_count), ring_slots);
    ring_start = source * words;
    ring_partition = partition_index;
    ring_base = 0u;
    ring_seen = uvec3(0u);
    ring_known = true;
    if (bin < SORT_BINS && partition_index >= ring_slots)
        ring_seen = ring_read(partition_index - ring_slots, bin);
    if (bin < SORT_BINS && partition_index < ring_slots) {
        uint other = ring_index(partition_index, bin) - ring_start + (1u - source) * words;
        atomicStore(tables[other], 0u, gl_ScopeDevice, 0, gl_SemanticsRelaxed);
        atomicStore(tables[other + SORT_BINS], 0u, gl_ScopeDevice, 0, gl_SemanticsRelaxed);
    }
}

void ring_take(uint bin)
{
    if (bin >= SORT_BINS || ring_partition < ring_slots)
        return;
    uint partition_index = ring_partition - ring_slots;
    uint polls_left = LOOK_BACK_SPIN_LIMIT_A_PARTITION;
    while (!ring_is_done(partition_index, ring_seen)) {
        if (polls_left == 0u) {
            ring_known = false;
            break;
        }
        polls_left--;
        ring_seen = ring_read(partition_index, bin);
    }
    ring_base = ring_join(ring_seen.x, ring_seen.y);
}

void publish(uint partition_index, uint bin, uint state, uint value)
{
    if (look_back_is_faulty(partition_index))
        return;
    uint index = ring_index(partition_index, bin);
    bool inclusive = state == LOOK_BACK_INCLUSIVE;
    uint word = (ring_tag(partition_index) << 1 | uint(inclusive)) << RING_VALUE | (value & RING_MASK);
    atomicMax(tables[index], word, gl_ScopeDevice, 0, gl_SemanticsRelaxed);
    if (inclusive) {
        word = ring_tag(partition_index) << (RING_VALUE + 1u) | value >> RING_VALUE;
        atomicMax(tables[index + SORT_BINS], word, gl_ScopeDevice, 0, gl_SemanticsRelaxed);
    }
}

/* Waits for a word of the next partition that walk can fold, after it found none. */
void wait_for(uint word, uint bin, inout uint next, inout uint sum, inout uint polls_left)
{
    uint partition_index = next - 1u;
    if (ring_is(word, partition_index, RING_INCLUSIVE)) {
        uint high = ring_load(ring_index(partition_index, bin) + SORT_BINS);
        if (ring_word_tag(high) == ring_tag(partition_index)) {
            sum += ring_join(word, high);
            next = 0u;
        }
    } else if (ring_word_tag(word) > ring_tag(partition_index) && polls_left != 0u) {
        next = ring_partition;
        sum = 0u;
        polls_left--;
    }
}

/* Reads several words of one turn at once, as in the full table. Starts again if a later partition's word stands in a
 * slot. If ring_base is known, the sum is exact only modulo 2^RING_VALUE: each word is added less its tag, and
 * the bit above the value is added with it. */
void walk(uint bin, inout uint next, inout uint sum, inout uint polls_left)
{
    uint waited = 0u;
    uint foldable = ring_known ? 2u << RING_VALUE : 1u << RING_VALUE;
    while (next != 0u) {
        uint slot = (next - 1u) % ring_slots;
        uint tag = ring_tag(next - 1u) << (RING_VALUE + 1u);
        uint words[look_ahead];
        [[unroll]] for (uint k = 0u; k < look_ahead; k++)
            words[k] = ring_load(ring_start + (slot - min(k, slot)) * SORT_RING_SLOT_WORDS + bin);
        bool missing = false;
        waited++;
        [[unroll]] for (uint k = 0u; k < look_ahead; k++) {
            uint rest = words[k] - tag;
            missing = missing || rest >= foldable || k > slot;
            if (missing || next == 0u)
                continue;
            sum += rest;
            next = rest >> RING_VALUE == RING_INCLUSIVE ? 0u : next - 1u;
            waited = 0u;
        }
        if (waited != 0u)
            wait_for(words[0], bin, next, sum, polls_left);
        if (waited > LOOK_BACK_SPIN_LIMIT_A_PARTITION || (waited != 0u && polls_left == 0u))
            break;
        polls_left -= min(waited, 1u);
    }
}

/* Returns the whole sum after a walk. */
uint ring_whole(uint sum)
{
    return ring_known ? ring_base + ((sum - ring_base) & RING_MASK) : sum;
}

#endif
