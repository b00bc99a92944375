/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "input.h"

#include <math.h>
#include <stdio.h>

#include "pick.h"
#include "say.h"

#define PAN 48.0       /* pixels of a cursor key */
#define TURN 15.0      /* degrees */
#define CLICK_MOST 3.0 /* pixels that the pointer may move in a click */
#define TEXT_BYTES 1024

/* ---- The window ---- */

static void take_window_event(viewer *viewer, const SDL_WindowEvent *event)
{
    switch (event->event) {
    case SDL_WINDOWEVENT_MINIMIZED:
    case SDL_WINDOWEVENT_HIDDEN:
        viewer->hidden = true;
        break;
    case SDL_WINDOWEVENT_SHOWN:
    case SDL_WINDOWEVENT_RESTORED:
    case SDL_WINDOWEVENT_MAXIMIZED:
    case SDL_WINDOWEVENT_EXPOSED:
    case SDL_WINDOWEVENT_SIZE_CHANGED:
        viewer->hidden = false;
        viewer->dirty = viewer->changed = true;
        break;
    case SDL_WINDOWEVENT_LEAVE:
        viewer->pointer_inside = false;
        viewer->dirty |= viewer->shows_element;
        break;
    default:
        break;
    }
}

static void change_full_screen(viewer *viewer)
{
    SDL_Window *window = viewer->screen.window;
    const bool is = SDL_GetWindowFlags(window) & SDL_WINDOW_FULLSCREEN_DESKTOP;

    if (SDL_SetWindowFullscreen(window, is ? 0 : SDL_WINDOW_FULLSCREEN_DESKTOP) != 0)
        say(NULL, 0, "the window stays as it is: %s", SDL_GetError());
}

/* ---- The mouse ---- */

static void take_motion(viewer *viewer, const SDL_MouseMotionEvent *event)
{
    const double scale = viewer->screen.scale;

    viewer->pointer_inside = true;
    viewer->pointer_x = event->x * scale;
    viewer->pointer_y = event->y * scale;
    viewer->dirty |= viewer->shows_element;
    if (!viewer->dragging || !viewer->document.stream)
        return;
    viewer->dragged += fabs(event->xrel * scale) + fabs(event->yrel * scale);
    navigation_pan(&viewer->navigation, event->xrel * scale, event->yrel * scale);
    viewer->dirty = true;
}

/* Prints the element under the pointer. */
static void print_element(viewer *viewer)
{
    const pietra_frame frame = viewer_frame(viewer);
    char text[TEXT_BYTES];
    pietra_error error;

    if (!viewer->document.stream || viewer->pointer_x < 0 || viewer->pointer_y < 0 ||
        viewer->pointer_x >= viewer->screen.width || viewer->pointer_y >= viewer->screen.height)
        return;
    if (pick_element(&viewer->document, &frame, (uint32_t)viewer->pointer_x, (uint32_t)viewer->pointer_y, &error, text,
                     sizeof text) != PIETRA_OK) {
        say(viewer->document.path, 0, "%s", error.message);
    } else if (text[0]) {
        puts(text);
        fflush(stdout);
    }
}

static void take_button(viewer *viewer, const SDL_MouseButtonEvent *event)
{
    if (event->button != SDL_BUTTON_LEFT)
        return;
    viewer->dragging = event->state == SDL_PRESSED;
    if (viewer->dragging)
        viewer->dragged = 0;
    else if (viewer->dragged <= CLICK_MOST)
        print_element(viewer);
}

static void take_wheel(viewer *viewer, const SDL_MouseWheelEvent *event)
{
    if (!viewer->document.stream)
        return;
    navigation_zoom(&viewer->navigation, (double)event->preciseY, viewer->pointer_x, viewer->pointer_y);
    viewer->dirty = true;
}

/* ---- Keys ---- */

/* Zooms at the pointer, or in the middle if that is elsewhere. */
static void zoom(viewer *viewer, double steps)
{
    const navigation *navigation = &viewer->navigation;

    navigation_zoom(&viewer->navigation, steps, viewer->pointer_inside ? viewer->pointer_x : navigation->width / 2.0,
                    viewer->pointer_inside ? viewer->pointer_y : navigation->height / 2.0);
}

static void set_mode(viewer *viewer, navigation_mode mode)
{
    viewer->navigation.mode = mode;
    viewer->navigation.degrees = 0;
    navigation_update(&viewer->navigation);
}

/* From none through all kinds back to none. */
static void change_heat(viewer *viewer)
{
    const int next = viewer->shows_heat ? (int)viewer->heat + 1 : 0;

    viewer->shows_heat = pietra_heatmap_name((pietra_heatmap_kind)next);
    if (viewer->shows_heat)
        viewer->heat = (pietra_heatmap_kind)next;
}

/* Returns false for a key that means nothing here. */
static bool take_navigation_key(viewer *viewer, const SDL_Keysym *key)
{
    if (!viewer->document.stream)
        return false;
    switch (key->sym) {
    case SDLK_PLUS:
    case SDLK_EQUALS:
    case SDLK_KP_PLUS:
        zoom(viewer, 1);
        return true;
    case SDLK_MINUS:
    case SDLK_KP_MINUS:
        zoom(viewer, -1);
        return true;
    case SDLK_r:
        navigation_turn(&viewer->navigation, key->mod & KMOD_SHIFT ? -TURN : TURN);
        return true;
    case SDLK_0:
    case SDLK_HOME:
        set_mode(viewer, NAVIGATION_FIT);
        return true;
    case SDLK_1:
        set_mode(viewer, NAVIGATION_ACTUAL);
        return true;
    case SDLK_LEFT:
        navigation_pan(&viewer->navigation, PAN, 0);
        return true;
    case SDLK_RIGHT:
        navigation_pan(&viewer->navigation, -PAN, 0);
        return true;
    case SDLK_UP:
        navigation_pan(&viewer->navigation, 0, PAN);
        return true;
    case SDLK_DOWN:
        navigation_pan(&viewer->navigation, 0, -PAN);
        return true;
    default:
        return false;
    }
}

static bool take_viewer_key(viewer *viewer, const SDL_Keysym *key)
{
    switch (key->sym) {
    case SDLK_n:
    case SDLK_SPACE:
    case SDLK_PAGEDOWN:
        viewer_go(viewer, 1);
        return true;
    case SDLK_p:
    case SDLK_BACKSPACE:
    case SDLK_PAGEUP:
        viewer_go(viewer, -1);
        return true;
    case SDLK_F5:
        viewer_read_again(viewer);
        return true;
    case SDLK_f:
    case SDLK_F11:
        change_full_screen(viewer);
        return true;
    case SDLK_h:
        change_heat(viewer);
        return true;
    case SDLK_t:
        viewer->shows_times = !viewer->shows_times;
        return true;
    case SDLK_i:
        viewer->shows_element = !viewer->shows_element;
        return true;
    case SDLK_q:
    case SDLK_ESCAPE:
        viewer->ends = true;
        return true;
    default:
        return false;
    }
}

void input_take(viewer *viewer, const SDL_Event *event)
{
    switch (event->type) {
    case SDL_QUIT:
        viewer->ends = true;
        break;
    case SDL_WINDOWEVENT:
        take_window_event(viewer, &event->window);
        break;
    case SDL_KEYDOWN:
        if (take_navigation_key(viewer, &event->key.keysym) || take_viewer_key(viewer, &event->key.keysym))
            viewer->dirty = true;
        break;
    case SDL_MOUSEMOTION:
        take_motion(viewer, &event->motion);
        break;
    case SDL_MOUSEBUTTONDOWN:
    case SDL_MOUSEBUTTONUP:
        take_button(viewer, &event->button);
        break;
    case SDL_MOUSEWHEEL:
        take_wheel(viewer, &event->wheel);
        break;
    default:
        break;
    }
}
