/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Turns functions of the property `filter` into steps of effects (Filter Effects 1, 13). They work in sRGB. */
#include <math.h>

#include "svg/draw/filter_parts.h"

static double pixels(const svg_metrics *metrics, svg_length length)
{
    return svg_filter_hold(svg_length_resolve(length, SVG_AXIS_X, metrics));
}

static void set_linear(pietra_effect_function *function, double slope, double intercept)
{
    function->type = PIETRA_EFFECT_LINEAR;
    function->slope = (float)slope;
    function->intercept = (float)intercept;
}

static void set_linear_colors(pietra_effect_step *step, double slope, double intercept)
{
    step->kind = PIETRA_EFFECT_COMPONENT_TRANSFER;
    set_linear(&step->component_transfer.r, slope, intercept);
    set_linear(&step->component_transfer.g, slope, intercept);
    set_linear(&step->component_transfer.b, slope, intercept);
}

/* Mixes the colour with what a matrix makes of it. */
static void set_matrix(pietra_effect_step *step, const double to[9], double amount)
{
    step->kind = PIETRA_EFFECT_COLOR_MATRIX;
    for (int row = 0; row < 3; row++)
        for (int column = 0; column < 3; column++)
            step->color_matrix.values[5 * row + column] =
                (float)((row == column ? 1 - amount : 0) + amount * to[3 * row + column]);
    step->color_matrix.values[18] = 1;
}

static void set_shadow(const svg_filter_function *function, const svg_metrics *metrics, const svg_inherited *style,
                       pietra_effect_step *step)
{
    const bool dark = style->color_scheme == SVG_SCHEME_DARK;
    step->kind = PIETRA_EFFECT_DROP_SHADOW;
    step->drop_shadow.x = pixels(metrics, function->x);
    step->drop_shadow.y = pixels(metrics, function->y);
    step->drop_shadow.sigma_x = step->drop_shadow.sigma_y = pixels(metrics, function->radius);
    step->drop_shadow.color = svg_style_color(function->form, dark ? function->dark : function->color, style);
}

static double at_most_one(double amount)
{
    return amount < 1 ? amount : 1;
}

static void set_step(const svg_filter_function *function, const svg_metrics *metrics, const svg_inherited *style,
                     pietra_effect_step *step)
{
    static const double grey[9] = {0.2126, 0.7152, 0.0722, 0.2126, 0.7152, 0.0722, 0.2126, 0.7152, 0.0722};
    static const double sepia[9] = {0.393, 0.769, 0.189, 0.349, 0.686, 0.168, 0.272, 0.534, 0.131};
    const double amount = svg_filter_hold(function->amount);
    switch ((svg_filter_function_kind)function->kind) {
    case SVG_FILTER_URL:
        break;
    case SVG_FILTER_BLUR:
        step->kind = PIETRA_EFFECT_GAUSSIAN_BLUR;
        step->gaussian_blur.sigma_x = step->gaussian_blur.sigma_y = pixels(metrics, function->radius);
        break;
    case SVG_FILTER_BRIGHTNESS:
        set_linear_colors(step, amount, 0);
        break;
    case SVG_FILTER_CONTRAST:
        set_linear_colors(step, amount, 0.5 - 0.5 * amount);
        break;
    case SVG_FILTER_DROP_SHADOW:
        set_shadow(function, metrics, style, step);
        break;
    case SVG_FILTER_GRAYSCALE:
        set_matrix(step, grey, at_most_one(amount));
        break;
    case SVG_FILTER_HUE_ROTATE:
        *step = pietra_effect_hue_rotate(amount);
        break;
    case SVG_FILTER_INVERT:
        set_linear_colors(step, 1 - 2 * at_most_one(amount), at_most_one(amount));
        break;
    case SVG_FILTER_OPACITY:
        step->kind = PIETRA_EFFECT_COMPONENT_TRANSFER;
        set_linear(&step->component_transfer.a, at_most_one(amount), 0);
        break;
    case SVG_FILTER_SATURATE:
        *step = pietra_effect_saturate((float)amount);
        break;
    case SVG_FILTER_SEPIA:
        set_matrix(step, sepia, at_most_one(amount));
        break;
    }
}

pietra_result svg_filter_add_function(svg_filter_build *build, const svg_filter_function *function, uint32_t node,
                                      const svg_metrics *metrics, const svg_inherited *style)
{
    const pietra_result result = svg_walk_spend(build->walk, node, SVG_STEP_primitive, 1);
    if (result != PIETRA_OK)
        return result;
    pietra_effect_step *step = array_push(&build->steps);
    if (!step)
        return PIETRA_ERROR_MEMORY;
    *step = (pietra_effect_step){.kind = PIETRA_EFFECT_FLOOD};
    set_step(function, metrics, style, step);
    return PIETRA_OK;
}

double svg_filter_reach(const svg_filter_build *build)
{
    const double deviations = 3; /* beyond which nothing of a blur is seen */
    double reach = 0;
    for (size_t i = 0; i < build->steps.count; i++) {
        const pietra_effect_step *step = &build->steps.items[i];
        if (step->kind == PIETRA_EFFECT_GAUSSIAN_BLUR)
            reach += deviations * step->gaussian_blur.sigma_x;
        else if (step->kind == PIETRA_EFFECT_DROP_SHADOW)
            reach +=
                deviations * step->drop_shadow.sigma_x + fmax(fabs(step->drop_shadow.x), fabs(step->drop_shadow.y));
    }
    return reach;
}
