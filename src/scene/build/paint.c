/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "scene/build/paint.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/hash.h"
#include "base/transform.h"
#include "scene/color.h"
#include "scene/limit.h"
#include "scene/build/box_shadow.h"
#include "scene/build/ramp.h"
#include "scene/rules.h"

/* Adds a paint to the pool. opaque_parts says whether its stops or texels are opaque. */
static pietra_result paint_push(pietra_scene *scene, const scene_paint *paint, bool opaque_parts, pietra_error *error,
                                uint32_t *index)
{
    if (scene->paints.count >= UINT32_MAX / 2)
        return error_set(error, PIETRA_ERROR_INPUT, 0, "the scene has too many paints");
    scene_paint *added = array_push(&scene->paints);
    if (!added)
        return error_set_memory(error);
    *added = *paint;
    added->is_opaque = rules_paint_is_opaque(&paint->paint, opaque_parts);
    *index = (uint32_t)(scene->paints.count - 1);
    return PIETRA_OK;
}

static pietra_result paint_intern_solid(pietra_scene *scene, const stream_paint *solid, pietra_error *error,
                                        uint32_t *index)
{
    uint32_t *slot = intern_slot(&scene->paint_table, hash_checksum(&solid->color, sizeof solid->color));
    if (*slot - 1u < scene->paints.count) {
        const stream_paint *known = &scene->paints.items[*slot - 1u].paint;
        if (memcmp(known, solid, sizeof *known) == 0) {
            *index = *slot - 1u;
            return PIETRA_OK;
        }
    }
    const scene_paint paint = {.paint = *solid};
    pietra_result result = paint_push(scene, &paint, true, error, index);
    if (result == PIETRA_OK)
        *slot = *index + 1u;
    return result;
}

pietra_result paint_add_solid(pietra_scene *scene, uint32_t color, pietra_error *error, uint32_t *index)
{
    return paint_intern_solid(scene, &(stream_paint){.kind = PAINT_SOLID, .color = color}, error, index);
}

/* Adds a solid whose colour instances may replace. */
static pietra_result paint_add_slot(pietra_scene *scene, const pietra_paint *paint, float opacity, pietra_error *error,
                                    uint32_t *index)
{
    const stream_paint solid = {.kind = PAINT_SOLID,
                                .color = color_of_channels(&paint->color, opacity),
                                .opacity = color_byte(opacity),
                                .first_stop = paint->slot};
    return paint_intern_solid(scene, &solid, error, index);
}

static bool paint_geometry_is_finite(const pietra_paint *paint)
{
    if (!isfinite(paint->x0) || !isfinite(paint->y0) || !transform_is_finite(paint->transform))
        return false;
    if (paint->kind == PIETRA_PAINT_SWEEP)
        return isfinite(paint->start_degrees) && isfinite(paint->end_degrees);
    return isfinite(paint->x1) && isfinite(paint->y1) &&
           (paint->kind != PIETRA_PAINT_RADIAL || (isfinite(paint->r0) && isfinite(paint->r1)));
}

_Static_assert(PIETRA_MAX_SLOT == PAINT_SLOT_MOST, "a stream holds every slot");

static pietra_result paint_check_gradient(const pietra_paint *paint, pietra_error *error)
{
    if (!paint_geometry_is_finite(paint))
        return error_set(error, PIETRA_ERROR_INPUT, 0, "a gradient has a number that is not finite");
    if (paint->kind == PIETRA_PAINT_RADIAL && (paint->r0 < 0.0 || paint->r1 < 0.0))
        return error_set(error, PIETRA_ERROR_INPUT, 0, "a radial gradient has a negative radius");
    if (!paint->stops && paint->stop_count > 0)
        return error_set_null(error, "stops");
    return error_check_enumerator(error, "a gradient's interpolation", paint->interpolation,
                                  PIETRA_INTERPOLATION_OKLAB);
}

static pietra_result paint_check_image(const pietra_paint *paint, pietra_error *error)
{
    if (!paint->image)
        return error_set_null(error, "image");
    if (!transform_is_finite(paint->transform))
        return error_set(error, PIETRA_ERROR_INPUT, 0, "an image's transform has a number that is not finite");
    return error_check_enumerator(error, "an image's filter", paint->filter, PIETRA_FILTER_HIGH);
}

static pietra_result paint_check(const pietra_paint *paint, pietra_error *error)
{
    if (!paint)
        return error_set_null(error, "paint");
    pietra_result result = error_check_enumerator(error, "a paint's kind", paint->kind, PIETRA_PAINT_BOX_SHADOW);
    if (result == PIETRA_OK)
        result = error_check_enumerator(error, "a paint's spread", paint->spread, PIETRA_SPREAD_REPEAT);
    if (result != PIETRA_OK)
        return result;
    if (!isfinite(paint->transparency) || (paint->kind == PIETRA_PAINT_SOLID && !color_is_finite(&paint->color)))
        return error_set(error, PIETRA_ERROR_INPUT, 0, "a paint's colour or opacity is not a finite number");
    if (paint->kind == PIETRA_PAINT_SOLID && paint->slot > PIETRA_MAX_SLOT)
        return error_set(error, PIETRA_ERROR_INPUT, 0, "a paint's slot is above %u", PIETRA_MAX_SLOT);
    if (paint->kind == PIETRA_PAINT_IMAGE)
        return paint_check_image(paint, error);
    if (paint->kind == PIETRA_PAINT_BOX_SHADOW)
        return box_shadow_check(paint->shadow, paint->transform, error);
    return paint->kind == PIETRA_PAINT_SOLID ? PIETRA_OK : paint_check_gradient(paint, error);
}

/* Returns the map that takes the first point to the origin and then rotates the second point onto the x axis. */
static pietra_transform paint_axis(const pietra_paint *paint, double *length)
{
    double dx = paint->x1 - paint->x0;
    double dy = paint->y1 - paint->y0;
    *length = hypot(dx, dy);
    double cosine = *length > 0.0 ? dx / *length : 1.0;
    double sine = *length > 0.0 ? dy / *length : 0.0;
    pietra_transform turn = {cosine, -sine, sine, cosine, 0.0, 0.0};
    return transform_multiply(turn, transform_translate(-paint->x0, -paint->y0));
}

/* Fills in the geometry. False: the gradient is degenerate, and the colour of its last stop stands for it. */
static bool paint_set_linear(const pietra_paint *paint, pietra_transform to_gradient, scene_paint *made)
{
    double length;
    pietra_transform axis = paint_axis(paint, &length);
    if (length == 0.0)
        return false;
    made->paint.kind = PAINT_LINEAR;
    made->map = transform_multiply(transform_multiply(transform_scale(1.0 / length, 1.0 / length), axis), to_gradient);
    return transform_is_finite(made->map);
}

static bool paint_set_radial(const pietra_paint *paint, pietra_transform to_gradient, scene_paint *made)
{
    if (!(paint->r1 > 0.0))
        return false;
    double distance;
    pietra_transform axis = paint_axis(paint, &distance);
    made->paint.kind = PAINT_RADIAL;
    made->map = transform_multiply(axis, to_gradient);
    made->paint.centre_distance = limit_to_float(distance);
    made->paint.r0 = limit_to_float(paint->r0);
    /* dr is computed from the narrowed r0, so that r0 + dr is not below 0 either. */
    made->paint.dr = limit_to_float(fmin(paint->r1, STREAM_LIMIT) - made->paint.r0);
    return transform_is_finite(made->map) && (made->paint.centre_distance != 0.0f || made->paint.dr != 0.0f);
}

/* Between equal angles the offset grows as fast as a stream allows, which is beyond 1 at the next direction. */
static bool paint_set_sweep(const pietra_paint *paint, pietra_transform to_gradient, scene_paint *made)
{
    double turns = (paint->end_degrees - paint->start_degrees) / 360.0;
    made->paint.kind = PAINT_SWEEP;
    made->map = transform_multiply(transform_translate(-paint->x0, -paint->y0), to_gradient);
    made->paint.r0 = limit_to_float(paint->start_degrees / 360.0);
    made->paint.dr = turns == 0.0 ? STREAM_LIMIT : limit_to_float(1.0 / turns);
    return transform_is_finite(made->map);
}

/* Returns whether a sweep gradient repeats what lies between equal angles. */
static bool paint_repeats_nothing(const pietra_paint *paint)
{
    return paint->kind == PIETRA_PAINT_SWEEP && paint->start_degrees == paint->end_degrees &&
           paint->spread != PIETRA_SPREAD_PAD;
}

static bool paint_set_geometry(const pietra_paint *paint, pietra_transform to_gradient, scene_paint *made)
{
    if (paint->kind == PIETRA_PAINT_LINEAR)
        return paint_set_linear(paint, to_gradient, made);
    return paint->kind == PIETRA_PAINT_RADIAL ? paint_set_radial(paint, to_gradient, made)
                                              : paint_set_sweep(paint, to_gradient, made);
}

static bool paint_is_known(const pietra_scene *scene, uint32_t index, const scene_paint *made)
{
    if (index >= scene->paints.count)
        return false;
    const scene_paint *known = &scene->paints.items[index];
    return known->image == made->image && memcmp(&known->paint, &made->paint, sizeof known->paint) == 0 &&
           memcmp(&known->map, &made->map, sizeof known->map) == 0;
}

static pietra_result paint_add_gradient(pietra_scene *scene, const scene_ramp *ramp, scene_paint *made,
                                        pietra_error *error, uint32_t *index)
{
    made->paint.first_stop = ramp->first_stop;
    made->paint.stop_count = ramp->stop_count;
    uint32_t *slot = intern_slot(&scene->paint_table, hash_checksum(&made->paint, sizeof made->paint) ^
                                                          hash_checksum(&made->map, sizeof made->map));
    if (paint_is_known(scene, *slot - 1u, made)) {
        *index = *slot - 1u;
        return PIETRA_OK;
    }
    pietra_result result = paint_push(scene, made, ramp->is_opaque, error, index);
    if (result == PIETRA_OK)
        *slot = *index + 1u;
    return result;
}

static pietra_result paint_add_image(pietra_scene *scene, const scene_paint *made, pietra_error *error, uint32_t *index)
{
    /* The hash leaves out the image's address, which differs from run to run: what the table forgets shows in the
     * stream. */
    const double size[2] = {made->image->width, made->image->height};
    uint32_t *slot = intern_slot(&scene->paint_table,
                                 hash_checksum(&made->map, sizeof made->map) ^ hash_checksum(size, sizeof size));
    if (paint_is_known(scene, *slot - 1u, made)) {
        *index = *slot - 1u;
        return PIETRA_OK;
    }
    if (!scene_keep_image(scene, made->image))
        return error_set_memory(error);
    pietra_result result = paint_push(scene, made, made->image->is_opaque, error, index);
    if (result == PIETRA_OK)
        *slot = *index + 1u;
    return result;
}

static bool shadow_is_known(const pietra_scene *scene, uint32_t index, const scene_paint *made,
                            const stream_box_shadow *shadow)
{
    if (index >= scene->paints.count)
        return false;
    const scene_paint *known = &scene->paints.items[index];
    return known->paint.kind == PAINT_BOX_SHADOW && known->paint.color == made->paint.color &&
           memcmp(&known->map, &made->map, sizeof known->map) == 0 &&
           memcmp(&scene->box_shadows.items[known->paint.first_stop], shadow, sizeof *shadow) == 0;
}

static pietra_result paint_add_box_shadow(pietra_scene *scene, const pietra_paint *paint, float opacity,
                                          pietra_error *error, uint32_t *index)
{
    uint32_t color = color_of_channels(&paint->shadow->color, opacity);
    scene_paint made = {.paint = {.kind = PAINT_BOX_SHADOW, .color = color}};
    stream_box_shadow shadow;
    pietra_transform to_paint;
    if (!transform_invert(transform_of_field(paint->transform), &to_paint))
        return paint_add_solid(scene, 0u, error, index);
    if (color >> 24 == 0u || !box_shadow_make(paint->shadow, to_paint, &shadow, &made.map))
        return paint_add_solid(scene, paint->shadow->inset ? color : 0u, error, index);
    uint32_t *slot = intern_slot(&scene->paint_table,
                                 hash_checksum(&shadow, sizeof shadow) ^ hash_checksum(&made.map, sizeof made.map));
    if (shadow_is_known(scene, *slot - 1u, &made, &shadow)) {
        *index = *slot - 1u;
        return PIETRA_OK;
    }
    stream_box_shadow *added = array_push(&scene->box_shadows);
    if (!added)
        return error_set_memory(error);
    *added = shadow;
    made.paint.first_stop = (uint32_t)(scene->box_shadows.count - 1);
    pietra_result result = paint_push(scene, &made, false, error, index);
    if (result == PIETRA_OK)
        *slot = *index + 1u;
    return result;
}

pietra_result paint_add(pietra_scene *scene, const pietra_paint *paint, pietra_error *error, uint32_t *index)
{
    pietra_result result = paint_check(paint, error);
    if (result != PIETRA_OK)
        return result;
    float opacity = color_clamp(1.0f - paint->transparency);
    if (paint->kind == PIETRA_PAINT_SOLID && paint->slot != 0)
        return paint_add_slot(scene, paint, opacity, error, index);
    if (paint->kind == PIETRA_PAINT_SOLID)
        return paint_add_solid(scene, color_of_channels(&paint->color, opacity), error, index);
    if (paint->kind == PIETRA_PAINT_BOX_SHADOW)
        return paint_add_box_shadow(scene, paint, opacity, error, index);
    /* The stops are checked first, so that bad stops are an error even if the gradient is degenerate. */
    const scene_ramp *ramp = NULL;
    if (paint->kind != PIETRA_PAINT_IMAGE && paint->stop_count > 0) {
        result = ramp_find(scene, paint, error, &ramp);
        if (result != PIETRA_OK)
            return result;
    }
    pietra_transform to_gradient;
    uint32_t gradient_opacity = color_byte(opacity);
    bool has_parts = paint->kind == PIETRA_PAINT_IMAGE || ramp;
    if (!has_parts || gradient_opacity == 0 || !transform_invert(transform_of_field(paint->transform), &to_gradient))
        return paint_add_solid(scene, 0u, error, index);
    scene_paint made = {.paint = {.spread = (uint32_t)paint->spread, .opacity = gradient_opacity}};
    if (paint->kind == PIETRA_PAINT_IMAGE && paint->image->drawn) {
        made.paint.kind = PAINT_SURFACE;
        made.map =
            transform_multiply(transform_scale(1.0 / paint->image->width, 1.0 / paint->image->height), to_gradient);
        made.image = paint->image;
        return paint_add_image(scene, &made, error, index);
    }
    if (paint->kind == PIETRA_PAINT_IMAGE) {
        made.paint.kind = PAINT_IMAGE;
        made.paint.color = (uint32_t)paint->filter;
        made.paint.stop_count = paint->image->mip_level_count;
        made.map = to_gradient;
        made.image = paint->image;
        return paint_add_image(scene, &made, error, index);
    }
    if (paint_repeats_nothing(paint))
        return paint_add_solid(scene, 0u, error, index);
    bool whole = paint_set_geometry(paint, to_gradient, &made);
    bool covers = made.paint.kind != PAINT_RADIAL || rules_radial_covers(&made.paint);
    if (!whole || paint->stop_count == 1 || (covers && ramp->is_one_color)) {
        return paint_add_solid(scene, color_of_channels(&paint->stops[paint->stop_count - 1].color, opacity), error,
                               index);
    }
    return paint_add_gradient(scene, ramp, &made, error, index);
}
