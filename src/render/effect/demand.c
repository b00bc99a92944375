/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "render/effect/demand.h"

#include <math.h>

/* A range of texels along one axis, wide enough for all sums below. */
typedef struct range {
    int64_t from, end;
} range;

static int saturated(int64_t x)
{
    return (int)(x < -EFFECT_COORDINATE_MOST  ? -EFFECT_COORDINATE_MOST
                 : x > EFFECT_COORDINATE_MOST ? EFFECT_COORDINATE_MOST
                                              : x);
}

static range columns_of(effect_box box)
{
    return (range){box.left, box.right};
}

static range rows_of(effect_box box)
{
    return (range){box.top, box.bottom};
}

static effect_box box_of(range x, range y)
{
    return (effect_box){saturated(x.from), saturated(y.from), saturated(x.end), saturated(y.end)};
}

bool effect_box_is_empty(effect_box box)
{
    return box.right <= box.left || box.bottom <= box.top;
}

effect_box effect_box_meet(effect_box a, effect_box b)
{
    return (effect_box){a.left > b.left ? a.left : b.left, a.top > b.top ? a.top : b.top,
                        a.right < b.right ? a.right : b.right, a.bottom < b.bottom ? a.bottom : b.bottom};
}

effect_box effect_box_join(effect_box a, effect_box b)
{
    if (effect_box_is_empty(a) || effect_box_is_empty(b))
        return effect_box_is_empty(a) ? b : a;
    return (effect_box){a.left < b.left ? a.left : b.left, a.top < b.top ? a.top : b.top,
                        a.right > b.right ? a.right : b.right, a.bottom > b.bottom ? a.bottom : b.bottom};
}

effect_box effect_box_grow(effect_box box, int64_t x, int64_t y)
{
    return box_of((range){box.left - x, box.right + x}, (range){box.top - y, box.bottom + y});
}

static effect_box grow_unless_empty(effect_box box, int64_t x, int64_t y)
{
    return effect_box_is_empty(box) ? box : effect_box_grow(box, x, y);
}

/* Returns what of a range an edge mode reads for a demand, which may lie beside it. */
static range in_range(range demand, range whole, uint32_t edge)
{
    if (edge == EFFECT_EDGE_WRAP)
        return whole;
    int64_t from = demand.from < whole.from ? whole.from : demand.from >= whole.end ? whole.end - 1 : demand.from;
    int64_t end = demand.end > whole.end ? whole.end : demand.end <= whole.from ? whole.from + 1 : demand.end;
    return (range){from, end};
}

static effect_box in_region(effect_box demand, effect_box region, uint32_t edge)
{
    if (edge == EFFECT_EDGE_NONE)
        return demand;
    return box_of(in_range(columns_of(demand), columns_of(region), edge),
                  in_range(rows_of(demand), rows_of(region), edge));
}

/* Returns what a band reads for a range of its results. */
static range demand_along(effect_band band, range out)
{
    return (range){(out.from * band.multiply + band.add) >> band.shift,
                   (((out.end - 1) * band.multiply + band.add) >> band.shift) + band.taps};
}

/* Returns the results that depend on a range of what a band reads: those of which the first texel read lies before its
 * end, and the last not before its start. */
static range reach_along(effect_band band, range in)
{
    int64_t from = (in.from - band.taps + 1) * (1 << band.shift) - band.add;
    int64_t end = in.end * (1 << band.shift) - band.add;
    return (range){(from + band.multiply - 1) >> (band.multiply - 1), (end + band.multiply - 1) >> (band.multiply - 1)};
}

/* Applies a function of ranges to the axis of a band. */
static effect_box along_band(range (*function)(effect_band band, range), effect_band band, effect_box box)
{
    if (effect_box_is_empty(box))
        return box;
    range x = columns_of(box), y = rows_of(box);
    return band.vertical ? box_of(x, function(band, y)) : box_of(function(band, x), y);
}

effect_box effect_demand_of_blur(const effect_blur *blur, effect_box region, effect_box out)
{
    effect_bands bands;

    if (effect_box_is_empty(out))
        return out;
    effect_bands_of(blur, &bands);
    for (uint32_t i = bands.count; i-- > 0;)
        out = along_band(demand_along, bands.bands[i], out);
    return in_region(out, region, blur->edge);
}

effect_box effect_reach_of_blur(const effect_blur *blur, effect_box in)
{
    effect_bands bands;

    effect_bands_of(blur, &bands);
    for (uint32_t i = 0; i < bands.count; i++)
        in = along_band(reach_along, bands.bands[i], in);
    return in;
}

void effect_band_boxes(const effect_bands *bands, uint32_t edge, effect_box in, effect_box out, effect_box *boxes)
{
    for (uint32_t i = bands->count; i-- > 0; out = along_band(demand_along, bands->bands[i], out))
        boxes[i] = out;
    for (uint32_t i = 0; i + 1 < bands->count; i++) {
        in = along_band(reach_along, bands->bands[i], in);
        if (edge == EFFECT_EDGE_NONE)
            boxes[i] = in = effect_box_meet(boxes[i], in);
        else
            boxes[i] = in_region(boxes[i], effect_box_grow(in, 1, 1), edge);
    }
}

effect_box effect_demand_of_offset(effect_offset offset, effect_box out)
{
    if (effect_box_is_empty(out))
        return out;
    return box_of((range){(int64_t)out.left - offset.x - (offset.fraction_x != 0), (int64_t)out.right - offset.x},
                  (range){(int64_t)out.top - offset.y - (offset.fraction_y != 0), (int64_t)out.bottom - offset.y});
}

effect_box effect_demand_of_extreme(const effect_extreme *extreme, effect_box out)
{
    return grow_unless_empty(out, extreme->radius_x, extreme->radius_y);
}

effect_box effect_demand_of_convolution(const effect_convolution *convolution, effect_box region, effect_box out)
{
    if (effect_box_is_empty(out))
        return out;
    range x = {(int64_t)out.left - convolution->left,
               (int64_t)out.right - convolution->left + convolution->columns - 1};
    range y = {(int64_t)out.top - convolution->top, (int64_t)out.bottom - convolution->top + convolution->rows - 1};
    return in_region(box_of(x, y), region, convolution->edge);
}

effect_box effect_demand_of_displacement(const effect_displacement *displacement, effect_box out)
{
    return grow_unless_empty(out, (int64_t)(0.5f * fabsf(displacement->scale_x)) + 1,
                             (int64_t)(0.5f * fabsf(displacement->scale_y)) + 1);
}

effect_box effect_demand_of_light(effect_box region, effect_box out)
{
    effect_box lit = effect_box_meet(region, out);
    return effect_box_meet(region, grow_unless_empty(lit, 1, 1));
}

effect_box effect_reach_of_offset(effect_offset offset, effect_box in)
{
    if (effect_box_is_empty(in))
        return in;
    return box_of((range){(int64_t)in.left + offset.x, (int64_t)in.right + offset.x + (offset.fraction_x != 0)},
                  (range){(int64_t)in.top + offset.y, (int64_t)in.bottom + offset.y + (offset.fraction_y != 0)});
}

effect_box effect_reach_of_extreme(const effect_extreme *extreme, effect_box in)
{
    return extreme->dilates != 0 ? grow_unless_empty(in, extreme->radius_x, extreme->radius_y) : in;
}
