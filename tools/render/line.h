/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Lines on standard error. */
#ifndef RENDER_LINE_H
#define RENDER_LINE_H

#include <stdarg.h>
#include <stdint.h>

/* Prints "PROGRAM: FILE:LINE: message". Without a file (NULL) both FILE and LINE are left out, without a line (0) LINE.
 * Names of files may hold anything, so question marks replace what is not printable (base/utf8.h). The message stays
 * one line and harms no terminal. */
void line_print(const char *program, const char *file, uint32_t line, const char *format, va_list arguments)
    __attribute__((format(printf, 4, 0)));

#endif
