/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "screen.h"

#include "base/error.h"
#include "say.h"

/* Closes all but the window. */
static void close_kind(screen *screen)
{
    pietra_device_destroy(screen->beside);
    pietra_device_destroy(screen->device);
    screen->beside = NULL;
    screen->device = NULL;
    screen->kind->close(screen);
    screen->own = NULL;
}

static bool open_kind(screen *screen, const options *options, pietra_error *error)
{
    if (screen->kind->open(screen, options, error) &&
        screen->kind->create_device(screen, error, &screen->device) == PIETRA_OK)
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

screen_result screen_begin(screen *screen)
{
    return screen->kind->begin(screen);
}

pietra_result screen_draw(screen *screen, bool beside, const pietra_stream *stream, const pietra_frame *frame,
                          uint32_t width, uint32_t height, pietra_error *error, pietra_stats *stats)
{
    if (beside && !screen->beside) {
        const pietra_result result = screen->kind->create_device(screen, error, &screen->beside);
        if (result != PIETRA_OK)
            return result;
    }
    return screen->kind->draw(screen, beside ? screen->beside : screen->device, stream, frame, width, height, error,
                              stats);
}

screen_result screen_end(screen *screen)
{
    const screen_result result = screen->kind->end(screen);

    screen->lost &= result != SCREEN_READY;
    return result;
}
