/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The tuning table as text and in a device's file: what was written is read back, and what is broken or does not fit
 * changes nothing. */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "primitive/harness.h"
#include "primitive/device_wide/scan.h"
#include "primitive/tuning.h"

static const gpu_limits desktop = {.vendor = GPU_VENDOR_NVIDIA,
                                   .subgroup_size = 32,
                                   .min_subgroup_size = 32,
                                   .max_subgroup_size = 32,
                                   .max_workgroup_invocations = 1024,
                                   .shared_bytes = 49152,
                                   .hardware = true,
                                   .subgroup_size_control = true};
static const gpu_limits phone = {.subgroup_size = 16,
                                 .min_subgroup_size = 16,
                                 .max_subgroup_size = 16,
                                 .max_workgroup_invocations = 256,
                                 .shared_bytes = 32768,
                                 .hardware = true};
static const gpu_limits software = {.subgroup_size = 8,
                                    .min_subgroup_size = 8,
                                    .max_subgroup_size = 8,
                                    .max_workgroup_invocations = 1024,
                                    .shared_bytes = 32768};

/* A device that cannot be asked for subgroups of one size. */
static const gpu_limits tablet = {.subgroup_size = 32,
                                  .min_subgroup_size = 32,
                                  .max_subgroup_size = 32,
                                  .max_workgroup_invocations = 1024,
                                  .shared_bytes = 32768,
                                  .hardware = true};
static const gpu_limits old_desktop = {.subgroup_size = 64,
                                       .min_subgroup_size = 64,
                                       .max_subgroup_size = 64,
                                       .max_workgroup_invocations = 1024,
                                       .shared_bytes = 49152,
                                       .hardware = true};

/* A device whose subgroups have 8 to 32 invocations, as the compiler chooses. */
static const gpu_limits laptop = {.subgroup_size = 32,
                                  .min_subgroup_size = 8,
                                  .max_subgroup_size = 32,
                                  .max_workgroup_invocations = 1024,
                                  .shared_bytes = 65536,
                                  .hardware = true,
                                  .subgroup_size_control = true};

static void test_round_trip(void **state)
{
    (void)state;
    primitive_tuning written = tuning_of(&desktop), read = tuning_of(&software);
    char text[TUNING_TEXT_BYTES];
    assert_true(tuning_set(&written, "sort_look_ahead", 13));
    tuning_print(&written, text);
    assert_true(strlen(text) + 1u < sizeof text);
    assert_true(tuning_parse(text, &read));
    assert_memory_equal(&read, &written, sizeof read);
}

static void test_broken_text(void **state)
{
    (void)state;
    static const char *const broken[] = {
        "",
        "end\n",
        "pietra tuning 1\n",
        "pietra tuning 2\nend\n",
        "pietra tuning 1\nsort_look_ahead 4\n",
        "pietra tuning 1\nsort_look_ahead 0\nend\n",
        "pietra tuning 1\nsort_look_ahead 99\nend\n",
        "pietra tuning 1\nsort_look_ahead\nend\n",
        "pietra tuning 1\nsort_look_ahead four\nend\n",
        "pietra tuning 1\nsort_look_ahead 4 4\nend\n",
        "pietra tuning 1\nsort_look_ahead -1\nend\n",
        "pietra tuning 1\nno_such_entry 4\nend\n",
        "pietra tuning 1\nsort_look_ahead 4294967300\nend\n",
        "pietra tuning 1\nsort_look_ahead 4\nend",
        "pietra tuning 1\nxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx 4\nend\n",
    };
    for (size_t i = 0; i < COUNT_OF(broken); i++) {
        primitive_tuning tuning = tuning_of(&desktop), before = tuning;
        if (tuning_parse(broken[i], &tuning))
            fail_msg("text %zu was taken", i);
        assert_memory_equal(&tuning, &before, sizeof tuning);
    }
    primitive_tuning tuning = tuning_of(&desktop);
    assert_true(tuning_parse("pietra tuning 1\nsort_look_ahead 5\nend\n", &tuning));
    assert_int_equal(tuning.sort_look_ahead, 5);
}

static void test_defaults_fit(void **state)
{
    (void)state;
    static const gpu_limits *const limits[] = {&desktop, &phone, &software, &tablet, &old_desktop, &laptop};
    for (size_t i = 0; i < COUNT_OF(limits); i++) {
        primitive_tuning tuning = tuning_of(limits[i]);
        if (!tuning_fits(limits[i], &tuning))
            fail_msg("the defaults of device %zu do not fit it", i);
    }
}

static void test_defaults_differ(void **state)
{
    (void)state;
    assert_int_equal(tuning_of(&laptop).sort_registers, 0);
    assert_int_equal(tuning_of(&laptop).segmented_invocations, 256);
    assert_int_equal(tuning_of(&desktop).sort_registers, 1);
    assert_true(tuning_of(&desktop).sort_ring_slots > 0);
    gpu_limits other = desktop;
    other.vendor = 0x1002;
    assert_int_equal(tuning_of(&other).sort_ring_slots, 0);
}

static void test_what_does_not_fit(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        uint32_t value;
    } wrong[] = {
        {"scan_invocations", 100}, {"sort_large_items", 1},         {"sort_small_invocations", 300},
        {"stack_look_ahead", 96},  {"sort_table_invocations", 384}, {"sort_compare_invocations", 320},
        {"scan_items", 10},        {"segmented_items", 18},         {"split_items", 5},
    };
    for (size_t i = 0; i < COUNT_OF(wrong); i++) {
        primitive_tuning tuning = tuning_of(&desktop);
        assert_true(tuning_set(&tuning, wrong[i].name, wrong[i].value));
        if (tuning_fits(&desktop, &tuning))
            fail_msg("%s %u is said to fit", wrong[i].name, wrong[i].value);
    }
    primitive_tuning large = tuning_of(&desktop);
    large.scan_invocations = 512;
    assert_false(tuning_fits(&phone, &large));
    assert_true(tuning_stack_fits(&phone, 64, 4, 256, 32, true));
    assert_false(tuning_stack_fits(&phone, 128, 4, 64, 32, true));  /* shared memory */
    assert_false(tuning_stack_fits(&phone, 512, 1, 64, 32, false)); /* invocations */
    assert_false(tuning_stack_fits(&laptop, 64, 1, 96, 32, false)); /* no power of two */
    large = tuning_of(&phone);
    large.stack_items = 32;
    assert_false(tuning_fits(&phone, &large));
    large = tuning_of(&phone);
    large.histogram_words = 8192;
    assert_false(tuning_fits(&phone, &large));
}

static gpu_device *open_with(const char *folder)
{
    pietra_error error = {0};
    gpu_device *device = NULL;
    pietra_device_options options = {.kind = PIETRA_DEVICE_GPU, .cache_directory = folder};
    harness_check(gpu_open(&options, &error, &device), &error);
    return device;
}

static void expect_look_ahead(const char *folder, uint32_t look_ahead)
{
    pietra_error error = {0};
    gpu_device *device = open_with(folder);
    assert_int_equal(tuning_for(device).sort_look_ahead, look_ahead);
    scan_kernels kernels = {0};
    harness_check(scan_create(device, NULL, &error, &kernels), &error);
    scan_destroy(&kernels);
    gpu_close(device);
}

static void write_tuning(const char *path, const char *text)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

static void test_file(void **state)
{
    (void)state;
    char folder[] = "/tmp/pietra-tuning-XXXXXX", command[64], path[512], text[TUNING_TEXT_BYTES];
    assert_non_null(mkdtemp(folder));
    gpu_device *device = open_with(folder);
    primitive_tuning tuning = tuning_for(device);
    uint32_t usual = tuning.sort_look_ahead, other = usual + 1u;
    assert_null(gpu_read_tuning(device));
    tuning.sort_look_ahead = other;
    tuning_print(&tuning, text);
    assert_true(gpu_write_tuning(device, text));
    snprintf(path, sizeof path, "%s", gpu_get_tuning_path(device));
    gpu_close(device);
    expect_look_ahead(folder, other);

    text[strlen(text) / 2u] = '\0';
    write_tuning(path, text);
    expect_look_ahead(folder, usual);
    tuning.stack_look_ahead = 96;
    tuning_print(&tuning, text);
    write_tuning(path, text);
    expect_look_ahead(folder, usual);

    device = open_with("");
    assert_null(gpu_get_tuning_path(device));
    assert_null(gpu_read_tuning(device));
    assert_false(gpu_write_tuning(device, "anything"));
    gpu_close(device);
    snprintf(command, sizeof command, "rm -r %s", folder);
    assert_int_equal(system(command), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_round_trip),        cmocka_unit_test(test_broken_text),
        cmocka_unit_test(test_defaults_fit),      cmocka_unit_test(test_defaults_differ),
        cmocka_unit_test(test_what_does_not_fit), cmocka_unit_test(test_file),
    };
    return cmocka_run_group_tests_name("tuning", tests, NULL, NULL);
}
