/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "golden/scene_files.h"

#include <glob.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pietra/pietra_text.h"

#define FOLDER PIETRA_SOURCE_DIR "/scenes/"

scene_files scene_files_find(void)
{
    glob_t found;
    if (glob(FOLDER "*/*.svg", 0, NULL, &found))
        abort();
    scene_files files = {calloc(found.gl_pathc, sizeof *files.names), found.gl_pathc};
    for (size_t i = 0; files.names && i < files.count; i++) {
        files.names[i] = strdup(found.gl_pathv[i] + strlen(FOLDER));
        if (!files.names[i])
            abort();
        *strrchr(files.names[i], '.') = 0;
    }
    globfree(&found);
    return files;
}

void scene_files_free(scene_files *files)
{
    for (size_t i = 0; i < files->count; i++)
        free(files->names[i]);
    free(files->names);
    *files = (scene_files){0};
}

static char *read_file(const char *path, size_t *size)
{
    FILE *file = fopen(path, "rb");
    char *bytes = NULL;
    if (!file || fseek(file, 0, SEEK_END))
        abort();
    *size = (size_t)ftell(file);
    rewind(file);
    bytes = malloc(*size + 1);
    if (!bytes || fread(bytes, 1, *size, file) != *size)
        abort();
    fclose(file);
    return bytes;
}

/* The fonts of scenes are those beside the goldens, and some of the tests of fonts. Those of the system differ from
 * machine to machine. The scenes of one folder have none. */
static pietra_fonts *make_fonts(const char *name)
{
    pietra_error error;
    static const char *const others[] = {"paints.ttf",     "bitmaps.ttf",  "documents.ttf",
                                         "collection.ttc", "variable.ttf", "capitals.ttf"};
    pietra_fonts *fonts = pietra_fonts_create();
    if (fonts && strncmp(name, "no_fonts/", strlen("no_fonts/")) == 0)
        return fonts;
    if (!fonts || pietra_fonts_add_directory(fonts, PIETRA_SOURCE_DIR "/tests/golden/fonts", &error) ||
        pietra_fonts_set_family(fonts, PIETRA_FAMILY_SERIF, "DejaVu Serif", &error))
        abort();
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
        char path[4096];
        snprintf(path, sizeof path, PIETRA_SOURCE_DIR "/tests/font/fonts/%s", others[i]);
        if (pietra_fonts_add_file(fonts, path, &error) != PIETRA_OK)
            abort();
    }
    return fonts;
}

pietra_result scene_files_load(const char *name, pietra_error *error, pietra_stream **stream, uint32_t *width,
                               uint32_t *height)
{
    char path[4096], folder[4096];
    size_t size;
    double w = 0, h = 0;
    snprintf(path, sizeof path, FOLDER "%s.svg", name);
    snprintf(folder, sizeof folder, FOLDER "%.*s", (int)(strchr(name, '/') - name), name);
    pietra_fonts *fonts = make_fonts(name);
    const pietra_svg_options options = {.resources_directory = folder, .fonts = fonts};
    char *bytes = read_file(path, &size);
    pietra_scene *scene = pietra_scene_create();
    pietra_result result = pietra_scene_load_svg(scene, bytes, size, &options, error, &w, &h);
    if (!result)
        result = pietra_stream_encode(scene, error, stream);
    if (!result) {
        *width = (uint32_t)fmax(ceil(w - 1e-6), 1);
        *height = (uint32_t)fmax(ceil(h - 1e-6), 1);
    }
    pietra_scene_destroy(scene);
    pietra_fonts_destroy(fonts);
    free(bytes);
    return result;
}
