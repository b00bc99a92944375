/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The kernels of sort for one kind of items, made from a group of variants.def. */
#ifndef PIETRA_PRIMITIVE_SORT_FAMILY_H
#define PIETRA_PRIMITIVE_SORT_FAMILY_H

#include "layout/primitive.h"
#include "primitive/sort.h"

#define SORT_BINDINGS_KEYS 4u
#define SORT_BINDINGS_PAIRS 6u

struct sort_family {
    bool with_values, u64_keys;
    uint32_t register_items; /* items that an invocation of `registers` keeps in registers */
    primitive_program_info begin, compare, merge, workgroup, pass, registers, ring, registers_ring;
    primitive_program_info scatter, registers_middle; /* only for keys of 32 bits */
};

/* A program of the group whose arrays have been included. */
#define SORT_PROGRAM(role, name_, bindings) \
    .role = {.name = name_, \
             .spirv = role##_spv, \
             .word_count = sizeof role##_spv / 4, \
             .buffer_count = bindings, \
             .push_bytes = sizeof(sort_push)}

/* The programs that every kind has. `items` is the end of their names. */
#define SORT_PROGRAMS(items, bindings) \
    SORT_PROGRAM(begin, "sort_begin_" items, bindings), SORT_PROGRAM(compare, "sort_compare_" items, bindings), \
        SORT_PROGRAM(merge, "sort_merge_" items, bindings), \
        SORT_PROGRAM(workgroup, "sort_workgroup_" items, bindings), SORT_PROGRAM(pass, "onesweep_" items, bindings), \
        SORT_PROGRAM(registers, "onesweep_registers_" items, bindings), \
        SORT_PROGRAM(ring, "onesweep_ring_" items, bindings), \
        SORT_PROGRAM(registers_ring, "onesweep_registers_ring_" items, bindings)
/* The programs of a kind with keys of 32 bits. */
#define SORT_PROGRAMS_U32(items, bindings) \
    SORT_PROGRAMS(items, bindings), SORT_PROGRAM(scatter, "sort_scatter_" items, bindings), \
        SORT_PROGRAM(registers_middle, "onesweep_registers_middle_" items, bindings)

#endif
