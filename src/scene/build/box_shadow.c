/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "scene/build/box_shadow.h"

#include <math.h>

#include "base/error.h"
#include "base/transform.h"
#include "scene/build/path.h"
#include "scene/build/scene_parts.h"
#include "scene/color.h"
#include "scene/limit.h"
#include "scene/rules.h"

static const char *const corner_names[] = {"upper left", "upper right", "lower right", "lower left"};

pietra_result box_shadow_check(const pietra_shadow *shadow, pietra_transform transform, pietra_error *error)
{
    if (!shadow)
        return error_set_null(error, "shadow");
    const double numbers[] = {shadow->box.x0, shadow->box.y0, shadow->box.x1, shadow->box.y1,
                              shadow->x,      shadow->y,      shadow->spread, shadow->sigma};
    bool finite = transform_is_finite(transform) && color_is_finite(&shadow->color);
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++)
        finite = finite && isfinite(numbers[i]);
    for (size_t i = 0; i < 4; i++)
        finite = finite && isfinite(shadow->radii[i]);
    if (!finite)
        return error_set(error, PIETRA_ERROR_INPUT, 0, "a box shadow has a number that is not finite");
    if (shadow->sigma < 0.0)
        return error_set(error, PIETRA_ERROR_INPUT, 0, "a box shadow has a negative sigma");
    for (size_t i = 0; i < 4; i++)
        if (shadow->radii[i] < 0.0)
            return error_set(error, PIETRA_ERROR_INPUT, 0, "a box shadow has a negative radius: the %s one",
                             corner_names[i]);
    return PIETRA_OK;
}

/* A rectangle with round corners, in the order of pietra_shadow. */
typedef struct round_box {
    pietra_box box;
    double radii[4];
} round_box;

/* Shrinks all radii by the one factor with which neighbours fit their side (CSS Backgrounds 3, 4.5). */
static void fit_radii(round_box *round)
{
    const double width = round->box.x1 - round->box.x0, height = round->box.y1 - round->box.y0;
    double factor = 1.0;
    for (size_t i = 0; i < 4; i++) {
        double side = i % 2 == 0 ? width : height, sum = round->radii[i] + round->radii[(i + 1) % 4];
        if (sum > side)
            factor = fmin(factor, side / sum);
    }
    for (size_t i = 0; i < 4; i++)
        round->radii[i] *= factor;
}

/* Clamps what a caller gave as paths do. */
static round_box box_of(const pietra_shadow *shadow)
{
    round_box round = {.box = {limit_to(shadow->box.x0, STREAM_LIMIT), limit_to(shadow->box.y0, STREAM_LIMIT),
                               limit_to(shadow->box.x1, STREAM_LIMIT), limit_to(shadow->box.y1, STREAM_LIMIT)}};
    for (size_t i = 0; i < 4; i++)
        round.radii[i] = limit_to(shadow->radii[i], STREAM_LIMIT);
    if (!box_is_empty(round.box))
        fit_radii(&round);
    return round;
}

/* Returns a radius after its box has grown. A corner that is less round than the box grows stays sharper (CSS
 * Backgrounds 3, 7.1.1). */
static double grown_radius(double radius, double growth)
{
    if (growth <= 0.0)
        return fmax(radius + growth, 0.0);
    double short_of_one = fmin(radius / growth, 1.0) - 1.0;
    return radius + growth * (1.0 + short_of_one * short_of_one * short_of_one);
}

/* Returns what casts the shadow. It may be empty. */
static round_box box_that_casts(const pietra_shadow *shadow)
{
    round_box round = box_of(shadow);
    const double spread = limit_to(shadow->spread, STREAM_LIMIT), growth = shadow->inset ? -spread : spread;
    const double x = limit_to(shadow->x, STREAM_LIMIT), y = limit_to(shadow->y, STREAM_LIMIT);
    if (box_is_empty(round.box))
        return round;
    round.box = (pietra_box){round.box.x0 - growth + x, round.box.y0 - growth + y, round.box.x1 + growth + x,
                             round.box.y1 + growth + y};
    for (size_t i = 0; i < 4; i++)
        round.radii[i] = grown_radius(round.radii[i], growth);
    if (!box_is_empty(round.box))
        fit_radii(&round);
    return round;
}

static float shadow_number(double value)
{
    return (float)limit_to(value, (double)SHADOW_LIMIT) + 0.0f;
}

/* Returns the place between two sides that is closest to 0. Counted from there, the nearer side keeps its digits,
 * however far away the other one is. */
static double origin_of(double low, double high)
{
    return fmin(fmax(0.0, low), high);
}

bool box_shadow_make(const pietra_shadow *shadow, pietra_transform to_paint, stream_box_shadow *made,
                     pietra_transform *map)
{
    const round_box round = box_that_casts(shadow);
    const double x = origin_of(round.box.x0, round.box.x1), y = origin_of(round.box.y0, round.box.y1);
    *made = (stream_box_shadow){.x0 = shadow_number(round.box.x0 - x),
                                .y0 = shadow_number(round.box.y0 - y),
                                .x1 = shadow_number(round.box.x1 - x),
                                .y1 = shadow_number(round.box.y1 - y),
                                .top_left = shadow_number(round.radii[0]),
                                .top_right = shadow_number(round.radii[1]),
                                .bottom_right = shadow_number(round.radii[2]),
                                .bottom_left = shadow_number(round.radii[3]),
                                .sigma = shadow_number(shadow->sigma),
                                .is_inset = shadow->inset ? 1u : 0u};
    *map = transform_multiply(transform_translate(-x, -y), to_paint);
    return made->x0 < made->x1 && made->y0 < made->y1 && transform_is_finite(*map) && rules_shadow_is_sane(made);
}

/* Adds a rectangle with round corners, clockwise from its upper left one. */
static void add_round_box(pietra_path *path, const round_box *round)
{
    const pietra_box *b = &round->box;
    const double *r = round->radii;
    pietra_path_move_to(path, b->x0 + r[0], b->y0);
    pietra_path_line_to(path, b->x1 - r[1], b->y0);
    pietra_path_arc_to(path, r[1], r[1], 0, false, true, b->x1, b->y0 + r[1]);
    pietra_path_line_to(path, b->x1, b->y1 - r[2]);
    pietra_path_arc_to(path, r[2], r[2], 0, false, true, b->x1 - r[2], b->y1);
    pietra_path_line_to(path, b->x0 + r[3], b->y1);
    pietra_path_arc_to(path, r[3], r[3], 0, false, true, b->x0, b->y1 - r[3]);
    pietra_path_line_to(path, b->x0, b->y0 + r[0]);
    pietra_path_arc_to(path, r[0], r[0], 0, false, true, b->x0 + r[0], b->y0);
    pietra_path_close(path);
}

/* Beyond so many sigmas a shadow shows in no pixel of 8 bits. */
#define REACH 3.5

/* Adds a rectangle around a shadow and its box. It keeps away from a sharp shadow, whose edge is the paint's. */
static void add_surroundings(pietra_path *path, double sigma, const pietra_box *casts, const pietra_box *box)
{
    const double around =
        REACH * limit_to(sigma, STREAM_LIMIT) + 0.125 * (casts->x1 - casts->x0) + 0.125 * (casts->y1 - casts->y0);
    const double x0 = fmin(box->x0, casts->x0) - around, y0 = fmin(box->y0, casts->y0) - around;
    pietra_path_rect(path, x0, y0, fmax(box->x1, casts->x1) + around - x0, fmax(box->y1, casts->y1) + around - y0);
}

pietra_result pietra_scene_draw_box_shadow(pietra_scene *scene, const pietra_shadow *shadow,
                                           const pietra_transform *transform, pietra_error *error)
{
    if (!scene)
        return error_set_null(error, "scene");
    pietra_result result = box_shadow_check(shadow, (pietra_transform){0}, error);
    if (result != PIETRA_OK)
        return result;
    const round_box round = box_of(shadow);
    const pietra_box casts = box_that_casts(shadow).box;
    if (box_is_empty(round.box) || (box_is_empty(casts) && !shadow->inset))
        return PIETRA_OK;
    pietra_path *path = pietra_path_create();
    if (!path)
        return error_set_memory(error);
    add_round_box(path, &round);
    if (!shadow->inset)
        add_surroundings(path, shadow->sigma, &casts, &round.box);
    const pietra_paint paint = pietra_box_shadow(shadow);
    result = pietra_scene_fill(scene, path, transform, PIETRA_FILL_EVEN_ODD, &paint, error);
    pietra_path_destroy(path);
    return result;
}
