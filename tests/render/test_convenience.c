/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* What spares programs code: constructors, pushed transforms, scenes that are used again, and files. */
#include <dirent.h>
#include <fcntl.h>
#include <math.h>
#include <sys/stat.h>
#include <unistd.h>

#include <png.h>

#include "base/transform.h"
#include "scene/scene_fixture.h"

static void assert_near(pietra_transform a, pietra_transform b)
{
    const double *x = &a.a, *y = &b.a;
    for (int i = 0; i < 6; i++)
        assert_true(fabs(x[i] - y[i]) < 1e-12);
}

static void test_transforms(void **state)
{
    (void)state;
    double x = 2, y = 3;
    pietra_transform inverse, whole = pietra_multiply(pietra_translate(10, 20), pietra_scale(2, 4));
    pietra_map(whole, &x, &y);
    assert_true(x == 14 && y == 32);
    assert_true(pietra_invert(whole, &inverse));
    pietra_map(inverse, &x, &y);
    assert_true(x == 2 && y == 3);
    assert_false(pietra_invert(pietra_scale(0, 1), &inverse));
    assert_false(pietra_invert((pietra_transform){0}, &inverse));
    for (int quarters = -9; quarters < 9; quarters++) {
        x = 1, y = 0;
        pietra_map(pietra_rotate(90 * quarters), &x, &y);
        int turn = quarters & 3;
        assert_true(x == (turn == 0) - (turn == 2) && y == (turn == 1) - (turn == 3));
    }
    for (double degrees = -720; degrees < 720; degrees += 7.5) {
        double angle = degrees * acos(-1) / 180;
        assert_near(pietra_rotate(degrees), (pietra_transform){cos(angle), sin(angle), -sin(angle), cos(angle), 0, 0});
    }
    pietra_map(whole, NULL, &y);
    assert_false(pietra_invert(whole, NULL));
}

static void assert_same(pietra_stream *a, pietra_stream *b)
{
    size_t a_count, b_count;
    const void *a_bytes = pietra_stream_bytes(a, &a_count), *b_bytes = pietra_stream_bytes(b, &b_count);
    assert_int_equal(a_count, b_count);
    assert_memory_equal(a_bytes, b_bytes, a_count);
    pietra_stream_destroy(a);
    pietra_stream_destroy(b);
}

static void test_paints(void **state)
{
    (void)state;
    const pietra_stop stops[] = {{0, {1, 0, 0, 1}}, {1, {0, 0, 1, 1}}};
    pietra_paint made[] = {pietra_solid(0.1f, 0.2f, 0.3f, 0.4f), pietra_linear(1, 2, 3, 4, stops, 2),
                           pietra_radial(5, 6, 7, stops, 2), pietra_sweep(5, 6, 7, 8, stops, 2)};
    pietra_paint meant[] = {
        {.color = {0.1f, 0.2f, 0.3f, 0.4f}},
        {.kind = PIETRA_PAINT_LINEAR, .x0 = 1, .y0 = 2, .x1 = 3, .y1 = 4, .stops = stops, .stop_count = 2},
        {.kind = PIETRA_PAINT_RADIAL, .x0 = 5, .y0 = 6, .x1 = 5, .y1 = 6, .r1 = 7, .stops = stops, .stop_count = 2},
        {.kind = PIETRA_PAINT_SWEEP,
         .x0 = 5,
         .y0 = 6,
         .start_degrees = 7,
         .end_degrees = 8,
         .stops = stops,
         .stop_count = 2}};
    for (int i = 0; i < 4; i++) {
        pietra_scene *a = new_scene(), *b = new_scene();
        fill(a, "R 1 1 9 9", &made[i]);
        fill(b, "R 1 1 9 9", &meant[i]);
        assert_same(encode_and_destroy(a), encode_and_destroy(b));
    }
}

/* Draws by each call that takes a transform. */
static void add_all(pietra_scene *scene, const pietra_scene *other, const pietra_transform *transform)
{
    pietra_path *path = path_from("M 1 1 L 9 1 L 5 8 Z");
    ASSERT_OK(pietra_scene_begin_clip(scene, path, transform, PIETRA_FILL_NONZERO, error));
    ASSERT_OK(pietra_scene_fill(scene, path, transform, PIETRA_FILL_NONZERO, &RED, error));
    ASSERT_OK(pietra_scene_stroke(scene, path, transform, &(pietra_stroke){.width = 2}, &HALF, error));
    ASSERT_OK(pietra_scene_append(scene, other, transform, error));
    end_clip(scene);
    pietra_path_destroy(path);
}

/* Numbers have few bits, so that composing rounds nothing. */
static void test_pushed_transforms(void **state)
{
    (void)state;
    pietra_scene *a = new_scene(), *b = new_scene(), *other = new_scene();
    pietra_transform outer = {2, 1, -1, 2, 8, 4}, middle = {0.5, 0, 0, 2, 1, 1}, inner = {1, 1, 0, 1, 3, 5};
    pietra_transform both = pietra_multiply(outer, middle), all = pietra_multiply(both, inner);
    fill(other, "R 2 2 3 3", &RED);
    assert_int_equal(pietra_scene_pop_transform(a, NULL), PIETRA_ERROR_INPUT);
    ASSERT_OK(pietra_scene_push_transform(a, &outer, error));
    ASSERT_OK(pietra_scene_push_transform(a, &middle, error));
    add_all(a, other, &inner);
    add_all(a, other, NULL);
    ASSERT_OK(pietra_scene_push_transform(a, NULL, error));
    ASSERT_OK(pietra_scene_pop_transform(a, error));
    ASSERT_OK(pietra_scene_pop_transform(a, error));
    add_all(a, other, NULL);
    assert_int_equal(pietra_scene_push_transform(a, &(pietra_transform){.a = INFINITY}, NULL), PIETRA_ERROR_INPUT);
    ASSERT_OK(pietra_scene_pop_transform(a, error));
    add_all(a, other, NULL);
    add_all(b, other, &all);
    add_all(b, other, &both);
    add_all(b, other, &outer);
    add_all(b, other, NULL);
    assert_int_equal(pietra_scene_pop_transform(a, NULL), PIETRA_ERROR_INPUT);
    assert_same(encode_and_destroy(a), encode_and_destroy(b));
    a = new_scene();
    ASSERT_OK(pietra_scene_push_transform(a, &(pietra_transform){0}, error));
    ASSERT_OK(pietra_scene_append(a, other, NULL, error));
    fill(a, "R 1 1 9 9", &RED);
    assert_int_equal(pietra_scene_position(a), 0);
    static const char document[] = "<svg xmlns='http://www.w3.org/2000/svg'/>";
    assert_int_equal(pietra_scene_load_svg(a, document, sizeof document - 1, NULL, NULL, NULL, NULL),
                     PIETRA_ERROR_INPUT);
    pietra_scene_destroy(a);
    pietra_scene_destroy(other);
}

static void count_release(void *user)
{
    ++*(int *)user;
}

static void test_reset(void **state)
{
    (void)state;
    static const uint8_t pixel[4] = {255, 0, 0, 255};
    int released = 0;
    pietra_image *image = NULL;
    pietra_scene *scene = new_scene(), *fresh = new_scene();
    ASSERT_OK(pietra_image_create(1, 1, pixel, 0, error, &image));
    ASSERT_OK(pietra_scene_keep(scene, count_release, &released, error));
    ASSERT_OK(pietra_scene_push_transform(scene, &(pietra_transform){3, 0, 0, 3, 1, 1}, error));
    ASSERT_OK(pietra_scene_draw_image(scene, image, NULL, PIETRA_FILTER_SMOOTH, error));
    fill(scene, "R 1 1 9 9", &HALF);
    begin_group(scene, 0.5f);
    pietra_scene_set_aliased(scene, true);
    pietra_scene_set_label(scene, 7);
    pietra_image_destroy(image);
    pietra_scene_reset(scene);
    assert_int_equal(released, 1);
    assert_int_equal(pietra_scene_position(scene), 0);
    for (int i = 0; i < 2; i++)
        fill(i ? scene : fresh, "R 2 2 5 5", &RED);
    assert_same(encode_and_destroy(scene), encode_and_destroy(fresh));
    assert_int_equal(released, 1);
    pietra_scene_reset(NULL);
}

/* Makes a folder of its own. */
static void make_folder(char *folder)
{
    strcpy(folder, "/tmp/pietra_convenience_XXXXXX");
    assert_non_null(mkdtemp(folder));
}

/* Asserts that the folder holds one file, and removes both. */
static void remove_folder(const char *folder, const char *file)
{
    int count = 0;
    DIR *stream = opendir(folder);
    for (struct dirent *entry; (entry = readdir(stream));)
        count += entry->d_name[0] != '.';
    closedir(stream);
    assert_int_equal(count, 1);
    assert_int_equal(unlink(file), 0);
    assert_int_equal(rmdir(folder), 0);
}

static void test_documents_in_files(void **state)
{
    (void)state;
    static const char document[] = "<svg xmlns='http://www.w3.org/2000/svg' width='30' height='20'>"
                                   "<rect width='9' height='9' fill='red'/></svg>";
    char folder[64], path[128];
    double width = 0, height = 0;
    pietra_error error = {.message = ""};
    make_folder(folder);
    snprintf(path, sizeof path, "%s/a.svg", folder);
    FILE *file = fopen(path, "wb");
    assert_true(fwrite(document, 1, sizeof document - 1, file) == sizeof document - 1 && fclose(file) == 0);
    pietra_scene *a = new_scene(), *b = new_scene();
    ASSERT_OK(pietra_scene_load_svg_file(a, path, NULL, error, &width, &height));
    ASSERT_OK(pietra_scene_load_svg(b, document, sizeof document - 1, NULL, error, NULL, NULL));
    assert_true(width == 30 && height == 20);
    assert_int_equal(pietra_scene_load_svg_file(a, path, NULL, &error, NULL, NULL), PIETRA_ERROR_INPUT);
    assert_same(encode_and_destroy(a), encode_and_destroy(b));
    a = new_scene();
    for (int i = 0; i < 2; i++) {
        assert_int_equal(pietra_scene_load_svg_file(a, i ? folder : "/nonexistent/a", NULL, &error, NULL, NULL),
                         PIETRA_ERROR_IO);
        assert_non_null(strstr(error.message, i ? "directory" : "cannot open: No such file"));
    }
    assert_int_equal(pietra_scene_load_svg_file(NULL, path, NULL, &error, NULL, NULL), PIETRA_ERROR_INPUT);
    assert_int_equal(pietra_scene_load_svg_file(a, NULL, NULL, &error, NULL, NULL), PIETRA_ERROR_INPUT);
    pietra_scene_destroy(a);
    remove_folder(folder, path);
}

/* Asserts that a PNG has 2 x 2 pixels, these. */
static void assert_png(const void *bytes, size_t count, const uint8_t *wanted)
{
    uint8_t pixels[16];
    png_image image = {.version = PNG_IMAGE_VERSION};
    assert_true(png_image_begin_read_from_memory(&image, bytes, count));
    assert_true(image.width == 2 && image.height == 2);
    image.format = PNG_FORMAT_RGBA;
    assert_true(png_image_finish_read(&image, NULL, pixels, 0, NULL));
    assert_memory_equal(pixels, wanted, sizeof pixels);
}

static void test_png(void **state)
{
    (void)state;
    /* Rows with a gap between them. */
    uint8_t straight[24] = {1, 2, 3, 4, 255, 0, 128, 255, [12] = 9, 9, 9, 0, 200, 100, 50, 128};
    uint8_t premultiplied[24] = {0, 0, 0, 0, 255, 0, 128, 255, [12] = 64, 32, 0, 128, 128, 128, 64, 128};
    const uint8_t whole[16] = {1, 2, 3, 4, 255, 0, 128, 255, 9, 9, 9, 0, 200, 100, 50, 128};
    const uint8_t divided[16] = {0, 0, 0, 0, 255, 0, 128, 255, 128, 64, 0, 128, 255, 255, 128, 128};
    pietra_target target = {.width = 2, .height = 2, .pixels = straight, .stride_bytes = 12};
    pietra_error error;
    void *bytes = NULL;
    size_t count = 0;
    ASSERT_OK(pietra_encode_png(&target, error, &bytes, &count));
    assert_png(bytes, count, whole);
    char folder[64], path[128], there[1000];
    make_folder(folder);
    snprintf(path, sizeof path, "%s/a.png", folder);
    for (int i = 0; i < 2; i++) {
        ASSERT_OK(pietra_write_png(path, &target, error));
        FILE *file = fopen(path, "rb");
        assert_int_equal(fread(there, 1, sizeof there, file), count);
        assert_memory_equal(there, bytes, count);
        fclose(file);
    }
    /* A pipe is not replaced by a file. */
    char pipe[128];
    snprintf(pipe, sizeof pipe, "%s/pipe", folder);
    assert_int_equal(mkfifo(pipe, 0600), 0);
    int reader = open(pipe, O_RDWR | O_CLOEXEC);
    ASSERT_OK(pietra_write_png(pipe, &target, error));
    assert_int_equal(read(reader, there, sizeof there), count);
    assert_memory_equal(there, bytes, count);
    close(reader);
    assert_int_equal(unlink(pipe), 0);
    free(bytes);
    target.pixels = premultiplied;
    target.format = PIETRA_FORMAT_RGBA8_PREMULTIPLIED;
    ASSERT_OK(pietra_encode_png(&target, error, &bytes, &count));
    assert_png(bytes, count, divided);
    free(bytes);
    assert_int_equal(pietra_write_png("/nonexistent/a.png", &target, &error), PIETRA_ERROR_IO);
    assert_non_null(strstr(error.message, "No such file"));
    assert_int_equal(pietra_write_png(folder, &target, &error), PIETRA_ERROR_IO);
    target.stride_bytes = 7;
    assert_int_equal(pietra_write_png(path, &target, &error), PIETRA_ERROR_INPUT);
    assert_int_equal(pietra_write_png(NULL, &target, &error), PIETRA_ERROR_INPUT);
    assert_int_equal(pietra_encode_png(NULL, &error, &bytes, &count), PIETRA_ERROR_INPUT);
    assert_int_equal(pietra_encode_png(&target, &error, NULL, &count), PIETRA_ERROR_INPUT);
    assert_int_equal(pietra_encode_png(&target, &error, &bytes, NULL), PIETRA_ERROR_INPUT);
    remove_folder(folder, path);
}

#define FORMAT_SIDE 9u
#define FORMAT_STRIDE 44u

static void draw_format(pietra_device *device, const pietra_stream *stream, pietra_format format, bool may_spoil,
                        uint8_t *pixels)
{
    const pietra_target target = {.width = FORMAT_SIDE,
                                  .height = FORMAT_SIDE,
                                  .format = format,
                                  .pixels = pixels,
                                  .stride_bytes = FORMAT_STRIDE,
                                  .may_spoil = may_spoil};
    memset(pixels, 0x5a, FORMAT_STRIDE * FORMAT_SIDE);
    ASSERT_OK(pietra_render(device, stream, NULL, &target, error, NULL));
}

/* Asserts that pixels are those of another format, with their bytes in this order, and what lies between rows is as it
 * was. An order of 4 stands for 255. */
static void assert_same_pixels(const uint8_t *pixels, const uint8_t *others, const int *order)
{
    for (uint32_t i = 0; i < FORMAT_STRIDE * FORMAT_SIDE; i++)
        if (i % FORMAT_STRIDE >= 4 * FORMAT_SIDE)
            assert_int_equal(pixels[i], 0x5a);
        else
            assert_int_equal(pixels[i], order[i % 4] == 4 ? 255 : others[i - i % 4 + (uint32_t)order[i % 4]]);
}

static void test_formats(void **state)
{
    (void)state;
    static const struct {
        pietra_format format, from;
        int order[4];
    } cases[] = {
        {PIETRA_FORMAT_RGBA8_OPAQUE, PIETRA_FORMAT_RGBA8_PREMULTIPLIED, {0, 1, 2, 4}},
        {PIETRA_FORMAT_BGRA8_STRAIGHT, PIETRA_FORMAT_RGBA8_STRAIGHT, {2, 1, 0, 3}},
        {PIETRA_FORMAT_BGRA8_PREMULTIPLIED, PIETRA_FORMAT_RGBA8_PREMULTIPLIED, {2, 1, 0, 3}},
        {PIETRA_FORMAT_BGRA8_OPAQUE, PIETRA_FORMAT_RGBA8_PREMULTIPLIED, {2, 1, 0, 4}},
    };
    pietra_scene *scene = new_scene();
    fill(scene, "M 0 0 L 9 1 L 3 9 Z", &(pietra_paint){.color = {.9f, .5f, .1f, .6f}});
    pietra_stream *stream = NULL;
    ASSERT_OK(pietra_stream_encode(scene, error, &stream));
    for (size_t i = 0; i < 4 * sizeof cases / sizeof cases[0]; i++) {
        const pietra_device_options options = {.kind = i % 2 ? PIETRA_DEVICE_REFERENCE : PIETRA_DEVICE_CPU};
        uint8_t pixels[FORMAT_STRIDE * FORMAT_SIDE], others[FORMAT_STRIDE * FORMAT_SIDE], *png = NULL, *of_others;
        size_t count, count_of_others;
        pietra_device *device;
        ASSERT_OK(pietra_device_create(&options, error, &device));
        draw_format(device, stream, cases[i / 4].format, i % 4 >= 2, pixels);
        draw_format(device, stream, cases[i / 4].from, false, others);
        assert_same_pixels(pixels, others, cases[i / 4].order);
        pietra_device_destroy(device);
        /* A PNG of either is the same, but for the alpha of what is opaque. */
        for (size_t k = 3; cases[i / 4].order[3] == 4 && k < sizeof others; k += 4)
            others[k] = 255;
        pietra_target target = {FORMAT_SIDE, FORMAT_SIDE, cases[i / 4].format, pixels, FORMAT_STRIDE, false};
        ASSERT_OK(pietra_encode_png(&target, error, (void **)&png, &count));
        target.format = cases[i / 4].from;
        target.pixels = others;
        ASSERT_OK(pietra_encode_png(&target, error, (void **)&of_others, &count_of_others));
        assert_int_equal(count, count_of_others);
        assert_memory_equal(png, of_others, count);
        free(png);
        free(of_others);
    }
    pietra_stream_destroy(stream);
    pietra_scene_destroy(scene);
}

static void test_libraries(void **state)
{
    (void)state;
    pietra_library libraries[32];
    size_t count = pietra_list_libraries(0, NULL);
    bool libpng = false;
    assert_int_equal(pietra_list_libraries(32, libraries), count);
    for (size_t i = 0; i < count; i++) {
        assert_true(libraries[i].name[0] && libraries[i].purpose[0]);
        assert_true(!libraries[i].file || strstr(libraries[i].file, ".so"));
        libpng |= strcmp(libraries[i].name, "libpng") == 0 && libraries[i].file; /* the tests link it */
    }
    assert_true(libpng);
    libraries[1].name = NULL;
    assert_int_equal(pietra_list_libraries(1, libraries), count);
    assert_null(libraries[1].name);
}

/* An image of 8 x 6 pixels, each of another colour. */
static pietra_image *colored_image(void)
{
    uint32_t pixels[6 * 8];
    pietra_image *image;
    for (uint32_t i = 0; i < 48; i++)
        pixels[i] = 0xff000000u | i % 8 * 30 | i / 8 * 40 << 8;
    ASSERT_OK(pietra_image_create(8, 6, pixels, 0, error, &image));
    return image;
}

/* Draws a scene and destroys it. */
static void draw_small(pietra_scene *scene, uint32_t pixels[32][32])
{
    pietra_device *device;
    pietra_stream *stream = encode_and_destroy(scene);
    ASSERT_OK(pietra_device_create(&(pietra_device_options){.kind = PIETRA_DEVICE_CPU, .threads = 1}, error, &device));
    ASSERT_OK(pietra_render(device, stream, NULL, &(pietra_target){.width = 32, .height = 32, .pixels = pixels}, error,
                            NULL));
    pietra_stream_destroy(stream);
    pietra_device_destroy(device);
}

/* Which pixel of the image a pixel shows along an axis: borders of `first` and `last` pixels keep their size. */
static uint32_t shown_pixel(int at, int side, int size, int first, int last)
{
    if (at < first)
        return (uint32_t)at;
    if (at >= side - last)
        return (uint32_t)(size - side + at);
    return (uint32_t)(first + (2 * (at - first) + 1) * (size - first - last) / (2 * (side - first - last)));
}

static void test_nine_patch(void **state)
{
    (void)state;
    uint32_t pixels[32][32];
    pietra_image *image = colored_image();
    pietra_scene *scene = new_scene();
    const pietra_nine_patch patch = {.box = {3, 4, 28, 20}, .left = 2, .top = 1, .right = 3, .bottom = 2};
    ASSERT_OK(pietra_scene_draw_nine_patch(scene, image, &patch, NULL, PIETRA_FILTER_NEAREST, error));
    draw_small(scene, pixels);
    for (int y = 0; y < 32; y++) {
        for (int x = 0; x < 32; x++) {
            const bool inside = x >= 3 && x < 28 && y >= 4 && y < 20;
            const uint32_t column = shown_pixel(x - 3, 25, 8, 2, 3), row = shown_pixel(y - 4, 16, 6, 1, 2);
            assert_int_equal(pixels[y][x], inside ? 0xff000000u | column * 30 | row * 40 << 8 : 0);
        }
    }
    pietra_image_destroy(image);
}

/* In a box that is too small for them, borders shrink and nothing lies between them. */
static void test_small_nine_patch(void **state)
{
    (void)state;
    uint32_t pixels[32][32];
    pietra_image *image = colored_image();
    pietra_scene *scene = new_scene();
    const pietra_nine_patch patch = {.box = {0, 0, 20, 10}, .left = 2, .right = 2, .scale = 10};
    ASSERT_OK(pietra_scene_draw_nine_patch(scene, image, &patch, NULL, PIETRA_FILTER_NEAREST, error));
    draw_small(scene, pixels);
    assert_int_equal(pixels[0][4], 0xff000000u);
    assert_int_equal(pixels[0][5], 0xff000000u | 1 * 30);
    assert_int_equal(pixels[0][10], 0xff000000u | 6 * 30);
    assert_int_equal(pixels[9][19], 0xff000000u | 7 * 30 | 5 * 40 << 8);
    assert_int_equal(pixels[10][19] | pixels[9][20], 0);
    pietra_image_destroy(image);
}

static void test_bad_nine_patches(void **state)
{
    (void)state;
    static const pietra_nine_patch bad[] = {{.box = {0, 0, NAN, 1}},
                                            {.box = {0, 0, 9, 9}, .left = -1},
                                            {.box = {0, 0, 9, 9}, .left = 4, .right = 4},
                                            {.box = {0, 0, 9, 9}, .top = 6},
                                            {.box = {0, 0, 9, 9}, .bottom = NAN},
                                            {.box = {0, 0, 9, 9}, .scale = -1}};
    pietra_error error;
    pietra_image *image = colored_image();
    pietra_scene *scene = new_scene();
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        assert_int_equal(pietra_scene_draw_nine_patch(scene, image, &bad[i], NULL, PIETRA_FILTER_SMOOTH, &error),
                         PIETRA_ERROR_INPUT);
    assert_int_equal(pietra_scene_draw_nine_patch(scene, image, &(pietra_nine_patch){.box = {0, 0, 9, 9}}, NULL,
                                                  (pietra_filter)9, &error),
                     PIETRA_ERROR_INPUT);
    assert_int_equal(pietra_scene_draw_nine_patch(scene, image, NULL, NULL, PIETRA_FILTER_SMOOTH, &error),
                     PIETRA_ERROR_INPUT);
    ASSERT_OK(
        pietra_scene_draw_nine_patch(scene, image, &(pietra_nine_patch){.left = 1}, NULL, PIETRA_FILTER_SMOOTH, error));
    pietra_stream *stream = encode_and_destroy(scene);
    assert_int_equal(view_of(stream).header->element_count, 0);
    pietra_stream_destroy(stream);
    pietra_image_destroy(image);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_transforms),
        cmocka_unit_test(test_paints),
        cmocka_unit_test(test_pushed_transforms),
        cmocka_unit_test(test_reset),
        cmocka_unit_test(test_documents_in_files),
        cmocka_unit_test(test_png),
        cmocka_unit_test(test_formats),
        cmocka_unit_test(test_libraries),
        cmocka_unit_test(test_nine_patch),
        cmocka_unit_test(test_small_nine_patch),
        cmocka_unit_test(test_bad_nine_patches),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
