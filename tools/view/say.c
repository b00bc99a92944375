/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "say.h"

#include <stdarg.h>

#include "render/line.h"

void say(const char *file, uint32_t line, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    line_print("pietra-view", file, line, format, arguments);
    va_end(arguments);
}
