/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "render/gpu/image_target.h"

#include <stdbool.h>
#include <string.h>

#include "base/error.h"
#include "base/pixel_box.h"
#include "primitive/primitive.h"

/* Includes static const uint32_t spv_<stem>[] for every entry point of shaders/stages. */
#include "spv/pipeline_arrays.inc"

/* Written rows lie so many pixels apart, or a multiple. So each begins where a kernel may see a range begin, since no
 * device wants more than 256 bytes for that. */
#define PITCH_STEP 64u

typedef struct image_format {
    VkFormat format;
    bool is_copied;  /* the picture's words are the pixels */
    uint32_t number; /* else: IMAGE_* */
    uint32_t bytes;  /* of a pixel */
} image_format;

static const image_format formats[] = {
    {VK_FORMAT_R8G8B8A8_UNORM, true, 0, 4},
    {VK_FORMAT_R8G8B8A8_SRGB, true, 0, 4},
    {VK_FORMAT_A8B8G8R8_UNORM_PACK32, true, 0, 4},
    {VK_FORMAT_A8B8G8R8_SRGB_PACK32, true, 0, 4},
    {VK_FORMAT_B8G8R8A8_UNORM, false, IMAGE_BGRA8, 4},
    {VK_FORMAT_B8G8R8A8_SRGB, false, IMAGE_BGRA8, 4},
    {VK_FORMAT_A2B10G10R10_UNORM_PACK32, false, IMAGE_RGB10A2, 4},
    {VK_FORMAT_A2R10G10B10_UNORM_PACK32, false, IMAGE_BGR10A2, 4},
    {VK_FORMAT_R16G16B16A16_SFLOAT, false, IMAGE_RGBA16F, 8},
};

static const image_format *find_format(VkFormat format)
{
    for (size_t i = 0; i < sizeof formats / sizeof formats[0]; i++)
        if (formats[i].format == format)
            return &formats[i];
    return NULL;
}

static bool is_stored(VkFormat format)
{
    return format == VK_FORMAT_R8G8B8A8_UNORM || format == VK_FORMAT_B8G8R8A8_UNORM;
}

pietra_result image_target_check(const pietra_vulkan_target *target, pietra_error *error)
{
    if (target->view && !is_stored(target->format))
        return error_set(error, PIETRA_ERROR_INPUT, 0, "a view of VkFormat %d: none is stored to", (int)target->format);
    if (target->view && target->after == VK_IMAGE_LAYOUT_UNDEFINED)
        return error_set(error, PIETRA_ERROR_INPUT, 0, "a view of an image without a layout after the frame");
    if (find_format(target->format))
        return PIETRA_OK;
    return error_set(error, PIETRA_ERROR_INPUT, 0,
                     "an image of VkFormat %d: pietra_vulkan.h lists those that are drawn", (int)target->format);
}

/* ---- Boxes ---- */

/* Gives what is written of a picture. Returns how many boxes that are. */
static uint32_t boxes_of(const image_target *image, pietra_pixel_box boxes[DRAWN_BOXES])
{
    boxes[0] = (pietra_pixel_box){0, 0, image->target->width, image->target->height};
    if (image->box_count > 0)
        memcpy(boxes, image->boxes, image->box_count * sizeof *boxes);
    return image->box_count > 0 ? image->box_count : 1;
}

/* Gives what of it lies in some rows, from the first of them on, and the number of its pixels. */
static uint32_t boxes_in_rows(const image_target *image, uint32_t y, uint32_t rows, image_box in_rows[DRAWN_BOXES],
                              uint32_t *pixels)
{
    pietra_pixel_box boxes[DRAWN_BOXES];
    const uint32_t count = boxes_of(image, boxes);
    uint32_t found = 0;
    *pixels = 0;
    for (uint32_t i = 0; i < count; i++) {
        const pietra_pixel_box box = pixel_box_overlap(boxes[i], (pietra_pixel_box){0, y, UINT32_MAX, y + rows});
        if (pixel_box_is_empty(box))
            continue;
        in_rows[found++] = (image_box){box.x0, box.y0 - y, box.x1 - box.x0, *pixels};
        *pixels += (box.x1 - box.x0) * (box.y1 - box.y0);
    }
    return found;
}

/* ---- Conversion ---- */

static pietra_result make_program(image_writer *writer, uint32_t format, pietra_error *error)
{
    const gpu_program_info info = {.name = "12_image",
                                   .spirv = spv_12_image,
                                   .word_count = sizeof spv_12_image / sizeof spv_12_image[0],
                                   .buffer_count = 2,
                                   .push_bytes = sizeof(image_push),
                                   .constants = &format,
                                   .constant_count = 1};
    return writer->programs[format] ? PIETRA_OK
                                    : gpu_program_create(writer->device, &info, error, &writer->programs[format]);
}

static uint32_t written_pitch(const pietra_vulkan_target *target)
{
    return (target->width + PITCH_STEP - 1) / PITCH_STEP * PITCH_STEP;
}

/* Returns how many rows one dispatch can read and write. */
static uint32_t rows_at_once(const image_writer *writer, uint32_t row_bytes)
{
    const gpu_limits *limits = gpu_get_limits(writer->device);
    const uint64_t rows = (limits->max_binding_bytes - limits->storage_alignment) / row_bytes;
    return rows < 1 ? 1 : rows < PIETRA_MAX_SIDE ? (uint32_t)rows : PIETRA_MAX_SIDE;
}

static void record_rows(const image_writer *writer, gpu_recorder *recorder, const image_format *format,
                        const image_target *image, gpu_range picture, uint32_t pitch, uint32_t y, uint32_t rows)
{
    const pietra_vulkan_target *target = image->target;
    const uint32_t alignment = gpu_get_limits(writer->device)->storage_alignment;
    const uint64_t begin = picture.offset + (uint64_t)y * pitch * sizeof(uint32_t), lead = begin % alignment;
    const uint64_t read = lead + ((uint64_t)(rows - 1) * pitch + target->width) * sizeof(uint32_t);
    const uint64_t row_bytes = (uint64_t)written_pitch(target) * format->bytes;
    const gpu_range ranges[] = {{.buffer = picture.buffer, .offset = begin - lead, .bytes = read},
                                {.buffer = &writer->pixels, .offset = y * row_bytes, .bytes = rows * row_bytes}};
    image_push push = {
        .first = (uint32_t)(lead / sizeof(uint32_t)), .pitch = pitch, .written_pitch = written_pitch(target)};
    push.box_count = boxes_in_rows(image, y, rows, push.boxes, &push.count);
    const primitive_grid grid = primitive_grid_of((push.count + IMAGE_INVOCATIONS - 1) / IMAGE_INVOCATIONS);
    if (push.count > 0)
        gpu_dispatch(recorder, writer->programs[format->number], ranges, &push, grid.x, grid.y, 1);
}

static void record_conversion(const image_writer *writer, gpu_recorder *recorder, const image_format *format,
                              const image_target *image, gpu_range picture, uint32_t pitch)
{
    const pietra_vulkan_target *target = image->target;
    const uint32_t read_bytes = pitch * (uint32_t)sizeof(uint32_t), made_bytes = written_pitch(target) * format->bytes;
    const uint32_t most = rows_at_once(writer, read_bytes > made_bytes ? read_bytes : made_bytes);
    for (uint32_t y = 0; y < target->height; y += most)
        record_rows(writer, recorder, format, image, picture, pitch, y,
                    most < target->height - y ? most : target->height - y);
    gpu_barrier(recorder);
    gpu_mark(recorder, "12 image");
}

/* ---- Storage ---- */

static pietra_result make_store(image_writer *writer, bool is_guarded, pietra_error *error)
{
    const gpu_program_info infos[] = {{.name = "12_store",
                                       .spirv = spv_12_store,
                                       .word_count = sizeof spv_12_store / sizeof spv_12_store[0],
                                       .buffer_count = 1,
                                       .writes_image = true,
                                       .push_bytes = sizeof(image_store_push)},
                                      {.name = "12_store_guarded",
                                       .spirv = spv_12_store_guarded,
                                       .word_count = sizeof spv_12_store_guarded / sizeof spv_12_store_guarded[0],
                                       .buffer_count = 2,
                                       .writes_image = true,
                                       .push_bytes = sizeof(image_guarded_push)}};
    gpu_program **made = is_guarded ? &writer->store_guarded : &writer->store;
    return *made ? PIETRA_OK : gpu_program_create(writer->device, &infos[is_guarded], error, made);
}

static void store_rows(const image_writer *writer, gpu_recorder *recorder, const image_target *image, gpu_range picture,
                       uint32_t pitch, const image_guard *guard, uint32_t y, uint32_t rows)
{
    const uint32_t width = image->target->width;
    const uint64_t begin = picture.offset + (uint64_t)y * pitch * sizeof(uint32_t);
    const uint64_t lead = begin % gpu_get_limits(writer->device)->storage_alignment;
    const gpu_range seen = {.buffer = picture.buffer,
                            .offset = begin - lead,
                            .bytes = lead + sizeof(uint32_t) * ((uint64_t)(rows - 1) * pitch + width)};
    const gpu_range ranges[] = {seen, guard ? guard->counters : seen};
    image_guarded_push push = {
        .store = {.first = (uint32_t)(lead / sizeof(uint32_t)), .pitch = pitch, .x = image->x, .y = image->y + y},
        .room = guard ? guard->room : (frame_room){.fine_work = 0}};
    push.store.box_count = boxes_in_rows(image, y, rows, push.store.boxes, &push.store.count);
    const primitive_grid grid = primitive_grid_of((push.store.count + IMAGE_INVOCATIONS - 1) / IMAGE_INVOCATIONS);
    if (push.store.count > 0)
        gpu_dispatch_to_image(recorder, guard ? writer->store_guarded : writer->store, ranges, image->target->view,
                              &push, grid.x, grid.y);
}

static void record_stores(const image_writer *writer, gpu_recorder *recorder, const image_target *image,
                          gpu_range picture, uint32_t pitch, const image_guard *guard)
{
    const pietra_vulkan_target *target = image->target;
    const uint32_t most = rows_at_once(writer, pitch * (uint32_t)sizeof(uint32_t));
    gpu_begin_stores(recorder, target);
    for (uint32_t y = 0; y < target->height; y += most)
        store_rows(writer, recorder, image, picture, pitch, guard, y,
                   most < target->height - y ? most : target->height - y);
    gpu_end_stores(recorder, target);
}

/* ---- Images ---- */

static uint64_t converted_bytes(const image_format *format, const pietra_vulkan_target *target)
{
    return format->is_copied || target->view ? 0 : (uint64_t)written_pitch(target) * target->height * format->bytes;
}

bool image_has_room(const image_writer *writer, const pietra_vulkan_target *target)
{
    return writer->pixels.bytes >= converted_bytes(find_format(target->format), target);
}

pietra_result image_make_room(image_writer *writer, const pietra_vulkan_target *target, bool is_guarded,
                              pietra_error *error)
{
    const image_format *format = find_format(target->format);
    if (target->view)
        return make_store(writer, is_guarded, error);
    if (format->is_copied)
        return PIETRA_OK;
    pietra_result result = make_program(writer, format->number, error);
    return result == PIETRA_OK ? gpu_buffer_ensure(writer->device, converted_bytes(format, target), GPU_MEMORY_DEVICE,
                                                   error, &writer->pixels)
                               : result;
}

static void record_copy(gpu_recorder *recorder, const image_target *image, gpu_range picture, uint32_t pitch,
                        uint32_t pixel_bytes)
{
    pietra_pixel_box boxes[DRAWN_BOXES];
    gpu_image_box copied[DRAWN_BOXES];
    const uint32_t count = boxes_of(image, boxes);
    for (uint32_t i = 0; i < count; i++) {
        const pietra_pixel_box box = boxes[i];
        copied[i] = (gpu_image_box){.offset = picture.offset + ((uint64_t)box.y0 * pitch + box.x0) * pixel_bytes,
                                    .x = image->x + box.x0,
                                    .y = image->y + box.y0,
                                    .width = box.x1 - box.x0,
                                    .height = box.y1 - box.y0};
    }
    gpu_copy_to_image(recorder, picture.buffer, pitch, image->target, copied, count);
}

void image_record(const image_writer *writer, gpu_recorder *recorder, const image_target *image, gpu_range picture,
                  uint32_t pitch, const image_guard *guard)
{
    const pietra_vulkan_target *target = image->target;
    const image_format *format = find_format(target->format);
    if (target->view) {
        record_stores(writer, recorder, image, picture, pitch, guard);
        gpu_mark(recorder, "12 image");
        return;
    }
    if (!format->is_copied) {
        record_conversion(writer, recorder, format, image, picture, pitch);
        picture = (gpu_range){.buffer = &writer->pixels};
        pitch = written_pitch(target);
    }
    record_copy(recorder, image, picture, pitch, format->bytes);
    gpu_mark(recorder, "12 image");
}

pietra_result image_write(image_writer *writer, const image_target *image, gpu_range picture, uint32_t pitch,
                          pietra_error *error)
{
    pietra_result result = image_make_room(writer, image->target, false, error);
    if (result == PIETRA_OK)
        result = gpu_recorder_begin(writer->recorder, error);
    if (result != PIETRA_OK)
        return result;
    image_record(writer, writer->recorder, image, picture, pitch, NULL);
    result = gpu_recorder_submit_ordered(writer->recorder, image->order, error);
    return result == PIETRA_OK ? gpu_recorder_wait(writer->recorder, error) : result;
}

pietra_result image_write_from_host(image_writer *writer, const image_target *image, const uint32_t *picture,
                                    pietra_error *error)
{
    const uint32_t width = image->target->width;
    const uint64_t bytes = (uint64_t)width * image->target->height * sizeof *picture;
    pietra_result result = gpu_buffer_ensure(writer->device, bytes, GPU_MEMORY_UPLOAD, error, &writer->upload);
    if (result != PIETRA_OK)
        return result;
    memcpy(writer->upload.mapped, picture, (size_t)bytes);
    return image_write(writer, image, (gpu_range){.buffer = &writer->upload}, width, error);
}

void image_writer_free(image_writer *writer)
{
    gpu_buffer_destroy(writer->device, &writer->pixels);
    gpu_buffer_destroy(writer->device, &writer->upload);
    gpu_program_destroy(writer->store);
    gpu_program_destroy(writer->store_guarded);
    writer->store = writer->store_guarded = NULL;
    for (size_t i = 0; i < IMAGE_FORMATS; i++) {
        gpu_program_destroy(writer->programs[i]);
        writer->programs[i] = NULL;
    }
}
