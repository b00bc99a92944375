/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "render/gpu/stage_times.h"

#include <string.h>

void stage_times_add(gpu_recorder *recorder, pietra_stats *stats)
{
    gpu_stage_time times[PIETRA_MAX_STAGES];
    size_t count;
    double total;
    gpu_recorder_times(recorder, PIETRA_MAX_STAGES, times, &count, &total);
    stats->gpu_ms += total;
    for (size_t i = 0; i < count && i < PIETRA_MAX_STAGES; i++) {
        uint32_t at = 0;
        while (at < stats->stage_count && strcmp(stats->stages[at].name, times[i].name) != 0)
            at++;
        if (at == stats->stage_count)
            stats->stages[stats->stage_count++] = (pietra_stage_time){.name = times[i].name};
        stats->stages[at].milliseconds += times[i].milliseconds;
    }
}
