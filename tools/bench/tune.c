/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "tune.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A candidate is faster if its time is below GAIN times that of the current table, and as good as the fastest if its
 * time is below TIE times that. Runs on a software device vary more, because other programs share its cores. */
#define GAIN 0.98
#define TIE 1.005
#define GAIN_SOFTWARE 0.9
#define TIE_SOFTWARE 1.05
#define CASES_BYTES 160u
#define EVERY_KIND \
    "sort_keys_u32_b32_random,sort_pairs_u32_b32_random,sort_keys_u64_b64_random,sort_pairs_u64_b64_random"
#define EVERY_KIND_LOG2 22u /* log2 of the number of items, at most */

const char *tune_misplaced_entry(void)
{
    static const char *const names[] = {
#define TUNE_NAME(name, least, most) #name,
        PRIMITIVE_TUNING(TUNE_NAME)
#undef TUNE_NAME
    };
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        uint32_t found = 0;
        for (size_t g = 0; g < tune_group_count; g++)
            for (size_t e = 0; e < TUNE_ENTRIES && tune_groups[g].entries[e]; e++)
                found += strcmp(tune_groups[g].entries[e], names[i]) == 0;
        if (found != 1u)
            return names[i];
    }
    return NULL;
}

static void set(primitive_tuning *tuning, const char *entry, uint32_t value)
{
    if (!tuning_set(tuning, entry, value))
        bench_stop("%s=%u: no such entry, or not this value", entry, value);
}

static primitive_tuning with_shape(primitive_tuning tuning, const tune_group *group, const uint32_t *shape)
{
    for (size_t e = 0; e < TUNE_ENTRIES && group->entries[e]; e++)
        set(&tuning, group->entries[e], shape[e]);
    return tuning;
}

static primitive_tuning with_forced(primitive_tuning tuning, const tune_group *group)
{
    for (size_t f = 0; f < TUNE_FORCED && group->forced[f].entry; f++)
        set(&tuning, group->forced[f].entry, group->forced[f].value);
    return tuning;
}

static uint32_t entry_of(const primitive_tuning *tuning, const char *name)
{
#define TUNE_GET(entry, least, most) \
    if (strcmp(name, #entry) == 0) \
        return tuning->entry;
    PRIMITIVE_TUNING(TUNE_GET)
#undef TUNE_GET
    bench_stop("%s: no such entry", name);
}

static void print_entries(const tune_group *group, const primitive_tuning *tuning)
{
    for (size_t e = 0; e < TUNE_ENTRIES && group->entries[e]; e++)
        printf("%s%s=%u", e ? " " : "", group->entries[e], entry_of(tuning, group->entries[e]));
}

static bool is_same(const tune_group *group, const primitive_tuning *a, const primitive_tuning *b)
{
    for (size_t e = 0; e < TUNE_ENTRIES && group->entries[e]; e++)
        if (entry_of(a, group->entries[e]) != entry_of(b, group->entries[e]))
            return false;
    return true;
}

/* Takes the current table, and then each candidate that differs from it and for which the device has room, both with
 * and without the forced entries. The tables without these are kept. */
static uint32_t take_candidates(const bench *b, const tune_group *group, primitive_tuning *kept)
{
    const gpu_limits *limits = gpu_get_limits(b->device);
    uint32_t count = 0;
    kept[count++] = b->tuning;
    for (uint32_t s = 0; s < group->shape_count; s++) {
        primitive_tuning tuning = with_shape(b->tuning, group, group->shapes[s]), measured = with_forced(tuning, group);
        if (is_same(group, &tuning, &b->tuning) || (group->matters && !group->matters(limits, &tuning)))
            continue;
        if (tuning_fits(limits, &tuning) && tuning_fits(limits, &measured))
            kept[count++] = tuning;
    }
    return count;
}

static const uint32_t *sizes_of(const bench *b, const tune_group *group)
{
    return gpu_get_limits(b->device)->hardware ? group->log2s : group->software_log2s;
}

static void name_cases(const bench *b, const tune_group *group, char cases[CASES_BYTES])
{
    bool all = gpu_get_limits(b->device)->hardware;
    snprintf(cases, CASES_BYTES, "%.*s", (int)(all ? strlen(group->cases) : strcspn(group->cases, ",")), group->cases);
}

static void run_cases(bench *b, const tune_group *group, const char *cases)
{
    const uint32_t *log2s = sizes_of(b, group);
    b->only = cases;
    b->all = b->check = true;
    for (size_t i = 0; i < TUNE_SIZES && log2s[i]; i++)
        group->run(b, 1u << log2s[i]);
}

void tune_measure(const bench *b, const tune_group *group, trial *t, primitive_tuning *kept)
{
    char cases[CASES_BYTES];
    name_cases(b, group, cases);
    *t = (trial){.table_count = take_candidates(b, group, kept)};
    for (uint32_t i = 0; i < t->table_count; i++)
        t->tables[i] = with_forced(kept[i], group);
    if (t->table_count < 2u)
        return;
    /* The forced way may need more than the current table allows. */
    t->impossible[0] = !tuning_fits(gpu_get_limits(b->device), &t->tables[0]);
    bench quiet = bench_quietly(b);
    quiet.trial = t;
    run_cases(&quiet, group, cases);
    bench_forget(&quiet);
}

/* Returns whether the table's results equal those of the host's loops, in the group's cases and, if it sorts, for every
 * kind of item. */
static bool is_right(const bench *b, const tune_group *group, const primitive_tuning *tuning)
{
    char cases[CASES_BYTES];
    uint32_t log2 = sizes_of(b, group)[0];
    name_cases(b, group, cases);
    bench quiet = bench_quietly(b);
    quiet.options.tuning = tuning;
    quiet.runs = 1;
    quiet.warm_up = false;
    run_cases(&quiet, group, cases);
    quiet.only = EVERY_KIND;
    if (group->run == bench_sorts)
        bench_sorts(&quiet, 1u << (log2 < EVERY_KIND_LOG2 ? log2 : EVERY_KIND_LOG2));
    bool right = quiet.wrong == 0u;
    bench_forget(&quiet);
    return right;
}

static bool may_win(const trial *t, const bool *dropped, uint32_t table)
{
    return !t->impossible[table] && !dropped[table];
}

/* Returns the first of the tables that are as good as the fastest, so that a crossover lies where it was measured.
 * Table 0 is the current one. It stays unless the other one gains enough. */
static uint32_t best_of(const trial *t, const bool *dropped, bool hardware)
{
    uint32_t best = TRIAL_TABLES;
    for (uint32_t i = 0; i < t->table_count; i++)
        if (may_win(t, dropped, i) && (best == TRIAL_TABLES || trial_time(t, i) < trial_time(t, best)))
            best = i;
    if (best == TRIAL_TABLES)
        return best;
    double gain = hardware ? GAIN : GAIN_SOFTWARE;
    if (may_win(t, dropped, 0u) && trial_time(t, best) >= gain * trial_time(t, 0))
        return 0u;
    double most = trial_time(t, best) * (hardware ? TIE : TIE_SOFTWARE);
    for (uint32_t i = 1; i < best; i++)
        if (may_win(t, dropped, i) && trial_time(t, i) <= most)
            return i;
    return best;
}

static void print_group(const bench *b, const tune_group *group)
{
    const uint32_t *log2s = sizes_of(b, group);
    char cases[CASES_BYTES];
    name_cases(b, group, cases);
    for (size_t e = 0; e < TUNE_ENTRIES && group->entries[e]; e++)
        printf("%s%s", e ? ", " : "", group->entries[e]);
    printf(": %s", cases);
    for (size_t i = 0; i < TUNE_SIZES && log2s[i]; i++)
        printf("%s2^%u", i ? ", " : " of ", log2s[i]);
    putchar('\n');
    fflush(stdout);
}

static void print_times(const trial *t, const tune_group *group, const primitive_tuning *kept)
{
    for (uint32_t i = 0; i < t->table_count; i++) {
        if (t->impossible[i])
            printf("      cannot be made  ");
        else
            printf("  %10.1f us     ", trial_time(t, i));
        print_entries(group, &kept[i]);
        puts(i == 0u ? "  (so far)" : "");
    }
    fflush(stdout);
}

void tune_group_decide(bench *b, const tune_group *group)
{
    primitive_tuning kept[TRIAL_TABLES];
    bool dropped[TRIAL_TABLES] = {false};
    double begin = bench_seconds();
    trial t;
    print_group(b, group);
    tune_measure(b, group, &t, kept);
    report_clear(b);
    if (t.case_count == 0u) {
        puts("  nothing to choose from on this device");
        return;
    }
    print_times(&t, group, kept);
    bool hardware = gpu_get_limits(b->device)->hardware;
    uint32_t best, wrong = 0;
    while ((best = best_of(&t, dropped, hardware)) != TRIAL_TABLES && !is_right(b, group, &t.tables[best])) {
        dropped[best] = true;
        wrong++;
        report_clear(b);
        printf("  dropped, since its results are wrong: ");
        print_entries(group, &kept[best]);
        putchar('\n');
    }
    if (best == TRIAL_TABLES) {
        b->wrong += wrong != 0u;
        puts(wrong ? "  none is right: the entries stay as they are"
                   : "  none can be made: the entries stay as they are");
        return;
    }
    b->tuning = kept[best];
    report_clear(b);
    printf("  kept: ");
    print_entries(group, &b->tuning);
    printf(", after %.1f s\n", bench_seconds() - begin);
    fflush(stdout);
}

static bool is_wanted(const bench *b, const tune_group *group)
{
    bool wanted = bench_is_wanted(b->only, group->cases);
    for (size_t e = 0; e < TUNE_ENTRIES && group->entries[e]; e++)
        wanted = wanted || bench_is_wanted(b->only, group->entries[e]);
    return wanted;
}

static void write_table(const bench *b, const char *text)
{
    const char *path = gpu_get_tuning_path(b->device);
    if (!gpu_write_tuning(b->device, text))
        bench_stop("the table cannot be written: %s", path ? path : "there is no cache directory");
}

/* Checks before all work that the file can be written: writes again what was there, or a table that is removed at
 * once. */
static void check_table_file(const bench *b)
{
    char text[TUNING_TEXT_BYTES];
    char *before = gpu_read_tuning(b->device);
    tuning_print(&b->tuning, text);
    write_table(b, before ? before : text);
    if (!before)
        remove(gpu_get_tuning_path(b->device));
    free(before);
}

void bench_tune(bench *b)
{
    char text[TUNING_TEXT_BYTES];
    uint32_t done = 0;
    double begin = bench_seconds();
    if (tune_misplaced_entry())
        bench_stop("%s: tuned by no group, or by several", tune_misplaced_entry());
    check_table_file(b);
    for (size_t g = 0; g < tune_group_count; g++) {
        if (!is_wanted(b, &tune_groups[g]))
            continue;
        printf("[%zu of %zu] ", g + 1u, tune_group_count);
        tune_group_decide(b, &tune_groups[g]);
        done++;
    }
    if (done == 0u)
        bench_stop("--only %s: no entry of the tuning table, and no case", b->only);
    tuning_print(&b->tuning, text);
    fputs(text, stdout);
    write_table(b, text);
    printf("%u groups in %.0f s, written to %s\n", done, bench_seconds() - begin, gpu_get_tuning_path(b->device));
}
