/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "render/effect/space.h"

#include <math.h>

#include "base/transform.h"
#include "render/effect/demand.h"

/* A turn by less than this counts as none: it moves no texel of the largest picture by 1/256. */
#define TURN_LEAST 1e-7
#define TOUCH_LEAST (1.0 / 256.0)

/* Returns whether a map takes one axis to one axis: x to x and y to y, or if `crossed` x to y and y to x. */
static bool keeps_axes(pietra_transform map, bool crossed)
{
    double kept = crossed ? fabs(map.b) + fabs(map.c) : fabs(map.a) + fabs(map.d);
    double turned = crossed ? fabs(map.a) + fabs(map.d) : fabs(map.b) + fabs(map.c);
    return turned <= TURN_LEAST * kept;
}

/* Texels that are whole pixels: along each axis the place of user unit 0 is moved within a texel, so that pixels have
 * whole numbers too. */
static void set_exact(pietra_transform map, bool crossed, effect_space *space)
{
    double across = crossed ? map.b : map.a, down = crossed ? map.c : map.d;
    double at_x = crossed ? map.f : map.e, at_y = crossed ? map.e : map.f;
    double x = across < 0.0 ? ceil(at_x) - at_x : at_x - floor(at_x);
    double y = down < 0.0 ? ceil(at_y) - at_y : at_y - floor(at_y);
    double move_x = across < 0.0 ? ceil(at_x) : floor(at_x), move_y = down < 0.0 ? ceil(at_y) : floor(at_y);
    double sign_x = across < 0.0 ? -1.0 : 1.0, sign_y = down < 0.0 ? -1.0 : 1.0;
    space->is_exact = true;
    space->from_user = (pietra_transform){space->scale_x, 0, 0, space->scale_y, x, y};
    space->to_pixels = crossed ? (pietra_transform){0, sign_x, sign_y, 0, move_y, move_x}
                               : (pietra_transform){sign_x, 0, 0, sign_y, move_x, move_y};
    if (!crossed && sign_x > 0.0 && sign_y > 0.0) {
        /* Texels are the pixels themselves, so what is drawn on them has the bytes that it would have in the frame. */
        space->is_pixels = true;
        space->from_user = map;
        space->to_pixels = TRANSFORM_IDENTITY;
    }
}

bool effect_space_of(pietra_transform user_to_pixels, double center_x, double center_y, unsigned halvings,
                     effect_space *space)
{
    pietra_transform map = user_to_pixels, to_user;
    *space =
        (effect_space){.scale_x = sqrt(map.a * map.a + map.b * map.b), .scale_y = sqrt(map.c * map.c + map.d * map.d)};
    if (!isfinite(space->scale_x) || !isfinite(space->scale_y) || !isfinite(map.e) || !isfinite(map.f) ||
        !transform_invert(map, &to_user)) {
        return false;
    }
    bool crossed = keeps_axes(map, true);
    if (halvings == 0 && (crossed || keeps_axes(map, false))) {
        set_exact(map, crossed, space);
        return true;
    }
    space->scale_x = ldexp(space->scale_x, -(int)halvings);
    space->scale_y = ldexp(space->scale_y, -(int)halvings);
    transform_point(to_user, &center_x, &center_y);
    space->from_user = (pietra_transform){
        space->scale_x, 0, 0, space->scale_y, -floor(space->scale_x * center_x), -floor(space->scale_y * center_y)};
    pietra_transform from_texels;
    if (!transform_invert(space->from_user, &from_texels))
        return false;
    space->to_pixels = transform_multiply(map, from_texels);
    return transform_is_finite(space->to_pixels);
}

bool effect_space_of_pixels(pietra_transform user_to_pixels, effect_space *space)
{
    const pietra_transform map = user_to_pixels;
    pietra_transform to_user;
    *space = (effect_space){.scale_x = sqrt(map.a * map.a + map.c * map.c),
                            .scale_y = sqrt(map.b * map.b + map.d * map.d),
                            .from_user = map,
                            .to_pixels = TRANSFORM_IDENTITY,
                            .is_exact = true,
                            .is_pixels = true};
    return isfinite(space->scale_x) && isfinite(space->scale_y) && isfinite(map.e) && isfinite(map.f) &&
           transform_invert(map, &to_user);
}

static int texel_of(double place)
{
    return (int)fmax(fmin(place, (double)EFFECT_COORDINATE_MOST), -(double)EFFECT_COORDINATE_MOST);
}

effect_box effect_texels_of(pietra_box box)
{
    if (!(box.x0 < box.x1) || !(box.y0 < box.y1))
        return (effect_box){0, 0, 0, 0};
    return (effect_box){texel_of(floor(box.x0 + TOUCH_LEAST)), texel_of(floor(box.y0 + TOUCH_LEAST)),
                        texel_of(ceil(box.x1 - TOUCH_LEAST)), texel_of(ceil(box.y1 - TOUCH_LEAST))};
}
