/* Keys of 64 bits alone. */
#include "primitive/device_wide/sort_families.h"
#include "primitive/sort_family.h"

#include "variants/sort_u64_keys.inc"

const sort_family sort_u64_keys = {
    .wide = true,
    .kept_items = SORT_KEPT_WIDE_KEYS,
    SORT_PROGRAMS("wide_keys", SORT_BINDINGS_KEYS),
};
