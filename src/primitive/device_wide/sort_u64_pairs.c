/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The sort of 64-bit keys with values. */
#include "primitive/device_wide/sort_families.h"
#include "primitive/sort_family.h"

#include "variants/sort_u64_pairs.inc"

const sort_family sort_u64_pairs = {
    .with_values = true,
    .u64_keys = true,
    .register_items = SORT_REGISTER_U64_PAIRS,
    SORT_PROGRAMS("u64_pairs", SORT_BINDINGS_PAIRS),
};
