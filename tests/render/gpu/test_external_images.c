/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* External images whose pixels lie in images of the caller's device: a frame shows them as if they were the stream's
 * own, whether it is certain or counted, recorded or submitted, and not before they are there. */
#include "render/gpu/caller_frames.h"

#include "pietra/pietra_instance.h"
#include "render/external_scene.h"

static caller_image make_external(uint32_t which, VkFormat format)
{
    return caller_make_image(&here.caller, format, external_sizes[which][0], external_sizes[which][1]);
}

static pietra_vulkan_external gift_of(uint32_t which, const caller_image *image)
{
    return (pietra_vulkan_external){.id = external_of(which, NULL).id,
                                    .width = image->width,
                                    .height = image->height,
                                    .view = image->view,
                                    .layout = image->layout};
}

/* Writes pixels of the order RGBA, in that of the image. */
static void write_pixels(caller_image *image, const uint8_t *pixels)
{
    const size_t bytes = (size_t)4 * image->width * image->height;
    uint8_t *words = malloc(bytes);
    assert_non_null(words);
    memcpy(words, pixels, bytes);
    for (size_t i = 0; i < bytes && image->format == VK_FORMAT_B8G8R8A8_UNORM; i += 4) {
        words[i] = pixels[i + 2];
        words[i + 2] = pixels[i];
    }
    caller_write_image(&here.caller, image, words);
    free(words);
}

/* Encodes the scene, around which a blur goes if the frame has to be counted first. */
static pietra_stream *encode_shown(uint8_t *const *pixels, bool is_counted)
{
    pietra_stream *stream = encode_externals(pixels);
    const pietra_stream *whole;
    if (!is_counted)
        return stream;
    pietra_stream *blurred =
        stream_of("<svg xmlns='http://www.w3.org/2000/svg' width='150' height='110'><filter "
                  "id='f'><feGaussianBlur stdDeviation='3'/></filter><rect x='20' y='15' width='40' "
                  "height='30' fill='#83c' filter='url(#f)'/></svg>");
    const pietra_instance instances[] = {{.stream = blurred, .transform = {1, 0, 0, 1, 0, 0}},
                                         {.stream = stream, .transform = {1, 0, 0, 1, 3, 0}}};
    pietra_composition *composition = pietra_composition_create();
    ASSERT_OK(pietra_composition_set(composition, instances, 2, error, &whole));
    pietra_stream_destroy(blurred);
    pietra_stream_destroy(stream);
    size_t bytes;
    const void *words = pietra_stream_bytes(whole, &bytes);
    ASSERT_OK(pietra_stream_open(words, bytes, error, &stream));
    pietra_composition_destroy(composition);
    return stream;
}

/* Shows both images, one of them, or none, with ever other pixels. */
static void check_pixels(VkFormat format, bool is_counted)
{
    pietra_device *cpu = open_cpu();
    uint8_t *none[EXTERNAL_IDS] = {NULL};
    pietra_stream *stream = encode_shown(none, is_counted);
    caller_image images[EXTERNAL_IDS] = {make_external(0, format), make_external(1, format)};
    uint32_t turn;
    begin(VK_FORMAT_R8G8B8A8_UNORM, NULL);
    for (uint32_t i = 0; i < 8; i++) {
        pietra_vulkan_external gifts[EXTERNAL_IDS];
        uint8_t *shown[EXTERNAL_IDS];
        pietra_submission submission = {.stream = stream, .vulkan_externals = gifts};
        submission.frame.transform = (pietra_transform){1 + 0.2 * (i % 3), 0.1 * (i % 2), 0, 1 - 0.1 * i, i, 0};
        for (uint32_t k = 0; k < EXTERNAL_IDS; k++) {
            shown[k] = make_external_pixels(k, 10 * i + k, i % 3 == 1);
            write_pixels(&images[k], shown[k]);
            if (i % 4 == k + 1)
                memset(shown[k], 0, (size_t)4 * images[k].width * images[k].height); /* the frame does not give it */
            else
                gifts[submission.vulkan_external_count++] = gift_of(k, &images[k]);
        }
        pietra_stream *own = encode_shown(shown, is_counted);
        const pietra_ticket ticket = submit(&submission, NULL, &turn);
        assert_int_equal(ticket.is_done, is_counted);
        wait_for(ticket.number, NULL);
        expect_picture(cpu, turn, own, &submission.frame);
        pietra_stream_destroy(own);
        for (uint32_t k = 0; k < EXTERNAL_IDS; k++)
            free(shown[k]);
    }
    end();
    for (uint32_t k = 0; k < EXTERNAL_IDS; k++)
        caller_destroy_image(&here.caller, &images[k]);
    pietra_stream_destroy(stream);
    pietra_device_destroy(cpu);
}

static void test_certain(void **state)
{
    (void)state;
    check_pixels(VK_FORMAT_R8G8B8A8_UNORM, false);
    check_pixels(VK_FORMAT_B8G8R8A8_UNORM, false);
}

static void test_counted(void **state)
{
    (void)state;
    check_pixels(VK_FORMAT_R8G8B8A8_UNORM, true);
}

/* Pixels in memory and in an image, in one frame; and after it a frame without a view. */
static void test_mixture(void **state)
{
    pietra_device *cpu = open_cpu();
    uint8_t *none[EXTERNAL_IDS] = {NULL},
            *pixels[EXTERNAL_IDS] = {make_external_pixels(0, 5, false), make_external_pixels(1, 6, false)};
    pietra_stream *stream = encode_externals(none), *own = encode_externals(pixels);
    caller_image image = make_external(1, VK_FORMAT_R8G8B8A8_UNORM);
    const pietra_external in_memory = external_of(0, pixels[0]);
    uint32_t turn;
    (void)state;
    begin(VK_FORMAT_R8G8B8A8_UNORM, NULL);
    write_pixels(&image, pixels[1]);
    const pietra_vulkan_external gift = gift_of(1, &image);
    pietra_submission submission = {.stream = stream,
                                    .externals = &in_memory,
                                    .external_count = 1,
                                    .vulkan_externals = &gift,
                                    .vulkan_external_count = 1};
    for (int i = 0; i < 2; i++) {
        wait_for(submit(&submission, NULL, &turn).number, NULL);
        expect_picture(cpu, turn, own, &submission.frame);
    }
    uint8_t *alone = draw_in_memory(here.device, stream, NULL), *nothing = draw_in_memory(cpu, stream, NULL);
    assert_memory_equal(alone, nothing, (size_t)4 * WIDTH * HEIGHT);
    free(alone);
    free(nothing);
    end();
    caller_destroy_image(&here.caller, &image);
    pietra_stream_destroy(stream);
    pietra_stream_destroy(own);
    free(pixels[0]);
    free(pixels[1]);
    pietra_device_destroy(cpu);
}

/* What clears an external image is still running when the frame is submitted. */
static void check_order(bool is_counted)
{
    caller_device *caller = &here.caller;
    pietra_device *cpu = open_cpu();
    uint8_t *none[EXTERNAL_IDS] = {NULL}, *pixels = make_external_pixels(0, 1, false), *white[EXTERNAL_IDS];
    pietra_stream *stream = encode_shown(none, is_counted);
    caller_image image = make_external(0, VK_FORMAT_R8G8B8A8_UNORM);
    const pietra_vulkan_semaphore cleared = {.semaphore = caller_make_semaphore(caller, false)};
    pietra_vulkan_semaphore drawn = {.semaphore = caller_make_semaphore(caller, true)};
    const pietra_vulkan_order order = {.waits = &cleared, .wait_count = 1, .signals = &drawn, .signal_count = 1};
    const VkClearColorValue color = {.float32 = {1, 1, 1, 1}};
    const VkImageSubresourceRange all = {.aspectMask = VK_IMAGE_ASPECT_COLOR_BIT, .levelCount = 1, .layerCount = 1};
    uint32_t turn;
    for (uint32_t k = 0; k < EXTERNAL_IDS; k++) {
        const size_t bytes = (size_t)4 * external_sizes[k][0] * external_sizes[k][1];
        white[k] = malloc(bytes);
        memset(white[k], k == 0 ? 255 : 0, bytes);
    }
    pietra_stream *own = encode_shown(white, is_counted);
    begin(VK_FORMAT_R8G8B8A8_UNORM, NULL);
    for (uint64_t i = 1; i < 4; i++) {
        write_pixels(&image, pixels);
        caller_begin(caller);
        caller_change_layout(caller, &image, VK_IMAGE_LAYOUT_GENERAL);
        caller->CmdClearColorImage(caller->commands, image.image, image.layout, &color, 1, &all);
        caller_submit(caller, cleared.semaphore);
        const pietra_vulkan_external gift = gift_of(0, &image);
        pietra_submission submission = {.stream = stream, .vulkan_externals = &gift, .vulkan_external_count = 1};
        drawn.value = i;
        wait_for(submit(&submission, &order, &turn).number, NULL);
        uint64_t signalled;
        assert_int_equal(caller->GetSemaphoreCounterValue(caller->device, drawn.semaphore, &signalled), VK_SUCCESS);
        assert_int_equal(signalled, i);
        expect_picture(cpu, turn, own, &submission.frame);
    }
    end();
    caller->DestroySemaphore(caller->device, cleared.semaphore, NULL);
    caller->DestroySemaphore(caller->device, drawn.semaphore, NULL);
    caller_destroy_image(caller, &image);
    pietra_stream_destroy(stream);
    pietra_stream_destroy(own);
    free(pixels);
    free(white[0]);
    free(white[1]);
    pietra_device_destroy(cpu);
}

static void test_order(void **state)
{
    (void)state;
    check_order(false);
    check_order(true);
}

static void test_recorded(void **state)
{
    pietra_device *cpu = open_cpu();
    uint8_t *none[EXTERNAL_IDS] = {NULL},
            *pixels[EXTERNAL_IDS] = {make_external_pixels(0, 5, false), make_external_pixels(1, 6, false)};
    pietra_stream *stream = encode_externals(none), *own = encode_externals(pixels);
    caller_image images[EXTERNAL_IDS] = {make_external(0, VK_FORMAT_R8G8B8A8_UNORM),
                                         make_external(1, VK_FORMAT_R8G8B8A8_UNORM)};
    pietra_vulkan_external gifts[EXTERNAL_IDS];
    pietra_submission submission = {.stream = stream, .vulkan_externals = gifts, .vulkan_external_count = 2};
    pietra_ticket ticket;
    (void)state;
    begin(VK_FORMAT_R8G8B8A8_UNORM, NULL);
    for (uint32_t k = 0; k < EXTERNAL_IDS; k++) {
        write_pixels(&images[k], pixels[k]);
        gifts[k] = gift_of(k, &images[k]);
    }
    const pietra_vulkan_target target = target_of(&here.images[0]);
    caller_begin(&here.caller);
    ASSERT_OK(pietra_view_record_vulkan(here.view, &submission, &target, here.caller.commands, error, &ticket));
    finish_recorded(ticket.number);
    here.images[0].layout = VK_IMAGE_LAYOUT_GENERAL;
    expect_picture(cpu, 0, own, &submission.frame);
    end();
    for (uint32_t k = 0; k < EXTERNAL_IDS; k++) {
        caller_destroy_image(&here.caller, &images[k]);
        free(pixels[k]);
    }
    pietra_stream_destroy(stream);
    pietra_stream_destroy(own);
    pietra_device_destroy(cpu);
}

static void test_refused(void **state)
{
    uint8_t *none[EXTERNAL_IDS] = {NULL}, memory[64];
    pietra_stream *stream = encode_externals(none);
    caller_image image = make_external(0, VK_FORMAT_R8G8B8A8_UNORM);
    image.layout = VK_IMAGE_LAYOUT_GENERAL;
    (void)state;
    begin(VK_FORMAT_R8G8B8A8_UNORM, NULL);
    const pietra_vulkan_target target = target_of(&here.images[0]);
    for (int i = 0; i < 5; i++) {
        pietra_vulkan_external gift = gift_of(0, &image);
        pietra_error error = {.message = ""};
        const pietra_submission submission = {
            .stream = stream, .vulkan_externals = i == 0 ? NULL : &gift, .vulkan_external_count = 1};
        gift.view = i == 1 ? VK_NULL_HANDLE : gift.view;
        gift.layout = i == 2 ? VK_IMAGE_LAYOUT_UNDEFINED : gift.layout;
        gift.height += i == 3;
        gift.id = i == 4 ? 0 : gift.id;
        assert_int_equal(pietra_view_submit_vulkan(here.view, &submission, &target, NULL, &error, NULL),
                         PIETRA_ERROR_INPUT);
        assert_true(strlen(error.message) > 0);
        const pietra_target host = {.width = 4, .height = 4, .pixels = memory};
        assert_int_equal(pietra_view_submit(here.view, &submission, &host, &error, NULL), PIETRA_ERROR_INPUT);
    }
    end();
    caller_destroy_image(&here.caller, &image);
    pietra_stream_destroy(stream);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_certain), cmocka_unit_test(test_counted),  cmocka_unit_test(test_mixture),
        cmocka_unit_test(test_order),   cmocka_unit_test(test_recorded), cmocka_unit_test(test_refused),
    };
    return cmocka_run_group_tests(tests, open_all, close_all);
}
