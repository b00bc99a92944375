/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The least program that shows that an installed Pietra can be found, linked and run: one red pixel. */
#include <pietra/pietra.h>
#include <stdio.h>
#include <string.h>

#ifndef DEVICE
#define DEVICE PIETRA_DEVICE_CPU
#endif

int main(void)
{
    static const char text[] =
        "<svg xmlns='http://www.w3.org/2000/svg' width='1' height='1'><rect width='1' height='1' fill='red'/></svg>";
    static const unsigned char red[4] = {255, 0, 0, 255};
    unsigned char pixel[4];
    pietra_target target = {.width = 1, .height = 1, .pixels = pixel};
    pietra_device_options options = {.kind = DEVICE};
    pietra_scene *scene = pietra_scene_create();
    pietra_stream *stream = NULL;
    pietra_device *device = NULL;
    pietra_error error = {.result = PIETRA_ERROR_MEMORY, .message = "no scene"};
    double width, height;
    int status = 1;

    if (scene && pietra_scene_load_svg(scene, text, strlen(text), NULL, &error, &width, &height) == PIETRA_OK &&
        pietra_stream_encode(scene, &error, &stream) == PIETRA_OK &&
        pietra_device_create(&options, &error, &device) == PIETRA_OK &&
        pietra_render(device, stream, NULL, &target, &error, NULL) == PIETRA_OK) {
        status = memcmp(pixel, red, sizeof red) != 0;
        printf("pietra %s: %02x%02x%02x%02x\n", pietra_version(), pixel[0], pixel[1], pixel[2], pixel[3]);
    } else {
        fprintf(stderr, "%s\n", error.message);
    }
    pietra_device_destroy(device);
    pietra_stream_destroy(stream);
    pietra_scene_destroy(scene);
    return status;
}
