/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "svg/draw/shape.h"

#include <math.h>

#include "base/transform.h"

bool svg_is_shape(uint16_t element)
{
    switch ((svg_name)element) {
    case SVG_CIRCLE:
    case SVG_ELLIPSE:
    case SVG_LINE:
    case SVG_PATH:
    case SVG_POLYGON:
    case SVG_POLYLINE:
    case SVG_RECT:
        return true;
    default:
        return false;
    }
}

typedef struct shape {
    const svg_document *document;
    uint32_t node;
    const svg_metrics *metrics;
    const pietra_transform *transform;
    pietra_path *path;
} shape;

static double length_of(const shape *shape, svg_name name, svg_axis axis)
{
    return svg_attribute_pixels(shape->document, shape->node, name, axis, shape->metrics);
}

/* Returns a radius. Below 0: it is auto, or has a negative value, which counts as auto. */
static double radius_of(const shape *shape, svg_name name, svg_axis axis)
{
    svg_length length;
    if (!svg_attribute_length(shape->document, shape->node, name, &length))
        return -1;
    return svg_length_resolve(length, axis, shape->metrics);
}

static void move_to(const shape *shape, double x, double y)
{
    if (shape->transform)
        transform_point(*shape->transform, &x, &y);
    pietra_path_move_to(shape->path, x, y);
}

static void line_to(const shape *shape, double x, double y)
{
    if (shape->transform)
        transform_point(*shape->transform, &x, &y);
    pietra_path_line_to(shape->path, x, y);
}

static void quarter_to(const shape *shape, double rx, double ry, double x, double y)
{
    svg_arc_emit(shape->transform, rx, ry, 0, false, true, x, y, shape->path);
}

/* Builds a rounded rectangle under a transform. Rectangles without radii and ellipses are its limiting cases. */
static void build_rounded(const shape *shape, double x, double y, double width, double height, double rx, double ry)
{
    double right = x + width, bottom = y + height;
    move_to(shape, x + rx, y);
    line_to(shape, right - rx, y);
    quarter_to(shape, rx, ry, right, y + ry);
    line_to(shape, right, bottom - ry);
    quarter_to(shape, rx, ry, right - rx, bottom);
    line_to(shape, x + rx, bottom);
    quarter_to(shape, rx, ry, x, bottom - ry);
    line_to(shape, x, y + ry);
    quarter_to(shape, rx, ry, x + rx, y);
    pietra_path_close(shape->path);
}

bool svg_shape_rect(const svg_document *document, uint32_t node, const svg_metrics *metrics, svg_geometry *geometry)
{
    const shape shape = {document, node, metrics, NULL, NULL};
    double width = length_of(&shape, SVG_WIDTH, SVG_AXIS_X), height = length_of(&shape, SVG_HEIGHT, SVG_AXIS_Y);
    double rx = radius_of(&shape, SVG_RX, SVG_AXIS_X), ry = radius_of(&shape, SVG_RY, SVG_AXIS_Y);
    *geometry = (svg_geometry){
        .x = length_of(&shape, SVG_X, SVG_AXIS_X),
        .y = length_of(&shape, SVG_Y, SVG_AXIS_Y),
        .width = width,
        .height = height,
    };
    if (!(width > 0) || !(height > 0) || !isfinite(geometry->x + geometry->y + width + height))
        return false;
    rx = rx < 0 ? ry : rx;
    ry = ry < 0 ? rx : ry;
    rx = rx > width / 2 ? width / 2 : rx;
    ry = ry > height / 2 ? height / 2 : ry;
    if (rx > 0 && ry > 0) {
        geometry->rx = rx;
        geometry->ry = ry;
    }
    return true;
}

static bool build_rect(const shape *shape)
{
    svg_geometry g;
    if (!svg_shape_rect(shape->document, shape->node, shape->metrics, &g))
        return false;
    if (shape->transform)
        build_rounded(shape, g.x, g.y, g.width, g.height, g.rx, g.ry);
    else if (g.rx > 0)
        pietra_path_rounded_rect(shape->path, g.x, g.y, g.width, g.height, g.rx, g.ry);
    else
        pietra_path_rect(shape->path, g.x, g.y, g.width, g.height);
    return true;
}

bool svg_shape_ellipse(const svg_document *document, uint32_t node, const svg_metrics *metrics, svg_geometry *geometry)
{
    const shape shape = {document, node, metrics, NULL, NULL};
    bool circle = document->nodes.items[node].element == SVG_CIRCLE;
    double cx = length_of(&shape, SVG_CX, SVG_AXIS_X), cy = length_of(&shape, SVG_CY, SVG_AXIS_Y);
    double rx = circle ? radius_of(&shape, SVG_R, SVG_AXIS_DIAGONAL) : radius_of(&shape, SVG_RX, SVG_AXIS_X);
    double ry = circle ? rx : radius_of(&shape, SVG_RY, SVG_AXIS_Y);
    rx = rx < 0 ? ry : rx;
    ry = ry < 0 ? rx : ry;
    if (!(rx > 0) || !(ry > 0) || !isfinite(fabs(cx) + fabs(cy) + rx + ry))
        return false;
    *geometry = (svg_geometry){.x = cx, .y = cy, .rx = rx, .ry = ry};
    return true;
}

static bool build_ellipse(const shape *shape)
{
    svg_geometry g;
    if (!svg_shape_ellipse(shape->document, shape->node, shape->metrics, &g))
        return false;
    if (shape->transform)
        build_rounded(shape, g.x - g.rx, g.y - g.ry, 2 * g.rx, 2 * g.ry, g.rx, g.ry);
    else
        pietra_path_ellipse(shape->path, g.x, g.y, g.rx, g.ry);
    return true;
}

void svg_shape_line(const svg_document *document, uint32_t node, const svg_metrics *metrics, svg_geometry *geometry)
{
    const shape shape = {document, node, metrics, NULL, NULL};
    *geometry = (svg_geometry){
        .x = length_of(&shape, SVG_X1, SVG_AXIS_X),
        .y = length_of(&shape, SVG_Y1, SVG_AXIS_Y),
        .x2 = length_of(&shape, SVG_X2, SVG_AXIS_X),
        .y2 = length_of(&shape, SVG_Y2, SVG_AXIS_Y),
    };
}

static bool build_line(const shape *shape)
{
    svg_geometry g;
    svg_shape_line(shape->document, shape->node, shape->metrics, &g);
    if (!isfinite(g.x + g.y + g.x2 + g.y2))
        return false;
    move_to(shape, g.x, g.y);
    line_to(shape, g.x2, g.y2);
    return true;
}

bool svg_shape_build(const svg_document *document, uint32_t node, const svg_metrics *metrics,
                     const pietra_transform *transform, pietra_path *path)
{
    shape shape = {document, node, metrics, transform, path};
    pietra_path_reset(path);
    switch ((svg_name)document->nodes.items[node].element) {
    case SVG_RECT:
        return build_rect(&shape);
    case SVG_CIRCLE:
    case SVG_ELLIPSE:
        return build_ellipse(&shape);
    case SVG_LINE:
        return build_line(&shape);
    default:
        if (document->nodes.items[node].path == SVG_NO_PATH)
            return false;
        svg_path_emit(&document->paths, document->nodes.items[node].path, transform, path);
        return true;
    }
}
