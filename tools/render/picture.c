#include "picture.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "file.h"
#include "png_writer.h"
#include "progress.h"

/* What lives from step to step. */
typedef struct picture {
    const options *options;
    uint32_t threads;       /* 0: one for each core */
    const char *input;
    timing *timing;         /* NULL: none of it is wanted */
    pietra_stream *stream;
    double width, height;   /* of the document, CSS pixels */
    double scale;
    png_canvas canvas;
} picture;

size_t picture_steps(const options *options)
{
    return 5 + (size_t)options->repeat;
}

static void step(const picture *picture, const char *next)
{
    if (picture->timing) {
        progress_step(next);
    }
}

static void take_warning(void *user, uint32_t line, const char *message)
{
    const picture *picture = user;

    report(STATUS_DRAWN, picture->input, line, "%s", message);
}

/* The folder in which a file lies; that of standard input is the current one. NULL: out of memory. */
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

static void free_bytes(void *user, const void *bytes)
{
    (void)bytes;
    free(*(char **)user);
    *(char **)user = NULL;
}

static status parse(picture *picture, pietra_scene *scene)
{
    const options *options = picture->options;
    char *bytes = NULL;
    pietra_svg_options svg = {
        .dpi = options->dpi,
        .threads = picture->threads,
        .warning = options->verbose ? take_warning : NULL,
        .warning_user = picture,
        .release = free_bytes,
        .release_user = &bytes,
    };
    pietra_error error;
    char *style_sheet = NULL, *folder = NULL;
    size_t byte_count, style_count;
    status result = file_read(picture->input, &bytes, &byte_count);

    if (result != STATUS_DRAWN) {
        return result;
    }
    if (options->stylesheet) {
        result = file_read(options->stylesheet, &style_sheet, &style_count);
    }
    if (result == STATUS_DRAWN && options->allow_external && !options->resources_dir) {
        folder = folder_of(picture->input);
        result = folder ? STATUS_DRAWN : report(STATUS_BUDGET, picture->input, 0, "out of memory");
    }
    if (result != STATUS_DRAWN) {
        free(bytes);
        free(style_sheet);
        return result;
    }
    svg.style_sheet = style_sheet;
    svg.resources_directory = !options->allow_external ? NULL : folder ? folder : options->resources_dir;
    step(picture, "parsing");
    double start = timing_now();
    if (pietra_scene_load_svg(scene, bytes, byte_count, &svg, &error, &picture->width, &picture->height) != PIETRA_OK) {
        result = report_error(picture->input, &error);
    }
    if (picture->timing) {
        picture->timing->parse_ms = timing_now() - start;
    }
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
    if (pietra_stream_encode(scene, &error, &picture->stream) != PIETRA_OK) {
        return report_error(picture->input, &error);
    }
    if (picture->timing) {
        picture->timing->encode_ms = timing_now() - start;
    }
    return STATUS_DRAWN;
}

/* Bytes to a stream. The scene is gone before memory for pixels is wanted. */
static status load(picture *picture)
{
    pietra_scene *scene = pietra_scene_create();
    status result;

    if (!scene) {
        return report(STATUS_BUDGET, picture->input, 0, "out of memory");
    }
    result = parse(picture, scene);
    if (result == STATUS_DRAWN) {
        result = encode(picture, scene);
    }
    pietra_scene_destroy(scene);
    return result;
}

/* A side of the picture: the nearest whole number of pixels, but never none. */
static double side(double length, double scale)
{
    return fmax(1, floor(length * scale + 0.5));
}

static status make_canvas(picture *picture)
{
    const options *options = picture->options;

    if (!(picture->width > 0) || !(picture->height > 0) || !isfinite(picture->width) || !isfinite(picture->height)) {
        return report(STATUS_INPUT, picture->input, 0, "the document's size is %g x %g", picture->width, picture->height);
    }
    picture->scale = options->zoom > 0 ? options->zoom : 1;
    if (options->width) {
        picture->scale = options->width / picture->width;
    }
    if (options->height && (!options->width || options->height / picture->height < picture->scale)) {
        picture->scale = options->height / picture->height;
    }
    double width = side(picture->width, picture->scale), height = side(picture->height, picture->scale);
    if (!(width <= PIETRA_MAX_SIDE) || !(height <= PIETRA_MAX_SIDE)) {
        return report(STATUS_INPUT, picture->input, 0, "the picture would be %.9g x %.9g pixels; a side has at most %u", width, height,
                      PIETRA_MAX_SIDE);
    }
    if (!png_canvas_create(&picture->canvas, (uint32_t)width, (uint32_t)height)) {
        return report(STATUS_BUDGET, picture->input, 0, "out of memory for %.0f x %.0f pixels", width, height);
    }
    return STATUS_DRAWN;
}

static status draw_frames(picture *picture, pietra_device *device)
{
    const options *options = picture->options;
    pietra_frame frame = { .transform = { .a = picture->scale, .d = picture->scale }, .background = options->background };
    pietra_target target = { .width = picture->canvas.width, .height = picture->canvas.height, .pixels = picture->canvas.pixels };
    pietra_stats stats = { 0 };
    pietra_error error;

    for (uint32_t i = 0; i <= options->repeat; i++) {
        if (pietra_render(device, picture->stream, &frame, &target, &error, &stats) != PIETRA_OK) {
            return report_error(picture->input, &error);
        }
        if (picture->timing && !timing_add_frame(picture->timing, &stats, i > 0)) {
            return report(STATUS_BUDGET, picture->input, 0, "out of memory");
        }
        step(picture, i < options->repeat ? "drawing" : "writing");
    }
    return STATUS_DRAWN;
}

static status draw(picture *picture, device *device)
{
    status result = make_canvas(picture);

    if (result == STATUS_DRAWN) {
        device_work work = { .pixels = (uint64_t)picture->canvas.width * picture->canvas.height, .frames = 1 + picture->options->repeat };
        pietra_stream_bytes(picture->stream, &work.stream_bytes);
        result = device_open(device, work);
    }
    step(picture, "drawing");
    if (result == STATUS_DRAWN) {
        result = draw_frames(picture, device->handle);
    }
    if (result == STATUS_DRAWN && device->complained) {
        result = report(STATUS_DEVICE, picture->input, 0, "the validation layer objects");
    }
    if (result == STATUS_DRAWN && picture->timing) {
        pietra_device_get_info(device->handle, &picture->timing->device);
        picture->timing->width = picture->canvas.width;
        picture->timing->height = picture->canvas.height;
        device_close(device); /* a picture by itself: its memory may serve for the PNG */
    }
    return result;
}

static status write_png(picture *picture, file_output *output)
{
    double start = timing_now();
    uint8_t *bytes;
    size_t byte_count;

    png_options png = { .compression = picture->options->compression, .threads = picture->threads };
    if (!png_encode(&picture->canvas, &png, &bytes, &byte_count)) {
        file_output_abandon(output);
        return report(STATUS_BUDGET, output->path, 0, "out of memory for the PNG");
    }
    status result = file_output_finish(output, bytes, byte_count);
    free(bytes);
    if (picture->timing) {
        picture->timing->png_ms = timing_now() - start;
    }
    return result;
}

status picture_draw(device *device, const char *input, const char *output_path, timing *timing)
{
    picture picture = { .options = device->options, .threads = device->threads, .input = input, .timing = timing };
    file_output output;
    status result = load(&picture);

    if (result == STATUS_DRAWN) {
        result = file_output_open(&output, output_path);
    }
    if (result == STATUS_DRAWN) {
        result = draw(&picture, device);
        if (result == STATUS_DRAWN) {
            result = write_png(&picture, &output);
        } else {
            file_output_abandon(&output);
        }
    }
    png_canvas_destroy(&picture.canvas);
    pietra_stream_destroy(picture.stream);
    return result;
}
