#include "cpu/paint.h"

#include "lib/paint.h"

static uint color_at(const stream_paint *paint, const stream_stop *stops, affine g, int x, int y)
{
    gradient_offset offset = gradient_at(*paint, g.a, g.b, g.c, g.d, g.e, g.f, x, y);
    if (!offset.valid) {
        return 0;
    }
    uint low = 0;
    uint high = paint->stop_count;
    while (high - low > 1) {
        uint middle = (low + high) / 2;
        if (stops[middle].offset <= offset.t) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return gradient_color(stops[low], offset.t, paint->opacity);
}

void paint_colors(const cpu_frame *frame, const cpu_element *element, int x, int y, int count, const uint8_t *levels, uint32_t *colors)
{
    if (element->paint == NONE) {
        for (int i = 0; i < count; i++) {
            colors[i] = element->color;
        }
        return;
    }
    const stream_paint *paint = frame_paint(frame, element->paint);
    const stream_stop *stops = frame_stops(frame) + paint->first_stop;
    for (int i = 0; i < count; i++) {
        colors[i] = levels[i] != 0 ? color_at(paint, stops, element->gradient, x + i, y) : 0;
    }
}
