/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "trial.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define IDLE_SECONDS 0.05 /* idle time after which the device's clock counts as fallen */
#define LEAST_ROUNDS 3u
#define MEASURE_SECONDS 1.0 /* time after which no further round starts */

/* Makes the kernels of a table for a case. NULL: the device has no room for kernels of this shape, or its driver
 * refuses them. */
static void *make(const bench_case *c, const case_kind *kind, const void *user, uint32_t table)
{
    pietra_error error = {0};
    primitive_options options = c->b->options;
    void *made = bench_allocate(kind->user_bytes);
    memcpy(made, user, kind->user_bytes);
    options.tuning = &c->b->trial->tables[table];
    pietra_result result = kind->create(c->b->device, &options, &error, made);
    if (result == PIETRA_OK)
        return made;
    kind->destroy(made);
    free(made);
    if (result != PIETRA_ERROR_INPUT && (result != PIETRA_ERROR_DEVICE || table == 0u))
        bench_must(result, &error);
    return NULL;
}

static void make_all(const bench_case *c, const case_kind *kind, const void *user, void **made)
{
    trial *t = c->b->trial;
    for (uint32_t i = 0; i < t->table_count; i++) {
        made[i] = t->impossible[i] ? NULL : make(c, kind, user, i);
        t->impossible[i] = !made[i];
    }
}

/* Each runs once, because some drivers compile a kernel when it first runs. A software device has no clock to raise. */
static void warm_up(const bench_case *c, const case_kind *kind, void **made)
{
    const trial *t = c->b->trial;
    bool is_cold = gpu_get_limits(c->b->device)->hardware && bench_seconds() > t->busy_until + IDLE_SECONDS;
    for (uint32_t i = 0; i < t->table_count; i++) {
        double ignored;
        if (made[i])
            case_time(c, kind->record, made[i], 1u, &ignored);
    }
    for (uint32_t i = 0; i < t->table_count && is_cold; i++) {
        if (made[i]) {
            case_raise_clock(c, kind->record, made[i]);
            return;
        }
    }
}

/* Takes the least of the rounds' medians. */
static void measure(const bench_case *c, const case_kind *kind, void **made, double *least)
{
    const bench *b = c->b;
    double end = bench_seconds() + MEASURE_SECONDS;
    uint32_t runs = gpu_get_limits(b->device)->hardware ? BENCH_RUNS_A_SUBMISSION : 1u;
    for (uint32_t done = 0; done < b->runs && (done < LEAST_ROUNDS * runs || bench_seconds() < end); done += runs) {
        for (uint32_t i = 0; i < b->trial->table_count; i++) {
            double times[BENCH_RUNS_A_SUBMISSION];
            if (!made[i])
                continue;
            case_time(c, kind->record, made[i], runs, times);
            double median = case_median(times, runs);
            least[i] = done == 0u || median < least[i] ? median : least[i];
        }
    }
}

void trial_run(const bench_case *c, const case_kind *kind, const void *user)
{
    trial *t = c->b->trial;
    void *made[TRIAL_TABLES];
    double least[TRIAL_TABLES];
    make_all(c, kind, user, made);
    warm_up(c, kind, made);
    measure(c, kind, made, least);
    t->busy_until = bench_seconds();
    t->case_count++;
    for (uint32_t i = 0; i < t->table_count; i++) {
        if (!made[i])
            continue;
        t->log_times[i] += log(fmax(least[i], 1e-3));
        kind->destroy(made[i]);
        free(made[i]);
    }
}

double trial_time(const trial *t, uint32_t table)
{
    return exp(t->log_times[table] / t->case_count);
}
