/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* A program with a window, an instance, a device and a swapchain of its own, in which Pietra draws two shapes that
 * move, and only where they do. Nobody waits for a frame. docs/user_interfaces.md explains it. SDL opens the window;
 * whatever else does gives a surface as well.
 *
 *     cc window.c -o window $(pkg-config --cflags --libs pietra sdl2 vulkan) -lm
 */
#include <pietra/pietra_instance.h>
#include <pietra/pietra_vulkan.h>
#include <vulkan/vulkan.h>

#include <SDL.h>
#include <SDL_vulkan.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define IMAGES_MOST 16u
#define EXTENSIONS_MOST 32u
#define IN_FLIGHT 2u
#define WAIT_NS 1000000000u

typedef struct graphics {
    SDL_Window *window;
    VkInstance instance;
    VkSurfaceKHR surface;
    VkPhysicalDevice gpu;
    uint32_t family;
    VkDevice device;
    VkQueue queue;
    VkSwapchainKHR swapchain;
    VkExtent2D size;
    VkImage images[IMAGES_MOST];
    uint64_t drawn_at[IMAGES_MOST];      /* number of the frame that each image shows; 0: none */
    VkSemaphore drawn[IMAGES_MOST];      /* for presenting each image */
    VkSemaphore acquired[IN_FLIGHT + 1]; /* one more than frames that may still wait for theirs */
    uint64_t frames;
} graphics;

/* What fails ends the example. */
static void must(bool good, const char *what)
{
    if (good)
        return;
    fprintf(stderr, "window: %s\n", what);
    exit(EXIT_FAILURE);
}

/* ---- The program's own Vulkan ---- */

static void open_instance(graphics *graphics)
{
    const char *extensions[EXTENSIONS_MOST];
    unsigned count = EXTENSIONS_MOST;

    graphics->window = SDL_CreateWindow("Pietra", SDL_WINDOWPOS_UNDEFINED, SDL_WINDOWPOS_UNDEFINED, 320, 240,
                                        SDL_WINDOW_VULKAN | SDL_WINDOW_RESIZABLE);
    must(graphics->window, SDL_GetError());
    must(SDL_Vulkan_GetInstanceExtensions(graphics->window, &count, extensions), SDL_GetError());
    const VkApplicationInfo application = {.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO,
                                           .apiVersion = VK_API_VERSION_1_2}; /* Pietra needs this one */
    const VkInstanceCreateInfo create = {.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO,
                                         .pApplicationInfo = &application,
                                         .enabledExtensionCount = count,
                                         .ppEnabledExtensionNames = extensions};
    must(vkCreateInstance(&create, NULL, &graphics->instance) == VK_SUCCESS, "Vulkan does not start");
    must(SDL_Vulkan_CreateSurface(graphics->window, graphics->instance, &graphics->surface), SDL_GetError());
}

/* Finds a family of queues that computes, for Pietra, and shows pictures. */
static bool find_family(graphics *graphics)
{
    VkQueueFamilyProperties families[16];
    uint32_t count = 16;

    vkGetPhysicalDeviceQueueFamilyProperties(graphics->gpu, &count, families);
    for (graphics->family = 0; graphics->family < count; graphics->family++) {
        VkBool32 presents = VK_FALSE;
        vkGetPhysicalDeviceSurfaceSupportKHR(graphics->gpu, graphics->family, graphics->surface, &presents);
        if (presents && families[graphics->family].queueFlags & VK_QUEUE_COMPUTE_BIT)
            return true;
    }
    return false;
}

/* Finds a GPU that Pietra can use, and what its device must be created with. */
static void choose_gpu(graphics *graphics, pietra_vulkan_needs *needs)
{
    VkPhysicalDevice gpus[8];
    uint32_t count = 8;
    pietra_error error = {.message = "there is no GPU"};

    vkEnumeratePhysicalDevices(graphics->instance, &count, gpus);
    for (uint32_t i = 0; i < count; i++) {
        graphics->gpu = gpus[i];
        if (pietra_vulkan_get_needs(vkGetInstanceProcAddr, graphics->instance, gpus[i], &error, needs) == PIETRA_OK &&
            find_family(graphics))
            return;
    }
    must(false, error.message);
}

static void open_device(graphics *graphics)
{
    const char *extensions[EXTENSIONS_MOST] = {VK_KHR_SWAPCHAIN_EXTENSION_NAME};
    const float priority = 1;
    pietra_vulkan_needs needs;

    choose_gpu(graphics, &needs);
    must(needs.extension_count < EXTENSIONS_MOST, "too many extensions");
    for (uint32_t i = 0; i < needs.extension_count; i++)
        extensions[1 + i] = needs.extensions[i];
    const VkDeviceQueueCreateInfo queue = {.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
                                           .queueFamilyIndex = graphics->family,
                                           .queueCount = 1,
                                           .pQueuePriorities = &priority};
    const VkDeviceCreateInfo create = {.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
                                       .pNext = &needs.features,
                                       .queueCreateInfoCount = 1,
                                       .pQueueCreateInfos = &queue,
                                       .enabledExtensionCount = 1 + needs.extension_count,
                                       .ppEnabledExtensionNames = extensions};
    const VkSemaphoreCreateInfo semaphore = {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO};
    must(vkCreateDevice(graphics->gpu, &create, NULL, &graphics->device) == VK_SUCCESS, "no device opens");
    for (uint32_t i = 0; i < IMAGES_MOST + IN_FLIGHT + 1; i++)
        must(vkCreateSemaphore(graphics->device, &semaphore, NULL,
                               i < IMAGES_MOST ? &graphics->drawn[i] : &graphics->acquired[i - IMAGES_MOST]) ==
                 VK_SUCCESS,
             "no semaphore");
    vkGetDeviceQueue(graphics->device, graphics->family, 0, &graphics->queue);
}

/* Makes the swapchain anew for the window's size. Without a size, a minimised window, there is none. */
static void make_swapchain(graphics *graphics)
{
    VkSurfaceCapabilitiesKHR able;
    const VkSwapchainKHR before = graphics->swapchain;
    uint32_t count = IMAGES_MOST;

    vkQueueWaitIdle(graphics->queue);
    for (uint32_t i = 0; i < IMAGES_MOST; i++)
        graphics->drawn_at[i] = 0;
    must(vkGetPhysicalDeviceSurfaceCapabilitiesKHR(graphics->gpu, graphics->surface, &able) == VK_SUCCESS,
         "the window is gone");
    graphics->size = able.currentExtent;
    graphics->swapchain = VK_NULL_HANDLE;
    /* TRANSFER_DST is the usage that Pietra needs. */
    const VkSwapchainCreateInfoKHR create = {.sType = VK_STRUCTURE_TYPE_SWAPCHAIN_CREATE_INFO_KHR,
                                             .surface = graphics->surface,
                                             .minImageCount = able.minImageCount,
                                             .imageFormat = VK_FORMAT_B8G8R8A8_UNORM,
                                             .imageColorSpace = VK_COLOR_SPACE_SRGB_NONLINEAR_KHR,
                                             .imageExtent = graphics->size,
                                             .imageArrayLayers = 1,
                                             .imageUsage = VK_IMAGE_USAGE_TRANSFER_DST_BIT,
                                             .preTransform = able.currentTransform,
                                             .compositeAlpha = VK_COMPOSITE_ALPHA_OPAQUE_BIT_KHR,
                                             .presentMode = VK_PRESENT_MODE_FIFO_KHR,
                                             .oldSwapchain = before};
    if (graphics->size.width && graphics->size.height) {
        must(vkCreateSwapchainKHR(graphics->device, &create, NULL, &graphics->swapchain) == VK_SUCCESS, "no swapchain");
        must(vkGetSwapchainImagesKHR(graphics->device, graphics->swapchain, &count, graphics->images) == VK_SUCCESS,
             "too many images");
    }
    vkDestroySwapchainKHR(graphics->device, before, NULL);
}

static void close_graphics(graphics *graphics)
{
    vkQueueWaitIdle(graphics->queue);
    vkDestroySwapchainKHR(graphics->device, graphics->swapchain, NULL);
    for (uint32_t i = 0; i < IMAGES_MOST; i++)
        vkDestroySemaphore(graphics->device, graphics->drawn[i], NULL);
    for (uint32_t i = 0; i <= IN_FLIGHT; i++)
        vkDestroySemaphore(graphics->device, graphics->acquired[i], NULL);
    vkDestroyDevice(graphics->device, NULL);
    vkDestroySurfaceKHR(graphics->instance, graphics->surface, NULL);
    vkDestroyInstance(graphics->instance, NULL);
    SDL_DestroyWindow(graphics->window);
}

/* ---- What Pietra draws ---- */

/* A path in a colour, around (0, 0). It is encoded once. */
static pietra_stream *make_shape(bool is_star, pietra_color color)
{
    pietra_scene *scene = pietra_scene_create();
    pietra_path *path = pietra_path_create();
    pietra_stream *stream;
    const pietra_paint paint = pietra_solid(color.r, color.g, color.b, color.a);

    if (is_star)
        for (int i = 0; i < 5; i++)
            (i ? pietra_path_line_to : pietra_path_move_to)(path, 50 * sin(i * 2.5133), -50 * cos(i * 2.5133));
    else
        pietra_path_ellipse(path, 0, 0, 40, 40);
    must(scene && pietra_scene_fill(scene, path, NULL, PIETRA_FILL_NONZERO, &paint, NULL) == PIETRA_OK &&
             pietra_stream_encode(scene, NULL, &stream) == PIETRA_OK,
         "no memory");
    pietra_path_destroy(path);
    pietra_scene_destroy(scene);
    return stream;
}

/* Puts both shapes where they are after so many seconds. */
static const pietra_stream *make_frame(pietra_composition *composition, const pietra_stream *star,
                                       const pietra_stream *disc, VkExtent2D size, double seconds)
{
    const double x = size.width / 2.0, y = size.height / 2.0;
    const pietra_instance instances[] = {
        {.stream = disc, .transform = pietra_translate(x + x / 2 * cos(seconds), y + y / 2 * sin(seconds))},
        {.stream = star, .transform = pietra_multiply(pietra_translate(x, y), pietra_rotate(40 * seconds))}};
    const pietra_stream *stream;

    must(pietra_composition_set(composition, instances, 2, NULL, &stream) == PIETRA_OK, "no memory");
    return stream;
}

/* Submits what differs from what the image shows. */
static void submit(graphics *graphics, pietra_view *view, const pietra_composition *composition,
                   const pietra_stream *stream, VkSemaphore acquired_image, uint32_t image)
{
    pietra_pixel_box damage[4];
    pietra_error error;
    const uint64_t drawn_at = graphics->drawn_at[image];
    const pietra_submission submission = {.stream = stream,
                                          .frame = {.background = {1, 1, 1, 1}},
                                          .damage = damage,
                                          .damage_count = pietra_composition_damage(composition, NULL, 4, damage),
                                          .age = drawn_at ? (uint32_t)(graphics->frames - drawn_at) : 0};
    const pietra_vulkan_target target = {.image = graphics->images[image],
                                         .format = VK_FORMAT_B8G8R8A8_UNORM,
                                         .width = graphics->size.width,
                                         .height = graphics->size.height,
                                         .before =
                                             drawn_at ? VK_IMAGE_LAYOUT_PRESENT_SRC_KHR : VK_IMAGE_LAYOUT_UNDEFINED,
                                         .after = VK_IMAGE_LAYOUT_PRESENT_SRC_KHR};
    const pietra_vulkan_semaphore acquired = {.semaphore = acquired_image},
                                  drawn = {.semaphore = graphics->drawn[image]};
    const pietra_vulkan_order order = {.waits = &acquired, .wait_count = 1, .signals = &drawn, .signal_count = 1};

    must(pietra_view_submit_vulkan(view, &submission, &target, &order, &error, NULL) == PIETRA_OK, error.message);
    graphics->drawn_at[image] = graphics->frames;
}

/* Draws into the swapchain's next image and shows it. */
static void show(graphics *graphics, pietra_view *view, const pietra_composition *composition,
                 const pietra_stream *stream)
{
    uint32_t image;
    const VkSemaphore acquired = graphics->acquired[++graphics->frames % (IN_FLIGHT + 1)];
    VkResult result =
        vkAcquireNextImageKHR(graphics->device, graphics->swapchain, WAIT_NS, acquired, VK_NULL_HANDLE, &image);

    if (result == VK_ERROR_OUT_OF_DATE_KHR) {
        make_swapchain(graphics);
        return;
    }
    must(result == VK_SUCCESS || result == VK_SUBOPTIMAL_KHR, "no image comes");
    submit(graphics, view, composition, stream, acquired, image);
    const VkPresentInfoKHR present = {.sType = VK_STRUCTURE_TYPE_PRESENT_INFO_KHR,
                                      .waitSemaphoreCount = 1,
                                      .pWaitSemaphores = &graphics->drawn[image],
                                      .swapchainCount = 1,
                                      .pSwapchains = &graphics->swapchain,
                                      .pImageIndices = &image};
    result = vkQueuePresentKHR(graphics->queue, &present);
    if (result == VK_SUBOPTIMAL_KHR || result == VK_ERROR_OUT_OF_DATE_KHR)
        make_swapchain(graphics);
    else
        must(result == VK_SUCCESS, "the picture is not shown");
}

/* Returns whether the user ends the program. A window without pixels waits here. */
static bool look_for_end(graphics *graphics)
{
    SDL_Event event;

    for (bool is = SDL_WaitEventTimeout(&event, graphics->swapchain ? 0 : 50); is; is = SDL_PollEvent(&event)) {
        if (event.type == SDL_QUIT)
            return true;
        if (event.type == SDL_WINDOWEVENT && event.window.event == SDL_WINDOWEVENT_SIZE_CHANGED)
            make_swapchain(graphics);
    }
    return false;
}

int main(int count, char **arguments)
{
    graphics graphics = {.window = NULL};
    pietra_device *device;
    pietra_view *view;
    pietra_error error;
    const pietra_view_options options = {.in_flight = IN_FLIGHT};

    (void)count;
    (void)arguments;
    must(SDL_Init(SDL_INIT_VIDEO) == 0, SDL_GetError());
    open_instance(&graphics);
    open_device(&graphics);
    make_swapchain(&graphics);
    const pietra_vulkan_device vulkan = {.get_proc = vkGetInstanceProcAddr,
                                         .instance = graphics.instance,
                                         .gpu = graphics.gpu,
                                         .device = graphics.device,
                                         .queue = graphics.queue,
                                         .queue_family = graphics.family};
    must(pietra_device_create_vulkan(NULL, &vulkan, &error, &device) == PIETRA_OK, error.message);
    must(pietra_view_create(device, &options, &error, &view) == PIETRA_OK, error.message);
    pietra_stream *star = make_shape(true, (pietra_color){1, 0.6f, 0, 1});
    pietra_stream *disc = make_shape(false, (pietra_color){0, 0.5f, 0.5f, 1});
    pietra_composition *composition = pietra_composition_create();
    while (!look_for_end(&graphics))
        if (graphics.swapchain)
            show(&graphics, view, composition,
                 make_frame(composition, star, disc, graphics.size, SDL_GetTicks() / 1000.0));
    pietra_composition_destroy(composition);
    pietra_stream_destroy(disc);
    pietra_stream_destroy(star);
    pietra_view_destroy(view);     /* waits for its frames */
    pietra_device_destroy(device); /* before the VkDevice */
    close_graphics(&graphics);
    SDL_Quit();
    return EXIT_SUCCESS;
}
