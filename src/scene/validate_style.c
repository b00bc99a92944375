#include "scene/style.h"
#include "scene/validator.h"

static bool style_is_sane(const stream_style *style)
{
    return style->half_width > 0.0f && style->half_width <= STREAM_LIMIT && style->miter_limit >= 1.0f && style->miter_limit <= STREAM_LIMIT &&
           style->cap <= STYLE_CAP_SQUARE && style->join <= STYLE_JOIN_BEVEL;
}

/* The dashes of a style lie behind those of the styles before it, so that all of them are summed once. */
static bool style_dashes_are_sane(const validator *v, const stream_style *style, uint32_t used)
{
    if (style->dash_count == 0) {
        return style->first_dash == 0u && style->dash_period == 0.0f && style->dash_phase == 0.0f;
    }
    if (style->first_dash != used || style->dash_count > v->view.header->dash_count - used || style->dash_count % 2 != 0) {
        return false;
    }
    float period = (float)style_period(v->view.dashes + used, style->dash_count);
    return period > 0.0f && style->dash_period == period && style->dash_phase >= 0.0f && style->dash_phase < period;
}

pietra_result validate_styles(validator *v)
{
    const stream_header *header = v->view.header;
    for (uint32_t i = 0; i < header->dash_count; i++) {
        if (!(v->view.dashes[i] >= 0.0f && v->view.dashes[i] <= STREAM_LIMIT)) {
            return REJECT(v, "dash %u is negative, not finite or too large", i);
        }
    }
    uint32_t used = 0;
    for (uint32_t i = 0; i < header->style_count; i++) {
        const stream_style *style = &v->view.styles[i];
        if (!style_is_sane(style)) {
            return REJECT(v, "style %u: width, miter limit, cap or join out of range", i);
        }
        if (!style_dashes_are_sane(v, style, used)) {
            return REJECT(v, "style %u: its dashes, their sum or their phase are wrong", i);
        }
        used += style->dash_count;
    }
    return used == header->dash_count ? PIETRA_OK : REJECT(v, "dashes belong to no style");
}
