/* A tile of u32 items in registers, and the sums before each invocation's items: what scan, compact and split have in common.
 *
 * An invocation takes TILE_SCAN_ROUNDS groups of 4 neighbouring items. The groups of a subgroup's round lie side by side, its
 * rounds one after the other, the subgroups' chunks one after the other.
 *
 * How to use it: define TILE_SCAN_ITEM(i) and TILE_SCAN_ITEMS(i), one item and the 4 items 4i to 4i + 3 of the input;
 * WORKGROUP_SCAN_TYPE if it is not uint; and after the include
 *     WORKGROUP_SCAN_TYPE tile_scan_value(uint item)          what an item adds; items past the end add nothing
 * The kernel's local size is TILE_SCAN_INVOCATIONS. */
#ifndef TILE_SCAN_GLSL
#define TILE_SCAN_GLSL

#include "layout/primitive.h"
#include "primitive/workgroup_scan.glsl"

struct tile_scan_items {
    uvec4 item[TILE_SCAN_ROUNDS];
};

struct tile_scan_sums {
    WORKGROUP_SCAN_TYPE before[TILE_SCAN_ROUNDS]; /* the first item of each group */
    WORKGROUP_SCAN_TYPE total;                    /* of the tile */
};

WORKGROUP_SCAN_TYPE tile_scan_value(uint item);

uint tile_scan_tile_count(uint count)
{
    return count / TILE_SCAN_TILE + uint(count % TILE_SCAN_TILE != 0u);
}

/* Index of the first item of this invocation's group. */
uint tile_scan_index(uint tile, uint scan_round)
{
    uint chunk = tile * TILE_SCAN_TILE + gl_SubgroupID * gl_SubgroupSize * (4u * TILE_SCAN_ROUNDS);
    return chunk + (scan_round * gl_SubgroupSize + gl_SubgroupInvocationID) * 4u;
}

tile_scan_items tile_scan_load(uint tile, uint count)
{
    tile_scan_items loaded;
    bool full = tile < count / TILE_SCAN_TILE;
    for (uint r = 0u; r < TILE_SCAN_ROUNDS; r++) {
        uint i = tile_scan_index(tile, r);
        if (full) {
            loaded.item[r] = TILE_SCAN_ITEMS(i / 4u);
        } else {
            loaded.item[r].x = i < count ? TILE_SCAN_ITEM(i) : 0u;
            loaded.item[r].y = i + 1u < count ? TILE_SCAN_ITEM(i + 1u) : 0u;
            loaded.item[r].z = i + 2u < count ? TILE_SCAN_ITEM(i + 2u) : 0u;
            loaded.item[r].w = i + 3u < count ? TILE_SCAN_ITEM(i + 3u) : 0u;
        }
    }
    return loaded;
}

WORKGROUP_SCAN_TYPE tile_scan_item_value(uint tile, uint scan_round, uint k, uint item, uint count)
{
    return tile_scan_index(tile, scan_round) + k < count ? tile_scan_value(item) : WORKGROUP_SCAN_TYPE(0u);
}

tile_scan_sums tile_scan(tile_scan_items items, uint tile, uint count)
{
    tile_scan_sums sums;
    WORKGROUP_SCAN_TYPE carry = WORKGROUP_SCAN_TYPE(0u);
    for (uint r = 0u; r < TILE_SCAN_ROUNDS; r++) {
        WORKGROUP_SCAN_TYPE value = WORKGROUP_SCAN_TYPE(0u);
        for (uint k = 0u; k < 4u; k++)
            value += tile_scan_item_value(tile, r, k, items.item[r][k], count);
        WORKGROUP_SCAN_TYPE inclusive = subgroupInclusiveAdd(value);
        sums.before[r] = carry + inclusive - value;
        carry += subgroupShuffle(inclusive, gl_SubgroupSize - 1u);
    }
    bool last = gl_SubgroupInvocationID == gl_SubgroupSize - 1u;
    WORKGROUP_SCAN_TYPE chunk = workgroup_exclusive_scan(last ? carry : WORKGROUP_SCAN_TYPE(0u), sums.total);
    for (uint r = 0u; r < TILE_SCAN_ROUNDS; r++)
        sums.before[r] += chunk;
    return sums;
}

#endif
