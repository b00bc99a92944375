/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "picture.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"
#include "explain.h"
#include "file.h"
#include "memory_limit.h"
#include "origins.h"
#include "png/png_writer.h"
#include "progress.h"
#include "sources.h"

/* The state that lives from step to step. */
typedef struct picture {
    const options *options;
    uint32_t threads; /* 0: one for each core */
    pietra_fonts *fonts;
    const char *input;
    int descriptor;   /* the open input; negative: it is not open */
    timing *timing;   /* NULL: times are not wanted */
    origins *origins; /* where the picture's elements come from; NULL: not wanted */
    pietra_stream *stream;
    double width, height; /* the document's, in CSS pixels */
    pietra_box box;       /* the box to which --export-... cuts the picture */
    bool boxed;
    picture_format format;
    pietra_transform place; /* places the document in the picture */
    png_canvas canvas;
} picture;

size_t picture_steps(const options *options)
{
    return 5 + (size_t)options->repeat;
}

static void step(const picture *picture, const char *next)
{
    if (picture->timing)
        progress_step(next);
}

static void take_warning(void *user, uint32_t line, const char *message)
{
    const picture *picture = user;

    report(STATUS_DRAWN, picture->input, line, "%s", message);
}

/* Returns the folder of a file. That of standard input is the current one. NULL: out of memory. */
static char *folder_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    size_t length = slash ? (size_t)(slash - path) + 1 : 1;
    char *folder = malloc(length + 1);

    if (folder) {
        memcpy(folder, slash ? path : ".", length);
        folder[length] = '\0';
    }
    return folder;
}

/* The whole drawing comes first, with an empty id. */
static void take_box(void *user, const char *id, const pietra_box *box)
{
    picture *picture = user;
    const char *wanted = picture->options->export_id ? picture->options->export_id : "";

    if (!picture->boxed && strcmp(id, wanted) == 0) {
        picture->box = *box;
        picture->boxed = true;
    }
}

/* Rounds to a thousandth, so that printing takes as few digits as possible. */
static double rounded(double value)
{
    double whole = floor(value * 1000 + 0.5) / 1000;

    return whole == 0 ? 0 : whole;
}

static void print_box(void *user, const char *id, const pietra_box *box)
{
    picture *picture = user;
    double x = rounded(box->x0), y = rounded(box->y0), width = rounded(box->x1 - box->x0),
           height = rounded(box->y1 - box->y0);

    if (!*id)
        return;
    if (picture->options->query_json) {
        fputs(picture->boxed ? ",\n {\"id\": " : "[\n {\"id\": ", stdout);
        report_json(id);
        printf(", \"x\": %.12g, \"y\": %.12g, \"width\": %.12g, \"height\": %.12g}", x, y, width, height);
    } else {
        report_csv(id);
        printf(",%.12g,%.12g,%.12g,%.12g\n", x, y, width, height);
    }
    picture->boxed = true;
}

static bool is_cut(const options *options)
{
    return options->export_area_drawing || (options->export_id && !options->export_area_page);
}

/* Returns a side of the picture: the nearest whole number of pixels, at least 1. */
static double side(double length, double scale)
{
    return fmax(1, floor(length * scale + 0.5));
}

/* Returns how many pixels a CSS pixel gets, for an area of this size. */
static double find_scale(const options *options, double width, double height)
{
    double scale = options->zoom > 0 ? options->zoom : 1;

    if (options->width)
        scale = options->width / width;
    if (options->height && (!options->width || options->height / height < scale))
        scale = options->height / height;
    return scale;
}

/* Makes the picture an element's box. All of the box shows, so its sides are rounded up, except for rounding errors. */
static void cut_to_element(picture *picture, double *width, double *height)
{
    const double slack = 1e-6;
    pietra_box box = picture->box;
    double across = fmax(box.x1 - box.x0, slack), down = fmax(box.y1 - box.y0, slack),
           scale = find_scale(picture->options, across, down);

    *width = fmax(1, ceil(across * scale - slack));
    *height = fmax(1, ceil(down * scale - slack));
    picture->place = (pietra_transform){.a = scale, .d = scale, .e = -box.x0 * scale, .f = -box.y0 * scale};
}

/* Cuts the picture of the page between pixels, so that the remaining pixels do not change. False: nothing remains. */
static bool cut_to_drawing(picture *picture, double *width, double *height)
{
    const double slack = 1e-6;
    double scale = picture->place.a;
    double x0 = fmax(0, floor(picture->box.x0 * scale + slack)),
           x1 = fmin(*width, ceil(picture->box.x1 * scale - slack));
    double y0 = fmax(0, floor(picture->box.y0 * scale + slack)),
           y1 = fmin(*height, ceil(picture->box.y1 * scale - slack));

    picture->place.e = -x0;
    picture->place.f = -y0;
    *width = x1 - x0;
    *height = y1 - y0;
    return *width > 0 && *height > 0;
}

#define LARGE_PICTURE_BYTES (64u << 20) /* a smaller picture is not worth reading the limits */

/* Returns how much memory is certainly in use at one time: the pixels, the stream and, for the best compression, the
 * file's rows, of at least one byte a pixel. Devices, buffers of threads and compressed data come on top. So nothing is
 * refused that would have fitted. */
static double needed_bytes(const picture *picture, double width, double height)
{
    size_t stream_bytes;
    double rows = picture->options->compression == PNG_COMPRESSION_BEST ? (width + 1) * height : 0;

    pietra_stream_bytes(picture->stream, &stream_bytes);
    return 4 * width * height + (double)stream_bytes + rows;
}

static status check_memory(const picture *picture, double width, double height)
{
    double needed = needed_bytes(picture, width, height);
    double there = needed > LARGE_PICTURE_BYTES ? (double)memory_limit() : needed;

    if (needed > there) {
        return report(STATUS_BUDGET, picture->input, 0,
                      "out of memory for %.0f x %.0f pixels: at least %.0f MiB are needed, there are %.0f MiB", width,
                      height, needed / 0x1p20, there / 0x1p20);
    }
    return STATUS_DRAWN;
}

static status find_size(picture *picture, uint32_t *across, uint32_t *down)
{
    const options *options = picture->options;
    double width, height;

    if (!(picture->width > 0) || !(picture->height > 0) || !isfinite(picture->width) || !isfinite(picture->height)) {
        return report(STATUS_INPUT, picture->input, 0, "the document's size is %g x %g", picture->width,
                      picture->height);
    }
    double scale = find_scale(options, picture->width, picture->height);
    picture->place = (pietra_transform){.a = scale, .d = scale};
    width = side(picture->width, scale);
    height = side(picture->height, scale);
    if (is_cut(options) && options->export_id)
        cut_to_element(picture, &width, &height);
    if (options->export_area_drawing && (!picture->boxed || !cut_to_drawing(picture, &width, &height)))
        return report(STATUS_INPUT, picture->input, 0, "nothing is drawn on the page");
    if (!(width <= PIETRA_MAX_SIDE) || !(height <= PIETRA_MAX_SIDE)) {
        return report(STATUS_INPUT, picture->input, 0, "the picture would be %.9g x %.9g pixels; a side has at most %u",
                      width, height, PIETRA_MAX_SIDE);
    }
    *across = (uint32_t)width;
    *down = (uint32_t)height;
    return check_memory(picture, width, height);
}

static void free_bytes(void *user, const void *bytes)
{
    (void)bytes;
    free(*(char **)user);
    *(char **)user = NULL;
}

static void discard_bytes(void *user, const void *bytes, size_t byte_count)
{
    (void)user;
    memory_discard(bytes, byte_count);
}

/* Reads a document once before, only to know where its pixels lie. */
static status find_pixels(picture *picture, const char *bytes, size_t byte_count, const pietra_svg_options *svg)
{
    pietra_svg_options sizes = *svg;
    pietra_scene *scene = pietra_scene_create();
    pietra_error error;
    uint32_t width, height;
    status result = STATUS_DRAWN;

    if (!scene)
        return report_memory(picture->input);
    sizes.box = is_cut(picture->options) ? take_box : NULL;
    sizes.origin = NULL;
    sizes.warning = NULL;
    sizes.release = NULL;
    sizes.discard = NULL;
    if (pietra_scene_load_svg(scene, bytes, byte_count, &sizes, &error, &picture->width, &picture->height) != PIETRA_OK)
        result = report_error(picture->input, &error);
    pietra_scene_destroy(scene);
    return result == STATUS_DRAWN ? find_size(picture, &width, &height) : result;
}

static status parse(picture *picture, pietra_scene *scene)
{
    const options *options = picture->options;
    char *bytes = NULL;
    pietra_svg_options svg = {
        .dpi = options->dpi,
        .limits = options->limits,
        .threads = picture->threads,
        .element_id = options->export_id,
        .fonts = picture->fonts,
        .font_family = options->font_family,
        .font_size = options->font_size,
        .languages = options->languages,
        .box = options->query_all ? print_box
               : is_cut(options)  ? take_box
                                  : NULL,
        .box_user = picture,
        .origin = picture->origins ? origins_take : NULL,
        .origin_user = picture->origins,
        .warning = options->quiet ? NULL : take_warning,
        .warning_user = picture,
        .release = free_bytes,
        .discard = discard_bytes,
        .release_user = &bytes,
    };
    pietra_error error;
    char *style_sheet = NULL, *folder = NULL;
    size_t byte_count, style_count;
    char *path = source_path(picture->input, &svg.fragment);
    status result;

    if (!path) {
        result = report_memory(picture->input);
    } else if (picture->descriptor >= 0) {
        result = file_read_open(picture->descriptor, path, &bytes, &byte_count);
        picture->descriptor = -1;
    } else {
        result = file_read(path, &bytes, &byte_count);
    }
    if (result != STATUS_DRAWN) {
        free(path);
        return result;
    }
    if (options->stylesheet)
        result = file_read(options->stylesheet, &style_sheet, &style_count);
    if (result == STATUS_DRAWN && options->allow_external && !options->resources_dir) {
        folder = folder_of(path);
        result = folder ? STATUS_DRAWN : report_memory(picture->input);
    }
    free(path);
    if (result != STATUS_DRAWN) {
        free(bytes);
        free(style_sheet);
        return result;
    }
    svg.style_sheet = style_sheet;
    svg.resources_directory = !options->allow_external ? NULL : folder ? folder : options->resources_dir;
    step(picture, "parsing");
    double start = timing_now();
    if (options->snap_baselines) { /* the box of the text as it stands then still counts */
        result = find_pixels(picture, bytes, byte_count, &svg);
        svg.snap_baselines = picture->place;
    }
    if (result == STATUS_DRAWN &&
        pietra_scene_load_svg(scene, bytes, byte_count, &svg, &error, &picture->width, &picture->height) != PIETRA_OK)
        result = report_error(picture->input, &error);
    if (picture->timing)
        picture->timing->parse_ms = timing_now() - start;
    free(bytes);
    free(style_sheet);
    free(folder);
    return result;
}

static status encode(picture *picture, const pietra_scene *scene)
{
    pietra_error error;
    double start = timing_now();

    step(picture, "encoding");
    if (pietra_stream_encode_by(scene, picture->threads, &error, &picture->stream) != PIETRA_OK)
        return report_error(picture->input, &error);
    if (picture->timing)
        picture->timing->encode_ms = timing_now() - start;
    return STATUS_DRAWN;
}

#define LARGE_STREAM_BYTES (4u << 20) /* the scene of a smaller one is not worth a walk of the heap */

/* Makes a stream of the bytes. The scene is destroyed before memory for pixels is needed. It is about twice as large as
 * the stream. */
static status load(picture *picture)
{
    pietra_scene *scene = pietra_scene_create();
    status result;

    if (!scene)
        return report_memory(picture->input);
    result = parse(picture, scene);
    if (result == STATUS_DRAWN)
        result = encode(picture, scene);
    pietra_scene_destroy(scene);
    size_t stream_bytes = 0;
    if (result == STATUS_DRAWN)
        pietra_stream_bytes(picture->stream, &stream_bytes);
    if (stream_bytes >= LARGE_STREAM_BYTES)
        memory_trim();
    return result;
}

/* Some formats have fewer pixels in a side than frames. */
static status check_format(const picture *picture, uint32_t width, uint32_t height)
{
    uint32_t most = format_most_side(picture->format);

    return width <= most && height <= most
               ? STATUS_DRAWN
               : report(STATUS_INPUT, picture->input, 0,
                        "the picture would be %u x %u pixels; in this format a side has at most %u", width, height,
                        most);
}

static status make_canvas(picture *picture)
{
    uint32_t width, height;
    status result = find_size(picture, &width, &height);

    if (result == STATUS_DRAWN)
        result = check_format(picture, width, height);
    if (result == STATUS_DRAWN && !png_canvas_create(&picture->canvas, width, height))
        result = report(STATUS_BUDGET, picture->input, 0, "out of memory for %u x %u pixels", width, height);
    return result;
}

/* Returns what the picture lies on: white, at last, in a format without alpha. */
static pietra_color find_background(const picture *picture)
{
    pietra_color color = picture->options->background;

    if (picture->format == FORMAT_JPEG) {
        float white = 1 - color.a;
        color = (pietra_color){color.r * color.a + white, color.g * color.a + white, color.b * color.a + white, 1};
    }
    return color;
}

static status draw_frames(picture *picture, pietra_device *device)
{
    const options *options = picture->options;
    pietra_frame frame = {.transform = picture->place, .background = find_background(picture)};
    pietra_target target = {.width = picture->canvas.width,
                            .height = picture->canvas.height,
                            .pixels = picture->canvas.pixels,
                            .may_spoil = true};
    pietra_stats stats = {0};
    pietra_error error;

    for (uint32_t i = 0; i <= options->repeat; i++) {
        if (pietra_render(device, picture->stream, &frame, &target, &error, &stats) != PIETRA_OK)
            return report_error(picture->input, &error);
        if (picture->timing && !timing_add_frame(picture->timing, &stats, i > 0))
            return report_memory(picture->input);
        step(picture, i < options->repeat ? "drawing" : "writing");
    }
    return STATUS_DRAWN;
}

static status draw(picture *picture, device *device)
{
    status result = make_canvas(picture);

    if (result == STATUS_DRAWN)
        result = device_open(device);
    step(picture, "drawing");
    if (result == STATUS_DRAWN)
        result = draw_frames(picture, device->handle);
    if (result == STATUS_DRAWN && device->complained)
        result = report(STATUS_DEVICE, picture->input, 0, "the validation layer objects");
    if (result == STATUS_DRAWN && picture->timing) {
        pietra_device_get_info(device->handle, &picture->timing->device);
        picture->timing->width = picture->canvas.width;
        picture->timing->height = picture->canvas.height;
        device_close(device); /* the only picture is drawn: its memory may serve for the PNG */
    }
    return result;
}

static bool take_bytes(void *user, const void *bytes, size_t count)
{
    return file_output_write(user, bytes, count);
}

/* Returns how many pixels of the file lie in some length. They are told where the document was given pixels in an
 * inch. */
static uint32_t find_density(const picture *picture, double inches)
{
    double density = picture->options->dpi * picture->place.a * inches;

    return density < INT32_MAX ? (uint32_t)(density + 0.5) : 0;
}

static const char *encode_png(picture *picture, file_output *output)
{
    png_options png = {.compression = picture->options->compression,
                       .threads = picture->threads,
                       .pixels_per_metre = find_density(picture, 1 / 0.0254),
                       .progress = picture->timing ? progress_part : NULL};

    return png_encode(&picture->canvas, &png, take_bytes, output) == PNG_OUT_OF_MEMORY ? "out of memory for the PNG"
                                                                                       : NULL;
}

static const char *encode_other(picture *picture, file_output *output)
{
    const format_options format = {.compression = picture->options->compression,
                                   .quality = picture->options->quality,
                                   .pixels_per_inch = find_density(picture, 1)};

    return format_encode(picture->format, &picture->canvas, &format, take_bytes, output);
}

static status write_file(picture *picture, file_output *output)
{
    double start = timing_now();
    const char *wrong = picture->format == FORMAT_PNG ? encode_png(picture, output) : encode_other(picture, output);
    status result;

    if (wrong) {
        file_output_abandon(output);
        result = report(STATUS_BUDGET, output->path, 0, "%s", wrong);
    } else {
        result = file_output_finish(output);
    }
    if (picture->timing)
        picture->timing->png_ms = timing_now() - start;
    return result;
}

static status draw_loaded(picture *picture, device *device, file_output *output)
{
    status result = draw(picture, device);

    if (result == STATUS_DRAWN)
        return write_file(picture, output);
    file_output_abandon(output);
    return result;
}

static void destroy(picture *picture)
{
    if (picture->descriptor >= 0)
        close(picture->descriptor);
    png_canvas_destroy(&picture->canvas);
    pietra_stream_destroy(picture->stream);
}

status picture_draw(device *device, const char *input, file_output *output, timing *timing)
{
    picture picture = {.options = device->options,
                       .threads = device->threads,
                       .fonts = device->fonts,
                       .input = input,
                       .descriptor = -1,
                       .timing = timing};
    picture.format = format_of(device->options->format, output->path);
    status result = load(&picture);

    if (result == STATUS_DRAWN)
        result = draw_loaded(&picture, device, output);
    else
        file_output_abandon(output);
    destroy(&picture);
    return result;
}

status picture_draw_to(device *device, const char *input, int descriptor, const char *output_path)
{
    picture picture = {.options = device->options,
                       .threads = device->threads,
                       .fonts = device->fonts,
                       .input = input,
                       .descriptor = descriptor};
    file_output output;
    picture.format = format_of(device->options->format, output_path);
    status result = load(&picture);

    if (result == STATUS_DRAWN)
        result = file_output_open(&output, output_path);
    if (result == STATUS_DRAWN)
        result = draw_loaded(&picture, device, &output);
    destroy(&picture);
    return result;
}

status picture_query(const device *device, const char *input)
{
    picture picture = {.options = device->options,
                       .threads = device->threads,
                       .fonts = device->fonts,
                       .input = input,
                       .descriptor = -1};
    pietra_scene *scene = pietra_scene_create();
    status result = scene ? parse(&picture, scene) : report_memory(input);

    pietra_scene_destroy(scene);
    if (result == STATUS_DRAWN && !picture.boxed)
        result = report(STATUS_INPUT, input, 0, "no element with an id draws anything");
    if (result == STATUS_DRAWN && device->options->query_json)
        puts("\n]");
    if (result == STATUS_DRAWN && fflush(stdout) != 0)
        result = report_errno("-", "write");
    return result;
}

status picture_explain(device *device, const char *input)
{
    origins origins = {.out_of_memory = false};
    picture picture = {.options = device->options,
                       .threads = device->threads,
                       .fonts = device->fonts,
                       .input = input,
                       .descriptor = -1,
                       .origins = &origins};
    explained explained = {.input = input, .origins = &origins};
    status result = load(&picture);

    if (result == STATUS_DRAWN && origins.out_of_memory)
        result = report_memory(input);
    if (result == STATUS_DRAWN)
        result = find_size(&picture, &explained.width, &explained.height);
    if (result == STATUS_DRAWN) {
        explained.stream = picture.stream;
        explained.frame = (pietra_frame){.transform = picture.place, .background = device->options->background};
        result = explain_pixel(device, &explained);
    }
    destroy(&picture);
    origins_destroy(&origins);
    if (fflush(stdout) != 0)
        result = report_errno("-", "write");
    return result;
}
