/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The kinds of items that can be sorted, except the pairs of u32 that frames sort. */
#ifndef PIETRA_PRIMITIVE_DEVICE_WIDE_SORT_FAMILIES_H
#define PIETRA_PRIMITIVE_DEVICE_WIDE_SORT_FAMILIES_H

#include "primitive/sort.h"

extern const sort_family sort_u32_keys, sort_u64_keys, sort_u64_pairs;

#define SORT_WITH_VALUES 1u
#define SORT_U64_KEYS 2u /* keys of 64 bits */

/* Returns the kind that these flags mean. */
static inline const sort_family *sort_family_of(uint32_t flags)
{
    const sort_family *const families[] = {&sort_u32_keys, &sort_u32_pairs, &sort_u64_keys, &sort_u64_pairs};
    return families[flags];
}

#endif
