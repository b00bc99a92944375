/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "info.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "document.h"

/* How many elements of one name are shown. */
typedef struct tally {
    const char *element; /* static */
    size_t count;
} tally;

/* A copy of a pietra_svg_resource. */
typedef struct resource {
    pietra_svg_resource reported; /* its name is owned */
    char *name;
} resource;

typedef struct missing {
    uint32_t line;
    char *message;
} missing;

typedef struct info {
    double width, height;
    pietra_box box;
    bool boxed;
    size_t element_count;
    ARRAY(tally) tallies;
    ARRAY(resource) resources;
    ARRAY(missing) missing;
    bool out_of_memory;
} info;

/* ---- What the document reports ---- */

static void take_box(void *user, const char *id, const pietra_box *box)
{
    info *info = user;

    if (!*id) {
        info->box = *box;
        info->boxed = true;
    }
}

static void take_origin(void *user, uint32_t label, const pietra_svg_origin *origin)
{
    info *info = user;

    (void)label;
    info->element_count++;
    for (size_t i = 0; i < info->tallies.count; i++) {
        if (strcmp(info->tallies.items[i].element, origin->element) == 0) {
            info->tallies.items[i].count++;
            return;
        }
    }
    tally *tally = array_push(&info->tallies);
    if (tally)
        *tally = (struct tally){origin->element, 1};
    else
        info->out_of_memory = true;
}

/* A font that is asked for at several variations is reported for each. */
static bool is_known_font(const info *info, const pietra_svg_resource *font)
{
    for (size_t i = 0; i < info->resources.count; i++) {
        const resource *known = &info->resources.items[i];
        if (known->reported.kind == PIETRA_SVG_FONT && strcmp(known->name, font->name) == 0 &&
            known->reported.weight_least == font->weight_least && known->reported.weight_most == font->weight_most &&
            known->reported.slanted == font->slanted)
            return true;
    }
    return false;
}

static void take_resource(void *user, const pietra_svg_resource *reported)
{
    info *info = user;

    if (reported->kind == PIETRA_SVG_FONT && is_known_font(info, reported))
        return;
    char *name = strdup(reported->name);
    resource *resource = name ? array_push(&info->resources) : NULL;
    if (resource)
        *resource = (struct resource){*reported, name};
    else
        free(name);
    info->out_of_memory |= !resource;
}

static void take_warning(void *user, uint32_t line, const char *message)
{
    info *info = user;
    char *copy = strdup(message);
    missing *missing = copy ? array_push(&info->missing) : NULL;

    if (missing)
        *missing = (struct missing){line, copy};
    else
        free(copy);
    info->out_of_memory |= !missing;
}

static void destroy(info *info)
{
    for (size_t i = 0; i < info->resources.count; i++)
        free(info->resources.items[i].name);
    for (size_t i = 0; i < info->missing.count; i++)
        free(info->missing.items[i].message);
    array_free(&info->tallies);
    array_free(&info->resources);
    array_free(&info->missing);
}

static status load(const device *device, document *document, info *info)
{
    pietra_svg_options svg = {
        .threads = device->threads,
        .fonts = device->fonts,
        .box = take_box,
        .box_user = info,
        .origin = take_origin,
        .origin_user = info,
        .warning = take_warning,
        .warning_user = info,
        .resource = take_resource,
        .resource_user = info,
    };
    pietra_scene *scene = pietra_scene_create();
    pietra_error error;
    status result = STATUS_DRAWN;

    if (!scene)
        return report_memory(document->input);
    document_set(document, device->options, false, &svg);
    if (pietra_scene_load_svg(scene, document->bytes, document->byte_count, &svg, &error, &info->width,
                              &info->height) != PIETRA_OK)
        result = report_error(document->input, &error);
    else if (info->out_of_memory)
        result = report_memory(document->input);
    pietra_scene_destroy(scene);
    return result;
}

/* The most frequent first, and those of one count by their names. */
static int compare_tallies(const void *a, const void *b)
{
    const tally *x = a, *y = b;

    return x->count != y->count ? (x->count < y->count ? 1 : -1) : strcmp(x->element, y->element);
}

/* ---- Printing ---- */

static void print_line(uint32_t line)
{
    if (line)
        printf(", line %u", line);
    putchar('\n');
}

static void print_font(const resource *font)
{
    printf("  ");
    report_name(font->name);
    printf(", weight %.4g", font->reported.weight_least);
    if (font->reported.weight_most > font->reported.weight_least)
        printf(" to %.4g", font->reported.weight_most);
    fputs(font->reported.slanted ? ", slanted" : "", stdout);
    print_line(font->reported.line);
}

static void print_image(const resource *image)
{
    printf("  ");
    report_name(image->name);
    printf(", %s, %.12g x %.12g", image->reported.format ? image->reported.format : "SVG",
           report_rounded(image->reported.width), report_rounded(image->reported.height));
    print_line(image->reported.line);
}

static void print_resources(const info *info, const char *title, bool fonts)
{
    const char *head = title;

    for (size_t i = 0; i < info->resources.count; i++) {
        const resource *resource = &info->resources.items[i];
        if ((resource->reported.kind == PIETRA_SVG_FONT) != fonts)
            continue;
        fputs(head, stdout);
        head = "";
        (fonts ? print_font : print_image)(resource);
    }
}

static void print_text(const info *info)
{
    printf("size: %.12g x %.12g\n", report_rounded(info->width), report_rounded(info->height));
    if (info->boxed) {
        printf("drawn: %.12g x %.12g at %.12g,%.12g\n", report_rounded(info->box.x1 - info->box.x0),
               report_rounded(info->box.y1 - info->box.y0), report_rounded(info->box.x0), report_rounded(info->box.y0));
    }
    printf("elements: %zu\n", info->element_count);
    for (size_t i = 0; i < info->tallies.count; i++)
        printf("  %s: %zu\n", info->tallies.items[i].element, info->tallies.items[i].count);
    print_resources(info, "fonts:\n", true);
    print_resources(info, "images:\n", false);
    if (info->missing.count > 0)
        puts("not drawn:");
    for (size_t i = 0; i < info->missing.count; i++) {
        printf("  ");
        report_name(info->missing.items[i].message);
        print_line(info->missing.items[i].line);
    }
}

static void print_json_font(const resource *font)
{
    printf("{\"family\": ");
    report_json(font->name);
    printf(", \"weight\": [%.4g, %.4g], \"slanted\": %s, \"line\": %u}", font->reported.weight_least,
           font->reported.weight_most, font->reported.slanted ? "true" : "false", font->reported.line);
}

static void print_json_image(const resource *image)
{
    printf("{\"address\": ");
    report_json(image->name);
    printf(", \"format\": \"%s\", \"width\": %.12g, \"height\": %.12g, \"line\": %u}",
           image->reported.format ? image->reported.format : "SVG", report_rounded(image->reported.width),
           report_rounded(image->reported.height), image->reported.line);
}

static void print_json_resources(const info *info, const char *name, bool fonts)
{
    const char *before = "";

    printf(",\n \"%s\": [", name);
    for (size_t i = 0; i < info->resources.count; i++) {
        const resource *resource = &info->resources.items[i];
        if ((resource->reported.kind == PIETRA_SVG_FONT) != fonts)
            continue;
        fputs(before, stdout);
        before = ", ";
        (fonts ? print_json_font : print_json_image)(resource);
    }
    putchar(']');
}

static void print_json(const info *info)
{
    printf("{\"width\": %.12g, \"height\": %.12g,\n \"drawn\": ", report_rounded(info->width),
           report_rounded(info->height));
    if (info->boxed) {
        printf("{\"x\": %.12g, \"y\": %.12g, \"width\": %.12g, \"height\": %.12g}", report_rounded(info->box.x0),
               report_rounded(info->box.y0), report_rounded(info->box.x1 - info->box.x0),
               report_rounded(info->box.y1 - info->box.y0));
    } else {
        printf("null");
    }
    printf(",\n \"elements\": %zu, \"by_name\": {", info->element_count);
    for (size_t i = 0; i < info->tallies.count; i++)
        printf("%s\"%s\": %zu", i ? ", " : "", info->tallies.items[i].element, info->tallies.items[i].count);
    putchar('}');
    print_json_resources(info, "fonts", true);
    print_json_resources(info, "images", false);
    printf(",\n \"not_drawn\": [");
    for (size_t i = 0; i < info->missing.count; i++) {
        printf("%s{\"line\": %u, \"message\": ", i ? ", " : "", info->missing.items[i].line);
        report_json(info->missing.items[i].message);
        putchar('}');
    }
    puts("]}");
}

status info_print(const device *device, const char *input)
{
    info info = {.boxed = false};
    document document;
    status result = document_read(&document, device->options, input, -1);

    if (result == STATUS_DRAWN)
        result = load(device, &document, &info);
    if (result == STATUS_DRAWN) {
        if (info.tallies.count > 0)
            qsort(info.tallies.items, info.tallies.count, sizeof *info.tallies.items, compare_tallies);
        (device->options->info_json ? print_json : print_text)(&info);
        if (fflush(stdout) != 0)
            result = report_errno("-", "write");
    }
    document_destroy(&document);
    destroy(&info);
    return result;
}
