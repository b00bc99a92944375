/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "scene/build/style.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/hash.h"
#include "scene/limit.h"

#define DEFAULT_MITER_LIMIT 4.0

bool style_draws(const pietra_stroke *stroke)
{
    return (float)(0.5 * stroke->width) > 0.0f;
}

static pietra_result style_check(const pietra_stroke *stroke, pietra_error *error)
{
    if (!isfinite(stroke->width) || !isfinite(stroke->miter_limit) || !isfinite(stroke->dash_offset)) {
        return error_set(error, PIETRA_ERROR_INPUT, 0,
                         "a stroke's width, miter limit or dash offset is not a finite number");
    }
    pietra_result result = error_check_enumerator(error, "a stroke's cap", stroke->cap, PIETRA_CAP_SQUARE);
    if (result == PIETRA_OK)
        result = error_check_enumerator(error, "a stroke's join", stroke->join, PIETRA_JOIN_ARCS);
    if (result != PIETRA_OK)
        return result;
    if (stroke->miter_limit < 0.0)
        return error_set(error, PIETRA_ERROR_INPUT, 0, "a stroke's miter limit is negative");
    if (!stroke->dashes && stroke->dash_count > 0)
        return error_set_null(error, "dashes");
    for (size_t i = 0; i < stroke->dash_count; i++)
        if (!isfinite(stroke->dashes[i]))
            return error_set(error, PIETRA_ERROR_INPUT, 0, "dash %zu is not a finite number", i);
    if (stroke->dash_count > UINT32_MAX / 4)
        return error_set(error, PIETRA_ERROR_INPUT, 0, "a pattern of %zu dashes is too long", stroke->dash_count);
    return PIETRA_OK;
}

/* Returns where in the pattern a subpath starts, for an offset of either sign. limit is the period as a float. */
static float style_phase(double offset, double period, float limit)
{
    double phase = fmod(offset, period);
    if (phase < 0.0)
        phase += period;
    float narrow = (float)phase;
    return narrow < limit ? narrow : 0.0f;
}

/* A pattern as the caller gave it. A pattern of odd count is repeated once. */
typedef struct style_pattern {
    const double *lengths;
    size_t length_count, count;
    double period;
} style_pattern;

/* Returns false if the stroke is solid. */
static bool style_find_pattern(const pietra_stroke *stroke, style_pattern *pattern)
{
    double sum = 0.0;
    for (size_t i = 0; i < stroke->dash_count; i++) {
        if (stroke->dashes[i] < 0.0)
            return false;
        sum += limit_to_float(stroke->dashes[i]);
    }
    size_t count = stroke->dash_count;
    bool twice = count % 2 != 0;
    *pattern = (style_pattern){stroke->dashes, count, twice ? 2 * count : count, twice ? 2.0 * sum : sum};
    return (float)sum > 0.0f;
}

bool style_has_arcs(const pietra_stroke *stroke)
{
    style_pattern pattern;
    return stroke->join == PIETRA_JOIN_ARCS && style_draws(stroke) && !style_find_pattern(stroke, &pattern);
}

double style_miter_limit(const pietra_stroke *stroke)
{
    return fmax(stroke->miter_limit == 0.0 ? DEFAULT_MITER_LIMIT : stroke->miter_limit, 1.0);
}

/* Returns the join of the stroke itself. Arcs' corners stand in the path, over bevels. For dashes it is not known here
 * which corners they turn, so they have clipped miters. */
static uint32_t style_join(const pietra_stroke *stroke)
{
    if (stroke->join == PIETRA_JOIN_ARCS)
        return style_has_arcs(stroke) ? STYLE_JOIN_BEVEL : STYLE_JOIN_MITER_CLIP;
    return (uint32_t)stroke->join;
}

/* Returns where dash or gap i ends, if the one before it ends at `sum`. */
static double style_next_end(const style_pattern *pattern, size_t i, double sum)
{
    return sum + limit_to_float(pattern->lengths[i < pattern->length_count ? i : i - pattern->length_count]);
}

static bool style_has_pattern(const pietra_scene *scene, uint32_t index, const style_pattern *pattern)
{
    if (index >= scene->styles.count || scene->styles.items[index].dash_count != pattern->count)
        return false;
    const float *ends = scene->dashes.items + scene->styles.items[index].first_dash;
    double sum = 0.0;
    for (size_t i = 0; i < pattern->count; i++) {
        sum = style_next_end(pattern, i, sum);
        if (ends[i] != (float)sum)
            return false;
    }
    return true;
}

/* Adds the ends of the pattern to the pool. */
static bool style_add_pattern(pietra_scene *scene, const style_pattern *pattern, uint32_t *first_dash)
{
    float *ends = array_push_many(&scene->dashes, pattern->count);
    if (!ends)
        return false;
    double sum = 0.0;
    for (size_t i = 0; i < pattern->count; i++) {
        sum = style_next_end(pattern, i, sum);
        ends[i] = (float)sum;
    }
    *first_dash = (uint32_t)(scene->dashes.count - pattern->count);
    return true;
}

/* Finds or adds the dashes of a style. The caller stores the style's index in the slot that it gets. */
static bool style_set_dashes(pietra_scene *scene, const style_pattern *pattern, double offset, stream_style *style,
                             uint32_t **slot)
{
    *slot = intern_slot(&scene->pattern_table,
                        hash_checksum(pattern->lengths, pattern->length_count * sizeof *pattern->lengths));
    if (style_has_pattern(scene, **slot - 1u, pattern))
        style->first_dash = scene->styles.items[**slot - 1u].first_dash;
    else if (!style_add_pattern(scene, pattern, &style->first_dash))
        return false;
    style->dash_count = (uint32_t)pattern->count;
    style->dash_period = scene->dashes.items[style->first_dash + style->dash_count - 1u];
    style->dash_phase = style_phase(offset, pattern->period, style->dash_period);
    return true;
}

static bool style_equals_last(const pietra_scene *scene, const stream_style *style)
{
    return scene->styles.count > 0 && memcmp(array_last(&scene->styles), style, sizeof *style) == 0;
}

pietra_result style_add(pietra_scene *scene, const pietra_stroke *stroke, pietra_error *error, uint32_t *index)
{
    pietra_result result = style_check(stroke, error);
    if (result != PIETRA_OK)
        return result;
    if (scene->dashes.count > UINT32_MAX / 2 || scene->styles.count >= UINT32_MAX / 2)
        return error_set(error, PIETRA_ERROR_INPUT, 0, "the scene has too many stroke styles");
    stream_style style = {
        .half_width = limit_to_float(0.5 * stroke->width),
        .miter_limit = limit_to_float(style_miter_limit(stroke)),
        .cap = (uint32_t)stroke->cap,
        .join = style_join(stroke),
    };
    style_pattern pattern;
    uint32_t *slot = NULL;
    if (style_find_pattern(stroke, &pattern) && !style_set_dashes(scene, &pattern, stroke->dash_offset, &style, &slot))
        return error_set_memory(error);
    if (style_equals_last(scene, &style)) {
        *index = (uint32_t)(scene->styles.count - 1);
        return PIETRA_OK;
    }
    stream_style *added = array_push(&scene->styles);
    if (!added)
        return error_set_memory(error);
    *added = style;
    *index = (uint32_t)(scene->styles.count - 1);
    if (slot)
        *slot = *index + 1u;
    return PIETRA_OK;
}

double style_reach(const stream_style *style, bool has_joins)
{
    double reach = style->cap == STYLE_CAP_SQUARE ? 1.4142135623730952 : 1.0;
    if (has_joins && style->join == STYLE_JOIN_MITER)
        reach = fmax(reach, style->miter_limit);
    if (has_joins && style->join == STYLE_JOIN_MITER_CLIP)
        reach = fmax(reach, hypot(style->miter_limit, 1.0)); /* up to a corner of the cut */
    return reach;
}
