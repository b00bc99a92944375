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

static int wanted_heat(const viewer *viewer)
{
    return viewer->shows_heat ? (int)viewer->heat : -1;
}

/* Returns whether what the window shows of the document is what it should. */
static bool is_shown(const viewer *viewer)
{
    const shown *shown = &viewer->shown;
    const pietra_frame frame = viewer_frame(viewer);

    return shown->stream && shown->width == viewer->screen.width && shown->height == viewer->screen.height &&
           shown->heat == wanted_heat(viewer) &&
           memcmp(&shown->transform, &frame.transform, sizeof frame.transform) == 0;
}

static void choose_nothing(viewer *viewer, const char *why)
{
    viewer->shown.stream = viewer->nothing;
    viewer->shown.frame = (pietra_frame){.background = viewer->options->background};
    snprintf(viewer->shown.error, sizeof viewer->shown.error, "%s", why);
}

/* Says what is wrong with a picture once, and not for every picture that has it. */
static void complain(viewer *viewer, const char *message)
{
    if (strcmp(viewer->complaint, message) != 0)
        say(viewer->document.path, 0, "%s", message);
    snprintf(viewer->complaint, sizeof viewer->complaint, "%s", message);
}

static pietra_result choose_map(viewer *viewer, pietra_error *error)
{
    const screen *screen = &viewer->screen;
    shown *shown = &viewer->shown;
    const pietra_frame frame = shown->frame;

    shown->frame = (pietra_frame){.background = frame.background};
    const pietra_result result = heat_encode(&viewer->document, screen->device, &frame, screen->width, screen->height,
                                             viewer->heat, error, &shown->map);
    shown->stream = shown->map;
    return result;
}

/* Finds what the window is to show of the document. An error that is not the device's is shown instead. */
static pietra_result choose(viewer *viewer, pietra_error *error)
{
    const pietra_frame frame = viewer_frame(viewer);
    shown *shown = &viewer->shown;

    pietra_stream_destroy(shown->map);
    *shown = (struct shown){.stream = viewer->document.stream,
                            .frame = frame,
                            .transform = frame.transform,
                            .width = viewer->screen.width,
                            .height = viewer->screen.height,
                            .heat = wanted_heat(viewer)};
    if (!shown->stream)
        choose_nothing(viewer, viewer->document.error);
    else if (viewer->shows_heat && choose_map(viewer, error) != PIETRA_OK) {
        if (error->result == PIETRA_ERROR_DEVICE)
            return error->result;
        complain(viewer, error->message);
        choose_nothing(viewer, error->message);
    }
    return PIETRA_OK;
}

/* ---- What lies on it ---- */

/* The times are those of the last document that is done. */
static void add_times(const viewer *viewer, lines *lines)
{
    const pietra_stats *stats = &viewer->screen.times;
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

static void add_lines(viewer *viewer, lines *lines)
{
    if (viewer->shown.error[0])
        add(lines, "%s\n%s\n", viewer->document.path, viewer->shown.error);
    else if (viewer->shows_times)
        add_times(viewer, lines);
    if (!viewer->shown.error[0] && viewer->shows_element)
        add_element(viewer, lines);
    viewer->timed = viewer->screen.timed;
}

/* Adds the panel to a picture, if it says something. */
static pietra_result make_panel(viewer *viewer, pietra_error *error, pietra_stream **panel, screen_picture *picture)
{
    lines lines = {.count = 0};

    add_lines(viewer, &lines);
    if (!lines.count)
        return PIETRA_OK;
    lines.text[lines.count - 1] = '\0'; /* each line ends with one feed */
    picture->panel_width = viewer->screen.width;
    picture->panel_height = viewer->screen.height;
    const pietra_result result =
        panel_encode(viewer->options->fonts, lines.text, error, panel, &picture->panel_width, &picture->panel_height);
    picture->panel = *panel;
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

static pietra_result draw(viewer *viewer, bool is_new, bool has_panel, pietra_error *error)
{
    screen_picture picture = {.document = viewer->shown.stream, .frame = viewer->shown.frame, .is_new = is_new};
    pietra_stream *panel = NULL;
    pietra_result result = has_panel ? make_panel(viewer, error, &panel, &picture) : PIETRA_OK;

    if (result == PIETRA_OK)
        result = screen_draw(&viewer->screen, &picture, error);
    pietra_stream_destroy(panel);
    return result;
}

/* Draws the window. An error that is not the device's becomes a line of the panel, or is said alone. */
static pietra_result draw_all(viewer *viewer, pietra_error *error)
{
    const bool is_new = !is_shown(viewer);
    pietra_result result = is_new ? choose(viewer, error) : PIETRA_OK;

    if (result == PIETRA_OK)
        result = draw(viewer, is_new, true, error);
    if (result == PIETRA_OK || result == PIETRA_ERROR_DEVICE)
        return result;
    complain(viewer, error->message);
    choose_nothing(viewer, error->message);
    result = draw(viewer, true, true, error);
    return result == PIETRA_OK || result == PIETRA_ERROR_DEVICE ? result : draw(viewer, true, false, error);
}

static picture_result reopen(viewer *viewer, const char *why)
{
    say(NULL, 0, "the screen is lost, and opened again: %s", why);
    return screen_reopen(&viewer->screen, viewer->options) ? PICTURE_LATER : PICTURE_FAILED;
}

/* Draws what the viewer is to show by now into the image that is there. */
static pietra_result draw_newest(viewer *viewer, pietra_error *error)
{
    navigation *navigation = &viewer->navigation;

    viewer->changed = false;
    viewer_take_events(viewer, 0);
    navigation->width = viewer->screen.width;
    navigation->height = viewer->screen.height;
    if (viewer->document.stream)
        navigation_update(navigation);
    set_title(viewer);
    return draw_all(viewer, error);
}

picture_result picture_show(viewer *viewer)
{
    pietra_error error = {0};
    screen_result shown = screen_begin(&viewer->screen, &error);

    if (shown == SCREEN_LATER)
        return PICTURE_LATER;
    if (shown == SCREEN_LOST)
        return reopen(viewer, error.message);
    const pietra_result drawn = draw_newest(viewer, &error);
    if (drawn == PIETRA_ERROR_DEVICE)
        return reopen(viewer, error.message);
    if (drawn != PIETRA_OK) {
        say(NULL, 0, "%s", error.message);
        return PICTURE_FAILED;
    }
    shown = screen_end(&viewer->screen);
    if (shown == SCREEN_LOST)
        return reopen(viewer, "its images are gone");
    viewer->dirty = shown == SCREEN_LATER || viewer->changed;
    return shown == SCREEN_LATER ? PICTURE_LATER : PICTURE_SHOWN;
}

bool picture_await_times(viewer *viewer, uint32_t wait_ms)
{
    pietra_error error;

    if (!viewer->shows_times)
        return false;
    const screen_result result = screen_settle(&viewer->screen, 0, 1000000ull * wait_ms, &error);
    /* What is lost, the next picture finds. */
    viewer->dirty |= result == SCREEN_LOST || viewer->screen.timed != viewer->timed;
    return result == SCREEN_LATER || viewer->dirty;
}
