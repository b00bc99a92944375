/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include <inttypes.h>

#include "scene/describe_stream.h"

#include "lib/element_kind.h"

static const char *kind_name(uint32_t kind)
{
    static const char *const names[] = {
        [ELEMENT_FILL] = "fill",
        [ELEMENT_STROKE] = "stroke",
        [ELEMENT_BEGIN_CLIP] = "begin_clip",
        [ELEMENT_END_CLIP] = "end_clip",
        [ELEMENT_BEGIN_CLIP_SOURCE] = "begin_clip_source",
        [ELEMENT_END_CLIP_SOURCE] = "end_clip_source",
        [ELEMENT_BEGIN_GROUP] = "begin_group",
        [ELEMENT_END_GROUP] = "end_group",
        [ELEMENT_BEGIN_EFFECT] = "begin_effect",
        [ELEMENT_END_EFFECT] = "end_effect",
        [ELEMENT_BEGIN_EFFECT_PICTURE] = "begin_effect_picture",
        [ELEMENT_END_EFFECT_PICTURE] = "end_effect_picture",
    };
    return names[kind & ELEMENT_KIND_MASK];
}

static void describe_flags(uint32_t kind, FILE *file)
{
    static const struct {
        uint32_t flag;
        const char *name;
    } flags[] = {
        {ELEMENT_EVEN_ODD, "even_odd"},
        {ELEMENT_RECT, "rect"},
        {ELEMENT_OPAQUE, "opaque"},
        {ELEMENT_SOLE_CHILD, "sole"},
        {ELEMENT_DASHED, "dashed"},
        {ELEMENT_OCCLUDER, "occluder"},
        {ELEMENT_ISOLATED, "isolated"},
        {ELEMENT_COPIES_DESTINATION, "copies_destination"},
        {ELEMENT_IMAGE, "image"},
        {ELEMENT_ALIASED, "aliased"},
        {ELEMENT_BOX_SHADOW, "box_shadow"},
        {ELEMENT_BACKDROP, "backdrop"},
        {ELEMENT_ALIASED_UPRIGHT, "aliased_upright"},
    };
    for (size_t i = 0; i < sizeof flags / sizeof flags[0]; i++)
        if ((kind & flags[i].flag) != 0)
            fprintf(file, " %s", flags[i].name);
    uint32_t mode = kind_mode(kind);
    if (mode != 0u)
        fprintf(file, " mode %" PRIu32, mode);
}

static void describe_index(const char *name, uint32_t index, FILE *file)
{
    if (index != STREAM_NONE)
        fprintf(file, " %s %" PRIu32, name, index);
}

static void describe_element(uint32_t index, const stream_element *element, FILE *file)
{
    fprintf(file, "element %" PRIu32 ": %s", index, kind_name(element->kind));
    describe_flags(element->kind, file);
    describe_index("path", element->path, file);
    describe_index("style", element->style, file);
    describe_index("paint", element->paint, file);
    describe_index("transform", element->transform, file);
    fprintf(file, " box %g %g %g %g", (double)element->box_x0, (double)element->box_y0, (double)element->box_x1,
            (double)element->box_y1);
    fprintf(file, " opacity %" PRIu32 "\n", element->opacity);
}

/* Prints a path in the letters of SVG's path data. A dot is an o, the close of a corner a z. */
static void describe_path(uint32_t index, const stream_view *view, FILE *file)
{
    const stream_path *path = &view->paths[index];
    const float *point = view->points + 2 * (size_t)path->first_point;
    fprintf(file, "path %" PRIu32 ":", index);
    for (uint32_t i = 0; i < path->segment_count; i++) {
        uint8_t tag = view->tags[path->first_segment + i];
        if ((tag & TAG_FIRST) != 0) {
            fprintf(file, " M %g %g", (double)point[0], (double)point[1]);
            point += 2;
        }
        uint32_t own_points = tag & TAG_POINTS_MASK;
        fprintf(file, " %c", (tag & TAG_DOT) != 0 ? 'o' : "LQC"[own_points - 1]);
        for (uint32_t k = 0; k < own_points; k++, point += 2)
            fprintf(file, " %g %g", (double)point[0], (double)point[1]);
        if ((tag & TAG_LAST) != 0 && (tag & TAG_CLOSED) != 0)
            fprintf(file, "%s", (tag & TAG_CORNER) != 0 ? " z" : " Z");
    }
    fprintf(file, "\n");
}

static void describe_paint(uint32_t index, const stream_view *view, FILE *file)
{
    const stream_paint *paint = &view->paints[index];
    if (paint->kind == PAINT_SOLID) {
        fprintf(file, "paint %" PRIu32 ": solid %08" PRIx32, index, paint->color);
        if (paint->first_stop != 0)
            fprintf(file, " slot %" PRIu32 " opacity %" PRIu32, paint->first_stop, paint->opacity);
        fputc('\n', file);
        return;
    }
    static const char *const names[] = {
        [PAINT_LINEAR] = "linear", [PAINT_RADIAL] = "radial",   [PAINT_IMAGE] = "image",
        [PAINT_SWEEP] = "sweep",   [PAINT_SURFACE] = "surface", [PAINT_BOX_SHADOW] = "box shadow"};
    fprintf(file, "paint %" PRIu32 ": %s spread %" PRIu32 " opacity %" PRIu32 " map %g %g %g %g %g %g", index,
            names[paint->kind], paint->spread, paint->opacity, (double)paint->a, (double)paint->b, (double)paint->c,
            (double)paint->d, (double)paint->e, (double)paint->f);
    if (paint->kind == PAINT_IMAGE) {
        const stream_mip_level *level = &view->mip_levels[paint->first_stop];
        fprintf(file, " filter %" PRIu32 " of %" PRIu32 " x %" PRIu32, paint->color, level->width, level->height);
        fprintf(file, " at %" PRIu32 "\n", level->first_texel);
        return;
    }
    if (paint->kind == PAINT_SURFACE) {
        fprintf(file, " of %" PRIu32 "\n", paint->first_stop);
        return;
    }
    if (paint->kind == PAINT_BOX_SHADOW) {
        const stream_box_shadow *s = &view->box_shadows[paint->first_stop];
        fprintf(file, " %08" PRIx32 " box %g %g %g %g radii %g %g %g %g sigma %g%s\n", paint->color, (double)s->x0,
                (double)s->y0, (double)s->x1, (double)s->y1, (double)s->top_left, (double)s->top_right,
                (double)s->bottom_right, (double)s->bottom_left, (double)s->sigma, s->is_inset ? " inset" : "");
        return;
    }
    fprintf(file, " distance %g r0 %g dr %g\n", (double)paint->centre_distance, (double)paint->r0, (double)paint->dr);
    for (uint32_t i = 0; i < paint->stop_count; i++) {
        const stream_stop *stop = &view->stops[paint->first_stop + i];
        fprintf(file, "  stop %g: %g %g %g %g, slopes %g %g %g %g\n", (double)stop->offset, (double)stop->base_r,
                (double)stop->base_g, (double)stop->base_b, (double)stop->base_a, (double)stop->slope_r,
                (double)stop->slope_g, (double)stop->slope_b, (double)stop->slope_a);
    }
}

static void describe_style(uint32_t index, const stream_view *view, FILE *file)
{
    const stream_style *style = &view->styles[index];
    fprintf(file, "style %" PRIu32 ": half width %g miter limit %g cap %" PRIu32 " join %" PRIu32, index,
            (double)style->half_width, (double)style->miter_limit, style->cap, style->join);
    if (style->dash_count > 0)
        fprintf(file, " phase %g dashes end", (double)style->dash_phase);
    for (uint32_t i = 0; i < style->dash_count; i++)
        fprintf(file, " %g", (double)view->dashes[style->first_dash + i]);
    fprintf(file, "\n");
}

void stream_describe(const pietra_stream *stream, FILE *file)
{
    stream_view view = stream_view_of(stream->words);
    for (uint32_t i = 0; i < view.header->element_count; i++)
        describe_element(i, &view.elements[i], file);
    for (uint32_t i = 0; i < view.header->path_count; i++)
        describe_path(i, &view, file);
    for (uint32_t i = 0; i < view.header->transform_count; i++) {
        const stream_transform *t = &view.transforms[i];
        fprintf(file, "transform %" PRIu32 ": %g %g %g %g %.17g %.17g\n", i, (double)t->a, (double)t->b, (double)t->c,
                (double)t->d, (double)t->e + (double)t->e_low, (double)t->f + (double)t->f_low);
    }
    for (uint32_t i = 0; i < view.header->style_count; i++)
        describe_style(i, &view, file);
    for (uint32_t i = 0; i < view.header->paint_count; i++)
        describe_paint(i, &view, file);
}
