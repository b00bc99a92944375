/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "render/frame/parts.h"

#include "base/error.h"

/* The most parts that wait. Each halving leaves one part waiting, and eleven halvings of a side of 2,048 tiles leave
 * one tile, so two sides leave 22. */
#define WAITING_MAX 32

/* What the search for the least sufficient budget may take. */
#define SEARCH_BYTES ((uint64_t)16 << 20)
#define SEARCH_DRAWS 8192u
#define BUDGET_STEP 4096u

typedef struct waiting_part {
    tile_box tiles;
    uint32_t begin; /* the element that comes next in it */
} waiting_part;

/* Raises the budget to the floor, if it is known, or to a sixteenth more than was asked for, because one part asks many
 * times. */
static bool raise_budget(part_budget *budget)
{
    if (budget->bytes < budget->least_bytes && (budget->wanted_bytes != 0 || budget->is_too_slow)) {
        budget->bytes = budget->least_bytes;
        return true;
    }
    if (budget->wanted_bytes <= budget->bytes || budget->wanted_bytes > SEARCH_BYTES)
        return false;
    uint64_t bytes = budget->wanted_bytes + budget->wanted_bytes / 16;
    budget->bytes = (bytes + BUDGET_STEP - 1) / BUDGET_STEP * BUDGET_STEP;
    return true;
}

pietra_result parts_draw(tile_box whole, part_function *draw, void *user, part_budget *budget, pietra_error *error,
                         uint32_t *count)
{
    uint32_t searched = 0;
    waiting_part waiting[WAITING_MAX];
    int waiting_count = 0;
    waiting[waiting_count++] = (waiting_part){whole, 0};
    *count = 0;
    while (waiting_count > 0) {
        tile_box part = waiting[--waiting_count].tiles;
        budget->begin = waiting[waiting_count].begin;
        int columns = part.x1 - part.x0;
        int rows = part.y1 - part.y0;
        searched += part_budget_is_raised(budget);
        budget->is_too_wide = false;
        budget->is_too_slow = false;
        pietra_result result = cancel_check(budget->watch, error);
        if (result == PIETRA_OK)
            result = draw(user, part, error);
        if (result == PIETRA_OK) {
            ++*count;
            continue;
        }
        if (result != PIETRA_ERROR_BUDGET || searched > SEARCH_DRAWS)
            return result;
        if (budget->is_too_slow || (columns == 1 && rows == 1)) {
            uint64_t before = budget->bytes;
            if (!raise_budget(budget))
                return result;
            bool starts_again = before < budget->least_bytes;
            waiting_count = starts_again ? 0 : waiting_count;
            *count = starts_again ? 0 : *count;
            waiting[waiting_count++] = starts_again ? (waiting_part){whole, 0} : (waiting_part){part, budget->begin};
            continue;
        }
        tile_box first = part;
        tile_box second = part;
        if ((rows >= columns || (budget->prefers_rows && rows > 1)) && !(budget->is_too_wide && columns > 1))
            first.y1 = second.y0 = part.y0 + rows / 2;
        else
            first.x1 = second.x0 = part.x0 + columns / 2;
        waiting[waiting_count++] = (waiting_part){second, budget->begin};
        waiting[waiting_count++] = (waiting_part){first, budget->begin};
    }
    return part_budget_is_raised(budget) ? part_budget_error(budget, error) : PIETRA_OK;
}

pietra_result part_budget_error(const part_budget *budget, pietra_error *error)
{
    return error_set(error, PIETRA_ERROR_BUDGET, 0, "the frame needs %llu bytes for its buffers, the budget is %llu",
                     (unsigned long long)budget->bytes, (unsigned long long)budget->asked_bytes);
}

pietra_result parts_dash_error(pietra_error *error)
{
    return error_set(error, PIETRA_ERROR_BUDGET, 0,
                     "strokes have more than %u visible dashes, of which one with wide round caps counts as up to 32",
                     DASH_TASK_LIMIT * DASHES_PER_TASK);
}
