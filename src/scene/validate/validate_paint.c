/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Gradients' stops and images' mip levels belong to paints in the paints' order. */
#include <stdlib.h>
#include <string.h>

#include "scene/build/image.h"
#include "scene/mip_levels.h"
#include "scene/rules.h"
#include "scene/validate/validator.h"

static bool stop_is_sane(const stream_stop *stop)
{
    return stop->offset >= 0.0f && stop->offset <= 1.0f && stop->base_r >= 0.0f && stop->base_r <= 255.0f &&
           stop->base_g >= 0.0f && stop->base_g <= 255.0f && stop->base_b >= 0.0f && stop->base_b <= 255.0f &&
           stop->base_a >= 0.0f && stop->base_a <= 255.0f;
}

/* Returns whether a gradient's stops start at offset 0, never go back, and have the slopes that lead to the next stop,
 * the last one none. */
static bool stops_are_sane(const stream_stop *stops, uint32_t count)
{
    if (stops[0].offset != 0.0f)
        return false;
    for (uint32_t i = 0; i < count; i++) {
        const stream_stop *next = &stops[i + 1 < count ? i + 1 : i];
        stream_stop expected = stops[i];
        if (!stop_is_sane(&stops[i]) || next->offset < stops[i].offset)
            return false;
        rules_set_slopes(&expected, next);
        if (expected.slope_r != stops[i].slope_r || expected.slope_g != stops[i].slope_g ||
            expected.slope_b != stops[i].slope_b || expected.slope_a != stops[i].slope_a) {
            return false;
        }
    }
    return true;
}

/* Checks that the stops of a paint are those of an earlier one, or the next ones. */
static pietra_result check_stops(validator *v, uint32_t index)
{
    uint32_t *used = &v->used_stops;
    const stream_paint *paint = &v->view.paints[index];
    if (paint->first_stop < *used) {
        return v->group_counts[paint->first_stop] == paint->stop_count && paint->stop_count > 0
                   ? PIETRA_OK
                   : REJECT(v, "paint %u: its stops are part of another gradient's", index);
    }
    if (paint->first_stop != *used || paint->stop_count == 0 || paint->stop_count > v->view.header->stop_count - *used)
        return REJECT(v, "paint %u: its stops do not follow those before them, or go beyond the last", index);
    const stream_stop *stops = v->view.stops + *used;
    if (!stops_are_sane(stops, paint->stop_count))
        return REJECT(v, "paint %u: a stop's offset, colour or slope is wrong", index);
    v->group_counts[*used] = paint->stop_count;
    v->opaque_groups[*used] = rules_stops_are_opaque(stops, paint->stop_count);
    *used += paint->stop_count;
    return PIETRA_OK;
}

static bool color_is_premultiplied(uint32_t color)
{
    uint32_t a = color >> 24;
    return (color & 0xffu) <= a && (color >> 8 & 0xffu) <= a && (color >> 16 & 0xffu) <= a;
}

static bool texels_are_premultiplied(const uint32_t *texels, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (!color_is_premultiplied(texels[i]))
            return false;
    return true;
}

static bool texels_are_zero(const uint32_t *texels, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (texels[i] != 0)
            return false;
    return true;
}

static bool texels_are_opaque(const uint32_t *texels, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (texels[i] >> 24 != 255u)
            return false;
    return true;
}

/* Returns whether the mip levels are a pyramid whose texels follow those of the images before it. Counts these
 * texels. */
static bool mip_levels_are_sane(const validator *v, const stream_mip_level *mip_levels, uint32_t count,
                                uint32_t *texel_count)
{
    uint64_t sum = 0;
    stream_mip_level level = {mip_levels[0].width, mip_levels[0].height, v->used_texels};
    if (level.width == 0 || level.height == 0 || level.width > IMAGE_SIDE_MAX || level.height > IMAGE_SIDE_MAX ||
        count > MIP_LEVELS_MAX)
        return false;
    for (uint32_t i = 0; i < count; i++, level = mip_level_after(level)) {
        if (memcmp(&mip_levels[i], &level, sizeof level) != 0)
            return false;
        sum += (uint64_t)level.width * level.height;
        if (sum > v->view.header->texel_count - v->used_texels)
            return false;
    }
    *texel_count = (uint32_t)sum;
    return true;
}

/* Checks that the mip levels of a paint are those of an earlier one, or the next ones. */
static pietra_result check_image(validator *v, uint32_t index)
{
    const stream_paint *paint = &v->view.paints[index];
    if (paint->color > FILTER_HIGH)
        return REJECT(v, "paint %u: an image's filter is out of range", index);
    if (!(paint->r0 >= 0 && paint->r0 <= (float)EXTERNAL_ID_MOST) || paint->r0 != (float)(uint32_t)paint->r0)
        return REJECT(v, "paint %u: an external image's id is out of range", index);
    if (paint->first_stop < v->used_mip_levels) {
        if (v->image_counts[paint->first_stop] != paint->stop_count || paint->stop_count == 0)
            return REJECT(v, "paint %u: its mip levels are part of another image's", index);
        return v->image_ids[paint->first_stop] == (uint32_t)paint->r0
                   ? PIETRA_OK
                   : REJECT(v, "paint %u: an image has two ids", index);
    }
    if (paint->first_stop != v->used_mip_levels || paint->stop_count == 0 ||
        paint->stop_count > v->view.header->mip_level_count - v->used_mip_levels) {
        return REJECT(v, "paint %u: its mip levels do not follow those before them, or go beyond the last", index);
    }
    uint32_t texel_count;
    if (!mip_levels_are_sane(v, v->view.mip_levels + v->used_mip_levels, paint->stop_count, &texel_count))
        return REJECT(v, "paint %u: the sizes or places of an image's mip levels are wrong", index);
    const uint32_t *texels = v->view.texels + v->used_texels;
    if (!texels_are_premultiplied(texels, texel_count))
        return REJECT(v, "paint %u: a texel has a colour above its alpha", index);
    if (paint->r0 != 0 && !texels_are_zero(texels, texel_count))
        return REJECT(v, "paint %u: an external image has texels", index);
    v->image_counts[v->used_mip_levels] = paint->stop_count;
    v->image_ids[v->used_mip_levels] = (uint32_t)paint->r0;
    v->opaque_images[v->used_mip_levels] = texels_are_opaque(texels, texel_count);
    v->used_mip_levels += paint->stop_count;
    v->used_texels += texel_count;
    return PIETRA_OK;
}

/* Checks that the surface of a paint is that of an earlier one, or the next one. */
static pietra_result check_surface(validator *v, uint32_t index)
{
    const stream_paint *paint = &v->view.paints[index];
    if (paint->color != FILTER_SMOOTH || paint->stop_count != 0)
        return REJECT(v, "paint %u: a surface has a filter or stops", index);
    if (paint->first_stop > v->used_surfaces || paint->first_stop >= v->view.header->surface_count)
        return REJECT(v, "paint %u: its surface does not follow those before it, or is not there", index);
    v->used_surfaces += paint->first_stop == v->used_surfaces;
    return PIETRA_OK;
}

/* Checks that the shadow of a paint is that of an earlier one, or the next one. */
static pietra_result check_box_shadow(validator *v, uint32_t index)
{
    const stream_paint *paint = &v->view.paints[index];
    if (!color_is_premultiplied(paint->color) || paint->stop_count != 0)
        return REJECT(v, "paint %u: a box shadow has a colour above its alpha, or stops", index);
    if (paint->first_stop < v->used_box_shadows)
        return PIETRA_OK;
    if (paint->first_stop > v->used_box_shadows || paint->first_stop >= v->view.header->box_shadow_count)
        return REJECT(v, "paint %u: its box shadow does not follow those before it, or is not there", index);
    if (!rules_shadow_is_sane(&v->view.box_shadows[paint->first_stop]))
        return REJECT(v, "paint %u: the box, a radius or the sigma of its shadow is wrong", index);
    v->used_box_shadows++;
    return PIETRA_OK;
}

static pietra_result check_solid(validator *v, uint32_t index)
{
    const stream_paint *paint = &v->view.paints[index];
    if (!color_is_premultiplied(paint->color))
        return REJECT(v, "paint %u: a solid has a colour above its alpha", index);
    if (paint->first_stop > PAINT_SLOT_MOST)
        return REJECT(v, "paint %u: slot %u is not there", index, paint->first_stop);
    return paint->stop_count == 0 ? PIETRA_OK : REJECT(v, "paint %u: a solid has stops", index);
}

static bool radial_is_sane(const stream_paint *paint)
{
    return paint->centre_distance >= 0.0f && paint->r0 >= 0.0f && paint->r0 + paint->dr >= 0.0f &&
           (paint->centre_distance != 0.0f || paint->dr != 0.0f);
}

static pietra_result check_paint(validator *v, uint32_t index)
{
    const stream_paint *paint = &v->view.paints[index];
    size_t members = (offsetof(stream_paint, dr) - offsetof(stream_paint, a)) / sizeof(float) + 1;
    if (paint->kind > PAINT_BOX_SHADOW || paint->spread > SPREAD_REPEAT || paint->opacity > 255u)
        return REJECT(v, "paint %u: kind, spread or opacity out of range", index);
    if (!are_sane(&paint->a, members, STREAM_LIMIT))
        return REJECT(v, "paint %u: a number is not finite or too large", index);
    if (paint->kind == PAINT_SOLID)
        return check_solid(v, index);
    if (paint->kind == PAINT_RADIAL && !radial_is_sane(paint))
        return REJECT(v, "paint %u: circles of a radial gradient that make none", index);
    if (paint->kind == PAINT_SURFACE)
        return check_surface(v, index);
    if (rules_paint_is_shadow(paint))
        return check_box_shadow(v, index);
    return paint->kind == PAINT_IMAGE ? check_image(v, index) : check_stops(v, index);
}

static uint32_t paint_flags(const validator *v, const stream_paint *paint)
{
    const uint8_t *opaque_parts = paint->kind == PAINT_IMAGE ? v->opaque_images : v->opaque_groups;
    bool is_shadow = rules_paint_is_shadow(paint);
    bool has_parts = paint->kind != PAINT_SOLID && paint->kind != PAINT_SURFACE && !is_shadow;
    bool is_opaque = rules_paint_is_opaque(paint, has_parts && opaque_parts[paint->first_stop] != 0);
    return (is_opaque ? ELEMENT_OPAQUE : 0u) | (rules_paint_is_image(paint) ? ELEMENT_IMAGE : 0u) |
           (is_shadow ? ELEMENT_BOX_SHADOW : 0u);
}

pietra_result validate_paints(validator *v)
{
    const stream_header *header = v->view.header;
    v->group_counts = calloc((size_t)header->stop_count + 1, sizeof *v->group_counts);
    v->opaque_groups = calloc((size_t)header->stop_count + 1, 1);
    v->image_counts = calloc((size_t)header->mip_level_count + 1, sizeof *v->image_counts);
    v->image_ids = calloc((size_t)header->mip_level_count + 1, sizeof *v->image_ids);
    v->opaque_images = calloc((size_t)header->mip_level_count + 1, 1);
    v->paint_flags = calloc((size_t)header->paint_count + 1, sizeof *v->paint_flags);
    if (!v->group_counts || !v->opaque_groups || !v->image_counts || !v->image_ids || !v->opaque_images ||
        !v->paint_flags)
        return error_set_memory(v->error);
    for (uint32_t i = 0; i < header->paint_count; i++) {
        pietra_result result = check_paint(v, i);
        if (result != PIETRA_OK)
            return result;
        v->paint_flags[i] = paint_flags(v, &v->view.paints[i]);
    }
    if (v->used_mip_levels != header->mip_level_count || v->used_texels != header->texel_count)
        return REJECT(v, "mip levels or texels belong to no paint");
    if (v->used_surfaces != header->surface_count)
        return REJECT(v, "surfaces belong to no paint");
    if (v->used_box_shadows != header->box_shadow_count)
        return REJECT(v, "box shadows belong to no paint");
    return v->used_stops == header->stop_count ? PIETRA_OK : REJECT(v, "stops belong to no paint");
}
