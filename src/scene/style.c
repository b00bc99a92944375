#include "scene/style.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "scene/limit.h"

#define DEFAULT_MITER_LIMIT 4.0

bool style_draws(const pietra_stroke *stroke) { return (float)(0.5 * stroke->width) > 0.0f; }

static pietra_result style_check(const pietra_stroke *stroke, pietra_error *error)
{
    if (!isfinite(stroke->width) || !isfinite(stroke->miter_limit) || !isfinite(stroke->dash_offset)) {
        return error_set(error, PIETRA_ERROR_INPUT, 0, "a stroke's width, miter limit or dash offset is not a finite number");
    }
    if ((unsigned)stroke->cap > PIETRA_CAP_SQUARE || (unsigned)stroke->join > PIETRA_JOIN_BEVEL) {
        return error_set(error, PIETRA_ERROR_INPUT, 0, "a stroke's cap or join is none of the known ones");
    }
    if (stroke->miter_limit < 0.0) {
        return error_set(error, PIETRA_ERROR_INPUT, 0, "a stroke's miter limit is negative");
    }
    if (stroke->dashes == NULL && stroke->dash_count > 0) {
        return error_set_null(error, "dashes");
    }
    for (size_t i = 0; i < stroke->dash_count; i++) {
        if (!isfinite(stroke->dashes[i])) {
            return error_set(error, PIETRA_ERROR_INPUT, 0, "dash %zu is not a finite number", i);
        }
    }
    if (stroke->dash_count > UINT32_MAX / 4) {
        return error_set(error, PIETRA_ERROR_INPUT, 0, "a pattern of %zu dashes is too long", stroke->dash_count);
    }
    return PIETRA_OK;
}

static bool style_is_dashed(const pietra_stroke *stroke)
{
    double sum = 0.0;
    for (size_t i = 0; i < stroke->dash_count; i++) {
        if (stroke->dashes[i] < 0.0) {
            return false;
        }
        sum += limit_to_float(stroke->dashes[i]);
    }
    return (float)sum > 0.0f;
}

double style_period(const float *dashes, size_t count)
{
    double sum = 0.0;
    for (size_t i = 0; i < count; i++) {
        sum += dashes[i];
    }
    return sum;
}

/* Where in the pattern a subpath starts, for an offset of either sign. */
static float style_phase(double offset, double period)
{
    double phase = fmod(offset, period);
    if (phase < 0.0) {
        phase += period;
    }
    float narrow = (float)phase;
    return narrow < (float)period ? narrow : 0.0f;
}

static bool style_add_dashes(pietra_scene *scene, const pietra_stroke *stroke, stream_style *style)
{
    size_t count = stroke->dash_count % 2 == 0 ? stroke->dash_count : 2 * stroke->dash_count;
    float *dashes = array_push_many(&scene->dashes, count);
    if (dashes == NULL) {
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        dashes[i] = limit_to_float(stroke->dashes[i % stroke->dash_count]);
    }
    double period = style_period(dashes, count);
    style->first_dash = (uint32_t)(scene->dashes.count - count);
    style->dash_count = (uint32_t)count;
    style->dash_period = (float)period;
    style->dash_phase = style_phase(stroke->dash_offset, period);
    return true;
}

/* Whether the style just worked out, its dashes last in the pool, is the one before it. */
static bool style_equals_last(const pietra_scene *scene, const stream_style *style)
{
    if (scene->styles.count == 0) {
        return false;
    }
    stream_style last = scene->styles.items[scene->styles.count - 1];
    uint32_t last_dash = last.first_dash;
    last.first_dash = style->first_dash;
    return memcmp(&last, style, sizeof last) == 0 &&
           (style->dash_count == 0 ||
            memcmp(scene->dashes.items + last_dash, scene->dashes.items + style->first_dash, style->dash_count * sizeof(float)) == 0);
}

pietra_result style_add(pietra_scene *scene, const pietra_stroke *stroke, pietra_error *error, uint32_t *index)
{
    pietra_result result = style_check(stroke, error);
    if (result != PIETRA_OK) {
        return result;
    }
    double miter_limit = stroke->miter_limit == 0.0 ? DEFAULT_MITER_LIMIT : stroke->miter_limit;
    size_t first_dash = scene->dashes.count;
    if (first_dash > UINT32_MAX / 2 || scene->styles.count >= UINT32_MAX / 2) {
        return error_set(error, PIETRA_ERROR_INPUT, 0, "the scene has too many stroke styles");
    }
    stream_style style = {
        .half_width = limit_to_float(0.5 * stroke->width),
        .miter_limit = limit_to_float(fmax(miter_limit, 1.0)),
        .cap = (uint32_t)stroke->cap,
        .join = (uint32_t)stroke->join,
    };
    if (style_is_dashed(stroke) && !style_add_dashes(scene, stroke, &style)) {
        return error_set(error, PIETRA_ERROR_MEMORY, 0, "out of memory");
    }
    if (style_equals_last(scene, &style)) {
        scene->dashes.count = first_dash;
        *index = (uint32_t)(scene->styles.count - 1);
        return PIETRA_OK;
    }
    stream_style *added = array_push(&scene->styles);
    if (added == NULL) {
        return error_set(error, PIETRA_ERROR_MEMORY, 0, "out of memory");
    }
    *added = style;
    *index = (uint32_t)(scene->styles.count - 1);
    return PIETRA_OK;
}

double style_reach(const stream_style *style, bool has_joins)
{
    double reach = style->cap == STYLE_CAP_SQUARE ? 1.4142135623730952 : 1.0;
    if (has_joins && style->join == STYLE_JOIN_MITER) {
        reach = fmax(reach, style->miter_limit);
    }
    return reach;
}
