/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* What the viewer says on standard error. */
#ifndef VIEW_SAY_H
#define VIEW_SAY_H

#include <stdint.h>

/* Prints "pietra-view: FILE:LINE: message". Without a file (NULL) both FILE and LINE are left out, without a line (0)
 * LINE. Question marks replace what is not printable, so that names of files harm no terminal. */
void say(const char *file, uint32_t line, const char *format, ...) __attribute__((format(printf, 3, 4)));

#endif
