/* Every scene of scenes/ on every device: the same bytes, those of the golden, and near the exact renderer's picture.
 *
 *   test_gpu_golden [--update] [PART]
 *
 * takes only the scenes whose names hold PART. --update writes goldens that are new or changed, if the devices agree and the exact
 * renderer does; what changed lies in the build directory below tests/changed: look at it. */
#include "golden/gallery.h"
#include "golden/scene_files.h"

#include <stdio.h>
#include <string.h>

/* Scenes that the usual tolerance does not fit, with the reason. */
static const struct {
    const char *name;
    gallery_tolerance tolerance;
} tolerances[] = {
    /* Dense thin dashes: most pixels lie on an edge. */
    {"stress/dashes", {40, 5, 0.001, 0}},
    /* On the inside of a bend tighter than the pen the edges of its half overlap in a few pixels. */
    {"stroke/tight_curves", {60, 1, 0.001, 0}},
    /* 0.1 pixel that the spine's chords may stray and 0.1 that the pen's may add up on the outside. */
    {"stroke/bends_like_the_pen", {60, 1, 0.001, 0}},
    /* Thousands of thin strips of one outline overlap in each pixel, and their areas are summed. */
    {"stress/spirograph", {60, 9, 0.2, 150}},
};

/* Scenes, by the beginning of their names, with what the exact renderer does not know. Their goldens were looked at; here the devices
 * judge each other. */
static bool is_judged(const char *name)
{
    static const char *const beginnings[] = {"blend/", "crisp/", "editor/figma", "editor/linked", "editor/plot", "image/", "mask/",
                                             "pattern/isolated"};

    for (size_t i = 0; i < sizeof beginnings / sizeof *beginnings; i++) {
        if (!strncmp(name, beginnings[i], strlen(beginnings[i]))) {
            return false;
        }
    }
    return true;
}

static gallery_tolerance tolerance_of(const char *name)
{
    for (size_t i = 0; i < sizeof tolerances / sizeof *tolerances; i++) {
        if (!strcmp(tolerances[i].name, name)) {
            return tolerances[i].tolerance;
        }
    }
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
        if (is_judged(name)) {
            gallery_judge(p, name, stream, NULL, &image, tolerance_of(name));
        }
        gallery_check(p, name, &image, update && p->failures == failures);
    }
    picture_destroy(&image);
    pietra_stream_destroy(stream);
}

int main(int argc, char **argv)
{
    bool update = argc > 1 && !strcmp(argv[1], "--update");
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
