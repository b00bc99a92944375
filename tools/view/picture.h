/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Draws what the window shows: the document, and what lies on it. */
#ifndef VIEW_PICTURE_H
#define VIEW_PICTURE_H

#include "viewer.h"

typedef enum picture_result {
    PICTURE_SHOWN = 0,
    PICTURE_LATER,  /* the window cannot be drawn now, and stays dirty */
    PICTURE_FAILED, /* nothing can be drawn any more, which was said */
} picture_result;

picture_result picture_show(viewer *viewer);
/* Waits so long for times that the panel shows, and makes the window dirty when they are there. Returns whether it did
 * wait. */
bool picture_await_times(viewer *viewer, uint32_t wait_ms);

#endif
