/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Memory that a large frame took is given back after many small ones, whether frames are in flight, waited for or
 * recorded, and every picture stays right. */
#include "render/gpu/caller_frames.h"
#include "render/gpu/renderer_state.h"

/* ---- What the device holds ---- */

#define ALLOCATIONS 256u

static PFN_vkAllocateMemory real_allocate;
static PFN_vkFreeMemory real_free;
static struct {
    VkDeviceMemory memory;
    VkDeviceSize bytes;
} held[ALLOCATIONS];
static unsigned allocations; /* how often memory was taken */

static VKAPI_ATTR VkResult VKAPI_CALL allocate(VkDevice device, const VkMemoryAllocateInfo *info,
                                               const VkAllocationCallbacks *callbacks, VkDeviceMemory *memory)
{
    const VkResult result = real_allocate(device, info, callbacks, memory);
    for (unsigned i = 0; i < ALLOCATIONS && result == VK_SUCCESS; i++) {
        if (!held[i].memory) {
            held[i].memory = *memory;
            held[i].bytes = info->allocationSize;
            allocations++;
            break;
        }
    }
    return result;
}

static VKAPI_ATTR void VKAPI_CALL give_back(VkDevice device, VkDeviceMemory memory,
                                            const VkAllocationCallbacks *callbacks)
{
    for (unsigned i = 0; i < ALLOCATIONS; i++)
        if (held[i].memory == memory)
            held[i].memory = VK_NULL_HANDLE;
    real_free(device, memory, callbacks);
}

static uint64_t held_bytes(void)
{
    uint64_t bytes = 0;
    for (unsigned i = 0; i < ALLOCATIONS; i++)
        bytes += held[i].memory ? held[i].bytes : 0;
    return bytes;
}

/* Counts from here on what the device takes. */
static int open_and_count(void **state)
{
    const int result = open_all(state);
    real_allocate = here.device->gpu->instance.vk.AllocateMemory;
    real_free = here.device->gpu->instance.vk.FreeMemory;
    here.device->gpu->instance.vk.AllocateMemory = allocate;
    here.device->gpu->instance.vk.FreeMemory = give_back;
    return result;
}

/* ---- Frames ---- */

static struct {
    pietra_stream *large, *medium, *small;
    pietra_device *cpu;
} shown;

static void make_streams(void)
{
    shown.large = lines_across(WIDTH, HEIGHT, 16000, 0);
    shown.medium = lines_across(WIDTH, HEIGHT, 6000, 0);
    shown.small = stream_of("<svg xmlns='http://www.w3.org/2000/svg'><rect width='30' height='20' fill='#06f'/></svg>");
    shown.cpu = open_cpu();
}

static void destroy_streams(void)
{
    pietra_stream_destroy(shown.large);
    pietra_stream_destroy(shown.medium);
    pietra_stream_destroy(shown.small);
    pietra_device_destroy(shown.cpu);
}

/* Submits so many frames of a stream, and waits for the last. */
static void show(const pietra_stream *stream, uint32_t count)
{
    pietra_submission submission = {.stream = stream};
    uint32_t turn = 0;
    for (uint32_t i = 0; i < count; i++)
        (void)submit(&submission, NULL, &turn);
    wait_for(0, NULL);
    expect_picture(shown.cpu, turn, stream, &submission.frame);
}

/* Stands for so many frames of the small stream, if one was drawn since the last large one. */
static void pass_over(uint32_t frames)
{
    here.device->renderer->frame_use.quiet += frames;
    here.device->renderer->target_use.quiet += frames;
}

/* ---- Tests ---- */

/* Checks that memory is given back when small frames follow a large one, of which some are not drawn. */
static void check_shrinking(const pietra_view_options *options, uint32_t skipped)
{
    make_streams();
    begin(VK_FORMAT_R8G8B8A8_UNORM, options);
    show(shown.large, 1);
    const uint64_t before = held_bytes();
    show(shown.small, QUIET_FRAMES - 1 - skipped);
    pass_over(skipped);
    assert_true(held_bytes() >= before);
    show(shown.small, 20);
    assert_true(held_bytes() < before / 2);
    const unsigned warm = allocations;
    show(shown.small, 20);
    assert_int_equal(allocations, warm);
    show(shown.large, 1);
    show(shown.small, 1);
    end();
    destroy_streams();
}

static void test_in_flight(void **state)
{
    (void)state;
    check_shrinking(&(pietra_view_options){.in_flight = 3}, 0);
}

static void test_counted(void **state)
{
    (void)state;
    check_shrinking(&(pietra_view_options){.certain_bytes = 1}, QUIET_FRAMES - 20);
}

/* Frames that the processor draws give memory back, too. */
static void test_of_host(void **state)
{
    (void)state;
    check_shrinking(&(pietra_view_options){.in_flight = 3, .host_pixels = 1u << 20}, 0);
}

/* What shrank to the needs of a frame of medium size shrinks again when there are small ones alone, and then stays. */
static void test_again(void **state)
{
    (void)state;
    make_streams();
    begin(VK_FORMAT_R8G8B8A8_UNORM, &(pietra_view_options){.in_flight = 3});
    show(shown.large, 1);
    show(shown.medium, 1);
    uint64_t held[3];
    unsigned warm = 0;
    for (int i = 0; i < 3; i++) {
        warm = allocations;
        show(shown.small, 3);
        pass_over(QUIET_FRAMES);
        show(shown.small, 3);
        held[i] = held_bytes();
    }
    assert_true(held[1] < held[0]);
    assert_true(held[2] == held[1] && allocations == warm);
    end();
    destroy_streams();
}

/* What a call makes room for is not given back by the same call. */
static void test_reserved(void **state)
{
    (void)state;
    make_streams();
    begin(VK_FORMAT_R8G8B8A8_UNORM, &(pietra_view_options){.in_flight = 3});
    show(shown.large, 1);
    show(shown.small, 3);
    pass_over(QUIET_FRAMES);
    const unsigned warm = allocations;
    const pietra_submission submission = {.stream = shown.large};
    const pietra_vulkan_target like = target_of(&here.images[0]);
    assert_int_equal(pietra_view_reserve_vulkan(here.view, &submission, &like, NULL), PIETRA_OK);
    assert_int_equal(allocations, warm);
    end();
    destroy_streams();
}

/* What is needed now and then stays. */
static void test_now_and_then(void **state)
{
    (void)state;
    make_streams();
    begin(VK_FORMAT_R8G8B8A8_UNORM, NULL);
    show(shown.large, 1);
    show(shown.small, 5);
    const unsigned warm = allocations;
    for (uint32_t i = 0; i < 3; i++) {
        show(shown.small, 5);
        pass_over(QUIET_FRAMES / 2);
        show(shown.large, 1);
    }
    assert_int_equal(allocations, warm);
    end();
    destroy_streams();
}

static void run_recorded(const pietra_stream *stream)
{
    pietra_submission submission = {.stream = stream};
    uint32_t turn;
    caller_begin(&here.caller);
    finish_recorded(record(&submission, &turn).number);
}

static void reserve(const pietra_stream *stream)
{
    const pietra_submission submission = {.stream = stream};
    for (uint32_t i = 0; i < 2; i++) {
        pietra_vulkan_target target = target_of(&here.images[0]);
        target.view = i ? VK_NULL_HANDLE : target.view;
        assert_int_equal(pietra_view_reserve_vulkan(here.view, &submission, &target, NULL), PIETRA_OK);
    }
}

/* Recording takes no memory and gives none back; reserving does both. */
static void test_recorded(void **state)
{
    (void)state;
    make_streams();
    begin(VK_FORMAT_R8G8B8A8_UNORM, NULL);
    reserve(shown.large);
    run_recorded(shown.large);
    run_recorded(shown.small);
    const uint64_t before = held_bytes();
    const unsigned warm = allocations;
    for (uint32_t i = 0; i < 10; i++)
        run_recorded(shown.small);
    pass_over(QUIET_FRAMES);
    run_recorded(shown.large); /* what was reserved is there */
    for (uint32_t i = 0; i < 10; i++)
        run_recorded(shown.small);
    pass_over(QUIET_FRAMES);
    assert_int_equal(allocations, warm);
    reserve(shown.small);
    run_recorded(shown.small);
    assert_true(held_bytes() < before / 2);
    end();
    destroy_streams();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_in_flight), cmocka_unit_test(test_counted),  cmocka_unit_test(test_of_host),
        cmocka_unit_test(test_again),     cmocka_unit_test(test_reserved), cmocka_unit_test(test_now_and_then),
        cmocka_unit_test(test_recorded),
    };
    return cmocka_run_group_tests(tests, open_and_count, close_all);
}
