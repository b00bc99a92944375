/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Which fonts and images of a document are reported to a program. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "pietra/pietra_text.h"

#define OPEN "<svg xmlns='http://www.w3.org/2000/svg' width='64' height='64'>\n"
#define CLOSE "\n</svg>"
#define PIXEL \
    "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGP4z8AAAAMBAQDJ/pLvAAAAAElFTkSuQmCC"
#define NESTED \
    "data:image/svg+xml,&lt;svg xmlns='http://www.w3.org/2000/svg' width='9' height='8'&gt;&lt;image href='" PIXEL \
    "' width='2' height='2'/&gt;&lt;/svg&gt;"

static void take(void *user, const pietra_svg_resource *resource)
{
    static const char *const kinds[] = {
        [PIETRA_SVG_FONT] = "font", [PIETRA_SVG_IMAGE] = "image", [PIETRA_SVG_DOCUMENT] = "document"};

    fprintf(user, "%s %s:%u %s %gx%g %g-%g%s\n", kinds[resource->kind], resource->name, resource->line,
            resource->format ? resource->format : "-", resource->width, resource->height, resource->weight_least,
            resource->weight_most, resource->slanted ? " slanted" : "");
}

/* Asserts what is reported of a document, a line for each call. */
static void check(const char *document, pietra_fonts *fonts, const char *wanted)
{
    pietra_scene *scene = pietra_scene_create();
    pietra_error error = {.message = ""};
    char *text = NULL;
    size_t size;
    FILE *file = open_memstream(&text, &size);
    assert_true(scene && file);
    const pietra_svg_options options = {.fonts = fonts, .resource = take, .resource_user = file};
    if (pietra_scene_load_svg(scene, document, strlen(document), &options, &error, NULL, NULL) != PIETRA_OK)
        fail_msg("%s", error.message);
    fclose(file);
    assert_string_equal(text, wanted);
    free(text);
    pietra_scene_destroy(scene);
}

static void test_images_once(void **state)
{
    (void)state;
    check(OPEN "<rect width='9' height='9'/>" CLOSE, NULL, "");
    check(OPEN "<defs><image href='" PIXEL "' width='9' height='9'/></defs>" CLOSE, NULL, "");
    check(OPEN "<rect/>\n<image href='" PIXEL "' width='9' height='9'/>\n<image href='" PIXEL
               "' width='5' height='9'/>" CLOSE,
          NULL, "image data:image/png:3 PNG 1x1 0-0\n");
}

static void test_documents_and_what_is_in_them(void **state)
{
    (void)state;
    check(OPEN "<image href=\"" NESTED "\" width='9' height='9'/>" CLOSE, NULL,
          "document data:image/svg+xml:2 - 9x8 0-0\nimage data:image/png:2 PNG 1x1 0-0\n");
}

static void test_broken_images(void **state)
{
    (void)state;
    check(OPEN "<image href='data:image/png;base64,iVBORw0KGgoAAAAN' width='9' height='9'/>"
               "<image href='data:,no%20document' width='9' height='9'/><image href='none.png' width='9' "
               "height='9'/>" CLOSE,
          NULL, "");
}

static void test_fonts(void **state)
{
    pietra_fonts *fonts = pietra_fonts_create();
    pietra_error error = {.message = ""};

    (void)state;
    assert_non_null(fonts);
    if (pietra_fonts_add_directory(fonts, PIETRA_SOURCE_DIR "/tests/golden/fonts", &error) != PIETRA_OK)
        fail_msg("%s", error.message);
    check(OPEN
          "<text y='20' font-family='Arimo'>a<tspan font-family='DejaVu Sans' font-weight='bold'>b</tspan>c</text>\n"
          "<text y='40' font-family='DejaVu Sans'>d<tspan font-style='oblique'>e</tspan></text>"
          "<text y='60' font-family='DejaVu Sans'></text>" CLOSE,
          fonts,
          "font Arimo:2 - 0x0 400-400\nfont DejaVu Sans:2 - 0x0 700-700\nfont DejaVu Sans:3 - 0x0 400-400\n"
          "font DejaVu Sans:3 - 0x0 400-400 slanted\n");
    check(OPEN "<text y='20'>a</text>" CLOSE, NULL, "");
    pietra_fonts_destroy(fonts);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_images_once),
        cmocka_unit_test(test_documents_and_what_is_in_them),
        cmocka_unit_test(test_broken_images),
        cmocka_unit_test(test_fonts),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
