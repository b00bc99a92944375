/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#define VK_NO_PROTOTYPES
#include "render/gpu/caller_device.h"

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <cmocka.h>

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

#define FIND(caller, name) ((PFN_##name)(caller)->get_proc((caller)->instance, #name))

static void must(VkResult result, const char *what)
{
    if (result != VK_SUCCESS)
        fail_msg("%s: %d", what, (int)result);
}

/* ---- Instance and device ---- */

static VkBool32 VKAPI_PTR count_message(VkDebugUtilsMessageSeverityFlagBitsEXT severity,
                                        VkDebugUtilsMessageTypeFlagsEXT types,
                                        const VkDebugUtilsMessengerCallbackDataEXT *data, void *user)
{
    caller_device *caller = user;
    (void)severity;
    (void)types;
    caller->messages++;
    print_error("%s\n", data->pMessage);
    return VK_FALSE;
}

static void open_instance(caller_device *caller, bool validates)
{
    static const char *const layers[] = {"VK_LAYER_KHRONOS_validation"};
    static const char *const extensions[] = {VK_EXT_DEBUG_UTILS_EXTENSION_NAME,
                                             VK_EXT_VALIDATION_FEATURES_EXTENSION_NAME};
    const VkValidationFeatureEnableEXT enables[] = {VK_VALIDATION_FEATURE_ENABLE_SYNCHRONIZATION_VALIDATION_EXT};
    const VkValidationFeaturesEXT features = {.sType = VK_STRUCTURE_TYPE_VALIDATION_FEATURES_EXT,
                                              .enabledValidationFeatureCount = 1,
                                              .pEnabledValidationFeatures = enables};
    const VkDebugUtilsMessengerCreateInfoEXT messenger = {
        .sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_MESSENGER_CREATE_INFO_EXT,
        .messageSeverity =
            VK_DEBUG_UTILS_MESSAGE_SEVERITY_WARNING_BIT_EXT | VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT,
        .messageType = VK_DEBUG_UTILS_MESSAGE_TYPE_VALIDATION_BIT_EXT,
        .pfnUserCallback = count_message,
        .pUserData = caller};
    const VkApplicationInfo application = {.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO,
                                           .apiVersion = VK_API_VERSION_1_2};
    const VkInstanceCreateInfo create = {.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO,
                                         .pNext = validates ? &features : NULL,
                                         .pApplicationInfo = &application,
                                         .enabledLayerCount = validates ? 1 : 0,
                                         .ppEnabledLayerNames = layers,
                                         .enabledExtensionCount = validates ? 2 : 0,
                                         .ppEnabledExtensionNames = extensions};
    must(FIND(caller, vkCreateInstance)(&create, NULL, &caller->instance), "an instance");
    if (validates)
        must(FIND(caller, vkCreateDebugUtilsMessengerEXT)(caller->instance, &messenger, NULL, &caller->messenger),
             "a messenger");
}

static void find_family(caller_device *caller)
{
    VkQueueFamilyProperties families[32];
    uint32_t count = 32;
    FIND(caller, vkGetPhysicalDeviceQueueFamilyProperties)(caller->gpu, &count, families);
    for (caller->family = 0; caller->family < count; caller->family++)
        if (families[caller->family].queueFlags & VK_QUEUE_COMPUTE_BIT)
            return;
    fail_msg("no queue has compute");
}

static void open_device(caller_device *caller)
{
    pietra_vulkan_needs needs;
    pietra_error error = {0};
    uint32_t count = 1;
    const float priority = 1;
    const VkResult listed = FIND(caller, vkEnumeratePhysicalDevices)(caller->instance, &count, &caller->gpu);
    if (count == 0 || (listed != VK_SUCCESS && listed != VK_INCOMPLETE))
        fail_msg("there is no GPU");
    if (pietra_vulkan_get_needs(caller->get_proc, caller->instance, caller->gpu, &error, &needs) != PIETRA_OK)
        fail_msg("%s", error.message);
    needs.features.timelineSemaphore = VK_TRUE; /* the test's own */
    find_family(caller);
    const VkDeviceQueueCreateInfo queue = {.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
                                           .queueFamilyIndex = caller->family,
                                           .queueCount = 1,
                                           .pQueuePriorities = &priority};
    const VkPhysicalDeviceFeatures own = {.shaderStorageImageWriteWithoutFormat = VK_TRUE}; /* for views */
    const VkDeviceCreateInfo create = {.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
                                       .pEnabledFeatures = &own,
                                       .pNext = &needs.features,
                                       .queueCreateInfoCount = 1,
                                       .pQueueCreateInfos = &queue,
                                       .enabledExtensionCount = needs.extension_count,
                                       .ppEnabledExtensionNames = needs.extensions};
    must(FIND(caller, vkCreateDevice)(caller->gpu, &create, NULL, &caller->device), "a device");
    FIND(caller, vkGetPhysicalDeviceMemoryProperties)(caller->gpu, &caller->memory);
#define LOAD(name) caller->name = FIND(caller, vk##name);
    CALLER_FUNCTIONS(LOAD)
#undef LOAD
}

void caller_open(caller_device *caller)
{
    *caller = (caller_device){.library = dlopen("libvulkan.so.1", RTLD_NOW | RTLD_LOCAL)};
    if (!caller->library)
        fail_msg("libvulkan.so.1 is missing");
    void *symbol = dlsym(caller->library, "vkGetInstanceProcAddr");
    memcpy(&caller->get_proc, &symbol, sizeof symbol);
    pthread_mutex_init(&caller->mutex, NULL);
    open_instance(caller, !getenv("PIETRA_TEST_WITHOUT_VALIDATION"));
    open_device(caller);
    caller->GetDeviceQueue(caller->device, caller->family, 0, &caller->queue);
    const VkCommandPoolCreateInfo pool = {.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO,
                                          .queueFamilyIndex = caller->family};
    must(caller->CreateCommandPool(caller->device, &pool, NULL, &caller->pool), "a command pool");
    const VkCommandBufferAllocateInfo allocate = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
                                                  .commandPool = caller->pool,
                                                  .level = VK_COMMAND_BUFFER_LEVEL_PRIMARY,
                                                  .commandBufferCount = 1};
    must(caller->AllocateCommandBuffers(caller->device, &allocate, &caller->commands), "a command buffer");
}

void caller_close(caller_device *caller)
{
    caller->DestroyCommandPool(caller->device, caller->pool, NULL);
    caller->DestroyDevice(caller->device, NULL);
    if (caller->messenger)
        FIND(caller, vkDestroyDebugUtilsMessengerEXT)(caller->instance, caller->messenger, NULL);
    FIND(caller, vkDestroyInstance)(caller->instance, NULL);
    dlclose(caller->library);
    pthread_mutex_destroy(&caller->mutex);
    assert_int_equal(caller->messages, 0);
}

static void lock(void *user)
{
    caller_device *caller = user;
    pthread_mutex_lock(&caller->mutex);
    caller->locks++;
}

static void unlock(void *user)
{
    caller_device *caller = user;
    pthread_mutex_unlock(&caller->mutex);
}

pietra_vulkan_device caller_describe(caller_device *caller)
{
    return (pietra_vulkan_device){.get_proc = caller->get_proc,
                                  .instance = caller->instance,
                                  .gpu = caller->gpu,
                                  .device = caller->device,
                                  .queue = caller->queue,
                                  .queue_family = caller->family,
                                  .lock = lock,
                                  .unlock = unlock,
                                  .user = caller};
}

/* ---- Images ---- */

static VkDeviceMemory allocate(caller_device *caller, const VkMemoryRequirements *needs, VkMemoryPropertyFlags wanted)
{
    VkDeviceMemory memory = VK_NULL_HANDLE;
    for (uint32_t i = 0; i < caller->memory.memoryTypeCount && !memory; i++) {
        const VkMemoryAllocateInfo info = {
            .sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO, .allocationSize = needs->size, .memoryTypeIndex = i};
        if ((needs->memoryTypeBits >> i & 1) != 0 && (caller->memory.memoryTypes[i].propertyFlags & wanted) == wanted)
            must(caller->AllocateMemory(caller->device, &info, NULL, &memory), "memory");
    }
    assert_non_null(memory);
    return memory;
}

static VkImageView make_view(caller_device *caller, VkImage image, VkFormat format)
{
    const VkImageViewCreateInfo create = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO,
        .image = image,
        .viewType = VK_IMAGE_VIEW_TYPE_2D,
        .format = format,
        .subresourceRange = {.aspectMask = VK_IMAGE_ASPECT_COLOR_BIT, .levelCount = 1, .layerCount = 1}};
    VkImageView view;
    must(caller->CreateImageView(caller->device, &create, NULL, &view), "a view");
    return view;
}

caller_image caller_make_image(caller_device *caller, VkFormat format, uint32_t width, uint32_t height)
{
    const bool has_view = format == VK_FORMAT_R8G8B8A8_UNORM || format == VK_FORMAT_B8G8R8A8_UNORM;
    const VkImageCreateInfo create = {.sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO,
                                      .imageType = VK_IMAGE_TYPE_2D,
                                      .format = format,
                                      .extent = {width, height, 1},
                                      .mipLevels = 1,
                                      .arrayLayers = 1,
                                      .samples = VK_SAMPLE_COUNT_1_BIT,
                                      .tiling = VK_IMAGE_TILING_OPTIMAL,
                                      .usage = VK_IMAGE_USAGE_TRANSFER_DST_BIT | VK_IMAGE_USAGE_TRANSFER_SRC_BIT |
                                               (has_view ? VK_IMAGE_USAGE_STORAGE_BIT | VK_IMAGE_USAGE_SAMPLED_BIT : 0),
                                      .initialLayout = VK_IMAGE_LAYOUT_UNDEFINED};
    caller_image made = {.format = format,
                         .width = width,
                         .height = height,
                         .pixel_bytes = format == VK_FORMAT_R16G16B16A16_SFLOAT ? 8 : 4,
                         .layout = VK_IMAGE_LAYOUT_UNDEFINED};
    VkMemoryRequirements needs;
    must(caller->CreateImage(caller->device, &create, NULL, &made.image), "an image");
    caller->GetImageMemoryRequirements(caller->device, made.image, &needs);
    made.memory = allocate(caller, &needs, 0);
    must(caller->BindImageMemory(caller->device, made.image, made.memory, 0), "an image's memory");
    if (has_view)
        made.view = make_view(caller, made.image, format);
    return made;
}

void caller_destroy_image(caller_device *caller, caller_image *image)
{
    caller->DestroyImageView(caller->device, image->view, NULL);
    caller->DestroyImage(caller->device, image->image, NULL);
    caller->FreeMemory(caller->device, image->memory, NULL);
}

void caller_begin(caller_device *caller)
{
    const VkCommandBufferBeginInfo info = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
                                           .flags = VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT};
    must(caller->ResetCommandPool(caller->device, caller->pool, 0), "a reset");
    must(caller->BeginCommandBuffer(caller->commands, &info), "commands");
}

void caller_change_layout(caller_device *caller, caller_image *image, VkImageLayout layout)
{
    const VkImageMemoryBarrier barrier = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER,
        .srcAccessMask = VK_ACCESS_MEMORY_WRITE_BIT,
        .dstAccessMask = VK_ACCESS_TRANSFER_READ_BIT | VK_ACCESS_TRANSFER_WRITE_BIT,
        .oldLayout = image->layout,
        .newLayout = layout,
        .srcQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
        .dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
        .image = image->image,
        .subresourceRange = {.aspectMask = VK_IMAGE_ASPECT_COLOR_BIT, .levelCount = 1, .layerCount = 1}};
    caller->CmdPipelineBarrier(caller->commands, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, VK_PIPELINE_STAGE_TRANSFER_BIT, 0,
                               0, NULL, 0, NULL, 1, &barrier);
    image->layout = layout;
}

void caller_submit(caller_device *caller, VkSemaphore signal)
{
    const VkSubmitInfo info = {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
                               .commandBufferCount = 1,
                               .pCommandBuffers = &caller->commands,
                               .signalSemaphoreCount = signal ? 1 : 0,
                               .pSignalSemaphores = &signal};
    must(caller->EndCommandBuffer(caller->commands), "an end");
    pthread_mutex_lock(&caller->mutex);
    const VkResult result = caller->QueueSubmit(caller->queue, 1, &info, VK_NULL_HANDLE);
    pthread_mutex_unlock(&caller->mutex);
    must(result, "a submission");
}

void caller_wait_idle(caller_device *caller)
{
    pthread_mutex_lock(&caller->mutex);
    const VkResult result = caller->QueueWaitIdle(caller->queue);
    pthread_mutex_unlock(&caller->mutex);
    must(result, "a wait");
}

void caller_clear_image(caller_device *caller, caller_image *image, VkSemaphore signal)
{
    const VkClearColorValue white = {.float32 = {1, 1, 1, 1}};
    const VkImageSubresourceRange all = {.aspectMask = VK_IMAGE_ASPECT_COLOR_BIT, .levelCount = 1, .layerCount = 1};
    caller_begin(caller);
    caller_change_layout(caller, image, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL);
    caller->CmdClearColorImage(caller->commands, image->image, image->layout, &white, 1, &all);
    caller_submit(caller, signal);
    if (!signal)
        caller_wait_idle(caller);
}

typedef struct host_buffer {
    VkBuffer buffer;
    VkDeviceMemory memory;
    void *mapped;
} host_buffer;

static host_buffer make_host_buffer(caller_device *caller, size_t bytes, VkBufferUsageFlags usage)
{
    const VkBufferCreateInfo create = {.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO, .size = bytes, .usage = usage};
    host_buffer made;
    VkMemoryRequirements needs;
    must(caller->CreateBuffer(caller->device, &create, NULL, &made.buffer), "a buffer");
    caller->GetBufferMemoryRequirements(caller->device, made.buffer, &needs);
    made.memory = allocate(caller, &needs, VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT);
    must(caller->BindBufferMemory(caller->device, made.buffer, made.memory, 0), "a buffer's memory");
    must(caller->MapMemory(caller->device, made.memory, 0, VK_WHOLE_SIZE, 0, &made.mapped), "a mapping");
    return made;
}

static void destroy_host_buffer(caller_device *caller, host_buffer *buffer)
{
    caller->DestroyBuffer(caller->device, buffer->buffer, NULL);
    caller->FreeMemory(caller->device, buffer->memory, NULL);
}

static VkBufferImageCopy all_of(const caller_image *image)
{
    return (VkBufferImageCopy){.imageSubresource = {.aspectMask = VK_IMAGE_ASPECT_COLOR_BIT, .layerCount = 1},
                               .imageExtent = {image->width, image->height, 1}};
}

void caller_write_image(caller_device *caller, caller_image *image, const uint8_t *pixels)
{
    const size_t bytes = (size_t)image->width * image->height * image->pixel_bytes;
    const VkBufferImageCopy region = all_of(image);
    host_buffer from = make_host_buffer(caller, bytes, VK_BUFFER_USAGE_TRANSFER_SRC_BIT);
    memcpy(from.mapped, pixels, bytes);
    caller_begin(caller);
    caller_change_layout(caller, image, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL);
    caller->CmdCopyBufferToImage(caller->commands, from.buffer, image->image, image->layout, 1, &region);
    caller_change_layout(caller, image, VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL);
    caller_submit(caller, VK_NULL_HANDLE);
    caller_wait_idle(caller);
    destroy_host_buffer(caller, &from);
}

uint8_t *caller_read_image(caller_device *caller, caller_image *image)
{
    const size_t bytes = (size_t)image->width * image->height * image->pixel_bytes;
    const VkBufferImageCopy region = all_of(image);
    host_buffer to = make_host_buffer(caller, bytes, VK_BUFFER_USAGE_TRANSFER_DST_BIT);
    caller_wait_idle(caller); /* a clear may not have been waited for */
    caller_begin(caller);
    caller_change_layout(caller, image, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL);
    caller->CmdCopyImageToBuffer(caller->commands, image->image, image->layout, to.buffer, 1, &region);
    caller_submit(caller, VK_NULL_HANDLE);
    caller_wait_idle(caller);
    uint8_t *pixels = malloc(bytes);
    assert_non_null(pixels);
    memcpy(pixels, to.mapped, bytes);
    destroy_host_buffer(caller, &to);
    return pixels;
}
VkSemaphore caller_make_semaphore(caller_device *caller, bool is_timeline)
{
    const VkSemaphoreTypeCreateInfo type = {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_TYPE_CREATE_INFO,
                                            .semaphoreType = VK_SEMAPHORE_TYPE_TIMELINE};
    const VkSemaphoreCreateInfo create = {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO,
                                          .pNext = is_timeline ? &type : NULL};
    VkSemaphore made;
    must(caller->CreateSemaphore(caller->device, &create, NULL, &made), "a semaphore");
    return made;
}
