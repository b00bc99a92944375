/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "svg/draw/image_content.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

#include "base/error.h"
#include "image/image.h"
#include "svg/xml/inflate.h"
#include "svg/draw/load.h"
#include "svg/draw/resources.h"
#include "svg/xml/resource.h"

_Static_assert(IMAGE_MOST_SIDE == PIETRA_MAX_IMAGE_SIDE, "what is decoded can be drawn");

/* Where references lead. Only the outermost document may read files. They are relative to the file that refers to
 * them. */
#define PLACE_DATA UINT32_MAX
#define PLACE_NO_FILES (UINT32_MAX - 1)

/* ---- Loading ---- */

static void warn(const svg_walk *walk, uint32_t node, const char *reason)
{
    svg_warn(walk->warnings, svg_document_warning_line(walk->document, node), "an image is left out: %s", reason);
}

static pietra_result load_pixels(svg_walk *walk, uint32_t node, const svg_bytes *bytes, svg_image_content *content)
{
    svg_budget *budget = walk->document->budget;
    image_pixels pixels;
    svg_budget_spend(budget, SVG_STEP_image_file, 1);
    const uint64_t left = svg_budget_left(budget, SVG_LIMIT_image_pixels);
    const uint64_t most = svg_budget_affordable(budget, SVG_LIMIT_image_pixels);
    const char *wrong = image_decode((const uint8_t *)bytes->items, bytes->count, most, &pixels);
    if (wrong == image_out_of_memory)
        return PIETRA_ERROR_MEMORY;
    if (wrong == image_too_large && most < left)
        svg_budget_exceed(budget, SVG_LIMIT_steps);
    svg_budget_charge(budget, SVG_LIMIT_image_pixels, pixels.work < most ? pixels.work : most);
    if (wrong) {
        warn(walk, node, wrong);
        return PIETRA_OK;
    }
    pietra_result result =
        pietra_image_create(pixels.width, pixels.height, pixels.rgba, 0, walk->error, &content->image);
    content->width = pixels.width;
    content->height = pixels.height;
    free(pixels.rgba);
    return result;
}

static bool is_too_deep(const svg_walk *walk, uint32_t node)
{
    bool deep = walk->depth >= walk->document->budget->most[SVG_LIMIT_document_depth];
    if (deep)
        warn(walk, node, "documents nest too deeply (limit \"document_depth\")");
    return deep;
}

/* Loads a document within a document. It may show data URLs, but reads no files. */
static pietra_result load_document(svg_walk *walk, uint32_t node, const svg_bytes *bytes, const char *fragment,
                                   svg_image_content *content)
{
    pietra_error error = {0};
    text input = {bytes->items, bytes->count};
    svg_budget *budget = walk->document->budget;
    char *unpacked = NULL;
    pietra_result result = PIETRA_OK;
    content->waits = is_too_deep(walk, node);
    if (content->waits)
        return PIETRA_OK;
    budget->is_refused = false;
    if (svg_is_gzip(input.bytes, input.count)) {
        result = svg_inflate(input.bytes, input.count, budget, &error, &unpacked, &input.count);
        input.bytes = unpacked;
    }
    if (result == PIETRA_OK && !svg_budget_spend(budget, SVG_STEP_document, 1))
        result = PIETRA_ERROR_INPUT;
    svg_document *document = calloc(1, sizeof *document);
    const svg_settings *settings = &walk->document->settings;
    const pietra_svg_options options = {.dpi = walk->document->units.dpi,
                                        .fragment = fragment,
                                        .fonts = settings->fonts,
                                        .font_family = settings->family,
                                        .font_size = settings->font_size,
                                        .languages = settings->languages,
                                        .snap_baselines = settings->snap};
    if (!document)
        result = PIETRA_ERROR_MEMORY;
    else
        *document = (svg_document){.budget = budget, .number = ++walk->common->document_count};
    const uint32_t entered = svg_warnings_enter(walk->warnings, svg_document_warning_line(walk->document, node));
    if (result == PIETRA_OK)
        result =
            svg_load_document(input, &options, walk->warnings, document, &error, &content->width, &content->height);
    svg_warnings_leave(walk->warnings, entered);
    if (result == PIETRA_OK) {
        content->document = document;
        document = NULL;
    }
    if (document) {
        svg_document_free(document);
        free(document);
    }
    free(unpacked);
    if (result == PIETRA_ERROR_INPUT && !budget->is_refused) {
        warn(walk, node, error.message);
        return PIETRA_OK;
    }
    /* A sum over all documents was exceeded, which is an error of the whole document. */
    return result == PIETRA_ERROR_INPUT
               ? svg_budget_error(budget, budget->refused, walk->error, walk->document->nodes.items[node].line)
               : result;
}

static pietra_result load_view(svg_walk *walk, uint32_t node, const svg_bytes *bytes, text fragment,
                               svg_image_content *content)
{
    char *terminated = calloc(fragment.count + 1, 1);
    if (!terminated)
        return PIETRA_ERROR_MEMORY;
    if (fragment.count)
        memcpy(terminated, fragment.bytes, fragment.count);
    pietra_result result = load_document(walk, node, bytes, terminated, content);
    free(terminated);
    return result;
}

/* Returns the name of a format of images. NULL: the bytes are of none. */
static const char *name_format(const svg_bytes *bytes)
{
    static const char *const names[] = {
        [IMAGE_UNKNOWN] = NULL, [IMAGE_PNG] = "PNG", [IMAGE_JPEG] = "JPEG", [IMAGE_GIF] = "GIF", [IMAGE_WEBP] = "WebP"};
    return names[image_sniff((const uint8_t *)bytes->items, bytes->count)];
}

static pietra_result load_content(svg_walk *walk, uint32_t node, text reference, svg_image_content *content)
{
    svg_bytes bytes = {0};
    pietra_result result = PIETRA_OK;
    text fragment = svg_resource_fragment(reference);
    const char *format = NULL;
    svg_fetched fetched =
        svg_resource_fetch(reference, walk->document->resources, svg_document_folder(walk->document, node), &bytes);
    if (fetched == SVG_FETCHED_OUT_OF_MEMORY)
        result = PIETRA_ERROR_MEMORY;
    else if (fetched == SVG_FETCHED_FORBIDDEN)
        warn(walk, node, "only files below the resources directory are read, if that is asked for");
    else if (fetched == SVG_FETCHED_NOTHING || bytes.count == 0)
        warn(walk, node, "there is nothing where its reference leads");
    else if ((format = name_format(&bytes)))
        result = load_pixels(walk, node, &bytes, content);
    else
        result = load_view(walk, node, &bytes, fragment, content);
    if (result == PIETRA_OK)
        svg_resource_report_content(walk, node, content, format);
    array_free(&bytes);
    return result;
}

static uint64_t hash_use(uint32_t document, uint32_t node)
{
    const uint32_t key[2] = {document, node};
    return hash_bytes(key, sizeof key);
}

static svg_image_content *find_use(const svg_walk *walk, uint32_t node)
{
    const svg_common *common = walk->common;
    hash_walk probe = hash_find(&common->image_use_table, hash_use(walk->document->number, node));
    for (; hash_found(&probe); hash_next(&probe)) {
        const svg_image_use *use = &common->image_uses.items[probe.value];
        if (use->document == walk->document->number && use->node == node)
            return use->content;
    }
    return NULL;
}

static bool add_use(const svg_walk *walk, uint32_t node, svg_image_content *content)
{
    svg_common *common = walk->common;
    if (!array_reserve(&common->image_uses, 1) ||
        !hash_insert(&common->image_use_table, hash_use(walk->document->number, node),
                     (uint32_t)common->image_uses.count))
        return false;
    *array_push(&common->image_uses) = (svg_image_use){walk->document->number, node, content};
    return true;
}

static uint32_t place_of(const svg_walk *walk, uint32_t node, text reference)
{
    return svg_resource_is_data(reference) ? PLACE_DATA
           : walk->document->resources     ? svg_document_file(walk->document, node)
                                           : PLACE_NO_FILES;
}

/* Returns NULL if no reference so far is the same. */
static svg_image_content *find_same(const svg_common *common, text reference, uint32_t place, uint64_t hash)
{
    for (hash_walk probe = hash_find(&common->image_content_table, hash); hash_found(&probe); hash_next(&probe))
        if (common->image_contents.items[probe.value]->place == place &&
            text_equal(common->image_contents.items[probe.value]->reference, reference))
            return common->image_contents.items[probe.value];
    return NULL;
}

/* Returns the content of a reference. It is not loaded yet if *met is false. NULL: out of memory. */
static svg_image_content *content_of(const svg_walk *walk, uint32_t node, text reference, bool *met)
{
    svg_common *common = walk->common;
    uint32_t place = place_of(walk, node, reference);
    uint64_t hash = hash_bytes(reference.bytes, reference.count);
    svg_image_content *content = find_same(common, reference, place, hash);
    *met = content != NULL;
    if (content)
        return content;
    if (!array_reserve(&common->image_contents, 1) ||
        !hash_insert(&common->image_content_table, hash, (uint32_t)common->image_contents.count))
        return NULL;
    content = calloc(1, sizeof *content);
    *array_push(&common->image_contents) = content; /* NULL ends the walk before the table is searched again */
    if (content) {
        content->reference = reference;
        content->place = place;
    }
    return content;
}

/* Loads content that is new, or that waits for a place that is not too deep. */
static pietra_result load_new(svg_walk *walk, uint32_t node, text reference, bool met, svg_image_content **content)
{
    svg_image_content *there = *content;
    if (met && there->document && is_too_deep(walk, node))
        *content = NULL;
    if (!met || (there->waits && !is_too_deep(walk, node)))
        return load_content(walk, node, reference, there);
    return PIETRA_OK;
}

pietra_result svg_image_content_of(svg_walk *walk, uint32_t node, text reference, svg_image_content **content)
{
    bool met;
    *content = content_of(walk, node, reference, &met);
    return *content ? load_new(walk, node, reference, met, content) : PIETRA_ERROR_MEMORY;
}

pietra_result svg_image_content_find(svg_walk *walk, uint32_t node, svg_image_content **content)
{
    const text reference = svg_document_reference(walk->document, node);
    bool met = true;
    *content = find_use(walk, node);
    if (!*content) {
        if (!reference.bytes)
            return PIETRA_OK;
        *content = content_of(walk, node, reference, &met);
        if (!*content || !add_use(walk, node, *content))
            return PIETRA_ERROR_MEMORY;
    }
    return load_new(walk, node, reference, met, content);
}

static void free_walk(svg_image_content *content)
{
    if (content->walk)
        svg_walk_free(content->walk);
    free(content->walk);
    content->walk = NULL;
}

void svg_image_contents_free(svg_common *common, arena *paths)
{
    for (size_t i = 0; i < common->image_contents.count; i++) {
        svg_image_content *content = common->image_contents.items[i];
        if (!content)
            continue;
        free_walk(content);
        pietra_image_destroy(content->image);
        if (content->document) {
            /* The scene refers to the paths. */
            arena_join(paths, &content->document->paths.arena);
            svg_document_free(content->document);
        }
        free(content->document);
        free(content);
    }
    array_free(&common->image_contents);
    hash_free(&common->image_content_table);
    array_free(&common->image_uses);
    hash_free(&common->image_use_table);
    hash_free(&common->missing);
}

/* ---- Drawing ---- */

/* What blends in a document sees only that document, as if it were an image of pixels. If nothing blends, a group would
 * change nothing. */
static pietra_result run_isolated(svg_walk *inner, svg_rectangle own)
{
    bool group = inner->document->blends;
    pietra_result result = group ? pietra_scene_begin_group(inner->scene, 1, inner->error) : PIETRA_OK;
    if (result == PIETRA_OK)
        result = svg_walk_run(inner, own.width, own.height);
    return result == PIETRA_OK && group ? pietra_scene_end_group(inner->scene, inner->error) : result;
}

/* Returns the walk of a document at this size: the last one, which keeps what it computed, or a new one. NULL: out of
 * memory. */
static svg_walk *walk_of(svg_image_content *content, svg_rectangle own)
{
    if (content->walk && content->walk_width == own.width && content->walk_height == own.height)
        return content->walk;
    free_walk(content);
    content->walk = calloc(1, sizeof *content->walk);
    content->walk_width = own.width;
    content->walk_height = own.height;
    return content->walk;
}

pietra_result svg_image_content_draw_document(svg_walk *walk, uint32_t node, svg_image_content *content,
                                              svg_rectangle own, pietra_transform transform, pietra_box seen)
{
    pietra_result result = svg_walk_spend(walk, node, SVG_STEP_shown_document, 1);
    if (result != PIETRA_OK)
        return result;
    svg_walk *inner = walk_of(content, own);
    if (!inner)
        return PIETRA_ERROR_MEMORY;
    /* No document shows itself: a document that holds it as a data URL is longer, and one in a file is not read again,
     * because only the outermost document reads files. */
    assert(inner->frames.count == 0);
    inner->document = content->document;
    inner->scene = walk->scene;
    inner->warnings = walk->warnings;
    inner->error = walk->error;
    inner->common = walk->common;
    inner->origins = walk->origins;
    inner->document_label = walk->label;
    inner->depth = walk->depth + 1;
    inner->pattern_depth = walk->pattern_depth;
    inner->shows = 0;
    inner->segments = inner->pixels = 0;
    inner->base = transform;
    inner->visible = (pietra_box){fmax(seen.x0, walk->visible.x0), fmax(seen.y0, walk->visible.y0),
                                  fmin(seen.x1, walk->visible.x1), fmin(seen.y1, walk->visible.y1)};
    inner->only = SVG_NO_NODE;
    inner->is_aliased = false;
    const uint32_t entered = svg_warnings_enter(walk->warnings, svg_document_warning_line(walk->document, node));
    result = run_isolated(inner, own);
    svg_warnings_leave(walk->warnings, entered);
    walk->is_aliased = inner->is_aliased;
    walk->shows |= inner->shows;
    walk->segments += inner->segments;
    walk->pixels += inner->pixels;
    return result;
}

pietra_filter svg_image_filter(const svg_inherited *style)
{
    return style->image_rendering == SVG_IMAGE_NEAREST ? PIETRA_FILTER_NEAREST
           : style->image_rendering == SVG_IMAGE_HIGH  ? PIETRA_FILTER_HIGH
                                                       : PIETRA_FILTER_SMOOTH;
}
