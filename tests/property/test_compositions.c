/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* A composition's stream draws what the scenes of its instances draw, appended to one scene under the same transforms,
 * clips and groups. It is a stream like any other: its bytes open, and all devices draw the same.
 *
 *   test_compositions [PART] [SEED] */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "all_sizes.h"
#include "pietra/pietra_instance.h"
#include "property/property.h"
#include "property/random_effect.h"
#include "scene/stream.h"

#define SEEDS (all_sizes() ? 200u : 8u)
#define SETS 3u /* of one composition, one after the other */
#define SCENES 4u
#define MOST_SHOWN 7u

/* Scenes and their streams. Those of slots and of patterns are there as often as others. */
typedef struct stock {
    pietra_scene *scenes[SCENES];
    pietra_stream *streams[SCENES];
} stock;

typedef enum place_kind {
    PLACE_WHOLE,   /* offsets and clips by whole numbers: edges are not rounded in another way */
    PLACE_ANYWHERE /* any transform */
} place_kind;

static random_kind kind_of_seed(uint64_t seed)
{
    return seed % 4 == 0 ? RANDOM_DYADIC : RANDOM_ANYTHING;
}

/* A scene that shows an image of another one, which shows the same image as it does. */
static pietra_scene *pattern_scene(uint64_t seed)
{
    pietra_error error;
    pietra_image *inner, *outer;
    pietra_scene *scene = random_scene_create(seed, RANDOM_DYADIC, 24), *made = pietra_scene_create();
    property_demand(pietra_image_create_from_scene(scene, 24, 24, &error, &inner), &error);
    property_demand(pietra_scene_draw_image(scene, inner, NULL, PIETRA_FILTER_SMOOTH, &error), &error);
    property_demand(pietra_image_create_from_scene(scene, 20, 28, &error, &outer), &error);
    const pietra_paint paint = {.kind = PIETRA_PAINT_IMAGE, .image = outer, .spread = PIETRA_SPREAD_REPEAT};
    pietra_path *path = pietra_path_create();
    pietra_path_ellipse(path, 50, 40, 45, 30);
    property_demand(pietra_scene_fill(made, path, NULL, PIETRA_FILL_NONZERO, &paint, &error), &error);
    property_demand(
        pietra_scene_draw_image(made, inner, &(pietra_transform){1, 0, 0, 1, 80, 80}, PIETRA_FILTER_SMOOTH, &error),
        &error);
    pietra_path_destroy(path);
    pietra_image_destroy(inner);
    pietra_image_destroy(outer);
    pietra_scene_destroy(scene);
    return made;
}

static stock stock_make(uint64_t seed)
{
    stock made;
    for (uint32_t i = 0; i < SCENES; i++) {
        const uint64_t own = 1000 * seed + i;
        const random_kind kind = kind_of_seed(seed);
        made.scenes[i] = kind == RANDOM_DYADIC || i < 3 ? random_scene_create(own, kind, SIDE / (1 + i))
                         : seed % 2                     ? random_effect_scene_create(own, SIDE)
                                                        : pattern_scene(own);
        made.streams[i] = property_encode(made.scenes[i]);
    }
    return made;
}

static void stock_destroy(stock *stock)
{
    for (uint32_t i = 0; i < SCENES; i++) {
        pietra_scene_destroy(stock->scenes[i]);
        pietra_stream_destroy(stock->streams[i]);
    }
}

static pietra_transform random_place(random_source *source, place_kind kind)
{
    const uint32_t shape = random_below(source, 4);
    pietra_transform made = {.a = 1, .d = 1};
    made.e = floor(random_between(source, -30, 90));
    made.f = floor(random_between(source, -30, 90));
    if (kind == PLACE_WHOLE)
        return shape == 0 ? (pietra_transform){0} : made;
    made.e += random_between(source, 0, 1);
    if (shape > 0)
        made.a = made.d = random_between(source, 0.2, 2);
    if (shape > 1) {
        made.b = random_between(source, -1, 1);
        made.c = random_between(source, -1, 1);
    }
    return made;
}

static pietra_box random_clip(random_source *source, place_kind kind)
{
    pietra_box made = {random_between(source, -20, 60), random_between(source, -20, 60), 0, 0};
    made.x1 = made.x0 + random_between(source, -3, 90);
    made.y1 = made.y0 + random_between(source, 2, 90);
    if (kind == PLACE_WHOLE)
        made = (pietra_box){floor(made.x0), floor(made.y0), floor(made.x1), floor(made.y1)};
    return random_below(source, 3) ? (pietra_box){0} : made;
}

/* Fills in instances. Returns their number. */
static uint32_t random_instances(random_source *source, place_kind kind, const pietra_stream *const *streams,
                                 uint32_t stream_count, pietra_instance *instances)
{
    const uint32_t count = random_below(source, MOST_SHOWN + 1);
    for (uint32_t i = 0; i < count; i++) {
        const float fading = random_below(source, 2) ? (float)random_between(source, -0.2, 1.1) : 0;
        instances[i] = (pietra_instance){.stream = streams[random_below(source, stream_count)], .id = 100 + i};
        instances[i].transparency = random_below(source, 8) ? fading : 1e-4f;
        instances[i].transform = random_place(source, kind);
        instances[i].clip = random_clip(source, kind);
    }
    return count;
}

/* Adds to a scene what an instance shows. */
static void append_instance(pietra_scene *scene, const pietra_instance *instance, const pietra_scene *shown)
{
    pietra_error error;
    const pietra_box clip = instance->clip;
    const bool clips = clip.x0 != 0 || clip.y0 != 0 || clip.x1 != 0 || clip.y1 != 0;
    const pietra_transform identity = {.a = 1, .d = 1};
    const bool is_zero = instance->transform.a == 0 && instance->transform.d == 0;
    if (clips) {
        pietra_path *path = pietra_path_create();
        if (clip.x0 < clip.x1 && clip.y0 < clip.y1)
            pietra_path_rect(path, clip.x0, clip.y0, clip.x1 - clip.x0, clip.y1 - clip.y0);
        property_demand(pietra_scene_begin_clip(scene, path, NULL, PIETRA_FILL_NONZERO, &error), &error);
        pietra_path_destroy(path);
    }
    if (instance->transparency > 0)
        property_demand(pietra_scene_begin_group(scene, 1 - instance->transparency, &error), &error);
    property_demand(pietra_scene_append(scene, shown, is_zero ? &identity : &instance->transform, &error), &error);
    if (instance->transparency > 0)
        property_demand(pietra_scene_end_group(scene, &error), &error);
    if (clips)
        property_demand(pietra_scene_end_clip(scene, &error), &error);
}

static const pietra_scene *scene_of(const stock *stock, const pietra_stream *stream)
{
    for (uint32_t i = 0; i < SCENES; i++)
        if (stock->streams[i] == stream)
            return stock->scenes[i];
    abort();
}

static pietra_scene *append_all(const stock *stock, const pietra_instance *instances, uint32_t count)
{
    pietra_scene *scene = pietra_scene_create();
    for (uint32_t i = 0; i < count; i++)
        append_instance(scene, &instances[i], scene_of(stock, instances[i].stream));
    return scene;
}

static const pietra_stream *compose(pietra_composition *composition, const pietra_instance *instances, uint32_t count)
{
    pietra_error error;
    const pietra_stream *stream;
    property_demand(pietra_composition_set(composition, instances, count, &error, &stream), &error);
    return stream;
}

static void expect_valid(property_test *test, const char *name, const pietra_stream *stream)
{
    pietra_error error;
    pietra_stream *opened;
    size_t size;
    const void *bytes = pietra_stream_bytes(stream, &size);
    if (pietra_stream_open(bytes, size, &error, &opened) != PIETRA_OK)
        panel_fail(test->devices, name, "%s", error.message);
    else
        pietra_stream_destroy(opened);
}

/* Returns how many pixels differ by more than a level in a channel, times its alpha. A layer around it may double a
 * difference. */
static uint32_t count_far(const picture *a, const picture *b)
{
    const int most = 2 * 255;
    uint32_t far = 0;
    for (size_t i = 0; i < (size_t)a->width * a->height; i++) {
        bool differs = false;
        for (size_t k = 0; k < 4; k++) {
            const int x = a->pixels[4 * i + k] * (k < 3 ? a->pixels[4 * i + 3] : 255),
                      y = b->pixels[4 * i + k] * (k < 3 ? b->pixels[4 * i + 3] : 255);
            differs = differs || abs(x - y) > most;
        }
        far += differs;
    }
    return far;
}

/* Returns how many layers are painted by themselves or over a copy. Scenes make them also around what blends and was
 * left out of the stream, since it paints nothing. Then colours may be rounded in another way. */
static uint32_t count_apart(const pietra_stream *stream)
{
    const stream_view view = stream_view_of(stream_words(stream));
    uint32_t apart = 0;
    for (uint32_t i = 0; i < view.header->element_count; i++)
        apart += (view.elements[i].kind & (ELEMENT_ISOLATED | ELEMENT_COPIES_DESTINATION)) != 0;
    return apart;
}

static random_kind kind_of_streams(uint64_t seed, const pietra_stream *a, const pietra_stream *b)
{
    return count_apart(a) == count_apart(b) ? kind_of_seed(seed) : RANDOM_ANYTHING;
}

/* Where nothing is rounded the pictures are equal. A gradient's map may be rounded in another way anywhere, an edge
 * under transforms that turn or scale. */
static void expect_alike(property_test *test, const char *name, random_kind random, place_kind kind, picture expected,
                         picture found)
{
    const bool is_exact = kind == PLACE_WHOLE && random == RANDOM_DYADIC;
    const uint32_t far = count_far(&expected, &found), most = kind == PLACE_WHOLE ? 16 : SIDE * SIDE / 200;
    if (is_exact || far > most)
        panel_expect_equal(test->devices, name, &expected, &found);
    picture_destroy(&expected);
    picture_destroy(&found);
}

/* Composes a few times, and compares with what is appended. */
static void check_sets(property_test *test, uint64_t seed, place_kind kind)
{
    char name[100];
    random_source source = random_start(seed);
    stock stock = stock_make(seed);
    pietra_composition *composition = pietra_composition_create();
    pietra_instance instances[MOST_SHOWN];
    snprintf(name, sizeof name, "property/compositions_%s_seed_%llu", kind == PLACE_WHOLE ? "whole" : "anywhere",
             (unsigned long long)seed);
    for (uint32_t i = 0; i < SETS; i++) {
        const uint32_t device = (uint32_t)(seed + i) % test->devices->count,
                       count = random_instances(&source, kind, (const pietra_stream *const *)stock.streams, SCENES,
                                                instances);
        const pietra_stream *composed = compose(composition, instances, count);
        pietra_scene *scene = append_all(&stock, instances, count);
        pietra_stream *appended = property_encode(scene);
        expect_valid(test, name, composed);
        picture expected = property_draw(test, device, name, appended, NULL);
        picture found = i == 0 ? panel_draw_all(test->devices, name, composed, NULL, SIDE, SIDE)
                               : property_draw(test, device, name, composed, NULL);
        expect_alike(test, name, kind_of_streams(seed, appended, composed), kind, expected, found);
        pietra_stream_destroy(appended);
        pietra_scene_destroy(scene);
    }
    pietra_composition_destroy(composition);
    stock_destroy(&stock);
}

static void check_all(property_test *test, place_kind kind)
{
    for (uint64_t seed = test->only ? test->only : 1; seed <= (test->only ? test->only : SEEDS); seed++)
        check_sets(test, seed, kind);
}

static void check_whole(property_test *test)
{
    check_all(test, PLACE_WHOLE);
}

static void check_anywhere(property_test *test)
{
    check_all(test, PLACE_ANYWHERE);
}

/* Compositions shown by others draw what scenes appended to scenes draw. */
static void check_nested(property_test *test)
{
    for (uint64_t seed = test->only ? test->only : 1; seed <= (test->only ? test->only : SEEDS); seed++) {
        char name[100];
        random_source source = random_start(seed + 5000);
        stock stock = stock_make(seed + 5000), outer;
        pietra_composition *compositions[SCENES + 1];
        pietra_instance instances[MOST_SHOWN];
        const pietra_stream *streams[SCENES];
        snprintf(name, sizeof name, "property/compositions_nested_seed_%llu", (unsigned long long)seed);
        for (uint32_t i = 0; i < SCENES; i++) {
            const uint32_t count =
                random_instances(&source, PLACE_WHOLE, (const pietra_stream *const *)stock.streams, SCENES, instances);
            compositions[i] = pietra_composition_create();
            streams[i] = compose(compositions[i], instances, count);
            outer.scenes[i] = append_all(&stock, instances, count);
            outer.streams[i] = property_encode(outer.scenes[i]);
        }
        compositions[SCENES] = pietra_composition_create();
        const uint32_t count = random_instances(&source, PLACE_WHOLE, streams, SCENES, instances);
        const pietra_stream *composed = compose(compositions[SCENES], instances, count);
        expect_valid(test, name, composed);
        for (uint32_t i = 0; i < count; i++)
            for (uint32_t k = 0; k < SCENES; k++)
                if (instances[i].stream == streams[k]) {
                    instances[i].stream = outer.streams[k];
                    break;
                }
        pietra_scene *scene = append_all(&outer, instances, count);
        pietra_stream *appended = property_encode(scene);
        const uint32_t device = (uint32_t)(seed % test->devices->count);
        expect_alike(test, name, kind_of_streams(seed + 5000, appended, composed), PLACE_WHOLE,
                     property_draw(test, device, name, appended, NULL),
                     property_draw(test, device, name, composed, NULL));
        pietra_stream_destroy(appended);
        pietra_scene_destroy(scene);
        for (uint32_t i = 0; i <= SCENES; i++)
            pietra_composition_destroy(compositions[i]);
        stock_destroy(&stock);
        stock_destroy(&outer);
    }
}

/* Changes an instance, takes one away or puts one in between. Returns how many there are. */
static uint32_t change_instances(random_source *source, const stock *stock, pietra_instance *instances, uint32_t count)
{
    pietra_instance more[MOST_SHOWN];
    const uint32_t at = random_below(source, count + 1), drawn = random_below(source, 4);
    uint32_t added = 0;
    while (added == 0)
        added = random_instances(source, PLACE_ANYWHERE, (const pietra_stream *const *)stock->streams, SCENES, more);
    if (drawn == 0 && count < MOST_SHOWN) {
        memmove(instances + at + 1, instances + at, (count - at) * sizeof *instances);
        instances[at] = more[0];
        return count + 1;
    }
    if (at == count)
        return count;
    if (drawn == 1) {
        memmove(instances + at, instances + at + 1, (count - at - 1) * sizeof *instances);
        return count - 1;
    }
    if (drawn == 2)
        instances[at] = more[0];
    else
        instances[at].transform = more[0].transform;
    return count;
}

static bool is_within(const pietra_pixel_box *boxes, size_t count, uint32_t x, uint32_t y)
{
    for (size_t i = 0; i < count; i++)
        if (x >= boxes[i].x0 && x < boxes[i].x1 && y >= boxes[i].y0 && y < boxes[i].y1)
            return true;
    return false;
}

/* Pixels that differ from the picture before lie in the boxes of damage. Returns how many pixels lie outside. */
static uint32_t expect_damage(property_test *test, const char *name, const pietra_pixel_box *boxes, size_t box_count,
                              const picture *before, const picture *after)
{
    uint32_t outside = 0;
    for (uint32_t i = 0; i < SIDE * SIDE; i++) {
        if (is_within(boxes, box_count, i % SIDE, i / SIDE))
            continue;
        outside++;
        if (memcmp(before->pixels + 4 * i, after->pixels + 4 * i, 4) != 0) {
            panel_fail(test->devices, name, "pixel %u, %u differs beside the damage", i % SIDE, i / SIDE);
            break;
        }
    }
    return outside;
}

/* A square and a clip beside it, whose edges lie in one column of pixels, so that something shows in it. The clip is
 * the instance's, or stands in the scene. */
static void check_shared_pixels(property_test *test)
{
    static const pietra_box clip = {20.4, 0, 40, 60};
    for (uint32_t within = 0; within < 2; within++) {
        const char *name = "property/compositions_shared_pixels";
        pietra_error error;
        pietra_scene *scene = pietra_scene_create();
        pietra_path *square = pietra_path_create(), *edge = pietra_path_create();
        pietra_composition *composition = pietra_composition_create();
        const pietra_paint paint = pietra_solid(1, 0, 0, 1);
        pietra_pixel_box box;
        pietra_path_rect(square, 10.1, 10, 10, 10);
        pietra_path_rect(edge, clip.x0, clip.y0, clip.x1 - clip.x0, clip.y1 - clip.y0);
        if (within)
            property_demand(pietra_scene_begin_clip(scene, edge, NULL, PIETRA_FILL_NONZERO, &error), &error);
        property_demand(pietra_scene_fill(scene, square, NULL, PIETRA_FILL_NONZERO, &paint, &error), &error);
        if (within)
            property_demand(pietra_scene_end_clip(scene, &error), &error);
        pietra_stream *stream = property_encode(scene);
        const pietra_instance shown = {
            .stream = stream, .transform = {1, 0, 0, 1, 0, 0}, .clip = within ? (pietra_box){0} : clip};
        picture before = property_draw(test, 1, name, compose(composition, NULL, 0), NULL);
        picture after = property_draw(test, 1, name, compose(composition, &shown, 1), NULL);
        const size_t count = pietra_composition_damage(composition, NULL, 1, &box);
        if (memcmp(before.pixels, after.pixels, (size_t)4 * SIDE * SIDE) == 0)
            panel_fail(test->devices, name, "nothing shows");
        (void)expect_damage(test, name, &box, count, &before, &after);
        picture_destroy(&before);
        picture_destroy(&after);
        pietra_composition_destroy(composition);
        pietra_stream_destroy(stream);
        pietra_path_destroy(square);
        pietra_path_destroy(edge);
        pietra_scene_destroy(scene);
    }
}

static void check_damage(property_test *test)
{
    uint32_t outside = 0;
    for (uint64_t seed = test->only ? test->only : 1; seed <= (test->only ? test->only : 4 * SEEDS); seed++) {
        char name[100];
        random_source source = random_start(seed + 9400);
        stock stock = stock_make(seed + 9400);
        pietra_composition *composition = pietra_composition_create();
        pietra_instance instances[MOST_SHOWN];
        const pietra_transform place = random_place(&source, PLACE_ANYWHERE);
        const pietra_frame frame = {
            .transform = {place.a / 2, place.b / 2, place.c / 2, place.d / 2, place.e, place.f}};
        uint32_t count =
            random_instances(&source, PLACE_ANYWHERE, (const pietra_stream *const *)stock.streams, SCENES, instances);
        snprintf(name, sizeof name, "property/compositions_damage_seed_%llu", (unsigned long long)seed);
        picture before = property_draw(test, 1, name, compose(composition, instances, count), &frame);
        for (uint32_t i = 0; i < 2 * SETS; i++) {
            pietra_pixel_box boxes[4];
            count = change_instances(&source, &stock, instances, count);
            picture after = property_draw(test, 1, name, compose(composition, instances, count), &frame);
            const size_t box_count = pietra_composition_damage(composition, &frame.transform, 1 + i % 4, boxes);
            outside += expect_damage(test, name, boxes, box_count, &before, &after);
            picture_destroy(&before);
            before = after;
        }
        picture_destroy(&before);
        pietra_composition_destroy(composition);
        stock_destroy(&stock);
    }
    if (!test->only && outside < SEEDS * SIDE * SIDE)
        panel_fail(test->devices, "property/compositions_damage", "%u pixels alone are not damaged", outside);
}

int main(int argc, char **argv)
{
    static const property_check checks[] = {
        {"whole", check_whole},   {"anywhere", check_anywhere},
        {"nested", check_nested}, {"shared_pixels", check_shared_pixels},
        {"damage", check_damage},
    };
    return property_run(checks, sizeof checks / sizeof checks[0], argc, argv);
}
