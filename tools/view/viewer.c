/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "viewer.h"

#include <math.h>

#include "input.h"
#include "picture.h"
#include "say.h"

#define LOOK_MS 150 /* between looks at the file */
#define RETRY_MS 20 /* before a window that could not be drawn is tried again */
/* The first window, in what SDL calls points. */
#define FIRST_WIDTH 640
#define FIRST_HEIGHT 480
#define LEAST_SIDE 120.0
#define PART_OF_SCREEN 0.9

pietra_frame viewer_frame(const viewer *viewer)
{
    return (pietra_frame){.transform = navigation_transform(&viewer->navigation),
                          .background = viewer->options->background};
}

static void read_file(viewer *viewer)
{
    document_read(&viewer->document, viewer->files->paths.items[viewer->file], viewer->options);
    viewer->seen = viewer->document.watch;
    viewer->shown.stream = NULL;
    if (viewer->document.stream) {
        viewer->navigation.document_width = viewer->document.width;
        viewer->navigation.document_height = viewer->document.height;
    }
    viewer->dirty = true;
}

void viewer_go(viewer *viewer, int places)
{
    const size_t count = viewer->files->paths.count;

    viewer->file = (viewer->file + (places < 0 ? count - 1 : 1)) % count;
    viewer->navigation.mode = NAVIGATION_FIT;
    viewer->navigation.degrees = 0;
    read_file(viewer);
}

void viewer_read_again(viewer *viewer)
{
    read_file(viewer);
}

/* Reads the file anew once it has changed, and has stayed as it is since the last look: nobody is writing it. */
static void look_at_file(viewer *viewer)
{
    const watch now = watch_look(viewer->document.path);

    if (!watch_equal(&now, &viewer->document.watch) && watch_equal(&now, &viewer->seen))
        viewer_read_again(viewer);
    viewer->seen = now;
}

static int first_side(double document, int screen, int otherwise)
{
    return (int)fmin(document > 0 ? fmax(ceil(document), LEAST_SIDE) : otherwise, screen * PART_OF_SCREEN);
}

static bool open(viewer *viewer)
{
    SDL_Rect usable = {.w = FIRST_WIDTH, .h = FIRST_HEIGHT};
    pietra_error error;
    pietra_scene *scene = pietra_scene_create();
    const pietra_result result = scene ? pietra_stream_encode(scene, &error, &viewer->nothing) : PIETRA_ERROR_MEMORY;

    pietra_scene_destroy(scene);
    if (result != PIETRA_OK) {
        say(NULL, 0, "out of memory");
        return false;
    }
    SDL_GetDisplayUsableBounds(0, &usable);
    return screen_open(&viewer->screen, viewer->options, "pietra-view",
                       first_side(viewer->document.width, usable.w, FIRST_WIDTH),
                       first_side(viewer->document.height, usable.h, FIRST_HEIGHT));
}

void viewer_take_events(viewer *viewer, int wait_ms)
{
    SDL_Event event;

    for (bool is = SDL_WaitEventTimeout(&event, wait_ms); is; is = SDL_PollEvent(&event))
        input_take(viewer, &event);
}

/* Waits for what changes the window, and lets nothing pass that it must look at meanwhile. */
static void wait_for_events(viewer *viewer, picture_result shown)
{
    const bool draws = viewer->dirty && !viewer->hidden;
    const bool awaits_times = !draws && !viewer->hidden && picture_await_times(viewer, RETRY_MS);

    viewer_take_events(viewer, awaits_times ? 0 : !draws ? LOOK_MS : shown == PICTURE_LATER ? RETRY_MS : 0);
}

static bool show_until_end(viewer *viewer)
{
    Uint64 looked = SDL_GetTicks64();
    picture_result shown = PICTURE_SHOWN;

    while (!viewer->ends) {
        wait_for_events(viewer, shown);
        if (SDL_GetTicks64() - looked >= LOOK_MS) {
            looked = SDL_GetTicks64();
            look_at_file(viewer);
        }
        if (viewer->dirty && !viewer->hidden && !viewer->ends)
            shown = picture_show(viewer);
        if (shown == PICTURE_FAILED)
            return false;
    }
    return true;
}

/* SDL falls back to drivers that nobody sees, unless another is asked for. */
static bool open_video(void)
{
    if (SDL_Init(SDL_INIT_VIDEO) != 0) {
        say(NULL, 0, "no window opens: %s", SDL_GetError());
        return false;
    }
    const char *driver = SDL_GetCurrentVideoDriver();
    if (SDL_getenv("SDL_VIDEODRIVER") || (SDL_strcmp(driver, "offscreen") != 0 && SDL_strcmp(driver, "dummy") != 0))
        return true;
    say(NULL, 0, "no window opens: there is no display");
    SDL_Quit();
    return false;
}

bool viewer_run(const options *options, const files *files)
{
    viewer viewer = {.options = options, .files = files};

    /* Other windows stay composited, no GL is used, and the screen may go dark. */
    SDL_SetHint(SDL_HINT_VIDEO_X11_NET_WM_BYPASS_COMPOSITOR, "0");
    SDL_SetHint(SDL_HINT_FRAMEBUFFER_ACCELERATION, "0");
    SDL_SetHint(SDL_HINT_VIDEO_ALLOW_SCREENSAVER, "1");
    if (!open_video())
        return false;
    read_file(&viewer);
    const bool ended = open(&viewer) && show_until_end(&viewer);
    screen_close(&viewer.screen);
    pietra_stream_destroy(viewer.shown.map);
    pietra_stream_destroy(viewer.nothing);
    document_destroy(&viewer.document);
    SDL_Quit();
    return ended;
}
