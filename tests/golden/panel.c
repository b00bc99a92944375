/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "golden/panel.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void count_message(void *user, const char *message)
{
    panel *p = user;
    p->messages++;
    panel_fail(p, "validation", "%s", message);
}

static void open_one(panel *p, const char *name, pietra_device_options options)
{
    const char *wanted = getenv("PIETRA_TEST_DEVICES");
    pietra_error error;
    if (wanted && !strstr(wanted, name))
        return;
    options.log = count_message;
    options.log_user = p;
    if (pietra_device_create(&options, &error, &p->devices[p->count].device)) {
        fprintf(stderr, "%s: %s\n", name, error.message);
        exit(EXIT_FAILURE);
    }
    p->devices[p->count].kind = options.kind;
    p->devices[p->count++].name = name;
}

void panel_open(panel *p, bool validation)
{
    panel_open_with(p, validation, (pietra_device_options){0});
}

void panel_open_with(panel *p, bool validation, pietra_device_options options)
{
    static const char *const names[] = {"reference", "cpu", "gpu"};
    static const pietra_device_kind kinds[] = {PIETRA_DEVICE_REFERENCE, PIETRA_DEVICE_CPU, PIETRA_DEVICE_GPU};
    *p = (panel){0};
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        options.kind = kinds[i];
        /* Some machines lack the layer. */
        options.validation = validation && kinds[i] == PIETRA_DEVICE_GPU && !getenv("PIETRA_TEST_WITHOUT_VALIDATION");
        open_one(p, names[i], options);
    }
    if (!p->count) {
        fprintf(stderr, "PIETRA_TEST_DEVICES names no device: reference, cpu, gpu\n");
        exit(EXIT_FAILURE);
    }
}

void panel_close(panel *p)
{
    for (uint32_t i = 0; i < p->count; i++)
        pietra_device_destroy(p->devices[i].device);
    p->count = 0;
}

void panel_fail(panel *p, const char *name, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    fprintf(stderr, "%s: ", name);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
    va_end(arguments);
    p->failures++;
}

bool panel_draw(panel *p, uint32_t device, const char *name, const pietra_stream *stream, const pietra_frame *frame,
                picture *image)
{
    pietra_target target = {.width = image->width, .height = image->height, .pixels = image->pixels};
    pietra_error error;
    if (pietra_render(p->devices[device].device, stream, frame, &target, &error, NULL)) {
        panel_fail(p, name, "%s: %s", p->devices[device].name, error.message);
        return false;
    }
    return true;
}

picture panel_draw_all(panel *p, const char *name, const pietra_stream *stream, const pietra_frame *frame,
                       uint32_t width, uint32_t height)
{
    picture first = picture_create(width, height);
    if (!panel_draw(p, 0, name, stream, frame, &first)) {
        picture_destroy(&first);
        return first;
    }
    for (uint32_t i = 1; i < p->count; i++) {
        picture image = picture_create(width, height);
        char place[512];
        snprintf(place, sizeof place, "%s@%s", name, p->devices[i].name);
        if (panel_draw(p, i, name, stream, frame, &image))
            panel_expect_equal(p, place, &first, &image);
        picture_destroy(&image);
    }
    return first;
}

bool panel_expect_equal(panel *p, const char *name, const picture *expected, const picture *found)
{
    if (picture_equal(expected, found))
        return true;
    char path[4096];
    uint32_t x = 0, y = 0, count = 0;
    snprintf(path, sizeof path, PIETRA_BINARY_DIR "/tests/changed/%s.png", name);
    picture_write_change(path, expected, found);
    if (expected->width != found->width || expected->height != found->height) {
        panel_fail(p, name, "%ux%u instead of %ux%u; see %s", found->width, found->height, expected->width,
                   expected->height, path);
        return false;
    }
    count = picture_count_differences(expected, found, &x, &y);
    const uint8_t *e = expected->pixels + 4 * ((size_t)y * expected->width + x),
                  *f = found->pixels + 4 * ((size_t)y * found->width + x);
    panel_fail(
        p, name,
        "%u pixels differ, the first at %u, %u: %02x%02x%02x%02x instead of %02x%02x%02x%02x; old, new and difference are in %s",
        count, x, y, f[0], f[1], f[2], f[3], e[0], e[1], e[2], e[3], path);
    return false;
}
