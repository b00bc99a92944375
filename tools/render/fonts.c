/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "fonts.h"

#include <stdio.h>

static void take_warning(void *user, uint32_t line, const char *message)
{
    const options *options = user;

    (void)line;
    if (!options->quiet)
        report(STATUS_DRAWN, NULL, 0, "%s", message);
}

static pietra_result add_all(const options *options, pietra_fonts *fonts, pietra_error *error)
{
    pietra_result result = PIETRA_OK;

    for (size_t i = 0; i < options->font_place_count && result == PIETRA_OK; i++) {
        const font_place *place = &options->font_places[i];
        result = place->folder ? pietra_fonts_add_directory(fonts, place->path, error)
                               : pietra_fonts_add_file(fonts, place->path, error);
    }
    for (int i = 0; i <= PIETRA_FAMILY_MONOSPACE && result == PIETRA_OK; i++)
        if (options->generic_families[i])
            result = pietra_fonts_set_family(fonts, (pietra_generic_family)i, options->generic_families[i], error);
    if (result == PIETRA_OK && !options->skip_system_fonts)
        result = pietra_fonts_add_system(fonts, NULL, error);
    return result;
}

status fonts_open(const options *options, pietra_fonts **fonts)
{
    pietra_error error;

    *fonts = pietra_fonts_create();
    if (!*fonts)
        return report_memory(NULL);
    /* The function only reads the options. */
    pietra_fonts_set_warning(*fonts, take_warning, (void *)(uintptr_t)options);
    if (add_all(options, *fonts, &error) == PIETRA_OK)
        return STATUS_DRAWN;
    pietra_fonts_destroy(*fonts);
    *fonts = NULL;
    return report_error(NULL, &error);
}

static void print_range(double least, double most)
{
    if (least == most)
        printf(",%g", least);
    else
        printf(",%g-%g", least, most);
}

static void print_face(void *user, const pietra_face *face)
{
    (void)user;
    report_name(face->family);
    print_range(face->weight_least, face->weight_most);
    print_range(face->stretch_least, face->stretch_most);
    printf(",%s,", face->slanted ? "slanted" : "upright");
    report_name(face->path);
    printf(",%u\n", face->index);
}

status fonts_print_list(const options *options)
{
    pietra_fonts *fonts;
    pietra_error error;
    status result = fonts_open(options, &fonts);

    if (result != STATUS_DRAWN)
        return result;
    if (pietra_fonts_list(fonts, print_face, NULL, &error) != PIETRA_OK)
        result = report_error(NULL, &error);
    pietra_fonts_destroy(fonts);
    if (result == STATUS_DRAWN && fflush(stdout) != 0)
        result = report_errno("-", "write");
    return result;
}
