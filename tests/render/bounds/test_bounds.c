/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* What a frame counts is never more than its bounds: of all scenes and of random ones, whatever the frame shows of
 * them, also in many places. */
#include <math.h>

#include "all_sizes.h"
#include "base/transform.h"
#include "golden/scene_files.h"
#include "pietra/pietra_instance.h"
#include "property/random_scene.h"
#include "render/bounds/bounds.h"
#include "render/paint_cost.h"
#include "render/frame/config.h"
#include "render/reference/reference.h"
#include "render/reference/reference_renderer.h"
#include "scene/scene_fixture.h"

#define RANDOM_SCENES (all_sizes() ? 4000u : 150u)
#define COMPOSITIONS (all_sizes() ? 200u : 20u)
#define INSTANCES 8u
#define SIDE 160u
#define SCENE_SIDE 400
#define MOST_LINES (all_sizes() ? 2e7 : 2e6) /* a frame with more is left out: it takes too long */

typedef struct drawn_counts {
    frame_counters counters;
    uint32_t parts; /* bounds are of a frame in one */
} drawn_counts;

static void take_counts(void *user, const reference_frame *frame)
{
    drawn_counts *drawn = user;
    drawn->counters = frame->counters;
    drawn->parts++;
}

static void expect_within(const char *name, const char *what, double count, double bound)
{
    if (!(count <= bound))
        fail_msg("%s: %.0f %s, the bound is %.1f", name, count, what, bound);
}

static void expect_bounds(const char *name, const frame_counters *counted, const frame_bounds *bounds)
{
    expect_within(name, "rows", counted->row_count, bounds->rows);
    expect_within(name, "tasks", counted->task_count, bounds->tasks);
    expect_within(name, "measures", counted->measure_count, bounds->measures);
    expect_within(name, "tasks of dashes", counted->dash_task_count, bounds->dash_tasks);
    expect_within(name, "lines", counted->line_count, bounds->lines);
    expect_within(name, "tile_lines", counted->tile_line_count, bounds->tile_lines);
    expect_within(name, "tile_commands", counted->tile_command_count, bounds->tile_commands);
    expect_within(name, "levels in the spill", counted->spill_count, bounds->spill);
    expect_within(name, "work", counted->fine_work, bounds->fine_work);
}

/* What painting costs, segment by segment, is no more than bounds say. */
static void expect_painting(const char *name, const pietra_stream *stream, const frame_config *config,
                            const frame_bounds *bounds)
{
    const stream_view view = stream_view_of(stream_words(stream));
    double cost;
    assert_int_equal(paint_cost(&view, config_widened(&config->transform), config->width, config->height, INFINITY,
                                true, NULL, NULL, &cost),
                     PIETRA_OK);
    if (cost > paint_cost_bounded(&view, bounds))
        fail_msg("%s: painting costs %g, and is bounded by %g", name, cost, paint_cost_bounded(&view, bounds));
}

/* Gives the configuration of a frame. Returns false if there is none. */
static bool make_config(pietra_transform t, uint32_t side, frame_config *config)
{
    const pietra_target target = {.width = side, .height = side};
    const pietra_frame frame = {.transform = t};
    if (config_of_frame(&frame, &target, NULL, config) != PIETRA_OK)
        return false;
    config->fine_work = 1u << 20;
    return true;
}

/* Compares a frame, and gives its bounds. One that needs several parts, or fails, says nothing. Returns whether it was
 * compared. */
static bool check_config(const char *name, const pietra_stream *stream, const stream_sums *sums,
                         const frame_config *config, frame_bounds *bounds)
{
    part_budget budget = part_budget_of(UINT64_C(1) << 32);
    drawn_counts drawn = {.parts = 0};
    *bounds = frame_bounds_of(sums, config);
    if (!(bounds->lines < MOST_LINES) ||
        reference_visit_tiles(stream, config, &budget, take_counts, &drawn, NULL) != PIETRA_OK || drawn.parts != 1)
        return false;
    expect_bounds(name, &drawn.counters, bounds);
    return true;
}

/* Does the same for a whole frame, and compares what its painting costs. */
static bool check_frame(const char *name, const pietra_stream *stream, const stream_sums *sums, pietra_transform t,
                        uint32_t side)
{
    frame_config config;
    frame_bounds bounds;
    if (!make_config(t, side, &config) || !check_config(name, stream, sums, &config, &bounds))
        return false;
    expect_painting(name, stream, &config, &bounds);
    return true;
}

/* Does the same where the frame draws boxes alone, one of which is a corner. */
static bool check_boxes(const char *name, const pietra_stream *stream, const stream_sums *sums, pietra_transform t,
                        uint32_t side)
{
    frame_config config;
    frame_bounds bounds;
    if (!make_config(t, side, &config))
        return false;
    const int last = config.part.x1;
    if (last < 4)
        return false;
    const tile_box boxes[] = {{0, 0, 1, 2}, {last / 2, last / 2, last, last / 2 + 1}, {last - 1, last - 1, last, last}};
    config_set_boxes(&config, boxes, sizeof boxes / sizeof boxes[0]);
    return check_config(name, stream, sums, &config, &bounds);
}

static pietra_transform about_middle(pietra_transform t, double side)
{
    t.e = side / 2 - (t.a + t.c) * side / 2;
    t.f = side / 2 - (t.b + t.d) * side / 2;
    return t;
}

/* Compares frames of all kinds. Returns how many could be compared. */
static uint32_t check_sums(const char *name, const pietra_stream *stream, double side, const stream_sums *sums)
{
    static const double scales[] = {0.01, 0.3, 1, 2.5, 40, 3000};
    static const double turns[] = {0, 90, 1, 33, 180};
    uint32_t compared = 0;
    for (size_t i = 0; sums->is_bounded && i < sizeof scales / sizeof scales[0]; i++) {
        for (size_t k = 0; k < sizeof turns / sizeof turns[0]; k++) {
            const pietra_transform turned =
                transform_multiply(transform_scale(scales[i], scales[i]), transform_rotate(turns[k]));
            compared += check_frame(name, stream, sums, about_middle(turned, side), (uint32_t)side);
        }
        const pietra_transform shown = transform_scale(scales[i], scales[i]);
        compared += check_boxes(name, stream, sums, about_middle(shown, side), (uint32_t)side);
        const pietra_transform skewed = {scales[i], 0.2 * scales[i], 3 * scales[i], 0.7 * scales[i], 0, 0};
        const pietra_transform flat = {scales[i], 0, 0, scales[i] / 50, 0, 0};
        compared += check_frame(name, stream, sums, about_middle(skewed, side), (uint32_t)side);
        compared += check_frame(name, stream, sums, about_middle(flat, side), (uint32_t)side);
    }
    return compared;
}

static uint32_t check_stream(const char *name, const pietra_stream *stream, double side)
{
    stream_sums sums = {.id = 0};
    assert_true(stream_sums_make(stream, &sums));
    const uint32_t compared = check_sums(name, stream, side, &sums);
    stream_sums_free(&sums);
    return compared;
}

static void test_random_scenes(void **state)
{
    (void)state;
    uint32_t compared = 0;
    for (uint64_t seed = 1; seed <= RANDOM_SCENES; seed++) {
        char name[64];
        snprintf(name, sizeof name, "seed %llu", (unsigned long long)seed);
        pietra_stream *stream = encode_and_destroy(random_scene_create(seed, RANDOM_ANYTHING, SIDE));
        compared += check_stream(name, stream, SIDE);
        pietra_stream_destroy(stream);
    }
    assert_true(compared > 10 * RANDOM_SCENES);
}

/* Streams in places: again in their size, in another one, turned, skewed and all but flat. */
static pietra_transform random_place(random_source *source)
{
    pietra_transform place = {
        .a = 1, .d = 1, .e = random_between(source, 0, SIDE), .f = random_between(source, 0, SIDE)};
    switch (random_below(source, 6)) {
    case 0:
        place.a = place.d = pow(10, random_between(source, -3, 3));
        break;
    case 1:
        return transform_multiply(place, transform_rotate(random_between(source, 0, 360)));
    case 2:
        return transform_multiply(place, transform_rotate(90 * (double)random_below(source, 4)));
    case 3:
        place.b = random_between(source, -3, 3);
        place.c = random_between(source, -3, 3);
        break;
    case 4:
        place.d = random_between(source, -0.01, 0.01);
        break;
    default:
        break;
    }
    return place;
}

static void place_instances(random_source *source, pietra_stream *const *streams, pietra_instance *instances)
{
    static const pietra_color inks[] = {{0, 1, 0, 0.5f}, {0, 0, 1, 1}};
    for (uint32_t i = 0; i < INSTANCES; i++) {
        instances[i] = (pietra_instance){.stream = streams[random_below(source, 2)],
                                         .transform = random_place(source),
                                         .transparency = i % 4 == 3 ? 0.5f : 0,
                                         .slots = inks + i % 2,
                                         .slot_count = i > 1};
        if (i % 4 > 1) {
            const double x = random_between(source, 0, SIDE), y = random_between(source, 0, SIDE);
            instances[i].clip = (pietra_box){x, y, x + 40, y + 30};
        }
    }
}

/* Sets instances, and says that their sums are wanted from now on. Compares frames with the sums of all elements, and
 * with those of the composition if it has made them. */
static uint32_t check_composition(const char *name, pietra_composition *composition, const pietra_instance *instances,
                                  bool *are_made)
{
    const pietra_stream *composed;
    ASSERT_OK(pietra_composition_set(composition, instances, INSTANCES, error, &composed));
    const bool were_wanted = atomic_exchange(&composed->composed->are_wanted, true);
    assert_true(were_wanted || !composed->composed->are_made);
    *are_made = composed->composed->are_made;
    return check_stream(name, composed, SIDE) +
           (*are_made ? check_sums(name, composed, SIDE, &composed->composed->sums) : 0);
}

static void test_compositions(void **state)
{
    (void)state;
    pietra_composition *composition = pietra_composition_create(), *inner = pietra_composition_create();
    uint32_t compared = 0;
    pietra_paint ink = RED;
    ink.slot = 1;
    assert_true(composition && inner);
    for (uint64_t seed = 1; seed <= COMPOSITIONS; seed++) {
        char name[64];
        bool are_made;
        random_source source = random_start(seed);
        pietra_instance instances[INSTANCES];
        pietra_stream *streams[2];
        const pietra_stream *nested;
        for (uint32_t i = 0; i < 2; i++) {
            pietra_scene *scene = random_scene_create(2 * seed + i, RANDOM_ANYTHING, SIDE / 3);
            fill(scene, "M 0 0 Q 9 9 20 3 L 4 18 Z", &ink);
            streams[i] = encode_and_destroy(scene);
        }
        snprintf(name, sizeof name, "composition %llu", (unsigned long long)seed);
        for (uint32_t set = 0; set < 4; set++) {
            if (set < 3)
                place_instances(&source, streams, instances);
            for (uint32_t i = 0; i < INSTANCES && set == 3; i++) /* they move, turn and grow */
                instances[i].transform = random_place(&source);
            if (set == 2) {
                ASSERT_OK(pietra_composition_set(inner, instances, INSTANCES / 2, error, &nested));
                instances[0] = (pietra_instance){.stream = nested, .transform = random_place(&source)};
            }
            compared += check_composition(name, composition, instances, &are_made);
            assert_true(are_made || (seed == 1 && set == 0));
        }
        pietra_stream_destroy(streams[0]);
        pietra_stream_destroy(streams[1]);
    }
    assert_true(compared > 10 * COMPOSITIONS);
    pietra_composition_destroy(composition);
    pietra_composition_destroy(inner);
}

/* A path of curves that bend in less than the pen's radius, or hardly at all, with cusps, loops and points on one
 * another. */
static pietra_path *random_curves(random_source *source)
{
    pietra_path *path = pietra_path_create();
    for (uint32_t i = 0; i < 8; i++) {
        double v[6];
        const double reach = random_below(source, 3) ? SIDE : 1;
        for (uint32_t k = 0; k < 6; k++)
            v[k] = random_between(source, 0, reach) + SIDE / 3.0;
        if (i == 0 || random_below(source, 5) == 0)
            pietra_path_move_to(path, v[0], v[1]);
        switch (random_below(source, 5)) {
        case 0:
            pietra_path_line_to(path, v[0], v[1]);
            break;
        case 1:
            pietra_path_quad_to(path, v[0], v[1], v[2], v[3]);
            break;
        case 2:
            pietra_path_cubic_to(path, v[0], v[1], v[0], v[1], v[4], v[5]);
            break;
        default:
            pietra_path_cubic_to(path, v[0], v[1], v[2], v[3], v[4], v[5]);
        }
        if (random_below(source, 6) == 0)
            pietra_path_close(path);
    }
    return path;
}

static pietra_stream *random_pens(uint64_t seed)
{
    random_source source = random_start(seed);
    pietra_scene *scene = pietra_scene_create();
    for (uint32_t i = 0; i < 4; i++) {
        pietra_path *path = random_curves(&source);
        const double dashes[] = {random_between(&source, 0.5, 40), random_between(&source, 0.1, 20)};
        const pietra_stroke stroke = {.width = pow(10, random_between(&source, -4, 3)),
                                      .cap = (pietra_cap)random_below(&source, 3),
                                      .join = (pietra_join)random_below(&source, 4),
                                      .miter_limit = random_between(&source, 1, 20),
                                      .dashes = dashes,
                                      .dash_count = random_below(&source, 3) == 0 ? 2 : 0};
        const pietra_transform skewed = {1, random_between(&source, -1, 1), random_between(&source, -2, 2), 1, 0, 0};
        ASSERT_OK(pietra_scene_stroke(scene, path, random_below(&source, 2) ? &skewed : NULL, &stroke, &RED, error));
        pietra_path_destroy(path);
    }
    return encode_and_destroy(scene);
}

static void test_pens(void **state)
{
    (void)state;
    uint32_t compared = 0;
    for (uint64_t seed = 1; seed <= RANDOM_SCENES; seed++) {
        char name[64];
        snprintf(name, sizeof name, "pens of seed %llu", (unsigned long long)seed);
        pietra_stream *stream = random_pens(seed);
        compared += check_stream(name, stream, SIDE);
        pietra_stream_destroy(stream);
    }
    assert_true(compared > 10 * RANDOM_SCENES);
}

/* Pens whose steps are too short to know their direction: where matrices leave nearly nothing of one of them, where
 * curves fold back; and boxes that are much larger than what they show. */
static void test_narrow_places(void **state)
{
    static const struct {
        const char *path;
        double width;
        pietra_cap cap;
        double miter_limit;
        pietra_transform shown, frame;
    } cases[] = {
        {"M 0 0 L -.25 -.25",
         .0185,
         PIETRA_CAP_SQUARE,
         4,
         {1, -.776177, .938599, -.728526, 0, 0},
         {-2.7, 1.02, -1.02, -2.7, 42, 73}},
        {"M -.0867 -.0191 L .0867 .0333 M -.0384 -.0156",
         2.372,
         PIETRA_CAP_ROUND,
         4,
         {1, 0, 0, 1, 0, 0},
         {0, .0084081, -8.4081e-6, .0146886, 57, 30}},
        {"M -.25 -.25 Q 0 -.25 -.25 -.25",
         44.2,
         PIETRA_CAP_BUTT,
         4,
         {1, 0, 0, 1, 0, 0},
         {-57, -1.25, 1.25, -57, 54, 80}},
        {"M -.964 12.457 Q -10.57 5.469 -.964 12.457",
         185.6,
         PIETRA_CAP_SQUARE,
         4,
         {1, 0, 0, 1, 0, 0},
         {5.1, .53, -.53, 5.1, 80, 63}},
        {"M 4.877 -1.386 C 7.183 3.766 -5.751 6.082 -2.164 -1.93 Z M 2.959 2.754",
         1.2774,
         PIETRA_CAP_ROUND,
         215.8,
         {1, 0, 0, 1, 0, 0},
         {.36928, 0, 0, .36928, 80, 80}},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char name[64];
        pietra_scene *scene = new_scene();
        pietra_path *path = path_from(cases[i].path);
        const pietra_stroke stroke = {
            .width = cases[i].width, .cap = cases[i].cap, .miter_limit = cases[i].miter_limit};
        stream_sums sums = {.id = 0};
        snprintf(name, sizeof name, "narrow place %zu", i);
        ASSERT_OK(pietra_scene_stroke(scene, path, &cases[i].shown, &stroke, &RED, error));
        pietra_path_destroy(path);
        pietra_stream *stream = encode_and_destroy(scene);
        assert_true(stream_sums_make(stream, &sums));
        assert_true(check_frame(name, stream, &sums, cases[i].frame, SIDE));
        stream_sums_free(&sums);
        pietra_stream_destroy(stream);
    }
}

/* What has no path is as high as it was wide, if the frame turns it. */
static void test_turned_groups(void **state)
{
    (void)state;
    stream_sums sums = {.id = 0};
    pietra_scene *scene = new_scene();
    for (int i = 0; i < 20; i++)
        begin_group(scene, 0.5f);
    fill(scene, "M 0 0 L 150 0 L 150 1 Z", &RED);
    fill(scene, "M 0 2 L 150 2 L 150 1 Z", &RED);
    for (int i = 0; i < 20; i++)
        end_group(scene);
    pietra_stream *stream = encode_and_destroy(scene);
    assert_true(stream_sums_make(stream, &sums));
    assert_true(check_frame("turned groups", stream, &sums, (pietra_transform){0, 1, -1, 0, 80, 5}, SIDE));
    stream_sums_free(&sums);
    pietra_stream_destroy(stream);
}

/* A stream may say that the same path has a larger box elsewhere. */
static void test_other_boxes(void **state)
{
    (void)state;
    stream_sums sums = {.id = 0};
    pietra_scene *scene = new_scene();
    pietra_path *path = path_from("M 0 0 L 9 1 L 3 5 Z");
    for (uint32_t i = 0; i < 40; i++)
        ASSERT_OK(pietra_scene_fill(scene, path, NULL, PIETRA_FILL_NONZERO, &RED, error));
    pietra_path_destroy(path);
    pietra_stream *stream = encode_and_destroy(scene), *opened;
    size_t bytes;
    const void *words = pietra_stream_bytes(stream, &bytes);
    uint32_t *copy = malloc(bytes);
    assert_non_null(copy);
    memcpy(copy, words, bytes);
    stream_element *elements = (stream_element *)(copy + stream_get_header(stream)->elements);
    for (uint32_t i = 1; i < 40; i++)
        elements[i].box_x1 = elements[i].box_y1 = 150;
    ASSERT_OK(pietra_stream_open(copy, bytes, error, &opened));
    assert_true(stream_sums_make(opened, &sums));
    assert_true(check_frame("other boxes", opened, &sums, (pietra_transform){1, 0, 0, 1, 2, 2}, SIDE));
    stream_sums_free(&sums);
    pietra_stream_destroy(opened);
    pietra_stream_destroy(stream);
    free(copy);
}

static void test_scenes(void **state)
{
    (void)state;
    scene_files files = scene_files_find();
    uint32_t compared = 0;
    for (size_t i = 0; i < files.count; i++) {
        uint32_t width, height;
        pietra_stream *stream;
        ASSERT_OK(scene_files_load(files.names[i], error, &stream, &width, &height));
        compared += check_stream(files.names[i], stream, fmin(width, SCENE_SIDE));
        pietra_stream_destroy(stream);
    }
    assert_true(compared > files.count);
    scene_files_free(&files);
}

/* What is known of a path from one paint does not hold for another. */
static void test_other_paints(void **state)
{
    (void)state;
    static const pietra_stop stops[] = {{0, {1, 0, 0, 1}}, {1, {0, 0, 1, 1}}};
    const pietra_paint linear = pietra_linear(0, 0, 9, 0, stops, 2);
    float work[2][3];
    for (int shares = 0; shares < 2; shares++) {
        stream_sums sums = {.id = 0};
        pietra_scene *scene = new_scene();
        pietra_path *paths[3];
        for (int i = 0; i < 3; i++) {
            paths[i] = path_from("M 0 0 L 9 1 L 3 5 Z");
            ASSERT_OK(pietra_scene_fill(scene, paths[shares ? 0 : i], NULL, PIETRA_FILL_NONZERO,
                                        i == 1 ? &linear : &RED, error));
        }
        pietra_stream *stream = encode_and_destroy(scene);
        assert_true(stream_sums_make(stream, &sums));
        for (int i = 0; i < 3; i++) {
            work[shares][i] = sums.elements[i].work;
            pietra_path_destroy(paths[i]);
        }
        stream_sums_free(&sums);
        pietra_stream_destroy(stream);
    }
    assert_true(work[0][0] == work[0][2] && work[0][0] < work[0][1]);
    assert_memory_equal(work[0], work[1], sizeof work[0]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_random_scenes), cmocka_unit_test(test_compositions),
                                       cmocka_unit_test(test_pens),          cmocka_unit_test(test_narrow_places),
                                       cmocka_unit_test(test_turned_groups), cmocka_unit_test(test_other_boxes),
                                       cmocka_unit_test(test_other_paints),  cmocka_unit_test(test_scenes)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
