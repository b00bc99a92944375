/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* One pixel explained: what happens there, in paint order, ends in the colour that the picture has. */
#include "pietra/pietra_explain.h"
#include "property/random_scene.h"
#include "render/open_device.h"

#define SIDE 600u /* side of the largest picture, which has several bins */
#define OPEN "<svg xmlns='http://www.w3.org/2000/svg' width='600' height='600'>\n"
#define CLOSE "\n</svg>"

typedef struct report {
    FILE *file;
    uint32_t lines[100]; /* lines of the document, indexed by label */
    pietra_pixel_step last;
    uint32_t count;
} report;

static void take_origin(void *user, uint32_t label, const pietra_svg_origin *origin)
{
    report *report = user;
    assert_true(label < sizeof report->lines / sizeof report->lines[0]);
    report->lines[label] = origin->line;
}

static void print_color(FILE *file, const uint8_t *color)
{
    fprintf(file, " %02x%02x%02x%02x", color[0], color[1], color[2], color[3]);
}

/* Writes EVENT KIND LINE: coverage/level depth source -> color, and leaves out what has its usual value. */
static void take_step(void *user, const pietra_pixel_step *step)
{
    static const char *const events[] = {"paints", "occluded", "clipped", "begins",
                                         "merges", "folds",    "source",  "ends"};
    static const char *const kinds[] = {"fill", "stroke", "clip", "mask", "group", "effect"};
    report *report = user;
    report->last = *step;
    report->count++;
    if (!report->file)
        return;
    fprintf(report->file, "%s %s %u: %u/%u", events[step->event], kinds[step->kind], report->lines[step->label],
            step->coverage, step->level);
    if (step->depth)
        fprintf(report->file, " in %u", step->depth);
    if (step->other != PIETRA_NO_ELEMENT)
        fprintf(report->file, " by %u", report->lines[step->other_label]);
    if (step->is_picture)
        fprintf(report->file, " picture");
    if (step->blend)
        fprintf(report->file, " blend %d", (int)step->blend);
    if (step->paint || step->paints_scene)
        fprintf(report->file, " paint %d%s", (int)step->paint, step->paints_scene ? " scene" : "");
    if (step->event == PIETRA_PIXEL_PAINTS || step->event >= PIETRA_PIXEL_ENDS_SOURCE)
        print_color(report->file, step->source);
    fprintf(report->file, " ->");
    print_color(report->file, step->color);
    fprintf(report->file, "\n");
}

static pietra_stream *stream_of(const char *content, report *report)
{
    pietra_error error = {.message = ""};
    pietra_scene *scene = pietra_scene_create();
    pietra_stream *stream = NULL;
    char *document = malloc(strlen(content) + sizeof OPEN CLOSE);
    assert_true(scene && document);
    sprintf(document, OPEN "%s" CLOSE, content);
    const pietra_svg_options options = {.origin = take_origin, .origin_user = report, .threads = 1};
    if (pietra_scene_load_svg(scene, document, strlen(document), &options, &error, NULL, NULL) != PIETRA_OK ||
        pietra_stream_encode(scene, &error, &stream) != PIETRA_OK) {
        fail_msg("%s", error.message);
    }
    pietra_scene_destroy(scene);
    free(document);
    return stream;
}

/* The result is the same for any device and any number of parts. */
static void check(const char *content, uint32_t x, uint32_t y, const char *expected)
{
    static const uint64_t budgets[] = {0, 1u << 18};
    report report = {.file = NULL};
    pietra_stream *stream = stream_of(content, &report);
    pietra_error error = {.message = ""};
    const pietra_target target = {.width = SIDE, .height = SIDE, .pixels = malloc(4 * SIDE * SIDE)};
    for (size_t i = 0; i < sizeof budgets / sizeof budgets[0]; i++) {
        char *text = NULL;
        size_t size;
        pietra_device *device = open_device(i ? PIETRA_DEVICE_CPU : PIETRA_DEVICE_REFERENCE, 2, budgets[i]);
        report.file = open_memstream(&text, &size);
        assert_non_null(report.file);
        if (pietra_explain_pixel(device, stream, NULL, &target, x, y, take_step, &report, &error) != PIETRA_OK)
            fail_msg("%s", error.message);
        fclose(report.file);
        assert_string_equal(text, expected);
        free(text);
        pietra_device_destroy(device);
    }
    free(target.pixels);
    pietra_stream_destroy(stream);
}

static void test_paint(void **state)
{
    (void)state;
    check(
        "<rect width='600' height='40' fill='red'/>\n<path d='M0 0h20v20.5h-20z' stroke='blue' stroke-width='2' fill='lime'/>\n"
        "<rect x='300' width='9' height='9'/>",
        20, 20, "paints fill 2: 255/255 ff0000ff -> ff0000ff\npaints stroke 3: 255/255 0000ffff -> 0000ffff\n");
    check(
        "<linearGradient id='g'><stop stop-color='red'/><stop offset='1' stop-color='red' stop-opacity='0'/></linearGradient>\n"
        "<rect width='100.5' height='40' fill='url(#g)'/>",
        100, 8, "paints fill 3: 128/255 paint 1 00000000 -> 00000000\n");
}

static void test_groups(void **state)
{
    (void)state;
    check("<rect width='60' height='40' fill='red'/>\n<g opacity='.5'>\n<rect width='40' height='40' fill='blue'/>\n"
          "<circle cx='20' cy='20' r='9' fill='lime'/></g>",
          20, 20,
          "paints fill 2: 255/255 ff0000ff -> ff0000ff\n"
          "begins group 3: 255/128 in 1 -> 00000000\n"
          "paints fill 4: 255/128 in 1 0000ffff -> 0000ffff\n"
          "paints fill 5: 255/128 in 1 00ff00ff -> 00ff00ff\n"
          "ends group 3: 255/128 00ff00ff -> 7f8000ff\n");
    check(
        "<rect width='60' height='40' fill='red'/>\n<g style='mix-blend-mode:screen'>\n<rect width='40' height='40' fill='blue'/></g>",
        20, 20,
        "paints fill 2: 255/255 ff0000ff -> ff0000ff\n"
        "begins group 3: 255/255 in 1 blend 2 -> 00000000\n"
        "paints fill 4: 255/255 in 1 0000ffff -> 0000ffff\n"
        "ends group 3: 255/255 blend 2 0000ffff -> ff00ffff\n");
}

static void test_clips(void **state)
{
    (void)state;
    check("<clipPath id='c'>\n<circle cx='20' cy='20' r='9'/>\n<circle cx='20' cy='20' r='8'/></clipPath>\n"
          "<rect width='60' height='40' fill='red' clip-path='url(#c)'/>",
          20, 20,
          "begins clip 2: 255/0 in 1 -> 00000000\n"
          "paints fill 3: 255/0 in 1 ffffffff -> ffffffff\n"
          "paints fill 4: 255/0 in 1 ffffffff -> ffffffff\n"
          "source clip 2: 255/255 in 1 ffffffff -> 00000000\n"
          "paints fill 5: 255/255 in 1 ff0000ff -> ff0000ff\n"
          "ends clip 2: 255/255 ff0000ff -> ff0000ff\n");
    check(
        "<clipPath id='b'><path d='M0 0h50v20.5h-50z'/></clipPath><clipPath id='c' clip-path='url(#b)'>\n<path d='M0 0h20.25v50H0z'/></clipPath>\n"
        "<path d='M0 0h70v60z' fill='red' clip-path='url(#c)'/>",
        20, 1,
        "begins clip 2: 64/64 in 1 -> 00000000\n"
        "merges clip 2: 255/64 in 1 -> 00000000\n"
        "paints fill 4: 255/64 in 1 ff0000ff -> ff0000ff\n"
        "ends clip 2: 255/64 ff0000ff -> 40000040\n");
}

static void test_folded_clips(void **state)
{
    (void)state;
    static const char *const nested =
        "<clipPath id='c'><rect width='32' height='32'/></clipPath>\n<g clip-path='url(#c)'>\n<rect width='60' height='40' "
        "fill='red'/>\n<rect y='90' width='60' height='40'/></g>";
    check(nested, 20, 20,
          "folds clip 2: 255/255 -> 00000000\n"
          "paints fill 4: 255/255 ff0000ff -> ff0000ff\n");
    check(nested, 40, 20, "clipped fill 4: 0/255 by 2 -> 00000000\n");
}

static void test_masks(void **state)
{
    (void)state;
    check(
        "<mask id='m'>\n<rect width='60' height='60' fill='gray'/></mask>\n<rect width='40.5' height='40.5' fill='red' mask='url(#m)'/>",
        20, 20,
        "begins mask 2: 255/0 in 1 -> 00000000\n"
        "begins clip 2: 255/255 in 2 -> 00000000\n"
        "paints fill 3: 255/255 in 2 808080ff -> 808080ff\n"
        "ends clip 2: 255/255 in 1 808080ff -> 808080ff\n"
        "source mask 2: 255/128 in 1 808080ff -> 00000000\n"
        "paints fill 4: 255/128 in 1 ff0000ff -> ff0000ff\n"
        "ends mask 2: 255/128 ff0000ff -> 80000080\n");
}

static void test_what_is_not_drawn(void **state)
{
    (void)state;
    /* Occluded in a tile, occluded in a bin, outside a clip that shows nothing in the tile, and inside a box that does
     * not contain the pixel. */
    check(
        "<circle cx='100' cy='100' r='50'/>\n<rect x='90' y='90' width='99' height='2'/>\n<path d='M60 60h90v91z' fill='red'/>",
        120, 100,
        "occluded fill 2: 255/255 by 4 -> 00000000\n"
        "paints fill 4: 255/255 ff0000ff -> ff0000ff\n");
    check("<circle cx='100' cy='100' r='50'/>\n<rect width='600' height='600' fill='red'/>", 120, 100,
          "occluded fill 2: 0/255 by 3 -> 00000000\n"
          "paints fill 3: 255/255 ff0000ff -> ff0000ff\n");
    check(
        "<clipPath id='c'>\n<circle cx='300' cy='300' r='200'/></clipPath>\n<rect width='600' height='600' fill='red' clip-path='url(#c)'/>",
        120, 120, "clipped fill 4: 255/255 by 2 -> 00000000\n");
    check(
        "<clipPath id='c'>\n<circle cx='300' cy='300' r='200'/></clipPath>\n<rect width='600' height='600' fill='red' clip-path='url(#c)'/>",
        99, 99, "clipped fill 4: 255/255 by 2 -> 00000000\n");
}

static void test_images(void **state)
{
    (void)state;
    check(
        "<pattern id='p' width='1' height='1' patternUnits='userSpaceOnUse'>\n<rect width='1' height='1' fill='red'/></pattern>\n"
        "<rect width='99' height='99' fill='url(#p)'/>",
        20, 20, "paints fill 4: 255/255 paint 3 scene ff0000ff -> ff0000ff\n");
}

/* What an effect is made of stands before what it paints, in groups and in other effects too. */
static void test_effects(void **state)
{
    (void)state;
    check(
        "<filter id='f'>\n<feOffset/></filter>\n<rect width='60' height='40' fill='red'/>\n"
        "<g opacity='.5'>\n<g filter='url(#f)'>\n<g opacity='.5'>\n<g filter='url(#f)'>\n<rect width='40' height='40' "
        "fill='blue'/></g></g></g>\n<rect x='30' y='30' width='9' height='9'/></g>",
        20, 20,
        "paints fill 4: 255/255 ff0000ff -> ff0000ff\n"
        "begins group 5: 255/128 in 1 -> 00000000\n"
        "begins effect 6: 255/255 in 2 -> 00000000\n"
        "begins group 8: 255/128 in 3 -> 00000000\n"
        "begins effect 8: 255/255 in 4 -> 00000000\n"
        "paints fill 9: 255/255 in 4 0000ffff -> 0000ffff\n"
        "ends effect 8: 255/255 in 3 0000ffff -> 00000000\n"
        "paints effect 8: 255/128 in 3 paint 3 0000ffff -> 0000ffff\n"
        "ends group 8: 255/128 in 2 0000ffff -> 00008080\n"
        "ends effect 6: 255/255 in 1 00008080 -> 00000000\n"
        "paints effect 6: 255/128 in 1 paint 3 00008080 -> 00008080\n"
        "ends group 5: 255/128 00008080 -> bf0040ff\n");
}

/* A backdrop's effect is made of all that lies below, and of the shape inside of which it shows. */
static void test_backdrop(void **state)
{
    (void)state;
    check("<rect width='60' height='40' fill='red'/>\n<rect x='10' width='60' height='40' fill='blue'/>\n"
          "<rect width='40' height='40' fill='none' style='backdrop-filter:invert(1)'/>",
          20, 20,
          "begins effect 4: 255/255 in 1 picture -> 00000000\n"
          "paints fill 4: 255/255 in 1 ffffffff -> ffffffff\n"
          "ends effect 4: 255/255 picture ffffffff -> 00000000\n"
          "begins effect 4: 255/255 in 1 -> 00000000\n"
          "occluded fill 2: 255/255 in 1 by 3 -> 00000000\n"
          "paints fill 3: 255/255 in 1 0000ffff -> 0000ffff\n"
          "ends effect 4: 255/255 0000ffff -> 00000000\n"
          "paints effect 4: 255/255 paint 3 ffff00ff -> ffff00ff\n");
}

/* What an effect paints may come from elsewhere in its source, and an opaque element may hide it. */
static void test_effects_that_move(void **state)
{
    (void)state;
    check("<filter id='f'>\n<feOffset dx='20'/></filter>\n<g filter='url(#f)'>\n<rect width='20' height='20'/>\n"
          "<rect x='20' width='20' height='20' fill='red'/></g>",
          30, 10,
          "begins effect 4: 255/255 in 1 -> 00000000\n"
          "paints fill 6: 255/255 in 1 ff0000ff -> ff0000ff\n"
          "ends effect 4: 255/255 ff0000ff -> 00000000\n"
          "paints effect 4: 255/255 paint 3 000000ff -> 000000ff\n");
    check("<filter id='f'>\n<feOffset/></filter>\n<g transform='rotate(90 20 20)' filter='url(#f)'>\n"
          "<rect width='20' height='20' fill='lime'/></g>\n<rect x='25' y='0' width='9' height='9'/>",
          23, 7,
          "begins effect 4: 255/255 in 1 -> 00000000\n"
          "paints fill 5: 255/255 in 1 00ff00ff -> 00ff00ff\n"
          "ends effect 4: 255/255 00ff00ff -> 00000000\n"
          "paints effect 4: 255/255 paint 3 00ff00ff -> 00ff00ff\n");
}

/* An effect says nothing beside what it paints, even where something opaque would hide it. */
static void test_beside_an_effect(void **state)
{
    (void)state;
    check("<filter id='f'>\n<feOffset/></filter>\n<g filter='url(#f)'>\n<path d='M0 0h20v20z'/></g>\n"
          "<rect width='600' height='600' fill='red'/>",
          26, 10, "paints fill 6: 255/255 ff0000ff -> ff0000ff\n");
}

#define RANDOM_SIDE 96u

/* The last step leaves the colour that the picture has, and no pixel differs from the picture drawn without an
 * explanation. */
static void check_random(pietra_device *device, uint32_t seed)
{
    static uint8_t drawn[4 * RANDOM_SIDE * RANDOM_SIDE], explained[4 * RANDOM_SIDE * RANDOM_SIDE];
    pietra_target target = {
        .width = RANDOM_SIDE, .height = RANDOM_SIDE, .format = PIETRA_FORMAT_RGBA8_PREMULTIPLIED, .pixels = drawn};
    const pietra_frame frame = {.background = {1, 0.5f, 0, 0.5f}};
    pietra_error error = {.message = ""};
    pietra_stream *stream = NULL;
    random_source source = random_start(seed);
    pietra_scene *scene = random_scene_create(seed, RANDOM_ANYTHING, RANDOM_SIDE);
    pietra_result result = pietra_stream_encode(scene, &error, &stream);
    pietra_scene_destroy(scene);
    assert_int_equal(result, PIETRA_OK);
    assert_int_equal(pietra_render(device, stream, &frame, &target, &error, NULL), PIETRA_OK);
    target.pixels = explained;
    for (int i = 0; i < 4; i++) {
        report report = {.file = NULL};
        uint32_t x = random_below(&source, RANDOM_SIDE), y = random_below(&source, RANDOM_SIDE);
        memset(explained, 0xaa, sizeof explained);
        assert_int_equal(pietra_explain_pixel(device, stream, &frame, &target, x, y, take_step, &report, &error),
                         PIETRA_OK);
        assert_memory_equal(explained, drawn, sizeof drawn);
        if (report.count > 0) {
            assert_memory_equal(report.last.color, drawn + 4 * (y * RANDOM_SIDE + x), 4);
            assert_int_equal(report.last.depth, 0);
        }
    }
    pietra_stream_destroy(stream);
}

static void test_random_scenes(void **state)
{
    (void)state;
    pietra_device *device = open_device(PIETRA_DEVICE_REFERENCE, 2, 0);
    for (uint32_t seed = 0; seed < 100; seed++)
        check_random(device, seed);
    pietra_device_destroy(device);
}

static void test_bad_arguments(void **state)
{
    (void)state;
    uint32_t pixels[4];
    pietra_error error = {.message = ""};
    report report = {.file = NULL};
    pietra_device *device = open_device(PIETRA_DEVICE_REFERENCE, 2, 0);
    pietra_stream *stream = stream_of("<circle r='9'/>", &report);
    const pietra_target target = {.width = 2, .height = 2, .pixels = pixels}, none = {.width = 2, .height = 2};
    pietra_stage_difference difference;
    assert_int_equal(pietra_explain_pixel(device, stream, NULL, &target, 2, 0, take_step, &report, &error),
                     PIETRA_ERROR_INPUT);
    assert_string_equal(error.message, "the pixel 2, 0 lies outside the picture of 2 x 2");
    assert_int_equal(pietra_explain_pixel(device, stream, NULL, &target, 0, UINT32_MAX, take_step, &report, NULL),
                     PIETRA_ERROR_INPUT);
    assert_int_equal(pietra_explain_pixel(NULL, stream, NULL, &target, 0, 0, take_step, &report, NULL),
                     PIETRA_ERROR_INPUT);
    assert_int_equal(pietra_explain_pixel(device, NULL, NULL, &target, 0, 0, take_step, &report, NULL),
                     PIETRA_ERROR_INPUT);
    assert_int_equal(pietra_explain_pixel(device, stream, NULL, NULL, 0, 0, take_step, &report, NULL),
                     PIETRA_ERROR_INPUT);
    assert_int_equal(pietra_explain_pixel(device, stream, NULL, &none, 0, 0, take_step, &report, NULL),
                     PIETRA_ERROR_INPUT);
    assert_int_equal(pietra_explain_pixel(device, stream, NULL, &target, 0, 0, NULL, &report, NULL),
                     PIETRA_ERROR_INPUT);
    assert_int_equal(report.count, 0);
    assert_int_equal(pietra_compare_stages(device, stream, NULL, 2, 2, &error, &difference), PIETRA_ERROR_INPUT);
    assert_string_equal(error.message, "stages are compared on a GPU, not on the device \"reference\"");
    assert_int_equal(pietra_compare_stages(NULL, stream, NULL, 2, 2, NULL, &difference), PIETRA_ERROR_INPUT);
    assert_int_equal(pietra_compare_stages(device, NULL, NULL, 2, 2, NULL, &difference), PIETRA_ERROR_INPUT);
    assert_int_equal(pietra_compare_stages(device, stream, NULL, 2, 2, NULL, NULL), PIETRA_ERROR_INPUT);
    pietra_stream_destroy(stream);
    pietra_device_destroy(device);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_paint),
        cmocka_unit_test(test_groups),
        cmocka_unit_test(test_clips),
        cmocka_unit_test(test_folded_clips),
        cmocka_unit_test(test_masks),
        cmocka_unit_test(test_what_is_not_drawn),
        cmocka_unit_test(test_images),
        cmocka_unit_test(test_effects),
        cmocka_unit_test(test_backdrop),
        cmocka_unit_test(test_effects_that_move),
        cmocka_unit_test(test_beside_an_effect),
        cmocka_unit_test(test_random_scenes),
        cmocka_unit_test(test_bad_arguments),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
