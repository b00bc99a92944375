/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* A program with a window, an instance, a device and a swapchain of its own, in which Pietra draws two shapes that
 * move. docs/user_interfaces.md explains it. SDL opens the window; whatever else does gives a surface as well.
 *
 *     cc window.c -o window $(pkg-config --cflags --libs pietra sdl2 vulkan) -lm
 */
#include <pietra/pietra_vulkan.h>
#include <vulkan/vulkan.h>

#include <SDL.h>
#include <SDL_vulkan.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define IMAGES_MOST 16u
#define EXTENSIONS_MOST 32u
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
    VkSemaphore acquired;
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
    must(vkCreateSemaphore(graphics->device, &semaphore, NULL, &graphics->acquired) == VK_SUCCESS, "no semaphore");
    vkGetDeviceQueue(graphics->device, graphics->family, 0, &graphics->queue);
}

/* Makes the swapchain anew for the window's size. Without a size, a minimised window, there is none. */
static void make_swapchain(graphics *graphics)
{
    VkSurfaceCapabilitiesKHR able;
    const VkSwapchainKHR before = graphics->swapchain;
    uint32_t count = IMAGES_MOST;

    vkQueueWaitIdle(graphics->queue);
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
    vkDestroySemaphore(graphics->device, graphics->acquired, NULL);
    vkDestroyDevice(graphics->device, NULL);
    vkDestroySurfaceKHR(graphics->instance, graphics->surface, NULL);
    vkDestroyInstance(graphics->instance, NULL);
    SDL_DestroyWindow(graphics->window);
}

/* ---- What Pietra draws ---- */

/* A path in a colour, around (0, 0). It is built once. */
static pietra_scene *make_shape(bool is_star, pietra_color color)
{
    pietra_scene *scene = pietra_scene_create();
    pietra_path *path = pietra_path_create();
    const pietra_paint paint = pietra_solid(color.r, color.g, color.b, color.a);

    if (is_star)
        for (int i = 0; i < 5; i++)
            (i ? pietra_path_line_to : pietra_path_move_to)(path, 50 * sin(i * 2.5133), -50 * cos(i * 2.5133));
    else
        pietra_path_ellipse(path, 0, 0, 40, 40);
    must(scene && pietra_scene_fill(scene, path, NULL, PIETRA_FILL_NONZERO, &paint, NULL) == PIETRA_OK, "no memory");
    pietra_path_destroy(path);
    return scene;
}

/* Puts both shapes where they are after so many seconds. */
static pietra_stream *make_frame(pietra_scene *scene, const pietra_scene *star, const pietra_scene *disc,
                                 VkExtent2D size, double seconds)
{
    const double x = size.width / 2.0, y = size.height / 2.0;
    const pietra_transform orbit = pietra_translate(x + x / 2 * cos(seconds), y + y / 2 * sin(seconds));
    const pietra_transform turn = pietra_multiply(pietra_translate(x, y), pietra_rotate(40 * seconds));
    pietra_stream *stream = NULL;

    pietra_scene_reset(scene);
    must(pietra_scene_append(scene, disc, &orbit, NULL) == PIETRA_OK &&
             pietra_scene_append(scene, star, &turn, NULL) == PIETRA_OK &&
             pietra_stream_encode(scene, NULL, &stream) == PIETRA_OK,
         "no memory");
    return stream;
}

/* Draws into the swapchain's next image and shows it. */
static void show(graphics *graphics, pietra_device *device, const pietra_stream *stream)
{
    uint32_t image;
    pietra_error error;
    VkResult result = vkAcquireNextImageKHR(graphics->device, graphics->swapchain, WAIT_NS, graphics->acquired,
                                            VK_NULL_HANDLE, &image);

    if (result == VK_ERROR_OUT_OF_DATE_KHR) {
        make_swapchain(graphics);
        return;
    }
    must(result == VK_SUCCESS || result == VK_SUBOPTIMAL_KHR, "no image comes");
    const pietra_frame frame = {.background = {1, 1, 1, 1}};
    const pietra_vulkan_target target = {.image = graphics->images[image],
                                         .format = VK_FORMAT_B8G8R8A8_UNORM,
                                         .width = graphics->size.width,
                                         .height = graphics->size.height,
                                         .after = VK_IMAGE_LAYOUT_PRESENT_SRC_KHR};
    const pietra_vulkan_semaphore acquired = {.semaphore = graphics->acquired};
    const pietra_vulkan_order order = {.waits = &acquired, .wait_count = 1};
    must(pietra_render_vulkan(device, stream, &frame, &target, &order, &error, NULL) == PIETRA_OK, error.message);
    /* The picture is there when pietra_render_vulkan returns, so presenting waits for no semaphore. */
    const VkPresentInfoKHR present = {.sType = VK_STRUCTURE_TYPE_PRESENT_INFO_KHR,
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
    pietra_error error;

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
    pietra_scene *star = make_shape(true, (pietra_color){1, 0.6f, 0, 1});
    pietra_scene *disc = make_shape(false, (pietra_color){0, 0.5f, 0.5f, 1});
    pietra_scene *scene = pietra_scene_create();
    while (!look_for_end(&graphics)) {
        if (!graphics.swapchain)
            continue;
        pietra_stream *stream = make_frame(scene, star, disc, graphics.size, SDL_GetTicks() / 1000.0);
        show(&graphics, device, stream);
        pietra_stream_destroy(stream);
    }
    pietra_scene_destroy(scene);
    pietra_scene_destroy(disc);
    pietra_scene_destroy(star);
    pietra_device_destroy(device); /* before the VkDevice */
    close_graphics(&graphics);
    SDL_Quit();
    return EXIT_SUCCESS;
}
