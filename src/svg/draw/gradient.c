/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "svg/draw/gradient.h"

#include <math.h>

#include "base/number.h"
#include "base/transform.h"
#include "svg/draw/transform_origin.h"

enum { LINEAR_X1, LINEAR_Y1, LINEAR_X2, LINEAR_Y2 };
enum { RADIAL_CX, RADIAL_CY, RADIAL_R, RADIAL_FX, RADIAL_FY, RADIAL_FR };
#define MOST_LENGTHS 6u

typedef struct gradient_length {
    svg_name name;
    svg_axis axis;
    double percent; /* default value */
} gradient_length;

static const gradient_length linear_lengths[MOST_LENGTHS] = {
    [LINEAR_X1] = {SVG_X1, SVG_AXIS_X, 0},
    [LINEAR_Y1] = {SVG_Y1, SVG_AXIS_Y, 0},
    [LINEAR_X2] = {SVG_X2, SVG_AXIS_X, 100},
    [LINEAR_Y2] = {SVG_Y2, SVG_AXIS_Y, 0},
};
static const gradient_length radial_lengths[MOST_LENGTHS] = {
    [RADIAL_CX] = {SVG_CX, SVG_AXIS_X, 50},      [RADIAL_CY] = {SVG_CY, SVG_AXIS_Y, 50},
    [RADIAL_R] = {SVG_R, SVG_AXIS_DIAGONAL, 50}, [RADIAL_FX] = {SVG_FX, SVG_AXIS_X, 50},
    [RADIAL_FY] = {SVG_FY, SVG_AXIS_Y, 50},      [RADIAL_FR] = {SVG_FR, SVG_AXIS_DIAGONAL, 0},
};

/* A gradient with everything that it takes over along its hrefs, before a shape uses it. */
struct svg_gradient {
    uint32_t node;
    bool radial;
    bool user_units, units_set;
    bool spread_set, transform_set;
    pietra_spread spread;
    uint32_t transform_node; /* the node that has its gradientTransform */
    svg_length lengths[MOST_LENGTHS];
    bool lengths_set[MOST_LENGTHS];
    double font_size;
    pietra_interpolation interpolation;
    pietra_stop *stops;
    size_t stop_count;
};

static const gradient_length *lengths_of(const svg_gradient *gradient)
{
    return gradient->radial ? radial_lengths : linear_lengths;
}

static unsigned length_count(const svg_gradient *gradient)
{
    return gradient->radial ? RADIAL_FR + 1 : LINEAR_Y2 + 1;
}

bool svg_is_gradient(uint16_t element)
{
    return element == SVG_LINEAR_GRADIENT || element == SVG_RADIAL_GRADIENT;
}

/* ---- Resolving the attributes of a gradient ---- */

/* Takes over what no earlier gradient of the chain has given. A value in error counts as not given. */
static void take_attributes(const svg_document *document, uint32_t node, svg_gradient *gradient)
{
    text units = text_trim(svg_attribute_text(document, node, SVG_GRADIENT_UNITS));
    bool user = text_equal(units, TEXT("userSpaceOnUse"));
    if (!gradient->units_set && (user || text_equal(units, TEXT("objectBoundingBox")))) {
        gradient->units_set = true;
        gradient->user_units = user;
    }
    text spread = text_trim(svg_attribute_text(document, node, SVG_SPREAD_METHOD));
    bool reflect = text_equal(spread, TEXT("reflect")), repeat = text_equal(spread, TEXT("repeat"));
    if (!gradient->spread_set && (reflect || repeat || text_equal(spread, TEXT("pad")))) {
        gradient->spread_set = true;
        gradient->spread = reflect ? PIETRA_SPREAD_REFLECT : repeat ? PIETRA_SPREAD_REPEAT : PIETRA_SPREAD_PAD;
    }
    if (!gradient->transform_set && svg_attribute_find(document, node, SVG_GRADIENT_TRANSFORM)) {
        gradient->transform_set = true;
        gradient->transform_node = node;
    }
    if ((document->nodes.items[node].element == SVG_RADIAL_GRADIENT) != gradient->radial)
        return;
    for (unsigned i = 0; i < length_count(gradient); i++) {
        svg_length length;
        bool radius = gradient->radial && (i == RADIAL_R || i == RADIAL_FR);
        if (!gradient->lengths_set[i] && svg_attribute_length(document, node, lengths_of(gradient)[i].name, &length) &&
            !(radius && svg_length_is_negative(length))) {
            gradient->lengths_set[i] = true;
            gradient->lengths[i] = length;
        }
    }
}

static double parse_offset(text value)
{
    value = text_trim(value);
    const char *at = value.bytes, *end = at + value.count;
    double offset;
    if (!number_scan(&at, end, &offset))
        return 0;
    if (at < end && *at == '%') {
        offset /= 100;
        at++;
    }
    return at != end || offset < 0 ? 0 : offset > 1 ? 1 : offset;
}

static pietra_result take_stops(svg_walk *walk, uint32_t node, svg_gradient *gradient)
{
    svg_document *document = walk->document;
    uint32_t end = document->nodes.items[node].end;
    size_t count = 0, steps = 0;
    for (uint32_t child = node + 1; child < end; child = document->nodes.items[child].end, steps++)
        count += document->nodes.items[child].element == SVG_STOP;
    pietra_result result = svg_walk_meet(walk, node, steps);
    if (result != PIETRA_OK || count == 0)
        return result;
    const svg_style_in_place *placed = svg_walk_style_in_place(walk, node);
    pietra_stop *stops = ARENA_NEW_ARRAY(&walk->arena, pietra_stop, count);
    if (!placed || !stops)
        return PIETRA_ERROR_MEMORY;
    float last = 0;
    for (uint32_t child = node + 1; child < end; child = document->nodes.items[child].end) {
        if (document->nodes.items[child].element != SVG_STOP)
            continue;
        svg_inherited inherited;
        svg_noninherited noninherited;
        svg_style_compute(document, document->nodes.items[child].declarations, &placed->inherited,
                          &placed->noninherited, walk->root_font_size, &inherited, &noninherited);
        pietra_stop *stop = &stops[gradient->stop_count++];
        stop->color = svg_style_color(noninherited.stop_color.form, noninherited.stop_color.color, &inherited);
        stop->color.a = (float)(stop->color.a * noninherited.stop_opacity);
        stop->offset = (float)parse_offset(svg_attribute_text(document, child, SVG_OFFSET));
        stop->offset = stop->offset < last ? last : stop->offset;
        last = stop->offset;
    }
    gradient->stops = stops;
    return PIETRA_OK;
}

static void set_defaults(svg_gradient *gradient)
{
    for (unsigned i = 0; i < length_count(gradient); i++)
        if (!gradient->lengths_set[i])
            gradient->lengths[i] = (svg_length){lengths_of(gradient)[i].percent, SVG_UNIT_PERCENT};
    if (gradient->radial && !gradient->lengths_set[RADIAL_FX])
        gradient->lengths[RADIAL_FX] = gradient->lengths[RADIAL_CX];
    if (gradient->radial && !gradient->lengths_set[RADIAL_FY])
        gradient->lengths[RADIAL_FY] = gradient->lengths[RADIAL_CY];
}

/* Takes what is not given yet from the next gradient along the hrefs. Stops come from the first gradient that has any.
 * A link to another kind of element, or back into the chain, is ignored. */
static pietra_result take_link(svg_walk *walk, uint32_t node, void *user)
{
    svg_gradient *gradient = user;
    take_attributes(walk->document, node, gradient);
    return gradient->stop_count == 0 ? take_stops(walk, node, gradient) : PIETRA_OK;
}

/* Finds a gradient. Each is resolved once. */
static pietra_result find_gradient(svg_walk *walk, uint32_t node, const svg_gradient **found)
{
    uint64_t hash = hash_bytes(&node, sizeof node);
    hash_walk probe = hash_find(&walk->gradient_table, hash);
    for (; hash_found(&probe); hash_next(&probe))
        if (walk->gradients.items[probe.value]->node == node) {
            *found = walk->gradients.items[probe.value];
            return PIETRA_OK;
        }
    svg_gradient *gradient = ARENA_NEW(&walk->arena, svg_gradient);
    const svg_style_in_place *placed = svg_walk_style_in_place(walk, node);
    if (!gradient || !placed || !array_reserve(&walk->gradients, 1) ||
        !hash_insert(&walk->gradient_table, hash, (uint32_t)walk->gradients.count))
        return PIETRA_ERROR_MEMORY;
    *array_push(&walk->gradients) = gradient;
    gradient->node = node;
    gradient->radial = walk->document->nodes.items[node].element == SVG_RADIAL_GRADIENT;
    gradient->font_size = placed->inherited.font_size;
    if (placed->inherited.color_interpolation == SVG_INTERPOLATE_LINEAR)
        gradient->interpolation = PIETRA_INTERPOLATION_LINEAR_RGB;
    pietra_result result = svg_walk_follow_hrefs(walk, node, svg_is_gradient, take_link, gradient);
    set_defaults(gradient);
    *found = gradient;
    return result;
}

/* ---- Meeting a shape ---- */

/* In units of the box, a percentage is in hundredths and a number counts as it is. */
static double resolve_length(const svg_gradient *gradient, unsigned i, const svg_metrics *metrics)
{
    svg_length length = gradient->lengths[i];
    if (!gradient->user_units)
        return svg_length_resolve_fraction(length, lengths_of(gradient)[i].axis, metrics);
    return svg_length_resolve(length, lengths_of(gradient)[i].axis, metrics);
}

static void make_solid(const svg_gradient *gradient, pietra_paint *paint)
{
    paint->kind = PIETRA_PAINT_SOLID;
    paint->color = gradient->stops[gradient->stop_count - 1].color;
}

/* Returns false if the gradient cannot be seen, because its transform has no inverse. */
static bool place_gradient(const svg_walk *walk, const svg_gradient *gradient, const svg_metrics *metrics,
                           pietra_box box, pietra_paint *paint)
{
    pietra_transform transform = TRANSFORM_IDENTITY;
    /* Its percentages are the viewport's for any gradientUnits, because its reference box is view-box. */
    if (gradient->transform_set) {
        transform = svg_attribute_transform(walk->document, gradient->transform_node, SVG_GRADIENT_TRANSFORM, metrics);
        transform = svg_transform_about_origin(walk->document, gradient->transform_node, metrics, transform);
    }
    if (!gradient->user_units) {
        pietra_transform to_box = {box.x1 - box.x0, 0, 0, box.y1 - box.y0, box.x0, box.y0};
        transform = transform_multiply(to_box, transform);
    }
    pietra_transform inverse;
    paint->transform = transform;
    paint->spread = gradient->spread;
    paint->interpolation = gradient->interpolation;
    paint->stops = gradient->stops;
    paint->stop_count = gradient->stop_count;
    return transform_invert(transform, &inverse);
}

/* Sets the geometry. A gradient of no length has the colour of its last stop (SVG 2, 14.2.2 and 14.2.3). */
static void set_geometry(const svg_gradient *gradient, const svg_metrics *metrics, pietra_paint *paint)
{
    double v[MOST_LENGTHS];
    for (unsigned i = 0; i < length_count(gradient); i++)
        v[i] = resolve_length(gradient, i, metrics);
    if (gradient->radial) {
        paint->kind = PIETRA_PAINT_RADIAL;
        paint->x0 = v[RADIAL_FX];
        paint->y0 = v[RADIAL_FY];
        paint->r0 = v[RADIAL_FR];
        paint->x1 = v[RADIAL_CX];
        paint->y1 = v[RADIAL_CY];
        paint->r1 = v[RADIAL_R];
        if (!(paint->r1 > 0))
            make_solid(gradient, paint);
        if (paint->r0 == paint->r1 && paint->x0 == paint->x1 && paint->y0 == paint->y1) {
            paint->r0 *= 1 - 1e-6; /* both circles are equal: the first stop's colour inside, the last stop's outside */
            paint->spread = PIETRA_SPREAD_PAD;
        }
    } else {
        paint->kind = PIETRA_PAINT_LINEAR;
        paint->x0 = v[LINEAR_X1];
        paint->y0 = v[LINEAR_Y1];
        paint->x1 = v[LINEAR_X2];
        paint->y1 = v[LINEAR_Y2];
        if (paint->x0 == paint->x1 && paint->y0 == paint->y1)
            make_solid(gradient, paint);
    }
}

svg_gradient_state svg_gradient_make(svg_walk *walk, uint32_t node, const svg_instance *instance,
                                     const svg_extent *extent, pietra_paint *paint, pietra_result *result)
{
    const svg_gradient *gradient;
    *result = find_gradient(walk, node, &gradient);
    if (*result == PIETRA_OK)
        *result = svg_walk_spend(walk, node, SVG_STEP_entry, gradient->stop_count);
    if (*result != PIETRA_OK || gradient->stop_count == 0)
        /* A gradient without stops paints like none (SVG 2, 14.2.4), or by the url's fallback, as in Chrome and
         * resvg. */
        return SVG_GRADIENT_FALLS_BACK;
    if (gradient->stop_count == 1) {
        make_solid(gradient, paint);
        return SVG_GRADIENT_PAINTS;
    }
    pietra_box box = extent->box;
    if (!gradient->user_units && (!extent->some || !(box.x1 > box.x0) || !(box.y1 > box.y0)))
        return SVG_GRADIENT_FALLS_BACK; /* SVG 2, 8.11: a box without area gives no units */
    svg_metrics metrics = svg_walk_metrics(walk, gradient->font_size, instance->width, instance->height);
    if (!place_gradient(walk, gradient, &metrics, box, paint))
        return SVG_GRADIENT_PAINTS_NOTHING;
    set_geometry(gradient, &metrics, paint);
    return SVG_GRADIENT_PAINTS;
}
