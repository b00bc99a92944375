#include "scene/ramp.h"

#include <math.h>

#include "scene/rules.h"

#define RAMP_TOLERANCE 0.25 /* 255ths */
#define RAMP_HALVINGS 8    /* of an interval, at most */

static float ramp_unit(float value) { return value > 0.0f ? (value < 1.0f ? value : 1.0f) : 0.0f; }

static bool ramp_push(pietra_scene *scene, float offset, const pietra_color *color)
{
    stream_stop *stop = array_push(&scene->stops);
    if (stop == NULL) {
        return false;
    }
    *stop = (stream_stop){
        .offset = offset,
        .base_r = 255.0f * ramp_unit(color->r),
        .base_g = 255.0f * ramp_unit(color->g),
        .base_b = 255.0f * ramp_unit(color->b),
        .base_a = 255.0f * ramp_unit(color->a),
    };
    return true;
}

/* IEC 61966-2-1. */
static double light_of(double value) { return value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4); }
static double value_of(double light) { return light <= 0.0031308 ? 12.92 * light : 1.055 * pow(light, 1.0 / 2.4) - 0.055; }

/* An interval of the ramp: straight colours at its ends. */
typedef struct ramp_interval {
    float from, to;            /* offsets */
    pietra_color start, end;
} ramp_interval;

static float middle_of(float a, float b)
{
    return (float)value_of(0.5 * (light_of(a) + light_of(b)));
}

static bool is_even(float a, float b, float middle) { return fabs(0.5 * ((double)a + b) - middle) * 255.0 <= RAMP_TOLERANCE; }

/* Adds the stops inside an interval. */
static bool ramp_divide(pietra_scene *scene, ramp_interval i, int halvings)
{
    pietra_color m = { middle_of(i.start.r, i.end.r), middle_of(i.start.g, i.end.g), middle_of(i.start.b, i.end.b), 0.5f * (i.start.a + i.end.a) };
    float offset = 0.5f * (i.from + i.to);
    bool even = is_even(i.start.r, i.end.r, m.r) && is_even(i.start.g, i.end.g, m.g) && is_even(i.start.b, i.end.b, m.b);
    if (even || halvings == 0 || !(offset > i.from && offset < i.to)) {
        return true;
    }
    return ramp_divide(scene, (ramp_interval){ i.from, offset, i.start, m }, halvings - 1) && ramp_push(scene, offset, &m) &&
           ramp_divide(scene, (ramp_interval){ offset, i.to, m, i.end }, halvings - 1);
}

static pietra_color ramp_color(const pietra_color *color)
{
    return (pietra_color){ ramp_unit(color->r), ramp_unit(color->g), ramp_unit(color->b), ramp_unit(color->a) };
}

bool ramp_add_stops(pietra_scene *scene, const pietra_paint *paint, stream_paint *made)
{
    size_t first = scene->stops.count;
    float offset = ramp_unit(paint->stops[0].offset);
    if (offset > 0.0f && !ramp_push(scene, 0.0f, &paint->stops[0].color)) {
        return false;
    }
    for (size_t i = 0; i < paint->stop_count; i++) {
        float next = fmaxf(offset, ramp_unit(paint->stops[i].offset)) + 0.0f;
        if (i > 0 && paint->linear_rgb) {
            ramp_interval interval = { offset, next, ramp_color(&paint->stops[i - 1].color), ramp_color(&paint->stops[i].color) };
            if (!ramp_divide(scene, interval, RAMP_HALVINGS)) {
                return false;
            }
        }
        if (!ramp_push(scene, next, &paint->stops[i].color)) {
            return false;
        }
        offset = next;
    }
    stream_stop *stops = scene->stops.items + first;
    size_t count = scene->stops.count - first;
    for (size_t i = 0; i + 1 < count; i++) {
        rules_set_slopes(&stops[i], &stops[i + 1]);
    }
    made->first_stop = (uint32_t)first;
    made->stop_count = (uint32_t)count;
    return true;
}
