/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "render/gpu/effect_dispatches.h"

#include <stdlib.h>

#define TEXEL_BYTES (4 * sizeof(uint16_t))
#define PIXEL_BYTES sizeof(uint32_t)

static int compare_jobs(const void *first, const void *second)
{
    const work_job *a = first, *b = second;
    if (a->step != b->step)
        return a->step < b->step ? -1 : 1;
    if (a->stem != b->stem)
        return a->stem < b->stem ? -1 : 1;
    if (a->operation != b->operation)
        return a->operation < b->operation ? -1 : 1;
    return a->number < b->number ? -1 : a->number > b->number;
}

/* Returns the bytes of an image, of which the first lies at `start` + `texel_bytes` * first. */
static byte_range range_of(const work_image *image, uint64_t start, uint64_t texel_bytes)
{
    const effect_box box = image->box;
    if (effect_box_is_empty(box))
        return (byte_range){0, 0};
    const uint64_t row = (uint64_t)(box.right - box.left) * (image->has_sums ? 2 : 1);
    const uint64_t rows = (uint64_t)(box.bottom - box.top), from = start + texel_bytes * image->first;
    return (byte_range){from, from + texel_bytes * ((rows - 1) * image->stride + row)};
}

static void find_ranges(const work_job *job, uint64_t colors, byte_range *ranges)
{
    const bool is_point = job->stem == EFFECT_STEM_POINT;
    const bool loads = is_point && job->operation == EFFECT_JOB_LOAD;
    const bool stores = is_point && job->operation == EFFECT_JOB_STORE;
    const byte_range nothing = {0, 0};
    ranges[ROLE_INPUT1] = loads ? nothing : range_of(&job->input1, 0, TEXEL_BYTES);
    ranges[ROLE_INPUT2] = range_of(&job->input2, 0, TEXEL_BYTES);
    ranges[ROLE_RESULT] = stores ? nothing : range_of(&job->result, 0, TEXEL_BYTES);
    ranges[ROLE_COLORS] = stores ? range_of(&job->result, colors, PIXEL_BYTES) : nothing;
}

static byte_range joined(byte_range a, byte_range b)
{
    if (a.from == a.end || b.from == b.end)
        return a.from == a.end ? b : a;
    return (byte_range){a.from < b.from ? a.from : b.from, a.end > b.end ? a.end : b.end};
}

static byte_range aligned(byte_range range)
{
    return (byte_range){range.from / EFFECT_ALIGNMENT * EFFECT_ALIGNMENT, range.end};
}

/* Adds a job to a dispatch, if a kernel still sees all of its images. */
static bool join(effect_dispatch *dispatch, const work_job *job, uint64_t colors, uint64_t most)
{
    byte_range ranges[ROLE_COUNT];
    if (dispatch->stem != job->stem || dispatch->operation != job->operation || dispatch->step != job->step)
        return false;
    find_ranges(job, colors, ranges);
    for (int i = 0; i < ROLE_COUNT; i++) {
        ranges[i] = aligned(joined(dispatch->ranges[i], ranges[i]));
        if (ranges[i].end - ranges[i].from > most && dispatch->job_count > 0)
            return false;
    }
    for (int i = 0; i < ROLE_COUNT; i++)
        dispatch->ranges[i] = ranges[i];
    dispatch->job_count++;
    dispatch->group_count += job->groups;
    dispatch->texels_read += job->texels_read;
    return true;
}

static effect_view view_of(const work_image *image, uint64_t begin, uint64_t texel_bytes, byte_range bound)
{
    if (effect_box_is_empty(image->box))
        return (effect_view){.box = {0, 0, 0, 0}};
    return (effect_view){image->box, (uint32_t)((begin + texel_bytes * image->first - bound.from) / texel_bytes),
                         image->stride};
}

static void set_job(work_job *job, const effect_dispatch *dispatch, uint64_t colors, uint32_t first_group)
{
    const byte_range *ranges = dispatch->ranges;
    const bool is_point = job->stem == EFFECT_STEM_POINT;
    job->job.first_group = first_group;
    job->job.input2 = view_of(&job->input2, 0, TEXEL_BYTES, ranges[ROLE_INPUT2]);
    if (is_point && job->operation == EFFECT_JOB_LOAD)
        job->job.input1 = view_of(&job->input1, 0, PIXEL_BYTES, (byte_range){0, 0});
    else
        job->job.input1 = view_of(&job->input1, 0, TEXEL_BYTES, ranges[ROLE_INPUT1]);
    if (is_point && job->operation == EFFECT_JOB_STORE)
        job->job.result = view_of(&job->result, colors, PIXEL_BYTES, ranges[ROLE_COLORS]);
    else
        job->job.result = view_of(&job->result, 0, TEXEL_BYTES, ranges[ROLE_RESULT]);
}

static void set_jobs(effect_jobs *jobs, const effect_dispatch *dispatch, uint64_t colors)
{
    uint32_t groups = 0;
    for (uint32_t i = 0; i < dispatch->job_count; i++) {
        work_job *job = &jobs->jobs.items[dispatch->first_job + i];
        set_job(job, dispatch, colors, groups);
        groups += job->groups;
    }
}

bool effect_dispatches_make(effect_jobs *jobs, uint64_t colors, uint64_t most, effect_dispatches *dispatches)
{
    dispatches->dispatches.count = 0;
    if (jobs->jobs.count > 0)
        qsort(jobs->jobs.items, jobs->jobs.count, sizeof *jobs->jobs.items, compare_jobs);
    for (uint32_t i = 0; i < jobs->jobs.count; i++) {
        const work_job *job = &jobs->jobs.items[i];
        if (dispatches->dispatches.count > 0 && join(array_last(&dispatches->dispatches), job, colors, most))
            continue;
        effect_dispatch *dispatch = array_push(&dispatches->dispatches);
        if (!dispatch)
            return false;
        *dispatch =
            (effect_dispatch){.stem = job->stem, .operation = job->operation, .step = job->step, .first_job = i};
        (void)join(dispatch, job, colors, most);
    }
    for (size_t i = 0; i < dispatches->dispatches.count; i++)
        set_jobs(jobs, &dispatches->dispatches.items[i], colors);
    return true;
}
