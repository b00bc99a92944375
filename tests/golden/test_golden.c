/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Every scene of scenes/ gives the same bytes on every device. They are those of the golden, and close to the exact
 * renderer's picture. By day the exact renderer judges what is not yet a golden: of a golden it has been asked before.
 *
 *   test_golden [--update] [PART]
 *
 * PART: only scenes whose names contain it. --update writes goldens that are new or changed, if the devices agree with
 * each other and with the exact renderer. Changed pictures lie in the build directory below tests/changed: look at
 * them. */
#include <stdio.h>
#include <string.h>

#include "all_sizes.h"
#include "golden/gallery.h"
#include "golden/scene_files.h"

/* Scenes that the usual tolerance does not fit, and why. */
static const struct {
    const char *name;
    gallery_tolerance tolerance;
} tolerances[] = {
    /* Thin dashes are dense here: most pixels lie on an edge. */
    {"stress/dashes", {40, 5, 0.001, 0}},
    /* The spine's chords may be off by 0.1 pixel, and on the outside the pen's may add another 0.1. */
    {"stroke/bends_like_the_pen", {60, 1, 0.001, 0}},
    {"stroke/tight_curves", {45, 1, 0.001, 0}},
    {"coverage/bends", {50, 3, 0.001, 0}},
    /* Stripes of a 64th of a pixel lie between the rows of samples. */
    {"coverage/case_pile", {45, 1, 0, 0}},
};

/* Returns whether the exact renderer can judge a scene. It does not know what scenes with these beginnings of names
 * show: somebody looked at their goldens, and here the devices judge each other. */
static bool is_judged(const char *name)
{
    static const char *const beginnings[] = {"blend/",
                                             "aliased/",
                                             "editor/figma",
                                             "editor/linked",
                                             "editor/plot",
                                             "filter/",
                                             "image/",
                                             "mask/",
                                             "external/mask",
                                             "pattern/isolated",
                                             "coverage/mask_",
                                             "text/color_composites",
                                             "text/color_glyphs",
                                             "text/emoji",
                                             "text/color_operators"};

    for (size_t i = 0; i < sizeof beginnings / sizeof beginnings[0]; i++)
        if (strncmp(name, beginnings[i], strlen(beginnings[i])) == 0)
            return false;
    return true;
}

static gallery_tolerance tolerance_of(const char *name)
{
    for (size_t i = 0; i < sizeof tolerances / sizeof tolerances[0]; i++)
        if (strcmp(tolerances[i].name, name) == 0)
            return tolerances[i].tolerance;
    return gallery_usual;
}

static void check_scene(panel *p, const char *name, bool update)
{
    pietra_error error;
    pietra_stream *stream;
    uint32_t width, height, failures = p->failures;
    if (scene_files_load(name, &error, &stream, &width, &height)) {
        panel_fail(p, name, "line %u: %s", error.line, error.message);
        return;
    }
    picture image = panel_draw_all(p, name, stream, NULL, width, height);
    if (image.pixels) {
        if (is_judged(name) && (update || all_sizes() || !gallery_has(name, &image)))
            gallery_judge(p, name, stream, NULL, &image, tolerance_of(name));
        gallery_check(p, name, &image, update && p->failures == failures);
    }
    picture_destroy(&image);
    pietra_stream_destroy(stream);
}

int main(int argc, char **argv)
{
    bool update = argc > 1 && strcmp(argv[1], "--update") == 0;
    const char *part = argc > 1 + update ? argv[1 + update] : "";
    scene_files files = scene_files_find();
    panel devices;
    size_t checked = 0;
    panel_open(&devices, true);
    for (size_t i = 0; i < files.count; i++) {
        if (strstr(files.names[i], part)) {
            check_scene(&devices, files.names[i], update);
            checked++;
        }
    }
    panel_close(&devices);
    printf("%zu scenes, %u failures\n", checked, devices.failures);
    scene_files_free(&files);
    return devices.failures != 0;
}
