/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The window and what draws into it: a Vulkan device and a swapchain, or the CPU device and the window's pixels. A
 * picture is shown in these steps: screen_begin, screen_draw, screen_end. Nobody waits for it. */
#ifndef VIEW_SCREEN_H
#define VIEW_SCREEN_H

#include <SDL.h>

#include "options.h"
#include "pietra/pietra_view.h"

typedef enum screen_result {
    SCREEN_READY = 0,
    SCREEN_LATER, /* the window has no pixels now, or its system is busy */
    SCREEN_LOST,  /* the device or the window's surface is lost: screen_reopen may help */
} screen_result;

#define SCREEN_FRAMES 2u /* pictures that are drawn at a time */

typedef struct screen screen;

/* What an image of the window holds. */
typedef struct screen_image {
    uint64_t frame;                     /* that the document's view drew into it; 0: none */
    uint32_t panel_width, panel_height; /* of the panel that lies on it, pixels */
} screen_image;

/* One way to show pictures. A screen of zero bytes with a window is closed. */
typedef struct screen_kind {
    Uint32 window_flags;
    bool (*open)(screen *screen, const options *options, pietra_error *error);
    void (*close)(screen *screen); /* also after a failure to open */
    pietra_result (*create_device)(screen *screen, pietra_error *error, pietra_device **device);
    screen_result (*begin)(screen *screen); /* borrows an image; sets image, width and height */
    /* Draws into the upper left part of the image. `is_last`: nothing else is drawn before it is shown. */
    pietra_result (*submit)(screen *screen, pietra_view *view, const pietra_submission *submission, uint32_t width,
                            uint32_t height, bool is_last, pietra_error *error, pietra_ticket *ticket);
    screen_result (*end)(screen *screen); /* shows the image */
} screen_kind;

extern const screen_kind screen_cpu, screen_vulkan;

/* Numbers of frames of the device. */
typedef struct screen_flight {
    uint64_t last;     /* of a picture; 0: none is in flight here */
    uint64_t document; /* that draws a document anew; 0: the picture draws none */
} screen_flight;

struct screen {
    SDL_Window *window;
    const screen_kind *kind;
    void *own; /* of the kind */
    pietra_device *device;
    pietra_view *document, *panel; /* of the whole window, and of the panel in its upper left corner */
    uint64_t frames, newest;       /* that the document's view has drawn; and the last of a document that was new */
    screen_flight flight[SCREEN_FRAMES]; /* the oldest first */
    pietra_stats times;                  /* of the last document that is done */
    uint64_t timed;                      /* of how many documents there were times */
    screen_image *image;                 /* that is drawn */
    uint32_t width, height;              /* of the window, pixels */
    double scale;                        /* pixels of a point, which is what SDL counts the pointer in */
    bool lost;                           /* no picture was drawn since it was reopened */
};

typedef struct screen_picture {
    const pietra_stream *document;
    pietra_frame frame;         /* of the document */
    bool is_new;                /* the document may differ from that of the last picture */
    const pietra_stream *panel; /* opaque; lies in the upper left corner; NULL: none */
    uint32_t panel_width, panel_height;
} screen_picture;

/* Opens a window of this size. By CHOOSE_AUTO the CPU stands in for a GPU that is not there. False: it is said why. */
bool screen_open(screen *screen, const options *options, const char *title, int width, int height);
/* Opens the device anew, or the CPU if that was of no use. Streams stay as they are. False: it is said why. */
bool screen_reopen(screen *screen, const options *options);
void screen_close(screen *screen);

/* Takes the times of what is done. Waits until at most so many pictures are in flight, for the time given.
 * SCREEN_LATER: there are more. */
screen_result screen_settle(screen *screen, uint32_t most, uint64_t timeout_ns, pietra_error *error);

/* Waits until there is an image to draw into. SCREEN_LOST: the error says why. */
screen_result screen_begin(screen *screen, pietra_error *error);
/* Draws what the image does not hold. PIETRA_ERROR_DEVICE: the screen is lost. After another failure the image is as it
 * was, or lacks the panel, and another picture may be drawn. */
pietra_result screen_draw(screen *screen, const screen_picture *picture, pietra_error *error);
screen_result screen_end(screen *screen);

#endif
