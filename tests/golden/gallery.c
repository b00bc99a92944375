/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "golden/gallery.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "exact/exact.h"

#define GOLDEN_PATH 4096

const gallery_tolerance gallery_usual = {.limit = 30, .mean = 3.5, .above = 0.001};

static picture to_picture(uint32_t width, uint32_t height, const float *exact)
{
    picture image = picture_create(width, height);
    for (size_t i = 0; i < 4 * (size_t)width * height; i++) {
        double alpha = (double)exact[i | 3], straight = i % 4 == 3 ? alpha : alpha > 0 ? (double)exact[i] / alpha : 0;
        image.pixels[i] = (uint8_t)lround(255 * fmin(fmax(straight, 0), 1));
    }
    return image;
}

bool gallery_judge(panel *p, const char *name, const pietra_stream *stream, const pietra_frame *frame,
                   const picture *image, gallery_tolerance tolerance)
{
    float *exact = malloc((size_t)image->width * image->height * 4 * sizeof *exact);
    if (!exact || !exact_render(stream, frame, image->width, image->height, exact))
        abort();
    exact_difference d = exact_compare(image->width, image->height, exact, image->pixels, true, tolerance.limit);
    bool good = d.above <= 4 + tolerance.above * image->width * image->height && d.mean <= tolerance.mean &&
                d.greatest <= fmax(tolerance.greatest, GALLERY_WRONG);
    if (!good && p) {
        char path[4096];
        picture right = to_picture(image->width, image->height, exact);
        snprintf(path, sizeof path, PIETRA_BINARY_DIR "/tests/inexact/%s.png", name);
        picture_write_change(path, &right, image);
        picture_destroy(&right);
        panel_fail(
            p, name,
            "%u pixels are more than %g levels from the exact picture, by %.1f at %u, %u; %.3f in the mean; see %s",
            d.above, tolerance.limit, d.greatest, d.x, d.y, d.mean, path);
    }
    free(exact);
    return good;
}

/* Reads the golden, and returns whether there is one. */
static bool read_golden(const char *name, char path[GOLDEN_PATH], picture *golden)
{
    snprintf(path, GOLDEN_PATH, PIETRA_SOURCE_DIR "/tests/golden/images/%s.png", name);
    return picture_read(path, golden);
}

bool gallery_has(const char *name, const picture *image)
{
    char path[GOLDEN_PATH];
    picture golden = {0};
    const bool same = read_golden(name, path, &golden) && picture_equal(&golden, image);
    picture_destroy(&golden);
    return same;
}

void gallery_check(panel *p, const char *name, const picture *image, bool update)
{
    char path[GOLDEN_PATH];
    picture golden = {0};
    bool found = read_golden(name, path, &golden);
    if (update) {
        if (found && picture_equal(&golden, image)) {
            picture_destroy(&golden);
            return;
        }
        if (found) {
            char change[4096];
            snprintf(change, sizeof change, PIETRA_BINARY_DIR "/tests/changed/%s.png", name);
            picture_write_change(change, &golden, image);
        }
        printf("%s: %s\n", name, found ? "changed" : "new");
        if (!picture_write(path, image))
            panel_fail(p, name, "cannot write %s", path);
    } else if (!found) {
        panel_fail(p, name, "no golden at %s; make it with --update", path);
    } else {
        panel_expect_equal(p, name, &golden, image);
    }
    picture_destroy(&golden);
}
