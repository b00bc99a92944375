/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* What the viewer says on standard error. */
#ifndef VIEW_SAY_H
#define VIEW_SAY_H

#include <stdint.h>

/* Prints "pietra-view: FILE:LINE: message" (render/line.h). */
void say(const char *file, uint32_t line, const char *format, ...) __attribute__((format(printf, 3, 4)));

#endif
