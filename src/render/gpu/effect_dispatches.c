/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "render/gpu/effect_dispatches.h"

#define TEXEL_BYTES (4 * sizeof(uint16_t))
#define PIXEL_BYTES sizeof(uint32_t)

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

static bool reads_pixels(const work_job *job)
{
    return job->stem == EFFECT_STEM_POINT
               ? job->operation == EFFECT_JOB_LOAD || job->operation == EFFECT_JOB_CARRY
               : job->stem == EFFECT_STEM_BAND && effect_band_job_reads_pixels(job->operation);
}

static bool writes_pixels(const work_job *job)
{
    return job->stem == EFFECT_STEM_POINT
               ? job->operation == EFFECT_JOB_STORE || job->operation == EFFECT_JOB_CARRY
               : job->stem == EFFECT_STEM_BAND && effect_band_job_writes_pixels(job->operation);
}

static void find_ranges(const work_job *job, uint64_t colors, byte_range *ranges)
{
    const bool loads = reads_pixels(job), stores = writes_pixels(job);
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
    job->job.first_group = first_group;
    job->job.input2 = view_of(&job->input2, 0, TEXEL_BYTES, ranges[ROLE_INPUT2]);
    if (reads_pixels(job))
        job->job.input1 = view_of(&job->input1, 0, PIXEL_BYTES, (byte_range){0, 0});
    else
        job->job.input1 = view_of(&job->input1, 0, TEXEL_BYTES, ranges[ROLE_INPUT1]);
    if (writes_pixels(job))
        job->job.result = view_of(&job->result, colors, PIXEL_BYTES, ranges[ROLE_COLORS]);
    else
        job->job.result = view_of(&job->result, 0, TEXEL_BYTES, ranges[ROLE_RESULT]);
}

static void set_jobs(effect_dispatches *dispatches, const effect_dispatch *dispatch, uint64_t colors)
{
    uint32_t groups = 0;
    for (uint32_t i = 0; i < dispatch->job_count; i++) {
        work_job *job = &dispatches->jobs.items[dispatch->first_job + i];
        set_job(job, dispatch, colors, groups);
        groups += job->groups;
    }
}

/* ---- The order of jobs ---- */

static bool find_effects(const effect_jobs *jobs, effect_dispatches *dispatches)
{
    for (uint32_t i = 0; i < jobs->jobs.count; i++) {
        if (jobs->jobs.items[i].step > 0) {
            array_last(&dispatches->waiting)->end++;
            continue;
        }
        waiting_effect *effect = array_push(&dispatches->waiting);
        if (!effect)
            return false;
        *effect = (waiting_effect){i, i + 1};
    }
    return true;
}

static uint32_t program_of(const work_job *job)
{
    return (uint32_t)job->stem * EFFECT_OPERATIONS_MOST + job->operation;
}

/* Returns the program for which most effects wait, of several the one that has the most jobs before it. */
static uint32_t next_program(const effect_jobs *jobs, const effect_dispatches *dispatches)
{
    uint32_t effects[EFFECT_STEM_COUNT * EFFECT_OPERATIONS_MOST] = {0}, best = 0;
    uint32_t longest[EFFECT_STEM_COUNT * EFFECT_OPERATIONS_MOST] = {0};
    for (size_t i = 0; i < dispatches->waiting.count; i++) {
        const waiting_effect *effect = &dispatches->waiting.items[i];
        const uint32_t program = program_of(&jobs->jobs.items[effect->next]), left = effect->end - effect->next;
        effects[program]++;
        longest[program] = left > longest[program] ? left : longest[program];
    }
    for (uint32_t i = 1; i < EFFECT_STEM_COUNT * EFFECT_OPERATIONS_MOST; i++)
        if (effects[i] > effects[best] || (effects[i] == effects[best] && longest[i] > longest[best]))
            best = i;
    return best;
}

/* Puts a job into the last dispatch, or into a new one. */
static bool put_job(const work_job *job, bool is_first, uint64_t colors, uint64_t most, effect_dispatches *dispatches)
{
    work_job *put = array_push(&dispatches->jobs);
    if (!put)
        return false;
    *put = *job;
    if (!is_first && join(array_last(&dispatches->dispatches), job, colors, most))
        return true;
    effect_dispatch *dispatch = array_push(&dispatches->dispatches);
    if (!dispatch)
        return false;
    *dispatch = (effect_dispatch){
        .stem = job->stem, .operation = job->operation, .first_job = (uint32_t)(dispatches->jobs.count - 1)};
    return join(dispatch, job, colors, most);
}

/* Puts the next job of each effect that waits for a program. Effects without more jobs wait no more. */
static bool put_jobs(const effect_jobs *jobs, uint32_t program, uint64_t colors, uint64_t most,
                     effect_dispatches *dispatches)
{
    bool is_first = true;
    size_t kept = 0;
    for (size_t i = 0; i < dispatches->waiting.count; i++) {
        waiting_effect effect = dispatches->waiting.items[i];
        const work_job *job = &jobs->jobs.items[effect.next];
        if (program_of(job) == program) {
            if (!put_job(job, is_first, colors, most, dispatches))
                return false;
            is_first = false;
            effect.next++;
        }
        if (effect.next < effect.end)
            dispatches->waiting.items[kept++] = effect;
    }
    dispatches->waiting.count = kept;
    return true;
}

bool effect_dispatches_make(const effect_jobs *jobs, uint64_t colors, uint64_t most, effect_dispatches *dispatches)
{
    dispatches->dispatches.count = dispatches->jobs.count = dispatches->waiting.count = 0;
    if (!find_effects(jobs, dispatches))
        return false;
    while (dispatches->waiting.count > 0)
        if (!put_jobs(jobs, next_program(jobs, dispatches), colors, most, dispatches))
            return false;
    for (size_t i = 0; i < dispatches->dispatches.count; i++)
        set_jobs(dispatches, &dispatches->dispatches.items[i], colors);
    return true;
}

void effect_dispatches_free(effect_dispatches *dispatches)
{
    array_free(&dispatches->dispatches);
    array_free(&dispatches->jobs);
    array_free(&dispatches->waiting);
}
