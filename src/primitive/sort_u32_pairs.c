/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The sort of 32-bit keys with values, which frames use. */
#include "primitive/sort_family.h"

#include "variants/sort_u32_pairs.inc"

const sort_family sort_u32_pairs = {
    .with_values = true,
    .register_items = SORT_REGISTER_PAIRS,
    SORT_PROGRAMS_U32("pairs", SORT_BINDINGS_PAIRS),
};
