/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Loads a document: unpacks it, reads it and walks it. */
#include "svg/draw/load.h"

#include <math.h>
#include <stdlib.h>

#include "base/error.h"
#include "base/memory.h"
#include "base/transform.h"
#include "svg/draw/boxes.h"
#include "svg/draw/frame_cost.h"
#include "svg/draw/origins.h"
#include "svg/draw/resources.h"
#include "svg/xml/inflate.h"
#include "svg/xml/external_use.h"
#include "svg/draw/image_content.h"
#include "svg/style/property.h"
#include "svg/xml/reader.h"
#include "svg/xml/resource.h"
#include "svg/tree/view.h"

#define STANDARD_DPI 96

static pietra_result find_size(svg_document *document, const pietra_svg_options *options, pietra_error *error,
                               double *width, double *height)
{
    svg_inherited style;
    svg_noninherited noninherited;
    const svg_inherited initial = svg_style_initial(document);
    svg_style_compute(document, document->nodes.items[0].declarations, &initial, &svg_noninherited_initial,
                      initial.font_size, &style, &noninherited);
    if (!svg_viewport_outermost(document, options->viewport_width, options->viewport_height, style.font_size, width,
                                height))
        return error_set(error, PIETRA_ERROR_INPUT, document->nodes.items[0].line,
                         "the document's size is %g x %g: there is nothing to draw", *width, *height);
    return PIETRA_OK;
}

static void discard_unpacked(void *user, const void *bytes, size_t byte_count)
{
    (void)user;
    memory_discard(bytes, byte_count);
}

/* Reads the other files. The document's own file comes first; its name is not known. */
static pietra_result read_others(svg_document *document, const svg_read_options *reading, svg_warnings *warnings)
{
    svg_file *file = array_push(&document->files);
    if (!file)
        return PIETRA_ERROR_MEMORY;
    *file = (svg_file){.folder = reading->folder};
    return svg_external_uses_read(document, reading, warnings);
}

/* Decodes the fragment of an address, which is percent-encoded. */
static bool decode_fragment(const char *fragment, svg_bytes *decoded)
{
    return !fragment || svg_resource_decode((text){fragment, strlen(fragment)}, decoded);
}

/* Returns the line of the path with which the numbers of all paths exceed `most`. */
static uint32_t line_of_numbers(const svg_document *document, uint64_t most)
{
    uint64_t count = 0;
    uint32_t line = 0;
    for (size_t i = 0; i < document->nodes.count && count <= most; i++) {
        const uint32_t path = document->nodes.items[i].path;
        if (path == SVG_NO_PATH)
            continue;
        count += document->paths.paths.items[path].number_count;
        line = document->nodes.items[i].line;
    }
    return line;
}

pietra_result svg_load_document(text input, const pietra_svg_options *options, svg_warnings *warnings,
                                svg_document *document, pietra_error *error, double *width, double *height)
{
    svg_bytes fragment = {0};
    document->paths.most_numbers = svg_budget_left(document->budget, SVG_LIMIT_numbers) + 1;
    document->units.dpi = options->dpi > 0 ? options->dpi : STANDARD_DPI;
    document->settings = (svg_settings){options->fonts, options->font_family, options->font_size, options->languages,
                                        options->snap_baselines};
    document->units.lacks_memory = &document->budget->lacks_memory;
    if (!svg_budget_take(document->budget, SVG_LIMIT_bytes, input.count))
        return svg_budget_error(document->budget, document->budget->refused, error, 0);
    if (!decode_fragment(options->fragment, &fragment))
        return PIETRA_ERROR_MEMORY;
    const text target = {fragment.items, fragment.count};
    svg_read_options reading = {
        .style_sheet = {options->style_sheet, options->style_sheet ? strlen(options->style_sheet) : 0},
        .medium = {options->viewport_width, options->viewport_height, document->units.dpi},
        .target = target,
        .threads = options->threads,
        .discard = options->discard,
        .discard_user = options->release_user,
        .folder = "",
    };
    pietra_result result = svg_read(input, &reading, warnings, document, error);
    if (result == PIETRA_OK)
        result = read_others(document, &reading, warnings);
    if (result == PIETRA_OK)
        result = svg_property_settle(document, error);
    if (result == PIETRA_OK && !svg_view_apply(document, target, warnings))
        result = PIETRA_ERROR_MEMORY;
    array_free(&fragment);
    if (result == PIETRA_OK)
        result = svg_budget_check(document->budget, error, 0);
    const uint64_t most_numbers = svg_budget_affordable(document->budget, SVG_LIMIT_numbers);
    if (result == PIETRA_OK && !svg_budget_take(document->budget, SVG_LIMIT_numbers, document->paths.number_count))
        result = svg_budget_error(document->budget, document->budget->refused, error,
                                  line_of_numbers(document, most_numbers));
    return result == PIETRA_OK ? find_size(document, options, error, width, height) : result;
}

/* Releases bytes that nothing reads any more. */
static void release_bytes(const pietra_svg_options *options, const void *bytes)
{
    if (options->release)
        options->release(options->release_user, bytes);
}

/* Draws the whole document, or one element of it. */
static pietra_result draw(svg_walk *walk, const char *element_id, double width, double height)
{
    if (!element_id)
        return svg_walk_run(walk, width, height);
    walk->only = svg_document_find(walk->document, 0, (text){element_id, strlen(element_id)});
    if (walk->only == SVG_NO_NODE)
        return error_set(walk->error, PIETRA_ERROR_INPUT, 0, "no element has the id \"%.*s\"",
                         TEXT_PRINT(text_of_string(element_id)));
    pietra_result result = svg_walk_run(walk, width, height);
    const svg_node *node = &walk->document->nodes.items[walk->only];
    pietra_box box;
    if (result == PIETRA_OK && !pietra_scene_bounds(walk->scene, &box))
        result = error_set(walk->error, PIETRA_ERROR_INPUT, node->line,
                           "the element with the id \"%.*s\" draws nothing by itself",
                           TEXT_PRINT(text_of_string(element_id)));
    return result;
}

/* Draws the document into its scene. The cost of the scene is spent as it grows. */
static pietra_result draw_within_budget(svg_walk *walk, const char *element_id, double width, double height)
{
    svg_budget *budget = walk->document->budget;
    walk->common->frame_cost = svg_frame_cost_create(walk->scene, width, height);
    if (!walk->common->frame_cost)
        return PIETRA_ERROR_MEMORY;
    pietra_result result = draw(walk, element_id, width, height);
    if (result == PIETRA_OK) {
        result = svg_frame_cost_spend(walk->common->frame_cost, budget, 0, 0);
        if (result == PIETRA_ERROR_INPUT)
            svg_budget_error(budget, SVG_LIMIT_steps, walk->error, svg_frame_cost_line(walk->common->frame_cost));
    }
    svg_frame_cost_destroy(walk->common->frame_cost);
    return result;
}

static void release_paths(void *user)
{
    arena_free(user);
    free(user);
}

/* Makes the scene the owner of the document's paths, to which it refers. */
static pietra_result hand_over_paths(svg_document *document, pietra_scene *scene, pietra_error *error)
{
    arena *paths = malloc(sizeof *paths);
    if (!paths)
        return PIETRA_ERROR_MEMORY;
    *paths = document->paths.arena;
    pietra_result result = pietra_scene_keep(scene, release_paths, paths, error);
    if (result == PIETRA_OK)
        document->paths.arena = (arena){0};
    else
        free(paths);
    return result;
}

/* If `unpacked` is not NULL, input is a view of it. It is freed as soon as it has been read. */
static pietra_result load(pietra_scene *scene, text input, char *unpacked, const pietra_svg_options *options,
                          svg_budget *budget, svg_warnings *warnings, pietra_error *error, double *width,
                          double *height)
{
    svg_folder resources = {-1, NULL};
    svg_document document = {.budget = budget, .resources = options->resources_directory ? &resources : NULL};
    svg_common common = {.cell_segments = 0};
    svg_walk walk = {
        .document = &document,
        .scene = scene,
        .warnings = warnings,
        .error = error,
        .common = &common,
        .base = TRANSFORM_IDENTITY,
        .visible = {-INFINITY, -INFINITY, INFINITY, INFINITY},
        .only = SVG_NO_NODE,
    };
    svg_boxes boxes = {.function = options->box, .user = options->box_user};
    svg_origins origins = {.function = options->origin, .user = options->origin_user};
    svg_resources reported = {.function = options->resource, .user = options->resource_user};
    double own_width, own_height;
    walk.boxes = options->box ? &boxes : NULL;
    walk.origins = options->origin ? &origins : NULL;
    common.resources = options->resource ? &reported : NULL;
    pietra_result result = PIETRA_OK;
    if (options->resources_directory && !svg_folder_open(&resources, options->resources_directory))
        result = PIETRA_ERROR_MEMORY;
    if (result == PIETRA_OK)
        result = svg_load_document(input, options, warnings, &document, error, &own_width, &own_height);
    if (unpacked)
        free(unpacked);
    else
        release_bytes(options, input.bytes);
    budget->granted[SVG_LIMIT_cells] += document.nodes.count;
    if (result == PIETRA_OK)
        result = draw_within_budget(&walk, options->element_id, own_width, own_height);
    if (result == PIETRA_OK && walk.boxes)
        svg_boxes_report(&boxes, &document);
    svg_boxes_free(&boxes);
    svg_origins_free(&origins);
    svg_resources_free(&reported);
    svg_walk_free(&walk);
    svg_image_contents_free(&common, &document.paths.arena);
    if (result == PIETRA_OK)
        result = hand_over_paths(&document, scene, error);
    svg_document_free(&document);
    svg_folder_close(&resources);
    if (result == PIETRA_OK) {
        *width = own_width;
        *height = own_height;
    }
    return result;
}

pietra_result svg_load(pietra_scene *scene, const void *bytes, size_t byte_count, const pietra_svg_options *options,
                       pietra_error *error, double *width, double *height)
{
    pietra_error own_error = {0}; /* the caller's is only written on failure */
    pietra_svg_options own_options = *options;
    svg_budget budget;
    text input = {bytes, byte_count};
    char *unpacked = NULL;
    pietra_result result = PIETRA_OK;
    svg_warnings warnings = {.function = options->warning, .user = options->warning_user};
    svg_budget_init(&budget, &options->limits);
    if (svg_is_gzip(bytes, byte_count)) {
        result = svg_inflate(bytes, byte_count, &budget, &own_error, &unpacked, &input.count);
        input.bytes = unpacked;
        own_options.discard = discard_unpacked;
        release_bytes(options, bytes);
    }
    if (result == PIETRA_OK)
        result = load(scene, input, unpacked, &own_options, &budget, &warnings, &own_error, width, height);
    if (result == PIETRA_ERROR_MEMORY)
        error_set_memory(&own_error);
    svg_warnings_free(&warnings);
    return error_pass_on(error, result, &own_error);
}
