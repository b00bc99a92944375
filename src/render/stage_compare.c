/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "render/stage_compare.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "layout/primitive.h"
#include "render/frame/config.h"
#include "render/gpu/effect_jobs.h"
#include "render/reference/effect_reference.h"
#include "render/reference/reference.h"
#include "render/sheet/made_stream.h"
#include "render/sheet/results.h"

#define WORDS_SHOWN 4u /* words shown of an item that differs */

typedef struct comparison {
    gpu_renderer *renderer;
    pietra_error *error;
    pietra_result result;                /* if it is not PIETRA_OK, nothing more is compared */
    const char *stage;                   /* the stage that wrote what is being compared */
    pietra_stage_difference *difference; /* once it names a stage, nothing more is compared */
    bool compared[BUFFER_COUNT];         /* the buffers that have been compared */
} comparison;

/* The buffers that have to be compared, as buffers.def says. */
static const bool to_compare[BUFFER_OF_FRAME_COUNT] = {
#define COMPARED true
#define NOT_COMPARED false
#define BUFFER(name, comparison, item_bytes, count) [BUFFER_##name] = comparison,
#include "render/gpu/buffers.def"
#undef BUFFER
#undef COMPARED
#undef NOT_COMPARED
};

static bool goes_on(const comparison *c)
{
    return c->result == PIETRA_OK && !c->difference->stage;
}

/* Reads a part of a buffer. Returns NULL if that fails; the comparison has failed then. */
static void *read_buffer(comparison *c, frame_buffer buffer, uint64_t offset, uint64_t bytes)
{
    void *copy = malloc((size_t)bytes + 1);
    c->result =
        copy ? gpu_renderer_read(c->renderer, buffer, offset, bytes, c->error, copy) : error_set_memory(c->error);
    if (c->result != PIETRA_OK) {
        free(copy);
        return NULL;
    }
    return copy;
}

static void report(comparison *c, const char *buffer, uint64_t item, uint64_t item_count)
{
    c->difference->stage = c->stage;
    c->difference->buffer = buffer;
    c->difference->item = item;
    c->difference->item_count = item_count;
    c->difference->text[0] = '\0';
}

static void report_words(comparison *c, const uint32_t *expected, const uint32_t *found, size_t word_count)
{
    char *text = c->difference->text;
    size_t length = 0, shown = 0;
    for (size_t i = 0; i < word_count && shown < WORDS_SHOWN; i++) {
        if (expected[i] != found[i]) {
            length += (size_t)snprintf(text + length, sizeof c->difference->text - length,
                                       "%sword %zu is %08x, the reference has %08x", shown++ > 0 ? "; " : "", i,
                                       found[i], expected[i]);
        }
    }
}

static void compare_items(comparison *c, frame_buffer buffer, uint64_t offset, const void *expected, size_t item_bytes,
                          uint64_t count)
{
    c->compared[buffer] = true;
    if (!goes_on(c) || count == 0)
        return;
    uint8_t *found = read_buffer(c, buffer, offset, item_bytes * count);
    for (uint64_t i = 0; found && goes_on(c) && i < count; i++) {
        const uint8_t *here = found + i * item_bytes;
        const uint8_t *there = (const uint8_t *)expected + i * item_bytes;
        if (memcmp(here, there, item_bytes) != 0) {
            report(c, frame_buffer_name(buffer), i, count);
            report_words(c, (const uint32_t *)(const void *)there, (const uint32_t *)(const void *)here,
                         item_bytes / 4);
        }
    }
    free(found);
}

static void compare_count(comparison *c, const char *what, uint32_t expected, uint32_t found)
{
    if (goes_on(c) && expected != found) {
        report(c, what, 0, 1);
        snprintf(c->difference->text, sizeof c->difference->text, "it is %u, the reference counts %u", found, expected);
    }
}

static frame_counters read_counters(comparison *c)
{
    c->compared[BUFFER_COUNTERS] = true;
    frame_counters counters = {.overflow = 0},
                   *read = goes_on(c) ? read_buffer(c, BUFFER_COUNTERS, 0, sizeof counters) : NULL;
    if (read)
        counters = *read;
    free(read);
    return counters;
}

static void compare_sorted(comparison *c, frame_buffer sort, frame_buffer keys, frame_buffer values, uint32_t capacity,
                           const uint *reference_keys, const uint *reference_values, uint32_t count)
{
    c->compared[keys] = c->compared[values] = true;
    sort_plan *plan = goes_on(c) && count > 0 ? read_buffer(c, sort, 0, sizeof *plan) : NULL;
    if (!plan)
        return;
    uint64_t half = (uint64_t)plan->result_half * capacity * 4;
    free(plan);
    compare_items(c, keys, half, reference_keys, 4, count);
    compare_items(c, values, half, reference_values, 4, count);
}

static void compare_lists(comparison *c, const reference_frame *reference)
{
    uint64_t first = 0;
    for (uint class = 0; class < 4; class ++) {
        uint64_t offset = (uint64_t) class * reference->config.tile_count * 4;
        compare_items(c, BUFFER_TILE_LISTS, offset, reference->tile_lists + first, 4,
                      reference->counters.class_count[class]);
        first += reference->counters.class_count[class];
    }
}

/* Reports a buffer that is compared, or left out, against buffers.def as a difference too, so that a missing comparison
 * cannot pass for agreement. */
static void check_compared(comparison *c)
{
    for (int i = 0; i < BUFFER_OF_FRAME_COUNT && goes_on(c); i++) {
        if (c->compared[i] != to_compare[i]) {
            report(c, frame_buffer_name((frame_buffer)i), 0, 0);
            snprintf(c->difference->text, sizeof c->difference->text,
                     "stage_compare.c %s it, buffers.def says otherwise",
                     c->compared[i] ? "compares" : "does not compare");
        }
    }
}

static void compare_culled(comparison *c, const reference_frame *reference, const frame_counters *found)
{
    const frame_counters *expected = &reference->counters;
    compare_items(c, BUFFER_BIN_OCCLUDERS, 0, reference->bin_occluders, 4, gpu_renderer_capacity(c->renderer)->bins);
    compare_count(c, "visible_count", expected->visible_count, found->visible_count);
    compare_count(c, "row_count", expected->row_count, found->row_count);
    compare_count(c, "task_count", expected->task_count, found->task_count);
    compare_count(c, "measure_count", expected->measure_count, found->measure_count);
    compare_items(c, BUFFER_VISIBLE, 0, reference->visible, sizeof(visible_element), expected->visible_count);
}

static void compare_coarse(comparison *c, const reference_frame *reference, const frame_counters *found)
{
    for (int class = 0; class < 4; class ++)
        compare_count(c, "class_count", reference->counters.class_count[class], found->class_count[class]);
    compare_count(c, "spill_count", reference->counters.spill_count, found->spill_count);
    compare_count(c, "fine_work", reference->counters.fine_work, found->fine_work);
    compare_items(c, BUFFER_TILES, 0, reference->tiles, sizeof(tile), gpu_renderer_capacity(c->renderer)->tiles);
    compare_lists(c, reference);
}

static void compare_buffers(comparison *c, const reference_frame *reference)
{
    const stream_header *header = reference->stream.header;
    const frame_capacity *capacity = gpu_renderer_capacity(c->renderer);
    const uint32_t clip_events = reference->config.clip_event_count;
    const frame_counters *expected = &reference->counters, found = read_counters(c);
    c->stage = "01 decode";
    compare_items(c, BUFFER_SEGMENTS, 0, reference->segments, sizeof(segment_info), header->segment_count);
    compare_items(c, BUFFER_ELEMENTS, 0, reference->elements, sizeof(element_info), header->element_count);
    compare_count(c, "clip_event_count", clip_events, capacity->clip_events);
    compare_items(c, BUFFER_CLIP_EVENTS, 0, reference->clip_events, sizeof(clip_event), clip_events);
    c->stage = "02 clip";
    compare_items(c, BUFFER_CLIP_INFOS, 0, reference->clip_infos, sizeof(clip_info), clip_events);
    c->stage = "03 cull";
    compare_culled(c, reference, &found);
    c->stage = "04 flatten";
    compare_count(c, "dash_task_count", expected->dash_task_count, found.dash_task_count);
    compare_items(c, BUFFER_MEASURES, 0, reference->measures, sizeof(measure), expected->measure_count);
    compare_count(c, "line_count", expected->line_count, found.line_count);
    compare_items(c, BUFFER_EDGES, 0, reference->edges, sizeof(edge), expected->line_count);
    c->stage = "05 tile_lines";
    compare_count(c, "tile_line_count", expected->tile_line_count, found.tile_line_count);
    compare_items(c, BUFFER_LINES, 0, reference->lines, sizeof(line), expected->line_count);
    c->stage = "06 sort";
    compare_sorted(c, BUFFER_TILE_LINE_SORT, BUFFER_TILE_LINE_KEYS, BUFFER_TILE_LINE_VALUES, capacity->tile_lines,
                   reference->sorted_keys, reference->sorted_values, expected->tile_line_count);
    c->stage = "07 wind";
    compare_count(c, "tile_path_count", expected->tile_path_count, found.tile_path_count);
    compare_count(c, "heavy_count", expected->heavy_count, found.heavy_count);
    compare_items(c, BUFFER_TILE_PATHS, 0, reference->tile_paths, sizeof(tile_path), expected->tile_path_count);
    c->stage = "08 tile_commands";
    compare_items(c, BUFFER_TILE_OCCLUDERS, 0, reference->tile_occluders, 4, capacity->tiles);
    compare_items(c, BUFFER_PATH_TILE_OFFSETS, 0, reference->path_tile_offsets, 4,
                  expected->tile_path_count > 0 ? (uint64_t)expected->tile_path_count + 1 : 0);
    compare_count(c, "tile_command_count", expected->tile_command_count, found.tile_command_count);
    c->stage = "08 sort";
    compare_sorted(c, BUFFER_TILE_COMMAND_SORT, BUFFER_TILE_COMMAND_KEYS, BUFFER_TILE_COMMAND_VALUES,
                   capacity->tile_commands, reference->tile_keys, reference->tile_commands,
                   expected->tile_command_count);
    c->stage = "09 coarse";
    compare_coarse(c, reference, &found);
    c->stage = "10 fine";
    compare_items(c, BUFFER_MASKS, 0, reference->masks, TILE_PIXELS, expected->heavy_count);
    compare_count(c, "overflow", 0, found.overflow);
    check_compared(c);
}

static void compare_pixels(comparison *c, const frame_config *config, const uint32_t *expected, const uint32_t *found)
{
    c->stage = "10 fine";
    for (int y = 0; y < config->height && goes_on(c); y++) {
        const uint32_t *here = found + (size_t)y * (size_t)config->width,
                       *there = expected + (size_t)y * config->target_pitch;
        for (int x = 0; x < config->width && goes_on(c); x++) {
            if (config_draws(config, x, y) && here[x] != there[x]) {
                uint64_t width = (uint64_t)config->width;
                report(c, frame_buffer_name(BUFFER_TARGET), (uint64_t)y * width + (uint64_t)x,
                       width * (uint64_t)config->height);
                snprintf(c->difference->text, sizeof c->difference->text,
                         "pixel %d, %d is %08x, the reference has %08x", x, y, here[x], there[x]);
            }
        }
    }
}

/* Takes over fine_work. The device decides how much one pass of 10 fine does in a tile, and this shows in what 09
 * counts. PIETRA_ERROR_BUDGET: several parts were drawn. */
static pietra_result take_fine_work(gpu_renderer *renderer, pietra_error *error, frame_config *config)
{
    frame_config drawn;
    pietra_result result = gpu_renderer_read(renderer, BUFFER_CONFIG, 0, sizeof drawn, error, &drawn);
    if (result != PIETRA_OK)
        return result;
    if (memcmp(&drawn.part, &config->part, sizeof drawn.part) != 0)
        return error_set(error, PIETRA_ERROR_BUDGET, 0, "the frame is drawn in parts, whose stages cannot be compared");
    config->fine_work = drawn.fine_work;
    return PIETRA_OK;
}

static pietra_result draw_by_gpu(gpu_renderer *renderer, const pietra_stream *stream, const pietra_target *target,
                                 pietra_error *error, frame_config *config)
{
    pietra_stats stats = {.parts = 0};
    pietra_result result = gpu_renderer_draw(renderer, stream, config, NULL, target, error, &stats);
    return result == PIETRA_OK ? take_fine_work(renderer, error, config) : result;
}

static void compare_frame(comparison *c, const pietra_stream *stream, const frame_config *config, parallel_pool *pool,
                          pietra_target target)
{
    reference_frame reference = {.stream = stream_view_of(stream_words(stream)), .config = *config, .pool = pool};
    target.pixels = calloc(target.height, 4 * (size_t)target.width);
    reference.pixels = calloc((size_t)config_target_pixels(config), sizeof *reference.pixels);
    c->result = target.pixels && reference.pixels
                    ? draw_by_gpu(c->renderer, stream, &target, c->error, &reference.config)
                    : error_set_memory(c->error);
    if (c->result == PIETRA_OK)
        c->result = reference_frame_run(&reference, c->error);
    if (c->result == PIETRA_OK) {
        compare_buffers(c, &reference);
        compare_pixels(c, &reference.config, reference.pixels, target.pixels);
    }
    reference_frame_free(&reference);
    free(reference.pixels);
    free(target.pixels);
}

/* ---- Sheets ---- */

typedef struct sheet_comparison {
    comparison *c;
    parallel_pool *pool;
    sheet_plan plan;
    sheet_runs runs;
    pietra_stream *made;
} sheet_comparison;

/* Compares the texels that a run gave to its effects. */
static void compare_results(const sheet_comparison *s, const sheet_run *run)
{
    comparison *c = s->c;
    uint32_t *expected = made_stream_results(&s->plan, s->made), *found = NULL;
    c->stage = "11 effects";
    for (uint32_t i = 0; goes_on(c) && i < run->effect_count; i++) {
        const sheet_effect *effect = sheet_run_effect(&s->plan, &s->runs, run, i);
        const uint64_t count = sheet_texels(effect->shown);
        found = malloc((size_t)count * sizeof *found);
        c->result = found
                        ? gpu_renderer_read_texels(c->renderer, s->plan.view.header->texel_count + effect->first_texel,
                                                   count, c->error, found)
                        : error_set_memory(c->error);
        for (uint64_t k = 0; goes_on(c) && k < count; k++) {
            if (expected[effect->first_texel + k] != found[k]) {
                report(c, "TEXELS", effect->first_texel + k, s->plan.texel_count);
                report_words(c, &expected[effect->first_texel + k], &found[k], 1);
            }
        }
        free(found);
    }
}

static void compare_run(sheet_comparison *s, const sheet_run *run)
{
    comparison *c = s->c;
    pietra_stats stats = {.parts = 0};
    reference_frame reference = {.stream = stream_view_of(stream_words(s->made)),
                                 .config = sheet_run_config(run),
                                 .sheets = s->runs.sheets.items + run->first_sheet - 1,
                                 .pool = s->pool};
    reference.pixels = calloc((size_t)config_target_pixels(&reference.config), sizeof *reference.pixels);
    c->result = reference.pixels
                    ? gpu_renderer_draw_sheets(c->renderer, s->made, &s->plan, &s->runs, run, NULL, c->error, &stats)
                    : error_set_memory(c->error);
    if (c->result == PIETRA_OK && run->sheet_count > 0) {
        memset(c->compared, 0, sizeof c->compared);
        c->result = take_fine_work(c->renderer, c->error, &reference.config);
        if (c->result == PIETRA_OK)
            c->result = reference_frame_run(&reference, c->error);
        if (c->result == PIETRA_OK) {
            compare_buffers(c, &reference);
            c->stage = "10 fine";
            compare_items(c, BUFFER_TARGET, 0, reference.pixels, 4, config_target_pixels(&reference.config));
        }
        reference_frame_free(&reference);
    }
    if (c->result == PIETRA_OK) {
        c->result = sheet_results_make(&s->plan, &s->runs, run, effect_reference(), NULL, reference.pixels, NULL,
                                       c->error, made_stream_results(&s->plan, s->made));
    }
    if (goes_on(c))
        compare_results(s, run);
    free(reference.pixels);
}

/* Compares the runs that draw the sheets of a stream with effects. Gives the stream that the frame draws then, with the
 * texels that the reference gives to effects. The caller destroys it. */
static void compare_sheets(comparison *c, const pietra_stream *stream, const frame_config *config, parallel_pool *pool,
                           pietra_stream **made)
{
    sheet_comparison s = {.c = c, .pool = pool};
    const sheet_limits limits = gpu_renderer_sheet_limits(c->renderer, UINT64_MAX);
    c->result = sheet_plan_make(stream, config, effect_jobs_measure, &s.plan) ? PIETRA_OK : error_set_memory(c->error);
    if (c->result == PIETRA_OK)
        c->result = sheet_runs_make(&s.plan, &limits, c->error, &s.runs);
    if (c->result == PIETRA_OK)
        c->result = made_stream_create_packed(&s.plan, false, c->error, &s.runs, &s.made);
    for (size_t i = 0; goes_on(c) && i < s.runs.runs.count; i++)
        compare_run(&s, &s.runs.runs.items[i]);
    sheet_runs_free(&s.runs);
    sheet_plan_free(&s.plan);
    *made = s.made;
}

pietra_result stage_compare(gpu_renderer *renderer, const pietra_stream *stream, const compared_frame *compared,
                            parallel_pool *pool, pietra_error *error, pietra_stage_difference *difference)
{
    const pietra_frame *frame = compared->frame;
    const pietra_target target = {
        .width = compared->width, .height = compared->height, .format = PIETRA_FORMAT_RGBA8_PREMULTIPLIED};
    comparison c = {.renderer = renderer, .error = error, .difference = difference};
    pietra_stream *made = NULL;
    frame_config config;
    *difference = (pietra_stage_difference){.stage = NULL};
    c.result = config_of_frame(frame, &target, error, &config);
    if (c.result == PIETRA_OK && frame && frame->region.picture_width > 0)
        c.result = error_set(error, PIETRA_ERROR_INPUT, 0, "a frame of which stages are compared has no region");
    if (c.result == PIETRA_OK && compared->box_count > 0)
        config_set_boxes(&config, compared->boxes, compared->box_count);
    if (c.result == PIETRA_OK && stream_get_header(stream)->effect_count > 0)
        compare_sheets(&c, stream, &config, pool, &made);
    if (goes_on(&c)) {
        memset(c.compared, 0, sizeof c.compared);
        compare_frame(&c, made ? made : stream, &config, pool, target);
    }
    pietra_stream_destroy(made);
    return c.result;
}
