/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Lists the libraries of others that are opened at run time. */
#include "base/library.h"

#include <pietra/pietra.h>

#include "font/harfbuzz.h"
#include "text/icu.h"

/* A library, and the newest of the functions that are called. */
typedef struct row {
    const char *name, *purpose, *file, *function;
} row;

static const row rows[] = {
    {"vulkan", "GPUs", "libvulkan.so.1", "vkGetInstanceProcAddr"},
    {"libpng", "PNG in documents and fonts", IMAGE_PNG_LIBRARY, "png_image_begin_read_from_memory"},
    {"libjpeg", "JPEG in documents", IMAGE_JPEG_LIBRARY, "jpeg_mem_src"},
    {"giflib", "GIF in documents", IMAGE_GIF_LIBRARY, "DGifOpen"},
    {"libwebp", "WebP in documents", IMAGE_WEBP_LIBRARY, "WebPDemuxInternal"},
    {"lcms2", "colour profiles of images", IMAGE_LCMS_LIBRARY, "cmsCreateContext"},
    {"harfbuzz", "text", FONT_HARFBUZZ_LIBRARY, NULL},
    {"freetype", "WOFF2 fonts", FONT_FREETYPE_LIBRARY, "FT_New_Library"},
    {"fontconfig", "the fonts that are installed", FONT_FONTCONFIG_LIBRARY, "FcWeightToOpenTypeDouble"},
    {"icu", "text in lines, from right to left, or of combining characters", NULL, NULL},
};
#define ROW_COUNT (sizeof rows / sizeof rows[0])

/* Returns the name by which a library opens; NULL: it does not. */
static const char *find_file(const row *row)
{
    const char *file = row->file;
    bool open;

    if (!file) {
        const icu_functions *icu;
        open = !icu_open(&icu);
        file = icu_file();
    } else if (!row->function) {
        const harfbuzz_functions *harfbuzz;
        open = !harfbuzz_open(&harfbuzz);
    } else {
        void *function;
        open = library_open(file, &(library_function){row->function, &function}, 1) == LIBRARY_OPEN;
    }
    return open ? file : NULL;
}

size_t pietra_list_libraries(size_t capacity, pietra_library *libraries)
{
    for (size_t i = 0; libraries && i < ROW_COUNT && i < capacity; i++)
        libraries[i] = (pietra_library){.name = rows[i].name, .purpose = rows[i].purpose, .file = find_file(&rows[i])};
    return ROW_COUNT;
}
