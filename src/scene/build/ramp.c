/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "scene/build/ramp.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/hash.h"
#include "base/oklab.h"
#include "base/srgb.h"
#include "scene/color.h"
#include "scene/rules.h"

#define RAMP_TOLERANCE 0.25             /* in units of 1/255 */
#define RAMP_HALVINGS 8                 /* at most, for one interval */
#define RAMP_NARROWEST (1.0f / 8192.0f) /* offsets; nobody would see a narrower interval halved */

static bool ramp_push(pietra_scene *scene, float offset, const pietra_color *color)
{
    stream_stop *stop = array_push(&scene->stops);
    if (!stop)
        return false;
    *stop = (stream_stop){
        .offset = offset,
        .base_r = 255.0f * color_clamp(color->r),
        .base_g = 255.0f * color_clamp(color->g),
        .base_b = 255.0f * color_clamp(color->b),
        .base_a = 255.0f * color_clamp(color->a),
    };
    return true;
}

/* A colour of a ramp. */
typedef struct ramp_point {
    double place[3]; /* in the space of the interpolation: light, or Oklab */
    double alpha;
    pietra_color color; /* straight sRGB */
} ramp_point;

static void set_color(pietra_interpolation space, ramp_point *point)
{
    double light[3] = {point->place[0], point->place[1], point->place[2]};
    if (space == PIETRA_INTERPOLATION_OKLAB)
        oklab_to_linear(light, light);
    point->color =
        (pietra_color){color_clamp((float)srgb_from_linear(light[0])), color_clamp((float)srgb_from_linear(light[1])),
                       color_clamp((float)srgb_from_linear(light[2])), (float)point->alpha};
}

static ramp_point point_of(pietra_interpolation space, const pietra_color *color)
{
    ramp_point point = {.place = {srgb_to_linear(color_clamp(color->r)), srgb_to_linear(color_clamp(color->g)),
                                  srgb_to_linear(color_clamp(color->b))},
                        .alpha = color_clamp(color->a)};
    if (space == PIETRA_INTERPOLATION_OKLAB)
        oklab_from_linear(point.place, point.place);
    set_color(space, &point);
    return point;
}

/* An interval of the ramp. */
typedef struct ramp_interval {
    float from, to; /* offsets */
    ramp_point start, end;
} ramp_interval;

static ramp_point point_within(pietra_interpolation space, const ramp_interval *interval, double part)
{
    const ramp_point *a = &interval->start, *b = &interval->end;
    ramp_point point = {.alpha = a->alpha + part * (b->alpha - a->alpha)};
    for (int i = 0; i < 3; i++)
        point.place[i] = a->place[i] + part * (b->place[i] - a->place[i]);
    set_color(space, &point);
    return point;
}

static bool is_near(float a, float b, double part, float channel)
{
    return fabs((double)a + part * ((double)b - (double)a) - (double)channel) * 255.0 <= RAMP_TOLERANCE;
}

/* Returns whether the straight line between the colours at the ends is near enough to the one at that part of it. */
static bool is_even(const ramp_interval *interval, double part, const ramp_point *point)
{
    const pietra_color *a = &interval->start.color, *b = &interval->end.color, *c = &point->color;
    return is_near(a->r, b->r, part, c->r) && is_near(a->g, b->g, part, c->g) && is_near(a->b, b->b, part, c->b);
}

/* Adds the stops inside an interval. Three places are looked at, since a channel may bend either way. */
static bool ramp_divide(pietra_scene *scene, pietra_interpolation space, ramp_interval i, int halvings)
{
    if (halvings == 0 || i.to - i.from < RAMP_NARROWEST)
        return true;
    const float offset = 0.5f * (i.from + i.to);
    const ramp_point quarter = point_within(space, &i, 0.25), middle = point_within(space, &i, 0.5),
                     last = point_within(space, &i, 0.75);
    if (is_even(&i, 0.25, &quarter) && is_even(&i, 0.5, &middle) && is_even(&i, 0.75, &last))
        return true;
    return ramp_divide(scene, space, (ramp_interval){i.from, offset, i.start, middle}, halvings - 1) &&
           ramp_push(scene, offset, &middle.color) &&
           ramp_divide(scene, space, (ramp_interval){offset, i.to, middle, i.end}, halvings - 1);
}

/* Adds the stops of a paint to the end of the pool. */
static bool ramp_add_stops(pietra_scene *scene, const pietra_paint *paint)
{
    float offset = color_clamp(paint->stops[0].offset);
    if (offset > 0.0f && !ramp_push(scene, 0.0f, &paint->stops[0].color))
        return false;
    for (size_t i = 0; i < paint->stop_count; i++) {
        float next = fmaxf(offset, color_clamp(paint->stops[i].offset)) + 0.0f;
        if (i > 0 && paint->interpolation != PIETRA_INTERPOLATION_SRGB) {
            ramp_interval interval = {offset, next, point_of(paint->interpolation, &paint->stops[i - 1].color),
                                      point_of(paint->interpolation, &paint->stops[i].color)};
            if (!ramp_divide(scene, paint->interpolation, interval, RAMP_HALVINGS))
                return false;
        }
        if (!ramp_push(scene, next, &paint->stops[i].color))
            return false;
        offset = next;
    }
    return true;
}

static pietra_result ramp_check(const pietra_scene *scene, const pietra_paint *paint, pietra_error *error)
{
    for (size_t i = 0; i < paint->stop_count; i++) {
        const pietra_color *color = &paint->stops[i].color;
        if (!isfinite(paint->stops[i].offset) || !color_is_finite(color))
            return error_set(error, PIETRA_ERROR_INPUT, 0, "gradient stop %zu has a number that is not finite", i);
    }
    if (paint->stop_count > UINT32_MAX / 4 || scene->stops.count > UINT32_MAX / 4 ||
        scene->given_stops.count > UINT32_MAX / 4) {
        return error_set(error, PIETRA_ERROR_INPUT, 0, "the scene has too many gradient stops");
    }
    return PIETRA_OK;
}

static bool ramp_same_color(const pietra_color *a, const pietra_color *b)
{
    return color_clamp(a->r) == color_clamp(b->r) && color_clamp(a->g) == color_clamp(b->g) &&
           color_clamp(a->b) == color_clamp(b->b) && color_clamp(a->a) == color_clamp(b->a);
}

static bool ramp_has_one_color(const pietra_paint *paint)
{
    for (size_t i = 1; i < paint->stop_count; i++)
        if (!ramp_same_color(&paint->stops[i].color, &paint->stops[0].color))
            return false;
    return true;
}

static pietra_result ramp_add(pietra_scene *scene, const pietra_paint *paint, pietra_error *error)
{
    scene_ramp made = {.first_given = (uint32_t)scene->given_stops.count, .first_stop = (uint32_t)scene->stops.count};
    pietra_stop *given = array_push_many(&scene->given_stops, paint->stop_count);
    scene_ramp *added = array_push(&scene->ramps);
    if (!given || !added || !ramp_add_stops(scene, paint))
        return error_set_memory(error);
    memcpy(given, paint->stops, paint->stop_count * sizeof *given);
    stream_stop *stops = scene->stops.items + made.first_stop;
    made.given_count = (uint32_t)paint->stop_count;
    made.stop_count = (uint32_t)(scene->stops.count - made.first_stop);
    for (size_t i = 0; i + 1 < made.stop_count; i++)
        rules_set_slopes(&stops[i], &stops[i + 1]);
    made.interpolation = paint->interpolation;
    made.is_one_color = ramp_has_one_color(paint);
    made.is_opaque = rules_stops_are_opaque(stops, made.stop_count);
    *added = made;
    return PIETRA_OK;
}

static bool ramp_is_of(const pietra_scene *scene, uint32_t index, const pietra_paint *paint)
{
    if (index >= scene->ramps.count)
        return false;
    const scene_ramp *ramp = &scene->ramps.items[index];
    return ramp->given_count == paint->stop_count && ramp->interpolation == paint->interpolation &&
           memcmp(scene->given_stops.items + ramp->first_given, paint->stops,
                  paint->stop_count * sizeof *paint->stops) == 0;
}

pietra_result ramp_find(pietra_scene *scene, const pietra_paint *paint, pietra_error *error, const scene_ramp **ramp)
{
    uint32_t *slot =
        intern_slot(&scene->ramp_table, hash_checksum(paint->stops, paint->stop_count * sizeof *paint->stops));
    if (!ramp_is_of(scene, *slot - 1u, paint)) {
        pietra_result result = ramp_check(scene, paint, error);
        if (result == PIETRA_OK)
            result = ramp_add(scene, paint, error);
        if (result != PIETRA_OK)
            return result;
        *slot = (uint32_t)scene->ramps.count;
    }
    *ramp = &scene->ramps.items[*slot - 1u];
    return PIETRA_OK;
}
