/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The edges of drawn images, on every device: an upright one covers whole pixels, a turned one covers what a filled
 * rectangle covers, and the exact renderer agrees. Colours play no part: images and shapes have one colour. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "exact/exact.h"
#include "golden/panel.h"
#include "property/random_scene.h"
#include "scene/scene_fixture.h"

#define SIDE 96u
#define PI 3.14159265358979323846
#define IMAGE_WIDTH 20
#define IMAGE_HEIGHT 12
#define RANDOM_IMAGES 60u

static const pietra_color opaque = {1, 0, 0, 1};
static const pietra_color translucent = {0, 0, 1, 0.6f};

static pietra_transform turned(double turn, double scale, double x, double y)
{
    return (pietra_transform){scale * cos(turn), scale * sin(turn), -scale * sin(turn), scale * cos(turn), x, y};
}

static void fill_rect(pietra_scene *scene, double x, double y, double width, double height,
                      const pietra_transform *transform, pietra_color color)
{
    const pietra_paint paint = {.color = color};
    pietra_path *path = pietra_path_create();
    pietra_path_rect(path, x, y, width, height);
    ASSERT_OK(pietra_scene_fill(scene, path, transform, PIETRA_FILL_NONZERO, &paint, error));
    pietra_path_destroy(path);
}

static pietra_image *image_of_color(pietra_color color)
{
    pietra_image *image;
    uint32_t texels[IMAGE_WIDTH * IMAGE_HEIGHT];
    const float channels[4] = {color.r, color.g, color.b, color.a};
    uint32_t texel = 0;
    for (int i = 0; i < 4; i++)
        texel |= (uint32_t)lround(255 * (double)channels[i]) << 8 * i;
    for (int i = 0; i < IMAGE_WIDTH * IMAGE_HEIGHT; i++)
        texels[i] = texel;
    ASSERT_OK(pietra_image_create(IMAGE_WIDTH, IMAGE_HEIGHT, texels, 0, error, &image));
    return image;
}

static void draw_image(pietra_scene *scene, const pietra_transform *transform, pietra_color color)
{
    pietra_image *image = image_of_color(color);
    ASSERT_OK(pietra_scene_draw_image(scene, image, transform, PIETRA_FILTER_SMOOTH, error));
    pietra_image_destroy(image);
}

static void draw_rect(pietra_scene *scene, const pietra_transform *transform, pietra_color color)
{
    fill_rect(scene, 0, 0, IMAGE_WIDTH, IMAGE_HEIGHT, transform, color);
}

typedef void draw_function(pietra_scene *scene, const pietra_transform *transform, pietra_color color);

/* Over other shapes, which must show where an edge covers a part of a pixel: alone, in a group and in a clip to a
 * whole number of pixels. */
static pietra_stream *encode_over_shapes(draw_function *draw, const pietra_transform *transform, pietra_color color)
{
    pietra_scene *scene = pietra_scene_create();
    pietra_path *path = pietra_path_create();
    pietra_path_rect(path, 0, 0, SIDE, SIDE / 2);
    fill_rect(scene, -50, 20, 200, 30, NULL, (pietra_color){1, 1, 0, 1});
    draw(scene, transform, color);
    ASSERT_OK(pietra_scene_begin_group(scene, 0.5f, error));
    const pietra_transform moved = {transform->a, transform->b,     transform->c,
                                    transform->d, transform->e + 9, transform->f + 7};
    draw(scene, &moved, color);
    ASSERT_OK(pietra_scene_end_group(scene, error));
    ASSERT_OK(pietra_scene_begin_clip(scene, path, NULL, PIETRA_FILL_NONZERO, error));
    const pietra_transform higher = {transform->a, transform->b,      transform->c,
                                     transform->d, transform->e - 11, transform->f - 5};
    draw(scene, &higher, color);
    ASSERT_OK(pietra_scene_end_clip(scene, error));
    pietra_path_destroy(path);
    return encode_and_destroy(scene);
}

/* How many pixels are neither empty nor full. */
static uint32_t count_partial(const picture *image)
{
    uint32_t count = 0;
    for (size_t i = 0; i < (size_t)image->width * image->height; i++)
        count += image->pixels[4 * i + 3] != 0 && image->pixels[4 * i + 3] != 255;
    return count;
}

static picture draw_all(panel *devices, const char *name, const pietra_stream *stream, const pietra_frame *frame)
{
    picture image = panel_draw_all(devices, name, stream, frame, SIDE, SIDE);
    if (!image.pixels)
        image = picture_create(SIDE, SIDE); /* what went wrong has been counted */
    return image;
}

/* Draws two streams and compares. Frees the streams. */
static void expect_same(panel *devices, const char *name, pietra_stream *expected, pietra_stream *found,
                        const pietra_frame *frame)
{
    picture a = draw_all(devices, name, expected, frame), b = draw_all(devices, name, found, frame);
    panel_expect_equal(devices, name, &a, &b);
    picture_destroy(&a);
    picture_destroy(&b);
    pietra_stream_destroy(expected);
    pietra_stream_destroy(found);
}

/* Turned by the element, by the frame, or by both; skewed and mirrored too. A turn by 0.002 moves a corner by some ten
 * subpixels, and a scale of 3e4 moves three corners out of the range of snapped coordinates. */
static void check_turned(panel *devices)
{
    for (uint64_t seed = 1; seed <= RANDOM_IMAGES; seed++) {
        char name[100];
        random_source source = random_start(seed);
        double turn = seed % 9 == 0 ? 0.002 : random_between(&source, 0.03, 1.5) + PI / 2 * (double)(seed % 4);
        double scale = seed % 10 == 0 ? 3e4 : pow(4, random_between(&source, -1.5, 1));
        pietra_transform element =
            turned(turn, scale, random_between(&source, 20, 60), random_between(&source, 20, 60));
        if (seed % 3 == 0)
            element.c += 0.4 * scale;
        if (seed % 5 == 0)
            element.a = -element.a;
        const pietra_transform upright = {1.5, 0, 0, 1.25, 3.3, 2.7}, leaning = {1.1, 0.1, 0.3, 0.9, 1.7, -3.3};
        pietra_frame frame = {.transform = seed % 4 < 2 ? element : upright};
        const pietra_transform *inner = seed % 4 == 0 ? &upright : seed % 4 == 1 ? &leaning : &element;
        pietra_color color = seed % 2 ? opaque : translucent;
        snprintf(name, sizeof name, "image_edges/turned_seed_%llu", (unsigned long long)seed);
        expect_same(devices, name, encode_over_shapes(draw_rect, inner, color),
                    encode_over_shapes(draw_image, inner, color), &frame);
    }
}

/* Upright images cover whole pixels, to the nearest: under a frame's quarter turns, which cos and sin do not give
 * exactly, mirrored, turned by less than the corners are snapped by, and turned back by the frame. */
static void check_upright(panel *devices)
{
    const pietra_transform upright = {1, 0, 0, 1, 3.4, 4.3};
    const struct {
        pietra_transform element, frame;
        double x, y, width, height; /* whole pixels */
    } cases[] = {
        {upright, {2, 0, 0, 2, 1, 1}, 8, 10, 40, 24},
        {upright, turned(PI / 2, 2, 70, 10), 37, 17, 24, 40},
        {upright, turned(PI, 1, 70, 70), 47, 54, 20, 12},
        {upright, turned(-PI / 2, 1, 10.1, 70.2), 14, 47, 12, 20},
        {upright, {-1, 0, 0, 1, 60, 0}, 37, 4, 20, 12},
        {upright, turned(1e-6, 2, 1, 1), 8, 10, 40, 24},
        {{2, 0, 1e-6, 2, 7.8, 9.6}, {1, 0, 0, 1, 0, 0}, 8, 10, 40, 24},
        {turned(0.3, 2, 0, 0), turned(-0.3, 1, 7.8, 9.6), 8, 10, 40, 24},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char name[100];
        pietra_scene *expected = pietra_scene_create(), *found = pietra_scene_create();
        snprintf(name, sizeof name, "image_edges/upright_%zu", i);
        fill_rect(expected, cases[i].x, cases[i].y, cases[i].width, cases[i].height, NULL, opaque);
        draw_image(found, &cases[i].element, opaque);
        pietra_stream *right = encode_and_destroy(expected), *stream = encode_and_destroy(found);
        const pietra_frame frame = {.transform = cases[i].frame};
        picture a = draw_all(devices, name, right, NULL), b = draw_all(devices, name, stream, &frame);
        panel_expect_equal(devices, name, &a, &b);
        picture_destroy(&a);
        picture_destroy(&b);
        pietra_stream_destroy(right);
        pietra_stream_destroy(stream);
    }
}

/* One stream has whole pixels in an upright frame and smooth edges in one that turns it. If aliased edges are asked
 * for, it has none of these anywhere. */
static void check_frames(panel *devices)
{
    const pietra_transform place = {1.5, 0, 0, 1.5, 30.4, 24.3};
    for (int aliased = 0; aliased < 2; aliased++) {
        for (int turn = 0; turn < 4; turn++) {
            char name[100];
            const pietra_frame frame = {.transform = turned(0.2 * turn, 1, 0, 0)};
            pietra_scene *scene = pietra_scene_create();
            snprintf(name, sizeof name, "image_edges/frame_%d_%d", aliased, turn);
            pietra_scene_set_aliased(scene, aliased != 0);
            draw_image(scene, &place, opaque);
            pietra_stream *stream = encode_and_destroy(scene);
            picture image = draw_all(devices, name, stream, &frame);
            uint32_t partial = count_partial(&image);
            if (aliased || turn == 0 ? partial != 0 : partial < 50)
                panel_fail(devices, name, "%u pixels are covered in part", partial);
            picture_destroy(&image);
            pietra_stream_destroy(stream);
        }
    }
}

/* A scene as an image, which the exact renderer knows. It paints beyond the image's rectangle. */
static pietra_stream *encode_scene_image(const pietra_transform *transform)
{
    pietra_image *image;
    pietra_scene *shown = pietra_scene_create(), *scene = pietra_scene_create();
    fill_rect(shown, -9, -9, 99, 99, NULL, opaque);
    ASSERT_OK(pietra_image_create_from_scene(shown, IMAGE_WIDTH, IMAGE_HEIGHT, error, &image));
    pietra_scene_destroy(shown);
    ASSERT_OK(pietra_scene_draw_image(scene, image, transform, PIETRA_FILTER_SMOOTH, error));
    pietra_image_destroy(image);
    return encode_and_destroy(scene);
}

/* Snapping moves an edge by half of a 256th of a pixel, and levels are rounded. */
static void check_exact(panel *devices)
{
    const double limit = 2.5;
    float *exact = malloc((size_t)4 * SIDE * SIDE * sizeof *exact);
    for (int i = 0; exact && i < 12; i++) {
        char name[100];
        pietra_transform transform = turned(0.1 + 0.47 * i, 0.5 + 0.2 * i, 45.3, 41.8);
        transform.c += 0.1 * (i % 5);
        snprintf(name, sizeof name, "image_edges/exact_%d", i);
        pietra_stream *stream = encode_scene_image(&transform);
        picture image = draw_all(devices, name, stream, NULL);
        if (!exact_render(stream, NULL, SIDE, SIDE, exact))
            abort();
        exact_difference d = exact_compare(SIDE, SIDE, exact, image.pixels, true, limit);
        if (d.above > 0 || count_partial(&image) < 20)
            panel_fail(devices, name, "%u pixels are off, by %.1f at %u, %u; %u are covered in part", d.above,
                       d.greatest, d.x, d.y, count_partial(&image));
        picture_destroy(&image);
        pietra_stream_destroy(stream);
    }
    free(exact);
}

static pietra_stream *load(const char *content)
{
    double width, height;
    char text[1000];
    int length = snprintf(text, sizeof text,
                          "<svg xmlns='http://www.w3.org/2000/svg' width='%u' height='%u'>"
                          "<path d='M0 30h96v20H0z' fill='#fd0'/>%s</svg>",
                          SIDE, SIDE, content);
    pietra_scene *scene = pietra_scene_create();
    ASSERT_OK(pietra_scene_load_svg(scene, text, (size_t)length, NULL, error, &width, &height));
    return encode_and_destroy(scene);
}

/* What a viewport shows of a black texel is a black rectangle: if a slice is cut from it, if it fits, and if it is a
 * document. */
static void check_viewports(panel *devices)
{
#define TEXEL \
    "href='data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR42mNgYGAAAAAEAAHI6uv5AAAAAElFTkSuQ" \
    "mCC'"
    static const char *const ways[] = {
        "preserveAspectRatio='xMidYMid slice' " TEXEL,
        "preserveAspectRatio='none' " TEXEL,
        "href=\"data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg'%3E%3Cpath d='M-9-9h99v99h-99z'/%3E%3C/svg%3E\"",
    };
    static const char *const places[] = {"rotate(20)", "skewX(30)", "matrix(1 .3 .4 -.9 2 20)"};
    for (size_t way = 0; way < sizeof ways / sizeof ways[0]; way++) {
        for (size_t place = 0; place < sizeof places / sizeof places[0]; place++) {
            char name[100], rect[300], image[600];
            const pietra_frame frame = {.transform = turned(place == 1 ? 0.5 : 0, 1, 20, 0)};
            snprintf(name, sizeof name, "image_edges/viewport_%zu_%zu", way, place);
            snprintf(rect, sizeof rect, "<rect x='20.3' y='9.4' width='40' height='25' transform='%s'/>",
                     places[place]);
            snprintf(image, sizeof image, "<image x='20.3' y='9.4' width='40' height='25' transform='%s' %s/>",
                     places[place], ways[way]);
            expect_same(devices, name, load(rect), load(image), &frame);
        }
    }
}

int main(void)
{
    panel devices;
    panel_open(&devices, true);
    check_turned(&devices);
    check_upright(&devices);
    check_frames(&devices);
    check_exact(&devices);
    check_viewports(&devices);
    panel_close(&devices);
    printf("%u failures\n", devices.failures);
    return devices.failures != 0;
}
