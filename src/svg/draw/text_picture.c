/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "svg/draw/text_picture.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/transform.h"
#include "font/picture.h"
#include "image/image.h"
#include "scene/build/scene.h"
#include "svg/draw/draw.h"
#include "svg/draw/load.h"
#include "svg/draw/paint.h"
#include "svg/xml/inflate.h"

#define PICTURES 256u /* pictures that are kept, one for each remainder of a hash */

/* A glyph that was drawn. Zero bytes are none. */
typedef struct text_picture {
    pietra_font *font; /* owned */
    uint32_t glyph;
    svg_palette palette;
    bool has_foreground;     /* it has the colour of the text; */
    pietra_color foreground; /* this one */
    pietra_scene *scene;     /* in the font's units; NULL: the outline is drawn instead */
    bool clipped;
    pietra_box box; /* box of what is clipped */
    uint64_t segments, pixels;
} text_picture;

struct svg_text_pictures {
    text_picture items[PICTURES];
    /* The document of the last glyph that was one. */
    const uint8_t *document_bytes;
    pietra_font *document_font; /* owned */
    svg_document *document;     /* NULL: it is bad */
    double width, height;
};

typedef struct picture_drawer {
    svg_walk *walk;
    const svg_instance *instance;
    const svg_inherited *style;
    pietra_paint foreground; /* in the text's units */
    svg_palette palette;     /* as the style asks for it */
    pietra_result result;
} picture_drawer;

static void warn(const picture_drawer *drawer, const char *wrong)
{
    svg_warn(drawer->walk->warnings, drawer->walk->document->nodes.items[drawer->instance->node].line,
             "the picture of a glyph is left out: %s", wrong);
}

/* ---- Paints ---- */

static bool spend(void *user, uint64_t segments)
{
    const picture_drawer *drawer = user;
    const uint32_t node = drawer->instance->node;
    return svg_walk_spend(drawer->walk, node, SVG_STEP_segment, segments) == PIETRA_OK &&
           svg_walk_spend(drawer->walk, node, SVG_STEP_glyph, 1) == PIETRA_OK;
}

/* The last of several counts. */
static bool replace(void *user, uint32_t index, pietra_color *color)
{
    const picture_drawer *drawer = user;
    const svg_palette *palette = &drawer->palette;
    size_t i = palette->color_count;
    while (i > 0 && palette->colors[i - 1].index != index)
        i--;
    if (i > 0)
        *color = palette->colors[i - 1].color;
    return i > 0;
}

static uint32_t palette_number(const svg_palette *palette, const pietra_font *font)
{
    return palette->base == SVG_PALETTE_NUMBERED ? palette->number
                                                 : colr_find_palette(&font->colr, palette->base == SVG_PALETTE_DARK);
}

static pietra_result draw_paints(picture_drawer *drawer, text_picture *picture, pietra_transform place)
{
    pietra_transform inverse;
    pietra_paint foreground = drawer->foreground;
    pietra_box box;
    if (foreground.kind != PIETRA_PAINT_SOLID && transform_invert(place, &inverse))
        foreground.transform = transform_multiply(inverse, transform_of_field(foreground.transform));
    picture_request request = {.scene = picture->scene,
                               .palette = palette_number(&drawer->palette, picture->font),
                               .foreground = &foreground,
                               .spend = spend,
                               .replace = replace,
                               .user = drawer,
                               .error = drawer->walk->error};
    const pietra_result result = picture_paint(picture->font, picture->glyph, &request);
    if (request.left_out)
        svg_warn(drawer->walk->warnings, 0, "%s in glyphs of a font are left out", request.left_out);
    picture->has_foreground = request.has_foreground;
    picture->foreground = foreground.color;
    picture->clipped =
        picture_find_box(picture->font, picture->glyph, &picture->box) && pietra_scene_bounds(picture->scene, &box) &&
        (box.x0 < picture->box.x0 || box.y0 < picture->box.y0 || box.x1 > picture->box.x1 || box.y1 > picture->box.y1);
    return result;
}

/* ---- Bitmaps ---- */

static pietra_result fill_with_image(picture_drawer *drawer, text_picture *picture, const image_pixels *pixels,
                                     pietra_box box)
{
    svg_walk *walk = drawer->walk;
    pietra_image *image;
    const pietra_result result =
        pietra_image_create(pixels->width, pixels->height, pixels->rgba, 0, walk->error, &image);
    if (result != PIETRA_OK)
        return result;
    const pietra_paint paint = {
        .kind = PIETRA_PAINT_IMAGE,
        .image = image,
        .transform = {(box.x1 - box.x0) / pixels->width, 0, 0, (box.y1 - box.y0) / pixels->height, box.x0, box.y0}};
    picture->pixels = (uint64_t)pixels->width * pixels->height;
    pietra_path_reset(walk->path);
    pietra_path_rect(walk->path, box.x0, box.y0, box.x1 - box.x0, box.y1 - box.y0);
    const pietra_result filled =
        pietra_scene_fill(picture->scene, walk->path, NULL, PIETRA_FILL_NONZERO, &paint, walk->error);
    pietra_image_destroy(image);
    return filled;
}

static pietra_result draw_bitmap(picture_drawer *drawer, text_picture *picture)
{
    svg_budget *budget = drawer->walk->document->budget;
    const harfbuzz_functions *harfbuzz = picture->font->harfbuzz;
    image_pixels pixels;
    pietra_box box;
    unsigned count = 0;
    svg_budget_spend(budget, SVG_STEP_image_file, 1);
    const uint64_t most = svg_budget_affordable(budget, SVG_LIMIT_image_pixels);
    hb_blob_t *blob = picture_bitmap(picture->font, picture->glyph, &box);
    if (!blob)
        return PIETRA_ERROR_MEMORY;
    const char *bytes = harfbuzz->hb_blob_get_data(blob, &count);
    const char *wrong = "it is no PNG";
    pietra_result result = PIETRA_OK;
    if (bytes && image_sniff((const uint8_t *)bytes, count) == IMAGE_PNG)
        wrong = image_decode((const uint8_t *)bytes, count, most, &pixels);
    else
        pixels = (image_pixels){0};
    harfbuzz->hb_blob_destroy(blob);
    svg_budget_charge(budget, SVG_LIMIT_image_pixels, pixels.work < most ? pixels.work : most);
    if (wrong == image_out_of_memory)
        return PIETRA_ERROR_MEMORY;
    if (wrong) {
        warn(drawer, wrong);
        return PIETRA_OK;
    }
    if (box.x1 > box.x0 && box.y1 > box.y0)
        result = fill_with_image(drawer, picture, &pixels, box);
    free(pixels.rgba);
    return result;
}

/* ---- Documents ---- */

static void drop_document(svg_walk *walk, struct svg_text_pictures *pictures)
{
    if (pictures->document) {
        /* Scenes refer to the paths. */
        arena_join(&walk->document->paths.arena, &pictures->document->paths.arena);
        svg_document_free(pictures->document);
    }
    free(pictures->document);
    pietra_font_destroy(pictures->document_font);
    pictures->document = NULL;
    pictures->document_font = NULL;
    pictures->document_bytes = NULL;
}

static pietra_result read_document(picture_drawer *drawer, font_bytes bytes, double em, pietra_error *error)
{
    svg_walk *walk = drawer->walk;
    struct svg_text_pictures *pictures = walk->pictures;
    svg_budget *budget = walk->document->budget;
    svg_warnings silent = {.function = NULL};
    text input = {(const char *)bytes.at, bytes.count};
    char *unpacked = NULL;
    pietra_result result = svg_budget_spend(budget, SVG_STEP_document, 1) ? PIETRA_OK : PIETRA_ERROR_INPUT;
    if (result == PIETRA_OK && svg_is_gzip(input.bytes, input.count)) {
        result = svg_inflate(input.bytes, input.count, budget, error, &unpacked, &input.count);
        input.bytes = unpacked;
    }
    pictures->document = calloc(1, sizeof *pictures->document);
    if (!pictures->document)
        result = PIETRA_ERROR_MEMORY;
    else
        *pictures->document = (svg_document){.budget = budget, .number = ++walk->common->document_count};
    /* It has no fonts: what text there is in a glyph is not drawn, so that no glyph shows itself. */
    const pietra_svg_options options = {.dpi = walk->document->units.dpi, .viewport_width = em, .viewport_height = em};
    if (result == PIETRA_OK)
        result =
            svg_load_document(input, &options, &silent, pictures->document, error, &pictures->width, &pictures->height);
    svg_warnings_free(&silent);
    free(unpacked);
    return result;
}

/* Makes the document of a glyph the last one. A bad one is left out with a warning. */
static pietra_result enter_document(picture_drawer *drawer, const pietra_font *font, font_bytes bytes)
{
    svg_walk *walk = drawer->walk;
    struct svg_text_pictures *pictures = walk->pictures;
    svg_budget *budget = walk->document->budget;
    pietra_error error = {0};
    if (pictures->document_bytes == bytes.at && pictures->document_font == font)
        return PIETRA_OK;
    drop_document(walk, pictures);
    budget->is_refused = false;
    const pietra_result result = read_document(drawer, bytes, font_em(font), &error);
    pictures->document_bytes = bytes.at;
    pictures->document_font = font_retain((pietra_font *)(uintptr_t)font);
    if (result == PIETRA_OK)
        return PIETRA_OK;
    if (pictures->document)
        svg_document_free(pictures->document);
    free(pictures->document);
    pictures->document = NULL;
    if (result != PIETRA_ERROR_INPUT)
        return result;
    if (budget->is_refused)
        return svg_budget_error(budget, budget->refused, walk->error, 0);
    warn(drawer, error.message);
    return PIETRA_OK;
}

static pietra_result draw_document(picture_drawer *drawer, text_picture *picture)
{
    svg_walk *walk = drawer->walk;
    struct svg_text_pictures *pictures = walk->pictures;
    svg_warnings silent = {.function = NULL};
    font_bytes bytes;
    char id[30];
    if (!picture_document(picture->font, picture->glyph, &bytes))
        return PIETRA_ERROR_MEMORY;
    pietra_result result = enter_document(drawer, picture->font, bytes);
    if (result != PIETRA_OK || !pictures->document)
        return result;
    snprintf(id, sizeof id, "glyph%u", (unsigned)picture->glyph);
    svg_walk inner = {
        .document = pictures->document,
        .scene = picture->scene,
        .warnings = &silent,
        .error = walk->error,
        .common = walk->common,
        .depth = walk->depth + 1,
        .pattern_depth = walk->pattern_depth,
        .base = TRANSFORM_IDENTITY,
        .visible = {-INFINITY, -INFINITY, INFINITY, INFINITY},
        .only = svg_document_find(pictures->document, 0, text_of_string(id)),
    };
    if (inner.only != SVG_NO_NODE)
        result = svg_walk_run(&inner, pictures->width, pictures->height);
    else
        warn(drawer, "its document does not have it");
    picture->segments = inner.segments;
    picture->pixels = inner.pixels;
    svg_walk_free(&inner);
    svg_warnings_free(&silent);
    return result;
}

/* ---- Pictures ---- */

static void drop_picture(text_picture *picture)
{
    pietra_scene_destroy(picture->scene);
    pietra_font_destroy(picture->font);
    *picture = (text_picture){0};
}

static pietra_result draw_picture(picture_drawer *drawer, picture_kind kind, text_picture *picture,
                                  pietra_transform place)
{
    picture->scene = pietra_scene_create();
    if (!picture->scene)
        return PIETRA_ERROR_MEMORY;
    switch (kind) {
    case PICTURE_PAINTS:
        return draw_paints(drawer, picture, place);
    case PICTURE_SVG:
        return draw_document(drawer, picture);
    case PICTURE_BITMAP:
        return draw_bitmap(drawer, picture);
    default:
        return PIETRA_OK;
    }
}

static bool is_same_color(pietra_color a, pietra_color b)
{
    return a.r == b.r && a.g == b.g && a.b == b.b && a.a == b.a;
}

static bool is_same_palette(const svg_palette *a, const svg_palette *b)
{
    return a->base == b->base && a->number == b->number && a->colors == b->colors && a->color_count == b->color_count;
}

/* Returns the picture of a glyph, which is drawn the first time. NULL: drawer->result says why. */
static const text_picture *find_picture(picture_drawer *drawer, const pietra_font *font, uint32_t glyph,
                                        picture_kind kind, pietra_transform place)
{
    const struct {
        const pietra_font *font;
        uint64_t glyph;
    } key = {font, glyph};
    text_picture *picture = &drawer->walk->pictures->items[hash_bytes(&key, sizeof key) % PICTURES];
    const bool solid = drawer->foreground.kind == PIETRA_PAINT_SOLID;
    if (picture->scene && picture->font == font && picture->glyph == glyph &&
        is_same_palette(&picture->palette, &drawer->palette) &&
        (!picture->has_foreground || (solid && is_same_color(picture->foreground, drawer->foreground.color))))
        return picture;
    drop_picture(picture);
    picture->font = font_retain((pietra_font *)(uintptr_t)font);
    picture->glyph = glyph;
    picture->palette = drawer->palette;
    drawer->result = draw_picture(drawer, kind, picture, place);
    if (drawer->result == PIETRA_OK)
        return picture;
    drop_picture(picture);
    return NULL;
}

/* Each time the elements of a picture are copied, with their paths. */
static pietra_result spend_copy(const picture_drawer *drawer, const pietra_scene *scene)
{
    svg_walk *walk = drawer->walk;
    const uint32_t node = drawer->instance->node;
    pietra_result result = svg_walk_spend(walk, node, SVG_STEP_copy, 1 + pietra_scene_position(scene));
    if (result == PIETRA_OK)
        result = svg_walk_spend(walk, node, SVG_STEP_segment, scene->verb_count);
    return result == PIETRA_OK ? svg_walk_spend(walk, node, SVG_STEP_glyph_point, scene->point_count) : result;
}

static pietra_result show_picture(const picture_drawer *drawer, const text_picture *picture, pietra_transform place)
{
    svg_walk *walk = drawer->walk;
    const pietra_transform whole = transform_multiply(drawer->instance->transform, place);
    pietra_result result = spend_copy(drawer, picture->scene);
    walk->segments += picture->segments;
    walk->pixels += picture->pixels;
    if (result != PIETRA_OK || !transform_is_finite(whole) || transform_is_singular(whole))
        return result;
    if (picture->clipped) {
        const pietra_box box = picture->box;
        pietra_path_reset(walk->path);
        pietra_path_rect(walk->path, box.x0, box.y0, box.x1 - box.x0, box.y1 - box.y0);
        svg_walk_set_edges(walk, false);
        result = pietra_scene_begin_clip(walk->scene, walk->path, &whole, PIETRA_FILL_NONZERO, walk->error);
    }
    if (result == PIETRA_OK)
        result = pietra_scene_append(walk->scene, picture->scene, &whole, walk->error);
    if (result == PIETRA_OK && picture->clipped)
        result = pietra_scene_end_clip(walk->scene, walk->error);
    return result == PIETRA_OK ? svg_walk_spend_frame(walk, drawer->instance->node) : result;
}

/* ---- Glyphs ---- */

/* Draws a glyph without a picture, which may be part of a cluster with one. */
static pietra_result draw_outline(const picture_drawer *drawer, const svg_glyph *glyph)
{
    svg_walk *walk = drawer->walk;
    pietra_path_reset(walk->path);
    const pietra_transform whole = transform_multiply(drawer->instance->transform, glyph->place);
    font_outline outline = {0};
    const char *wrong = svg_text_add_outline(walk, glyph, TRANSFORM_IDENTITY, &outline);
    font_outline_free(&outline);
    if (wrong)
        return PIETRA_ERROR_MEMORY;
    pietra_paint paint = drawer->foreground;
    pietra_transform inverse;
    if (!transform_invert(glyph->place, &inverse))
        return PIETRA_OK;
    paint.transform = transform_multiply(inverse, transform_of_field(paint.transform));
    svg_walk_set_edges(walk, svg_edges_are_aliased(drawer->instance, drawer->style));
    return pietra_scene_fill(walk->scene, walk->path, &whole, PIETRA_FILL_NONZERO, &paint, walk->error);
}

static bool draw_glyph(void *user, const svg_glyph *glyph)
{
    picture_drawer *drawer = user;
    const picture_kind kind = picture_find(glyph->font, glyph->id);
    if (kind == PICTURE_UNKNOWN) {
        drawer->result = PIETRA_ERROR_MEMORY;
    } else if (kind == PICTURE_NONE) {
        drawer->result = draw_outline(drawer, glyph);
    } else {
        const text_picture *picture = find_picture(drawer, glyph->font, glyph->id, kind, glyph->place);
        if (picture)
            drawer->result = show_picture(drawer, picture, glyph->place);
    }
    return drawer->result == PIETRA_OK;
}

bool svg_text_shows_pictures(const svg_walk *walk, const svg_text_layout *layout, const svg_text_character *character)
{
    const text_run *run = &layout->shaped.runs.items[character->run];
    if (!character->starts_cluster || !run->font || !picture_may_be(run->font))
        return false;
    for (uint32_t i = character->glyph; i < character->glyph + character->glyph_count; i++) {
        const picture_kind kind = picture_find(run->font, layout->shaped.glyphs.items[i].id);
        if (kind == PICTURE_UNKNOWN)
            svg_budget_lack_memory(walk->document->budget);
        if (kind != PICTURE_NONE)
            return true;
    }
    return false;
}

static pietra_result draw_clusters(picture_drawer *drawer)
{
    svg_walk *walk = drawer->walk;
    const svg_text_layout *layout = drawer->instance->text;
    const svg_text_piece *piece = &layout->pieces.items[drawer->instance->piece];
    for (uint32_t i = piece->begin; i < piece->end && drawer->result == PIETRA_OK; i++) {
        const svg_text_character *character = &layout->characters.items[i];
        if (!character->starts_cluster || character->hidden)
            continue;
        drawer->result = svg_walk_spend(walk, drawer->instance->node, SVG_STEP_glyph, character->glyph_count);
        if (drawer->result == PIETRA_OK)
            svg_text_walk_glyphs(layout, character, draw_glyph, drawer);
    }
    return drawer->result;
}

/* Finds the colour of the text. The fill's opacity holds for the pictures as a whole. A pattern does not colour
 * glyphs. */
static pietra_result find_foreground(picture_drawer *drawer, double *opacity)
{
    svg_walk *walk = drawer->walk;
    const svg_inherited *style = drawer->style;
    svg_source source = {.painted = false};
    const pietra_result result =
        svg_paint_resolve(walk, drawer->instance, style, &style->fill, 1, &drawer->instance->text->extent, &source);
    *opacity = source.painted ? (double)style->fill_opacity : 0;
    drawer->foreground = source.paint;
    if (source.pattern != SVG_NO_NODE)
        drawer->foreground = (pietra_paint){.color = style->color};
    if (drawer->foreground.kind == PIETRA_PAINT_SOLID) {
        *opacity *= (double)drawer->foreground.color.a;
        drawer->foreground.color.a = 1;
    }
    drawer->foreground.transparency = 0;
    return result;
}

pietra_result svg_text_draw_pictures(svg_walk *walk, const svg_instance *instance, const svg_inherited *style)
{
    const svg_text_layout *layout = instance->text;
    picture_drawer drawer = {.walk = walk,
                             .instance = instance,
                             .style = style,
                             .palette =
                                 svg_text_font_of(layout, layout->pieces.items[instance->piece].element)->palette,
                             .result = PIETRA_OK};
    double opacity;
    if (style->fill.form == SVG_PAINT_NONE)
        return PIETRA_OK;
    if (!walk->pictures)
        walk->pictures = calloc(1, sizeof *walk->pictures);
    if (!walk->pictures)
        return PIETRA_ERROR_MEMORY;
    pietra_result result = find_foreground(&drawer, &opacity);
    if (result != PIETRA_OK || !(opacity > 0))
        return result;
    if (opacity < 1)
        result = pietra_scene_begin_group(walk->scene, (float)opacity, walk->error);
    if (result == PIETRA_OK)
        result = draw_clusters(&drawer);
    if (result == PIETRA_OK && opacity < 1)
        result = pietra_scene_end_group(walk->scene, walk->error);
    return svg_walk_check(walk, instance->node, result);
}

void svg_text_free_pictures(svg_walk *walk)
{
    if (!walk->pictures)
        return;
    drop_document(walk, walk->pictures);
    for (size_t i = 0; i < PICTURES; i++)
        drop_picture(&walk->pictures->items[i]);
    free(walk->pictures);
}
