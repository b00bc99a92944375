/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Shares work evenly. A workgroup's items have consecutive pieces of work: item i has those from owner_starts[i] up to
 * owner_starts[i + 1]. Any invocation finds the item of any piece. The includer fills owner_starts and puts a barrier
 * after that. It may set OWNER_BITS: there are 2^OWNER_BITS items. */
#ifndef OWNER_GLSL
#define OWNER_GLSL

#extension GL_EXT_control_flow_attributes : require

#ifndef OWNER_BITS
#define OWNER_BITS 8
#endif
#define OWNER_ITEMS (1 << OWNER_BITS)

shared uint owner_starts[OWNER_ITEMS + 1];

/* Returns the item of a piece. The steps are unrolled because some devices bound the loops of an invocation. */
uint owner_of(uint piece)
{
    uint item = 0u;
    [[unroll]] for (int bit = OWNER_BITS - 1; bit >= 0; bit--) {
        uint middle = item + (1u << bit);
        item = owner_starts[middle] <= piece ? middle : item;
    }
    return item;
}

#endif
