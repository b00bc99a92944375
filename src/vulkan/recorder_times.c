/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include <assert.h>
#include <string.h>

#include "vulkan/recorder_state.h"

void recorder_timestamp(gpu_recorder *recorder, VkPipelineStageFlagBits stage, uint32_t query)
{
    if (recorder->queries)
        recorder->vk->CmdWriteTimestamp(recorder->commands, stage, recorder->queries, query);
}

void gpu_mark(gpu_recorder *recorder, const char *name)
{
    assert(recorder->state == RECORDER_OPEN && recorder->mark_count < GPU_MAX_MARKS);
    if (recorder->skips_marks)
        return;
    recorder->marks[recorder->mark_count++] = name;
    recorder_timestamp(recorder, VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT, recorder->mark_count);
}

void gpu_recorder_skip_marks(gpu_recorder *recorder, bool skips)
{
    recorder->skips_marks = skips && !recorder->device->trace.function;
}

static double recorder_milliseconds(const gpu_recorder *recorder, uint64_t from, uint64_t to)
{
    uint32_t bits = recorder->device->timestamp_bits;
    uint64_t mask = bits >= 64 ? UINT64_MAX : (UINT64_C(1) << bits) - 1;
    return (double)((to - from) & mask) * (double)recorder->device->limits.timestamp_period_ns * 1e-6;
}

/* Returns the place of the stage with this name. Marks of the same name add to one stage. */
static size_t recorder_stage(const gpu_recorder *recorder, uint32_t mark, size_t count, uint32_t *firsts)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(recorder->marks[firsts[i]], recorder->marks[mark]) == 0)
            return i;
    firsts[count] = mark;
    return count;
}

/* Reports each stage. The last timestamp is when the host saw the end. */
static void recorder_trace(const gpu_recorder *recorder)
{
    const trace *trace = &recorder->device->trace;
    const uint64_t last = recorder->ticks[recorder->mark_count + 1];
    for (uint32_t i = 0; trace->function && i < recorder->mark_count; i++) {
        const pietra_span span = {
            .name = recorder->marks[i],
            .on_gpu = true,
            .begin_ms = recorder->waited_ms - recorder_milliseconds(recorder, recorder->ticks[i], last),
            .end_ms = recorder->waited_ms - recorder_milliseconds(recorder, recorder->ticks[i + 1], last),
        };
        trace->function(trace->user, &span);
    }
}

void gpu_recorder_times(gpu_recorder *recorder, size_t capacity, gpu_stage_time *stages, size_t *count,
                        double *total_ms)
{
    uint32_t firsts[GPU_MAX_MARKS];
    uint32_t queries = recorder->mark_count + 2;
    *count = 0;
    *total_ms = 0.0;
    assert(recorder->state == RECORDER_DONE);
    if (!recorder->queries || recorder->vk->GetQueryPoolResults(
                                  recorder->device->handle, recorder->queries, 0, queries, queries * sizeof(uint64_t),
                                  recorder->ticks, sizeof(uint64_t), VK_QUERY_RESULT_64_BIT) != VK_SUCCESS) {
        return;
    }
    *total_ms = recorder_milliseconds(recorder, recorder->ticks[0], recorder->ticks[queries - 1]);
    recorder_trace(recorder);
    for (uint32_t i = 0; i < recorder->mark_count; i++) {
        size_t stage = recorder_stage(recorder, i, *count, firsts);
        bool added = stage == *count;
        *count += added;
        if (stage < capacity) {
            double before = added ? 0.0 : stages[stage].milliseconds;
            stages[stage] = (gpu_stage_time){
                .name = recorder->marks[i],
                .milliseconds = before + recorder_milliseconds(recorder, recorder->ticks[i], recorder->ticks[i + 1]),
            };
        }
    }
}
