/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* A GPU under the validation layer, for tests. Every message of the layer fails the test. */
#ifndef PIETRA_VULKAN_GPU_FIXTURE_H
#define PIETRA_VULKAN_GPU_FIXTURE_H

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>

#include "vulkan/device.h"
#include "vulkan/gpu_without.h"

typedef struct gpu_fixture {
    gpu_device *device;
    unsigned messages; /* from the validation layer; printed as they come */
} gpu_fixture;

static inline void gpu_fixture_log(void *user, const char *message)
{
    gpu_fixture *fixture = user;
    fixture->messages++;
    print_error("%s\n", message);
}

/* Returns the options with which the fixture opens the device. A test may change them first. The fixture must not move
 * while the device is open. */
static inline pietra_device_options gpu_fixture_options(gpu_fixture *fixture)
{
    return (pietra_device_options){
        .kind = PIETRA_DEVICE_GPU,
        .validation = !getenv("PIETRA_TEST_WITHOUT_VALIDATION"), /* for machines without the layer */
        .log = gpu_fixture_log,
        .log_user = fixture,
        .cache_directory = "",
    };
}

static inline void gpu_fixture_open(gpu_fixture *fixture, const pietra_device_options *options)
{
    pietra_error error = {0};
    fixture->device = NULL;
    fixture->messages = 0;
    if (gpu_open_without(options, gpu_without(), &error, &fixture->device) != PIETRA_OK)
        fail_msg("%s", error.message);
}

/* This also reports what the layer says about objects that remain when the device is closed. A fixture that could not
 * be opened may be closed. */
static inline void gpu_fixture_close(gpu_fixture *fixture)
{
    gpu_close(fixture->device);
    fixture->device = NULL;
    assert_int_equal(fixture->messages, 0);
}

/* For cmocka: makes a gpu_fixture the state of the group or the test. */
static inline int gpu_fixture_setup(void **state)
{
    static gpu_fixture fixture;
    pietra_device_options options = gpu_fixture_options(&fixture);
    *state = &fixture; /* first: cmocka tears down what could not be set up */
    gpu_fixture_open(&fixture, &options);
    return 0;
}

static inline int gpu_fixture_teardown(void **state)
{
    gpu_fixture_close(*state);
    return 0;
}

#endif
