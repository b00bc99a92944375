/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* interface_frames: measures the frames of a user interface, as a program draws them through a view.
 *
 *     interface_frames [--cpu] [--stages] [--copy] [--all-on-gpu] [--width PIXELS] [--frames N] [--in-flight N]
 *         FILE.svg ...
 *
 * Draws each file as wide as asked for: on the first GPU into an image, which is what a window shows, by a kernel or
 * with --copy by copies, or with --cpu on one thread into memory. Prints the device's
 * name, and then a table in markdown, a row for each file and case:
 *
 *     whole    the whole picture, under another transform in each frame, so that nothing of the last frame helps
 *     caret    a box of 2 x 20 pixels comes and goes over a picture that stays
 *     two      so does it, and a box of the same size in a corner is drawn anew
 *     scroll   the picture moves by 20 pixels, and all is drawn
 *     encode   the scene is encoded anew for each frame, with a box that moves, and all is drawn
 *     one      one of 2,000 icons over the picture moves, an instance each, and what differs is drawn
 *     all      all of them move
 *
 * The columns: milliseconds from the call of a lone frame to the end of its work, half of the frames and 99 of 100 take
 * no longer; milliseconds of processor time of the caller's thread in that call, half of the frames; milliseconds of
 * the GPU, half of the frames; milliseconds a frame if --in-flight frames are (by default 3); megabytes of buffers; and
 * how many frames of 100 could not be submitted without being counted first. Encoding, and composing instances, is not
 * counted, but for the next to last column: its milliseconds a frame. The last one: kilobytes of a frame's stream that
 * were written to the device, half of the frames. --stages adds a line for each stage of the last lone frame: its
 * milliseconds on the GPU, and one for what the frame counted. */
#define _POSIX_C_SOURCE 200809L

#include <math.h>
#include <pietra/pietra_instance.h>
#include <pietra/pietra_view.h>
#include <pietra/pietra_vulkan.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "vulkan/loader.h"

#define FRAMES_MOST 1000u
#define LINE_HEIGHT 20.0 /* pixels */
#define ICONS 2000u
#define ICON_KINDS 50u
#define ICON_COLUMNS 50u
#define DAMAGE_BOXES 8u

static uint32_t width = 1920, frame_count = 200, in_flight = 3;
static bool is_cpu, shows_stages, stores = true, is_all_on_gpu;

static void stop(const char *name, const char *why)
{
    fprintf(stderr, "interface_frames: %s: %s\n", name, why);
    exit(1);
}

static void must(const char *what, pietra_result result, const pietra_error *error)
{
    if (result != PIETRA_OK)
        stop(what, error->message);
}

static double clock_of(clockid_t clock)
{
    struct timespec now;
    clock_gettime(clock, &now);
    return (double)now.tv_sec * 1e3 + (double)now.tv_nsec * 1e-6;
}

/* ---- The program's own Vulkan ---- */

#define VULKAN_FUNCTIONS(X) \
    X(vkAllocateMemory) \
    X(vkBindImageMemory) \
    X(vkCreateDevice) \
    X(vkCreateImage) \
    X(vkCreateImageView) \
    X(vkEnumeratePhysicalDevices) \
    X(vkGetDeviceQueue) \
    X(vkGetImageMemoryRequirements) \
    X(vkGetPhysicalDeviceMemoryProperties) \
    X(vkGetPhysicalDeviceQueueFamilyProperties)

typedef struct own_vulkan {
    pietra_vulkan_device device;
#define MEMBER(name) PFN_##name name;
    VULKAN_FUNCTIONS(MEMBER)
#undef MEMBER
} own_vulkan;

static void must_vulkan(VkResult result, const char *what)
{
    if (result != VK_SUCCESS && result != VK_INCOMPLETE)
        stop(what, "Vulkan fails");
}

static void open_instance(own_vulkan *vulkan)
{
    gpu_functions loader;
    const VkApplicationInfo application = {.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO,
                                           .apiVersion = VK_API_VERSION_1_2};
    const VkInstanceCreateInfo create = {.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO,
                                         .pApplicationInfo = &application};
    if (!loader_open(&loader))
        stop("a GPU", "there is no Vulkan");
    vulkan->device.get_proc = loader.GetInstanceProcAddr;
    must_vulkan(loader.CreateInstance(&create, NULL, &vulkan->device.instance), "an instance");
#define LOAD(name) vulkan->name = (PFN_##name)vulkan->device.get_proc(vulkan->device.instance, #name);
    VULKAN_FUNCTIONS(LOAD)
#undef LOAD
}

static uint32_t find_family(const own_vulkan *vulkan)
{
    VkQueueFamilyProperties families[32];
    uint32_t count = 32, family = 0;
    vulkan->vkGetPhysicalDeviceQueueFamilyProperties(vulkan->device.gpu, &count, families);
    while (family + 1 < count && !(families[family].queueFlags & VK_QUEUE_COMPUTE_BIT))
        family++;
    return family;
}

static void open_vulkan(own_vulkan *vulkan)
{
    pietra_vulkan_needs needs;
    pietra_error error = {.message = ""};
    uint32_t count = 1;
    const float priority = 1;
    open_instance(vulkan);
    must_vulkan(vulkan->vkEnumeratePhysicalDevices(vulkan->device.instance, &count, &vulkan->device.gpu), "a GPU");
    must("a GPU",
         pietra_vulkan_get_needs(vulkan->device.get_proc, vulkan->device.instance, vulkan->device.gpu, &error, &needs),
         &error);
    vulkan->device.queue_family = find_family(vulkan);
    const VkDeviceQueueCreateInfo queue = {.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
                                           .queueFamilyIndex = vulkan->device.queue_family,
                                           .queueCount = 1,
                                           .pQueuePriorities = &priority};
    const VkPhysicalDeviceFeatures own = {.shaderStorageImageWriteWithoutFormat = VK_TRUE};
    const VkDeviceCreateInfo create = {.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
                                       .pEnabledFeatures = &own,
                                       .pNext = &needs.features,
                                       .queueCreateInfoCount = 1,
                                       .pQueueCreateInfos = &queue,
                                       .enabledExtensionCount = needs.extension_count,
                                       .ppEnabledExtensionNames = needs.extensions};
    must_vulkan(vulkan->vkCreateDevice(vulkan->device.gpu, &create, NULL, &vulkan->device.device), "a device");
    vulkan->vkGetDeviceQueue(vulkan->device.device, vulkan->device.queue_family, 0, &vulkan->device.queue);
}

/* Images of a window lie in the device's own memory. */
static uint32_t find_local_memory(const own_vulkan *vulkan, uint32_t types)
{
    VkPhysicalDeviceMemoryProperties memory;
    vulkan->vkGetPhysicalDeviceMemoryProperties(vulkan->device.gpu, &memory);
    for (uint32_t i = 0; i < memory.memoryTypeCount; i++)
        if ((types >> i & 1) && (memory.memoryTypes[i].propertyFlags & VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT))
            return i;
    stop("an image", "the device has no memory of its own");
    return 0;
}

static VkImage make_image(const own_vulkan *vulkan, uint32_t image_width, uint32_t image_height)
{
    const VkImageCreateInfo create = {.sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO,
                                      .imageType = VK_IMAGE_TYPE_2D,
                                      .format = VK_FORMAT_B8G8R8A8_UNORM,
                                      .extent = {image_width, image_height, 1},
                                      .mipLevels = 1,
                                      .arrayLayers = 1,
                                      .samples = VK_SAMPLE_COUNT_1_BIT,
                                      .tiling = VK_IMAGE_TILING_OPTIMAL,
                                      .usage = VK_IMAGE_USAGE_TRANSFER_DST_BIT | VK_IMAGE_USAGE_STORAGE_BIT,
                                      .initialLayout = VK_IMAGE_LAYOUT_UNDEFINED};
    VkMemoryRequirements needs;
    VkImage image;
    VkDeviceMemory memory;
    must_vulkan(vulkan->vkCreateImage(vulkan->device.device, &create, NULL, &image), "an image");
    vulkan->vkGetImageMemoryRequirements(vulkan->device.device, image, &needs);
    const VkMemoryAllocateInfo allocate = {.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
                                           .allocationSize = needs.size,
                                           .memoryTypeIndex = find_local_memory(vulkan, needs.memoryTypeBits)};
    must_vulkan(vulkan->vkAllocateMemory(vulkan->device.device, &allocate, NULL, &memory), "memory");
    must_vulkan(vulkan->vkBindImageMemory(vulkan->device.device, image, memory, 0), "memory");
    return image;
}

static VkImageView make_view(const own_vulkan *vulkan, VkImage image)
{
    const VkImageViewCreateInfo create = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO,
        .image = image,
        .viewType = VK_IMAGE_VIEW_TYPE_2D,
        .format = VK_FORMAT_B8G8R8A8_UNORM,
        .subresourceRange = {.aspectMask = VK_IMAGE_ASPECT_COLOR_BIT, .levelCount = 1, .layerCount = 1}};
    VkImageView view;
    must_vulkan(vulkan->vkCreateImageView(vulkan->device.device, &create, NULL, &view), "a view");
    return view;
}

/* ---- Windows ---- */

/* What a file is drawn into. */
typedef struct window {
    const own_vulkan *vulkan; /* NULL: memory */
    pietra_view *view;
    pietra_vulkan_target image;
    pietra_target memory;
} window;

static window open_window(pietra_device *device, const own_vulkan *vulkan, uint32_t window_width,
                          uint32_t window_height, uint32_t most)
{
    window made = {.vulkan = vulkan};
    pietra_error error = {.message = ""};
    const pietra_view_options options = {
        .in_flight = most, .stage_times = shows_stages, .host_pixels = is_all_on_gpu ? PIETRA_ALL_ON_GPU : 0};
    must("a view", pietra_view_create(device, &options, &error, &made.view), &error);
    if (vulkan) {
        made.image = (pietra_vulkan_target){.image = make_image(vulkan, window_width, window_height),
                                            .format = VK_FORMAT_B8G8R8A8_UNORM,
                                            .width = window_width,
                                            .height = window_height,
                                            .after = VK_IMAGE_LAYOUT_GENERAL};
        if (stores)
            made.image.view = make_view(vulkan, made.image.image);
    } else {
        made.memory = (pietra_target){.width = window_width,
                                      .height = window_height,
                                      .pixels = calloc((size_t)window_width * window_height, 4),
                                      .format = PIETRA_FORMAT_BGRA8_OPAQUE,
                                      .may_spoil = true};
        if (!made.memory.pixels)
            stop("pixels", "out of memory");
    }
    return made;
}

static pietra_ticket show(window *window, const pietra_submission *submission)
{
    pietra_error error = {.message = ""};
    pietra_ticket ticket = {.number = 0};
    pietra_result result =
        window->vulkan ? pietra_view_submit_vulkan(window->view, submission, &window->image, NULL, &error, &ticket)
                       : pietra_view_submit(window->view, submission, &window->memory, &error, &ticket);
    must("a frame", result, &error);
    window->image.before = VK_IMAGE_LAYOUT_GENERAL;
    return ticket;
}

static void finish(window *window, pietra_stats *stats)
{
    pietra_error error = {.message = ""};
    must("a frame", pietra_view_wait(window->view, 0, PIETRA_FOREVER, &error, NULL, stats), &error);
}

/* ---- Cases ---- */

typedef enum frame_case {
    CASE_WHOLE,
    CASE_CARET,
    CASE_TWO,
    CASE_SCROLL,
    CASE_ENCODE,
    CASE_ONE,
    CASE_ALL,
    CASES
} frame_case;

static const char *const case_names[CASES] = {"whole", "caret", "two", "scroll", "encode", "one", "all"};

typedef struct drawing {
    pietra_scene *scene, *more; /* the file's, and what is encoded for a frame */
    pietra_stream *stream, *with_caret;
    pietra_stream *last; /* encoded for a frame */
    pietra_stream *icons[ICON_KINDS];
    pietra_composition *composition;
    pietra_instance instances[1 + ICONS];
    pietra_pixel_box damage[DAMAGE_BOXES];
    pietra_pixel_box carets[2];
    double width, height, scale;
    double encode_ms;
} drawing;

static void add_box(pietra_scene *scene, double x, double y, double box_width, double box_height)
{
    pietra_path *path = pietra_path_create();
    const pietra_paint paint = pietra_solid(0.9f, 0.2f, 0.1f, 1);
    pietra_error error = {.message = "out of memory"};
    pietra_path_rect(path, x, y, box_width, box_height);
    must("a box", pietra_scene_fill(scene, path, NULL, PIETRA_FILL_NONZERO, &paint, &error), &error);
    pietra_path_destroy(path);
}

/* Encodes the scene with a box over it, in units of the scene. */
static pietra_stream *encode_with(drawing *drawing, double x, double y, double box_width, double box_height)
{
    pietra_stream *stream;
    pietra_error error = {.message = "out of memory"};
    const double start = clock_of(CLOCK_MONOTONIC);
    pietra_scene_reset(drawing->more);
    must("a scene", pietra_scene_append(drawing->more, drawing->scene, NULL, &error), &error);
    add_box(drawing->more, x, y, box_width, box_height);
    must("a stream", pietra_stream_encode(drawing->more, &error, &stream), &error);
    drawing->encode_ms += clock_of(CLOCK_MONOTONIC) - start;
    return stream;
}

/* An icon: a disc, a ring and a bar. */
static pietra_stream *make_icon(uint32_t kind)
{
    pietra_scene *scene = pietra_scene_create();
    pietra_path *path = pietra_path_create();
    pietra_stream *stream;
    pietra_error error = {.message = "out of memory"};
    const pietra_paint paint = pietra_solid((float)(kind % 7) / 7, (float)(kind % 5) / 5, 0.6f, 1);
    const pietra_stroke stroke = {.width = 1.5};
    pietra_path_ellipse(path, 8, 8, 3 + kind % 4, 3 + kind % 4);
    must("an icon", pietra_scene_fill(scene, path, NULL, PIETRA_FILL_NONZERO, &paint, &error), &error);
    must("an icon", pietra_scene_stroke(scene, path, NULL, &stroke, &paint, &error), &error);
    pietra_path_destroy(path);
    add_box(scene, 2, 14, 4 + kind % 8, 2);
    must("an icon", pietra_stream_encode(scene, &error, &stream), &error);
    pietra_scene_destroy(scene);
    return stream;
}

/* Puts the picture below the icons, which lie in rows; some or all of them are a little aside. */
static const pietra_stream *compose(drawing *drawing, bool all, uint32_t i)
{
    const pietra_stream *stream;
    pietra_error error = {.message = "out of memory"};
    const double start = clock_of(CLOCK_MONOTONIC), x = width / (double)ICON_COLUMNS, y = 20;
    drawing->instances[0] =
        (pietra_instance){.stream = drawing->stream, .transform = {drawing->scale, 0, 0, drawing->scale, 0, 0}};
    for (uint32_t k = 0; k < ICONS; k++) {
        const double aside = all || k == 100 ? i % 8 : 0;
        drawing->instances[1 + k] =
            (pietra_instance){.stream = drawing->icons[k % ICON_KINDS],
                              .transform = {1, 0, 0, 1, k % ICON_COLUMNS * x + aside, k / ICON_COLUMNS * y + aside}};
    }
    must("instances", pietra_composition_set(drawing->composition, drawing->instances, 1 + ICONS, &error, &stream),
         &error);
    drawing->encode_ms += clock_of(CLOCK_MONOTONIC) - start;
    return stream;
}

static drawing *read_drawing(const char *name)
{
    drawing *made = calloc(1, sizeof *made);
    pietra_error error = {.message = "out of memory"};
    if (!made)
        stop(name, error.message);
    made->scene = pietra_scene_create();
    made->more = pietra_scene_create();
    made->composition = pietra_composition_create();
    FILE *file = fopen(name, "rb");
    if (!file || fseek(file, 0, SEEK_END) != 0 || !made->scene || !made->more || !made->composition)
        stop(name, "cannot be read");
    const size_t count = (size_t)ftell(file);
    char *bytes = malloc(count + 1);
    rewind(file);
    if (!bytes || fread(bytes, 1, count, file) != count)
        stop(name, "cannot be read");
    fclose(file);
    must(name, pietra_scene_load_svg(made->scene, bytes, count, NULL, &error, &made->width, &made->height), &error);
    must(name, pietra_stream_encode(made->scene, &error, &made->stream), &error);
    free(bytes);
    made->scale = width / made->width;
    made->carets[0] = (pietra_pixel_box){width / 2, 100, width / 2 + 2, 120};
    made->carets[1] = (pietra_pixel_box){4, (uint32_t)(made->height * made->scale) - 24, 6, 0};
    made->carets[1].y1 = made->carets[1].y0 + 20;
    made->with_caret = encode_with(made, made->carets[0].x0 / made->scale, made->carets[0].y0 / made->scale,
                                   2 / made->scale, LINE_HEIGHT / made->scale);
    made->encode_ms = 0;
    for (uint32_t i = 0; i < ICON_KINDS; i++)
        made->icons[i] = make_icon(i);
    return made;
}

static pietra_submission frame_of(drawing *drawing, frame_case which, uint32_t i)
{
    pietra_submission submission = {.stream = drawing->stream, .age = 1};
    pietra_transform *t = &submission.frame.transform;
    *t = (pietra_transform){drawing->scale, 0, 0, drawing->scale, 0, 0};
    submission.frame.background = (pietra_color){1, 1, 1, 1};
    switch (which) {
    case CASE_WHOLE:
        t->a = t->d = drawing->scale * (1 - 1e-5 * (i % 100));
        break;
    case CASE_CARET:
    case CASE_TWO:
        submission.stream = i % 2 ? drawing->with_caret : drawing->stream;
        submission.damage = drawing->carets;
        submission.damage_count = which == CASE_TWO ? 2 : 1;
        break;
    case CASE_SCROLL:
        t->f = -LINE_HEIGHT * (i % 10);
        break;
    case CASE_ONE:
    case CASE_ALL:
        submission.stream = compose(drawing, which == CASE_ALL, i);
        *t = (pietra_transform){1, 0, 0, 1, 0, 0};
        submission.damage = drawing->damage;
        submission.damage_count = pietra_composition_damage(drawing->composition, t, DAMAGE_BOXES, drawing->damage);
        break;
    default:
        pietra_stream_destroy(drawing->last);
        submission.stream = drawing->last = encode_with(drawing, 3.0 * (i % 100), 50, 40, 40);
    }
    return submission;
}

/* ---- Figures ---- */

static int by_size(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

static double share_of(double *values, uint32_t count, double share)
{
    qsort(values, count, sizeof *values, by_size);
    return values[(uint32_t)(share * (count - 1))];
}

static void print_stages(const pietra_stats *stats)
{
    for (uint32_t i = 0; i < stats->stage_count; i++)
        printf("<!-- %-20s %.4f -->\n", stats->stages[i].name, stats->stages[i].milliseconds);
    printf("<!-- lines %llu, tile_lines %llu, tile_commands %llu -->\n", (unsigned long long)stats->lines,
           (unsigned long long)stats->tile_lines, (unsigned long long)stats->tile_commands);
}

/* Frames that are waited for one by one, and after them frames in flight. */
static void measure_case(window *window, drawing *drawing, frame_case which, const char *name)
{
    static double whole[FRAMES_MOST], caller[FRAMES_MOST], gpu[FRAMES_MOST], written[FRAMES_MOST];
    pietra_stats stats = {.stage_count = 0};
    uint32_t counted = 0;
    uint64_t bytes = 0;
    for (uint32_t i = 0; i < frame_count + 10; i++) {
        const uint32_t at = i < 10 ? 0 : i - 10; /* the first frames warm up */
        const pietra_submission submission = frame_of(drawing, which, i);
        const double start = clock_of(CLOCK_MONOTONIC), busy = clock_of(CLOCK_THREAD_CPUTIME_ID);
        const pietra_ticket ticket = show(window, &submission);
        caller[at] = clock_of(CLOCK_THREAD_CPUTIME_ID) - busy;
        finish(window, &stats);
        whole[at] = clock_of(CLOCK_MONOTONIC) - start;
        gpu[at] = stats.gpu_ms;
        written[at] = (double)stats.upload_bytes / 1e3;
        counted += i >= 10 && ticket.is_done;
        bytes = stats.memory_bytes > bytes ? stats.memory_bytes : bytes;
    }
    printf("| %s | %s | %.3f | %.3f | %.3f | %.3f |", name, case_names[which], share_of(whole, frame_count, 0.5),
           share_of(whole, frame_count, 0.99), share_of(caller, frame_count, 0.5), share_of(gpu, frame_count, 0.5));
    const double encode_ms = drawing->encode_ms / (frame_count + 10);
    double start = clock_of(CLOCK_MONOTONIC), encoded = drawing->encode_ms;
    for (uint32_t i = 0; i < frame_count; i++) {
        const pietra_submission submission = frame_of(drawing, which, i);
        (void)show(window, &submission);
    }
    finish(window, NULL);
    encoded = drawing->encode_ms - encoded;
    printf(" %.3f | %.1f | %u | %.2f | %.1f |\n", (clock_of(CLOCK_MONOTONIC) - start - encoded) / frame_count,
           (double)bytes / 1e6, counted * 100 / frame_count, encode_ms, share_of(written, frame_count, 0.5));
    drawing->encode_ms = 0;
    if (shows_stages)
        print_stages(&stats);
}

static void measure(pietra_device *device, const own_vulkan *vulkan, const char *name)
{
    drawing *drawing = read_drawing(name);
    const char *stem = strrchr(name, '/') ? strrchr(name, '/') + 1 : name;
    const uint32_t height = (uint32_t)ceil(drawing->height * drawing->scale);
    for (int which = 0; which < CASES; which++) {
        window window = open_window(device, vulkan, width, height, in_flight);
        measure_case(&window, drawing, (frame_case)which, stem);
        pietra_view_destroy(window.view);
        free(window.memory.pixels);
    }
    pietra_stream_destroy(drawing->stream);
    pietra_stream_destroy(drawing->with_caret);
    pietra_stream_destroy(drawing->last);
    for (uint32_t i = 0; i < ICON_KINDS; i++)
        pietra_stream_destroy(drawing->icons[i]);
    pietra_composition_destroy(drawing->composition);
    pietra_scene_destroy(drawing->scene);
    pietra_scene_destroy(drawing->more);
    free(drawing);
}

int main(int argc, char **argv)
{
    own_vulkan vulkan = {.device = {.instance = VK_NULL_HANDLE}};
    pietra_device *device;
    pietra_error error = {.message = ""};
    int i = 1;
    for (; i < argc && strncmp(argv[i], "--", 2) == 0; i++)
        if (strcmp(argv[i], "--cpu") == 0)
            is_cpu = true;
        else if (strcmp(argv[i], "--copy") == 0)
            stores = false;
        else if (strcmp(argv[i], "--all-on-gpu") == 0)
            is_all_on_gpu = true;
        else if (strcmp(argv[i], "--stages") == 0)
            shows_stages = true;
        else if (i + 1 < argc && strcmp(argv[i], "--width") == 0)
            width = (uint32_t)atoi(argv[++i]);
        else if (i + 1 < argc && strcmp(argv[i], "--frames") == 0)
            frame_count = (uint32_t)atoi(argv[++i]);
        else if (i + 1 < argc && strcmp(argv[i], "--in-flight") == 0)
            in_flight = (uint32_t)atoi(argv[++i]);
        else
            stop(argv[i], "is no option");
    if (frame_count == 0 || frame_count > FRAMES_MOST || width == 0)
        stop("--frames, --width", "too few or too many");
    if (is_cpu) {
        must("the CPU",
             pietra_device_create(&(pietra_device_options){.kind = PIETRA_DEVICE_CPU, .threads = 1}, &error, &device),
             &error);
    } else {
        open_vulkan(&vulkan);
        must("a GPU", pietra_device_create_vulkan(NULL, &vulkan.device, &error, &device), &error);
    }
    pietra_device_info info;
    pietra_device_get_info(device, &info);
    printf("%s\n\n", info.name);
    puts("| file | case | ms | 99 of 100 | caller | GPU | in flight | MB | counted, % | encode | KB |\n"
         "|---|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|");
    for (; i < argc; i++)
        measure(device, is_cpu ? NULL : &vulkan, argv[i]);
    pietra_device_destroy(device);
    return 0;
}
