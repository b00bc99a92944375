/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Lists the libraries of others that are opened at run time. */
#include "base/library.h"

#include <pietra/pietra.h>

#include "font/harfbuzz.h"
#include "image/image.h"
#include "text/icu.h"

/* A library, and the newest of the functions that are called. */
typedef struct row {
    const char *name, *purpose, *file, *function;
    const char *other_file; /* NULL: all systems have it by the same name */
} row;

static const row rows[] = {
    {"vulkan", "GPUs", "libvulkan.so.1", "vkGetInstanceProcAddr", NULL},
    {"libpng", "PNG in documents and fonts", IMAGE_PNG_LIBRARY, "png_image_begin_read_from_memory", NULL},
    {"libjpeg", "JPEG in documents", IMAGE_JPEG_62_FILE, "jpeg_mem_src", IMAGE_JPEG_80_FILE},
    {"giflib", "GIF in documents", IMAGE_GIF_LIBRARY, "DGifOpen", NULL},
    {"libwebp", "WebP in documents", IMAGE_WEBP_LIBRARY, "WebPDemuxInternal", NULL},
    {"libdeflate", "packed documents, WOFF fonts", PACKING_DEFLATE_LIBRARY, "libdeflate_gzip_decompress_ex", NULL},
    {"lcms2", "colour profiles of images", IMAGE_LCMS_LIBRARY, "cmsCreateContext", NULL},
    {"harfbuzz", "text", FONT_HARFBUZZ_LIBRARY, NULL, NULL},
    {"freetype", "WOFF2 fonts", FONT_FREETYPE_LIBRARY, "FT_New_Library", NULL},
    {"fontconfig", "the fonts that are installed", FONT_FONTCONFIG_LIBRARY, "FcWeightToOpenTypeDouble", NULL},
    {"icu", "text in lines, from right to left, or of combining characters", NULL, NULL, NULL},
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
        const library_function wanted = {row->function, &function};
        open = library_open(file, &wanted, 1) == LIBRARY_OPEN;
        if (!open && row->other_file) {
            file = row->other_file;
            open = library_open(file, &wanted, 1) == LIBRARY_OPEN;
        }
    }
    return open ? file : NULL;
}

size_t pietra_list_libraries(size_t capacity, pietra_library *libraries)
{
    for (size_t i = 0; libraries && i < ROW_COUNT && i < capacity; i++)
        libraries[i] = (pietra_library){.name = rows[i].name, .purpose = rows[i].purpose, .file = find_file(&rows[i])};
    return ROW_COUNT;
}
