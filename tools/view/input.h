/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Keys, the mouse, and what happens to the window. */
#ifndef VIEW_INPUT_H
#define VIEW_INPUT_H

#include "viewer.h"

void input_take(viewer *viewer, const SDL_Event *event);

#endif
