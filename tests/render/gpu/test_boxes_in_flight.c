/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Views on the caller's device draw the boxes of their tickets, and no pixel beside them. So each frame shows another
 * scene, though its damage speaks of a few boxes: an image is then a patchwork, of which each pixel is known. */
#define WIDTH 431u /* so large that boxes are drawn apart */
#define HEIGHT 387u
#include "render/gpu/caller_frames.h"

#include "base/pixel_box.h"

#define BYTES ((size_t)4 * WIDTH * HEIGHT)
#define DAMAGE_MOST 6u
#define ROUNDS 4u
#define FRAMES_OF_A_ROUND 5u

/* What the images should hold, and the damage of all frames. */
static struct {
    uint8_t pixels[IMAGES][BYTES];
    pietra_pixel_box damage[ROUNDS * FRAMES_OF_A_ROUND][DAMAGE_MOST];
    size_t damage_count[ROUNDS * FRAMES_OF_A_ROUND];
} wanted;

/* ---- What is expected ---- */

static bool is_drawn(const pietra_ticket *ticket, uint32_t x, uint32_t y)
{
    for (uint32_t i = 0; i < ticket->box_count; i++) {
        const pietra_pixel_box box = ticket->boxes[i];
        if (x >= box.x0 && x < box.x1 && y >= box.y0 && y < box.y1)
            return true;
    }
    return false;
}

static void expect_apart(const pietra_ticket *ticket)
{
    pietra_pixel_box around = {0, 0, 0, 0};
    assert_in_range(ticket->box_count, 0, PIETRA_DRAWN_BOXES);
    for (uint32_t i = 0; i < ticket->box_count; i++) {
        around = pixel_box_join(around, ticket->boxes[i]);
        for (uint32_t k = 0; k < i; k++)
            assert_true(pixel_box_is_empty(pixel_box_overlap(ticket->boxes[i], ticket->boxes[k])));
    }
    assert_memory_equal(&around, &ticket->drawn, sizeof around);
}

/* Checks that a frame drew all that an image of this age has missed. */
static void expect_damage_drawn(const pietra_ticket *ticket, uint64_t frame, uint32_t age)
{
    for (uint32_t missed = 0; missed < age; missed++) {
        for (size_t i = 0; i < wanted.damage_count[frame - missed]; i++) {
            const pietra_pixel_box box = wanted.damage[frame - missed][i];
            for (uint32_t y = box.y0; y < box.y1; y++)
                for (uint32_t x = box.x0; x < box.x1; x++)
                    assert_true(is_drawn(ticket, x, y));
        }
    }
}

/* Lays what was drawn of a picture onto what an image should hold. */
static void lay_onto(uint8_t *pixels, const uint8_t *picture, const pietra_ticket *ticket)
{
    for (uint32_t y = 0; y < HEIGHT; y++)
        for (uint32_t x = 0; x < WIDTH; x++)
            if (is_drawn(ticket, x, y))
                memcpy(pixels + 4 * (y * WIDTH + x), picture + 4 * (y * WIDTH + x), 4);
}

static void expect_images(void)
{
    for (uint32_t turn = 0; turn < IMAGES; turn++) {
        if (here.drawn[turn] == 0)
            continue;
        uint8_t *found = caller_read_image(&here.caller, &here.images[turn]);
        const bool swaps = here.images[turn].format == VK_FORMAT_B8G8R8A8_UNORM;
        for (size_t i = 0; i < BYTES; i++) {
            const size_t at = swaps && i % 2 == 0 ? i ^ 2 : i; /* red for blue */
            if (found[at] != wanted.pixels[turn][i])
                fail_msg("image %u: pixel %zu, %zu differs", turn, i / 4 % WIDTH, i / 4 / WIDTH);
        }
        free(found);
    }
}

/* ---- Tests ---- */

static pietra_pixel_box random_box(random_source *source)
{
    const uint32_t x = random_below(source, WIDTH), y = random_below(source, HEIGHT);
    const bool is_large = random_below(source, 6) == 0;
    const uint32_t x1 = x + 1 + random_below(source, is_large ? WIDTH : 30),
                   y1 = y + 1 + random_below(source, is_large ? HEIGHT : 40);
    return (pietra_pixel_box){x, y, x1 < WIDTH ? x1 : WIDTH, y1 < HEIGHT ? y1 : HEIGHT};
}

/* Returns a few translucent triangles. */
static pietra_stream *triangles(random_source *source)
{
    pietra_scene *scene = pietra_scene_create();
    for (uint32_t i = 0; i < 20; i++) {
        pietra_path *path = pietra_path_create();
        const pietra_paint paint = {.color = {0.1f * (float)(i % 11), 0.8f, 0.3f, 0.4f}};
        pietra_path_move_to(path, random_between(source, 0, WIDTH), random_between(source, 0, HEIGHT));
        for (uint32_t k = 0; k < 2; k++)
            pietra_path_line_to(path, random_between(source, 0, WIDTH), random_between(source, 0, HEIGHT));
        assert_int_equal(pietra_scene_fill(scene, path, NULL, PIETRA_FILL_NONZERO, &paint, NULL), PIETRA_OK);
        pietra_path_destroy(path);
    }
    return encode_scene(scene);
}

/* Submits a frame of up to `most` boxes into any image, and destroys the stream. Returns its ticket. */
static pietra_ticket submit_damaged(pietra_device *cpu, random_source *source, pietra_stream *stream, uint32_t most,
                                    uint64_t frame)
{
    const uint32_t turn = random_below(source, IMAGES), count = 1 + random_below(source, most);
    pietra_submission submission = {.stream = stream, .damage = wanted.damage[frame], .damage_count = count};
    pietra_ticket ticket;
    pietra_error error = {0};
    wanted.damage_count[frame] = count;
    for (uint32_t i = 0; i < count; i++)
        wanted.damage[frame][i] = random_box(source);
    const pietra_vulkan_target target = begin_in(&submission, turn);
    if (pietra_view_submit_vulkan(here.view, &submission, &target, NULL, &error, &ticket) != PIETRA_OK)
        fail_msg("%s", error.message);
    end_turn(turn);
    expect_apart(&ticket);
    expect_damage_drawn(&ticket, frame, submission.age);
    if (submission.age == 0)
        assert_memory_equal(&ticket.boxes[0], (&(pietra_pixel_box){0, 0, WIDTH, HEIGHT}), sizeof ticket.drawn);
    uint8_t *picture = draw_in_memory(cpu, stream, &submission.frame);
    lay_onto(wanted.pixels[turn], picture, &ticket);
    free(picture);
    pietra_stream_destroy(stream);
    return ticket;
}

static void test_random_damage(void **state)
{
    static const VkFormat formats[] = {VK_FORMAT_R8G8B8A8_UNORM, VK_FORMAT_B8G8R8A8_UNORM};
    pietra_device *cpu = open_cpu();
    (void)state;
    for (size_t i = 0; i < sizeof formats / sizeof formats[0]; i++) {
        random_source source = random_start(30 + i);
        uint32_t apart = 0;
        begin(formats[i], &(pietra_view_options){.in_flight = 3});
        for (uint64_t frame = 0; frame < (uint64_t)ROUNDS * FRAMES_OF_A_ROUND; frame++) {
            pietra_stream *stream = encode_scene(random_scene_create(500 + frame, RANDOM_ANYTHING, HEIGHT));
            const pietra_ticket ticket = submit_damaged(cpu, &source, stream, DAMAGE_MOST, frame);
            apart += ticket.box_count > 1;
            if (frame % FRAMES_OF_A_ROUND == FRAMES_OF_A_ROUND - 1)
                expect_images();
        }
        assert_true(apart > 5);
        end();
    }
    pietra_device_destroy(cpu);
}

/* Returns whether the processor drew a frame: then its stages are those of the CPU device. */
static bool is_of_host(const pietra_ticket *ticket)
{
    pietra_stats stats;
    wait_for(ticket->number, &stats);
    assert_true(stats.stage_count > 2 && stats.gpu_ms > 0);
    return !ticket->is_done && strcmp(stats.stages[0].name, "prepare") == 0;
}

/* The processor draws small frames between those of the device, into the same images. */
static void test_frames_of_host(void **state)
{
    static const VkFormat formats[] = {VK_FORMAT_R8G8B8A8_UNORM, VK_FORMAT_B8G8R8A8_UNORM};
    pietra_device *cpu = open_cpu();
    uint32_t of_host = 0, of_device = 0;
    (void)state;
    for (size_t i = 0; i < sizeof formats / sizeof formats[0]; i++) {
        random_source source = random_start(70 + i);
        pietra_ticket tickets[FRAMES_OF_A_ROUND];
        begin(formats[i], &(pietra_view_options){.in_flight = 3, .stage_times = true, .host_pixels = 16384});
        for (uint64_t frame = 0; frame < (uint64_t)ROUNDS * FRAMES_OF_A_ROUND; frame++) {
            tickets[frame % FRAMES_OF_A_ROUND] = submit_damaged(cpu, &source, triangles(&source), 1, frame);
            if (frame % FRAMES_OF_A_ROUND < FRAMES_OF_A_ROUND - 1)
                continue;
            expect_images();
            for (uint32_t k = 0; k < FRAMES_OF_A_ROUND; k++)
                *(is_of_host(&tickets[k]) ? &of_host : &of_device) += 1;
        }
        end();
    }
    assert_true(of_host >= 5 && of_device >= 5);
    pietra_device_destroy(cpu);
}

static const pietra_pixel_box carets[] = {{20, 30, 22, 50}, {WIDTH - 40, HEIGHT - 30, WIDTH - 38, HEIGHT - 10}};

/* Fills all images with one picture, so that what follows is damage alone. */
static pietra_stream *begin_with_carets(pietra_device *cpu)
{
    pietra_stream *stream = encode_scene(random_scene_create(12, RANDOM_ANYTHING, HEIGHT));
    pietra_submission submission = {.stream = stream};
    uint32_t turn;
    begin(VK_FORMAT_R8G8B8A8_UNORM, NULL);
    for (uint32_t i = 0; i < IMAGES; i++) {
        (void)submit(&submission, NULL, &turn);
        submission.damage = carets; /* without any */
        uint8_t *picture = draw_in_memory(cpu, stream, &submission.frame);
        memcpy(wanted.pixels[turn], picture, BYTES);
        free(picture);
    }
    return stream;
}

/* Returns what frames count that draw some of the carets. */
static pietra_stats count_carets(pietra_stream *stream, const pietra_pixel_box *damage, size_t count,
                                 pietra_ticket *ticket)
{
    pietra_submission submission = {.stream = stream, .damage = damage, .damage_count = count, .age = 1};
    const pietra_vulkan_target target = target_of(&here.images[0]);
    pietra_error error = {0};
    pietra_stats stats;
    if (pietra_view_submit_vulkan(here.view, &submission, &target, NULL, &error, ticket) != PIETRA_OK)
        fail_msg("%s", error.message);
    wait_for(ticket->number, &stats);
    return stats;
}

/* Two carets in the corners count what each of them counts, and nothing between them. */
static void test_two_carets(void **state)
{
    pietra_device *cpu = open_cpu();
    pietra_stream *stream = begin_with_carets(cpu);
    pietra_ticket ticket;
    (void)state;
    here.frames++; /* in an image that holds the last frame */
    const pietra_stats one = count_carets(stream, carets, 1, &ticket),
                       other = count_carets(stream, carets + 1, 1, &ticket),
                       both = count_carets(stream, carets, 2, &ticket);
    assert_false(ticket.is_done);
    assert_int_equal(ticket.box_count, 2);
    assert_memory_equal(&ticket.boxes[0], (&(pietra_pixel_box){16, 16, 32, 64}), sizeof ticket.drawn);
    assert_memory_equal(&ticket.boxes[1], (&(pietra_pixel_box){384, 352, 400, 384}), sizeof ticket.drawn);
    assert_true(one.tile_commands > 0 && other.tile_commands > 0);
    assert_int_equal(both.lines, one.lines + other.lines);
    assert_int_equal(both.tile_lines, one.tile_lines + other.tile_lines);
    assert_int_equal(both.tile_commands, one.tile_commands + other.tile_commands);
    expect_images();
    pietra_stream_destroy(stream);
    end();
    pietra_device_destroy(cpu);
}

/* Returns a stream that is certain, and reserves for frames of it that draw all. */
static pietra_stream *reserve_random(void)
{
    for (uint64_t seed = 40;; seed++) {
        pietra_stream *stream = encode_scene(random_scene_create(seed, RANDOM_ANYTHING, HEIGHT));
        const pietra_submission submission = {.stream = stream};
        const pietra_vulkan_target like = target_of(&here.images[0]);
        if (pietra_view_reserve_vulkan(here.view, &submission, &like, NULL) == PIETRA_OK)
            return stream;
        pietra_stream_destroy(stream);
    }
}

/* Lines everywhere: a frame of two boxes is bounded by twice as many as one that draws all. */
static pietra_stream *reserve_many_lines(void)
{
    pietra_stream *stream = lines_across(WIDTH, HEIGHT, 100000, 0);
    const pietra_submission submission = {.stream = stream};
    const pietra_vulkan_target like = target_of(&here.images[0]);
    assert_int_equal(pietra_view_reserve_vulkan(here.view, &submission, &like, NULL), PIETRA_OK);
    return stream;
}

/* What is recorded into the caller's commands draws the same boxes. What was reserved suffices, also where boxes would
 * need more: then the rectangle around them is drawn. */
static void test_recorded(void **state)
{
    pietra_device *cpu = open_cpu();
    pietra_stream *stream = begin_with_carets(cpu);
    (void)state;
    wait_for(0, NULL);
    for (uint32_t i = 0; i < 2; i++) {
        pietra_stream *other = i ? reserve_random() : reserve_many_lines();
        pietra_submission submission = {.stream = other, .damage = carets, .damage_count = 2};
        uint32_t turn;
        caller_begin(&here.caller);
        const pietra_ticket ticket = record(&submission, &turn);
        finish_recorded(ticket.number);
        assert_int_equal(ticket.box_count, 1 + i);
        uint8_t *picture = draw_in_memory(cpu, other, &submission.frame);
        lay_onto(wanted.pixels[turn], picture, &ticket);
        free(picture);
        pietra_stream_destroy(other);
    }
    expect_images();
    pietra_stream_destroy(stream);
    end();
    pietra_device_destroy(cpu);
}

/* A frame that is counted first draws the rectangle around all, and says so. */
static void test_counted(void **state)
{
    static const char blurred[] = "<svg xmlns='http://www.w3.org/2000/svg' width='431' height='387'><filter "
                                  "id='f'><feGaussianBlur stdDeviation='3'/></filter><rect x='20' y='15' width='400' "
                                  "height='350' fill='#83c' filter='url(#f)'/></svg>";
    pietra_device *cpu = open_cpu();
    pietra_stream *stream = begin_with_carets(cpu), *other = stream_of(blurred);
    pietra_submission submission = {.stream = other, .damage = carets, .damage_count = 2};
    uint32_t turn;
    (void)state;
    const pietra_ticket ticket = submit(&submission, NULL, &turn);
    assert_true(ticket.is_done);
    assert_int_equal(ticket.box_count, 1);
    assert_memory_equal(&ticket.boxes[0], (&(pietra_pixel_box){16, 16, 400, 384}), sizeof ticket.drawn);
    uint8_t *picture = draw_in_memory(cpu, other, &submission.frame);
    lay_onto(wanted.pixels[turn], picture, &ticket);
    free(picture);
    expect_images();
    pietra_stream_destroy(other);
    pietra_stream_destroy(stream);
    end();
    pietra_device_destroy(cpu);
}

int main(void)
{
    /* Recorded frames come first: later ones have made room for anything. */
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_recorded), cmocka_unit_test(test_random_damage),
                                       cmocka_unit_test(test_frames_of_host), cmocka_unit_test(test_two_carets),
                                       cmocka_unit_test(test_counted)};
    return cmocka_run_group_tests(tests, open_all, close_all);
}
