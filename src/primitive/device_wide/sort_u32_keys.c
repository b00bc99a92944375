/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The sort of 32-bit keys without values. */
#include "primitive/device_wide/sort_families.h"
#include "primitive/sort_family.h"

#include "variants/sort_u32_keys.inc"

const sort_family sort_u32_keys = {
    .register_items = SORT_REGISTER_KEYS,
    SORT_PROGRAMS_U32("keys", SORT_BINDINGS_KEYS),
};
