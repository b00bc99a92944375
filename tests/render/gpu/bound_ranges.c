/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "render/gpu/bound_ranges.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "vulkan/context.h"
#include "vulkan/recorder.h"

uint64_t most_bound;

static void look_at(const gpu_program *program, const gpu_range *ranges)
{
    const gpu_limits *limits = &program->device->limits;
    for (uint32_t i = 0; i < program->buffer_count; i++) {
        uint64_t bytes = ranges[i].bytes ? ranges[i].bytes : ranges[i].buffer->bytes - ranges[i].offset;
        assert_true(bytes <= limits->max_binding_bytes && ranges[i].offset % limits->storage_alignment == 0);
        most_bound = bytes > most_bound ? bytes : most_bound;
    }
}

void __real_gpu_dispatch(gpu_recorder *recorder, const gpu_program *program, const gpu_range *ranges, const void *push,
                         uint32_t x, uint32_t y, uint32_t z);
void __wrap_gpu_dispatch(gpu_recorder *recorder, const gpu_program *program, const gpu_range *ranges, const void *push,
                         uint32_t x, uint32_t y, uint32_t z);
void __wrap_gpu_dispatch(gpu_recorder *recorder, const gpu_program *program, const gpu_range *ranges, const void *push,
                         uint32_t x, uint32_t y, uint32_t z)
{
    look_at(program, ranges);
    __real_gpu_dispatch(recorder, program, ranges, push, x, y, z);
}

void __real_gpu_dispatch_indirect(gpu_recorder *recorder, const gpu_program *program, const gpu_range *ranges,
                                  const void *push, gpu_range arguments);
void __wrap_gpu_dispatch_indirect(gpu_recorder *recorder, const gpu_program *program, const gpu_range *ranges,
                                  const void *push, gpu_range arguments);
void __wrap_gpu_dispatch_indirect(gpu_recorder *recorder, const gpu_program *program, const gpu_range *ranges,
                                  const void *push, gpu_range arguments)
{
    look_at(program, ranges);
    __real_gpu_dispatch_indirect(recorder, program, ranges, push, arguments);
}
