/* Which shapes suit the device at hand: the entries of the tuning table are tried group by group, each with all its candidates while
 * the others stay as they are, and the fastest is kept. A candidate has to beat the table so far by more than measurements differ. */
#include "bench.h"

#include <stdlib.h>
#include <string.h>

#define MAX_ENTRIES 2u
#define MAX_SHAPES 12u
#define GAIN 0.98
#define SOFTWARE_LOG2 14u      /* sizes on a software device, at most */

typedef struct tune_group {
    const char *entries[MAX_ENTRIES];
    const char *cases;           /* whose times are added up */
    void (*run)(bench *b, uint32_t n);
    uint32_t log2;
    uint32_t shapes[MAX_SHAPES][MAX_ENTRIES]; /* up to one that begins with zero */
} tune_group;

/* In this order: what decides a crossover comes after the shapes on both sides of it. */
static const tune_group groups[] = {
    {{"scan_invocations", "scan_rounds"}, "scan_incl_u32", bench_scan, 26,
     {{64, 8}, {128, 4}, {128, 8}, {256, 2}, {256, 4}, {256, 8}, {384, 4}, {512, 2}, {512, 4}, {768, 3}, {1024, 1}, {1024, 2}}},
    {{"scan_ahead"}, "scan_incl_u32", bench_scan, 26, {{192}, {256}, {320}, {384}, {512}}},
    {{"segmented_invocations", "segmented_rounds"}, "segmented_scan_incl_u32", bench_segmented_scan, 26,
     {{128, 8}, {256, 6}, {256, 8}, {256, 12}, {512, 4}, {512, 6}, {512, 8}}},
    {{"compact_invocations"}, "compact_half", bench_lists, 26, {{64}, {128}, {256}, {512}}},
    {{"split_invocations", "split_rounds"}, "split_4", bench_lists, 25,
     {{128, 4}, {128, 8}, {256, 2}, {256, 4}, {256, 8}, {512, 2}, {512, 4}, {512, 6}, {512, 8}, {1024, 8}}},
    {{"stack_invocations"}, "stack_random,stack_stairs", bench_stacks, 20, {{64}, {128}, {256}}},
    {{"sort_large_invocations", "sort_large_items"}, "sort_keys_u32_b32_random,sort_pairs_u32_b32_random", bench_sorts, 23,
     {{256, 8}, {256, 12}, {256, 16}, {256, 20}, {384, 12}, {384, 16}, {384, 20}, {512, 8}, {512, 12}, {512, 16}, {512, 20}}},
    {{"sort_kept_from"}, "sort_keys_u32_b32_random,sort_pairs_u32_b32_random", bench_sorts, 20, {{1}, {1u << 21}}},
    {{"sort_ahead"}, "sort_keys_u32_b32_random,sort_pairs_u32_b32_random", bench_sorts, 23, {{1}, {2}, {4}, {8}, {16}, {32}}},
    {{"sort_ring_slots"}, "sort_pairs_u32_b32_random", bench_sorts, 25, {{256}, {512}, {1024}}},
    {{"sort_table_invocations", "sort_table_few_items"}, "sort_pairs_u32_b20_random", bench_sorts, 16,
     {{256, 4}, {256, 8}, {512, 2}, {512, 4}, {512, 8}}},
    {{"sort_table_items"}, "sort_pairs_u32_b20_random", bench_sorts, 20, {{8}, {16}}},
    {{"sort_table_most"}, "sort_pairs_u32_b20_random", bench_sorts, 20, {{1}, {1u << 20}}},
    {{"sort_small_invocations", "sort_small_items"}, "sort_keys_u32_b32_random,sort_pairs_u32_b32_random", bench_sorts, 16,
     {{256, 4}, {256, 6}, {256, 8}, {512, 2}, {512, 4}, {512, 6}, {1024, 2}, {1024, 4}}},
    {{"sort_block_invocations", "sort_block_items"}, "sort_keys_u32_b32_random,sort_pairs_u32_b32_random", bench_sorts, 12,
     {{256, 8}, {256, 16}, {512, 8}, {1024, 4}}},
    {{"sort_compare_invocations"}, "sort_keys_u32_b32_random,sort_pairs_u32_b32_random", bench_sorts, 12, {{256}, {512}, {1024}}},
    {{"sort_block_items_most"}, "sort_keys_u32_b32_random", bench_sorts, 13, {{8}, {16}, {32}}},
    {{"sort_large_from"}, "sort_keys_u32_b32_random,sort_pairs_u32_b32_random", bench_sorts, 18, {{1u << 16}, {1u << 19}}},
};

/* Microseconds of the group's cases with this table; 0: the kernels cannot be made. */
static double time_of(bench *b, const tune_group *group, const primitive_tuning *tuning)
{
    const gpu_limits *limits = gpu_get_limits(b->device);
    if (!tuning_fits(limits, tuning))
        return 0.0;
    bench quiet = *b;
    quiet.options.tuning = tuning;
    quiet.only = group->cases;
    quiet.silent = true;
    quiet.check = quiet.all = false;
    quiet.rows = NULL;
    quiet.row_count = quiet.row_capacity = 0;
    uint32_t log2 = limits->hardware || group->log2 < SOFTWARE_LOG2 ? group->log2 : SOFTWARE_LOG2;
    group->run(&quiet, 1u << log2);
    double sum = 0.0;
    for (size_t i = 0; i < quiet.row_count; i++)
        sum += quiet.rows[i].median;
    memcpy(b->slots, quiet.slots, sizeof b->slots);
    free(quiet.rows);
    return sum;
}

static void print_shape(const tune_group *group, const uint32_t *shape)
{
    for (size_t e = 0; e < MAX_ENTRIES && group->entries[e]; e++)
        printf("%s%s=%u", e ? " " : "", group->entries[e], shape[e]);
}

static void tune_group_of(bench *b, const tune_group *group)
{
    double best = time_of(b, group, &b->tuning);
    printf("%s: %.1f us with the table so far\n", group->cases, best);
    primitive_tuning kept = b->tuning;
    for (size_t s = 0; s < MAX_SHAPES && group->shapes[s][0]; s++) {
        primitive_tuning tried = b->tuning;
        bool set = true;
        for (size_t e = 0; e < MAX_ENTRIES && group->entries[e]; e++)
            set = set && tuning_set(&tried, group->entries[e], group->shapes[s][e]);
        double time = set ? time_of(b, group, &tried) : 0.0;
        if (time == 0.0)
            continue;
        bool better = time < GAIN * best;
        printf("  %10.1f us  ", time);
        print_shape(group, group->shapes[s]);
        puts(better ? "  *" : "");
        fflush(stdout);
        if (better) {
            best = time;
            kept = tried;
        }
    }
    b->tuning = kept;
}

void bench_tune(bench *b)
{
    char text[TUNING_TEXT_BYTES];
    for (size_t g = 0; g < sizeof groups / sizeof groups[0]; g++)
        tune_group_of(b, &groups[g]);
    tuning_print(&b->tuning, text);
    fputs(text, stdout);
    if (!gpu_write_notes(b->device, text))
        bench_stop("the table cannot be written: %s", gpu_get_notes_path(b->device) ? gpu_get_notes_path(b->device) : "there is no cache directory");
    printf("written to %s\n", gpu_get_notes_path(b->device));
}
