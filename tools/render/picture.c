/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "picture.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "bands.h"
#include "document.h"
#include "element_outputs.h"
#include "encoding.h"
#include "explain.h"
#include "file.h"
#include "heatmap.h"
#include "ids.h"
#include "memory_limit.h"
#include "origins.h"
#include "placement.h"
#include "png/png_writer.h"
#include "progress.h"
#include "tracing.h"

/* The state that lives from step to step. */
typedef struct picture {
    const options *options;
    uint32_t threads; /* 0: one for each core */
    pietra_fonts *fonts;
    const char *input;
    timing *timing;   /* NULL: times are not wanted */
    origins *origins; /* where the picture's elements come from; NULL: not wanted */
    document document;
    id_list *ids; /* takes the ids of the document; NULL: not wanted */
    bool warned;  /* what is left out was said before */
    bool listed;  /* for --query-all: a box has been printed */
    pietra_stream *stream;
    placement placement;
    picture_format format;
    png_canvas canvas;
    png_indexed indexed; /* holds the pixels instead, if it has any */
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

static void print_box(void *user, const char *id, const pietra_box *box)
{
    picture *picture = user;
    double x = report_rounded(box->x0), y = report_rounded(box->y0), width = report_rounded(box->x1 - box->x0),
           height = report_rounded(box->y1 - box->y0);

    if (!*id)
        return;
    if (picture->options->query_json) {
        fputs(picture->listed ? ",\n {\"id\": " : "[\n {\"id\": ", stdout);
        report_json(id);
        printf(", \"x\": %.12g, \"y\": %.12g, \"width\": %.12g, \"height\": %.12g}", x, y, width, height);
    } else {
        report_csv(id);
        printf(",%.12g,%.12g,%.12g,%.12g\n", x, y, width, height);
    }
    picture->listed = true;
}

#define LARGE_PICTURE_BYTES (64u << 20) /* a smaller picture is not worth reading the limits */

/* Returns how much memory is certainly in use at one time: the pixels, which bands may keep in a byte each, the stream
 * and, for the best compression, the file's rows, of at least one byte a pixel. Devices, buffers of threads and
 * compressed data come on top. So nothing is refused that would have fitted. */
static double needed_bytes(const picture *picture, bool in_bands)
{
    double width = picture->placement.width, height = picture->placement.height;
    size_t stream_bytes;
    double rows = picture->options->compression == PNG_COMPRESSION_BEST ? (width + 1) * height : 0;

    pietra_stream_bytes(picture->stream, &stream_bytes);
    return (in_bands ? 1 : 4) * width * height + (double)stream_bytes + rows;
}

static status check_memory(const picture *picture, bool in_bands)
{
    double needed = needed_bytes(picture, in_bands);
    double there = needed > LARGE_PICTURE_BYTES ? (double)memory_limit() : needed;

    if (needed > there) {
        return report(STATUS_BUDGET, picture->input, 0,
                      "out of memory for %u x %u pixels: at least %.0f MiB are needed, there are %.0f MiB",
                      picture->placement.width, picture->placement.height, needed / 0x1p20, there / 0x1p20);
    }
    return STATUS_DRAWN;
}

static status load_scene(picture *picture, pietra_scene *scene, const pietra_svg_options *svg)
{
    pietra_error error;

    return pietra_scene_load_svg(scene, picture->document.bytes, picture->document.byte_count, svg, &error,
                                 &picture->placement.document_width, &picture->placement.document_height) == PIETRA_OK
               ? STATUS_DRAWN
               : report_error(picture->input, &error);
}

#define KEPT_BYTES (4u << 20) /* of a document; one that is no larger may be read again */

/* Reads a document once before, only to know where its pixels lie. */
static status find_pixels(picture *picture, const pietra_svg_options *svg)
{
    pietra_svg_options sizes = *svg;
    pietra_scene *scene = pietra_scene_create();

    if (!scene)
        return report_memory(picture->input);
    sizes.box = placement_is_cut(&picture->placement) ? placement_take_box : NULL;
    sizes.box_user = &picture->placement;
    sizes.origin = NULL;
    sizes.warning = NULL;
    sizes.release = NULL;
    sizes.discard = NULL;
    status result = load_scene(picture, scene, &sizes);
    pietra_scene_destroy(scene);
    return result == STATUS_DRAWN ? placement_find(&picture->placement) : result;
}

static status parse(picture *picture, pietra_scene *scene)
{
    const options *options = picture->options;
    pietra_svg_options svg = {
        .threads = picture->threads,
        .element_id = picture->placement.element_id,
        .fonts = picture->fonts,
        .origin = picture->origins ? origins_take : NULL,
        .origin_user = picture->origins,
        .warning = options->quiet || picture->warned ? NULL : take_warning,
        .warning_user = picture,
    };
    status result = STATUS_DRAWN;

    const bool is_kept = options->export_ids || picture->document.byte_count <= KEPT_BYTES;
    document_set(&picture->document, options, is_kept, &svg);
    if (picture->ids) {
        svg.box = ids_take;
        svg.box_user = picture->ids;
    } else if (options->query_all) {
        svg.box = print_box;
        svg.box_user = picture;
    } else if (placement_is_cut(&picture->placement)) {
        svg.box = placement_take_box;
        svg.box_user = &picture->placement;
    }
    step(picture, "parsing");
    double start = timing_now();
    if (options->snap_baselines) { /* the box of the text as it stands then still counts */
        result = find_pixels(picture, &svg);
        svg.snap_baselines = picture->placement.transform;
    }
    if (result == STATUS_DRAWN)
        result = load_scene(picture, scene, &svg);
    if (picture->timing)
        picture->timing->parse_ms = timing_now() - start;
    tracing_step("parse", start);
    return result;
}

/* Destroys the scene. */
static status encode(picture *picture, pietra_scene *scene)
{
    pietra_error error;
    double start = timing_now();

    step(picture, "encoding");
    if (pietra_stream_encode_and_destroy(scene, picture->threads, &error, &picture->stream) != PIETRA_OK)
        return report_error(picture->input, &error);
    if (picture->timing)
        picture->timing->encode_ms = timing_now() - start;
    tracing_step("encode", start);
    return STATUS_DRAWN;
}

#define LARGE_DOCUMENT_BYTES (64u << 10) /* reading a smaller one leaves little behind */
#define LARGE_STREAM_BYTES (4u << 20)    /* the scene of a smaller one is not worth a walk of the heap */

/* Makes a stream of the bytes. The scene is destroyed before memory for pixels is needed. It is about twice as large as
 * the stream, and goes while that is written. */
static status load(picture *picture)
{
    pietra_scene *scene = pietra_scene_create();
    status result;

    if (!scene)
        return report_memory(picture->input);
    const size_t byte_count = picture->document.byte_count;
    result = parse(picture, scene);
    if (byte_count >= LARGE_DOCUMENT_BYTES)
        memory_trim();
    if (result == STATUS_DRAWN)
        result = encode(picture, scene);
    else
        pietra_scene_destroy(scene);
    size_t stream_bytes = 0;
    if (result == STATUS_DRAWN)
        pietra_stream_bytes(picture->stream, &stream_bytes);
    if (stream_bytes >= LARGE_STREAM_BYTES)
        memory_trim();
    return result;
}

/* Some formats have fewer pixels in a side than frames. */
static status check_format(const picture *picture)
{
    uint32_t most = format_most_side(picture->format), width = picture->placement.width,
             height = picture->placement.height;

    return width <= most && height <= most
               ? STATUS_DRAWN
               : report(STATUS_INPUT, picture->input, 0,
                        "the picture would be %u x %u pixels; in this format a side has at most %u", width, height,
                        most);
}

/* Opens the device, and finds what is drawn, which may be a heat map in place of the picture, and how large it is. */
static status find_drawing(picture *picture, device *device)
{
    status result = placement_find(&picture->placement);

    if (result == STATUS_DRAWN)
        result = device_open(device);
    if (result == STATUS_DRAWN && picture->options->heatmap)
        result = heatmap_take_place(device, picture->input, &picture->placement, &picture->stream);
    return result == STATUS_DRAWN ? check_format(picture) : result;
}

static status make_canvas(picture *picture)
{
    uint32_t width = picture->placement.width, height = picture->placement.height;

    return png_canvas_create(&picture->canvas, width, height)
               ? STATUS_DRAWN
               : report(STATUS_BUDGET, picture->input, 0, "out of memory for %u x %u pixels", width, height);
}

pietra_color picture_background(const options *options, picture_format format)
{
    pietra_color color = options->background;

    if (format == FORMAT_JPEG) {
        float white = 1 - color.a;
        color = (pietra_color){color.r * color.a + white, color.g * color.a + white, color.b * color.a + white, 1};
    }
    return color;
}

/* Finds the line of the document with whose element the frame becomes too costly. It is refused once more, with a
 * stream that knows where its elements come from. Most streams do not, since that takes time. Where there is no canvas
 * a corner of it will do: what is drawn in bands has no effects, which alone cost less there. 0: it is not known. */
static uint32_t refused_line(const picture *refused, pietra_device *device, const pietra_frame *whole)
{
    origins origins = {.out_of_memory = false};
    picture again = *refused;
    pietra_scene *scene = pietra_scene_create();
    const uint32_t width = again.placement.width, height = again.placement.height,
                   side = again.canvas.pixels ? PIETRA_MAX_SIDE : PIETRA_REGION_STEP;
    pietra_frame frame = *whole;
    uint32_t corner[PIETRA_REGION_STEP * PIETRA_REGION_STEP], line = 0;
    const pietra_target target = {.width = width < side ? width : side,
                                  .height = height < side ? height : side,
                                  .pixels = again.canvas.pixels ? (void *)again.canvas.pixels : corner,
                                  .may_spoil = true};
    pietra_error error = {.label = 0};

    frame.region = (pietra_region){.picture_width = width, .picture_height = height};
    again.origins = &origins;
    again.warned = true;
    again.timing = NULL;
    again.stream = NULL;
    if (scene && parse(&again, scene) == STATUS_DRAWN) {
        if (encode(&again, scene) == STATUS_DRAWN &&
            pietra_render(device, again.stream, &frame, &target, &error, NULL) == PIETRA_ERROR_INPUT)
            line = origins_line(&origins, error.label);
    } else {
        pietra_scene_destroy(scene);
    }
    pietra_stream_destroy(again.stream);
    origins_destroy(&origins);
    return line;
}

/* Reports why a frame is not drawn. */
static status report_frame(const picture *picture, pietra_device *device, const pietra_frame *frame,
                           const pietra_error *error)
{
    pietra_error located = *error;

    if (error->result == PIETRA_ERROR_INPUT && picture->document.bytes)
        located.line = refused_line(picture, device, frame);
    return report_error(picture->input, &located);
}

static status add_frame(picture *picture, const pietra_stats *stats, bool warm)
{
    return !picture->timing || timing_add_frame(picture->timing, stats, warm) ? STATUS_DRAWN
                                                                              : report_memory(picture->input);
}

static status draw_bands(picture *picture, const banded *banded)
{
    pietra_stats stats;
    pietra_error error;

    double start = timing_now();

    if (bands_draw(banded, &picture->indexed, &picture->canvas, &error, &stats) != PIETRA_OK)
        return report_frame(picture, banded->device, banded->frame, &error);
    tracing_step("frame", start);
    step(picture, "writing");
    return add_frame(picture, &stats, false);
}

static status draw_frames(picture *picture, pietra_device *device)
{
    const options *options = picture->options;
    pietra_frame frame = {.transform = picture->placement.transform,
                          .background = picture_background(options, picture->format)};
    banded banded = {.device = device,
                     .stream = picture->stream,
                     .frame = &frame,
                     .width = picture->placement.width,
                     .height = picture->placement.height};
    const bool in_bands = picture->format == FORMAT_PNG && options->repeat == 0 && bands_suit(&banded);
    status result = check_memory(picture, in_bands);

    if (result == STATUS_DRAWN && in_bands)
        return draw_bands(picture, &banded);
    if (result == STATUS_DRAWN)
        result = make_canvas(picture);
    if (result != STATUS_DRAWN)
        return result;
    pietra_target target = {.width = picture->canvas.width,
                            .height = picture->canvas.height,
                            .pixels = picture->canvas.pixels,
                            .may_spoil = true};
    pietra_stats stats = {0};
    pietra_error error;

    for (uint32_t i = 0; i <= options->repeat; i++) {
        double start = timing_now();
        if (pietra_render(device, picture->stream, &frame, &target, &error, &stats) != PIETRA_OK)
            return report_frame(picture, device, &frame, &error);
        tracing_step("frame", start);
        if ((result = add_frame(picture, &stats, i > 0)) != STATUS_DRAWN)
            return result;
        step(picture, i < options->repeat ? "drawing" : "writing");
    }
    return STATUS_DRAWN;
}

static status draw(picture *picture, device *device)
{
    status result = find_drawing(picture, device);

    step(picture, "drawing");
    if (result == STATUS_DRAWN)
        result = draw_frames(picture, device->handle);
    if (result == STATUS_DRAWN && device->complained)
        result = report(STATUS_DEVICE, picture->input, 0, "the validation layer objects");
    if (result == STATUS_DRAWN && picture->timing) {
        pietra_device_get_info(device->handle, &picture->timing->device);
        picture->timing->width = picture->placement.width;
        picture->timing->height = picture->placement.height;
        device_close(device); /* the only picture is drawn: its memory may serve for the PNG */
    }
    return result;
}

static status write_file(picture *picture, file_output *output)
{
    const options *options = picture->options;
    const encoding encoding = {.format = picture->format,
                               .canvas = &picture->canvas,
                               .indexed = &picture->indexed,
                               .compression = options->compression,
                               .quality = options->quality,
                               .threads = picture->threads,
                               .pixels_per_inch = options->dpi * picture->placement.transform.a,
                               .progress = picture->timing ? progress_part : NULL};
    double start = timing_now();
    status result = encoding_write(&encoding, output);

    if (picture->timing)
        picture->timing->png_ms = timing_now() - start;
    tracing_step("write", start);
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

/* Begins a picture of an input, which a descriptor that is not negative has open. */
static status begin(picture *picture, const device *device, const char *input, int descriptor)
{
    *picture = (struct picture){
        .options = device->options, .threads = device->threads, .fonts = device->fonts, .input = input};
    picture->placement = (placement){.options = device->options,
                                     .input = input,
                                     .size = device->options->sizes,
                                     .element_id = device->options->export_id};
    double start = timing_now();
    status result = document_read(&picture->document, device->options, input, descriptor);
    tracing_step("read", start);
    return result;
}

static void destroy(picture *picture)
{
    document_destroy(&picture->document);
    png_indexed_destroy(&picture->indexed);
    png_canvas_destroy(&picture->canvas);
    pietra_stream_destroy(picture->stream);
}

status picture_draw(device *device, const char *input, file_output *output, timing *timing)
{
    picture picture;
    status result = begin(&picture, device, input, -1);

    picture.timing = timing;
    picture.format = format_of(device->options->format, output->path);
    if (result == STATUS_DRAWN)
        result = load(&picture);
    if (result == STATUS_DRAWN)
        result = draw_loaded(&picture, device, output);
    else
        file_output_abandon(output);
    destroy(&picture);
    return result;
}

/* ---- Several pictures of one document ---- */

static status draw_to(picture *picture, device *device, const char *path)
{
    file_output output;
    status result = file_output_open(&output, path);

    if (result == STATUS_DRAWN)
        result = draw_loaded(picture, device, &output);
    png_indexed_destroy(&picture->indexed);
    png_canvas_destroy(&picture->canvas);
    picture->canvas = (png_canvas){0};
    return result;
}

/* Draws the stream to each output. One that fails does not stop the others, but for a device that does. */
static status draw_outputs(picture *picture, device *device, const picture_output *outputs, size_t count)
{
    status result = STATUS_DRAWN;

    for (size_t i = 0; i < count && result != STATUS_DEVICE; i++) {
        picture->placement.size = outputs[i].size;
        status drawn = draw_to(picture, device, outputs[i].path);
        result = drawn == STATUS_DRAWN ? result : drawn;
    }
    return result;
}

/* Lists the elements that --export-ids chooses. What is left out of the document is said here, once. */
static status find_ids(picture *picture, id_list *list)
{
    pietra_scene *scene = pietra_scene_create();

    picture->ids = list;
    status result = scene ? parse(picture, scene) : report_memory(picture->input);
    pietra_scene_destroy(scene);
    picture->ids = NULL;
    picture->warned = true;
    if (result == STATUS_DRAWN && list->out_of_memory)
        result = report_memory(picture->input);
    ids_sort(list);
    if (result == STATUS_DRAWN && list->ids.count == 0) {
        result =
            report(STATUS_INPUT, picture->input, 0, "no element with an id like \"%s\" draws anything", list->glob);
    }
    return result;
}

static status draw_element(picture *picture, device *device, const char *id, const picture_output *outputs,
                           size_t count)
{
    element_outputs own;
    status named = element_outputs_make(picture->options, picture->input, id, outputs, count, &own);
    status result = STATUS_DRAWN;

    if (own.count > 0) {
        picture->placement.element_id = id;
        picture->placement.boxed = false;
        picture->placement.size = own.outputs[0].size;
        result = load(picture);
        if (result == STATUS_DRAWN)
            result = draw_outputs(picture, device, own.outputs, own.count);
        pietra_stream_destroy(picture->stream);
        picture->stream = NULL;
        picture->placement.element_id = NULL;
    }
    element_outputs_destroy(&own);
    return result == STATUS_DRAWN ? named : result;
}

static status draw_elements(picture *picture, device *device, const picture_output *outputs, size_t count)
{
    id_list list = {.glob = picture->options->export_ids};
    status result = find_ids(picture, &list);

    for (size_t i = 0; i < list.ids.count && result != STATUS_DEVICE; i++) {
        status drawn = draw_element(picture, device, list.ids.items[i], outputs, count);
        result = drawn == STATUS_DRAWN ? result : drawn;
    }
    ids_destroy(&list);
    return result;
}

status picture_draw_outputs(device *device, const char *input, int descriptor, const picture_output *outputs,
                            size_t output_count)
{
    picture picture;
    status result = begin(&picture, device, input, descriptor);

    picture.format = device->options->format;
    if (result == STATUS_DRAWN && device->options->export_ids) {
        result = draw_elements(&picture, device, outputs, output_count);
    } else if (result == STATUS_DRAWN) {
        picture.placement.size = outputs[0].size;
        result = load(&picture);
        if (result == STATUS_DRAWN)
            result = draw_outputs(&picture, device, outputs, output_count);
    }
    destroy(&picture);
    return result;
}

status picture_load(const device *device, const char *input, pietra_stream **stream, double *width, double *height)
{
    picture picture;
    status result = begin(&picture, device, input, -1);

    if (result == STATUS_DRAWN)
        result = load(&picture);
    if (result == STATUS_DRAWN) {
        *stream = picture.stream;
        *width = picture.placement.document_width;
        *height = picture.placement.document_height;
        picture.stream = NULL;
    }
    destroy(&picture);
    return result;
}

status picture_query(const device *device, const char *input)
{
    picture picture;
    status result = begin(&picture, device, input, -1);
    pietra_scene *scene = pietra_scene_create();

    if (result == STATUS_DRAWN)
        result = scene ? parse(&picture, scene) : report_memory(input);
    pietra_scene_destroy(scene);
    destroy(&picture);
    if (result == STATUS_DRAWN && !picture.listed)
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
    picture picture;
    explained explained = {.input = input, .origins = &origins};
    status result = begin(&picture, device, input, -1);

    picture.origins = &origins;
    if (result == STATUS_DRAWN)
        result = load(&picture);
    if (result == STATUS_DRAWN && origins.out_of_memory)
        result = report_memory(input);
    if (result == STATUS_DRAWN)
        result = placement_find(&picture.placement);
    if (result == STATUS_DRAWN)
        result = check_memory(&picture, false);
    if (result == STATUS_DRAWN) {
        explained.width = picture.placement.width;
        explained.height = picture.placement.height;
        explained.stream = picture.stream;
        explained.frame =
            (pietra_frame){.transform = picture.placement.transform, .background = device->options->background};
        result = explain_pixel(device, &explained);
    }
    destroy(&picture);
    origins_destroy(&origins);
    if (fflush(stdout) != 0)
        result = report_errno("-", "write");
    return result;
}
