/* sort, one dispatch a digit: each tile ranks its keys, learns from its predecessors how many keys of each bin come before, and
 * scatters. Stable.
 * Reads: plan, one half of keys and values. Writes: the other half. Dispatch: indirect, from the plan.
 * The includer defines SORT_VALUES if keys have values, SORT_PARTITIONED if the device has partitioned subgroup operations. The shape
 * is given by specialisation constants: at least SORT_BINS invocations, some keys each.
 * Invariant: an invocation owns one bin in look-back. The half that is read is never written in a pass, so that a fallback can
 * count a missing tile again.
 * Source: Adinets and Merrill, "Onesweep: A Faster Least Significant Digit Radix Sort for GPUs", 2022. */
#define LOOK_BACK_CONSTANTS_ONLY
#include "primitive/look_back.glsl"
#include "primitive/sort_rank.glsl"

layout(constant_id = PRIMITIVE_CONSTANT_AHEAD) const uint walk_ahead = 4u;

shared uint shared_tile;
shared uint shared_stuck;

sort_key load_key(uint source, uint i)
{
    return source == 0u ? keys_a[i] : keys_b[i];
}

/* Items at a time: what is kept for all of them costs registers and so occupancy. */
#define COUNTED 8u
#define PLACED 4u
#define STORED 4u

/* `number` keys of this invocation, from the k-th on; where only `valid` of the tile are there, the others get all bits. The test for
 * the half stands outside the loop, so that all loads are on their way at once. */
#define LOAD_KEYS(number, half) \
    [[unroll]] for (uint j = 0u; j < number; j++) \
        keys[j] = first + (k + j) * gl_SubgroupSize < valid ? half[base + (k + j) * gl_SubgroupSize] : sort_key(0xffffffffu);

#ifdef SORT_VALUES
#define LOAD_VALUES(number, half) \
    [[unroll]] for (uint j = 0u; j < number; j++) \
        values[j] = first + (k + j) * gl_SubgroupSize < valid ? half[base + (k + j) * gl_SubgroupSize] : 0u;
#define STORE_VALUE(half) half[place] = pool[VALUES_AT + i];
#else
#define LOAD_VALUES(number, half)
#define STORE_VALUE(half)
#endif

uint take_tile(uint tile_count)
{
    if (gl_LocalInvocationIndex == 0u)
        shared_tile = atomicAdd(plan.tickets[push.pass], 1u, gl_ScopeDevice, 0, gl_SemanticsRelaxed);
    barrier();
    return look_back_tile(shared_tile, tile_count);
}

uint table_index(uint tile, uint bin)
{
    return sort_table(push.pass) + tile * SORT_BINS + bin;
}

void publish(uint tile, uint bin, uint state, uint value)
{
    if (!look_back_is_silent(tile))
        atomicStore(tables[table_index(tile, bin)], state << 30 | value, gl_ScopeDevice, 0, gl_SemanticsRelaxed);
}

void sort_counts_known(uint tile, uint bin, uint count)
{
    publish(tile, bin, tile == 0u ? LOOK_BACK_INCLUSIVE : LOOK_BACK_AGGREGATE, count);
}

/* Folds the bin's predecessors until all are known (next becomes 0) or one does not answer. Some are read at once, nearest first. */
void walk(uint bin, inout uint next, inout uint sum, inout uint polls)
{
    uint waited = 0u;
    while (next != 0u) {
        uint words[walk_ahead];
        [[unroll]] for (uint k = 0u; k < walk_ahead; k++)
            words[k] = atomicLoad(tables[table_index(next - 1u - min(k, next - 1u), bin)], gl_ScopeDevice, 0, gl_SemanticsRelaxed);
        bool silent = false;
        waited++;
        [[unroll]] for (uint k = 0u; k < walk_ahead; k++) {
            silent = silent || words[k] >> 30 == LOOK_BACK_EMPTY;
            if (silent || next == 0u)
                continue;
            sum += words[k] & LOOK_BACK_MAX;
            next = words[k] >> 30 == LOOK_BACK_INCLUSIVE ? 0u : next - 1u;
            waited = 0u;
        }
        if (waited > LOOK_BACK_POLLS_A_TILE || (waited != 0u && polls == 0u))
            break;
        polls -= min(waited, 1u);
    }
}

/* Counts the bins of any earlier tile, which is full, into bin_count. */
void recompute(uint source, uint tile, uint bits)
{
    if (gl_LocalInvocationIndex < SORT_BINS)
        bin_count[gl_LocalInvocationIndex] = 0u;
    barrier();
    for (uint k = 0u; k < sort_items; k++) {
        sort_key key = load_key(source, tile * SORT_TILE + k * SORT_INVOCATIONS + gl_LocalInvocationIndex);
        atomicAdd(bin_count[bin_of(key, push.pass, bits)], 1u, gl_ScopeWorkgroup, 0, gl_SemanticsRelaxed);
    }
    barrier();
}

/* Keys of the bin in all earlier tiles. Invocations without a bin take part in barriers alone. */
uint look_back_bin(uint source, uint tile, uint bin, uint count, uint bits)
{
    uint next = bin < SORT_BINS ? tile : 0u;
    uint sum = 0u;
    uint polls = look_back_polls;
    while (true) {
        walk(bin, next, sum, polls);
        if (gl_LocalInvocationIndex == 0u)
            shared_stuck = 0u;
        barrier();
        uint stuck = subgroupMax(next);
        if (stuck != 0u && subgroupElect())
            atomicMax(shared_stuck, stuck, gl_ScopeWorkgroup, 0, gl_SemanticsRelaxed);
        barrier();
        stuck = shared_stuck;
        barrier();
        if (stuck == 0u)
            break;
        recompute(source, stuck - 1u, bits);
        if (next == stuck) {
            uint missing = bin_count[bin];
            atomicCompSwap(tables[table_index(next - 1u, bin)], LOOK_BACK_EMPTY, LOOK_BACK_AGGREGATE << 30 | missing, gl_ScopeDevice, 0,
                           gl_SemanticsRelaxed, 0, gl_SemanticsRelaxed);
            sum += missing;
            next--;
        }
        barrier();
    }
    if (bin < SORT_BINS && tile != 0u)
        publish(tile, bin, LOOK_BACK_INCLUSIVE, sum + count);
    return sum;
}

/* Counts this invocation's keys. What pads the last tile has the highest bin and stays behind all keys. */
void count_keys(uint source, uint first, uint base, uint valid, uint bits)
{
    clear_counts();
    [[dont_unroll]] for (uint k = 0u; k < sort_items; k += COUNTED) {
        sort_key keys[COUNTED];
        if (source == 0u) {
            LOAD_KEYS(COUNTED, keys_a)
        } else {
            LOAD_KEYS(COUNTED, keys_b)
        }
        [[unroll]] for (uint j = 0u; j < COUNTED; j++) {
            if (k + j < sort_items)
                count_in_subgroup(bin_of(keys[j], push.pass, bits));
        }
    }
}

/* Reads the keys again, which the cache still has, and puts each into its place as soon as that is known. */
void place_items(uint source, uint first, uint base, uint valid, uint bits)
{
    [[dont_unroll]] for (uint k = 0u; k < sort_items; k += PLACED) {
        sort_key keys[PLACED];
#ifdef SORT_VALUES
        uint values[PLACED];
#endif
        if (source == 0u) {
            LOAD_KEYS(PLACED, keys_a)
            LOAD_VALUES(PLACED, values_a)
        } else {
            LOAD_KEYS(PLACED, keys_b)
            LOAD_VALUES(PLACED, values_b)
        }
        [[unroll]] for (uint j = 0u; j < PLACED; j++) {
            if (k + j < sort_items) {
                uint position = position_in_tile(bin_of(keys[j], push.pass, bits));
                pool_set(position, keys[j]);
#ifdef SORT_VALUES
                pool[VALUES_AT + position] = values[j];
#endif
            }
        }
    }
}

/* The same where the items take the counts' place: all positions first. */
void place_items_late(uint source, uint first, uint base, uint valid, uint bits)
{
    const uint k = 0u;
    sort_key keys[sort_items];
    uint positions[sort_items];
    if (source == 0u) {
        LOAD_KEYS(sort_items, keys_a)
    } else {
        LOAD_KEYS(sort_items, keys_b)
    }
    [[unroll]] for (uint j = 0u; j < sort_items; j++)
        positions[j] = position_in_tile(bin_of(keys[j], push.pass, bits));
    barrier();
    [[unroll]] for (uint j = 0u; j < sort_items; j++)
        pool_set(positions[j], keys[j]);
#ifdef SORT_VALUES
    uint values[sort_items];
    if (source == 0u) {
        LOAD_VALUES(sort_items, values_a)
    } else {
        LOAD_VALUES(sort_items, values_b)
    }
    [[unroll]] for (uint j = 0u; j < sort_items; j++)
        pool[VALUES_AT + positions[j]] = values[j];
#endif
}

/* What lies sorted in the pool, to its places. */
void store_items(uint source, uint valid, uint bits)
{
    [[dont_unroll]] for (uint k = 0u; k < sort_items; k += STORED) {
        [[unroll]] for (uint j = 0u; j < STORED; j++) {
            uint i = (k + j) * SORT_INVOCATIONS + gl_LocalInvocationIndex;
            if (i < valid) {
                sort_key key = pool_key(i);
                uint place = bin_start[bin_of(key, push.pass, bits)] + i;
                if (source == 0u) {
                    keys_b[place] = key;
                    STORE_VALUE(values_b)
                } else {
                    keys_a[place] = key;
                    STORE_VALUE(values_a)
                }
            }
        }
    }
}

void main()
{
    uint bits = plan.bits;
    uint tile = take_tile(sort_tile_count(plan.count));
    if (tile == LOOK_BACK_NO_TILE)
        return;
    uint source = plan.source_half[push.pass];
    uint valid = min(plan.count - tile * SORT_TILE, SORT_TILE);
    uint first = gl_SubgroupID * gl_SubgroupSize * sort_items + gl_SubgroupInvocationID;
    uint base = tile * SORT_TILE + first;
    uint own_bin = workgroup_invocation();

    count_keys(source, first, base, valid, bits);
    barrier();
    scan_counts(tile);
    uint own_count = own_bin < SORT_BINS ? bin_count[own_bin] : 0u;
    uint own_start = own_bin < SORT_BINS ? bin_start[own_bin] : 0u;
    if (SORT_APART)
        place_items(source, first, base, valid, bits);
    else
        place_items_late(source, first, base, valid, bits);
    uint before = look_back_bin(source, tile, own_bin, own_count, bits);
    /* From a position within the tile to the place in the result, modulo 2^32. */
    if (own_bin < SORT_BINS)
        bin_start[own_bin] = plan.bins[push.pass * SORT_BINS + own_bin] + before - own_start;
    barrier();
    store_items(source, valid, bits);
}
