/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Programs of stages, as hardware makes them: all at once, by several threads. No driver compiles them here. */
#include "vulkan/gpu_fixture.h"

#include <stdatomic.h>
#include <string.h>

#include "base/parallel.h"
#include "render/gpu/programs.h"
#include "vulkan/context.h"

#define NEVER UINT32_MAX

static struct {
    _Atomic uint32_t calls;
    uint32_t first; /* number of the first call that fails; all after it fail too */
} compiler;

static VKAPI_ATTR VkResult VKAPI_CALL compile_nothing(VkDevice device, VkPipelineCache cache, uint32_t count,
                                                      const VkComputePipelineCreateInfo *infos,
                                                      const VkAllocationCallbacks *callbacks, VkPipeline *pipelines)
{
    (void)device, (void)cache, (void)infos, (void)callbacks;
    assert_int_equal(count, 1);
    *pipelines = VK_NULL_HANDLE;
    return atomic_fetch_add(&compiler.calls, 1) >= compiler.first ? VK_ERROR_OUT_OF_DEVICE_MEMORY : VK_SUCCESS;
}

static void open_as_hardware(gpu_fixture *fixture)
{
    pietra_device_options options = gpu_fixture_options(fixture);
    gpu_fixture_open(fixture, &options);
    fixture->device->limits.hardware = true;
    fixture->device->instance.vk.CreateComputePipelines = compile_nothing;
}

static pietra_result make(gpu_device *device, parallel_pool *pool, uint32_t first, pietra_error *error)
{
    static const primitive_options options;
    stage_programs *programs = NULL;
    compiler.first = first;
    atomic_store(&compiler.calls, 0);
    pietra_result result = stage_programs_create(device, &options, pool, error, &programs);
    assert_true((result == PIETRA_OK) == (programs != NULL));
    for (uint32_t i = 0; i < frame_step_count && programs; i++)
        assert_true((frame_steps[i].stem != NULL) == (stage_program(programs, i) != NULL));
    assert_true(!programs || stage_sort(programs));
    stage_programs_destroy(programs);
    return result;
}

static void test_each_is_made_once(void **state)
{
    gpu_fixture fixture;
    pietra_error error;
    parallel_pool *pool = parallel_pool_create(4);
    (void)state;
    open_as_hardware(&fixture);
    assert_int_equal(make(fixture.device, NULL, NEVER, &error), PIETRA_OK);
    const uint32_t count = atomic_load(&compiler.calls);
    assert_true(count > 20);
    for (int i = 0; i < 3; i++) {
        assert_int_equal(make(fixture.device, pool, NEVER, &error), PIETRA_OK);
        assert_int_equal(atomic_load(&compiler.calls), count);
    }
    gpu_fixture_close(&fixture);
    parallel_pool_destroy(pool);
}

/* Whichever thread meets a failure, it is told, and what the others made is given back. */
static void test_a_failure_is_told(void **state)
{
    gpu_fixture fixture;
    parallel_pool *pool = parallel_pool_create(4);
    (void)state;
    open_as_hardware(&fixture);
    for (uint32_t first = 0; first < 20; first += 3) {
        pietra_error error = {0};
        assert_int_equal(make(fixture.device, first % 2 ? pool : NULL, first, &error), PIETRA_ERROR_BUDGET);
        assert_int_equal(error.result, PIETRA_ERROR_BUDGET);
        assert_non_null(strstr(error.message, "memory"));
        assert_int_equal(make(fixture.device, pool, first, NULL), PIETRA_ERROR_BUDGET);
    }
    gpu_fixture_close(&fixture);
    parallel_pool_destroy(pool);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_each_is_made_once),
        cmocka_unit_test(test_a_failure_is_told),
    };
    return cmocka_run_group_tests_name("gpu_programs", tests, NULL, NULL);
}
