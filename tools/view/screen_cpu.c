/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The CPU device draws into a surface of the host, which SDL shows. */
#include "base/error.h"
#include "screen.h"

typedef struct canvas {
    SDL_Surface *surface; /* of the window's size; NULL: none so far */
    screen_image holds;
} canvas;

static bool open_canvas(screen *screen, const options *options, pietra_error *error)
{
    (void)options;
    screen->own = SDL_calloc(1, sizeof(canvas));
    return screen->own || error_set_memory(error) == PIETRA_OK;
}

static void close_canvas(screen *screen)
{
    canvas *canvas = screen->own;

    if (canvas)
        SDL_FreeSurface(canvas->surface);
    SDL_free(canvas);
}

static pietra_result create_device(screen *screen, pietra_error *error, pietra_device **device)
{
    (void)screen;
    return pietra_device_create(&(pietra_device_options){.kind = PIETRA_DEVICE_CPU}, error, device);
}

static screen_result begin(screen *screen)
{
    canvas *canvas = screen->own;
    const SDL_Surface *window = SDL_GetWindowSurface(screen->window);
    int points;

    if (!window)
        return SCREEN_LOST;
    if (window->w <= 0 || window->h <= 0)
        return SCREEN_LATER;
    SDL_GetWindowSize(screen->window, &points, NULL);
    screen->scale = points > 0 ? (double)window->w / points : 1;
    screen->width = (uint32_t)window->w;
    screen->height = (uint32_t)window->h;
    screen->image = &canvas->holds;
    if (canvas->surface && canvas->surface->w == window->w && canvas->surface->h == window->h)
        return SCREEN_READY;
    SDL_FreeSurface(canvas->surface);
    canvas->holds = (screen_image){.frame = 0};
    canvas->surface = SDL_CreateRGBSurfaceWithFormat(0, window->w, window->h, 32, SDL_PIXELFORMAT_BGRA32);
    if (!canvas->surface)
        return SCREEN_LOST;
    SDL_SetSurfaceBlendMode(canvas->surface, SDL_BLENDMODE_NONE);
    return SCREEN_READY;
}

static pietra_result submit(screen *screen, pietra_view *view, const pietra_submission *submission, uint32_t width,
                            uint32_t height, bool is_last, pietra_error *error, pietra_ticket *ticket)
{
    const canvas *canvas = screen->own;
    const pietra_target target = {.width = width,
                                  .height = height,
                                  .format = PIETRA_FORMAT_BGRA8_OPAQUE,
                                  .pixels = canvas->surface->pixels,
                                  .stride_bytes = (size_t)canvas->surface->pitch};

    (void)is_last;
    return pietra_view_submit(view, submission, &target, error, ticket);
}

static screen_result end(screen *screen)
{
    canvas *canvas = screen->own;
    SDL_Surface *window = SDL_GetWindowSurface(screen->window);

    /* A window that was resized meanwhile is drawn again. */
    if (!window || SDL_BlitSurface(canvas->surface, NULL, window, NULL) != 0 ||
        SDL_UpdateWindowSurface(screen->window) != 0)
        return SCREEN_LATER;
    return SCREEN_READY;
}

const screen_kind screen_cpu = {.window_flags = 0,
                                .open = open_canvas,
                                .close = close_canvas,
                                .create_device = create_device,
                                .begin = begin,
                                .submit = submit,
                                .end = end};
