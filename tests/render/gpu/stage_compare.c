#include "render/gpu/stage_compare.h"

#include "layout/primitive.h"
#include "render/frame/config.h"
#include "render/reference/reference.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct comparison {
    gpu_renderer *renderer;
    const char *name;
    bool same;
} comparison;

static void *read_buffer(comparison *c, frame_buffer buffer, uint64_t offset, uint64_t bytes)
{
    void *copy = malloc(bytes + 1);
    pietra_error error;
    if (copy == NULL || gpu_renderer_read(c->renderer, buffer, offset, bytes, &error, copy) != PIETRA_OK) {
        fprintf(stderr, "%s: %s cannot be read\n", c->name, frame_buffer_name(buffer));
        abort();
    }
    return copy;
}

static void print_words(const char *who, const uint32_t *words, size_t count)
{
    fprintf(stderr, "  %s:", who);
    for (size_t i = 0; i < count && i < 32; i++) {
        fprintf(stderr, " %08x", words[i]);
    }
    fprintf(stderr, "\n");
}

/* The first `compared` bytes of each of `count` items, from `offset` bytes on. */
static void compare_items(comparison *c, frame_buffer buffer, uint64_t offset, const void *expected, size_t item_bytes, size_t compared,
                          uint64_t count)
{
    if (!c->same || count == 0) {
        return;
    }
    unsigned char *found = read_buffer(c, buffer, offset, item_bytes * count);
    for (uint64_t i = 0; i < count; i++) {
        const unsigned char *here = found + i * item_bytes;
        const unsigned char *there = (const unsigned char *)expected + i * item_bytes;
        if (memcmp(here, there, compared) != 0) {
            fprintf(stderr, "%s: %s differs at item %llu of %llu\n", c->name, frame_buffer_name(buffer), (unsigned long long)i,
                    (unsigned long long)count);
            print_words("reference", (const uint32_t *)(const void *)there, item_bytes / 4);
            print_words("GPU ", (const uint32_t *)(const void *)here, item_bytes / 4);
            c->same = false;
            break;
        }
    }
    free(found);
}

static void compare_count(comparison *c, const char *what, uint32_t expected, uint32_t found)
{
    if (c->same && expected != found) {
        fprintf(stderr, "%s: %s is %u, the reference counts %u\n", c->name, what, found, expected);
        c->same = false;
    }
}

static void compare_counters(comparison *c, const frame_counters *reference, frame_counters *found)
{
    frame_counters *counters = read_buffer(c, BUFFER_COUNTERS, 0, sizeof *counters);
    *found = *counters;
    free(counters);
    compare_count(c, "overflow", 0, found->overflow);
    compare_count(c, "visible_count", reference->visible_count, found->visible_count);
    compare_count(c, "row_count", reference->row_count, found->row_count);
    compare_count(c, "item_count", reference->item_count, found->item_count);
    compare_count(c, "measure_count", reference->measure_count, found->measure_count);
    compare_count(c, "dash_item_count", reference->dash_item_count, found->dash_item_count);
}

static void compare_sorted(comparison *c, frame_buffer sort, frame_buffer keys, frame_buffer values, uint32_t capacity, const uint *reference_keys,
                           const uint *reference_values, uint32_t count)
{
    if (!c->same || count == 0) {
        return;
    }
    sort_plan *plan = read_buffer(c, sort, 0, sizeof *plan);
    uint64_t half = (uint64_t)plan->result_half * capacity * 4;
    free(plan);
    compare_items(c, keys, half, reference_keys, 4, 4, count);
    compare_items(c, values, half, reference_values, 4, 4, count);
}

static void compare_lists(comparison *c, const reference_frame *reference)
{
    uint64_t first = 0;
    for (uint class = 0; class < 4; class++) {
        uint64_t offset = (uint64_t)class * reference->config.tile_count * 4;
        compare_items(c, BUFFER_TILE_LISTS, offset, reference->tile_lists + first, 4, 4, reference->counters.class_count[class]);
        first += reference->counters.class_count[class];
    }
}

static void compare_buffers(comparison *c, const reference_frame *reference)
{
    const stream_header *header = reference_header(reference);
    const frame_capacity *capacity = gpu_renderer_capacity(c->renderer);
    const frame_counters *expected = &reference->counters;
    compare_items(c, BUFFER_SEGMENTS, 0, reference->segments, sizeof(segment_info), sizeof(segment_info), header->segment_count);
    compare_items(c, BUFFER_ELEMENTS, 0, reference->elements, sizeof(element_info), sizeof(element_info), header->element_count);
    compare_items(c, BUFFER_BRACKETS, 0, reference->brackets, sizeof(bracket), sizeof(bracket), header->bracket_count);
    compare_items(c, BUFFER_BRACKET_INFOS, 0, reference->bracket_infos, sizeof(bracket_info), sizeof(bracket_info), header->bracket_count);
    compare_items(c, BUFFER_BIN_COVERS, 0, reference->bin_covers, 4, 4, capacity->bins);
    frame_counters found;
    compare_counters(c, expected, &found);
    compare_items(c, BUFFER_VISIBLE, 0, reference->visible, sizeof(visible_element), sizeof(visible_element), expected->visible_count);
    compare_items(c, BUFFER_MEASURES, 0, reference->measures, sizeof(measure), sizeof(measure), expected->measure_count);
    compare_count(c, "line_count", expected->line_count, found.line_count);
    compare_items(c, BUFFER_EDGES, 0, reference->edges, sizeof(edge), sizeof(edge), expected->line_count);
    compare_count(c, "record_count", expected->record_count, found.record_count);
    compare_items(c, BUFFER_LINES, 0, reference->lines, sizeof(line), sizeof(line), expected->line_count);
    compare_sorted(c, BUFFER_RECORD_SORT, BUFFER_RECORD_KEYS, BUFFER_RECORD_VALUES, capacity->records,
                   reference->sorted_keys, reference->sorted_values, expected->record_count);
    compare_count(c, "run_count", expected->run_count, found.run_count);
    compare_count(c, "heavy_count", expected->heavy_count, found.heavy_count);
    compare_items(c, BUFFER_RUNS, 0, reference->runs, sizeof(run), sizeof(run), expected->run_count);
    compare_items(c, BUFFER_TILE_COVERS, 0, reference->tile_covers, 4, 4, capacity->tiles);
    compare_count(c, "entry_count", expected->entry_count, found.entry_count);
    compare_sorted(c, BUFFER_ENTRY_SORT, BUFFER_ENTRY_KEYS, BUFFER_ENTRY_VALUES, capacity->entries, reference->tile_keys, reference->tile_entries,
                   expected->entry_count);
    for (int class = 0; class < 4; class++) {
        compare_count(c, "class_count", expected->class_count[class], found.class_count[class]);
    }
    compare_count(c, "spill_count", expected->spill_count, found.spill_count);
    compare_count(c, "fine_work", expected->fine_work, found.fine_work);
    compare_items(c, BUFFER_TILES, 0, reference->tiles, sizeof(tile), sizeof(tile), capacity->tiles);
    compare_lists(c, reference);
    compare_items(c, BUFFER_MASKS, 0, reference->masks, TILE_PIXELS, TILE_PIXELS, expected->heavy_count);
}

static void compare_pixels(comparison *c, const frame_config *config, const uint32_t *reference, const uint32_t *gpu)
{
    for (int y = 0; y < config->height && c->same; y++) {
        for (int x = 0; x < config->width && c->same; x++) {
            uint32_t expected = reference[(size_t)y * config->target_pitch + (size_t)x], found = gpu[(size_t)y * (size_t)config->width + (size_t)x];
            if (expected != found) {
                fprintf(stderr, "%s: pixel (%d, %d) is %08x, the reference has %08x\n", c->name, x, y, found, expected);
                c->same = false;
            }
        }
    }
}

bool stage_compare(gpu_renderer *renderer, const pietra_stream *stream, const pietra_frame *frame, uint32_t width, uint32_t height,
                   uint32_t fine_work, const char *name)
{
    comparison c = {.renderer = renderer, .name = name, .same = true};
    pietra_error error = {.message = ""};
    pietra_target target = {.width = width, .height = height, .pixels = calloc(height, 4 * (size_t)width)};
    frame_config config;
    if (config_of_frame(frame, &target, &error, &config) != PIETRA_OK) {
        fprintf(stderr, "%s: %s\n", name, error.message);
        free(target.pixels);
        return false;
    }
    pietra_stats stats = {.parts = 0};
    reference_frame reference = {.words = stream_words(stream), .config = config};
    reference.config.fine_work = fine_work;
    reference.pixels = calloc(config_target_pixels(&config), sizeof *reference.pixels);
    if (gpu_renderer_draw(renderer, stream, &config, &target, &error, &stats) != PIETRA_OK ||
        reference_frame_run(&reference, &error) != PIETRA_OK) {
        fprintf(stderr, "%s: %s\n", name, error.message);
        c.same = false;
    } else {
        if (stats.passes > 3) {
            fprintf(stderr, "%s: the frame took %u passes\n", name, stats.passes);
        }
        compare_pixels(&c, &config, reference.pixels, target.pixels);
        bool same_pixels = c.same;
        c.same = true;
        if (stats.parts == 1) {
            compare_buffers(&c, &reference);
        }
        c.same = c.same && same_pixels;
    }
    reference_frame_free(&reference);
    free(reference.pixels);
    free(target.pixels);
    return c.same;
}
