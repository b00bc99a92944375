#include "pipeline/parts.h"

/* Halving a side of 2,048 tiles twelve times leaves one: that many parts wait in each direction. */
#define WAITING_MAX 32

pietra_result parts_draw(tile_box whole, part_function *draw, void *user, pietra_error *error, uint32_t *count)
{
    tile_box waiting[WAITING_MAX];
    int waiting_count = 0;
    waiting[waiting_count++] = whole;
    *count = 0;
    while (waiting_count > 0) {
        tile_box part = waiting[--waiting_count];
        int columns = part.x1 - part.x0;
        int rows = part.y1 - part.y0;
        pietra_result result = draw(user, part, error);
        if (result == PIETRA_OK) {
            ++*count;
            continue;
        }
        if (result != PIETRA_ERROR_BUDGET || (columns == 1 && rows == 1)) {
            return result;
        }
        tile_box first = part;
        tile_box second = part;
        if (rows >= columns) {
            first.y1 = second.y0 = part.y0 + rows / 2;
        } else {
            first.x1 = second.x0 = part.x0 + columns / 2;
        }
        waiting[waiting_count++] = second;
        waiting[waiting_count++] = first;
    }
    return PIETRA_OK;
}
