/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* A scene that writes down what it is asked to draw. It replaces src/scene's scene in a program of which exactly one
 * file, the test, includes this. Each call gives one line:
 *
 *     fill RULE PAINT [TRANSFORM] PATH       begin_clip RULE [TRANSFORM] PATH      begin_group OPACITY
 *     stroke WIDTH CAP JOIN MITER (DASHES) OFFSET PAINT [TRANSFORM] PATH            begin_clip_source   end_clip   ...
 *     begin_effect [TRANSFORM] (REGION), and a line for each step
 *
 * Numbers have six digits. A paint is #rrggbb, with /ALPHA if it is not opaque and -TRANSPARENCY if it has any, or
 * linear(...) or radial(...) with its stops. The identity is []. */
#ifndef PIETRA_TESTS_SVG_RECORD_H
#define PIETRA_TESTS_SVG_RECORD_H

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "pietra/pietra_effect.h"
#include "scene/build/path.h"
#include "svg/draw/frame_cost.h"

struct pietra_scene {
    char *log;
    size_t count, capacity;
    int depth;   /* begins less ends */
    bool silent; /* only counts */
    size_t calls;
};

/* What a frame of such a scene costs nobody asks. */
svg_frame_cost *svg_frame_cost_create(const pietra_scene *scene, double width, double height)
{
    (void)scene;
    (void)width;
    (void)height;
    return (svg_frame_cost *)malloc(1);
}

void svg_frame_cost_destroy(svg_frame_cost *cost)
{
    free(cost);
}

pietra_result svg_frame_cost_spend(svg_frame_cost *cost, svg_budget *budget, uint32_t line, size_t least)
{
    (void)cost;
    (void)budget;
    (void)line;
    (void)least;
    return PIETRA_OK;
}

bool svg_frame_cost_is_of(const svg_frame_cost *cost, const pietra_scene *scene)
{
    (void)cost;
    (void)scene;
    return true;
}

uint32_t svg_frame_cost_line(const svg_frame_cost *cost)
{
    (void)cost;
    return 0;
}

bool svg_frame_cost_of_image(pietra_image *image, const pietra_scene *scene, double width, double height)
{
    (void)image;
    (void)scene;
    (void)width;
    (void)height;
    return true;
}

bool scene_is_empty(const pietra_scene *scene);
void scene_clear(pietra_scene *scene);

bool scene_is_empty(const pietra_scene *scene)
{
    return scene->calls == 0;
}

/* The counts stay, so that tests can read them. */
void scene_clear(pietra_scene *scene)
{
    scene->count = 0;
    scene->depth = 0;
}

static void record_text(pietra_scene *scene, const char *format, ...)
{
    va_list arguments;
    if (scene->silent)
        return;
    if (scene->capacity - scene->count < 1000) {
        scene->capacity = scene->capacity * 2 + 4000;
        scene->log = realloc(scene->log, scene->capacity);
        assert_non_null(scene->log);
    }
    va_start(arguments, format);
    int length = vsnprintf(scene->log + scene->count, 1000, format, arguments);
    va_end(arguments);
    assert_true(length >= 0 && length < 1000);
    scene->count += (size_t)length;
}

/* Removes -0, and noise below 1e-9, which sine and cosine leave. */
static double record_number(double value)
{
    return fabs(value) < 1e-9 ? 0 : value;
}

static void record_transform(pietra_scene *scene, const pietra_transform *t)
{
    if (t->a == 1 && t->b == 0 && t->c == 0 && t->d == 1 && t->e == 0 && t->f == 0)
        record_text(scene, " []");
    else
        record_text(scene, " [%.6g %.6g %.6g %.6g %.6g %.6g]", record_number(t->a), record_number(t->b),
                    record_number(t->c), record_number(t->d), record_number(t->e), record_number(t->f));
}

static void record_path(pietra_scene *scene, const pietra_path *path)
{
    static const char letters[] = {
        [PATH_MOVE] = 'M', [PATH_LINE] = 'L', [PATH_QUAD] = 'Q', [PATH_CUBIC] = 'C', [PATH_CLOSE] = 'Z'};
    path_view view = path_view_of(path);
    const path_point *point = view.points;
    assert_int_equal(path->result, PIETRA_OK);
    record_text(scene, " ");
    for (size_t i = 0; i < view.verb_count; i++) {
        record_text(scene, "%c", letters[view.verbs[i]]);
        for (size_t j = 0; j < path_verb_points(view.verbs[i]); j++, point++)
            record_text(scene, "%s%.6g %.6g", j ? " " : "", record_number(point->x), record_number(point->y));
    }
    record_text(scene, "\n");
}

static void record_color(pietra_scene *scene, pietra_color color)
{
    record_text(scene, "#%02x%02x%02x", (unsigned)lroundf(color.r * 255), (unsigned)lroundf(color.g * 255),
                (unsigned)lroundf(color.b * 255));
    if (color.a < 1)
        record_text(scene, "/%.3g", color.a);
}

static void record_paint(pietra_scene *scene, const pietra_paint *paint)
{
    static const char *const spreads[] = {"pad", "reflect", "repeat"};
    if (paint->kind == PIETRA_PAINT_SOLID) {
        record_color(scene, paint->color);
    } else {
        if (paint->kind == PIETRA_PAINT_IMAGE)
            record_text(scene, "image(");
        else if (paint->kind == PIETRA_PAINT_LINEAR)
            record_text(scene, "linear(%.6g %.6g %.6g %.6g", paint->x0, paint->y0, paint->x1, paint->y1);
        else if (paint->kind == PIETRA_PAINT_SWEEP)
            record_text(scene, "sweep(%.6g %.6g %.6g %.6g", paint->x0, paint->y0, paint->start_degrees,
                        paint->end_degrees);
        else
            record_text(scene, "radial(%.6g %.6g %.6g %.6g %.6g %.6g", paint->x0, paint->y0, paint->r0, paint->x1,
                        paint->y1, paint->r1);
        record_text(scene, " %s", spreads[paint->spread]);
        record_transform(scene, &paint->transform);
        for (size_t i = 0; i < paint->stop_count; i++) {
            record_text(scene, " %.4g", paint->stops[i].offset);
            record_color(scene, paint->stops[i].color);
        }
        record_text(scene, ")");
    }
    if (paint->transparency > 0)
        record_text(scene, "-%.4g", paint->transparency);
}

static const char *record_rule(pietra_fill_rule rule)
{
    return rule == PIETRA_FILL_EVEN_ODD ? "evenodd" : "nonzero";
}

pietra_result pietra_scene_fill(pietra_scene *scene, const pietra_path *path, const pietra_transform *transform,
                                pietra_fill_rule rule, const pietra_paint *paint, pietra_error *error)
{
    (void)error;
    scene->calls++;
    record_text(scene, "fill %s ", record_rule(rule));
    record_paint(scene, paint);
    record_transform(scene, transform);
    record_path(scene, path);
    return PIETRA_OK;
}

pietra_result pietra_scene_stroke(pietra_scene *scene, const pietra_path *path, const pietra_transform *transform,
                                  const pietra_stroke *stroke, const pietra_paint *paint, pietra_error *error)
{
    static const char *const caps[] = {"butt", "round", "square"};
    static const char *const joins[] = {"miter", "round", "bevel"};
    (void)error;
    scene->calls++;
    record_text(scene, "stroke %.6g %s %s %.6g (", stroke->width, caps[stroke->cap], joins[stroke->join],
                stroke->miter_limit);
    for (size_t i = 0; i < stroke->dash_count; i++)
        record_text(scene, "%s%.6g", i ? " " : "", stroke->dashes[i]);
    record_text(scene, ") %.6g ", stroke->dash_offset);
    record_paint(scene, paint);
    record_transform(scene, transform);
    record_path(scene, path);
    return PIETRA_OK;
}

pietra_result pietra_scene_begin_clip(pietra_scene *scene, const pietra_path *path, const pietra_transform *transform,
                                      pietra_fill_rule rule, pietra_error *error)
{
    (void)error;
    scene->calls++;
    scene->depth++;
    record_text(scene, "begin_clip %s", record_rule(rule));
    record_transform(scene, transform);
    record_path(scene, path);
    return PIETRA_OK;
}

pietra_result pietra_scene_draw_image(pietra_scene *scene, const pietra_image *image, const pietra_transform *transform,
                                      pietra_filter filter, pietra_error *error)
{
    (void)image;
    (void)error;
    scene->calls++;
    record_text(scene, "image %d", (int)filter);
    record_transform(scene, transform);
    record_text(scene, "\n");
    return PIETRA_OK;
}

void pietra_scene_set_aliased(pietra_scene *scene, bool aliased)
{
    record_text(scene, "aliased %d\n", aliased);
}

void pietra_scene_set_label(pietra_scene *scene, uint32_t label)
{
    record_text(scene, "label %u\n", label);
}

static pietra_result record_call(pietra_scene *scene, const char *name, int depth)
{
    scene->calls++;
    scene->depth += depth;
    assert_true(scene->depth >= 0);
    record_text(scene, "%s\n", name);
    return PIETRA_OK;
}

pietra_result pietra_scene_begin_clip_source(pietra_scene *scene, pietra_error *error)
{
    (void)error;
    return record_call(scene, "begin_clip_source", 1);
}

static void record_log(pietra_scene *scene, const pietra_scene *other)
{
    for (size_t i = 0; i < other->count; i += 500)
        record_text(scene, "%.*s", other->count - i < 500 ? (int)(other->count - i) : 500, other->log + i);
}

static void record_box(pietra_scene *scene, const pietra_box *box)
{
    if (box->x1 > box->x0)
        record_text(scene, " (%.6g %.6g %.6g %.6g)", record_number(box->x0), record_number(box->y0),
                    record_number(box->x1), record_number(box->y1));
}

/* Names of inputs: previous, source, alpha, or the number of a step. */
static void record_input(pietra_scene *scene, pietra_effect_input input)
{
    static const char *const names[] = {"previous", "source", "alpha"};
    if (input < PIETRA_EFFECT_RESULT(0))
        record_text(scene, " %s", names[input]);
    else
        record_text(scene, " %u", input - PIETRA_EFFECT_RESULT(0));
}

static void record_step_values(pietra_scene *scene, const pietra_effect_step *step)
{
    switch (step->kind) {
    case PIETRA_EFFECT_FLOOD:
        record_text(scene, "flood ");
        record_color(scene, step->flood.color);
        break;
    case PIETRA_EFFECT_OFFSET:
        record_text(scene, "offset %.6g %.6g", step->offset.x, step->offset.y);
        break;
    case PIETRA_EFFECT_MERGE:
        record_text(scene, "merge");
        for (size_t i = 0; i < step->merge.input_count; i++)
            record_input(scene, step->merge.inputs[i]);
        break;
    case PIETRA_EFFECT_COMPOSITE:
        record_text(scene, "composite %d %.6g %.6g %.6g %.6g", (int)step->composite.operation, step->composite.k1,
                    step->composite.k2, step->composite.k3, step->composite.k4);
        break;
    case PIETRA_EFFECT_BLEND:
        record_text(scene, "blend %d", (int)step->blend.mode);
        break;
    case PIETRA_EFFECT_COLOR_MATRIX:
        record_text(scene, "matrix");
        for (int i = 0; i < 20; i++)
            record_text(scene, "%s%.4g", i % 5 ? " " : " | ", step->color_matrix.values[i]);
        break;
    case PIETRA_EFFECT_COMPONENT_TRANSFER: {
        const pietra_effect_function *const functions[] = {&step->component_transfer.r, &step->component_transfer.g,
                                                           &step->component_transfer.b, &step->component_transfer.a};
        record_text(scene, "transfer");
        for (int i = 0; i < 4; i++) {
            const pietra_effect_function *f = functions[i];
            record_text(scene, " %d", (int)f->type);
            if (f->type == PIETRA_EFFECT_LINEAR)
                record_text(scene, "(%.4g %.4g)", f->slope, f->intercept);
            if (f->type == PIETRA_EFFECT_GAMMA)
                record_text(scene, "(%.4g %.4g %.4g)", f->amplitude, f->exponent, f->offset);
            if (f->type == PIETRA_EFFECT_TABLE || f->type == PIETRA_EFFECT_DISCRETE)
                record_text(scene, "(%zu)", f->value_count);
        }
        break;
    }
    case PIETRA_EFFECT_TILE:
        record_text(scene, "tile");
        break;
    case PIETRA_EFFECT_DISPLACEMENT_MAP:
        record_text(scene, "displace %.6g %.6g %d %d", step->displacement_map.x, step->displacement_map.y,
                    (int)step->displacement_map.x_channel, (int)step->displacement_map.y_channel);
        break;
    case PIETRA_EFFECT_DROP_SHADOW:
        record_text(scene, "shadow %.6g %.6g %.6g %.6g ", step->drop_shadow.x, step->drop_shadow.y,
                    step->drop_shadow.sigma_x, step->drop_shadow.sigma_y);
        record_color(scene, step->drop_shadow.color);
        break;
    case PIETRA_EFFECT_GAUSSIAN_BLUR:
        record_text(scene, "blur %.6g %.6g %d", step->gaussian_blur.sigma_x, step->gaussian_blur.sigma_y,
                    (int)step->gaussian_blur.edge);
        break;
    case PIETRA_EFFECT_CONVOLVE_MATRIX:
        record_text(scene, "convolve %ux%u at %u,%u /%.6g +%.6g %d %d", step->convolve_matrix.columns,
                    step->convolve_matrix.rows, step->convolve_matrix.target_x, step->convolve_matrix.target_y,
                    step->convolve_matrix.divisor, step->convolve_matrix.bias, (int)step->convolve_matrix.edge,
                    step->convolve_matrix.preserves_alpha);
        break;
    case PIETRA_EFFECT_MORPHOLOGY:
        record_text(scene, "%s %.6g %.6g", step->morphology.dilates ? "dilate" : "erode", step->morphology.radius_x,
                    step->morphology.radius_y);
        break;
    case PIETRA_EFFECT_DIFFUSE_LIGHTING:
    case PIETRA_EFFECT_SPECULAR_LIGHTING:
        record_text(scene, "%s %.6g %.6g %.6g ", step->kind == PIETRA_EFFECT_DIFFUSE_LIGHTING ? "diffuse" : "specular",
                    step->lighting.surface_scale, step->lighting.constant, step->lighting.exponent);
        record_color(scene, step->lighting.color);
        record_text(scene, " light %d %.6g,%.6g %.6g,%.6g,%.6g %.6g,%.6g,%.6g %.6g %.6g", (int)step->lighting.light,
                    step->lighting.azimuth, step->lighting.elevation, step->lighting.x, step->lighting.y,
                    step->lighting.z, step->lighting.at_x, step->lighting.at_y, step->lighting.at_z,
                    step->lighting.focus, step->lighting.cone);
        break;
    case PIETRA_EFFECT_TURBULENCE:
        record_text(scene, "turbulence %.6g %.6g %.6g %u %d %d", step->turbulence.frequency_x,
                    step->turbulence.frequency_y, step->turbulence.seed, step->turbulence.octaves,
                    step->turbulence.stitches, step->turbulence.fractal_noise);
        break;
    case PIETRA_EFFECT_IMAGE:
        record_text(scene, "image");
        record_transform(scene, &step->image.transform);
        record_text(scene, " {\n");
        if (step->image.scene)
            record_log(scene, step->image.scene);
        record_text(scene, " }");
        break;
    }
}

/* One line for each step of an effect: its values, its inputs, its colour space, its region. */
static void record_steps(pietra_scene *scene, const pietra_effect *effect)
{
    for (size_t i = 0; i < effect->step_count; i++) {
        const pietra_effect_step *step = &effect->steps[i];
        record_text(scene, " ");
        record_step_values(scene, step);
        if (step->in != PIETRA_EFFECT_PREVIOUS || step->in2 != PIETRA_EFFECT_PREVIOUS) {
            record_text(scene, " <");
            record_input(scene, step->in);
            if (step->in2 != PIETRA_EFFECT_PREVIOUS)
                record_input(scene, step->in2);
        }
        record_text(scene, "%s", step->linear_rgb ? " linear" : "");
        record_box(scene, &step->region);
        record_text(scene, "\n");
    }
}

/* One line for the effect, and then its steps. */
pietra_result pietra_scene_begin_effect(pietra_scene *scene, const pietra_effect *effect,
                                        const pietra_transform *transform, pietra_error *error)
{
    (void)error;
    scene->calls++;
    scene->depth++;
    record_text(scene, "begin_effect");
    record_transform(scene, transform);
    record_box(scene, &effect->region);
    record_text(scene, "\n");
    record_steps(scene, effect);
    return PIETRA_OK;
}

pietra_result pietra_scene_filter_backdrop(pietra_scene *scene, const pietra_effect *effect, const pietra_path *path,
                                           const pietra_transform *transform, pietra_fill_rule rule, float opacity,
                                           pietra_error *error)
{
    (void)error;
    scene->calls++;
    record_text(scene, "filter_backdrop %d %.6g", (int)rule, (double)opacity);
    record_transform(scene, transform);
    record_path(scene, path);
    record_steps(scene, effect);
    return PIETRA_OK;
}

pietra_result pietra_scene_end_effect(pietra_scene *scene, pietra_error *error)
{
    (void)error;
    return record_call(scene, "end_effect", -1);
}

/* Of these matrices, the first number is what was asked for. */
pietra_effect_step pietra_effect_saturate(float amount)
{
    return (pietra_effect_step){.kind = PIETRA_EFFECT_COLOR_MATRIX, .color_matrix.values = {amount, 1}};
}

pietra_effect_step pietra_effect_hue_rotate(double degrees)
{
    return (pietra_effect_step){.kind = PIETRA_EFFECT_COLOR_MATRIX, .color_matrix.values = {(float)degrees, 2}};
}

pietra_effect_step pietra_effect_luminance_to_alpha(void)
{
    return (pietra_effect_step){.kind = PIETRA_EFFECT_COLOR_MATRIX, .color_matrix.values = {0, 3}};
}

pietra_result pietra_scene_end_clip_source(pietra_scene *scene, pietra_error *error)
{
    (void)error;
    return record_call(scene, "end_clip_source", 0);
}

pietra_result pietra_scene_end_clip(pietra_scene *scene, pietra_error *error)
{
    (void)error;
    return record_call(scene, "end_clip", -1);
}

pietra_result pietra_scene_begin_group(pietra_scene *scene, float opacity, pietra_error *error)
{
    char line[40];
    (void)error;
    snprintf(line, sizeof line, "begin_group %.4g", opacity);
    return record_call(scene, line, 1);
}

pietra_result pietra_scene_begin_blended_group(pietra_scene *scene, float opacity, pietra_blend blend,
                                               pietra_error *error)
{
    char line[60];
    if (blend == PIETRA_BLEND_NORMAL)
        return pietra_scene_begin_group(scene, opacity, error);
    snprintf(line, sizeof line, "begin_group %.4g blend %d", opacity, (int)blend);
    return record_call(scene, line, 1);
}

pietra_result pietra_scene_begin_mask_source(pietra_scene *scene, pietra_mask_kind kind, pietra_error *error)
{
    char line[60];
    (void)error;
    snprintf(line, sizeof line, "begin_mask_source %d", (int)kind);
    return record_call(scene, line, 1);
}

pietra_result pietra_scene_end_mask_source(pietra_scene *scene, pietra_error *error)
{
    (void)error;
    return record_call(scene, "end_mask_source", 0);
}

pietra_result pietra_scene_end_mask(pietra_scene *scene, pietra_error *error)
{
    (void)error;
    return record_call(scene, "end_mask", -1);
}

pietra_result pietra_scene_end_group(pietra_scene *scene, pietra_error *error)
{
    (void)error;
    return record_call(scene, "end_group", -1);
}

/* ---- Scenes in scenes ---- */

pietra_scene *pietra_scene_create(void)
{
    pietra_scene *scene = calloc(1, sizeof *scene);
    assert_non_null(scene);
    return scene;
}

void pietra_scene_destroy(pietra_scene *scene)
{
    if (scene)
        free(scene->log);
    free(scene);
}

bool scene_find_path(pietra_scene *scene, path_view view, path_view *known)
{
    (void)scene;
    (void)view;
    (void)known;
    return false;
}

pietra_result pietra_scene_keep(pietra_scene *scene, void (*release)(void *user), void *user, pietra_error *error)
{
    (void)error;
    (void)scene;
    release(user); /* paths were written down when they were added, so this may come last */
    return PIETRA_OK;
}

pietra_result pietra_scene_append(pietra_scene *scene, const pietra_scene *other, const pietra_transform *transform,
                                  pietra_error *error)
{
    (void)error;
    assert_int_equal(other->depth, 0);
    scene->calls += other->calls;
    record_text(scene, "append");
    record_transform(scene, transform);
    record_text(scene, " {\n");
    record_log(scene, other);
    record_text(scene, "}\n");
    return PIETRA_OK;
}

size_t pietra_scene_position(const pietra_scene *scene)
{
    return scene->calls;
}

bool pietra_scene_bounds_between(const pietra_scene *scene, size_t begin, size_t end, pietra_box *box)
{
    (void)scene;
    (void)begin;
    (void)end;
    (void)box;
    return false;
}

/* Returns a box that every cell contains. */
bool pietra_scene_bounds(const pietra_scene *scene, pietra_box *box)
{
    *box = (pietra_box){-1e6, -1e6, 1e6, 1e6};
    return scene->calls > 0;
}

pietra_result pietra_image_create_from_scene(const pietra_scene *scene, double width, double height,
                                             pietra_error *error, pietra_image **image)
{
    static const uint8_t pixel[4];
    assert_true(scene->calls > 0 && width > 0 && height > 0);
    return pietra_image_create(1, 1, pixel, 0, error, image);
}

#endif
