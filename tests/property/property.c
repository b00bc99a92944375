/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "property/property.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const pietra_paint white = {.color = {1, 1, 1, 1}};

void property_demand(pietra_result result, const pietra_error *error)
{
    if (result) {
        fprintf(stderr, "property: %s\n", error->message);
        abort();
    }
}

pietra_stream *property_encode(const pietra_scene *scene)
{
    pietra_error error;
    pietra_stream *stream;
    property_demand(pietra_stream_encode(scene, &error, &stream), &error);
    return stream;
}

pietra_stream *property_encode_random(uint64_t seed, random_kind kind, double side)
{
    pietra_scene *scene = random_scene_create(seed, kind, side);
    pietra_stream *stream = property_encode(scene);
    pietra_scene_destroy(scene);
    return stream;
}

picture property_draw(property_test *test, uint32_t device, const char *name, const pietra_stream *stream,
                      const pietra_frame *frame)
{
    picture image = picture_create(SIDE, SIDE);
    panel_draw(test->devices, device, name, stream, frame, &image);
    return image;
}

void property_expect_same(property_test *test, const char *name, picture a, picture b)
{
    panel_expect_equal(test->devices, name, &a, &b);
    picture_destroy(&a);
    picture_destroy(&b);
}

pietra_device *property_open_device(pietra_device_kind kind, uint64_t budget, uint32_t threads)
{
    pietra_error error;
    pietra_device *device;
    pietra_device_options options = {.kind = kind, .memory_budget_bytes = budget, .threads = threads};
    property_demand(pietra_device_create(&options, &error, &device), &error);
    return device;
}

pietra_result property_draw_on(pietra_device *device, const pietra_stream *stream, picture *image, pietra_error *error,
                               pietra_stats *stats)
{
    pietra_target target = {.width = image->width, .height = image->height, .pixels = image->pixels};
    return pietra_render(device, stream, NULL, &target, error, stats);
}

pietra_stream *property_encode_fill(const pietra_path *path, pietra_fill_rule rule)
{
    pietra_error error;
    pietra_scene *scene = pietra_scene_create();
    property_demand(pietra_scene_fill(scene, path, NULL, rule, &white, &error), &error);
    pietra_stream *stream = property_encode(scene);
    pietra_scene_destroy(scene);
    return stream;
}

pietra_stream *property_encode_stroke(const pietra_path *path, const pietra_stroke *stroke)
{
    pietra_error error;
    pietra_scene *scene = pietra_scene_create();
    property_demand(pietra_scene_stroke(scene, path, NULL, stroke, &white, &error), &error);
    pietra_stream *stream = property_encode(scene);
    pietra_scene_destroy(scene);
    return stream;
}

int property_run(const property_check *checks, size_t count, int argc, char **argv)
{
    panel devices;
    property_test test = {.devices = &devices, .only = argc > 2 ? strtoull(argv[2], NULL, 10) : 0};
    const char *part = argc > 1 ? argv[1] : "";
    panel_open(&devices, true);
    for (size_t i = 0; i < count; i++) {
        if (strstr(checks[i].name, part)) {
            uint32_t before = devices.failures;
            checks[i].check(&test);
            printf("%s: %u failures\n", checks[i].name, devices.failures - before);
        }
    }
    panel_close(&devices);
    return devices.failures != 0;
}
