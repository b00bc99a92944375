/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* What keeps parts of a frame cheap, each shown by what it counts: what would be done again without it, or would not
 * fit. And the estimate of what a frame in parts takes (part_cost.h). Parts are drawn as cpu_renderer.c does. */
#include "render/cpu/band.h"
#include "render/cpu/part_cost.h"
#include "render/frame/config.h"
#include "property/random_scene.h"
#include "scene/scene_fixture.h"

#define SIDE 512u
#define MILLISECOND ((uint64_t)1000000000) /* picoseconds */
#define BATCH_SHARE 8u                     /* of the budget, for lines that wait */

static uint32_t pixels[SIDE * SIDE];
static cpu_device *device;

static frame_config whole_config(void)
{
    frame_config config;
    const pietra_target target = {.width = SIDE, .height = SIDE};
    ASSERT_OK(config_of_frame(NULL, &target, error, &config));
    return config;
}

typedef struct part_run {
    pietra_result result;
    cpu_counts counts;
} part_run;

/* Draws rows of tiles, in a part of a frame with a budget, or at once if that is 0. */
static part_run draw_rows(const pietra_stream *stream, uint64_t budget, int rows, uint32_t begin, bool is_trial)
{
    const frame_config whole = whole_config();
    const frame_config config = config_of_part(&whole, (tile_box){0, 0, whole.part.x1, rows});
    const cpu_target target = {.pixels = (uint8_t *)pixels,
                               .stride_bytes = SIDE * sizeof *pixels,
                               .may_spoil = true,
                               .is_trial = is_trial,
                               .batch_most = budget / BATCH_SHARE,
                               .begin = begin};
    part_run run = {.counts = {0}};
    pietra_error refusal;
    run.result = cpu_draw(device, stream_words(stream), &config, budget, &target, &refusal, &run.counts);
    return run;
}

static cpu_counts drawn_rows(const pietra_stream *stream, uint64_t budget, int rows)
{
    const part_run run = draw_rows(stream, budget, rows, 0, false);
    assert_int_equal(run.result, PIETRA_OK);
    return run.counts;
}

static void fill_path(pietra_scene *scene, pietra_path *path, const pietra_paint *paint)
{
    ASSERT_OK(pietra_scene_fill(scene, path, NULL, PIETRA_FILL_NONZERO, paint, error));
    pietra_path_destroy(path);
}

static void fill_ellipse(pietra_scene *scene, double x, double y, double radius, const pietra_paint *paint)
{
    pietra_path *path = pietra_path_create();
    pietra_path_ellipse(path, x, y, radius, radius);
    fill_path(scene, path, paint);
}

/* Small elements all over the frame. */
static pietra_stream *many_elements(int count)
{
    random_source source = random_start(1);
    pietra_scene *scene = new_scene();
    for (int i = 0; i < count; i++)
        fill_ellipse(scene, random_between(&source, 0, SIDE), random_between(&source, 0, SIDE), 3, &HALF);
    return encode_and_destroy(scene);
}

/* One path that goes to the right and back in small steps up and down, and so touches itself nowhere. */
static pietra_stream *one_saw(int teeth, int height)
{
    pietra_scene *scene = new_scene();
    pietra_path *path = pietra_path_create();
    const double step = (double)SIDE / teeth;
    pietra_path_move_to(path, 0, 2);
    for (int i = 1; i <= teeth; i++)
        pietra_path_line_to(path, i * step, i % 2 == 0 ? 2 : 3);
    for (int i = teeth; i >= 0; i--)
        pietra_path_line_to(path, i * step, i % 2 == 0 ? height : height + 1);
    fill_path(scene, path, &RED);
    return encode_and_destroy(scene);
}

/* Elements come in batches: neither they nor their lines fit at once. */
static void parts_take_elements_in_batches(void **state)
{
    (void)state;
    const uint64_t budget = 131072;
    pietra_stream *stream = many_elements(3000);
    const cpu_counts counts = drawn_rows(stream, budget, 4);
    assert_in_range(counts.prepared, budget / sizeof(cpu_element) / 2, 3000);
    assert_in_range(counts.batch_pixels / counts.part_pixels, 3, 40);
    assert_in_range(counts.memory_bytes, 1, budget);
    pietra_stream_destroy(stream);
}

/* Few elements with many lines are painted as soon as enough lines wait. */
static void parts_take_lines_in_batches(void **state)
{
    (void)state;
    const uint64_t budget = 131072;
    pietra_scene *scene = new_scene();
    for (int i = 0; i < 60; i++) {
        pietra_path *path = pietra_path_create();
        for (int k = 0; k < 100; k++)
            pietra_path_rect(path, 5 * k, 1 + i, 2.5, 1.5);
        fill_path(scene, path, &HALF);
    }
    pietra_stream *stream = encode_and_destroy(scene);
    const cpu_counts counts = drawn_rows(stream, budget, 4);
    assert_in_range(counts.painted_lines * sizeof(cpu_edge), budget, 4 * budget);
    assert_in_range(counts.batch_pixels / counts.part_pixels, 4, 60);
    pietra_stream_destroy(stream);
}

/* A part that runs out of memory has painted batches. Its halves need not paint them again. */
static void halves_begin_where_their_part_ended(void **state)
{
    (void)state;
    static uint32_t whole[SIDE * SIDE];
    random_source source = random_start(2);
    pietra_scene *scene = new_scene();
    for (int i = 0; i < 300; i++)
        fill_ellipse(scene, random_between(&source, 0, SIDE), random_between(&source, 0, 64), 6, &HALF);
    pietra_path *path = pietra_path_create();
    for (int i = 0; i < 3000; i++)
        pietra_path_rect(path, i % 250 * 2, i / 250 * 5, 1.5, 3.5);
    fill_path(scene, path, &RED);
    pietra_stream *stream = encode_and_destroy(scene);
    drawn_rows(stream, 0, 4);
    memcpy(whole, pixels, sizeof whole);
    const part_run part = draw_rows(stream, 131072, 4, 0, false);
    assert_int_equal(part.result, PIETRA_ERROR_BUDGET);
    assert_in_range(part.counts.begin, 200, 300);
    const part_run rest = draw_rows(stream, (uint64_t)4 << 20, 4, part.counts.begin, false);
    assert_int_equal(rest.result, PIETRA_OK);
    assert_in_range(rest.counts.painted_runs, 1, 800);
    assert_memory_equal(pixels, whole, (size_t)64 * SIDE * sizeof *pixels);
    pietra_stream_destroy(stream);
}

/* The lines of an element do not fit beside those before it, so they wait for the next batch. The lines that they left
 * in the lists are not painted. */
static void batches_end_where_lines_do_not_fit(void **state)
{
    (void)state;
    static uint32_t whole[SIDE * SIDE];
    const int counts_of[] = {260, 700, 30};
    pietra_scene *scene = new_scene();
    for (int i = 0; i < 3; i++) {
        pietra_path *path = pietra_path_create();
        for (int k = 0; k < counts_of[i]; k++)
            pietra_path_rect(path, k % 250 * 2, i + k / 250 * 12, 1.5, 3.5);
        fill_path(scene, path, &HALF);
    }
    pietra_stream *stream = encode_and_destroy(scene);
    const cpu_counts once = drawn_rows(stream, 0, 4);
    memcpy(whole, pixels, sizeof whole);
    const cpu_counts counts = drawn_rows(stream, 131072, 4);
    assert_int_equal(counts.batch_pixels, 3 * counts.part_pixels);
    assert_int_equal(counts.lines, once.lines);
    assert_int_equal(counts.band_lines, once.band_lines);
    assert_memory_equal(pixels, whole, (size_t)64 * SIDE * sizeof *pixels);
    pietra_stream_destroy(stream);
}

/* If flattening takes less than copying pixels for each batch, all lines of a part come at once, in fewer rows. */
static void cheap_lines_are_halved(void **state)
{
    (void)state;
    enum { PIXELS = 100000 };
    pietra_scene *scene = new_scene();
    for (int i = 0; i < 40; i++) {
        pietra_path *path = pietra_path_create();
        pietra_path_move_to(path, 2 * i, 0);
        pietra_path_line_to(path, (double)SIDE - 3 * i, 0);
        pietra_path_line_to(path, SIDE / 2, SIDE);
        fill_path(scene, path, &HALF);
    }
    pietra_stream *stream = encode_and_destroy(scene);
    const part_run many = draw_rows(stream, 65536, 16, 0, false);
    assert_int_equal(many.result, PIETRA_ERROR_BUDGET);
    assert_int_equal(many.counts.painted_lines, 0);
    const cpu_counts few = drawn_rows(stream, 65536, 2);
    assert_int_equal(few.batch_pixels, few.part_pixels);
    pietra_stream_destroy(stream);
    assert_true(part_cost_prefers_halves(PIXELS, 4, 10, &(cpu_counts){.chords = 10, .stroke_lines = 10}));
    assert_false(part_cost_prefers_halves(PIXELS, 4, PIXELS, &(cpu_counts){.chords = 0}));
    assert_false(part_cost_prefers_halves(PIXELS, 4, 0, &(cpu_counts){.chords = PIXELS}));
    assert_false(part_cost_prefers_halves(PIXELS, 4, 0, &(cpu_counts){.stroke_lines = PIXELS}));
    assert_false(part_cost_prefers_halves(PIXELS, 4, 0, &(cpu_counts){.walked = PIXELS}));
    assert_false(part_cost_prefers_halves(PIXELS, PIXELS, 10, &(cpu_counts){.chords = 10}));
}

/* Bands with few lines take little, so a part has many of them. It has none that would leave strips too little, which
 * is known before anything is done. */
static void parts_have_many_rows(void **state)
{
    (void)state;
    pietra_scene *scene = new_scene();
    for (int i = 0; i < 3; i++)
        fill_ellipse(scene, SIDE / 2, SIDE / 2, SIDE / 2, &HALF);
    pietra_stream *stream = encode_and_destroy(scene);
    drawn_rows(stream, 131072, SIDE / TILE_SIDE);
    drawn_rows(stream, 65536, SIDE / TILE_SIDE / 2);
    const part_run many = draw_rows(stream, 65536, SIDE / TILE_SIDE, 0, false);
    assert_int_equal(many.result, PIETRA_ERROR_BUDGET);
    assert_int_equal(many.counts.walked, 0);
    pietra_stream_destroy(stream);
}

/* Clips in clips, with a fill between each of them. */
static pietra_stream *nested_clips(int count)
{
    pietra_scene *scene = new_scene();
    for (int i = 0; i < count; i++) {
        pietra_path *path = pietra_path_create();
        pietra_path_ellipse(path, SIDE / 2, 8, SIDE / 2, 100);
        ASSERT_OK(pietra_scene_begin_clip(scene, path, NULL, PIETRA_FILL_NONZERO, error));
        pietra_path_destroy(path);
        fill_ellipse(scene, SIDE / 2, 8, 200, &HALF);
    }
    for (int i = 0; i < count; i++)
        ASSERT_OK(pietra_scene_end_clip(scene, error));
    return encode_and_destroy(scene);
}

/* Layers make strips narrow, so that a part has few rows. */
static void parts_of_narrow_strips_have_few_rows(void **state)
{
    (void)state;
    pietra_stream *stream = nested_clips(7);
    const part_run many = draw_rows(stream, 65536, 8, 0, false);
    assert_int_equal(many.result, PIETRA_ERROR_BUDGET);
    assert_int_equal(many.counts.painted_lines, 0);
    assert_in_range(drawn_rows(stream, 65536, 4).strip_tiles, 1, 1);
    pietra_stream_destroy(stream);
}

/* Strips of the last batch take what nothing else needs. Few elements and begins need little. */
static void last_strips_are_wide(void **state)
{
    (void)state;
    pietra_stream *stream = one_saw(120, 12);
    const cpu_counts plain = drawn_rows(stream, 65536, 1);
    assert_in_range(plain.visited_runs, plain.painted_runs, 3 * plain.painted_runs);
    pietra_stream_destroy(stream);
    stream = nested_clips(3);
    const cpu_counts clips = drawn_rows(stream, 65536, 1);
    assert_in_range(clips.visited_clips, 3, 21);
    pietra_stream_destroy(stream);
}

/* In narrow strips of a band, few lines are seen more than once, and elements that are passed not at all. */
static void strips_see_their_own_lines(void **state)
{
    (void)state;
    pietra_stream *stream = one_saw(120, 12);
    const cpu_counts counts = drawn_rows(stream, 65536, 1);
    assert_in_range(counts.visited_runs, 2 * counts.painted_runs, UINT64_MAX);
    assert_in_range(counts.visited_lines, counts.painted_lines / 2, 2 * counts.painted_lines);
    pietra_stream_destroy(stream);
    stream = many_elements(600);
    const cpu_counts many = drawn_rows(stream, 65536, 1);
    assert_in_range(many.visited_runs, many.painted_runs, 20 * many.painted_runs);
    pietra_stream_destroy(stream);
}

/* A clip by a path costs in each strip that has it. Other runs do not count as clips. */
static void strips_count_clips(void **state)
{
    (void)state;
    const uint clips = 5;
    pietra_scene *scene = new_scene();
    for (uint i = 0; i < clips; i++) {
        pietra_path *path = pietra_path_create();
        pietra_path_ellipse(path, SIDE / 2, 8, SIDE / 2 - i, 100);
        ASSERT_OK(pietra_scene_begin_clip(scene, path, NULL, PIETRA_FILL_NONZERO, error));
        pietra_path_destroy(path);
    }
    fill_ellipse(scene, SIDE / 2, 8, 200, &RED);
    for (uint i = 0; i < clips; i++)
        ASSERT_OK(pietra_scene_end_clip(scene, error));
    pietra_stream *stream = encode_and_destroy(scene);
    const cpu_counts once = drawn_rows(stream, 0, 1), counts = drawn_rows(stream, 65536, 1);
    assert_int_equal(once.visited_clips, clips);
    assert_in_range(counts.visited_clips, 3 * clips, counts.visited_runs - 1);
    /* Its strips were narrowed, which counts no box again. */
    assert_in_range(counts.prepared, 3 * (clips + 1), UINT64_MAX);
    assert_int_equal(counts.box_pixels, drawn_rows(stream, (uint64_t)4 << 20, 1).box_pixels);
    pietra_stream_destroy(stream);
}

/* Strips keep the order of lines, of which chains are made, so they sample no more than the band at once. */
static void strips_keep_chains(void **state)
{
    (void)state;
    pietra_stream *stream = one_saw(120, 12);
    const cpu_counts once = drawn_rows(stream, 0, 1), counts = drawn_rows(stream, 65536, 1);
    assert_in_range(once.touches, 0, 20);
    assert_in_range(counts.touches, 0, 2 * once.touches + 20);
    assert_int_equal(counts.stepped_pixels, 0);
    pietra_stream_destroy(stream);
}

/* Touches take a share of the budget: with more there would be more strips, with fewer more walks over the lines. */
static void touches_take_their_share(void **state)
{
    (void)state;
    const uint pitch = SIDE + COVERAGE_OVERRUN;
    const uint64_t budget = 524288;
    assert_int_equal(cpu_touches_within(budget, pitch), budget / 8 / sizeof(cpu_touch));
    assert_int_equal(cpu_touches_within((uint64_t)64 << 20, pitch), cpu_touches_at_once(pitch));
    assert_int_equal(cpu_touches_within(65536, pitch), 65536 / 8 / sizeof(cpu_touch));
    assert_int_equal(cpu_touches_within(1, pitch), CPU_TOUCHES_LEAST);
    random_source source = random_start(3);
    pietra_scene *scene = new_scene();
    pietra_path *path = pietra_path_create();
    pietra_path_move_to(path, 0, 8);
    for (int i = 0; i < 900; i++)
        pietra_path_line_to(path, random_between(&source, 0, SIDE), random_between(&source, 0, 16));
    fill_path(scene, path, &RED);
    pietra_stream *stream = encode_and_destroy(scene);
    const cpu_counts counts = drawn_rows(stream, budget, 1);
    assert_int_equal(counts.visited_runs, counts.painted_runs);
    assert_in_range(counts.walked_lines, counts.painted_lines, 150 * counts.painted_lines);
    pietra_stream_destroy(stream);
}

/* More lines touch a pixel than there is room for touches. Its row is stepped, as rows with less room are. */
static void crowded_pixels_are_stepped(void **state)
{
    (void)state;
    enum { LINES = 400 };
    static uint32_t whole[SIDE * SIDE];
    random_source source = random_start(8);
    pietra_scene *scene = new_scene();
    pietra_path *path = pietra_path_create();
    pietra_path_move_to(path, 0, 0);
    for (int i = 0; i < LINES; i++)
        pietra_path_line_to(path, 100 + random_between(&source, 0, 1), 8 + random_between(&source, 0, 1));
    fill_path(scene, path, &RED);
    pietra_stream *stream = encode_and_destroy(scene);
    const uint pitch = SIDE + COVERAGE_OVERRUN;
    const uint64_t budget = 65536;
    assert_in_range(cpu_touches_within(budget, pitch), CPU_TOUCHES_LEAST, LINES - 1);
    drawn_rows(stream, 0, 1);
    memcpy(whole, pixels, sizeof whole);
    const cpu_counts counts = drawn_rows(stream, budget, 1);
    assert_in_range(counts.stepped_pixels, 1, 9);
    assert_memory_equal(pixels, whole, (size_t)TILE_SIDE * SIDE * sizeof *pixels);
    pietra_stream_destroy(stream);
}

/* What an opaque rectangle hides is found before it is flattened. */
static void hidden_elements_are_not_flattened(void **state)
{
    (void)state;
    pietra_scene *scene = new_scene();
    for (int i = 0; i < 50; i++)
        fill_ellipse(scene, 100, 32, 20, &RED);
    pietra_path *path = pietra_path_create();
    pietra_path_rect(path, 32, 0, 256, 64);
    fill_path(scene, path, &RED);
    pietra_stream *stream = encode_and_destroy(scene);
    const cpu_counts counts = drawn_rows(stream, 131072, 4);
    assert_int_equal(counts.prepared, 2 * 51);
    assert_in_range(counts.lines, 2, 4);
    pietra_stream_destroy(stream);
}

/* Where opaque fills hide most of what lies below, lines wait longer, so that fewer batches paint what others hide. */
static void painted_over_parts_have_fewer_batches(void **state)
{
    (void)state;
    enum { FILLS = 80, TEETH = 60 };
    pietra_scene *scene = new_scene();
    for (int i = 0; i < FILLS; i++) {
        pietra_path *path = pietra_path_create();
        pietra_path_move_to(path, SIDE, 0);
        pietra_path_line_to(path, SIDE, 16);
        for (int tooth = TEETH; tooth > 0; tooth--) {
            pietra_path_line_to(path, 1, 0.25 * tooth);
            pietra_path_line_to(path, 2, 0.25 * tooth - 0.125);
        }
        fill_path(scene, path, &RED);
    }
    pietra_stream *stream = encode_and_destroy(scene);
    const uint64_t budget = 524288;
    const cpu_counts counts = drawn_rows(stream, budget, 1);
    assert_true(counts.is_painted_over);
    assert_in_range(counts.painted_lines * sizeof(cpu_edge), budget / BATCH_SHARE + 1, budget);
    assert_int_equal(counts.batch_pixels, counts.part_pixels);
    const part_run large = draw_rows(stream, 98304, 2, 0, false);
    assert_int_equal(large.result, PIETRA_ERROR_BUDGET);
    assert_int_equal(large.counts.painted_lines, 0);
    pietra_stream_destroy(stream);
}

/* A trial finds the same as drawing, and leaves the pixels. */
static void trials_paint_nothing(void **state)
{
    (void)state;
    pietra_stream *stream = many_elements(3000);
    for (uint64_t budget = 65536; budget <= 131072; budget *= 2) {
        const part_run drawn = draw_rows(stream, budget, 4, 0, false);
        memset(pixels, 0x5a, sizeof pixels);
        const part_run trial = draw_rows(stream, budget, 4, 0, true);
        assert_int_equal(trial.result, drawn.result);
        assert_int_equal(trial.counts.memory_bytes, drawn.counts.memory_bytes);
        assert_int_equal(trial.counts.painted_pixels, 0);
        for (size_t i = 0; i < SIDE * SIDE; i++)
            assert_int_equal(pixels[i], 0x5a5a5a5a);
    }
    pietra_stream_destroy(stream);
}

/* ---- The estimate ---- */

static part_cost cost_of(const pietra_stream *stream)
{
    const frame_config whole = whole_config();
    return part_cost_of(stream_words(stream), &whole, 65536);
}

/* Every count adds to what the frame takes at once, or to what it takes in addition. */
static void every_count_costs(void **state)
{
    (void)state;
    enum { MANY = 1000000 };
    static const struct {
        cpu_counts counts;
        bool is_once;
    } cases[] = {
        {{.painted_pixels = MANY}, true},
        {{.painted_pixels = MANY, .shaded_pixels = MANY}, true},
        {{.painted_lines = MANY, .visited_lines = MANY}, true},
        {{.touches = MANY}, true},
        {{.stepped_pixels = MANY}, true},
        {{.walked_lines = MANY}, false},
        {{.walked = MANY}, false},
        {{.flattened = MANY}, false},
        {{.chords = MANY}, false},
        {{.stroke_lines = MANY}, false},
        {{.visited_lines = MANY}, false},
        {{.visited_runs = MANY}, false},
        {{.visited_runs = MANY, .visited_clips = MANY / 2}, false},
    };
    pietra_stream *stream = many_elements(10);
    const part_cost nothing = cost_of(stream);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        part_cost cost = nothing;
        part_cost_add(&cost, &cases[i].counts);
        const uint64_t once = cost.once_ps - nothing.once_ps, extra = cost.extra_ps - nothing.extra_ps;
        assert_true(cases[i].is_once ? once > 100 * (uint64_t)MANY && extra == 0 : extra > 2 * once && extra > MANY);
    }
    /* Shaded pixels that later batches hide would be hidden at once. */
    const cpu_counts hidden = {.is_painted_over = true,
                               .painted_pixels = MANY,
                               .shaded_pixels = MANY,
                               .part_pixels = 100,
                               .batch_pixels = 2 * MANY};
    part_cost cost = nothing;
    part_cost_add(&cost, &hidden);
    assert_true(cost.extra_ps > nothing.extra_ps + MANY && cost.once_ps == nothing.once_ps);
    /* Dashes are not counted beforehand, so each of them costs. */
    cost = nothing;
    cost.has_dashes = true;
    part_cost_add(&cost, &(cpu_counts){.flattened = 4});
    assert_true(cost.extra_ps > nothing.extra_ps);
    pietra_stream_destroy(stream);
}

/* What clips cost at once is told from what strips repeat, as runs are. And shared paths are flattened once for each
 * element. */
static void clips_and_shared_paths_cost_at_once_too(void **state)
{
    (void)state;
    pietra_scene *scene = new_scene();
    pietra_path *path = pietra_path_create();
    pietra_path_ellipse(path, 100, 100, 50, 50);
    for (int i = 0; i < 3; i++)
        ASSERT_OK(pietra_scene_fill(scene, path, NULL, PIETRA_FILL_NONZERO, &RED, error));
    pietra_path_destroy(path);
    pietra_stream *stream = encode_and_destroy(scene);
    const uint32_t segments = stream_view_of(stream_words(stream)).header->segment_count;
    const part_cost nothing = cost_of(stream);
    assert_int_equal(nothing.segments_left, 3 * segments);
    part_cost cost = nothing;
    part_cost_add(&cost, &(cpu_counts){.painted_runs = 100, .visited_runs = 400, .visited_clips = 400});
    const uint64_t once = cost.once_ps - nothing.once_ps;
    assert_true(once > 0 && cost.extra_ps - nothing.extra_ps > 3 * once);
    pietra_stream_destroy(stream);
}

/* Elements cost at once as far as parts show them, each of them once. Parts prepare them twice. */
static void elements_cost_if_they_are_seen(void **state)
{
    (void)state;
    enum { ELEMENTS = 1000, SEEN = 100 };
    pietra_stream *stream = many_elements(ELEMENTS);
    const part_cost nothing = cost_of(stream);
    part_cost some = nothing, all = nothing;
    part_cost_add(&some, &(cpu_counts){.prepared = 2 * SEEN});
    part_cost_add(&all, &(cpu_counts){.prepared = 20 * ELEMENTS});
    assert_true(some.once_ps > nothing.once_ps);
    assert_int_equal((all.once_ps - nothing.once_ps) / ELEMENTS, (some.once_ps - nothing.once_ps) / SEEN);
    pietra_stream_destroy(stream);
}

/* Tiles without elements say nothing of a frame, unless fills hide them. */
static void empty_tiles_are_not_known(void **state)
{
    (void)state;
    part_cost cost = {.once_ps = MILLISECOND, .extra_ps = 5 * MILLISECOND, .box_pixels = 1000, .painted_pixels = 10};
    assert_false(part_cost_is_too_high(&cost, 50, 100));
    assert_true(part_cost_is_too_high(&cost, 0, 100));
    cost.painted_pixels = 600;
    assert_true(part_cost_is_too_high(&cost, 50, 100));
    cost.painted_pixels = 10;
    cost.is_painted_over = true;
    assert_true(part_cost_is_too_high(&cost, 50, 100));
}

static bool is_refused(uint percent, uint left)
{
    const part_cost cost = {.once_ps = 10 * MILLISECOND, .extra_ps = MILLISECOND / 10 * (uint64_t)(percent - 100)};
    return part_cost_is_too_high(&cost, left, 100);
}

/* Frames that take less than three milliseconds in addition are drawn. */
static void small_frames_are_drawn(void **state)
{
    (void)state;
    part_cost cost = {.once_ps = MILLISECOND / 100, .extra_ps = 3 * MILLISECOND - 1};
    assert_false(part_cost_is_too_high(&cost, 100, 100));
    cost.extra_ps++;
    assert_true(part_cost_is_too_high(&cost, 100, 100));
}

/* The less of a frame is left, the less it may seem to take. To finish it, it may take more again. */
static void slow_frames_are_refused_early(void **state)
{
    (void)state;
    assert_true(is_refused(910, 100) && !is_refused(890, 100));
    assert_true(is_refused(430, 50) && !is_refused(400, 50));
    assert_true(is_refused(410, 25) && !is_refused(400, 25));
    assert_true(!is_refused(490, 24) && is_refused(510, 24));
    assert_true(is_refused(510, 0) && !is_refused(490, 0));
    for (uint left = 26; left <= 100; left++)
        for (uint percent = 400; percent < 900; percent++)
            assert_true(!is_refused(percent, left) || is_refused(percent, left - 1));
    part_cost painted_over = {.is_painted_over = true, .once_ps = 10 * MILLISECOND, .extra_ps = 26 * MILLISECOND};
    assert_true(part_cost_is_too_high(&painted_over, 60, 100));
    assert_false(part_cost_is_too_high(&painted_over, 10, 100));
    painted_over.extra_ps = 24 * MILLISECOND;
    assert_false(part_cost_is_too_high(&painted_over, 60, 100));
}

static int open_device(void **state)
{
    (void)state;
    device = cpu_device_create(NULL, NULL);
    return device ? 0 : -1;
}

static int close_device(void **state)
{
    (void)state;
    cpu_device_destroy(device);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(parts_take_elements_in_batches),
        cmocka_unit_test(parts_take_lines_in_batches),
        cmocka_unit_test(halves_begin_where_their_part_ended),
        cmocka_unit_test(batches_end_where_lines_do_not_fit),
        cmocka_unit_test(cheap_lines_are_halved),
        cmocka_unit_test(parts_have_many_rows),
        cmocka_unit_test(parts_of_narrow_strips_have_few_rows),
        cmocka_unit_test(last_strips_are_wide),
        cmocka_unit_test(strips_see_their_own_lines),
        cmocka_unit_test(strips_count_clips),
        cmocka_unit_test(strips_keep_chains),
        cmocka_unit_test(touches_take_their_share),
        cmocka_unit_test(crowded_pixels_are_stepped),
        cmocka_unit_test(hidden_elements_are_not_flattened),
        cmocka_unit_test(painted_over_parts_have_fewer_batches),
        cmocka_unit_test(trials_paint_nothing),
        cmocka_unit_test(every_count_costs),
        cmocka_unit_test(clips_and_shared_paths_cost_at_once_too),
        cmocka_unit_test(elements_cost_if_they_are_seen),
        cmocka_unit_test(empty_tiles_are_not_known),
        cmocka_unit_test(small_frames_are_drawn),
        cmocka_unit_test(slow_frames_are_refused_early),
    };
    return cmocka_run_group_tests(tests, open_device, close_device);
}
