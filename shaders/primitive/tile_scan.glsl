/* A tile of u32 items in registers, and sums over it: what segmented scan and split have in common.
 *
 * An invocation takes tile_scan_rounds groups of 4 neighbouring items. The groups of a subgroup's round lie side by side, its
 * rounds one after the other, the subgroups' chunks one after the other.
 *
 * How to use it: define TILE_SCAN_ITEM(i) and TILE_SCAN_ITEMS(i), one item and the 4 items 4i to 4i + 3 of the input;
 * WORKGROUP_SCAN_TYPE if it is not uint; and after the include
 *     WORKGROUP_SCAN_TYPE tile_scan_value(uint item)          what an item adds; items past the end add nothing
 * then, in uniform control flow, tile_scan_load(tile, count), which fills tile_scan_items, and tile_scan(tile, count), which fills
 * tile_scan_before and tile_scan_total; tile_scan_total_of(tile, count) gives the total of any tile and leaves them alone.
 * The kernel's local size and tile_scan_rounds are specialisation constants. */
#ifndef TILE_SCAN_GLSL
#define TILE_SCAN_GLSL

#include "layout/primitive.h"
#include "primitive/workgroup_scan.glsl"

layout(constant_id = PRIMITIVE_CONSTANT_ITEMS) const uint tile_scan_rounds = 4u;

#define TILE_SCAN_TILE (gl_WorkGroupSize.x * 4u * tile_scan_rounds)

uvec4 tile_scan_items[tile_scan_rounds];
WORKGROUP_SCAN_TYPE tile_scan_before[tile_scan_rounds]; /* the sum before the first item of each group, within the tile */
WORKGROUP_SCAN_TYPE tile_scan_total;

WORKGROUP_SCAN_TYPE tile_scan_value(uint item);

uint tile_scan_tile_count(uint count)
{
    return count / TILE_SCAN_TILE + uint(count % TILE_SCAN_TILE != 0u);
}

/* Index of the first item of this invocation's group. */
uint tile_scan_index(uint tile, uint scan_round)
{
    uint chunk = tile * TILE_SCAN_TILE + gl_SubgroupID * gl_SubgroupSize * (4u * tile_scan_rounds);
    return chunk + (scan_round * gl_SubgroupSize + gl_SubgroupInvocationID) * 4u;
}

uvec4 tile_scan_load_group(uint i, uint count)
{
    return uvec4(i < count ? TILE_SCAN_ITEM(i) : 0u, i + 1u < count ? TILE_SCAN_ITEM(i + 1u) : 0u, i + 2u < count ? TILE_SCAN_ITEM(i + 2u) : 0u,
                 i + 3u < count ? TILE_SCAN_ITEM(i + 3u) : 0u);
}

void tile_scan_load(uint tile, uint count)
{
    if (tile < count / TILE_SCAN_TILE) {
        [[unroll]] for (uint r = 0u; r < tile_scan_rounds; r++)
            tile_scan_items[r] = TILE_SCAN_ITEMS(tile_scan_index(tile, r) / 4u);
    } else {
        [[unroll]] for (uint r = 0u; r < tile_scan_rounds; r++)
            tile_scan_items[r] = tile_scan_load_group(tile_scan_index(tile, r), count);
    }
}

WORKGROUP_SCAN_TYPE tile_scan_item_value(uint tile, uint scan_round, uint k, uint item, uint count)
{
    return tile_scan_index(tile, scan_round) + k < count ? tile_scan_value(item) : WORKGROUP_SCAN_TYPE(0u);
}

WORKGROUP_SCAN_TYPE tile_scan_group_value(uint tile, uint scan_round, uvec4 group, uint count)
{
    WORKGROUP_SCAN_TYPE value = WORKGROUP_SCAN_TYPE(0u);
    [[unroll]] for (uint k = 0u; k < 4u; k++)
        value += tile_scan_item_value(tile, scan_round, k, group[k], count);
    return value;
}

void tile_scan(uint tile, uint count)
{
    WORKGROUP_SCAN_TYPE carry = WORKGROUP_SCAN_TYPE(0u);
    [[unroll]] for (uint r = 0u; r < tile_scan_rounds; r++) {
        WORKGROUP_SCAN_TYPE value = tile_scan_group_value(tile, r, tile_scan_items[r], count);
        WORKGROUP_SCAN_TYPE inclusive = subgroupInclusiveAdd(value);
        tile_scan_before[r] = carry + inclusive - value;
        carry += subgroupShuffle(inclusive, gl_SubgroupSize - 1u);
    }
    bool last = gl_SubgroupInvocationID == gl_SubgroupSize - 1u;
    WORKGROUP_SCAN_TYPE chunk = workgroup_exclusive_scan(last ? carry : WORKGROUP_SCAN_TYPE(0u), tile_scan_total);
    [[unroll]] for (uint r = 0u; r < tile_scan_rounds; r++)
        tile_scan_before[r] += chunk;
}

/* One item after the other: this is seldom run, and its registers are added to those that hold the own tile. */
WORKGROUP_SCAN_TYPE tile_scan_total_of(uint tile, uint count)
{
    WORKGROUP_SCAN_TYPE sum = WORKGROUP_SCAN_TYPE(0u);
    WORKGROUP_SCAN_TYPE total;
    uint first = tile * TILE_SCAN_TILE + gl_LocalInvocationIndex;
    [[dont_unroll]] for (uint k = 0u; k < 4u * tile_scan_rounds; k++) {
        uint i = first + k * gl_WorkGroupSize.x;
        if (i < count)
            sum += tile_scan_value(TILE_SCAN_ITEM(i));
    }
    workgroup_exclusive_scan(sum, total);
    return total;
}

#endif
