/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "picture.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "heat.h"
#include "panel.h"
#include "pick.h"
#include "say.h"

#define LINES_BYTES 8192u
#define TITLE_BYTES 512u

/* What the panel says, a line each. */
typedef struct lines {
    char text[LINES_BYTES];
    size_t count; /* bytes */
} lines;

static void add(lines *lines, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void add(lines *lines, const char *format, ...)
{
    va_list arguments;
    const size_t room = sizeof lines->text - lines->count;

    va_start(arguments, format);
    const int count = vsnprintf(lines->text + lines->count, room, format, arguments);
    va_end(arguments);
    if (count > 0)
        lines->count += (size_t)count < room ? (size_t)count : room - 1;
}

/* ---- The document ---- */

static pietra_result draw_map(viewer *viewer, const pietra_frame *frame, pietra_error *error, pietra_stats *stats)
{
    screen *screen = &viewer->screen;
    const pietra_frame in_pixels = {.background = frame->background};
    pietra_stream *stream;
    pietra_result result = heat_encode(&viewer->document, screen->device, frame, screen->width, screen->height,
                                       viewer->heat, error, &stream);

    if (result != PIETRA_OK)
        return result;
    result = screen_draw(screen, false, stream, &in_pixels, screen->width, screen->height, error, stats);
    pietra_stream_destroy(stream);
    return result;
}

static pietra_result draw_nothing(viewer *viewer, pietra_error *error)
{
    const pietra_frame frame = {.background = viewer->options->background};

    return screen_draw(&viewer->screen, false, viewer->nothing, &frame, viewer->screen.width, viewer->screen.height,
                       error, NULL);
}

static pietra_result draw_document(viewer *viewer, pietra_error *error, pietra_stats *stats)
{
    screen *screen = &viewer->screen;
    const pietra_frame frame = viewer_frame(viewer);

    if (viewer->shows_heat)
        return draw_map(viewer, &frame, error, stats);
    return screen_draw(screen, false, viewer->document.stream, &frame, screen->width, screen->height, error, stats);
}

/* ---- What lies on it ---- */

static void add_times(const viewer *viewer, const pietra_stats *stats, lines *lines)
{
    pietra_device_info info;

    pietra_device_get_info(viewer->screen.device, &info);
    add(lines, "%s\n%u x %u, %.4g %%, %u elements, %u segments\n", info.name, viewer->screen.width,
        viewer->screen.height, viewer->navigation.zoom * 100, stats->elements, stats->segments);
    add(lines, "%8.3f ms frame, in %u of %u\n", stats->frame_ms, stats->passes, stats->parts);
    if (stats->gpu_ms > 0)
        add(lines, "%8.3f ms of the GPU\n", stats->gpu_ms);
    if (stats->upload_ms > 0)
        add(lines, "%8.3f ms upload\n", stats->upload_ms);
    for (uint32_t i = 0; i < stats->stage_count; i++)
        add(lines, "%8.3f %s\n", stats->stages[i].milliseconds, stats->stages[i].name);
}

static void add_element(viewer *viewer, lines *lines)
{
    const pietra_frame frame = viewer_frame(viewer);
    const screen *screen = &viewer->screen;
    char text[1024] = "";
    pietra_error error;

    if (viewer->pointer_inside && viewer->pointer_x < screen->width && viewer->pointer_y < screen->height &&
        pick_element(&viewer->document, &frame, (uint32_t)viewer->pointer_x, (uint32_t)viewer->pointer_y, &error, text,
                     sizeof text) != PIETRA_OK)
        add(lines, "%s\n", error.message);
    else
        add(lines, "%s\n", text[0] ? text : "nothing is painted here");
}

static pietra_result draw_panel(viewer *viewer, lines *lines, pietra_error *error)
{
    screen *screen = &viewer->screen;
    pietra_stream *stream;
    uint32_t width = screen->width, height = screen->height;

    if (lines->count && lines->text[lines->count - 1] == '\n')
        lines->text[lines->count - 1] = '\0';
    pietra_result result = panel_encode(viewer->options->fonts, lines->text, error, &stream, &width, &height);
    if (result != PIETRA_OK)
        return result;
    result = screen_draw(screen, true, stream, NULL, width, height, error, NULL);
    pietra_stream_destroy(stream);
    return result;
}

/* ---- The window ---- */

static void set_title(const viewer *viewer)
{
    const char *slash = strrchr(viewer->document.path, '/');
    char title[TITLE_BYTES];

    snprintf(title, sizeof title, "%s (%zu/%zu) %.4g %%", slash ? slash + 1 : viewer->document.path, viewer->file + 1,
             viewer->files->paths.count, viewer->navigation.zoom * 100);
    if (strcmp(SDL_GetWindowTitle(viewer->screen.window), title) != 0)
        SDL_SetWindowTitle(viewer->screen.window, title);
}

/* Says what is wrong with a picture once, and not for every picture that has it. */
static void complain(viewer *viewer, const char *message)
{
    if (strcmp(viewer->complaint, message) != 0)
        say(viewer->document.path, 0, "%s", message);
    snprintf(viewer->complaint, sizeof viewer->complaint, "%s", message);
}

/* Draws the document and finds what the panel says. An error that is not the device's becomes a line of it. */
static pietra_result draw_below(viewer *viewer, lines *lines, pietra_error *error)
{
    pietra_stats stats = {0};

    if (!viewer->document.stream) {
        add(lines, "%s\n%s\n", viewer->document.path, viewer->document.error);
        return draw_nothing(viewer, error);
    }
    const pietra_result result = draw_document(viewer, error, &stats);
    if (result == PIETRA_ERROR_DEVICE)
        return result;
    if (result != PIETRA_OK) {
        complain(viewer, error->message);
        add(lines, "%s\n%s\n", viewer->document.path, error->message);
        return draw_nothing(viewer, error);
    }
    if (viewer->shows_times)
        add_times(viewer, &stats, lines);
    if (viewer->shows_element)
        add_element(viewer, lines);
    return PIETRA_OK;
}

static pietra_result draw_all(viewer *viewer, pietra_error *error)
{
    lines lines = {.count = 0};
    pietra_result result = draw_below(viewer, &lines, error);

    if (result != PIETRA_OK || !lines.count)
        return result;
    result = draw_panel(viewer, &lines, error);
    if (result == PIETRA_OK || result == PIETRA_ERROR_DEVICE)
        return result;
    complain(viewer, error->message);
    return PIETRA_OK;
}

static picture_result reopen(viewer *viewer, const char *why)
{
    say(NULL, 0, "the screen is lost, and opened again: %s", why);
    return screen_reopen(&viewer->screen, viewer->options) ? PICTURE_LATER : PICTURE_FAILED;
}

picture_result picture_show(viewer *viewer)
{
    navigation *navigation = &viewer->navigation;
    pietra_error error = {0};
    screen_result shown = screen_begin(&viewer->screen);

    if (shown == SCREEN_LATER)
        return PICTURE_LATER;
    if (shown == SCREEN_LOST)
        return reopen(viewer, "its images are gone");
    navigation->width = viewer->screen.width;
    navigation->height = viewer->screen.height;
    if (viewer->document.stream)
        navigation_update(navigation);
    set_title(viewer);
    const pietra_result drawn = draw_all(viewer, &error);
    if (drawn == PIETRA_ERROR_DEVICE)
        return reopen(viewer, error.message);
    if (drawn != PIETRA_OK) {
        say(NULL, 0, "%s", error.message);
        return PICTURE_FAILED;
    }
    shown = screen_end(&viewer->screen);
    if (shown == SCREEN_LOST)
        return reopen(viewer, "its images are gone");
    viewer->dirty = shown == SCREEN_LATER;
    return viewer->dirty ? PICTURE_LATER : PICTURE_SHOWN;
}
