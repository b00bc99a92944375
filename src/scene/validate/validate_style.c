/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include <stdlib.h>

#include "scene/validate/validator.h"

static bool style_is_sane(const stream_style *style)
{
    return style->half_width > 0.0f && style->half_width <= STREAM_LIMIT && style->miter_limit >= 1.0f &&
           style->miter_limit <= STREAM_LIMIT && style->cap <= STYLE_CAP_SQUARE && style->join <= STYLE_JOIN_MITER_CLIP;
}

/* Returns whether the ends of dashes and gaps are in order. */
static bool ends_are_sane(const float *ends, uint32_t count)
{
    float before = 0.0f;
    for (uint32_t i = 0; i < count; i++) {
        if (!(ends[i] >= before && ends[i] <= STREAM_BOX_LIMIT))
            return false;
        before = ends[i];
    }
    return before > 0.0f;
}

/* Returns whether the dashes of a style are those of an earlier one, or the next ones. */
static bool pattern_is_sane(validator *v, const stream_style *style)
{
    uint32_t used = v->used_dashes;
    if (style->first_dash < used)
        return v->pattern_counts[style->first_dash] == style->dash_count;
    if (style->first_dash != used || style->dash_count > v->view.header->dash_count - used ||
        style->dash_count % 2 != 0 || !ends_are_sane(v->view.dashes + used, style->dash_count)) {
        return false;
    }
    v->pattern_counts[used] = style->dash_count;
    v->used_dashes += style->dash_count;
    return true;
}

static bool style_dashes_are_sane(validator *v, const stream_style *style)
{
    if (style->dash_count == 0)
        return style->first_dash == 0u && style->dash_period == 0.0f && style->dash_phase == 0.0f;
    return pattern_is_sane(v, style) &&
           style->dash_period == v->view.dashes[style->first_dash + style->dash_count - 1u] &&
           style->dash_phase >= 0.0f && style->dash_phase < style->dash_period;
}

pietra_result validate_styles(validator *v)
{
    const stream_header *header = v->view.header;
    v->pattern_counts = calloc((size_t)header->dash_count + 1, sizeof *v->pattern_counts);
    if (!v->pattern_counts)
        return error_set_memory(v->error);
    for (uint32_t i = 0; i < header->style_count; i++) {
        const stream_style *style = &v->view.styles[i];
        if (!style_is_sane(style))
            return REJECT(v, "style %u: width, miter limit, cap or join out of range", i);
        if (!style_dashes_are_sane(v, style))
            return REJECT(v, "style %u: its dashes, their period or their phase are wrong", i);
    }
    return v->used_dashes == header->dash_count ? PIETRA_OK : REJECT(v, "dashes belong to no style");
}
