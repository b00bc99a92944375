/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The window and what draws into it: a Vulkan device and a swapchain, or the CPU device and the window's pixels. A
 * picture is shown in these steps: screen_begin, screen_draw as often as wanted, each time over what was drawn before,
 * and screen_end. */
#ifndef VIEW_SCREEN_H
#define VIEW_SCREEN_H

#include <SDL.h>

#include "options.h"

typedef enum screen_result {
    SCREEN_READY = 0,
    SCREEN_LATER, /* the window has no pixels now, or its system is busy */
    SCREEN_LOST,  /* the device or the window's surface is lost: screen_reopen may help */
} screen_result;

typedef struct screen screen;

/* One way to show pictures. A screen of zero bytes with a window is closed. */
typedef struct screen_kind {
    Uint32 window_flags;
    bool (*open)(screen *screen, const options *options, pietra_error *error);
    void (*close)(screen *screen); /* also after a failure to open */
    pietra_result (*create_device)(screen *screen, pietra_error *error, pietra_device **device);
    screen_result (*begin)(screen *screen); /* sets width and height */
    pietra_result (*draw)(screen *screen, pietra_device *device, const pietra_stream *stream, const pietra_frame *frame,
                          uint32_t width, uint32_t height, pietra_error *error, pietra_stats *stats);
    screen_result (*end)(screen *screen);
} screen_kind;

extern const screen_kind screen_cpu, screen_vulkan;

struct screen {
    SDL_Window *window;
    const screen_kind *kind;
    void *own;              /* of the kind */
    pietra_device *device;  /* draws documents */
    pietra_device *beside;  /* draws what lies on them, so that `device` keeps its stream; NULL: nothing did so far */
    uint32_t width, height; /* of the window, pixels */
    bool lost;              /* no picture was shown since it was reopened */
};

/* Opens a window of this size. By CHOOSE_AUTO the CPU stands in for a GPU that is not there. False: it is said why. */
bool screen_open(screen *screen, const options *options, const char *title, int width, int height);
/* Opens the device anew, or the CPU if that was of no use. Streams stay as they are. False: it is said why. */
bool screen_reopen(screen *screen, const options *options);
void screen_close(screen *screen);

screen_result screen_begin(screen *screen);
/* Draws a picture into the upper left part of the window. `beside` says that it lies on a document. stats may be NULL.
 * PIETRA_ERROR_DEVICE: the screen is lost. After another failure the window's picture is as it was. */
pietra_result screen_draw(screen *screen, bool beside, const pietra_stream *stream, const pietra_frame *frame,
                          uint32_t width, uint32_t height, pietra_error *error, pietra_stats *stats);
screen_result screen_end(screen *screen);

#endif
