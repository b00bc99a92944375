/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "render/frame/work.h"

#include <math.h>

#include "base/error.h"

static double share_of(const frame_work *work, int kind)
{
    return frame_work_is_bounded(work) ? work->spent[kind] / work->most[kind] : 0;
}

double frame_work_share(const frame_work *work)
{
    double share = 0;
    for (int kind = 0; kind < WORK_KIND_COUNT; kind++)
        share += share_of(work, kind);
    return share;
}

double frame_work_left(const frame_work *work, work_kind kind)
{
    return frame_work_is_bounded(work) ? fmax(1 - frame_work_share(work), 0) * work->most[kind] : INFINITY;
}

pietra_result frame_work_check(const frame_work *work, work_kind kind, double more, pietra_error *error)
{
    static const char *const names[WORK_KIND_COUNT] = {"strokes", "painting", "effects"};
    frame_work all = *work;
    int first = 0;
    all.spent[kind] += more;
    if (frame_work_share(&all) <= 1)
        return PIETRA_OK;
    for (int other = 1; other < WORK_KIND_COUNT; other++)
        first = share_of(&all, other) > share_of(&all, first) ? other : first;
    return error_set(error, PIETRA_ERROR_INPUT, 0,
                     "more than %.0f steps of drawing at this size, most of them of %s (limit \"steps\")",
                     all.most[first] / 1000, names[first]);
}

pietra_result frame_work_spend(frame_work *work, work_kind kind, double more, pietra_error *error)
{
    const pietra_result result = frame_work_check(work, kind, more, error);
    work->spent[kind] += more;
    return result;
}

void frame_work_since(const frame_work *work, const frame_work *before, double *spent)
{
    for (int kind = 0; kind < WORK_KIND_COUNT; kind++)
        spent[kind] = work->spent[kind] - before->spent[kind];
}

pietra_result frame_work_spend_again(frame_work *work, const double *spent, pietra_error *error)
{
    for (int kind = 0; kind < WORK_KIND_COUNT; kind++)
        work->spent[kind] += spent[kind];
    return frame_work_check(work, WORK_EFFECTS, 0, error);
}
