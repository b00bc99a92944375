/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "render/sheet/pack.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>

typedef struct packed_box {
    int width, height;
    uint32_t sheet;
} packed_box;

static int compare_boxes(const void *first, const void *second)
{
    const packed_box *a = first, *b = second;
    if (a->height != b->height)
        return a->height < b->height ? 1 : -1;
    if (a->width != b->width)
        return a->width < b->width ? 1 : -1;
    return a->sheet < b->sheet ? -1 : a->sheet > b->sheet;
}

/* Returns the columns of a square with the area of all sheets, but at least those of the widest one. */
static int columns_for(const packed_box *boxes, size_t count)
{
    int widest = 1;
    double area = 0.0;
    for (size_t i = 0; i < count; i++) {
        widest = boxes[i].width > widest ? boxes[i].width : widest;
        area += (double)boxes[i].width * boxes[i].height;
    }
    double side = fmin(ceil(sqrt(area)), ATLAS_COLUMNS_MOST);
    return side > widest ? (int)side : widest;
}

bool sheet_pack(frame_sheet *sheets, size_t count, int *columns, int *rows)
{
    packed_box *boxes = malloc((count + 1) * sizeof *boxes);
    if (!boxes)
        return false;
    for (size_t i = 0; i < count; i++) {
        const tile_box box = sheets[i].box;
        boxes[i] = (packed_box){box.x1 - box.x0, box.y1 - box.y0, (uint32_t)i};
    }
    qsort(boxes, count, sizeof *boxes, compare_boxes);
    *columns = columns_for(boxes, count);
    int x = 0, top = 0, bottom = 0; /* of the shelf that is being filled */
    for (size_t i = 0; i < count; i++) {
        frame_sheet *sheet = &sheets[boxes[i].sheet];
        if (x + boxes[i].width > *columns) {
            x = 0;
            top = bottom;
        }
        sheet->x = x - sheet->box.x0;
        sheet->y = top - sheet->box.y0;
        x += boxes[i].width;
        bottom = top + boxes[i].height > bottom ? top + boxes[i].height : bottom;
    }
    *rows = bottom;
    free(boxes);
    return true;
}
