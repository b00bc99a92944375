/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The sort of 64-bit keys without values. */
#include "primitive/device_wide/sort_families.h"
#include "primitive/sort_family.h"

#include "variants/sort_u64_keys.inc"

const sort_family sort_u64_keys = {
    .u64_keys = true,
    .register_items = SORT_REGISTER_U64_KEYS,
    SORT_PROGRAMS("u64_keys", SORT_BINDINGS_KEYS),
};
