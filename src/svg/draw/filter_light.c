/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* feDiffuseLighting and feSpecularLighting with their lights. */
#include "svg/draw/filter_parts.h"

/* Returns the first light among the children, or SVG_NO_NODE. */
static uint32_t find_light(const svg_document *document, uint32_t node)
{
    const svg_node *nodes = document->nodes.items;
    for (uint32_t child = node + 1; child < nodes[node].end; child = nodes[child].end) {
        const uint16_t element = nodes[child].element;
        if (element == SVG_FE_DISTANT_LIGHT || element == SVG_FE_POINT_LIGHT || element == SVG_FE_SPOT_LIGHT)
            return child;
        svg_budget_spend(document->budget, SVG_STEP_node, 1);
    }
    return SVG_NO_NODE;
}

/* Coordinates are those of points; heights have no direction. */
static double coordinate(const svg_filter_build *build, double number, svg_axis axis)
{
    const pietra_box *box = &build->walk->frames.items[build->frame].extent.box;
    const double from = !build->filter.box_primitive_units || axis == SVG_AXIS_DIAGONAL ? 0
                        : axis == SVG_AXIS_X                                            ? box->x0
                                                                                        : box->y0;
    return svg_filter_hold(from + number * svg_filter_unit(build, axis));
}

static double read_coordinate(const svg_filter_build *build, uint32_t light, svg_name name, svg_axis axis)
{
    return coordinate(build, svg_filter_number(build->walk->document, light, name, 0), axis);
}

/* `x` and `y` are kept as lengths, because other elements have them. */
static double read_place(const svg_filter_build *build, uint32_t light, svg_name name, svg_axis axis)
{
    svg_length length = {0, SVG_UNIT_PX};
    if (!svg_attribute_length(build->walk->document, light, name, &length) || length.unit != SVG_UNIT_PX)
        length.number = 0;
    return coordinate(build, length.number, axis);
}

/* A cone of 0 degrees lets no light through, but 0 stands for no cone in an effect. */
static double read_cone(const svg_document *document, uint32_t light)
{
    const double narrow = 1e-9, none = -1000, cone = svg_filter_number(document, light, SVG_LIMITING_CONE_ANGLE, none);
    return cone == none ? 0 : cone == 0 ? narrow : cone;
}

static void read_light(const svg_filter_build *build, uint32_t light, pietra_effect_step *step)
{
    const svg_document *document = build->walk->document;
    if (document->nodes.items[light].element == SVG_FE_DISTANT_LIGHT) {
        step->lighting.light = PIETRA_EFFECT_LIGHT_DISTANT;
        step->lighting.azimuth = svg_filter_number(document, light, SVG_AZIMUTH, 0);
        step->lighting.elevation = svg_filter_number(document, light, SVG_ELEVATION, 0);
        return;
    }
    step->lighting.light = PIETRA_EFFECT_LIGHT_POINT;
    step->lighting.x = read_place(build, light, SVG_X, SVG_AXIS_X);
    step->lighting.y = read_place(build, light, SVG_Y, SVG_AXIS_Y);
    step->lighting.z = read_coordinate(build, light, SVG_Z, SVG_AXIS_DIAGONAL);
    if (document->nodes.items[light].element == SVG_FE_POINT_LIGHT)
        return;
    step->lighting.light = PIETRA_EFFECT_LIGHT_SPOT;
    step->lighting.at_x = read_coordinate(build, light, SVG_POINTS_AT_X, SVG_AXIS_X);
    step->lighting.at_y = read_coordinate(build, light, SVG_POINTS_AT_Y, SVG_AXIS_Y);
    step->lighting.at_z = read_coordinate(build, light, SVG_POINTS_AT_Z, SVG_AXIS_DIAGONAL);
    step->lighting.focus = (float)svg_filter_number(document, light, SVG_SPECULAR_EXPONENT, 1);
    step->lighting.cone = read_cone(document, light);
}

bool svg_filter_read_lighting(svg_filter_build *build, uint32_t node, pietra_color color, pietra_effect_step *step)
{
    const svg_document *document = build->walk->document;
    const bool specular = document->nodes.items[node].element == SVG_FE_SPECULAR_LIGHTING;
    const uint32_t light = find_light(document, node);
    step->kind = specular ? PIETRA_EFFECT_SPECULAR_LIGHTING : PIETRA_EFFECT_DIFFUSE_LIGHTING;
    if (light == SVG_NO_NODE)
        return false;
    step->lighting.surface_scale = svg_filter_number(document, node, SVG_SURFACE_SCALE, 1);
    step->lighting.constant =
        (float)svg_filter_number(document, node, specular ? SVG_SPECULAR_CONSTANT : SVG_DIFFUSE_CONSTANT, 1);
    step->lighting.exponent = specular ? (float)svg_filter_number(document, node, SVG_SPECULAR_EXPONENT, 1) : 1;
    step->lighting.color = color;
    read_light(build, light, step);
    return true;
}
