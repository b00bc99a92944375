/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "svg/draw/backdrop.h"

#include "svg/draw/clip.h"
#include "svg/draw/filter.h"
#include "svg/draw/filter_parts.h"
#include "svg/draw/mask.h"

/* A lone url() is a link, and left out with a warning of its value. */
bool svg_backdrop_occurs(const svg_instance *instance)
{
    return instance->node != 0 && instance->mode == SVG_MODE_DRAW &&
           instance->noninherited.backdrop_filter.kind == SVG_REFERENCE_FUNCTIONS;
}

/* Returns whether the element has something that its backdrop would go through too. */
static bool is_left_out(const svg_walk *walk, const svg_instance *instance)
{
    const svg_noninherited *style = &instance->noninherited;
    return style->clip_path.kind != SVG_REFERENCE_NONE || style->mix_blend_mode != PIETRA_BLEND_NORMAL ||
           svg_filter_occurs(walk, style) || svg_mask_occurs(walk, style);
}

static pietra_result add_steps(svg_filter_build *build, const svg_instance *instance, const svg_inherited *style)
{
    const svg_style_filter list = instance->noninherited.backdrop_filter;
    const svg_metrics metrics = svg_walk_metrics(build->walk, style->font_size, instance->width, instance->height);
    pietra_result result = PIETRA_OK;
    for (uint32_t i = 0; i < list.count && result == PIETRA_OK; i++) {
        const svg_filter_function function = build->walk->document->filter_functions.items[list.link + i];
        if (function.kind != SVG_FILTER_URL)
            result = svg_filter_add_function(build, &function, instance->node, &metrics, style);
    }
    return result;
}

pietra_result svg_backdrop_draw(svg_walk *walk, const svg_instance *instance, const svg_inherited *style,
                                pietra_fill_rule rule)
{
    if (is_left_out(walk, instance)) {
        svg_warn(walk->warnings, svg_document_warning_line(walk->document, instance->node),
                 "backdrop-filter is left out beside a clip-path, a filter, a mask or a mix-blend-mode");
        return PIETRA_OK;
    }
    svg_filter_build build = {.walk = walk};
    pietra_result result = add_steps(&build, instance, style);
    if (result == PIETRA_OK && build.steps.count > 0) {
        const pietra_effect effect = {.steps = build.steps.items, .step_count = build.steps.count};
        svg_walk_set_edges(walk, false);
        result = pietra_scene_filter_backdrop(walk->scene, &effect, walk->path, &instance->transform, rule,
                                              (float)instance->opacity, walk->error);
    }
    array_free(&build.steps);
    return svg_walk_check(walk, instance->node, result);
}
