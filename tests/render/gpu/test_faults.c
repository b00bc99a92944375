/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Vulkan that fails. Whichever call fails, the caller gets the reason, nothing hangs or leaks, and the next frame is
 * right. The calls of an open device are replaced by calls that fail from a given one on. */
#include <string.h>

#include "all_sizes.h"
#include "vulkan/context.h"
#include "vulkan/gpu_fixture.h"
#include "vulkan/memory.h"
#include "vulkan/recorder.h"
#include "render/frame/config.h"
#include "render/gpu/effects.h"
#include "render/gpu/stage_check.h"
#include "property/random_scene.h"
#include "scene/scene_fixture.h"

#define BUDGET ((uint64_t)1 << 30)
#define FINE_WORK 8192u
#define NEVER UINT32_MAX

static gpu_functions vulkan; /* the real one */
static struct {
    uint32_t first;         /* number of the first call that fails; all after it fail too */
    _Atomic uint32_t calls; /* on hardware several threads make programs */
    VkResult result;
    bool waits;       /* waits fail too, though nothing was lost */
    uint64_t timeout; /* timeout of the last wait */
} fault = {.first = NEVER};

static bool fails(void)
{
    return fault.calls++ >= fault.first;
}

#define FAULTY(name, parameters, arguments) \
    static VKAPI_ATTR VkResult VKAPI_CALL faulty_##name parameters \
    { \
        return fails() ? fault.result : vulkan.name arguments; \
    }
FAULTY(AllocateMemory, (VkDevice d, const VkMemoryAllocateInfo *i, const VkAllocationCallbacks *c, VkDeviceMemory *m),
       (d, i, c, m))
FAULTY(CreateBuffer, (VkDevice d, const VkBufferCreateInfo *i, const VkAllocationCallbacks *c, VkBuffer *b),
       (d, i, c, b))
FAULTY(BindBufferMemory, (VkDevice d, VkBuffer b, VkDeviceMemory m, VkDeviceSize o), (d, b, m, o))
FAULTY(MapMemory, (VkDevice d, VkDeviceMemory m, VkDeviceSize o, VkDeviceSize s, VkMemoryMapFlags f, void **p),
       (d, m, o, s, f, p))
FAULTY(CreateCommandPool,
       (VkDevice d, const VkCommandPoolCreateInfo *i, const VkAllocationCallbacks *c, VkCommandPool *p), (d, i, c, p))
FAULTY(AllocateCommandBuffers, (VkDevice d, const VkCommandBufferAllocateInfo *i, VkCommandBuffer *b), (d, i, b))
FAULTY(CreateFence, (VkDevice d, const VkFenceCreateInfo *i, const VkAllocationCallbacks *c, VkFence *f), (d, i, c, f))
FAULTY(CreateQueryPool, (VkDevice d, const VkQueryPoolCreateInfo *i, const VkAllocationCallbacks *c, VkQueryPool *p),
       (d, i, c, p))
FAULTY(CreateShaderModule,
       (VkDevice d, const VkShaderModuleCreateInfo *i, const VkAllocationCallbacks *c, VkShaderModule *m), (d, i, c, m))
FAULTY(CreateDescriptorSetLayout,
       (VkDevice d, const VkDescriptorSetLayoutCreateInfo *i, const VkAllocationCallbacks *c, VkDescriptorSetLayout *l),
       (d, i, c, l))
FAULTY(CreatePipelineLayout,
       (VkDevice d, const VkPipelineLayoutCreateInfo *i, const VkAllocationCallbacks *c, VkPipelineLayout *l),
       (d, i, c, l))
FAULTY(CreateComputePipelines,
       (VkDevice d, VkPipelineCache h, uint32_t n, const VkComputePipelineCreateInfo *i, const VkAllocationCallbacks *c,
        VkPipeline *p),
       (d, h, n, i, c, p))
FAULTY(ResetCommandPool, (VkDevice d, VkCommandPool p, VkCommandPoolResetFlags f), (d, p, f))
FAULTY(BeginCommandBuffer, (VkCommandBuffer b, const VkCommandBufferBeginInfo *i), (b, i))
FAULTY(ResetFences, (VkDevice d, uint32_t n, const VkFence *f), (d, n, f))
FAULTY(QueueSubmit, (VkQueue q, uint32_t n, const VkSubmitInfo *i, VkFence f), (q, n, i, f))

/* This ends what was begun and waits for what was submitted. Otherwise the real Vulkan below would be misused. */
static VKAPI_ATTR VkResult VKAPI_CALL faulty_EndCommandBuffer(VkCommandBuffer b)
{
    VkResult result = vulkan.EndCommandBuffer(b);
    return fails() ? fault.result : result;
}

static VKAPI_ATTR VkResult VKAPI_CALL faulty_WaitForFences(VkDevice d, uint32_t n, const VkFence *f, VkBool32 all,
                                                           uint64_t timeout)
{
    fault.timeout = timeout;
    VkResult result = vulkan.WaitForFences(d, n, f, all, timeout);
    return (fault.waits || fault.result == VK_ERROR_DEVICE_LOST) && fails() ? fault.result : result;
}

static void open_faulty(gpu_fixture *fixture)
{
    pietra_device_options options = gpu_fixture_options(fixture);
    fault.first = NEVER;
    gpu_fixture_open(fixture, &options);
    gpu_functions *vk = &fixture->device->instance.vk;
    vulkan = *vk;
#define REPLACE(name) vk->name = faulty_##name
    REPLACE(AllocateMemory);
    REPLACE(CreateBuffer);
    REPLACE(BindBufferMemory);
    REPLACE(MapMemory);
    REPLACE(CreateCommandPool);
    REPLACE(AllocateCommandBuffers);
    REPLACE(CreateFence);
    REPLACE(CreateQueryPool);
    REPLACE(CreateShaderModule);
    REPLACE(CreateDescriptorSetLayout);
    REPLACE(CreatePipelineLayout);
    REPLACE(CreateComputePipelines);
    REPLACE(ResetCommandPool);
    REPLACE(BeginCommandBuffer);
    REPLACE(ResetFences);
    REPLACE(QueueSubmit);
    REPLACE(EndCommandBuffer);
    REPLACE(WaitForFences);
#undef REPLACE
}

static void fail_from(uint32_t first, VkResult result)
{
    fault.first = first;
    fault.calls = 0;
    fault.result = result;
}

static const struct {
    VkResult vulkan;
    pietra_result result;
    const char *text;
} meanings[] = {
    {VK_ERROR_DEVICE_LOST, PIETRA_ERROR_DEVICE, "the device was lost"},
    {VK_ERROR_OUT_OF_DEVICE_MEMORY, PIETRA_ERROR_BUDGET, "memory"},
    {VK_ERROR_OUT_OF_HOST_MEMORY, PIETRA_ERROR_MEMORY, "out of memory"},
};
#define MEANINGS (sizeof meanings / sizeof meanings[0])

/* Returns true if it failed, with the words of that meaning. */
static bool failed_as(size_t meaning, pietra_result result, const pietra_error *error)
{
    if (result == PIETRA_OK)
        return false;
    if (result != meanings[meaning].result || error->result != result ||
        !strstr(error->message, meanings[meaning].text)) {
        fail_msg("call %u: result %d, \"%s\", not %d, \"%s\"", fault.first, (int)result, error->message,
                 (int)meanings[meaning].result, meanings[meaning].text);
    }
    return true;
}

static pietra_result make_buffer(gpu_device *device, pietra_error *error)
{
    gpu_buffer buffer;
    pietra_result result = gpu_buffer_create(device, 4096, GPU_MEMORY_READBACK, error, &buffer);
    assert_true(result == PIETRA_OK ||
                (buffer.handle == VK_NULL_HANDLE && buffer.memory == VK_NULL_HANDLE && !buffer.mapped));
    gpu_buffer_destroy(device, &buffer);
    return result;
}

static pietra_result make_recorder(gpu_device *device, pietra_error *error)
{
    gpu_recorder *recorder;
    pietra_result result = gpu_recorder_create(device, error, &recorder);
    assert_true((result == PIETRA_OK) == (recorder != NULL));
    gpu_recorder_destroy(recorder);
    return result;
}

static pietra_result make_renderer(gpu_device *device, pietra_error *error)
{
    const gpu_renderer_options options = {.budget_bytes = BUDGET, .fine_work = FINE_WORK};
    gpu_renderer *renderer = NULL;
    pietra_result result = gpu_renderer_create(device, &options, error, &renderer);
    gpu_renderer_destroy(result == PIETRA_OK ? renderer : NULL);
    return result;
}

/* Fails each call that making something takes, until all succeed. For a renderer only the first few, since programs
 * take their time: test_frames has those that software makes when frames need them. */
static void check_making(gpu_device *device, pietra_result (*make)(gpu_device *, pietra_error *), uint32_t most)
{
    for (size_t m = 0; m < MEANINGS; m++) {
        bool failed = true;
        for (uint32_t first = 0; failed && first < most; first++) {
            pietra_error error = {0};
            fail_from(first, meanings[m].vulkan);
            failed = failed_as(m, make(device, &error), &error);
        }
        assert_true(failed == (most != NEVER));
    }
    fail_from(NEVER, VK_SUCCESS);
}

static void test_making(void **state)
{
    (void)state;
    gpu_fixture fixture;
    open_faulty(&fixture);
    check_making(fixture.device, make_buffer, NEVER);
    check_making(fixture.device, make_recorder, NEVER);
    check_making(fixture.device, make_renderer, 12);
    gpu_fixture_close(&fixture);
}

static pietra_stream *make_stream(uint32_t seed)
{
    pietra_error error;
    pietra_stream *stream;
    pietra_scene *scene = random_scene_create(seed, RANDOM_ANYTHING, 100);
    if (pietra_stream_encode(scene, &error, &stream) != PIETRA_OK)
        fail_msg("%s", error.message);
    pietra_scene_destroy(scene);
    return stream;
}

/* Frames grow, so that buffers grow too. */
static bool draw_failing(gpu_renderer *renderer, const pietra_stream *stream, uint32_t side, size_t meaning)
{
    pietra_error error = {0};
    pietra_stats stats = {.parts = 0};
    const pietra_frame frame = {.transform = {.a = 1, .d = 1}};
    const pietra_target target = {.width = side, .height = side, .pixels = calloc(side, 4 * (size_t)side)};
    frame_config config;
    assert_int_equal(config_of_frame(&frame, &target, &error, &config), PIETRA_OK);
    bool failed =
        failed_as(meaning, gpu_renderer_draw(renderer, stream, &config, NULL, &target, &error, &stats), &error);
    free(target.pixels);
    return failed;
}

static void compare(gpu_renderer *renderer, const pietra_stream *stream, uint32_t side)
{
    assert_true(
        stages_agree(renderer, stream, &(pietra_frame){.transform = {.a = 1, .d = 1}}, side, side, "after a failure"));
}

/* Draws the first frame that needs all programs. Each try gets further than the one before it, because programs that
 * were made stay, and after each a frame that needs few of them is drawn. */
static void draw_first(gpu_renderer *renderer, const pietra_stream *stream, uint32_t side)
{
    pietra_scene *scene = new_scene();
    uint32_t tries = 0;
    fill(scene, "M 1 1 L 9 4 L 2 8 Z", &RED);
    pietra_stream *plain = encode_and_destroy(scene);
    compare(renderer, plain, side);
    for (bool failed = true; failed; tries++) {
        const size_t meaning = tries % MEANINGS;
        fail_from(tries, meanings[meaning].vulkan);
        failed = draw_failing(renderer, stream, side, meaning);
        fail_from(NEVER, VK_SUCCESS);
        compare(renderer, plain, side);
    }
    assert_true(tries > 5); /* the calls of one submission */
    compare(renderer, stream, side);
    pietra_stream_destroy(plain);
}

/* Fails each call that a frame takes. After each failure, with the real Vulkan, draws the frame before it, which may
 * still be there, and then the same frame again. */
static void test_frames(void **state)
{
    (void)state;
    gpu_fixture fixture;
    gpu_renderer *renderer;
    pietra_error error;
    const gpu_renderer_options options = {.budget_bytes = BUDGET, .fine_work = FINE_WORK};
    uint32_t side = 16;
    open_faulty(&fixture);
    if (gpu_renderer_create(fixture.device, &options, &error, &renderer) != PIETRA_OK)
        fail_msg("%s", error.message);
    pietra_stream *before = make_stream(6000);
    draw_first(renderer, before, side);
    for (size_t m = 0; m < MEANINGS; m++) {
        bool failed = true;
        /* By day every second call fails with one meaning, and every fifth with each other one. */
        const uint32_t step = all_sizes() ? 1 : m == 0 ? 2 : 5;
        for (uint32_t first = 0; failed; first += step, side += 2) {
            pietra_stream *stream = make_stream(6000 + side);
            fail_from(first, meanings[m].vulkan);
            failed = draw_failing(renderer, stream, side, m);
            fail_from(NEVER, VK_SUCCESS);
            compare(renderer, before, side);
            compare(renderer, stream, side);
            pietra_stream_destroy(before);
            before = stream;
            assert_true(failed || first >= 5); /* the calls of one submission */
        }
    }
    pietra_stream_destroy(before);
    gpu_renderer_destroy(renderer);
    gpu_fixture_close(&fixture);
}

/* Floods an image, and stores it as pixels. */
static pietra_result run_effects(gpu_effects *effects, const gpu_effect_places *places, pietra_error *error)
{
    const effect_box box = {0, 0, 5, 3};
    const stream_effect_step step = {.kind = EFFECT_STEP_FLOOD};
    const effect_node node = {.step = &step, .parameters = {.flood = {0, 0, 0, EFFECT_ONE}}};
    const effect_call flood = {.kind = EFFECT_CALL_STEP, .node = &node}, store = {.kind = EFFECT_CALL_STORE};
    const work_image pixels = {.stride = 5, .box = box}, nothing = {.box = {0, 0, 0, 0}};
    pietra_stats stats = {.parts = 0};
    work_image image;
    effect_jobs_begin(&effects->jobs, 0);
    assert_true(effect_jobs_make_image(&effects->jobs, box, &image));
    assert_true(effect_jobs_add_call(&effects->jobs, NULL, &flood, &nothing, &nothing, &image));
    assert_true(effect_jobs_add_call(&effects->jobs, NULL, &store, &image, &nothing, &pixels));
    return gpu_effects_run_jobs(effects, places, NULL, error, &stats);
}

/* Fails each call that effects take, programs and tables among them. After each failure, they run with the real
 * Vulkan. */
static void test_effects(void **state)
{
    (void)state;
    gpu_fixture fixture;
    gpu_buffer results;
    gpu_recorder *recorder;
    pietra_error error = {0};
    open_faulty(&fixture);
    assert_int_equal(gpu_recorder_create(fixture.device, &error, &recorder), PIETRA_OK);
    assert_int_equal(gpu_buffer_create(fixture.device, 64, GPU_MEMORY_READBACK, &error, &results), PIETRA_OK);
    const gpu_effect_places places = {.results = {.buffer = &results, .bytes = 64}};
    for (size_t m = 0; m < MEANINGS; m++) {
        bool failed = true;
        const uint32_t step = all_sizes() ? 1 : m == 0 ? 2 : 5;
        for (uint32_t first = 0; failed; first += step) {
            gpu_effects effects = {.device = fixture.device, .recorder = recorder};
            fail_from(first, meanings[m].vulkan);
            failed = failed_as(m, run_effects(&effects, &places, &error), &error);
            fail_from(NEVER, VK_SUCCESS);
            memset(results.mapped, 0, 64);
            assert_int_equal(run_effects(&effects, &places, &error), PIETRA_OK);
            for (uint32_t i = 0; i < 15; i++)
                assert_int_equal(((uint32_t *)results.mapped)[i], 0xff000000u);
            gpu_effects_free(&effects);
            assert_true(failed || first >= 20);
        }
    }
    gpu_buffer_destroy(fixture.device, &results);
    gpu_recorder_destroy(recorder);
    gpu_fixture_close(&fixture);
}

/* A device that does not answer. Every wait ends, and afterwards nothing waits or is destroyed any more. */
static void test_no_answer(void **state)
{
    static gpu_fixture fixture; /* what is left behind stays reachable */
    gpu_recorder *recorder;
    gpu_buffer buffer;
    pietra_error error;
    const VkResult answers[] = {VK_TIMEOUT, VK_ERROR_OUT_OF_HOST_MEMORY};
    (void)state;
    for (size_t i = 0; i < sizeof answers / sizeof answers[0]; i++) {
        open_faulty(&fixture);
        assert_int_equal(gpu_recorder_create(fixture.device, &error, &recorder), PIETRA_OK);
        assert_int_equal(gpu_buffer_create(fixture.device, 64, GPU_MEMORY_DEVICE, &error, &buffer), PIETRA_OK);
        assert_int_equal(gpu_recorder_begin(recorder, &error), PIETRA_OK);
        assert_int_equal(gpu_recorder_submit(recorder, &error), PIETRA_OK);
        fail_from(0, answers[i]);
        fault.waits = true;
        assert_int_equal(gpu_recorder_wait(recorder, &error), i ? PIETRA_ERROR_MEMORY : PIETRA_ERROR_DEVICE);
        assert_true(i || strstr(error.message, "has not answered for "));
        assert_true(fault.timeout <= UINT64_C(600000000000));
        uint32_t calls = fault.calls;
        assert_int_equal(gpu_recorder_begin(recorder, &error), PIETRA_ERROR_DEVICE);
        assert_non_null(strstr(error.message, "no longer answers"));
        gpu_buffer_destroy(fixture.device, &buffer);
        gpu_recorder_destroy(recorder);
        gpu_close(fixture.device);
        assert_int_equal(fault.calls, calls);
        assert_int_equal(fixture.messages, 0);
        fault.waits = false;
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_making),
        cmocka_unit_test(test_frames),
        cmocka_unit_test(test_effects),
        cmocka_unit_test(test_no_answer),
    };
    return cmocka_run_group_tests_name("gpu_faults", tests, NULL, NULL);
}
