/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "explain.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pietra/pietra_explain.h"

#define LEVELS_SHOWN 8u
#define INDENTED_MOST 16u

/* An open layer. */
typedef struct layer {
    uint8_t level;
    bool in_source; /* its level is not known so far */
    bool is_effect; /* it is drawn apart: layers around it have no part in it */
} layer;

typedef struct explanation {
    const explained *picture;
    const options *options;
    ARRAY(layer) layers;
    bool some; /* it has steps */
    bool out_of_memory;
} explanation;

/* ---- Steps ---- */

static void print_color(const char *before, const uint8_t *color)
{
    printf("%s#%02x%02x%02x%02x", before, color[0], color[1], color[2], color[3]);
}

static void print_element(const explanation *explanation, uint32_t label)
{
    putchar(' ');
    origins_print(stdout, explanation->picture->origins, label);
}

/* Prints the levels of the layers that are open on the same pixels, the outermost first. */
static void print_levels(const explanation *explanation)
{
    size_t end = explanation->layers.count, begin = end, first;

    while (begin > 0 && !explanation->layers.items[begin - 1].is_effect)
        begin--;
    first = end - begin > LEVELS_SHOWN ? end - LEVELS_SHOWN : begin;
    if (begin < end)
        printf(end - begin == 1 ? ", level" : ", levels");
    if (first > begin)
        printf(" (%zu more)", first - begin);
    for (size_t i = first; i < end; i++) {
        const layer *layer = &explanation->layers.items[i];
        if (layer->in_source)
            printf(" ?");
        else
            printf(" %u", layer->level);
    }
}

static const char *paint_name(const pietra_pixel_step *step)
{
    if (step->kind == PIETRA_PIXEL_EFFECT)
        return "texel of its result";
    switch (step->paint) {
    case PIETRA_PAINT_LINEAR:
        return "linear gradient";
    case PIETRA_PAINT_RADIAL:
        return "radial gradient";
    case PIETRA_PAINT_SWEEP:
        return "sweep gradient";
    case PIETRA_PAINT_BOX_SHADOW:
        return "box shadow";
    case PIETRA_PAINT_IMAGE:
        return step->paints_scene ? "texel of a pattern" : "texel";
    default:
        return "solid";
    }
}

static const char *kind_name(const pietra_pixel_step *step)
{
    static const char *const names[] = {
        [PIETRA_PIXEL_FILL] = "fill", [PIETRA_PIXEL_STROKE] = "stroke", [PIETRA_PIXEL_CLIP] = "clip",
        [PIETRA_PIXEL_MASK] = "mask", [PIETRA_PIXEL_GROUP] = "group",   [PIETRA_PIXEL_EFFECT] = "effect",
    };
    bool image = step->event == PIETRA_PIXEL_PAINTS && step->paint == PIETRA_PAINT_IMAGE && !step->paints_scene;

    return image && step->kind != PIETRA_PIXEL_EFFECT ? "image" : names[step->kind];
}

static const char *blend_name(pietra_blend blend)
{
    static const char *const names[] = {
#define BLEND(name, number, keyword) [number] = #keyword,
#include "layout/blend.def"
    };

    return names[blend];
}

static void print_paint(const explanation *explanation, const pietra_pixel_step *step)
{
    printf("%s", kind_name(step));
    print_element(explanation, step->label);
    printf(": coverage %u", step->coverage);
    print_levels(explanation);
    printf(", %s", paint_name(step));
    print_color(" ", step->source);
}

static void print_missing(const explanation *explanation, const pietra_pixel_step *step)
{
    printf("(%s", kind_name(step));
    print_element(explanation, step->label);
    printf(": %s", step->event == PIETRA_PIXEL_OCCLUDED ? "occluded by" : "clipped away by");
    print_element(explanation, step->other_label);
    if (step->coverage)
        printf("; coverage would be %u)", step->coverage);
    else
        printf("; its box holds the pixel)");
}

/* Names what an effect reads: its content, or one of its pictures. */
static void print_source(const explanation *explanation, const pietra_pixel_step *step)
{
    printf("%s %s of effect", step->event == PIETRA_PIXEL_BEGINS ? "begin" : "end",
           step->is_picture ? "picture" : "content");
    print_element(explanation, step->label);
    if (step->event == PIETRA_PIXEL_BEGINS)
        printf(", drawn apart");
    else
        print_color(": it is ", step->source);
}

static void print_begin(const explanation *explanation, const pietra_pixel_step *step)
{
    printf("begin %s", kind_name(step));
    print_element(explanation, step->label);
    if (step->has_source)
        printf(": what follows is its source");
    else if (step->kind == PIETRA_PIXEL_GROUP)
        printf(": level %u", step->level);
    else
        printf(": coverage %u, level %u", step->coverage, step->level);
    if (step->blend)
        printf(", blend %s", blend_name(step->blend));
    if (step->event == PIETRA_PIXEL_MERGES)
        printf(", in one layer with what is around it");
}

static void print_end(const explanation *explanation, const pietra_pixel_step *step)
{
    printf("%s %s", step->event == PIETRA_PIXEL_ENDS ? "end" : "end of the source of", kind_name(step));
    print_element(explanation, step->label);
    print_color(step->event == PIETRA_PIXEL_ENDS ? ": content " : ": it is ", step->source);
    printf(", level %u", step->level);
    if (step->blend)
        printf(", blend %s", blend_name(step->blend));
}

static void print_step(const explanation *explanation, const pietra_pixel_step *step)
{
    bool is_effect = step->kind == PIETRA_PIXEL_EFFECT;
    size_t depth =
        explanation->layers.count - (step->event == PIETRA_PIXEL_ENDS || step->event == PIETRA_PIXEL_ENDS_SOURCE);

    printf("%*s", (int)(2 * (depth < INDENTED_MOST ? depth : INDENTED_MOST)), "");
    switch (step->event) {
    case PIETRA_PIXEL_PAINTS:
        print_paint(explanation, step);
        break;
    case PIETRA_PIXEL_OCCLUDED:
    case PIETRA_PIXEL_CLIPPED:
        print_missing(explanation, step);
        puts("");
        return;
    case PIETRA_PIXEL_FOLDS:
        printf("clip");
        print_element(explanation, step->label);
        puts(": coverage 255; it goes along whole pixels and needs no layer");
        return;
    case PIETRA_PIXEL_BEGINS:
    case PIETRA_PIXEL_MERGES:
        (is_effect ? print_source : print_begin)(explanation, step);
        break;
    case PIETRA_PIXEL_ENDS_SOURCE:
    case PIETRA_PIXEL_ENDS:
        (is_effect ? print_source : print_end)(explanation, step);
        break;
    }
    print_color(" -> ", step->color);
    puts("");
}

static void follow_layers(explanation *explanation, const pietra_pixel_step *step)
{
    layer *top = explanation->layers.count ? array_last(&explanation->layers) : NULL;

    if (step->event == PIETRA_PIXEL_BEGINS) {
        top = array_push(&explanation->layers);
        explanation->out_of_memory |= !top;
    }
    if (step->event == PIETRA_PIXEL_ENDS)
        explanation->layers.count -= top != NULL;
    else if (top && step->event != PIETRA_PIXEL_PAINTS)
        *top = (layer){.level = step->level,
                       .in_source = step->event == PIETRA_PIXEL_BEGINS && step->has_source,
                       .is_effect = step->kind == PIETRA_PIXEL_EFFECT};
}

static void print_head(const explanation *explanation)
{
    const explained *picture = explanation->picture;

    printf("pixel %" PRIu32 ",%" PRIu32 " of %" PRIu32 " x %" PRIu32
           "; colours, after ->, are premultiplied: #RRGGBBAA\n",
           explanation->options->explain_x, explanation->options->explain_y, picture->width, picture->height);
}

static void take_step(void *user, const pietra_pixel_step *step)
{
    explanation *explanation = user;

    if (!explanation->some) {
        print_head(explanation);
        explanation->some = true;
    }
    print_step(explanation, step);
    if (step->event != PIETRA_PIXEL_OCCLUDED && step->event != PIETRA_PIXEL_CLIPPED &&
        step->event != PIETRA_PIXEL_FOLDS)
        follow_layers(explanation, step);
}

/* ---- Devices ---- */

static pietra_target target_of(const explained *picture, uint8_t *pixels)
{
    return (pietra_target){.width = picture->width, .height = picture->height, .pixels = pixels, .may_spoil = true};
}

static status draw(const explained *picture, pietra_device *handle, uint8_t *pixels)
{
    const pietra_target target = target_of(picture, pixels);
    pietra_error error;

    if (pietra_render(handle, picture->stream, &picture->frame, &target, &error, NULL) != PIETRA_OK)
        return report_error(picture->input, &error);
    return STATUS_DRAWN;
}

/* Prints where a picture differs from the reference's. */
static status compare_pixels(const explained *picture, const options *options, const uint8_t *expected,
                             const uint8_t *found)
{
    size_t count = (size_t)picture->width * picture->height, different = 0, first = 0;
    size_t here = (size_t)options->explain_y * picture->width + options->explain_x;

    for (size_t i = 0; i < count; i++)
        if (memcmp(expected + 4 * i, found + 4 * i, 4) != 0)
            first = different++ ? first : i;
    if (different == 0) {
        puts("the same picture");
        return STATUS_DRAWN;
    }
    print_color("", found + 4 * here);
    printf("; %zu of %zu pixels differ from the reference, the first at %zu,%zu\n", different, count,
           first % picture->width, first / picture->width);
    return STATUS_DIFFERENT;
}

static status compare_stages(const explained *picture, pietra_device *handle)
{
    pietra_stage_difference difference;
    pietra_error error;
    pietra_result result = pietra_compare_stages(handle, picture->stream, &picture->frame, picture->width,
                                                 picture->height, &error, &difference);

    if (result == PIETRA_ERROR_BUDGET || result == PIETRA_ERROR_MEMORY) {
        printf("     stages are not compared: %s\n", error.message);
        return STATUS_DRAWN;
    }
    if (result != PIETRA_OK)
        return report_error(picture->input, &error);
    if (!difference.stage) {
        puts("     the same in every stage as the reference; the CPU device has no stages to compare");
        return STATUS_DRAWN;
    }
    printf("     the first difference is of %s: %s, item %" PRIu64 " of %" PRIu64 ": %s\n", difference.stage,
           difference.buffer, difference.item, difference.item_count, difference.text);
    return STATUS_DIFFERENT;
}

static status worse(status a, status b)
{
    return a == STATUS_DRAWN || (a == STATUS_DIFFERENT && b != STATUS_DRAWN) ? b : a;
}

/* Draws on a device and compares. `pixels` has room for the picture. */
static status compare_device(const explained *picture, const options *options, pietra_device *handle,
                             const uint8_t *expected, uint8_t *pixels)
{
    pietra_device_info info;
    status result = draw(picture, handle, pixels);

    if (result != STATUS_DRAWN)
        return result;
    pietra_device_get_info(handle, &info);
    if (info.kind != PIETRA_DEVICE_GPU) {
        printf("cpu: ");
        return compare_pixels(picture, options, expected, pixels);
    }
    printf("gpu, %s: ", info.name);
    result = compare_pixels(picture, options, expected, pixels);
    return worse(compare_stages(picture, handle), result);
}

static status compare_devices(const device *device, const explained *picture, pietra_device *cpu,
                              const uint8_t *expected)
{
    pietra_device_kind kind = device->options->device.kind;
    uint8_t *pixels = malloc(4 * (size_t)picture->width * picture->height);
    status result = STATUS_DRAWN;

    if (!pixels)
        return report_memory(picture->input);
    if (kind == PIETRA_DEVICE_AUTO || kind == PIETRA_DEVICE_CPU)
        result = compare_device(picture, device->options, cpu, expected, pixels);
    if (device->handle)
        result = worse(result, compare_device(picture, device->options, device->handle, expected, pixels));
    else if (kind == PIETRA_DEVICE_AUTO)
        printf("gpu: none (%s)\n", device->missing);
    free(pixels);
    return result;
}

/* ---- All ---- */

/* Draws by the reference into `pixels` and prints the steps. `handle` is any device. */
static status print_steps(const options *options, const explained *picture, pietra_device *handle, uint8_t *pixels)
{
    const pietra_target target = target_of(picture, pixels);
    explanation explanation = {.picture = picture, .options = options};
    const uint8_t *here = pixels + 4 * ((size_t)options->explain_y * picture->width + options->explain_x);
    pietra_error error;
    status result = STATUS_DRAWN;

    if (pietra_explain_pixel(handle, picture->stream, &picture->frame, &target, options->explain_x, options->explain_y,
                             take_step, &explanation, &error) != PIETRA_OK) {
        return report_error(picture->input, &error);
    }
    if (!explanation.some) {
        print_head(&explanation);
        puts("nothing is drawn there");
    }
    if (explanation.out_of_memory) {
        result = report_memory(picture->input);
    } else {
        print_color("reference: ", here);
        puts(", not premultiplied, as in the file");
    }
    array_free(&explanation.layers);
    return result;
}

status explain_pixel(device *device, const explained *picture)
{
    uint8_t *expected = malloc(4 * (size_t)picture->width * picture->height);
    pietra_device *cpu = NULL;
    status result = expected ? device_create(device, PIETRA_DEVICE_CPU, &cpu) : report_memory(picture->input);

    if (result == STATUS_DRAWN)
        result = print_steps(device->options, picture, cpu, expected);
    if (result == STATUS_DRAWN)
        result = compare_devices(device, picture, cpu, expected);
    pietra_device_destroy(cpu);
    free(expected);
    return result;
}
