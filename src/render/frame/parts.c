#include "render/frame/parts.h"

#include "base/error.h"

#include <stdbool.h>

/* Halving a side of 2,048 tiles twelve times leaves one tile, so that many parts wait in each direction. */
#define WAITING_MAX 32

/* What the search for the floor may take. */
#define SEARCH_BYTES ((uint64_t)16 << 20)
#define SEARCH_DRAWS 8192u
#define BUDGET_STEP 4096u

/* Grants a sixteenth more than was asked for, since a part asks many times. */
static bool raise_budget(part_budget *budget)
{
    if (!budget || budget->wanted_bytes <= budget->bytes || budget->wanted_bytes > SEARCH_BYTES)
        return false;
    uint64_t bytes = budget->wanted_bytes + budget->wanted_bytes / 16;
    budget->bytes = (bytes + BUDGET_STEP - 1) / BUDGET_STEP * BUDGET_STEP;
    return true;
}

pietra_result parts_draw(tile_box whole, part_function *draw, void *user, part_budget *budget, pietra_error *error,
                         uint32_t *count)
{
    uint64_t asked = budget ? budget->bytes : 0;
    uint32_t searched = 0;
    tile_box waiting[WAITING_MAX];
    int waiting_count = 0;
    waiting[waiting_count++] = whole;
    *count = 0;
    while (waiting_count > 0) {
        tile_box part = waiting[--waiting_count];
        int columns = part.x1 - part.x0;
        int rows = part.y1 - part.y0;
        searched += budget && budget->bytes != asked;
        pietra_result result = draw(user, part, error);
        if (result == PIETRA_OK) {
            ++*count;
            continue;
        }
        if (result != PIETRA_ERROR_BUDGET || searched > SEARCH_DRAWS)
            return result;
        if (columns == 1 && rows == 1) {
            if (!raise_budget(budget))
                return result;
            waiting[waiting_count++] = part;
            continue;
        }
        tile_box first = part;
        tile_box second = part;
        if (rows >= columns)
            first.y1 = second.y0 = part.y0 + rows / 2;
        else
            first.x1 = second.x0 = part.x0 + columns / 2;
        waiting[waiting_count++] = second;
        waiting[waiting_count++] = first;
    }
    if (budget && budget->bytes != asked) {
        return error_set(error, PIETRA_ERROR_BUDGET, 0,
                         "the frame needs %llu bytes for its buffers, the budget is %llu",
                         (unsigned long long)budget->bytes, (unsigned long long)asked);
    }
    return PIETRA_OK;
}
