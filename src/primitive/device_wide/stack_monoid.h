/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* stack_monoid: finds what is open after each of a row of begins and ends, at any depth. It takes one dispatch with
 * look-back, after the table of it is cleared. shaders/primitive/stack_monoid.glsl says how. */
#ifndef PIETRA_PRIMITIVE_STACK_MONOID_H
#define PIETRA_PRIMITIVE_STACK_MONOID_H

#include "primitive/primitive.h"

/* All ranges except count and scratch hold max_count items, one for each bracket. */
typedef struct stack_monoid_ranges {
    gpu_range brackets;   /* u32: STACK_BEGIN set: a begin, clear: an end */
    gpu_range boxes;      /* stack_box of each begin; that of an end is not read */
    gpu_range matches;    /* u32: the other end; STACK_NONE for an end without a begin; a begin without an end keeps its
                           * word */
    gpu_range contexts;   /* u32: innermost begin open after the bracket (for a begin: itself), or STACK_NONE */
    gpu_range depths;     /* u32: begins open after the bracket */
    gpu_range open_boxes; /* stack_box: intersection of the boxes of all begins open after the bracket */
    gpu_range count;      /* one u32; more than max_count is cut to it */
    gpu_range scratch;    /* stack_monoid_scratch_bytes */
} stack_monoid_ranges;

typedef struct stack_kernels stack_kernels;

pietra_result stack_monoid_create(gpu_device *device, const primitive_options *options, pietra_error *error,
                                  stack_kernels **kernels);
void stack_monoid_destroy(stack_kernels *kernels); /* NULL is ignored */

uint64_t stack_monoid_scratch_bytes(uint32_t max_count);

/* Records one run. An end without a begin changes nothing and matches nothing. max_count is 1 or more. */
void stack_monoid_record(gpu_recorder *recorder, const stack_kernels *kernels, const stack_monoid_ranges *ranges,
                         uint32_t max_count);

/* See ranges.h for what it reports. */
pietra_result stack_monoid_check(const gpu_device *device, const stack_monoid_ranges *ranges, uint32_t max_count,
                                 pietra_error *error);

#endif
