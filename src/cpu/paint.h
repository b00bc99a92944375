/* Colours of paints that change from pixel to pixel. */
#ifndef PIETRA_CPU_PAINT_H
#define PIETRA_CPU_PAINT_H

#include "cpu/frame.h"

/* The premultiplied colours of `count` pixels from (x, y) of the frame on; where the level is 0 any colour may stand. */
void paint_colors(const cpu_frame *frame, const cpu_element *element, int x, int y, int count, const uint8_t *levels, uint32_t *colors);

#endif
