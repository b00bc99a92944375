/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "screen.h"

#include <string.h>

#include "base/error.h"
#include "say.h"

#define WAIT_NS 1000000000u /* then the viewer looks for events and tries again */

/* Closes all but the window. */
static void close_kind(screen *screen)
{
    pietra_view_destroy(screen->panel);
    pietra_view_destroy(screen->document);
    pietra_device_destroy(screen->device);
    screen->kind->close(screen);
    *screen = (struct screen){.window = screen->window, .kind = screen->kind};
}

static bool open_kind(screen *screen, const options *options, pietra_error *error)
{
    /* A picture is a frame of each view at most. */
    const pietra_view_options views = {.in_flight = 2 * SCREEN_FRAMES, .stage_times = true};

    if (screen->kind->open(screen, options, error) &&
        screen->kind->create_device(screen, error, &screen->device) == PIETRA_OK &&
        pietra_view_create(screen->device, &views, error, &screen->document) == PIETRA_OK &&
        pietra_view_create(screen->device, &views, error, &screen->panel) == PIETRA_OK)
        return true;
    close_kind(screen);
    return false;
}

/* Opens a window for a kind. */
static bool open_window(screen *screen, const screen_kind *kind, const options *options, const char *title, int width,
                        int height, pietra_error *error)
{
    const Uint32 flags = SDL_WINDOW_RESIZABLE | SDL_WINDOW_ALLOW_HIGHDPI | kind->window_flags |
                         (options->full_screen ? SDL_WINDOW_FULLSCREEN_DESKTOP : 0u);

    screen->kind = kind;
    screen->window = SDL_CreateWindow(title, SDL_WINDOWPOS_UNDEFINED, SDL_WINDOWPOS_UNDEFINED, width, height, flags);
    if (!screen->window) {
        error_set(error, PIETRA_ERROR_DEVICE, 0, "no window opens: %s", SDL_GetError());
        return false;
    }
    if (open_kind(screen, options, error))
        return true;
    SDL_DestroyWindow(screen->window);
    screen->window = NULL;
    return false;
}

bool screen_open(screen *screen, const options *options, const char *title, int width, int height)
{
    pietra_error error;

    *screen = (struct screen){.window = NULL};
    if (options->device != CHOOSE_CPU && open_window(screen, &screen_vulkan, options, title, width, height, &error))
        return true;
    if (options->device != CHOOSE_GPU && open_window(screen, &screen_cpu, options, title, width, height, &error))
        return true;
    say(NULL, 0, "%s", error.message);
    return false;
}

/* A window for Vulkan has no pixels of the host, so another takes its place. */
static bool go_on_by_cpu(screen *screen, const options *options)
{
    SDL_Window *before = screen->window;
    int width, height;
    pietra_error error;

    SDL_GetWindowSize(before, &width, &height);
    const bool opened = open_window(screen, &screen_cpu, options, SDL_GetWindowTitle(before), width, height, &error);
    SDL_DestroyWindow(before);
    if (!opened)
        say(NULL, 0, "%s", error.message);
    return opened;
}

bool screen_reopen(screen *screen, const options *options)
{
    const bool again = screen->lost;
    pietra_error error;

    if (screen->kind == &screen_cpu) {
        say(NULL, 0, "the window has no pixels: %s", SDL_GetError());
        return false;
    }
    close_kind(screen);
    screen->lost = true;
    if (!again && open_kind(screen, options, &error))
        return true;
    say(NULL, 0, "%s; the CPU goes on", again ? "the GPU is lost again" : error.message);
    return go_on_by_cpu(screen, options);
}

void screen_close(screen *screen)
{
    if (!screen->window)
        return;
    close_kind(screen);
    SDL_DestroyWindow(screen->window);
    screen->window = NULL;
}

/* ---- Pictures in flight ---- */

/* Takes what became of the oldest picture, if it is done. */
static pietra_result take_oldest(screen *screen, uint64_t timeout_ns, pietra_error *error, bool *done)
{
    const screen_flight oldest = screen->flight[0];
    pietra_result result = pietra_view_wait(screen->document, oldest.last, timeout_ns, error, done, NULL);

    if (result != PIETRA_OK || !*done)
        return result;
    memmove(screen->flight, screen->flight + 1, sizeof screen->flight - sizeof oldest);
    screen->flight[SCREEN_FRAMES - 1] = (screen_flight){.last = 0};
    screen->lost = false;
    if (!oldest.document)
        return PIETRA_OK;
    screen->timed++;
    return pietra_view_wait(screen->document, oldest.document, 0, error, done, &screen->times);
}

static uint32_t in_flight(const screen *screen)
{
    uint32_t count = 0;

    while (count < SCREEN_FRAMES && screen->flight[count].last)
        count++;
    return count;
}

screen_result screen_settle(screen *screen, uint32_t most, uint64_t timeout_ns, pietra_error *error)
{
    bool done = true;

    while (done && in_flight(screen))
        if (take_oldest(screen, in_flight(screen) > most ? timeout_ns : 0, error, &done) != PIETRA_OK)
            return SCREEN_LOST;
    return in_flight(screen) > most ? SCREEN_LATER : SCREEN_READY;
}

/* ---- Pictures ---- */

screen_result screen_begin(screen *screen, pietra_error *error)
{
    screen_result result = screen_settle(screen, SCREEN_FRAMES - 1, WAIT_NS, error);

    if (result != SCREEN_READY)
        return result;
    result = screen->kind->begin(screen);
    if (result == SCREEN_LOST)
        error_set(error, PIETRA_ERROR_DEVICE, 0, "its images are gone");
    return result;
}

/* Returns whether the panel will cover the one that the image holds. */
static bool covers(const screen_picture *picture, const screen_image *image)
{
    return image->panel_width <= picture->panel_width && image->panel_height <= picture->panel_height;
}

static bool needs_document(const screen *screen, const screen_picture *picture)
{
    const screen_image *image = screen->image;

    return picture->is_new || !picture->panel || !image->frame || image->frame < screen->newest ||
           !covers(picture, image);
}

static pietra_result draw_document(screen *screen, const screen_picture *picture, screen_flight *flight,
                                   pietra_error *error)
{
    screen_image *image = screen->image;
    const pietra_pixel_box uncovered = {0, 0, image->panel_width, image->panel_height};
    const pietra_submission submission = {.stream = picture->document,
                                          .frame = picture->frame,
                                          .damage = picture->is_new ? NULL : &uncovered,
                                          .damage_count = picture->is_new ? 0 : !covers(picture, image),
                                          .age = image->frame ? (uint32_t)(screen->frames + 1 - image->frame) : 0};
    pietra_ticket ticket;
    const pietra_result result = screen->kind->submit(screen, screen->document, &submission, screen->width,
                                                      screen->height, !picture->panel, error, &ticket);

    if (result != PIETRA_OK)
        return result;
    if (picture->is_new || !covers(picture, image))
        image->panel_width = image->panel_height = 0;
    image->frame = ++screen->frames;
    if (picture->is_new)
        screen->newest = screen->frames;
    *flight = (screen_flight){.last = ticket.number, .document = picture->is_new ? ticket.number : 0};
    return PIETRA_OK;
}

static pietra_result draw_panel(screen *screen, const screen_picture *picture, screen_flight *flight,
                                pietra_error *error)
{
    const pietra_submission submission = {.stream = picture->panel};
    pietra_ticket ticket;
    const pietra_result result = screen->kind->submit(screen, screen->panel, &submission, picture->panel_width,
                                                      picture->panel_height, true, error, &ticket);

    if (result != PIETRA_OK)
        return result;
    screen->image->panel_width = picture->panel_width;
    screen->image->panel_height = picture->panel_height;
    flight->last = ticket.number;
    return PIETRA_OK;
}

pietra_result screen_draw(screen *screen, const screen_picture *picture, pietra_error *error)
{
    screen_flight flight = {.last = 0};
    pietra_result result = PIETRA_OK;

    if (needs_document(screen, picture))
        result = draw_document(screen, picture, &flight, error);
    if (result == PIETRA_OK && picture->panel)
        result = draw_panel(screen, picture, &flight, error);
    if (result == PIETRA_OK)
        screen->flight[in_flight(screen)] = flight;
    return result;
}

screen_result screen_end(screen *screen)
{
    return screen->kind->end(screen);
}
