/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The list of GPUs, and which of them is opened. */
#include <stdlib.h>
#include <string.h>

#include "vulkan/gpu_fixture.h"
#include "vulkan/instance.h"

static void test_list(void **state)
{
    (void)state;
    pietra_device_info infos[8];
    pietra_error error = {0};
    size_t count = 0;
    assert_int_equal(gpu_list(8, &error, infos, &count), PIETRA_OK);
    assert_true(count >= 1);
    bool software = false;
    for (size_t i = 0; i < count && i < 8; i++) {
        assert_int_equal(infos[i].kind, PIETRA_DEVICE_GPU);
        assert_int_equal(infos[i].gpu_index, i);
        assert_true(strlen(infos[i].name) > 0);
        assert_int_equal(infos[i].usable, infos[i].missing[0] == '\0');
        assert_true(infos[i].memory_bytes > 0);
        assert_true(infos[i].binding_limit_bytes >= UINT64_C(1) << 27);
        assert_false(software && infos[i].hardware);
        software = !infos[i].hardware;
    }
}

static void test_list_of_no_capacity_counts(void **state)
{
    (void)state;
    size_t count = 0;
    assert_int_equal(gpu_list(0, NULL, NULL, &count), PIETRA_OK);
    assert_true(count >= 1);
}

static void test_limits_and_info(void **state)
{
    const gpu_fixture *fixture = *state;
    const gpu_limits *limits = gpu_get_limits(fixture->device);
    assert_true(limits->subgroup_size >= limits->min_subgroup_size &&
                limits->subgroup_size <= limits->max_subgroup_size);
    assert_true(limits->max_workgroup_invocations >= 256);
    assert_true(limits->shared_bytes >= 32768);
    assert_true(limits->max_groups[0] >= 65535 && limits->max_groups[1] >= 65535 && limits->max_groups[2] >= 1);
    assert_true(limits->storage_alignment > 0 && (limits->storage_alignment & (limits->storage_alignment - 1)) == 0);
    assert_true(limits->max_allocation_bytes > 0 && limits->memory_bytes > 0);
    pietra_device_info info;
    gpu_get_info(fixture->device, &info);
    assert_true(info.usable);
    assert_int_equal(info.hardware, limits->hardware);
    assert_int_equal(info.binding_limit_bytes, limits->max_binding_bytes);
}

static void assert_refused(const pietra_device_options *options, const char *part_of_message)
{
    gpu_device *device = (gpu_device *)1;
    pietra_error error = {0};
    assert_int_equal(gpu_open(options, &error, &device), PIETRA_ERROR_DEVICE);
    assert_int_equal(error.result, PIETRA_ERROR_DEVICE);
    assert_null(device);
    if (!strstr(error.message, part_of_message))
        fail_msg("\"%s\" does not say \"%s\"", error.message, part_of_message);
}

static void test_no_such_name(void **state)
{
    (void)state;
    const pietra_device_options options = {.kind = PIETRA_DEVICE_GPU, .gpu_name = "no such GPU", .cache_directory = ""};
    assert_refused(&options, "\"no such GPU\"");
}

static void test_no_such_index(void **state)
{
    (void)state;
    const pietra_device_options options = {
        .kind = PIETRA_DEVICE_GPU, .by_index = true, .gpu_index = 1000, .cache_directory = ""};
    assert_refused(&options, "index 1000");
}

/* A part of its name in other case, its index, and no choice at all give the same device. */
static void test_choices(void **state)
{
    (void)state;
    pietra_device_info listed, info;
    size_t count;
    assert_int_equal(gpu_list(1, NULL, &listed, &count), PIETRA_OK);
    char name[sizeof listed.name];
    for (size_t i = 0; i < sizeof name; i++) {
        char c = listed.name[i];
        name[i] = c >= 'a' && c <= 'z' ? (char)(c - 'a' + 'A') : c;
    }
    const pietra_device_options choices[] = {
        {.kind = PIETRA_DEVICE_GPU, .cache_directory = ""},
        {.kind = PIETRA_DEVICE_GPU, .by_index = true, .gpu_index = 0, .cache_directory = ""},
        {.kind = PIETRA_DEVICE_GPU, .gpu_name = name + 1, .cache_directory = ""},
        {.kind = PIETRA_DEVICE_AUTO, .by_index = true, .gpu_index = 0, .cache_directory = ""},
    };
    for (size_t i = 0; i < sizeof choices / sizeof choices[0]; i++) {
        gpu_device *device;
        pietra_error error = {0};
        if (gpu_open(&choices[i], &error, &device) != PIETRA_OK)
            fail_msg("%s", error.message);
        gpu_get_info(device, &info);
        assert_string_equal(info.name, listed.name);
        assert_int_equal(info.gpu_index, 0);
        gpu_close(device);
    }
}

static void test_automatic_choice_leaves_software_out(void **state)
{
    (void)state;
    pietra_device_info first;
    size_t count;
    assert_int_equal(gpu_list(1, NULL, &first, &count), PIETRA_OK);
    const pietra_device_options options = {.kind = PIETRA_DEVICE_AUTO, .cache_directory = ""};
    if (first.hardware) {
        gpu_device *device;
        assert_int_equal(gpu_open(&options, NULL, &device), PIETRA_OK);
        gpu_close(device);
    } else {
        assert_refused(&options, "no hardware GPU");
    }
}

/* If there is no such GPU, `auto` takes the CPU and reports no error. */
static void test_automatic_choice_falls_back(void **state)
{
    (void)state;
    const pietra_device_options options = {.kind = PIETRA_DEVICE_AUTO, .gpu_name = "no GPU has this name"};
    pietra_device *device;
    pietra_device_info info;
    pietra_error error, before;
    memset(&error, 0x5a, sizeof error);
    before = error;
    assert_int_equal(pietra_device_create(&options, &error, &device), PIETRA_OK);
    assert_memory_equal(&error, &before, sizeof before);
    pietra_device_get_info(device, &info);
    assert_int_equal(info.kind, PIETRA_DEVICE_CPU);
    assert_string_equal(info.missing, "no GPU's name holds \"no GPU has this name\"");
    pietra_device_destroy(device);
}

/* Two devices know nothing of each other. */
static void test_two_at_once(void **state)
{
    (void)state;
    gpu_fixture fixtures[2];
    for (size_t i = 0; i < 2; i++) {
        pietra_device_options options = gpu_fixture_options(&fixtures[i]);
        gpu_fixture_open(&fixtures[i], &options);
    }
    gpu_fixture_close(&fixtures[0]);
    gpu_fixture_close(&fixtures[1]);
}

static PFN_vkDestroyInstance destroy_instance;
static uint32_t destroyed;

static VKAPI_ATTR void VKAPI_CALL count_destroyed(VkInstance handle, const VkAllocationCallbacks *callbacks)
{
    destroyed++;
    destroy_instance(handle, callbacks);
}

static void test_instance_is_destroyed(void **state)
{
    (void)state;
    gpu_instance instance;
    pietra_error error = {0};
    assert_int_equal(instance_open(NULL, &error, &instance), PIETRA_OK);
    destroy_instance = instance.vk.DestroyInstance;
    instance.vk.DestroyInstance = count_destroyed;
    instance_close(&instance);
    assert_int_equal(destroyed, 1);
}

static void test_missing_layer_is_an_error(void **state)
{
    (void)state;
    const pietra_device_options options = {.kind = PIETRA_DEVICE_GPU, .validation = true, .cache_directory = ""};
    assert_int_equal(setenv("VK_LAYER_PATH", PIETRA_SOURCE_DIR "/tests/vulkan", 1), 0);
    assert_refused(&options, "VK_LAYER_KHRONOS_validation is not installed");
    assert_int_equal(unsetenv("VK_LAYER_PATH"), 0);
}

/* This is like a machine that has libvulkan but no driver. */
static void test_no_driver(void **state)
{
    (void)state;
    const pietra_device_options options = {.kind = PIETRA_DEVICE_GPU, .cache_directory = ""};
    size_t count = 1;
    assert_int_equal(setenv("VK_ICD_FILENAMES", "/nonexistent/driver.json", 1), 0);
    assert_int_equal(gpu_list(0, NULL, NULL, &count), PIETRA_OK);
    assert_int_equal(count, 0);
    gpu_device *device;
    assert_int_equal(gpu_open(&options, NULL, &device), PIETRA_ERROR_DEVICE);
    assert_null(device);
    assert_int_equal(unsetenv("VK_ICD_FILENAMES"), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_list),
        cmocka_unit_test(test_list_of_no_capacity_counts),
        cmocka_unit_test_setup_teardown(test_limits_and_info, gpu_fixture_setup, gpu_fixture_teardown),
        cmocka_unit_test(test_no_such_name),
        cmocka_unit_test(test_no_such_index),
        cmocka_unit_test(test_choices),
        cmocka_unit_test(test_automatic_choice_leaves_software_out),
        cmocka_unit_test(test_automatic_choice_falls_back),
        cmocka_unit_test(test_two_at_once),
        cmocka_unit_test(test_instance_is_destroyed),
        cmocka_unit_test(test_missing_layer_is_an_error),
        cmocka_unit_test(test_no_driver),
    };
    return cmocka_run_group_tests_name("gpu_open", tests, NULL, NULL);
}
